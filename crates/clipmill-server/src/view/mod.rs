//! Wire types, and the only conversions of records into them.

mod admin;
mod batch;
mod brand;
mod callback;
mod catalogue;
mod draft;
mod envelope;
mod feedback;
mod health;
mod invitation;
mod ledger;
mod media;
mod message;
mod naming;
mod operations;
mod schema;
mod share;
mod task;
mod template;
mod time;
mod upload;

use clipmill_core::plan::Warning;
use serde::Serialize;
use utoipa::ToSchema;

pub use admin::*;
pub use batch::*;
pub use brand::*;
pub use callback::*;
pub use catalogue::*;
pub use draft::*;
pub use envelope::*;
pub use feedback::*;
pub use health::*;
pub use invitation::*;
pub use ledger::*;
pub use media::*;
pub use message::*;
pub use naming::*;
pub use operations::*;
pub use schema::*;
pub use share::*;
pub use task::*;
pub use template::*;
pub use time::*;
pub use upload::*;

/// A page of a list, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageView<T> {
    pub list: Vec<T>,
    pub total: u64,
    pub page_no: u32,
    pub page_size: u32,
}

/// A page of tasks, newest first; with `batches=fold` also of batches.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageTaskView {
    pub list: Vec<TaskView>,
    /// The batches of this page, newest first, if requested. Tasks and batches fill the page in the order of
    /// `createTime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batches: Option<Vec<BatchView>>,
    /// Number of tasks, plus batches if they are listed.
    pub total: u64,
    pub page_no: u32,
    pub page_size: u32,
}

/// A warning; `path` is a JSON Pointer into the request, empty if the warning concerns the whole.
#[derive(Debug, Serialize, ToSchema)]
pub struct WarningView {
    pub path: String,
    #[serde(flatten)]
    pub message: MessageView,
}

impl From<Warning> for WarningView {
    fn from(warning: Warning) -> Self {
        Self { path: warning.path, message: (&warning.message).into() }
    }
}

fn warnings(warnings: Vec<Warning>) -> Vec<WarningView> {
    warnings.into_iter().map(Into::into).collect()
}
