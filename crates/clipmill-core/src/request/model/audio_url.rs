//! Where audio comes from: a file, or a text that is spoken.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::speech::Speech;

/// The URL of an audio file, or of a text that is spoken ([`Speech::url`]).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AudioUrl(String);

impl AudioUrl {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text that is spoken, if it is not the URL of a file.
    pub fn speech(&self) -> Option<Speech> {
        Speech::of_url(&self.0)
    }
}

impl Deref for AudioUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for AudioUrl {
    fn from(url: T) -> Self {
        Self(url.into())
    }
}
