//! Encoders beside libx264: those of graphics cards and processors.
//!
//! Experimental: the numbers here are not measured, because they were written without such hardware. They are
//! conservative guesses at a quality near x264's at the same preset.

use crate::named_enum;
use serde::{Deserialize, Serialize};

use super::Preset;

named_enum! {
    /// An encoder of video.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Encoder {
        #[default]
        Libx264 = "libx264",
        H264Nvenc = "h264_nvenc",
        H264Vaapi = "h264_vaapi",
        H264Qsv = "h264_qsv",
    }
}

impl Encoder {
    /// The hardware encoders in the order in which they are tried.
    pub const HARDWARE: [Self; 3] = [Self::H264Nvenc, Self::H264Qsv, Self::H264Vaapi];
}

/// The encoder that an operator chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EncoderChoice {
    /// The first hardware encoder that works, libx264 where none does.
    Auto,
    #[default]
    Libx264,
    H264Nvenc,
    H264Vaapi,
    H264Qsv,
}

impl EncoderChoice {
    /// The hardware encoders to try, in order; none when libx264 was chosen.
    pub fn candidates(self) -> &'static [Encoder] {
        match self {
            Self::Auto => &Encoder::HARDWARE,
            Self::Libx264 => &[],
            Self::H264Nvenc => &[Encoder::H264Nvenc],
            Self::H264Vaapi => &[Encoder::H264Vaapi],
            Self::H264Qsv => &[Encoder::H264Qsv],
        }
    }
}

/// Version of the arguments for hardware encoders, part of a segment's key. Raise it whenever they change.
pub(super) const FORM: &str = "hardware=1";

/// Effort and quantiser (cq, qp or global quality by encoder); none for libx264.
pub(super) fn quality(encoder: Encoder, preset: Preset) -> Option<(&'static str, u32)> {
    let by_preset = |values: [(&'static str, u32); 3]| {
        let [draft, standard, high] = values;
        Some(match preset {
            Preset::Draft => draft,
            Preset::Standard => standard,
            Preset::High => high,
        })
    };
    match encoder {
        Encoder::Libx264 => None,
        Encoder::H264Nvenc => by_preset([("p2", 27), ("p5", 23), ("p7", 20)]),
        Encoder::H264Qsv => by_preset([("veryfast", 26), ("medium", 22), ("veryslow", 19)]),
        // The efforts of VAAPI differ from driver to driver.
        Encoder::H264Vaapi => by_preset([("", 26), ("", 22), ("", 19)]),
    }
}

#[cfg(test)]
mod tests {
    use crate::encoding::Encoding;
    use crate::pricing::Tier;
    use crate::time::Fps;

    use super::*;

    #[test]
    fn hardware_falls_back_on_the_libx264_segment() {
        let software = Encoding::standard(2);
        for encoder in Encoder::HARDWARE {
            let hardware = Encoding { encoder, ..software };
            for preset in Preset::ALL {
                let expected = software.settings(Some(preset), Tier::Hd, Fps::DEFAULT);
                let actual = hardware.settings(Some(preset), Tier::Hd, Fps::DEFAULT);
                assert_eq!(actual.fallback.as_deref(), Some(&expected));
                assert_eq!(actual.codec, encoder.as_str());
                assert_eq!(
                    (actual.max_rate_kbps, actual.keyframe_interval),
                    (expected.max_rate_kbps, expected.keyframe_interval)
                );
            }
        }
    }

    #[test]
    fn names_are_those_of_ffmpeg() {
        for encoder in Encoder::HARDWARE.into_iter().chain([Encoder::Libx264]) {
            assert_eq!(serde_json::to_value(encoder).unwrap(), encoder.as_str());
            let choice: EncoderChoice = serde_json::from_value(encoder.as_str().into()).unwrap();
            let hardware = (encoder != Encoder::Libx264).then_some(encoder);
            assert_eq!(choice.candidates(), hardware.as_slice());
        }
        assert_eq!(EncoderChoice::default().candidates(), [], "experimental: never selected by default");
    }
}
