//! Status, list, balance and records.

use clipmill_core::footage::Footage;
use clipmill_core::ids::TaskNo;
use clipmill_core::media::ContentHash;
use clipmill_core::plan::{Diversity, Pair};
use clipmill_core::similarity::{FrameHash, FrameHashes};
use clipmill_server::clock;
use clipmill_store::{ItemResult, Job, PreflightItem, PreflightResult, Scope};
use serde_json::{Value, json};

use crate::files::{claim, item_plan, result};
use crate::harness::{API, Service, User, named_task, task};

async fn page(service: &Service, user: &User, path: &str) -> (Vec<Value>, Value) {
    let mut data = service.get(user, &format!("{API}/{path}")).await.data();
    let list = data["list"].take();
    (list.as_array().unwrap().clone(), data)
}

#[tokio::test]
async fn status_shows_a_fresh_task_with_its_items() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let submitted = service.submit(&ann, &named_task("order 1")).await.data();
    let status =
        service.get(&ann, &format!("{API}/status/{}", submitted["taskNo"].as_str().unwrap())).await.data();
    for (name, expected) in [
        ("taskNo", submitted["taskNo"].clone()),
        ("taskId", submitted["taskId"].clone()),
        ("taskType", json!("videoDeduplication")),
        ("status", json!(0)),
        ("statusName", json!("pending submission")),
        ("progressPercent", json!(0)),
        ("clientTaskId", json!("order 1")),
        ("totalItems", json!(1)),
        ("estimatedDotCount", json!(20)),
        ("consumedDotCount", json!(0)),
        ("finishTime", Value::Null),
    ] {
        assert_eq!(status[name], expected, "{name}");
    }
    let items = status["items"].as_array().unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!((&items[0]["itemNo"], &items[0]["url"]), (&json!(1), &Value::Null));
    assert!(status["createTime"].as_str().unwrap().ends_with('Z'));
}

#[tokio::test]
async fn lists_are_paged_newest_first_and_filtered() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let mut submitted = Vec::new();
    for _ in 0..3 {
        submitted.push(service.submit(&ann, &task()).await.data()["taskNo"].clone());
    }
    let task_nos = |list: &[Value]| list.iter().map(|task| task["taskNo"].clone()).collect::<Vec<_>>();

    let (list, about) = page(&service, &ann, "list?pageSize=2").await;
    assert_eq!(task_nos(&list), [submitted[2].clone(), submitted[1].clone()]);
    assert_eq!(about, json!({ "list": null, "total": 3, "pageNo": 1, "pageSize": 2 }));
    assert!(list.iter().all(|task| task.get("items").is_none()));
    let (list, _) = page(&service, &ann, "list?pageSize=2&pageNo=2").await;
    assert_eq!(task_nos(&list), [submitted[0].clone()]);
    let (list, about) = page(&service, &ann, "list?pageNo=4294967295&pageSize=100").await;
    assert_eq!((list.len(), &about["total"]), (0, &json!(3)));

    for (filter, expected) in
        [("status=0", 3), ("status=3", 0), ("taskType=videoDeduplication", 3), ("taskType=proVideoMix", 0)]
    {
        let (_, about) = page(&service, &ann, &format!("list?{filter}")).await;
        assert_eq!(about["total"], expected, "{filter}");
    }
}

#[tokio::test]
async fn a_database_that_does_not_respond_is_unavailable() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    service.store.close().await;
    for response in [service.get(&ann, &format!("{API}/balance")).await, service.submit(&ann, &task()).await]
    {
        assert_eq!(response.error(50300), Value::Null);
        assert_eq!(response.header("retry-after"), "5");
    }
}

#[tokio::test]
async fn pairs_of_outputs_are_listed_by_what_they_share() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 1000).await, service.user("bob", 0).await);
    let mut body = task();
    body["params"]["videoList"][0]["copies"] = json!(4);
    let submitted = service.submit(&ann, &body).await.data();
    assert_eq!((&submitted["totalItems"], &submitted["estimatedDotCount"]), (&json!(4), &json!(80)));
    let path = format!("diversity/{}", submitted["taskNo"].as_str().unwrap());
    let (list, about) = page(&service, &ann, &path).await;
    assert_eq!((list.len(), &about["total"]), (0, &json!(0)), "not planned yet");

    // The third output cannot be rendered.
    let item = |item_no: u32| PreflightItem {
        item_no,
        recipe: json!({}),
        footage: Footage::of([(ContentHash("a".into()), 0..u64::from(item_no) * 30)]),
        warnings: Vec::new(),
        outcome: if item_no == 3 { Err(crate::files::damaged()) } else { Ok(item_plan()) },
    };
    let pair = Pair { items: [2, 4], shared_seconds: 2.0, similarity: None };
    let diversity =
        Diversity { pairs: vec![pair], total_pairs: Some(3), most_similar: pair, most_alike: None };
    let items = (1..=4).map(item).collect();
    let preflight = PreflightResult { items, diversity: Some(diversity), ..PreflightResult::default() };
    let claimed = claim(&service).await;
    service.store.jobs().complete_preflight(claimed.lease, preflight, clock::now_ms()).await.unwrap();

    let (list, about) = page(&service, &ann, &path).await;
    let pairs = [([2, 4], 2.0), ([1, 2], 1.0), ([1, 4], 1.0)];
    let pairs =
        pairs.map(|(items, shared)| json!({ "items": items, "sharedSeconds": shared, "similarity": null }));
    assert_eq!((list.as_slice(), &about["total"]), (pairs.as_slice(), &json!(3)));
    let (list, about) = page(&service, &ann, &format!("{path}?pageNo=2&pageSize=2")).await;
    assert_eq!((list.as_slice(), &about["pageNo"]), (&pairs[2..], &json!(2)));
    let (list, _) = page(&service, &ann, &format!("{path}?pageNo=4294967295&pageSize=2000")).await;
    assert!(list.is_empty());
    service.get(&ann, &format!("{API}/{path}?pageSize=2001")).await.error(40001);

    // How alike they look is known once all have ended: the first and the second are the same film, and so is the
    // mirror image of the fourth.
    let status = format!("{API}/status/{}", submitted["taskNo"].as_str().unwrap());
    assert_eq!(service.get(&ann, &status).await.data()["diversity"]["mostAlike"], Value::Null);
    let film = |plain: u64, mirrored: u64| FrameHashes(vec![FrameHash { plain, mirrored }; 6]);
    for _ in 0..3 {
        let claimed = claim(&service).await;
        let Job::Assemble { item_no, .. } = claimed.job else { panic!("{:?}", claimed.job) };
        let pictures = if item_no == 4 { film(3, u64::MAX) } else { film(u64::MAX, 9) };
        let result = ItemResult { pictures: Some(pictures), ..result("x", clock::now_ms() + 60_000) };
        service.store.jobs().complete_item(claimed.lease, result, 1, clock::now_ms()).await.unwrap();
    }
    let diversity = service.get(&ann, &status).await.data()["diversity"].clone();
    assert_eq!(
        diversity["mostAlike"],
        json!({ "items": [1, 2], "sharedSeconds": 1.0, "similarity": 1.0 }),
        "{diversity:#}"
    );
    assert_eq!(diversity["mostSimilar"]["similarity"], 1.0);
    let (list, _) = page(&service, &ann, &path).await;
    assert!(list.iter().all(|pair| pair["similarity"] == 1.0), "{list:#?}");

    for (user, path) in [(&bob, path.as_str()), (&ann, "diversity/nothing")] {
        let response = service.get(user, &format!("{API}/{path}")).await;
        assert_eq!(response.status, 404, "{path}");
    }
}

#[tokio::test]
async fn records_add_up_to_the_balance() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let task_no = service.submit(&ann, &task()).await.data()["taskNo"].clone();
    let (list, about) = page(&service, &ann, "records").await;
    assert_eq!(about["total"], 2);
    let (hold, grant) = (&list[0], &list[1]);
    let kinds = (&hold["type"], &hold["dotCount"], &hold["amount"], &hold["balanceAfter"]);
    assert_eq!(kinds, (&json!("hold"), &json!(-20), &json!(20), &json!(80)));
    assert_eq!((&hold["taskNo"], &hold["itemNo"]), (&task_no, &json!(1)));
    assert_eq!(
        (&grant["type"], &grant["dotCount"], &grant["taskNo"]),
        (&json!("grant"), &json!(100), &Value::Null)
    );
    assert_eq!(grant["remark"], "to try");
    assert!(grant["recordNo"].is_i64() && grant["createTime"].is_string());

    let spendable = service.get(&ann, &format!("{API}/balance")).await.data()["balance"].clone();
    let sum: i64 = list.iter().map(|record| record["dotCount"].as_i64().unwrap()).sum();
    assert_eq!(spendable, sum);

    let (list, _) = page(&service, &ann, "records?type=grant").await;
    assert_eq!(list.len(), 1);
    let (list, _) = page(&service, &ann, &format!("records?taskNo={}", task_no.as_str().unwrap())).await;
    assert_eq!(list.len(), 1);
    let (list, about) = page(&service, &ann, "records?pageSize=1&pageNo=2").await;
    assert_eq!((&list[0]["type"], &about["total"]), (&json!("grant"), &json!(2)));
}

#[tokio::test]
async fn a_request_can_be_read_back_and_sent_again() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let mut body = named_task("order 2");
    body["params"]["options"] = json!({ "preset": "draft", "speed": { "isSpeed": true, "end": 1.2 } });
    let submitted = service.submit(&ann, &body).await.data();
    let path = format!("{API}/request/{}", submitted["taskNo"].as_str().unwrap());
    let request = service.get(&ann, &path).await.data();
    let same = service.submit(&ann, &request).await.data();
    assert_eq!((&same["taskNo"], &same["duplicate"]), (&submitted["taskNo"], &json!(true)), "{request}");
    service.get(&bob, &path).await.error(40400);
}

#[tokio::test]
async fn tasks_have_names_and_labels_and_are_found_by_them() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let mut mug = named_task("order 1");
    mug["name"] = json!("春季 Blue mug");
    mug["labels"] = json!(["shop", "shop", "spring"]);
    let first = service.submit(&ann, &mug).await.data();
    let status =
        service.get(&ann, &format!("{API}/status/{}", first["taskNo"].as_str().unwrap())).await.data();
    assert_eq!((&status["name"], &status["labels"]), (&mug["name"], &json!(["shop", "spring"])));
    // Another name does not change the request.
    mug["name"] = json!("renamed");
    mug["labels"] = json!([]);
    let again = service.submit(&ann, &mug).await.data();
    assert_eq!((&again["taskNo"], &again["duplicate"]), (&first["taskNo"], &json!(true)));
    service.submit(&ann, &task()).await.data();

    for (query, found) in [
        ("q=blue", 1),
        ("q=%E6%98%A5", 1),
        ("q=order", 1),
        ("q=lue", 0),
        ("label=shop", 1),
        ("label=sho", 0),
        ("from=2020-01-01", 2),
        ("to=2020-01-01", 0),
        ("from=2020-01-01T00:00:00%2B08:00&label=spring&q=mug", 1),
        ("", 2),
    ] {
        let (list, about) = page(&service, &ann, &format!("list?{query}")).await;
        assert_eq!((list.len(), &about["total"]), (found, &json!(found)), "{query}");
    }
    assert_eq!(page(&service, &bob, "list?q=blue").await.1["total"], 0);
    for (query, path) in [("from=soon", "/query/from"), ("to=2026-02-30", "/query/to"), ("q=%00", "/query/q")]
    {
        let response = service.get(&ann, &format!("{API}/list?{query}")).await;
        assert_eq!(response.code(), 40001, "{query}");
        assert_eq!(response.json()["data"]["errors"][0]["path"], path);
    }
    for (field, wrong) in [
        ("name", json!("x".repeat(121))),
        ("name", json!("a\nb")),
        ("labels", json!("shop")),
        ("labels", json!(vec!["x"; 11])),
        ("labels", json!([""])),
        ("labels", json!(["x".repeat(61)])),
    ] {
        let mut wrongly = task();
        wrongly[field] = wrong;
        assert_eq!(service.submit(&ann, &wrongly).await.code(), 40001, "{wrongly}");
    }
}

#[tokio::test]
async fn only_the_owner_can_rename_a_task() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let mut body = named_task("order 1");
    (body["name"], body["labels"]) = (json!("Spring sale"), json!(["shop"]));
    let submitted = service.submit(&ann, &body).await.data();
    let number = submitted["taskNo"].as_str().unwrap().to_owned();
    let path = format!("{API}/{number}");
    let rename = async |body: Value| service.send("PATCH", &ann, &path, &body).await;
    let matches = async |query: &str| page(&service, &ann, &format!("list?{query}")).await.1["total"] == 1;

    let renamed = rename(json!({ "name": "Autumn 秋季" })).await.data();
    assert_eq!((&renamed["name"], &renamed["labels"]), (&json!("Autumn 秋季"), &json!(["shop"])));
    assert_eq!(renamed["items"].as_array().unwrap().len(), 1);
    assert!(
        matches("q=autumn").await && matches("q=%E7%A7%8B&label=shop").await && !matches("q=spring").await
    );
    let labelled = rename(json!({ "labels": ["new", "new", "main"] })).await.data();
    assert_eq!((&labelled["name"], &labelled["labels"]), (&json!("Autumn 秋季"), &json!(["new", "main"])));
    assert!(matches("label=main&q=order").await && !matches("label=shop").await);
    let request = service.get(&ann, &format!("{API}/request/{number}")).await.data();
    assert_eq!((&request["name"], &request["labels"]), (&labelled["name"], &labelled["labels"]));
    // It is still the same request.
    assert_eq!(service.submit(&ann, &request).await.data()["duplicate"], true);

    for (wrong, at) in [
        (json!({}), "/name"),
        (json!({ "name": "x".repeat(121) }), "/name"),
        (json!({ "name": "a\nb" }), "/name"),
        (json!({ "labels": "shop" }), "/labels"),
        (json!({ "labels": vec!["x"; 11] }), "/labels"),
        (json!({ "name": "new", "labels": [""] }), "/labels/0"),
        (json!({ "labels": ["x".repeat(61)] }), "/labels/0"),
        (json!([]), ""),
    ] {
        let response = rename(wrong.clone()).await;
        assert_eq!(
            (response.code(), &response.json()["data"]["errors"][0]["path"]),
            (40001, &json!(at)),
            "{wrong}"
        );
    }
    assert_eq!(service.send("PATCH", &ann, &path, &json!("{")).await.code(), 40001);
    // A partly invalid change is not applied at all.
    assert!(matches("q=autumn&label=main").await);
    service.send("PATCH", &bob, &path, &json!({ "name": "mine" })).await.error(40400);
    let reader = service.scoped(&ann, &[Scope::Read]).await;
    service.send("PATCH", &reader, &path, &json!({ "name": "mine" })).await.error(40300);
    for unknown in [format!("{API}/{}", TaskNo::new(1, [0; 10])), format!("{API}/nonsense")] {
        service.send("PATCH", &ann, &unknown, &json!({ "name": "x" })).await.error(40400);
    }
    // Tasks in any state can be renamed, even without storage or points left.
    service.post(&ann, &format!("{API}/cancel/{number}"), "").await.data();
    let bare = rename(json!({ "name": null, "labels": [] })).await.data();
    assert_eq!((&bare["name"], &bare["labels"], &bare["status"]), (&Value::Null, &json!([]), &json!(5)));
    assert!(!matches("q=autumn").await && matches("q=order").await);
}

#[tokio::test]
async fn outputs_of_all_tasks_are_listed_only_to_their_owner() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let mut body = named_task("order 7");
    (body["name"], body["labels"]) = (json!("Spring sale"), json!(["shop"]));
    service.submit(&ann, &body).await.data();
    crate::files::deliver(&service, "old.mp4", clock::now_ms() - 1).await;
    let newest = service.submit(&ann, &task()).await.data()["taskNo"].clone();
    crate::files::deliver(&service, "new.mp4", clock::now_ms() + 60_000).await;

    let (list, about) = page(&service, &ann, "outputs").await;
    assert_eq!(about, json!({ "list": null, "total": 2, "pageNo": 1, "pageSize": 10 }));
    let status = format!("{API}/status/{}", newest.as_str().unwrap());
    let item = service.get(&ann, &status).await.data()["items"][0].clone();
    assert_eq!(list[0]["taskNo"], newest);
    for name in
        ["itemNo", "duration", "width", "fps", "sizeBytes", "sha256", "seed", "fileExpiresAt", "videoCodec"]
    {
        assert_eq!(list[0][name], item[name], "{name}");
    }
    assert!(list[0]["url"].as_str().unwrap().contains("/1.mp4?"), "{}", list[0]["url"]);
    // Its file has been deleted, but it is still listed.
    assert_eq!((&list[1]["url"], &list[1]["coverUrl"]), (&Value::Null, &Value::Null));
    let called = (&list[1]["name"], &list[1]["labels"], &list[1]["clientTaskId"]);
    assert_eq!(called, (&json!("Spring sale"), &json!(["shop"]), &json!("order 7")));
    for (filter, total) in [
        ("q=spring", 1),
        ("label=shop", 1),
        ("label=none", 0),
        ("taskType=proVideoMix", 0),
        ("from=2100-01-01", 0),
    ] {
        assert_eq!(page(&service, &ann, &format!("outputs?{filter}")).await.1["total"], total, "{filter}");
    }
    assert_eq!(page(&service, &bob, "outputs").await.1["total"], 0);
    service.get(&ann, &format!("{API}/outputs?pageSize=101&from=soon")).await.error(40001);

    // The list of tasks has an image of each task with a file.
    let (tasks, _) = page(&service, &ann, "list").await;
    let cover = tasks[0]["coverUrl"].as_str().unwrap();
    assert!(cover.contains("/1.jpg?"), "{cover}");
    assert_eq!(tasks[1].get("coverUrl"), Some(&Value::Null));
    assert!(service.get(&ann, &status).await.data()["coverUrl"].as_str().unwrap().contains("/1.jpg?"));
}
