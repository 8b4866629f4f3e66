//! Texts that are spoken: each text once per user, voice and service, stored like any other input.
//!
//! A sidecar leads from the hash of the text, and of everything else that determines its audio, to the file. It has the name of
//! a sidecar beside a file, so it is deleted when it was not used for as long as unused inputs are kept.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::media::ContentHash;
use clipmill_core::message;
use clipmill_core::speech::Speech;
use serde::{Deserialize, Serialize};

use super::sidecars::Sidecar;
use super::{PartialDownload, Sources};
use crate::audio::voice::{self, SAMPLE_RATE};
use crate::blocking::blocking;
use crate::cache::mark_used;
use crate::digest::digest;
use crate::error::MediaError;
use crate::ffmpeg::args::Args;
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Limits, ProcessError};
use crate::speech::{AudioBounds, Synthesizer, no_service};

/// The time limit for decoding the audio of a part of a text.
const DECODING: Duration = Duration::from_secs(120);

/// The file that speaks a text.
#[derive(Serialize, Deserialize)]
struct SpokenText {
    content: ContentHash,
}

impl Sources {
    /// The file that speaks a text of a user. The service is called unless it has spoken the text before.
    pub async fn speak(&self, user: &str, speech: &Speech) -> Result<ContentHash, TaskError> {
        let service = self.speech.as_deref().ok_or_else(no_service)?;
        let key = ContentHash(service.key(user, speech).into());
        if let Some(content) = self.spoken_before(&key).await? {
            return Ok(content);
        }
        let speaking = self.join_download(&format!("speech {}", key.0));
        speaking.get_or_init(|| self.speak_parts(service, user, speech, &key)).await.clone()
    }

    /// The file that speaks a text of a user, if this machine has it; nothing is fetched.
    pub async fn spoken(&self, user: &str, speech: &Speech) -> Option<ContentHash> {
        let key = ContentHash(self.speech.as_deref()?.key(user, speech).into());
        let sidecar = tokio::fs::read(self.sidecar(&key, Sidecar::SPEECH)).await.ok()?;
        let SpokenText { content } = serde_json::from_slice(&sidecar).ok()?;
        tokio::fs::try_exists(self.path(&content)).await.ok()?.then_some(content)
    }

    /// The file that speaks a text of a user, if any machine spoke it before.
    pub async fn spoken_or_shared(
        &self,
        user: &str,
        speech: &Speech,
    ) -> Result<Option<ContentHash>, TaskError> {
        let Some(service) = self.speech.as_deref() else { return Ok(None) };
        self.spoken_before(&ContentHash(service.key(user, speech).into())).await
    }

    /// Forgets that a text of a user was spoken.
    pub async fn forget_speech(&self, user: &str, speech: &Speech) {
        let Some(service) = self.speech.as_deref() else { return };
        self.remove_sidecar(&ContentHash(service.key(user, speech).into()), Sidecar::SPEECH).await;
    }

    /// A silent file, which represents a text in previews until it is spoken.
    pub(super) async fn silence(&self, seconds: f64) -> Result<ContentHash, TaskError> {
        let file = self.unfinished("wav");
        let path = file.0.clone();
        let write = move || voice::write_silence(&path, seconds);
        blocking(write).await?.map_err(MediaError::file("write", &file.0))?;
        self.keep_file(&file).await
    }

    async fn spoken_before(&self, key: &ContentHash) -> Result<Option<ContentHash>, TaskError> {
        let Some(SpokenText { content }) = self.read_sidecar(key, Sidecar::SPEECH).await else {
            return Ok(None);
        };
        if !self.ensure_local(&content).await? {
            return Ok(None);
        }
        self.keep(&content);
        mark_used(&self.sidecar(key, Sidecar::SPEECH));
        Ok(Some(content))
    }

    /// Speaks a long text in parts, each of which is kept: after a failure, only the rest is spoken.
    async fn speak_parts(
        &self,
        service: &Synthesizer,
        user: &str,
        speech: &Speech,
        key: &ContentHash,
    ) -> Result<ContentHash, TaskError> {
        let parts = service.parts(speech);
        if let [part] = parts.as_slice() {
            return self.speak_part(service, part, key).await;
        }
        let mut files = Vec::with_capacity(parts.len());
        for part in &parts {
            let part_key = ContentHash(service.key(user, part).into());
            let content = match self.spoken_before(&part_key).await? {
                Some(content) => content,
                None => self.speak_part(service, part, &part_key).await?,
            };
            files.push(self.path(&content));
        }
        let sizes = files.iter().filter_map(|file| std::fs::metadata(file).ok());
        let _space = self.disk.reserve(sizes.map(|file| file.len()).sum())?;
        let joined = self.unfinished("wav");
        let path = joined.0.clone();
        let join = move || voice::join(&files, &path);
        blocking(join).await?.map_err(MediaError::file("write", &joined.0))?;
        self.keep_spoken(&joined, key).await
    }

    async fn speak_part(
        &self,
        service: &Synthesizer,
        part: &Speech,
        key: &ContentHash,
    ) -> Result<ContentHash, TaskError> {
        let bounds = AudioBounds::of(part);
        let decoded_bytes = voice::bytes(bounds.seconds);
        let _space = self.disk.reserve(bounds.bytes.saturating_add(2 * decoded_bytes))?;
        let [text, response, raw, file] = ["txt", "speech", "s16", "wav"].map(|kind| self.unfinished(kind));
        service.speak(&self.ffmpeg, part, &text.0, &response.0).await?;
        let args = decoding_args(&response.0, &raw.0, bounds.seconds);
        let limits = Limits::wall(DECODING).file_bytes(2 * decoded_bytes);
        match self.ffmpeg.run_ffmpeg(&args, Some(self.partial.path()), limits, |_| {}).await {
            Ok(_) => {}
            Err(
                ProcessError::Failed { .. } | ProcessError::Crashed { .. } | ProcessError::TimedOut { .. },
            ) => {
                return Err(service.refused(message::speech_undecodable()));
            }
            Err(error) => return Err(MediaError::from(error).into()),
        }
        let length = tokio::fs::metadata(&raw.0).await.map_err(MediaError::file("read", &raw.0))?.len();
        if length > decoded_bytes {
            let seconds = format!("{:.0}", bounds.seconds);
            return Err(service.refused(message::speech_too_long(seconds, part.characters())));
        }
        if length < voice::MIN_BYTES {
            return Err(service.refused(message::speech_without_audio()));
        }
        let (from, to) = (raw.0.clone(), file.0.clone());
        blocking(move || voice::write(&from, &to)).await?.map_err(MediaError::file("write", &file.0))?;
        self.keep_spoken(&file, key).await
    }

    async fn keep_spoken(&self, file: &PartialDownload, key: &ContentHash) -> Result<ContentHash, TaskError> {
        let content = self.keep_file(file).await?;
        self.share(&content).await?;
        self.write_sidecar(key, Sidecar::SPEECH, &SpokenText { content: content.clone() }).await;
        Ok(content)
    }

    /// Gives a finished file the name of its content.
    async fn keep_file(&self, file: &PartialDownload) -> Result<ContentHash, TaskError> {
        let (sha256, _) = digest(&file.0).await?;
        let content = ContentHash(sha256.into());
        self.settle(&file.0, &content).await?;
        Ok(content)
    }

    pub(super) fn unfinished(&self, kind: &str) -> PartialDownload {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path: PathBuf = self.partial.path().join(format!("{number}.{kind}"));
        PartialDownload(path)
    }
}

/// Arguments that decode the audio of a service, and a little more than is allowed.
fn decoding_args(response: &Path, raw: &Path, max_s: f64) -> Vec<std::ffi::OsString> {
    let mut args = Args::new(input_args(response));
    args.add(["-map", "0:a:0", "-vn", "-sn", "-dn"]).option("-t", format!("{:.3}", max_s + 1.0));
    args.add(["-c:a", "pcm_s16le", "-ac", "1"]).option("-ar", SAMPLE_RATE).add(["-f", "s16le"]).file(raw);
    args.done()
}

#[cfg(test)]
pub(super) mod tests;
