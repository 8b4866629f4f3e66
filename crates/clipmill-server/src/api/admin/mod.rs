//! `/open-api/v1/admin/…`: what operators see and do, for keys with the scope `admin`. What they change is logged.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use clipmill_core::ids::UserId;
use clipmill_core::message::Message;
use clipmill_core::request::FieldError;
use clipmill_store::Millis;
use serde_json::Value;

use crate::api::extract::query::{Params, moment, short};
use crate::app::SMALL_BODY;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};

pub mod failures;
pub mod keys;
pub mod points;
pub mod queue;
pub mod tasks;
pub mod usage;
pub mod users;

pub(super) const LIMIT: ByteSize = ByteSize(SMALL_BODY as u64);
/// Longer patterns are not searched for.
const MAX_SEARCH_LENGTH: usize = 255;
const DAY_MS: i64 = 86_400_000;

/// The user that an address names.
fn named_user(id: Result<Path<i64>, PathRejection>) -> ApiResult<UserId> {
    id.map(|Path(id)| UserId(id)).map_err(|_| ApiError::not_found())
}

fn wrong(path: &str, message: Message, got: impl Into<Value>) -> ApiError {
    ApiError::invalid(vec![FieldError {
        path: path.to_owned(),
        message,
        got: Some(got.into()),
        allowed: None,
    }])
}

/// The period from `from` to before `to`; by default the last 30 days (UTC), including today.
fn period(params: &mut Params, now: Millis) -> (Millis, Millis) {
    let allowed = clipmill_core::message::a_moment;
    let from = params.read("from", allowed(), moment);
    let to = params.read("to", allowed(), moment);
    let today = now.div_euclid(DAY_MS) * DAY_MS;
    (from.unwrap_or(today - 29 * DAY_MS), to.unwrap_or(now))
}

/// A part of a name to search a list for.
fn search(params: &mut Params) -> Option<String> {
    // A character that no name contains could end the pattern early, and everything would match.
    params.read("search", clipmill_core::message::short_text(), |text| short(text, MAX_SEARCH_LENGTH))
}
