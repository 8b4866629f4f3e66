//! Connections inside a transaction. A connection that was not ended properly (the unit was dropped, its commit or
//! rollback failed, the network failed) is closed instead of reused, because its state is unknown. A full disk has
//! the same effect: SQLite then ends some transactions itself, and there is nothing left to roll back.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{Database, Executor, Pool};

use crate::common::clock::Millis;

/// How long the database may take to undo a unit.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(5);

pub struct Transaction<DB: Database> {
    connection: PoolConnection<DB>,
    ended: bool,
    /// The database's clock at the beginning, if the first statement returned it.
    pub clock: Option<Millis>,
}

impl<DB: Database> Transaction<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    /// Begins a transaction with this statement. Connections that died while they were idle are skipped.
    pub async fn begin(pool: &Pool<DB>, begin: &'static str) -> Result<Self, sqlx::Error> {
        Self::begin_asking(pool, begin).await.map(|(unit, _)| unit)
    }

    /// Begins a transaction with these statements, and returns their first row.
    pub async fn begin_asking(
        pool: &Pool<DB>,
        begin: &'static str,
    ) -> Result<(Self, Option<DB::Row>), sqlx::Error> {
        let mut dead = 0;
        loop {
            let mut unit = Self { connection: pool.acquire().await?, ended: false, clock: None };
            match unit.connection.fetch_optional(begin).await {
                Ok(row) => return Ok((unit, row)),
                Err(error) if is_dead(&error) && dead <= pool.options().get_max_connections() => dead += 1,
                Err(error) => return Err(error),
            }
        }
    }

    pub async fn commit(mut self) -> Result<(), sqlx::Error> {
        self.connection.execute("COMMIT").await?;
        self.ended = true;
        Ok(())
    }

    pub async fn rollback(mut self) {
        let rollback = tokio::time::timeout(ROLLBACK_TIMEOUT, self.connection.execute("ROLLBACK")).await;
        self.ended = matches!(rollback, Ok(Ok(_)));
    }
}

/// Whether the server ended the connection, or the network failed.
fn is_dead(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => {
            matches!(error.code().as_deref(), Some("57P01" | "57P02" | "57P05" | "25P03"))
        }
        _ => false,
    }
}

impl<DB: Database> Deref for Transaction<DB> {
    type Target = DB::Connection;

    fn deref(&self) -> &DB::Connection {
        &self.connection
    }
}

impl<DB: Database> DerefMut for Transaction<DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        &mut self.connection
    }
}

impl<DB: Database> Drop for Transaction<DB> {
    fn drop(&mut self) {
        if !self.ended {
            self.connection.close_on_drop();
        }
    }
}
