//! Whom a read of the database is for: users read in turn, so that nobody waits behind the many or slow reads of another.

use std::cell::Cell;
use std::sync::Arc;

use clipmill_core::ids::UserId;

use crate::error::{StoreError, StoreResult};
use crate::fair_semaphore::{Busy, FairSemaphore, Permit};

tokio::task_local! {
    static READER: Cell<UserId>;
}

/// Reads of the service itself, and those made before a caller is known.
const SERVICE: UserId = UserId(0);

/// Runs a call, whose user [`set_user`] tells.
pub async fn scope<T>(call: impl Future<Output = T>) -> T {
    READER.scope(Cell::new(SERVICE), call).await
}

/// The reads of the current call are made for this user from now on. Without effect outside of [`scope`].
pub fn set_user(user: UserId) {
    let _ = READER.try_with(|reader| reader.set(user));
}

/// Whom the current call is for; user 0 before the caller is known.
pub fn reader() -> UserId {
    READER.try_with(Cell::get).unwrap_or(SERVICE)
}

/// The connections that read, of which nobody ever has all.
#[derive(Debug, Clone)]
pub(crate) struct ReadSemaphore(Arc<FairSemaphore>);

impl ReadSemaphore {
    pub fn new(connections: u32) -> Self {
        let permits = connections.max(1) as usize;
        Self(FairSemaphore::with_share(permits, permits.saturating_sub(1)))
    }

    /// Waits for the reader's turn.
    pub async fn acquire(&self, reader: UserId) -> StoreResult<Permit> {
        self.0
            .acquire_without_timeout(reader)
            .await
            .map_err(|Busy| StoreError::Database(sqlx::Error::PoolTimedOut))
    }
}
