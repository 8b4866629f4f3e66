//! The console's files: addresses, caching, and content security policy.

use axum::body::Body;

use crate::harness::{ApiResponse, Service, request};

async fn get(service: &Service, path: &str, headers: &[(&str, &str)]) -> ApiResponse {
    let request =
        headers.iter().fold(request("GET", path), |request, (name, value)| request.header(*name, *value));
    service.call(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn every_address_of_the_console_leads_to_its_page() {
    let service = Service::start().await;
    for path in
        ["/console", "/console/", "/console/index.html", "/console/tasks/VP01ABC", "/console/new?type=1"]
    {
        let page = get(&service, path, &[]).await;
        assert_eq!(
            (page.status.as_u16(), page.header("content-type")),
            (200, "text/html; charset=utf-8"),
            "{path}"
        );
        assert!(page.body.starts_with(b"<!doctype html>"), "{path}");
        assert_eq!(page.header("cache-control"), "no-cache");
    }
    let root = get(&service, "/", &[]).await;
    assert_eq!((root.status.as_u16(), root.header("location")), (307, "/console"));
    get(&service, "/console/assets/of-an-earlier-build.js", &[]).await.error(40400);
    get(&service, "/console/assets/..%2F..%2FCargo.toml", &[]).await.error(40400);
}

#[tokio::test]
async fn the_page_may_load_only_from_this_host_and_the_result_storage() {
    let elsewhere = |config: &mut clipmill_server::Config| {
        config.server.public_url = Some("https://clips.example.com/mill".parse().unwrap());
    };
    let service = Service::with(elsewhere).await;
    let page = get(&service, "/console", &[]).await;
    let policy = page.header("content-security-policy");
    let directive = |name: &str| {
        let all = policy.split("; ").map(|one| one.split_once(' ').unwrap());
        all.filter(|(known, _)| *known == name).map(|(_, sources)| sources).collect::<Vec<_>>()
    };
    assert_eq!(directive("default-src"), ["'none'"]);
    assert_eq!(directive("script-src"), ["'self'"]);
    assert_eq!(directive("media-src"), ["'self' blob: https://clips.example.com"]);
    assert_eq!(directive("frame-ancestors"), ["'none'"]);
    assert_eq!(page.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn files_are_sent_small_and_once() {
    let service = Service::start().await;
    let page = get(&service, "/console", &[]).await;
    let script = std::str::from_utf8(&page.body).unwrap();
    let asset = script.split('"').find(|part| part.starts_with("/console/assets/") && part.ends_with(".js"));
    let tag = page.header("etag").to_owned();
    assert_eq!(get(&service, "/console", &[("if-none-match", &tag)]).await.status, 304);
    // The built console is checked in; the placeholder for an unbuilt console has no script.
    let asset = asset.expect("a script of the console");
    let (plain, gzip) =
        (get(&service, asset, &[]).await, get(&service, asset, &[("accept-encoding", "br, gzip")]).await);
    assert_eq!(plain.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!((plain.header("content-encoding"), gzip.header("content-encoding")), ("", "gzip"));
    assert!(gzip.body.len() * 2 < plain.body.len());
    // The same file under the path of another build may not fit the rest of the page.
    let (_, name) = asset.rsplit_once('/').unwrap();
    for other in [format!("/console/assets/{name}"), format!("/console/assets/0123456789abcdef/{name}")] {
        get(&service, &other, &[]).await.error(40400);
    }
    for response in [plain, gzip] {
        assert_eq!(response.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(response.header("vary"), "accept-encoding");
    }
}
