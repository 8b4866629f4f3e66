//! baseVideoMix: one output per group, its clips in order.

use serde_json::{Map, json};

use crate::error::TaskError;
use crate::plan::PlannedItem;
use crate::plan::build::{Builder, all};
use crate::plan::mix::pools::{Bumpers, Dealt, dealt};
use crate::plan::mix::rendition;
use crate::plan::mix::shot::Shot;
use crate::plan::model::Planned;
use crate::plan::timeline::Timeline;
use crate::request::model::{BaseMixParams, Clip, Group};
use crate::seed::item_seed;
use crate::time::Frames;

pub(crate) fn plan<'a>(params: &'a BaseMixParams, seed: u64, builder: &mut Builder<'a>) -> Vec<PlannedItem> {
    builder.expect(params.groups.iter().map(|group| group.videos.len()).sum());
    let mut items = Vec::with_capacity(params.groups.len());
    for (index, group) in params.groups.iter().enumerate() {
        let item_no = index as u32 + 1;
        let seed = item_seed(seed, item_no);
        let dealt = dealt(&params.options, seed, builder.facts);
        let planned = plan_group(params, index, group, &dealt, builder);
        let mut recipe = Map::from_iter([("group".to_owned(), json!(index))]);
        dealt.tell(&mut recipe);
        items.push(PlannedItem::new(item_no, seed, recipe.into(), planned));
    }
    items
}

fn plan_group<'a>(
    params: &'a BaseMixParams,
    index: usize,
    group: &'a Group,
    dealt: &Dealt<'a>,
    builder: &mut Builder<'a>,
) -> Result<Planned, TaskError> {
    let bumpers = Bumpers::of(dealt, params.options.fps, builder)?;
    let timeline = group_timeline(params, index, group, bumpers.frames(), |_| true, builder)?;
    rendition(builder, &dealt.options, &bumpers.around(timeline), None)
}

/// The clips of a group, a shot each; those that are `seen` only. What comes before and behind them takes so many frames
/// of the output.
pub(crate) fn group_timeline<'a>(
    params: &BaseMixParams,
    index: usize,
    group: &'a Group,
    beside: Frames,
    seen: impl Fn(usize) -> bool,
    builder: &mut Builder<'a>,
) -> Result<Timeline<'a>, TaskError> {
    let fps = params.options.fps;
    let clips: Vec<(usize, &Clip)> = group.videos.iter().enumerate().filter(|(i, _)| seen(*i)).collect();
    let mut shots = Vec::with_capacity(clips.len());
    let found = all(clips.iter().map(|(_, clip)| builder.clip(clip)))?;
    for ((i, clip), (info, video, excerpt)) in clips.into_iter().zip(found) {
        let place = || format!("/params/videoList/{index}/videos/{i}");
        builder.check_declared(place, clip, video.duration_s);
        let natural = excerpt.frames(video, 1.0, fps);
        shots.push((
            i,
            Shot { url: &clip.url, info, video, excerpt, natural, frames: natural, looped: false },
        ));
    }
    if params.options.is_shortest {
        let shortest = shots.iter().map(|(_, shot)| shot.natural).min().unwrap_or_default();
        shots.iter_mut().for_each(|(_, shot)| shot.frames = shortest);
    }
    if let Some(total) = group.total_duration_s {
        let left = Frames::nearest(total, fps).0.saturating_sub(beside.0);
        cut(&mut shots, Frames(left.max(1)));
    }
    Ok(Timeline::of(shots.into_iter().map(|(clip, shot)| (clip, [shot]))))
}

/// Cuts the output to `total`: the clip that crosses it is shortened, later ones fall away.
fn cut(shots: &mut Vec<(usize, Shot)>, total: Frames) {
    let mut left = total.0;
    for (_, shot) in shots.iter_mut() {
        shot.frames = Frames(shot.frames.0.min(left));
        left -= shot.frames.0;
    }
    shots.retain(|(_, shot)| shot.frames.0 > 0);
}
