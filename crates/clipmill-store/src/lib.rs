//! Tasks, work, ledger and outbox: the only crate that knows SQL.
//!
//! Callers see one trait, [`Store`], and plain records. The store is reached by noun: `store.tasks().submit(…)`,
//! `store.queue().claim(…)`; each noun is a small trait, which both databases implement. Each method is one unit of work in
//! one transaction: a state never changes without its ledger entry and its event. Every write made on behalf
//! of a worker carries the [`Lease`] it was given and changes nothing once that lease is lost.
//! Moments come in as milliseconds since 1970; nothing here asks this machine's clock. On PostgreSQL the
//! database's clock counts instead, see [`Store::now`].

mod accounts;
mod batches;
mod common;
mod maintenance;
#[cfg(feature = "postgres")]
pub mod postgres;
mod queue;
pub mod sqlite;
mod tasks;

// Unit tests share helpers with the integration tests.
#[cfg(test)]
extern crate self as clipmill_store;

use async_trait::async_trait;
use tokio::sync::watch;

pub use accounts::brands::{BrandOutcome, BrandStore};
pub use accounts::drafts::{DraftOutcome, DraftOverview, DraftRecord, DraftStore, NewDraft};
pub use accounts::feedback::{
    CommentOutcome, CommentRecord, Feedback, FeedbackStore, NewComment, SharedItem,
};
pub use accounts::invitations::{
    InvitationRecord, InvitationStore, InvitedKey, NewInvitation, RedeemedInvitation,
};
pub use accounts::keys::{KeyOwner, KeyRecord, KeyStore, NewKey, Scope, Scopes};
pub use accounts::library::{
    DeleteOutcome, LibraryFile, LibraryFilter, LibraryStore, MediaKind, NewUpload, Quota, StorageFull,
    Upload, UploadFacts, UploadOutcome,
};
pub use accounts::points::{
    Balance, Deduction, ListeningOutcome, ListeningPrice, Movement, MovementFilter, MovementType, PointStore,
};
pub use accounts::shares::{NewShare, ShareOutcome, ShareRecord, ShareStore, SharedTask};
pub use accounts::templates::{
    SaveOutcome, SavedTemplate, TemplateOverview, TemplateRecord, TemplateRef, TemplateStore,
};
pub use accounts::users::{NewUser, OpenJobs, SwitchedOff, User, UserOverview, UserStore};
pub use batches::{
    BatchItem, BatchOutcome, BatchRecord, BatchRefusal, BatchRow, BatchStore, DueRow, GroupedPage, NewBatch,
    NewRow, RetryOutcome, RowFilter, RowItem, RowOutcome, RowRetry, RowState, RowTask,
};
pub use common::clock::Millis;
pub use common::error::{StoreError, StoreResult};
pub use common::latency::LATENCY;
pub use common::page::{Page, Paged};
pub use common::signals::Signal;
pub use common::{fair_semaphore, read_limits};
pub use maintenance::backup::{StoredFile, StoredFiles};
pub use maintenance::installation::{Installation, InstallationStore, LinkSecret};
pub use maintenance::metrics::MetricsStore;
pub use maintenance::operations::{FailedItem, FailureCause, OperationsStore, Usage, UsageSum};
pub use maintenance::retention::{
    ClockReading, ClockTolerance, Cutoffs, ExpiredCounts, MaintenanceLease, RemovedResult, RetentionStore,
};
pub use maintenance::traces::TraceStore;
pub use maintenance::{installation, metrics, retention};
pub use queue::jobs::{
    Fallback, ItemParts, ItemPlan, JobFailure, JobStore, NewSegment, PreflightItem, PreflightResult,
    ResultWait, assemble_weight,
};
pub use queue::leases::{Heartbeat, Lease, LeaseStore};
pub use queue::workers::{WorkerInfo, WorkerRecord, WorkerStore};
pub use queue::{
    Claim, ClaimLimits, Job, JobKind, JobKinds, Load, More, Pause, QueueDepth, QueueOverview, QueueState,
    QueueStore, Requeue, RunningJob, UserLoad,
};
pub use tasks::callbacks::{
    AttemptOutcome, CallbackRecord, CallbackStore, DeliveryAttempt, DeliveryState, DueEvent, EventLease,
    EventRecord, OpenDelivery, RedeliverOutcome, Subject,
};
pub use tasks::{
    CancelOutcome, Cover, ItemRecord, ItemResult, NewItem, NewTask, Output, OutputRecord, ResultSource,
    RowTitle, StoredRequest, SubmitOutcome, SubmittedTask, TaskFilter, TaskProgress, TaskRecord, TaskStore,
    TaskTitle,
};

/// The store. Its parts are reached by noun; what is left here concerns the database as a whole.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    fn users(&self) -> &dyn UserStore;
    fn keys(&self) -> &dyn KeyStore;
    fn invitations(&self) -> &dyn InvitationStore;
    fn points(&self) -> &dyn PointStore;
    fn library(&self) -> &dyn LibraryStore;
    fn templates(&self) -> &dyn TemplateStore;
    fn drafts(&self) -> &dyn DraftStore;
    fn brands(&self) -> &dyn BrandStore;
    fn shares(&self) -> &dyn ShareStore;
    fn feedback(&self) -> &dyn FeedbackStore;
    fn tasks(&self) -> &dyn TaskStore;
    fn callbacks(&self) -> &dyn CallbackStore;
    fn batches(&self) -> &dyn BatchStore;
    fn queue(&self) -> &dyn QueueStore;
    fn leases(&self) -> &dyn LeaseStore;
    fn jobs(&self) -> &dyn JobStore;
    fn workers(&self) -> &dyn WorkerStore;
    fn retention(&self) -> &dyn RetentionStore;
    fn metrics(&self) -> &dyn MetricsStore;
    fn traces(&self) -> &dyn TraceStore;
    fn operations(&self) -> &dyn OperationsStore;
    fn installation(&self) -> &dyn InstallationStore;

    /// The cheapest query that proves that the database responds.
    async fn ping(&self) -> StoreResult<()>;
    /// Writes a few bytes durably. [`crate::StoreError::cannot_write`] reports whether a failure means that nothing can be
    /// written.
    async fn try_writing(&self, now: Millis) -> StoreResult<()>;
    /// The current time of this store, for leases, retries and everything it writes.
    ///
    /// If several processes share a database (PostgreSQL), its clock counts: the `now` passed to the methods here only serves as
    /// the reference for other times that the caller derived from its own clock. Such a time (when to try again, when a file
    /// expires) keeps its distance from the caller's `now`, so a process whose clock is wrong neither takes work early nor gives
    /// it back late. In the embedded database the caller's clock is the only one.
    async fn now(&self, caller: Millis) -> StoreResult<Millis>;
    /// Changes when the event of [`Signal`] may have happened in any process. A missed change loses nothing, because every
    /// process also polls from time to time.
    fn signal(&self, signal: Signal) -> watch::Receiver<u64>;
    /// Resends a signal that one receiver has already handled.
    fn resend_signal(&self, signal: Signal);
    /// Waits for running units and closes the database. Every later call fails.
    async fn close(&self);
}
