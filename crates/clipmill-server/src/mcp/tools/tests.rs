//! Tests of tools with a client that replies from a script.

use std::sync::Mutex;

use async_trait::async_trait;
use axum::http::{HeaderMap, Method};
use serde_json::json;

use super::*;
use crate::mcp::api_client::{Body, Unreachable};

/// Replies to calls in order from the script, and records them.
struct Script {
    answers: Mutex<Vec<(u16, Value)>>,
    calls: Mutex<Vec<Call>>,
}

#[async_trait]
impl ApiClient for Script {
    async fn call(&self, call: Call) -> Result<Reply, Unreachable> {
        self.calls.lock().unwrap().push(call);
        let mut answers = self.answers.lock().unwrap();
        if answers.is_empty() {
            return Err(Unreachable("no connection".to_owned()));
        }
        let (status, body) = answers.remove(0);
        Ok(Reply { status, headers: HeaderMap::new(), body: body.to_string().into() })
    }
}

fn success(data: Value) -> (u16, Value) {
    (200, json!({ "code": 0, "msg": "success", "data": data }))
}

/// Runs a tool; returns its result or refusal, and the calls that it made.
async fn run(
    name: &str,
    arguments: Value,
    answers: impl IntoIterator<Item = (u16, Value)>,
) -> (Result<String, String>, Vec<Call>) {
    let (answers, calls) = (Mutex::new(answers.into_iter().collect()), Mutex::default());
    let script = Arc::new(Script { answers, calls });
    let context = ToolContext { client: script.clone(), ending: CancellationToken::new() };
    let tool = all().iter().find(|tool| tool.described.name == name).unwrap();
    let Value::Object(arguments) = arguments else { panic!("{arguments}") };
    let outcome = match tool.run(context, arguments).await {
        Ok(ToolOutput::Facts(facts)) => Ok(facts.to_string()),
        Ok(ToolOutput::Text(text)) => Ok(text),
        Ok(ToolOutput::Image { about, .. }) => Ok(about),
        Err(refusal) => Err(refusal.0),
    };
    let calls = script.calls.lock().unwrap().clone();
    (outcome, calls)
}

fn submission(url: &str) -> Value {
    let params = json!({ "videoList": [{ "videos": [{ "url": url }] }] });
    json!({ "request": { "taskType": "baseVideoMix", "params": params }, "maxPoints": 10 })
}

#[tokio::test]
async fn the_price_limit_is_part_of_what_is_submitted() {
    let submitted = success(json!({ "estimatedDotCount": 10, "taskNo": "VP1" }));
    let mut arguments = submission("upload://a");
    let (output, calls) = run("submit_task", arguments.clone(), [submitted.clone()]).await;
    assert!(output.unwrap().contains(r#""points":10"#));
    let sent = |calls: &[Call]| {
        let Body::Json(body) = &calls[0].body else { panic!("{calls:?}") };
        serde_json::from_slice::<Value>(body).unwrap()
    };
    assert_eq!((calls.len(), &sent(&calls)["maxPoints"]), (1, &json!(10)));

    // The argument overrides a limit in the request, and the limit is not part of the ID derived from the content.
    arguments["request"]["maxPoints"] = json!(99);
    let (_, again) = run("submit_task", arguments, [submitted.clone()]).await;
    assert_eq!(sent(&again), sent(&calls));

    let batch = json!({ "clientBatchId": "june", "template": "TP1", "rows": [{}], "maxPoints": 7 });
    let (_, calls) = run("submit_batch", batch, [submitted]).await;
    assert_eq!((calls.len(), &sent(&calls)["maxPoints"]), (1, &json!(7)));
}

/// Earlier versions of submit_batch had the batch in a member of its own.
#[tokio::test]
async fn tools_for_batches_accept_their_arguments_in_both_forms() {
    let batch = json!({ "clientBatchId": "june", "template": "TP1", "rows": [{ "a": 1 }] });
    let limited = |mut value: Value| {
        value["maxPoints"] = json!(7);
        value
    };
    for (name, path) in
        [("estimate_batch", "/open-api/v1/batches/estimate"), ("submit_batch", "/open-api/v1/batches")]
    {
        let forms = [
            limited(batch.clone()),
            limited(json!({ "batch": batch })),
            json!({ "batch": limited(batch.clone()) }),
        ];
        for form in forms {
            let (output, calls) = run(name, form.clone(), [success(json!({ "batchNo": "BP1" }))]).await;
            assert!(output.is_ok(), "{name} {form}: {output:?}");
            let Body::Json(sent) = &calls[0].body else { panic!("{calls:?}") };
            let sent: Value = serde_json::from_slice(sent).unwrap();
            assert_eq!((&*calls[0].path, sent), (path, limited(batch.clone())), "{name} {form}");
        }
        for (wrong, reason) in [
            (limited(json!({ "batch": batch, "rows": [] })), "`rows` is set in `batch` and beside it"),
            (limited(json!({ "batch": "june" })), "`batch` must be an object"),
            (limited(json!({ "batch": { "clientBatchId": "june", "row": [] } })), "unknown field `row`"),
            (limited(json!({ "template": "TP1" })), "missing field `clientBatchId`"),
        ] {
            let (output, calls) = run(name, wrong.clone(), []).await;
            assert!(output.unwrap_err().contains(reason) && calls.is_empty(), "{name} {wrong}");
        }
        let schema = &all().iter().find(|tool| tool.described.name == name).unwrap().described.input_schema;
        assert!(schema["properties"].get("batch").is_none(), "one form is described: {schema:?}");
        assert!(schema["properties"]["maxPoints"]["description"].is_string(), "{schema:?}");
        let requires_limit = schema["required"].as_array().unwrap().contains(&json!("maxPoints"));
        assert_eq!(requires_limit, name == "submit_batch");
    }
    // Only a submission needs a limit.
    for form in [batch.clone(), json!({ "batch": batch })] {
        let (output, _) = run("estimate_batch", form.clone(), [success(json!({}))]).await;
        assert!(output.is_ok(), "{output:?}");
        let (output, _) = run("submit_batch", form, []).await;
        assert!(output.unwrap_err().contains("missing field `maxPoints`"));
    }
}

#[tokio::test]
async fn files_are_listed_and_sent_by_the_interface() {
    let page = [success(json!({ "list": [], "total": 0 }))];
    let (output, calls) =
        run("list_media", json!({ "q": "a&b", "kind": "video", "pageSize": 5 }), page).await;
    assert!(output.is_ok());
    assert_eq!(calls, [Call::get("/open-api/v1/uploads?q=a%26b&kind=video&pageSize=5")]);

    let sent = [success(json!({ "url": "upload://a" }))];
    let (output, calls) = run("upload_file", json!({ "path": "/films/a b.mp4" }), sent).await;
    assert!(output.unwrap().contains("upload://a"));
    assert_eq!((&calls[0].method, &*calls[0].path), (&Method::POST, "/open-api/v1/uploads?fileName=a+b.mp4"));
    assert_eq!(calls[0].body, Body::File("/films/a b.mp4".into()));
}

#[tokio::test]
async fn captions_are_uploaded_from_their_text() {
    let sent = [success(json!({ "url": "upload://a" }))];
    let arguments = json!({ "text": "1\n00:00:00,000 --> 00:00:01,000\nHi\n", "fileName": "a.srt" });
    let (output, calls) = run("upload_captions", arguments.clone(), sent).await;
    assert!(output.unwrap().contains("upload://a"));
    assert_eq!(&*calls[0].path, "/open-api/v1/uploads?fileName=a.srt");
    assert_eq!(calls[0].body, Body::Bytes(arguments["text"].as_str().unwrap().to_owned().into()));
    let (output, calls) = run("upload_captions", json!({ "text": " " }), []).await;
    assert!(output.unwrap_err().contains("empty") && calls.is_empty());
}

#[test]
fn facts_are_structured_and_text() {
    let result = CallToolResult::from(ToolOutput::Facts(json!({ "balance": 5 })));
    assert_eq!(result.structured_content, Some(json!({ "balance": 5 })));
    assert_eq!(result.content.len(), 1);
}

/// An API description whose requests of baseVideoMix have this schema.
fn described(schema: Value) -> Value {
    let mapping = json!({ "baseVideoMix": "#/components/schemas/BaseVideoMixRequest" });
    let any = json!({ "discriminator": { "mapping": mapping } });
    json!({ "components": { "schemas": { "TaskRequest": any, "BaseVideoMixRequest": schema } } })
}

/// Errors have JSON Pointers, which can be asked about as they are.
#[tokio::test]
async fn a_part_is_named_by_dots_or_by_a_pointer() {
    let list = json!({ "type": "array", "items": { "type": "object", "properties": { "url": { "type": "string" } } } });
    let params = json!({ "type": "object", "properties": { "videoList": list } });
    let schema = json!({ "type": "object", "properties": { "params": params } });
    let description = described(schema);
    let mut texts = Vec::new();
    for part in ["params.videoList.url", "params.videoList[].url", "/params/videoList/0/url"] {
        let arguments = json!({ "taskType": "baseVideoMix", "part": part });
        texts.push(run("describe_task", arguments, [(200, description.clone())]).await.0.unwrap());
    }
    assert_eq!(texts, vec!["params.videoList[].url: string\n"; 3]);
}

#[tokio::test]
async fn a_part_is_named_by_a_unique_ending_of_its_path() {
    let fields = |members: Value| json!({ "type": "object", "properties": members });
    let subtitle = || fields(json!({ "url": { "type": "string" }, "style": { "type": "string" } }));
    let pool = json!({ "type": "array", "items": fields(json!({ "subtitle": subtitle() })) });
    let options = fields(json!({ "subtitle": subtitle(), "voicePool": pool, "speed": { "type": "number" } }));
    let schema = fields(json!({ "params": fields(json!({ "options": options })) }));
    let description = described(schema);
    let describe = async |part: &str| {
        let arguments = json!({ "taskType": "baseVideoMix", "part": part });
        run("describe_task", arguments, [(200, description.clone())]).await.0
    };
    let speed = "params.options.speed: number\n".to_owned();
    for part in ["params.options.speed", "options.speed", "speed", "/options/speed"] {
        assert_eq!(describe(part).await.as_ref(), Ok(&speed), "{part}");
    }
    let subtitle = describe("params.options.subtitle").await.unwrap();
    assert_eq!(subtitle.lines().count(), 3, "{subtitle}");
    assert_eq!(describe("options.subtitle").await, Ok(subtitle));
    let in_pool = describe("voicePool[].subtitle").await.unwrap();
    assert!(in_pool.starts_with("params.options.voicePool[].subtitle: object\n"), "{in_pool}");
    assert_eq!(
        describe("subtitle").await.unwrap_err(),
        "`subtitle` is ambiguous: set `part` to one of params.options.subtitle, \
         params.options.voicePool[].subtitle"
    );
    // Only whole names match.
    for part in ["title", "peed", "params.speed"] {
        assert!(describe(part).await.unwrap_err().contains("unknown part"), "{part}");
    }
}

#[tokio::test]
async fn tasks_are_looked_for_by_the_interface() {
    let page =
        [success(json!({ "list": [{ "taskNo": "VP1", "status": 3, "labels": ["june"] }], "total": 1 }))];
    let query = json!({ "q": "blue mug", "label": "june", "from": "2026-06-01", "to": "2026-07-01" });
    let (output, calls) = run("list_tasks", query, page).await;
    assert!(output.unwrap().contains(r#""labels":["june"]"#));
    let path = "/open-api/v1/video-process/list?q=blue+mug&label=june&from=2026-06-01&to=2026-07-01";
    assert_eq!(calls, [Call::get(path)]);
}

#[tokio::test]
async fn unreachable_services_and_foreign_responses_are_reported() {
    let (output, _) = run("get_points", json!({}), []).await;
    assert_eq!(output.unwrap_err(), "no connection");
    let (output, _) = run("get_points", json!({}), [(502, json!("a proxy's page"))]).await;
    let text = output.unwrap_err();
    assert!(text.contains("refused"), "{text}");
    for foreign in [json!([]), json!("text"), json!({}), json!({ "data": [1] }), Value::Null] {
        let (output, _) = run("list_tasks", json!({}), [(200, foreign)]).await;
        assert!(output.unwrap_err().contains("not from the clipmill API"));
    }
    let (output, _) = run("get_points", json!({ "of": "bob" }), []).await;
    assert!(output.unwrap_err().contains("unknown field `of`"));
}

/// With many wrong fields the first ones are listed, and how many more there are.
#[tokio::test]
async fn long_lists_of_errors_are_cut() {
    let error = json!({ "path": "/params/x", "message": "is wrong", "got": 1, "allowed": "2" });
    let data = json!({ "errors": vec![error; 45] });
    let response = (400, json!({ "code": 40001, "msg": "invalid request", "data": data }));
    let (output, _) = run("get_points", json!({}), [response]).await;
    let text = output.unwrap_err();
    assert_eq!(text.matches("/params/x: is wrong; got 1; allowed: 2").count(), 30, "{text}");
    assert!(text.contains("and 15 more"), "{text}");
}

#[tokio::test]
async fn waiting_asks_less_and_less_often() {
    let pending = || success(json!({ "taskNo": "VP1", "status": 1, "statusName": "queued", "items": [] }));
    let ended = success(json!({ "taskNo": "VP1", "status": 3, "statusName": "completed", "items": [] }));
    let answers = [pending(), pending(), ended];
    let started = tokio::time::Instant::now();
    let (output, calls) = run("wait_for_task", json!({ "taskNo": "VP1" }), answers).await;
    assert!(output.unwrap().contains("\"ended\":true"));
    assert_eq!(calls.len(), 3);
    // The pauses are one second, then one and a half.
    assert!(started.elapsed().as_millis() >= 2500, "{:?}", started.elapsed());
    let (output, calls) = run("wait_for_task", json!({ "taskNo": "VP1", "seconds": 0 }), [pending()]).await;
    assert_eq!((output.is_ok(), calls.len()), (true, 1));
}
