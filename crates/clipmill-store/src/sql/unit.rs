//! Units of work: each is done completely or not at all, and runs to its end once started. Each runs in its own task,
//! so a caller that stops waiting, such as a disconnected client, leaves no connection in the middle of a
//! transaction.

use std::future::Future;
use std::time::Duration;

use tokio::task::JoinError;

use super::dialect::MAX_UNIT_TIME;
use crate::common::error::{StoreError, StoreResult};

/// How often a unit is tried if it collides with others.
pub const TRIES: u32 = 12;

pub async fn apart<T: Send + 'static>(
    unit: impl Future<Output = StoreResult<T>> + Send + 'static,
) -> StoreResult<T> {
    joined(tokio::spawn(unit).await)
}

/// Processor-bound work, off the threads that wait for the database.
pub async fn computed<T: Send + 'static>(
    work: impl FnOnce() -> StoreResult<T> + Send + 'static,
) -> StoreResult<T> {
    joined(tokio::task::spawn_blocking(work).await)
}

fn joined<T>(outcome: Result<StoreResult<T>, JoinError>) -> StoreResult<T> {
    match outcome {
        Ok(outcome) => outcome,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The program is ending.
            Err(_) => Err(StoreError::Database(sqlx::Error::PoolClosed)),
        },
    }
}

/// Ends a unit that hangs; its connection is not used again.
pub async fn in_time<T>(unit: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    let hangs = |_| Err(StoreError::Database(sqlx::Error::PoolTimedOut));
    tokio::time::timeout(MAX_UNIT_TIME, unit).await.unwrap_or_else(hangs)
}

/// Increasing pauses, so that colliding units spread out.
pub async fn pause(tries: u32) {
    tokio::time::sleep(Duration::from_millis(2) * (1 << tries.min(6))).await;
}

/// `unit!(store, at now, args…; tx => work)`: the unit owns `args`, and `now` is a `Now` inside it. With `light`
/// before them, the unit may be lost if the database's machine fails; with `prompt` it does not wait for a write
/// permit behind a large fleet.
macro_rules! unit {
    ($store:ident, light, at $now:ident $(, $own:ident)*; $tx:ident => $work:expr) => {{
        let asked = $now;
        unit!(@run write_light, $store, handle, clock $(, $own)*; $tx => {
            let $now = handle.clock_now($tx, clock, asked).await?;
            $work.await?
        })
    }};
    ($store:ident, prompt, at $now:ident $(, $own:ident)*; $tx:ident => $work:expr) => {{
        let asked = $now;
        unit!(@run write_prompt, $store, handle, clock $(, $own)*; $tx => {
            let $now = handle.clock_now($tx, clock, asked).await?;
            $work.await?
        })
    }};
    ($store:ident, light $(, $own:ident)*; $tx:ident => $work:expr) => {
        unit!(@run write_light, $store, handle, _clock $(, $own)*; $tx => $work.await?)
    };
    ($store:ident, at $now:ident $(, $own:ident)*; $tx:ident => $work:expr) => {{
        let asked = $now;
        unit!(@run write, $store, handle, clock $(, $own)*; $tx => {
            let $now = handle.clock_now($tx, clock, asked).await?;
            $work.await?
        })
    }};
    ($store:ident $(, $own:ident)*; $tx:ident => $work:expr) => {
        unit!(@run write, $store, handle, _clock $(, $own)*; $tx => $work.await?)
    };
    (@run $write:ident, $store:ident, $handle:ident, $clock:ident $(, $own:ident)*; $tx:ident => $work:expr) => {{
        let $handle = $store.clone();
        $(let $own = $own.to_owned();)*
        apart(async move {
            let mut tries = 0;
            loop {
                let attempt = async {
                    let _timed = crate::common::latency::UnitTimer::write();
                    let mut transaction = $handle.$write().await?;
                    let $clock = transaction.clock;
                    let $tx = &mut *transaction;
                    let work = async { StoreResult::Ok($work) };
                    match work.await {
                        Ok(outcome) => {
                            transaction.commit().await?;
                            Ok(outcome)
                        }
                        Err(error) => {
                            transaction.rollback().await;
                            Err(error)
                        }
                    }
                };
                match in_time(attempt).await {
                    Err(error) if tries < TRIES && is_conflict(&error) => tries += 1,
                    outcome => break outcome,
                }
                pause(tries).await;
            }
        })
        .await
    }};
}

/// Reads that see the same state. Arguments as for `unit!`; with `unhurried` before them there is no time limit.
macro_rules! snapshot {
    ($store:ident, unhurried; $tx:ident => $work:expr) => {{
        let handle = $store.clone();
        apart(async move {
            let mut transaction = handle.read_unhurried().await?;
            let $tx = &mut *transaction;
            let outcome = $work.await;
            transaction.rollback().await;
            outcome
        })
        .await
    }};
    ($store:ident, at $now:ident $(, $own:ident)*; $tx:ident => $work:expr) => {{
        let asked = $now;
        snapshot!(@run $store, handle $(, $own)*; $tx => {
            let $now = handle.clock_now($tx, None, asked).await?;
            $work.await?
        })
    }};
    ($store:ident $(, $own:ident)*; $tx:ident => $work:expr) => {
        snapshot!(@run $store, handle $(, $own)*; $tx => $work.await?)
    };
    (@run $store:ident, $handle:ident $(, $own:ident)*; $tx:ident => $work:expr) => {{
        let $handle = $store.clone();
        let reader = crate::common::read_limits::reader();
        $(let $own = $own.to_owned();)*
        apart(async move {
            let _timed = crate::common::latency::UnitTimer::read();
            in_time(async {
                let _permit = $handle.readers().acquire(reader).await?;
                let mut transaction = $handle.read().await?;
                let $tx = &mut *transaction;
                let work = async { StoreResult::Ok($work) };
                let outcome = work.await;
                transaction.rollback().await;
                outcome
            })
            .await
        })
        .await
    }};
}

pub(super) use {snapshot, unit};
