//! Delivered outputs, apart from the tasks that they are items of.

use clipmill_core::ids::TaskNo;
use clipmill_core::request::model::TaskType;

use crate::model::ItemResult;

#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub item_no: u32,
    pub seed: u64,
    pub result: ItemResult,
}

/// An output, and what its task is called.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputRecord {
    pub task_no: TaskNo,
    pub task_type: TaskType,
    pub client_task_id: Option<String>,
    pub name: Option<String>,
    pub labels: Vec<String>,
    pub output: Output,
}
