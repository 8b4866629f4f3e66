//! The ICC profile in the first bytes of a hostile image.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    clipmill_media::ingest::probe::icc::check_bytes(bytes);
});
