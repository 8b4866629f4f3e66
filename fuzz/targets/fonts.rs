//! A hostile font file: the check must not panic, and what it accepts must be measurable.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    clipmill_media::fonts::file::check_bytes(bytes);
});
