//! Records of the queue and its workers, for operators.

use clipmill_core::error::TaskError;
use clipmill_core::ids::{TaskNo, UserId, WorkId};

use crate::clock::Millis;
use crate::key::SwitchedOff;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkKind {
    Preflight,
    Segment,
    Assemble,
}

impl WorkKind {
    pub const ALL: [Self; 3] = [Self::Preflight, Self::Segment, Self::Assemble];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preflight => "preflight",
            Self::Segment => "segment",
            Self::Assemble => "finish",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A worker's report about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerInfo {
    /// The unique name under which it claims.
    pub name: String,
    pub host: String,
    pub version: String,
    /// How many jobs it runs at the same time.
    pub slots: u32,
    /// The kinds of work that it accepts.
    pub kinds: WorkKinds,
    /// It accepts no new work and exits when its current work is done.
    pub draining: bool,
    /// Recent throughput of one of its slots, in frames per 1,000 seconds; `None` before it has any.
    pub speed: Option<u64>,
}

/// The queue is paused: nothing is claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    pub since: Millis,
    /// The reason shown to users whose tasks are waiting.
    pub reason: Option<String>,
}

/// The remaining work of all users, and the throughput.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Load {
    /// Throughput of all slots, in frames per 1,000 seconds; `None` while unknown.
    pub speed: Option<u64>,
    /// Remaining work of planned tasks, by user.
    pub work_left: Vec<(UserId, u64)>,
    /// The pause of the queue, if any.
    pub pause: Option<Pause>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerRecord {
    pub info: WorkerInfo,
    pub started_at: Millis,
    pub seen_at: Millis,
    /// Whether it reported within the last half minute.
    pub alive: bool,
    /// Number of jobs it holds leases on.
    pub running: u32,
}

/// A set of kinds of work; all of them by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkKinds(u8);

impl Default for WorkKinds {
    fn default() -> Self {
        WorkKind::ALL.into_iter().collect()
    }
}

impl FromIterator<WorkKind> for WorkKinds {
    fn from_iter<I: IntoIterator<Item = WorkKind>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |bits, kind| bits | bit(kind)))
    }
}

impl WorkKinds {
    pub fn has(self, kind: WorkKind) -> bool {
        self.0 & bit(kind) != 0
    }

    /// The kinds in both sets.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn names(self) -> Vec<&'static str> {
        WorkKind::ALL.into_iter().filter(|kind| self.has(*kind)).map(WorkKind::as_str).collect()
    }

    /// One bit for each stage of work, the lowest for assembly.
    pub(crate) fn bits(self) -> i64 {
        i64::from(self.0)
    }

    pub(crate) fn from_bits(bits: i64) -> Self {
        WorkKind::ALL.into_iter().filter(|kind| bits & i64::from(bit(*kind)) != 0).collect()
    }
}

fn bit(kind: WorkKind) -> u8 {
    match kind {
        WorkKind::Assemble => 1,
        WorkKind::Preflight => 2,
        WorkKind::Segment => 4,
    }
}

/// Waiting work with its age, and running work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueOverview {
    /// The pause of the queue, if any.
    pub pause: Option<Pause>,
    /// By kind and state; those without any work are left out.
    pub depths: Vec<QueueDepth>,
    /// Users with ready or running work; those with most running work first.
    pub users: Vec<UserLoad>,
    /// The longest running first.
    pub running: Vec<RunningWork>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueDepth {
    pub kind: WorkKind,
    pub state: QueueState,
    pub count: u64,
    /// The age of the oldest.
    pub oldest_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueState {
    /// Ready: any free worker can claim it.
    Ready,
    /// Failed, and to be retried later.
    Delayed,
    /// Waiting for segments that are not rendered yet.
    Waiting,
    Running,
}

impl QueueState {
    pub const ALL: [Self; 4] = [Self::Ready, Self::Delayed, Self::Waiting, Self::Running];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Delayed => "delayed",
            Self::Waiting => "waiting",
            Self::Running => "running",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLoad {
    pub user_name: String,
    pub ready: u64,
    pub running: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningWork {
    pub work: WorkId,
    pub kind: WorkKind,
    pub user_name: String,
    /// Its task; for a shared segment, the oldest task that waits for it.
    pub task_no: Option<TaskNo>,
    pub item_no: Option<u32>,
    pub worker: String,
    pub running_ms: u64,
    /// Time until the lease expires unless renewed; negative once expired.
    pub lease_left_ms: i64,
    /// Failed attempts so far, including lost leases.
    pub attempts: u32,
    pub lost_leases: u32,
}

/// The work to make ready again at once, whether it is leased or delayed. This does not count as an attempt, and a
/// holder loses the lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Requeue {
    Work(WorkId),
    /// All work of this worker.
    Worker(String),
    /// Work that failed and waits for its next attempt.
    Delayed,
}

/// A user as the operator sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserOverview {
    pub id: UserId,
    pub name: String,
    pub available: u64,
    pub held: u64,
    /// Number of their stored tasks.
    pub tasks: u64,
    pub created_at: Millis,
    pub off: Option<SwitchedOff>,
}

/// An item that ended without an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedItem {
    pub task_no: TaskNo,
    pub item_no: u32,
    pub user_name: String,
    pub error: TaskError,
    /// End of the task; `None` while other items of it are still running.
    pub finished_at: Option<Millis>,
}
