//! proVideoMix: one clip per scene per output, by manual rows first, then by distinct draws.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::error::{ErrorCode, TaskError};
use crate::media::Facts;
use crate::message;
use crate::plan::PlannedItem;
use crate::plan::build::{Builder, all, probed_media, usable_clip};
use crate::plan::mix::audio::{used_length, voice_frames};
use crate::plan::mix::choices::{Choice, choices};
use crate::plan::mix::images::ImagePosition;
use crate::plan::mix::junction;
use crate::plan::mix::pools::{Bumpers, DrawnOptions, draw_options};
use crate::plan::mix::scene_audio::ScenesAudio;
use crate::plan::mix::scene_fill::{self, ChosenClip, longest_showing};
use crate::plan::mix::scene_lengths::scene_lengths;
use crate::plan::mix::shot::{Shot, shortest};
use crate::plan::mix::starts;
use crate::plan::mix::{is_held, looped_shots, rendition};
use crate::plan::model::Planned;
use crate::plan::timeline::Timeline;
use crate::request::model::{Clip, MixOptions, ProMixParams, SceneAudio};
use crate::seed::item_seed;
use crate::time::Frames;

pub(crate) fn plan<'a>(params: &'a ProMixParams, seed: u64, builder: &mut Builder<'a>) -> Vec<PlannedItem> {
    let mut choices = choices(params, seed, builder.facts);
    let row_count = choices.iter().flatten().count();
    let few = (starts::are_drawn(params) && row_count < choices.len())
        .then(|| too_few(params, row_count, builder.facts));
    if few.is_some() {
        choices.iter_mut().for_each(|choice| *choice = None);
    }
    let mut items = Vec::with_capacity(choices.len());
    for (item_no, choice) in (1..).zip(choices) {
        if !(builder.context.is_wanted)() {
            break;
        }
        let item_seed = item_seed(seed, item_no);
        let dealt = draw_options(&params.options, item_seed, builder.facts);
        let mut recipe =
            choice.as_ref().map_or(json!({}), |choice| recipe(params, choice, &dealt, builder.facts));
        let planned = match &choice {
            Some(choice) => plan_output(params, choice, &dealt, builder),
            None => Err(few.clone().unwrap_or_else(|| nothing_left(params, builder.facts))),
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
    recipe.into()
}

/// The error that states how many outputs are possible; a clip that cannot be used may be the reason.
pub(crate) fn too_few(params: &ProMixParams, found: usize, facts: &Facts) -> TaskError {
    let bad = nothing_left(params, facts);
    if bad.code != ErrorCode::Internal {
        return bad;
    }
    TaskError::new(ErrorCode::ClipTooShort, message::few_outputs(found, params.generate_count))
}

/// The error that lists the bad resources because of which too few combinations remain.
pub(crate) fn nothing_left(params: &ProMixParams, facts: &Facts) -> TaskError {
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
pub(crate) fn output_timeline<'a>(
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
pub(crate) fn scenes_timeline<'a>(
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
        let natural = if video.still { frames } else { excerpt.frames(video, 1.0, fps) };
        let motion = dealt.motions.of(ImagePosition::Clip(number), clip.image_motion);
        let shot = Shot { url: &clip.url, info, video, excerpt, natural, frames, looped: false, motion };
        chosen.push(ChosenClip { number, resource, shot });
    }
    let (timeline, fill) = match scene_fill::is_filled(params) {
        true => {
            let scenes = scene_fill::filled(params, choice, dealt.motions, &chosen, builder)?;
            let fill = scene_fill::recipe(&scenes, !params.fill.is_empty(), fps);
            (Timeline::of(scenes.into_iter().map(|scene| (scene.number, scene.shots))), fill)
        }
        false => {
            let clips: Vec<Shot> = chosen.iter().map(|clip| clip.shot).collect();
            let scenes = scene_shots(&clips, &params.options, longest_showing(params));
            (Timeline::of(chosen.iter().map(|clip| clip.number).zip(scenes)), None)
        }
    };
    Ok((junction::overlapped(timeline, dealt, fps), fill))
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
pub(crate) fn further_clips<'a>(
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
