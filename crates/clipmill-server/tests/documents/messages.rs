//! Generated from the catalogue of messages: `docs/api/messages.md`, and the templates of the console.
use std::fmt::Write;

use clipmill_core::message::{ROWS, Row};
use serde_json::{Map, Value, json};

const INTRODUCTION: &str = "\
# Messages

All messages of the API, by `code`. The [overview](README.md#messages) explains how to read them. Words in braces are the
parameters, as in `params`; `{count|row|rows}` is the first word if `count` is 1, otherwise the second. Codes and the
names of their parameters never change; texts may, and later versions add codes.

| `code` | text | in Chinese |
|---|---|---|
";

#[test]
fn the_checked_in_document_is_up_to_date() {
    let mut rows: Vec<&Row> = ROWS.iter().collect();
    rows.sort_by_key(|row| row.code);
    let mut text = INTRODUCTION.to_owned();
    for row in rows {
        let [english, chinese] = [row.english, row.chinese].map(|text| text.replace('|', "\\|"));
        writeln!(text, "| `{}` | {english} | {chinese} |", row.code).unwrap();
    }
    crate::checked_in::check("api/messages.md", &text);
}

/// Parameters with addresses of files, places in a request, names in code formatting or messages.
const REPLACED: [&str; 11] =
    ["allowed", "files", "first", "input", "items", "message", "names", "place", "reasons", "what", "why"];

/// Texts that name the API's addresses, in the words of the console.
const OWN_TEXTS: [(&str, &str, &str); 4] = [
    ("no_such_voice", "is not a voice of this service", "本服务没有该音色"),
    (
        "no_such_voice_but",
        "is not a voice of this service; did you mean `{near}`?",
        "本服务没有该音色；您是否想写 `{near}`？",
    ),
    (
        "csv_is_an_upload",
        "must be an uploaded file: upload the table first",
        "必须为已上传的文件：请先上传表格",
    ),
    ("an_input_url", "an http:// or https:// link", "http:// 或 https:// 链接"),
];

/// Names of fields that texts contain without code formatting.
const FIELD_NAMES: [&str; 2] = ["maxPoints", "clientTaskId"];

/// Templates of the messages that the console shows in other words than the service. It shows the service's text of all
/// others.
#[test]
fn the_console_has_templates() {
    let mut templates = Map::new();
    for row in ROWS {
        let own = OWN_TEXTS.iter().find(|(code, ..)| *code == row.code);
        let texts = own.map_or([row.english, row.chinese], |(_, english, chinese)| [english, chinese]);
        let texts = texts.map(mark_fields);
        let is_replaced = row.params.iter().any(|param| REPLACED.contains(param) && !is_time(row, param));
        if own.is_some() || is_replaced || texts.iter().any(|text| text.contains('`')) {
            templates.insert(row.code.to_owned(), json!(texts));
        }
    }
    for (code, ..) in OWN_TEXTS {
        assert!(templates.contains_key(code), "there is no message {code}");
    }
    let text = serde_json::to_string_pretty(&Value::Object(templates)).unwrap() + "\n";
    crate::checked_in::check("../console/src/i18n/messages.json", &text);
}

/// Messages about several captions have the time of the first one.
fn is_time(row: &Row, param: &str) -> bool {
    param == "first" && row.params.contains(&"count")
}

/// The text with the names of fields in code formatting.
fn mark_fields(text: &str) -> String {
    let mark = |text: String, name: &&str| {
        let is_marked = text.contains(&format!("`{name}`"));
        if is_marked { text } else { text.replace(name, &format!("`{name}`")) }
    };
    FIELD_NAMES.iter().fold(text.to_owned(), mark)
}
