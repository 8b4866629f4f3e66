//! Frames and tags of a hostile MP3 or AAC file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    clipmill_media::ingest::probe::joined::check_bytes(bytes);
});
