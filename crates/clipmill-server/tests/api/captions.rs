//! Captions inside a request: with every way to send one, a text needs no file.

use axum::http::header;
use clipmill_server::batches::Batches;
use serde_json::{Value, json};

use crate::harness::{API, Service, User, keyed};
use crate::mcp::facts;

const SCRIPT: &str = "Fresh from the oven. Only <b>3.5</b> minutes!\n今天{\\an8}新鲜出炉。\nطازج من الفرن.";

fn body(subtitle: Value) -> Value {
    json!({
        "taskType": "baseVideoMix",
        "params": {
            "videoList": [{ "videos": [{ "url": "https://media.example/a.mp4", "duration": 3 }] }],
            "options": { "subtitle": subtitle },
        },
    })
}

async fn request_of(service: &Service, user: &User, task: &Value) -> Value {
    let number = task["taskNo"].as_str().unwrap();
    service.get(user, &format!("{API}/request/{number}")).await.data()
}

#[tokio::test]
async fn a_text_is_part_of_the_request() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let cues = json!([{ "start": 0.5, "end": 2.0, "text": "One", "words": [{ "start": 0.5, "end": 1.0, "text": "One" }] }]);
    for subtitle in [json!({ "text": SCRIPT, "timing": "even" }), json!({ "cues": cues })] {
        let estimate = service.send("POST", &user, &format!("{API}/estimate"), &body(subtitle.clone())).await;
        assert_eq!(estimate.data()["estimatedDotCount"], 3);
        let task = service.submit(&user, &body(subtitle.clone())).await.data();
        let stored = request_of(&service, &user, &task).await;
        for (name, value) in subtitle.as_object().unwrap() {
            assert_eq!(&stored["params"]["options"]["subtitle"][name], value);
        }
        assert_eq!(stored["params"]["options"]["subtitle"].get("url"), None);
    }
}

#[tokio::test]
async fn faults_have_places_and_chinese_texts() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let cue = json!({ "start": 2, "end": 1, "text": " ", "words": [{ "start": 5, "end": 6, "text": "a" }] });
    let call = keyed(&user, "POST", &format!("{API}/submit"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT_LANGUAGE, "zh");
    let refused = service.call(call.body(body(json!({ "cues": [cue] })).to_string().into()).unwrap()).await;
    let errors = refused.error(40001)["errors"].clone();
    let errors = errors.as_array().unwrap().iter();
    let errors: Vec<_> =
        errors.map(|error| (error["path"].as_str().unwrap(), error["message"].as_str().unwrap())).collect();
    let at = "/params/options/subtitle/cues/0";
    assert_eq!(errors.len(), 3, "{errors:?}");
    for (path, text) in
        [("end", "必须大于 `start`"), ("text", "必须包含文字"), ("words/0", "必须位于其字幕的时间内")]
    {
        let path = format!("{at}/{path}");
        assert!(errors.iter().any(|error| error.0 == path && error.1.contains(text)), "{path}: {errors:?}");
    }
}

#[tokio::test]
async fn a_script_is_a_column_of_a_table() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let long = "字".repeat(20_000);
    let batch = json!({
        "clientBatchId": "scripts",
        "request": body(json!({ "text": "{{script}}" })),
        "variables": [{ "name": "script", "type": "text", "maxLength": 20_000, "default": "Hello" }],
        "rows": [{ "script": SCRIPT }, { "script": long }, {}],
    });
    service.send("POST", &user, "/open-api/v1/batches", &batch).await.data();
    Batches::new(service.app.clone()).round(&Default::default()).await.unwrap();
    let list = service.get(&user, &format!("{API}/list?pageSize=100")).await.data()["list"].clone();
    let mut texts = Vec::new();
    for task in list.as_array().unwrap() {
        let stored = request_of(&service, &user, task).await;
        texts.push(stored["params"]["options"]["subtitle"]["text"].as_str().unwrap().to_owned());
    }
    for expected in [SCRIPT, &long, "Hello"] {
        assert!(texts.iter().any(|text| text == expected), "{expected}");
    }
    let mut blank = batch.clone();
    (blank["clientBatchId"], blank["rows"]) = (json!("blank"), json!([{ "script": "\u{200b}" }]));
    assert_eq!(service.send("POST", &user, "/open-api/v1/batches", &blank).await.code(), 40001);
}

#[tokio::test]
async fn agents_send_captions_inline_or_upload_them() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let request = body(json!({ "text": SCRIPT }));
    let submitted =
        facts(&service, &user, "submit_task", json!({ "request": request, "maxPoints": 3 })).await;
    let stored = request_of(&service, &user, &submitted).await;
    assert_eq!(stored["params"]["options"]["subtitle"]["text"], SCRIPT);
    let described = facts(
        &service,
        &user,
        "describe_task",
        json!({ "taskType": "baseVideoMix", "part": "options.subtitle" }),
    )
    .await;
    let described = described.as_str().unwrap();
    assert!(described.contains("subtitle.text: string, at most 20000 characters"), "{described}");
    assert!(described.contains("subtitle.cues[].words[].start: number, required"), "{described}");
    let srt = "1\n00:00:00,000 --> 00:00:01,000\nHi\n";
    let uploaded = facts(&service, &user, "upload_captions", json!({ "text": srt })).await;
    let request = body(json!({ "url": uploaded["url"] }));
    facts(&service, &user, "submit_task", json!({ "request": request, "maxPoints": 3 })).await;
}
