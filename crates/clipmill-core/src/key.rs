//! Keys of files in the cache: SHA-256, in lower-case hexadecimal, over all that determines a file's bytes.

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

/// Each kind of key is a key of the cache.
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
    /// A key of any kind. A copy costs nothing, as with [`ContentHash`](crate::media::ContentHash).
    CacheKey;
    /// A segment.
    SegmentKey;
    /// The encoded sound of outputs that sound the same.
    MixKey;
    /// A finished output.
    RenditionKey;
    /// A single frame of an output.
    FrameKey;
}

cached!(SegmentKey, MixKey, RenditionKey, FrameKey);
