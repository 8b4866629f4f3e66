//! Signals between processes, by NOTIFY and LISTEN.
//!
//! NOTIFY takes a lock that all commits of the database share until they are on disk, so it is not part of the units: with
//! it, 64 connections that commit small changes got to 300 a second on two cores, without it to 2,150. Units queue their
//! signals once they are committed, and a separate task sends them, many at once. A signal may be lost with its process;
//! everybody polls from time to time anyway.
//!
//! The server wakes all who listen for each signal, so a fleet in which each process sends what it has to tell would spend its
//! database on that. A signal says only that there may be something to look for, and whoever sends one serves all: a large
//! fleet sends as many a second as a small one, and each of its processes fewer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use crate::signals::{Signal, Signals};

const CHANNEL: &str = "clipmill";
/// Signals of this much time are sent together.
const GATHER: Duration = Duration::from_millis(20);
/// Up to this many processes of workers send whenever they have gathered something.
const FEW: f64 = 8.0;
/// Longest that signals are gathered.
const LONGEST: Duration = Duration::from_secs(30);
/// How many signals a process of a large fleet may send one after the other before it has to wait.
const BURST: u32 = 8;
/// How long to wait after the database did not answer.
const TROUBLE: Duration = Duration::from_secs(2);
/// The connection is checked after this much silence, because it may have broken without notice.
const SILENCE: Duration = Duration::from_secs(20);
/// How long the database may take to answer that check.
const ANSWER: Duration = Duration::from_secs(5);

/// Signals that are not sent yet.
#[derive(Default)]
pub struct Outgoing {
    signals: AtomicU8,
    waiting: Notify,
    /// Woken by signals that must not wait.
    urgent: Notify,
    /// Live processes of workers.
    fleet: AtomicU64,
    /// Locked while signals are being sent: the next caller waits until they are out.
    telling: Mutex<()>,
}

impl Outgoing {
    pub fn send(&self, signal: Signal) {
        self.signals.fetch_or(bit(signal), Ordering::AcqRel);
        self.waiting.notify_one();
        if signal == Signal::Interrupted {
            self.urgent.notify_one();
        }
    }

    pub fn fleet_is(&self, processes: u64) {
        self.fleet.store(processes, Ordering::Relaxed);
    }

    /// The time between signals of this process: together the fleet wakes its listeners as often as [`FEW`] of them would.
    fn interval(&self) -> Duration {
        let share = (self.fleet.load(Ordering::Relaxed) as f64 / FEW).max(1.0);
        Duration::from_secs_f64((GATHER.as_secs_f64() * share * share).min(LONGEST.as_secs_f64()))
    }

    /// Sends the queued signals. When this returns, everything queued before the call was sent, or is kept for the next.
    pub async fn flush(&self, pool: &PgPool) {
        let _ = tokio::time::timeout(ANSWER, self.notify(pool)).await;
    }

    async fn notify(&self, pool: &PgPool) {
        let _telling = self.telling.lock().await;
        let mut left = Left { of: self, signals: self.signals.swap(0, Ordering::AcqRel) };
        if left.signals == 0 {
            return;
        }
        let told = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(left.signals.to_string());
        match told.execute(pool).await {
            Ok(_) => left.signals = 0,
            Err(error) => tracing::debug!(%error, "news could not be passed on"),
        }
    }
}

/// Puts back what was not sent, also when sending is dropped half way.
struct Left<'a> {
    of: &'a Outgoing,
    signals: u8,
}

impl Drop for Left<'_> {
    fn drop(&mut self) {
        if self.signals != 0 {
            self.of.signals.fetch_or(self.signals, Ordering::AcqRel);
        }
    }
}

/// Listens and sends until the pool is closed.
pub fn start(pool: PgPool, signals: Signals) -> Arc<Outgoing> {
    let outgoing = Arc::new(Outgoing::default());
    let (teller, pool_of_teller) = (outgoing.clone(), pool.clone());
    tokio::spawn(async move {
        let mut due = Instant::now();
        while !pool_of_teller.is_closed() {
            let _ = tokio::time::timeout(SILENCE, teller.waiting.notified()).await;
            teller.flush(&pool_of_teller).await;
            let (now, interval) = (Instant::now(), teller.interval());
            due = due.max(now.checked_sub((BURST - 1) * interval).unwrap_or(now)) + interval;
            tokio::time::sleep(GATHER).await;
            tokio::select! {
                () = tokio::time::sleep_until(due) => {}
                () = teller.urgent.notified() => {}
                () = pool_of_teller.close_event() => {}
            }
        }
    });
    tokio::spawn(async move {
        while !pool.is_closed() {
            if let Err(error) = listen(&pool, &signals).await {
                tracing::debug!(%error, "news cannot be heard");
            }
            let _ = tokio::time::timeout(TROUBLE, pool.close_event()).await;
        }
    });
    outgoing
}

async fn listen(pool: &PgPool, signals: &Signals) -> Result<(), sqlx::Error> {
    let mut listener = tokio::time::timeout(ANSWER * 2, PgListener::connect_with(pool))
        .await
        .map_err(|_| sqlx::Error::PoolTimedOut)??;
    listener.listen(CHANNEL).await?;
    // Signals before this moment were missed; from now on all are received.
    Signal::ALL.into_iter().for_each(|signal| signals.send(signal));
    loop {
        match tokio::time::timeout(SILENCE, listener.try_recv()).await {
            Ok(Ok(Some(news))) => hear(news.payload(), signals),
            Ok(Ok(None)) => return Ok(()),
            Ok(Err(error)) => return Err(error),
            // Listening again changes nothing, and `pg_stat_activity` goes on showing who listens.
            Err(_) => tokio::time::timeout(ANSWER, sqlx::query("LISTEN clipmill").execute(&mut listener))
                .await
                .map_err(|_| sqlx::Error::PoolTimedOut)?
                .map(drop)?,
        }
    }
}

fn hear(payload: &str, signals: &Signals) {
    let bits: u8 = payload.parse().unwrap_or(u8::MAX);
    Signal::ALL.into_iter().filter(|signal| bits & bit(*signal) != 0).for_each(|signal| signals.send(signal));
}

fn bit(signal: Signal) -> u8 {
    match signal {
        Signal::Interrupted => 1,
        Signal::Ready => 2,
        Signal::Changed => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_fleet_wakes_its_listeners_as_often_as_a_few_would() {
        let outgoing = Outgoing::default();
        let mut waken = Vec::new();
        for processes in [0, 1, 8, 16, 125, 250] {
            outgoing.fleet_is(processes);
            let interval = outgoing.interval();
            assert!(processes > 8 || interval == GATHER, "{processes}: {interval:?}");
            waken.push(processes as f64 / interval.as_secs_f64() * processes as f64);
        }
        assert!(waken.iter().all(|waken| *waken <= 8.0 * 8.0 / GATHER.as_secs_f64() + 1.0), "{waken:?}");
        outgoing.fleet_is(u64::MAX);
        assert_eq!(outgoing.interval(), LONGEST);
    }
}
