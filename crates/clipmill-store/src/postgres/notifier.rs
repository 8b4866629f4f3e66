//! Signals between processes, by NOTIFY and LISTEN.
//!
//! NOTIFY takes a lock that all commits of the database share until they are on disk. Signals are therefore not sent
//! within units: with NOTIFY in the unit, 64 connections reached 300 small commits a second on two cores, without it
//! 2,150. Units queue their signals after the commit, and a separate task sends them in groups. A signal can be lost
//! with its process; every process also polls periodically.
//!
//! The database wakes all listeners for each signal. In a fleet in which each process sent all its signals, that
//! would cost most of the database's time. A signal only announces that there may be a change, so one sender serves
//! all processes: a large fleet sends as many signals a second as a small one, and each of its processes sends fewer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use crate::common::signals::{Signal, Signals};

const CHANNEL: &str = "clipmill";
/// Signals of this period are sent as one group.
const BATCH_WINDOW: Duration = Duration::from_millis(20);
/// In a fleet of up to this many worker processes, each process sends at this interval.
const SMALL_FLEET: f64 = 8.0;
/// The longest interval between two signals of a process.
const MAX_INTERVAL: Duration = Duration::from_secs(30);
/// How many signals a process of a large fleet can send in a row before it has to wait.
const BURST: u32 = 8;
/// How long to wait after a database error.
const ERROR_BACKOFF: Duration = Duration::from_secs(2);
/// The connection is checked after this much silence, because it can break without notice.
const KEEPALIVE: Duration = Duration::from_secs(20);
/// The timeout of that check.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Queues signals and sends them.
#[derive(Default)]
pub struct Notifier {
    signals: AtomicU8,
    waiting: Notify,
    /// Woken by urgent signals.
    urgent: Notify,
    /// The number of live worker processes.
    fleet: AtomicU64,
    /// Locked while signals are being sent.
    sending: Mutex<()>,
}

impl Notifier {
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

    /// The time between signals of this process. The whole fleet wakes its listeners as often as [`SMALL_FLEET`] processes
    /// would.
    fn interval(&self) -> Duration {
        let share = (self.fleet.load(Ordering::Relaxed) as f64 / SMALL_FLEET).max(1.0);
        Duration::from_secs_f64((BATCH_WINDOW.as_secs_f64() * share * share).min(MAX_INTERVAL.as_secs_f64()))
    }

    /// Sends the queued signals. If sending fails, they stay queued for the next call.
    pub async fn flush(&self, pool: &PgPool) {
        let _ = tokio::time::timeout(RESPONSE_TIMEOUT, self.notify(pool)).await;
    }

    async fn notify(&self, pool: &PgPool) {
        let _sending = self.sending.lock().await;
        let mut unsent = UnsentSignals { of: self, signals: self.signals.swap(0, Ordering::AcqRel) };
        if unsent.signals == 0 {
            return;
        }
        let query = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(unsent.signals.to_string());
        match query.execute(pool).await {
            Ok(_) => unsent.signals = 0,
            Err(error) => tracing::debug!(%error, "cannot send notifications"),
        }
    }
}

/// Puts unsent signals back into the queue, also if sending is interrupted.
struct UnsentSignals<'a> {
    of: &'a Notifier,
    signals: u8,
}

impl Drop for UnsentSignals<'_> {
    fn drop(&mut self) {
        if self.signals != 0 {
            self.of.signals.fetch_or(self.signals, Ordering::AcqRel);
        }
    }
}

/// Listens and sends until the pool is closed.
pub fn start(pool: PgPool, signals: Signals) -> Arc<Notifier> {
    let notifier = Arc::new(Notifier::default());
    let (sender, sender_pool) = (notifier.clone(), pool.clone());
    tokio::spawn(async move {
        let mut due = Instant::now();
        while !sender_pool.is_closed() {
            let _ = tokio::time::timeout(KEEPALIVE, sender.waiting.notified()).await;
            sender.flush(&sender_pool).await;
            let (now, interval) = (Instant::now(), sender.interval());
            due = due.max(now.checked_sub((BURST - 1) * interval).unwrap_or(now)) + interval;
            tokio::time::sleep(BATCH_WINDOW).await;
            tokio::select! {
                () = tokio::time::sleep_until(due) => {}
                () = sender.urgent.notified() => {}
                () = sender_pool.close_event() => {}
            }
        }
    });
    tokio::spawn(async move {
        while !pool.is_closed() {
            if let Err(error) = listen(&pool, &signals).await {
                tracing::debug!(%error, "cannot listen for notifications");
            }
            let _ = tokio::time::timeout(ERROR_BACKOFF, pool.close_event()).await;
        }
    });
    notifier
}

async fn listen(pool: &PgPool, signals: &Signals) -> Result<(), sqlx::Error> {
    let mut listener = tokio::time::timeout(RESPONSE_TIMEOUT * 2, PgListener::connect_with(pool))
        .await
        .map_err(|_| sqlx::Error::PoolTimedOut)??;
    listener.listen(CHANNEL).await?;
    // Signals before this moment were missed; from now on all are received.
    Signal::ALL.into_iter().for_each(|signal| signals.send(signal));
    loop {
        match tokio::time::timeout(KEEPALIVE, listener.try_recv()).await {
            Ok(Ok(Some(notification))) => receive(notification.payload(), signals),
            Ok(Ok(None)) => return Ok(()),
            Ok(Err(error)) => return Err(error),
            // Listening again changes nothing, and `pg_stat_activity` continues to show the listener.
            Err(_) => {
                tokio::time::timeout(RESPONSE_TIMEOUT, sqlx::query("LISTEN clipmill").execute(&mut listener))
                    .await
                    .map_err(|_| sqlx::Error::PoolTimedOut)?
                    .map(drop)?
            }
        }
    }
}

fn receive(payload: &str, signals: &Signals) {
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
        let notifier = Notifier::default();
        let mut waken = Vec::new();
        for processes in [0, 1, 8, 16, 125, 250] {
            notifier.fleet_is(processes);
            let interval = notifier.interval();
            assert!(processes > 8 || interval == BATCH_WINDOW, "{processes}: {interval:?}");
            waken.push(processes as f64 / interval.as_secs_f64() * processes as f64);
        }
        assert!(
            waken.iter().all(|waken| *waken <= 8.0 * 8.0 / BATCH_WINDOW.as_secs_f64() + 1.0),
            "{waken:?}"
        );
        notifier.fleet_is(u64::MAX);
        assert_eq!(notifier.interval(), MAX_INTERVAL);
    }
}
