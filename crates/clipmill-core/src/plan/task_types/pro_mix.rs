//! proVideoMix: one clip per scene per output, by manual rows first, then by distinct draws.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Planner;
use crate::combination::count_distinct;
use crate::editorial::EditorialTimeline;
use crate::error::{ErrorCode, TaskError};
use crate::media::Facts;
use crate::message;
use crate::plan::PlannedItem;
use crate::plan::assumptions::audio_seconds;
use crate::plan::build::{Builder, all, probed_media, usable_clip};
use crate::plan::editorial;
use crate::plan::mix::audio::{used_length, voice_frames};
use crate::plan::mix::choices::{Choice, choices};
use crate::plan::mix::images::{ImagePosition, is_image};
use crate::plan::mix::pools::{Bumpers, DrawnOptions, draw_options};
use crate::plan::mix::scene_audio::{ScenesAudio, shown_scripts, timing_audio, unsearched_audio};
use crate::plan::mix::scene_fill::{self, ChosenClip, longest_showing};
use crate::plan::mix::scene_lengths::scene_lengths;
use crate::plan::mix::shot::{Shot, shortest};
use crate::plan::mix::starts;
use crate::plan::mix::transition_span;
use crate::plan::mix::{is_held, looped_shots, rendition};
use crate::plan::model::Planned;
use crate::plan::preview::frame::{self, is_seen, visible_bumpers, with_bumpers};
use crate::plan::preview::{ClipRange, FrameError, PlannedFrame, RegisteredClip, clip, no_more_than};
use crate::plan::price_estimate::{
    bumper_seconds, cut_to_shortest, seconds, seconds_together, voice_seconds,
};
use crate::plan::timeline::Timeline;
use crate::pricing::Tier;
use crate::request::Moment;
use crate::request::model::{Clip, ClipStart, MixOptions, Params, ProMixParams, SceneAudio, SceneLength};
use crate::seed::item_seed;
use crate::time::{Frames, Samples};

/// The maximum number of clips that are probed for one frame when starts are drawn; with more clips, or when starts
/// depend on cuts, clips are shown from their beginnings.
const MAX_PROBED: usize = 50;

impl Planner for ProMixParams {
    fn plan<'a>(&'a self, seed: u64, builder: &mut Builder<'a>) -> Vec<PlannedItem> {
        let mut choices = choices(self, seed, builder.facts);
        let row_count = choices.iter().flatten().count();
        let few = (starts::are_drawn(self) && row_count < choices.len())
            .then(|| too_few(self, row_count, builder.facts));
        if few.is_some() {
            choices.iter_mut().for_each(|choice| *choice = None);
        }
        let mut items = Vec::with_capacity(choices.len());
        for (item_no, choice) in (1..).zip(choices) {
            if !(builder.context.is_wanted)() {
                break;
            }
            let item_seed = item_seed(seed, item_no);
            let dealt = draw_options(&self.options, item_seed, builder.facts);
            let mut recipe =
                choice.as_ref().map_or(json!({}), |choice| recipe(self, choice, &dealt, builder.facts));
            let planned = match &choice {
                Some(choice) => plan_output(self, choice, &dealt, builder),
                None => Err(few.clone().unwrap_or_else(|| nothing_left(self, builder.facts))),
            };
            let planned = planned.map(|(planned, fill)| {
                if let (Some(fill), Some(recipe)) = (fill, recipe.as_object_mut()) {
                    recipe.insert("fill".to_owned(), fill);
                }
                planned
            });
            items.push(PlannedItem::new(item_no, item_seed, recipe, planned));
        }
        items
    }

    fn used_files(&self, seed: u64, facts: &Facts) -> Vec<&str> {
        // Starts are drawn only when all clips are known.
        if starts::are_drawn(self) && !starts::can_be_drawn(self, facts) {
            return self.clip_urls().collect();
        }
        let mut urls = Vec::new();
        for (item_no, choice) in (1..).zip(choices(self, seed, facts)) {
            let Some(choice) = choice else { continue };
            for (scene, (index, audio)) in self.scenes.iter().zip(choice.row.iter().zip(&choice.audio)) {
                urls.extend(scene.resources.get(*index as usize).map(|clip| clip.url.as_str()));
                urls.extend(audio.and_then(|audio| scene.audio.get(audio)).map(|audio| audio.url.as_str()));
            }
            if self.is_filled() {
                let dealt = draw_options(&self.options, item_seed(seed, item_no), facts);
                urls.extend(further_clips(self, &choice, &dealt, facts));
            }
        }
        urls
    }

    fn lengths(&self, seed: u64, facts: &Facts) -> Vec<(Tier, f64)> {
        let tier = Tier::of(self.options.size);
        let all: Vec<f64> = self.scenes.iter().map(|scene| scene.duration_s).collect();
        let all = seconds_together(&all, &self.options);
        let follows_audio = self.scenes.iter().any(|scene| scene.length == SceneLength::Voice);
        let length = |(item_no, choice): (u32, Option<Choice>)| {
            let item_seed = item_seed(seed, item_no);
            let seconds = match (voice_seconds(&self.options, item_seed, facts), choice) {
                (Some(seconds), _) => seconds,
                (None, Some(choice)) if self.options.is_shortest => {
                    shortest_seconds(self, &choice.row, facts)
                }
                (None, Some(choice)) if follows_audio => scenes_seconds(self, &choice, facts).unwrap_or(all),
                _ => all,
            };
            (tier, seconds + bumper_seconds(&self.options, item_seed, facts))
        };
        (1..).zip(choices(self, seed, facts)).map(length).collect()
    }

    fn frame<'a>(
        &'a self,
        seed: u64,
        moment: &Moment,
        builder: &mut Builder<'a>,
    ) -> Result<PlannedFrame, FrameError> {
        let choice = self.choice(seed, moment, builder.facts)?;
        let dealt = draw_options(&self.options, item_seed(seed, moment.item_no), builder.facts);
        let bumpers = visible_bumpers(&dealt, self.is_filled(), moment, builder)?;
        let is_visible = |scene: usize| is_seen(scene, &dealt.options, self.is_filled(), moment);
        let (timeline, _) = scenes_timeline(self, &choice, &dealt, is_visible, builder)?;
        let timeline = with_bumpers(timeline, bumpers);
        let scripts = shown_scripts(self, &choice, &dealt.options, &timeline, builder.facts)?;
        frame::of_mix(&dealt.options, &timeline, &scripts, moment, builder)
    }

    fn frame_files(&self, seed: u64, choice: Option<&Choice>, facts: &Facts, moment: &Moment) -> Vec<&str> {
        let dealt = draw_options(&self.options, item_seed(seed, moment.item_no), facts);
        let mut urls = Vec::new();
        let is_drawn = !starts::need_cuts(self) && self.clip_urls().count() <= MAX_PROBED;
        if starts::are_drawn(self) && (choice.is_none() || is_drawn) {
            urls.extend(self.clip_urls());
        }
        if let Some(choice) = choice {
            let scenes = self.scenes.iter().zip(&choice.row).enumerate();
            let clips = scenes.filter(|(i, _)| is_seen(*i, &dealt.options, self.is_filled(), moment));
            let clips = clips.filter_map(|(_, (scene, index))| scene.resources.get(*index as usize));
            urls.extend(clips.map(|clip| clip.url.as_str()));
            urls.extend(further_clips(self, choice, &dealt, facts));
            urls.extend(timing_audio(self, choice, &dealt.options));
        }
        urls
    }

    fn clip<'a>(
        &'a self,
        seed: u64,
        range: ClipRange,
        builder: &mut Builder<'a>,
    ) -> Result<RegisteredClip, FrameError> {
        let choice = self.choice(seed, range.moment, builder.facts)?;
        let dealt = draw_options(&self.options, item_seed(seed, range.moment.item_no), builder.facts);
        let (timeline, audio, _) = output_timeline(self, &choice, &dealt, builder)?;
        clip::of_mix(&dealt.options, &timeline, audio, range, builder)
    }

    fn editorial<'a>(
        &'a self,
        seed: u64,
        item_no: u32,
        builder: &mut Builder<'a>,
    ) -> Result<EditorialTimeline, FrameError> {
        let choice = self.choice(seed, &Moment { item_no, clip: None, at_s: None }, builder.facts)?;
        let dealt = draw_options(&self.options, item_seed(seed, item_no), builder.facts);
        let (timeline, audio, _) = output_timeline(self, &choice, &dealt, builder)?;
        Ok(editorial::mix::of_mix(&dealt.options, &timeline, audio, builder)?)
    }

    fn choices(&self, seed: u64, facts: &Facts) -> Vec<Option<Choice>> {
        choices(self, seed, facts)
    }

    fn is_filled(&self) -> bool {
        scene_fill::is_filled(self)
    }

    fn transcribed_clips(
        &self,
        _: usize,
        choice: Option<&Choice>,
        drawn: &DrawnOptions,
        facts: &Facts,
    ) -> Vec<&str> {
        let Some(choice) = choice else { return Vec::new() };
        let clips = self.scenes.iter().zip(&choice.row);
        let clips = clips.filter_map(|(scene, index)| scene.resources.get(*index as usize));
        let further = further_clips(self, choice, drawn, facts);
        clips.map(|clip| clip.url.as_str()).chain(further).collect()
    }

    fn unscanned_files(&self, facts: &Facts) -> Vec<&str> {
        starts::unscanned(self, facts).collect()
    }

    fn unsearched_files(&self, choice: &Choice, drawn: &DrawnOptions, facts: &Facts) -> Vec<&str> {
        unsearched_audio(self, choice, &drawn.options, facts).collect()
    }

    fn distinct_combinations(&self, facts: &Facts) -> Option<u64> {
        if starts::are_drawn(self) && starts::can_be_drawn(self, facts) {
            return Some(starts::count_distinct(self, facts));
        }
        Some(count_distinct(self.scenes.iter().map(|scene| scene.resources.len())))
    }

    fn without_drawn_starts(&self, facts: &Facts) -> Option<Params> {
        if !starts::are_drawn(self) || starts::can_be_drawn(self, facts) {
            return None;
        }
        let mut params = self.clone();
        params.options.clip_start = ClipStart::Begin;
        params.scenes.iter_mut().for_each(|scene| scene.clip_start = None);
        Some(Params::ProVideoMix(params))
    }
}

impl ProMixParams {
    fn clip_urls(&self) -> impl Iterator<Item = &str> {
        self.scenes.iter().flat_map(|scene| &scene.resources).map(|clip| clip.url.as_str())
    }

    /// The choice of the output that the moment is in.
    fn choice(&self, seed: u64, moment: &Moment, facts: &Facts) -> Result<Choice, FrameError> {
        no_more_than(self.scenes.len(), moment)?;
        let choices = choices(self, seed, facts);
        let row_count = choices.iter().flatten().count();
        let choice = choices.into_iter().nth(moment.item_no as usize - 1).flatten();
        Ok(choice.ok_or_else(|| too_few(self, row_count, facts))?)
    }
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

fn recipe(params: &ProMixParams, choice: &Choice, dealt: &DrawnOptions, facts: &Facts) -> Value {
    let mut recipe = Map::new();
    recipe.insert("combination".to_owned(), json!(choice.row));
    if choice.starts.iter().any(Option::is_some) {
        let starts = choice.starts.iter().zip(&params.scenes).zip(&choice.row);
        let seconds = starts.map(|((start, scene), &index)| match start {
            Some(start) => (start.seconds(params.options.fps) * 1e6).round() / 1e6,
            None => scene.resources.get(index as usize).and_then(|clip| clip.from_s).unwrap_or(0.0),
        });
        recipe.insert("starts".to_owned(), seconds.collect());
    }
    if choice.audio.iter().any(Option::is_some) {
        recipe.insert("audioResources".to_owned(), json!(choice.audio));
    }
    dealt.add_transitions(params.scenes.len(), &mut recipe);
    dealt.add_to_recipe(&mut recipe);
    let clips = params.scenes.iter().zip(&choice.row);
    let clips = clips.filter_map(|(scene, &index)| scene.resources.get(index as usize));
    let motions = dealt.motions.recipe(clips, facts);
    motions.map(|motions| recipe.insert("imageMotion".to_owned(), motions));
    dealt.add_look(params.scenes.iter().flat_map(|scene| &scene.resources), &mut recipe);
    recipe.into()
}

/// The error that states how many outputs are possible; a clip that cannot be used may be the reason.
fn too_few(params: &ProMixParams, found: usize, facts: &Facts) -> TaskError {
    let bad = nothing_left(params, facts);
    if bad.code != ErrorCode::Internal {
        return bad;
    }
    TaskError::new(ErrorCode::ClipTooShort, message::few_outputs(found, params.generate_count))
}

/// The error that lists the bad resources if they leave too few combinations.
fn nothing_left(params: &ProMixParams, facts: &Facts) -> TaskError {
    let clips = params.scenes.iter().flat_map(|scene| &scene.resources);
    let errors = clips.filter_map(|clip| match facts.media.get(&clip.url)? {
        Err(error) => Some((&clip.url, error.clone())),
        Ok(info) => Some((&clip.url, usable_clip(clip, info).err()?)),
    });
    let errors: Vec<TaskError> = errors.collect::<BTreeMap<_, _>>().into_values().collect();
    let list: Vec<String> =
        errors.iter().map(|e| format!("{} ({})", e.input.as_deref().unwrap_or("?"), e.code)).collect();
    match errors.into_iter().next() {
        Some(first) => TaskError { message: message::too_few_left(list.join(", "), first.message), ..first },
        None => TaskError::new(ErrorCode::Internal, message::no_combination()),
    }
}

fn plan_output<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    dealt: &DrawnOptions<'a>,
    builder: &mut Builder<'a>,
) -> Result<(Planned, Option<Value>), TaskError> {
    let (timeline, audio, fill) = output_timeline(params, choice, dealt, builder)?;
    Ok((rendition(builder, &dealt.options, &timeline, audio)?, fill))
}

/// All of an output, the scenes' own audio, and what the recipe says about further clips in scenes.
fn output_timeline<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    dealt: &DrawnOptions<'a>,
    builder: &mut Builder<'a>,
) -> Result<(Timeline<'a>, ScenesAudio<'a>, Option<Value>), TaskError> {
    let bumpers = Bumpers::of(dealt, params.options.fps, builder)?;
    let (timeline, fill) = scenes_timeline(params, choice, dealt, |_| true, builder)?;
    let timeline = bumpers.around(timeline);
    let audio = ScenesAudio::of(params, choice, &timeline, builder)?;
    Ok((timeline, audio, fill))
}

/// The scenes of one output; only those that are `seen`.
fn scenes_timeline<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    dealt: &DrawnOptions,
    seen: impl Fn(usize) -> bool,
    builder: &mut Builder<'a>,
) -> Result<(Timeline<'a>, Option<Value>), TaskError> {
    let fps = params.options.fps;
    let lengths = output_lengths(params, choice, dealt, builder.facts)?;
    let chosen_scenes = chosen_clips(params, choice)?;
    let chosen_scenes = lengths.into_iter().zip(&choice.row).zip(chosen_scenes).enumerate();
    let chosen_scenes: Vec<_> = chosen_scenes.filter(|(s, _)| seen(*s)).collect();
    let videos = all(chosen_scenes.iter().map(|(_, (_, clip))| builder.clip(clip)))?;
    let mut chosen = Vec::with_capacity(chosen_scenes.len());
    for (&(number, ((frames, &resource), clip)), (info, video, excerpt)) in chosen_scenes.iter().zip(videos) {
        let place = || format!("/params/scenes/{number}/resources/{resource}");
        builder.check_declared(place, clip, video);
        let excerpt = choice.excerpt(number, (clip, video, excerpt), fps)?;
        let natural = if video.still { frames } else { excerpt.frames(video, clip.speed(), fps) };
        let motion = dealt.motions.of(ImagePosition::Clip(number), clip.image_motion);
        let (url, adjustments) = (&clip.url, dealt.adjustments(clip, video));
        let shot = Shot {
            url,
            info,
            video,
            excerpt,
            natural,
            frames,
            looped: false,
            motion,
            adjustments,
            second: None,
        };
        chosen.push(ChosenClip { number, resource, shot });
    }
    let (timeline, fill) = match scene_fill::is_filled(params) {
        true => {
            let scenes = scene_fill::filled(params, choice, dealt, &chosen, builder)?;
            let fill = scene_fill::recipe(&scenes, !params.fill.is_empty(), fps);
            (Timeline::of(scenes.into_iter().map(|scene| (scene.number, scene.shots))), fill)
        }
        false => {
            let clips: Vec<Shot> = chosen.iter().map(|clip| clip.shot).collect();
            let scenes = scene_shots(&clips, &params.options, longest_showing(params));
            (Timeline::of(chosen.iter().map(|clip| clip.number).zip(scenes)), None)
        }
    };
    Ok((transition_span::overlapped(timeline, dealt, fps), fill))
}

/// The length of each scene of one output. Fails if it depends on audio that is not known.
fn output_lengths(
    params: &ProMixParams,
    choice: &Choice,
    dealt: &DrawnOptions,
    facts: &Facts,
) -> Result<Vec<Frames>, TaskError> {
    let heard = |audio: &SceneAudio| {
        used_length(probed_media(facts, &audio.url)?, None, audio.duration_s, &audio.url)
    };
    scene_lengths(params, &choice.audio, voice_frames(&dealt.options, facts)?, heard)
}

/// The URLs of the clips that one output shows beside the chosen ones, as far as they are known.
fn further_clips<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    dealt: &DrawnOptions,
    facts: &Facts,
) -> Vec<&'a str> {
    if !scene_fill::is_filled(params) {
        return Vec::new();
    }
    let lengths = output_lengths(params, choice, dealt, facts).ok();
    scene_fill::further_clips(params, choice, lengths.as_deref(), facts)
}

fn chosen_clips<'a>(params: &'a ProMixParams, choice: &Choice) -> Result<Vec<&'a Clip>, TaskError> {
    let clips = params.scenes.iter().zip(&choice.row).enumerate().map(|(s, (scene, &index))| {
        let no_resource = || TaskError::new(ErrorCode::Internal, message::no_resource(s, index));
        scene.resources.get(index as usize).ok_or_else(no_resource)
    });
    clips.collect()
}

/// The shots of each scene: trimmed, held or looped to its length.
fn scene_shots<'a>(clips: &[Shot<'a>], options: &MixOptions, most: Frames) -> Vec<Vec<Shot<'a>>> {
    let fps = options.fps;
    let shortest = shortest(clips.iter()).min(most);
    let lay = |clip: &Shot<'a>| {
        let length = if options.is_shortest { clip.frames.min(shortest) } else { clip.frames };
        if is_held(clip.natural.0, length.0, fps) {
            return vec![Shot { frames: length, ..*clip }];
        }
        looped_shots(*clip, length, fps)
    };
    clips.iter().map(lay).collect()
}
