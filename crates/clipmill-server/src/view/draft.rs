//! Drafts.

use clipmill_store::{DraftOverview, DraftRecord};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::rfc3339;
use super::schema::TaskTypeName;

/// Draft as listed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftOverviewView {
    /// `DP` and 26 characters.
    pub draft_no: String,
    pub name: String,
    /// Kind of the task that it will be; null if it is not known.
    #[schema(value_type = Option<TaskTypeName>)]
    pub task_type: Option<String>,
    /// Identifies the version: it is later with every change.
    #[schema(format = DateTime)]
    pub update_time: String,
}

impl From<DraftOverview> for DraftOverviewView {
    fn from(about: DraftOverview) -> Self {
        Self {
            draft_no: about.draft_no.to_string(),
            name: about.name,
            task_type: about.task_type,
            update_time: rfc3339(about.updated_at),
        }
    }
}

/// A draft.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftView {
    #[serde(flatten)]
    pub about: DraftOverviewView,
    /// The unfinished request, as it was saved.
    #[schema(value_type = Object)]
    pub body: Value,
}

impl From<DraftRecord> for DraftView {
    fn from(record: DraftRecord) -> Self {
        Self { about: record.about.into(), body: record.body }
    }
}

/// A draft to save.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct NewDraftSchema {
    #[schema(min_length = 1, max_length = 120)]
    name: String,
    task_type: Option<TaskTypeName>,
    /// Any object, such as an unfinished request. It is stored as it is. Uploads that it names (`upload://…`) are kept.
    #[schema(value_type = Object)]
    body: Value,
}

/// A change of a draft.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct ChangedDraftSchema {
    #[schema(min_length = 1, max_length = 120)]
    name: String,
    task_type: Option<TaskTypeName>,
    /// Any object, such as an unfinished request. It is stored as it is. Uploads that it names (`upload://…`) are kept.
    #[schema(value_type = Object)]
    body: Value,
    /// `updateTime` of the draft that you last read or saved. A newer version is not overwritten.
    #[schema(format = DateTime, max_length = 40)]
    update_time: String,
}
