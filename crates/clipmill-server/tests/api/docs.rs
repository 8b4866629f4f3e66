//! The served API description.

use axum::body::Body;
use axum::http::StatusCode;

use crate::harness::{Service, request};

#[tokio::test]
async fn the_description_is_served_without_a_key() {
    let service = Service::start().await;
    let response = service.call(request("GET", "/openapi.json").body(Body::empty()).unwrap()).await;
    assert_eq!(response.status, StatusCode::OK);
    assert_eq!(response.json(), clipmill_server::openapi());
}

/// A console on a slow connection waits for it.
#[tokio::test]
async fn the_description_is_compressed_and_cached() {
    let service = Service::start().await;
    let get = async |name: &str, value: &str| {
        service.call(request("GET", "/openapi.json").header(name, value).body(Body::empty()).unwrap()).await
    };
    let small = get("accept-encoding", "gzip").await;
    assert_eq!(small.header("content-encoding"), "gzip");
    let whole = get("accept-encoding", "br").await;
    assert!(small.body.len() * 5 < whole.body.len(), "{} of {}", small.body.len(), whole.body.len());
    let again = get("if-none-match", small.header("etag")).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
}

/// The page loads only its own files: it works without any other host.
#[tokio::test]
async fn the_page_needs_no_other_host() {
    let service = Service::start().await;
    let get = async |path: &str| service.call(request("GET", path).body(Body::empty()).unwrap()).await;
    let page = get("/docs/").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.header("content-security-policy").starts_with("default-src 'self'"), "{:?}", page.headers);
    let html = String::from_utf8(page.body.to_vec()).unwrap();
    let sources: Vec<&str> = ["src=\"", "href=\""]
        .iter()
        .flat_map(|attribute| html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()))
        .collect();
    assert!(sources.len() >= 3, "{html}");
    for source in sources {
        assert!(!source.contains("//"), "{source}");
        let part = get(&format!("/docs/{}", source.trim_start_matches("./"))).await;
        assert_eq!(part.status, StatusCode::OK, "{source}");
    }
    let settings = get("/docs/swagger-initializer.js").await;
    let settings = String::from_utf8(settings.body.to_vec()).unwrap();
    assert!(
        settings.contains("/openapi.json") && settings.contains("\"validatorUrl\": \"none\""),
        "{settings}"
    );
}
