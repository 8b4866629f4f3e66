//! Request bodies that rename a task.

use utoipa::ToSchema;

/// New name and labels of a task. Omitted fields are left unchanged; null clears them.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct TaskNamingSchema {
    #[schema(max_length = 120)]
    name: Option<String>,
    /// Replaces the labels of the task.
    #[schema(max_items = 10)]
    labels: Option<Vec<TaskLabelSchema>>,
}

/// A label.
#[derive(ToSchema)]
#[schema(min_length = 1, max_length = 60)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct TaskLabelSchema(String);
