//! Messages as clients see them: a text beside its code and parameters.

use std::collections::BTreeMap;

use clipmill_core::message::{Message, ParamValue};
use serde::Serialize;
use utoipa::ToSchema;

use super::schema::MessageParams;
use crate::localized;

/// The parameters of a message by their names in the catalogue.
pub type Params = BTreeMap<&'static str, ParamView>;

/// A text in the language of the request, with its code and parameters.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct MessageView {
    /// Text in the language of the request.
    pub message: String,
    /// Stable code of the message, listed in docs/api/messages.md; null for messages of early versions.
    pub code: Option<&'static str>,
    /// Values in the text by name; null without a code.
    #[schema(value_type = Option<MessageParams>)]
    pub params: Option<Params>,
}

/// A value in the text of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ParamView {
    Text(String),
    Message(MessageView),
    List(Vec<ParamView>),
}

impl From<&Message> for MessageView {
    fn from(message: &Message) -> Self {
        let params = || message.params().map(|(name, value)| (name, value.into())).collect();
        let code = message.code();
        Self { message: localized::message_text(message), code, params: code.map(|_| params()) }
    }
}

impl MessageView {
    /// The members that a message adds to an object whose other members have the names `message`, `code` and `params`.
    pub fn parts(message: Option<&Message>) -> (Option<String>, Option<&'static str>, Option<Params>) {
        let view = message.map(Self::from);
        view.map_or((None, None, None), |view| (Some(view.message), view.code, view.params))
    }
}

impl From<ParamValue> for ParamView {
    fn from(value: ParamValue) -> Self {
        match value {
            ParamValue::Text(text) => Self::Text(text),
            ParamValue::Message(message) => Self::Message((&message).into()),
            ParamValue::List(list) => Self::List(list.into_iter().map(Into::into).collect()),
        }
    }
}
