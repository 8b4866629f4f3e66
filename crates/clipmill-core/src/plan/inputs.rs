//! Which files a plan needs.

use std::collections::BTreeSet;

use crate::chance::item_seed;
use crate::media::Facts;
use crate::plan::dedup::overlay_urls;
use crate::plan::pro_mix::choices;
use crate::plan::{InputKind, NeededInput};
use crate::request::model::{MixOptions, Params, ProMixParams, TaskRequest};

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
