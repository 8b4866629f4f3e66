//! Declares a section: each key once, with description, type and default.

use serde::Serialize;

use super::Key;

/// Makes the section's struct, its `Default`, its loader and the descriptions of its keys.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        $name:ident = $section:literal {
            $( $(#[doc = $doc:literal])+ $key:ident: $type:ty = $default:expr; )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, ::serde::Serialize)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $key: $type, )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $key: $default, )+ }
            }
        }

        impl $name {
            pub(super) fn load(
                source: &mut $crate::config::source::Source,
            ) -> Result<Self, $crate::config::ConfigError> {
                let default = Self::default();
                Ok(Self { $( $key: source.take($section, stringify!($key), default.$key), )+ })
            }

            pub(super) fn keys() -> Vec<$crate::config::Key> {
                let default = Self::default();
                vec![ $( $crate::config::section::key(
                    $section,
                    stringify!($key),
                    &default.$key,
                    concat!($($doc),+),
                ), )+ ]
            }
        }
    };
}

pub(super) fn key(
    section: &'static str,
    name: &'static str,
    default: &impl Serialize,
    description: &str,
) -> Key {
    let default = toml::Value::try_from(default).map(|value| value.to_string()).unwrap_or_default();
    Key { section, name, default, description: description.trim().to_owned() }
}
