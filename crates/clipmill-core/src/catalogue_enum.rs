//! Enums of named things, each with an entry in a catalogue.

/// An enum whose variants have names in requests, and the catalogue entry of each: `Variant name English-title
/// Chinese-title { further fields of the entry };`.
macro_rules! catalogue_enum {
    (
        $(#[$about:meta])*
        $name:ident $entry:ident
        $($variant:ident $text:literal $title_en:literal $title_zh:literal { $($field:ident: $value:expr),+ };)+
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(#[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// All of them, in the order of the catalogue.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];
            pub const NAMES: [&'static str; Self::ALL.len()] = [$($text),+];
            /// English and Chinese.
            pub const TITLES: [(&'static str, &'static str); Self::ALL.len()] = [$(($title_en, $title_zh)),+];

            pub fn entry(self) -> &'static $entry {
                const ENTRIES: [$entry; $name::ALL.len()] = [$($entry {
                    name: $text,
                    title_en: $title_en,
                    title_zh: $title_zh,
                    $($field: $value),+
                }),+];
                &ENTRIES[self as usize]
            }
        }
    };
}

pub(crate) use catalogue_enum;
