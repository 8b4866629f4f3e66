//! `POST …/submit`: validate, price, and write everything down at once; no network is touched.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Request, State};
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::plan::{Warning, quote};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::TaskRequest;
use clipmill_core::request::{self, FieldError, Policy, UnknownFields};
use clipmill_store::{NewItem, NewTask, SubmitOutcome};
use serde_json::json;

use super::body::{JsonBody, read_json};
use super::upload_refs::upload_refs;
use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::config::{Config, OnUnknownField};
use crate::error::{ApiError, ApiResult};
use crate::view::{Envelope, SubmitView};

/// Seeds fit into a JSON number everywhere.
const SEED_BITS: u64 = (1 << 53) - 1;

pub async fn submit(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<SubmitView>> {
    let body = read_json(&app, request, app.config.limits.submit_body).await?;
    let drawn = u64::from_be_bytes(clock::random()?) & SEED_BITS;
    let priced = price(&app, body, drawn).await?;
    check_uploads(&app, caller.user, &priced.request).await?;

    let now = clock::now_ms();
    let task_no = TaskNo::new(now, clock::random()?);
    match app.store.submit(priced.into_task(caller.user, task_no), now).await? {
        SubmitOutcome::Created(task) => Ok(Envelope(SubmitView::new(task, false))),
        SubmitOutcome::Duplicate(task) => Ok(Envelope(SubmitView::new(task, true))),
        SubmitOutcome::Conflict { task_no } => Err(ApiError::client_task_id_conflict(task_no)),
        SubmitOutcome::InsufficientPoints { needed, available } => {
            Err(ApiError::not_enough_points(needed, available))
        }
    }
}

/// A request that was understood, with everything that follows from it alone.
struct Priced {
    request: TaskRequest,
    request_sha256: [u8; 32],
    seed: u64,
    items: Vec<NewItem>,
    warnings: Vec<Warning>,
}

impl Priced {
    fn new(body: &[u8], policy: &Policy, prices: &PriceList, drawn: u64) -> ApiResult<Self> {
        let accepted = request::parse(body, policy)?;
        let seed = accepted.request.params.seed().unwrap_or(drawn);
        let items = quote(&accepted.request, seed, prices)
            .into_iter()
            .map(|item| NewItem { seed: item.seed, points: item.points })
            .collect();
        let request_sha256 = accepted.request.fingerprint();
        Ok(Self { request: accepted.request, request_sha256, seed, items, warnings: accepted.warnings })
    }

    fn into_task(self, user: UserId, task_no: TaskNo) -> NewTask {
        NewTask {
            user,
            task_no,
            request: self.request,
            request_sha256: self.request_sha256,
            seed: self.seed,
            items: self.items,
            warnings: self.warnings,
        }
    }
}

/// Off the threads that serve connections: a large body takes a while.
async fn price(app: &App, body: JsonBody, drawn: u64) -> ApiResult<Priced> {
    let policy = policy(&app.config);
    let prices = app.config.pricing.prices();
    let work = move || Priced::new(&body.bytes, &policy, &prices, drawn);
    tokio::task::spawn_blocking(work).await.map_err(ApiError::internal)?
}

fn policy(config: &Config) -> Policy {
    let unknown_fields = match config.server.unknown_fields {
        OnUnknownField::Warn => UnknownFields::Warn,
        OnUnknownField::Deny => UnknownFields::Deny,
    };
    Policy {
        unknown_fields,
        allow_local_paths: false,
        max_item_seconds: f64::from(config.limits.output_seconds),
        max_videos: config.limits.dedup_videos as usize,
    }
}

/// Every `upload://` of the request must be the caller's own.
async fn check_uploads(app: &App, user: UserId, request: &TaskRequest) -> ApiResult<()> {
    let mut known = BTreeMap::new();
    let mut errors = Vec::new();
    for (path, url, id) in upload_refs(request) {
        let exists = match known.get(id) {
            Some(exists) => *exists,
            None => app.store.upload(user, id).await?.is_some(),
        };
        known.insert(id, exists);
        if !exists {
            errors.push(no_such_upload(path, url));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(ApiError::invalid(errors)) }
}

fn no_such_upload(path: String, url: &str) -> FieldError {
    FieldError {
        path,
        message: "there is no such upload of yours: upload the file and use the url in the answer".to_owned(),
        got: Some(json!(url)),
        allowed: None,
    }
}
