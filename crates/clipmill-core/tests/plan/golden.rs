//! The values that outlive a release: fingerprints of requests, keys of segments, recipes, and the stored form of
//! requests, items and jobs in the database and queue.
//!
//! A new version must read the rows of the previous one, find its segments again, and recognize a repeated request, so a
//! change here needs a migration or a new `PLANNER_VERSION`.

use std::fmt::Write;
use std::path::PathBuf;

use clipmill_core::plan::Plan;
use clipmill_core::request::model::TaskRequest;
use clipmill_core::request::{InputRole, Policy, parse};
use clipmill_core::speech::Speech;
use serde_json::Value;

use crate::fixture::*;

fn samples() -> Vec<(String, TaskRequest)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples/requests");
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort_unstable();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap().replace("\"../", "\"https://x.example/");
        // No font is installed here.
        let text = text.replace("\"font\": \"noto-sans-sc\",", "");
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        (name, parse(text.as_bytes(), &Policy::default()).unwrap().request)
    };
    files.into_iter().map(read).collect()
}

/// The files of the samples, and the audio of the texts of a request.
fn files(request: &TaskRequest) -> Fixture {
    let url = |name: &str| format!("https://x.example/{name}");
    let cues: &[(u64, u64, &str)] = &[(0, 1_500, "Hello"), (1_500, 3_000, "a <b>longer</b> line")];
    let files = Fixture::new()
        .clip(&url("bigbuckbunny.mp4"), 5.28)
        .clip(&url("city.mp4"), 7.6)
        .audio(&url("speech.wav"), 3.5)
        .audio(&url("pop.wav"), 0.3)
        .image(&url("picture.jpg"))
        .image(&url("logo.png"))
        .cues(&url("captions.srt"), cues)
        .cues(&url("captions.vtt"), cues);
    let texts = request.urls_of(InputRole::Voice).filter(|url| Speech::of_url(url).is_some());
    texts.fold(files, |files, url| files.audio(url, 6.0))
}

fn stored(request: &TaskRequest, plan: &Plan) -> String {
    let mut text = String::new();
    let fingerprint: String = request.fingerprint().iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(text, "fingerprint {fingerprint}\nrequest {}", json(request)).unwrap();
    for item in &plan.items {
        writeln!(text, "item {} recipe {}", item.item_no, item.recipe).unwrap();
        writeln!(text, "item {} job {}", item.item_no, json(item.outcome.as_ref().unwrap())).unwrap();
    }
    for segment in &plan.segments {
        writeln!(text, "segment {} job {}", segment.key.0, json(&segment.spec)).unwrap();
    }
    text
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn stored_values_stay_the_same() {
    for (name, request) in samples() {
        let plan = files(&request).plan(request.params.clone());
        let errors: Vec<_> = plan.items.iter().filter_map(|item| item.outcome.as_ref().err()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        insta::assert_snapshot!(format!("golden-{name}"), stored(&request, &plan));
        let read: Value = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        assert_eq!(serde_json::from_value::<TaskRequest>(read).unwrap(), request, "{name}");
    }
}
