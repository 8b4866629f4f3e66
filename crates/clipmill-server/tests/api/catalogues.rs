//! The catalogues of effects and looks, and their pictures: no key is needed.

use axum::body::Body;
use clipmill_core::effects::Effect;
use clipmill_core::looks::Look;

use crate::harness::{API, Answer, Service, request};

async fn get(service: &Service, path: &str) -> Answer {
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
async fn effects_are_listed_with_pictures() {
    check("effects", Effect::all().iter().map(|effect| effect.name).collect()).await;
}

#[tokio::test]
async fn looks_are_listed_with_pictures() {
    check("looks", Look::all().iter().map(|look| look.name).collect()).await;
}
