//! Keys: the calls they allow, and the isolation of users.

use axum::body::Body;
use clipmill_core::ids::TaskNo;
use clipmill_server::account::keys;
use clipmill_server::clock;
use clipmill_store::{NewUpload, Quota, Scope};
use serde_json::json;

use crate::examples::Scene;
use crate::harness::{API, Service, User, keyed, request, task};
use crate::schemas::operations;

/// An endpoint that needs a key.
struct Keyed {
    method: String,
    /// With parameters in braces.
    path: String,
    scope: Scope,
}

/// Every endpoint that needs a key, from the API's description.
fn keyed_endpoints() -> Vec<Keyed> {
    let document = clipmill_server::openapi();
    let keyed = operations(&document).into_iter().filter_map(|(method, path, operation)| {
        let security = &operation["security"][0];
        if *security == json!({}) {
            return None;
        }
        let scope = security["apiKey"][0].as_str().and_then(Scope::parse);
        let scope = scope.unwrap_or_else(|| panic!("{method} {path} does not say which scope it needs"));
        Some(Keyed { method: method.to_uppercase(), path: path.to_owned(), scope })
    });
    let keyed: Vec<_> = keyed.collect();
    assert!(keyed.len() > 60, "{}", keyed.len());
    keyed
}

/// The path with numbers that do not exist.
fn unknown_path(path: &str) -> String {
    let path = path.replace("{taskNo}", unknown_task().as_str());
    ["batchNo", "templateNo", "draftNo", "shareId", "commentId", "id", "userId", "keyId", "invitationId"]
        .iter()
        .fold(path, |path, name| path.replace(&format!("{{{name}}}"), "999"))
}

fn unknown_task() -> TaskNo {
    TaskNo::new(clock::now_ms(), [9; 10])
}

#[tokio::test]
async fn the_usual_mistakes_with_a_key_are_named() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let balance = format!("{API}/balance");
    let quoted = format!("\"{}\"", ann.key);
    for (header, value, words) in [
        ("Authorization", format!("Bearer {}", ann.key), "in the header X-API-Key, without `Bearer`"),
        ("X-API-Key", quoted, "is in quotation marks"),
        ("X-API-Key", "cm_live_x".to_owned(), "send yours in the header X-API-Key"),
    ] {
        let call = request("GET", &balance).header(header, &value).body(Body::empty()).unwrap();
        let response = service.call(call).await;
        let msg = response.json()["msg"].as_str().unwrap().to_owned();
        assert!(msg.contains(words), "{header}: {msg}");
        response.error(40100);
    }
}

#[tokio::test]
async fn every_endpoint_requires_a_valid_key() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let expired = service.key(ann.id, Some(clock::now_ms() - 1)).await;
    let unknown = keys::new_key([3; 32]).text;
    for Keyed { method, path, .. } in keyed_endpoints() {
        let (method, path) = (&method, &unknown_path(&path));
        let keyless = service.call(request(method, path).body(Body::empty()).unwrap()).await;
        keyless.error(40100);
        for (key, code) in [("cm_live_x", 40100), (&unknown, 40100), (&expired, 40101)] {
            let user = User { id: ann.id, key: key.to_owned() };
            let response = service.call(keyed(&user, method, path).body(Body::empty()).unwrap()).await;
            response.error(code);
        }
    }
    let balance = format!("{API}/balance");
    let odd = request("GET", &balance).header("X-API-Key", b"\xff\xfe".as_slice());
    service.call(odd.body(Body::empty()).unwrap()).await.error(40100);
    let later = User { id: ann.id, key: service.key(ann.id, Some(clock::now_ms() + 60_000)).await };
    service.get(&later, &balance).await.data();
}

#[tokio::test]
async fn a_key_is_limited_to_its_scopes() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    for scope in Scope::ALL {
        let user = service.scoped(&ann, &[scope]).await;
        for Keyed { method, path, scope: needed } in keyed_endpoints() {
            let path = unknown_path(&path);
            let response = service.call(keyed(&user, &method, &path).body(Body::empty()).unwrap()).await;
            if scope == needed {
                assert_ne!(response.status, 403, "{method} {path} with {scope:?}");
            } else {
                let data = response.error(40300);
                assert_eq!(data["scope"], needed.as_str(), "{method} {path} with {scope:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_revoked_key_is_refused_and_other_keys_of_the_user_remain_valid() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let second = service.scoped(&ann, &[Scope::Read]).await;
    let keys = service.store.keys().list(ann.id).await.unwrap();
    let (newest, oldest) = (keys.first().unwrap(), keys.last().unwrap());
    assert!(second.key.starts_with(&newest.prefix) && ann.key.starts_with(&oldest.prefix));
    service.store.keys().revoke(oldest.id, clock::now_ms()).await.unwrap();
    service.get(&ann, &format!("{API}/balance")).await.error(40101);
    service.get(&second, &format!("{API}/balance")).await.data();
}

#[tokio::test]
async fn the_use_of_a_key_is_recorded_periodically() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let last_use = async || service.store.keys().list(ann.id).await.unwrap().remove(0).last_used_at;
    assert_eq!(last_use().await, None);
    let before = clock::now_ms();
    for _ in 0..20 {
        service.get(&ann, &format!("{API}/balance")).await.data();
    }
    let noted = async {
        loop {
            if let Some(moment) = last_use().await {
                return moment;
            }
            tokio::task::yield_now().await;
        }
    };
    let noted = tokio::time::timeout(std::time::Duration::from_secs(60), noted).await.unwrap();
    assert!((before..=clock::now_ms()).contains(&noted));
    service.get(&ann, &format!("{API}/balance")).await.data();
    assert_eq!(last_use().await, Some(noted));
}

#[tokio::test]
async fn a_task_of_another_user_is_not_found() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let task_no = service.submit(&ann, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    let status = |task_no: &str| format!("{API}/status/{task_no}");

    service.get(&ann, &status(&task_no)).await.data();
    let of_another = service.get(&bob, &status(&task_no)).await;
    of_another.error(40400);
    let unknown = TaskNo::new(clock::now_ms(), [9; 10]);
    let unknown_path = service.get(&bob, &status(unknown.as_str())).await;
    let malformed = service.get(&bob, &status("VP1")).await;
    assert_eq!(of_another.body, unknown_path.body);
    assert_eq!(of_another.body, malformed.body);

    assert_eq!(service.get(&bob, &format!("{API}/list")).await.data()["total"], 0);
    let records = service.get(&bob, &format!("{API}/records?taskNo={task_no}")).await.data();
    assert_eq!(records["total"], 0);
}

#[tokio::test]
async fn each_key_has_its_limits_and_every_response_reports_them() {
    let slow = |config: &mut clipmill_server::Config| {
        config.limits.read_rate = "1/h".parse().unwrap();
        config.limits.read_burst = 2.try_into().unwrap();
    };
    let service = Service::with(slow).await;
    let [alice, bob] = [service.user("alice", 0).await, service.user("bob", 0).await];
    let balance = format!("{API}/balance");
    for left in [1, 0] {
        let response = service.get(&alice, &balance).await;
        response.data();
        assert_eq!(response.header("ratelimit-policy"), "\"reading\";q=2;w=7200");
        assert!(
            response.header("ratelimit").starts_with(&format!("\"reading\";r={left};t=")),
            "{response:?}"
        );
    }
    let refused = service.get(&alice, &balance).await;
    let seconds = refused.error(42900)["seconds"].as_u64().unwrap();
    assert_eq!(refused.header("retry-after"), seconds.to_string());
    assert!(refused.header("ratelimit").starts_with("\"reading\";r=0;"), "{refused:?}");

    service.get(&bob, &balance).await.data();
    // Submitting has a bucket of its own.
    service.submit(&alice, &task()).await.error(40200);
}

/// Another user with all user scopes calls every endpoint with the numbers of `ann`'s resources.
#[tokio::test]
async fn every_endpoint_responds_alike_to_foreign_and_unknown_numbers() {
    let scene = Scene::build().await;
    let service = &scene.service;
    let bob = service.user("stranger", 100).await;
    let mut tried = 0;
    for (method, path, operation) in operations(&scene.document) {
        let needs_admin = operation["security"][0]["apiKey"][0] == "admin";
        if needs_admin || operation["security"][0] == json!({}) || !path.contains('{') {
            continue;
        }
        tried += 1;
        let body = &operation["requestBody"]["content"]["application/json"]["example"];
        let method = &method.to_uppercase();
        let of_ann = scene.path(path, operation);
        let of_another = service.send(method, &bob, &of_ann, body).await;
        of_another.error(40400);
        let (_, query) = of_ann.split_once('?').unwrap_or_default();
        let unknown_path = service.send(method, &bob, &format!("{}?{query}", unknown_path(path)), body).await;
        assert_eq!(of_another.body, unknown_path.body, "{method} {path}");
    }
    assert!(tried > 20, "{tried}");
    for path in [
        "/open-api/v1/video-process/list",
        "/open-api/v1/batches",
        "/open-api/v1/templates",
        "/open-api/v1/drafts",
        "/open-api/v1/uploads",
    ] {
        assert_eq!(service.get(&bob, path).await.data()["total"], 0, "{path}");
    }
    // The attempts changed nothing.
    let deleted = service.get(&scene.user, "/open-api/v1/uploads").await.data();
    assert_eq!(deleted["total"], 2);
}

#[tokio::test]
async fn an_upload_of_another_user_is_not_found() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let upload = NewUpload {
        id: "0123".into(),
        user: ann.id,
        content_sha256: "ab".into(),
        size_bytes: 1,
        file_name: None,
        created_at: 1,
        quota: Quota::default(),
    };
    service.store.library().add(upload).await.unwrap();
    let refused = async |user: &User, id: &str| {
        let mut task = task();
        task["params"]["videoList"][0]["filename"] = format!("upload://{id}").into();
        let response = service.submit(user, &task).await;
        let data = response.error(40001).to_string();
        data.replace(id, "ID")
    };
    assert_eq!(refused(&bob, "0123").await, refused(&bob, "4567").await);
    let thumbnail = |id: &str| format!("/open-api/v1/uploads/{id}/thumbnail");
    let of_another = service.get(&bob, &thumbnail("0123")).await;
    of_another.error(40400);
    assert_eq!(of_another.body, service.get(&bob, &thumbnail("4567")).await.body);
    assert_eq!(refused(&bob, "4567").await, refused(&ann, "4567").await);
}
