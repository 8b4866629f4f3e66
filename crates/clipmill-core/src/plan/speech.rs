//! The texts that are spoken for the outputs of a task, which determine a part of its price.

use std::collections::HashSet;

use crate::media::Facts;
use crate::plan::mix::choices::{Choice, choices};
use crate::plan::mix::pools::draw_options;
use crate::request::InputRole;
use crate::request::model::{AudioUrl, Params, TaskRequest};
use crate::seed::item_seed;
use crate::speech::Speech;

/// For each output, the characters of each text that is spoken for it and for no earlier output among those that
/// `is_made` selects by their index.
pub(crate) fn spoken(
    request: &TaskRequest,
    seed: u64,
    facts: &Facts,
    is_made: impl Fn(usize) -> bool,
) -> Vec<Vec<u64>> {
    let items = request.params.total_items();
    let mut spoken = vec![Vec::new(); items];
    let mut urls = request.urls_of(InputRole::Voice).chain(request.urls_of(InputRole::SceneAudio));
    let Some(options) =
        request.params.mix_options().filter(|_| urls.any(|url| Speech::of_url(url).is_some()))
    else {
        return spoken;
    };
    let choices = match &request.params {
        Params::ProVideoMix(params) => choices(params, seed, facts),
        Params::VideoDeduplication(_) | Params::BaseVideoMix(_) => Vec::new(),
    };
    let mut priced = HashSet::new();
    for (index, characters) in spoken.iter_mut().enumerate().filter(|(index, _)| is_made(*index)) {
        let drawn = draw_options(options, item_seed(seed, index as u32 + 1), facts);
        let voice = drawn.options.voice.as_ref().map(|voice| voice.url.clone());
        let of_scenes = choices.get(index).and_then(Option::as_ref);
        let of_scenes = of_scenes.into_iter().flat_map(|choice| scene_audio(request, choice));
        for url in voice.into_iter().chain(of_scenes) {
            if let Some(speech) = url.speech()
                && priced.insert(url)
            {
                characters.push(speech.characters());
            }
        }
    }
    spoken
}

/// The audio of the scenes of an output.
fn scene_audio<'r>(request: &'r TaskRequest, choice: &'r Choice) -> impl Iterator<Item = AudioUrl> + 'r {
    let scenes = match &request.params {
        Params::ProVideoMix(params) => params.scenes.as_slice(),
        Params::VideoDeduplication(_) | Params::BaseVideoMix(_) => &[],
    };
    let audio = scenes.iter().zip(&choice.audio).filter_map(|(scene, index)| scene.audio.get((*index)?));
    audio.map(|audio| audio.url.clone())
}
