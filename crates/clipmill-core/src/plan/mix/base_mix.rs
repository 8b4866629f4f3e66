//! baseVideoMix: one output per group, its clips in order.

use serde_json::{Map, json};

use crate::error::{ErrorCode, TaskError};
use crate::message;
use crate::plan::PlannedItem;
use crate::plan::build::{Builder, all};
use crate::plan::mix::audio::voice_frames;
use crate::plan::mix::fill::{Available, Filling, MOST_SHOWINGS, Showing, fill};
use crate::plan::mix::images::{ImagePosition, image_frames};
use crate::plan::mix::junction;
use crate::plan::mix::pools::{Bumpers, DrawnOptions, draw_options};
use crate::plan::mix::rendition;
use crate::plan::mix::scene_audio::ScenesAudio;
use crate::plan::mix::scene_lengths::transition_frames;
use crate::plan::mix::shot::{Shot, shortest};
use crate::plan::timeline::Timeline;
use crate::request::model::{BaseMixParams, Clip, MixLength, MixOptions};
use crate::seed::item_seed;
use crate::time::{Fps, Frames};

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
        let timeline = output_timeline(params, index, &dealt, builder);
        let mut recipe = Map::from_iter([("group".to_owned(), json!(index))]);
        let shown = match (dealt.options.length, &timeline) {
            (MixLength::Voice, Ok(timeline)) => timeline.scenes().count(),
            _ => group.videos.len(),
        };
        dealt.add_transitions(shown, &mut recipe);
        dealt.add_to_recipe(&mut recipe);
        let motions = dealt.motions.recipe(group.videos.iter(), builder.facts);
        motions.map(|motions| recipe.insert("imageMotion".to_owned(), motions));
        let planned = timeline
            .and_then(|timeline| rendition(builder, &dealt.options, &timeline, ScenesAudio::default()));
        items.push(PlannedItem::new(item_no, seed, recipe.into(), planned));
    }
    items
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

/// The clips of a group, only those that are `seen`: one shot each, or as many as fill the length of the voice. Images get
/// their motion. `beside` frames of the output precede and follow them.
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
    let most = params.options.clip_seconds.map(|seconds| Frames::nearest(seconds, fps));
    shots.iter_mut().for_each(|(_, shot)| shot.frames = shot.frames.min(most.unwrap_or(shot.frames)));
    let voice = voice_frames(&dealt.options, builder.facts)?;
    if let Some(wanted) = voice {
        let filling = filling(&shots, wanted, &dealt.options)?;
        if filling.repeats {
            builder.warn_once(format!("/params/videoList/{index}/videos"), message::footage_repeats());
        }
        shots = filling.showings.into_iter().map(|showing| part(&shots, showing, fps)).collect();
    }
    if params.options.is_shortest {
        let shortest = shortest(shots.iter().map(|(_, shot)| shot));
        shots.iter_mut().for_each(|(_, shot)| shot.frames = shot.frames.min(shortest));
    }
    let timeline = Timeline::of(shots.into_iter().map(|(clip, shot)| (clip, [shot])));
    let timeline = junction::overlapped(timeline, dealt, fps);
    let remaining = |total| Frames(Frames::nearest(total, fps).0.saturating_sub(beside.0).max(1));
    let longest = group.total_duration_s.map(remaining).into_iter().chain(voice).min();
    Ok(match longest {
        Some(longest) => timeline.cut(longest),
        None => timeline,
    })
}

/// Showings of clips that fill a length. Each shot's frames are the longest showing of its clip.
fn filling(shots: &[(usize, Shot)], wanted: Frames, options: &MixOptions) -> Result<Filling, TaskError> {
    let available = shots.iter().map(|(_, shot)| match shot.video.still {
        true => Available { frames: shot.frames, most: shot.frames, is_image: true, is_seen: false },
        false => Available { frames: shot.natural, most: shot.frames, is_image: false, is_seen: false },
    });
    let available: Vec<Available> = available.collect();
    let too_many = || TaskError::new(ErrorCode::ClipTooShort, message::too_many_showings(MOST_SHOWINGS));
    fill(&available, wanted, transition_frames(options), options.fps).ok_or_else(too_many)
}

/// The shot of one showing.
fn part<'a>(shots: &[(usize, Shot<'a>)], showing: Showing, fps: Fps) -> (usize, Shot<'a>) {
    let (clip, shot) = shots[showing.clip];
    let frames = showing.frames;
    match shot.video.still {
        true => (clip, Shot { frames, ..shot }),
        false => {
            let natural = Frames(shot.natural.0.saturating_sub(showing.start.0).max(1));
            (clip, Shot { excerpt: shot.excerpt.after(showing.start, fps), natural, frames, ..shot })
        }
    }
}
