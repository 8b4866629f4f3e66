//! A hostile animated WebP: converting it must not panic, and stays within its limits.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    clipmill_media::ingest::probe::animation::check_bytes(bytes);
});
