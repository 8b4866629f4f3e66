//! Bodies of submissions.
#![no_main]

#[path = "../../crates/clipmill-core/tests/fuzz/check/requests.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|body: &[u8]| check::check_body(body));
