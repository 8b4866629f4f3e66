//! The output of ffprobe for a hostile file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    clipmill_media::ingest::probe::check_output(bytes);
});
