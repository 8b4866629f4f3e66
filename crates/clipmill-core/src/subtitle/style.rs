//! The style of captions.

use serde::{Deserialize, Serialize};

use crate::catalogue_enum::catalogue_enum;
use crate::fonts::FontRef;

/// Subtitle style; the em height is `font_size × magnification` pixels in an output whose short side is 720 pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubtitleStyle {
    pub font_size: u32,
    pub font_color: Rgba,
    pub outline_color: Option<Rgba>,
    pub back_color: Option<Rgba>,
    /// Distance of the text from its edge in output pixels, unless `place` overrides it.
    pub bottom: u32,
    pub magnification: f64,
    /// Absent for the font that every installation has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font: Option<FontRef>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub weight: Weight,
    #[serde(default, skip_serializing_if = "is_default")]
    pub place: CaptionPlace,
    /// The distance of the shadow in hundredths of an em; 0 is none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shadow: u32,
    /// The radius of the box's corners in hundredths of an em.
    #[serde(default, skip_serializing_if = "is_default")]
    pub radius: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight: Option<Highlight>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub words: WordDisplay,
    #[serde(default, skip_serializing_if = "is_default")]
    pub motion: Motion,
    #[serde(default, skip_serializing_if = "is_default")]
    pub uppercase: bool,
    /// The maximum number of words in a caption; longer ones are shown as several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_words: Option<u32>,
    /// The maximum width of a line of captions in percent of the output's width; a usual one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_width_percent: Option<f64>,
    /// The preset from which the fields were taken that the request does not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<PresetUse>,
}

impl SubtitleStyle {
    /// The style of a request that sets nothing.
    pub const DEFAULT: Self = Self {
        font_size: 14,
        font_color: Rgba::WHITE,
        outline_color: None,
        back_color: None,
        bottom: 50,
        magnification: 2.5,
        font: None,
        weight: Weight::Regular,
        place: CaptionPlace::Bottom,
        shadow: 0,
        radius: 0,
        highlight: None,
        words: WordDisplay::Line,
        motion: Motion::None,
        uppercase: false,
        max_words: None,
        max_width_percent: None,
        preset: None,
    };
}

/// The weight of letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    #[default]
    Regular,
    Bold,
}

/// The vertical position of captions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaptionPlace {
    #[default]
    Bottom,
    LowerThird,
    Middle,
    Top,
}

/// How many words of a caption are shown at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WordDisplay {
    /// All of them.
    #[default]
    Line,
    /// The one that is spoken.
    One,
    /// Those that have been spoken, in the places that they have in the whole caption.
    Grow,
}

/// How a caption appears, or each of its words if they appear one after another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    #[default]
    None,
    Fade,
    Pop,
    Rise,
    Typewriter,
}

/// The highlighting of the spoken word; at least one field is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Highlight {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Rgba>,
    /// The colour of a box behind the word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_color: Option<Rgba>,
    /// The size of the word, in times of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
}

impl Highlight {
    pub const NONE: Self = Self { color: None, back_color: None, scale: None };

    pub fn of_color(color: Rgba) -> Self {
        Self { color: Some(color), ..Self::NONE }
    }

    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }
}

/// The catalogue entry of a preset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaptionPresetEntry {
    pub name: &'static str,
    pub title_en: &'static str,
    pub title_zh: &'static str,
    pub description_en: &'static str,
    pub description_zh: &'static str,
}

catalogue_enum! {
    /// A named style.
    CaptionPreset CaptionPresetEntry
    Clean "clean" "Clean" "简洁" {
        description_en: "White subtitles with a thin outline that fade in.",
        description_zh: "白色细描边字幕，淡入显示。"
    };
    BoldPop "bold-pop" "Bold pop" "弹跳单词" {
        description_en: "One large word at a time; each pops up.",
        description_zh: "每次一个大字词，弹跳出现。"
    };
    Karaoke "karaoke" "Karaoke" "卡拉 OK" {
        description_en: "The spoken word turns yellow.",
        description_zh: "念到的词变为黄色。"
    };
    KaraokeBox "karaoke-box" "Karaoke box" "卡拉 OK 底框" {
        description_en: "A violet box moves from word to word.",
        description_zh: "紫色底框逐词移动。"
    };
    Impact "impact" "Impact" "强调" {
        description_en: "Three large words at a time; the spoken one grows and turns green.",
        description_zh: "每次三个大字词，念到的词放大并变绿。"
    };
    Build "build" "Build-up" "逐词出现" {
        description_en: "Words rise into their places as they are spoken.",
        description_zh: "词语随朗读逐个升起就位。"
    };
    Typewriter "typewriter" "Typewriter" "打字机" {
        description_en: "Letters appear one after another on a dark box.",
        description_zh: "深色底框上逐字打出。"
    };
    Label "label" "Label" "白色标签" {
        description_en: "Dark letters on a white, rounded label that pops up.",
        description_zh: "白色圆角标签深色文字，弹跳出现。"
    };
    Neon "neon" "Neon" "霓虹" {
        description_en: "A magenta outline; the spoken word turns cyan.",
        description_zh: "洋红描边，念到的词变为青色。"
    };
    Headline "headline" "Headline" "新闻标题" {
        description_en: "Capitals on a red box at the top that rises into place.",
        description_zh: "顶部红色底框大写文字，升起就位。"
    };
}

/// A preset in a style, and the fields of the style that the request sets itself, as bits by their place in
/// [`STYLE_FIELDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresetUse {
    pub name: CaptionPreset,
    #[serde(default, skip_serializing_if = "OwnFields::is_empty")]
    pub own: OwnFields,
}

/// A field of a style: its name in requests, and how its value is copied.
type StyleField = (&'static str, fn(&mut SubtitleStyle, &SubtitleStyle));

/// The fields that a preset can set. The members of `highlight` are fields of their own.
pub const STYLE_FIELDS: [StyleField; 18] = [
    ("fontSize", |to, from| to.font_size = from.font_size),
    ("fontColor", |to, from| to.font_color = from.font_color),
    ("outlineColor", |to, from| to.outline_color = from.outline_color),
    ("backColor", |to, from| to.back_color = from.back_color),
    ("bottom", |to, from| to.bottom = from.bottom),
    ("magnification", |to, from| to.magnification = from.magnification),
    ("weight", |to, from| to.weight = from.weight),
    ("place", |to, from| to.place = from.place),
    ("shadow", |to, from| to.shadow = from.shadow),
    ("radius", |to, from| to.radius = from.radius),
    ("highlight/color", |to, from| highlight(to).color = from.highlight.and_then(|own| own.color)),
    ("highlight/box", |to, from| highlight(to).back_color = from.highlight.and_then(|own| own.back_color)),
    ("highlight/scale", |to, from| highlight(to).scale = from.highlight.and_then(|own| own.scale)),
    ("words", |to, from| to.words = from.words),
    ("motion", |to, from| to.motion = from.motion),
    ("uppercase", |to, from| to.uppercase = from.uppercase),
    ("maxWords", |to, from| to.max_words = from.max_words),
    ("maxWidth", |to, from| to.max_width_percent = from.max_width_percent),
];

fn highlight(style: &mut SubtitleStyle) -> &mut Highlight {
    style.highlight.get_or_insert(Highlight::NONE)
}

/// A set of fields of a style.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<&'static str>")]
pub struct OwnFields(u32);

impl OwnFields {
    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }

    pub fn has(self, name: &str) -> bool {
        STYLE_FIELDS.iter().enumerate().any(|(index, (own, _))| *own == name && self.0 & (1 << index) != 0)
    }
}

impl<S: AsRef<str>> FromIterator<S> for OwnFields {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let index = |name: S| STYLE_FIELDS.iter().position(|(own, _)| *own == name.as_ref());
        Self(names.into_iter().filter_map(index).fold(0, |bits, index| bits | (1 << index)))
    }
}

impl From<Vec<String>> for OwnFields {
    fn from(names: Vec<String>) -> Self {
        names.into_iter().collect()
    }
}

impl From<OwnFields> for Vec<&'static str> {
    fn from(own: OwnFields) -> Self {
        STYLE_FIELDS.iter().map(|(name, _)| *name).filter(|name| own.has(name)).collect()
    }
}

/// A colour with alpha (255 is opaque).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rgba {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: u8,
}

impl Rgba {
    pub const WHITE: Rgba = Rgba { r: 255, g: 255, b: 255, a: 255 };
    pub const BLACK: Rgba = Rgba { r: 0, g: 0, b: 0, a: 255 };
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
