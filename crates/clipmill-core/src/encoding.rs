//! How pictures are encoded: by which encoder, and with how much work.
//!
//! The settings of libx264 were chosen by measured processor time, SSIM, SSIMULACRA2 and size on several kinds
//! of footage; `docs/performance.md` has the table and says how to make it again.

use serde::{Deserialize, Serialize};

use crate::pricing::Tier;
use crate::segment::EncoderSettings;
use crate::time::Fps;

/// How much work goes into each frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// The least work that still gives an acceptable picture.
    Draft,
    /// Near x264's veryfast at crf 21, in picture and size.
    #[default]
    Standard,
    /// Better than x264's medium at crf 19.
    High,
}

impl Preset {
    pub const ALL: [Self; 3] = [Self::Draft, Self::Standard, Self::High];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Standard => "standard",
            Self::High => "high",
        }
    }
}

/// An encoder of ffmpeg.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Codec {
    #[default]
    #[serde(rename = "libx264")]
    Libx264,
    #[serde(rename = "h264_nvenc")]
    Nvenc,
    #[serde(rename = "h264_vaapi")]
    Vaapi,
    #[serde(rename = "h264_qsv")]
    Qsv,
}

impl Codec {
    /// Those that need hardware, in the order in which they are tried.
    pub const HARDWARE: [Self; 3] = [Self::Nvenc, Self::Qsv, Self::Vaapi];

    /// As ffmpeg calls it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Libx264 => "libx264",
            Self::Nvenc => "h264_nvenc",
            Self::Vaapi => "h264_vaapi",
            Self::Qsv => "h264_qsv",
        }
    }
}

/// What an installation encodes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    pub codec: Codec,
    /// Where a request names none.
    pub preset: Preset,
    /// Threads of one encode: a setting, because another number gives another stream.
    pub threads: u32,
}

impl Encoding {
    /// With libx264 and the standard preset.
    pub fn software(threads: u32) -> Self {
        Self { codec: Codec::Libx264, preset: Preset::Standard, threads }
    }

    /// The fixed setting of an output. Rates are bounded by the tier whatever the preset.
    pub fn settings(&self, preset: Option<Preset>, tier: Tier, fps: Fps) -> EncoderSettings {
        let preset = preset.unwrap_or(self.preset);
        let quality = match self.codec {
            Codec::Libx264 => x264(preset),
            hardware => Quality { preset: "", crf_tenths: quantizer_tenths(hardware, preset), params: "" },
        };
        EncoderSettings {
            codec: self.codec.as_str().to_owned(),
            preset: quality.preset.to_owned(),
            crf_tenths: quality.crf_tenths,
            params: quality.params.to_owned(),
            max_rate_kbps: tier.max_rate_kbps(),
            keyframe_interval: 4 * fps.get(),
            threads: self.threads,
        }
    }
}

struct Quality {
    preset: &'static str,
    crf_tenths: u32,
    params: &'static str,
}

/// `stitchable` keeps what a segment begins with independent of its content, so that segments can be joined.
fn x264(preset: Preset) -> Quality {
    match preset {
        Preset::Draft => Quality { preset: "ultrafast", crf_tenths: 230, params: "stitchable=1" },
        Preset::Standard => {
            Quality { preset: "superfast", crf_tenths: 210, params: "mbtree=1:rc-lookahead=10:stitchable=1" }
        }
        Preset::High => Quality { preset: "medium", crf_tenths: 180, params: "stitchable=1" },
    }
}

/// Scales differ from one encoder to the next; these lie near each other in size on their makers' figures.
fn quantizer_tenths(codec: Codec, preset: Preset) -> u32 {
    let standard = match codec {
        Codec::Nvenc => 250,
        Codec::Vaapi | Codec::Qsv | Codec::Libx264 => 230,
    };
    match preset {
        Preset::Draft => standard + 30,
        Preset::Standard => standard,
        Preset::High => standard - 40,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_and_encoders_differ_in_their_settings_and_nothing_else_does() {
        let settings = |codec, preset| {
            let encoding = Encoding { codec, preset: Preset::Standard, threads: 2 };
            encoding.settings(preset, Tier::Hd, Fps::DEFAULT)
        };
        let mut all = Vec::new();
        for codec in std::iter::once(Codec::Libx264).chain(Codec::HARDWARE) {
            all.extend(Preset::ALL.map(|preset| settings(codec, Some(preset))));
            assert_eq!(settings(codec, None), settings(codec, Some(Preset::Standard)));
        }
        for (number, one) in all.iter().enumerate() {
            assert!(!all[..number].contains(one), "{one:?} stands there twice");
            let quality = |of: &EncoderSettings| (of.max_rate_kbps, of.keyframe_interval, of.threads);
            assert_eq!(quality(one), quality(&all[0]));
        }
    }

    #[test]
    fn a_request_wins_over_the_installation() {
        let encoding = Encoding { preset: Preset::High, ..Encoding::software(1) };
        let settings = |preset| encoding.settings(preset, Tier::Hd, Fps::DEFAULT);
        assert_eq!(settings(None), settings(Some(Preset::High)));
        assert_ne!(settings(None), settings(Some(Preset::Draft)));
    }

    #[test]
    fn names_are_those_on_the_wire() {
        for preset in Preset::ALL {
            assert_eq!(serde_json::to_value(preset).unwrap(), preset.as_str());
        }
        for codec in std::iter::once(Codec::Libx264).chain(Codec::HARDWARE) {
            assert_eq!(serde_json::to_value(codec).unwrap(), codec.as_str());
        }
    }
}
