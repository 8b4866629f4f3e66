//! Turns nodes of the plan into ffmpeg's arguments. All functions are pure; no option comes from a client.

mod audio;
mod copy;
mod device;
mod emoji;
mod encode_mix;
mod excerpt;
mod mix;
pub mod monitor;
mod rewrap;
mod video;

use std::ffi::OsString;
use std::path::Path;

use crate::paths::file_url;

pub(crate) use audio::in_stereo;
pub use audio::{audio, audio_in_one_form};
pub use copy::copy;
pub use device::{DeviceInput, device, trial};
pub use emoji::{EmojiStrip, emoji_of};
pub use encode_mix::{MixArgs, RAW_AUDIO, encode_mixes, raw_mixes};
pub use excerpt::excerpt_args;
pub use rewrap::rewrap;
pub use video::{FONTS, TICKS_PER_FRAME, VideoFiles, decoder_threads, frame, frames, max_bytes, video};

/// A list of arguments that is being built.
#[derive(Debug, Default)]
pub struct Args(Vec<OsString>);

impl Args {
    pub fn new(start: Vec<OsString>) -> Self {
        Self(start)
    }

    /// Adds literal arguments.
    pub fn add<const N: usize>(&mut self, words: [&str; N]) -> &mut Self {
        self.0.extend(words.map(OsString::from));
        self
    }

    pub fn option(&mut self, name: &str, value: impl ToString) -> &mut Self {
        self.0.extend([OsString::from(name), OsString::from(value.to_string())]);
        self
    }

    pub fn extend(&mut self, more: Vec<OsString>) -> &mut Self {
        self.0.extend(more);
        self
    }

    /// Adds a file, prefixed so that no name can be mistaken for a protocol or an option.
    pub fn file(&mut self, path: &Path) -> &mut Self {
        self.0.push(file_url(path));
        self
    }

    pub fn done(self) -> Vec<OsString> {
        self.0
    }
}

/// Decoding is strict at first; [`Strictness::Lenient`] is for damaged files that players still play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    Strict,
    Lenient,
}

impl Strictness {
    /// Makes a decoder drop a frame with errors instead of concealing them.
    pub const DROP_ERRORS: [&str; 2] = ["-err_detect", "explode"];

    /// Options before an input.
    pub fn options(self) -> Vec<OsString> {
        match self {
            Self::Strict => ["-xerror"].iter().chain(&Self::DROP_ERRORS).map(OsString::from).collect(),
            Self::Lenient => Vec::new(),
        }
    }
}
