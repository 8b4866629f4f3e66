//! Request bodies.

use clipmill_core::request::{Policy, RequestError, parse};
use proptest::prelude::*;

use crate::mutate::damaged;

const SEEDS: &[&[u8]] = &[
    include_bytes!("../../../../samples/requests/base-video-mix.json"),
    include_bytes!("../../../../samples/requests/pro-video-mix.json"),
    include_bytes!("../../../../samples/requests/video-deduplication.json"),
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

/// Paths of errors lead into the body, and what is accepted is accepted again.
fn check(body: &[u8]) {
    match parse(body, &Policy::default()) {
        Ok(accepted) => {
            let again = parse(body, &Policy::default()).unwrap();
            assert_eq!(accepted.request, again.request);
        }
        Err(RequestError::Syntax { line, .. }) => assert!(line >= 1),
        Err(RequestError::Invalid(errors)) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(error.path.is_empty() || error.path.starts_with('/'), "{error:?}");
                assert!(!error.message.is_empty());
            }
        }
    }
}

#[test]
fn the_seeds_are_good() {
    for seed in SEEDS {
        let policy = Policy { allow_local_paths: true, ..Policy::default() };
        parse(seed, &policy).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_body_does_harm(body in damaged(SEEDS, WORDS)) {
        check(&body);
    }
}
