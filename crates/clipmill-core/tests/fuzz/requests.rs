//! Request bodies.

use clipmill_core::request::{Policy, parse};
use proptest::prelude::*;

use crate::check::requests::check_body;
use crate::mutate::{damaged, seeds};

const SEEDS: &[&[u8]] = &[
    include_bytes!("../../../../samples/requests/base-video-mix.json"),
    include_bytes!("../../../../samples/requests/pro-video-mix.json"),
    include_bytes!("../../../../samples/requests/video-deduplication.json"),
    include_bytes!("../../../../samples/requests/short-video.json"),
    include_bytes!("../../../../samples/requests/voice-over.json"),
    include_bytes!("../../../../samples/requests/scenes-of-voice.json"),
    include_bytes!("../../../../samples/requests/scenes-with-voices.json"),
    include_bytes!("../../../../samples/requests/spoken-text.json"),
    br#"{"taskType":"baseVideoMix","params":{"videoList":[{"videos":[{"url":"https://e.org/a.mp4"}]}]}}"#,
];

const WORDS: &[&str] = &[
    "null",
    "true",
    "-1",
    "1e308",
    "9223372036854775808",
    "\"5\"",
    "{}",
    "[]",
    "[[[[",
    "\\ud800",
    "\\u0000",
    "\"",
    "{\"url\":\"",
    "file:///etc/passwd",
    "http://2130706433/",
    "\u{feff}",
    "1e-400",
    "\"seed\":",
    "-0",
    "0.1",
];

#[test]
fn the_seeds_are_valid() {
    for seed in SEEDS {
        let policy = Policy { allow_local_paths: true, ..Policy::default() };
        parse(seed, &policy).unwrap();
    }
}

#[test]
fn the_corpus_passes() {
    seeds("requests").iter().for_each(|body| check_body(body));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_body_does_harm(body in damaged(SEEDS, WORDS)) {
        check_body(&body);
    }
}
