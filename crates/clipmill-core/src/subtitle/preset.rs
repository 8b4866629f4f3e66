//! Named caption styles. They are immutable: a changed one gets a new name, because a request that names one always means
//! the same.

use super::style::{
    CaptionPlace, CaptionPreset, Highlight, Motion, OwnFields, PresetUse, Rgba, STYLE_FIELDS, SubtitleStyle,
    Weight, WordDisplay,
};

/// The catalogue entry of a preset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaptionPresetEntry {
    pub name: &'static str,
    pub title_en: &'static str,
    pub title_zh: &'static str,
    pub description_en: &'static str,
    pub description_zh: &'static str,
}

impl SubtitleStyle {
    /// This style with the values of the preset in all fields but `own`.
    pub fn with_preset(mut self, name: CaptionPreset, own: OwnFields) -> Self {
        let preset = name.style();
        for (field, copy) in STYLE_FIELDS {
            if !own.has(field) {
                copy(&mut self, &preset);
            }
        }
        self.highlight = self.highlight.filter(|highlight| !highlight.is_none());
        self.preset = Some(PresetUse { name, own });
        self
    }
}

const fn rgb(r: u8, g: u8, b: u8) -> Rgba {
    Rgba { r, g, b, a: 255 }
}

const BOLD: SubtitleStyle = SubtitleStyle { weight: Weight::Bold, ..SubtitleStyle::DEFAULT };
/// Large letters with a black outline in the lower third.
const LARGE: SubtitleStyle = SubtitleStyle {
    font_size: 18,
    magnification: 3.0,
    outline_color: Some(Rgba::BLACK),
    place: CaptionPlace::LowerThird,
    ..BOLD
};

impl CaptionPreset {
    /// All presets in the order of the catalogue.
    pub const ALL: [Self; 10] = [
        Self::Clean,
        Self::BoldPop,
        Self::Karaoke,
        Self::KaraokeBox,
        Self::Impact,
        Self::Build,
        Self::Typewriter,
        Self::Label,
        Self::Neon,
        Self::Headline,
    ];

    pub const NAMES: [&'static str; 10] = {
        let mut names = [""; 10];
        let mut i = 0;
        while i < names.len() {
            names[i] = ENTRIES[i].name;
            i += 1;
        }
        names
    };

    pub const TITLES: [(&'static str, &'static str); 10] = {
        let mut titles = [("", ""); 10];
        let mut i = 0;
        while i < titles.len() {
            titles[i] = (ENTRIES[i].title_en, ENTRIES[i].title_zh);
            i += 1;
        }
        titles
    };

    pub fn entry(self) -> &'static CaptionPresetEntry {
        &ENTRIES[self as usize]
    }

    /// The style of a request that sets only this preset, without its name.
    pub const fn style(self) -> SubtitleStyle {
        match self {
            Self::Clean => SubtitleStyle { font_size: 15, shadow: 5, motion: Motion::Fade, ..BOLD },
            Self::BoldPop => SubtitleStyle {
                magnification: 4.5,
                shadow: 8,
                words: WordDisplay::One,
                motion: Motion::Pop,
                uppercase: true,
                ..LARGE
            },
            Self::Karaoke => SubtitleStyle {
                shadow: 5,
                highlight: Some(Highlight { color: Some(rgb(0xff, 0xd4, 0)), ..Highlight::NONE }),
                max_words: Some(6),
                ..LARGE
            },
            Self::KaraokeBox => SubtitleStyle {
                radius: 24,
                highlight: Some(Highlight { back_color: Some(rgb(0x7c, 0x3a, 0xed)), ..Highlight::NONE }),
                uppercase: true,
                max_words: Some(5),
                ..LARGE
            },
            Self::Impact => SubtitleStyle {
                magnification: 3.5,
                shadow: 8,
                highlight: Some(Highlight {
                    color: Some(rgb(0x39, 0xff, 0x6a)),
                    scale: Some(1.12),
                    ..Highlight::NONE
                }),
                motion: Motion::Pop,
                uppercase: true,
                max_words: Some(3),
                ..LARGE
            },
            Self::Build => SubtitleStyle {
                shadow: 5,
                words: WordDisplay::Grow,
                motion: Motion::Rise,
                max_words: Some(6),
                ..LARGE
            },
            Self::Typewriter => SubtitleStyle {
                font_size: 15,
                font_color: rgb(0xf4, 0xf1, 0xe8),
                back_color: Some(Rgba { r: 0x14, g: 0x14, b: 0x18, a: 0xd9 }),
                radius: 12,
                motion: Motion::Typewriter,
                place: CaptionPlace::LowerThird,
                ..BOLD
            },
            Self::Label => SubtitleStyle {
                font_size: 17,
                font_color: rgb(0x16, 0x16, 0x1d),
                back_color: Some(Rgba { r: 255, g: 255, b: 255, a: 0xf2 }),
                radius: 45,
                motion: Motion::Pop,
                max_words: Some(6),
                place: CaptionPlace::LowerThird,
                ..BOLD
            },
            Self::Neon => SubtitleStyle {
                font_color: rgb(0xf2, 0xfd, 0xff),
                outline_color: Some(rgb(0xd9, 0x04, 0xa8)),
                shadow: 6,
                highlight: Some(Highlight { color: Some(rgb(0x5c, 0xf2, 0xff)), ..Highlight::NONE }),
                motion: Motion::Fade,
                max_words: Some(5),
                ..LARGE
            },
            Self::Headline => SubtitleStyle {
                font_size: 18,
                back_color: Some(rgb(0xd9, 0x1e, 0x2e)),
                radius: 10,
                motion: Motion::Rise,
                uppercase: true,
                max_words: Some(7),
                place: CaptionPlace::Top,
                bottom: 90,
                ..BOLD
            },
        }
    }
}

const ENTRIES: [CaptionPresetEntry; 10] = [
    CaptionPresetEntry {
        name: "clean",
        title_en: "Clean",
        title_zh: "简洁",
        description_en: "White subtitles with a thin outline that fade in.",
        description_zh: "白色细描边字幕，淡入显示。",
    },
    CaptionPresetEntry {
        name: "bold-pop",
        title_en: "Bold pop",
        title_zh: "弹跳单词",
        description_en: "One large word at a time; each pops up.",
        description_zh: "每次一个大字词，弹跳出现。",
    },
    CaptionPresetEntry {
        name: "karaoke",
        title_en: "Karaoke",
        title_zh: "卡拉 OK",
        description_en: "The spoken word turns yellow.",
        description_zh: "念到的词变为黄色。",
    },
    CaptionPresetEntry {
        name: "karaoke-box",
        title_en: "Karaoke box",
        title_zh: "卡拉 OK 底框",
        description_en: "A violet box moves from word to word.",
        description_zh: "紫色底框逐词移动。",
    },
    CaptionPresetEntry {
        name: "impact",
        title_en: "Impact",
        title_zh: "强调",
        description_en: "Three large words at a time; the spoken one grows and turns green.",
        description_zh: "每次三个大字词，念到的词放大并变绿。",
    },
    CaptionPresetEntry {
        name: "build",
        title_en: "Build-up",
        title_zh: "逐词出现",
        description_en: "Words rise into their places as they are spoken.",
        description_zh: "词语随朗读逐个升起就位。",
    },
    CaptionPresetEntry {
        name: "typewriter",
        title_en: "Typewriter",
        title_zh: "打字机",
        description_en: "Letters appear one after another on a dark box.",
        description_zh: "深色底框上逐字打出。",
    },
    CaptionPresetEntry {
        name: "label",
        title_en: "Label",
        title_zh: "白色标签",
        description_en: "Dark letters on a white, rounded label that pops up.",
        description_zh: "白色圆角标签深色文字，弹跳出现。",
    },
    CaptionPresetEntry {
        name: "neon",
        title_en: "Neon",
        title_zh: "霓虹",
        description_en: "A magenta outline; the spoken word turns cyan.",
        description_zh: "洋红描边，念到的词变为青色。",
    },
    CaptionPresetEntry {
        name: "headline",
        title_en: "Headline",
        title_zh: "新闻标题",
        description_en: "Capitals on a red box at the top that rises into place.",
        description_zh: "顶部红色底框大写文字，升起就位。",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_identify_their_presets() {
        for (preset, name) in CaptionPreset::ALL.into_iter().zip(CaptionPreset::NAMES) {
            assert_eq!((preset.entry().name, serde_json::to_value(preset).unwrap()), (name, name.into()));
        }
    }

    #[test]
    fn own_fields_override_those_of_the_preset() {
        let red = rgb(255, 0, 0);
        let sent = SubtitleStyle {
            font_size: 12,
            highlight: Some(Highlight::of_color(red)),
            ..SubtitleStyle::DEFAULT
        };
        let own: OwnFields = ["fontSize", "highlight/color"].into_iter().collect();
        let style = sent.with_preset(CaptionPreset::Impact, own);
        assert_eq!((style.font_size, style.magnification), (12, 3.5));
        assert_eq!(
            style.highlight,
            Some(Highlight { color: Some(red), scale: Some(1.12), ..Highlight::NONE })
        );
        let stored = serde_json::to_value(&style).unwrap();
        assert_eq!(stored["preset"]["own"], serde_json::json!(["fontSize", "highlight/color"]));
        assert_eq!(serde_json::from_value::<SubtitleStyle>(stored).unwrap(), style);
    }

    #[test]
    fn a_preset_without_highlight_has_none() {
        for preset in CaptionPreset::ALL {
            let style = SubtitleStyle::DEFAULT.with_preset(preset, OwnFields::default());
            assert_eq!(SubtitleStyle { preset: None, ..style.clone() }, preset.style(), "{preset:?}");
        }
    }
}
