//! The timeline of an output for editing programs: probes the files it needs and plans it.

use std::future::Future;

use clipmill_core::editorial::EditorialTimeline;
use clipmill_core::error::TaskError;
use clipmill_core::media::Facts;
use clipmill_core::plan::{FrameError, editorial_inputs, editorial_timeline};
use clipmill_core::request::model::TaskRequest;

use crate::engine::Engine;
use crate::ingest::sources::SourceLocation;

impl Engine {
    /// Plans the timeline of an output from all its files. `locate` resolves a URL.
    pub async fn plan_editorial<F>(
        &self,
        request: &TaskRequest,
        seed: u64,
        item_no: u32,
        locate: impl Fn(String) -> F,
    ) -> Result<EditorialTimeline, FrameError>
    where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        let mut facts = Facts::default();
        loop {
            let inputs = editorial_inputs(request, seed, &facts, item_no);
            if inputs.is_empty() {
                return editorial_timeline(request, seed, &facts, &self.context(), item_no);
            }
            self.probe_cached(inputs, &mut facts, &locate).await;
        }
    }
}
