//! What several callers of one process ask for at once, done in one unit.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use crate::error::{StoreError, StoreResult};

/// Callers who come while a unit is under way wait for its end, and are then served by the next one together: the more
/// there is to do, the less each costs. Who comes alone waits for nobody.
pub struct Together<T, O> {
    waiting: Mutex<Vec<(T, oneshot::Sender<StoreResult<O>>)>>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl<T, O> Default for Together<T, O> {
    fn default() -> Self {
        Self { waiting: Mutex::default(), turn: Arc::default() }
    }
}

type Unit<O> = Pin<Box<dyn Future<Output = StoreResult<Vec<Option<O>>>> + Send>>;

impl<T: Clone + Send + Sync + 'static, O: Send + 'static> Together<T, O> {
    /// Answers what became of `asked`. A unit is given what several callers asked and answers each in their order, with
    /// nothing where the lease is lost. Where it fails, each is given a unit alone, so that none fails for another's fault.
    /// It runs to its end whether or not its callers wait.
    pub async fn run(
        self: &Arc<Self>,
        asked: T,
        unit: impl Fn(Vec<T>) -> Unit<O> + Send + Sync + 'static,
    ) -> StoreResult<O> {
        let (answer, mut answered) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push((asked, answer));
        // Whoever has the turn may take this along.
        let turn = tokio::select! {
            biased;
            outcome = &mut answered => return outcome.unwrap_or_else(|_| Err(ending())),
            turn = self.turn.clone().lock_owned() => turn,
        };
        let own = self.clone();
        tokio::spawn(async move {
            let all = std::mem::take(&mut *own.waiting.lock().unwrap_or_else(PoisonError::into_inner));
            let (asked, answers): (Vec<T>, Vec<_>) = all.into_iter().unzip();
            for (answer, outcome) in answers.into_iter().zip(each(asked, unit).await) {
                // Who does not wait any more needs no answer.
                let _ = answer.send(outcome);
            }
            drop(turn);
        });
        answered.await.unwrap_or_else(|_| Err(ending()))
    }
}

async fn each<T: Clone, O>(asked: Vec<T>, unit: impl Fn(Vec<T>) -> Unit<O>) -> Vec<StoreResult<O>> {
    let answer = |answer: Option<O>| answer.ok_or(StoreError::LeaseLost);
    match unit(asked.clone()).await {
        Ok(answers) => answers.into_iter().map(answer).collect(),
        Err(error) if asked.len() == 1 => vec![Err(error)],
        Err(_) => {
            let mut answers = Vec::with_capacity(asked.len());
            for one in asked {
                let alone = unit(vec![one]).await;
                answers.push(alone.and_then(|alone| answer(alone.into_iter().next().flatten())));
            }
            answers
        }
    }
}

/// The program is ending if nobody answers.
fn ending() -> StoreError {
    StoreError::Database(sqlx::Error::PoolClosed)
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::*;

    /// What asks for numbers in units, each of which needs a permit. The leases of odd numbers are lost, and a unit with a
    /// 7 fails.
    #[derive(Clone)]
    struct Desk {
        together: Arc<Together<u32, ()>>,
        units: Arc<Mutex<Vec<Vec<u32>>>>,
        permits: Arc<Semaphore>,
    }

    impl Desk {
        /// A first unit is under way, with a 0.
        async fn busy() -> Self {
            let desk = Self {
                together: Arc::default(),
                units: Arc::default(),
                permits: Arc::new(Semaphore::new(0)),
            };
            let first = desk.clone();
            tokio::spawn(async move { first.ask(0).await });
            while desk.units.lock().unwrap().is_empty() {
                tokio::task::yield_now().await;
            }
            desk
        }

        async fn ask(&self, number: u32) -> StoreResult<()> {
            let Self { units, permits, .. } = self.clone();
            let unit = move |asked: Vec<u32>| -> Unit<()> {
                units.lock().unwrap().push(asked.clone());
                let permits = permits.clone();
                Box::pin(async move {
                    permits.acquire().await.unwrap().forget();
                    if asked.contains(&7) {
                        return Err(StoreError::Corrupt("seven".into()));
                    }
                    Ok(asked.iter().map(|number| number.is_multiple_of(2).then_some(())).collect())
                })
            };
            self.together.run(number, unit).await
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
    async fn who_comes_meanwhile_is_served_together() {
        let desk = Desk::busy().await;
        let (odd, even, last, ()) = tokio::join!(desk.ask(1), desk.ask(2), desk.ask(4), desk.allow());
        assert!(even.is_ok() && last.is_ok());
        assert!(matches!(odd, Err(StoreError::LeaseLost)));
        desk.check(&[&[0], &[1, 2, 4]]);
    }

    #[tokio::test]
    async fn none_fails_for_anothers_fault() {
        let desk = Desk::busy().await;
        let (good, bad, ()) = tokio::join!(desk.ask(2), desk.ask(7), desk.allow());
        assert!(good.is_ok());
        assert!(matches!(bad, Err(StoreError::Corrupt(_))));
        desk.check(&[&[0], &[2, 7], &[2], &[7]]);
    }

    #[tokio::test]
    async fn a_caller_who_gives_up_leaves_the_others_their_answer() {
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
