//! The catalogues of effects, looks, transitions, fonts and caption styles, and their images: no key is required.

use axum::body::Body;
use clipmill_core::effects::Effect;
use clipmill_core::fonts::CaptionFont;
use clipmill_core::looks::Look;
use clipmill_core::subtitle::CaptionPreset;
use clipmill_core::transitions::Transition;

use crate::harness::{API, ApiResponse, Service, request};

async fn get(service: &Service, path: &str) -> ApiResponse {
    service.call(request("GET", path).body(Body::empty()).unwrap()).await
}

async fn check(which: &str, names: Vec<&str>) {
    let service = Service::start().await;
    let data = get(&service, &format!("{API}/{which}")).await.data().clone();
    assert_eq!(data["total"], names.len());
    let list = data["list"].as_array().unwrap();
    assert_eq!(list.iter().map(|entry| entry["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
    for entry in list {
        for text in ["title", "description"] {
            assert!(entry[text]["en"].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
            assert!(entry[text]["zh"].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
        }
        let url = entry["previewUrl"].as_str().unwrap();
        let path = url.strip_prefix("http://127.0.0.1:8080").unwrap();
        let picture = get(&service, path).await;
        assert_eq!(picture.header("content-type"), "image/webp");
        assert!(picture.body.starts_with(b"RIFF"), "{url}");
    }
    get(&service, &format!("{API}/{which}/none.webp")).await.error(40400);
    get(&service, &format!("{API}/{which}/{}", names[0])).await.error(40400);
}

#[tokio::test]
async fn effects_are_listed_with_images() {
    check("effects", Effect::all().iter().map(|effect| effect.name).collect()).await;
}

#[tokio::test]
async fn looks_are_listed_with_images() {
    check("looks", Look::all().iter().map(|look| look.name).collect()).await;
}

#[tokio::test]
async fn transitions_are_listed_with_images() {
    check("transitions", Transition::listed().map(|transition| transition.name).collect()).await;
}

#[tokio::test]
async fn caption_styles_are_listed_with_moving_images() {
    check("caption-styles", CaptionPreset::NAMES.to_vec()).await;
    let service = Service::start().await;
    let data = get(&service, &format!("{API}/caption-styles")).await.data().clone();
    let boxed = data["list"].as_array().unwrap().iter().find(|entry| entry["name"] == "karaoke-box").unwrap();
    assert_eq!(boxed["style"]["highlight"], serde_json::json!({ "box": "#7C3AED" }));
    assert_eq!((&boxed["style"]["maxWords"], &boxed["style"]["fontColor"]), (&5.into(), &().into()));
}

#[tokio::test]
async fn fonts_are_listed() {
    let service = Service::start().await;
    let data = get(&service, &format!("{API}/fonts")).await.data().clone();
    assert_eq!(data["total"], CaptionFont::ALL.len());
    for (entry, font) in data["list"].as_array().unwrap().iter().zip(CaptionFont::ALL) {
        assert_eq!(entry["name"], font.entry().name);
        assert_eq!(entry["weights"], serde_json::json!(["regular", "bold"]));
        for text in ["en", "zh"] {
            assert!(entry["title"][text].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
        }
        assert!(entry["scripts"].as_array().is_some_and(|scripts| !scripts.is_empty()), "{entry}");
    }
}
