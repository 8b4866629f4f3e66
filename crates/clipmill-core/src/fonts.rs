//! The fonts that captions can use: the single table behind `style.font` and the API's catalogue.

use serde::{Deserialize, Serialize};

/// One of the fonts that setup installs. A name never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaptionFont {
    NotoSansSc,
    NotoSansTc,
    NotoSansJp,
    NotoSansKr,
    NotoSans,
    NotoSansDisplay,
    NotoSerifSc,
    NotoSerifTc,
    NotoSerifJp,
    NotoSerifKr,
    NotoSerif,
    NotoSerifDisplay,
}

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

const ENTRIES: [FontEntry; 12] = [
    entry("noto-sans-sc", "Noto Sans CJK SC", CJK, "Noto Sans, simplified Chinese", "思源黑体（简体）", EAST),
    entry(
        "noto-sans-tc",
        "Noto Sans CJK TC",
        CJK,
        "Noto Sans, traditional Chinese",
        "思源黑体（繁体）",
        EAST,
    ),
    entry("noto-sans-jp", "Noto Sans CJK JP", CJK, "Noto Sans, Japanese", "思源黑体（日文）", EAST),
    entry("noto-sans-kr", "Noto Sans CJK KR", CJK, "Noto Sans, Korean", "思源黑体（韩文）", EAST),
    entry("noto-sans", "Noto Sans", CORE, "Noto Sans", "Noto Sans 无衬线", SANS),
    entry(
        "noto-sans-display",
        "Noto Sans Display",
        CORE,
        "Noto Sans Display, for large text",
        "Noto Sans 标题体",
        WEST,
    ),
    entry(
        "noto-serif-sc",
        "Noto Serif CJK SC",
        CJK,
        "Noto Serif, simplified Chinese",
        "思源宋体（简体）",
        EAST,
    ),
    entry(
        "noto-serif-tc",
        "Noto Serif CJK TC",
        CJK,
        "Noto Serif, traditional Chinese",
        "思源宋体（繁体）",
        EAST,
    ),
    entry("noto-serif-jp", "Noto Serif CJK JP", CJK, "Noto Serif, Japanese", "思源宋体（日文）", EAST),
    entry("noto-serif-kr", "Noto Serif CJK KR", CJK, "Noto Serif, Korean", "思源宋体（韩文）", EAST),
    entry("noto-serif", "Noto Serif", CORE, "Noto Serif", "Noto Serif 衬线", WEST),
    entry(
        "noto-serif-display",
        "Noto Serif Display",
        CORE,
        "Noto Serif Display, for large text",
        "Noto Serif 标题体",
        WEST,
    ),
];

const fn entry(
    name: &'static str,
    family: &'static str,
    package: &'static str,
    title_en: &'static str,
    title_zh: &'static str,
    scripts: &'static [&'static str],
) -> FontEntry {
    FontEntry { name, family, package, title_en, title_zh, scripts }
}

impl CaptionFont {
    /// All fonts in the order of the catalogue.
    pub const ALL: [Self; 12] = [
        Self::NotoSansSc,
        Self::NotoSansTc,
        Self::NotoSansJp,
        Self::NotoSansKr,
        Self::NotoSans,
        Self::NotoSansDisplay,
        Self::NotoSerifSc,
        Self::NotoSerifTc,
        Self::NotoSerifJp,
        Self::NotoSerifKr,
        Self::NotoSerif,
        Self::NotoSerifDisplay,
    ];

    pub const NAMES: [&'static str; 12] = {
        let mut names = [""; 12];
        let mut i = 0;
        while i < names.len() {
            names[i] = ENTRIES[i].name;
            i += 1;
        }
        names
    };

    pub const TITLES: [(&'static str, &'static str); 12] = {
        let mut titles = [("", ""); 12];
        let mut i = 0;
        while i < titles.len() {
            titles[i] = (ENTRIES[i].title_en, ENTRIES[i].title_zh);
            i += 1;
        }
        titles
    };

    pub fn entry(self) -> &'static FontEntry {
        &ENTRIES[self as usize]
    }
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
