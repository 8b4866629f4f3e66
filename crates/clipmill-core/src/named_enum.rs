//! Enums whose variants have names.

/// An enum whose variants have names in requests, JSON or the database: `pub enum State { Ready = "ready" }`.
#[macro_export]
macro_rules! named_enum {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$of_variant:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$about])*
        pub enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            /// All of them, in the order of declaration.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];
            pub const NAMES: [(&'static str, Self); Self::ALL.len()] = [$(($text, Self::$variant)),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == name)
            }
        }
    };
}
