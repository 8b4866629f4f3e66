//! Turns ffprobe's header and the measured packets into the facts that the planner uses, or into a refusal.

use clipmill_core::error::TaskError;
use clipmill_core::media::{AudioInfo, AvcForm, ColorInfo, ImageProfile, Size, Truncation, VideoInfo};
use clipmill_core::message;

use super::containers::Structure;
use super::header::{Header, Stream};
use super::packets::{Packets, Track};
use super::refusal::{codec_not_allowed, codec_refused, damaged, not_media, too_large, too_many_streams};
use crate::ffmpeg::policy::{self, STILL_FORMATS};

/// A missing end shorter than this is rounding, even in a short clip.
const ROUNDING_S: f64 = 0.1;

/// The rate of a single frame in a container that gives none.
const LONE_RATE: f64 = 25.0;

/// The streams that will be used.
pub struct StreamSelection<'a> {
    video: Option<&'a Stream>,
    audio: Option<&'a Stream>,
}

#[derive(Debug, PartialEq)]
pub struct StreamFacts {
    pub video: Option<VideoInfo>,
    pub audio: Option<AudioInfo>,
    pub broken_off: Option<Truncation>,
}

impl<'a> StreamSelection<'a> {
    /// Chooses the default video stream, otherwise the largest; the default audio stream, otherwise the one with most channels.
    /// Refuses files that are unacceptable by their header alone.
    pub fn from(header: &'a Header) -> Result<Self, TaskError> {
        if header.streams.len() > policy::MAX_STREAMS {
            return Err(too_many_streams());
        }
        if !policy::format_in(&header.format.format_name, policy::FORMATS) {
            return Err(not_media(message::format_unknown()));
        }
        let video = best(&header.streams, Stream::is_video, Stream::pixels)?;
        let audio = best(&header.streams, Stream::is_audio, |stream| stream.channels.into())?;
        if video.is_none() && audio.is_none() {
            return Err(not_media(message::nothing_found()));
        }
        video.map_or(Ok(()), check_size)?;
        Ok(Self { video, audio })
    }

    /// The indices of the streams.
    pub fn streams(&self) -> Vec<u32> {
        self.video.into_iter().chain(self.audio).map(|stream| stream.index).collect()
    }

    /// The index of the audio stream of a file without video.
    pub fn only_audio(&self) -> Option<u32> {
        self.audio.filter(|_| self.video.is_none()).map(|stream| stream.index)
    }

    /// Whether there should be an alpha channel that not every decoder reads.
    pub fn has_side_alpha(&self) -> bool {
        self.video.is_some_and(Stream::has_side_alpha)
    }

    /// Whether the file is a still image, whose packets need no measuring.
    pub fn is_still(&self, header: &Header, head: &[u8]) -> bool {
        let is_still_format = policy::format_in(&header.format.format_name, STILL_FORMATS);
        // AVIF uses a container of videos, and its brand says that it is one picture.
        self.video.is_some() && (is_still_format || head.get(4..12) == Some(b"ftypavif"))
    }
}

/// Checks the header against the packets (`None` for a still image) and combines both.
pub fn assemble(
    header: &Header,
    chosen: &StreamSelection,
    packets: Option<&Packets>,
    structure: Structure,
) -> Result<StreamFacts, TaskError> {
    let Some(packets) = packets else {
        let video = chosen.video.map(|stream| video_info(stream, None));
        return Ok(StreamFacts { video, audio: None, broken_off: None });
    };
    let mut video = chosen.video.map(|stream| moving_video(header, stream, packets)).transpose()?;
    let audio = chosen.audio.and_then(|stream| Some((stream, packets.track(stream.index)?)));
    let audio = audio.map(|(stream, track)| audio_info(header, stream, track)).transpose()?;
    if video.is_none() && audio.is_none() {
        return Err(not_media(message::only_header()));
    }
    if let (Some(video), Some(audio)) = (&mut video, &audio) {
        begin_with_audio(video, audio.start_s);
    }
    let broken_off = missing(header, chosen, packets, structure);
    if let Some(Truncation { found_ms, stated_ms }) = broken_off
        && policy::format_in(&header.format.format_name, &["mov"])
        && !structure.is_fragmented
    {
        let seconds = |ms: u64| format!("{:.2}", ms as f64 / 1000.0);
        return Err(damaged(message::cut_off(seconds(found_ms), seconds(stated_ms))));
    }
    Ok(StreamFacts { video, audio, broken_off })
}

fn best(
    streams: &[Stream],
    is_candidate: impl Fn(&Stream) -> bool,
    value: impl Fn(&Stream) -> u64,
) -> Result<Option<&Stream>, TaskError> {
    let candidates = || streams.iter().filter(|stream| is_candidate(stream));
    let usable = candidates().filter(|stream| policy::codec_allowed(&stream.codec_name));
    // Of equal streams the first is chosen; `max_by_key` alone would take the last.
    let best_stream = usable.rev().max_by_key(|stream| (stream.is_default(), value(stream)));
    match (best_stream, candidates().next()) {
        (None, Some(refused_stream)) if refused_stream.codec_name.is_empty() => {
            Err(codec_refused(message::codec_of_one()))
        }
        (None, Some(refused_stream)) => Err(codec_not_allowed(&refused_stream.codec_name)),
        (best_stream, _) => Ok(best_stream),
    }
}

fn check_size(stream: &Stream) -> Result<(), TaskError> {
    let Stream { width, height, .. } = *stream;
    if width == 0 || height == 0 {
        return Err(damaged(message::no_size()));
    }
    if width > policy::MAX_SIDE || height > policy::MAX_SIDE || stream.pixels() > policy::MAX_PIXELS {
        let (side, pixels) = (policy::MAX_SIDE, policy::MAX_PIXELS);
        return Err(too_large(message::picture_too_large(width, height, side, pixels)));
    }
    Ok(())
}

/// Compares the lengths in the header with the measured ones. An MP4 states each stream's length (its number of samples
/// is not a measure, because an edit list may omit most of them), other containers that of the whole file. An MP4
/// without fragments has all its samples in its index and is refused if they are missing; other files are designed to
/// be used as far as they go.
fn missing(
    header: &Header,
    chosen: &StreamSelection,
    packets: &Packets,
    structure: Structure,
) -> Option<Truncation> {
    if policy::format_in(&header.format.format_name, &["mov"]) {
        let used = [chosen.video, chosen.audio].into_iter().flatten();
        let lengths = used.filter_map(|stream| Some((stream, packets.track(stream.index)?)));
        let mut missing = lengths.filter_map(|(stream, track)| {
            broken_off(stream.duration_s(), track.end() - track.first.min(0.0))
        });
        return missing.next();
    }
    if policy::format_in(&header.format.format_name, policy::FORMATS_WITH_LENGTH) {
        // Some containers count from 0, some from their first packet: the more tolerant reading is used.
        let end_s = packets.end().unwrap_or(0.0) - header.format.start_s().unwrap_or(0.0).min(0.0);
        return broken_off(header.format.duration_s(), end_s);
    }
    if policy::format_in(&header.format.format_name, policy::FORMATS_WITH_STATED_LENGTH) {
        return broken_off(structure.stated_s, packets.end().unwrap_or(0.0));
    }
    None
}

fn broken_off(stated: Option<f64>, found: f64) -> Option<Truncation> {
    let stated = stated?;
    let complete = stated - found <= ROUNDING_S || found >= stated * policy::MIN_PART_PRESENT;
    let ms = |seconds: f64| (seconds.max(0.0) * 1000.0).round() as u64;
    (!complete).then(|| Truncation { found_ms: ms(found), stated_ms: ms(stated) })
}

fn moving_video(header: &Header, stream: &Stream, packets: &Packets) -> Result<VideoInfo, TaskError> {
    let Some(track) = packets.track(stream.index) else {
        return Err(damaged(message::stream_without_picture()));
    };
    let single = track.shown == 1 && policy::format_in(&header.format.format_name, &["gif"]);
    let mut info = video_info(stream, (!single).then_some(track));
    if policy::format_in(&header.format.format_name, &["mov"]) {
        info.avc = avc_form(stream, track);
    }
    check_gap(track, stream)?;
    check_duration(info.duration_s)?;
    Ok(info)
}

/// Extends the first frame back to where the audio begins, as ffmpeg does. A video that begins slightly later is
/// considered to begin with its audio, as most recordings of Matroska and MPEG-TS do.
fn begin_with_audio(video: &mut VideoInfo, audio_s: f64) {
    let late_s = video.start_s - audio_s;
    if (policy::LATE_S..=policy::MAX_GAP_S).contains(&late_s) {
        video.start_s = audio_s;
        video.duration_s += late_s;
        video.avc = None;
    }
}

/// Refuses a gap of minutes between frames that otherwise follow each other quickly, because it would be filled with
/// thousands of repeated frames.
fn check_gap(track: &Track, stream: &Stream) -> Result<(), TaskError> {
    let others = track.shown.saturating_sub(2);
    let usual = match others {
        0 => stream.rate().map_or(1.0, |rate| 1.0 / rate),
        others => (track.last - track.first - track.gap).max(0.0) / others as f64,
    };
    if track.gap <= policy::MAX_GAP_S || usual * 10.0 > track.gap {
        return Ok(());
    }
    Err(damaged(message::timestamps_jump(format!("{:.0}", track.gap))))
}

fn check_duration(duration_s: f64) -> Result<(), TaskError> {
    if duration_s <= policy::MAX_DURATION_S {
        return Ok(());
    }
    let hours = policy::MAX_DURATION_S / 3600.0;
    Err(too_large(message::file_too_long(format!("{duration_s:.0}"), hours)))
}

/// `track` is `None` for a still image: one frame at 0, without length or rate.
fn video_info(stream: &Stream, track: Option<&Track>) -> VideoInfo {
    VideoInfo {
        stream_index: stream.index,
        codec: stream.codec_name.clone(),
        coded: Size::new(stream.width, stream.height),
        pix_fmt: stream.pix_fmt.clone(),
        rotation: stream.rotation(),
        sample_aspect: stream.sample_aspect(),
        color: color(stream),
        interlaced: matches!(stream.field_order.as_str(), "tt" | "bb" | "tb" | "bt"),
        start_s: track.map_or(0.0, |track| track.first),
        duration_s: track.map_or(0.0, |track| video_end(track, stream) - track.first),
        frames: track.map_or(1, |track| track.shown),
        rate: track.map_or(0.0, |track| rate(track, stream)),
        still: track.is_none(),
        oriented: stream.is_oriented(),
        turn: stream.turn(),
        keyframe_interval_s: track.map_or(0.0, |track| track.longest_group() as f64 / rate(track, stream)),
        avc: None,
    }
}

fn avc_form(stream: &Stream, track: &Track) -> Option<AvcForm> {
    let configuration = stream.avc_configuration()?.to_owned();
    let (rate, longest_group) = (track.exact_rate()?, track.longest_group());
    Some(AvcForm { configuration, rate, longest_group })
}

/// The end of the last frame. A single frame without a length lasts as long as one at the header's rate, or at one of
/// the most common rates. No frame lasts much longer than the length of the stream in the header.
fn video_end(track: &Track, stream: &Stream) -> f64 {
    let end = match track.end() {
        end if end > track.last => end,
        end => end + 1.0 / stream.rate().unwrap_or(LONE_RATE),
    };
    let stated = stream.duration_s().map(|duration_s| track.first + duration_s);
    stated.filter(|stated| *stated > track.last && *stated + ROUNDING_S < end).unwrap_or(end)
}

/// The header's rate if the packets confirm it, because it is exact; otherwise the measured one.
fn rate(track: &Track, stream: &Stream) -> f64 {
    let measured = track.mean_interval().map(|interval| 1.0 / interval);
    match (measured, stream.rate()) {
        (Some(measured), Some(stated)) if (measured - stated).abs() <= 0.01 * measured => stated,
        (Some(measured), _) => measured,
        (None, stated) => stated.unwrap_or(LONE_RATE),
    }
}

fn color(stream: &Stream) -> ColorInfo {
    let known_value =
        |text: &Option<String>| text.clone().filter(|text| text != "unknown" && text != "reserved");
    let full_range = match stream.color_range.as_deref() {
        Some("pc") => Some(true),
        Some("tv") => Some(false),
        // These formats have full range by definition.
        _ => stream.pix_fmt.starts_with("yuvj").then_some(true),
    };
    ColorInfo {
        matrix: known_value(&stream.color_space),
        primaries: known_value(&stream.color_primaries),
        transfer: known_value(&stream.color_transfer),
        full_range,
        chroma_location: stream.chroma_location().map(str::to_owned),
        profile: ImageProfile::Unread,
    }
}

fn audio_info(header: &Header, stream: &Stream, track: &Track) -> Result<AudioInfo, TaskError> {
    let (channels, sample_rate) = (stream.channels, stream.sample_rate());
    if channels == 0 || sample_rate == 0 {
        return Err(damaged(message::sound_without_form()));
    }
    let start_s = heard_from(track, sample_rate);
    // The length of the last packet in Ogg is without the padding.
    let is_trimmed = policy::format_in(&header.format.format_name, &["ogg"]);
    let padding = if is_trimmed { 0 } else { track.padding };
    let duration_s = track.end() - padding as f64 / f64::from(sample_rate) - start_s;
    check_duration(duration_s)?;
    Ok(AudioInfo {
        stream_index: stream.index,
        codec: stream.codec_name.clone(),
        channels,
        ambisonic: stream.is_ambisonic(),
        sample_rate,
        start_s,
        duration_s: duration_s.max(0.0),
    })
}

/// The time of the first audible sample. A start slightly before 0 is an encoder's delay, which some containers express only
/// in this way.
fn heard_from(track: &Track, sample_rate: u32) -> f64 {
    let first_audible = track.first + track.skipped as f64 / f64::from(sample_rate);
    if (-ROUNDING_S..0.0).contains(&first_audible) { 0.0 } else { first_audible }
}

#[cfg(test)]
mod fuzz;
#[cfg(any(test, fuzzing))]
pub mod promises;
#[cfg(test)]
mod tests;
