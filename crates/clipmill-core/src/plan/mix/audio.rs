//! Audio tracks: pieces one after another, exact to the sample.

use crate::error::{ErrorCode, TaskError};
use crate::media::{AudioInfo, Facts, MediaInfo};
use crate::message;
use crate::plan::build::{Builder, probed_media};
use crate::plan::mix::shot::Shot;
use crate::plan::video::excerpt::Excerpt;
use crate::plan::{MixTrack, TrackPart};
use crate::request::model::{MixLength, MixOptions, Track};
use crate::segment::{AudioSpec, Continuation, SegmentSpec};
use crate::time::{Fps, Frames, SAMPLE_RATE, Samples};

/// Fade of 5 ms at both edges of every segment, against clicks where waveforms jump. Whether they jump is unknown
/// during planning; where they do not, so short a dip is inaudible.
const EDGE_FADE: Samples = Samples(SAMPLE_RATE / 200);

/// The end of looping music is crossfaded into its beginning over at most 60 ms; the actual length is decided from the
/// audio during rendering.
const SEAM: Samples = Samples(SAMPLE_RATE * 60 / 1000);

/// Music shorter than this is repeated inside one segment, so that no track has thousands of segments.
const SHORT_LOOP: Samples = Samples(SAMPLE_RATE);

/// A clip's own audio for `samples`, beginning with the first frame that is used; `None` if it has none. `given` is the
/// audible length when the clip ends before its file.
pub(crate) fn clip_audio(
    info: &MediaInfo,
    excerpt: Excerpt,
    samples: Samples,
    given: Samples,
    loop_period: Option<Samples>,
) -> Option<AudioSpec> {
    let (video, audio) = (info.video.as_ref()?, info.audio.as_ref()?);
    let heard = loop_period.unwrap_or(samples);
    let ends = if excerpt.to_us.is_some() { heard.min(given) } else { heard };
    Some(AudioSpec {
        source: Some(info.content.clone()),
        stream_index: audio.stream_index,
        channels: audio.channels,
        ambisonic: audio.ambisonic,
        origin_us: (video.start_s * 1e6).round() as i64 + excerpt.from_us,
        samples,
        loop_period,
        tempo_permille: 1000,
        edge_fade: EDGE_FADE,
        sounding: sounding(audio, video.start_s + excerpt.begin_s(), ends, heard),
        seam: None,
        continued: Continuation::default(),
        crossed: None,
        volume_percent: 100,
    })
}

/// The audible part of a file with each shot, and where the shot's neighbours continue it. A shot that begins within
/// half a frame of the end of the previous shot's audio continues it to the sample, unless its speed is changed.
pub(crate) fn heard_parts(shots: &[Shot], fps: Fps) -> Vec<(Excerpt, Continuation)> {
    let half_a_frame_us = 500_000 / u64::from(fps.get());
    let mut parts: Vec<(Excerpt, Continuation)> = Vec::with_capacity(shots.len());
    for (number, shot) in shots.iter().enumerate() {
        let mut part = (shot.excerpt, Continuation::default());
        let previous = number
            .checked_sub(1)
            .and_then(|previous_shot| Some((shots.get(previous_shot)?, parts.last_mut()?)));
        if let Some((previous_shot, (heard, continued))) = previous
            && previous_shot.info.content == shot.info.content
            && !previous_shot.looped
            && !shot.looped
            && previous_shot.frames <= previous_shot.natural
            && [previous_shot, shot].iter().all(|shot| shot.adjustments.speed_permille == 1000)
        {
            let end_us = heard.from_us.saturating_add(previous_shot.frames.samples(fps).micros());
            if end_us.abs_diff(shot.excerpt.from_us) <= half_a_frame_us {
                continued.at_end = true;
                part = (
                    Excerpt { from_us: end_us, ..shot.excerpt },
                    Continuation { at_begin: true, at_end: false },
                );
            }
        }
        parts.push(part);
    }
    parts
}

/// The range within `heard` samples from `origin_s` in which the source has audio, up to `ends`; `None` if that is the
/// whole range or empty.
fn sounding(audio: &AudioInfo, origin_s: f64, ends: Samples, heard: Samples) -> Option<(Samples, Samples)> {
    let starts = Samples::nearest((audio.start_s - origin_s).max(0.0));
    let ends = Samples::nearest((audio.start_s + audio.duration_s - origin_s).max(0.0)).min(ends);
    let whole = starts.0 == 0 && ends == heard;
    (!whole && starts < ends).then_some((starts, ends))
}

/// `samples` of an audio file, from `from_s` on.
pub(crate) fn file_audio(info: &MediaInfo, from_s: Option<f64>, samples: Samples) -> Option<AudioSpec> {
    let audio = info.audio.as_ref()?;
    Some(AudioSpec {
        source: Some(info.content.clone()),
        stream_index: audio.stream_index,
        channels: audio.channels,
        ambisonic: audio.ambisonic,
        origin_us: ((audio.start_s + from_s.unwrap_or(0.0)) * 1e6).round() as i64,
        samples,
        loop_period: None,
        tempo_permille: 1000,
        edge_fade: EDGE_FADE,
        sounding: None,
        seam: None,
        continued: Continuation::default(),
        crossed: None,
        volume_percent: 100,
    })
}

/// How many samples of a file are used from `from_s` on: all, or `limit_s` seconds. Fails if the file ends before.
pub(crate) fn used_length(
    info: &MediaInfo,
    from_s: Option<f64>,
    limit_s: Option<f64>,
    url: &str,
) -> Result<Samples, TaskError> {
    let audio = info.audio.as_ref().ok_or_else(|| no_audio(url))?;
    let whole = Samples::nearest(audio.duration_s - from_s.unwrap_or(0.0));
    let used = limit_s.map_or(whole, |limit| Samples::nearest(limit).min(whole));
    match (used.0, from_s) {
        (0, Some(from)) => {
            let message = message::from_behind_end(from, format!("{:.2}", audio.duration_s));
            Err(TaskError::new(ErrorCode::ClipTooShort, message).input(url))
        }
        (0, None) => Err(no_audio(url)),
        _ => Ok(used),
    }
}

/// The length of an output's content that its voice determines; `None` if the clips determine it.
pub(crate) fn voice_frames(options: &MixOptions, facts: &Facts) -> Result<Option<Frames>, TaskError> {
    let Some(track) = options.voice.as_ref().filter(|_| options.length == MixLength::Voice) else {
        return Ok(None);
    };
    let heard = used_length(probed_media(facts, &track.url)?, None, track.duration_s, &track.url)?;
    let heard_s = heard.0 as f64 / SAMPLE_RATE as f64;
    let seconds = track.start_s.unwrap_or(0.0) + heard_s + options.tail_s.unwrap_or(MixOptions::TAIL_S);
    Ok(Some(Frames(Frames::nearest(seconds, options.fps).0.max(1))))
}

pub fn no_audio(url: &str) -> TaskError {
    TaskError::new(ErrorCode::NotMedia, message::no_audio()).input(url)
}

/// Background music: the used part repeated until the video ends.
pub(crate) fn music_track(
    builder: &mut Builder,
    track: &Track,
    info: &MediaInfo,
    total: Samples,
) -> Result<MixTrack, TaskError> {
    let used = used_length(info, track.from_s, track.duration_s, &track.url)?;
    let span = Samples(used.0 * SHORT_LOOP.0.div_ceil(used.0)).min(total);
    let passes = total.0.div_ceil(span.0.max(1)) as usize;
    let looped = |spec: AudioSpec| AudioSpec {
        loop_period: (span > used).then_some(used),
        edge_fade: Samples(0),
        seam: Some(SEAM),
        ..spec
    };
    let spec =
        file_audio(info, track.from_s, span).map(|spec| if total > used { looped(spec) } else { spec });
    let part = builder.audio_part(spec, span, &track.url);
    let mix_track = faded(vec![part; passes], total, track);
    // The end of the video cuts the last repetition at any point.
    let edge = |fade: Samples| fade.max(EDGE_FADE).min(total);
    Ok(MixTrack { fade_in: edge(mix_track.fade_in), fade_out: edge(mix_track.fade_out), ..mix_track })
}

/// Voice-over: played once, from sample `begin` on, trimmed at the end of the video. `begin` is before that.
pub(crate) fn voice_track(
    builder: &mut Builder,
    track: &Track,
    info: &MediaInfo,
    begin: Samples,
    total: Samples,
) -> Result<MixTrack, TaskError> {
    let room = Samples(total.0.saturating_sub(begin.0));
    let heard = used_length(info, None, track.duration_s, &track.url)?.min(room);
    let part = builder.audio_part(file_audio(info, None, heard), heard, &track.url);
    let mix_track = faded(vec![part], heard, track);
    if begin.0 == 0 {
        return Ok(mix_track);
    }
    let parts = [TrackPart::Silence(begin)].into_iter().chain(mix_track.parts).collect();
    Ok(MixTrack { parts, begin, heard: Samples(begin.0 + heard.0), ..mix_track })
}

/// Shortens fades in proportion when they do not fit into the audible part.
fn faded(parts: Vec<TrackPart>, heard: Samples, track: &Track) -> MixTrack {
    let (fade_in, fade_out) = (Samples::nearest(track.fade_in_s), Samples::nearest(track.fade_out_s));
    let both = fade_in.0 + fade_out.0;
    let fit = |fade: Samples| {
        if both <= heard.0 {
            fade
        } else {
            Samples((u128::from(fade.0) * u128::from(heard.0) / u128::from(both)) as u64)
        }
    };
    MixTrack {
        parts,
        begin: Samples(0),
        heard,
        volume_percent: track.volume_percent,
        fade_in: fit(fade_in),
        fade_out: fit(fade_out),
        ducking: None,
    }
}

/// Pieces of audio that are each heard at a time of their own, on as few tracks as possible.
#[derive(Default)]
pub(crate) struct PlacedAudio {
    tracks: Vec<AdjacentParts>,
}

/// Parts that follow each other without a gap.
#[derive(Default)]
pub(crate) struct AdjacentParts {
    pub parts: Vec<TrackPart>,
    pub until: u64,
}

impl AdjacentParts {
    /// Adds silence up to the sample `at`.
    pub fn fill_until(&mut self, at: u64) {
        if at > self.until {
            self.parts.push(TrackPart::Silence(Samples(at - self.until)));
            self.until = at;
        }
    }
}

impl PlacedAudio {
    /// Adds a piece that is heard from the sample `from` on.
    pub fn add(&mut self, part: TrackPart, from: Samples, heard: Samples) {
        let free = self.tracks.iter().position(|track| track.until <= from.0);
        let index = free.unwrap_or(self.tracks.len());
        self.tracks.resize_with(self.tracks.len().max(index + 1), AdjacentParts::default);
        let track = &mut self.tracks[index];
        track.fill_until(from.0);
        track.parts.push(part);
        track.until = from.0 + heard.0;
    }

    pub fn tracks(self) -> impl Iterator<Item = MixTrack> {
        self.at_volume(100, Samples(u64::MAX))
    }

    /// The tracks at this volume in percent, up to the sample `end`.
    pub fn at_volume(self, volume_percent: u32, end: Samples) -> impl Iterator<Item = MixTrack> {
        let track = move |track: AdjacentParts| {
            plain_track(track.parts, Samples(track.until).min(end), volume_percent)
        };
        self.tracks.into_iter().map(track)
    }
}

/// A track without fades, at full volume or at `volume_percent`.
pub(crate) fn plain_track(parts: Vec<TrackPart>, heard: Samples, volume_percent: u32) -> MixTrack {
    let (begin, fade_in, fade_out) = (Samples(0), Samples(0), Samples(0));
    MixTrack { parts, begin, heard, volume_percent, fade_in, fade_out, ducking: None }
}

impl Builder<'_> {
    /// Registers an audio segment; without a specification, `silence` samples of silence.
    pub(crate) fn audio_part(&mut self, spec: Option<AudioSpec>, silence: Samples, url: &str) -> TrackPart {
        match spec {
            Some(spec) => TrackPart::Audio(self.segment(SegmentSpec::Audio(spec), url)),
            None => TrackPart::Silence(silence),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::model::AudioUrl;

    #[test]
    fn fades_shrink_in_proportion_when_they_do_not_fit() {
        let track = Track {
            url: AudioUrl::default(),
            duration_s: None,
            volume_percent: 80,
            fade_in_s: 3.0,
            fade_out_s: 1.0,
            from_s: None,
            start_s: None,
        };
        let mix_track = faded(Vec::new(), Samples::nearest(2.0), &track);
        assert_eq!((mix_track.fade_in, mix_track.fade_out), (Samples::nearest(1.5), Samples::nearest(0.5)));
        let mix_track = faded(Vec::new(), Samples::nearest(4.0), &track);
        assert_eq!((mix_track.fade_in, mix_track.fade_out), (Samples::nearest(3.0), Samples::nearest(1.0)));
    }
}
