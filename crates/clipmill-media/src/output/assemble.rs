//! Assembles one output: joins the video, adds the audio, verifies the file and delivers it.
//!
//! A finished output also has a key and stays in the cache: if the same one is requested again, it is delivered
//! unchanged.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use clipmill_core::error::TaskError;
use clipmill_core::message::{self, Message, Param};
use clipmill_core::plan::{Rendition, Warning};
use clipmill_core::segment::{RenditionKey, SegmentKey};
use clipmill_core::similarity::FrameHashes;
use clipmill_core::speech::input_name;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::blocking::blocking;
use crate::cache::{AUDIO, DeliveryMethod, VIDEO, hand_over, publish};
use crate::digest::digest;
use crate::error::MediaError;
use crate::failure::render_failed;
use crate::ffmpeg::args::TICKS_PER_FRAME;
use crate::findings::Quality;
use crate::mp4::{MuxResult, mux};
use crate::output::mix::encoded_bytes;
use crate::segment::render::SegmentOrigin;
use crate::segment::renderer::Renderer;
use crate::verification;
use crate::verification::segment::SegmentFindings;

/// How many segments are fetched from storage at the same time.
const PARALLEL: usize = 8;

/// A verified output file in its place.
#[derive(Debug, Clone)]
pub struct Output {
    pub size_bytes: u64,
    pub sha256: String,
    pub quality: Quality,
    /// A JPEG beside the file; `None` if it could not be made, in which case the output is delivered without it.
    pub cover: Option<Cover>,
    /// Segments whose source is damaged, with the damage.
    pub damaged: Vec<(SegmentKey, Message)>,
    /// Hashes of its frames; `None` if segments of an earlier release have none.
    pub pictures: Option<FrameHashes>,
    /// Whether it was assembled now or was in the cache.
    pub origin: SegmentOrigin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    pub path: PathBuf,
    pub sha256: String,
}

/// The cached sidecar of an output.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OutputSidecar {
    size_bytes: u64,
    sha256: String,
    quality: Quality,
    cover_sha256: Option<String>,
    /// In English.
    damaged: Vec<(SegmentKey, String)>,
    /// The same messages as codes with their parameters.
    #[serde(default)]
    damage_codes: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pictures: Option<FrameHashes>,
}

impl OutputSidecar {
    fn damaged(self) -> Vec<(SegmentKey, Message)> {
        let codes = self.damage_codes.into_iter().chain(std::iter::repeat(None));
        let to_message =
            |(english, code): (String, Option<String>)| Message::of_stored(english, code.as_deref());
        self.damaged
            .into_iter()
            .zip(codes)
            .map(|((key, english), code)| (key, to_message((english, code))))
            .collect()
    }
}

impl Output {
    /// A warning for each damaged source; `url_of` returns the url of a segment's source.
    pub fn warnings<'a>(&self, url_of: impl Fn(&SegmentKey) -> Option<&'a str>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (key, damage) in &self.damaged {
            let name = |url| Param::from(input_name(url).as_ref());
            let input = url_of(key).map_or_else(|| message::an_input().into(), name);
            let warning = Warning { path: String::new(), message: message::about_input(input, damage) };
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        warnings
    }
}

#[derive(Debug, thiserror::Error)]
pub enum AssembleError {
    /// These segments are missing in the cache: render them, then assemble again.
    #[error("{} segments are missing", .0.len())]
    Missing(Vec<SegmentKey>),
    /// These segments have other parameter sets than the rest and were removed: render them again, then assemble again.
    #[error("{} segments were encoded with different parameters", .0.len())]
    Mismatched(Vec<SegmentKey>),
    #[error(transparent)]
    Failed(#[from] TaskError),
}

impl From<MediaError> for AssembleError {
    fn from(error: MediaError) -> Self {
        Self::Failed(error.into())
    }
}

impl Renderer {
    /// Writes the output to `to` and its cover beside it. `attempt` must be unique among all attempts in progress.
    pub async fn assemble(
        &self,
        attempt: &str,
        rendition: &Rendition,
        to: &Path,
        how: DeliveryMethod,
    ) -> Result<Output, AssembleError> {
        let name = rendition.key();
        let _alone = self.cache.alone(&name).await;
        let _in_use = self.cache.hold(rendition.names().chain([name.clone().into()]));
        let (sidecar, origin) = match self.cached_sidecar(&name).await {
            Some(sidecar) => (sidecar, SegmentOrigin::Cached),
            None => (self.make(attempt, rendition, &name).await?, SegmentOrigin::Rendered),
        };
        hand_over(&self.cache.rendition(&name), to, how).await?;
        let cover = self.hand_over_cover(&name, &sidecar, to, how).await;
        let (size_bytes, sha256, quality) =
            (sidecar.size_bytes, sidecar.sha256.clone(), sidecar.quality.clone());
        let pictures = sidecar.pictures.clone();
        Ok(Output { size_bytes, sha256, quality, cover, damaged: sidecar.damaged(), pictures, origin })
    }

    /// Renders the missing audio of outputs that are about to be assembled, in one batch. Failures here are retried,
    /// and reported, when each output is assembled.
    pub async fn prepare_audio(&self, attempt: &str, renditions: &[&Rendition]) -> Result<usize, TaskError> {
        let mut mixes = Vec::with_capacity(renditions.len());
        for rendition in renditions {
            if let Some(mix) = &rendition.audio
                && self.cached_sidecar(&rendition.key()).await.is_none()
            {
                mixes.push(mix);
            }
        }
        self.mix_ahead(attempt, &mixes).await
    }

    /// The sidecar of an output that is completely in the cache.
    async fn cached_sidecar(&self, name: &RenditionKey) -> Option<OutputSidecar> {
        let file = tokio::fs::metadata(self.cache.rendition(name)).await.ok()?;
        let sidecar: OutputSidecar = self.cache.sidecar(name).await?;
        (file.len() == sidecar.size_bytes).then_some(sidecar)
    }

    async fn make(
        &self,
        attempt: &str,
        rendition: &Rendition,
        name: &RenditionKey,
    ) -> Result<OutputSidecar, AssembleError> {
        let missing = self.missing(rendition).await?;
        if !missing.is_empty() {
            return Err(AssembleError::Missing(missing));
        }
        let (scratch, started) = (self.cache.scratch(attempt).await?, Instant::now());
        let pictures: Vec<PathBuf> = rendition.video.iter().map(|key| self.cache.video(key)).collect();
        let parameter_sets = self.parameter_sets(rendition).await?;
        let _space = self.cache.reserve(joined_bytes(&pictures, rendition))?;
        let mixed = match &rendition.audio {
            Some(mix) => Some(self.mixed(&scratch, mix).await?),
            None => None,
        };
        let output = scratch.file("output.mp4");
        let sound = mixed.as_ref().map(|mixed| mixed.file.clone());
        let (MuxResult { size_bytes, sha256 }, mut quality) =
            join((pictures, parameter_sets), sound, rendition.clone(), output.clone()).await?;
        if let Some(mixed) = mixed {
            quality.loudness_lufs = mixed.loudness.integrated_lufs;
            quality.true_peak_dbtp = mixed.loudness.true_peak_dbtp;
        }
        let findings = self.findings(rendition).await;
        findings.judge(rendition, started.elapsed(), &mut quality);
        let cover_sha256 = self.keep_cover(name, &findings).await;
        let damaged = findings.damaged();
        let damage_codes = damaged.iter().map(|(_, message)| message.stored_code()).collect();
        let damaged = damaged.into_iter().map(|(key, message)| (key, message.english().to_owned())).collect();
        let pictures = findings.pictures(rendition);
        let sidecar =
            OutputSidecar { size_bytes, sha256, quality, cover_sha256, damaged, damage_codes, pictures };
        // The sidecar comes first, so that no process finds the output without it.
        self.cache.write_sidecar(&scratch, name, &sidecar).await?;
        publish(&output, &self.cache.rendition(name)).await?;
        Ok(sidecar)
    }

    /// The parameter sets that all video segments share. Streams are joined only if their parameter sets are identical
    /// to the byte: a player reads the first set and fails on a different second one.
    async fn parameter_sets(&self, rendition: &Rendition) -> Result<Vec<u8>, AssembleError> {
        let distinct: HashSet<&SegmentKey> = rendition.video.iter().collect();
        let distinct: Vec<SegmentKey> = distinct.into_iter().cloned().collect();
        let files: Vec<PathBuf> = distinct.iter().map(|key| self.cache.video(key)).collect();
        let read = blocking(move || files.iter().map(|file| verification::parameter_sets_of(file)).collect());
        let sets: Vec<Vec<u8>> = read.await.and_then(|sets: Result<_, TaskError>| sets)?;
        match odd(&sets) {
            odd if odd.is_empty() => {
                sets.into_iter().next().ok_or_else(|| render_failed(message::nothing_to_join()).into())
            }
            odd => {
                let odd: Vec<SegmentKey> = odd.into_iter().map(|index| distinct[index].clone()).collect();
                for key in &odd {
                    self.cache.forget(key, VIDEO).await.map_err(TaskError::from)?;
                }
                Err(AssembleError::Mismatched(odd))
            }
        }
    }

    /// The findings of the segments of a rendition.
    async fn findings(&self, rendition: &Rendition) -> SegmentFindings {
        let mut parts = Vec::new();
        for key in rendition.segments() {
            let findings = self.cache.findings(&key).await;
            parts.push((key, findings));
        }
        SegmentFindings(parts)
    }

    /// Puts the best cover of all segments beside the output in the cache; returns its hash.
    async fn keep_cover(&self, name: &RenditionKey, parts: &SegmentFindings) -> Option<String> {
        let cover_file = self.cache.cover(parts.cover()?);
        let linked = hand_over(&cover_file, &self.cache.cover(name), DeliveryMethod::Link).await;
        match async { Ok::<_, MediaError>((linked?, digest(&cover_file).await?)) }.await {
            Ok(((), (sha256, _))) => Some(sha256),
            Err(error) => {
                tracing::error!(%error, "a cover could not be stored");
                None
            }
        }
    }

    async fn hand_over_cover(
        &self,
        name: &RenditionKey,
        sidecar: &OutputSidecar,
        to: &Path,
        how: DeliveryMethod,
    ) -> Option<Cover> {
        let sha256 = sidecar.cover_sha256.clone()?;
        let path = to.with_extension("jpg");
        match hand_over(&self.cache.cover(name), &path, how).await {
            Ok(()) => Some(Cover { path, sha256 }),
            Err(error) => {
                tracing::error!(%error, "a cover could not be stored");
                None
            }
        }
    }

    /// The segments that must be rendered first; those of audio that is already mixed are not needed. All other
    /// segments are in the cache folder afterwards.
    async fn missing(&self, rendition: &Rendition) -> Result<Vec<SegmentKey>, MediaError> {
        let mixed = match &rendition.audio {
            Some(mix) => self.has_mix(mix).await,
            None => true,
        };
        let pictures: HashSet<&SegmentKey> = rendition.video.iter().collect();
        let segments = rendition.segments().into_iter().filter(|key| !mixed || pictures.contains(key));
        let missing_segments = segments.map(async |key| {
            let extension = if pictures.contains(&key) { VIDEO } else { AUDIO };
            let is_available = self.cache.ensure_local(&key, extension).await?;
            Ok::<_, MediaError>((!is_available).then_some(key))
        });
        let missing_segments: Vec<Option<SegmentKey>> =
            stream::iter(missing_segments).buffered(PARALLEL).try_collect().await?;
        Ok(missing_segments.into_iter().flatten().collect())
    }
}

/// Writes and verifies the output.
async fn join(
    (pictures, parameter_sets): (Vec<PathBuf>, Vec<u8>),
    sound: Option<PathBuf>,
    rendition: Rendition,
    output: PathBuf,
) -> Result<(MuxResult, Quality), TaskError> {
    blocking(move || {
        let muxed = mux(&pictures, sound.as_deref(), TICKS_PER_FRAME, &output).map_err(|error| {
            tracing::error!(%error, "joining failed");
            match error.kind() {
                std::io::ErrorKind::InvalidData | std::io::ErrorKind::UnexpectedEof => {
                    render_failed(message::not_joined())
                }
                _ => MediaError::file("write", &output)(error).into(),
            }
        })?;
        let quality = verification::output(&output, &rendition, &parameter_sets)?;
        Ok((muxed, quality))
    })
    .await?
}

/// The indexes of sets that differ from the most frequent one; of all, if there is no most frequent one.
fn odd(sets: &[Vec<u8>]) -> Vec<usize> {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    sets.iter().for_each(|set| *counts.entry(set).or_default() += 1);
    let max = counts.values().copied().max().unwrap_or_default();
    let mut usual = counts.into_iter().filter(|(_, count)| *count == max).map(|(set, _)| set);
    let usual = usual.next().filter(|_| usual.next().is_none());
    (0..sets.len()).filter(|index| usual != Some(sets[*index].as_slice())).collect()
}

/// An upper bound of the size of the joined file: every video segment as often as it is listed, and the audio.
fn joined_bytes(pictures: &[PathBuf], rendition: &Rendition) -> u64 {
    let pictures = pictures.iter().filter_map(|file| file.metadata().ok());
    pictures.map(|metadata| metadata.len()).sum::<u64>() + rendition.audio.as_ref().map_or(0, encoded_bytes)
}
