//! The price before any file was looked at: from declared lengths.

use crate::media::Facts;
use crate::plan::choices::choices;
use crate::plan::dedup::{UNKNOWN_TIER, declared_seconds};
use crate::pricing::{PriceList, Tier};
use crate::request::model::{BaseMixParams, Group, Params, ProMixParams, TaskRequest};
use crate::seed::item_seed;
use crate::time::{Fps, Frames};

/// A clip of unknown length counts as this long.
pub(crate) const UNKNOWN_CLIP_S: f64 = 15.0;

/// What one item would cost, and its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemQuote {
    pub seed: u64,
    pub points: u64,
}

/// One quote per item, in order.
pub fn quote(request: &TaskRequest, seed: u64, prices: &PriceList) -> Vec<ItemQuote> {
    let items = match &request.params {
        Params::VideoDeduplication(params) => {
            let fps = params.options.fps;
            let seconds = |(item_no, clip)| declared_seconds(clip, &params.options, item_seed(seed, item_no));
            (1..).zip(&params.videos).map(|video| points(prices, UNKNOWN_TIER, seconds(video), fps)).collect()
        }
        Params::BaseVideoMix(params) => base_mix(params, prices),
        Params::ProVideoMix(params) => pro_mix(params, seed, prices),
    };
    (1..)
        .zip::<Vec<u64>>(items)
        .map(|(item_no, points)| ItemQuote { seed: item_seed(seed, item_no), points })
        .collect()
}

fn points(prices: &PriceList, tier: Tier, seconds: f64, fps: Fps) -> u64 {
    prices.points(tier, Frames(Frames::nearest(seconds, fps).0.max(1)), fps)
}

fn base_mix(params: &BaseMixParams, prices: &PriceList) -> Vec<u64> {
    let tier = Tier::of(params.options.size);
    let price =
        |group| points(prices, tier, group_seconds(group, params.options.is_shortest), params.options.fps);
    params.groups.iter().map(price).collect()
}

/// Declared length of a group: `totalDuration` where a clip's length is unknown, and never more than it.
fn group_seconds(group: &Group, is_shortest: bool) -> f64 {
    let known = group.videos.iter().all(|clip| clip.duration_s.is_some());
    if let (false, Some(total)) = (known, group.total_duration_s) {
        return total;
    }
    let lengths = group.videos.iter().map(|clip| clip.duration_s.unwrap_or(UNKNOWN_CLIP_S));
    let sum = if is_shortest {
        lengths.fold(f64::INFINITY, f64::min) * group.videos.len() as f64
    } else {
        lengths.sum()
    };
    group.total_duration_s.map_or(sum, |total| sum.min(total))
}

fn pro_mix(params: &ProMixParams, seed: u64, prices: &PriceList) -> Vec<u64> {
    let (tier, fps) = (Tier::of(params.options.size), params.options.fps);
    let all: f64 = params.scenes.iter().map(|scene| scene.duration_s).sum();
    let price = |choice: Option<crate::plan::choices::Choice>| {
        let seconds = match choice {
            Some(choice) if params.options.is_shortest => shortest_seconds(params, &choice.row),
            _ => all,
        };
        points(prices, tier, seconds, fps)
    };
    choices(params, seed, &Facts::default()).into_iter().map(price).collect()
}

fn shortest_seconds(params: &ProMixParams, row: &[u32]) -> f64 {
    let lengths = params.scenes.iter().zip(row).map(|(scene, &index)| {
        let declared = scene.resources.get(index as usize).and_then(|clip| clip.duration_s);
        declared.map_or(scene.duration_s, |clip| clip.min(scene.duration_s))
    });
    lengths.fold(f64::INFINITY, f64::min) * params.scenes.len() as f64
}
