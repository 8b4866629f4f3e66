//! Batches: a table of values, a task for each row.

use clipmill_server::batches::Batches;
use serde_json::{Value, json};

use crate::files;
use crate::harness::{API, Service, User, keyed, named_task, request};

pub const BATCHES: &str = "/open-api/v1/batches";

/// Each row costs 6 points, unless it sets its length.
pub fn batch() -> Value {
    json!({
        "clientBatchId": "june",
        "name": "June",
        "request": {
            "taskType": "baseVideoMix",
            "name": "{{title}}",
            "params": {
                "videoList": [{ "videos": [{ "url": "{{clip}}", "duration": "{{seconds}}" }] }],
                "options": { "resolution": "1080:1920" },
            },
        },
        "variables": [
            { "name": "title", "type": "text" },
            { "name": "clip", "type": "url", "default": "https://media.example/a.mp4" },
            { "name": "seconds", "type": "number", "default": 3 },
        ],
        "rows": [{ "title": "one" }, { "title": "=1+1", "seconds": "4" }, { "title": "three" }],
    })
}

pub async fn send(service: &Service, user: &User, batch: &Value) -> crate::harness::ApiResponse {
    service.send("POST", user, BATCHES, batch).await
}

pub async fn continue_batches(service: &Service) {
    Batches::new(service.app.clone()).round(&Default::default()).await.unwrap();
}

async fn balance(service: &Service, user: &User) -> Value {
    service.get(user, &format!("{API}/balance")).await.data()["balance"].clone()
}

fn places(data: &Value) -> Vec<(u64, Option<&str>)> {
    let errors = data["errors"].as_array().unwrap().iter();
    errors.map(|error| (error["row"].as_u64().unwrap(), error["column"].as_str())).collect()
}

/// Users are served in turn, regardless of the number of their batches.
#[tokio::test]
async fn many_batches_of_one_user_do_not_delay_others() {
    let service = Service::with(|config| config.limits.queued_tasks_per_user = 20).await;
    let (ann, bob) = (service.user("ann", 10_000).await, service.user("bob", 100).await);
    for number in 0..30 {
        let mut batch = batch();
        batch["clientBatchId"] = json!(format!("batch {number}"));
        send(&service, &ann, &batch).await.data();
    }
    send(&service, &bob, &batch()).await.data();
    continue_batches(&service).await;
    let tasks = async |user| {
        let list = service.get(user, &format!("{API}/list?pageSize=100")).await.data()["list"].clone();
        let numbers = list.as_array().unwrap().iter().map(|task| task["taskNo"].as_str().unwrap().to_owned());
        numbers.collect::<Vec<_>>()
    };
    let (of_ann, of_bob) = (tasks(&ann).await, tasks(&bob).await);
    assert_eq!((of_ann.len(), of_bob.len()), (20, 3));
    // Numbers grow with time: Bob's third row came before Ann's tenth.
    let mut all: Vec<&String> = of_ann.iter().chain(&of_bob).collect();
    all.sort();
    assert!(all[..8].contains(&&of_bob[0]), "{all:?} {of_bob:?}");
}

/// More batches than fit in one reading wait because their user has reached the task limit.
#[tokio::test]
async fn waiting_batches_do_not_delay_others() {
    let service = Service::with(|config| config.limits.queued_tasks_per_user = 1).await;
    let (ann, bob) = (service.user("ann", 10_000).await, service.user("bob", 100).await);
    for number in 0..45 {
        let mut batch = batch();
        batch["clientBatchId"] = json!(format!("batch {number}"));
        send(&service, &ann, &batch).await.data();
    }
    send(&service, &bob, &batch()).await.data();
    continue_batches(&service).await;
    for user in [&ann, &bob] {
        let tasks = service.get(user, &format!("{API}/list")).await.data();
        assert_eq!(tasks["total"], 1, "{tasks:#}");
    }
}

#[tokio::test]
async fn each_row_becomes_a_task_and_the_batch_is_charged_once() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let estimate = service.send("POST", &ann, &format!("{BATCHES}/estimate"), &batch()).await.data();
    let price = json!({ "totalRows": 3, "totalItems": 3, "estimatedDotCount": 20, "warnings": [] });
    assert_eq!(estimate, price);
    let sent = send(&service, &ann, &batch()).await.data();
    let number = sent["batchNo"].as_str().unwrap().to_owned();
    assert_eq!((&sent["estimatedDotCount"], &sent["duplicate"]), (&json!(20), &Value::Null));
    assert_eq!(balance(&service, &ann).await, 80);
    // Sent again, before and after its tasks exist.
    assert_eq!(send(&service, &ann, &batch()).await.data()["duplicate"], true);
    continue_batches(&service).await;
    let again = send(&service, &ann, &batch()).await.data();
    assert_eq!((&again["batchNo"], &again["duplicate"]), (&json!(number), &json!(true)));
    assert_eq!(balance(&service, &ann).await, 80);
    let list = service.get(&ann, &format!("{API}/list?q=june")).await.data();
    let ids: Vec<_> =
        list["list"].as_array().unwrap().iter().map(|task| task["clientTaskId"].clone()).collect();
    assert_eq!(ids, ["june#3", "june#2", "june#1"]);
    assert_eq!(list["list"][1]["name"], "=1+1");
    let mut other = batch();
    other["rows"][0]["title"] = json!("another");
    assert_eq!(send(&service, &ann, &other).await.error(40900), json!({ "batchNo": number }));

    let about = service.get(&ann, &format!("{BATCHES}/{number}")).await.data();
    for (name, expected) in [
        ("clientBatchId", json!("june")),
        ("name", json!("June")),
        ("status", json!(2)),
        ("madeRows", json!(3)),
        ("waitingRows", json!(0)),
        ("progressPercent", json!(0)),
        ("totalItems", json!(3)),
    ] {
        assert_eq!(about[name], expected, "{name}");
    }
    let rows = service.get(&ann, &format!("{BATCHES}/{number}/rows?pageSize=1&pageNo=2")).await.data();
    assert_eq!((&rows["total"], &rows["list"][0]["values"]["title"]), (&json!(3), &json!("=1+1")));
    assert_eq!(rows["list"][0]["taskStatus"], 0);
    // The task of a row is like any other task.
    let mut same = named_task("june#1");
    same["params"]["seed"] = json!(5);
    assert_eq!(service.submit(&ann, &same).await.code(), 40900);

    let stopped =
        service.send("POST", &ann, &format!("{BATCHES}/{number}/cancel"), &json!(null)).await.data();
    assert_eq!(stopped["status"], 2);
    continue_batches(&service).await;
    let about = service.get(&ann, &format!("{BATCHES}/{number}")).await.data();
    assert_eq!((&about["status"], &about["progressPercent"]), (&json!(5), &json!(100)));
    assert_eq!(balance(&service, &ann).await, 100);
    for verb in ["cancel", "pause", "resume"] {
        assert_eq!(
            service.post(&ann, &format!("{BATCHES}/{number}/{verb}"), "").await.code(),
            40907,
            "{verb}"
        );
    }
    let table = service.get(&ann, &format!("{BATCHES}/{number}/results.csv")).await;
    let text = String::from_utf8(table.body.to_vec()).unwrap();
    assert!(text.starts_with("\u{FEFF}row,taskNo,item,url,error\n1,VP"), "{text}");
    assert_eq!(text.lines().count(), 4);
    assert_eq!(service.get(&ann, &format!("{BATCHES}/{number}/download")).await.code(), 40903);
}

#[tokio::test]
async fn all_rows_are_checked_before_any_is_accepted() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let mut wrong = batch();
    wrong["rows"] = json!([
        { "title": "fine" },
        { "clip": "ftp://media.example/a.mp4", "seconds": "three" },
        { "title": "x", "seconds": -1 },
        { "title": "x", "clip": "upload://missing" },
        { "title": "x", "tilte": "y" },
    ]);
    for path in [BATCHES, "/open-api/v1/batches/estimate"] {
        let response = service.send("POST", &ann, path, &wrong).await;
        assert!(response.json()["msg"].as_str().unwrap().contains("row 2, column title"), "{response:?}");
        let data = response.error(40001);
        let expected = [(2, "title"), (2, "clip"), (2, "seconds"), (3, "seconds"), (5, "tilte"), (4, "clip")];
        assert_eq!(places(&data), expected.map(|(row, column)| (row, Some(column))));
        assert_eq!(data["total"], 6);
    }
    assert_eq!(balance(&service, &ann).await, 100);
    assert_eq!(service.get(&ann, BATCHES).await.data()["total"], 0);
    let whole = async |change: fn(&mut Value), path: &str| {
        let mut wrong = batch();
        change(&mut wrong);
        let data = send(&service, &ann, &wrong).await.error(40001);
        assert_eq!(data["errors"][0]["path"], path, "{data}");
    };
    whole(|b| b["rows"] = json!(vec![json!({ "title": "x" }); 1_001]), "/rows").await;
    whole(
        |b| b["request"]["params"]["videoList"][0]["videos"][0]["url"] = json!("https://{{title}}/a"),
        "/request/params/videoList/0/videos/0/url",
    )
    .await;
    whole(|b| b["template"] = json!("TP00000000000000000000000000"), "/request").await;
    whole(|b| b["csvUrl"] = json!("upload://x"), "/csvUrl").await;
    whole(
        |b| {
            b["rows"] = Value::Null;
            b["csvUrl"] = json!("upload://missing");
        },
        "/csvUrl",
    )
    .await;
}

#[tokio::test]
async fn points_cover_all_rows_or_as_many_as_possible() {
    let service = Service::start().await;
    let ann = service.user("ann", 13).await;
    let refused = send(&service, &ann, &batch()).await.error(40200);
    assert_eq!((&refused["needed"], &refused["available"]), (&json!(20), &json!(13)));
    let mut partial = batch();
    partial["partial"] = json!(true);
    let sent = send(&service, &ann, &partial).await.data();
    assert_eq!((&sent["estimatedDotCount"], &sent["refusedRows"]), (&json!(6), &json!(2)));
    let number = sent["batchNo"].as_str().unwrap();
    continue_batches(&service).await;
    let rows = service.get(&ann, &format!("{BATCHES}/{number}/rows?state=refused")).await.data();
    assert_eq!(rows["list"][0]["error"], "not enough points for this row");
    let records = service.get(&ann, &format!("{API}/records?type=hold")).await.data();
    assert_eq!(records["list"][1]["batchNo"], number);
}

#[tokio::test]
async fn an_upload_without_media_is_a_warning_at_each_row_that_needs_media() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let upload = async |bytes: &'static str| {
        service.upload(&ann, "/open-api/v1/uploads", bytes).await.data()["url"].clone()
    };
    let (media, text) = (upload("MEDIA").await, upload("1\n00:00:01,000 --> 00:00:02,000\nhello").await);
    let batch = json!({
        "clientBatchId": "clips",
        "request": { "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": "{{clip}}" }] }], "options": { "subtitle": { "url": text } },
        } },
        "variables": [{ "name": "clip", "type": "url" }],
        "rows": [{ "clip": media }, { "clip": text }],
    });
    let estimate = service.post(&ann, &format!("{BATCHES}/estimate"), batch.to_string()).await.data();
    let sent = send(&service, &ann, &batch).await.data();
    for response in [estimate, sent] {
        let warnings = response["warnings"].as_array().unwrap();
        let is_about_media =
            |warning: &&Value| warning["message"].as_str().unwrap().contains("this upload contains no video");
        let paths: Vec<_> =
            warnings.iter().filter(is_about_media).map(|warning| warning["path"].clone()).collect();
        assert_eq!(paths, [json!("/rows/1/params/videoList/0/videos/0/url")], "{response}");
        assert!(warnings.iter().all(|warning| warning["path"].as_str().unwrap().starts_with("/rows/")));
    }
}

#[tokio::test]
async fn rows_come_from_a_table_and_a_template() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let batch = batch();
    let template = json!({ "name": "t", "request": batch["request"], "variables": batch["variables"] });
    let kept = service.send("POST", &ann, "/open-api/v1/templates", &template).await.data();
    let upload = async |bytes: Vec<u8>| {
        service.upload(&ann, "/open-api/v1/uploads?fileName=rows.csv", bytes).await.data()["url"].clone()
    };
    let csv = "title;seconds;note\r\n\"Mug; blue\";5;=1+1\r\n;;\r\n蓝色;;\r\n";
    let utf16: Vec<u8> = format!("\u{FEFF}{csv}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let sent =
        json!({ "clientBatchId": "table", "template": kept["templateNo"], "csvUrl": upload(utf16).await });
    let response = send(&service, &ann, &sent).await.data();
    assert_eq!((&response["totalRows"], &response["estimatedDotCount"]), (&json!(2), &json!(16)));
    // A column that the template does not know is a warning, not an error.
    assert_eq!(response["warnings"][0]["path"], "/rows/0/values/note");
    continue_batches(&service).await;
    let number = response["batchNo"].as_str().unwrap();
    let rows = service.get(&ann, &format!("{BATCHES}/{number}/rows")).await.data();
    assert_eq!((&rows["list"][0]["row"], &rows["list"][1]["row"]), (&json!(1), &json!(3)));
    let task_no = rows["list"][1]["taskNo"].as_str().unwrap();
    let task = service.get(&ann, &format!("{API}/status/{task_no}")).await.data();
    assert_eq!((&task["clientTaskId"], &task["name"]), (&json!("table#3"), &json!("蓝色")));
    assert_eq!(task["template"], json!({ "templateNo": kept["templateNo"], "version": 1 }));
    // The template may change or be deleted: the batch sent again is the same.
    service
        .send(
            "DELETE",
            &ann,
            &format!("/open-api/v1/templates/{}", kept["templateNo"].as_str().unwrap()),
            &json!(null),
        )
        .await;
    assert_eq!(send(&service, &ann, &sent).await.data()["duplicate"], true);
    for (bytes, words) in [("title\n", "no rows"), ("a,a\n1,2", "twice")] {
        let bytes = bytes.as_bytes().to_vec();
        let wrong = json!({ "clientBatchId": "wrong", "request": batch["request"], "variables": batch["variables"], "csvUrl": upload(bytes).await });
        let data = send(&service, &ann, &wrong).await.error(40001);
        assert!(data["errors"][0]["message"].as_str().unwrap().contains(words), "{data}");
    }

    // The batch cannot be reached by another user.
    for path in ["", "/rows", "/download", "/results.csv"] {
        assert_eq!(service.get(&bob, &format!("{BATCHES}/{number}{path}")).await.code(), 40400, "{path}");
    }
    for verb in ["pause", "resume", "cancel"] {
        assert_eq!(
            service.post(&bob, &format!("{BATCHES}/{number}/{verb}"), "").await.code(),
            40400,
            "{verb}"
        );
    }
    assert_eq!(send(&service, &bob, &sent).await.code(), 40001);
    assert_eq!(service.get(&bob, BATCHES).await.data()["total"], 0);
}

#[tokio::test]
async fn a_batch_reports_its_progress() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let number = send(&service, &ann, &batch()).await.data()["batchNo"].as_str().unwrap().to_owned();
    let path = format!("{BATCHES}/{number}/events");
    service.post(&ann, &format!("{BATCHES}/{number}/cancel"), "").await.data();
    let (stream, ()) = tokio::join!(service.get(&ann, &path), continue_batches(&service));
    let text = String::from_utf8(stream.body.to_vec()).unwrap();
    assert!(text.contains("event: state") && text.contains("\"statusName\":\"cancelled\""), "{text}");
    let id = text.lines().rev().find_map(|line| line.strip_prefix("id: ")).unwrap();
    let again = keyed(&ann, "GET", &path).header("Last-Event-ID", id).body(Default::default()).unwrap();
    assert_eq!(service.call(again).await.status, 204);
}

#[tokio::test]
async fn a_paused_batch_makes_no_tasks() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let number = send(&service, &ann, &batch()).await.data()["batchNo"].as_str().unwrap().to_owned();
    let paused = service.post(&ann, &format!("{BATCHES}/{number}/pause"), "").await.data();
    assert_eq!((&paused["paused"], &paused["waitingRows"]), (&json!(true), &json!(3)));
    continue_batches(&service).await;
    assert_eq!(service.get(&ann, &format!("{API}/list")).await.data()["total"], 0);
    service.post(&ann, &format!("{BATCHES}/{number}/resume"), "").await.data();
    continue_batches(&service).await;
    assert_eq!(service.get(&ann, &format!("{API}/list")).await.data()["total"], 3);
}

#[tokio::test]
async fn the_same_batch_sent_at_once_is_one() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let batch = batch();
    let answers = futures_util::future::join_all((0..8).map(|_| send(&service, &ann, &batch))).await;
    let numbers: std::collections::BTreeSet<String> =
        answers.iter().map(|response| response.data()["batchNo"].to_string()).collect();
    assert_eq!(numbers.len(), 1);
    let rounds = (0..4).map(|_| continue_batches(&service));
    futures_util::future::join_all(rounds).await;
    assert_eq!(service.get(&ann, &format!("{API}/list")).await.data()["total"], 3);
    assert_eq!(balance(&service, &ann).await, 80);
    assert_eq!(service.store.points().audit().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn of_two_concurrent_batches_with_one_id_one_is_accepted() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let (one, mut other) = (batch(), batch());
    other["rows"][0]["title"] = json!("another");
    let answers = tokio::join!(send(&service, &ann, &one), send(&service, &ann, &other));
    let mut codes = [answers.0.code(), answers.1.code()];
    codes.sort_unstable();
    assert_eq!(codes, [0, 40900]);
    continue_batches(&service).await;
    assert_eq!(service.get(&ann, &format!("{API}/list")).await.data()["total"], 3);
    assert_eq!(service.store.points().audit().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn invalid_tables_are_refused_with_the_reason() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let check = async |table: &str, expected: &str| {
        let upload = service.upload(&ann, "/open-api/v1/uploads", table.to_owned()).await.data();
        let mut batch = batch();
        batch.as_object_mut().unwrap().remove("rows");
        batch["csvUrl"] = upload["url"].clone();
        let response = send(&service, &ann, &batch).await;
        assert!(response.json()["msg"].as_str().unwrap().contains(expected), "{response:?}");
        response.error(40001)
    };
    let rows = |count: usize| format!("title\n{}", "x\n".repeat(count));
    check(&rows(1_001), "1000").await;
    // Every row lacks what has no default.
    let missing = check("seconds\n3\n4\n", "row 1, column title").await;
    assert_eq!(places(&missing), [(1, Some("title")), (2, Some("title"))]);
    check("title,title\na,b\n", "title").await;
    check("title\n", "csvUrl").await;
    assert_eq!(balance(&service, &ann).await, 100);
}

#[tokio::test]
async fn the_callback_of_a_batch_is_logged_and_redelivered() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let mut called = batch();
    called["callbackUrl"] = json!("https://called.example/");
    let number = send(&service, &ann, &called).await.data()["batchNo"].as_str().unwrap().to_owned();
    let path = format!("{BATCHES}/{number}/callbacks");
    let redeliver = format!("{path}/redeliver");
    let before = service.get(&ann, &path).await.data();
    assert_eq!((&before["status"], &before["batchNo"]), (&json!("waiting"), &json!(number)));
    let data = service.post(&ann, &redeliver, "").await.error(40001);
    assert_eq!(data["errors"][0]["path"], "/path/batchNo");
    for response in [service.get(&bob, &path).await, service.post(&bob, &redeliver, "").await] {
        assert_eq!(response.code(), 40400);
    }

    service.post(&ann, &format!("{BATCHES}/{number}/cancel"), "").await.data();
    continue_batches(&service).await;
    let event =
        service.store.callbacks().claim(clipmill_server::clock::now_ms(), 30_000, 9).await.unwrap().unwrap();
    let attempt = clipmill_store::DeliveryAttempt {
        started_at: 1,
        duration_ms: Some(7),
        status: Some(410),
        error: Some(clipmill_core::message::receiver_answered(410u16)),
    };
    let given_up = clipmill_store::AttemptOutcome::GiveUp;
    service.store.callbacks().report_attempt(&event.lease, attempt, given_up, 2).await.unwrap();
    let failed = service.get(&ann, &path).await.data();
    assert_eq!((&failed["status"], &failed["type"]), (&json!("failed"), &json!("batch.cancelled")));
    assert_eq!(failed["attempts"][0]["status"], 410);
    let again = service.post(&ann, &redeliver, "").await.data();
    assert_eq!((&again["status"], &again["eventId"]), (&json!("due"), &failed["eventId"]));
}

#[tokio::test]
async fn the_archive_has_a_link_without_a_key_and_rows_report_failures() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let mut two = batch();
    two["rows"] = json!([{ "title": "one" }, { "title": "two" }]);
    let number = send(&service, &ann, &two).await.data()["batchNo"].as_str().unwrap().to_owned();
    let path = format!("{BATCHES}/{number}");
    assert_eq!(service.get(&ann, &path).await.data()["downloadUrl"], json!(null), "nothing is finished");
    continue_batches(&service).await;
    files::deliver(&service, "one.mp4", clipmill_server::clock::now_ms() + 60_000).await;
    let claimed = files::claim(&service).await;
    let failure = clipmill_store::JobFailure { error: files::damaged(), retry_at: None };
    service.store.jobs().fail(claimed.lease, failure, clipmill_server::clock::now_ms()).await.unwrap();

    let link = service.get(&ann, &path).await.data()["downloadUrl"].as_str().unwrap().to_owned();
    let link = &link[link.find("/open-api").unwrap()..];
    let ask = async |link: &str| service.call(request("GET", link).body(Default::default()).unwrap()).await;
    let archive = ask(link).await;
    assert_eq!(archive.status, 200);
    assert_eq!(files::only_entry(&archive), "0001-one – 1.mp4", "by its row and its task");
    let name = format!("attachment; filename=\"{number}.zip\"; filename*=UTF-8''June.zip");
    assert_eq!(archive.header("content-disposition"), name);
    ask(&link.replace("signature=", "signature=A")).await.error(40300);
    ask(&link.replace("expires=", "expires=9")).await.error(40300);
    ask(&format!("{path}/download")).await.error(40100);
    let listed = service.get(&ann, BATCHES).await.data();
    assert!(listed["list"][0].get("downloadUrl").is_none(), "lists sign no links");

    let rows = service.get(&ann, &format!("{path}/rows?state=failed")).await.data();
    let row = &rows["list"][0];
    assert_eq!((&rows["total"], &row["row"], &row["failedItems"]), (&json!(1), &json!(2), &json!(1)));
    assert!(row["taskError"].as_str().unwrap().contains("broken"), "{row}");
    service.get(&ann, &format!("{path}/rows?state=broken")).await.error(40001);

    // Programs read the columns by position; people find their own cells first.
    let brief = table(&service, &ann, &path, "", "en").await;
    assert_eq!(brief[0], ["row", "taskNo", "item", "url", "error"]);
    assert_eq!((brief[1].len(), brief[1][0].as_str(), brief[2][2].as_str()), (5, "1", "1"));
    let lines = table(&service, &ann, &path, "?values=true", "en").await;
    assert_eq!(lines[0], ["title", "Row", "Task", "State", "Links", "Error"]);
    assert_eq!((lines[1][0].as_str(), lines[1][1].as_str(), lines[1][3].as_str()), ("one", "1", "completed"));
    assert!(lines[1][4].starts_with("http://127.0.0.1:8080/files/VP"), "{lines:?}");
    assert_eq!((lines[2][3].as_str(), lines[2][4].as_str()), ("rejected", ""));
    assert!(lines[2][5].contains("broken"), "{lines:?}");
    service.get(&ann, &format!("{path}/results.csv?values=yes")).await.error(40001);
    service.get(&ann, &format!("{path}/results.csv?value=true")).await.error(40001);
}

/// The cells of a table without commas in them.
async fn table(service: &Service, user: &User, batch: &str, query: &str, language: &str) -> Vec<Vec<String>> {
    let request =
        keyed(user, "GET", &format!("{batch}/results.csv{query}")).header("accept-language", language);
    let response = service.call(request.body(Default::default()).unwrap()).await;
    assert_eq!(response.status, 200);
    assert!(response.header("content-disposition").ends_with("filename*=UTF-8''June.csv"));
    let text = String::from_utf8(response.body.to_vec()).unwrap();
    let lines = text.strip_prefix('\u{FEFF}').unwrap().lines();
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[tokio::test]
async fn a_table_for_people_has_headers_in_their_language_and_no_formulas() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let mut formulas = batch();
    formulas["rows"] = json!([{ "title": "=1+1", "seconds": 2 }, { "title": "@x" }, { "title": "plain" }]);
    let number = send(&service, &ann, &formulas).await.data()["batchNo"].as_str().unwrap().to_owned();
    let path = format!("{BATCHES}/{number}");
    let lines = table(&service, &ann, &path, "?values=true", "zh").await;
    assert_eq!(lines[0], ["title", "seconds", "行号", "任务", "状态", "链接", "错误"]);
    assert_eq!(lines[1], ["'=1+1", "2", "1", "", "等待", "", ""]);
    assert_eq!((lines[2][0].as_str(), lines[3][0].as_str()), ("'@x", "plain"));
    service.post(&ann, &format!("{path}/cancel"), "").await.data();
    let lines = table(&service, &ann, &path, "?values=true", "zh").await;
    assert_eq!((lines.len(), lines[3][4].as_str()), (4, "已取消"));
}

#[tokio::test]
async fn lists_of_a_table_are_written_as_they_were_read() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    let mut lists = batch();
    lists["request"]["params"]["videoList"][0]["videos"][0]["url"] = json!("{{clips}}");
    lists["variables"][1] = json!({ "name": "clips", "type": "urls" });
    let url = |number: u32| format!("https://media.example/{number}.mp4");
    let cell = format!("{}|https://media.example/a\\|b.mp4", url(1));
    lists["rows"] = json!([
        { "title": "one", "clips": [url(1), "https://media.example/a|b.mp4"] }, { "title": "two", "clips": cell },
    ]);
    let number = send(&service, &ann, &lists).await.data()["batchNo"].as_str().unwrap().to_owned();
    continue_batches(&service).await;
    let path = format!("{BATCHES}/{number}");
    let lines = table(&service, &ann, &path, "?values=true", "en").await;
    assert_eq!(lines[0][..2], ["title", "clips"]);
    assert_eq!((&lines[1][1], &lines[2][1]), (&cell, &cell));
    let rows = service.get(&ann, &format!("{path}/rows")).await.data();
    assert_eq!(rows["list"][0]["values"]["clips"], lists["rows"][0]["clips"]);
    for row in 0..2 {
        let task_no = rows["list"][row]["taskNo"].as_str().unwrap();
        let request = service.get(&ann, &format!("{API}/request/{task_no}")).await.data();
        assert_eq!(request["params"]["videoList"][0]["videos"][1]["url"], "https://media.example/a|b.mp4");
    }

    // The table as a file, with a column for each entry.
    let csv = format!("title;clips1;clips2;clips3\none;{};{};\ntwo;{};;\n", url(1), url(2), url(3));
    let upload = service.upload(&ann, "/open-api/v1/uploads?fileName=rows.csv", csv).await.data();
    lists.as_object_mut().unwrap().remove("rows");
    lists["clientBatchId"] = json!("columns");
    lists["csvUrl"] = upload["url"].clone();
    let response = send(&service, &ann, &lists).await.data();
    assert_eq!((&response["totalRows"], response.get("warnings")), (&json!(2), None));
}

#[tokio::test]
async fn a_list_of_tasks_can_fold_batches() {
    let service = Service::start().await;
    let ann = service.user("ann", 1_000).await;
    service.submit(&ann, &named_task("before")).await.data();
    let number = send(&service, &ann, &batch()).await.data()["batchNo"].as_str().unwrap().to_owned();
    continue_batches(&service).await;
    service.submit(&ann, &named_task("after")).await.data();
    let list = async |query: &str| service.get(&ann, &format!("{API}/list{query}")).await.data();
    let ids = |page: &Value| -> Vec<String> {
        let list = page["list"].as_array().unwrap().iter();
        list.map(|task| task["clientTaskId"].as_str().unwrap().to_owned()).collect()
    };
    let single = list("").await;
    assert_eq!((&single["total"], single.get("batches")), (&json!(5), None), "as before");
    let folded = list("?batches=fold").await;
    assert_eq!((&folded["total"], ids(&folded)), (&json!(3), vec!["after".to_owned(), "before".to_owned()]));
    let batches = folded["batches"].as_array().unwrap();
    assert_eq!(
        (batches.len(), &batches[0]["batchNo"], &batches[0]["madeRows"]),
        (1, &json!(number), &json!(3))
    );
    // A page holds tasks and batches.
    let second = list("?batches=fold&pageSize=1&pageNo=2").await;
    assert_eq!((ids(&second).len(), &second["batches"][0]["name"]), (0, &json!("June")));
    // Filters that only apply to tasks list tasks.
    for query in ["status=0", "q=june", "taskType=baseVideoMix"] {
        let page = list(&format!("?batches=fold&{query}")).await;
        assert_eq!(page["batches"], json!([]), "{query}");
        assert!(ids(&page).iter().any(|id| id == "june#1"), "{query}: {page}");
    }
    service.get(&ann, &format!("{API}/list?batches=all")).await.error(40001);
    service.get(&ann, &format!("{API}/list?batch=fold")).await.error(40001);
}
