//! All files of a request: the only list of the places of URLs.

use std::fmt;

use super::model::{
    Clip, DedupParams, Mask, MixOptions, OverlayContent, Params, Scene, Subtitle, SubtitleStyle, TaskRequest,
};
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

impl TaskRequest {
    /// Files in the order of the request: clips and the audio of scenes, then those of the options. A file that is used
    /// twice occurs twice.
    pub fn inputs(&self) -> Vec<Input<'_>> {
        let mut inputs = Inputs(Vec::new());
        match &self.params {
            Params::VideoDeduplication(params) => inputs.dedup(params),
            Params::BaseVideoMix(params) => {
                for (i, group) in params.groups.iter().enumerate() {
                    inputs.clips("/params/videoList/#/videos/#/url", i, &group.videos);
                }
            }
            Params::ProVideoMix(params) => {
                params.scenes.iter().enumerate().for_each(|(i, scene)| inputs.scene(i, scene));
            }
        }
        if let Some(options) = self.params.mix_options() {
            inputs.mix_options(options);
        }
        inputs.0
    }

    /// All clips in the order of the request, including repeats.
    pub fn clips(&self) -> Box<dyn Iterator<Item = &Clip> + '_> {
        match &self.params {
            Params::VideoDeduplication(params) => Box::new(params.videos.iter()),
            Params::BaseVideoMix(params) => Box::new(params.groups.iter().flat_map(|group| &group.videos)),
            Params::ProVideoMix(params) => Box::new(params.scenes.iter().flat_map(|scene| &scene.resources)),
        }
    }

    /// The URLs of all files in this role, in the order of the request.
    pub fn urls_of(&self, role: InputRole) -> impl Iterator<Item = &str> {
        self.inputs().into_iter().filter(move |input| input.role == role).map(|input| input.url)
    }
}

struct Inputs<'a>(Vec<Input<'a>>);

impl<'a> Inputs<'a> {
    fn add(&mut self, role: InputRole, pattern: &'static str, indices: [usize; 2], url: &'a str) {
        self.0.push(Input { url, role, place: Place { pattern, indices } });
    }

    fn clips(&mut self, pattern: &'static str, list: usize, clips: &'a [Clip]) {
        for (i, clip) in clips.iter().enumerate() {
            self.add(InputRole::Clip, pattern, [list, i], &clip.url);
        }
    }

    fn dedup(&mut self, params: &'a DedupParams) {
        for (i, clip) in params.videos.iter().enumerate() {
            self.add(InputRole::Clip, "/params/videoList/#/filename", [i, 0], &clip.url);
        }
        let options = &params.options;
        self.mask("/params/options/picMask/picFiles/#", options.pic_mask.as_ref());
        self.mask("/params/options/videoMask/videoFiles/#", options.video_mask.as_ref());
        if let Some(url) = options.pip.as_ref().and_then(|pip| pip.fill_url.as_deref()) {
            self.add(InputRole::Fill, "/params/options/PIP/fillVideoPath", [0; 2], url);
        }
    }

    fn mask(&mut self, pattern: &'static str, mask: Option<&'a Mask>) {
        for (i, url) in mask.iter().flat_map(|mask| &mask.urls).enumerate() {
            self.add(InputRole::Mask, pattern, [i, 0], url);
        }
    }

    fn scene(&mut self, scene_index: usize, scene: &'a Scene) {
        self.clips("/params/scenes/#/resources/#/url", scene_index, &scene.resources);
        for (i, audio) in scene.audio.iter().enumerate() {
            let pattern = "/params/scenes/#/audioResources/#/url";
            self.add(InputRole::SceneAudio, pattern, [scene_index, i], &audio.url);
        }
    }

    fn font(&mut self, pattern: &'static str, index: usize, style: &'a SubtitleStyle) {
        if let Some(url) = style.font.as_ref().and_then(FontRef::file) {
            self.add(InputRole::Font, pattern, [index, 0], url);
        }
    }

    fn mix_options(&mut self, options: &'a MixOptions) {
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
                OverlayContent::Image { url, .. } => {
                    self.add(InputRole::Overlay, "/params/options/overlays/#/url", [i, 0], url);
                }
                OverlayContent::Text { style, .. } => {
                    self.font("/params/options/overlays/#/style/font", i, style);
                }
            }
        }
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
