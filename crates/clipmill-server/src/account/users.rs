//! New users and keys: the secrets shown once, and the stored form.

use clipmill_core::ids::UserId;
use clipmill_store::{
    CancelOutcome, InvitationRecord, Millis, NewInvitation, NewKey, NewUser, Scopes, Store, StoreError,
};

use crate::account::keys;
use crate::clock;

/// A newly created user: the only time its key is available.
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

/// A newly issued key: the only time its text is available.
pub struct IssuedKey {
    pub id: i64,
    pub text: String,
}

/// Issues another key for a user.
pub async fn issue_key(
    store: &dyn Store,
    user: UserId,
    scopes: Scopes,
    expires_at: Option<Millis>,
) -> Result<IssuedKey, AddError> {
    let key = keys::new_key(clock::random()?);
    let stored = NewKey { user, key_sha256: key.sha256, prefix: key.prefix, scopes, expires_at };
    let id = store.keys().add(stored, clock::now_ms()).await?;
    Ok(IssuedKey { id, text: key.text })
}

/// A newly created invitation: the only time its code is available.
pub struct Invitation {
    pub record: InvitationRecord,
    pub code: String,
}

/// Invites a person to get a key of a user; [`StoreError::NotFound`] if there is no such user.
pub async fn invite(
    store: &dyn Store,
    user: UserId,
    scopes: Scopes,
    expires_at: Millis,
) -> Result<Invitation, AddError> {
    let (code, code_sha256) = keys::new_code(clock::random()?);
    let new = NewInvitation { user, code_sha256, scopes, expires_at };
    Ok(Invitation { record: store.invitations().add(new, clock::now_ms()).await?, code })
}

/// The path of the link of an invitation. Browsers do not send the fragment, so the code is in no log.
pub fn invitation_path(code: &str) -> String {
    format!("/console#invitation={code}")
}

/// Cancels a user's open tasks and batches; returns their numbers. If interrupted, call it again to resume.
pub async fn cancel_all(store: &dyn Store, user: UserId) -> Result<u64, StoreError> {
    let open = store.users().open_jobs(user).await?;
    let mut cancelled = 0;
    // Batches first: they would create further tasks.
    for batch_no in &open.batches {
        cancelled += u64::from(store.batches().cancel(user, batch_no, clock::now_ms()).await? == Some(true));
    }
    for task_no in &open.tasks {
        let outcome = store.tasks().cancel(user, task_no, clock::now_ms()).await?;
        cancelled += u64::from(outcome == Some(CancelOutcome::Cancelled));
    }
    Ok(cancelled)
}

/// Gives a user a new callback secret; the previous one remains valid until then.
pub async fn rotate_secret(
    store: &dyn Store,
    user: UserId,
    earlier_until: Millis,
) -> Result<String, AddError> {
    let secret = keys::new_webhook_secret(clock::random()?);
    store.users().rotate_secret(user, &secret, earlier_until).await?;
    Ok(secret)
}

/// Adds a user with a key that may read and submit; [`StoreError::Exists`] when the name is taken.
pub async fn add(store: &dyn Store, name: &str, points: u64) -> Result<NewAccount, AddError> {
    let now = clock::now_ms();
    let webhook_secret = keys::new_webhook_secret(clock::random()?);
    let new = NewUser { name: name.to_owned(), webhook_secret: webhook_secret.clone() };
    let user = store.users().add(new, now).await?.id;
    let key = issue_key(store, user, Scopes::default(), None).await?;
    if points > 0 {
        store.points().grant(user, points, "points to begin with", now).await?;
    }
    Ok(NewAccount { user, api_key: key.text, webhook_secret })
}
