//! Checking finished files against their plan. ffmpeg's exit status proves nothing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::plan::Rendition;
use clipmill_core::segment::PictureSpec;
use serde::Serialize;

use crate::args::{Args, EBUR128, Strictness, TICKS_PER_FRAME};
use crate::cache::Scratch;
use crate::check::{self, Findings};
use crate::error::MediaError;
use crate::loudness::{level, loudness};
use crate::mastering::Level;
use crate::mp4::{avc_config, moov_before_mdat};
use crate::probe::input_args;
use crate::process::{Ffmpeg, Limits};
use crate::render::render_failed;

/// What the check found in a finished output, for the client (`items[].quality`).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Quality {
    pub frames_planned: u64,
    pub frames_found: u64,
    /// End of the longest stream minus the planned length.
    pub duration_error_ms: f64,
    /// End of sound minus end of picture; `None` without sound.
    pub av_difference_ms: Option<f64>,
    /// Integrated loudness of the finished sound; `None` for silence or no sound.
    pub loudness_lufs: Option<f64>,
    /// True peak of the finished sound in dBTP.
    pub true_peak_dbtp: Option<f64>,
    /// Level of the finished sound; tells what encoding lost.
    #[serde(skip)]
    pub level: Option<Level>,
    /// Length of black and of still pictures, from the checks of the segments.
    pub black_seconds: f64,
    pub frozen_seconds: f64,
    /// Seconds of output for each second spent on it: on making each of its segments, whenever and for whomever
    /// that was, and on finishing.
    pub speed: Option<f64>,
}

/// A stream as ffprobe lists it.
#[derive(Debug, Default)]
struct Listed {
    streams: Vec<BTreeMap<String, String>>,
    /// Presentation times of the first stream's packets, in ticks.
    times: Vec<i64>,
}

/// A picture segment: one H.264 stream of the planned form, with as many decodable pictures as planned. Tells
/// what was found in it, and where a cover lies.
pub async fn picture(
    ffmpeg: &Ffmpeg,
    scratch: &Scratch,
    path: &Path,
    spec: &PictureSpec,
) -> Result<(Findings, Option<PathBuf>), TaskError> {
    let listed = list(ffmpeg, path).await?;
    check_video(&listed, spec.size.width, spec.size.height, spec.frames.0)?;
    check_times(&listed)?;
    check::picture(ffmpeg, scratch, path, spec).await
}

/// A joined output: planned streams, every frame on its tick, one set of parameter sets, sound that decodes
/// and ends with the picture, ready for streaming.
pub async fn output(
    ffmpeg: &Ffmpeg,
    path: &Path,
    rendition: &Rendition,
    parameter_sets: &[u8],
) -> Result<Quality, TaskError> {
    let listed = list(ffmpeg, path).await?;
    check_video(&listed, rendition.size.width, rendition.size.height, rendition.frames.0)?;
    check_times(&listed)?;
    let planned_streams = 1 + usize::from(rendition.sound.is_some());
    if listed.streams.len() != planned_streams {
        return Err(render_failed(format!("{} streams instead of {planned_streams}", listed.streams.len())));
    }
    let found = avc_config(path).map_err(MediaError::file("read", path))?;
    if found.as_deref() != Some(parameter_sets) {
        return Err(render_failed("the joined pictures do not share one set of parameters"));
    }
    if !moov_before_mdat(path).map_err(MediaError::file("read", path))? {
        return Err(render_failed("the index is not at the start of the file"));
    }
    let mut quality = Quality {
        frames_planned: rendition.frames.0,
        frames_found: listed.times.len() as u64,
        duration_error_ms: duration_error_ms(&listed, rendition),
        av_difference_ms: None,
        loudness_lufs: None,
        true_peak_dbtp: None,
        level: None,
        black_seconds: 0.0,
        frozen_seconds: 0.0,
        speed: None,
    };
    if rendition.sound.is_some() {
        check_sound(ffmpeg, path, rendition, &listed, &mut quality).await?;
    }
    Ok(quality)
}

fn duration_error_ms(listed: &Listed, rendition: &Rendition) -> f64 {
    let ends = (0..listed.streams.len()).filter_map(|stream| listed.seconds(stream));
    let error = ends.fold(0.0, f64::max) - rendition.frames.seconds(rendition.fps);
    (error * 10_000.0).round() / 10.0
}

async fn list(ffmpeg: &Ffmpeg, path: &Path) -> Result<Listed, TaskError> {
    let mut args = Args::default();
    args.add(["-v", "error", "-of", "compact", "-show_entries"]);
    args.add(["stream=codec_type,codec_name,profile,pix_fmt,width,height,duration_ts,time_base:packet=stream_index,pts"]);
    args.extend(input_args(path));
    let mut listed = Listed::default();
    ffmpeg
        .run_ffprobe_lines(&args.done(), limits(), |line| {
            let mut fields = fields(line);
            if line.starts_with("stream|") {
                listed.streams.push(fields);
            } else if fields.get("stream_index").is_some_and(|index| index == "0") {
                let pts = fields.remove("pts").and_then(|pts| pts.parse().ok());
                listed.times.push(pts.unwrap_or(i64::MIN));
            }
        })
        .await?;
    listed.times.sort_unstable();
    Ok(listed)
}

impl Listed {
    fn text(&self, stream: usize, field: &str) -> &str {
        self.streams.get(stream).and_then(|fields| fields.get(field)).map_or("", String::as_str)
    }

    /// Length of a stream in seconds, by its own clock.
    fn seconds(&self, stream: usize) -> Option<f64> {
        let ticks: f64 = self.text(stream, "duration_ts").parse().ok()?;
        let (num, den) = self.text(stream, "time_base").split_once('/')?;
        Some(ticks * num.parse::<f64>().ok()? / den.parse::<f64>().ok()?)
    }
}

fn fields(line: &str) -> BTreeMap<String, String> {
    line.split('|')
        .filter_map(|field| field.split_once('='))
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .collect()
}

fn check_video(listed: &Listed, width: u32, height: u32, frames: u64) -> Result<(), TaskError> {
    let wanted = [
        ("codec_type", "video".to_owned()),
        ("codec_name", "h264".to_owned()),
        ("profile", "High".to_owned()),
        ("pix_fmt", "yuv420p".to_owned()),
        ("width", width.to_string()),
        ("height", height.to_string()),
    ];
    for (field, wanted) in wanted {
        let found = listed.text(0, field);
        if found != wanted {
            return Err(render_failed(format!("{field} is {found:?} instead of {wanted:?}")));
        }
    }
    let found = listed.times.len() as u64;
    if found != frames {
        return Err(render_failed(format!("{found} frames instead of the planned {frames}")));
    }
    Ok(())
}

/// Every picture one frame after the one before, from 0.
fn check_times(listed: &Listed) -> Result<(), TaskError> {
    let step = i64::from(TICKS_PER_FRAME);
    match listed.times.iter().zip(0..).find(|(time, index)| **time != index * step) {
        None => Ok(()),
        Some((time, index)) => {
            Err(render_failed(format!("frame {index} is shown at tick {time} instead of {}", index * step)))
        }
    }
}

/// Decodes the finished sound once, strictly, measuring its loudness on the way.
async fn check_sound(
    ffmpeg: &Ffmpeg,
    path: &Path,
    rendition: &Rendition,
    listed: &Listed,
    quality: &mut Quality,
) -> Result<(), TaskError> {
    if listed.text(1, "codec_name") != "aac" {
        return Err(render_failed("the planned sound is missing"));
    }
    let picture_s = rendition.frames.seconds(rendition.fps);
    let sound_s = listed.seconds(1).unwrap_or(0.0);
    let frame_s = 1.0 / f64::from(rendition.fps.get());
    if (sound_s - picture_s).abs() > frame_s {
        return Err(render_failed(format!("sound ends at {sound_s:.3} s, the picture at {picture_s:.3} s")));
    }
    quality.av_difference_ms = Some(((sound_s - picture_s) * 10_000.0).round() / 10.0);
    let mut args = Args::new(Strictness::Strict.options());
    let measured =
        format!("[0:a:0]asplit[a][b];[a]{EBUR128},anullsink;[b]aformat=sample_fmts=s16,volumedetect[heard]");
    args.extend(input_args(path)).option("-filter_complex", measured);
    args.add(["-map", "[heard]", "-f", "null", "-"]);
    let mut all = vec![OsString::from("-v"), OsString::from("info")];
    all.extend(args.done());
    let finished = ffmpeg.run_ffmpeg(&all, None, limits(), |_| {}).await;
    let finished = finished.map_err(|error| render_failed(format!("the sound does not decode: {error}")))?;
    let found = loudness(&finished.stderr);
    quality.loudness_lufs = found.integrated_lufs;
    quality.true_peak_dbtp = found.true_peak_dbtp;
    quality.level = level(&finished.stderr);
    Ok(())
}

fn limits() -> Limits {
    Limits::wall(Duration::from_secs(600))
}

impl From<crate::process::ProcessError> for TaskError {
    fn from(error: crate::process::ProcessError) -> Self {
        tracing::error!(%error, "a media tool could not be run");
        TaskError::new(ErrorCode::Internal, "a media tool could not be run")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_late_frame_is_named() {
        let listed = |times: &[i64]| Listed { streams: vec![], times: times.to_vec() };
        assert!(check_times(&listed(&[0, 512, 1024])).is_ok());
        assert!(check_times(&listed(&[0, 1024])).is_err());
        assert!(check_times(&listed(&[512, 1024])).is_err());
    }
}
