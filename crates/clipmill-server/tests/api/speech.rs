//! Voices, and texts to listen to.

use axum::body::Body;
use clipmill_server::config::{SynthesisKind, TranscriptionKind};
use serde_json::{Value, json};

use crate::harness::{API, ApiResponse, Service, User, request};

const SPEECH: &str = "/open-api/v1/speech";

async fn service(change: impl FnOnce(&mut clipmill_server::config::Speech)) -> Service {
    Service::with(|config| {
        config.speech.synthesize = SynthesisKind::Espeak;
        change(&mut config.speech);
    })
    .await
}

async fn listen(service: &Service, user: &User, body: Value) -> ApiResponse {
    service.post(user, SPEECH, body.to_string()).await
}

async fn balance(service: &Service, user: &User) -> Value {
    service.get(user, &format!("{API}/balance")).await.data()["balance"].clone()
}

async fn voices(service: &Service) -> Value {
    service.call(request("GET", &format!("{API}/voices")).body(Body::empty()).unwrap()).await.data()
}

#[tokio::test]
async fn voices_are_listed_without_a_key() {
    let listed = voices(&service(|_| {}).await).await;
    assert_eq!((&listed["service"], &listed["pointsPer1000Characters"]), (&json!("espeak-ng"), &json!(0)));
    assert_eq!(listed["list"][0]["name"], "en-us");
    assert_eq!(listed["list"][0]["title"]["zh"], "英语（美国）");
    assert_eq!(listed["total"], listed["list"].as_array().unwrap().len());

    let own = service(|speech| {
        speech.synthesize = SynthesisKind::Http;
        speech.synthesize_url = Some("https://key.speech.example/v1".parse().unwrap());
        speech.voices = vec!["anna".to_owned(), "ben".to_owned()];
        speech.points_per_1000_characters = 7;
        speech.transcribe = TranscriptionKind::Command;
        speech.transcribe_command = vec!["hear".to_owned()];
        speech.transcribe_name = "Listener".to_owned();
        speech.points_per_minute = 3;
    });
    let listed = voices(&own.await).await;
    let expected = json!({
        "list": [{ "name": "anna", "title": null }, { "name": "ben", "title": null }],
        "total": 2, "service": "key.speech.example", "pointsPer1000Characters": 7,
        "transcriptionService": "Listener", "pointsPerMinute": 3,
    });
    assert_eq!(listed, expected);

    let none = voices(&service(|speech| speech.synthesize = SynthesisKind::Off).await).await;
    assert_eq!(
        (&none["list"], &none["service"], &none["transcriptionService"]),
        (&json!([]), &Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn a_text_is_charged_once() {
    let service = service(|speech| speech.points_per_1000_characters = 100).await;
    let (ann, bob) = (service.user("ann", 10).await, service.user("bob", 10).await);
    let text = json!({ "text": "Hello, this is me.", "voice": "en-gb" });
    let first = listen(&service, &ann, text.clone()).await;
    assert_eq!(
        (first.status.as_u16(), first.header("content-type"), first.header("x-dot-count")),
        (200, "audio/wav", "2")
    );
    assert_eq!(&first.body[..], b"Hello, this is me.");
    assert_eq!(balance(&service, &ann).await, 8);
    let again = listen(&service, &ann, text.clone()).await;
    assert_eq!((again.header("x-dot-count"), balance(&service, &ann).await), ("0", json!(8)));
    let record = &service.get(&ann, &format!("{API}/records")).await.data()["list"][0];
    assert_eq!((&record["type"], &record["dotCount"]), (&json!("adjust"), &json!(-2)));
    assert_eq!(record["remark"], "text spoken to listen to");
    let other = listen(&service, &bob, text).await;
    assert_eq!((other.header("x-dot-count"), service.media.spoken.lock().unwrap().len()), ("2", 2));

    let long = json!({ "text": "x".repeat(81) });
    let refused = listen(&service, &ann, long.clone()).await;
    assert_eq!(refused.error(40200), json!({ "needed": 9, "available": 8 }));
    assert_eq!(service.media.spoken.lock().unwrap().len(), 2, "nobody was asked to speak it");
}

#[tokio::test]
async fn a_failure_costs_nothing() {
    let service = service(|speech| speech.points_per_1000_characters = 100).await;
    let ann = service.user("ann", 10).await;
    let failed = listen(&service, &ann, json!({ "text": "FAIL" })).await;
    failed.error(50301);
    let expected = "the text was not spoken, and nothing was charged: the speech service speaker failed: it returned HTTP 500";
    assert_eq!((&failed.json()["msg"], failed.header("retry-after")), (&json!(expected), "5"));
    assert_eq!(balance(&service, &ann).await, 10);
}

#[tokio::test]
async fn characters_are_limited_for_each_day() {
    let service = service(|speech| speech.listen_characters_per_day = 10).await;
    let (ann, bob) = (service.user("ann", 10).await, service.user("bob", 10).await);
    let say = async |user: &User, text: &str| listen(&service, user, json!({ "text": text })).await;
    for text in ["12345", "1234", "12345"] {
        assert_eq!(say(&ann, text).await.status.as_u16(), 200, "a repeat is not counted");
    }
    let refused = say(&ann, "你好").await;
    let data = refused.error(42906);
    assert_eq!((&data["spokenCharacters"], &data["limit"]), (&json!(9), &json!(10)));
    assert!(refused.header("retry-after").parse::<u32>().unwrap() <= 86_401);
    assert_eq!(say(&ann, "1").await.status.as_u16(), 200);
    assert_eq!(say(&bob, "1234567890").await.status.as_u16(), 200);
}

#[tokio::test]
async fn wrong_bodies_are_refused() {
    let service = service(|_| {}).await;
    let ann = service.user("ann", 10).await;
    for (body, path) in [
        (json!({}), "/text"),
        (json!({ "text": "x".repeat(501) }), "/text"),
        (json!({ "text": "Hello", "voice": "nobody" }), "/voice"),
        (json!({ "text": "Hello", "speed": 3 }), "/speed"),
    ] {
        assert_eq!(listen(&service, &ann, body).await.error(40001)["errors"][0]["path"], path);
    }
    let silent = Service::with(|config| config.speech.synthesize = SynthesisKind::Off).await;
    let ann = silent.user("ann", 10).await;
    let errors = listen(&silent, &ann, json!({ "text": "Hello" })).await.error(40001);
    let message = errors["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("no speech service is configured"), "{message}");
}
