//! The files of a request, and the places of the URLs that the options of mixes have.

use std::fmt;

use super::model::{Clip, Cover, MixOptions, OverlayContent, Subtitle, SubtitleStyle, VideoLayer};
use crate::fonts::FontRef;

/// A file of a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    pub url: &'a str,
    pub role: InputRole,
    pub place: Place,
}

/// The use of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputRole {
    Clip,
    /// An intro or an outro.
    Bumper,
    /// Audio of a scene.
    SceneAudio,
    Music,
    Voice,
    /// A sound that is played once.
    Sound,
    Subtitle,
    /// The font of captions or of a text.
    Font,
    Mask,
    /// The cover of the outputs.
    Cover,
    /// The background of a picture-in-picture.
    Overlay,
    /// The kind of background of a picture-in-picture.
    Fill,
}

impl InputRole {
    /// Whether the file must contain video, images or audio.
    pub fn is_media(self) -> bool {
        !matches!(self, Self::Subtitle | Self::Font)
    }
}

/// The place of a URL. Displays as a JSON Pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The JSON Pointer, with `#` for each index.
    pattern: &'static str,
    indices: [usize; 2],
}

impl Place {
    /// The indices of the lists that it is in, the outer one first; 0 where there is none.
    pub(super) fn indices(&self) -> [usize; 2] {
        self.indices
    }
}

/// Collects the files of a request.
#[derive(Default)]
pub(super) struct Inputs<'a>(pub Vec<Input<'a>>);

impl<'a> Inputs<'a> {
    pub fn add(&mut self, role: InputRole, pattern: &'static str, indices: [usize; 2], url: &'a str) {
        self.0.push(Input { url, role, place: Place { pattern, indices } });
    }

    pub fn clips(&mut self, pattern: &'static str, list: usize, clips: &'a [Clip]) {
        for (i, clip) in clips.iter().enumerate() {
            self.add(InputRole::Clip, pattern, [list, i], &clip.url);
        }
    }

    fn font(&mut self, pattern: &'static str, index: usize, style: &'a SubtitleStyle) {
        if let Some(url) = style.font.as_ref().and_then(FontRef::file) {
            self.add(InputRole::Font, pattern, [index, 0], url);
        }
    }

    pub fn cover(&mut self, cover: Option<&'a Cover>) {
        if let Some(url) = cover.and_then(|cover| cover.url.as_deref()) {
            self.add(InputRole::Cover, "/params/options/cover/url", [0; 2], url);
        }
        if let Some(style) = cover.and_then(|cover| cover.title.as_ref()?.style.as_ref()) {
            self.font("/params/options/cover/title/style/font", 0, style);
        }
    }

    pub fn mix_options(&mut self, options: &'a MixOptions) {
        let pools = [
            ("/params/options/introPool/#/url", &options.intro_pool),
            ("/params/options/outroPool/#/url", &options.outro_pool),
        ];
        for (pattern, pool) in pools {
            for (i, bumper) in pool.iter().enumerate() {
                self.add(InputRole::Bumper, pattern, [i, 0], &bumper.url);
            }
        }
        for (i, overlay) in options.overlays.iter().enumerate() {
            match &overlay.shown {
                OverlayContent::Image { url, .. } | OverlayContent::Video(VideoLayer { url, .. }) => {
                    self.add(InputRole::Overlay, "/params/options/overlays/#/url", [i, 0], url);
                }
                OverlayContent::Text { style, .. } => {
                    self.font("/params/options/overlays/#/style/font", i, style);
                }
            }
        }
        self.cover(options.cover.as_ref());
        for (i, track) in options.music_pool.iter().enumerate() {
            self.add(InputRole::Music, "/params/options/backgroundMusicPool/#/url", [i, 0], &track.url);
        }
        for (i, voice) in options.voice_pool.iter().enumerate() {
            self.add(InputRole::Voice, "/params/options/voicePool/#/audio/url", [i, 0], &voice.audio.url);
            if let Some(url) = voice.subtitle.as_ref().and_then(Subtitle::url) {
                let pattern = "/params/options/voicePool/#/subtitle/url";
                self.add(InputRole::Subtitle, pattern, [i, 0], url);
            }
            if let Some(subtitle) = &voice.subtitle {
                self.font("/params/options/voicePool/#/subtitle/style/font", i, &subtitle.style);
            }
        }
        if let Some(track) = &options.music {
            self.add(InputRole::Music, "/params/options/backgroundMusic/url", [0; 2], &track.url);
        }
        if let Some(track) = &options.voice {
            self.add(InputRole::Voice, "/params/options/audio/url", [0; 2], &track.url);
        }
        for (i, sound) in options.sounds.iter().enumerate() {
            self.add(InputRole::Sound, "/params/options/sounds/#/url", [i, 0], &sound.url);
        }
        if let Some(url) = options.subtitle.as_ref().and_then(Subtitle::url) {
            self.add(InputRole::Subtitle, "/params/options/subtitle/url", [0; 2], url);
        }
        if let Some(subtitle) = &options.subtitle {
            self.font("/params/options/subtitle/style/font", 0, &subtitle.style);
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut indices = self.indices.iter();
        for (i, piece) in self.pattern.split('#').enumerate() {
            if let Some(index) = (i > 0).then(|| indices.next()).flatten() {
                write!(f, "{index}")?;
            }
            f.write_str(piece)?;
        }
        Ok(())
    }
}
