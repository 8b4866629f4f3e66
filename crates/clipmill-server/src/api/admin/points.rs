//! Granting and deducting points.

use std::sync::Arc;

use axum::extract::{Request, State};
use clipmill_core::ids::UserId;
use clipmill_core::request::{parse_deduction, parse_grant};
use clipmill_store::Deduction;

use super::LIMIT;
use crate::api::extract::body::read_json;
use crate::app::App;
use crate::auth::{Admin, Caller};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{Answer, DeductionSchema, Envelope, GrantRequestSchema, GrantView};

/// Grant points to a user.
#[utoipa::path(post, path = "/open-api/v1/admin/grants", operation_id = "grantPoints", tag = "admin",
    security(("apiKey" = ["admin"])),
    request_body(content = GrantRequestSchema, description = "User, number of points, and reason."),
    responses((status = 200, description = "Balance of the user afterwards.", body = Answer<GrantView>)))]
pub async fn grant(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<GrantView>> {
    let body = read_json(&app, caller.user, request, LIMIT).await?;
    let grant_request = parse_grant(&body.bytes, &request_policy(&app.config))?;
    let user = UserId(grant_request.user_id);
    app.store.users().find(user).await?.ok_or_else(ApiError::not_found)?;
    let balance =
        app.store.points().grant(user, grant_request.points, &grant_request.remark, clock::now_ms()).await?;
    tracing::info!(key = caller.key_id, user = user.0, points = grant_request.points, "points granted");
    Ok(Envelope(GrantView {
        user_id: user.0,
        points: grant_request.points,
        balance: balance.available,
        held: balance.held,
    }))
}

/// Deduct points from a user. The reason appears in the user's records.
/// Deducts from the spendable balance, in full or not at all (40200). Points held for open tasks are not affected.
#[utoipa::path(post, path = "/open-api/v1/admin/deductions", operation_id = "deductPoints", tag = "admin",
    security(("apiKey" = ["admin"])),
    request_body(content = DeductionSchema, description = "User, number of points, and reason."),
    responses((status = 200, description = "Balance of the user afterwards.", body = Answer<GrantView>)))]
pub async fn deduct(
    caller: Caller<Admin>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<GrantView>> {
    let body = read_json(&app, caller.user, request, LIMIT).await?;
    let deduction_request = parse_deduction(&body.bytes, &request_policy(&app.config))?;
    let user = UserId(deduction_request.user_id);
    app.store.users().find(user).await?.ok_or_else(ApiError::not_found)?;
    let balance = match app
        .store
        .points()
        .deduct(user, deduction_request.points, &deduction_request.remark, clock::now_ms())
        .await?
    {
        Deduction::Taken(balance) => balance,
        Deduction::TooFew { available } => {
            return Err(ApiError::not_enough_points(deduction_request.points, available));
        }
    };
    tracing::info!(
        key = caller.key_id,
        user = user.0,
        points = deduction_request.points,
        remark = deduction_request.remark,
        "points deducted"
    );
    Ok(Envelope(GrantView {
        user_id: user.0,
        points: deduction_request.points,
        balance: balance.available,
        held: balance.held,
    }))
}
