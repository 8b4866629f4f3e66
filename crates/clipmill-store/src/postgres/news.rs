//! Signals between processes, by NOTIFY and LISTEN.
//!
//! NOTIFY takes a lock that all commits of the database share until they are on disk, so it is not part of the units: with
//! it, 64 connections that commit small changes got to 300 a second on two cores, without it to 2,150. Units queue their
//! signals once they are committed, and a separate task sends them, many at once. A signal may be lost with its process;
//! everybody polls from time to time anyway.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::{Mutex, Notify};

use crate::signals::{Signal, Signals};

const CHANNEL: &str = "clipmill";
/// Signals of this much time are sent together.
const GATHER: Duration = Duration::from_millis(20);
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
    /// Locked while signals are being sent: the next caller waits until they are out.
    telling: Mutex<()>,
}

impl Outgoing {
    pub fn send(&self, signal: Signal) {
        self.signals.fetch_or(bit(signal), Ordering::AcqRel);
        self.waiting.notify_one();
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
        while !pool_of_teller.is_closed() {
            let _ = tokio::time::timeout(SILENCE, teller.waiting.notified()).await;
            teller.flush(&pool_of_teller).await;
            tokio::time::sleep(GATHER).await;
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
            Err(_) => tokio::time::timeout(ANSWER, sqlx::query("SELECT 1").execute(&mut listener))
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
