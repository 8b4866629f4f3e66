//! The fonts that captions can use: the single table behind `style.font` and the API's catalogue.

use serde::{Deserialize, Serialize};

use crate::catalogue_enum::catalogue_enum;

/// The font that a style asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FontRef {
    Catalogue(CaptionFont),
    /// The URL of the client's own font file.
    File(String),
}

impl FontRef {
    pub fn catalogue(&self) -> Option<CaptionFont> {
        match self {
            Self::Catalogue(font) => Some(*font),
            Self::File(_) => None,
        }
    }

    pub fn file(&self) -> Option<&str> {
        match self {
            Self::Catalogue(_) => None,
            Self::File(url) => Some(url),
        }
    }
}

/// The catalogue entry of a font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FontEntry {
    pub name: &'static str,
    /// The family name in the installed file.
    pub family: &'static str,
    /// Debian's package that contains it.
    pub package: &'static str,
    pub title_en: &'static str,
    pub title_zh: &'static str,
    /// The scripts that it covers, as ISO 15924 codes; other fonts are used for the rest.
    pub scripts: &'static [&'static str],
}

/// The weights that every font has, as requests name them.
pub const WEIGHTS: [&str; 2] = ["regular", "bold"];

const CJK: &str = "fonts-noto-cjk";
const CORE: &str = "fonts-noto-core";
const EAST: &[&str] = &["Hans", "Hant", "Jpan", "Kore", "Latn", "Cyrl", "Grek"];
const SANS: &[&str] = &["Latn", "Cyrl", "Grek", "Deva"];
const WEST: &[&str] = &["Latn", "Cyrl", "Grek"];

catalogue_enum! {
    /// One of the fonts that setup installs. A name never changes.
    CaptionFont FontEntry
    NotoSansSc "noto-sans-sc" "Noto Sans, simplified Chinese" "思源黑体（简体）" { family: "Noto Sans CJK SC", package: CJK, scripts: EAST };
    NotoSansTc "noto-sans-tc" "Noto Sans, traditional Chinese" "思源黑体（繁体）" { family: "Noto Sans CJK TC", package: CJK, scripts: EAST };
    NotoSansJp "noto-sans-jp" "Noto Sans, Japanese" "思源黑体（日文）" { family: "Noto Sans CJK JP", package: CJK, scripts: EAST };
    NotoSansKr "noto-sans-kr" "Noto Sans, Korean" "思源黑体（韩文）" { family: "Noto Sans CJK KR", package: CJK, scripts: EAST };
    NotoSans "noto-sans" "Noto Sans" "Noto Sans 无衬线" { family: "Noto Sans", package: CORE, scripts: SANS };
    NotoSansDisplay "noto-sans-display" "Noto Sans Display, for large text" "Noto Sans 标题体" { family: "Noto Sans Display", package: CORE, scripts: WEST };
    NotoSerifSc "noto-serif-sc" "Noto Serif, simplified Chinese" "思源宋体（简体）" { family: "Noto Serif CJK SC", package: CJK, scripts: EAST };
    NotoSerifTc "noto-serif-tc" "Noto Serif, traditional Chinese" "思源宋体（繁体）" { family: "Noto Serif CJK TC", package: CJK, scripts: EAST };
    NotoSerifJp "noto-serif-jp" "Noto Serif, Japanese" "思源宋体（日文）" { family: "Noto Serif CJK JP", package: CJK, scripts: EAST };
    NotoSerifKr "noto-serif-kr" "Noto Serif, Korean" "思源宋体（韩文）" { family: "Noto Serif CJK KR", package: CJK, scripts: EAST };
    NotoSerif "noto-serif" "Noto Serif" "Noto Serif 衬线" { family: "Noto Serif", package: CORE, scripts: WEST };
    NotoSerifDisplay "noto-serif-display" "Noto Serif Display, for large text" "Noto Serif 标题体" { family: "Noto Serif Display", package: CORE, scripts: WEST };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_identify_their_fonts() {
        for (font, name) in CaptionFont::ALL.into_iter().zip(CaptionFont::NAMES) {
            assert_eq!((font.entry().name, serde_json::to_value(font).unwrap()), (name, name.into()));
        }
    }
}
