//! Audio that is transcribed: each file once per user and service. The transcript is a sidecar, under a key that stands for
//! the file, the user and the service.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use clipmill_core::error::TaskError;
use clipmill_core::media::{AudioInfo, ContentHash};
use clipmill_core::plan::SourceRef;
use clipmill_core::subtitle::Transcript;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncSeekExt, SeekFrom};

use super::sidecars::Sidecar;
use super::{PartialDownload, Sources};
use crate::audio::wav;
use crate::blocking::blocking;
use crate::cache::mark_used;
use crate::error::MediaError;
use crate::ffmpeg::process::ProcessError;
use crate::ingest::pauses::{self, SAMPLE_RATE, SILENCE_DB, STRETCH_MS};
use crate::speech::{Transcriber, no_transcription};

const SAMPLE_BYTES: usize = 2;
/// Audio is divided at its quietest place of this length, in the last part of what fits into a call.
const QUIET_MS: u32 = 300;
const LAST_PART: f64 = 0.3;

impl Sources {
    /// What is spoken in a file of a user. The service is called unless it has transcribed the file before.
    pub async fn transcript(&self, user: &str, content: &ContentHash) -> Result<Arc<Transcript>, TaskError> {
        let service = self.transcriber.as_deref().ok_or_else(no_transcription)?;
        let key = ContentHash(service.key(user, &content.0).into());
        // Another caller may be transcribing it.
        let transcribing = self.join_download(&format!("transcript {}", key.0));
        let transcribe = || async {
            if self.read_sidecar::<Transcript>(&key, Sidecar::TRANSCRIPT).await.is_none() {
                let transcript = self.transcribe(service, user, content).await?;
                self.write_sidecar(&key, Sidecar::TRANSCRIPT, &transcript).await;
            }
            Ok(key.clone())
        };
        transcribing.get_or_init(transcribe).await.clone()?;
        let unreadable = || {
            MediaError::file("read", &self.sidecar(&key, Sidecar::TRANSCRIPT))(
                std::io::ErrorKind::NotFound.into(),
            )
        };
        self.stored_transcript(&key).await.map(Arc::new).ok_or_else(|| unreadable().into())
    }

    /// The key of what is spoken in a file of a user, if this machine has it; nothing is transcribed.
    pub async fn transcribed(&self, user: &str, content: &ContentHash) -> Option<ContentHash> {
        let key = ContentHash(self.transcriber.as_deref()?.key(user, &content.0).into());
        tokio::fs::try_exists(self.sidecar(&key, Sidecar::TRANSCRIPT)).await.ok()?.then_some(key)
    }

    pub(super) async fn stored_transcript(&self, key: &ContentHash) -> Option<Transcript> {
        let transcript = self.read_sidecar(key, Sidecar::TRANSCRIPT).await?;
        mark_used(&self.sidecar(key, Sidecar::TRANSCRIPT));
        Some(transcript)
    }

    async fn transcribe(
        &self,
        service: &Transcriber,
        user: &str,
        content: &ContentHash,
    ) -> Result<Transcript, TaskError> {
        let info = self.media_info(content).await?;
        let path = self.path_of(&SourceRef::of(&info, ""));
        let Some(audio) = info.audio else { return Ok(Transcript::default()) };
        if audio.duration_s > service.max_length.as_secs_f64() + 1.0 {
            return Err(service.too_long());
        }
        let decoded = self.decode_speech(service, &path, &audio).await?;
        let Some(raw) = decoded else { return Ok(Transcript::default()) };
        let all = tokio::fs::metadata(&raw.0).await.map_err(MediaError::file("read", &raw.0))?.len() as usize;
        let max = (service.call_length.as_secs_f64() * SAMPLE_RATE as f64) as usize * SAMPLE_BYTES;
        let (mut transcript, mut begin) = (Transcript::default(), 0);
        while begin < all / SAMPLE_BYTES * SAMPLE_BYTES {
            let mut samples = read_samples(&raw.0, begin..all.min(begin + max)).await?;
            if begin + samples.len() < all {
                samples.truncate(quiet_place(&pauses::levels(&samples)).min(samples.len()));
            }
            let length = samples.len();
            let part = self.transcribe_part(service, user, samples).await?;
            transcript.append(&part, (begin / SAMPLE_BYTES * 1000 / SAMPLE_RATE) as u64);
            begin += length.max(SAMPLE_BYTES);
        }
        Ok(transcript)
    }

    /// The decoded audio; `None` if it cannot be decoded, which rendering the file reports.
    async fn decode_speech(
        &self,
        service: &Transcriber,
        path: &Path,
        audio: &AudioInfo,
    ) -> Result<Option<PartialDownload>, TaskError> {
        let max_s = service.max_length.as_secs_f64() + 1.0;
        let _permit = self.looking.acquire().await;
        let _space = self.disk.reserve(pauses::decoded_bytes(audio, max_s))?;
        let raw = self.unfinished("s16");
        match pauses::decode(&self.ffmpeg, (path, audio), self.partial.path(), &raw.0, max_s).await {
            Ok(()) => Ok(Some(raw)),
            Err(ProcessError::Failed { .. }) => Ok(None),
            Err(error) => Err(MediaError::from(error).into()),
        }
    }

    /// What is spoken in audio that fits into a call. Each part is kept: after a failure, only the rest is transcribed.
    async fn transcribe_part(
        &self,
        service: &Transcriber,
        user: &str,
        samples: Vec<u8>,
    ) -> Result<Transcript, TaskError> {
        let key = ContentHash(service.key(user, &hex::encode(Sha256::digest(&samples))).into());
        if let Some(transcript) = self.read_sidecar(&key, Sidecar::TRANSCRIPT).await {
            return Ok(transcript);
        }
        let seconds = (samples.len() / SAMPLE_BYTES) as f64 / SAMPLE_RATE as f64;
        let _space = self.disk.reserve(2 * samples.len() as u64)?;
        let [file, response] = ["wav", "json"].map(|kind| self.unfinished(kind));
        let path = file.0.clone();
        let prepare = move || {
            let levels = pauses::levels(&samples);
            let is_silent = !levels.iter().any(|level| *level > SILENCE_DB);
            let header =
                wav::header(wav::PCM, 1, SAMPLE_RATE as u32, SAMPLE_BYTES as u64, samples.len() as u64)?;
            std::fs::write(&path, [header, samples].concat())?;
            Ok((!is_silent).then(|| pauses::pauses(&levels)))
        };
        let pauses: std::io::Result<_> = blocking(prepare).await?;
        let Some(pauses) = pauses.map_err(MediaError::file("write", &file.0))? else {
            return Ok(Transcript::default());
        };
        let _permit = match service.is_program() {
            true => self.transcribing.acquire().await.ok(),
            false => None,
        };
        let transcript = service.transcribe(&self.ffmpeg, (&file.0, seconds), &response.0, &pauses).await?;
        self.write_sidecar(&key, Sidecar::TRANSCRIPT, &transcript).await;
        Ok(transcript)
    }
}

async fn read_samples(raw: &Path, range: Range<usize>) -> Result<Vec<u8>, TaskError> {
    let read = async {
        let mut file = tokio::fs::File::open(raw).await?;
        file.seek(SeekFrom::Start(range.start as u64)).await?;
        let mut samples = vec![0; range.len() / SAMPLE_BYTES * SAMPLE_BYTES];
        file.read_exact(&mut samples).await?;
        Ok(samples)
    };
    Ok(read.await.map_err(MediaError::file("read", raw))?)
}

/// The place, in bytes, at which audio is divided: the middle of the quietest stretch in its last part.
fn quiet_place(levels: &[f64]) -> usize {
    let width = (QUIET_MS / STRETCH_MS) as usize;
    let first = (levels.len() as f64 * (1.0 - LAST_PART)) as usize;
    let level = |(_, stretch): &(usize, &[f64])| stretch.iter().sum::<f64>();
    // The last one of equally quiet ones.
    let stretches = levels.windows(width).enumerate().skip(first).rev();
    let quietest = stretches.min_by(|one, other| level(one).total_cmp(&level(other)));
    let at = quietest.map_or(levels.len(), |(at, _)| at + width / 2);
    at * (SAMPLE_RATE * STRETCH_MS as usize / 1000) * SAMPLE_BYTES
}

#[cfg(test)]
mod tests;
