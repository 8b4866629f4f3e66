//! Keys, and what the key of another user sees.

use axum::body::Body;
use clipmill_core::ids::TaskNo;
use clipmill_server::{clock, keys};

use crate::harness::{API, Service, User, keyed, request, task};

const KEYED: [(&str, &str); 6] = [
    ("POST", "/open-api/v1/video-process/submit"),
    ("GET", "/open-api/v1/video-process/status/VP00000000000000000000000000"),
    ("GET", "/open-api/v1/video-process/list"),
    ("GET", "/open-api/v1/video-process/balance"),
    ("GET", "/open-api/v1/video-process/records"),
    ("POST", "/open-api/v1/uploads"),
];

#[tokio::test]
async fn every_endpoint_wants_a_key_that_counts() {
    let service = Service::start().await;
    let ann = service.user("ann", 0).await;
    let expired = service.key(ann.id, Some(clock::now_ms() - 1)).await;
    let unknown = keys::new_key([3; 32]).text;
    for (method, path) in KEYED {
        let keyless = service.call(request(method, path).body(Body::empty()).unwrap()).await;
        keyless.error(40100);
        for (key, code) in [("cm_live_x", 40100), (&unknown, 40100), (&expired, 40101)] {
            let user = User { id: ann.id, key: key.to_owned() };
            let answer = service.call(keyed(&user, method, path).body(Body::empty()).unwrap()).await;
            answer.error(code);
        }
    }
    let odd = request("GET", KEYED[3].1).header("X-API-Key", b"\xff\xfe".as_slice());
    service.call(odd.body(Body::empty()).unwrap()).await.error(40100);
    let later = User { id: ann.id, key: service.key(ann.id, Some(clock::now_ms() + 60_000)).await };
    service.get(&later, KEYED[3].1).await.data();
}

#[tokio::test]
async fn a_task_of_another_user_looks_like_none() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let task_no = service.submit(&ann, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    let status = |task_no: &str| format!("{API}/status/{task_no}");

    service.get(&ann, &status(&task_no)).await.data();
    let of_another = service.get(&bob, &status(&task_no)).await;
    of_another.error(40400);
    let unknown = TaskNo::new(clock::now_ms(), [9; 10]);
    let of_nobody = service.get(&bob, &status(unknown.as_str())).await;
    let malformed = service.get(&bob, &status("VP1")).await;
    assert_eq!(of_another.body, of_nobody.body);
    assert_eq!(of_another.body, malformed.body);

    assert_eq!(service.get(&bob, &format!("{API}/list")).await.data()["total"], 0);
    let records = service.get(&bob, &format!("{API}/records?taskNo={task_no}")).await.data();
    assert_eq!(records["total"], 0);
}

#[tokio::test]
async fn each_key_has_its_limits_and_every_answer_tells_where_it_stands() {
    let slow = |config: &mut clipmill_server::Config| {
        config.limits.read_rate = "1/h".parse().unwrap();
        config.limits.read_burst = 2.try_into().unwrap();
    };
    let service = Service::with(slow).await;
    let [alice, bob] = [service.user("alice", 0).await, service.user("bob", 0).await];
    let balance = format!("{API}/balance");
    for left in [1, 0] {
        let answer = service.get(&alice, &balance).await;
        answer.data();
        assert_eq!(answer.header("ratelimit-policy"), "\"reading\";q=2;w=7200");
        assert!(answer.header("ratelimit").starts_with(&format!("\"reading\";r={left};t=")), "{answer:?}");
    }
    let refused = service.get(&alice, &balance).await;
    let seconds = refused.error(42900)["seconds"].as_u64().unwrap();
    assert_eq!(refused.header("retry-after"), seconds.to_string());
    assert!(refused.header("ratelimit").starts_with("\"reading\";r=0;"), "{refused:?}");

    service.get(&bob, &balance).await.data();
    // Submitting has a bucket of its own.
    service.submit(&alice, &task()).await.error(40200);
}
