//! Request bodies.

use std::path::Path;

use clipmill_core::request::model::TaskType;
use clipmill_core::request::{Policy, parse};
use proptest::prelude::*;

use crate::check::requests::check_body;
use crate::mutate::{damaged, files, seeds};

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

/// The samples, the example of each task type, and a request without options.
fn bodies() -> Vec<Vec<u8>> {
    let least =
        r#"{"taskType":"baseVideoMix","params":{"videoList":[{"videos":[{"url":"https://e.org/a.mp4"}]}]}}"#;
    let mut bodies = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/requests"));
    bodies.extend(TaskType::ALL.map(|kind| kind.example().to_string().into_bytes()));
    bodies.push(least.into());
    bodies
}

#[test]
fn the_seeds_are_valid() {
    for seed in bodies() {
        let policy = Policy { allow_local_paths: true, ..Policy::default() };
        parse(&seed, &policy).unwrap();
    }
}

#[test]
fn the_corpus_passes() {
    seeds("requests").iter().for_each(|body| check_body(body));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_body_does_harm(body in damaged(bodies(), WORDS)) {
        check_body(&body);
    }
}
