//! Limits concurrent database reads per user, so that one user with many or slow reads does not block the others.

use std::cell::Cell;
use std::sync::Arc;

use clipmill_core::ids::UserId;

use crate::common::error::{StoreError, StoreResult};
use crate::common::fair_semaphore::{Busy, FairSemaphore, Permit};

tokio::task_local! {
    static READER: Cell<UserId>;
}

/// The user of reads by the service itself, and of reads before the caller is known.
const SERVICE: UserId = UserId(0);

/// Runs a call; [`set_user`] sets its user.
pub async fn scope<T>(call: impl Future<Output = T>) -> T {
    READER.scope(Cell::new(SERVICE), call).await
}

/// Sets the user of the subsequent reads of the current call. Has no effect outside of [`scope`].
pub fn set_user(user: UserId) {
    let _ = READER.try_with(|reader| reader.set(user));
}

/// The user of the current call; user 0 before the caller is known.
pub fn reader() -> UserId {
    READER.try_with(Cell::get).unwrap_or(SERVICE)
}

/// Permits for the reading connections. One user never holds all of them.
#[derive(Debug, Clone)]
pub(crate) struct ReadSemaphore(Arc<FairSemaphore>);

impl ReadSemaphore {
    pub fn new(connections: u32) -> Self {
        let permits = connections.max(1) as usize;
        Self(FairSemaphore::with_share(permits, permits.saturating_sub(1)))
    }

    /// Waits for a permit for the reader.
    pub async fn acquire(&self, reader: UserId) -> StoreResult<Permit> {
        self.0
            .acquire_without_timeout(reader)
            .await
            .map_err(|Busy| StoreError::Database(sqlx::Error::PoolTimedOut))
    }
}
