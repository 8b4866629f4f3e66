//! Submitted tasks: one, all, their files, and cancelling.

use clipmill_core::request::model::TaskType;
use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::messages::without_codes;
use super::{Outcome, TASKS, ToolContext, ToolOutput};
use crate::mcp::api_client::{Body, Call};
use crate::mcp::refusal::Refusal;

pub const GET: &str = "Current state of a task, without its files: progress, position in the queue, seconds remaining, \
    points, warnings, failures. To wait for the end, use wait_for_task.";
pub const RESULTS: &str = "The videos of a task: signed links (no key is required to download them; renewed with each call), \
    length, size, and for a failed one the reason. downloadUrl is one zip of all. Works while others are still being rendered.";
pub const LIST: &str = "The user's tasks, newest first.";
pub const CANCEL: &str = "Stops a task that has not ended. Finished videos remain available and are charged; the points of all \
    others are released. Cannot be undone.";

/// How many items one result has by default.
const PAGE: usize = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct TaskArguments {
    /// Task number returned by submit_task: VP and 26 characters.
    task_no: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Results {
    /// Number of the task: VP and 26 characters.
    task_no: String,
    /// First video to return, from 1.
    #[schemars(range(min = 1))]
    from_item: Option<usize>,
    /// Number of videos to return; 20 by default.
    #[schemars(range(min = 1, max = 100))]
    count: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct List {
    /// Only tasks in this state.
    state: Option<State>,
    #[schemars(description = type_filter())]
    task_type: Option<String>,
    /// Prefix search over the words of name, clientTaskId and task number; every word must match.
    q: Option<String>,
    /// Only tasks with this label.
    label: Option<String>,
    /// Only tasks submitted at this time or later: a date such as 2026-11-30 (UTC), or a moment such as
    /// 2026-11-30T08:00:00Z.
    from: Option<String>,
    /// Only tasks submitted before this time; a date excludes the tasks of that day.
    to: Option<String>,
    /// From 1.
    #[schemars(range(min = 1))]
    page_no: Option<u32>,
    /// 1 to 100; 10 by default.
    #[schemars(range(min = 1, max = 100))]
    page_size: Option<u32>,
}

fn type_filter() -> String {
    format!("Only tasks of this type: {}.", TaskType::ALL.map(TaskType::as_str).join(", "))
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(crate = "rmcp::schemars", inline)]
enum State {
    Pending,
    Queued,
    Executing,
    Completed,
    Failed,
    Cancelled,
    Rejected,
}

pub async fn get(context: ToolContext, TaskArguments { task_no }: TaskArguments) -> Outcome {
    Ok(ToolOutput::Facts(brief(status(&context, &task_no).await?)))
}

pub async fn results(context: ToolContext, Results { task_no, from_item, count }: Results) -> Outcome {
    let mut task = status(&context, &task_no).await?;
    let items = items(&mut task, from_item.unwrap_or(1), count.unwrap_or(PAGE).clamp(1, 100));
    let mut summary = pick(
        &mut task,
        &["taskNo", "statusName", "totalItems", "completedItems", "failedItems", "downloadUrl"],
    );
    summary.insert("items".into(), items);
    Ok(ToolOutput::Facts(Value::Object(summary)))
}

pub async fn list(
    context: ToolContext,
    List { state, task_type, q, label, from, to, page_no, page_size }: List,
) -> Outcome {
    let call = Call::get(format!("{TASKS}/list"))
        .with("status", state.map(|state| state as u8))
        .with("taskType", task_type)
        .with("q", q)
        .with("label", label)
        .with("from", from)
        .with("to", to)
        .with("pageNo", page_no)
        .with("pageSize", page_size);
    let mut page = context.ask(call).await?;
    for task in page["list"].as_array_mut().into_iter().flatten() {
        *task = brief(task.take());
    }
    Ok(ToolOutput::Facts(page))
}

pub async fn cancel(context: ToolContext, TaskArguments { task_no }: TaskArguments) -> Outcome {
    let call = Call::post(format!("{TASKS}/cancel/{}", number(&task_no)?), Body::None);
    Ok(ToolOutput::Facts(brief(context.ask(call).await?)))
}

/// The task as returned by the API.
pub async fn status(context: &ToolContext, task_no: &str) -> Result<Value, Refusal> {
    context.ask(Call::get(format!("{TASKS}/status/{}", number(task_no)?))).await
}

/// A task's number as a part of a path, checked so that it cannot lead elsewhere.
pub fn number(task_no: &str) -> Result<&str, Refusal> {
    let plain = !task_no.is_empty() && task_no.bytes().all(|byte| byte.is_ascii_alphanumeric());
    plain.then_some(task_no).ok_or_else(|| {
        Refusal::new("taskNo is not a task number (VP and 26 characters, returned by submit_task)")
    })
}

/// Whether the task is in a final state.
pub fn has_ended(task: &Value) -> bool {
    task["status"].as_u64().is_some_and(|code| code >= State::Completed as u64)
}

/// A task without its files and without details for people only.
pub fn brief(mut task: Value) -> Value {
    let ended = has_ended(&task);
    let mut summary = pick(
        &mut task,
        &[
            "taskNo",
            "clientTaskId",
            "name",
            "labels",
            "taskType",
            "statusName",
            "progressPercent",
            "etaSeconds",
            "queuePosition",
            "totalItems",
            "completedItems",
            "failedItems",
            "estimatedDotCount",
            "consumedDotCount",
            "createTime",
            "finishTime",
            "errorMsg",
            "warnings",
        ],
    );
    summary.insert("ended".into(), json!(ended));
    Value::Object(summary)
}

/// `count` items from `from` on, and how many more there are.
pub fn items(task: &mut Value, from: usize, count: usize) -> Value {
    let all = task["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let selection = all.into_iter().skip(from.saturating_sub(1)).take(count);
    Value::Array(selection.map(item).collect())
}

fn item(mut item: Value) -> Value {
    let names = [
        "itemNo",
        "statusName",
        "progressPercent",
        "url",
        "coverUrl",
        "expiresAt",
        "fileExpiresAt",
        "duration",
        "width",
        "height",
        "sizeBytes",
        "seed",
        "warnings",
        "error",
    ];
    Value::Object(pick(&mut item, &names))
}

/// The named members that are neither null nor empty.
fn pick(from: &mut Value, names: &[&str]) -> Map<String, Value> {
    let has_content =
        |value: &Value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty());
    let fields = names.iter().filter_map(|name| Some((called(name).to_owned(), from.get_mut(name)?.take())));
    fields.filter(|(_, value)| has_content(value)).map(|(name, value)| (name, without_codes(value))).collect()
}

/// The name that tools use for a member of the API's replies.
fn called(name: &str) -> &str {
    match name {
        "statusName" => "state",
        "estimatedDotCount" => "points",
        "consumedDotCount" => "pointsPaid",
        other => other,
    }
}
