//! Invitations: links with which a person gets a key.

use std::net::IpAddr;

use clipmill_server::clock;
use clipmill_server::http::client::ClientAddress;
use clipmill_store::Scope;
use serde_json::{Value, json};

use crate::harness::{API, ApiResponse, Service, User, request};

const INVITATIONS: &str = "/open-api/v1/admin/invitations";

async fn operator(service: &Service) -> User {
    service.scoped(&service.user("op", 0).await, &[Scope::Admin]).await
}

fn code(invitation: &Value) -> String {
    let (page, code) = invitation["url"].as_str().unwrap().split_once("#invitation=").unwrap();
    assert_eq!(page, "http://127.0.0.1:8080/console");
    code.to_owned()
}

async fn redeem_from(service: &Service, address: &str, forwarded: &str, code: &str) -> ApiResponse {
    let address: IpAddr = address.parse().unwrap();
    let call = request("POST", "/open-api/v1/invitations/redeem")
        .header("content-type", "application/json")
        .header("x-forwarded-for", forwarded)
        .extension(ClientAddress(address));
    service.call(call.body(json!({ "code": code }).to_string().into()).unwrap()).await
}

async fn redeem(service: &Service, code: &str) -> ApiResponse {
    redeem_from(service, "8.8.8.8", "", code).await
}

#[tokio::test]
async fn a_link_is_exchanged_for_a_key_once() {
    let service = Service::start().await;
    let (operator, ann) = (operator(&service).await, service.user("ann", 0).await);
    let body = json!({ "userId": ann.id.0, "scopes": ["read"], "hours": 72 });
    let invitation = service.send("POST", &operator, INVITATIONS, &body).await.data();
    let left = moment(&invitation["expireTime"]) - clock::now_ms();
    assert!((71 * 3_600_000..=72 * 3_600_000).contains(&left), "{invitation}");
    let before = service.store.keys().list(ann.id).await.unwrap().len();
    let code = code(&invitation);
    let redeemed = redeem(&service, &code).await.data();
    assert_eq!((&redeemed["userName"], &redeemed["scopes"]), (&json!("ann"), &json!(["read"])));
    assert_eq!(service.store.keys().list(ann.id).await.unwrap().len(), before + 1);
    let guest = User { id: ann.id, key: redeemed["apiKey"].as_str().unwrap().to_owned() };
    service.get(&guest, &format!("{API}/balance")).await.data();
    service.submit(&guest, &crate::harness::task()).await.error(40300);

    let list = service.get(&operator, INVITATIONS).await.data();
    let entry = &list["list"][0];
    assert_eq!((&list["total"], &entry["keyId"]), (&json!(1), &redeemed["keyId"]));
    assert!(entry["useTime"].is_string() && entry.get("url").is_none(), "{list}");
    assert!(!list.to_string().contains(&code));
    // Neither the code nor the key is in the database's records of it.
    let record = format!(
        "{:?}",
        service.store.invitations().list(clipmill_store::Page { number: 1, size: 10 }).await.unwrap().list
    );
    assert!(!record.contains("cm_"), "{record}");
}

fn moment(text: &Value) -> i64 {
    text.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

#[tokio::test]
async fn used_revoked_unknown_and_mistyped_codes_return_the_same_error() {
    let service = Service::start().await;
    let (operator, ann) = (operator(&service).await, service.user("ann", 0).await);
    let invite =
        async || service.send("POST", &operator, INVITATIONS, &json!({ "userId": ann.id.0 })).await.data();
    let (used, revoked) = (invite().await, invite().await);
    redeem(&service, &code(&used)).await.data();
    let path = format!("{INVITATIONS}/{}", revoked["invitationId"]);
    let first = service.send("DELETE", &operator, &path, &Value::Null).await.data();
    let again = service.send("DELETE", &operator, &path, &Value::Null).await.data();
    assert!(first["revokeTime"].is_string() && first["revokeTime"] == again["revokeTime"]);
    service.send("DELETE", &operator, &format!("{INVITATIONS}/999"), &Value::Null).await.error(40400);
    let off = service.user("off", 0).await;
    let of_off = service.send("POST", &operator, INVITATIONS, &json!({ "userId": off.id.0 })).await.data();
    service.store.users().switch_off(off.id, "unpaid", clock::now_ms()).await.unwrap();
    let unknown = clipmill_server::account::keys::new_code([3; 32]).0;
    let key = clipmill_server::account::keys::new_key([3; 32]).text;
    let codes = [code(&used), code(&revoked), code(&of_off), unknown, key, "x".to_owned()];
    let mut bodies = Vec::new();
    for code in &codes {
        let response = redeem(&service, code).await;
        response.error(40401);
        bodies.push(response.body);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    assert_eq!(service.store.keys().list(off.id).await.unwrap().len(), 1);
    // A wrong body is explained.
    redeem(&service, "").await.error(40001);
    redeem(&service, &"x".repeat(5_000)).await.error(41300);
}

#[tokio::test]
async fn wrong_invitations_are_refused() {
    let service = Service::start().await;
    let operator = operator(&service).await;
    let ann = service.user("ann", 0).await;
    let wrong = async |body: Value, path: &str| {
        let errors = service.send("POST", &operator, INVITATIONS, &body).await.error(40001);
        assert_eq!(errors["errors"][0]["path"], path, "{body}");
    };
    wrong(json!({ "userId": ann.id.0, "hours": 73 }), "/hours").await;
    wrong(json!({ "userId": ann.id.0, "hours": 0 }), "/hours").await;
    wrong(json!({ "userId": ann.id.0, "scopes": ["all"] }), "/scopes/0").await;
    wrong(json!({}), "/userId").await;
    service.send("POST", &operator, INVITATIONS, &json!({ "userId": 999 })).await.error(40400);
    let reader = service.scoped(&ann, &[Scope::Read, Scope::Submit]).await;
    let invitation = json!({ "userId": ann.id.0 });
    service.send("POST", &reader, INVITATIONS, &invitation).await.error(40300);
}

#[tokio::test]
async fn of_ten_calls_at_once_one_gets_the_key() {
    let service = Service::start().await;
    let (operator, ann) = (operator(&service).await, service.user("ann", 0).await);
    let invitation =
        service.send("POST", &operator, INVITATIONS, &json!({ "userId": ann.id.0 })).await.data();
    let code = code(&invitation);
    let calls = (0..10).map(|_| redeem(&service, &code));
    let codes: Vec<u64> = futures_util::future::join_all(calls).await.iter().map(ApiResponse::code).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(service.store.keys().list(ann.id).await.unwrap().len(), 2);
}

#[tokio::test]
async fn guesses_are_limited_by_address() {
    let service =
        Service::with(|config| config.server.trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()]).await;
    let guess = async |address: &str, forwarded: &str| redeem_from(&service, address, forwarded, "x").await;
    for _ in 0..20 {
        guess("8.8.8.8", "").await.error(40401);
    }
    // Another address in a header does not help, unless a proxy wrote it.
    let refused = guess("8.8.8.8", "1.1.1.1").await;
    let seconds = refused.error(42907)["seconds"].as_u64().unwrap();
    assert!((1..=5).contains(&seconds), "{seconds}");
    assert_eq!(refused.header("retry-after"), seconds.to_string());
    guess("10.0.0.1", "1.1.1.1, 8.8.8.8").await.error(42907);
    guess("8.8.4.4", "").await.error(40401);
    guess("10.0.0.1", "8.8.8.8, 1.1.1.1").await.error(40401);
    for host in 0..20 {
        guess(&format!("2600:1:2:3::{host}"), "").await.error(40401);
    }
    guess("2600:1:2:3:ffff::", "").await.error(42907);
    guess("2600:1:2:4::", "").await.error(40401);
}
