//! `{code, msg, data}` in every response; request IDs, languages, headers.

use axum::body::Body;
use axum::http::header;
use clipmill_server::clock;
use serde_json::{Value, json};

use crate::harness::{API, ApiResponse, Service, keyed, named_task, request, task};

async fn with_header(path: &str, name: &str, value: &str) -> ApiResponse {
    let service = Service::start().await;
    service.call(request("GET", path).header(name, value).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn success_and_every_kind_of_error_use_the_envelope() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let healthy = service.get(&ann, "/healthz").await;
    assert_eq!(healthy.json()["msg"], "success");
    assert_eq!(healthy.data()["status"], "ok");
    service.get(&ann, "/readyz").await.data();

    service.get(&ann, "/nowhere").await.error(40400);
    service.get(&ann, &format!("{API}/balance/")).await.error(40400);
    service.get(&ann, &format!("{API}/status/%ff")).await.error(40400);
    let wrong_method = service.get(&ann, &format!("{API}/submit")).await;
    wrong_method.error(40500);
    assert_eq!(wrong_method.header("allow"), "POST");
}

/// hyper would never set the date back.
#[tokio::test]
async fn every_response_has_the_current_date() {
    let second =
        |moment: std::time::SystemTime| moment.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    for path in ["/healthz", "/nowhere"] {
        let before = second(clock::now());
        let date = httpdate::parse_http_date(service.get(&ann, path).await.header("date")).unwrap();
        assert!((before..=second(clock::now())).contains(&second(date)), "{path}");
    }
}

#[tokio::test]
async fn a_body_must_be_json_in_content_type_and_content() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let submit = async |kind: Option<&str>, encoding: Option<&str>| {
        let mut request = keyed(&ann, "POST", &format!("{API}/submit"));
        for (name, value) in [(header::CONTENT_TYPE, kind), (header::CONTENT_ENCODING, encoding)] {
            request = value.into_iter().fold(request, |request, value| request.header(&name, value));
        }
        service.call(request.body(Body::from(task().to_string())).unwrap()).await
    };
    submit(None, None).await.error(41500);
    submit(Some("text/plain"), None).await.error(41500);
    submit(Some("application/jsonx"), None).await.error(41500);
    submit(Some("application/json"), Some("gzip")).await.error(41500);
    submit(Some("Application/JSON;charset=UTF-8"), None).await.data();

    for broken in ["", "{", "[1,", "{\"taskType\": tru}", "\u{0}"] {
        let response = service.submit_text(&ann, broken).await;
        response.error(40000);
        let message = response.json()["msg"].to_string();
        assert!(message.contains("line 1") && message.contains("column"), "{message}");
    }
    let twice = "{\"taskType\": \"baseVideoMix\",\n \"taskType\": \"proVideoMix\", \"params\": {}}";
    let response = service.submit_text(&ann, twice).await;
    response.error(40000);
    assert!(response.json()["msg"].to_string().contains("line 2"), "{}", response.json());
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    service.submit_text(&ann, deep).await.error(40000);
}

#[tokio::test]
async fn a_body_above_the_limit_is_refused_announced_or_not() {
    let service = Service::with(|config| config.limits.submit_body = "64KiB".parse().unwrap()).await;
    let ann = service.user("ann", 100).await;
    let padded = |length: usize| format!("{}{}", task(), " ".repeat(length - task().to_string().len()));
    service.submit_text(&ann, padded(64 << 10)).await.data();
    service.submit_text(&ann, padded((64 << 10) + 1)).await.error(41300);
    let pieces = padded((64 << 10) + 1).into_bytes();
    let pieces: Vec<_> = pieces.chunks(1000).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect();
    let unannounced = Body::from_stream(futures_util::stream::iter(pieces));
    service.submit_text(&ann, unannounced).await.error(41300);
}

#[tokio::test]
async fn large_bodies_are_accepted() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let padding = " ".repeat(20 << 20);
    service.submit_text(&ann, format!("{}{padding}", task())).await.data();
    let too_large = " ".repeat((32 << 20) + 1);
    service.submit_text(&ann, too_large).await.error(41300);
}

#[tokio::test]
async fn a_body_that_does_not_arrive_times_out() {
    let service = Service::with(|config| config.server.body_timeout = "10ms".parse().unwrap()).await;
    let ann = service.user("ann", 100).await;
    let silent = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    let response = service.submit_text(&ann, silent).await;
    response.error(40000);
    assert!(response.json()["msg"].to_string().contains("10ms"), "{}", response.json());
}

#[tokio::test]
async fn valid_request_ids_are_kept_and_others_replaced() {
    let id = async |given: &str| {
        with_header("/healthz", "x-request-id", given).await.header("x-request-id").to_owned()
    };
    assert_eq!(id("abc-123").await, "abc-123");
    assert_eq!(id(&"x".repeat(128)).await, "x".repeat(128));
    for strange in ["", "two words", "tab\there", &"x".repeat(129)] {
        let made = id(strange).await;
        assert_eq!(made.len(), 32, "{strange} became {made}");
    }
    let failed = with_header("/nowhere", "x-request-id", "abc").await;
    assert_eq!(failed.header("x-request-id"), "abc");
}

#[tokio::test]
async fn a_panic_becomes_a_response_without_internals() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let request = keyed(&ann, "POST", "/open-api/v1/uploads").header("x-request-id", "abc");
    let response = service.call(request.body(Body::from("PANIC")).unwrap()).await;
    response.error(50000);
    let message = response.json()["msg"].as_str().unwrap().to_owned();
    assert!(message.contains("abc") && !message.contains("simulated failure"), "{message}");
    assert_eq!(response.header("x-request-id"), "abc");
}

#[tokio::test]
async fn messages_come_in_the_requested_language() {
    let message = async |path: &str, language: &str| {
        with_header(path, "accept-language", language).await.json()["msg"].as_str().unwrap().to_owned()
    };
    assert_eq!(message("/healthz", "zh-CN,zh;q=0.9").await, "成功");
    assert!(message("/nowhere", "zh").await.starts_with("未找到"));
    assert!(message("/nowhere", "en").await.starts_with("not found"));
    assert!(message(&format!("{API}/balance"), "zh").await.contains("密钥"));
}

#[tokio::test]
async fn answers_carry_security_headers() {
    let response = with_header("/nowhere", "accept", "*/*").await;
    assert_eq!(response.header("x-content-type-options"), "nosniff");
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("content-type"), "application/json");
    assert!(response.header("content-security-policy").contains("default-src 'none'"));
}

#[tokio::test]
async fn the_message_names_the_first_wrong_field_and_counts_the_others() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let check = async |body: &Value, language: &str, expected: &str| {
        let request =
            keyed(&ann, "POST", &format!("{API}/submit")).header("content-type", "application/json");
        let request = request.header("accept-language", language).body(Body::from(body.to_string())).unwrap();
        let response = service.call(request).await;
        response.error(40001);
        let message = response.json()["msg"].as_str().unwrap().to_owned();
        assert!(message.chars().count() <= 700, "{} characters", message.chars().count());
        assert!(message.contains(expected), "{message}");
    };
    let mut one = task();
    one["params"]["options"] = json!({ "fps": 24 });
    let fps = "/params/options/fps: must be one of 25, 30, 50, 60; all in data.errors";
    check(&one, "en", fps).await;
    check(&one, "zh", "/params/options/fps：必须为以下值之一：25, 30, 50, 60；全部见").await;
    let mut two = one.clone();
    two["params"]["options"]["isMirror"] = json!(1);
    check(&two, "en", "/params/options/isMirror: must be true or false (and 1 more); all in").await;
    check(&two, "zh", "（另有 1 处错误）").await;
    check(&json!([]), "en", "the body: must be an object;").await;
    check(&json!([]), "zh", "请求体：").await;

    let mut many = task();
    many["params"]["options"] = json!({ "picMask": { "isMask": true, "picFiles": vec![1; 100] } });
    let clip = json!({ "filename": 1, "duration": 0, "filenam": 1, "duratio": 1, "Duration": 1 });
    many["params"]["videoList"] = json!(vec![clip; 1000]);
    check(&many, "en", "(and 5099 more)").await;
    // Errors that are not listed are counted as well.
    let clip: serde_json::Map<_, _> =
        (0..90).map(|i| (format!("filename{}", char::from(33 + i)), json!(1))).collect();
    many["params"]["videoList"] = json!(vec![clip; 1000]);
    check(&many, "en", "(and 92099 more)").await;

    let long = "x".repeat(1 << 20);
    for pointer in ["/taskType", "/callbackUrl", "/clientTaskId", "/params", "/params/videoList/0/filename"] {
        let mut body = named_task("order 1");
        body["callbackUrl"] = Value::Null;
        *body.pointer_mut(pointer).unwrap() = json!(long);
        check(&body, "en", &format!("invalid request: {pointer}: ")).await;
    }
    let mut body = task();
    body["params"][format!("{long}seed")] = json!(1);
    body["params"]["options"] = json!({ long.clone(): long, "effect": { "value": long } });
    check(&body, "zh", "/params/").await;
}

#[tokio::test]
async fn all_wrong_query_parameters_are_named_at_once() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let check = async |path: &str, expected: &[(&str, &str)]| {
        let data = service.get(&ann, &format!("{API}/{path}")).await.error(40001);
        let errors = data["errors"].as_array().unwrap();
        let paths: Vec<_> =
            errors.iter().map(|e| (e["path"].as_str().unwrap(), e["got"].as_str().unwrap())).collect();
        assert_eq!(paths, expected, "{data}");
        assert!(errors.iter().all(|e| e["message"].is_string() && e["allowed"].is_string()));
    };
    check("list?pageNo=0&pageSize=101", &[("/query/pageNo", "0"), ("/query/pageSize", "101")]).await;
    check("list?pageNo=-1&pageSize=ten", &[("/query/pageNo", "-1"), ("/query/pageSize", "ten")]).await;
    check("list?pageNo=99999999999", &[("/query/pageNo", "99999999999")]).await;
    check("list?status=7&taskType=x", &[("/query/status", "7"), ("/query/taskType", "x")]).await;
    check("records?type=gift&taskNo=VP1", &[("/query/type", "gift"), ("/query/taskNo", "VP1")]).await;
    let empty = service.get(&ann, &format!("{API}/list?pageNo=&status=")).await.data();
    assert_eq!(empty, json!({ "list": [], "total": 0, "pageNo": 1, "pageSize": 10 }));
    assert_eq!(service.get(&ann, "/nowhere").await.error(40400), Value::Null);
}

#[tokio::test]
async fn messages_of_fields_and_items_are_chinese_too() {
    let service = Service::start().await;
    let user = service.user("alice", 100).await;
    let body =
        json!({ "taskType": "videoDeduplication", "params": { "videoList": [], "options": { "fps": 24 } } });
    let request = keyed(&user, "POST", &format!("{API}/submit"))
        .header("content-type", "application/json")
        .header("accept-language", "zh-CN");
    let response = service.call(request.body(body.to_string().into()).unwrap()).await;
    let errors = response.error(40001)["errors"].clone();
    let messages: Vec<_> =
        errors.as_array().unwrap().iter().map(|e| e["message"].as_str().unwrap()).collect();
    assert_eq!(messages, ["至少需要一项", "必须为以下值之一：25, 30, 50, 60"]);
}
