//! Work that takes long, outside the threads that serve connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{ApiError, ApiResult};

/// Whether somebody still waits for the result.
pub(crate) type IsWanted<'a> = dyn Fn() -> bool + Sync + 'a;

pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(ApiError::internal)
}

/// Runs `work` while it holds its place. The place is free only when the work has ended, also if its caller has left before,
/// so abandoned calls never add up.
pub(crate) async fn in_place<T: Send + 'static>(
    place: impl Send + 'static,
    work: impl FnOnce(&IsWanted) -> T + Send + 'static,
) -> ApiResult<T> {
    let caller = Caller(Arc::default());
    let has_left = caller.0.clone();
    apart(move || {
        let result = work(&|| !has_left.load(Ordering::Relaxed));
        drop(place);
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
    use crate::http::turns::Turns;

    #[tokio::test(flavor = "multi_thread")]
    async fn abandoned_work_is_told_and_keeps_its_place_until_it_ends() {
        let (places, user) = (Turns::new(1, 100), UserId(1));
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (end, ends) = std::sync::mpsc::channel();
        let place = places.take(user).await.unwrap();
        let call = tokio::spawn(in_place(place, move |is_wanted| {
            begun.send(is_wanted()).unwrap();
            while is_wanted() {
                std::thread::sleep(Duration::from_millis(1));
            }
            ends.recv().unwrap();
        }));
        assert!(begins.await.unwrap(), "at first somebody waits");
        call.abort();
        assert!(call.await.is_err());
        assert!(places.try_take(user).is_err(), "the work goes on");
        end.send(()).unwrap();
        places.take(user).await.unwrap();
    }
}
