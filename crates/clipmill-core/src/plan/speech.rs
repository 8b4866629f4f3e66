//! Texts that are spoken and audio that is transcribed for the outputs of a task, which determine a part of its price.

use std::collections::HashSet;

use crate::media::Facts;
use crate::plan::assumptions::{audio_seconds, is_named_as_image};
use crate::plan::mix::choices::Choice;
use crate::plan::mix::pools::{DrawnOptions, draw_options};
use crate::plan::task_types::planner;
use crate::pricing::SpeechUse;
use crate::request::InputRole;
use crate::request::model::{AudioUrl, MixOptions, Params, Subtitle, TaskRequest, TranscribedAudio};
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
    let choices = planner(&request.params).choices(seed, facts);
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

/// The URLs of the files that are transcribed for one output, as far as they are known.
pub(crate) fn transcribed_urls(
    params: &Params,
    index: usize,
    choice: Option<&Choice>,
    drawn: &DrawnOptions,
    facts: &Facts,
) -> Vec<String> {
    let options = &drawn.options;
    let Some(audio) = options.subtitle.as_ref().and_then(Subtitle::transcribed) else { return Vec::new() };
    let urls: Vec<&str> = match audio {
        TranscribedAudio::Voice => {
            // The text of a synthesized voice is known.
            let voices = voice_urls(params, choice, options).into_iter();
            voices.filter(|url| url.speech().is_none()).map(AudioUrl::as_str).collect()
        }
        TranscribedAudio::Clips => planner(params).transcribed_clips(index, choice, drawn, facts),
    };
    let may_speak = |url: &&str| match facts.media.get(*url) {
        Some(info) => info.as_ref().is_ok_and(|info| info.audio.is_some()),
        None => !is_named_as_image(url),
    };
    urls.into_iter().filter(may_speak).map(str::to_owned).collect()
}

/// The voice-over of one output and the audio of its scenes.
fn voice_urls<'a>(params: &'a Params, choice: Option<&Choice>, options: &'a MixOptions) -> Vec<&'a AudioUrl> {
    let voice = options.voice.iter().map(|track| &track.url);
    let chosen = params.scenes().iter().zip(choice.into_iter().flat_map(|choice| &choice.audio));
    let of_scenes = chosen.filter_map(|(scene, index)| Some(&scene.audio.get((*index)?)?.url));
    voice.chain(of_scenes).collect()
}

/// The known files among these whose audio was not transcribed yet.
pub(crate) fn untranscribed(urls: Vec<String>, facts: &Facts) -> impl Iterator<Item = String> {
    urls.into_iter().filter(|url| facts.media.contains_key(url) && !facts.transcripts.contains_key(url))
}
