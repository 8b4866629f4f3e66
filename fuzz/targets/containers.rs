//! A hostile file's tables, checked before ffprobe starts.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    clipmill_media::ingest::probe::containers::check_bytes(bytes);
});
