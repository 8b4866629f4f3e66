//! What is spoken in an output, from the transcripts of its audio.

use crate::error::{ErrorCode, TaskError};
use crate::media::Facts;
use crate::message;
use crate::plan::assumptions::is_named_as_image;
use crate::plan::build::Builder;
use crate::plan::mix::choices::Choice;
use crate::plan::mix::pools::DrawnOptions;
use crate::plan::mix::pro_mix::further_clips;
use crate::plan::timeline::Timeline;
use crate::request::model::{AudioUrl, MixOptions, Params, Subtitle, TranscribedAudio};
use crate::subtitle::Transcript;
use crate::time::Fps;

/// Excerpts of a file that are nearer to each other than this continue each other.
const GAP_MS: u64 = 50;

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
    let urls: Vec<&str> = match (audio, params) {
        (TranscribedAudio::Voice, _) => {
            // The text of a synthesized voice is known.
            let voices = voice_urls(params, choice, options).into_iter();
            voices.filter(|url| url.speech().is_none()).map(AudioUrl::as_str).collect()
        }
        (TranscribedAudio::Clips, Params::BaseVideoMix(params)) => {
            let clips = params.groups.get(index).into_iter().flat_map(|group| &group.videos);
            clips.map(|clip| clip.url.as_str()).collect()
        }
        (TranscribedAudio::Clips, Params::ProVideoMix(params)) => {
            let Some(choice) = choice else { return Vec::new() };
            let clips = params.scenes.iter().zip(&choice.row);
            let clips = clips.filter_map(|(scene, index)| scene.resources.get(*index as usize));
            let further = further_clips(params, choice, drawn, facts);
            clips.map(|clip| clip.url.as_str()).chain(further).collect()
        }
        (TranscribedAudio::Clips, Params::VideoDeduplication(_)) => Vec::new(),
    };
    let may_speak = |url: &&str| match facts.media.get(*url) {
        Some(info) => info.as_ref().is_ok_and(|info| info.audio.is_some()),
        None => !is_named_as_image(url),
    };
    urls.into_iter().filter(may_speak).map(str::to_owned).collect()
}

/// The voice-over of one output and the audio of its scenes.
pub(crate) fn voice_urls<'a>(
    params: &'a Params,
    choice: Option<&Choice>,
    options: &'a MixOptions,
) -> Vec<&'a AudioUrl> {
    let voice = options.voice.iter().map(|track| &track.url);
    let chosen = params.scenes().iter().zip(choice.into_iter().flat_map(|choice| &choice.audio));
    let of_scenes = chosen.filter_map(|(scene, index)| Some(&scene.audio.get((*index)?)?.url));
    voice.chain(of_scenes).collect()
}

/// The known files among these whose audio was not transcribed yet.
pub(crate) fn untranscribed(urls: Vec<String>, facts: &Facts) -> impl Iterator<Item = String> {
    urls.into_iter().filter(|url| facts.media.contains_key(url) && !facts.transcripts.contains_key(url))
}

/// An excerpt of a file as an output plays it, in milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeardExcerpt<'u> {
    pub url: &'u str,
    /// Where in the output it begins.
    pub at_ms: u64,
    /// Where in the audio of the file it begins.
    pub from_ms: u64,
    pub length_ms: u64,
}

/// The audio of the clips of an output. A shot that continues the previous one is one excerpt with it.
pub(crate) fn heard_clips<'a>(timeline: &Timeline<'a>, fps: Fps) -> Vec<HeardExcerpt<'a>> {
    let mut all: Vec<HeardExcerpt> = Vec::new();
    for (start, shot) in timeline.scene_shots() {
        let Some(audio) = &shot.info.audio else { continue };
        let ms = |seconds: f64| (seconds * 1000.0).round() as i64;
        let from = ms(shot.video.start_s + shot.excerpt.begin_s() - audio.start_s);
        // Audio that begins later than the video.
        let silence_ms = u64::try_from(-from).unwrap_or(0);
        let length_ms = ms(shot.frames.min(shot.natural).seconds(fps)) as u64;
        let one = HeardExcerpt {
            url: shot.url,
            at_ms: ms(start.seconds(fps)) as u64 + silence_ms,
            from_ms: u64::try_from(from).unwrap_or(0),
            length_ms: length_ms.saturating_sub(silence_ms),
        };
        match all.last_mut().filter(|last| last.is_continued_by(&one)) {
            Some(last) => last.length_ms = one.at_ms + one.length_ms - last.at_ms,
            None => all.push(one),
        }
    }
    all
}

impl HeardExcerpt<'_> {
    fn is_continued_by(&self, next: &Self) -> bool {
        self.url == next.url
            && (self.from_ms + self.length_ms).abs_diff(next.from_ms) <= GAP_MS
            && (self.at_ms + self.length_ms).abs_diff(next.at_ms) <= GAP_MS
    }

    /// What is spoken in the file.
    pub fn transcript<'f>(&self, builder: &Builder<'f>) -> Result<&'f Transcript, TaskError> {
        match builder.facts.transcripts.get(self.url) {
            Some(transcript) => transcript.as_ref().map_err(Clone::clone),
            None => Err(TaskError::new(ErrorCode::Internal, message::never_read()).input(self.url)),
        }
    }
}
