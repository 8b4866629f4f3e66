//! Encoder settings and presets.
//!
//! The settings of libx264 were chosen by measured processor time, SSIM, SSIMULACRA2 and size on several kinds of
//! footage; `docs/contributing/performance-measurements.md` has the table and says how to regenerate it.

mod hardware;

use serde::{Deserialize, Serialize};

pub use hardware::{Encoder, EncoderChoice};

use crate::named_enum;
use crate::pricing::Tier;
use crate::segment::EncoderSettings;
use crate::time::Fps;

named_enum! {
    /// How much effort goes into each frame.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Preset {
        /// The least effort that still gives acceptable quality.
        Draft = "draft",
        /// Near x264's veryfast at crf 21, in quality and size.
        #[default]
        Standard = "standard",
        /// Better than x264's medium at crf 19.
        High = "high",
    }
}

/// The encoder settings of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    pub encoder: Encoder,
    /// Used when a request has none.
    pub preset: Preset,
    /// Threads of each encode; 0 chooses them with [`DivisionSettings::width`](crate::plan::DivisionSettings). Another number gives
    /// another stream.
    pub threads: u32,
}

impl Encoding {
    /// libx264 with the standard preset.
    pub fn standard(threads: u32) -> Self {
        Self { encoder: Encoder::Libx264, preset: Preset::Standard, threads }
    }

    /// The fixed settings of an output. The tier limits the bit rate, whatever the preset.
    pub fn settings(&self, preset: Option<Preset>, tier: Tier, fps: Fps) -> EncoderSettings {
        let preset = preset.unwrap_or(self.preset);
        let software = self.x264(preset, tier, fps);
        match hardware::quality(self.encoder, preset) {
            None => software,
            Some((effort, quality)) => EncoderSettings {
                codec: self.encoder.as_str().to_owned(),
                preset: effort.to_owned(),
                crf_tenths: quality * 10,
                params: hardware::FORM.to_owned(),
                // Hardware chooses its own parallelism.
                threads: 1,
                fallback: Some(Box::new(software.clone())),
                ..software
            },
        }
    }

    fn x264(&self, preset: Preset, tier: Tier, fps: Fps) -> EncoderSettings {
        let quality = x264(preset);
        EncoderSettings {
            codec: "libx264".to_owned(),
            preset: quality.preset.to_owned(),
            crf_tenths: quality.crf_tenths,
            params: quality.params.to_owned(),
            max_rate_kbps: tier.max_rate_kbps(),
            keyframe_interval: keyframe_interval(fps),
            threads: self.threads,
            fallback: None,
        }
    }
}

/// The most frames from one keyframe to the next: 4 s. An interval of 2 s costs 5 % of size.
pub(crate) fn keyframe_interval(fps: Fps) -> u32 {
    4 * fps.get()
}

struct Quality {
    preset: &'static str,
    crf_tenths: u32,
    params: &'static str,
}

/// `stitchable` keeps the beginning of a segment independent of its content, so that segments can be joined.
fn x264(preset: Preset) -> Quality {
    match preset {
        // Without 8x8dct the profile would no longer be High; the other features that ultrafast omits cost little and
        // halve the size.
        Preset::Draft => Quality {
            preset: "ultrafast",
            crf_tenths: 240,
            params: "8x8dct=1:cabac=1:aq-mode=1:mbtree=1:rc-lookahead=5:stitchable=1",
        },
        // Every second frame is a B-frame, the cheapest pattern to search for. The cost and loss of this preset's poor
        // motion search differ between kinds of footage. A short lookahead, a higher qcomp (a weaker mbtree) and
        // slightly less chroma bring the worst of them back to the others. Five frames of lookahead and crf 21.8
        // degraded grain, which exceeds the highest bit rate (docs/contributing/performance-measurements.md).
        Preset::Standard => Quality {
            preset: "superfast",
            crf_tenths: 221,
            params: "mbtree=1:rc-lookahead=7:b-adapt=0:bframes=1:aq-strength=1.05:qcomp=0.69:chroma-qp-offset=1:stitchable=1",
        },
        Preset::High => Quality { preset: "faster", crf_tenths: 180, params: "stitchable=1" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_differ_in_quality_and_nothing_else() {
        let settings = |preset| Encoding::standard(2).settings(Some(preset), Tier::Hd, Fps::DEFAULT);
        let [draft, standard, high] = Preset::ALL.map(settings);
        assert!(draft.crf_tenths > standard.crf_tenths && standard.crf_tenths > high.crf_tenths);
        let bounds = |of: &EncoderSettings| (of.max_rate_kbps, of.keyframe_interval, of.threads);
        for one in [&draft, &standard, &high] {
            assert_eq!(bounds(one), (6_000, 120, 2));
            assert!(one.params.contains("stitchable=1"), "{one:?} could not be joined");
            let high = one.preset != "ultrafast" || one.params.contains("8x8dct=1");
            assert!(high, "{one:?} is not of profile High");
        }
    }

    #[test]
    fn a_request_wins_over_the_installation() {
        let encoding = Encoding { preset: Preset::High, ..Encoding::standard(1) };
        let settings = |preset| encoding.settings(preset, Tier::Hd, Fps::DEFAULT);
        assert_eq!(settings(None), settings(Some(Preset::High)));
        assert_ne!(settings(None), settings(Some(Preset::Draft)));
    }

    #[test]
    fn keys_of_libx264_segments_do_not_change() {
        let settings = Encoding::standard(2).settings(None, Tier::Hd, Fps::DEFAULT);
        let text = serde_json::to_string(&settings).unwrap();
        assert!(!text.contains("fallback"), "{text}: all caches would become invalid");
    }

    #[test]
    fn names_are_those_on_the_wire() {
        for preset in Preset::ALL {
            assert_eq!(serde_json::to_value(preset).unwrap(), preset.as_str());
        }
    }
}
