//! Estimates prices before files are fetched, from probed uploads and from declared lengths.

use crate::media::{Facts, VideoInfo};
use crate::plan::assumptions::{UNKNOWN_CLIP_S, audio_seconds};
use crate::plan::build::usable_clip;
use crate::plan::mix::images::{image_frames, is_image};
use crate::plan::mix::pools::draw_options;
use crate::plan::mix::scene_lengths::transition_frames;
use crate::plan::speech::speech_uses;
use crate::plan::task_types::planner;
use crate::plan::timeline::overlaps;
use crate::plan::video::excerpt::Excerpt;
use crate::pricing::{BillableOutput, PriceList, SpeechUse, Tier};
use crate::request::model::{Clip, MixLength, MixOptions, TaskRequest};
use crate::results::ExpectedOutput;
use crate::seed::item_seed;
use crate::time::{Fps, Frames};

/// The estimated price and size of one item, and its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemPrice {
    pub seed: u64,
    pub points: u64,
    pub expected: ExpectedOutput,
}

/// The estimated price of each item, in order. `facts` contain the files that were probed before; for other files the
/// declared length is used.
pub fn estimate_prices(
    request: &TaskRequest,
    seed: u64,
    facts: &Facts,
    prices: &PriceList,
) -> Vec<ItemPrice> {
    let fps = request.params.fps();
    let lengths = planner(&request.params).lengths(seed, facts);
    let uses = speech_uses(request, seed, facts, |_| true);
    let price = |(item_no, ((tier, seconds), uses)): (u32, ((Tier, f64), Vec<SpeechUse>))| {
        let frames = Frames(Frames::nearest(seconds, fps).0.max(1));
        let points = prices.points(BillableOutput { tier, frames, fps, speech: &uses });
        let size = request.params.mix_options().map_or_else(|| tier.example(), |options| options.size);
        ItemPrice { seed: item_seed(seed, item_no), points, expected: ExpectedOutput::new(frames, fps, size) }
    };
    (1..).zip(lengths.into_iter().zip(uses)).map(price).collect()
}

/// The video of a clip that was probed before, and its used excerpt.
pub(crate) fn probed<'f>(clip: &Clip, facts: &'f Facts) -> Option<(&'f VideoInfo, Excerpt)> {
    let info = facts.media.get(&clip.url)?.as_ref().ok()?;
    usable_clip(clip, info).ok()
}

/// The used length of a clip that is not probed, as declared in the request.
pub(crate) fn declared(clip: &Clip) -> Option<f64> {
    let end = clip.duration_s.into_iter().chain(clip.to_s).reduce(f64::min)?;
    Some((end - clip.from_s.unwrap_or(0.0)).max(0.0))
}

/// The length of a clip in a mix, as far as it is known.
pub(crate) fn seconds(clip: &Clip, facts: &Facts, fps: Fps) -> Option<f64> {
    if is_image(clip, facts) {
        return Some(image_frames(clip, fps).seconds(fps));
    }
    let probed = probed(clip, facts);
    let frames = |(video, excerpt): (&VideoInfo, Excerpt)| excerpt.frames(video, clip.speed(), fps);
    probed.map(|probed| frames(probed).seconds(fps)).or_else(|| Some(declared(clip)? / clip.speed()))
}

/// The length of an output without its intro and outro, if its voice determines it.
pub(crate) fn voice_seconds(options: &MixOptions, item_seed: u64, facts: &Facts) -> Option<f64> {
    if options.length == MixLength::Clips {
        return None;
    }
    let drawn = draw_options(options, item_seed, facts);
    let voice = drawn.options.voice.as_ref()?;
    let heard_s = audio_seconds(&voice.url, voice.duration_s, facts);
    let seconds = voice.start_s.unwrap_or(0.0) + heard_s + options.tail_s.unwrap_or(MixOptions::TAIL_S);
    Some(Frames::nearest(seconds, options.fps).seconds(options.fps))
}

/// The length of the intro and the outro of an output.
pub(crate) fn bumper_seconds(options: &MixOptions, item_seed: u64, facts: &Facts) -> f64 {
    let bumpers = draw_options(options, item_seed, facts).bumpers();
    let length = |url: &str| {
        let clip = Clip { url: url.to_owned(), ..Clip::default() };
        seconds(&clip, facts, options.fps).unwrap_or(UNKNOWN_CLIP_S)
    };
    bumpers.into_iter().flatten().map(length).sum()
}

/// The length of clips that follow each other or overlap, each in whole frames.
pub(crate) fn seconds_together(lengths: &[f64], options: &MixOptions) -> f64 {
    let fps = options.fps;
    let frames = lengths.iter().map(|length| Frames(Frames::nearest(*length, fps).0.max(1)));
    let frames: Vec<Frames> = frames.collect();
    let sum: Frames = frames.iter().copied().sum();
    let shared: Frames = overlaps(&frames, transition_frames(options)).into_iter().sum();
    Frames(sum.0 - shared.0).seconds(fps)
}

/// The lengths when all are trimmed to the shortest; images shorten nothing else, unless there are only images.
pub(crate) fn cut_to_shortest(lengths: impl Iterator<Item = (f64, bool)> + Clone) -> Vec<f64> {
    let least =
        |lengths: &mut dyn Iterator<Item = (f64, bool)>| lengths.map(|(length, _)| length).reduce(f64::min);
    let shortest = least(&mut lengths.clone().filter(|(_, is_image)| !is_image));
    let shortest = shortest.or_else(|| least(&mut lengths.clone())).unwrap_or_default();
    lengths.map(|(length, _)| length.min(shortest)).collect()
}
