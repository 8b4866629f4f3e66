//! Keys of cached files: SHA-256, in lower-case hexadecimal, over everything that determines a file's bytes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! keys {
    ($($(#[$about:meta])* $name:ident;)+) => {
        $(
            $(#[$about])*
            #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
            #[serde(transparent)]
            pub struct $name(pub Arc<str>);
        )+
    };
}

/// Defines key types, each of which converts into the general [`CacheKey`].
macro_rules! cached {
    ($($kind:ident),+) => {
        $(
            impl From<$kind> for CacheKey {
                fn from(key: $kind) -> Self {
                    Self(key.0)
                }
            }

            impl From<&$kind> for CacheKey {
                fn from(key: &$kind) -> Self {
                    Self(key.0.clone())
                }
            }
        )+
    };
}

keys! {
    /// A key of any kind. It is cheap to copy, as [`ContentHash`](crate::media::ContentHash) is.
    CacheKey;
    /// The key of a segment.
    SegmentKey;
    /// The key of the encoded audio of outputs that sound the same.
    MixKey;
    /// The key of a finished output.
    RenditionKey;
    /// The key of a single frame of an output.
    FrameKey;
}

cached!(SegmentKey, MixKey, RenditionKey, FrameKey);
