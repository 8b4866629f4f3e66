//! `GET …/list`: the caller's tasks, newest first.

use std::sync::Arc;

use axum::extract::State;
use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_core::request::model::TaskType;
use clipmill_core::task::TaskState;
use clipmill_store::{GroupedPage, Page, Paged, TaskFilter};

use crate::api::extract::query::{PageParams, Params, moment, short};
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::clock;
use crate::error::ApiResult;
use crate::view::{Answer, BatchView, Envelope, FoldName, PageTaskView, TaskTypeName, TaskView};

const MAX_SEARCH_LENGTH: usize = 200;
const MAX_LABEL_LENGTH: usize = 60;
const FOLD: &str = "fold";

/// Your tasks, newest first. With `batches=fold`, each batch is one entry instead of its tasks: `batches` contains
/// those of the page, to be sorted by `createTime` among the tasks of `list`. Tasks selected by `status`, `taskType`,
/// `q` or `label` are still listed individually.
#[utoipa::path(get, path = "/open-api/v1/video-process/list", operation_id = "listTasks", tag = "tasks",
    security(("apiKey" = ["read"])),
    params(
        PageParams,
        ("status" = Option<u8>, Query, minimum = 0, maximum = 6, description = "Only tasks in this state."),
        ("taskType" = Option<TaskTypeName>, Query, description = "Only tasks of this type."),
        ("q" = Option<String>, Query, max_length = 200, description = "Prefix search over the words of name, task number and clientTaskId; every word must match. `total` then stops at 10,000."),
        ("label" = Option<String>, Query, max_length = 60, description = "Only tasks with this label. `total` then stops at 10,000."),
        ("from" = Option<String>, Query, format = DateTime, description = "Only tasks submitted at this time or later: RFC 3339, or a date (UTC). `total` then stops at 10,000."),
        ("to" = Option<String>, Query, format = DateTime, description = "Only tasks submitted before this time: RFC 3339, or a date (UTC), which excludes that day's tasks. `total` then stops at 10,000."),
        ("batches" = Option<FoldName>, Query, description = "`fold` lists a batch instead of its tasks. `total` then stops at 10,000."),
    ),
    responses((status = 200, description = "A page of tasks, without their items.", body = Answer<PageTaskView>)))]
pub async fn list(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageTaskView>> {
    let page = params.page();
    let state = params.read("status", message::a_whole_number(0u32, 6u32), state);
    let filter = TaskFilter { state, ..filter(&mut params) };
    let fold = params.read("batches", message::one_of(FOLD), |text| (text == FOLD).then_some(()));
    params.finish()?;
    let now = clock::now_ms();
    let task_page = find_page(&app, caller.user, &filter, page, fold.is_some()).await?;
    let load = app.eta.of(&*app.store, &task_page.tasks).await;
    let list =
        task_page.tasks.into_iter().map(|task| TaskView::listed(task, &app.links, &load, now)).collect();
    let batches = task_page.batches.into_iter().map(|batch| BatchView::new(batch, now)).collect();
    let batches = fold.map(|()| batches);
    Ok(Envelope(PageTaskView {
        list,
        batches,
        total: task_page.total,
        page_no: page.number,
        page_size: page.size,
    }))
}

async fn find_page(
    app: &App,
    user: UserId,
    filter: &TaskFilter,
    page: Page,
    fold: bool,
) -> ApiResult<GroupedPage> {
    if fold && filter.finds_batches() {
        return Ok(app.store.batches().grouped_tasks(user, filter, page).await?);
    }
    let Paged { list, total } = app.store.tasks().list(user, filter, page).await?;
    Ok(GroupedPage { tasks: list, batches: Vec::new(), total })
}

/// The filters of a search for tasks, apart from their state.
pub(super) fn filter(params: &mut Params) -> TaskFilter {
    TaskFilter {
        state: None,
        task_type: params.read(
            "taskType",
            message::one_of(TaskType::ALL.map(TaskType::as_str).join(", ")),
            TaskType::parse,
        ),
        words: params
            .read("q", message::text_of_at_most(MAX_SEARCH_LENGTH), |text| short(text, MAX_SEARCH_LENGTH)),
        label: params
            .read("label", message::text_of_at_most(MAX_LABEL_LENGTH), |text| short(text, MAX_LABEL_LENGTH)),
        from: params.read("from", message::a_moment(), moment),
        to: params.read("to", message::a_moment(), moment),
    }
}

fn state(text: &str) -> Option<TaskState> {
    text.parse().ok().and_then(TaskState::from_code)
}
