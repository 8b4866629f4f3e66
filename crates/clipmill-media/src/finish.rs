//! Finishing one output: join the pictures, mix the sound, multiplex, verify.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::plan::{Lane, LanePart, Rendition, Warning};
use clipmill_core::segment::{SegmentHash, hex};
use futures_util::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;
use tokio::time::Instant;

use crate::args::{JoinFiles, join, measure};
use crate::cache::{PICTURE, SOUND, Scratch, publish};
use crate::check::Parts;
use crate::disk;
use crate::error::MediaError;
use crate::loudness::{level, loudness};
use crate::mastering::{Level, Loudness, Mastering};
use crate::mp4::avc_config;
use crate::process::Limits;
use crate::render::{Renderer, out_of_space, render_failed};
use crate::verify::{self, Quality};
use crate::wav;

/// Most mixing passes of one output: the first, and one for each thing that can be put right.
const MAX_PASSES: u32 = 4;

/// Segments brought from storage side by side.
const PARALLEL: usize = 8;

/// Lists for ffmpeg's concat demuxer.
struct Lists {
    pictures: PathBuf,
    lanes: Vec<PathBuf>,
    /// The files that the lists name.
    pieces: Vec<PathBuf>,
}

/// AAC with its container's share.
const SOUND_BYTES_PER_SECOND: u64 = 40_000;

/// A verified output file in its place.
#[derive(Debug, Clone)]
pub struct Output {
    pub size_bytes: u64,
    pub sha256: String,
    pub quality: Quality,
    /// A JPEG beside the file; `None` where none could be made, which is no reason to withhold the output.
    pub cover: Option<Cover>,
    /// Segments whose source is damaged, and how, in words for the client.
    pub damaged: Vec<(SegmentHash, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    pub path: PathBuf,
    pub sha256: String,
}

impl Output {
    /// A warning for each damaged source; `url_of` knows where a segment's source came from.
    pub fn warnings<'a>(&self, url_of: impl Fn(&SegmentHash) -> Option<&'a str>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (hash, damage) in &self.damaged {
            let input = url_of(hash).unwrap_or("an input");
            let warning = Warning { path: String::new(), message: format!("{input}: {damage}") };
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        warnings
    }
}

#[derive(Debug, thiserror::Error)]
pub enum FinishError {
    /// These segments are not in the cache (any more): make them, then finish.
    #[error("{} segments are missing", .0.len())]
    Missing(Vec<SegmentHash>),
    #[error(transparent)]
    Failed(#[from] TaskError),
}

impl From<MediaError> for FinishError {
    fn from(error: MediaError) -> Self {
        Self::Failed(error.into())
    }
}

impl Renderer {
    /// Makes the output at `to`, and its cover beside it. `attempt` names this try among all that are alive.
    pub async fn finish(
        &self,
        attempt: &str,
        rendition: &Rendition,
        to: &Path,
    ) -> Result<Output, FinishError> {
        let missing = self.missing(rendition).await?;
        if !missing.is_empty() {
            return Err(FinishError::Missing(missing));
        }
        let (scratch, started) = (self.cache.scratch(attempt).await?, Instant::now());
        let parameter_sets = self.shared_parameter_sets(rendition)?;
        let output = scratch.file("output.mp4");
        let lists = self.write_lists(&scratch, rendition).await?;
        let _space = self.cache.reserve(joined_bytes(&lists, rendition))?;
        let mut quality = self.master(&scratch, rendition, &lists, &output, &parameter_sets).await?;
        let findings = self.findings(rendition).await;
        let cover = self.cover(&scratch, &findings, to).await;
        let (sha256, size_bytes) = digest(&output).await?;
        publish(&output, to).await?;
        findings.judge(rendition, started.elapsed(), &mut quality);
        Ok(Output { size_bytes, sha256, quality, cover, damaged: findings.damaged() })
    }

    /// What was found in the segments when they were made.
    async fn findings(&self, rendition: &Rendition) -> Parts {
        let mut parts = Vec::new();
        for hash in rendition.segments() {
            let findings = self.cache.findings(&hash).await;
            parts.push((hash, findings));
        }
        Parts(parts)
    }

    /// The best picture of all segments as a JPEG beside `to`; a copy, because a result owns its bytes.
    async fn cover(&self, scratch: &Scratch, parts: &Parts, to: &Path) -> Option<Cover> {
        let kept = self.cache.cover(parts.cover()?);
        let (copy, path) = (scratch.file("cover.jpg"), to.with_extension("jpg"));
        let made = async {
            tokio::fs::copy(&kept, &copy).await.map_err(MediaError::file("copy", &kept))?;
            let (sha256, _) = digest(&copy).await?;
            publish(&copy, &path).await?;
            Ok::<_, MediaError>(sha256)
        };
        match made.await {
            Ok(sha256) => Some(Cover { path, sha256 }),
            Err(error) => {
                tracing::error!(%error, "a cover could not be kept");
                None
            }
        }
    }

    /// Segments that are nowhere; all others lie here afterwards.
    async fn missing(&self, rendition: &Rendition) -> Result<Vec<SegmentHash>, MediaError> {
        let pictures: HashSet<&SegmentHash> = rendition.pictures.iter().collect();
        let looks = rendition.segments().into_iter().map(async |hash| {
            let extension = if pictures.contains(&hash) { PICTURE } else { SOUND };
            let brought = self.cache.bring(&hash, extension).await?;
            Ok::<_, MediaError>((!brought).then_some(hash))
        });
        let looks: Vec<Option<SegmentHash>> = stream::iter(looks).buffered(PARALLEL).try_collect().await?;
        Ok(looks.into_iter().flatten().collect())
    }

    /// Streams are joined only when their parameter sets are the same to the byte: a player reads the first
    /// set and fails on a second one.
    fn shared_parameter_sets(&self, rendition: &Rendition) -> Result<Vec<u8>, TaskError> {
        let mut shared: Option<Vec<u8>> = None;
        let mut seen = std::collections::HashSet::new();
        for hash in rendition.pictures.iter().filter(|hash| seen.insert(*hash)) {
            let path = self.cache.picture(hash);
            let found = avc_config(&path).map_err(MediaError::file("read", &path))?;
            if found.is_none() || shared.is_some() && shared != found {
                return Err(render_failed("segments were encoded with different parameters"));
            }
            shared = found;
        }
        shared.ok_or_else(|| render_failed("there is nothing to join"))
    }

    /// Joins and verifies, again where the finished sound asks for it.
    async fn master(
        &self,
        scratch: &Scratch,
        rendition: &Rendition,
        lists: &Lists,
        output: &Path,
        parameter_sets: &[u8],
    ) -> Result<Quality, TaskError> {
        let mut mastering = self.mastering(scratch, rendition, lists).await?;
        let mut passes_left = MAX_PASSES;
        loop {
            let mixed = self.join(scratch, rendition, lists, output, &mastering).await?;
            let quality = verify::output(&self.ffmpeg, output, rendition, parameter_sets).await?;
            let found =
                Loudness { integrated_lufs: quality.loudness_lufs, true_peak_dbtp: quality.true_peak_dbtp };
            passes_left -= 1;
            match mastering.corrected(found, mixed, quality.level) {
                Some(better) if passes_left > 0 => mastering = better,
                _ => return Ok(quality),
            }
        }
    }

    /// The first of two passes where a loudness is wanted; nothing to measure otherwise.
    async fn mastering(
        &self,
        scratch: &Scratch,
        rendition: &Rendition,
        lists: &Lists,
    ) -> Result<Mastering, TaskError> {
        let target = rendition.sound.as_ref().and_then(|mix| mix.loudness_lufs);
        let (Some(target), Some(args)) = (target, measure(rendition, &lists.lanes)) else {
            return Ok(Mastering::plain(lists.lanes.len()));
        };
        let log = self.run(scratch, rendition, lists, &args).await?;
        Ok(Mastering::towards(target, loudness(&log)))
    }

    /// Makes the output; answers the level of its sound before encoding.
    async fn join(
        &self,
        scratch: &Scratch,
        rendition: &Rendition,
        lists: &Lists,
        output: &Path,
        mastering: &Mastering,
    ) -> Result<Option<Level>, TaskError> {
        let files = JoinFiles { pictures: &lists.pictures, lanes: &lists.lanes, output };
        let log = self.run(scratch, rendition, lists, &join(rendition, &files, mastering)).await?;
        Ok(level(&log))
    }

    async fn run(
        &self,
        scratch: &Scratch,
        rendition: &Rendition,
        lists: &Lists,
        args: &[OsString],
    ) -> Result<String, TaskError> {
        let seconds = rendition.frames.started_seconds(rendition.fps);
        let limits = Limits::wall(Duration::from_secs(120 + 4 * seconds))
            .file_bytes(2 * joined_bytes(lists, rendition) + (16 << 20));
        let ffmpeg = self.ffmpeg.reading(lists.pieces.iter().cloned());
        let finished = ffmpeg.run_ffmpeg(args, Some(scratch.path()), limits, |_| {}).await;
        finished.map(|finished| finished.stderr).map_err(|error| {
            tracing::error!(%error, "joining failed");
            match out_of_space(error.stderr()) {
                true => disk::full(),
                false => render_failed("the pieces could not be joined"),
            }
        })
    }

    async fn write_lists(&self, scratch: &Scratch, rendition: &Rendition) -> Result<Lists, MediaError> {
        let pictures = scratch.file("pictures.txt");
        let files: Vec<PathBuf> = rendition.pictures.iter().map(|hash| self.cache.picture(hash)).collect();
        write_list(&pictures, &files).await?;
        let (mut lanes, mut pieces) = (Vec::new(), files);
        for (i, lane) in rendition.sound.iter().flat_map(|mix| &mix.lanes).enumerate() {
            let list = scratch.file(&format!("lane{i}.txt"));
            let files = self.lane_files(scratch, lane)?;
            write_list(&list, &files).await?;
            lanes.push(list);
            pieces.extend(files);
        }
        Ok(Lists { pictures, lanes, pieces })
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

/// What joining writes at the most: every picture piece as often as it stands in the list, and the sound.
fn joined_bytes(lists: &Lists, rendition: &Rendition) -> u64 {
    let pictures = lists.pieces.iter().take(rendition.pictures.len());
    let pictures: u64 = pictures.filter_map(|file| file.metadata().ok()).map(|found| found.len()).sum();
    pictures + (rendition.frames.started_seconds(rendition.fps) + 1) * SOUND_BYTES_PER_SECOND
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

/// SHA-256 and size of a file, read in pieces.
pub async fn digest(path: &Path) -> Result<(String, u64), MediaError> {
    let mut file = tokio::fs::File::open(path).await.map_err(MediaError::file("open", path))?;
    let (mut hasher, mut size, mut buffer) = (Sha256::new(), 0u64, vec![0; 256 * 1024]);
    loop {
        let read = file.read(&mut buffer).await.map_err(MediaError::file("read", path))?;
        if read == 0 {
            return Ok((hex(&hasher.finalize()), size));
        }
        hasher.update(&buffer[..read]);
        size += read as u64;
    }
}
