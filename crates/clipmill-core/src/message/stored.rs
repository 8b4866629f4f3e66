//! The stored form of a message: its English text beside its code. Programs use the text if there is no code or if they do
//! not know it.

use serde::{Deserialize, Serialize};

use super::catalogue::{ROWS, Row};
use super::{CodedText, Message, Param, Value};

/// The members that a message adds to a JSON object.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredMessage {
    message: String,
    #[serde(default, rename = "said", skip_serializing_if = "Option::is_none")]
    code: Option<serde_json::Value>,
}

/// The serialized names must differ from those of the surrounding objects, because queries search rows for `"code":"…"`.
#[derive(Serialize, Deserialize)]
struct StoredCodedText {
    #[serde(rename = "say")]
    code: String,
    #[serde(default, rename = "with", skip_serializing_if = "Vec::is_empty")]
    params: Vec<StoredParam>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredParam {
    Text(String),
    CodedText(StoredCodedText),
    List(Vec<StoredParam>),
}

impl Message {
    /// The code with its parameters, as stored beside the English text.
    pub fn stored_code(&self) -> Option<String> {
        self.coded_text.clone().map(|coded_text| value(coded_text).to_string())
    }

    /// Restores a message from [`Message::english`] and [`Message::stored_code`]. A code that this release does not know is
    /// ignored.
    pub fn of_stored(english: String, code: Option<&str>) -> Self {
        let coded_text = code.and_then(|code| serde_json::from_str(code).ok()).and_then(read);
        Self { english, coded_text }
    }
}

impl From<StoredMessage> for Message {
    fn from(StoredMessage { message, code }: StoredMessage) -> Self {
        Self {
            english: message,
            coded_text: code.and_then(|code| serde_json::from_value(code).ok()).and_then(read),
        }
    }
}

impl From<Message> for StoredMessage {
    fn from(Message { english, coded_text }: Message) -> Self {
        Self { message: english, code: coded_text.map(value) }
    }
}

fn value(coded_text: CodedText) -> serde_json::Value {
    serde_json::json!(write(coded_text))
}

fn write(CodedText { row, params }: CodedText) -> StoredCodedText {
    StoredCodedText { code: row.code.to_owned(), params: params.into_iter().map(write_param).collect() }
}

fn write_param(Param(value): Param) -> StoredParam {
    match value {
        Value::Text(text) => StoredParam::Text(text),
        Value::CodedText(coded_text) => StoredParam::CodedText(write(coded_text)),
        Value::List(list) => StoredParam::List(list.into_iter().map(write_param).collect()),
    }
}

fn read(StoredCodedText { code, params }: StoredCodedText) -> Option<CodedText> {
    let row: &'static Row = ROWS.iter().find(|row| row.code == code)?;
    let params = params.into_iter().map(read_param).collect::<Option<Vec<_>>>()?;
    (params.len() == row.params.len()).then_some(CodedText { row, params })
}

fn read_param(param: StoredParam) -> Option<Param> {
    Some(Param(match param {
        StoredParam::Text(text) => Value::Text(text),
        StoredParam::CodedText(coded_text) => Value::CodedText(read(coded_text)?),
        StoredParam::List(list) => Value::List(list.into_iter().map(read_param).collect::<Option<_>>()?),
    }))
}
