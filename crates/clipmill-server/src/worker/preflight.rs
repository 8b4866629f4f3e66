//! Preflight: fetches and probes the files of a task, plans it, confirms the price.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{TaskId, UserId};
use clipmill_core::media::ContentHash;
use clipmill_core::message;
use clipmill_core::plan::schedule::{Costs, in_order};
use clipmill_core::plan::{Plan, PlannedItem, PlannedSegment, Warning, bad_inputs};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::results::{ResultRef, is_result};
use clipmill_core::speech::{Speech, transcribed_url};
use clipmill_media::cache::extension;
use clipmill_media::ingest::fetch::FileKind;
use clipmill_media::ingest::sources::SourceLocation;
use clipmill_store::{ItemPlan, Lease, NewSegment, PreflightItem, PreflightResult, ResultWait};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::lease::Progress;
use super::{Outcome, Worker, backoff_ms, internal};
use crate::clock;
use crate::media_service::speaker;
use crate::{planning_thread, result_inputs};

/// How many segments are looked up in storage at the same time.
const PARALLEL: usize = 16;

/// The preflight to do, and the number of this attempt.
#[derive(Clone, Copy)]
pub(super) struct PreflightJob {
    pub lease: Lease,
    pub attempt: u32,
    pub task: TaskId,
    pub user: UserId,
}

impl Worker {
    pub(super) async fn preflight(
        &self,
        job: PreflightJob,
        request: &TaskRequest,
        seed: u64,
        progress: &Progress,
    ) -> Outcome {
        let PreflightJob { lease, attempt, task, user } = job;
        if request.inputs().iter().any(|input| is_result(input.url)) {
            match self.store.jobs().await_results(lease, clock::now_ms()).await? {
                ResultWait::Over => {}
                ResultWait::Waiting => {
                    tracing::info!("task waits for results of other tasks");
                    return Ok(());
                }
                ResultWait::TooLong { days } => {
                    let error = TaskError::new(ErrorCode::DownloadFailed, message::result_waited_for(days));
                    return Err(error.retryable(false).into());
                }
            }
        }
        let earlier_facts = self.probed.take(task);
        let facts =
            self.engine.sources.gather(request, seed, earlier_facts, |url| self.locate(user, url)).await;
        let again = |error: &&TaskError| error.lacks_disk_space || backoff_ms(attempt).is_some();
        if let Some(error) = facts.transient_failure().filter(again) {
            let error = error.clone();
            self.probed.keep(task, facts);
            return Err(error.into());
        }
        let plan = planning_thread::run_beside_others(|| self.engine.plan(request, seed, &facts));
        let mut result = self.preflighted(plan).await?;
        result.bad_inputs = bad_inputs(request, &facts);
        result.warnings.extend(unnamed(&result));
        let (items, segments) = (result.items.len(), result.segments.len());
        tracing::info!(items, segments, bad_inputs = result.bad_inputs.len(), "task planned");
        progress.close();
        Ok(self.store.jobs().complete_preflight(lease, result, clock::now_ms()).await?)
    }

    /// The content behind a URL of this user; uploads, results and spoken texts belong to one user only.
    pub(super) async fn locate(&self, user: UserId, url: String) -> Result<SourceLocation, TaskError> {
        if let Some(id) = url.strip_prefix("upload://") {
            let upload = self.store.library().upload(user, id).await.map_err(|error| {
                tracing::error!(%error, "an upload could not be read from the database");
                let failed = internal(message::upload_not_looked_up());
                if error.cannot_write() { failed.with_disk_full() } else { failed }
            })?;
            return upload
                .map(|upload| SourceLocation::Stored(ContentHash(upload.content_sha256.into())))
                .ok_or_else(missing_upload);
        }
        if let Some(result) = ResultRef::of_url(&url) {
            let (blobs, sources) = (self.data.blobs(), &self.engine.sources);
            return result_inputs::locate(&*self.store, blobs, sources, &result, Some(user)).await;
        }
        if let Some(speech) = Speech::of_url(&url) {
            let spoken = self.engine.sources.speak(&speaker(user), &speech).await;
            return spoken.map(SourceLocation::Stored);
        }
        if let Some(inner) = transcribed_url(&url) {
            let located = Box::pin(self.locate(user, inner.to_owned())).await?;
            let content = self.engine.sources.obtain(located, FileKind::Media).await?;
            let transcript = self.engine.sources.transcript(&speaker(user), &content).await?;
            return Ok(SourceLocation::Transcript(transcript));
        }
        SourceLocation::remote(&url)
    }

    async fn preflighted(&self, plan: Plan) -> Result<PreflightResult, TaskError> {
        let costs = Costs::of(&plan.segments);
        let items: Vec<PreflightItem> =
            plan.items.into_iter().map(|item| self.preflighted_item(item, &costs)).collect();
        let renditions = items.iter().filter_map(|item| item.outcome.as_ref().ok());
        let planned = in_order(renditions.flat_map(|plan| &plan.segments), plan.segments);
        let looks = planned.into_iter().map(|segment| self.new_segment(segment));
        let segments = stream::iter(looks).buffered(PARALLEL).try_collect().await?;
        let diversity = plan.diversity;
        Ok(PreflightResult { items, segments, diversity, warnings: plan.warnings, bad_inputs: Vec::new() })
    }

    fn preflighted_item(&self, item: PlannedItem, costs: &Costs) -> PreflightItem {
        let PlannedItem { item_no, recipe, footage, outcome, warnings, .. } = item;
        let outcome = outcome.map(|rendition| ItemPlan {
            points: self.settings.prices.points(rendition.extent()),
            segments: costs.longest_first(rendition.segments()),
            rendition,
        });
        PreflightItem { item_no, recipe, footage, warnings, outcome }
    }

    async fn new_segment(&self, segment: PlannedSegment) -> Result<NewSegment, TaskError> {
        let PlannedSegment { key, spec, sources } = segment;
        let present = self.engine.renderer.cache.is_made(&key, extension(&spec)).await?;
        Ok(NewSegment { key, spec, sources, present })
    }
}

/// Warnings about bad inputs that were replaced by others, so that no item's error mentions them.
fn unnamed(result: &PreflightResult) -> Vec<Warning> {
    let errors: Vec<&TaskError> =
        result.items.iter().filter_map(|item| item.outcome.as_ref().err()).collect();
    let silent = result.bad_inputs.iter().filter_map(|error| Some((error, error.input.as_deref()?)));
    let silent = silent.filter(|(_, input)| {
        !errors.iter().any(|error| error.input.as_deref() == Some(input) || error.message.mentions(input))
    });
    let warning = |(error, input): (&TaskError, &str)| Warning {
        path: String::new(),
        message: message::left_out(input, &error.message),
    };
    silent.map(warning).collect()
}

/// The error about an upload that was removed, or belongs to another user.
fn missing_upload() -> TaskError {
    TaskError::new(ErrorCode::DownloadFailed, message::upload_gone()).retryable(false)
}
