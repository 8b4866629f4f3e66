//! Values that many segments share. Each is serialized and hashed only once.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// A value that is cheap to copy and whose JSON text and hash are computed at most once. It serialises as the value
/// itself.
pub struct HashedValue<T>(Arc<HashedInner<T>>);

struct HashedInner<T> {
    value: T,
    json: OnceLock<Vec<u8>>,
    digest: OnceLock<String>,
}

impl<T: Serialize> HashedValue<T> {
    /// The value's JSON.
    pub(crate) fn json(&self) -> &[u8] {
        self.0.json.get_or_init(|| json(&self.0.value))
    }

    /// SHA-256 of the value's JSON, in lower-case hexadecimal.
    pub fn digest(&self) -> &str {
        self.0.digest.get_or_init(|| digest(&self.0.value))
    }
}

impl<T> From<T> for HashedValue<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(HashedInner { value, json: OnceLock::new(), digest: OnceLock::new() }))
    }
}

impl<T> Deref for HashedValue<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> Clone for HashedValue<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: PartialEq> PartialEq for HashedValue<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl<T: Eq> Eq for HashedValue<T> {}

impl<T: fmt::Debug> fmt::Debug for HashedValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Serialize> Serialize for HashedValue<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for HashedValue<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

/// SHA-256 of the JSON of `what`, in lower-case hexadecimal.
pub(crate) fn digest(what: &impl Serialize) -> String {
    hex::encode(Sha256::digest(json(what)))
}

pub(crate) fn json(what: &impl Serialize) -> Vec<u8> {
    let mut text = Vec::new();
    write(&mut text, what);
    text
}

pub(crate) fn write(text: &mut Vec<u8>, what: &impl Serialize) {
    // Serialising plain structs to memory cannot fail, and a truncated text would still be a valid name.
    let _ = serde_json::to_writer(text, what);
}
