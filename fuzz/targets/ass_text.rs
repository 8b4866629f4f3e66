//! The text of captions: none of it may become a command of the renderer.
#![no_main]

#[allow(dead_code, reason = "another target uses the rest")]
#[path = "../../crates/clipmill-core/tests/fuzz/check/captions.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check_text(text));
