//! baseVideoMix: one output per group, its clips in order.

use serde_json::{Map, json};

use super::Planner;
use crate::editorial::EditorialTimeline;
use crate::error::{ErrorCode, TaskError};
use crate::media::{Facts, MediaInfo, VideoInfo};
use crate::message;
use crate::plan::PlannedItem;
use crate::plan::assumptions::UNKNOWN_CLIP_S;
use crate::plan::build::{Builder, all};
use crate::plan::editorial;
use crate::plan::mix::audio::voice_frames;
use crate::plan::mix::choices::Choice;
use crate::plan::mix::fill::{Available, Filling, MAX_SHOWINGS, Showing, fill};
use crate::plan::mix::images::{ImagePosition, image_frames, is_image};
use crate::plan::mix::pools::{Bumpers, DrawnOptions, draw_options};
use crate::plan::mix::rendition;
use crate::plan::mix::scene_audio::ScenesAudio;
use crate::plan::mix::scene_lengths::transition_frames;
use crate::plan::mix::shot::{ClipAdjustments, SecondClip, Shot, shortest};
use crate::plan::mix::transition_span;
use crate::plan::preview::frame::{self, is_seen, visible_bumpers, with_bumpers};
use crate::plan::preview::{ClipRange, FrameError, PlannedFrame, RegisteredClip, clip, no_more_than};
use crate::plan::price_estimate::{
    bumper_seconds, cut_to_shortest, seconds, seconds_together, voice_seconds,
};
use crate::plan::timeline::Timeline;
use crate::plan::video::excerpt::Excerpt;
use crate::pricing::Tier;
use crate::request::Moment;
use crate::request::model::{BaseMixParams, Clip, Group, ImageMotion, MixLength, MixOptions, SplitScreen};
use crate::seed::item_seed;
use crate::time::{Fps, Frames};

impl Planner for BaseMixParams {
    fn plan<'a>(&'a self, seed: u64, builder: &mut Builder<'a>) -> Vec<PlannedItem> {
        builder.expect(self.groups.iter().map(|group| group.videos.len()).sum());
        let mut items = Vec::with_capacity(self.groups.len());
        for (index, group) in self.groups.iter().enumerate() {
            if !(builder.context.is_wanted)() {
                break;
            }
            let item_no = index as u32 + 1;
            let seed = item_seed(seed, item_no);
            let dealt = draw_options(&self.options, seed, builder.facts);
            let timeline = output_timeline(self, index, &dealt, builder);
            let mut recipe = Map::from_iter([("group".to_owned(), json!(index))]);
            let shown = match (dealt.options.length, &timeline) {
                (MixLength::Voice, Ok(timeline)) => timeline.scenes().count(),
                _ => group.videos.len(),
            };
            dealt.add_transitions(shown, &mut recipe);
            dealt.add_to_recipe(&mut recipe);
            let motions = dealt.motions.recipe(group.videos.iter(), builder.facts);
            motions.map(|motions| recipe.insert("imageMotion".to_owned(), motions));
            dealt.add_look(&group.videos, &mut recipe);
            let planned = timeline
                .and_then(|timeline| rendition(builder, &dealt.options, &timeline, ScenesAudio::default()));
            items.push(PlannedItem::new(item_no, seed, recipe.into(), planned));
        }
        items
    }

    fn used_files(&self, _: u64, _: &Facts) -> Vec<&str> {
        let clips = self.groups.iter().flat_map(|group| &group.videos).flat_map(Clip::files);
        clips.map(|clip| clip.url.as_str()).collect()
    }

    fn lengths(&self, seed: u64, facts: &Facts) -> Vec<(Tier, f64)> {
        let (options, tier) = (&self.options, Tier::of(self.options.size));
        let length = |(item_no, group): (u32, &Group)| {
            let item_seed = item_seed(seed, item_no);
            let length = |clip| (seconds(clip, facts, options.fps), is_image(clip, facts));
            let beside = bumper_seconds(options, item_seed, facts);
            let remaining = |total_s| remaining(total_s, Frames::nearest(beside, options.fps), options.fps);
            let remaining = group.total_duration_s.map(|total_s| remaining(total_s).seconds(options.fps));
            let content = match voice_seconds(options, item_seed, facts) {
                Some(seconds) => remaining.map_or(seconds, |remaining| seconds.min(remaining)),
                None => {
                    group_seconds(&group.videos.iter().map(length).collect::<Vec<_>>(), remaining, options)
                }
            };
            (tier, content + beside)
        };
        (1..).zip(&self.groups).map(length).collect()
    }

    fn frame<'a>(
        &'a self,
        seed: u64,
        moment: &Moment,
        builder: &mut Builder<'a>,
    ) -> Result<PlannedFrame, FrameError> {
        let index = self.group_index(moment)?;
        let dealt = draw_options(&self.options, item_seed(seed, moment.item_no), builder.facts);
        let bumpers = visible_bumpers(&dealt, self.is_filled(), moment, builder)?;
        let beside = bumpers.as_ref().map(Bumpers::frames).unwrap_or_default();
        let is_visible = |clip: usize| is_seen(clip, &dealt.options, self.is_filled(), moment);
        no_more_than(self.groups[index].videos.len(), moment)?;
        let timeline = group_timeline(self, index, &dealt, beside, is_visible, builder)?;
        frame::of_mix(&dealt.options, &with_bumpers(timeline, bumpers), &[], moment, builder)
    }

    fn frame_files(&self, seed: u64, _: Option<&Choice>, facts: &Facts, moment: &Moment) -> Vec<&str> {
        let dealt = draw_options(&self.options, item_seed(seed, moment.item_no), facts);
        let group = self.groups.get(moment.item_no.saturating_sub(1) as usize);
        let clips = group.into_iter().flat_map(|group| &group.videos).enumerate();
        let clips = clips.filter(|(i, _)| is_seen(*i, &dealt.options, self.is_filled(), moment));
        clips.flat_map(|(_, clip)| clip.files()).map(|clip| clip.url.as_str()).collect()
    }

    fn clip<'a>(
        &'a self,
        seed: u64,
        range: ClipRange,
        builder: &mut Builder<'a>,
    ) -> Result<RegisteredClip, FrameError> {
        let index = self.group_index(range.moment)?;
        no_more_than(self.groups[index].videos.len(), range.moment)?;
        let dealt = draw_options(&self.options, item_seed(seed, range.moment.item_no), builder.facts);
        let timeline = output_timeline(self, index, &dealt, builder)?;
        clip::of_mix(&dealt.options, &timeline, ScenesAudio::default(), range, builder)
    }

    fn editorial<'a>(
        &'a self,
        seed: u64,
        item_no: u32,
        builder: &mut Builder<'a>,
    ) -> Result<EditorialTimeline, FrameError> {
        let index = self.group_index(&Moment { item_no, clip: None, at_s: None })?;
        let dealt = draw_options(&self.options, item_seed(seed, item_no), builder.facts);
        let timeline = output_timeline(self, index, &dealt, builder)?;
        Ok(editorial::mix::of_mix(&dealt.options, &timeline, ScenesAudio::default(), builder)?)
    }

    fn transcribed_clips(&self, index: usize, _: Option<&Choice>, _: &DrawnOptions, _: &Facts) -> Vec<&str> {
        let clips = self.groups.get(index).into_iter().flat_map(|group| &group.videos);
        clips.flat_map(Clip::files).map(|clip| clip.url.as_str()).collect()
    }
}

impl BaseMixParams {
    /// The index of the group of the output that the moment is in.
    fn group_index(&self, moment: &Moment) -> Result<usize, FrameError> {
        let index = (moment.item_no as usize).checked_sub(1).filter(|index| *index < self.groups.len());
        index.ok_or(FrameError::NoSuchItem(self.groups.len() as u32))
    }
}

/// The frames that `totalDuration` leaves between the intro and the outro; at least one.
fn remaining(total_s: f64, beside: Frames, fps: Fps) -> Frames {
    Frames(Frames::nearest(total_s, fps).0.saturating_sub(beside.0).max(1))
}

/// The length of a group of clips and images: at most `totalDuration`, and exactly that if the length of a clip is
/// unknown.
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

/// All of an output.
fn output_timeline<'a>(
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
fn group_timeline<'a>(
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
    let files = clips.iter().flat_map(|(_, clip)| clip.files());
    let mut videos = all(files.map(|clip| builder.clip(clip)))?.into_iter();
    for (i, clip) in clips {
        let Some((info, video, excerpt)) = videos.next() else { break };
        let place = || format!("/params/videoList/{index}/videos/{i}");
        let beside = clip.split.as_ref().and_then(|split| Some((split, videos.next()?)));
        let is_moving = |video: &VideoInfo| !video.still;
        let other = beside.as_ref().map(|(_, (_, video, _))| *video);
        // A field has an effect if it applies to one of both.
        let image_motion = clip.image_motion.filter(|_| other.is_none_or(is_moving));
        let speed_permille = clip.speed_permille.filter(|_| !other.is_some_and(is_moving));
        builder.check_declared(place, &Clip { image_motion, speed_permille, ..clip.clone() }, video);
        let natural = match video.still {
            true => image_frames(clip, fps),
            false => excerpt.frames(video, clip.speed(), fps),
        };
        let motion = dealt.motions.of(ImagePosition::Clip(i), clip.image_motion);
        let second = beside.map(|(split, file)| {
            builder.check_declared(|| format!("{}/second", place()), &split.second, file.1);
            second_clip(split, file, (motion, dealt.adjustments(clip, file.1)), fps)
        });
        let (url, frames, adjustments) = (&clip.url, natural, dealt.adjustments(clip, video));
        let shot =
            Shot { url, info, video, excerpt, natural, frames, looped: false, motion, adjustments, second };
        shots.push((i, shot));
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
    let timeline = transition_span::overlapped(timeline, dealt, fps);
    let remaining = group.total_duration_s.map(|total_s| remaining(total_s, beside, fps));
    let longest = remaining.into_iter().chain(voice).min();
    Ok(match longest {
        Some(longest) => timeline.cut(longest),
        None => timeline,
    })
}

/// The clip in the other half.
fn second_clip<'a>(
    split: &'a SplitScreen,
    (info, video, excerpt): (&'a MediaInfo, &'a VideoInfo, Excerpt),
    (motion, adjustments): (ImageMotion, ClipAdjustments),
    fps: Fps,
) -> SecondClip<'a> {
    let natural = match video.still {
        true => Frames(1),
        false => excerpt.frames(video, adjustments.speed(), fps),
    };
    SecondClip {
        layout: split.layout,
        url: &split.second.url,
        info,
        video,
        excerpt,
        natural,
        skipped: Frames(0),
        looped: SecondClip::is_looped(video, natural, fps),
        motion,
        adjustments,
    }
}

/// Showings of clips that fill a length. Each shot's frames are the longest showing of its clip.
fn filling(shots: &[(usize, Shot)], wanted: Frames, options: &MixOptions) -> Result<Filling, TaskError> {
    let available = shots.iter().map(|(_, shot)| match shot.video.still {
        true => Available { frames: shot.frames, most: shot.frames, is_image: true, is_seen: false },
        false => Available { frames: shot.natural, most: shot.frames, is_image: false, is_seen: false },
    });
    let available: Vec<Available> = available.collect();
    let too_many = || TaskError::new(ErrorCode::ClipTooShort, message::too_many_showings(MAX_SHOWINGS));
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
            (
                clip,
                Shot {
                    excerpt: shot.excerpt.after(showing.start, shot.adjustments.speed(), fps),
                    natural,
                    frames,
                    second: shot.second.map(|second| second.after(showing.start)),
                    ..shot
                },
            )
        }
    }
}
