//! Runs the requests of several concurrent callers in one unit of work.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use crate::common::error::{StoreError, StoreResult};

/// Requests that arrive while a unit is running wait for its end. The next unit then processes all of them, so the
/// cost per request falls as the load rises. A request that arrives alone starts at once.
pub struct Batcher<T, O> {
    waiting: Mutex<Vec<(T, oneshot::Sender<StoreResult<O>>)>>,
    running: Arc<tokio::sync::Mutex<()>>,
}

impl<T, O> Default for Batcher<T, O> {
    fn default() -> Self {
        Self { waiting: Mutex::default(), running: Arc::default() }
    }
}

type Unit<O> = Pin<Box<dyn Future<Output = StoreResult<Vec<Option<O>>>> + Send>>;

impl<T: Clone + Send + Sync + 'static, O: Send + 'static> Batcher<T, O> {
    /// Returns the result of `request`. A unit receives the requests of several callers and returns one result for
    /// each, in order; `None` means that the lease is lost. If a unit fails, each request is repeated in its own
    /// unit, so that no request fails because of another one. A unit runs to its end even if its callers stop
    /// waiting.
    pub async fn run(
        self: &Arc<Self>,
        request: T,
        unit: impl Fn(Vec<T>) -> Unit<O> + Send + Sync + 'static,
    ) -> StoreResult<O> {
        let (sender, mut receiver) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push((request, sender));
        // The current holder of the lock can process this request too.
        let guard = tokio::select! {
            biased;
            outcome = &mut receiver => return outcome.unwrap_or_else(|_| Err(stopping())),
            guard = self.running.clone().lock_owned() => guard,
        };
        let batcher = self.clone();
        tokio::spawn(async move {
            let all = std::mem::take(&mut *batcher.waiting.lock().unwrap_or_else(PoisonError::into_inner));
            let (requests, senders): (Vec<T>, Vec<_>) = all.into_iter().unzip();
            for (sender, outcome) in senders.into_iter().zip(run_unit(requests, unit).await) {
                // The caller may have stopped waiting.
                let _ = sender.send(outcome);
            }
            drop(guard);
        });
        receiver.await.unwrap_or_else(|_| Err(stopping()))
    }
}

async fn run_unit<T: Clone, O>(requests: Vec<T>, unit: impl Fn(Vec<T>) -> Unit<O>) -> Vec<StoreResult<O>> {
    let to_result = |output: Option<O>| output.ok_or(StoreError::LeaseLost);
    match unit(requests.clone()).await {
        Ok(outputs) => outputs.into_iter().map(to_result).collect(),
        Err(error) if requests.len() == 1 => vec![Err(error)],
        Err(_) => {
            let mut results = Vec::with_capacity(requests.len());
            for request in requests {
                let outputs = unit(vec![request]).await;
                results.push(outputs.and_then(|outputs| to_result(outputs.into_iter().next().flatten())));
            }
            results
        }
    }
}

/// No result arrives only if the program is stopping.
fn stopping() -> StoreError {
    StoreError::Database(sqlx::Error::PoolClosed)
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::*;

    /// Sends numbers through a batcher whose units each need a permit. Odd numbers have lost leases; a unit with a 7
    /// fails.
    #[derive(Clone)]
    struct Desk {
        batcher: Arc<Batcher<u32, ()>>,
        units: Arc<Mutex<Vec<Vec<u32>>>>,
        permits: Arc<Semaphore>,
    }

    impl Desk {
        /// Starts a first unit, with a 0.
        async fn busy() -> Self {
            let desk =
                Self { batcher: Arc::default(), units: Arc::default(), permits: Arc::new(Semaphore::new(0)) };
            let first = desk.clone();
            tokio::spawn(async move { first.ask(0).await });
            while desk.units.lock().unwrap().is_empty() {
                tokio::task::yield_now().await;
            }
            desk
        }

        async fn ask(&self, number: u32) -> StoreResult<()> {
            let Self { units, permits, .. } = self.clone();
            let unit = move |requests: Vec<u32>| -> Unit<()> {
                units.lock().unwrap().push(requests.clone());
                let permits = permits.clone();
                Box::pin(async move {
                    permits.acquire().await.unwrap().forget();
                    if requests.contains(&7) {
                        return Err(StoreError::Corrupt("seven".into()));
                    }
                    Ok(requests.iter().map(|number| number.is_multiple_of(2).then_some(())).collect())
                })
            };
            self.batcher.run(number, unit).await
        }

        async fn allow(&self) {
            self.permits.add_permits(10);
        }

        #[track_caller]
        fn check(&self, units: &[&[u32]]) {
            assert_eq!(*self.units.lock().unwrap(), units);
        }
    }

    #[tokio::test]
    async fn waiting_requests_share_the_next_unit() {
        let desk = Desk::busy().await;
        let (odd, even, last, ()) = tokio::join!(desk.ask(1), desk.ask(2), desk.ask(4), desk.allow());
        assert!(even.is_ok() && last.is_ok());
        assert!(matches!(odd, Err(StoreError::LeaseLost)));
        desk.check(&[&[0], &[1, 2, 4]]);
    }

    #[tokio::test]
    async fn a_failure_does_not_affect_other_requests() {
        let desk = Desk::busy().await;
        let (good, bad, ()) = tokio::join!(desk.ask(2), desk.ask(7), desk.allow());
        assert!(good.is_ok());
        assert!(matches!(bad, Err(StoreError::Corrupt(_))));
        desk.check(&[&[0], &[2, 7], &[2], &[7]]);
    }

    #[tokio::test]
    async fn a_caller_that_gives_up_does_not_affect_the_others() {
        let desk = Desk::busy().await;
        let given_up = tokio::spawn({
            let desk = desk.clone();
            async move { desk.ask(2).await }
        });
        tokio::task::yield_now().await;
        given_up.abort();
        let (other, ()) = tokio::join!(desk.ask(4), desk.allow());
        assert!(other.is_ok());
        desk.check(&[&[0], &[2, 4]]);
    }
}
