//! Validates a whole batch: reads and prices every row before anything is stored.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::Request;
use clipmill_blobs::key;
use clipmill_core::ids::UserId;
use clipmill_core::media::{ContentHash, Facts};
use clipmill_core::message::{self, Message};
use clipmill_core::plan::{ItemPrice, Warning, estimate_prices};
use clipmill_core::request::batch::{
    BatchRequest, RowError, Rows, TemplateSource, at_row, parse_batch, read_row,
};
use clipmill_core::request::table::{Row, parse_table};
use clipmill_core::request::template::{Template, TemplateUse, Values, check_template};
use clipmill_core::request::{Accepted, FieldError, Input};
use clipmill_core::results::ResultRef;
use clipmill_store::{NewRow, ResultSource, RowItem, TemplateRef};
use futures_util::TryStreamExt;
use serde_json::json;

use crate::api::blocking::{IsRequested, run_blocking, run_with_permit};
use crate::api::extract::body::read_json;
use crate::api::templates::expand::find;
use crate::app::App;
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::result_inputs;
use crate::settings::{callback_warning, request_policy};

const UPLOAD: &str = "upload://";
/// The most outputs of one batch.
const MAX_ITEMS: usize = 50_000;
/// The most bytes of all requests of a batch in total.
const MAX_BYTES: usize = 64 << 20;
/// The most wrong fields that are listed.
const MAX_ERRORS: usize = 1_000;
/// The most warnings of a batch, those about its callback and its uploads first.
const MAX_WARNINGS: usize = 100;

/// A batch with its rows loaded.
pub struct BatchInput {
    pub request: BatchRequest,
    pub rows: Vec<Row>,
    pub sha256: [u8; 32],
}

/// A valid batch.
pub struct CheckedBatch {
    pub request: BatchRequest,
    pub sha256: [u8; 32],
    pub template: Template,
    pub kept_as: Option<TemplateRef>,
    pub rows: Vec<NewRow>,
    pub warnings: Vec<Warning>,
    /// The IDs of the uploads that rows use.
    pub uploads: Vec<String>,
    /// The results of tasks that rows use.
    pub results: Vec<ResultRef>,
    /// The first row whose estimate exceeds the price limit of its request.
    pub above_limit: Option<AboveLimit>,
}

/// A row whose estimate is higher than the price limit of its request.
#[derive(Clone, Copy)]
pub struct AboveLimit {
    pub row: u32,
    pub price: u64,
    pub max_points: u64,
}

pub async fn read(app: &App, user: UserId, request: Request) -> ApiResult<BatchInput> {
    let body = read_json(app, user, request, app.config.limits.submit_body).await?;
    let policy = request_policy(&app.config);
    let mut request = run_blocking(move || parse_batch(&body.bytes, &policy)).await??;
    let rows = match std::mem::replace(&mut request.rows, Rows::Listed(Vec::new())) {
        Rows::Listed(rows) => rows,
        Rows::Uploaded(id) => table(app, user, &id).await?,
    };
    let sha256 = request.fingerprint(&rows);
    Ok(BatchInput { request, rows, sha256 })
}

/// The rows of an upload.
async fn table(app: &App, user: UserId, id: &str) -> ApiResult<Vec<Row>> {
    let upload = app.store.library().use_upload(user, id, clock::now_ms()).await?;
    let upload = upload.ok_or_else(|| wrong_table(id, message::no_such_upload()))?;
    let limit = app.config.limits.submit_body;
    if upload.size_bytes > limit.0 {
        return Err(ApiError::too_large(limit));
    }
    let bytes = bytes(app, &upload.content_sha256).await?;
    let bytes = bytes.ok_or_else(|| wrong_table(id, message::no_such_upload()))?;
    run_blocking(move || parse_table(&bytes)).await?.map_err(|why| wrong_table(id, why))
}

/// The file's content, from the data folder or from shared storage.
async fn bytes(app: &App, sha256: &str) -> ApiResult<Option<Vec<u8>>> {
    match tokio::fs::read(app.data.input(sha256)).await {
        Ok(bytes) => return Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    let Some(bucket) = app.data.bucket() else { return Ok(None) };
    let Some(chunks) = bucket.read(&key::input(sha256)).await.map_err(ApiError::unavailable)? else {
        return Ok(None);
    };
    let whole = chunks.try_fold(Vec::new(), async |mut whole, chunk| {
        whole.extend_from_slice(&chunk);
        Ok(whole)
    });
    whole.await.map(Some).map_err(ApiError::unavailable)
}

fn wrong_table(id: &str, message: Message) -> ApiError {
    let got = Some(json!(format!("{UPLOAD}{id}")));
    ApiError::invalid(vec![FieldError { path: "/csvUrl".to_owned(), message, got, allowed: None }])
}

/// Reads and prices every row; reports all errors of all rows at once.
pub async fn check(app: &App, user: UserId, read: BatchInput) -> ApiResult<CheckedBatch> {
    let BatchInput { request, rows, sha256 } = read;
    let (template, kept_as) = template(app, user, &request.made_from).await?;
    let bytes = template.sizes(rows.iter().map(|(_, values)| values));
    if bytes > MAX_BYTES {
        return Err(wrong_rows(message::batch_too_long(MAX_BYTES >> 20)));
    }
    let permit = Arc::new(app.semaphores.plans.acquire(user).await?);
    let (policy, id) = (request_policy(&app.config), request.client_batch_id.clone());
    let of_rows = template.clone();
    let rows_read = run_with_permit(permit.clone(), move |_| read_rows(&of_rows, &id, rows, &policy)).await?;
    let (accepted, mut errors) = rows_read;
    let uploads = uploads(app, user, &template, &accepted, &mut errors).await?;
    if !errors.is_empty() {
        return Err(ApiError::wrong_rows(errors, MAX_ERRORS));
    }
    let mut facts = app.media.known(&uploads.contents).await;
    uploads.results.iter().for_each(|(url, source)| result_inputs::add_facts(&mut facts, url, source));
    let without_media = uploads.warnings(&accepted, &facts);
    let (prices, random_seed) = (app.config.prices(), clock::seed()?);
    let priced = move |_: &IsRequested| {
        let (mut warnings, mut above_limit) = (Vec::new(), None);
        let rows = accepted.into_iter().enumerate().map(|(index, (row, values, accepted))| {
            warnings.extend(accepted.warnings);
            let seed = accepted.request.params.seed().unwrap_or(random_seed ^ index as u64);
            let items = estimate_prices(&accepted.request, seed, &facts, &prices).into_iter();
            let item = |item: ItemPrice| RowItem {
                seed: item.seed,
                points: item.points,
                expected: Some(item.expected),
            };
            let items: Vec<_> = items.map(item).collect();
            let price = items.iter().map(|item| item.points).fold(0, u64::saturating_add);
            let above = accepted.request.max_points.filter(|max| price > *max);
            above_limit = above_limit.or(above.map(|max_points| AboveLimit { row, price, max_points }));
            NewRow { row, values, seed, items }
        });
        (rows.collect::<Vec<_>>(), warnings, above_limit)
    };
    let (rows, mut warnings, above_limit) = run_with_permit(permit, priced).await?;
    let items: usize = rows.iter().map(|row| row.items.len()).sum();
    if items > MAX_ITEMS {
        return Err(wrong_rows(message::batch_too_large(items, MAX_ITEMS)));
    }
    let of_callback = callback_warning(&app.config, request.callback_url.as_deref());
    warnings.splice(0..0, of_callback.into_iter().chain(without_media));
    warnings.truncate(MAX_WARNINGS);
    let results = uploads.results.keys().filter_map(|url| ResultRef::of_url(url)).collect();
    let uploads =
        uploads.contents.keys().filter_map(|url| url.strip_prefix(UPLOAD)).map(str::to_owned).collect();
    Ok(CheckedBatch { request, sha256, template, kept_as, rows, warnings, uploads, results, above_limit })
}

fn wrong_rows(message: Message) -> ApiError {
    ApiError::invalid(vec![FieldError { path: "/rows".to_owned(), message, got: None, allowed: None }])
}

async fn template(
    app: &App,
    user: UserId,
    made_from: &TemplateSource,
) -> ApiResult<(Template, Option<TemplateRef>)> {
    match made_from {
        TemplateSource::Kept { template, version } => {
            let used = TemplateUse {
                template: template.clone(),
                version: *version,
                values: Values::new(),
                overrides: Values::new(),
            };
            let (kept_as, template) = find(app, user, &used).await?;
            Ok((template, Some(kept_as)))
        }
        TemplateSource::Sent(template) => {
            let (template, policy) = (template.clone(), request_policy(&app.config));
            let checked = run_blocking(move || check_template(&template, &policy).map(|_| template)).await?;
            Ok((checked.map_err(ApiError::invalid)?, None))
        }
    }
}

type ParsedRow = (u32, Values, Accepted);

fn read_rows(
    template: &Template,
    client_batch_id: &str,
    rows: Vec<Row>,
    policy: &clipmill_core::request::Policy,
) -> (Vec<ParsedRow>, Vec<RowError>) {
    let (mut accepted, mut errors) = (Vec::new(), Vec::new());
    for row in rows {
        match read_row(template, client_batch_id, &row, policy) {
            Ok(read) => accepted.push((row.0, row.1, read)),
            Err(wrong) => errors.extend(wrong),
        }
    }
    (accepted, errors)
}

/// The uploads and results that rows name.
#[derive(Default)]
struct RowUploads {
    /// The content of each that exists, by URL.
    contents: BTreeMap<String, ContentHash>,
    /// The results of tasks, by URL.
    results: BTreeMap<String, ResultSource>,
    /// Urls of uploads in which no media was found.
    not_media: BTreeSet<String>,
}

impl RowUploads {
    /// Warnings about uploads without media. Known facts count more: the upload may lack them after a failed probe.
    fn warnings(&self, rows: &[ParsedRow], facts: &Facts) -> Vec<Warning> {
        let lacks_media = |url: &str| self.not_media.contains(url) && !facts.media.contains_key(url);
        let of_row = |(row, _, accepted): &ParsedRow| {
            let inputs = accepted.request.inputs().into_iter();
            let inputs = inputs.filter(|input| input.role.is_media() && lacks_media(input.url));
            let places: Vec<_> = inputs.map(|input| (*row, input.place.to_string())).collect();
            places
        };
        let places = rows.iter().flat_map(of_row).take(MAX_WARNINGS);
        places
            .map(|(row, path)| at_row(row, Warning { path, message: message::upload_without_media() }))
            .collect()
    }
}

/// The uploads and results that rows name, each looked up once. Reports those that the user does not have.
async fn uploads(
    app: &App,
    user: UserId,
    template: &Template,
    rows: &[ParsedRow],
    errors: &mut Vec<RowError>,
) -> ApiResult<RowUploads> {
    let named = |accepted: &Accepted| {
        let own = |input: &Input<'_>| input.url.starts_with(UPLOAD) || ResultRef::of_url(input.url).is_some();
        let inputs = accepted.request.inputs().into_iter().filter(own);
        inputs.map(|input| (input.url.to_owned(), input.place.to_string(), input.role)).collect::<Vec<_>>()
    };
    let all: BTreeSet<String> = rows.iter().flat_map(|(.., row)| named(row)).map(|(url, ..)| url).collect();
    let mut uploads = RowUploads::default();
    for url in all {
        if let Some(result) = ResultRef::of_url(&url) {
            if let Some(source) = result_inputs::find(&*app.store, user, &result, clock::now_ms()).await? {
                uploads
                    .contents
                    .extend(result_inputs::content(&source).map(|content| (url.clone(), content)));
                uploads.results.insert(url, source);
            }
            continue;
        }
        let id = url.strip_prefix(UPLOAD).unwrap_or_default();
        if let Some(upload) = app.store.library().use_upload(user, id, clock::now_ms()).await? {
            if !upload.is_media {
                uploads.not_media.insert(url.clone());
            }
            uploads.contents.insert(url, ContentHash(upload.content_sha256.into()));
        }
    }
    let refusal = |url: &str, role| match ResultRef::of_url(url) {
        Some(_) => result_inputs::refusal(uploads.results.get(url), role),
        None => (!uploads.contents.contains_key(url)).then(message::no_such_upload),
    };
    for (row, values, accepted) in rows {
        for (url, path, role) in named(accepted) {
            let Some(message) = refusal(&url, role) else { continue };
            let column = template.column_with(values, &url);
            errors.push(RowError::of(*row, column, result_inputs::field_error(path, message, &url)));
        }
    }
    Ok(uploads)
}
