//! The captions of one output: where they come from, and when they are shown.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use crate::error::{ErrorCode, TaskError};
use crate::message::{self, Message};
use crate::plan::Warning;
use crate::plan::build::Builder;
use crate::plan::mix::audio::used_length;
use crate::plan::mix::scene_audio::{SceneScript, SceneText};
use crate::plan::mix::text_warnings;
use crate::plan::mix::transcripts::{HeardExcerpt, heard_clips};
use crate::plan::timeline::Timeline;
use crate::request::model::{AudioUrl, CaptionSource, MixOptions, Subtitle, Track, TranscribedAudio, Voice};
use crate::subtitle::{
    AlignedCues, AlignmentError, CaptionText, CaptionTrack, Cue, EvenCues, FontMetrics, align_to_voice,
    inline_cues, lay_out, split_text, spread_evenly,
};
use crate::time::{Fps, Frames, SAMPLE_RATE, Samples};

/// Captions laid out over the whole output, so that no line moves where the timeline is cut.
pub(crate) fn captions(
    builder: &Builder,
    options: &MixOptions,
    timeline: &Timeline,
    scripts: &[SceneScript],
) -> Result<(Option<CaptionTrack>, Vec<Warning>), TaskError> {
    let Some(subtitle) = &options.subtitle else { return Ok((None, vec![])) };
    let Some((cues, mut warnings)) = caption_cues(builder, options, timeline, scripts)? else {
        return Ok((None, vec![]));
    };
    let font = builder.font_for(&subtitle.style)?;
    let track = lay_out(&cues, &subtitle.style, options.size, options.fps, timeline.frames(), font);
    warnings.extend(text_warnings(&track, &path(options, subtitle)));
    Ok((Some(track), warnings))
}

/// Captions with their times in the output, and warnings about their source.
type CaptionCues<'b> = (Cow<'b, [Cue]>, Vec<Warning>);

/// The captions of an output; `None` if it has none.
pub(crate) fn caption_cues<'b>(
    builder: &Builder<'b>,
    options: &'b MixOptions,
    timeline: &Timeline,
    scripts: &[SceneScript],
) -> Result<Option<CaptionCues<'b>>, TaskError> {
    let Some(subtitle) = &options.subtitle else { return Ok(None) };
    let content = timeline.content();
    let font = || builder.font_for(&subtitle.style);
    let path = path(options, subtitle);
    let lead = |cues| later(cues, content.start, options.fps);
    let mut warnings = Vec::new();
    let (cues, warning) = match &subtitle.source {
        CaptionSource::Url(url) => match builder.facts.subtitles.get(url) {
            Some(Ok(file)) => (lead(Cow::Borrowed(&file.cues)), file.skipped.warning()),
            Some(Err(error)) => return Err(error.clone()),
            None => return Err(TaskError::new(ErrorCode::Internal, message::never_read()).input(url)),
        },
        CaptionSource::Cues(cues) => (lead(inline_cues(cues).into()), None),
        CaptionSource::Text(text) => {
            let (cues, warning) = of_text(builder, subtitle, text, options, &content, font()?);
            (cues.into(), warning)
        }
        CaptionSource::Transcript(audio) => {
            let captions = transcribed(builder, subtitle, *audio, options, timeline, scripts, font()?)?;
            (captions.0.into(), captions.1)
        }
        CaptionSource::Scenes => {
            let mut all = Vec::new();
            for script in scripts {
                let (cues, warning) = of_scene(builder, subtitle, script, options, font()?)?;
                add_cues(&mut all, cues);
                let path = format!("/params/scenes/{}/text", script.scene);
                warnings.extend(warning.map(|message| Warning { path, message }));
            }
            (all.into(), None)
        }
    };
    warnings.extend(warning.map(|message| Warning { path, message }));
    Ok(Some((cues, warnings)))
}

/// Adds captions. One that stays after it was spoken makes way for them.
fn add_cues(all: &mut Vec<Cue>, cues: Vec<Cue>) {
    let next_ms = cues.first().map_or(u64::MAX, |cue| cue.start_ms);
    let before = all.iter_mut().filter(|cue: &&mut Cue| cue.start_ms < next_ms);
    before.for_each(|cue| cue.end_ms = cue.end_ms.min(next_ms));
    all.extend(cues);
}

/// The captions of the text of an output, at the times of its voice or over the voice or the output.
fn of_text(
    builder: &Builder,
    subtitle: &Subtitle,
    text: &str,
    options: &MixOptions,
    content: &Range<Frames>,
    font: &dyn FontMetrics,
) -> (Vec<Cue>, Option<Message>) {
    let texts = split(builder, subtitle, text, options, font);
    let voice = options.voice.as_ref().and_then(|track| heard_voice(builder, track));
    let aligned = voice.and_then(|voice| with_voice(builder, subtitle, voice, &texts));
    let evenly = || evenly(&texts, time_of_text(voice, options, content));
    match aligned {
        Some(Ok(cues)) => {
            let start_ms = ms(content.start, options.fps) + options.voice.as_ref().map_or(0, start_ms);
            (cues.iter().map(|cue| cue.later(start_ms)).collect(), None)
        }
        Some(Err(error)) => {
            (evenly().0, fallback(error, text, options.voice.as_ref().map(|track| &track.url)))
        }
        None => evenly(),
    }
}

/// The captions of what is spoken in an output.
fn transcribed(
    builder: &Builder,
    subtitle: &Subtitle,
    audio: TranscribedAudio,
    options: &MixOptions,
    timeline: &Timeline,
    scripts: &[SceneScript],
    font: &dyn FontMetrics,
) -> Result<(Vec<Cue>, Option<Message>), TaskError> {
    let (mut cues, mut warnings) = (Vec::new(), Vec::new());
    let mut add = |(of_part, warning): (Vec<Cue>, Option<Message>)| {
        cues.extend(of_part);
        warnings.extend(warning);
    };
    match audio {
        TranscribedAudio::Clips => {
            for excerpt in heard_clips(timeline, options.fps) {
                add(of_excerpt(builder, subtitle, &excerpt, options, font)?);
            }
        }
        TranscribedAudio::Voice => {
            if let Some(track) = &options.voice {
                add(of_voice(builder, subtitle, track, options, timeline, font)?);
            }
            for script in scripts {
                add(of_scene(builder, subtitle, script, options, font)?);
            }
        }
    }
    cues.sort_by_key(|cue| cue.start_ms);
    let mut all: Vec<Cue> = Vec::with_capacity(cues.len());
    for cue in cues {
        // A caption makes way when all of it was spoken; two speakers at once have captions above each other.
        let is_spoken = |before: &Cue| before.times.iter().all(|time| time.ms < cue.start_ms);
        let before = all.iter_mut().filter(|before| before.end_ms > cue.start_ms && is_spoken(before));
        before.for_each(|before| before.end_ms = cue.start_ms.max(before.start_ms + 1));
        all.push(cue);
    }
    let warning = warnings.into_iter().next();
    let warning = warning.or_else(|| all.is_empty().then(message::nothing_transcribed));
    Ok((all, warning))
}

/// The captions of what the voice-over says. The text of a synthesized voice is known.
fn of_voice(
    builder: &Builder,
    subtitle: &Subtitle,
    track: &Track,
    options: &MixOptions,
    timeline: &Timeline,
    font: &dyn FontMetrics,
) -> Result<(Vec<Cue>, Option<Message>), TaskError> {
    let content = timeline.content();
    if let Some(speech) = track.url.speech() {
        let own = as_text(subtitle, &speech.text);
        return Ok(of_text(builder, &own, &speech.text, options, &content, font));
    }
    let heard = used_length(builder.media(&track.url)?, None, track.duration_s, &track.url)?;
    let at_ms = ms(content.start, options.fps) + start_ms(track);
    let excerpt = HeardExcerpt {
        url: &track.url,
        at_ms,
        from_ms: 0,
        length_ms: heard.0 * 1000 / SAMPLE_RATE,
        speed_permille: 1000,
    };
    of_excerpt(builder, subtitle, &excerpt, options, font)
}

/// The captions of what is spoken in an excerpt of a file.
fn of_excerpt(
    builder: &Builder,
    subtitle: &Subtitle,
    excerpt: &HeardExcerpt,
    options: &MixOptions,
    font: &dyn FontMetrics,
) -> Result<(Vec<Cue>, Option<Message>), TaskError> {
    let transcript = excerpt.transcript(builder)?;
    let end_ms = excerpt.at_ms + excerpt.length_ms;
    let split = |text: &str| split_text(text, &subtitle.style, options.size, font);
    if transcript.words.is_empty() {
        let texts = split(&transcript.text);
        let warning = (!texts.is_empty()).then(message::transcript_without_times);
        return Ok((evenly(&texts, excerpt.at_ms..end_ms).0, warning));
    }
    let spoken = excerpt.spoken(transcript);
    let cues = spoken.time(&split(&spoken.text)).into_iter().map(|cue| cue.later(excerpt.at_ms));
    let cues = cues.map(|cue| Cue { end_ms: cue.end_ms.min(end_ms).max(cue.start_ms + 1), ..cue });
    Ok((cues.collect(), None))
}

/// Captions of the same style with this text.
fn as_text(subtitle: &Subtitle, text: &str) -> Subtitle {
    Subtitle { source: CaptionSource::Text(text.to_owned()), ..subtitle.clone() }
}

/// The captions of the text of one scene, at the times of its audio or over the scene.
fn of_scene(
    builder: &Builder,
    subtitle: &Subtitle,
    script: &SceneScript,
    options: &MixOptions,
    font: &dyn FontMetrics,
) -> Result<(Vec<Cue>, Option<Message>), TaskError> {
    let text = match (&script.text, &script.audio) {
        (SceneText::Script(text), _) => text.as_ref(),
        (SceneText::Transcript, None) => return Ok((Vec::new(), None)),
        (SceneText::Transcript, Some(one)) => {
            let [at_ms, length_ms] = [one.from, one.heard].map(|samples| samples.0 * 1000 / SAMPLE_RATE);
            let excerpt =
                HeardExcerpt { url: &one.audio.url, at_ms, from_ms: 0, length_ms, speed_permille: 1000 };
            return of_excerpt(builder, subtitle, &excerpt, options, font);
        }
    };
    let own = as_text(subtitle, text);
    let texts = split(builder, &own, text, options, font);
    // Captions stay with audio that is cut.
    let voice = script.audio.map(|one| HeardVoice { url: &one.audio.url, heard: one.whole });
    let start_ms = script.audio.map_or(0, |one| one.from.0 * 1000 / SAMPLE_RATE);
    let time = match voice {
        Some(voice) => start_ms..start_ms + voice.ms(),
        None => ms(script.place.start, options.fps)..ms(script.place.end, options.fps),
    };
    let until_ms = ms(script.until, options.fps);
    let (cues, warning) = match voice.and_then(|voice| with_voice(builder, &own, voice, &texts)) {
        Some(Ok(cues)) => (cues.iter().map(|cue| cue.later(start_ms)).collect(), None),
        Some(Err(error)) => {
            let url = script.audio.map(|one| &one.audio.url);
            (evenly(&texts, time).0, fallback(error, text, url))
        }
        None => evenly(&texts, time),
    };
    let within = |cue: Cue| {
        let end_ms = cue.end_ms.min(until_ms);
        (cue.start_ms < end_ms).then_some(Cue { end_ms, ..cue })
    };
    Ok((cues.into_iter().filter_map(within).collect(), warning))
}

/// Captions that share the time by their length.
fn evenly(texts: &[CaptionText], time: Range<u64>) -> (Vec<Cue>, Option<Message>) {
    let available = format!("{:.1}", (time.end - time.start) as f64 / 1000.0);
    let EvenCues { cues, needed_s } = spread_evenly(texts, time);
    (cues, needed_s.map(|needed| message::text_read_fast(needed, available)))
}

/// The part of a voice that is heard.
#[derive(Clone, Copy)]
struct HeardVoice<'u> {
    url: &'u str,
    heard: Samples,
}

impl HeardVoice<'_> {
    fn ms(self) -> u64 {
        self.heard.0 * 1000 / SAMPLE_RATE
    }
}

/// The part of a voice-over that is heard, if its length is known.
fn heard_voice<'u>(builder: &Builder, track: &'u Track) -> Option<HeardVoice<'u>> {
    let info = builder.media(&track.url).ok()?;
    let heard = used_length(info, None, track.duration_s, &track.url).ok()?;
    Some(HeardVoice { url: &track.url, heard })
}

/// Captions at the times when the voice speaks them, from its beginning; `None` if they do not follow it, or if it was
/// not searched for pauses.
fn with_voice(
    builder: &Builder,
    subtitle: &Subtitle,
    voice: HeardVoice,
    texts: &[CaptionText],
) -> Option<AlignedCues> {
    let pauses = builder.facts.pauses.get(voice.url).filter(|_| subtitle.follows_voice())?.as_ref().ok()?;
    let key = (subtitle.clone(), voice.url.to_owned(), voice.ms());
    let mut cache = builder.alignments.borrow_mut();
    if let Some((_, aligned)) = cache.iter().find(|(own, _)| *own == key) {
        return Some(aligned.clone());
    }
    let aligned: AlignedCues = align_to_voice(texts, pauses, key.2).map(Into::into);
    cache.push((key, aligned.clone()));
    Some(aligned)
}

/// The warning that captions do not follow the voice. A synthesized voice certainly speaks its text, for example emoji by
/// their names.
fn fallback(error: AlignmentError, text: &str, voice: Option<&AudioUrl>) -> Option<Message> {
    let spoken = voice.and_then(|url| url.speech());
    if spoken.is_some_and(|speech| speech.text.trim() == text.trim()) {
        return None;
    }
    Some(match error {
        AlignmentError::NoSpeech => message::voice_without_pauses(),
        AlignmentError::OtherText => message::voice_speaks_other_text(),
    })
}

/// The place of the captions in the request. Those that were dealt from a pool are found by their value.
fn path(options: &MixOptions, subtitle: &Subtitle) -> String {
    let is_own = |voice: &Voice| {
        voice.subtitle.as_ref() == Some(subtitle) && options.voice.as_ref() == Some(&voice.audio)
    };
    if subtitle.source == CaptionSource::Scenes {
        return "/params/scenes".to_owned();
    }
    let field = subtitle.source.field();
    match options.voice_pool.iter().position(is_own) {
        Some(index) => format!("/params/options/voicePool/{index}/subtitle/{field}"),
        None => format!("/params/options/subtitle/{field}"),
    }
}

fn split(
    builder: &Builder,
    subtitle: &Subtitle,
    text: &str,
    options: &MixOptions,
    font: &dyn FontMetrics,
) -> Rc<[CaptionText]> {
    let mut cache = builder.split_texts.borrow_mut();
    if let Some((_, texts)) = cache.iter().find(|(own, _)| own == subtitle) {
        return texts.clone();
    }
    let texts: Rc<[CaptionText]> = split_text(text, &subtitle.style, options.size, font).into();
    cache.push((subtitle.clone(), texts.clone()));
    texts
}

/// The time over which a text is spread, in milliseconds of the output: that of the voice if its length is known,
/// otherwise that of the content. A voice that the end of the output cuts off keeps its time, so that the captions stay
/// with it.
fn time_of_text(voice: Option<HeardVoice>, options: &MixOptions, content: &Range<Frames>) -> Range<u64> {
    let start = ms(content.start, options.fps);
    let (start, end) = match voice {
        Some(voice) => {
            let start = start + options.voice.as_ref().map_or(0, start_ms);
            (start, start + voice.ms())
        }
        None => (start, ms(content.end, options.fps)),
    };
    start..end.max(start)
}

/// When the voice-over begins, in milliseconds after the intro.
fn start_ms(voice: &Track) -> u64 {
    (voice.start_s.unwrap_or(0.0) * 1000.0).round() as u64
}

fn ms(frames: Frames, fps: Fps) -> u64 {
    (frames.seconds(fps) * 1000.0).round() as u64
}

/// Moves captions behind the intro.
fn later(cues: Cow<'_, [Cue]>, lead: Frames, fps: Fps) -> Cow<'_, [Cue]> {
    if lead.0 == 0 {
        return cues;
    }
    let lead_ms = ms(lead, fps);
    cues.iter().map(|cue| cue.later(lead_ms)).collect()
}
