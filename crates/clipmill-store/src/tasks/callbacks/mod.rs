//! Callbacks: the events of ended tasks and batches, and the attempts to deliver them.

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};
use clipmill_core::message::Message;
use clipmill_core::named_enum;

use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[async_trait]
pub trait CallbackStore: Send + Sync + 'static {
    /// Leases the event that has been due longest, at most `per_user` of each user at once. Events whose lease ended are due
    /// again. Setting the clock forward or back does no harm.
    async fn claim(&self, now: Millis, lease_ms: i64, per_user: u32) -> StoreResult<Option<DueEvent>>;
    /// Records an attempt and its outcome; [`crate::StoreError::LeaseLost`] if another process holds the event now.
    async fn report_attempt(
        &self,
        lease: &EventLease,
        attempt: DeliveryAttempt,
        then: AttemptOutcome,
        now: Millis,
    ) -> StoreResult<()>;
    /// `None` when the user has no such task or batch.
    async fn find(&self, user: UserId, subject: &Subject) -> StoreResult<Option<CallbackRecord>>;
    /// Makes the event due now, in any state. `None` if the user has no such task or batch.
    async fn redeliver(
        &self,
        user: UserId,
        subject: &Subject,
        now: Millis,
    ) -> StoreResult<Option<RedeliverOutcome>>;
    /// Events of all users that are not delivered: the failed ones first, at most `max`.
    async fn open_deliveries(&self, max: u32) -> StoreResult<Vec<OpenDelivery>>;
}

/// The right to send one event until the lease expires; the report must carry it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventLease {
    pub event_id: String,
    pub fence: i64,
}

/// The subject of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Task(TaskNo),
    Batch(BatchNo),
}

impl Subject {
    pub fn number(&self) -> &str {
        match self {
            Self::Task(number) => number.as_str(),
            Self::Batch(number) => number.as_str(),
        }
    }

    /// `None` if the text is neither.
    pub fn parse(text: &str) -> Option<Self> {
        TaskNo::parse(text).map(Self::Task).or_else(|| BatchNo::parse(text).map(Self::Batch))
    }
}

/// An event to be sent now.
#[derive(Debug, Clone)]
pub struct DueEvent {
    pub lease: EventLease,
    /// `task.completed` and its like.
    pub kind: String,
    /// When the task or batch ended.
    pub created_at: Millis,
    pub url: String,
    pub user: UserId,
    pub subject: Subject,
    /// Attempts made before; 0 at the first.
    pub step: u32,
}

/// The outcome of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryAttempt {
    pub started_at: Millis,
    /// `None` when the process that made the attempt was lost.
    pub duration_ms: Option<u64>,
    /// The status of the receiver's response, if there was one.
    pub status: Option<u16>,
    /// `None` if the event was delivered.
    pub error: Option<Message>,
}

/// The event's state after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptOutcome {
    Delivered,
    RetryAt(Millis),
    GiveUp,
}

named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DeliveryState {
        Due = "due",
        Sending = "sending",
        Delivered = "delivered",
        Failed = "failed",
    }
}

/// The callback of a task or a batch: its URL, and the event once the task or batch has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackRecord {
    pub subject: Subject,
    pub url: Option<String>,
    pub event: Option<EventRecord>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRecord {
    pub event_id: String,
    pub kind: String,
    pub created_at: Millis,
    pub state: DeliveryState,
    /// When the next attempt is due, if there is one.
    pub due_at: Option<Millis>,
    /// The oldest first.
    pub attempts: Vec<DeliveryAttempt>,
}

/// An event that has not been delivered, as the operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDelivery {
    pub event_id: String,
    pub user_name: String,
    pub subject: Subject,
    pub url: String,
    pub state: DeliveryState,
    pub due_at: Option<Millis>,
    pub attempts: u64,
    pub last_error: Option<Message>,
}

/// The result of asking for another delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedeliverOutcome {
    /// The event is due now, with the full retry schedule.
    Due,
    /// Being sent at this moment.
    Sending,
    /// The task or batch has not ended, or has no callback.
    NoEvent,
}
