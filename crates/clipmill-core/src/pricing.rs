//! Prices in whole points.

use serde::{Deserialize, Serialize};

use crate::media::Size;
use crate::time::{Fps, Frames};

/// The price tier of an output, by its short side; it determines the price and the highest bit rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tier {
    /// Short side up to 720.
    Hd,
    /// Short side up to 1080; also assumed while the size is unknown.
    FullHd,
    Above,
}

impl Tier {
    pub fn of(size: Size) -> Self {
        match size.short_side() {
            0..=720 => Self::Hd,
            721..=1080 => Self::FullHd,
            _ => Self::Above,
        }
    }

    /// A size of this tier, for an output of unknown size.
    pub(crate) fn example(self) -> Size {
        match self {
            Self::Hd => Size::new(1280, 720),
            Self::FullHd => Size::new(1920, 1080),
            Self::Above => Size::new(3840, 2160),
        }
    }

    /// The highest video bit rate of the output profile, in kilobits a second.
    pub fn max_rate_kbps(self) -> u32 {
        match self {
            Self::Hd => 6_000,
            Self::FullHd => 12_000,
            Self::Above => 30_000,
        }
    }
}

/// Points for each started second of output, by tier. Configured; the default is 1, 2, 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PriceList {
    pub hd: u32,
    pub full_hd: u32,
    pub above: u32,
    /// Points for 1,000 characters of a text that is spoken.
    pub speech: u32,
    /// Points for a minute of audio that is transcribed.
    pub transcription: u32,
}

impl Default for PriceList {
    fn default() -> Self {
        Self { hd: 1, full_hd: 2, above: 4, speech: 0, transcription: 0 }
    }
}

/// The properties that determine the price of an output: as expected at submission, as planned, and as measured in the
/// finished file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BillableOutput<'a> {
    pub tier: Tier,
    pub frames: Frames,
    pub fps: Fps,
    /// What the speech service does for it and for no earlier output of the task.
    pub speech: &'a [SpeechUse],
}

/// A text that is spoken, or audio that is transcribed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SpeechUse {
    /// The characters of the text.
    Text(u64),
    /// The length of the audio.
    Audio { milliseconds: u64 },
}

impl PriceList {
    /// The price of one output in points: estimated, confirmed, held and settled by this one function.
    pub fn points(&self, BillableOutput { tier, frames, fps, speech }: BillableOutput) -> u64 {
        let rate = match tier {
            Tier::Hd => self.hd,
            Tier::FullHd => self.full_hd,
            Tier::Above => self.above,
        };
        let video = frames.started_seconds(fps).saturating_mul(u64::from(rate));
        speech.iter().fold(video, |points, service| points.saturating_add(self.speech_points(*service)))
    }

    /// The price of a text or audio, whose started points count.
    pub fn speech_points(&self, service: SpeechUse) -> u64 {
        match service {
            SpeechUse::Text(characters) => characters.saturating_mul(u64::from(self.speech)).div_ceil(1000),
            SpeechUse::Audio { milliseconds } => {
                milliseconds.saturating_mul(u64::from(self.transcription)).div_ceil(60_000)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_started_second_costs_by_the_short_side() {
        let price = |w, h, frames| {
            let (tier, frames) = (Tier::of(Size::new(w, h)), Frames(frames));
            PriceList::default().points(BillableOutput { tier, frames, fps: Fps::DEFAULT, speech: &[] })
        };
        assert_eq!(price(720, 1280, 450), 15);
        assert_eq!(price(720, 1280, 451), 16);
        assert_eq!(price(1920, 1080, 30), 2);
        assert_eq!(price(2160, 3840, 1), 4);
        assert_eq!(price(720, 1280, 0), 0);
    }

    #[test]
    fn each_text_and_audio_costs_by_its_started_points() {
        let prices = PriceList { speech: 3, transcription: 2, ..PriceList::default() };
        let price = |speech: &[SpeechUse]| {
            prices.points(BillableOutput { tier: Tier::Hd, frames: Frames(30), fps: Fps::DEFAULT, speech })
        };
        let (text, audio) = (SpeechUse::Text, |milliseconds| SpeechUse::Audio { milliseconds });
        assert_eq!(price(&[]), 1);
        assert_eq!(price(&[text(1)]), 2);
        assert_eq!(price(&[text(1000), text(1001), text(333)]), 1 + 3 + 4 + 1);
        assert_eq!(price(&[audio(1), audio(60_000), audio(60_001)]), 1 + 1 + 2 + 3);
        assert_eq!(PriceList::default().speech_points(text(u64::MAX)), 0);
    }
}
