//! Conversions between columns and types, which check what is stored.

use clipmill_core::ids::TaskNo;
use clipmill_core::task::TaskState;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::common::error::{StoreError, StoreResult};
use crate::common::page::Page;

/// A connection, inside a transaction wherever something is written.
pub use super::dialect::{Database, Db};

/// A count as a column's value; `what` names it in the error if it does not fit.
pub fn column(count: u64, what: &'static str) -> StoreResult<i64> {
    i64::try_from(count).map_err(|_| StoreError::OutOfRange(what))
}

/// Rows before the page.
pub fn offset(page: Page) -> i64 {
    i64::from(page.number.saturating_sub(1)).saturating_mul(i64::from(page.size))
}

/// A count from a column.
pub fn count(value: i64) -> StoreResult<u64> {
    u64::try_from(value).map_err(|_| StoreError::Corrupt(format!("{value} is not a count")))
}

pub fn count32(value: i64) -> StoreResult<u32> {
    u32::try_from(value).map_err(|_| StoreError::Corrupt(format!("{value} is not a small count")))
}

pub fn state(code: i64) -> StoreResult<TaskState> {
    u8::try_from(code)
        .ok()
        .and_then(TaskState::from_code)
        .ok_or_else(|| StoreError::Corrupt(format!("{code} is not a state")))
}

pub fn code(state: TaskState) -> i64 {
    i64::from(state.code())
}

pub fn task_no(text: &str) -> StoreResult<TaskNo> {
    TaskNo::parse(text).ok_or_else(|| StoreError::Corrupt(format!("{text:?} is not a task number")))
}

pub fn from_json<T: DeserializeOwned>(text: &str) -> StoreResult<T> {
    serde_json::from_str(text).map_err(|error| StoreError::Corrupt(error.to_string()))
}

pub fn to_json<T: Serialize>(value: &T) -> StoreResult<String> {
    serde_json::to_string(value).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// For `map_err`: a violated uniqueness rule is a [`StoreError::Exists`], a violated reference a [`StoreError::NotFound`].
pub fn constraint(what: &'static str) -> impl FnOnce(sqlx::Error) -> StoreError {
    move |error| match &error {
        sqlx::Error::Database(database) if database.is_unique_violation() => StoreError::Exists(what),
        sqlx::Error::Database(database) if database.is_foreign_key_violation() => StoreError::NotFound,
        _ => StoreError::Database(error),
    }
}

/// For guarded updates inside a transaction: another number of rows means that the database and the code disagree.
pub fn exactly_one(rows_affected: u64, what: &str) -> StoreResult<()> {
    if rows_affected == 1 {
        return Ok(());
    }
    Err(StoreError::Corrupt(format!("{what}: {rows_affected} rows changed instead of one")))
}
