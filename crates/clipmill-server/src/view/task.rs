//! Tasks and items as their owner sees them.

use clipmill_core::error::TaskError;
use clipmill_core::ids::TaskNo;
use clipmill_core::message;
use clipmill_core::plan::{Diversity, Pair, Warning};
use clipmill_core::request::model::TaskType;
use clipmill_core::task::TaskState;
use clipmill_core::throughput::{left_ms, wait_ms};
use clipmill_store::{ItemRecord, ItemResult, Load, Output, OutputRecord, Pause, SubmittedTask, TaskRecord};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::schema::{
    DiversityPairSchema, DiversitySchema, ErrorCodeName, MessageParams, QualitySchema, Recipe, StateName,
    TaskTypeName,
};
use super::{MessageView, Params, TemplateRefView, WarningView, rfc3339, warnings};
use crate::links::{Link, LinkTarget, Links};
use crate::localized;

/// Response to a submission. `duplicate` is only present when the task existed before.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmitView {
    /// Task number: `VP` and 26 characters.
    pub task_no: String,
    /// Task id.
    pub task_id: i64,
    /// Points held for the task.
    pub estimated_dot_count: u64,
    /// Number of output videos.
    pub total_items: u32,
    /// True if this `clientTaskId` was submitted before; otherwise omitted.
    #[serde(skip_serializing_if = "is_false")]
    pub duplicate: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningView>,
}

/// Price and size of a submission.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EstimateView {
    /// Points that would be held.
    pub estimated_dot_count: u64,
    /// Number of output videos.
    pub total_items: u32,
    /// proVideoMix: distinct combinations of the scenes' resources, at most 2^53−1; else null.
    pub distinct_combinations: Option<u64>,
    /// Video segments to encode; outputs that share a clip share its segment.
    pub unique_segments: u64,
    /// Total length of all outputs in seconds.
    pub output_seconds: f64,
    /// The pair of outputs that would share the most footage, as far as the files are known; null with fewer than two
    /// outputs.
    #[schema(value_type = Option<DiversityPairSchema>)]
    pub most_similar: Option<Pair>,
    pub warnings: Vec<WarningView>,
}

/// State of a task; `items` is omitted in lists.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskView {
    /// Task number.
    pub task_no: String,
    /// Kind of task.
    #[schema(value_type = TaskTypeName)]
    pub task_type: TaskType,
    /// 0 pending submission, 1 queued, 2 executing, 3 completed, 4 failed, 5 cancelled, 6 rejected.
    #[schema(minimum = 0, maximum = 6)]
    pub status: u8,
    /// The state in words.
    #[schema(value_type = StateName)]
    pub status_name: &'static str,
    /// Completed share of the planned work; never decreases; 100 only when completed.
    #[schema(minimum = 0, maximum = 100)]
    pub progress_percent: u8,
    /// Task id.
    pub task_id: i64,
    /// Your own ID for the job.
    pub client_task_id: Option<String>,
    /// Name of the task.
    pub name: Option<String>,
    /// Labels of the task.
    pub labels: Vec<String>,
    /// The template it was created from; null otherwise.
    pub template: Option<TemplateRefView>,
    /// Number of output videos.
    pub total_items: u32,
    /// Number of delivered videos.
    pub completed_items: u32,
    /// Number of videos that failed.
    pub failed_items: u32,
    /// The confirmed price once it is known.
    pub estimated_dot_count: u64,
    /// The price computed from the probed files, also for a task that was rejected because of it; null until the
    /// files are probed.
    pub price: Option<u64>,
    /// Points charged so far.
    pub consumed_dot_count: u64,
    /// Position among the tasks that have not started; 1 is next.
    pub queue_position: Option<u64>,
    /// Estimated seconds remaining. For a queued task, based on the work ahead of it and recent throughput; for an
    /// executing task, increasingly on its own progress.
    pub eta_seconds: Option<u64>,
    /// RFC 3339, UTC.
    #[schema(format = DateTime)]
    pub create_time: String,
    /// When rendering began.
    #[schema(format = DateTime)]
    pub start_time: Option<String>,
    /// When the task ended.
    #[schema(format = DateTime)]
    pub finish_time: Option<String>,
    /// Summary of the failures.
    pub error_msg: Option<String>,
    /// Stable code of `errorMsg`, listed in docs/api/messages.md; null without a text, and for texts of early versions.
    pub error_msg_code: Option<&'static str>,
    /// Values in `errorMsg` by name; null without a code.
    #[schema(value_type = Option<MessageParams>)]
    pub error_msg_params: Option<Params>,
    /// Options without effect, wrong declared lengths, and a paused queue while the task waits for it.
    pub warnings: Vec<WarningView>,
    /// Set if the operator has paused the queue and the task waits for it; null otherwise.
    pub paused: Option<PauseView>,
    /// Footage shared by each pair of outputs; null with fewer than two outputs.
    #[schema(value_type = Option<DiversitySchema>)]
    pub diversity: Option<Diversity>,
    /// Signed link to a cover image of the first output that has a file; null while there is none, omitted in live
    /// events.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub cover_url: Option<Option<String>>,
    /// Signed link to all files as one zip, valid for as long as the links of the items; null while there is no file,
    /// omitted in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub download_url: Option<Option<String>>,
    /// The output videos, in order; omitted in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<ItemView>>,
}

/// The queue is paused: no new work starts.
#[derive(Debug, Serialize, ToSchema)]
pub struct PauseView {
    #[schema(format = DateTime)]
    pub since: String,
    /// The operator's note.
    pub reason: Option<String>,
}

/// Progress of a task in its event stream.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProgressView {
    pub task_no: String,
    pub progress_percent: u8,
    pub eta_seconds: Option<u64>,
}

/// One output video. Fields about the finished file are null until it exists.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemView {
    /// From 1, in the order of the request.
    pub item_no: u32,
    /// As for tasks.
    #[schema(minimum = 0, maximum = 6)]
    pub status: u8,
    /// The state in words.
    #[schema(value_type = StateName)]
    pub status_name: &'static str,
    /// As for tasks.
    #[schema(minimum = 0, maximum = 100)]
    pub progress_percent: u8,
    #[serde(flatten)]
    pub file: FileView,
    /// Seed that reproduces this item.
    pub seed: u64,
    /// Every randomly chosen value; null until the inputs are known.
    #[schema(value_type = Option<Recipe>)]
    pub recipe: Value,
    /// Verification of the finished file; null without a file.
    #[schema(value_type = Option<QualitySchema>)]
    pub quality: Option<Value>,
    /// Warnings about this output.
    pub warnings: Vec<WarningView>,
    /// Why the item failed; null otherwise.
    pub error: Option<ErrorView>,
}

/// The output file. `url` and `expiresAt` are null once the file is gone.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileView {
    /// Signed link to the file; renewed with each call.
    pub url: Option<String>,
    /// Signed link to a cover image (JPEG).
    pub cover_url: Option<String>,
    /// When the links stop working.
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
    /// When the file is deleted.
    #[schema(format = DateTime)]
    pub file_expires_at: Option<String>,
    /// Seconds.
    pub duration: Option<f64>,
    /// Pixels.
    pub width: Option<u32>,
    /// Pixels.
    pub height: Option<u32>,
    /// Frames per second.
    pub fps: Option<u32>,
    /// Size of the file.
    pub size_bytes: Option<u64>,
    /// Of the file, lower-case hexadecimal.
    pub sha256: Option<String>,
    /// `h264`.
    pub video_codec: Option<String>,
    /// `aac`, or null for an output without audio.
    pub audio_codec: Option<String>,
}

/// A delivered output, and the name of its task.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputView {
    pub task_no: String,
    /// From 1, in the order of the request.
    pub item_no: u32,
    #[schema(value_type = TaskTypeName)]
    pub task_type: TaskType,
    /// Your own ID for the task.
    pub client_task_id: Option<String>,
    /// Of the task.
    pub name: Option<String>,
    /// Of the task.
    pub labels: Vec<String>,
    #[serde(flatten)]
    pub file: FileView,
    /// Seed that reproduces this output.
    pub seed: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorView {
    /// Kind of failure.
    #[schema(value_type = ErrorCodeName)]
    pub code: &'static str,
    /// Cause of the failure, and how to fix it.
    pub message: String,
    /// Stable code of `message`, listed in docs/api/messages.md; null without a text, and for texts of early versions.
    pub message_code: Option<&'static str>,
    /// Values in `message` by name; null without a code.
    #[schema(value_type = Option<MessageParams>)]
    pub message_params: Option<Params>,
    /// URL of the file that caused the failure, as sent by the client.
    pub input: Option<String>,
    /// Whether sending the same request again may succeed.
    pub retryable: bool,
    /// Whether the item was charged despite the failure.
    pub charged: bool,
}

impl SubmitView {
    pub fn new(task: SubmittedTask, duplicate: bool) -> Self {
        Self {
            task_no: task.task_no.to_string(),
            task_id: task.task_id.0,
            estimated_dot_count: task.points,
            total_items: task.total_items,
            duplicate,
            warnings: warnings(task.warnings),
        }
    }
}

impl TaskView {
    /// A task with its items, and with links that are valid from `now_ms` on.
    pub fn detailed(mut task: TaskRecord, links: &Links, load: &Load, now_ms: i64) -> Self {
        let task_items = std::mem::take(&mut task.items);
        let task_no = task.task_no.clone();
        let lives_until = task_items.iter().filter_map(|item| Some(item.result.as_ref()?.expires_at)).max();
        let archive = lives_until.and_then(|moment| links.sign_archive(&task_no, now_ms, moment));
        let items = task_items.into_iter().map(|item| ItemView::of(item, &task_no, links, now_ms));
        let items: Vec<ItemView> = items.collect();
        let cover = items.iter().find_map(|item| item.file.cover_url.clone());
        let (items, download_url) = (Some(items), Some(archive.map(|link| link.url)));
        Self { items, download_url, cover_url: Some(cover), ..Self::brief(task, load, now_ms) }
    }

    /// A task as it appears in lists, with a link that is valid from `now_ms` on.
    pub fn listed(mut task: TaskRecord, links: &Links, load: &Load, now_ms: i64) -> Self {
        let first = task.first_output.take();
        let cover = first.and_then(|output| {
            links.sign(LinkTarget::Cover, &task.task_no, output.item_no, now_ms, &output.result)
        });
        Self { cover_url: Some(cover.map(|link| link.url)), ..Self::brief(task, load, now_ms) }
    }

    /// A task without links to files.
    pub fn brief(mut task: TaskRecord, load: &Load, now_ms: i64) -> Self {
        let waits = load.pause.as_ref().filter(|_| !task.state.is_final());
        task.warnings.extend(waits.map(stopped));
        let (error_msg, error_msg_code, error_msg_params) = MessageView::parts(task.error_message.as_ref());
        Self {
            task_type: task.task_type,
            status: task.state.code(),
            status_name: task.state.name(),
            progress_percent: percent(task.state, task.frames_done, task.frames_planned),
            task_id: task.id.0,
            total_items: task.total_items,
            completed_items: task.completed_items,
            failed_items: task.failed_items,
            estimated_dot_count: task.estimated_points,
            price: task.price,
            consumed_dot_count: task.consumed_points,
            queue_position: task.queue_position,
            eta_seconds: eta_seconds(&task, load, now_ms),
            create_time: rfc3339(task.created_at),
            start_time: task.started_at.map(rfc3339),
            finish_time: task.finished_at.map(rfc3339),
            task_no: task.task_no.to_string(),
            client_task_id: task.client_task_id,
            name: task.name,
            labels: task.labels,
            template: task.template.map(Into::into),
            error_msg,
            error_msg_code,
            error_msg_params,
            warnings: warnings(task.warnings),
            paused: waits
                .map(|pause| PauseView { since: rfc3339(pause.since), reason: pause.reason.clone() }),
            diversity: task.diversity,
            cover_url: None,
            download_url: None,
            items: None,
        }
    }
}

impl From<&TaskView> for ProgressView {
    fn from(task: &TaskView) -> Self {
        Self {
            task_no: task.task_no.clone(),
            progress_percent: task.progress_percent,
            eta_seconds: task.eta_seconds,
        }
    }
}

impl ItemView {
    /// An item with links that are valid from `now_ms` on.
    pub fn of(mut item: ItemRecord, task_no: &TaskNo, links: &Links, now_ms: i64) -> Self {
        let mut result = item.result.take();
        item.warnings.extend(result.iter_mut().flat_map(|result| std::mem::take(&mut result.warnings)));
        let quality = result.as_ref().map(|result| result.quality.clone());
        let item_no = item.item_no;
        let file = result.map(|result| FileView::of(result, task_no, item_no, links, now_ms));
        let file = file.unwrap_or_default();
        Self::new(item, file, quality)
    }

    fn new(item: ItemRecord, file: FileView, quality: Option<Value>) -> Self {
        let charged = item.charged > 0;
        Self {
            item_no: item.item_no,
            status: item.state.code(),
            status_name: item.state.name(),
            progress_percent: percent(item.state, item.frames_done, item.frames_planned),
            file,
            seed: item.seed,
            recipe: item.recipe,
            quality,
            warnings: warnings(item.warnings),
            error: item.error.map(|error| ErrorView::new(error, charged)),
        }
    }
}

impl OutputView {
    /// With links that are valid from `now_ms` on.
    pub fn of(output: OutputRecord, links: &Links, now_ms: i64) -> Self {
        let Output { item_no, seed, result } = output.output;
        Self {
            item_no,
            file: FileView::of(result, &output.task_no, item_no, links, now_ms),
            seed,
            task_no: output.task_no.to_string(),
            task_type: output.task_type,
            client_task_id: output.client_task_id,
            name: output.name,
            labels: output.labels,
        }
    }
}

impl FileView {
    /// With links that are valid from `now_ms` on.
    fn of(result: ItemResult, task_no: &TaskNo, item_no: u32, links: &Links, now_ms: i64) -> Self {
        let linked = LinkTarget::ALL.map(|what| links.sign(what, task_no, item_no, now_ms, &result));
        Self::new(result, linked)
    }

    fn new(result: ItemResult, [link, cover]: [Option<Link>; 2]) -> Self {
        Self {
            expires_at: link.as_ref().map(|link| rfc3339(link.expires_at)),
            url: link.map(|link| link.url),
            cover_url: cover.map(|link| link.url),
            file_expires_at: Some(rfc3339(result.expires_at)),
            duration: Some(result.duration_ms as f64 / 1000.0),
            width: Some(result.width),
            height: Some(result.height),
            fps: Some(result.fps),
            size_bytes: Some(result.size_bytes),
            sha256: Some(result.sha256),
            video_codec: Some(result.video_codec),
            audio_codec: result.audio_codec,
        }
    }
}

impl ErrorView {
    fn new(error: TaskError, charged: bool) -> Self {
        let (_, message_code, message_params) = MessageView::parts(Some(&error.message));
        Self {
            code: error.code.as_str(),
            message: localized::error_text(&error),
            message_code,
            message_params,
            input: error.input,
            retryable: error.retryable,
            charged,
        }
    }
}

/// Completed share of the planned work; only a completed task has 100.
fn percent(state: TaskState, done: u64, planned: u64) -> u8 {
    if state == TaskState::Completed {
        return 100;
    }
    let percent = u128::from(done) * 100 / u128::from(planned.max(1));
    percent.min(99) as u8
}

/// Estimated from the queue and from the throughput of recent work until the task has a throughput of its own; `None`
/// before it is planned, and while neither is known.
fn eta_seconds(task: &TaskRecord, load: &Load, now_ms: i64) -> Option<u64> {
    let others = || load.work_left.iter().filter(|(user, _)| *user != task.user).map(|(_, left)| *left);
    let expected = || wait_ms(task.work_left?, others(), load.speed?);
    let ms = match (task.state, task.started_at) {
        (TaskState::Queued, _) => expected(),
        (TaskState::Executing, Some(started)) => {
            let elapsed = u64::try_from(now_ms.saturating_sub(started)).ok()?;
            left_ms(elapsed, task.frames_done, task.frames_planned, expected())
        }
        _ => None,
    };
    ms.map(|left| left.div_ceil(1000))
}

/// Why an open task makes no progress.
fn stopped(pause: &Pause) -> Warning {
    let message = match &pause.reason {
        Some(reason) => message::queue_paused_because(reason.as_str()),
        None => message::queue_paused(),
    };
    Warning { path: String::new(), message }
}

fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
#[path = "task_tests.rs"]
mod tests;
