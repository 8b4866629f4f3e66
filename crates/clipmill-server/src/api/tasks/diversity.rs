//! `GET …/diversity/{taskNo}`: shared footage and visual similarity of each pair of a task's outputs.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use clipmill_core::ids::TaskNo;
use clipmill_core::plan::pairs;

use crate::api::blocking::{IsRequested, run_with_permit};
use crate::api::extract::query::Params;
use crate::api::tasks::request::kept_request;
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::error::{ApiError, ApiResult};
use crate::view::{Answer, DiversityPairSchema, Envelope, PageView};

/// The pairs of two hundred outputs fill ten pages of this size.
const LARGEST_PAGE: u32 = 2_000;

/// Similarity of the outputs of a task. Lists every pair of outputs (19,900 for a task with 200 outputs), sorted by
/// shared footage, then by similarity. The task's status contains the worst pairs. Outputs that cannot be rendered
/// are left out. Visual similarity is available once the task has ended, for as long as the files are kept.
#[utoipa::path(get, path = "/open-api/v1/video-process/diversity/{taskNo}", operation_id = "getTaskDiversity", tag = "tasks",
    security(("apiKey" = ["read"])),
    params(
        ("taskNo" = String, Path, description = "Task number from the submission's response."),
        ("pageNo" = Option<u32>, Query, minimum = 1, description = "Page number, from 1."),
        ("pageSize" = Option<u32>, Query, minimum = 1, maximum = 2000, description = "Entries of a page; 10 by default."),
    ),
    responses((status = 200, description = "A page of pairs.", body = Answer<PageView<DiversityPairSchema>>)))]
pub async fn diversity(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    task_no: Result<Path<String>, PathRejection>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<DiversityPairSchema>>> {
    let page = params.page_of(LARGEST_PAGE);
    params.finish()?;
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    let task = app.store.tasks().find(caller.user, &task_no).await?.ok_or_else(ApiError::not_found)?;
    let request = kept_request(&app, caller.user, &task_no).await?;
    let outputs = app.store.tasks().footage(task.id).await?;
    let fps = request.params.fps();
    let alike = app.similarities.of(&*app.store, caller.user, &task).await?;
    // A thousand outputs have half a million pairs.
    let permit = app.semaphores.plans.acquire(caller.user).await?;
    let listed = move |_: &IsRequested| pairs(&outputs, fps, alike.as_ref().map(|alike| &alike.similarities));
    let all_pairs = run_with_permit(permit, listed).await?;
    // Tasks planned by releases without footage listed all their pairs in the plan.
    let all_pairs = if all_pairs.is_empty() {
        task.diversity.map(|stored| stored.pairs).unwrap_or_default()
    } else {
        all_pairs
    };
    let total = all_pairs.len() as u64;
    let skipped = (page.number as usize - 1).saturating_mul(page.size as usize);
    let list = all_pairs.into_iter().skip(skipped).take(page.size as usize).map(Into::into).collect();
    Ok(Envelope(PageView { list, total, page_no: page.number, page_size: page.size }))
}
