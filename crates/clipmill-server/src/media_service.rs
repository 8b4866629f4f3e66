//! Probes files and renders single frames and short clips for the API, with the worker's engine.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use clipmill_blobs::Blobs;
use clipmill_core::editorial::EditorialTimeline;
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::media::{ContentHash, Facts};
use clipmill_core::message;
use clipmill_core::plan::{FrameError, Moment, Plan, PlannedClip, PlannedFrame, needed_inputs};
use clipmill_core::request::Input;
use clipmill_core::request::model::TaskRequest;
use clipmill_core::results::ResultRef;
use clipmill_core::speech::Speech;
use clipmill_media::engine::Engine;
use clipmill_media::error::MediaError;
use clipmill_media::ingest::sources::SourceLocation;
use clipmill_media::previews::excerpt::PlannedAudioExcerpt;
use clipmill_store::Store;

use crate::{planning_thread, result_inputs, view};

/// Probes media files, plans requests and renders previews.
#[async_trait]
pub trait MediaService: Send + Sync + 'static {
    /// The reason why this process is not ready to process media; `None` if it is ready or runs no worker.
    fn obstacle(&self) -> Option<String> {
        None
    }

    /// Facts about the file in the form that clients see; an error if it is not media.
    async fn probe(&self, path: &Path, sha256: &str) -> Result<serde_json::Value, TaskError>;

    /// The number of files that planning the request fetches first.
    fn count_inputs(&self, request: &TaskRequest, seed: u64) -> usize {
        needed_inputs(request, seed, &Facts::default()).len()
    }

    /// Facts about these uploads that are stored on this machine; nothing is fetched.
    async fn known(&self, uploads: &BTreeMap<String, ContentHash>) -> Facts;

    /// Fetches and probes the files that the request needs, and plans it. `uploads` has the content hashes of all
    /// `upload://` URLs in it; its results must be the caller's.
    async fn plan(&self, request: &TaskRequest, seed: u64, uploads: &BTreeMap<String, ContentHash>) -> Plan;

    /// Plans one frame of the request, from no more files than it needs.
    async fn plan_frame(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        uploads: &BTreeMap<String, ContentHash>,
    ) -> Result<PlannedFrame, FrameError>;

    /// Plans one frame of a file without changes; `upload` is the content hash of an `upload://` URL.
    async fn plan_thumbnail(
        &self,
        url: &str,
        upload: Option<ContentHash>,
        at_s: Option<f64>,
    ) -> Result<PlannedFrame, TaskError>;

    /// Facts about the file at a url in the form that clients see.
    async fn probe_url(&self, url: &str, upload: Option<ContentHash>)
    -> Result<serde_json::Value, TaskError>;

    /// The key of a frame: frames with the same key look the same.
    fn name_frame(&self, planned: &PlannedFrame, width: u32) -> String;

    /// Renders the frame as a JPEG no wider than `width`.
    async fn make_frame(&self, planned: &PlannedFrame, width: u32) -> Result<Vec<u8>, TaskError>;

    /// Plans `seconds` of an output of the request, from the given time on.
    async fn plan_clip(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        seconds: f64,
        uploads: &BTreeMap<String, ContentHash>,
    ) -> Result<PlannedClip, FrameError>;

    /// Plans the timeline of an output for editing programs. `contents` has the content hashes of all `upload://` urls in
    /// the request, and those of other files that need not be fetched.
    async fn plan_editorial(
        &self,
        request: &TaskRequest,
        seed: u64,
        item_no: u32,
        contents: &BTreeMap<String, ContentHash>,
    ) -> Result<EditorialTimeline, FrameError>;

    /// Renders the planned seconds as an MP4.
    async fn make_clip(&self, planned: &PlannedClip) -> Result<Vec<u8>, TaskError>;

    /// Plans an excerpt of the audio of a file; `upload` is the content hash of an `upload://` URL.
    async fn plan_audio_excerpt(
        &self,
        url: &str,
        upload: Option<ContentHash>,
        at_s: f64,
        seconds: f64,
    ) -> Result<PlannedAudioExcerpt, TaskError>;

    /// Renders the excerpt as AAC in MP4.
    async fn make_audio_excerpt(&self, planned: &PlannedAudioExcerpt) -> Result<Vec<u8>, TaskError>;

    /// The content that speaks a text of a user, if this machine has it; nothing is fetched.
    async fn spoken(&self, user: UserId, speech: &Speech) -> Option<ContentHash>;

    /// The key of what is spoken in a file of a user, if this machine has it; nothing is transcribed.
    async fn transcribed(&self, user: UserId, content: &ContentHash) -> Option<ContentHash>;

    /// The audio of a text of a user, if it was spoken before.
    async fn spoken_audio(&self, user: UserId, speech: &Speech) -> Result<Option<SpokenAudio>, TaskError>;

    /// Speaks a text of a user.
    async fn speak(&self, user: UserId, speech: &Speech) -> Result<SpokenAudio, TaskError>;

    /// Forgets that a text of a user was spoken.
    async fn forget_speech(&self, user: UserId, speech: &Speech);
}

/// The audio of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenAudio {
    pub wav: Vec<u8>,
}

/// The [`MediaService`] that uses the engine of the worker.
pub struct EngineMedia {
    engine: Arc<Engine>,
    store: Arc<dyn Store>,
    /// The storage of results.
    blobs: Blobs,
    /// Whether this process has a worker, which needs a machine that passes the self-test.
    works: bool,
    /// A counter that distinguishes frames, clips and audio excerpts in progress.
    attempts: AtomicU64,
}

impl EngineMedia {
    pub fn new(engine: Arc<Engine>, store: Arc<dyn Store>, blobs: Blobs, works: bool) -> Self {
        Self { engine, store, blobs, works, attempts: AtomicU64::new(0) }
    }
}

#[async_trait]
impl MediaService for EngineMedia {
    fn obstacle(&self) -> Option<String> {
        self.engine.self_test.condition().borrow().obstacle().filter(|_| self.works)
    }

    async fn probe(&self, _path: &Path, sha256: &str) -> Result<serde_json::Value, TaskError> {
        let info = self.engine.sources.media_info(&ContentHash(sha256.into())).await?;
        Ok(view::media(&info))
    }

    async fn known(&self, uploads: &BTreeMap<String, ContentHash>) -> Facts {
        self.engine.sources.known(uploads).await
    }

    async fn plan(&self, request: &TaskRequest, seed: u64, uploads: &BTreeMap<String, ContentHash>) -> Plan {
        let sources = &self.engine.sources;
        let facts = sources
            .gather(request, seed, Facts::default(), async |url| self.locate(&url, uploads.get(&url)).await)
            .await;
        let mut plan =
            planning_thread::run_beside_others(|| self.engine.plan_for_estimate(request, seed, &facts));
        let is_silent =
            |input: Input| Speech::of_url(input.url).is_some() && !uploads.contains_key(input.url);
        if request.inputs().into_iter().any(is_silent) {
            // Silence says nothing about the voice.
            let warnings = plan.items.iter_mut().map(|item| &mut item.warnings);
            warnings.for_each(|all| all.retain(|warning| warning.message != message::voice_without_pauses()));
        }
        // The transcripts are an example.
        let warnings = plan.items.iter_mut().map(|item| &mut item.warnings);
        warnings.for_each(|all| all.retain(|warning| warning.message != message::transcript_without_times()));
        plan
    }

    async fn plan_frame(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        uploads: &BTreeMap<String, ContentHash>,
    ) -> Result<PlannedFrame, FrameError> {
        self.engine
            .plan_frame(request, seed, moment, async |url| self.locate(&url, uploads.get(&url)).await)
            .await
    }

    async fn plan_thumbnail(
        &self,
        url: &str,
        upload: Option<ContentHash>,
        at_s: Option<f64>,
    ) -> Result<PlannedFrame, TaskError> {
        let located = self.locate(url, upload.as_ref()).await;
        self.engine.plan_thumbnail(url, at_s, async |_| located.clone()).await
    }

    async fn probe_url(
        &self,
        url: &str,
        upload: Option<ContentHash>,
    ) -> Result<serde_json::Value, TaskError> {
        let located = self.locate(url, upload.as_ref()).await;
        let info = self.engine.probe_one(url, async |_| located.clone()).await?;
        Ok(view::media(&info))
    }

    fn name_frame(&self, planned: &PlannedFrame, width: u32) -> String {
        planned.name(&self.engine.toolchain, width).0.to_string()
    }

    async fn make_frame(&self, planned: &PlannedFrame, width: u32) -> Result<Vec<u8>, TaskError> {
        let attempt = format!("frame-{}", self.attempts.fetch_add(1, Ordering::Relaxed));
        self.engine.make_frame(&attempt, planned, width).await
    }

    async fn plan_clip(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        seconds: f64,
        uploads: &BTreeMap<String, ContentHash>,
    ) -> Result<PlannedClip, FrameError> {
        self.engine
            .plan_clip(request, seed, moment, seconds, async |url| self.locate(&url, uploads.get(&url)).await)
            .await
    }

    async fn plan_editorial(
        &self,
        request: &TaskRequest,
        seed: u64,
        item_no: u32,
        contents: &BTreeMap<String, ContentHash>,
    ) -> Result<EditorialTimeline, FrameError> {
        // Silence or an example of captions, as in previews, would give another timeline.
        let is_there = |url: &str| contents.contains_key(url) || url.starts_with("http");
        let locate = async |url: String| match is_there(&url) {
            true => self.locate(&url, contents.get(&url)).await,
            // Its copy among the inputs may have been removed while the result itself is still stored.
            false if ResultRef::of_url(&url).is_some() => {
                let located = self.locate(&url, None).await?;
                if let SourceLocation::Stored(content) = &located {
                    self.engine.sources.share(content).await?;
                }
                Ok(located)
            }
            false => Err(TaskError::new(ErrorCode::DownloadFailed, message::input_gone()).retryable(false)),
        };
        self.engine.plan_editorial(request, seed, item_no, locate).await
    }

    async fn make_clip(&self, planned: &PlannedClip) -> Result<Vec<u8>, TaskError> {
        let attempt = format!("clip-{}", self.attempts.fetch_add(1, Ordering::Relaxed));
        self.engine.make_clip(&attempt, planned).await
    }

    async fn plan_audio_excerpt(
        &self,
        url: &str,
        upload: Option<ContentHash>,
        at_s: f64,
        seconds: f64,
    ) -> Result<PlannedAudioExcerpt, TaskError> {
        let located = self.locate(url, upload.as_ref()).await;
        self.engine.plan_audio_excerpt(url, at_s, seconds, async |_| located.clone()).await
    }

    async fn make_audio_excerpt(&self, planned: &PlannedAudioExcerpt) -> Result<Vec<u8>, TaskError> {
        let attempt = format!("audio-{}", self.attempts.fetch_add(1, Ordering::Relaxed));
        self.engine.make_audio_excerpt(&attempt, planned).await
    }

    async fn spoken(&self, user: UserId, speech: &Speech) -> Option<ContentHash> {
        self.engine.sources.spoken(&speaker(user), speech).await
    }

    async fn transcribed(&self, user: UserId, content: &ContentHash) -> Option<ContentHash> {
        self.engine.sources.transcribed(&speaker(user), content).await
    }

    async fn spoken_audio(&self, user: UserId, speech: &Speech) -> Result<Option<SpokenAudio>, TaskError> {
        match self.engine.sources.spoken_or_shared(&speaker(user), speech).await? {
            Some(content) => self.audio_of(&content).await.map(Some),
            None => Ok(None),
        }
    }

    async fn speak(&self, user: UserId, speech: &Speech) -> Result<SpokenAudio, TaskError> {
        let content = self.engine.sources.speak(&speaker(user), speech).await?;
        self.audio_of(&content).await
    }

    async fn forget_speech(&self, user: UserId, speech: &Speech) {
        self.engine.sources.forget_speech(&speaker(user), speech).await;
    }
}

impl EngineMedia {
    /// The file of a URL of the caller, with its content if that is known. A result is brought to this machine.
    async fn locate(&self, url: &str, content: Option<&ContentHash>) -> Result<SourceLocation, TaskError> {
        match ResultRef::of_url(url) {
            Some(result) => {
                result_inputs::locate(&*self.store, &self.blobs, &self.engine.sources, &result, None).await
            }
            None => SourceLocation::of(url, content.cloned()),
        }
    }

    async fn audio_of(&self, content: &ContentHash) -> Result<SpokenAudio, TaskError> {
        let path = self.engine.sources.path(content);
        let wav = tokio::fs::read(&path).await.map_err(MediaError::file("read", &path))?;
        Ok(SpokenAudio { wav })
    }
}

/// The user in the keys of spoken texts.
pub(crate) fn speaker(user: UserId) -> String {
    user.0.to_string()
}
