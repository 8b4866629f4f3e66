//! The settings for each encoder.

use clipmill_core::encoding::{Encoder, Encoding, Preset};
use clipmill_core::pricing::Tier;
use clipmill_core::segment::EncoderSettings;
use clipmill_core::time::Fps;

fn settings(encoder: Encoder, preset: Preset) -> EncoderSettings {
    Encoding { encoder, ..Encoding::standard(3) }.settings(Some(preset), Tier::Hd, Fps::DEFAULT)
}

#[test]
fn each_preset_of_each_encoder_has_its_effort_and_its_quality() {
    use Encoder::*;
    use Preset::*;
    for (encoder, preset, effort, crf_tenths) in [
        (H264Nvenc, Draft, "p2", 270),
        (H264Nvenc, Standard, "p5", 230),
        (H264Nvenc, High, "p7", 200),
        (H264Qsv, Draft, "veryfast", 260),
        (H264Qsv, Standard, "medium", 220),
        (H264Qsv, High, "veryslow", 190),
        (H264Vaapi, Draft, "", 260),
        (H264Vaapi, Standard, "", 220),
        (H264Vaapi, High, "", 190),
    ] {
        let actual = settings(encoder, preset);
        assert_eq!(
            (actual.preset.as_str(), actual.crf_tenths),
            (effort, crf_tenths),
            "{encoder:?}, {preset:?}"
        );
        assert_eq!((actual.params.as_str(), actual.threads), ("hardware=1", 1), "{encoder:?}, {preset:?}");
        assert!(!actual.is_copy());
        assert_eq!(actual.fallback.unwrap().threads, 3);
    }
}

#[test]
fn copying_has_only_fallback_settings() {
    let encoded = settings(Encoder::Libx264, Preset::High);
    let copying = encoded.clone().copying();
    assert!(copying.is_copy() && !encoded.is_copy());
    let actual =
        (copying.codec.as_str(), copying.preset.as_str(), copying.crf_tenths, copying.params.as_str());
    assert_eq!(actual, ("copy", "", 0, ""));
    assert_eq!(
        (copying.max_rate_kbps, copying.keyframe_interval, copying.threads),
        (encoded.max_rate_kbps, encoded.keyframe_interval, encoded.threads)
    );
    assert_eq!(copying.fallback.as_deref(), Some(&encoded));
}
