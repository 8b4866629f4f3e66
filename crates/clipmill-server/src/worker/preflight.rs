//! Preflight: fetch and probe what the plan uses, plan, confirm the price.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{TaskId, UserId};
use clipmill_core::media::ContentHash;
use clipmill_core::plan::{Plan, PlannedItem, PlannedSegment, Warning, bad_inputs};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::segment::{SegmentHash, SegmentSpec};
use clipmill_media::cache::extension;
use clipmill_media::ingest::sources::Located;
use clipmill_store::{ItemPlan, Lease, NewSegment, Preflighted, PreflightedItem};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::lease::Progress;
use super::probed::passing_failure;
use super::{Outcome, Worker, backoff_ms, internal};
use crate::clock;

/// Segments looked for in storage side by side.
const PARALLEL: usize = 16;

/// Which preflight is to be done, for the how-manyth time.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub lease: Lease,
    pub attempt: u32,
    pub task: TaskId,
    pub user: UserId,
}

impl Worker {
    pub(super) async fn preflight(
        &self,
        order: Order,
        request: &TaskRequest,
        seed: u64,
        progress: &Progress,
    ) -> Outcome {
        let Order { lease, attempt, task, user } = order;
        let known = self.probed.take(task);
        let facts = self.engine.sources.gather(request, seed, known, |url| self.locate(user, url)).await;
        let again = |error: &&TaskError| error.lacks_room || backoff_ms(attempt).is_some();
        if let Some(error) = passing_failure(&facts).filter(again) {
            let error = error.clone();
            self.probed.keep(task, facts);
            return Err(error.into());
        }
        let plan = self.engine.plan(request, seed, &facts);
        let mut found = self.preflighted(plan).await?;
        found.bad_inputs = bad_inputs(request, &facts);
        found.warnings.extend(unnamed(&found));
        let (items, segments) = (found.items.len(), found.segments.len());
        tracing::info!(items, segments, bad_inputs = found.bad_inputs.len(), "task is planned");
        progress.close();
        Ok(self.store.finish_preflight(lease, found, clock::now_ms()).await?)
    }

    /// Where a url of this user's leads: uploads belong to one user only.
    pub(super) async fn locate(&self, user: UserId, url: String) -> Result<Located, TaskError> {
        if let Some(id) = url.strip_prefix("upload://") {
            let upload = self.store.upload(user, id).await.map_err(|error| {
                tracing::error!(%error, "an upload could not be looked up");
                let failed = internal("the upload could not be looked up");
                if error.cannot_write() { failed.lacking_room() } else { failed }
            })?;
            return upload
                .map(|upload| Located::Stored(ContentHash(upload.content_sha256.into())))
                .ok_or_else(gone);
        }
        Located::remote(&url)
    }

    async fn preflighted(&self, plan: Plan) -> Result<Preflighted, TaskError> {
        let costs: HashMap<SegmentHash, u64> =
            plan.segments.iter().map(|segment| (segment.hash.clone(), cost(&segment.spec))).collect();
        let items: Vec<PreflightedItem> =
            plan.items.into_iter().map(|item| self.preflighted_item(item, &costs)).collect();
        // Segments of items that failed later in planning are left out.
        let used = items.iter().filter_map(|item| item.outcome.as_ref().ok()).flat_map(|plan| &plan.segments);
        let used: HashSet<SegmentHash> = used.cloned().collect();
        let mut known: HashMap<SegmentHash, PlannedSegment> =
            plan.segments.into_iter().map(|segment| (segment.hash.clone(), segment)).collect();
        let mut planned = Vec::with_capacity(used.len());
        let mut seen = HashSet::new();
        let order =
            items.iter().filter_map(|item| item.outcome.as_ref().ok()).flat_map(|plan| &plan.segments);
        for hash in order.filter(|hash| seen.insert(*hash)) {
            planned.extend(known.remove(hash));
        }
        let looks = planned.into_iter().map(|segment| self.new_segment(segment));
        let segments = stream::iter(looks).buffered(PARALLEL).try_collect().await?;
        let diversity = plan.diversity;
        Ok(Preflighted { items, segments, diversity, warnings: plan.warnings, bad_inputs: Vec::new() })
    }

    fn preflighted_item(&self, item: PlannedItem, costs: &HashMap<SegmentHash, u64>) -> PreflightedItem {
        let PlannedItem { item_no, recipe, outcome, warnings, .. } = item;
        let outcome = outcome.map(|rendition| ItemPlan {
            points: self.settings.prices.points(rendition.tier, rendition.frames, rendition.fps),
            segments: longest_first(rendition.segments(), costs),
            rendition,
        });
        PreflightedItem { item_no, recipe, warnings, outcome }
    }

    async fn new_segment(&self, segment: PlannedSegment) -> Result<NewSegment, TaskError> {
        let PlannedSegment { hash, spec, sources } = segment;
        let present = self.engine.renderer.cache.is_made(&hash, extension(&spec)).await?;
        Ok(NewSegment { hash, spec, sources, present })
    }
}

/// The order in which an item's segments are made: sounds, so that they are mixed beside the pictures and nothing
/// is left for the end; then what takes long, so that nothing long is left for one slot while the others have
/// nothing to do.
fn longest_first(mut segments: Vec<SegmentHash>, costs: &HashMap<SegmentHash, u64>) -> Vec<SegmentHash> {
    segments.sort_by_key(|hash| Reverse(costs.get(hash).copied().unwrap_or_default()));
    segments
}

/// Pixels to be encoded; sounds stand before all of them.
fn cost(spec: &SegmentSpec) -> u64 {
    match spec {
        SegmentSpec::Picture(picture) => {
            picture.frames.0 * u64::from(picture.size.width) * u64::from(picture.size.height)
        }
        SegmentSpec::Sound(_) => u64::MAX,
    }
}

/// Remarks on bad inputs that others took the place of: no item's error speaks of them.
fn unnamed(found: &Preflighted) -> Vec<Warning> {
    let named: Vec<&TaskError> = found.items.iter().filter_map(|item| item.outcome.as_ref().err()).collect();
    let silent = found.bad_inputs.iter().filter_map(|error| Some((error, error.input.as_deref()?)));
    let silent = silent.filter(|(_, input)| {
        !named.iter().any(|error| error.input.as_deref() == Some(input) || error.message.contains(input))
    });
    let warning = |(error, input): (&TaskError, &str)| Warning {
        path: String::new(),
        message: format!("{input} was left out: {}", error.message),
    };
    silent.map(warning).collect()
}

/// An upload that was removed, or never was this user's.
fn gone() -> TaskError {
    TaskError::new(ErrorCode::DownloadFailed, "the uploaded file is not there any more; upload it again")
        .retryable(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sounds_are_made_first_then_what_takes_long_and_equals_keep_their_order() {
        let hash = |name: &str| SegmentHash(name.into());
        let costs = [("short", 10), ("long", 90), ("sound", u64::MAX), ("other", 10)];
        let costs = costs.map(|(name, cost)| (hash(name), cost)).into_iter().collect();
        let order = ["short", "long", "other", "sound"].map(hash).to_vec();
        assert_eq!(longest_first(order, &costs), ["sound", "long", "short", "other"].map(hash));
    }
}
