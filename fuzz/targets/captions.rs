//! Subtitle files, up to the input of the renderer.
#![no_main]

#[allow(dead_code, reason = "another target uses the rest")]
#[path = "../../crates/clipmill-core/tests/fuzz/check/captions.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check_file(bytes));
