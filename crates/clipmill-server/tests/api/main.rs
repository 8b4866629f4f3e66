//! The HTTP interface as a client sees it, over a real store.
#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

mod access;
mod callbacks;
mod cancel;
mod catalogues;
mod connections;
mod console;
mod docs;
mod envelope;
mod estimate;
mod events;
mod files;
mod harness;
mod hostile;
mod previews;
mod quotas;
mod receiver;
mod retention;
mod submit;
mod tasks;
mod tls;
mod uploads;
