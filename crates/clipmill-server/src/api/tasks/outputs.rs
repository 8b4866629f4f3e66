//! `GET …/outputs`: finished videos of all the caller's tasks, those of the newest task first.

use std::sync::Arc;

use axum::extract::State;

use super::list::filter;
use crate::api::extract::query::{PageParams, Params};
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::clock;
use crate::error::ApiResult;
use crate::view::{Answer, Envelope, OutputView, PageView, TaskTypeName};

/// Finished videos of all your tasks, those of the newest task first, and within a task in its order.
/// Lists and counts the newest 10,000 matching outputs. Once a file has been deleted, its `url` is null.
#[utoipa::path(get, path = "/open-api/v1/video-process/outputs", operation_id = "listOutputs", tag = "tasks",
    security(("apiKey" = ["read"])),
    params(
        PageParams,
        ("taskType" = Option<TaskTypeName>, Query, description = "Only outputs of tasks of this type."),
        ("q" = Option<String>, Query, max_length = 200, description = "Only outputs of tasks that match: prefix search over the words of name, task number and clientTaskId; every word must match."),
        ("label" = Option<String>, Query, max_length = 60, description = "Only outputs of tasks with this label."),
        ("from" = Option<String>, Query, format = DateTime, description = "Only outputs of tasks submitted at this time or later: RFC 3339, or a date (UTC)."),
        ("to" = Option<String>, Query, format = DateTime, description = "Only outputs of tasks submitted before this time: RFC 3339, or a date (UTC), which excludes that day's tasks."),
    ),
    responses((status = 200, description = "A page of outputs with fresh links.", body = Answer<PageView<OutputView>>)))]
pub async fn outputs(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<OutputView>>> {
    let page = params.page();
    let filter = filter(&mut params);
    params.finish()?;
    let output_page = app.store.tasks().outputs(caller.user, &filter, page).await?;
    let now = clock::now_ms();
    let list = output_page.list.into_iter().map(|output| OutputView::of(output, &app.links, now)).collect();
    Ok(Envelope(PageView { list, total: output_page.total, page_no: page.number, page_size: page.size }))
}
