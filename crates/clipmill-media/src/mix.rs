//! The sound of an output: lanes mixed, brought to their level, encoded and measured once for all outputs that
//! sound the same.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::plan::{Lane, LanePart, SoundMix};
use clipmill_core::segment::SegmentHash;
use clipmill_core::time::SAMPLE_RATE;

use crate::args::{encode_mix, measure};
use crate::cache::{Scratch, publish};
use crate::disk;
use crate::error::MediaError;
use crate::loudness::{level, loudness};
use crate::mastering::{Level, Loudness, Mastering};
use crate::process::{Ffmpeg, Limits};
use crate::render::{Renderer, out_of_space, render_failed};
use crate::{verify, wav};

/// Most mixing passes of one output: the first, and one for each thing that can be put right.
const MAX_PASSES: u32 = 4;
/// AAC with its container's share.
const BYTES_PER_SECOND: u64 = 40_000;

/// An encoded sound in the cache, and what it measures.
pub struct Mixed {
    pub file: PathBuf,
    pub loudness: Loudness,
}

/// Everything that the runs of one mix have in common.
struct Mixing<'a> {
    ffmpeg: Ffmpeg,
    scratch: &'a Scratch,
    mix: &'a SoundMix,
    /// Lists for ffmpeg's concat demuxer.
    lanes: Vec<PathBuf>,
}

impl Renderer {
    /// Whether this sound needs nothing but to be taken from the cache.
    pub(crate) async fn has_mix(&self, mix: &SoundMix) -> bool {
        self.known_mix(&mix.hash()).await.is_some()
    }

    /// The sound of an output; made unless it lies in the cache. All pieces of its lanes must be there then.
    pub(crate) async fn mixed(&self, scratch: &Scratch, mix: &SoundMix) -> Result<Mixed, TaskError> {
        let name = mix.hash();
        let _alone = self.cache.alone(&name).await;
        if let Some(mixed) = self.known_mix(&name).await {
            return Ok(mixed);
        }
        let (lanes, pieces) = self.write_lanes(scratch, mix).await?;
        let mixing = Mixing { ffmpeg: self.ffmpeg.reading(pieces), scratch, mix, lanes };
        let made = scratch.file("mix.m4a");
        let loudness = mixing.master(&made).await?;
        let file = self.cache.mix(&name);
        self.cache.keep_note(scratch, &name, &loudness).await?;
        publish(&made, &file).await?;
        Ok(Mixed { file, loudness })
    }

    /// Makes the sound of an output before the output can be finished, while its pictures are still being made.
    /// Does nothing where a piece of it is not there yet. `attempt` names this try among all that are alive.
    pub async fn mix_ahead(&self, attempt: &str, mix: &SoundMix) -> Result<(), TaskError> {
        let pieces: Vec<SegmentHash> = mix.pieces().cloned().collect();
        let _in_use = self.cache.hold(pieces.iter().cloned().chain([mix.hash()]));
        for piece in &pieces {
            if !tokio::fs::try_exists(self.cache.sound(piece)).await.unwrap_or(false) {
                return Ok(());
            }
        }
        let _space = self.cache.reserve(encoded_bytes(mix))?;
        let scratch = self.cache.scratch(attempt).await?;
        self.mixed(&scratch, mix).await?;
        Ok(())
    }

    async fn known_mix(&self, name: &SegmentHash) -> Option<Mixed> {
        let file = self.cache.mix(name);
        let there = tokio::fs::try_exists(&file).await.unwrap_or(false);
        let loudness = self.cache.note(name).await.filter(|_| there)?;
        Some(Mixed { file, loudness })
    }

    /// A list of pieces for each lane, and all pieces that the lists name.
    async fn write_lanes(
        &self,
        scratch: &Scratch,
        mix: &SoundMix,
    ) -> Result<(Vec<PathBuf>, Vec<PathBuf>), MediaError> {
        let (mut lists, mut pieces) = (Vec::new(), Vec::new());
        for (i, lane) in mix.lanes.iter().enumerate() {
            let list = scratch.file(&format!("lane{i}.txt"));
            let files = self.lane_files(scratch, lane)?;
            write_list(&list, &files).await?;
            lists.push(list);
            pieces.extend(files);
        }
        Ok((lists, pieces))
    }

    fn lane_files(&self, scratch: &Scratch, lane: &Lane) -> Result<Vec<PathBuf>, MediaError> {
        let file = |part: &LanePart| match part {
            LanePart::Sound(hash) => Ok(self.cache.sound(hash)),
            LanePart::Silence(samples) => {
                let path = scratch.file(&format!("silence-{}.wav", samples.0));
                wav::write_silence(&path, *samples).map_err(MediaError::file("write", &path))?;
                Ok(path)
            }
        };
        lane.parts.iter().map(file).collect()
    }
}

impl Mixing<'_> {
    /// Encodes and measures, again where the finished sound asks for it.
    async fn master(&self, output: &Path) -> Result<Loudness, TaskError> {
        let mut mastering = self.mastering().await?;
        let mut passes_left = MAX_PASSES;
        loop {
            let mixed = self.encode(output, &mastering).await?;
            let heard = verify::sound(&self.ffmpeg, output, self.mix).await?;
            passes_left -= 1;
            match mastering.corrected(heard.loudness, mixed, heard.level) {
                Some(better) if passes_left > 0 => mastering = better,
                _ => return Ok(heard.loudness),
            }
        }
    }

    /// The first of two passes where a loudness is wanted; nothing to measure otherwise.
    async fn mastering(&self) -> Result<Mastering, TaskError> {
        let (Some(target), Some(args)) = (self.mix.loudness_lufs, measure(self.mix, &self.lanes)) else {
            return Ok(Mastering::plain(self.lanes.len()));
        };
        Ok(Mastering::towards(target, loudness(&self.run(&args).await?)))
    }

    /// Makes the file; answers the level of the sound before encoding.
    async fn encode(&self, output: &Path, mastering: &Mastering) -> Result<Option<Level>, TaskError> {
        let log = self.run(&encode_mix(self.mix, &self.lanes, output, mastering)).await?;
        Ok(level(&log))
    }

    async fn run(&self, args: &[OsString]) -> Result<String, TaskError> {
        let limits = Limits::wall(Duration::from_secs(120 + 4 * self.mix.samples.0 / SAMPLE_RATE))
            .file_bytes(2 * encoded_bytes(self.mix) + (16 << 20));
        let finished = self.ffmpeg.run_ffmpeg(args, Some(self.scratch.path()), limits, |_| {}).await;
        finished.map(|finished| finished.stderr).map_err(|error| {
            tracing::error!(%error, "mixing failed");
            match out_of_space(error.stderr()) {
                true => disk::full(),
                false => render_failed("the sound could not be mixed"),
            }
        })
    }
}

/// What the encoded sound takes at the most.
pub fn encoded_bytes(mix: &SoundMix) -> u64 {
    (mix.samples.0 / SAMPLE_RATE + 2) * BYTES_PER_SECOND
}

/// Writes a list for ffmpeg's concat demuxer. The names are ours; a quote in the data folder's path is escaped.
async fn write_list(list: &Path, files: &[PathBuf]) -> Result<(), MediaError> {
    let mut text = String::from("ffconcat version 1.0\n");
    for file in files {
        let absolute = std::path::absolute(file).map_err(MediaError::file("find", file))?;
        text.push_str(&format!("file 'file:{}'\n", absolute.to_string_lossy().replace('\'', r"'\''")));
    }
    tokio::fs::write(list, text).await.map_err(MediaError::file("write", list))
}
