//! Connections inside a transaction.
//!
//! One that was not ended in good order (the unit was dropped, the network is gone) is closed instead of being
//! used again: nobody can say what state it is in.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{Executor, PgConnection, PgPool, Postgres};

/// How long the server may take to undo a unit.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(5);

pub struct Transaction {
    connection: PoolConnection<Postgres>,
    ended: bool,
}

impl Transaction {
    /// Begins with this statement. Connections that died while nobody used them are passed over.
    pub async fn begin(pool: &PgPool, begin: &'static str) -> Result<Self, sqlx::Error> {
        let mut dead = 0;
        loop {
            let mut unit = Self { connection: pool.acquire().await?, ended: false };
            match unit.connection.execute(begin).await {
                Ok(_) => return Ok(unit),
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

    pub async fn rollback(mut self) -> Result<(), sqlx::Error> {
        let rollback = tokio::time::timeout(ROLLBACK_TIMEOUT, self.connection.execute("ROLLBACK")).await;
        self.ended = matches!(rollback, Ok(Ok(_)));
        Ok(())
    }
}

/// The server ended it, or the way to it is cut.
fn is_dead(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        sqlx::Error::Database(error) => {
            matches!(error.code().as_deref(), Some("57P01" | "57P02" | "57P05" | "25P03"))
        }
        _ => false,
    }
}

impl Deref for Transaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.ended {
            self.connection.close_on_drop();
        }
    }
}
