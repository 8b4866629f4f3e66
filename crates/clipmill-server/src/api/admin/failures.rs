//! Failures, individually and by cause.

use std::sync::Arc;

use axum::extract::State;
use clipmill_core::error::ErrorCode;
use clipmill_core::message;

use super::{period, search};
use crate::api::extract::query::{PageParams, Params};
use crate::app::App;
use crate::auth::{Admin, Caller};
use crate::clock;
use crate::error::ApiResult;
use crate::view::{Answer, Envelope, FailureCausesView, FailureView, PageView, rfc3339};

/// Items of all users that ended without an output, newest first.
#[utoipa::path(get, path = "/open-api/v1/admin/failures", operation_id = "listFailures", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(PageParams, ("code" = Option<String>, Query, description = "Only failures of this kind, such as `MEDIA_DAMAGED`."),
        ("search" = Option<String>, Query, description = "Only failures with this part in the task's number or the user's name.")),
    responses((status = 200, description = "A page of failures.", body = Answer<PageView<FailureView>>)))]
pub async fn failures(
    _: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<FailureView>>> {
    let page = params.page();
    let code = params.read("code", message::a_failure_code(), |text| {
        ErrorCode::ALL.into_iter().find(|code| code.as_str() == text)
    });
    let search = search(&mut params);
    params.finish()?;
    let failures_page = app.store.operations().failed_items(code, search.as_deref(), page).await?;
    let list = failures_page.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: failures_page.total, page_no: page.number, page_size: page.size }))
}

/// Failures by cause, in tasks that ended in the given period, most frequent first.
#[utoipa::path(get, path = "/open-api/v1/admin/failures/causes", operation_id = "countFailures", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(
        ("from" = Option<String>, Query, format = DateTime, description = "Only tasks that ended at this time or later: RFC 3339, or a date (UTC). When absent, the last thirty days."),
        ("to" = Option<String>, Query, format = DateTime, description = "Only tasks that ended before this time; now when absent."),
    ),
    responses((status = 200, description = "The causes.", body = Answer<FailureCausesView>)))]
pub async fn causes(
    _: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<FailureCausesView>> {
    // Tasks that end in this millisecond count.
    let (from, to) = period(&mut params, clock::now_ms() + 1);
    params.finish()?;
    let causes = app.store.operations().failure_causes(from, to).await?;
    Ok(Envelope(FailureCausesView {
        from: rfc3339(from),
        to: rfc3339(to),
        total: causes.iter().map(|cause| cause.items).sum(),
        list: causes.into_iter().map(Into::into).collect(),
    }))
}
