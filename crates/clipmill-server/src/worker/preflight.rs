//! Preflight: fetch and probe what the plan uses, plan, confirm the price.

use std::collections::{HashMap, HashSet};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::media::ContentHash;
use clipmill_core::plan::{Plan, PlannedItem, PlannedSegment};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::segment::SegmentHash;
use clipmill_media::sources::Located;
use clipmill_store::{ItemPlan, Lease, NewSegment, Preflighted, PreflightedItem};
use url::Url;

use super::{Outcome, Worker, internal};
use crate::clock;

impl Worker {
    pub(super) async fn preflight(
        &self,
        lease: Lease,
        user: UserId,
        request: &TaskRequest,
        seed: u64,
    ) -> Outcome {
        let facts = self.engine.sources.gather(request, seed, |url| self.locate(user, url)).await;
        let plan = self.engine.plan(request, seed, &facts);
        let found = self.preflighted(plan).await;
        Ok(self.store.finish_preflight(lease, found, clock::now_ms()).await?)
    }

    /// Where a url of this user's leads: uploads belong to one user only.
    pub(super) async fn locate(&self, user: UserId, url: String) -> Result<Located, TaskError> {
        if let Some(id) = url.strip_prefix("upload://") {
            let upload = self.store.upload(user, id).await.map_err(|error| {
                tracing::error!(%error, "an upload could not be looked up");
                internal("the upload could not be looked up")
            })?;
            let gone = || {
                TaskError::new(ErrorCode::DownloadFailed, "there is no such upload; upload the file again")
                    .retryable(false)
            };
            return upload.map(|upload| Located::Stored(ContentHash(upload.content_sha256))).ok_or_else(gone);
        }
        let refused = |_| TaskError::new(ErrorCode::UrlScheme, "not a web address");
        Url::parse(&url).map(Located::Remote).map_err(refused)
    }

    async fn preflighted(&self, plan: Plan) -> Preflighted {
        let items: Vec<PreflightedItem> =
            plan.items.into_iter().map(|item| self.preflighted_item(item)).collect();
        // Segments of items that failed later in planning are left out.
        let used = items.iter().filter_map(|item| item.outcome.as_ref().ok()).flat_map(|plan| &plan.segments);
        let used: HashSet<SegmentHash> = used.cloned().collect();
        let mut known: HashMap<SegmentHash, PlannedSegment> =
            plan.segments.into_iter().map(|segment| (segment.hash.clone(), segment)).collect();
        let mut segments = Vec::with_capacity(used.len());
        let mut seen = HashSet::new();
        let order =
            items.iter().filter_map(|item| item.outcome.as_ref().ok()).flat_map(|plan| &plan.segments);
        for hash in order.filter(|hash| seen.insert(*hash)) {
            if let Some(segment) = known.remove(hash) {
                segments.push(self.new_segment(segment).await);
            }
        }
        Preflighted { items, segments, warnings: plan.warnings }
    }

    fn preflighted_item(&self, item: PlannedItem) -> PreflightedItem {
        let PlannedItem { item_no, recipe, outcome, warnings, .. } = item;
        let outcome = outcome.map(|rendition| ItemPlan {
            points: self.settings.prices.points(rendition.tier, rendition.frames, rendition.fps),
            segments: rendition.segments(),
            rendition,
        });
        PreflightedItem { item_no, recipe, warnings, outcome }
    }

    async fn new_segment(&self, segment: PlannedSegment) -> NewSegment {
        let PlannedSegment { hash, spec, sources } = segment;
        let present = self.engine.renderer.cache.has(&hash, &spec).await;
        NewSegment { hash, spec, sources, present }
    }
}
