//! The HTTP interface as a client sees it, over a real store.

mod access;
mod connections;
mod envelope;
mod files;
mod harness;
mod submit;
mod tasks;
mod uploads;
