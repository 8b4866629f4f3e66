//! Secrets of the installation.

use async_trait::async_trait;

use super::super::dialect::{Handle, is_conflict};
use super::super::rows::Db;
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::upkeep::installation::{INSTALLATION, Installation, InstallationStore, LINKS, LinkSecret};

#[async_trait]
impl InstallationStore for Handle {
    async fn secret(&self, name: &str, fresh: [u8; 32]) -> StoreResult<[u8; 32]> {
        unit!(self, name; tx => secret(tx, &name, fresh))
    }

    async fn identity(&self) -> StoreResult<Installation> {
        snapshot!(self; tx => installation(tx))
    }

    async fn link_secret(&self) -> StoreResult<Option<LinkSecret>> {
        snapshot!(self; tx => link_secret(tx))
    }

    async fn rotate_link_secret(
        &self,
        fresh: [u8; 32],
        since: Millis,
        earlier_until: Millis,
        now: Millis,
    ) -> StoreResult<()> {
        unit!(self, at now;
            tx => rotate_link_secret(tx, fresh, now.of(since), now.of(earlier_until)))
    }
}

pub async fn secret(db: &mut Db, name: &str, fresh: [u8; 32]) -> StoreResult<[u8; 32]> {
    sqlx::query("INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
        .bind(name)
        .bind(fresh.to_vec())
        .execute(&mut *db)
        .await?;
    let value: Vec<u8> =
        sqlx::query_scalar("SELECT value FROM secrets WHERE name = $1").bind(name).fetch_one(db).await?;
    bytes(name, value)
}

fn bytes(name: &str, value: Vec<u8>) -> StoreResult<[u8; 32]> {
    value.try_into().map_err(|_| StoreError::Corrupt(format!("the secret {name:?} has not 32 bytes")))
}

pub async fn installation(db: &mut Db) -> StoreResult<Installation> {
    let id: Option<Vec<u8>> = sqlx::query_scalar("SELECT value FROM secrets WHERE name = $1")
        .bind(INSTALLATION)
        .fetch_optional(&mut *db)
        .await?;
    let task: Option<i64> = sqlx::query_scalar("SELECT id FROM tasks LIMIT 1").fetch_optional(db).await?;
    Ok(Installation { id: id.map(|id| bytes(INSTALLATION, id)).transpose()?, has_tasks: task.is_some() })
}

from_row! {
    struct LinkSecretRow {
        value: Vec<u8>,
        since: Option<Millis>,
        earlier: Option<Vec<u8>>,
        earlier_until: Option<Millis>,
    }
}

pub async fn link_secret(db: &mut Db) -> StoreResult<Option<LinkSecret>> {
    let row: Option<LinkSecretRow> =
        sqlx::query_as("SELECT value, since, earlier, earlier_until FROM secrets WHERE name = $1")
            .bind(LINKS)
            .fetch_optional(db)
            .await?;
    let Some(row) = row else { return Ok(None) };
    let earlier = row.earlier.map(|earlier| bytes(LINKS, earlier)).transpose()?;
    Ok(Some(LinkSecret {
        newest: bytes(LINKS, row.value)?,
        since: row.since.unwrap_or(0),
        earlier: earlier.zip(row.earlier_until),
    }))
}

/// The secret before the previous one is revoked now, even if it had time left.
pub async fn rotate_link_secret(
    db: &mut Db,
    fresh: [u8; 32],
    since: Millis,
    earlier_until: Millis,
) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO secrets (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET earlier = secrets.value, earlier_until = $4, since = $3,
                                          value = excluded.value",
    )
    .bind(LINKS)
    .bind(fresh.to_vec())
    .bind(since)
    .bind(earlier_until)
    .execute(db)
    .await?;
    Ok(())
}
