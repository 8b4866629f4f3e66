//! Usage of users.

use std::sync::Arc;

use axum::extract::State;

use super::{DAY_MS, period, search};
use crate::api::extract::query::{PageParams, Params};
use crate::app::App;
use crate::auth::{Admin, Caller};
use crate::clock;
use crate::error::ApiResult;
use crate::settings;
use crate::view::{Answer, Envelope, UsageView, rfc3339};

/// Usage of users in a period, the most expensive first: points spent, seconds of output, and bytes stored now.
/// Counts whole days in UTC: those that begin at or after `from` and before `to`.
#[utoipa::path(get, path = "/open-api/v1/admin/usage", operation_id = "showUsage", tag = "admin",
    security(("apiKey" = ["admin"])),
    params(
        PageParams,
        ("search" = Option<String>, Query, description = "Part of a name."),
        ("from" = Option<String>, Query, format = DateTime, description = "The first day: RFC 3339, or a date (UTC). When absent, the last thirty days."),
        ("to" = Option<String>, Query, format = DateTime, description = "Only days that begin before this time; now when absent."),
    ),
    responses((status = 200, description = "A page of users.", body = Answer<UsageView>)))]
pub async fn usage(
    _: Caller<Admin>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<UsageView>> {
    let now = clock::now_ms();
    let page = params.page();
    let search = search(&mut params);
    let (from, to) = period(&mut params, now + 1);
    params.finish()?;
    let days = (day_from(from), day_from(to));
    let kept_since = settings::quota(&app.config, now).uploads_since;
    let (usages, sum) = app.store.operations().usage(days, search.as_deref(), kept_since, page, now).await?;
    Ok(Envelope(UsageView {
        from: rfc3339(days.0 * DAY_MS),
        to: rfc3339(days.1 * DAY_MS),
        list: usages.list.into_iter().map(Into::into).collect(),
        sum: sum.into(),
        total: usages.total,
        page_no: page.number,
        page_size: page.size,
    }))
}

/// The first day that begins at or after this time.
fn day_from(moment: i64) -> i64 {
    moment.div_euclid(DAY_MS) + i64::from(moment.rem_euclid(DAY_MS) > 0)
}
