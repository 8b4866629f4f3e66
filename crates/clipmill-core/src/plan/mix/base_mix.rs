//! baseVideoMix: one output per group, its clips in order.

use serde_json::{Map, json};

use crate::error::TaskError;
use crate::plan::PlannedItem;
use crate::plan::build::{Builder, all};
use crate::plan::mix::images::{ImagePosition, image_frames};
use crate::plan::mix::junction;
use crate::plan::mix::pools::{Bumpers, DrawnOptions, draw_options};
use crate::plan::mix::rendition;
use crate::plan::mix::shot::{Shot, shortest};
use crate::plan::model::Planned;
use crate::plan::timeline::Timeline;
use crate::request::model::{BaseMixParams, Clip};
use crate::seed::item_seed;
use crate::time::Frames;

pub(crate) fn plan<'a>(params: &'a BaseMixParams, seed: u64, builder: &mut Builder<'a>) -> Vec<PlannedItem> {
    builder.expect(params.groups.iter().map(|group| group.videos.len()).sum());
    let mut items = Vec::with_capacity(params.groups.len());
    for (index, group) in params.groups.iter().enumerate() {
        if !(builder.context.is_wanted)() {
            break;
        }
        let item_no = index as u32 + 1;
        let seed = item_seed(seed, item_no);
        let dealt = draw_options(&params.options, seed, builder.facts);
        let planned = plan_group(params, index, &dealt, builder);
        let mut recipe = Map::from_iter([("group".to_owned(), json!(index))]);
        dealt.add_transitions(group.videos.len(), &mut recipe);
        dealt.add_to_recipe(&mut recipe);
        let motions = dealt.motions.recipe(group.videos.iter(), builder.facts);
        motions.map(|motions| recipe.insert("imageMotion".to_owned(), motions));
        items.push(PlannedItem::new(item_no, seed, recipe.into(), planned));
    }
    items
}

fn plan_group<'a>(
    params: &'a BaseMixParams,
    index: usize,
    dealt: &DrawnOptions<'a>,
    builder: &mut Builder<'a>,
) -> Result<Planned, TaskError> {
    let timeline = output_timeline(params, index, dealt, builder)?;
    rendition(builder, &dealt.options, &timeline, Vec::new())
}

/// All of an output.
pub(crate) fn output_timeline<'a>(
    params: &'a BaseMixParams,
    index: usize,
    dealt: &DrawnOptions<'a>,
    builder: &mut Builder<'a>,
) -> Result<Timeline<'a>, TaskError> {
    let bumpers = Bumpers::of(dealt, params.options.fps, builder)?;
    let timeline = group_timeline(params, index, dealt, bumpers.frames(), |_| true, builder)?;
    Ok(bumpers.around(timeline))
}

/// The clips of a group, one shot each; only those that are `seen`. Images get their motion. `beside` frames of the
/// output precede and follow them.
pub(crate) fn group_timeline<'a>(
    params: &'a BaseMixParams,
    index: usize,
    dealt: &DrawnOptions,
    beside: Frames,
    seen: impl Fn(usize) -> bool,
    builder: &mut Builder<'a>,
) -> Result<Timeline<'a>, TaskError> {
    let fps = params.options.fps;
    let group = &params.groups[index];
    let clips: Vec<(usize, &Clip)> = group.videos.iter().enumerate().filter(|(i, _)| seen(*i)).collect();
    let mut shots = Vec::with_capacity(clips.len());
    let videos = all(clips.iter().map(|(_, clip)| builder.clip(clip)))?;
    for ((i, clip), (info, video, excerpt)) in clips.into_iter().zip(videos) {
        let place = || format!("/params/videoList/{index}/videos/{i}");
        builder.check_declared(place, clip, video);
        let natural = match video.still {
            true => image_frames(clip, fps),
            false => excerpt.frames(video, 1.0, fps),
        };
        let motion = dealt.motions.of(ImagePosition::Clip(i), clip.image_motion);
        shots.push((
            i,
            Shot { url: &clip.url, info, video, excerpt, natural, frames: natural, looped: false, motion },
        ));
    }
    if params.options.is_shortest {
        let shortest = shortest(shots.iter().map(|(_, shot)| shot));
        shots.iter_mut().for_each(|(_, shot)| shot.frames = shot.frames.min(shortest));
    }
    let timeline = Timeline::of(shots.into_iter().map(|(clip, shot)| (clip, [shot])));
    let timeline = junction::overlapped(timeline, dealt, fps);
    let remaining = |total| Frames::nearest(total, fps).0.saturating_sub(beside.0).max(1);
    Ok(match group.total_duration_s {
        Some(total) => timeline.cut(Frames(remaining(total))),
        None => timeline,
    })
}
