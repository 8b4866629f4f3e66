//! Measures how much of a damaged stream is missing.
//!
//! A lenient decoder conceals unreadable data with earlier frames and counts it as decoded, so counting its frames
//! proves nothing. Here every frame with an error is dropped, and the rest is compared with the packets. Frames before
//! the first keyframe were cut off when the file was made, and are not damage.

use std::path::Path;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::message::{self, Message};

use crate::ffmpeg::args::{Args, Strictness};
use crate::ffmpeg::policy::{ffprobe_args, is_without_index};
use crate::ffmpeg::process::{Ffmpeg, Limits};

/// The part of a source's frames that a lenient decode may lose; players play such files.
const TOLERATED_PART: f64 = 0.01;

/// ffprobe does not always output the last frame of streams that reorder frames.
const TOLERATED_FRAMES: usize = 1;

/// Packets and decodable frames (or pieces of audio) of one stream, by their times in seconds.
#[derive(Debug, Default, PartialEq)]
pub struct Damage {
    first_key: Option<f64>,
    packets: Vec<Option<f64>>,
    frames: Vec<Option<f64>>,
    /// Whether the container is a mere sequence of frames: bytes after its last one look like damaged frames.
    is_without_index: bool,
    /// Packets without a frame of their own: the first one of Vorbis, whose blocks overlap.
    frameless: usize,
}

/// Decodes the whole stream and drops frames with errors. `None` if no decoder can be opened for it, or if it cannot be
/// read to its end: then the damage is unknown.
pub async fn measure(ffmpeg: &Ffmpeg, path: &Path, stream: u32) -> Result<Option<Damage>, TaskError> {
    const SHOWN: &str = "format=format_name:stream=codec_name:packet=pts_time,dts_time,flags:frame=best_effort_timestamp_time";
    let mut args = Args::default();
    args.add(["-v", "quiet"]).option("-select_streams", stream);
    args.add(["-of", "compact", "-show_entries", SHOWN])
        .extend(Strictness::DROP_ERRORS.map(Into::into).to_vec());
    args.extend(ffprobe_args(path));
    let mut damage = Damage::default();
    let limits = Limits::wall(Duration::from_secs(600)).stdout_bytes(1 << 30);
    match ffmpeg.run_ffprobe_lines(&args.done(), limits, |line| damage.line(line)).await {
        Ok(_) => Ok(Some(damage)),
        Err(error) if error.is_failure() => Ok(None),
        Err(other) => Err(other.into()),
    }
}

impl Damage {
    /// Whether so little is missing that a player would play the file.
    pub fn is_tolerable(&self) -> bool {
        let Some(start) = self.first_key else { return false };
        let packets = Self::after(self.packets(), start);
        let (frames, missing) = (Self::after(&self.frames, start), self.missing());
        frames > 0 && (missing <= TOLERATED_FRAMES || missing as f64 <= packets as f64 * TOLERATED_PART)
    }

    /// Whether nothing significant is missing.
    pub fn is_none(&self) -> bool {
        self.before_key() == 0 && self.missing() <= TOLERATED_FRAMES
    }

    /// Whether anything is missing that the description mentions.
    pub fn lost_something(&self) -> bool {
        self.before_key() + self.missing() > 0
    }

    /// The missing frames, for the client; `what` names the stream.
    pub fn describe(&self, what: Message) -> Message {
        let (key_before, missing, total) = (self.before_key(), self.missing(), self.packets().len());
        match (key_before, missing) {
            (0, _) => message::damaged_missing(what, missing, total),
            (_, 0) => message::damaged_before_key(what, key_before),
            _ => message::damaged_both(what, key_before, missing, total),
        }
    }

    fn before_key(&self) -> usize {
        let start = self.first_key.unwrap_or(f64::NEG_INFINITY);
        self.packets.iter().filter(|time| time.is_some_and(|time| time < start)).count()
    }

    /// How many packets from the first keyframe on gave no frame.
    fn missing(&self) -> usize {
        let Some(start) = self.first_key else { return self.packets.len() };
        Self::after(self.packets(), start).saturating_sub(Self::after(&self.frames, start) + self.frameless)
    }

    /// The packets that belong to the stream.
    fn packets(&self) -> &[Option<f64>] {
        let last = self.frames.iter().flatten().copied().reduce(f64::max).filter(|_| self.is_without_index);
        let is_behind = |time: &Option<f64>| last.zip(*time).is_some_and(|(last, time)| time > last);
        let behind = self.packets.iter().rev().take_while(|time| is_behind(time)).count();
        &self.packets[..self.packets.len() - behind]
    }

    fn after(times: &[Option<f64>], start: f64) -> usize {
        times.iter().filter(|time| time.is_none_or(|time| time >= start)).count()
    }

    fn line(&mut self, line: &str) {
        let field = |name: &str| {
            let fields = line.split('|').filter_map(|field| field.split_once('='));
            fields.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
        };
        let time = |name: &str| field(name).and_then(|text| text.parse::<f64>().ok());
        if let Some(format) = field("format_name") {
            self.is_without_index = is_without_index(format);
        } else if let Some(codec) = field("codec_name") {
            self.frameless = usize::from(codec == "vorbis");
        } else if line.starts_with("frame|") {
            self.frames.push(time("best_effort_timestamp_time"));
        } else if line.starts_with("packet|") {
            let (flags, time) = (field("flags").unwrap_or(""), time("pts_time").or_else(|| time("dts_time")));
            if flags.contains('D') {
                return;
            }
            if self.first_key.is_none() && flags.contains('K') {
                self.first_key = Some(time.unwrap_or(f64::NEG_INFINITY));
            }
            self.packets.push(time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream with a packet each second and a keyframe at `key`, whose frames at `lost` are missing.
    fn stream(packets: u32, key: u32, lost: &[u32]) -> Damage {
        let mut damage = Damage::default();
        for second in 0..packets {
            let flags = if second == key { "K_" } else { "__" };
            damage.line(&format!("packet|pts_time={second}.0|dts_time=N/A|flags={flags}"));
            if !lost.contains(&second) {
                damage.line(&format!("frame|best_effort_timestamp_time={second}.0"));
            }
        }
        damage
    }

    fn check(packets: u32, key: u32, lost: &[u32], tolerable: bool) {
        let damage = stream(packets, key, lost);
        assert_eq!(damage.is_tolerable(), tolerable, "{packets} packets, keyframe {key}, lost {lost:?}");
    }

    #[test]
    fn the_first_packet_of_vorbis_gives_no_frame() {
        let mut damage = stream(100, 0, &[0]);
        damage.line("stream|codec_name=vorbis");
        assert!(!damage.lost_something());
        let mut damage = stream(100, 0, &[0, 50]);
        damage.line("stream|codec_name=vorbis");
        assert_eq!(damage.missing(), 1);
        let mut damage = stream(100, 0, &[50]);
        damage.line("stream|codec_name=aac");
        assert_eq!(damage.missing(), 1);
    }

    #[test]
    fn a_hundredth_may_be_missing_and_all_before_the_first_keyframe() {
        check(100, 0, &[], true);
        check(100, 0, &[50], true);
        check(100, 0, &[50, 60], false);
        check(300, 0, &[50, 60, 70], true);
        check(300, 0, &[50, 60, 70, 80], false);
        check(100, 10, &(0..10).collect::<Vec<_>>(), true);
        check(100, 10, &(0..13).collect::<Vec<_>>(), false);
        check(25, 0, &[24], true);
    }

    #[test]
    fn bytes_after_the_last_frame_are_not_damage() {
        let noisy = |format: &str| {
            let mut damage = stream(100, 0, &[97, 98, 99]);
            damage.line(&format!("format|format_name={format}"));
            damage
        };
        assert!(!noisy("mov,mp4,m4a").is_tolerable());
        let mp3 = noisy("mp3");
        assert!(mp3.is_tolerable() && mp3.is_none(), "{mp3:?}");
        let mut inside = stream(100, 0, &[50, 60, 99]);
        inside.line("format|format_name=mp3");
        assert!(!inside.is_tolerable());
    }

    #[test]
    fn missing_frames_are_reported() {
        let check = |key: u32, lost: &[u32], expected: &str| {
            let damage = stream(100, key, lost);
            assert_eq!(
                damage.describe(message::the_picture()),
                *format!("the video is damaged and was used without {expected}")
            );
        };
        check(0, &[], "0 of 100 frames that cannot be decoded");
        check(0, &[50], "1 of 100 frames that cannot be decoded");
        check(3, &[0, 1, 2], "3 frames before its first keyframe");
        check(
            3,
            &[0, 1, 2, 9],
            "3 frames before its first keyframe and 1 of 100 frames that cannot be decoded",
        );
    }

    #[test]
    fn nothing_decodable_is_not_tolerable() {
        check(1, 0, &[0], false);
        check(5, 9, &[], false);
        assert!(!Damage::default().is_tolerable());
    }
}
