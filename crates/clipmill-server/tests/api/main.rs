//! The HTTP API as a client sees it, over a real store.
#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

mod access;
mod admin;
mod batches;
mod brand;
mod callbacks;
mod cancel;
mod captions;
mod catalogues;
mod connections;
mod console;
mod docs;
mod drafts;
mod envelope;
mod estimate;
mod events;
mod examples;
mod files;
mod harness;
mod hostile;
mod installation;
mod invitations;
mod limits;
mod mcp;
mod messages;
mod on_postgres;
mod permits;
#[path = "../../../clipmill-store/tests/support/postgres_server.rs"]
mod postgres_server;
mod previews;
mod quotas;
mod receiver;
mod results;
mod retention;
mod row_retries;
#[path = "../documents/schemas.rs"]
mod schemas;
mod seeds;
mod share_feedback;
mod shares;
mod speech;
mod submit;
mod tasks;
mod templates;
mod timeline;
mod tls;
mod uploads;
