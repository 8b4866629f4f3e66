//! Submitting: responses, charges, repeats and refusals.

use serde_json::{Value, json};

use crate::harness::{API, Service, User, named_task, task};

async fn balance(service: &Service, user: &User) -> Value {
    service.get(user, &format!("{API}/balance")).await.data()
}

#[tokio::test]
async fn a_task_is_stored_and_its_points_held() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let data = service.submit(&ann, &task()).await.data();
    let names: Vec<_> = data.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["taskNo", "taskId", "estimatedDotCount", "totalItems"]);
    assert_eq!((&data["estimatedDotCount"], &data["totalItems"]), (&json!(20), &json!(1)));
    assert_eq!(data["taskNo"].as_str().unwrap().len(), 28);
    assert!(data["taskId"].is_i64());
    assert_eq!(balance(&service, &ann).await, json!({ "balance": 80, "held": 20, "total": 100 }));
}

#[tokio::test]
async fn the_same_client_task_id_makes_one_task() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let first = service.submit(&ann, &named_task("order 1")).await.data();
    let again = service.submit(&ann, &named_task("order 1")).await.data();
    assert_eq!(again["duplicate"], true);
    assert_eq!(again["taskNo"], first["taskNo"]);
    assert_eq!(first.get("duplicate"), None);

    let mut other = named_task("order 1");
    other["params"]["videoList"][0]["duration"] = json!(11);
    let conflict = service.submit(&ann, &other).await;
    assert_eq!(conflict.error(40900)["taskNo"], first["taskNo"]);
    assert!(conflict.json()["msg"].to_string().contains(first["taskNo"].as_str().unwrap()));

    assert_eq!(balance(&service, &ann).await["held"], 20);
    let of_bob = service.submit(&bob, &other).await.data();
    assert_ne!(of_bob["taskNo"], first["taskNo"]);
}

#[tokio::test]
async fn one_point_short_is_refused_with_both_figures() {
    let service = Service::start().await;
    let ann = service.user("ann", 19).await;
    let response = service.submit(&ann, &task()).await;
    assert_eq!(response.error(40200), json!({ "needed": 20, "available": 19 }));
    assert_eq!(response.json()["msg"], "not enough points: 20 needed, 19 available");
    assert_eq!(service.get(&ann, &format!("{API}/list")).await.data()["total"], 0);
}

#[tokio::test]
async fn two_hundred_concurrent_submissions_spend_the_balance() {
    let service = Service::start().await;
    let ann = service.user("ann", 100 * 20 + 19).await;
    let body = task();
    let answers = futures_util::future::join_all((0..200).map(|_| service.submit(&ann, &body))).await;
    let accepted = answers.iter().filter(|response| response.status.as_u16() == 200).count();
    for refused in answers.iter().filter(|response| response.status.as_u16() != 200) {
        assert_eq!(refused.error(40200), json!({ "needed": 20, "available": 19 }));
    }
    assert_eq!(accepted, 100);
    assert_eq!(balance(&service, &ann).await, json!({ "balance": 19, "held": 2000, "total": 2019 }));
    assert_eq!(service.store.points().audit().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn all_wrong_fields_are_named_at_once() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let mut body = task();
    body["params"]["options"] = json!({ "fps": 24, "zoom": { "isZoom": true, "minScale": 3 } });
    let data = service.submit(&ann, &body).await.error(40001);
    let errors = data["errors"].as_array().unwrap();
    let paths: Vec<_> = errors.iter().map(|error| error["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["/params/options/fps", "/params/options/zoom/minScale"]);
    assert_eq!(errors[0]["got"], 24);
    for error in errors {
        let names: Vec<_> = error.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["path", "message", "code", "params", "got", "allowed"]);
    }
}

#[tokio::test]
async fn an_unknown_field_is_a_warning_or_an_error_as_configured() {
    let mut body = task();
    body["params"]["somethingNew"] = json!(1);
    let lenient = Service::start().await;
    let ann = lenient.user("ann", 100).await;
    let data = lenient.submit(&ann, &body).await.data();
    assert_eq!(data["warnings"][0]["path"], "/params/somethingNew");
    let status =
        lenient.get(&ann, &format!("{API}/status/{}", data["taskNo"].as_str().unwrap())).await.data();
    assert_eq!(status["warnings"], data["warnings"]);

    let env = [("CLIPMILL_SERVER_UNKNOWN_FIELDS".to_owned(), "deny".to_owned())];
    let denying = clipmill_server::Config::load(None, env.into_iter()).unwrap();
    let strict = Service::with(|config| *config = denying).await;
    let ann = strict.user("ann", 100).await;
    let data = strict.submit(&ann, &body).await.error(40001);
    assert_eq!(data["errors"][0]["path"], "/params/somethingNew");
}

#[tokio::test]
async fn too_many_videos_for_one_task_are_refused() {
    let service = Service::with(|config| config.limits.dedup_videos = 1).await;
    let ann = service.user("ann", 100).await;
    service.submit(&ann, &task()).await.data();
    let mut body = task();
    let video = body["params"]["videoList"][0].clone();
    body["params"]["videoList"] = json!([video, video]);
    let data = service.submit(&ann, &body).await.error(40001);
    assert_eq!(data["errors"][0]["path"], "/params/videoList");
}
