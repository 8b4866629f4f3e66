//! Messages have a code and parameters beside their text. [`check`] reads every response of these tests.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::header;
use clipmill_core::message::{ROWS, Row};
use serde_json::{Map, Value, json};

use crate::harness::{API, Service, keyed, task};

/// A language of the catalogue, and what separates the messages of a list.
type Language = (fn(&Row) -> &'static str, &'static str);

const LANGUAGES: [Language; 2] = [(|row| row.english, "; "), (|row| row.chinese, "；")];

/// The names of a text, its code and its parameters.
const NAMES: [[&str; 3]; 6] = [
    ["message", "code", "params"],
    ["message", "messageCode", "messageParams"],
    ["errorMsg", "errorMsgCode", "errorMsgParams"],
    ["error", "errorCode", "errorParams"],
    ["taskError", "taskErrorCode", "taskErrorParams"],
    ["remark", "remarkCode", "remarkParams"],
];

/// Checks that each text with a code is that of the catalogue, filled with the parameters.
pub fn check(value: &Value) {
    match value {
        Value::Object(members) => {
            NAMES.iter().for_each(|names| check_message(members, names));
            members.values().for_each(check);
        }
        Value::Array(entries) => entries.iter().for_each(check),
        _ => {}
    }
}

fn check_message(members: &Map<String, Value>, [text, code, params]: &[&str; 3]) {
    let Some(Value::Object(params)) = members.get(*params) else { return };
    // Parameters of a request are not those of a message.
    let Some(code) = members.get(*code).and_then(Value::as_str) else { return };
    let texts = LANGUAGES.map(|language| filled(code, params, language));
    assert!(texts.iter().any(|one| members[*text] == *one), "{members:?} is none of {texts:?}");
}

fn filled(code: &str, params: &Map<String, Value>, language: Language) -> String {
    let row = ROWS.iter().find(|row| row.code == code).unwrap_or_else(|| panic!("there is no code {code}"));
    let names: BTreeSet<&str> = row.params.iter().copied().collect();
    assert_eq!(params.keys().map(String::as_str).collect::<BTreeSet<_>>(), names, "{code}");
    let mut parts = language.0(row).split(['{', '}']);
    let mut text = parts.next().unwrap().to_owned();
    while let (Some(place), Some(fixed)) = (parts.next(), parts.next()) {
        match place.split('|').collect::<Vec<_>>()[..] {
            [name] => text += &value(&params[name], language),
            [name, one, many] => text += if params[name] == "1" { one } else { many },
            _ => panic!("{place}"),
        }
        text += fixed;
    }
    text
}

fn value(param: &Value, language: Language) -> String {
    match param {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            list.iter().map(|entry| value(entry, language)).collect::<Vec<_>>().join(language.1)
        }
        message => {
            let code = message["code"].as_str().unwrap();
            filled(code, message["params"].as_object().unwrap(), language)
        }
    }
}

fn invalid_task() -> Value {
    let mut body = task();
    body["params"]["options"] = json!({ "fps": 26, "colour": 1 });
    body["params"]["newCount"] = json!(0);
    body
}

#[tokio::test]
async fn errors_and_warnings_have_codes_and_parameters() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let errors = service.submit(&ann, &invalid_task()).await.error(40001)["errors"].take();
    let of =
        |path: &str| errors.as_array().unwrap().iter().find(|error| error["path"] == path).unwrap().clone();
    let fps = of("/params/options/fps");
    assert_eq!(
        (&fps["message"], &fps["code"], &fps["params"]),
        (&json!("must be one of 25, 30, 50, 60"), &json!("none_of"), &json!({ "names": "25, 30, 50, 60" })),
        "{errors}"
    );

    let mut body = task();
    body["callbackUrl"] = json!("http://127.0.0.1/done");
    let warning = service.submit(&ann, &body).await.data()["warnings"][0].take();
    assert_eq!(
        (&warning["code"], &warning["params"]),
        (&json!("callback_not_sent"), &json!({ "host": "127.0.0.1" }))
    );
}

#[tokio::test]
async fn the_code_is_the_same_in_every_language() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let request = keyed(&ann, "POST", &format!("{API}/estimate"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT_LANGUAGE, "zh")
        .body(Body::from(invalid_task().to_string()));
    let refused = service.call(request.unwrap()).await.error(40001);
    let chinese =
        refused["errors"].as_array().unwrap().iter().find(|error| error["code"] == "none_of").unwrap();
    assert_eq!(chinese["message"], "必须为以下值之一：25, 30, 50, 60");
}

#[tokio::test]
async fn the_cause_of_an_error_has_a_code() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let unreadable = service.submit_text(&ann, "{").await;
    let cause = unreadable.error(40000)["cause"].take();
    assert_eq!(cause["code"], "json_ends_early", "{cause}");
    let text = unreadable.json()["msg"].take();
    assert!(text.as_str().unwrap().contains(cause["message"].as_str().unwrap()), "{text}");
}

#[tokio::test]
async fn the_error_of_an_item_keeps_its_own_code() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let number = service.submit(&ann, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    let cancelled = service.post(&ann, &format!("{API}/cancel/{number}"), "").await.data();
    let error = &cancelled["items"][0]["error"];
    assert_eq!(
        (&error["code"], &error["messageCode"], &error["messageParams"]),
        (&json!("CANCELLED"), &json!("cancelled_before"), &json!({})),
    );
    assert_eq!(cancelled["errorMsgCode"], "cancelled_after", "{cancelled}");
    let records = service.get(&ann, &format!("{API}/records")).await.data();
    assert_eq!(records["list"][0]["remarkCode"], "output_not_made", "{records}");
}
