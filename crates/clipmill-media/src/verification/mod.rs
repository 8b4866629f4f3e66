//! Checks finished files against their plan. ffmpeg's exit status proves nothing.
//!
//! Content is decoded once, where it is rendered: a video segment ([`video`]) and a mix ([`audio`]). A joined output
//! ([`output`]) contains the same samples, so only its index is read: every frame on its tick, every sample inside the
//! file, one set of parameters, audio that ends with the video.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::Size;
use clipmill_core::message;
use clipmill_core::plan::{AudioMix, Rendition};
use clipmill_core::segment::VideoSpec;
use clipmill_core::time::{Fps, Frames, SAMPLE_RATE, Samples};

use crate::audio::loudness;
use crate::audio::mastering::LoudnessMeasurement;
use crate::audio::wav::raw_bytes;
use crate::blocking::blocking;
use crate::cache::Scratch;
use crate::descriptors;
use crate::error::MediaError;
use crate::failure::{render_failed, run_error};
use crate::ffmpeg::args::{Args, RAW_AUDIO, Strictness, TICKS_PER_FRAME};
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Ffmpeg, Limits};
use crate::findings::{Findings, Quality};
use crate::mp4::{Movie, Sps, Track, is_plain_frame, parameter_sets};

pub mod segment;

/// Verifies a video segment: one H.264 stream of the planned format, its parameter sets only in the index, and as many
/// decodable frames as planned. Returns the findings, and the path of a cover.
pub async fn video(
    ffmpeg: &Ffmpeg,
    scratch: &Scratch,
    path: &Path,
    spec: &VideoSpec,
) -> Result<(Findings, Option<PathBuf>), TaskError> {
    let (file, size, fps, frames) = (path.to_owned(), spec.size, spec.fps, spec.frames);
    let copied = spec.encoder.is_copy();
    blocking(move || {
        let movie = read(&file)?;
        let track = planned_track(&movie, 1)?;
        check_track(track, size, fps, frames)?;
        check_samples(&file, track, copied)
    })
    .await??;
    match spec.encoder.fallback {
        None => segment::monitored(ffmpeg, scratch, path, spec).await,
        Some(_) => segment::video(ffmpeg, scratch, path, spec).await,
    }
}

/// Verifies a joined output: planned streams, every frame on its tick, one set of parameter sets, audio that ends with
/// the video, ready for streaming. The content of its samples was checked when they were rendered.
pub fn output(path: &Path, rendition: &Rendition, parameter_sets: &[u8]) -> Result<Quality, TaskError> {
    let movie = read(path)?;
    let track = planned_track(&movie, 1 + usize::from(rendition.audio.is_some()))?;
    check_track(track, rendition.size, rendition.fps, rendition.frames)?;
    if track.avc_config() != Some(parameter_sets) {
        return Err(render_failed(message::sets_differ()));
    }
    if !movie.starts_fast {
        return Err(render_failed(message::index_not_first()));
    }
    let sound_s = rendition.audio.as_ref().map(|_| audio_seconds(&movie, rendition)).transpose()?;
    // Every frame is on its tick, each shown for one frame.
    let ticks = track.samples.len() as f64 * f64::from(TICKS_PER_FRAME);
    let (picture_s, planned_s) =
        (ticks / f64::from(track.timescale), rendition.frames.seconds(rendition.fps));
    let tenths = |seconds: f64| (seconds * 10_000.0).round() / 10.0;
    Ok(Quality {
        frames_planned: rendition.frames.0,
        frames_found: track.samples.len() as u64,
        duration_error_ms: tenths(sound_s.unwrap_or(0.0).max(picture_s) - planned_s),
        av_difference_ms: sound_s.map(|sound_s| tenths(sound_s - planned_s)),
        ..Quality::default()
    })
}

/// The parameter sets of a video segment.
pub fn parameter_sets_of(path: &Path) -> Result<Vec<u8>, TaskError> {
    let movie = read(path)?;
    let config = movie.pictures.as_ref().and_then(Track::avc_config);
    config.map(<[u8]>::to_vec).ok_or_else(|| render_failed(message::piece_without_parameters()))
}

fn read(path: &Path) -> Result<Movie, TaskError> {
    Movie::read(path).map_err(|error| unreadable(path, error))
}

/// The error about a file written by clipmill: wrong content, or a fault of the machine.
fn unreadable(path: &Path, error: io::Error) -> TaskError {
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            render_failed(message::result_unreadable(error.to_string()))
        }
        _ => MediaError::file("read", path)(error).into(),
    }
}

fn planned_track(movie: &Movie, planned: usize) -> Result<&Track, TaskError> {
    if movie.tracks != planned {
        return Err(render_failed(message::wrong_streams(movie.tracks, planned)));
    }
    movie.pictures.as_ref().ok_or_else(|| render_failed(message::no_picture()))
}

fn check_track(track: &Track, size: Size, fps: Fps, frames: Frames) -> Result<(), TaskError> {
    let sps = track.avc_config().and_then(Sps::of_config);
    let planned =
        Sps { profile: 100, chroma_format: 1, bit_depth: 8, width: size.width, height: size.height };
    if track.coding() != b"avc1" || sps != Some(planned) || track.size() != Some((size.width, size.height)) {
        let coding = String::from_utf8_lossy(track.coding()).into_owned();
        let (actual, planned) = (format!("{sps:?}"), format!("{planned:?}"));
        return Err(render_failed(message::wrong_picture(coding, actual, planned)));
    }
    let (actual, frames) = (track.samples.len() as u64, frames.0);
    if actual != frames {
        return Err(render_failed(message::wrong_frames(actual, frames)));
    }
    if track.timescale != fps.get() * TICKS_PER_FRAME {
        return Err(render_failed(message::wrong_clock(track.timescale)));
    }
    let mut times: Vec<i64> = track.shown().collect();
    times.sort_unstable();
    check_times(&times)
}

/// Checks that every frame follows the previous one after one frame's time, from 0.
fn check_times(times: &[i64]) -> Result<(), TaskError> {
    let step = i64::from(TICKS_PER_FRAME);
    match times.iter().zip(0..).find(|(time, index)| **time != index * step) {
        None => Ok(()),
        Some((time, index)) => Err(render_failed(message::wrong_tick(index, *time, index * step))),
    }
}

/// Checks that no parameter set is inside a sample, because a player reads only those in the index. In copied video,
/// keyframes must also be frames at which decoding can begin, and the first frame must be one.
fn check_samples(path: &Path, track: &Track, copied: bool) -> Result<(), TaskError> {
    let unreadable = |error| unreadable(path, error);
    let mut file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    for (sample, index) in track.samples.iter().zip(0u64..) {
        bytes.resize(sample.size as usize, 0);
        file.seek(SeekFrom::Start(sample.offset)).map_err(unreadable)?;
        file.read_exact(&mut bytes).map_err(unreadable)?;
        if parameter_sets(&bytes) != Some(0) {
            return Err(render_failed(message::sample_not_slices(index)));
        }
        if copied && !is_plain_frame(&bytes, sample.sync || index == 0) {
            return Err(render_failed(message::sample_not_as_told(index)));
        }
    }
    Ok(())
}

/// The length of the audio, which must end within a frame of the video's end.
fn audio_seconds(movie: &Movie, rendition: &Rendition) -> Result<f64, TaskError> {
    let planned = |track: &&Track| track.coding() == b"mp4a";
    let sound = movie.sound.as_ref().filter(planned);
    let sound = sound.ok_or_else(|| render_failed(message::planned_sound_missing()))?;
    let (picture_s, sound_s) = (rendition.frames.seconds(rendition.fps), sound.seconds());
    let frame_s = 1.0 / f64::from(rendition.fps.get());
    if (sound_s - picture_s).abs() > frame_s {
        return Err(render_failed(message::sound_ends_apart(
            format!("{sound_s:.3}"),
            format!("{picture_s:.3}"),
        )));
    }
    Ok(sound_s)
}

/// Decodes finished audio once, strictly, and measures the result.
pub async fn audio(
    ffmpeg: &Ffmpeg,
    scratch: &Scratch,
    sounds: &[(&Path, &AudioMix)],
) -> Result<Vec<LoudnessMeasurement>, TaskError> {
    let raw: Vec<PathBuf> = (0..sounds.len()).map(|of| scratch.file(&format!("heard{of}.f32"))).collect();
    let mut args = Args::default();
    args.option("-filter_threads", "1");
    for (path, _) in sounds {
        args.extend(Strictness::Strict.options()).extend(input_args(path));
    }
    for (of, raw) in raw.iter().enumerate() {
        args.option("-map", format!("{of}:a:0")).add(RAW_AUDIO).file(raw);
    }
    let longest = sounds.iter().map(|(_, mix)| raw_bytes(mix)).max().unwrap_or(0);
    let limits = Limits::wall(Duration::from_secs(600)).file_bytes(2 * longest + (16 << 20));
    let decoded = ffmpeg.run_ffmpeg(&args.done(), Some(scratch.path()), limits, |_| {}).await;
    decoded.map_err(|error| run_error(error, |error| message::sound_undecodable(error.to_string())))?;
    let measurements = raw.into_iter().zip(sounds).map(|(raw, (_, mix))| loudness_of(raw, mix.samples));
    futures_util::future::try_join_all(measurements).await
}

async fn loudness_of(raw: PathBuf, planned: Samples) -> Result<LoudnessMeasurement, TaskError> {
    let (samples, loudness) = measured(raw).await?;
    // The codec works in blocks of 21 ms.
    if samples.0.abs_diff(planned.0) > SAMPLE_RATE / 20 {
        let seconds = |samples: Samples| samples.0 as f64 / SAMPLE_RATE as f64;
        let (found_s, planned_s) = (seconds(samples), seconds(planned));
        return Err(render_failed(message::sound_length(format!("{found_s:.3}"), format!("{planned_s:.3}"))));
    }
    Ok(loudness)
}

/// Measures raw samples ([`RAW_AUDIO`]) and removes their file.
pub async fn measured(raw: PathBuf) -> Result<(Samples, LoudnessMeasurement), TaskError> {
    blocking(move || {
        let measured = File::open(&raw).and_then(loudness::measure);
        // The scratch folder is removed soon; until then the samples need not use the disk.
        let _ = std::fs::remove_file(&raw);
        measured.map_err(|error| match descriptors::are_used_up(&error) {
            true => MediaError::file("read", &raw)(error).into(),
            false => render_failed(message::sound_unmeasured(error.to_string())),
        })
    })
    .await?
}

impl From<crate::ffmpeg::process::ProcessError> for TaskError {
    fn from(error: crate::ffmpeg::process::ProcessError) -> Self {
        tracing::error!(%error, "a media tool could not be run");
        TaskError::new(ErrorCode::Internal, message::tool_not_run())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_late_frame_is_reported() {
        assert!(check_times(&[0, 512, 1024]).is_ok());
        assert!(check_times(&[0, 1024]).is_err());
        assert!(check_times(&[512, 1024]).is_err());
    }
}
