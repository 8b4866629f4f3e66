//! Estimates prices before files are fetched, from probed uploads and from declared lengths.

use crate::media::{Facts, VideoInfo};
use crate::plan::assumptions::{UNKNOWN_CLIP_S, audio_seconds};
use crate::plan::build::usable_clip;
use crate::plan::mix::choices::{Choice, choices};
use crate::plan::mix::images::{image_frames, is_image};
use crate::plan::mix::pools::draw_options;
use crate::plan::mix::scene_lengths::scene_lengths;
use crate::plan::speech::speech_uses;
use crate::plan::timeline::overlaps;
use crate::plan::vary::dedup::drawn_speed;
use crate::plan::video::clip::kept_size;
use crate::plan::video::excerpt::Excerpt;
use crate::pricing::{Extent, PriceList, SpeechUse, Tier};
use crate::request::model::{
    BaseMixParams, Clip, DedupParams, Group, MixLength, MixOptions, Params, ProMixParams, SceneAudio,
    SceneLength, TaskRequest,
};
use crate::seed::item_seed;
use crate::time::{Fps, Frames, Samples};

/// The tier that prices a source of unknown size.
const UNKNOWN_TIER: Tier = Tier::FullHd;

/// The estimated price of one item, and its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemPrice {
    pub seed: u64,
    pub points: u64,
}

/// The estimated price of each item, in order. `facts` contain the files that were probed before; for other files the
/// declared length is used.
pub fn estimate_prices(
    request: &TaskRequest,
    seed: u64,
    facts: &Facts,
    prices: &PriceList,
) -> Vec<ItemPrice> {
    let items = match &request.params {
        Params::VideoDeduplication(params) => dedup(params, seed, facts, prices),
        Params::BaseVideoMix(params) => base_mix(params, seed, facts, prices),
        Params::ProVideoMix(params) => pro_mix(params, seed, facts, prices),
    };
    let uses = speech_uses(request, seed, facts, |_| true);
    let price = |(item_no, (points, uses)): (u32, (u64, Vec<SpeechUse>))| {
        let uses = uses.into_iter().map(|one| prices.speech_points(one));
        ItemPrice { seed: item_seed(seed, item_no), points: uses.fold(points, u64::saturating_add) }
    };
    (1..).zip(items.into_iter().zip(uses)).map(price).collect()
}

fn points(prices: &PriceList, tier: Tier, seconds: f64, fps: Fps) -> u64 {
    let frames = Frames(Frames::nearest(seconds, fps).0.max(1));
    prices.points(Extent { tier, frames, fps, speech: &[] })
}

/// The video of a clip that was probed before, and its used excerpt.
fn probed<'f>(clip: &Clip, facts: &'f Facts) -> Option<(&'f VideoInfo, Excerpt)> {
    let info = facts.media.get(&clip.url)?.as_ref().ok()?;
    usable_clip(clip, info).ok()
}

/// The used length of a clip that is not probed, as declared in the request.
fn declared(clip: &Clip) -> Option<f64> {
    let end = clip.duration_s.into_iter().chain(clip.to_s).reduce(f64::min)?;
    Some((end - clip.from_s.unwrap_or(0.0)).max(0.0))
}

/// The length of a clip in a mix, as far as it is known.
fn seconds(clip: &Clip, facts: &Facts, fps: Fps) -> Option<f64> {
    if is_image(clip, facts) {
        return Some(image_frames(clip, fps).seconds(fps));
    }
    let probed = probed(clip, facts);
    probed.map(|(video, excerpt)| excerpt.frames(video, 1.0, fps).seconds(fps)).or_else(|| declared(clip))
}

fn dedup(params: &DedupParams, seed: u64, facts: &Facts, prices: &PriceList) -> Vec<u64> {
    let price = |(item_no, clip): (u32, &Clip)| {
        let probed = probed(clip, facts).filter(|(video, _)| !video.still);
        let tier = probed.map_or(UNKNOWN_TIER, |(video, _)| Tier::of(kept_size(video)));
        let seconds = probed.map(|(video, excerpt)| excerpt.seconds(video.duration_s));
        let seconds = seconds.or_else(|| declared(clip)).unwrap_or(UNKNOWN_CLIP_S);
        let speed = drawn_speed(&params.options, item_seed(seed, item_no));
        points(prices, tier, seconds / speed, params.options.fps)
    };
    (1..).zip(params.items()).map(|(item_no, (_, clip))| price((item_no, clip))).collect()
}

fn base_mix(params: &BaseMixParams, seed: u64, facts: &Facts, prices: &PriceList) -> Vec<u64> {
    let (options, tier) = (&params.options, Tier::of(params.options.size));
    let length = |(item_no, group): (u32, &Group)| {
        let item_seed = item_seed(seed, item_no);
        let length = |clip| (seconds(clip, facts, options.fps), is_image(clip, facts));
        let beside = bumper_seconds(options, item_seed, facts);
        let remaining = group.total_duration_s.map(|total| (total - beside).max(0.0));
        let content = match voice_seconds(options, item_seed, facts) {
            Some(seconds) => remaining.map_or(seconds, |remaining| seconds.min(remaining)),
            None => group_seconds(&group.videos.iter().map(length).collect::<Vec<_>>(), remaining, options),
        };
        content + beside
    };
    (1..).zip(&params.groups).map(|group| points(prices, tier, length(group), options.fps)).collect()
}

/// The length of an output without its intro and outro, if its voice determines it.
fn voice_seconds(options: &MixOptions, item_seed: u64, facts: &Facts) -> Option<f64> {
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
fn bumper_seconds(options: &MixOptions, item_seed: u64, facts: &Facts) -> f64 {
    let bumpers = draw_options(options, item_seed, facts).bumpers();
    let length = |url: &str| {
        let clip = Clip { url: url.to_owned(), ..Clip::default() };
        seconds(&clip, facts, options.fps).unwrap_or(UNKNOWN_CLIP_S)
    };
    bumpers.into_iter().flatten().map(length).sum()
}

/// The length of a group of clips, some of which are images: at most `totalDuration`, and exactly that if the length of
/// a clip is unknown.
fn group_seconds(lengths: &[(Option<f64>, bool)], total_s: Option<f64>, options: &MixOptions) -> f64 {
    let are_known = lengths.iter().all(|(length, _)| length.is_some());
    if let (false, Some(total)) = (are_known, total_s) {
        return total;
    }
    let most = options.clip_seconds.unwrap_or(f64::INFINITY);
    let lengths =
        lengths.iter().map(|&(length, is_image)| (length.unwrap_or(UNKNOWN_CLIP_S).min(most), is_image));
    let shown_lengths: Vec<f64> = match options.is_shortest {
        true => cut_to_shortest(lengths),
        false => lengths.map(|(length, _)| length).collect(),
    };
    let sum = seconds_together(&shown_lengths, options);
    total_s.map_or(sum, |total| sum.min(total))
}

/// The length of clips that follow each other or overlap.
fn seconds_together(lengths: &[f64], options: &MixOptions) -> f64 {
    let sum: f64 = lengths.iter().sum();
    let Some(transition) = &options.transition else { return sum };
    let frames: Vec<Frames> = lengths.iter().map(|length| Frames::nearest(*length, options.fps)).collect();
    let transition_frames = Frames::nearest(transition.duration_s, options.fps);
    let shared: Frames = overlaps(&frames, transition_frames).into_iter().sum();
    sum - shared.seconds(options.fps)
}

/// The lengths when all are trimmed to the shortest; images shorten nothing else, unless there are only images.
fn cut_to_shortest(lengths: impl Iterator<Item = (f64, bool)> + Clone) -> Vec<f64> {
    let least =
        |lengths: &mut dyn Iterator<Item = (f64, bool)>| lengths.map(|(length, _)| length).reduce(f64::min);
    let shortest = least(&mut lengths.clone().filter(|(_, is_image)| !is_image));
    let shortest = shortest.or_else(|| least(&mut lengths.clone())).unwrap_or_default();
    lengths.map(|(length, _)| length.min(shortest)).collect()
}

fn pro_mix(params: &ProMixParams, seed: u64, facts: &Facts, prices: &PriceList) -> Vec<u64> {
    let (tier, fps) = (Tier::of(params.options.size), params.options.fps);
    let all: Vec<f64> = params.scenes.iter().map(|scene| scene.duration_s).collect();
    let all = seconds_together(&all, &params.options);
    let follows_audio = params.scenes.iter().any(|scene| scene.length == SceneLength::Voice);
    let price = |(item_no, choice): (u32, Option<Choice>)| {
        let item_seed = item_seed(seed, item_no);
        let seconds = match (voice_seconds(&params.options, item_seed, facts), choice) {
            (Some(seconds), _) => seconds,
            (None, Some(choice)) if params.options.is_shortest => {
                shortest_seconds(params, &choice.row, facts)
            }
            (None, Some(choice)) if follows_audio => scenes_seconds(params, &choice, facts).unwrap_or(all),
            _ => all,
        };
        let beside = bumper_seconds(&params.options, item_seed, facts);
        points(prices, tier, seconds + beside, fps)
    };
    (1..).zip(choices(params, seed, facts)).map(price).collect()
}

/// The length of all scenes, if some last as long as their audio.
fn scenes_seconds(params: &ProMixParams, choice: &Choice, facts: &Facts) -> Option<f64> {
    let fps = params.options.fps;
    let heard = |audio: &SceneAudio| Ok(Samples::nearest(audio_seconds(&audio.url, audio.duration_s, facts)));
    let lengths = scene_lengths(params, &choice.audio, None, heard).ok()?;
    let lengths: Vec<f64> = lengths.into_iter().map(|length| length.seconds(fps)).collect();
    Some(seconds_together(&lengths, &params.options))
}

fn shortest_seconds(params: &ProMixParams, row: &[u32], facts: &Facts) -> f64 {
    let most = params.options.clip_seconds.unwrap_or(f64::INFINITY);
    let lengths = params.scenes.iter().zip(row).map(|(scene, &index)| {
        let clip = scene.resources.get(index as usize);
        let is_image = clip.is_some_and(|clip| is_image(clip, facts));
        let length = clip.and_then(|clip| seconds(clip, facts, params.options.fps)).filter(|_| !is_image);
        (length.map_or(scene.duration_s, |clip| clip.min(scene.duration_s)).min(most), is_image)
    });
    seconds_together(&cut_to_shortest(lengths), &params.options)
}
