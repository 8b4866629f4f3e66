//! The queue: claiming jobs, pausing and resuming, and what operators see of it.
//!
//! A job is a row of the table `work`: the preflight of a task, a segment, or the assembly of an item. The order in which jobs
//! are claimed is explained in `order.rs`.

pub(crate) mod jobs;
pub(crate) mod leases;
pub(crate) mod workers;

use std::collections::HashMap;

use async_trait::async_trait;
use clipmill_core::ids::{ItemId, JobId, TaskId, TaskNo, UserId};
use clipmill_core::named_enum;
use clipmill_core::plan::{Rendition, SourceRef};
use clipmill_core::request::model::TaskRequest;
use clipmill_core::segment::{SegmentKey, SegmentSpec};

use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::queue::leases::Lease;

#[async_trait]
pub trait QueueStore: Send + Sync + 'static {
    /// Leases the next ready jobs, at most `max`: of the highest priority, of the user with the least work in
    /// progress (of several the one served longest ago), assemblies first, then preflights, then segments, each by age. The
    /// first segment or assembly of a task moves it from queued to executing. Returns nothing while the queue is paused. Users
    /// who have reached `limits` wait without blocking others. With such limits, jobs are leased one at a time.
    async fn claim_several(
        &self,
        worker: &str,
        max: u32,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Vec<Claim>>;
    /// [`QueueStore::claim_several`] for one job.
    async fn claim(
        &self,
        worker: &str,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Option<Claim>> {
        Ok(self.claim_several(worker, 1, now, lease_ms, limits).await?.pop())
    }
    /// Leases the next assemblies of the task whose assembly is leased, because a worker saves time by doing several together.
    /// Returns none while another user waits, and none for other kinds of work.
    async fn claim_more(
        &self,
        worker: &str,
        more: More,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Vec<Claim>>;
    /// The work left and the throughput, which is zero while the queue is paused.
    async fn load(&self, now: Millis) -> StoreResult<Load>;
    /// The number of waiting jobs and the running jobs; at most `max` users and running jobs. Counts of a long queue are as old as
    /// those of [`crate::MetricsStore::snapshot`].
    async fn overview(&self, now: Millis, max: u32) -> StoreResult<QueueOverview>;
    /// Pauses the queue: no new work starts, running work continues. `false` if it was paused before; a reason then replaces
    /// the previous one.
    async fn pause(&self, reason: Option<&str>, now: Millis) -> StoreResult<bool>;
    /// `false` if the queue was not paused.
    async fn resume(&self) -> StoreResult<bool>;
    /// Makes work ready again at once; returns the number of jobs.
    async fn requeue(&self, what: &Requeue) -> StoreResult<u64>;
}

named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum JobKind {
        Preflight = "preflight",
        Segment = "segment",
        Assemble = "finish",
    }
}

/// A set of kinds of work; all of them by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobKinds(u8);

impl Default for JobKinds {
    fn default() -> Self {
        JobKind::ALL.into_iter().collect()
    }
}

impl FromIterator<JobKind> for JobKinds {
    fn from_iter<I: IntoIterator<Item = JobKind>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |bits, kind| bits | bit(kind)))
    }
}

impl JobKinds {
    pub fn has(self, kind: JobKind) -> bool {
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
        JobKind::ALL.into_iter().filter(|kind| self.has(*kind)).map(JobKind::as_str).collect()
    }

    /// One bit for each stage of work, the lowest for assembly.
    pub(crate) fn bits(self) -> i64 {
        i64::from(self.0)
    }

    pub(crate) fn from_bits(bits: i64) -> Self {
        JobKind::ALL.into_iter().filter(|kind| bits & i64::from(bit(*kind)) != 0).collect()
    }
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
    pub running: Vec<RunningJob>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueDepth {
    pub kind: JobKind,
    pub state: QueueState,
    pub count: u64,
    /// The age of the oldest.
    pub oldest_ms: u64,
}

named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum QueueState {
        /// Ready: any free worker can claim it.
        Ready = "ready",
        /// Failed, and to be retried later.
        Delayed = "delayed",
        /// Waiting for segments that are not rendered yet.
        Waiting = "waiting",
        Running = "running",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLoad {
    pub user_name: String,
    pub ready: u64,
    pub running: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningJob {
    pub work: JobId,
    pub kind: JobKind,
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
    Job(JobId),
    /// All work of this worker.
    Worker(String),
    /// Work that failed and waits for its next attempt.
    Delayed,
}

/// The limits for a claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClaimLimits {
    /// Jobs of these kinds leased for one user; 0: no limit.
    pub per_user: u32,
    /// The kinds of work that the claimer accepts.
    pub kinds: JobKinds,
}

/// The assemblies to lease in addition to a leased one.
#[derive(Debug, Clone, Copy)]
pub struct More {
    pub lease: Lease,
    /// The claimer gets its share of the ready assemblies: this many claimers can assemble or render segments.
    pub claimers: u32,
    /// The total number, including the leased one.
    pub max: u32,
}

#[derive(Debug, Clone)]
pub struct Claim {
    pub lease: Lease,
    /// The lease lasts this many times longer than requested, because earlier holders were too slow to renew it.
    pub lease_times: u32,
    /// 1 at the first attempt.
    pub attempt: u32,
    pub job: Job,
}

#[derive(Debug, Clone)]
pub enum Job {
    /// Fetch and probe the inputs, plan, confirm the price.
    Preflight { task: TaskId, task_no: TaskNo, user: UserId, request: Box<TaskRequest>, seed: u64 },
    /// Render one segment.
    Segment { key: SegmentKey, spec: Box<SegmentSpec>, sources: Vec<SourceRef>, user: UserId },
    /// Join, mix, multiplex and verify one item; all its segments exist.
    Assemble {
        task_no: TaskNo,
        item: ItemId,
        item_no: u32,
        user: UserId,
        rendition: Box<Rendition>,
        /// The source URL of each segment in this user's tasks.
        inputs: HashMap<SegmentKey, String>,
    },
}

impl Job {
    pub fn user(&self) -> UserId {
        match self {
            Self::Preflight { user, .. } | Self::Segment { user, .. } | Self::Assemble { user, .. } => *user,
        }
    }
}

fn bit(kind: JobKind) -> u8 {
    match kind {
        JobKind::Assemble => 1,
        JobKind::Preflight => 2,
        JobKind::Segment => 4,
    }
}
