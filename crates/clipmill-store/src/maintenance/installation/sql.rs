//! Secrets of the installation.

use async_trait::async_trait;

use super::super::dialect::{Handle, is_conflict};
use super::super::rows::Db;
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::maintenance::installation::{INSTALLATION, Installation, InstallationStore, LINKS, LinkSecret};

#[async_trait]
impl InstallationStore for Handle {
    async fn secret(&self, name: &str, fresh: [u8; 32]) -> StoreResult<[u8; 32]> {
        unit!(self, name; tx => secret(tx, &name, fresh))
    }

    async fn width(&self, initial: u32) -> StoreResult<u32> {
        unit!(self; tx => width(tx, initial))
    }

    async fn set_width(&self, cores: u32) -> StoreResult<()> {
        unit!(self; tx => set_width(tx, cores))
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
    let task: Option<i64> =
        sqlx::query_scalar("SELECT id FROM tasks LIMIT 1").fetch_optional(&mut *db).await?;
    let id = id.map(|id| bytes(INSTALLATION, id)).transpose()?;
    Ok(Installation { id, has_tasks: task.is_some(), width: stored_width(db).await? })
}

/// Of programs that start at the same time, the first one decides.
async fn width(db: &mut Db, initial: u32) -> StoreResult<u32> {
    if let Some(stored) = stored_width(db).await? {
        return Ok(stored);
    }
    sqlx::query("INSERT INTO width (id, cores) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
        .bind(i64::from(initial))
        .execute(&mut *db)
        .await?;
    Ok(stored_width(db).await?.unwrap_or(initial))
}

async fn stored_width(db: &mut Db) -> StoreResult<Option<u32>> {
    let cores: Option<i64> = sqlx::query_scalar("SELECT cores FROM width").fetch_optional(db).await?;
    let read = |cores| u32::try_from(cores).map_err(|_| StoreError::Corrupt(format!("the width is {cores}")));
    cores.map(read).transpose()
}

async fn set_width(db: &mut Db, cores: u32) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO width (id, cores) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET cores = excluded.cores",
    )
    .bind(i64::from(cores))
    .execute(db)
    .await?;
    Ok(())
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
