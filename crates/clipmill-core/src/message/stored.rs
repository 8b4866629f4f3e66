//! How a message is stored: its English text beside its code. The text is used where there is no code or a program does not
//! know it.

use serde::{Deserialize, Serialize};

use super::catalogue::{ROWS, Row};
use super::{CodedText, Message, Param, Value};

/// The members that a message adds to a JSON object.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredMessage {
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said: Option<serde_json::Value>,
}

/// Its member names must differ from those of objects around it: rows are searched for `"code":"…"`.
#[derive(Serialize, Deserialize)]
struct StoredCodedText {
    say: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<StoredParam>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredParam {
    Text(String),
    CodedText(StoredCodedText),
    List(Vec<StoredParam>),
}

impl Message {
    /// The code with its parameters, to be kept beside the English text.
    pub fn code(&self) -> Option<String> {
        self.said.clone().map(|said| value(said).to_string())
    }

    /// Restores a message from [`Message::english`] and [`Message::code`]. A code that this release does not know is ignored.
    pub fn of_stored(english: String, code: Option<&str>) -> Self {
        let said = code.and_then(|code| serde_json::from_str(code).ok()).and_then(read);
        Self { english, said }
    }
}

impl From<StoredMessage> for Message {
    fn from(StoredMessage { message, said }: StoredMessage) -> Self {
        Self {
            english: message,
            said: said.and_then(|said| serde_json::from_value(said).ok()).and_then(read),
        }
    }
}

impl From<Message> for StoredMessage {
    fn from(Message { english, said }: Message) -> Self {
        Self { message: english, said: said.map(value) }
    }
}

fn value(said: CodedText) -> serde_json::Value {
    serde_json::json!(write(said))
}

fn write(CodedText { row, params }: CodedText) -> StoredCodedText {
    StoredCodedText { say: row.code.to_owned(), with: params.into_iter().map(write_param).collect() }
}

fn write_param(Param(value): Param) -> StoredParam {
    match value {
        Value::Text(text) => StoredParam::Text(text),
        Value::CodedText(said) => StoredParam::CodedText(write(said)),
        Value::List(list) => StoredParam::List(list.into_iter().map(write_param).collect()),
    }
}

fn read(StoredCodedText { say, with }: StoredCodedText) -> Option<CodedText> {
    let row: &'static Row = ROWS.iter().find(|row| row.code == say)?;
    let params = with.into_iter().map(read_param).collect::<Option<Vec<_>>>()?;
    (params.len() == row.params.len()).then_some(CodedText { row, params })
}

fn read_param(param: StoredParam) -> Option<Param> {
    Some(Param(match param {
        StoredParam::Text(text) => Value::Text(text),
        StoredParam::CodedText(said) => Value::CodedText(read(said)?),
        StoredParam::List(list) => Value::List(list.into_iter().map(read_param).collect::<Option<_>>()?),
    }))
}
