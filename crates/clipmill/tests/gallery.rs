//! `clipmill effects`, `clipmill looks` and `clipmill transitions`, as people and programs run them.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests start the program")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn clipmill(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clipmill")).args(args).output().unwrap()
}

fn list(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let response: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = response["list"].as_array().unwrap().clone();
    assert_eq!(response["total"], list.len());
    list
}

#[test]
fn catalogues_are_printed_for_people_and_for_programs() {
    for (command, min, known) in
        [("effects", 20, "light-leak"), ("looks", 12, "teal-orange"), ("transitions", 20, "radial")]
    {
        let entries = list(&clipmill(&[command, "--json"]));
        assert!(entries.len() >= min);
        assert!(entries.iter().any(|entry| entry["name"] == known && entry["title"]["zh"].is_string()));
        let text = String::from_utf8(clipmill(&[command]).stdout).unwrap();
        assert!(text.lines().any(|line| line.starts_with(known)), "{text}");
    }
}

#[test]
fn previews_are_a_video_and_an_image_each() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    for (command, name) in [("effects", "vignette"), ("looks", "noir"), ("transitions", "radial")] {
        let entries = list(&clipmill(&[command, "--preview", to, "--only", name, "--json"]));
        let [entry] = entries.as_slice() else { panic!("{entries:?}") };
        let begins = |file: &Value| std::fs::read(Path::new(file.as_str().unwrap())).unwrap()[..12].to_vec();
        assert_eq!(&begins(&entry["video"])[4..8], b"ftyp");
        assert_eq!(&begins(&entry["picture"])[..3], b"\xff\xd8\xff");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 6, "nothing else is left");
}

#[test]
fn mistakes_of_the_caller_end_with_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.mp4");
    std::fs::write(&file, "no video").unwrap();
    let (to, file) = (folder.path().to_str().unwrap(), file.to_str().unwrap());
    for args in [
        vec!["effects", "--only", "nothing"],
        vec!["looks", "--preview", to, "--source", file],
        vec!["effects", "--strength", "0"],
        vec!["effects", "--source", file],
    ] {
        assert_eq!(clipmill(&args).status.code(), Some(2), "{args:?}");
    }
}
