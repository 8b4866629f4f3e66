//! Source files: fetched once per distinct URL, stored by content hash, probed once per content.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use clipmill_blobs::{About, Blobs, Bucket, key};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::{Condition, ContentHash, Cuts, Facts, MediaInfo, Repair};
use clipmill_core::message::{self, Message};
use clipmill_core::plan::{InputKind, NeededInput, SourceRef, needed_inputs};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::speech::transcript_url;
use clipmill_core::subtitle::{self, FontFile, Pauses, Subtitles, Transcript};
use futures_util::{StreamExt, stream};
use serde::de::DeserializeOwned;
use tokio::sync::{OnceCell, Semaphore};
use url::Url;

mod fonts;
mod location;
mod sidecars;
mod speech;
mod transcripts;

use crate::cache::disk::Disk;
use crate::cache::scratch::ScratchDir;
use crate::cache::{mark_used, publish, publish_new};
use crate::descriptors;
use crate::digest::digest;
use crate::error::MediaError;
use crate::failure;
use crate::ffmpeg::process::{Ffmpeg, ProcessError};
use crate::fonts::Fonts;
use crate::ingest::fetch::{Fetcher, FileKind, unpacked};
use crate::ingest::probe::{ProbeOutcome, animation, probe, probe_or_repair, repair};
use crate::ingest::{cuts, pauses};
use crate::source_file::SourceFile;
use crate::speech::{Synthesizer, Transcriber};
pub use location::SourceLocation;
use sidecars::{Sidecar, is_current};

/// How many files of one task are fetched or probed at the same time.
const PARALLEL: usize = 4;
/// The largest subtitle file.
const MAX_SUBTITLE_BYTES: u64 = 8 * 1024 * 1024;

/// The extension of a repaired file, which is beside the original one.
const REPAIRED: &str = "repaired";

/// The result of a download, shared by all waiting callers.
type Download = OnceCell<Result<ContentHash, TaskError>>;

/// The folder of inputs. Files are named by their content's hash, with facts beside them as `.json`.
pub struct Sources {
    folder: PathBuf,
    /// The folder of downloads in progress.
    partial: ScratchDir,
    ffmpeg: Ffmpeg,
    fetcher: Fetcher,
    /// Speaks texts, if a service is configured.
    speech: Option<Arc<Synthesizer>>,
    /// Transcribes audio, if a service is configured.
    transcriber: Option<Arc<Transcriber>>,
    /// Shared storage behind the folder.
    shared: Option<Bucket>,
    /// The disk of the folder.
    disk: Disk,
    /// A counter for the names of files that are arriving.
    next: AtomicU64,
    downloads: Mutex<HashMap<String, Weak<Download>>>,
    local: Mutex<HashMap<ContentHash, PathBuf>>,
    /// The installed fonts, which draw characters that a client's font lacks.
    fonts: Arc<Result<Fonts, Message>>,
    /// Permits for programs that transcribe, which can be slow.
    transcribing: Semaphore,
    /// Permits for scanning files, which keeps a processor as busy as decoding them does.
    looking: Semaphore,
}

impl Sources {
    pub async fn open(folder: &Path, ffmpeg: Ffmpeg, fetcher: Fetcher) -> Result<Self, MediaError> {
        let partial = folder.join("partial");
        let partial = ScratchDir::open(&partial).map_err(MediaError::file("create", &partial))?;
        let (downloads, local) = (Mutex::default(), Mutex::default());
        Ok(Self {
            folder: folder.to_owned(),
            partial,
            ffmpeg,
            fetcher,
            speech: None,
            transcriber: None,
            shared: None,
            disk: Disk::new(folder, 0),
            next: AtomicU64::new(0),
            downloads,
            local,
            fonts: Arc::new(Err(message::no_font())),
            transcribing: Semaphore::new(processors().div_ceil(2)),
            looking: Semaphore::new(processors().div_ceil(2)),
        })
    }

    /// The same folder in front of shared storage, on a disk with reservations.
    pub fn before(self, shared: Option<Bucket>, disk: Disk) -> Self {
        Self { shared, disk, ..self }
    }

    /// The same folder with a service that speaks texts, and one that transcribes audio.
    pub fn with_speech(self, speech: Option<Synthesizer>, transcriber: Option<Transcriber>) -> Self {
        Self { speech: speech.map(Arc::new), transcriber: transcriber.map(Arc::new), ..self }
    }

    /// Removes downloads in progress when they are no longer awaited.
    pub fn leave(&self) {
        self.partial.leave();
    }

    /// Removes downloads of processes that died; returns how many processes had some.
    pub fn sweep(&self) -> std::io::Result<usize> {
        self.partial.sweep()
    }

    /// Re-creates the folder of downloads in progress if it was removed; returns whether it was.
    pub fn restore(&self) -> std::io::Result<bool> {
        self.partial.restore()
    }

    /// The path of the file with this content, whether or not it exists.
    pub fn path(&self, content: &ContentHash) -> PathBuf {
        let local = lock(&self.local).get(content).cloned();
        local.unwrap_or_else(|| self.folder.join(&*content.0))
    }

    /// The path of a source as it is read: of the repaired file, if it needs repair.
    pub fn path_of(&self, source: &SourceRef) -> PathBuf {
        match is_repaired(source.condition.as_deref()) {
            true => self.repaired_path(&source.content),
            false => self.path(&source.content),
        }
    }

    fn repaired_path(&self, content: &ContentHash) -> PathBuf {
        self.folder.join(format!("{}.{REPAIRED}", content.0))
    }

    /// Repairs a source that needs it, unless it is already repaired; its file must exist.
    pub async fn repair(&self, source: &SourceRef) -> Result<(), TaskError> {
        let Some(repair) = source.condition.as_deref().and_then(|condition| condition.repair.as_ref()) else {
            return Ok(());
        };
        if tokio::fs::try_exists(self.repaired_path(&source.content)).await.unwrap_or(false) {
            return Ok(());
        }
        self.make_repaired(&source.content, repair).await?.map_err(|error| {
            let file = SourceFile { source: source.clone(), path: self.path(&source.content) };
            failure::damaged(&error, &file)
        })
    }

    async fn make_repaired(
        &self,
        content: &ContentHash,
        repair: &Repair,
    ) -> Result<Result<(), ProcessError>, TaskError> {
        let path = self.path(content);
        let size = tokio::fs::metadata(&path).await.map_err(MediaError::file("read", &path))?.len();
        let _space = self.disk.reserve(repair::planned_bytes(repair, size))?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let partial = PartialDownload(self.partial.path().join(format!("{number}.{REPAIRED}")));
        if let Err(error) = repair::make(&self.ffmpeg, &path, repair, self.partial.path(), &partial.0).await {
            return Ok(Err(error));
        }
        publish(&partial.0, &self.repaired_path(content)).await?;
        Ok(Ok(()))
    }

    /// Marks a file as used now: files that were not used for long are deleted.
    pub fn keep(&self, content: &ContentHash) {
        // Opening a missing file fails later.
        mark_used(&self.folder.join(&*content.0));
    }

    /// Probes every file that the plan needs and that is not in `facts`, in rounds, until the task can be planned.
    /// `locate` resolves a URL.
    pub async fn gather<F>(
        &self,
        request: &TaskRequest,
        seed: u64,
        mut facts: Facts,
        locate: impl Fn(String) -> F,
    ) -> Facts
    where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        loop {
            let inputs = needed_inputs(request, seed, &facts);
            if inputs.is_empty() {
                return facts;
            }
            self.probe_inputs(inputs, &mut facts, &locate).await;
        }
    }

    /// Probes these files, a few at a time, and adds the results to `facts`.
    pub async fn probe_inputs<F>(
        &self,
        needed: Vec<NeededInput>,
        facts: &mut Facts,
        locate: &impl Fn(String) -> F,
    ) where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        // One task must not take all permits for scanning files.
        let of_task = if needed.iter().any(|input| input.kind == InputKind::Cuts) {
            processors().div_ceil(4).min(PARALLEL)
        } else {
            PARALLEL
        };
        let probes = needed.into_iter().map(|input| self.probe_input(input, locate));
        let mut results = stream::iter(probes).buffer_unordered(of_task);
        while let Some(result) = results.next().await {
            match result {
                InputFacts::Media(url, info) => _ = facts.media.insert(url, *info),
                InputFacts::Subtitle(url, subtitles) => _ = facts.subtitles.insert(url, subtitles),
                InputFacts::Cuts(url, cuts) => _ = facts.cuts.insert(url, cuts),
                InputFacts::Pauses(url, pauses) => _ = facts.pauses.insert(url, pauses),
                InputFacts::Transcript(url, transcript) => _ = facts.transcripts.insert(url, transcript),
                InputFacts::Font(url, font) => _ = facts.fonts.insert(url, font),
            }
        }
    }

    async fn probe_input<F>(&self, input: NeededInput, locate: &impl Fn(String) -> F) -> InputFacts
    where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        let NeededInput { url, kind } = input;
        let blame = |error: TaskError| if error.input.is_none() { error.input(&url) } else { error };
        let address = if kind == InputKind::Transcript { transcript_url(&url) } else { url.clone() };
        let content = match locate(address).await {
            Ok(SourceLocation::Transcript(transcript)) => {
                return InputFacts::Transcript(url.clone(), Ok(Arc::unwrap_or_clone(transcript)));
            }
            Ok(SourceLocation::StoredTranscript(key)) => {
                let transcript = self.stored_transcript(&key).await.ok_or_else(gone).map_err(blame);
                return InputFacts::Transcript(url.clone(), transcript);
            }
            Ok(located) => self.obtain(located, file_kind(kind)).await,
            Err(error) => Err(error),
        };
        match (kind, content) {
            (InputKind::Media, Ok(content)) => {
                let info = self.media_info(&content).await.map_err(blame);
                InputFacts::Media(url, Box::new(info))
            }
            (InputKind::Media, Err(error)) => InputFacts::Media(url.clone(), Box::new(Err(blame(error)))),
            (InputKind::Subtitle, Ok(content)) => {
                let subtitles = self.subtitles(&content).await.map_err(blame);
                InputFacts::Subtitle(url, subtitles)
            }
            (InputKind::Subtitle, Err(error)) => InputFacts::Subtitle(url.clone(), Err(blame(error))),
            (InputKind::Cuts, Ok(content)) => {
                let cuts = self.cuts(&content).await.map_err(blame);
                InputFacts::Cuts(url, cuts)
            }
            (InputKind::Cuts, Err(error)) => InputFacts::Cuts(url.clone(), Err(blame(error))),
            (InputKind::Pauses, Ok(content)) => {
                let pauses = self.pauses(&content).await.map_err(blame);
                InputFacts::Pauses(url, pauses)
            }
            (InputKind::Pauses, Err(error)) => InputFacts::Pauses(url.clone(), Err(blame(error))),
            (InputKind::Transcript, content) => {
                let transcript = content.and(Err(gone())).map_err(blame);
                InputFacts::Transcript(url.clone(), transcript)
            }
            (InputKind::Font, Ok(content)) => {
                let font = self.font(&content).await.map_err(blame);
                InputFacts::Font(url, font)
            }
            (InputKind::Font, Err(error)) => InputFacts::Font(url.clone(), Err(blame(error))),
        }
    }

    /// Makes a file available and returns its content hash.
    pub async fn obtain(&self, located: SourceLocation, kind: FileKind) -> Result<ContentHash, TaskError> {
        match located {
            SourceLocation::Stored(content) => match self.ensure_local(&content).await? {
                true => {
                    self.keep(&content);
                    Ok(content)
                }
                false => Err(gone()),
            },
            SourceLocation::Remote(url) => self.download(url, kind).await,
            SourceLocation::Local(path) => self.adopt(path).await,
            SourceLocation::Silence(seconds) => self.silence(seconds).await,
            SourceLocation::Transcript(_) | SourceLocation::StoredTranscript(_) => Err(gone()),
        }
    }

    /// Downloads a URL; callers that want the same URL at the same time share one download.
    async fn download(&self, url: Url, kind: FileKind) -> Result<ContentHash, TaskError> {
        let name = format!("{kind:?} {url}");
        let download = self.join_download(&name);
        download.get_or_init(|| self.fetch(&url, kind, &name)).await.clone()
    }

    fn join_download(&self, name: &str) -> Arc<Download> {
        let mut downloads = lock(&self.downloads);
        downloads.retain(|_, download| download.strong_count() > 0);
        if let Some(download) = downloads.get(name).and_then(Weak::upgrade) {
            return download;
        }
        let download = Arc::<Download>::default();
        downloads.insert(name.to_owned(), Arc::downgrade(&download));
        download
    }

    async fn fetch(&self, url: &Url, kind: FileKind, name: &str) -> Result<ContentHash, TaskError> {
        // Only one download of this name runs at a time, so its hash is a unique file name.
        let name = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(name));
        let partial = PartialDownload(self.partial.path().join(name));
        let fetched = self.fetcher.fetch(url, kind, &partial.0, &self.disk).await?;
        let content = fetched.sha256;
        self.settle(&partial.0, &content).await?;
        self.share(&content).await?;
        Ok(content)
    }

    /// Gives a downloaded file its name, unless the same content exists already: a run of ffmpeg that is being confined
    /// to that very file must find it, and not another of the same name.
    async fn settle(&self, arrived: &Path, content: &ContentHash) -> Result<(), MediaError> {
        let place = self.folder.join(&*content.0);
        let length = async |path: &Path| tokio::fs::metadata(path).await.map(|metadata| metadata.len()).ok();
        let there = length(&place).await;
        if there.is_none() {
            return publish_new(arrived, &place).await;
        }
        if there != length(arrived).await {
            return publish(arrived, &place).await;
        }
        self.keep(content);
        Ok(())
    }

    /// Brings the file with this content into the folder, from wherever it is; `false` if it is nowhere. Callers that
    /// want the same file at the same time wait for it.
    pub async fn ensure_local(&self, content: &ContentHash) -> Result<bool, TaskError> {
        if tokio::fs::try_exists(self.path(content)).await.unwrap_or(false) {
            return Ok(true);
        }
        let Some(bucket) = &self.shared else { return Ok(false) };
        // This cannot collide with a download.
        let transfer = self.join_download(&content.0);
        let transfer_result = transfer.get_or_init(|| self.transfer(bucket, content)).await;
        match transfer_result {
            Ok(_) => Ok(true),
            Err(error) if *error == gone() => Ok(false),
            Err(error) => Err(error.clone()),
        }
    }

    async fn transfer(&self, bucket: &Bucket, content: &ContentHash) -> Result<ContentHash, TaskError> {
        let name = key::input(&content.0);
        let stored = bucket.head(&name).await.map_err(MediaError::from)?.ok_or_else(gone)?;
        let _space = self.disk.reserve(stored.size_bytes)?;
        let partial = PartialDownload(self.partial.path().join(&*content.0));
        bucket.get(&name, &partial.0).await.map_err(MediaError::from)?.ok_or_else(gone)?;
        self.settle(&partial.0, content).await?;
        Ok(content.clone())
    }

    /// Uploads a file of the folder to shared storage, unless it is there.
    pub async fn share(&self, content: &ContentHash) -> Result<(), MediaError> {
        let Some(bucket) = &self.shared else { return Ok(()) };
        let name = key::input(&content.0);
        if bucket.head(&name).await?.is_none() {
            let about = About { sha256: Some(content.0.to_string()), ..About::default() };
            bucket.put(&name, &self.folder.join(&*content.0), &about).await?;
        }
        Ok(())
    }

    /// Brings a file of this storage into the folder, under its known content; `false` if it is not there.
    pub async fn import(
        &self,
        content: &ContentHash,
        from: &Blobs,
        name: &str,
        size: u64,
    ) -> Result<bool, TaskError> {
        if self.ensure_local(content).await? {
            return Ok(true);
        }
        let import = self.join_download(&format!("import {}", content.0));
        let imported = import.get_or_init(|| async {
            let _space = self.disk.reserve(size)?;
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let partial = PartialDownload(self.partial.path().join(format!("{number}.import")));
            from.get(name, &partial.0).await.map_err(MediaError::from)?.ok_or_else(gone)?;
            self.settle(&partial.0, content).await?;
            Ok(content.clone())
        });
        match imported.await {
            Ok(_) => Ok(true),
            Err(error) if *error == gone() => Ok(false),
            Err(error) => Err(error.clone()),
        }
    }

    async fn adopt(&self, path: PathBuf) -> Result<ContentHash, TaskError> {
        let unreadable = |error: MediaError| match error {
            MediaError::File { ref source, .. } if descriptors::are_used_up(source) => error.into(),
            _ => TaskError::new(ErrorCode::DownloadFailed, message::path_unreadable()).retryable(false),
        };
        let (sha256, _) = digest(&path).await.map_err(unreadable)?;
        let content = ContentHash(sha256.into());
        lock(&self.local).insert(content.clone(), path);
        Ok(content)
    }

    /// Earlier results for these files, by URL. Only sidecars of this machine are read, so files that another process
    /// probed, and files that were removed, may be missing.
    pub async fn known(&self, contents: &BTreeMap<String, ContentHash>) -> Facts {
        fn sidecar<T: DeserializeOwned>(path: &Path) -> Option<T> {
            serde_json::from_slice(&std::fs::read(path).ok()?).ok()
        }
        let sidecars = contents.iter().map(|(url, content)| {
            let [media, cuts, pauses] =
                [Sidecar::MEDIA, Sidecar::CUTS, Sidecar::PAUSES].map(|about| self.sidecar(content, about));
            (url.clone(), media, cuts, pauses)
        });
        let sidecars: Vec<_> = sidecars.collect();
        let read = move || {
            let mut facts = Facts::default();
            for (url, media, cuts, pauses) in sidecars {
                let Some(media) = sidecar(&media) else { continue };
                facts.media.insert(url.clone(), Ok(media));
                facts.cuts.extend(sidecar(&cuts).map(|cuts| (url.clone(), Ok(cuts))));
                facts.pauses.extend(sidecar(&pauses).map(|pauses| (url, Ok(pauses))));
            }
            facts
        };
        tokio::task::spawn_blocking(read).await.unwrap_or_default()
    }

    /// The facts about a file, from the sidecar beside it if it was probed before.
    pub async fn media_info(&self, content: &ContentHash) -> Result<MediaInfo, TaskError> {
        let sidecar = self.read_sidecar(content, Sidecar::MEDIA).await.filter(is_current);
        let info = match sidecar {
            Some(info) => info,
            None => {
                let info = self.probe(content).await?;
                self.write_sidecar(content, Sidecar::MEDIA, &info).await;
                info
            }
        };
        // The sidecar may come from another machine.
        self.repair(&SourceRef::of(&info, "")).await?;
        Ok(info)
    }

    async fn probe(&self, content: &ContentHash) -> Result<MediaInfo, TaskError> {
        let path = self.path(content);
        let repair = match probe_or_repair(&self.ffmpeg, &path, content.clone()).await? {
            ProbeOutcome::Usable(info) => return Ok(*info),
            ProbeOutcome::Repairable(repair) => repair,
        };
        if let Err(error) = self.make_repaired(content, &repair).await? {
            tracing::info!(%error, content = %content.0, "a file could not be repaired");
            if repair.muxer == animation::CONVERTED {
                return Err(animation::conversion_failed(&error));
            }
            return probe(&self.ffmpeg, &path, content.clone()).await;
        }
        let info = probe(&self.ffmpeg, &self.repaired_path(content), content.clone()).await?;
        let condition = info.condition.as_deref().cloned().unwrap_or_default();
        Ok(MediaInfo { condition: Some(Arc::new(Condition { repair: Some(repair), ..condition })), ..info })
    }

    /// The cuts of a file, from the sidecar beside it if it was scanned before.
    async fn cuts(&self, content: &ContentHash) -> Result<Cuts, TaskError> {
        let info = self.media_info(content).await?;
        let path = self.path_of(&SourceRef::of(&info, ""));
        let Some(video) = info.video else { return Ok(Cuts::default()) };
        if let Some(cuts) = self.read_sidecar(content, Sidecar::CUTS).await {
            return Ok(cuts);
        }
        // Another caller may have scanned it while this one waited.
        let _alone = self.looking.acquire().await;
        if let Some(cuts) = self.read_sidecar(content, Sidecar::CUTS).await {
            return Ok(cuts);
        }
        let cuts = cuts::find(&self.ffmpeg, &path, &video).await?;
        self.write_sidecar(content, Sidecar::CUTS, &cuts).await;
        Ok(cuts)
    }

    /// The pauses of a voice, from the sidecar beside it if it was searched before.
    async fn pauses(&self, content: &ContentHash) -> Result<Pauses, TaskError> {
        let info = self.media_info(content).await?;
        let path = self.path_of(&SourceRef::of(&info, ""));
        let Some(audio) = info.audio else { return Ok(Pauses::default()) };
        if let Some(pauses) = self.read_sidecar(content, Sidecar::PAUSES).await {
            return Ok(pauses);
        }
        let _permit = self.looking.acquire().await;
        let _space = self.disk.reserve(pauses::planned_bytes(&audio))?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let raw = PartialDownload(self.partial.path().join(format!("{number}.s16")));
        let search = pauses::find(&self.ffmpeg, &path, &audio, self.partial.path(), &raw.0);
        // The next task searches again.
        let Some(pauses) = search.await? else { return Ok(Pauses::default()) };
        self.write_sidecar(content, Sidecar::PAUSES, &pauses).await;
        Ok(pauses)
    }

    async fn subtitles(&self, content: &ContentHash) -> Result<Subtitles, TaskError> {
        let path = self.path(content);
        let size = tokio::fs::metadata(&path).await.map_err(MediaError::file("read", &path))?.len();
        if size > MAX_SUBTITLE_BYTES {
            let message = message::subtitle_bytes(size, MAX_SUBTITLE_BYTES);
            return Err(TaskError::new(ErrorCode::SubtitleInvalid, message));
        }
        let bytes = tokio::fs::read(&path).await.map_err(MediaError::file("read", &path))?;
        let invalid = |message| TaskError::new(ErrorCode::SubtitleInvalid, message);
        let text = unpacked(bytes).map_err(invalid)?;
        subtitle::parse(&text).map_err(|error| invalid(error.message()))
    }
}

fn is_repaired(condition: Option<&Condition>) -> bool {
    condition.is_some_and(|condition| condition.repair.is_some())
}

fn file_kind(kind: InputKind) -> FileKind {
    match kind {
        InputKind::Subtitle => FileKind::Text,
        // Fonts are not downloaded.
        InputKind::Media | InputKind::Cuts | InputKind::Pauses | InputKind::Transcript | InputKind::Font => {
            FileKind::Media
        }
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

enum InputFacts {
    Media(String, Box<Result<MediaInfo, TaskError>>),
    Subtitle(String, Result<Subtitles, TaskError>),
    Cuts(String, Result<Cuts, TaskError>),
    Pauses(String, Result<Pauses, TaskError>),
    Transcript(String, Result<Transcript, TaskError>),
    Font(String, Result<FontFile, TaskError>),
}

/// The file of a download, removed when dropped unless it was renamed.
struct PartialDownload(PathBuf);

impl Drop for PartialDownload {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The error about an upload or input that was removed.
fn gone() -> TaskError {
    TaskError::new(ErrorCode::DownloadFailed, message::upload_gone()).retryable(false)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
