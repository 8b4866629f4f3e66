//! Texts that are spoken and audio that is transcribed for the outputs of a task, which determine a part of its price.

use std::collections::HashSet;

use crate::media::Facts;
use crate::plan::assumptions::audio_seconds;
use crate::plan::mix::choices::choices;
use crate::plan::mix::pools::draw_options;
use crate::plan::mix::transcripts::{transcribed_urls, voice_urls};
use crate::pricing::SpeechUse;
use crate::request::InputRole;
use crate::request::model::{Params, TaskRequest};
use crate::seed::item_seed;
use crate::speech::Speech;

/// For each output, the texts and audio that are spoken and transcribed for it and for no earlier output among those
/// that `is_made` selects by their index.
pub(crate) fn speech_uses(
    request: &TaskRequest,
    seed: u64,
    facts: &Facts,
    is_made: impl Fn(usize) -> bool,
) -> Vec<Vec<SpeechUse>> {
    let items = request.params.total_items();
    let mut all = vec![Vec::new(); items];
    let mut urls = request.urls_of(InputRole::Voice).chain(request.urls_of(InputRole::SceneAudio));
    let speaks = urls.any(|url| Speech::of_url(url).is_some());
    let Some(options) = request.params.mix_options().filter(|options| speaks || options.may_be_transcribed())
    else {
        return all;
    };
    let choices = match &request.params {
        Params::ProVideoMix(params) => choices(params, seed, facts),
        Params::VideoDeduplication(_) | Params::BaseVideoMix(_) => Vec::new(),
    };
    let (mut spoken, mut transcribed) = (HashSet::new(), HashSet::new());
    for (index, uses) in all.iter_mut().enumerate().filter(|(index, _)| is_made(*index)) {
        let drawn = draw_options(options, item_seed(seed, index as u32 + 1), facts);
        let choice = choices.get(index).and_then(Option::as_ref);
        for url in voice_urls(&request.params, choice, &drawn.options) {
            if let Some(speech) = url.speech()
                && spoken.insert(url.clone())
            {
                uses.push(SpeechUse::Text(speech.characters()));
            }
        }
        for url in transcribed_urls(&request.params, index, choice, &drawn, facts) {
            let seconds = audio_seconds(&url, None, facts);
            if transcribed.insert(url) {
                uses.push(SpeechUse::Audio { milliseconds: (seconds * 1000.0).round() as u64 });
            }
        }
    }
    all
}
