//! `…/brand`: the files, colours and caption style that a user uses again and again.

use std::sync::Arc;

use axum::extract::{Request, State};
use clipmill_core::request::parse_brand;
use clipmill_store::BrandOutcome;

use crate::api::extract::body::read_json;
use crate::api::files::references::{require_uploads, upload_gone};
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Read, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::ApiResult;
use crate::settings::request_policy;
use crate::view::{Answer, BrandRequestSchema, BrandView, Envelope};

/// Your brand. Before it is saved, everything in it is empty.
#[utoipa::path(get, path = "/open-api/v1/brand", operation_id = "getBrand", tag = "brand",
    security(("apiKey" = ["read"])),
    responses((status = 200, description = "The brand.", body = Answer<BrandView>)))]
pub async fn get(caller: Caller<Read>, State(app): State<Arc<App>>) -> ApiResult<Envelope<BrandView>> {
    let stored = app.store.brands().find(caller.user).await?;
    let (brand, updated_at) = stored.map(|(brand, at)| (brand, Some(at))).unwrap_or_default();
    Ok(Envelope(BrandView::new(brand, updated_at)))
}

/// Save your brand. Its uploads are kept until it is replaced.
#[utoipa::path(put, path = "/open-api/v1/brand", operation_id = "replaceBrand", tag = "brand",
    security(("apiKey" = ["submit"])),
    request_body(content = BrandRequestSchema, description = "The complete brand. Fields that are absent are cleared."),
    responses((status = 200, description = "The brand.", body = Answer<BrandView>)))]
pub async fn replace(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<BrandView>> {
    app.require_disk_space()?;
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let brand = parse_brand(&body.bytes, &request_policy(&app.config))?;
    require_uploads(&app, caller.user, brand.uploads()).await?;
    match app.store.brands().save(caller.user, brand.clone(), clock::now_ms()).await? {
        BrandOutcome::Saved(updated_at) => Ok(Envelope(BrandView::new(brand, Some(updated_at)))),
        BrandOutcome::UploadGone { id } => Err(upload_gone(brand.uploads(), &id)),
    }
}
