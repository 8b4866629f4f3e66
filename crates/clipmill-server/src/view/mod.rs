//! What goes over the wire, and the one place where records become it.

mod envelope;
mod ledger;
mod media;
mod task;
mod time;

use clipmill_core::plan::Warning;
use serde::Serialize;

pub use envelope::Envelope;
pub use ledger::{BalanceView, RecordView};
pub use media::media;
pub use task::{EstimateView, ItemView, SubmitView, TaskView};
pub use time::rfc3339;

/// A page of a list, newest first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageView<T> {
    pub list: Vec<T>,
    pub total: u64,
    pub page_no: u32,
    pub page_size: u32,
}

/// A remark; `path` is a JSON Pointer into the request, empty where no one place is meant.
#[derive(Debug, Serialize)]
pub struct WarningView {
    pub path: String,
    pub message: String,
}

impl From<Warning> for WarningView {
    fn from(warning: Warning) -> Self {
        Self { path: warning.path, message: warning.message }
    }
}

fn warnings(warnings: Vec<Warning>) -> Vec<WarningView> {
    warnings.into_iter().map(Into::into).collect()
}
