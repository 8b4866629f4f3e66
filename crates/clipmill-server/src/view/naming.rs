//! What bodies hold that name a task anew.

use utoipa::ToSchema;

/// What a task is called from now on; what is absent stays, and null takes away.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct TaskNamingSchema {
    #[schema(max_length = 120)]
    name: Option<String>,
    /// In place of those that the task has.
    #[schema(max_items = 10)]
    labels: Option<Vec<TaskLabelSchema>>,
}

/// A label.
#[derive(ToSchema)]
#[schema(min_length = 1, max_length = 60)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct TaskLabelSchema(String);
