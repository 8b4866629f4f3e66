//! Implements [`Store`]: the parts of the store are all implemented by the handle itself.

use async_trait::async_trait;
use tokio::sync::watch;

use super::dialect::{Handle, is_conflict};
use super::rows::Db;
use super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::Store;
use crate::accounts::brands::BrandStore;
use crate::accounts::drafts::DraftStore;
use crate::accounts::feedback::FeedbackStore;
use crate::accounts::invitations::InvitationStore;
use crate::accounts::keys::KeyStore;
use crate::accounts::library::LibraryStore;
use crate::accounts::points::PointStore;
use crate::accounts::shares::ShareStore;
use crate::accounts::templates::TemplateStore;
use crate::accounts::users::UserStore;
use crate::batches::BatchStore;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::signals::Signal;
use crate::maintenance::installation::InstallationStore;
use crate::maintenance::metrics::MetricsStore;
use crate::maintenance::operations::OperationsStore;
use crate::maintenance::retention::RetentionStore;
use crate::maintenance::traces::TraceStore;
use crate::queue::QueueStore;
use crate::queue::jobs::JobStore;
use crate::queue::leases::LeaseStore;
use crate::queue::workers::WorkerStore;
use crate::tasks::TaskStore;
use crate::tasks::callbacks::CallbackStore;

#[async_trait]
impl Store for Handle {
    fn users(&self) -> &dyn UserStore {
        self
    }

    fn keys(&self) -> &dyn KeyStore {
        self
    }

    fn invitations(&self) -> &dyn InvitationStore {
        self
    }

    fn points(&self) -> &dyn PointStore {
        self
    }

    fn library(&self) -> &dyn LibraryStore {
        self
    }

    fn templates(&self) -> &dyn TemplateStore {
        self
    }

    fn drafts(&self) -> &dyn DraftStore {
        self
    }

    fn brands(&self) -> &dyn BrandStore {
        self
    }

    fn shares(&self) -> &dyn ShareStore {
        self
    }

    fn feedback(&self) -> &dyn FeedbackStore {
        self
    }

    fn tasks(&self) -> &dyn TaskStore {
        self
    }

    fn callbacks(&self) -> &dyn CallbackStore {
        self
    }

    fn batches(&self) -> &dyn BatchStore {
        self
    }

    fn queue(&self) -> &dyn QueueStore {
        self
    }

    fn leases(&self) -> &dyn LeaseStore {
        self
    }

    fn jobs(&self) -> &dyn JobStore {
        self
    }

    fn workers(&self) -> &dyn WorkerStore {
        self
    }

    fn retention(&self) -> &dyn RetentionStore {
        self
    }

    fn metrics(&self) -> &dyn MetricsStore {
        self
    }

    fn traces(&self) -> &dyn TraceStore {
        self
    }

    fn operations(&self) -> &dyn OperationsStore {
        self
    }

    fn installation(&self) -> &dyn InstallationStore {
        self
    }

    async fn ping(&self) -> StoreResult<()> {
        snapshot!(self; tx => ping(tx))
    }

    async fn try_writing(&self, now: Millis) -> StoreResult<()> {
        unit!(self; tx => try_writing(tx, now))
    }

    async fn now(&self, caller: Millis) -> StoreResult<Millis> {
        snapshot!(self, at caller; tx => async { let _ = tx; StoreResult::Ok(caller.ms) })
    }

    fn signal(&self, signal: Signal) -> watch::Receiver<u64> {
        self.signals().subscribe(signal)
    }

    fn resend_signal(&self, signal: Signal) {
        self.notify(&[signal]);
    }

    async fn close(&self) {
        self.close_all().await;
    }
}

async fn ping(db: &mut Db) -> StoreResult<()> {
    sqlx::query("SELECT 1").execute(db).await?;
    Ok(())
}

/// Changes a few pages, as other units do. The bytes always differ, because SQLite does not write equal ones.
async fn try_writing(db: &mut Db, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO probes (id, filler) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET filler = excluded.filler",
    )
    .bind(now.to_be_bytes().repeat(2 << 10))
    .execute(db)
    .await?;
    Ok(())
}
