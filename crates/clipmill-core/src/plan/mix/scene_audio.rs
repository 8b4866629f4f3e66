//! The scenes' own audio and texts: where in the output each is heard or shown.

use std::borrow::Cow;
use std::ops::Range;

use crate::error::TaskError;
use crate::media::Facts;
use crate::message;
use crate::plan::build::{Builder, probed_media};
use crate::plan::mix::audio::{PlacedAudio, file_audio, used_length};
use crate::plan::mix::choices::Choice;
use crate::plan::timeline::Timeline;
use crate::plan::{MixTrack, Warning};
use crate::request::model::{
    AudioMode, CaptionSource, CaptionTiming, MixOptions, ProMixParams, Scene, SceneAudio, SceneLength,
    Subtitle, TranscribedAudio,
};
use crate::segment::AudioSpec;
use crate::time::{Frames, Samples};

/// What an output plays and shows of its scenes' audio and texts, with warnings about inaudible audio.
#[derive(Default)]
pub(crate) struct ScenesAudio<'a> {
    pub tracks: Vec<MixTrack>,
    pub scripts: Vec<SceneScript<'a>>,
    pub warnings: Vec<Warning>,
}

/// The text of a scene.
pub(crate) struct SceneScript<'a> {
    pub scene: usize,
    pub text: SceneText<'a>,
    /// The audio that speaks it, if the scene has any.
    pub audio: Option<HeardAudio<'a>>,
    /// The frames that belong to the scene alone.
    pub place: Range<Frames>,
    /// The frame at which its audio is cut at the latest.
    pub until: Frames,
}

/// Where the text of a scene comes from.
pub(crate) enum SceneText<'a> {
    Script(Cow<'a, str>),
    /// The transcript of its audio.
    Transcript,
}

/// Where the audio of a scene is heard.
#[derive(Clone, Copy)]
pub(crate) struct HeardAudio<'a> {
    scene: usize,
    resource: usize,
    pub audio: &'a SceneAudio,
    pub from: Samples,
    /// How much of the file is heard; 0 if nothing of it fits.
    pub heard: Samples,
    /// How much would be heard if it were not cut at the end of the scene or of the video.
    pub whole: Samples,
}

impl<'a> ScenesAudio<'a> {
    pub fn of(
        params: &'a ProMixParams,
        choice: &Choice,
        timeline: &Timeline,
        builder: &mut Builder,
    ) -> Result<Self, TaskError> {
        let all = heard_audio(params, choice, timeline, builder.facts)?;
        let (mut placed, mut warnings) = (PlacedAudio::default(), Vec::new());
        for one in &all {
            if one.heard.0 == 0 {
                let path = format!("/params/scenes/{}/audioResources/{}/startTime", one.scene, one.resource);
                let message = match params.audio_mode {
                    AudioMode::Split => message::audio_after_scene(),
                    AudioMode::Merge => message::audio_after_video(),
                };
                warnings.push(Warning { path, message });
                continue;
            }
            let info = builder.media(&one.audio.url)?;
            let spec = file_audio(info, None, one.heard);
            let spec = spec.map(|spec| AudioSpec { volume_percent: one.audio.volume_percent, ..spec });
            placed.add(builder.audio_part(spec, one.heard, &one.audio.url), one.from, one.heard);
        }
        let scripts = scripts(params, timeline, &all, transcribes_voice(&params.options));
        Ok(Self { tracks: placed.tracks().collect(), scripts, warnings })
    }
}

/// The texts of the scenes of an output, if it shows them.
pub(crate) fn shown_scripts<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    options: &MixOptions,
    timeline: &Timeline,
    facts: &Facts,
) -> Result<Vec<SceneScript<'a>>, TaskError> {
    let transcribes = transcribes_voice(options);
    if !shows_scripts(options) && !transcribes {
        return Ok(Vec::new());
    }
    Ok(scripts(params, timeline, &heard_audio(params, choice, timeline, facts)?, transcribes))
}

/// Whether captions are the texts of scenes.
pub(crate) fn shows_scripts(options: &MixOptions) -> bool {
    options.subtitle.as_ref().is_some_and(|subtitle| subtitle.source == CaptionSource::Scenes)
}

/// Whether captions are what the voices say.
fn transcribes_voice(options: &MixOptions) -> bool {
    let audio = options.subtitle.as_ref().and_then(Subtitle::transcribed);
    audio == Some(TranscribedAudio::Voice)
}

/// The URLs of the audio that determines the length of scenes, or when their texts are shown.
pub(crate) fn timing_audio<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    options: &MixOptions,
) -> impl Iterator<Item = &'a str> {
    let has_scripts = shows_scripts(options) || transcribes_voice(options);
    let is_timing = move |scene: &Scene| has_scripts || scene.length == SceneLength::Voice;
    let scenes = params.scenes.iter().zip(&choice.audio).filter(move |(scene, _)| is_timing(scene));
    scenes.filter_map(|(scene, index)| Some(scene.audio.get((*index)?)?.url.as_str()))
}

/// The URLs of the audio that speaks the texts of scenes, if it is usable and not searched for pauses yet.
pub(crate) fn unsearched_audio<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    options: &MixOptions,
    facts: &Facts,
) -> impl Iterator<Item = &'a str> {
    let is_even = |subtitle: &Subtitle| subtitle.timing == Some(CaptionTiming::Even);
    let follows = shows_scripts(options) && !options.subtitle.as_ref().is_some_and(is_even);
    let transcribes = transcribes_voice(options);
    let urls = params.scenes.iter().zip(&choice.audio).filter_map(move |(scene, index)| {
        let url = &scene.audio.get((*index)?)?.url;
        let has_script = follows && scene.text.is_some() || transcribes && url.speech().is_some();
        has_script.then_some(url.as_str())
    });
    let is_usable = |url: &&str| {
        let info = facts.media.get(*url).and_then(|info| info.as_ref().ok());
        info.is_some_and(|info| info.audio.is_some()) && !facts.pauses.contains_key(*url)
    };
    urls.filter(is_usable)
}

/// Where the audio of each scene is heard.
fn heard_audio<'a>(
    params: &'a ProMixParams,
    choice: &Choice,
    timeline: &Timeline,
    facts: &Facts,
) -> Result<Vec<HeardAudio<'a>>, TaskError> {
    let fps = params.options.fps;
    let total = timeline.frames().samples(fps);
    let lead = timeline.lead().samples(fps).0;
    // The sample after the previous audio.
    let (mut previous_end, mut all) = (0, Vec::new());
    let scenes = params.scenes.iter().zip(&choice.audio).zip(timeline.scenes());
    for (scene, ((own, index), place)) in scenes.enumerate() {
        let Some((resource, audio)) = index.and_then(|index| Some((index, own.audio.get(index)?))) else {
            continue;
        };
        let gap = Samples::nearest(audio.start_s).0;
        // With `split`, audio stays within its own scene; with `merge`, it follows the previous audio and may cross
        // scene borders.
        let (from, until) = match params.audio_mode {
            AudioMode::Split => (place.start.samples(fps).0.saturating_add(gap), place.end.samples(fps).0),
            AudioMode::Merge => (lead.max(previous_end).saturating_add(gap), total.0),
        };
        let info = probed_media(facts, &audio.url)?;
        let whole = used_length(info, None, audio.duration_s, &audio.url)?;
        let heard = whole.0.min(until.saturating_sub(from));
        if heard > 0 {
            previous_end = from + heard;
        }
        all.push(HeardAudio { scene, resource, audio, from: Samples(from), heard: Samples(heard), whole });
    }
    Ok(all)
}

fn scripts<'a>(
    params: &'a ProMixParams,
    timeline: &Timeline,
    all: &[HeardAudio<'a>],
    transcribes: bool,
) -> Vec<SceneScript<'a>> {
    let mut scripts = Vec::new();
    let mut places = timeline.scenes().peekable();
    while let Some(place) = places.next() {
        let audio = all.iter().find(|one| one.scene == place.number && one.heard.0 > 0).copied();
        let own = params.scenes.get(place.number).and_then(|scene| scene.text.as_deref());
        let text = match (own, audio.filter(|_| transcribes).map(|one| one.audio.url.speech())) {
            (Some(text), _) => SceneText::Script(text.into()),
            (None, Some(Some(speech))) => SceneText::Script(speech.text.into()),
            (None, Some(None)) => SceneText::Transcript,
            (None, None) => continue,
        };
        let end = places.peek().map_or(place.end, |next| next.start.min(place.end));
        let until = match params.audio_mode {
            AudioMode::Split => place.end,
            AudioMode::Merge => timeline.frames(),
        };
        let place_alone = place.start..end.max(place.start);
        scripts.push(SceneScript { scene: place.number, text, audio, place: place_alone, until });
    }
    scripts
}
