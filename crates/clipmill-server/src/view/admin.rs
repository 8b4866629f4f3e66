//! What operators see.

use clipmill_store::{
    FailedItem, ItemRecord, Load, QueueOverview, TaskRecord, User, UserOverview, WorkerRecord,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::schema::{ErrorCodeName, MessageParams};
use super::{MessageView, Params, TaskView, rfc3339};
use crate::localized;

/// Waiting and running work, and waiting times.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueView {
    /// The queue is paused: no new work starts.
    pub paused: bool,
    #[schema(format = DateTime)]
    pub paused_since: Option<String>,
    /// The reason shown to users whose tasks are waiting.
    pub pause_reason: Option<String>,
    /// How long the oldest ready job has been waiting; null if none is.
    pub oldest_age_seconds: Option<u64>,
    pub depth: Vec<QueueDepthView>,
    /// Users with work that is ready or running.
    pub users: Vec<UserLoadView>,
    /// The longest running first; at most 200.
    pub running: Vec<RunningView>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueDepthView {
    /// `preflight`, `segment` or `finish`.
    pub kind: &'static str,
    /// `ready`, `delayed`, `waiting` or `running`.
    pub state: &'static str,
    pub count: u64,
    pub oldest_age_seconds: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserLoadView {
    pub user_name: String,
    pub ready: u64,
    pub running: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningView {
    pub work_id: i64,
    pub kind: &'static str,
    pub user_name: String,
    /// For a shared segment, the oldest task that waits for it.
    pub task_no: Option<String>,
    pub item_no: Option<u32>,
    pub worker: String,
    pub running_seconds: u64,
    /// Time until the lease expires unless renewed; negative once expired.
    pub lease_seconds: i64,
    /// Failed attempts so far, including lost leases.
    pub attempts: u32,
    pub lost_leases: u32,
}

/// A worker that has reported within the last day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    pub name: String,
    pub host: String,
    pub version: String,
    pub slots: u32,
    pub running: u32,
    /// Kinds of work it accepts.
    pub kinds: Vec<&'static str>,
    /// It takes no new work and exits when its current work is done.
    pub draining: bool,
    /// It has reported within the last half minute.
    pub alive: bool,
    #[schema(format = DateTime)]
    pub started_at: String,
    #[schema(format = DateTime)]
    pub seen_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WorkersView {
    pub list: Vec<WorkerView>,
    pub total: usize,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserView {
    pub user_id: i64,
    pub name: String,
    /// Points that can be spent.
    pub balance: u64,
    pub held: u64,
    /// Number of stored tasks.
    pub tasks: u64,
    #[schema(format = DateTime)]
    pub create_time: String,
    /// When the user was disabled; null if enabled.
    #[schema(format = DateTime)]
    pub off_since: Option<String>,
    /// The reason shown to the user.
    pub off_reason: Option<String>,
}

/// A new user. The key and the secret are shown only here.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewUserView {
    pub user_id: i64,
    pub name: String,
    pub api_key: String,
    pub webhook_secret: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantView {
    pub user_id: i64,
    pub points: u64,
    /// Balance of the user afterwards.
    pub balance: i64,
    pub held: i64,
}

/// An item that ended without an output.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailureView {
    pub task_no: String,
    pub item_no: u32,
    pub user_name: String,
    #[schema(value_type = ErrorCodeName)]
    pub code: &'static str,
    pub message: String,
    /// Stable code of `message`, listed in docs/api/messages.md; null without a text, and for texts of early versions.
    pub message_code: Option<&'static str>,
    /// Values in `message` by name; null without a code.
    #[schema(value_type = Option<MessageParams>)]
    pub message_params: Option<Params>,
    pub input: Option<String>,
    pub retryable: bool,
    /// When the task ended; null while other items of it are still running.
    #[schema(format = DateTime)]
    pub finish_time: Option<String>,
}

/// A task of any user, without links to its files.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserTaskView {
    pub user_id: i64,
    pub user_name: String,
    #[serde(flatten)]
    pub task: TaskView,
    /// Items that ended without an output, in their order.
    pub failures: Vec<FailureView>,
}

impl UserTaskView {
    pub fn new(user: &User, task: TaskRecord, load: &Load, now_ms: i64) -> Self {
        let failed = |item: &ItemRecord| {
            Some(FailureView::from(FailedItem {
                task_no: task.task_no.clone(),
                item_no: item.item_no,
                user_name: user.name.clone(),
                error: item.error.clone()?,
                finished_at: task.finished_at,
            }))
        };
        let failures = task.items.iter().filter_map(failed).collect();
        let (user_id, user_name) = (user.id.0, user.name.clone());
        Self { user_id, user_name, failures, task: TaskView::brief(task, load, now_ms) }
    }
}

/// Whether anything changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct PausedView {
    pub paused: bool,
    pub changed: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RequeuedView {
    /// Number of jobs that are ready again.
    pub requeued: u64,
}

impl From<QueueOverview> for QueueView {
    fn from(queue: QueueOverview) -> Self {
        let ready = queue.depths.iter().filter(|depth| depth.state.as_str() == "ready");
        Self {
            paused: queue.pause.is_some(),
            paused_since: queue.pause.as_ref().map(|pause| rfc3339(pause.since)),
            pause_reason: queue.pause.and_then(|pause| pause.reason),
            oldest_age_seconds: ready.map(|depth| depth.oldest_ms / 1000).max(),
            depth: queue
                .depths
                .iter()
                .map(|depth| QueueDepthView {
                    kind: depth.kind.as_str(),
                    state: depth.state.as_str(),
                    count: depth.count,
                    oldest_age_seconds: depth.oldest_ms / 1000,
                })
                .collect(),
            users: queue
                .users
                .into_iter()
                .map(|user| UserLoadView {
                    user_name: user.user_name,
                    ready: user.ready,
                    running: user.running,
                })
                .collect(),
            running: queue
                .running
                .into_iter()
                .map(|work| RunningView {
                    work_id: work.work.0,
                    kind: work.kind.as_str(),
                    user_name: work.user_name,
                    task_no: work.task_no.map(|task_no| task_no.to_string()),
                    item_no: work.item_no,
                    worker: work.worker,
                    running_seconds: work.running_ms / 1000,
                    lease_seconds: work.lease_left_ms / 1000,
                    attempts: work.attempts,
                    lost_leases: work.lost_leases,
                })
                .collect(),
        }
    }
}

impl From<WorkerRecord> for WorkerView {
    fn from(worker: WorkerRecord) -> Self {
        let kinds = worker.info.kinds.names();
        Self {
            name: worker.info.name,
            host: worker.info.host,
            version: worker.info.version,
            slots: worker.info.slots,
            running: worker.running,
            kinds,
            draining: worker.info.draining,
            alive: worker.alive,
            started_at: rfc3339(worker.started_at),
            seen_at: rfc3339(worker.seen_at),
        }
    }
}

impl From<UserOverview> for UserView {
    fn from(user: UserOverview) -> Self {
        Self {
            user_id: user.id.0,
            name: user.name,
            balance: user.available,
            held: user.held,
            tasks: user.tasks,
            create_time: rfc3339(user.created_at),
            off_since: user.off.as_ref().map(|off| rfc3339(off.since)),
            off_reason: user.off.map(|off| off.reason),
        }
    }
}

impl From<FailedItem> for FailureView {
    fn from(failed: FailedItem) -> Self {
        let (_, message_code, message_params) = MessageView::parts(Some(&failed.error.message));
        Self {
            task_no: failed.task_no.to_string(),
            item_no: failed.item_no,
            user_name: failed.user_name,
            code: failed.error.code.as_str(),
            message: localized::error_text(&failed.error),
            message_code,
            message_params,
            input: failed.error.input,
            retryable: failed.error.retryable,
            finish_time: failed.finished_at.map(rfc3339),
        }
    }
}
