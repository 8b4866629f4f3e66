//! Messages for clients and operators: a code with parameters. `catalogue` has the texts in each language.
//!
//! Only the function of a code ([`is_required`], [`between`] …) creates a message, so no [`Message`] can have a text
//! without a code. Text from outside, such as a URL, is a parameter.

mod catalogue;
mod stored;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

pub use catalogue::*;

/// Displays as its English text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "stored::StoredMessage", into = "stored::StoredMessage")]
pub struct Message {
    english: String,
    /// `None` for a message from before schema 33, and for a code that this release does not know.
    coded_text: Option<CodedText>,
}

/// A code with its parameters, in the order of its row in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CodedText {
    row: &'static Row,
    params: Vec<Param>,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param(Value);

/// The content of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParamValue {
    Text(String),
    Message(Message),
    List(Vec<ParamValue>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    /// Text that is the same in every language.
    Text(String),
    CodedText(CodedText),
    List(Vec<Param>),
}

impl Message {
    fn new(row: &'static Row, params: Vec<Param>) -> Self {
        CodedText { row, params }.into()
    }

    /// A message from before schema 33, or of a later release with more codes. Every other message must have a code.
    pub fn without_code(english: impl Into<String>) -> Self {
        Self { english: english.into(), coded_text: None }
    }

    /// The variant of the message for an upload, if it has one: its advice is about the file, not about a link.
    pub(crate) fn of_upload(self) -> Self {
        match self.coded_text.as_ref().filter(|coded_text| coded_text.row.code == "not_media") {
            Some(coded_text) => coded_text.params.first().cloned().map_or(self, upload_not_media),
            None => self,
        }
    }

    pub fn english(&self) -> &str {
        &self.english
    }

    /// `None` if the message has no code.
    pub fn chinese(&self) -> Option<String> {
        self.coded_text.as_ref().map(|coded_text| coded_text.text(&CHINESE))
    }

    /// The name of the message's row in the catalogue; `None` if the message has no code.
    pub fn code(&self) -> Option<&'static str> {
        self.coded_text.as_ref().map(|coded_text| coded_text.row.code)
    }

    /// The parameters with their names; none if the message has no code.
    pub fn params(&self) -> impl Iterator<Item = (&'static str, ParamValue)> {
        self.coded_text.iter().flat_map(|CodedText { row, params }| {
            row.params.iter().copied().zip(params.iter().map(|param| param.0.content()))
        })
    }

    /// Whether the text is the value of a parameter, including those of messages in parameters. Without a code, only the
    /// text of the message can be searched.
    pub fn mentions(&self, text: &str) -> bool {
        match &self.coded_text {
            Some(coded_text) => coded_text.mentions(text),
            None => self.english.contains(text),
        }
    }
}

impl From<CodedText> for Message {
    fn from(coded_text: CodedText) -> Self {
        Self { english: coded_text.text(&ENGLISH), coded_text: Some(coded_text) }
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.english
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, other: &str) -> bool {
        self.english == other
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        self.english == *other
    }
}

struct Language {
    of: fn(&Row) -> &'static str,
    /// Separates the messages of a list.
    separator: &'static str,
}

const ENGLISH: Language = Language { of: |row| row.english, separator: "; " };
const CHINESE: Language = Language { of: |row| row.chinese, separator: "；" };

impl CodedText {
    /// The row's text with its `{places}` filled; `{place|one|many}` becomes one of the two words. Places within an
    /// inserted value are not filled.
    fn text(&self, language: &Language) -> String {
        let (mut text, mut rest) = (String::new(), (language.of)(self.row));
        while let Some((before, (place, after))) =
            rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            text.push_str(before);
            let mut parts = place.split('|');
            let name = parts.next();
            let index = self.row.params.iter().position(|param| Some(*param) == name);
            let value = index.and_then(|index| self.params.get(index)).map(|param| param.0.text(language));
            match (value, parts.next(), parts.next()) {
                (Some(value), Some(one), Some(many)) => text.push_str(if value == "1" { one } else { many }),
                (value, ..) => text.extend(value),
            }
            rest = after;
        }
        text + rest
    }

    fn mentions(&self, text: &str) -> bool {
        self.params.iter().any(|param| param.0.mentions(text))
    }
}

impl Value {
    fn content(&self) -> ParamValue {
        match self {
            Self::Text(text) => ParamValue::Text(text.clone()),
            Self::CodedText(coded_text) => ParamValue::Message(coded_text.clone().into()),
            Self::List(list) => ParamValue::List(list.iter().map(|param| param.0.content()).collect()),
        }
    }

    fn mentions(&self, text: &str) -> bool {
        match self {
            Self::Text(value) => value == text,
            Self::CodedText(coded_text) => coded_text.mentions(text),
            Self::List(list) => list.iter().any(|param| param.0.mentions(text)),
        }
    }

    fn text(&self, language: &Language) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::CodedText(coded_text) => coded_text.text(language),
            Self::List(list) => {
                let text: Vec<String> = list.iter().map(|param| param.0.text(language)).collect();
                text.join(language.separator)
            }
        }
    }
}

impl From<Message> for Param {
    fn from(message: Message) -> Self {
        Self(message.coded_text.map_or(Value::Text(message.english), Value::CodedText))
    }
}

impl From<&Message> for Param {
    fn from(message: &Message) -> Self {
        message.clone().into()
    }
}

impl From<Vec<Message>> for Param {
    fn from(messages: Vec<Message>) -> Self {
        Self(Value::List(messages.into_iter().map(Into::into).collect()))
    }
}

macro_rules! text_params {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Param {
            fn from(value: $kind) -> Self {
                Self(Value::Text(value.to_string()))
            }
        }
    )*};
}

text_params!(&str, String, &String, u8, u16, u32, u64, usize, i64, f64);
