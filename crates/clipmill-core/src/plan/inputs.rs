//! Which files a plan needs, and which of them cannot be used.

use std::collections::BTreeSet;

use crate::error::TaskError;
use crate::media::Facts;
use crate::plan::build::usable_video;
use crate::plan::choices::choices;
use crate::plan::dedup::overlay_urls;
use crate::plan::sound::no_sound;
use crate::plan::{InputKind, NeededInput};
use crate::request::model::{Clip, MixOptions, Params, ProMixParams, TaskRequest};
use crate::seed::item_seed;

/// Files that planning needs and `facts` do not know yet, in order of first use. Ask again after each
/// round: a bad clip may be replaced by one that nobody needed before. Empty means the task can be planned.
pub fn needed_inputs(request: &TaskRequest, seed: u64, facts: &Facts) -> Vec<NeededInput> {
    let mut media: Vec<&str> = Vec::new();
    let mut options: Option<&MixOptions> = None;
    let chosen;
    match &request.params {
        Params::VideoDeduplication(params) => {
            media.extend(params.videos.iter().map(|clip| clip.url.as_str()));
            let seeds = (1..).map(|item_no| item_seed(seed, item_no)).take(params.videos.len());
            media.extend(seeds.flat_map(|seed| overlay_urls(&params.options, seed)));
        }
        Params::BaseVideoMix(params) => {
            media.extend(params.groups.iter().flat_map(|group| &group.videos).map(|clip| clip.url.as_str()));
            options = Some(&params.options);
        }
        Params::ProVideoMix(params) => {
            chosen = chosen_urls(params, seed, facts);
            media.extend(chosen.iter().map(String::as_str));
            options = Some(&params.options);
        }
    }
    let tracks = options.iter().flat_map(|options| [&options.voice, &options.music]).flatten();
    media.extend(tracks.map(|track| track.url.as_str()));
    let subtitles =
        options.and_then(|options| options.subtitle.as_ref()).map(|subtitle| subtitle.url.as_str());

    let mut seen = BTreeSet::new();
    let media =
        media.into_iter().filter(|url| !facts.media.contains_key(*url)).map(|url| (url, InputKind::Media));
    let subtitles = subtitles.into_iter().filter(|url| !facts.subtitles.contains_key(*url));
    let all = media.chain(subtitles.map(|url| (url, InputKind::Subtitle)));
    all.filter(|input| seen.insert(*input))
        .map(|(url, kind)| NeededInput { url: url.to_owned(), kind })
        .collect()
}

/// Every file that was looked at and cannot be used, each once, so that a client can mend all of them at once.
pub fn bad_inputs(request: &TaskRequest, facts: &Facts) -> Vec<TaskError> {
    let media = facts.media.values().filter_map(|info| info.as_ref().err());
    let subtitles = facts.subtitles.values().filter_map(|cues| cues.as_ref().err());
    let unusable = clips(request).filter_map(|url| {
        let info = facts.media.get(url)?.as_ref().ok()?;
        usable_video(info).err().map(|error| error.input(url))
    });
    let silent = sounds(request).filter_map(|url| {
        let info = facts.media.get(url)?.as_ref().ok()?;
        info.audio.is_none().then(|| no_sound(url))
    });
    let all = media.chain(subtitles).cloned().chain(unusable).chain(silent);
    let mut seen = BTreeSet::new();
    all.filter(|error| seen.insert((error.input.clone(), error.message.clone()))).collect()
}

/// Files that must have a moving picture.
fn clips(request: &TaskRequest) -> impl Iterator<Item = &str> {
    let clips: Vec<&Clip> = match &request.params {
        Params::VideoDeduplication(params) => params.videos.iter().collect(),
        Params::BaseVideoMix(params) => params.groups.iter().flat_map(|group| &group.videos).collect(),
        Params::ProVideoMix(params) => params.scenes.iter().flat_map(|scene| &scene.resources).collect(),
    };
    clips.into_iter().map(|clip| clip.url.as_str())
}

/// Files that must have sound.
fn sounds(request: &TaskRequest) -> impl Iterator<Item = &str> {
    let (options, scenes) = match &request.params {
        Params::VideoDeduplication(_) => (None, &[][..]),
        Params::BaseVideoMix(params) => (Some(&params.options), &[][..]),
        Params::ProVideoMix(params) => (Some(&params.options), params.scenes.as_slice()),
    };
    let tracks = options.into_iter().flat_map(|options| [&options.voice, &options.music]).flatten();
    let audio = scenes.iter().flat_map(|scene| &scene.audio);
    tracks.map(|track| track.url.as_str()).chain(audio.map(|audio| audio.url.as_str()))
}

fn chosen_urls(params: &ProMixParams, seed: u64, facts: &Facts) -> Vec<String> {
    let mut urls = Vec::new();
    for choice in choices(params, seed, facts).into_iter().flatten() {
        for (scene, (index, audio)) in params.scenes.iter().zip(choice.row.iter().zip(&choice.audio)) {
            urls.extend(scene.resources.get(*index as usize).map(|clip| clip.url.clone()));
            urls.extend(audio.and_then(|audio| scene.audio.get(audio)).map(|audio| audio.url.clone()));
        }
    }
    urls
}
