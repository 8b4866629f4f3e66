//! The files that a plan needs, and those of them that cannot be used.

use std::collections::BTreeSet;

use crate::error::TaskError;
use crate::media::Facts;
use crate::plan::build::{must_move, usable_clip, usable_overlay, usable_video};
use crate::plan::mix::audio::no_audio;
use crate::plan::mix::choices::Choice;
use crate::plan::mix::pools::{DrawnOptions, draw_options};
use crate::plan::mix::scene_audio::shows_scripts;
use crate::plan::speech::{transcribed_urls, untranscribed};
use crate::plan::task_types::planner;
use crate::plan::{InputKind, NeededInput};
use crate::request::InputRole;
use crate::request::model::{MixOptions, TaskRequest};
use crate::seed::item_seed;

/// Files that planning needs and that are not in `facts` yet, in order of first use. Call it again after each round: a
/// bad clip may be replaced by one that was not needed before. If the list is empty, the task can be planned.
pub fn needed_inputs(request: &TaskRequest, seed: u64, facts: &Facts) -> Vec<NeededInput> {
    let planner = planner(&request.params);
    let mut media = planner.used_files(seed, facts);
    let drawn_options = drawn_inputs(request, seed, facts);
    media.extend(drawn_options.iter().flat_map(|options| options.bumpers().into_iter().flatten()));
    media.extend(request.urls_of(InputRole::Overlay));
    media.extend(request.urls_of(InputRole::Cover));
    media.extend(drawn_options.iter().flat_map(DrawnOptions::tracks));
    let subtitles = drawn_options.iter().filter_map(DrawnOptions::subtitle);

    let mut urls = BTreeSet::new();
    let media =
        media.into_iter().filter(|url| !facts.media.contains_key(*url)).map(|url| (url, InputKind::Media));
    let subtitles = subtitles.into_iter().filter(|url| !facts.subtitles.contains_key(*url));
    let all = media.chain(subtitles.map(|url| (url, InputKind::Subtitle)));
    let all = all.chain(planner.unscanned_files(facts).into_iter().map(|url| (url, InputKind::Cuts)));
    let pauses = drawn_options.iter().filter_map(|options| options.unsearched_voice(facts));
    let pauses = pauses.chain(unsearched_urls(request, seed, facts));
    let all = all.chain(pauses.map(|url| (url, InputKind::Pauses)));
    let untranscribed = untranscribed(all_transcribed(request, seed, facts), facts).collect::<Vec<_>>();
    let all = all.chain(untranscribed.iter().map(|url| (url.as_str(), InputKind::Transcript)));
    let fonts = request.urls_of(InputRole::Font).filter(|url| !facts.fonts.contains_key(*url));
    let all = all.chain(fonts.map(|url| (url, InputKind::Font)));
    all.filter(|input| urls.insert(*input))
        .map(|(url, kind)| NeededInput { url: url.to_owned(), kind })
        .collect()
}

/// The URLs of all files that are transcribed.
fn all_transcribed(request: &TaskRequest, seed: u64, facts: &Facts) -> Vec<String> {
    if !request.params.mix_options().is_some_and(MixOptions::may_be_transcribed) {
        return Vec::new();
    }
    let indexes = 0..request.params.total_items();
    let choices = planner(&request.params).choices(seed, facts);
    let of_item = |index: usize| {
        let options = request.params.mix_options()?;
        let drawn = draw_options(options, item_seed(seed, index as u32 + 1), facts);
        let choice = choices.get(index).and_then(Option::as_ref);
        Some(transcribed_urls(&request.params, index, choice, &drawn, facts))
    };
    indexes.filter_map(of_item).flatten().collect()
}

/// The music and voices of each output of a mix; one entry for all when nothing is dealt from a pool.
fn drawn_inputs<'a>(request: &'a TaskRequest, seed: u64, facts: &Facts) -> Vec<DrawnOptions<'a>> {
    let Some(options) = request.params.mix_options() else { return Vec::new() };
    let MixOptions { music_pool, voice_pool, intro_pool, outro_pool, .. } = options;
    let pooled =
        !(music_pool.is_empty() && voice_pool.is_empty() && intro_pool.is_empty() && outro_pool.is_empty());
    let items = if pooled { request.params.total_items() as u32 } else { 1 };
    (1..=items).map(|item_no| draw_options(options, item_seed(seed, item_no), facts)).collect()
}

/// Every probed file that cannot be used, each once, so that a client can fix all of them at once.
pub fn bad_inputs(request: &TaskRequest, facts: &Facts) -> Vec<TaskError> {
    let media = facts.media.values().filter_map(|info| info.as_ref().err());
    let subtitles = facts.subtitles.values().filter_map(|cues| cues.as_ref().err());
    let fonts = facts.fonts.values().filter_map(|font| font.as_ref().err());
    let takes_pictures = request.params.mix_options().is_some();
    let unusable = request.clips().into_iter().filter_map(|clip| {
        let info = facts.media.get(&clip.url)?.as_ref().ok()?;
        match usable_clip(clip, info) {
            Ok((video, _)) if !takes_pictures => must_move(video).err().map(|error| error.input(&clip.url)),
            usable => usable.err(),
        }
    });
    let bumpers = request.urls_of(InputRole::Bumper).filter_map(|url| {
        let info = facts.media.get(url)?.as_ref().ok()?;
        usable_video(info).err().map(|error| error.input(url))
    });
    let overlays = request.urls_of(InputRole::Overlay).chain(request.urls_of(InputRole::Cover));
    let invisible = overlays.filter_map(|url| {
        let info = facts.media.get(url)?.as_ref().ok()?;
        usable_overlay(info).err().map(|error| error.input(url))
    });
    let silent = audio_files(request).filter_map(|url| {
        let info = facts.media.get(url)?.as_ref().ok()?;
        info.audio.is_none().then(|| no_audio(url))
    });
    let all = media
        .chain(subtitles)
        .chain(fonts)
        .cloned()
        .chain(unusable)
        .chain(bumpers)
        .chain(invisible)
        .chain(silent);
    let mut urls = BTreeSet::new();
    all.filter(|error| urls.insert((error.input.clone(), error.message.english().to_owned()))).collect()
}

/// Files that must have audio.
fn audio_files(request: &TaskRequest) -> impl Iterator<Item = &str> {
    let roles = [InputRole::Voice, InputRole::Music, InputRole::SceneAudio, InputRole::Sound];
    roles.into_iter().flat_map(|role| request.urls_of(role))
}

/// The audio of scenes that must be searched for pauses.
fn unsearched_urls<'a>(request: &'a TaskRequest, seed: u64, facts: &Facts) -> Vec<&'a str> {
    let follows = |options: &&MixOptions| shows_scripts(options) || options.may_be_transcribed();
    let Some(options) = request.params.mix_options().filter(follows) else { return Vec::new() };
    let planner = planner(&request.params);
    let unsearched = |(item_no, choice): (u32, &Option<Choice>)| {
        let dealt = draw_options(options, item_seed(seed, item_no), facts);
        choice.iter().flat_map(|choice| planner.unsearched_files(choice, &dealt, facts)).collect::<Vec<_>>()
    };
    (1..).zip(&planner.choices(seed, facts)).flat_map(unsearched).collect()
}
