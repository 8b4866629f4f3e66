//! Templates: saved, changed, used instead of a request.

use serde_json::{Value, json};

use crate::harness::{API, Service, User, keyed};

const TEMPLATES: &str = "/open-api/v1/templates";

fn template() -> Value {
    json!({
        "name": "Product video",
        "request": {
            "taskType": "baseVideoMix",
            "name": "Video of {{Product name}}",
            "labels": ["{{shop}}"],
            "params": {
                "videoList": [{ "videos": [
                    { "url": "{{clip}}", "duration": "{{seconds}}" },
                    { "url": "https://media.example/{{Product name}}.mp4", "duration": 3 },
                ]}],
                "options": { "resolution": "720:1280", "resolutionMode": "{{fill}}" },
            },
        },
        "variables": [
            { "name": "Product name", "type": "text", "maxLength": 20 },
            { "name": "shop", "type": "text", "default": "main" },
            { "name": "clip", "type": "url" },
            { "name": "seconds", "type": "number", "minimum": 1, "maximum": 10, "default": 4 },
            { "name": "fill", "type": "choice", "choices": ["crop", "stretch"], "default": "crop" },
        ],
    })
}

async fn keep(service: &Service, user: &User, template: &Value) -> String {
    let kept = service.send("POST", user, TEMPLATES, template).await.data();
    kept["templateNo"].as_str().unwrap().to_owned()
}

fn paths(data: &Value) -> Vec<&str> {
    data["errors"].as_array().unwrap().iter().map(|error| error["path"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_template_with_values_replaces_a_request() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 1_000).await, service.user("bob", 1_000).await);
    let number = keep(&service, &ann, &template()).await;
    let used = json!({
        "template": number, "clientTaskId": "mug 1",
        "values": { "Product name": "blue mug", "clip": "https://media.example/a.mp4", "seconds": "5" },
    });
    let estimate = service.send("POST", &ann, &format!("{API}/estimate"), &used).await.data();
    assert_eq!(estimate["estimatedDotCount"], 8);
    let task = service.submit(&ann, &used).await.data();
    let task_no = task["taskNo"].as_str().unwrap();
    let status = service.get(&ann, &format!("{API}/status/{task_no}")).await.data();
    assert_eq!(status["template"], json!({ "templateNo": number, "version": 1 }));
    assert_eq!((&status["name"], &status["labels"]), (&json!("Video of blue mug"), &json!(["main"])));
    let request = service.get(&ann, &format!("{API}/request/{task_no}")).await.data();
    let videos = &request["params"]["videoList"][0]["videos"];
    assert_eq!(videos[0], json!({ "url": "https://media.example/a.mp4", "duration": 5.0 }));
    assert_eq!(videos[1]["url"], "https://media.example/blue mug.mp4");
    // The same values are a repeat; other values are another request.
    assert_eq!(service.submit(&ann, &used).await.data()["duplicate"], true);
    let mut other = used.clone();
    other["values"]["seconds"] = json!(6);
    assert_eq!(service.submit(&ann, &other).await.code(), 40900);
    // A preview accepts it as well; its files cannot be fetched here.
    let preview = json!({ "request": used });
    assert_eq!(service.send("POST", &ann, "/open-api/v1/preview", &preview).await.code(), 40001);

    // The template cannot be reached by another user.
    assert_eq!(paths(&service.submit(&bob, &used).await.error(40001)), ["/template"]);
    let path = format!("{TEMPLATES}/{number}");
    for (method, body) in [("GET", json!(null)), ("PUT", template()), ("DELETE", json!(null))] {
        assert_eq!(service.send(method, &bob, &path, &body).await.code(), 40400, "{method}");
    }
    assert_eq!(service.get(&bob, TEMPLATES).await.data()["total"], 0);
}

#[tokio::test]
async fn wrong_values_are_reported_by_name() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let number = keep(&service, &ann, &template()).await;
    let good = json!({ "Product name": "mug", "clip": "https://media.example/a.mp4" });
    let check = async |change: Value, expected: &[&str]| {
        let mut values = good.clone();
        values.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let response = service.submit(&ann, &json!({ "template": number, "values": values })).await;
        assert_eq!(paths(&response.error(40001)), expected, "{change}");
    };
    check(json!({ "clip": null, "Product name": "" }), &["/values/Product name", "/values/clip"]).await;
    check(json!({ "seconds": 11, "fill": "fit" }), &["/values/seconds", "/values/fill"]).await;
    check(json!({ "Product name": "x".repeat(21) }), &["/values/Product name"]).await;
    check(json!({ "clip": "http://user:x@media.example/a.mp4" }), &["/values/clip"]).await;
    check(json!({ "clip": "upload://abc" }), &["/params/videoList/0/videos/0/url"]).await;
    check(json!({ "secnods": 3 }), &["/values/secnods"]).await;
    check(json!({ "Product name": "a\u{0}b" }), &["/name", "/params/videoList/0/videos/1/url"]).await;
    for wrong in
        [json!({ "template": 5 }), json!({ "template": "TP1" }), json!({ "template": number, "version": 2 })]
    {
        assert_eq!(service.submit(&ann, &wrong).await.code(), 40001, "{wrong}");
    }
    let remark = json!({ "template": number, "values": { "Product name": "m", "clip": "https://a.example/b", "note": "=1+1" } });
    assert_eq!(service.submit(&ann, &remark).await.data()["warnings"][0]["path"], "/values/note");
}

/// A template with lists and optional parts.
fn slideshow() -> Value {
    json!({
        "name": "Slideshow",
        "request": {
            "taskType": "baseVideoMix",
            "params": {
                "videoList": [{ "videos": [
                    { "url": "{{photos}}", "duration": "{{seconds}}" },
                    { "$if": "{{ending}}", "url": "{{ending}}", "duration": 1 },
                ]}],
                "options": {
                    "overlays": [{ "$if": "{{lines}}", "type": "text", "texts": "{{lines}}" }],
                    "backgroundMusic": { "$if": "{{music}}", "url": "{{music}}" },
                },
            },
        },
        "variables": [
            { "name": "photos", "type": "urls", "maxItems": 20 },
            { "name": "seconds", "type": "number", "default": 2 },
            { "name": "ending", "type": "url", "default": "" },
            { "name": "lines", "type": "texts", "maxLength": 10, "default": [] },
            { "name": "music", "type": "url", "default": "" },
        ],
    })
}

fn photos(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("https://media.example/{number}.jpg")).collect()
}

#[tokio::test]
async fn a_list_becomes_a_clip_for_each_entry_and_optional_parts_are_dropped() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let number = keep(&service, &ann, &slideshow()).await;
    let kept = service.get(&ann, &format!("{TEMPLATES}/{number}")).await.data();
    assert_eq!(kept["variables"][0], json!({ "name": "photos", "type": "urls", "maxItems": 20 }));
    assert_eq!(kept["variables"][3]["default"], json!([]));
    let request = async |values: Value| {
        let used = json!({ "template": number, "values": values });
        let estimate = service.send("POST", &ann, &format!("{API}/estimate"), &used).await.data();
        let task = service.submit(&ann, &used).await.data();
        assert_eq!(estimate["estimatedDotCount"], task["estimatedDotCount"]);
        let task_no = task["taskNo"].as_str().unwrap();
        (estimate, service.get(&ann, &format!("{API}/request/{task_no}")).await.data())
    };
    let (three, full) = request(json!({
        "photos": photos(3).join("|"), "lines": ["One", "Two"], "ending": "https://media.example/end.mp4",
    }))
    .await;
    let urls = |request: &Value| -> Vec<String> {
        let videos = request["params"]["videoList"][0]["videos"].as_array().unwrap().iter();
        videos.map(|video| video["url"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(urls(&full), [photos(3), vec!["https://media.example/end.mp4".to_owned()]].concat());
    assert_eq!(full["params"]["videoList"][0]["videos"][2]["duration"], 2.0);
    assert_eq!(full["params"]["options"]["overlays"][0]["texts"], json!(["One", "Two"]));
    assert!(full["params"]["options"].get("backgroundMusic").is_none_or(Value::is_null), "{full}");
    let (two, plain) = request(json!({ "photos1": photos(1)[0], "photos2": photos(2)[1] })).await;
    assert_eq!(urls(&plain), photos(2));
    assert!(plain["params"]["options"].get("overlays").is_none_or(|overlays| *overlays == json!([])));
    assert!(two["estimatedDotCount"].as_u64() < three["estimatedDotCount"].as_u64(), "{two} {three}");

    let check = async |values: Value, path: &str, message: &str| {
        let used = json!({ "template": number, "values": values });
        for call in ["estimate", "submit"] {
            let data = service.send("POST", &ann, &format!("{API}/{call}"), &used).await.error(40001);
            assert_eq!(paths(&data), [path], "{values}");
            assert!(data["errors"][0]["message"].as_str().unwrap().contains(message), "{data}");
        }
        let preview = service.send("POST", &ann, "/open-api/v1/preview", &json!({ "request": used })).await;
        assert_eq!(paths(&preview.error(40001)), [path], "{values}");
    };
    check(json!({ "photos": ["https://media.example/1.jpg", "x"] }), "/values/photos/1", "entry 2: must be")
        .await;
    check(json!({ "photos": photos(21) }), "/values/photos", "has 21 entries; at most 20").await;
    check(json!({ "photos": [], "lines": "a" }), "/values/photos", "is required").await;
    check(
        json!({ "photos1": "https://media.example/1.jpg", "photos3": "https://a.example/b" }),
        "/values/photos2",
        "is empty",
    )
    .await;
}

#[tokio::test]
async fn a_template_with_misplaced_lists_is_refused_at_once() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let check = async |change: fn(&mut Value), path: &str, message: &str| {
        let mut wrong = slideshow();
        change(&mut wrong);
        let data = service.send("POST", &ann, TEMPLATES, &wrong).await.error(40001);
        assert_eq!(data["errors"][0]["path"], path, "{data}");
        assert!(data["errors"][0]["message"].as_str().unwrap().contains(message), "{data}");
    };
    check(|t| t["request"]["name"] = json!("{{photos}}!"), "/request/name", "inside a longer text").await;
    let condition = "/request/params/options/backgroundMusic/$if";
    fn music(template: &mut Value) -> &mut Value {
        &mut template["request"]["params"]["options"]["backgroundMusic"]["$if"]
    }
    check(|t| *music(t) = json!("{{musik}}"), condition, "did you mean `music`?").await;
    check(|t| *music(t) = json!(true), condition, "in double braces").await;
    check(|t| *music(t) = json!("{{music}} there"), condition, "in double braces").await;
    check(|t| t["variables"][0]["minItems"] = json!(21), "/variables/0/minItems", "not be above").await;
    check(|t| t["variables"][0]["maxItems"] = json!(1_001), "/variables/0/maxItems", "between").await;
    check(|t| t["variables"][0]["default"] = json!(["x"]), "/variables/0/default/0", "entry 1: must be")
        .await;
    check(
        |t| t["variables"][3]["default"] = json!("short|much too long"),
        "/variables/3/default/1",
        "entry 2",
    )
    .await;
    let twice = slideshow().to_string().replacen("\"$if\":", "\"$if\":\"{{music}}\",\"$if\":", 1);
    let response = service.post(&ann, TEMPLATES, twice).await;
    assert_eq!(response.code(), 40000, "{response:?}");
    let upload = service.upload(&ann, "/open-api/v1/uploads", "MEDIA photo").await.data()["url"].clone();
    let mut with_default = slideshow();
    with_default["variables"][0]["default"] = json!([upload, "upload://missing"]);
    let refused = service.send("POST", &ann, TEMPLATES, &with_default).await;
    assert_eq!(paths(&refused.error(40001)), ["/variables/0/default/1"]);
}

#[tokio::test]
async fn a_template_makes_a_thousand_rows_of_different_lengths() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let number = keep(&service, &ann, &slideshow()).await;
    let row = |row: usize| json!({ "photos": photos(row % 20 + 1) });
    let batch = |rows: Vec<Value>| json!({ "clientBatchId": "slides", "template": number, "rows": rows });
    let estimate = "/open-api/v1/batches/estimate";
    let all = batch((0..1_000).map(row).collect());
    assert_eq!(service.send("POST", &ann, estimate, &all).await.data()["totalRows"], 1_000);

    let wrong = batch(vec![
        row(3),
        json!({ "photos": "https://media.example/1.jpg||https://media.example/2.jpg" }),
        json!({ "photos": ["https://media.example/1.jpg", "upload://missing"] }),
        json!({ "photos1": "https://media.example/1.jpg", "photos2": "upload://missing" }),
    ]);
    let response = service.send("POST", &ann, estimate, &wrong).await;
    let text = response.json()["msg"].as_str().unwrap().to_owned();
    assert!(text.contains("row 2, column photos: entry 2: must not be empty"), "{text}");
    let places = |data: &Value| -> Vec<(u64, String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let errors = data["errors"].as_array().unwrap().iter();
        let place = |e: &Value| (e["row"].as_u64().unwrap(), text(&e["column"]), text(&e["path"]));
        errors.map(place).collect()
    };
    let place = |row: u64, column: &str, path: &str| (row, column.to_owned(), path.to_owned());
    let url = "/params/videoList/0/videos/1/url";
    let data = response.error(40001);
    let expected =
        [place(2, "photos", "/values/photos/1"), place(3, "photos", url), place(4, "photos2", url)];
    assert_eq!(places(&data), expected);
    let message = |error: usize| data["errors"][error]["message"].as_str().unwrap();
    assert!(message(1).starts_with("entry 2: ") && !message(2).contains("entry"), "{data}");
    let request = keyed(&ann, "POST", estimate)
        .header("accept-language", "zh")
        .header("content-type", "application/json");
    let chinese = service.call(request.body(wrong.to_string().into()).unwrap()).await;
    let text = chinese.json()["msg"].as_str().unwrap().to_owned();
    assert!(text.contains("第 2 行，列 photos") && text.contains("第 2 项：不能为空"), "{text}");
}

/// Copies of a large clip would make a request that does not fit into memory: 20 × 120,000 values.
#[tokio::test]
async fn the_size_of_repeated_clips_is_limited() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let mut large = slideshow();
    large["request"]["params"]["videoList"][0]["videos"][0]["note"] = json!(vec![0; 120_000]);
    let number = keep(&service, &ann, &large).await;
    let used = |count: usize| json!({ "template": number, "values": { "photos": photos(count) } });
    let estimate =
        async |count: usize| service.send("POST", &ann, &format!("{API}/estimate"), &used(count)).await;
    assert!(estimate(2).await.data()["estimatedDotCount"].as_u64() > Some(0));
    let data = estimate(20).await.error(40001);
    assert_eq!(paths(&data), ["/values"]);
    assert!(data["errors"][0]["message"].as_str().unwrap().contains("500000 values"), "{data}");
    let rows = |rows: usize, count: usize| json!({ "clientBatchId": "large", "template": number, "rows": vec![json!({ "photos": photos(count) }); rows] });
    for (count, rows_count, path) in [(20, 1, ""), (4, 20, "/rows")] {
        let response =
            service.send("POST", &ann, "/open-api/v1/batches/estimate", &rows(rows_count, count)).await;
        assert_eq!(paths(&response.error(40001)), [path], "{rows_count} rows");
    }
}

/// Values that are written in many places would make a request that does not fit into memory: 20,000 × 5,000 bytes.
#[tokio::test]
async fn the_size_of_an_expanded_template_is_limited() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let mut large = template();
    large["request"]["notes"] = json!(vec!["{{long}} "; 20_000]);
    large["variables"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "name": "long", "type": "text", "default": "-" }));
    let number = keep(&service, &ann, &large).await;
    let values = |long: usize| json!({ "Product name": "mug", "clip": "https://media.example/a.mp4", "long": "x".repeat(long) });
    let used = json!({ "template": number, "values": values(1_000) });
    let estimate = service.send("POST", &ann, &format!("{API}/estimate"), &used).await.data();
    assert_eq!(estimate["estimatedDotCount"], 7);
    let used = json!({ "template": number, "values": values(5_000) });
    for path in ["estimate", "submit"] {
        let response = service.send("POST", &ann, &format!("{API}/{path}"), &used).await;
        assert_eq!(paths(&response.error(40001)), ["/values"], "{path}");
    }
    let preview = service.send("POST", &ann, "/open-api/v1/preview", &json!({ "request": used })).await;
    assert_eq!(paths(&preview.error(40001)), ["/values"]);
    // All rows of a batch in total.
    let batch = |rows: usize, long: usize| json!({ "clientBatchId": "large", "template": number, "rows": vec![values(long); rows] });
    for (rows, long, path) in [(1, 1_700, ""), (1, 5_000, "/rows"), (4, 1_000, "/rows")] {
        let response = service.send("POST", &ann, "/open-api/v1/batches/estimate", &batch(rows, long)).await;
        assert_eq!(paths(&response.error(40001)), [path], "{rows} rows");
    }
}

#[tokio::test]
async fn templates_have_versions() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let number = keep(&service, &ann, &template()).await;
    let path = format!("{TEMPLATES}/{number}");
    let mut second = template();
    second["name"] = json!("Second");
    second["version"] = json!(1);
    assert_eq!(service.send("PUT", &ann, &path, &second).await.data()["version"], 2);
    let refused = service.send("PUT", &ann, &path, &second).await;
    assert_eq!(refused.error(40905), json!({ "version": 2 }));
    assert_eq!(service.get(&ann, &path).await.data()["name"], "Second");
    let first = service.get(&ann, &format!("{path}?version=1")).await.data();
    assert_eq!((&first["version"], &first["variables"][3]["maximum"]), (&json!(1), &json!(10.0)));
    assert_eq!(service.get(&ann, &format!("{path}?version=3")).await.code(), 40400);
    keep(&service, &ann, &template()).await;
    let list = service.get(&ann, &format!("{TEMPLATES}?q=PRODUCT")).await.data();
    assert_eq!((&list["total"], &list["list"][0]["version"]), (&json!(1), &json!(1)));
    assert_eq!(service.send("DELETE", &ann, &path, &json!(null)).await.code(), 0);
    assert_eq!(service.get(&ann, &path).await.code(), 40400);
}

#[tokio::test]
async fn a_template_that_makes_no_sense_is_refused_at_once() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let check = async |change: fn(&mut Value), expected: &[&str]| {
        let mut wrong = template();
        change(&mut wrong);
        let response = service.send("POST", &ann, TEMPLATES, &wrong).await;
        assert_eq!(paths(&response.error(40001)), expected, "{wrong}");
    };
    let url = "/request/params/videoList/0/videos/0/url";
    check(|t| t["request"]["params"]["videoList"][0]["videos"][0]["url"] = json!("{{film}}"), &[url]).await;
    check(
        |t| t["request"]["params"]["videoList"][0]["videos"][0]["url"] = json!("https://{{shop}}/a.mp4"),
        &[url],
    )
    .await;
    check(|t| t["variables"][3]["default"] = json!(11), &["/variables/3/default"]).await;
    check(|t| t["variables"][3]["type"] = json!("int"), &["/variables/3/type"]).await;
    check(|t| t["variables"][1]["name"] = json!("clip"), &["/variables"]).await;
    check(|t| t["variables"][1]["name"] = json!("{{a}}"), &["/variables/1/name"]).await;
    check(
        |t| t["request"]["params"]["options"]["resolution"] = json!("1:1"),
        &["/request/params/options/resolution"],
    )
    .await;
    check(|t| t["request"] = json!("x"), &["/request"]).await;
    check(|t| t["name"] = json!(null), &["/name"]).await;
    let mut unknown = template();
    unknown["request"]["params"]["options"]["overlays"] =
        json!([{ "type": "image", "url": "upload://missing" }]);
    let refused = service.send("POST", &ann, TEMPLATES, &unknown).await;
    assert_eq!(paths(&refused.error(40001)), ["/request/params/options/overlays/0/url"]);
    let mut unused = template();
    unused["variables"].as_array_mut().unwrap().push(json!({ "name": "more", "type": "text" }));
    let kept = service.send("POST", &ann, TEMPLATES, &unused).await.data();
    assert_eq!(kept["warnings"][0]["path"], "/variables/5");
}

#[tokio::test]
async fn uploads_of_a_template_are_kept() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let url = service.upload(&ann, "/open-api/v1/uploads", "MEDIA logo").await.data()["url"].clone();
    let mut named = template();
    named["variables"][2]["default"] = url.clone();
    let number = keep(&service, &ann, &named).await;
    let upload = format!("/open-api/v1/uploads/{}", url.as_str().unwrap().strip_prefix("upload://").unwrap());
    let refused = service.send("DELETE", &ann, &upload, &json!(null)).await;
    assert_eq!(refused.error(40904), json!({ "neededBy": number }));
    // Earlier versions can still be used.
    let path = format!("{TEMPLATES}/{number}");
    service.send("PUT", &ann, &path, &template()).await.data();
    assert_eq!(service.send("DELETE", &ann, &upload, &json!(null)).await.code(), 40904);
    service.send("DELETE", &ann, &path, &json!(null)).await.data();
    assert_eq!(service.send("DELETE", &ann, &upload, &json!(null)).await.code(), 0);
}
