//! The service from a client's perspective: the real program, real clips, the HTTP API, and kills.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

mod accounts;
mod agents;
mod bucket;
mod callbacks;
mod cancelling;
mod clips;
mod copying;
mod crash;
mod descriptors;
mod disk;
mod documents;
mod encoders;
#[allow(dead_code, reason = "the demo itself uses the rest")]
#[path = "../../examples/demo/ending.rs"]
mod ending;
mod failures;
mod harness;
mod hostile;
#[allow(dead_code, reason = "shared with the tests of many machines")]
#[path = "../support/http.rs"]
mod http;
mod machine;
#[allow(dead_code, reason = "shared with the tests of documents")]
#[path = "../../../clipmill-server/tests/documents/markdown.rs"]
mod markdown;
mod operations;
mod operator_mistakes;
mod parts;
mod previews;
mod reserved_slot;
mod results;
mod retries;
#[path = "../../../clipmill-blobs/tests/support/s3_server.rs"]
mod s3_server;
mod sharing;
#[path = "../support/skipped.rs"]
mod skipped;
mod speech;
#[allow(dead_code, reason = "shared with the tests of the adapters")]
#[path = "../support/speech_service.rs"]
mod speech_service;
mod tables;
mod tasks;
