//! Tests of documents: one program, so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

mod blocks;
mod checked_in;
mod configuration;
mod effects;
mod errors;
mod examples;
mod fields;
mod links;
mod markdown;
mod messages;
mod monitoring;
mod openapi;
mod operations;
mod schemas;
mod security;
mod transitions;
