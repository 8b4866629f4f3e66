//! The audio of an output: tracks are mixed, brought to their level, encoded and measured once for all outputs that
//! sound the same. The audio of several outputs is rendered in one batch if it is wanted at the same time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::message;
use clipmill_core::plan::{AudioMix, MixTrack, TrackPart};
use clipmill_core::segment::{CacheKey, MixKey};
use clipmill_core::time::SAMPLE_RATE;

use crate::audio::loudness::level;
use crate::audio::mastering::{Level, Loudness, Mastering};
use crate::audio::wav;
use crate::audio::wav::raw_bytes;
use crate::cache::{ExclusiveUse, Scratch, publish};
use crate::error::MediaError;
use crate::failure::{render_failed, run_error};
use crate::ffmpeg::args::{MixArgs, encode_mixes, raw_mixes};
use crate::ffmpeg::process::{Ffmpeg, Limits};
use crate::segment::renderer::Renderer;
use crate::verification;

/// The maximum number of mixing passes for one output: the first, one for each correction, and two more for peaks that
/// the encoder keeps adding.
const MAX_PASSES: u32 = 6;
/// The most mixes in one run, and the most seconds of audio: long audio gains nothing and delays the first outputs.
const MAX_MIXES: usize = 8;
const MAX_SECONDS: u64 = 120;
/// How many bytes are read from a segment at once. Filters take as long for a packet of the usual 4 KiB as for one of
/// this size.
const PACKET_BYTES: usize = 64 * 1024;
/// The longest log that ffmpeg writes for one mix.
const LOG_BYTES: usize = 16 << 10;
/// The size of AAC with its container's share.
const BYTES_PER_SECOND: u64 = 40_000;

/// Encoded audio in the cache, and its loudness.
pub struct MixResult {
    pub file: PathBuf,
    pub loudness: Loudness,
}

/// Mixes that are rendered in the same runs of ffmpeg.
struct MixRun<'a> {
    ffmpeg: Ffmpeg,
    scratch: &'a Scratch,
    mixes: Vec<MixFiles<'a>>,
}

/// One mix with all files that its runs read and write.
struct MixFiles<'a> {
    mix: &'a AudioMix,
    /// Lists for ffmpeg's concat demuxer.
    lists: Vec<PathBuf>,
    made: PathBuf,
}

impl Renderer {
    /// Whether the cache already has this mix.
    pub(crate) async fn has_mix(&self, mix: &AudioMix) -> bool {
        self.cached_mix(&mix.key()).await.is_some()
    }

    /// The audio of an output, rendered unless it is cached. In that case all segments of its tracks must be cached.
    pub(crate) async fn mixed(&self, scratch: &Scratch, mix: &AudioMix) -> Result<MixResult, TaskError> {
        let name = mix.key();
        let _alone = self.cache.alone(&name).await;
        if let Some(mixed) = self.cached_mix(&name).await {
            return Ok(mixed);
        }
        let mut mixed = self.make_mixes(scratch, &[mix]).await?;
        mixed.pop().ok_or_else(|| render_failed(message::sound_missing()))
    }

    /// Renders the audio of outputs before they are assembled, in as few runs as possible; returns how many were
    /// rendered. Skips audio that exists, that is being rendered already, or of which a segment is missing. `attempt`
    /// must be unique among all attempts in progress.
    pub async fn mix_ahead(&self, attempt: &str, mixes: &[&AudioMix]) -> Result<usize, TaskError> {
        let mixes_by_key: BTreeMap<MixKey, &AudioMix> = mixes.iter().map(|mix| (mix.key(), *mix)).collect();
        let keys = mixes_by_key.values().flat_map(|mix| mix.pieces().map(CacheKey::from));
        let _in_use = self.cache.hold(keys.chain(mixes_by_key.keys().map(CacheKey::from)));
        let mut missing_mixes: Vec<(ExclusiveUse, &AudioMix)> = Vec::new();
        for (name, mix) in &mixes_by_key {
            let Some(alone) = self.cache.try_alone(name) else { continue };
            if !self.has_mix(mix).await && self.has_pieces(mix).await {
                missing_mixes.push((alone, mix));
            }
        }
        let wanted_mixes: Vec<&AudioMix> = missing_mixes.iter().map(|(_, mix)| *mix).collect();
        if wanted_mixes.is_empty() {
            return Ok(0);
        }
        let scratch = self.cache.scratch(attempt).await?;
        Ok(self.make_mixes(&scratch, &wanted_mixes).await?.len())
    }

    /// Whether [`Renderer::mix_ahead`] could render this mix now.
    pub async fn can_mix(&self, mix: &AudioMix) -> bool {
        self.cache.try_alone(mix.key()).is_some() && !self.has_mix(mix).await && self.has_pieces(mix).await
    }

    async fn has_pieces(&self, mix: &AudioMix) -> bool {
        for key in mix.pieces() {
            if !tokio::fs::try_exists(self.cache.audio(key)).await.unwrap_or(false) {
                return false;
            }
        }
        true
    }

    /// Renders several mixes in one batch and moves them into place; the caller must hold their locks.
    async fn make_mixes(&self, scratch: &Scratch, mixes: &[&AudioMix]) -> Result<Vec<MixResult>, TaskError> {
        let _space = self.cache.reserve(mixes.iter().map(|mix| encoded_bytes(mix) + raw_bytes(mix)).sum())?;
        let (mut tracks, mut files) = (Vec::with_capacity(mixes.len()), Vec::new());
        for (number, mix) in mixes.iter().enumerate() {
            let (lists, inputs) = self.write_track_lists(scratch, number, mix).await?;
            tracks.push(MixFiles { mix, lists, made: scratch.file(&format!("mix{number}.m4a")) });
            files.extend(inputs);
        }
        files.sort();
        files.dedup();
        let mixing = MixRun { ffmpeg: self.ffmpeg.reading(files), scratch, mixes: tracks };
        let loudness_values = mixing.master().await?;
        let mut mixed = Vec::with_capacity(mixes.len());
        for (MixFiles { mix, made, .. }, loudness) in mixing.mixes.iter().zip(loudness_values) {
            let name = mix.key();
            let file = self.cache.mix(&name);
            self.cache.write_sidecar(scratch, &name, &loudness).await?;
            publish(made, &file).await?;
            mixed.push(MixResult { file, loudness });
        }
        Ok(mixed)
    }

    async fn cached_mix(&self, name: &MixKey) -> Option<MixResult> {
        let file = self.cache.mix(name);
        let there = tokio::fs::try_exists(&file).await.unwrap_or(false);
        let loudness = self.cache.sidecar(name).await.filter(|_| there)?;
        Some(MixResult { file, loudness })
    }

    /// Writes a list of segments for each track; returns the lists and all segments in them.
    async fn write_track_lists(
        &self,
        scratch: &Scratch,
        number: usize,
        mix: &AudioMix,
    ) -> Result<(Vec<PathBuf>, Vec<PathBuf>), MediaError> {
        let (mut lists, mut all_files) = (Vec::new(), Vec::new());
        for (i, track) in mix.tracks.iter().enumerate() {
            let list = scratch.file(&format!("mix{number}-lane{i}.txt"));
            let files = self.track_files(scratch, track)?;
            write_list(&list, &files).await?;
            lists.push(list);
            all_files.extend(files);
        }
        Ok((lists, all_files))
    }

    fn track_files(&self, scratch: &Scratch, track: &MixTrack) -> Result<Vec<PathBuf>, MediaError> {
        let file = |part: &TrackPart| match part {
            TrackPart::Audio(key) => Ok(self.cache.audio(key)),
            TrackPart::Silence(samples) => {
                let path = scratch.file(&format!("silence-{}.wav", samples.0));
                wav::write_silence(&path, *samples).map_err(MediaError::file("write", &path))?;
                Ok(path)
            }
        };
        track.parts.iter().map(file).collect()
    }
}

impl MixRun<'_> {
    /// Encodes and measures all mixes, and repeats those that need a correction.
    async fn master(&self) -> Result<Vec<Loudness>, TaskError> {
        let mut masterings = self.masterings().await?;
        let mut loudness = vec![Loudness::default(); self.mixes.len()];
        let mut pending: Vec<usize> = (0..self.mixes.len()).collect();
        for pass in 1..=MAX_PASSES {
            let mixed = self.encode(&pending, &masterings).await?;
            let files: Vec<(&Path, &AudioMix)> = pending
                .iter()
                .filter_map(|i| self.mixes.get(*i))
                .map(|mix| (mix.made.as_path(), mix.mix))
                .collect();
            let measurements = verification::audio(&self.ffmpeg, self.scratch, &files).await?;
            let mut again = Vec::new();
            for ((i, measurement), mixed) in pending.into_iter().zip(measurements).zip(mixed) {
                let (Some(mastering), Some(loudness)) = (masterings.get_mut(i), loudness.get_mut(i)) else {
                    continue;
                };
                *loudness = measurement.loudness;
                let better = mastering.corrected(measurement, mixed);
                if let Some(better) = better.filter(|_| pass < MAX_PASSES) {
                    *mastering = better;
                    again.push(i);
                }
            }
            pending = again;
            if pending.is_empty() {
                break;
            }
        }
        Ok(loudness)
    }

    /// The first of two passes for mixes with a loudness target; mixes without one need no measurement.
    async fn masterings(&self) -> Result<Vec<Mastering>, TaskError> {
        let mut masterings: Vec<Mastering> =
            self.mixes.iter().map(|mix| Mastering::plain(mix.lists.len())).collect();
        let targets: Vec<(usize, f64)> = (0..)
            .zip(&self.mixes)
            .filter(|(_, mix)| !mix.lists.is_empty())
            .filter_map(|(i, mix)| Some((i, mix.mix.loudness_lufs?)))
            .collect();
        if targets.is_empty() {
            return Ok(masterings);
        }
        let measured: Vec<usize> = targets.iter().map(|(i, _)| *i).collect();
        self.run(&raw_mixes(&self.args(&measured, &masterings))).await?;
        for (i, target) in targets {
            if let (Some(mastering), Some(mix)) = (masterings.get_mut(i), self.mixes.get(i)) {
                let (_, heard) = verification::measured(mix.made.clone()).await?;
                *mastering = Mastering::towards(target, heard.loudness);
                if mix.mix.stretch.is_some() {
                    *mastering = mastering.settled();
                }
            }
        }
        Ok(masterings)
    }

    /// Encodes these mixes; returns the level of each before encoding.
    async fn encode(
        &self,
        these: &[usize],
        masterings: &[Mastering],
    ) -> Result<Vec<Option<Level>>, TaskError> {
        let log = self.run(&encode_mixes(&self.args(these, masterings))).await?;
        Ok((0..these.len()).map(|of| level(&log, of)).collect())
    }

    fn args<'a>(&'a self, these: &[usize], masterings: &'a [Mastering]) -> Vec<MixArgs<'a>> {
        let args = |i: &usize| {
            let (MixFiles { mix, lists, made }, mastering) = (self.mixes.get(*i)?, masterings.get(*i)?);
            Some(MixArgs { mix, tracks: lists, output: made, mastering })
        };
        these.iter().filter_map(args).collect()
    }

    async fn run(&self, args: &[OsString]) -> Result<String, TaskError> {
        let seconds: u64 = self.mixes.iter().map(|mix| mix.mix.whole().0 / SAMPLE_RATE).sum();
        let largest = self.mixes.iter().map(|mix| raw_bytes(mix.mix)).max().unwrap_or(0);
        let limits = Limits::wall(Duration::from_secs(120 + 4 * seconds))
            .stderr_bytes(self.mixes.len() * LOG_BYTES)
            .file_bytes(2 * largest + (16 << 20));
        let finished = self.ffmpeg.run_ffmpeg(args, Some(self.scratch.path()), limits, |_| {}).await;
        let finished = finished.map_err(|error| run_error(error, |_| message::sound_unmixed()))?;
        Ok(finished.stderr)
    }
}

/// How many mixes of this length are rendered in one run.
pub fn mixes_per_run<'a>(mixes: impl IntoIterator<Item = &'a AudioMix>) -> usize {
    let longest = mixes.into_iter().map(|mix| mix.samples.0).max().unwrap_or(0);
    let fitting = MAX_SECONDS * SAMPLE_RATE / longest.max(1);
    usize::try_from(fitting).unwrap_or(MAX_MIXES).clamp(1, MAX_MIXES)
}

/// An upper bound of the size of the encoded audio.
pub fn encoded_bytes(mix: &AudioMix) -> u64 {
    (mix.samples.0 / SAMPLE_RATE + 2) * BYTES_PER_SECOND
}

/// Writes a list for ffmpeg's concat demuxer. clipmill chooses the names; a quote in the data folder's path is escaped.
async fn write_list(list: &Path, files: &[PathBuf]) -> Result<(), MediaError> {
    let mut text = String::from("ffconcat version 1.0\n");
    for file in files {
        let absolute = std::path::absolute(file).map_err(MediaError::file("find", file))?;
        let quoted = absolute.to_string_lossy().replace('\'', r"'\''");
        text.push_str(&format!("file 'file:{quoted}'\noption max_size {PACKET_BYTES}\n"));
    }
    tokio::fs::write(list, text).await.map_err(MediaError::file("write", list))
}
