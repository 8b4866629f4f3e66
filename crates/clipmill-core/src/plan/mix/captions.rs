//! The captions of one output: where they come from, and when they are shown.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use crate::error::{ErrorCode, TaskError};
use crate::message::{self, Message};
use crate::plan::Warning;
use crate::plan::build::Builder;
use crate::plan::mix::audio::used_length;
use crate::plan::mix::text_warnings;
use crate::request::model::{CaptionSource, MixOptions, Subtitle, Voice};
use crate::subtitle::{
    AlignedCues, AlignmentError, CaptionText, CaptionTrack, Cue, EvenCues, FontMetrics, align_to_voice,
    inline_cues, lay_out, split_text, spread_evenly,
};
use crate::time::{Fps, Frames, SAMPLE_RATE};

/// Captions laid out over the whole output, so that no line moves where the timeline is cut.
pub(crate) fn captions(
    builder: &Builder,
    options: &MixOptions,
    total: Frames,
    content: &Range<Frames>,
) -> Result<(Option<CaptionTrack>, Vec<Warning>), TaskError> {
    let Some(subtitle) = &options.subtitle else { return Ok((None, vec![])) };
    let font = || builder.font_for(&subtitle.style);
    let path = path(options, subtitle);
    let lead = |cues| later(cues, content.start, options.fps);
    let (cues, warning) = match &subtitle.source {
        CaptionSource::Url(url) => match builder.facts.subtitles.get(url) {
            Some(Ok(file)) => (lead(Cow::Borrowed(&file.cues)), file.skipped.warning()),
            Some(Err(error)) => return Err(error.clone()),
            None => return Err(TaskError::new(ErrorCode::Internal, message::never_read()).input(url)),
        },
        CaptionSource::Cues(cues) => (lead(inline_cues(cues).into()), None),
        CaptionSource::Text(text) => {
            let texts = split(builder, subtitle, text, options, font()?);
            let aligned = with_voice(builder, subtitle, options, &texts);
            match aligned {
                Some(Ok(cues)) => (lead(Cow::Owned(cues.to_vec())), None),
                Some(Err(error)) => (evenly(builder, options, content, &texts).0, Some(fallback(error))),
                None => evenly(builder, options, content, &texts),
            }
        }
    };
    let track = lay_out(&cues, &subtitle.style, options.size, options.fps, total, font()?);
    let warning = warning.map(|message| Warning { path: path.clone(), message });
    let warnings = warning.into_iter().chain(text_warnings(&track, &path)).collect();
    Ok((Some(track), warnings))
}

/// Captions that share the time by their length.
fn evenly(
    builder: &Builder,
    options: &MixOptions,
    content: &Range<Frames>,
    texts: &[CaptionText],
) -> (Cow<'static, [Cue]>, Option<Message>) {
    let time = time_of_text(builder, options, content);
    let available = format!("{:.1}", (time.end - time.start) as f64 / 1000.0);
    let EvenCues { cues, needed_s } = spread_evenly(texts, time);
    (cues.into(), needed_s.map(|needed| message::text_read_fast(needed, available)))
}

/// Captions at the times when the voice speaks them, from its beginning; `None` if they do not follow it, or if it was
/// not searched for pauses.
fn with_voice(
    builder: &Builder,
    subtitle: &Subtitle,
    options: &MixOptions,
    texts: &[CaptionText],
) -> Option<AlignedCues> {
    let track = options.voice.as_ref().filter(|_| subtitle.follows_voice())?;
    let pauses = builder.facts.pauses.get(track.url.as_str())?.as_ref().ok()?;
    let info = builder.media(&track.url).ok()?;
    let heard = used_length(info, track.duration_s, &track.url).ok()?;
    let key = (subtitle.clone(), track.url.to_string(), heard.0 * 1000 / SAMPLE_RATE);
    let mut cache = builder.alignments.borrow_mut();
    if let Some((_, aligned)) = cache.iter().find(|(own, _)| *own == key) {
        return Some(aligned.clone());
    }
    let aligned: AlignedCues = align_to_voice(texts, pauses, key.2).map(Into::into);
    cache.push((key, aligned.clone()));
    Some(aligned)
}

/// The warning that captions do not follow the voice.
fn fallback(error: AlignmentError) -> Message {
    match error {
        AlignmentError::NoSpeech => message::voice_without_pauses(),
        AlignmentError::OtherText => message::voice_speaks_other_text(),
    }
}

/// The place of the captions in the request. Those that were dealt from a pool are found by their value.
fn path(options: &MixOptions, subtitle: &Subtitle) -> String {
    let is_own = |voice: &Voice| {
        voice.subtitle.as_ref() == Some(subtitle) && options.voice.as_ref() == Some(&voice.audio)
    };
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
fn time_of_text(builder: &Builder, options: &MixOptions, content: &Range<Frames>) -> Range<u64> {
    let ms = |frames: Frames| (frames.seconds(options.fps) * 1000.0).round() as u64;
    let start = ms(content.start);
    let voice = options.voice.as_ref().and_then(|track| {
        let info = builder.media(&track.url).ok()?;
        used_length(info, track.duration_s, &track.url).ok()
    });
    let end = voice.map_or(ms(content.end), |heard| start + heard.0 * 1000 / SAMPLE_RATE);
    start..end.max(start)
}

/// Moves captions behind the intro.
fn later(cues: Cow<'_, [Cue]>, lead: Frames, fps: Fps) -> Cow<'_, [Cue]> {
    if lead.0 == 0 {
        return cues;
    }
    let lead_ms = (lead.seconds(fps) * 1000.0).round() as u64;
    cues.iter().map(|cue| cue.later(lead_ms)).collect()
}
