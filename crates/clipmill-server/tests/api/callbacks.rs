//! Callbacks: delivery to misbehaving receivers, log, redelivery, and tests.

use std::time::Duration;

use clipmill_server::Config;
use clipmill_server::clock;
use serde_json::{Value, json};

use crate::harness::{API, Service, User, task};
use crate::receiver::{Behaviour, Receiver};

const OK: Behaviour = Behaviour::Head("200 OK");
const ERROR: Behaviour = Behaviour::Head("500 Internal Server Error");

/// Allows receivers on this machine; ten attempts in succession.
fn local(config: &mut Config) {
    config.fetch.allow_networks = vec!["127.0.0.1".parse().unwrap()];
    config.fetch.allow_ports = "*".parse().unwrap();
    config.callbacks.schedule = vec!["1ms".parse().unwrap(); 10];
    config.callbacks.jitter = 0;
}

struct Scene {
    service: Service,
    ann: User,
    secret: String,
}

impl Scene {
    async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let service = Service::with(|config| {
            local(config);
            change(config);
        })
        .await;
        let ann = service.user("ann", 100_000).await;
        let secret = clipmill_server::account::keys::new_webhook_secret([5; 32]);
        service.store.users().rotate_secret(ann.id, &secret, 0).await.unwrap();
        service.deliver();
        Self { service, ann, secret }
    }

    /// A task with this callback that has ended; its number.
    async fn ended(&self, url: &str) -> String {
        let mut task = task();
        task["callbackUrl"] = json!(url);
        let task_no = self.service.submit(&self.ann, &task).await.data()["taskNo"].clone();
        let task_no = task_no.as_str().unwrap().to_owned();
        self.service.post(&self.ann, &format!("{API}/cancel/{task_no}"), "").await.data();
        task_no
    }

    async fn callback(&self, task_no: &str) -> Value {
        self.service.get(&self.ann, &format!("{API}/callbacks/{task_no}")).await.data()
    }

    async fn settled(&self, task_no: &str) -> Value {
        let waiting = async {
            loop {
                let callback = self.callback(task_no).await;
                if callback["status"] == "delivered" || callback["status"] == "failed" {
                    return callback;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(120), waiting).await.unwrap()
    }
}

#[tokio::test]
async fn a_callback_is_signed_and_matches_the_status() {
    let scene = Scene::with(|_| ()).await;
    let receiver = Receiver::start(&[OK]).await;
    let task_no = scene.ended(&receiver.url()).await;
    let callback = scene.settled(&task_no).await;
    assert_eq!((&callback["status"], &callback["type"]), (&json!("delivered"), &json!("task.cancelled")));
    let call = receiver.calls().remove(0);
    assert_eq!(call.header("webhook-id"), format!("evt_{task_no}"));
    assert_eq!(callback["eventId"], json!(format!("evt_{task_no}")));
    assert_eq!(call.header("content-type"), "application/json");
    let sent_s: i64 = call.header("webhook-timestamp").parse().unwrap();
    assert!((clock::now_ms() / 1000 - sent_s).abs() < 120);
    assert!(call.is_signed_by(&scene.secret));
    assert!(!call.is_signed_by(&clipmill_server::account::keys::new_webhook_secret([6; 32])));
    let (body, status) =
        (call.json(), scene.service.get(&scene.ann, &format!("{API}/status/{task_no}")).await.data());
    assert_eq!(body["type"], "task.cancelled");
    assert_eq!(body["timestamp"], status["finishTime"]);
    assert_eq!(body["data"], status);
    assert_eq!(body.as_object().unwrap().len(), 3, "{body}");
    let attempts = callback["attempts"].as_array().unwrap();
    assert_eq!(
        (attempts.len(), &attempts[0]["status"], &attempts[0]["error"]),
        (1, &json!(200), &Value::Null)
    );
}

#[tokio::test]
async fn a_callback_that_cannot_be_sent_is_a_warning() {
    let scene = Scene::with(|config| config.fetch.allow_networks.clear()).await;
    for (url, is_warned) in [
        ("http://10.0.0.1/hook", true),
        ("http://localhost/hook", true),
        ("http://[::1]:9/hook", true),
        ("https://hooks.example/clips", false),
    ] {
        let mut task = task();
        task["callbackUrl"] = json!(url);
        for path in ["estimate", "submit"] {
            let response =
                scene.service.post(&scene.ann, &format!("{API}/{path}"), task.to_string()).await.data();
            // A submission without warnings leaves their list out.
            let warnings = response["warnings"].as_array().into_iter().flatten();
            let count = warnings.filter(|warning| warning["path"] == "/callbackUrl").count();
            assert_eq!(count, usize::from(is_warned), "{path} with {url}: {response:#}");
        }
    }
}

#[tokio::test]
async fn a_receiver_may_fail_in_every_way() {
    let quick = |config: &mut Config| config.callbacks.timeout = "300ms".parse().unwrap();
    let scene = Scene::with(quick).await;
    let check = async |behaviours: &[Behaviour], status: &str, attempts: usize, word: &str| {
        let receiver = Receiver::start(behaviours).await;
        let task_no = scene.ended(&receiver.url()).await;
        let callback = scene.settled(&task_no).await;
        assert_eq!(callback["status"], status, "{behaviours:?}: {callback:#}");
        let log = callback["attempts"].as_array().unwrap();
        assert_eq!((log.len(), receiver.calls().len()), (attempts, attempts), "{behaviours:?}");
        let first = log[0]["error"].as_str().unwrap_or("none");
        assert!(first.contains(word), "{behaviours:?}: {first}");
        assert!(callback["nextAttemptTime"].is_null());
        let ids: Vec<_> = receiver.calls().iter().map(|call| call.header("webhook-id").to_owned()).collect();
        assert!(ids.iter().all(|id| *id == format!("evt_{task_no}")), "{ids:?}");
        assert!(receiver.calls().iter().all(|call| call.is_signed_by(&scene.secret)));
    };
    let redirect = Behaviour::Head("301 Moved Permanently\r\nLocation: http://127.0.0.1:1/");
    check(&[redirect, OK], "delivered", 2, "redirects are not followed").await;
    check(&[Behaviour::Head("410 Gone")], "failed", 1, "410").await;
    check(&[Behaviour::Silence, OK], "delivered", 2, "no response within 0.3 s").await;
    check(&[ERROR], "failed", 10, "500").await;
    check(&[ERROR, ERROR, Behaviour::Head("204 No Content")], "delivered", 3, "500").await;
    check(&[Behaviour::Endless], "delivered", 1, "none").await;
}

#[tokio::test]
async fn private_addresses_are_not_called() {
    let scene = Scene::with(|_| ()).await;
    let receiver = Receiver::start(&[OK]).await;
    let port = receiver.address.port();
    for (host, attempts) in [("127.0.0.2", 1), ("10.0.0.1", 1), ("[::1]", 1), ("0x7f.0.0.2", 1)] {
        let task_no = scene.ended(&format!("http://{host}:{port}/")).await;
        let callback = scene.settled(&task_no).await;
        assert_eq!(callback["status"], "failed", "{host}: {callback:#}");
        let log = callback["attempts"].as_array().unwrap();
        assert_eq!(log.len(), attempts, "{host}");
        assert!(log[0]["error"].as_str().unwrap().contains("is not allowed"), "{log:?}");
    }
    assert_eq!(receiver.calls().len(), 0);
}

#[tokio::test]
async fn a_receiver_can_request_more_time() {
    let scene = Scene::with(|_| ()).await;
    let busy = Behaviour::Head("503 Service Unavailable\r\nRetry-After: 3600");
    let receiver = Receiver::start(&[busy, OK]).await;
    let before = clock::now_ms();
    let task_no = scene.ended(&receiver.url()).await;
    receiver.wait_for(1).await;
    let waiting = async {
        loop {
            let callback = scene.callback(&task_no).await;
            if callback["status"] == "due" && !callback["attempts"].as_array().unwrap().is_empty() {
                return callback;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let callback = tokio::time::timeout(Duration::from_secs(60), waiting).await.unwrap();
    let earliest = clipmill_server::view::rfc3339(before + 3_600_000);
    assert!(callback["nextAttemptTime"].as_str().unwrap() >= earliest.as_str(), "{callback:#}");
    // A client that does not want to wait so long asks for another delivery.
    let again = format!("{API}/callbacks/{task_no}/redeliver");
    scene.service.post(&scene.ann, &again, "").await.data();
    assert_eq!(scene.settled(&task_no).await["status"], "delivered");
    let calls = receiver.calls();
    assert_eq!((calls.len(), calls[0].header("webhook-id")), (2, calls[1].header("webhook-id")));
    scene.service.post(&scene.ann, &again, "").await.data();
    receiver.wait_for(3).await;
}

#[tokio::test]
async fn both_secrets_sign_while_one_is_replaced() {
    let scene = Scene::with(|_| ()).await;
    let receiver = Receiver::start(&[OK]).await;
    let newer = clipmill_server::account::keys::new_webhook_secret([9; 32]);
    let until = clock::now_ms() + 3_600_000;
    scene.service.store.users().rotate_secret(scene.ann.id, &newer, until).await.unwrap();
    scene.ended(&receiver.url()).await;
    let call = receiver.wait_for(1).await.remove(0);
    assert_eq!(call.header("webhook-signature").split(' ').count(), 2);
    assert!(call.is_signed_by(&newer) && call.is_signed_by(&scene.secret));
}

#[tokio::test]
async fn a_task_without_callback_has_nothing_to_send() {
    let scene = Scene::with(|_| ()).await;
    let submit = async |task: &Value| {
        let data = scene.service.submit(&scene.ann, task).await.data();
        data["taskNo"].as_str().unwrap().to_owned()
    };
    let silent = submit(&task()).await;
    let mut waiting = task();
    waiting["callbackUrl"] = json!("https://client.example/hook");
    let waiting = submit(&waiting).await;
    for (task_no, status) in [(&silent, "none"), (&waiting, "waiting")] {
        let callback = scene.callback(task_no).await;
        assert_eq!((&callback["status"], &callback["eventId"]), (&json!(status), &Value::Null));
        let refused =
            scene.service.post(&scene.ann, &format!("{API}/callbacks/{task_no}/redeliver"), "").await;
        assert_eq!(refused.error(40001)["errors"][0]["path"], "/path/taskNo");
    }
}

#[tokio::test]
async fn an_address_can_be_tested() {
    let scene = Scene::with(|_| ()).await;
    let test = format!("{API}/callbacks/test");
    let receiver = Receiver::start(&[OK, Behaviour::Head("404 Not Found")]).await;
    let ask = async |body: Value| scene.service.post(&scene.ann, &test, body.to_string()).await;
    let taken = ask(json!({ "url": receiver.url(), "type": "task.failed" })).await.data();
    assert_eq!((&taken["delivered"], &taken["attempt"]["status"]), (&json!(true), &json!(200)));
    let call = receiver.calls().remove(0);
    assert!(call.is_signed_by(&scene.secret));
    assert_eq!(call.header("webhook-id"), taken["eventId"].as_str().unwrap());
    let body = call.json();
    assert_eq!((&body["type"], &body["test"]), (&json!("task.failed"), &json!(true)));
    assert_eq!(body["data"]["statusName"], "failed");

    let refused = ask(json!({ "url": receiver.url() })).await.data();
    assert_eq!((&refused["delivered"], &refused["attempt"]["status"]), (&json!(false), &json!(404)));
    assert!(receiver.calls()[1].json()["data"]["items"][0]["url"].is_string());
    let blocked = ask(json!({ "url": "http://10.0.0.1/" })).await.data();
    assert!(blocked["attempt"]["error"].as_str().unwrap().contains("is not allowed"));
    let wrong = ask(json!({ "url": "mailto:ann@client.example", "type": "task.done" })).await.error(40001);
    assert_eq!(wrong["errors"].as_array().unwrap().len(), 2, "{wrong}");
}
