//! Subtitle files, up to what the renderer is given.
#![no_main]

#[allow(dead_code, reason = "another target uses the rest")]
#[path = "../../crates/clipmill-core/tests/fuzz/check/captions.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check_file(bytes));
