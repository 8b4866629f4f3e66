//! Examples of the API's description are sent to a service: it accepts every request, and responds as described.

use axum::body::{Body, to_bytes};
use axum::http::{StatusCode, header};
use clipmill_server::batches::Batches;
use clipmill_server::clock;
use clipmill_store::Scope;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::files::deliver;
use crate::harness::{API, Service, User, keyed};
use crate::schemas::{differences, operations};

const DAY_MS: i64 = 86_400_000;
/// Operations that this service refuses with these codes after it has read the example: signatures of examples are not
/// genuine, direct uploads need a bucket, and a timeline needs files that this service does not fetch.
const REFUSED: [(&str, u16); 5] = [
    ("downloadFile", 40300),
    ("downloadUpload", 40300),
    ("presignUpload", 40001),
    ("confirmUpload", 40001),
    ("getTimeline", 40909),
];
/// The callback's address in examples, and one that is never called.
const CALLBACK: [&str; 2] = ["https://example.com/", "https://127.0.0.1/"];

/// A service where everything exists that examples name, under other numbers.
pub struct Scene {
    pub service: Service,
    pub user: User,
    pub document: Value,
    /// Names of path parameters, values in examples, and values of this service.
    names: Vec<(&'static str, Value, Value)>,
    /// Operations that need another task or upload: their names, the path parameter, its value.
    others: Vec<(&'static str, &'static str, Value)>,
}

impl Scene {
    pub async fn build() -> Self {
        let service = Service::start().await;
        let owner = service.user("ann", 100_000).await;
        let user = service.scoped(&owner, &[Scope::Read, Scope::Submit, Scope::Admin]).await;
        let scene = Self {
            service,
            user,
            document: clipmill_server::openapi(),
            names: Vec::new(),
            others: Vec::new(),
        };
        let post =
            async |path: &str, body: &Value| scene.service.send("POST", &scene.user, path, body).await.data();

        let upload = scene.service.upload(&scene.user, "/open-api/v1/uploads", "MEDIA").await.data();
        let upload = upload["url"].as_str().unwrap().trim_start_matches("upload://").to_owned();
        let template =
            post("/open-api/v1/templates", &scene.request("addTemplate")).await["templateNo"].clone();
        let mut task = scene.operation("submitTask")["requestBody"]["content"]["application/json"]["examples"]
            ["baseVideoMix"]["value"]
            .clone();
        task["clientTaskId"] = json!("finished");
        task["callbackUrl"] = json!(CALLBACK[1]);
        let task = post(&format!("{API}/submit"), &task).await["taskNo"].clone();
        deliver(&scene.service, "one.mp4", clock::now_ms() + DAY_MS).await;
        let share =
            post(&format!("/open-api/v1/share/{}", task.as_str().unwrap()), &json!({ "feedback": true }))
                .await;
        let page = share["url"].as_str().unwrap().trim_start_matches("http://127.0.0.1:8080");
        let (_, signature) = page.rsplit_once('/').unwrap();
        let comment = post(&format!("{page}/comments"), &json!({ "text": "x" })).await["commentId"].clone();
        let mut batch = scene.request("submitBatch");
        batch["clientBatchId"] = json!("finished");
        batch["template"] = template.clone();
        batch["callbackUrl"] = json!(CALLBACK[1]);
        let batch = post("/open-api/v1/batches", &batch).await["batchNo"].clone();
        scene.make_tasks_of_batches().await;
        deliver(&scene.service, "two.mp4", clock::now_ms() + DAY_MS).await;
        let mut retried = scene.request("submitBatch");
        retried["clientBatchId"] = json!("retried");
        retried["template"] = template.clone();
        let retried = post("/open-api/v1/batches", &retried).await["batchNo"].clone();
        scene.make_tasks_of_batches().await;
        let rows = format!("/open-api/v1/batches/{}/rows", retried.as_str().unwrap());
        let rows = scene.service.get(&scene.user, &rows).await.data();
        post(&format!("{API}/cancel/{}", rows["list"][1]["taskNo"].as_str().unwrap()), &json!({})).await;
        let mut open = crate::harness::task();
        open["params"]["videoList"][0]["copies"] = json!(3);
        let open = post(&format!("{API}/submit"), &open).await["taskNo"].clone();
        let unused =
            scene.service.upload(&scene.user, "/open-api/v1/uploads", "MEDIA that is not used").await.data();
        let draft = post("/open-api/v1/drafts", &scene.request("addDraft")).await;
        let bob = scene.service.user("bob", 1_000).await;
        let invite = async || post("/open-api/v1/admin/invitations", &json!({ "userId": bob.id.0 })).await;
        let (redeemed, revoked) = (invite().await, invite().await);
        let (_, code) = redeemed["url"].as_str().unwrap().split_once("#invitation=").unwrap();
        let key = scene.service.store.keys().list(bob.id).await.unwrap()[0].id;

        let example = |operation: &str, name: &str| -> Value {
            let operation = scene.operation(operation);
            let mut parameters = operation["parameters"].as_array().unwrap().iter();
            parameters.find(|parameter| parameter["name"] == name).unwrap()["example"].clone()
        };
        let names = vec![
            ("taskNo", example("getTask", "taskNo"), task),
            ("batchNo", example("getBatch", "batchNo"), batch),
            ("templateNo", example("getTemplate", "templateNo"), template),
            ("draftNo", example("getDraft", "draftNo"), draft["draftNo"].clone()),
            ("updateTime", scene.request("replaceDraft")["updateTime"].clone(), draft["updateTime"].clone()),
            ("id", example("getUpload", "id"), json!(upload)),
            ("shareId", example("revokeShare", "shareId"), share["shareId"].clone()),
            ("signature", example("pickVideo", "signature"), json!(signature)),
            ("commentId", example("deleteComment", "commentId"), comment),
            ("userId", example("listKeys", "userId"), json!(bob.id.0)),
            ("keyId", example("revokeKey", "keyId"), json!(key)),
            ("code", scene.request("redeemInvitation")["code"].clone(), json!(code)),
            ("invitationId", example("revokeInvitation", "invitationId"), revoked["invitationId"].clone()),
            ("second task", scene.request("shareTasks")["tasks"][0]["taskNo"].clone(), open.clone()),
        ];
        let others = vec![
            ("cancelTask", "taskNo", open),
            ("retryBatchRow", "batchNo", retried),
            ("deleteUpload", "id", json!(unused["url"].as_str().unwrap().trim_start_matches("upload://"))),
        ];
        Self { names, others, ..scene }
    }

    fn operation(&self, name: &str) -> &Value {
        let mut all = operations(&self.document).into_iter();
        all.find(|(_, _, operation)| operation["operationId"] == name).unwrap().2
    }

    fn request(&self, name: &str) -> Value {
        self.operation(name)["requestBody"]["content"]["application/json"]["example"].clone()
    }

    async fn make_tasks_of_batches(&self) {
        Batches::new(self.service.app.clone()).round(&Default::default()).await.unwrap();
    }

    /// An example with the numbers of this service.
    fn adapted(&self, example: &Value) -> Value {
        let mut text = example.to_string().replace(CALLBACK[0], CALLBACK[1]);
        for (name, from, to) in &self.names {
            if from.is_string() {
                text = text.replace(from.as_str().unwrap(), to.as_str().unwrap());
            } else {
                text = text.replace(&format!("\"{name}\":{from}"), &format!("\"{name}\":{to}"));
            }
        }
        serde_json::from_str(&text).unwrap()
    }

    /// The path of a call that is its operation's example.
    pub fn path(&self, path: &str, operation: &Value) -> String {
        let (mut path, mut query) = (path.to_owned(), Vec::new());
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let Some(example) = parameter.get("example") else { continue };
            let name = parameter["name"].as_str().unwrap();
            let others = self.others.iter().filter(|(other, _, _)| operation["operationId"] == *other);
            let others = others.map(|(_, placeholder, value)| (placeholder, value));
            let mut replacements =
                others.chain(self.names.iter().map(|(placeholder, _, value)| (placeholder, value)));
            let value = replacements
                .find(|(placeholder, _)| **placeholder == name)
                .map_or(example, |(_, value)| value);
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match parameter["in"].as_str() {
                Some("path") => path = path.replace(&format!("{{{name}}}"), &text),
                _ => query.push(format!("{name}={text}")),
            }
        }
        if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
    }

    /// Sends an example and checks the response.
    async fn try_out(&self, method: &str, path: &str, operation: &Value, body: Option<Value>) {
        let name = operation["operationId"].as_str().unwrap();
        let request = keyed(&self.user, &method.to_uppercase(), &self.path(path, operation));
        let request = match &body {
            Some(body) => {
                let request = request.header(header::CONTENT_TYPE, "application/json");
                request.body(Body::from(self.adapted(body).to_string()))
            }
            None if operation.get("requestBody").is_some() => request.body(Body::from("MEDIA")),
            None => request.body(Body::empty()),
        };
        let response = self.service.router.clone().oneshot(request.unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let kind = parts.headers.get(header::CONTENT_TYPE).map_or("", |kind| kind.to_str().unwrap());
        let described = &operation["responses"]["200"]["content"];
        if kind.starts_with("text/event-stream") {
            assert_eq!(parts.status, StatusCode::OK, "{name}");
            return;
        }
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let refused = REFUSED.iter().find(|(refused, _)| *refused == name).map(|(_, code)| *code);
        if let Some(code) = refused {
            let response: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(response["code"], code, "{name}: {response}");
            let about_bucket = response["msg"].as_str().unwrap().contains("/open-api/v1/uploads");
            assert!(code != 40001 || about_bucket, "{name}: {response}");
            return;
        }
        assert_eq!(parts.status, StatusCode::OK, "{name}: {}", String::from_utf8_lossy(&body));
        let Some(described) = described.get("application/json") else {
            assert!(described.get(kind.split(';').next().unwrap()).is_some(), "{name} answers {kind}");
            return;
        };
        let response: Value = serde_json::from_slice(&body).unwrap();
        let differences = differences(&self.document, &described["schema"], &response);
        assert!(differences.is_empty(), "{name}: {}\n{response:#}", differences.join("\n"));
    }
}

/// When an operation is called: those that end or delete something come last.
fn rank(method: &str, name: &str) -> u8 {
    match (method, name) {
        (_, "cancelBatch") => 1,
        (_, "redeliverBatchCallback") => 2,
        // Its feedback ends with it.
        ("delete", "revokeShare") => 4,
        ("delete", _) => 3,
        _ => 0,
    }
}

#[tokio::test]
async fn examples_of_all_operations_are_accepted() {
    let scene = Scene::build().await;
    let mut all = operations(&scene.document);
    assert!(all.len() >= 84, "{}", all.len());
    all.sort_by_key(|(method, _, operation)| rank(method, operation["operationId"].as_str().unwrap()));
    for (method, path, operation) in all {
        let content = &operation["requestBody"]["content"]["application/json"];
        let named =
            content["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]);
        let bodies: Vec<&Value> = content.get("example").into_iter().chain(named).collect();
        if bodies.is_empty() {
            scene.try_out(method, path, operation, None).await;
        }
        for body in bodies {
            scene.try_out(method, path, operation, Some(body.clone())).await;
        }
        if operation["operationId"] == "cancelBatch" {
            scene.make_tasks_of_batches().await;
        }
    }
}
