//! Outputs as projects for editing programs.

use std::io::{Cursor, Read};

use clipmill_server::clock;
use clipmill_store::Scope;
use serde_json::{Value, json};

use crate::files::deliver;
use crate::harness::{API, ApiResponse, Service, User};

async fn uploaded(service: &Service, user: &User, name: &str, content: &'static str) -> String {
    let path = format!("/open-api/v1/uploads?fileName={name}");
    service.upload(user, &path, content).await.data()["url"].as_str().unwrap().to_owned()
}

/// A mix of these files, submitted.
async fn submitted(service: &Service, user: &User, urls: &[&String]) -> String {
    let videos: Vec<Value> = urls.iter().map(|url| json!({ "url": url, "from": 1, "to": 4 })).collect();
    let options = json!({ "transition": { "names": ["fade"], "duration": 0.5 } });
    let params = json!({ "videoList": [{ "videos": videos }], "options": options });
    let body = json!({ "taskType": "baseVideoMix", "name": "Spring sale", "params": params });
    service.submit(user, &body).await.data()["taskNo"].as_str().unwrap().to_owned()
}

async fn timeline(service: &Service, user: &User, task_no: &str, rest: &str) -> ApiResponse {
    service.get(user, &format!("{API}/timeline/{task_no}/{rest}")).await
}

/// The files of an archive with their contents.
fn entries(archive: &ApiResponse) -> Vec<(String, Vec<u8>)> {
    assert_eq!((archive.status.as_u16(), archive.header("content-type")), (200, "application/zip"));
    assert_eq!(archive.header("content-length"), archive.body.len().to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(&archive.body[..])).unwrap();
    let count = archive.len();
    let entry = |index| {
        let mut file = archive.by_index(index).unwrap();
        let (name, mut content) = (file.name().unwrap().to_string(), Vec::new());
        file.read_to_end(&mut content).unwrap();
        (name, content)
    };
    (0..count).map(entry).collect()
}

#[tokio::test]
async fn a_project_contains_the_timeline_and_the_original_files() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let one = uploaded(&service, &ann, "My%20clip.MOV", "MEDIA one").await;
    let two = uploaded(&service, &ann, "two.mp4", "MEDIA two").await;
    let task_no = submitted(&service, &ann, &[&one, &two, &one]).await;
    let early = timeline(&service, &ann, &task_no, "1").await.error(40909);
    assert_eq!(early["cause"]["code"], "timeline_not_planned");
    deliver(&service, "one.mp4", clock::now_ms() + 3_600_000).await;

    let archive = timeline(&service, &ann, &task_no, "1?format=otio").await;
    let disposition = archive.header("content-disposition").to_owned();
    assert!(disposition.contains(&format!("{task_no}-1.zip")), "{disposition}");
    let files = entries(&archive);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["timeline.otio", "README.txt", "media/01-My-clip.mov", "media/02-two.mp4"]);
    assert_eq!(files[2].1, b"MEDIA one");
    let otio: Value = serde_json::from_slice(&files[0].1).unwrap();
    assert_eq!(otio["name"], "Spring sale 1");
    assert_eq!(otio["metadata"]["clipmill"]["output"]["taskNo"], json!(task_no));
    let track = &otio["tracks"]["children"][0]["children"];
    let schemas: Vec<&str> =
        track.as_array().unwrap().iter().map(|item| item["OTIO_SCHEMA"].as_str().unwrap()).collect();
    assert_eq!(schemas, ["Clip.1", "Transition.1", "Clip.1", "Transition.1", "Clip.1"]);
    // 90 frames each; 15 overlap twice.
    let lengths: Vec<f64> =
        [0, 2, 4].map(|i| track[i]["source_range"]["duration"]["value"].as_f64().unwrap()).to_vec();
    assert_eq!(lengths, [82.0, 75.0, 83.0]);
    assert_eq!(track[0]["source_range"]["start_time"]["value"], 30.0);
    assert_eq!(track[2]["media_reference"]["target_url"], "media/02-two.mp4");

    // A file that is gone is named, and the rest is delivered.
    let sha256 = track[2]["media_reference"]["metadata"]["clipmill"]["sha256"].as_str().unwrap();
    std::fs::remove_file(service.data.input(sha256)).unwrap();
    let files = entries(&timeline(&service, &ann, &task_no, "1").await);
    assert_eq!(files.len(), 3);
    let otio: Value = serde_json::from_slice(&files[0].1).unwrap();
    let missing = &otio["tracks"]["children"][0]["children"][2]["media_reference"];
    assert_eq!((&missing["OTIO_SCHEMA"], &missing["name"]), (&json!("MissingReference.1"), &json!(two)));
    assert!(String::from_utf8_lossy(&files[1].1).contains(&two));
}

#[tokio::test]
async fn only_the_owner_gets_a_known_format_of_an_existing_output() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 0).await);
    let url = uploaded(&service, &ann, "a.mp4", "MEDIA").await;
    let task_no = submitted(&service, &ann, &[&url]).await;
    deliver(&service, "one.mp4", clock::now_ms() + 3_600_000).await;
    for (user, rest) in [(&bob, "1"), (&ann, "2"), (&ann, "0"), (&ann, "x"), (&ann, "-1")] {
        timeline(&service, user, &task_no, rest).await.error(40400);
    }
    timeline(&service, &ann, "VP00000000000000000000000000", "1").await.error(40400);
    for format in ["edl", "fcpxml", "OTIO"] {
        let wrong = timeline(&service, &ann, &task_no, &format!("1?format={format}")).await.error(40001);
        assert_eq!(wrong["errors"][0]["path"], "/query/format");
        assert!(wrong["errors"][0]["allowed"].as_str().unwrap().contains("otio"), "{wrong}");
    }
    let submitter = service.scoped(&ann, &[Scope::Submit]).await;
    timeline(&service, &submitter, &task_no, "1").await.error(40300);
}

#[tokio::test]
async fn a_file_that_cannot_be_fetched_is_named() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let url = "https://media.example/a.mp4".to_owned();
    let task_no = submitted(&service, &ann, &[&url]).await;
    deliver(&service, "one.mp4", clock::now_ms() + 3_600_000).await;
    let error = timeline(&service, &ann, &task_no, "1").await.error(40909);
    assert_eq!(error["cause"]["code"], "timeline_lacks_input");
    assert!(error["cause"]["message"].as_str().unwrap().contains(&url), "{error}");
}
