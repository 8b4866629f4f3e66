//! Health checks: is the process alive, and can it do its work?

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::view::{Answer, Envelope, Health};

/// A database or storage that takes longer counts as not ready.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

const WELL: Health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };

/// Is the process alive?
#[utoipa::path(get, path = "/healthz", operation_id = "healthz", tag = "health", security(()),
    responses((status = 200, description = "It is.", body = Answer<Health>)))]
pub async fn healthz() -> Envelope<Health> {
    Envelope(WELL)
}

/// Can the service do its work?
#[utoipa::path(get, path = "/readyz", operation_id = "readyz", tag = "health", security(()),
    responses((status = 200, description = "It can.", body = Answer<Health>)))]
pub async fn readyz(State(app): State<Arc<App>>) -> ApiResult<Envelope<Health>> {
    let ping = tokio::time::timeout(PING_TIMEOUT, app.store.ping()).await;
    ping.map_err(ApiError::unavailable)?.map_err(ApiError::unavailable)?;
    if !app.readiness.is_writable().await {
        return Err(ApiError::unavailable("the database cannot be written"));
    }
    app.require_disk_space()?;
    let data = app.data.clone();
    let restored = tokio::task::spawn_blocking(move || data.restore_folders()).await;
    restored.map_err(ApiError::internal)?.map_err(ApiError::unavailable)?;
    if let Some(obstacle) = app.media.obstacle() {
        return Err(ApiError::not_ready(obstacle));
    }
    let ping = tokio::time::timeout(PING_TIMEOUT, app.data.blobs().ping()).await;
    ping.map_err(ApiError::unavailable)?.map_err(ApiError::unavailable)?;
    Ok(Envelope(WELL))
}
