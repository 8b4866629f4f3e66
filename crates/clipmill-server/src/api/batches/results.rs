//! `GET …/batches/{batchNo}/download` and `…/results.csv`: all outputs of a batch.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clipmill_core::ids::BatchNo;
use clipmill_core::request::table::write_table;
use clipmill_store::{BatchItem, BatchRecord, RowFilter, RowState};

use super::{PathNo, find};
use crate::api::extract::query::Params;
use crate::api::tasks::download::{File, zip};
use crate::app::App;
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::http::auth::{Caller, Read};
use crate::links::{Linked, canonical};
use crate::view::FileBytes;
use crate::words;

/// How many outputs, or rows, are read at once.
const AT_ONCE: u32 = 1_000;
const COLUMNS: [&str; 5] = ["row", "taskNo", "item", "url", "error"];

/// Download all results of a batch as one zip, however large; the files are called `row-taskNo-itemNo.mp4`.
///
/// With your key, or by the link in the batch's `downloadUrl`, which needs none.
#[utoipa::path(get, path = "/open-api/v1/batches/{batchNo}/download", operation_id = "downloadBatch", tag = "batches",
    params(
        ("batchNo" = String, Path, description = "Number of the batch."),
        ("expires" = Option<String>, Query, description = "Of a signed link: when it ends, in seconds since 1970."),
        ("signature" = Option<String>, Query, description = "Of a signed link."),
    ),
    responses((status = 200, description = "The archive.", content_type = "application/zip", body = inline(FileBytes))))]
pub async fn download(
    State(app): State<Arc<App>>,
    number: PathNo,
    params: Params,
    request: Request,
) -> ApiResult<Response> {
    let now = clock::now_ms();
    let user = match params.text("signature") {
        Some(signature) => {
            let expires_s = params.text("expires").and_then(canonical).unwrap_or(0);
            let batch_no = number.as_ref().ok().and_then(|Path(text)| BatchNo::parse(text));
            let genuine = |number: &BatchNo| app.links.check_batch(number, expires_s, signature, now);
            let batch_no = batch_no.filter(genuine).ok_or_else(ApiError::link_refused)?;
            app.store.batch_owner(&batch_no).await?.ok_or_else(ApiError::not_found)?
        }
        None => {
            let (mut parts, _) = request.into_parts();
            Caller::<Read>::from_request_parts(&mut parts, &app).await?.user
        }
    };
    let batch = find(&app, user, number).await?;
    let mut files = Vec::new();
    each(&app, &batch, |item| {
        let name = format!("{:04}-{}-{}.mp4", item.row, item.task_no, item.item_no);
        let kept = item.result.filter(|result| now < result.expires_at);
        files.extend(kept.map(|result| File::new(name, result)));
    })
    .await?;
    if files.is_empty() {
        return Err(ApiError::no_files(&batch.batch_no));
    }
    let turn = app.turns.archives.try_take(user)?;
    zip(&app, turn, batch.batch_no.as_str(), files, now)
}

/// What became of each row, as CSV: `row`, `taskNo`, `item`, `url`, `error`.
///
/// A line for each output, and for each row that is no task. Cells that a spreadsheet would take for a formula begin
/// with an apostrophe.
#[utoipa::path(get, path = "/open-api/v1/batches/{batchNo}/results.csv", operation_id = "getBatchResults", tag = "batches",
    params(("batchNo" = String, Path, description = "Number of the batch.")),
    responses((status = 200, description = "The table.", content_type = "text/csv", body = inline(FileBytes))))]
pub async fn table(caller: Caller<Read>, State(app): State<Arc<App>>, number: PathNo) -> ApiResult<Response> {
    let batch = find(&app, caller.user, number).await?;
    let now = clock::now_ms();
    let mut lines: Vec<(u32, u32, [String; 5])> = Vec::new();
    each(&app, &batch, |item| {
        let (row, item_no) = (item.row, item.item_no);
        lines.push((row, item_no, line(&app, item, now)));
    })
    .await?;
    for state in [RowState::Waiting, RowState::Refused, RowState::Cancelled] {
        unmade(&app, &batch, state, &mut lines).await?;
    }
    lines.sort_by_key(|(row, item, _)| (*row, *item));
    let lines = lines.iter().map(|(.., cells)| cells);
    let text = write_table(&COLUMNS, lines).map_err(ApiError::internal)?;
    let about = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.csv\"", batch.batch_no)),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    Ok((about, text).into_response())
}

/// Passes all outputs to `take`, in order.
async fn each(app: &App, batch: &BatchRecord, mut take: impl FnMut(BatchItem)) -> ApiResult<()> {
    let mut after = (0, 0);
    loop {
        let items = app.store.batch_items(batch.id, after, AT_ONCE).await?;
        let Some(last) = items.last() else { return Ok(()) };
        after = (last.row, last.item_no);
        items.into_iter().for_each(&mut take);
    }
}

fn line(app: &App, item: BatchItem, now: i64) -> [String; 5] {
    let link = item
        .result
        .as_ref()
        .and_then(|result| app.links.sign(Linked::Video, &item.task_no, item.item_no, now, result));
    let error = item.error.as_ref().map(words::explained);
    [
        item.row.to_string(),
        item.task_no.to_string(),
        item.item_no.to_string(),
        link.map(|link| link.url).unwrap_or_default(),
        error.unwrap_or_default(),
    ]
}

async fn unmade(
    app: &App,
    batch: &BatchRecord,
    state: RowState,
    lines: &mut Vec<(u32, u32, [String; 5])>,
) -> ApiResult<()> {
    let page = clipmill_store::Page { number: 1, size: AT_ONCE };
    for row in app.store.batch_rows(batch.id, RowFilter::In(state), page).await?.list {
        let error = row.error.as_ref().map(words::said).unwrap_or_default();
        lines.push((row.row, 0, [row.row.to_string(), String::new(), String::new(), String::new(), error]));
    }
    Ok(())
}
