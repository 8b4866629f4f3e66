//! Tests of tools with a door that replies from a script.

use std::sync::Mutex;

use async_trait::async_trait;
use axum::http::{HeaderMap, Method};
use serde_json::json;

use super::*;
use crate::mcp::door::{Body, Unreachable};

/// Replies to calls in order from the script, and records them.
struct Script {
    answers: Mutex<Vec<(u16, Value)>>,
    calls: Mutex<Vec<Call>>,
}

#[async_trait]
impl Door for Script {
    async fn call(&self, call: Call) -> Result<Reply, Unreachable> {
        self.calls.lock().unwrap().push(call);
        let mut answers = self.answers.lock().unwrap();
        if answers.is_empty() {
            return Err(Unreachable("nobody is there".to_owned()));
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
    let errand = Errand { door: script.clone(), ending: CancellationToken::new() };
    let tool = all().iter().find(|tool| tool.described.name == name).unwrap();
    let Value::Object(arguments) = arguments else { panic!("{arguments}") };
    let outcome = match tool.run(errand, arguments).await {
        Ok(Told::Facts(facts)) => Ok(facts.to_string()),
        Ok(Told::Text(text)) => Ok(text),
        Ok(Told::Picture { about, .. }) => Ok(about),
        Err(refusal) => Err(refusal.0),
    };
    let calls = script.calls.lock().unwrap().clone();
    (outcome, calls)
}

fn submission(url: &str) -> Value {
    let params = json!({ "videoList": [{ "videos": [{ "url": url }] }] });
    json!({ "request": { "taskType": "baseVideoMix", "params": params }, "maxPoints": 10 })
}

fn priced(points: u64) -> (u16, Value) {
    success(json!({ "estimatedDotCount": points, "taskNo": "VP1" }))
}

#[tokio::test]
async fn a_task_whose_price_rose_meanwhile_is_stopped() {
    let answers = [priced(10), priced(11), success(json!({ "taskNo": "VP1" }))];
    let (told, calls) = run("submit_task", submission("upload://a"), answers).await;
    let text = told.unwrap_err();
    assert!(text.contains("11 points") && text.contains("given back"), "{text}");
    let paths: Vec<_> = calls.iter().map(|call| call.path.rsplit_once("process/").unwrap().1).collect();
    assert_eq!(paths, ["estimate", "submit", "cancel/VP1"]);
    // The estimate is made from the very same body.
    assert_eq!(calls[0].body, calls[1].body);

    let (told, _) = run("submit_task", submission("upload://a"), [priced(10), priced(11)]).await;
    assert!(told.unwrap_err().contains("try cancel_task"));
}

#[tokio::test]
async fn a_task_without_a_price_is_not_submitted() {
    let (told, calls) = run("submit_task", submission("upload://a"), [success(json!({}))]).await;
    assert!(told.unwrap_err().contains("not submitted"));
    assert_eq!(calls.len(), 1);
}

#[tokio::test]
async fn web_files_are_looked_into_before_a_task_is_submitted() {
    let answers = [priced(5), priced(11)];
    let (told, calls) = run("submit_task", submission("https://a.example/a.mp4"), answers).await;
    assert!(told.unwrap_err().contains("looked into"));
    assert!(calls[1].path.ends_with("estimate?preflight=true"), "{}", calls[1].path);

    // An address that is called is not an input file.
    let mut called = submission("upload://a");
    called["request"]["callbackUrl"] = json!("https://a.example/done");
    let (told, calls) = run("submit_task", called, [priced(5), priced(5)]).await;
    assert_eq!((told.is_ok(), calls.len()), (true, 2));
}

#[tokio::test]
async fn files_are_listed_and_sent_by_the_interface() {
    let page = [success(json!({ "list": [], "total": 0 }))];
    let (told, calls) = run("list_media", json!({ "q": "a&b", "kind": "video", "pageSize": 5 }), page).await;
    assert!(told.is_ok());
    assert_eq!(calls, [Call::get("/open-api/v1/uploads?q=a%26b&kind=video&pageSize=5")]);

    let sent = [success(json!({ "url": "upload://a" }))];
    let (told, calls) = run("upload_file", json!({ "path": "/films/a b.mp4" }), sent).await;
    assert!(told.unwrap().contains("upload://a"));
    assert_eq!((&calls[0].method, &*calls[0].path), (&Method::POST, "/open-api/v1/uploads?fileName=a+b.mp4"));
    assert_eq!(calls[0].body, Body::File("/films/a b.mp4".into()));
}

#[tokio::test]
async fn tasks_are_looked_for_by_the_interface() {
    let found =
        [success(json!({ "list": [{ "taskNo": "VP1", "status": 3, "labels": ["june"] }], "total": 1 }))];
    let wanted = json!({ "q": "blue mug", "label": "june", "from": "2026-06-01", "to": "2026-07-01" });
    let (told, calls) = run("list_tasks", wanted, found).await;
    assert!(told.unwrap().contains(r#""labels":["june"]"#));
    let path = "/open-api/v1/video-process/list?q=blue+mug&label=june&from=2026-06-01&to=2026-07-01";
    assert_eq!(calls, [Call::get(path)]);
}

#[tokio::test]
async fn a_door_that_leads_nowhere_and_answers_of_others_are_told() {
    let (told, _) = run("get_points", json!({}), []).await;
    assert_eq!(told.unwrap_err(), "nobody is there");
    let (told, _) = run("get_points", json!({}), [(502, json!("a proxy's page"))]).await;
    let text = told.unwrap_err();
    assert!(text.contains("refused"), "{text}");
    for foreign in [json!([]), json!("text"), json!({}), json!({ "data": [1] }), Value::Null] {
        let (told, _) = run("list_tasks", json!({}), [(200, foreign)]).await;
        assert!(told.unwrap_err().contains("not this interface"));
    }
    let (told, _) = run("get_points", json!({ "of": "bob" }), []).await;
    assert!(told.unwrap_err().contains("unknown field `of`"));
}

/// With many wrong fields the first ones are listed, and how many more there are.
#[tokio::test]
async fn long_lists_of_errors_are_cut() {
    let error = json!({ "path": "/params/x", "message": "is wrong", "got": 1, "allowed": "2" });
    let data = json!({ "errors": vec![error; 45] });
    let answer = (400, json!({ "code": 40001, "msg": "invalid request", "data": data }));
    let (told, _) = run("get_points", json!({}), [answer]).await;
    let text = told.unwrap_err();
    assert_eq!(text.matches("/params/x: is wrong; got 1; allowed: 2").count(), 30, "{text}");
    assert!(text.contains("and 15 more"), "{text}");
}

#[tokio::test]
async fn waiting_asks_less_and_less_often() {
    let pending = || success(json!({ "taskNo": "VP1", "status": 1, "statusName": "queued", "items": [] }));
    let ended = success(json!({ "taskNo": "VP1", "status": 3, "statusName": "completed", "items": [] }));
    let answers = [pending(), pending(), ended];
    let begun = tokio::time::Instant::now();
    let (told, calls) = run("wait_for_task", json!({ "taskNo": "VP1" }), answers).await;
    assert!(told.unwrap().contains("\"ended\":true"));
    assert_eq!(calls.len(), 3);
    // The pauses are one second, then one and a half.
    assert!(begun.elapsed().as_millis() >= 2500, "{:?}", begun.elapsed());
    let (told, calls) = run("wait_for_task", json!({ "taskNo": "VP1", "seconds": 0 }), [pending()]).await;
    assert_eq!((told.is_ok(), calls.len()), (true, 1));
}
