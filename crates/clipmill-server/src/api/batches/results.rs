//! `GET …/batches/{batchNo}/download` and `…/results.csv`: all outputs of a batch.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use clipmill_core::ids::BatchNo;
use clipmill_core::message;
use clipmill_core::request::table::{cells_of, columns_of, write_table};
use clipmill_store::{BatchItem, BatchRecord, BatchRow, Page, RowFilter, RowState};

use super::{PathNo, find};
use crate::api::extract::query::Params;
use crate::api::tasks::download::{File, zip};
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::file_names::{self, Disposition, FileName};
use crate::links::{LinkTarget, canonical};
use crate::localized;
use crate::view::FileBytes;

/// How many outputs, or rows, are read at once.
const AT_ONCE: u32 = 1_000;
const COLUMNS: [&str; 5] = ["row", "taskNo", "item", "url", "error"];

/// Download all results of a batch as one zip of any size. Use your key, or the link in the batch's `downloadUrl`,
/// which requires no key. Each file has the same name as when downloaded individually, prefixed by the number of its
/// row.
#[utoipa::path(get, path = "/open-api/v1/batches/{batchNo}/download", operation_id = "downloadBatch", tag = "batches",
    security(("apiKey" = ["read"])),
    params(
        ("batchNo" = String, Path, description = "Number of the batch."),
        ("expires" = Option<String>, Query, description = "For a signed link: expiry, in seconds since 1970."),
        ("signature" = Option<String>, Query, description = "For a signed link: its signature."),
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
            app.store.batches().owner(&batch_no).await?.ok_or_else(ApiError::not_found)?
        }
        None => {
            let (mut parts, _) = request.into_parts();
            Caller::<Read>::from_request_parts(&mut parts, &app).await?.user
        }
    };
    let batch = find(&app, user, number).await?;
    let cells = first_cells(&app, &batch).await?;
    let mut files = Vec::new();
    each(&app, &batch, |item| {
        let cell = cells.get(&item.row).map(String::as_str);
        let words = file_names::words_in_batch(item.name.as_deref(), batch.name.as_deref(), item.row, cell);
        let extension = LinkTarget::Video.extension();
        let name = FileName::of_item(words.as_deref(), &item.task_no, item.item_no, extension);
        // The number sorts the files by row and makes the names unique.
        let name = format!("{:04}-{}", item.row, name.as_str());
        let available = item.result.filter(|result| now < result.expires_at);
        files.extend(available.map(|result| File::new(name, result)));
    })
    .await?;
    if files.is_empty() {
        return Err(ApiError::no_files(&batch.batch_no));
    }
    let permit = app.semaphores.archives.try_acquire(user)?;
    zip(&app, permit, &name_of(&batch, "zip"), files, now)
}

fn name_of(batch: &BatchRecord, extension: &str) -> FileName {
    FileName::of_all(batch.name.as_deref(), batch.batch_no.as_str(), extension)
}

/// The cell of each row that distinguishes it from the others. Rows may be large, so few are read at once.
async fn first_cells(app: &App, batch: &BatchRecord) -> ApiResult<HashMap<u32, String>> {
    let mut cells = HashMap::new();
    for number in 1.. {
        let page = Page { number, size: 100 };
        let rows = app.store.batches().rows(batch.id, RowFilter::All, page).await?.list;
        if rows.is_empty() {
            break;
        }
        let cell = |row: BatchRow| Some((row.row, file_names::first_text(&row.values)?.to_owned()));
        cells.extend(rows.into_iter().filter_map(cell));
    }
    Ok(cells)
}

/// Results of each row, as CSV: `row`, `taskNo`, `item`, `url`, `error`. One line per output, and per row without a
/// task. With `values=true`, the table of the batch: one line per row with its values, then number, task, state,
/// links (one per line) and error, with headers in the language of the request. Cells that a spreadsheet would
/// interpret as a formula are prefixed with an apostrophe.
#[utoipa::path(get, path = "/open-api/v1/batches/{batchNo}/results.csv", operation_id = "getBatchResults", tag = "batches",
    security(("apiKey" = ["read"])),
    params(
        ("batchNo" = String, Path, description = "Number of the batch."),
        ("values" = Option<bool>, Query, description = "Whether to return the batch's own table with one line per row."),
    ),
    responses((status = 200, description = "The table.", content_type = "text/csv", body = inline(FileBytes))))]
pub async fn table(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    number: PathNo,
    mut params: Params,
) -> ApiResult<Response> {
    let with_values = params.read("values", message::true_or_false(), |text| text.parse().ok());
    params.finish()?;
    let batch = find(&app, caller.user, number).await?;
    let now = clock::now_ms();
    let text = match with_values {
        Some(true) => own_table(&app, &batch, now).await?,
        _ => outputs_table(&app, &batch, now).await?,
    };
    let about = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name_of(&batch, "csv").disposition(Disposition::Attachment)),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    Ok((about, text).into_response())
}

/// One line per output. Programs read columns by position, so their order never changes.
async fn outputs_table(app: &App, batch: &BatchRecord, now: i64) -> ApiResult<Vec<u8>> {
    let mut lines: Vec<(u32, u32, [String; 5])> = Vec::new();
    each(app, batch, |item| {
        let (row, item_no) = (item.row, item.item_no);
        lines.push((row, item_no, line(app, item, now)));
    })
    .await?;
    for state in [RowState::Waiting, RowState::Refused, RowState::Cancelled] {
        unmade(app, batch, state, &mut lines).await?;
    }
    lines.sort_by_key(|(row, item, _)| (*row, *item));
    let lines = lines.iter().map(|(.., cells)| cells);
    write_table(COLUMNS, lines).map_err(ApiError::internal)
}

/// One line per row: its own cells, then its results. The cells of a row with many outputs are not repeated.
async fn own_table(app: &App, batch: &BatchRecord, now: i64) -> ApiResult<Vec<u8>> {
    let mut links: HashMap<u32, Vec<String>> = HashMap::new();
    each(app, batch, |item| links.entry(item.row).or_default().extend(link(app, &item, now))).await?;
    let page = Page { number: 1, size: AT_ONCE };
    let rows = app.store.batches().rows(batch.id, RowFilter::All, page).await?.list;
    let columns = columns_of(rows.iter().map(|row| &row.values));
    let header = columns.iter().map(String::as_str).chain(localized::row_headers());
    let lines = rows.iter().map(|row| {
        let task = row.task.as_ref();
        let state = task
            .and_then(|task| task.state)
            .map_or_else(|| localized::row_state(row.state), localized::state);
        let error = row.error.as_ref().or(task.and_then(|task| task.error.as_ref()));
        let mut cells = cells_of(&row.values, &columns);
        cells.extend([
            row.row.to_string(),
            task.map(|task| task.task_no.to_string()).unwrap_or_default(),
            state.to_owned(),
            links.get(&row.row).map(|links| links.join("\n")).unwrap_or_default(),
            error.map(localized::message_text).unwrap_or_default(),
        ]);
        cells
    });
    write_table(header, lines).map_err(ApiError::internal)
}

/// Passes all outputs to `take`, in order.
async fn each(app: &App, batch: &BatchRecord, mut take: impl FnMut(BatchItem)) -> ApiResult<()> {
    let mut after = (0, 0);
    loop {
        let items = app.store.batches().items(batch.id, after, AT_ONCE).await?;
        let Some(last) = items.last() else { return Ok(()) };
        after = (last.row, last.item_no);
        items.into_iter().for_each(&mut take);
    }
}

fn link(app: &App, item: &BatchItem, now: i64) -> Option<String> {
    let result = item.result.as_ref()?;
    Some(app.links.sign(LinkTarget::Video, &item.task_no, item.item_no, now, result)?.url)
}

fn line(app: &App, item: BatchItem, now: i64) -> [String; 5] {
    let error = item.error.as_ref().map(localized::error_text);
    [
        item.row.to_string(),
        item.task_no.to_string(),
        item.item_no.to_string(),
        link(app, &item, now).unwrap_or_default(),
        error.unwrap_or_default(),
    ]
}

async fn unmade(
    app: &App,
    batch: &BatchRecord,
    state: RowState,
    lines: &mut Vec<(u32, u32, [String; 5])>,
) -> ApiResult<()> {
    let page = Page { number: 1, size: AT_ONCE };
    for row in app.store.batches().rows(batch.id, RowFilter::In(state), page).await?.list {
        let error = row.error.as_ref().map(localized::message_text).unwrap_or_default();
        lines.push((row.row, 0, [row.row.to_string(), String::new(), String::new(), String::new(), error]));
    }
    Ok(())
}
