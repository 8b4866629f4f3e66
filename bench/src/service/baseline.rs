//! The minimum of a status endpoint: one route that authenticates like the service and reads one row by an index. It
//! runs in a separate process, on the service's own database.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use axum::{Json, Router};
use clipmill_core::ids::TaskId;
use clipmill_server::account::keys;
use clipmill_server::clock;
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::{Scope, Store};
use serde_json::{Value, json};

/// The text that the baseline prints before its address.
pub const LISTENS: &str = "baseline listens on ";

pub async fn serve(data: &Path) -> anyhow::Result<()> {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&data.join("clipmill.db")).await?);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{LISTENS}{}", listener.local_addr()?);
    let app = Router::new().route("/pulse/{task}", get(pulse)).with_state(store);
    axum::serve(listener, app).await.context("the baseline ended")
}

async fn pulse(
    headers: HeaderMap,
    State(store): State<Arc<dyn Store>>,
    UrlPath(task): UrlPath<i64>,
) -> Result<Json<Value>, StatusCode> {
    let key = headers.get("x-api-key").and_then(|value| value.to_str().ok());
    let sha256 = key.and_then(keys::check_key).ok_or(StatusCode::UNAUTHORIZED)?;
    let owner = store.keys().owner(&sha256).await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let owner = owner.ok_or(StatusCode::UNAUTHORIZED)?;
    let ended = owner.revoked_at.is_some() || owner.expires_at.is_some_and(|at| at <= clock::now_ms());
    if ended || !owner.scopes.has(Scope::Read) {
        return Err(StatusCode::UNAUTHORIZED);
    }
    let progress =
        store.tasks().progress(&[TaskId(task)]).await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let pulse = progress.into_iter().next().ok_or(StatusCode::NOT_FOUND)?;
    Ok(Json(json!({ "code": 0, "msg": "ok", "data": { "state": pulse.state.code(),
        "endedItems": pulse.ended_items, "framesDone": pulse.frames_done } })))
}
