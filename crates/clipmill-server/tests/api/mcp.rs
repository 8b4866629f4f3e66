//! Tools for agents over HTTP: the protocol, its limits, and each tool over the real API.

use axum::body::Body;
use axum::http::{StatusCode, header};
use clipmill_server::clock;
use clipmill_server::config::SynthesisKind;
use clipmill_store::Scope;
use serde_json::{Value, json};

use crate::harness::{ApiResponse, Service, User, keyed, named_task, request, task};

const AT: &str = "/mcp";

/// Sends one message of JSON-RPC, as clients of the protocol do.
async fn send(service: &Service, user: &User, message: &Value) -> ApiResponse {
    let call = keyed(user, "POST", AT)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-06-18");
    service.call(call.body(message.to_string().into()).unwrap()).await
}

async fn ask(service: &Service, user: &User, method: &str, params: Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let response = send(service, user, &message).await;
    assert_eq!(response.status, StatusCode::OK, "{:?}", response.body);
    assert_eq!(response.header("content-type"), "application/json");
    let mut json = response.json();
    assert_eq!(json["id"], 1, "{json}");
    json["result"].take()
}

/// Calls a tool; returns whether it failed, and its first text.
async fn tool(service: &Service, user: &User, name: &str, arguments: Value) -> (bool, String) {
    let result = ask(service, user, "tools/call", json!({ "name": name, "arguments": arguments })).await;
    let failed = result["isError"].as_bool().unwrap_or(false);
    let texts = result["content"].as_array().unwrap().iter().filter_map(|block| block["text"].as_str());
    (failed, texts.collect::<Vec<_>>().join("\n"))
}

/// The result of a tool that did not fail.
pub async fn facts(service: &Service, user: &User, name: &str, arguments: Value) -> Value {
    let (failed, text) = tool(service, user, name, arguments).await;
    assert!(!failed, "{name}: {text}");
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// The text of a tool's error.
async fn refusal(service: &Service, user: &User, name: &str, arguments: Value) -> String {
    let (failed, text) = tool(service, user, name, arguments).await;
    assert!(failed, "{name}: {text}");
    text
}

#[tokio::test]
async fn an_agent_makes_many_videos_from_a_template() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let clip =
        service.upload(&ann, "/open-api/v1/uploads?fileName=a.mp4", "MEDIA a").await.data()["url"].clone();
    let template = json!({
        "name": "Mugs",
        "request": { "taskType": "videoDeduplication", "name": "{{title}}",
                     "params": { "videoList": [{ "filename": clip, "duration": 10 }] } },
        "variables": [{ "name": "title", "type": "text" }],
    });
    let number = facts(&service, &ann, "save_template", template.clone()).await["templateNo"].clone();
    let mut next = template;
    next["templateNo"] = number.clone();
    assert_eq!(facts(&service, &ann, "save_template", next).await["version"], 2);
    assert_eq!(facts(&service, &ann, "list_templates", json!({ "q": "mug" })).await["total"], 1);
    let shown = facts(&service, &ann, "get_template", json!({ "templateNo": number })).await;
    assert_eq!(shown["variables"][0]["name"], "title");
    refusal(&service, &bob, "get_template", json!({ "templateNo": number })).await;

    let used = json!({ "request": { "template": number, "values": { "title": "blue" } }, "maxPoints": 10 });
    assert_eq!(facts(&service, &ann, "submit_task", used.clone()).await["points"], 10);
    assert_eq!(facts(&service, &ann, "submit_task", used).await["duplicate"], true);

    let mut batch =
        json!({ "clientBatchId": "june", "template": number, "rows": [{ "title": "a" }, { "title": "b" }] });
    assert_eq!(facts(&service, &ann, "estimate_batch", batch.clone()).await["estimatedDotCount"], 20);
    let submit = |batch: &Value, points: u64| json!({ "batch": batch, "maxPoints": points });
    let why = refusal(&service, &ann, "submit_batch", submit(&batch, 19)).await;
    assert!(why.contains("40201") && why.contains("the estimated price (20)"), "{why}");
    let submitted = facts(&service, &ann, "submit_batch", submit(&batch, 20)).await;
    let which = json!({ "batchNo": submitted["batchNo"] });
    assert_eq!(facts(&service, &ann, "get_batch", which.clone()).await["totalRows"], 2);
    refusal(&service, &bob, "get_batch", which.clone()).await;
    refusal(&service, &bob, "cancel_batch", which.clone()).await;
    assert_eq!(facts(&service, &ann, "cancel_batch", which).await["refusedRows"], 2);
    batch["rows"][1]["title"] = json!(null);
    let why = refusal(&service, &ann, "estimate_batch", batch).await;
    assert!(why.contains("row 2"), "{why}");
}

/// A task of one upload of ten seconds, which costs 10 points.
async fn upload_task(service: &Service, user: &User) -> Value {
    let upload = service.upload(user, "/open-api/v1/uploads?fileName=a.mp4", "MEDIA a").await.data();
    json!({
        "taskType": "videoDeduplication",
        "params": { "videoList": [{ "filename": upload["url"], "duration": 10 }] },
    })
}

#[tokio::test]
async fn the_protocol_is_spoken_without_a_session() {
    let service = Service::start().await;
    let user = service.user("ann", 0).await;
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
    let response = send(&service, &user, &message).await;
    assert_eq!(response.header("mcp-session-id"), "");
    let result = response.json()["result"].clone();
    assert_eq!(result["serverInfo"]["name"], "clipmill");
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert!(result["capabilities"]["tools"].is_object(), "{result}");
    assert!(result["instructions"].as_str().unwrap().contains("estimate_task"), "{result}");

    let started = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(send(&service, &user, &started).await.status, StatusCode::ACCEPTED);
    for method in ["GET", "DELETE"] {
        let call = keyed(&user, method, AT).header(header::ACCEPT, "text/event-stream");
        service.call(call.body(Body::empty()).unwrap()).await.error(40500);
    }
}

#[tokio::test]
async fn tools_describe_themselves() {
    let service = Service::start().await;
    let user = service.user("ann", 0).await;
    let listed = ask(&service, &user, "tools/list", json!({})).await;
    let tools = listed["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"submit_task") && names.contains(&"wait_for_task"), "{names:?}");
    assert!(!names.contains(&"upload_file"), "there is no file of the agent's here");
    for tool in tools {
        assert!(tool["description"].as_str().unwrap().len() > 20, "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        let reads = tool["annotations"]["readOnlyHint"] == true;
        assert_eq!(
            reads,
            ![
                "submit_task",
                "upload_captions",
                "cancel_task",
                "save_template",
                "submit_batch",
                "cancel_batch"
            ]
            .contains(&tool["name"].as_str().unwrap()),
            "{tool}"
        );
        for (name, member) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
            assert!(member["type"].is_string(), "{}: {name}", tool["name"]);
            assert!(
                member["description"].is_string() || member["enum"].is_array(),
                "{}: {name}",
                tool["name"]
            );
        }
    }
    let submit = tools.iter().find(|tool| tool["name"] == "submit_task").unwrap();
    assert_eq!(submit["inputSchema"]["required"], json!(["request", "maxPoints"]));
    let cancel = tools.iter().find(|tool| tool["name"] == "cancel_task").unwrap();
    assert_eq!(cancel["annotations"]["destructiveHint"], true);

    let unknown =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "upload_file" } });
    let response = send(&service, &user, &unknown).await.json();
    assert_eq!(response["error"]["code"], -32602, "{response}");
}

#[tokio::test]
async fn a_key_is_needed_before_anything_is_read() {
    let service = Service::start().await;
    let user = service.user("ann", 0).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    let bare = || request("POST", AT).header(header::CONTENT_TYPE, "application/json");
    service.call(bare().body(Body::from("not JSON")).unwrap()).await.error(40100);
    let wrong = bare().header(header::AUTHORIZATION, "Bearer cm_live_wrong");
    service.call(wrong.body(ping.clone().into()).unwrap()).await.error(40100);
    for scheme in ["Bearer", "bearer"] {
        let with = bare().header(header::AUTHORIZATION, format!("{scheme} {}", user.key));
        assert_eq!(service.call(with.body(ping.clone().into()).unwrap()).await.status, StatusCode::OK);
    }
    let ended = service.key(user.id, Some(clock::now_ms() - 1)).await;
    let with = bare().header(header::AUTHORIZATION, format!("Bearer {ended}"));
    service.call(with.body(ping.into()).unwrap()).await.error(40101);
}

#[tokio::test]
async fn pages_of_other_hosts_are_refused() {
    let service = Service::with(|config| {
        config.server.public_url = Some("https://clips.example.com/behind".parse().unwrap());
    })
    .await;
    let user = service.user("ann", 0).await;
    let from = async |origin: &str| {
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
        let call = keyed(&user, "POST", AT)
            .header(header::CONTENT_TYPE, "application/json")
            // This is the header when a foreign name was made to resolve to this service's address.
            .header(header::HOST, "evil.example")
            .header(header::ORIGIN, origin);
        service.call(call.body(ping.into()).unwrap()).await
    };
    assert_eq!(from("https://clips.example.com").await.status, StatusCode::OK);
    for origin in [
        "http://evil.example",
        "http://clips.example.com",
        "https://clips.example.com.evil.example",
        "null",
        "",
    ] {
        from(origin).await.error(40300);
    }
}

#[tokio::test]
async fn invalid_messages_are_refused_with_a_reason() {
    let service = Service::start().await;
    let user = service.user("ann", 0).await;
    for (body, code) in [
        ("not JSON", -32700),
        ("", -32700),
        ("[]", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
    ] {
        let response = service.post(&user, AT, body).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(response.json()["error"]["code"], code, "{body}: {:?}", response.body);
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(service.post(&user, AT, deep).await.status, StatusCode::BAD_REQUEST);
    let unknown = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/burn" });
    assert_eq!(send(&service, &user, &unknown).await.json()["error"]["code"], -32601);
    let plain = keyed(&user, "POST", AT).body(Body::from("{}")).unwrap();
    service.call(plain).await.error(41500);
}

#[tokio::test]
async fn a_message_has_a_bounded_length() {
    let service = Service::start().await;
    let user = service.user("ann", 0).await;
    let padded = |bytes: usize| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "get_points", "arguments": { "x": "x".repeat(bytes) } } })
        .to_string()
    };
    service.post(&user, AT, padded(1 << 20)).await.error(41300);
    let fits = service.post(&user, AT, padded((1 << 20) - 1000)).await;
    assert_eq!(fits.json()["result"]["isError"], true, "an argument that is not known");
}

#[tokio::test]
async fn tools_have_the_scopes_of_their_key() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let request = upload_task(&service, &user).await;
    let reader = service.scoped(&user, &[Scope::Read]).await;
    assert_eq!(facts(&service, &reader, "get_points", json!({})).await["balance"], 100);
    for (name, arguments) in [
        ("submit_task", json!({ "request": request, "maxPoints": 50 })),
        ("estimate_task", json!({ "request": request })),
        ("cancel_task", json!({ "taskNo": "VP0" })),
    ] {
        let text = refusal(&service, &reader, name, arguments).await;
        assert!(text.contains("40300") && text.contains("submit"), "{text}");
    }
    let submitter = service.scoped(&user, &[Scope::Submit]).await;
    facts(&service, &submitter, "estimate_task", json!({ "request": request })).await;
    refusal(&service, &submitter, "get_points", json!({})).await;
}

#[tokio::test]
async fn an_agent_in_a_loop_is_rate_limited() {
    let service = Service::with(|config| {
        config.limits.read_rate = "1/h".parse().unwrap();
        config.limits.read_burst = 50.try_into().unwrap();
    })
    .await;
    let user = service.user("ann", 0).await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let mut listed = 0;
    for _ in 0..100 {
        let response = send(&service, &user, &message).await;
        if response.status == StatusCode::OK {
            listed += 1;
        } else {
            response.error(42900);
            assert!(!response.header("retry-after").is_empty());
        }
    }
    assert_eq!(listed, 50);
}

/// Each tool call counts itself and its API calls.
#[tokio::test]
async fn calls_of_tools_are_counted() {
    let service = Service::with(|config| {
        config.limits.read_rate = "1/h".parse().unwrap();
        config.limits.read_burst = 3.try_into().unwrap();
    })
    .await;
    let user = service.user("ann", 0).await;
    facts(&service, &user, "get_points", json!({})).await;
    let text = refusal(&service, &user, "get_points", json!({})).await;
    assert!(text.contains("42900") && text.contains("wait"), "{text}");
}

#[tokio::test]
async fn a_task_is_submitted_within_what_it_may_cost() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let request = upload_task(&service, &user).await;
    let estimate = facts(&service, &user, "estimate_task", json!({ "request": request })).await;
    let price = estimate["points"].as_u64().unwrap();
    assert_eq!((price, &estimate["totalItems"]), (10, &json!(1)), "{estimate}");

    let text = refusal(&service, &user, "submit_task", json!({ "request": request })).await;
    assert!(text.contains("maxPoints"), "{text}");
    let dear = json!({ "request": request, "maxPoints": price - 1 });
    let text = refusal(&service, &user, "submit_task", dear).await;
    assert!(text.contains("40201") && text.contains("(10)"), "{text}");
    assert_eq!(facts(&service, &user, "get_points", json!({})).await["held"], 0);

    let submitted =
        facts(&service, &user, "submit_task", json!({ "request": request, "maxPoints": price })).await;
    assert_eq!(
        (&submitted["points"], &submitted["duplicate"]),
        (&json!(price), &json!(false)),
        "{submitted}"
    );
    assert!(submitted["clientTaskId"].as_str().unwrap().starts_with("agent-"), "{submitted}");
    assert!(submitted["seed"].is_u64(), "{submitted}");
    assert_eq!(facts(&service, &user, "get_points", json!({})).await["held"], price);
}

#[tokio::test]
async fn an_agent_that_repeats_itself_pays_once() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let request = upload_task(&service, &user).await;
    let submit = async |request: &Value, again: bool| {
        let arguments = json!({ "request": request, "maxPoints": 50, "again": again });
        facts(&service, &user, "submit_task", arguments).await
    };
    let first = submit(&request, false).await;
    // The same request in another order, and in a string.
    let turned = json!({ "params": request["params"], "taskType": request["taskType"] });
    for same in [turned, Value::String(request.to_string())] {
        let second = submit(&same, false).await;
        assert_eq!((&second["taskNo"], &second["duplicate"]), (&first["taskNo"], &json!(true)));
    }
    let again = submit(&request, true).await;
    assert_ne!(again["taskNo"], first["taskNo"]);
    assert_ne!(again["seed"], first["seed"], "what chance draws is another");
    assert_eq!(facts(&service, &user, "get_points", json!({})).await["held"], 20);

    let mut named = request.clone();
    named["clientTaskId"] = json!("mine");
    let mine = submit(&named, false).await;
    assert_eq!(mine["clientTaskId"], "mine");
    let both = json!({ "request": named, "maxPoints": 50, "again": true });
    assert!(refusal(&service, &user, "submit_task", both).await.contains("clientTaskId"));
    named["params"]["options"] = json!({ "isMirror": true });
    let other = json!({ "request": named, "maxPoints": 50 });
    assert!(refusal(&service, &user, "submit_task", other).await.contains("40900"));
}

#[tokio::test]
async fn errors_explain_what_to_change() {
    let service = Service::start().await;
    let user = service.user("ann", 5).await;
    let mut wrong = upload_task(&service, &user).await;
    let right = wrong.clone();
    wrong["params"]["options"] = json!({ "isMirrored": true, "speed": { "isSpeed": true, "start": 99 } });
    for (name, arguments) in [
        ("estimate_task", json!({ "request": wrong })),
        ("submit_task", json!({ "request": wrong, "maxPoints": 5 })),
        ("preview_task", json!({ "request": wrong })),
    ] {
        let text = refusal(&service, &user, name, arguments).await;
        for part in [
            "40001",
            "/params/options/isMirrored",
            "isMirror",
            "/params/options/speed/start",
            "got 99",
            "allowed",
        ] {
            assert!(text.contains(part), "{name} does not tell {part}: {text}");
        }
    }
    let text = refusal(&service, &user, "submit_task", json!({ "request": right, "maxPoints": 50 })).await;
    assert!(text.contains("40200") && text.contains("needed: 10") && text.contains("available: 5"), "{text}");
    let text = refusal(&service, &user, "estimate_task", json!({ "request": "{" })).await;
    assert!(text.contains("not JSON"), "{text}");
    let text =
        refusal(&service, &user, "estimate_task", json!({ "request": right, "preflight": true })).await;
    assert!(text.contains("preflight") && text.contains("lookIntoFiles"), "{text}");
}

#[tokio::test]
async fn messages_come_in_the_callers_language() {
    let service = Service::start().await;
    let user = service.user("ann", 0).await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "get_task", "arguments": { "taskNo": "VP0" } } });
    let call = keyed(&user, "POST", AT)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT_LANGUAGE, "zh");
    let response = service.call(call.body(message.to_string().into()).unwrap()).await.json();
    let text = response["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("未找到"), "{text}");
}

#[tokio::test]
async fn tasks_of_others_are_not_there() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let mine = service.submit(&ann, &named_task("a")).await.data();
    let task_no = mine["taskNo"].clone();
    for name in ["get_task", "wait_for_task", "get_results", "cancel_task"] {
        let text = refusal(&service, &bob, name, json!({ "taskNo": task_no })).await;
        assert!(text.contains("40400"), "{name}: {text}");
        // A task's number cannot lead to other calls.
        let text = refusal(&service, &bob, name, json!({ "taskNo": "../balance" })).await;
        assert!(text.contains("not a task number"), "{name}: {text}");
    }
    assert_eq!(facts(&service, &bob, "list_tasks", json!({})).await["total"], 0);
    assert_eq!(facts(&service, &ann, "get_task", json!({ "taskNo": task_no })).await["ended"], false);
}

#[tokio::test]
async fn a_task_is_followed_and_stopped() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let task_no = service.submit(&user, &named_task("a")).await.data()["taskNo"].clone();
    let waited = facts(&service, &user, "wait_for_task", json!({ "taskNo": task_no, "seconds": 1 })).await;
    assert_eq!(
        (&waited["ended"], &waited["state"]),
        (&json!(false), &json!("pending submission")),
        "{waited}"
    );
    assert_eq!(waited["items"][0]["itemNo"], 1);

    let listed = facts(&service, &user, "list_tasks", json!({ "state": "pending", "pageSize": 5 })).await;
    assert_eq!((&listed["total"], &listed["list"][0]["taskNo"]), (&json!(1), &task_no), "{listed}");
    assert_eq!(facts(&service, &user, "list_tasks", json!({ "state": "failed" })).await["total"], 0);

    let stopped = facts(&service, &user, "cancel_task", json!({ "taskNo": task_no })).await;
    assert_eq!((&stopped["state"], &stopped["ended"]), (&json!("cancelled"), &json!(true)), "{stopped}");
    let waited = facts(&service, &user, "wait_for_task", json!({ "taskNo": task_no })).await;
    assert_eq!(waited["ended"], true);
    let results = facts(&service, &user, "get_results", json!({ "taskNo": task_no })).await;
    assert_eq!(results["items"][0]["error"]["code"], "CANCELLED", "{results}");
    let beyond = facts(&service, &user, "get_results", json!({ "taskNo": task_no, "fromItem": 2 })).await;
    assert_eq!(beyond["items"], json!([]));
}

/// A stopping service ends waiting calls.
#[tokio::test]
async fn waiting_ends_with_the_service() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let task_no = service.submit(&user, &task()).await.data()["taskNo"].clone();
    service.app.stopping.cancel();
    let waited = facts(&service, &user, "wait_for_task", json!({ "taskNo": task_no })).await;
    assert_eq!(waited["ended"], false);
}

#[tokio::test]
async fn a_frame_is_an_image() {
    let service = Service::start().await;
    let user = service.user("ann", 0).await;
    let request = upload_task(&service, &user).await;
    let call =
        json!({ "name": "preview_task", "arguments": { "request": request, "item": 1, "atSeconds": 2 } });
    let result = ask(&service, &user, "tools/call", call).await;
    let picture = &result["content"][0];
    assert_eq!((&picture["type"], &picture["mimeType"]), (&json!("image"), &json!("image/jpeg")), "{result}");
    assert!(!picture["data"].as_str().unwrap().is_empty());
    assert!(result["content"][1]["text"].as_str().unwrap().contains("2.000 s"), "{result}");
    let text = refusal(&service, &user, "preview_task", json!({ "request": request, "item": 9 })).await;
    assert!(text.contains("/itemNo") && text.contains("allowed: 1..1"), "{text}");
}

#[tokio::test]
async fn files_and_fields_are_described() {
    let service = Service::with(|config| config.speech.synthesize = SynthesisKind::Espeak).await;
    let user = service.user("ann", 0).await;
    let url = upload_task(&service, &user).await["params"]["videoList"][0]["filename"].clone();
    let probe_result = facts(&service, &user, "probe_media", json!({ "url": url })).await;
    assert_eq!(probe_result["media"]["video"]["duration"], 10.0, "{probe_result}");
    let text = refusal(&service, &user, "probe_media", json!({ "url": "upload://other" })).await;
    assert!(text.contains("/url"), "{text}");

    for (kind, field) in [
        ("baseVideoMix", "params.videoList[].videos[].url"),
        ("proVideoMix", "params.scenes[].resources[].url"),
        ("videoDeduplication", "params.options.speed.start"),
    ] {
        let text = facts(&service, &user, "describe_task", json!({ "taskType": kind })).await;
        let text = text.as_str().unwrap();
        assert!(text.contains(field), "{text}");
        assert!(text.contains(&format!("\"taskType\":\"{kind}\"")), "no example: {text}");
        assert!(!text.contains("order-1"), "a clientTaskId that others copy as well: {text}");
        assert!(text.len() < 12_000, "{kind} takes {} characters", text.len());
    }
    let part = json!({ "taskType": "baseVideoMix", "part": "params.options.subtitle" });
    let text = facts(&service, &user, "describe_task", part).await;
    let lines: Vec<_> = text.as_str().unwrap().lines().collect();
    assert!(lines.iter().all(|line| line.starts_with("params.options.subtitle")), "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("params.options.subtitle.style.fontSize: integer, from 10 to 18"))
    );
    let ending = json!({ "taskType": "baseVideoMix", "part": "options.subtitle" });
    assert_eq!(facts(&service, &user, "describe_task", ending).await, text);
    let ambiguous = json!({ "taskType": "baseVideoMix", "part": "subtitle" });
    let why = refusal(&service, &user, "describe_task", ambiguous).await;
    assert!(why.contains("params.options.subtitle, params.options.voicePool[].subtitle"), "{why}");
    let none = json!({ "taskType": "baseVideoMix", "part": "params.nothing" });
    refusal(&service, &user, "describe_task", none).await;

    for (which, name) in [
        ("effects", "light-leak: "),
        ("looks", "noir: "),
        ("transitions", "fade: "),
        ("fonts", "noto-serif-sc: "),
        ("captionStyles", "karaoke: "),
        ("voices", "en-us: English (United States)"),
    ] {
        let text = facts(&service, &user, "list_catalogue", json!({ "which": which })).await;
        assert!(text.as_str().unwrap().contains(name), "{text}");
    }
}
