//! Outputs that need no encoding: every clip is shown whole and unchanged, and already has the output's format.
//!
//! The decision is made for an output as a whole, and only if its file meets all guarantees of an encoded one: format,
//! colours, bit rate, keyframes. Whether the packets can actually be used is known when the segment is made; if not,
//! the whole output is encoded (`EncoderSettings::fallback`).

use crate::media::{AvcForm, ColorInfo, MediaInfo, VideoInfo};
use crate::plan::mix::shot::{ClipAdjustments, Shot};
use crate::request::model::MixOptions;
use crate::segment::EncoderSettings;

/// Some players interpret smaller videos without colour tags as BT.601.
const SURELY_BT709: u32 = 720;

/// Whether the packets of all shots can follow each other unchanged.
pub(crate) fn can_be_copied(options: &MixOptions, shots: &[Shot], encoder: &EncoderSettings) -> bool {
    let Some(first) = shots.first().and_then(|shot| shot.video.avc.as_ref()) else { return false };
    let same = |avc: &AvcForm| avc.configuration == first.configuration && keeps_to(avc, options, encoder);
    options.subtitle.is_none()
        && options.overlays.is_empty()
        && options.effects.is_empty()
        && shots.iter().all(|shot| {
            is_whole(shot)
                && shot.second.is_none()
                && shot.adjustments.look_and_speed() == ClipAdjustments::NONE.look_and_speed()
                && shot.video.avc.as_ref().is_some_and(same)
                && looks_as_planned(options, shot.video)
                && !is_too_large(shot.info, shot.video, encoder)
        })
}

fn is_whole(shot: &Shot) -> bool {
    !shot.looped
        && shot.excerpt.is_whole()
        && shot.frames == shot.natural
        && shot.natural.0 == shot.video.frames
}

fn keeps_to(avc: &AvcForm, options: &MixOptions, encoder: &EncoderSettings) -> bool {
    avc.rate == options.fps.get() && avc.longest_group <= u64::from(encoder.keyframe_interval)
}

/// Whether every player shows the source's colours as it would show the output's.
fn looks_as_planned(options: &MixOptions, video: &VideoInfo) -> bool {
    let VideoInfo { coded, rotation, sample_aspect, interlaced, still, .. } = *video;
    let upright = coded == options.size && rotation == 0 && sample_aspect == (1, 1);
    upright && !interlaced && !still && is_bt709(video)
}

fn is_bt709(video: &VideoInfo) -> bool {
    let ColorInfo { matrix, primaries, transfer, full_range, chroma_location, profile: _ } = &video.color;
    let is = |tag: &Option<String>| tag.as_deref().is_none_or(|tag| tag == "bt709");
    let guessed = matrix.is_none();
    is(matrix)
        && is(primaries)
        && is(transfer)
        && *full_range != Some(true)
        && chroma_location.is_none()
        && (!guessed || video.coded.short_side() >= SURELY_BT709)
}

/// Compares the bit rate of the whole file, in which audio hardly counts.
fn is_too_large(info: &MediaInfo, video: &VideoInfo, encoder: &EncoderSettings) -> bool {
    info.size_bytes as f64 > f64::from(encoder.max_rate_kbps) * 125.0 * video.duration_s
}
