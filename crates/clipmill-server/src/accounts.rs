//! New users: a name, a key that is shown once, points to begin with.

use clipmill_core::ids::UserId;
use clipmill_store::{NewKey, NewUser, Store, StoreError};

use crate::{clock, keys};

/// A user at the moment it is made: the only time its key is known.
pub struct NewAccount {
    pub user: UserId,
    pub api_key: String,
    /// Signs the user's callbacks.
    pub webhook_secret: String,
}

#[derive(Debug, thiserror::Error)]
pub enum AddError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no random bytes from the operating system: {0}")]
    Random(#[from] std::io::Error),
}

/// Adds a user; [`StoreError::Exists`] when the name is taken.
pub async fn add(store: &dyn Store, name: &str, points: u64) -> Result<NewAccount, AddError> {
    let now = clock::now_ms();
    let webhook_secret = keys::new_webhook_secret(clock::random()?);
    let key = keys::new_key(clock::random()?);
    let new = NewUser { name: name.to_owned(), webhook_secret: webhook_secret.clone() };
    let user = store.add_user(new, now).await?.id;
    let stored = NewKey { user, key_sha256: key.sha256, prefix: key.prefix, expires_at: None };
    store.add_key(stored, now).await?;
    if points > 0 {
        store.grant(user, points, "points to begin with", now).await?;
    }
    Ok(NewAccount { user, api_key: key.text, webhook_secret })
}
