//! Runs long computations outside the threads that serve connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{ApiError, ApiResult};
use crate::planning_thread;

/// Whether the client still waits for the result.
pub(crate) type IsRequested<'a> = dyn Fn() -> bool + Sync + 'a;

pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> ApiResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(ApiError::internal)
}

/// Runs `work` in a planning thread while it holds `permit`. The permit is freed when the work ends, even if the client disconnected
/// earlier, so abandoned calls never add up.
pub(crate) async fn run_with_permit<T: Send + 'static>(
    permit: impl Send + 'static,
    work: impl FnOnce(&IsRequested) -> T + Send + 'static,
) -> ApiResult<T> {
    let caller = Caller(Arc::default());
    let has_left = caller.0.clone();
    run_blocking(move || {
        let result = planning_thread::run(|| work(&|| !has_left.load(Ordering::Relaxed)));
        drop(permit);
        result
    })
    .await
}

/// Dropped when the call has ended or its client has gone.
struct Caller(Arc<AtomicBool>);

impl Drop for Caller {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clipmill_core::ids::UserId;

    use super::*;
    use crate::http::permits::FairSemaphore;

    #[tokio::test(flavor = "multi_thread")]
    async fn abandoned_work_is_cancelled_and_keeps_its_permit_until_it_ends() {
        let (semaphore, user) = (FairSemaphore::new(1, 100), UserId(1));
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (end, ends) = std::sync::mpsc::channel();
        let permit = semaphore.acquire(user).await.unwrap();
        let call = tokio::spawn(run_with_permit(permit, move |is_requested| {
            begun.send(is_requested()).unwrap();
            while is_requested() {
                std::thread::sleep(Duration::from_millis(1));
            }
            ends.recv().unwrap();
        }));
        assert!(begins.await.unwrap(), "at first somebody waits");
        call.abort();
        assert!(call.await.is_err());
        assert!(semaphore.try_acquire(user).is_err(), "the work continues");
        end.send(()).unwrap();
        semaphore.acquire(user).await.unwrap();
    }
}
