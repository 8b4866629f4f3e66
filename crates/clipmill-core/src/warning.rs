//! Remarks on a request that do not stop it.

use serde::{Deserialize, Serialize};

use crate::message::Message;

/// A warning for the client; `path` is a JSON Pointer into the request if it concerns one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub path: String,
    #[serde(flatten)]
    pub message: Message,
}
