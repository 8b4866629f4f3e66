//! Hostile bodies: each is refused with its place, costs nothing and does not harm the service.

use axum::http::header;
use serde_json::{Value, json};

use crate::harness::{API, Service, User, keyed, task};

/// Sends a body and expects field errors at these places.
async fn check(service: &Service, user: &User, body: &Value, places: &[&str]) {
    let errors = service.submit(user, body).await.error(40001)["errors"].clone();
    let paths: Vec<_> = errors.as_array().unwrap().iter().map(|e| e["path"].as_str().unwrap()).collect();
    assert_eq!(paths, places, "{body}");
}

fn with(pointer: &str, value: Value) -> Value {
    let mut body = task();
    body["params"]["options"] = json!({ "speed": {}, "rotation": {} });
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    body.pointer_mut(parent).unwrap()[name] = value;
    body
}

#[tokio::test]
async fn hostile_bodies_are_refused_at_their_place_and_cost_nothing() {
    let service = Service::start().await;
    let user = service.user("alice", 100).await;

    for text in ["{", "[1,", "nul", "", r#"{"a":1,"a":2}"#, r#"{"a":"\ud800"}"#] {
        service.submit_text(&user, text.to_owned()).await.error(40000);
    }
    let deep = format!("{}1{}", "[".repeat(1000), "]".repeat(1000));
    service.submit_text(&user, format!("{{\"a\":{deep}}}")).await.error(40000);
    let invalid_utf8 = b"{\"taskType\":\"\xff\"}".to_vec();
    service.submit_text(&user, invalid_utf8).await.error(40000);
    let large = vec![b' '; (33 << 20) + 1];
    service.submit_text(&user, large).await.error(41300);
    let form = keyed(&user, "POST", &format!("{API}/submit")).header(header::CONTENT_TYPE, "text/plain");
    service.call(form.body(task().to_string().into()).unwrap()).await.error(41500);

    let duration = "/params/videoList/0/duration";
    for value in [json!(-1), json!(0), json!(1e308), json!(1u64 << 63), json!("5"), json!(true), json!([5])] {
        check(&service, &user, &with(duration, value), &[duration]).await;
    }
    service.submit_text(&user, task().to_string().replace("10", "1e999")).await.error(40000);

    let above = with("/params/options/speed", json!({ "isSpeed": true, "start": 2.0, "end": 1.0 }));
    check(&service, &user, &above, &["/params/options/speed/start"]).await;
    let misspelt = with("/params/options/isMiror", json!(true));
    check(&service, &user, &misspelt, &["/params/options/isMiror"]).await;

    let url = "/params/videoList/0/filename";
    for value in [
        "file:///etc/passwd",
        "concat:http://a/x|http://a/y",
        "subfile,,start,0,end,9,,:/etc/passwd",
        "data:video/mp4;base64,AAAA",
        "-i",
        "/etc/passwd",
        "http://user@host/x.mp4",
        "http://a/\u{0}.mp4",
        "http://a/\r\nX: y",
        "http://",
        "javascript:alert(1)",
    ] {
        check(&service, &user, &with(url, json!(value)), &[url]).await;
    }
    for value in ["a\u{0}b", "a\r\nb", &"x".repeat(129)] {
        check(&service, &user, &with("/clientTaskId", json!(value)), &["/clientTaskId"]).await;
    }

    assert_eq!(service.get(&user, &format!("{API}/balance")).await.data()["balance"], 100);
    assert_eq!(service.get(&user, &format!("{API}/list")).await.data()["total"], 0);
    service.submit(&user, &task()).await.data();
}
