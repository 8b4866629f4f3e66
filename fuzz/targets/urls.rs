//! Links, and the addresses behind them.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    clipmill_media::ingest::fetch::check_link(text);
});
