//! `GET …/records`: the caller's ledger records, newest first.

use std::sync::Arc;

use axum::extract::State;
use clipmill_core::ids::TaskNo;
use clipmill_core::message;
use clipmill_store::{MovementFilter, MovementType};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use crate::api::extract::query::{PageParams, Params};
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::error::ApiResult;
use crate::view::{Answer, Envelope, PageView, RecordType, RecordView};

/// Your ledger records, newest first.
#[utoipa::path(get, path = "/open-api/v1/video-process/records", operation_id = "listRecords", tag = "points",
    security(("apiKey" = ["read"])),
    params(
        PageParams,
        ("type" = Option<RecordType>, Query, description = "Only records of this kind."),
        ("taskNo" = Option<String>, Query, pattern = "^VP[0-9A-HJKMNP-TV-Z]{26}$", description = "Only records of this task."),
    ),
    responses((status = 200, description = "A page of records.", body = Answer<PageView<RecordView>>)))]
pub async fn records(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    mut params: Params,
) -> ApiResult<Envelope<PageView<RecordView>>> {
    let page = params.page();
    let filter = MovementFilter {
        kind: params.read("type", message::one_of("grant, hold, settle, release, adjust"), movement_type),
        task_no: params.read("taskNo", message::a_task_number(), TaskNo::parse),
    };
    params.finish()?;
    let record_page = app.store.points().movements(caller.user, &filter, page).await?;
    let list = record_page.list.into_iter().map(Into::into).collect();
    Ok(Envelope(PageView { list, total: record_page.total, page_no: page.number, page_size: page.size }))
}

fn movement_type(name: &str) -> Option<MovementType> {
    let name: StrDeserializer<'_, Error> = name.into_deserializer();
    MovementType::deserialize(name).ok()
}
