//! Named caption styles. They are immutable: a changed one gets a new name, because a request that names one always means
//! the same.

use super::style::{
    CaptionPlace, CaptionPreset, Highlight, Motion, OwnFields, PresetUse, Rgba, STYLE_FIELDS, SubtitleStyle,
    Weight, WordDisplay,
};

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
