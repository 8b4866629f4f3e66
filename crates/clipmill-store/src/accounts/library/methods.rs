//! Implements [`LibraryStore`]: the unit of work behind each method, and the signals that it sends.

use async_trait::async_trait;
use clipmill_core::ids::UserId;

use super::super::dialect::{Handle, is_conflict};
use super::super::quotas;
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::{files, uploads};
use crate::accounts::library::{
    DeleteOutcome, LibraryFile, LibraryFilter, LibraryStore, NewUpload, Upload, UploadFacts, UploadOutcome,
};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
impl LibraryStore for Handle {
    async fn add(&self, upload: NewUpload) -> StoreResult<UploadOutcome> {
        unit!(self, upload; tx => uploads::add(tx, &upload))
    }

    async fn upload(&self, user: UserId, id: &str) -> StoreResult<Option<Upload>> {
        snapshot!(self, id; tx => uploads::get(tx, user, &id))
    }

    async fn use_upload(&self, user: UserId, id: &str, now: Millis) -> StoreResult<Option<Upload>> {
        // The use rarely needs to be written.
        match snapshot!(self, at now, id; tx => uploads::use_is_old(tx, user, &id, now.ms))? {
            Some(false) => self.upload(user, id).await,
            Some(true) => unit!(self, at now, id; tx => uploads::use_upload(tx, user, &id, now.ms)),
            None => Ok(None),
        }
    }

    async fn is_uploaded(&self, content_sha256: &str) -> StoreResult<bool> {
        snapshot!(self, content_sha256; tx => uploads::is_uploaded(tx, &content_sha256))
    }

    async fn stored_bytes(&self, user: UserId, uploads_since: Millis, now: Millis) -> StoreResult<u64> {
        snapshot!(self, at now; tx => quotas::stored_bytes(tx, user, uploads_since, now.ms))
    }

    async fn describe(&self, user: UserId, content_sha256: &str, facts: UploadFacts) -> StoreResult<()> {
        unit!(self, content_sha256, facts; tx => files::describe(tx, user, &content_sha256, &facts))
    }

    async fn list(
        &self,
        user: UserId,
        filter: &LibraryFilter,
        page: Page,
    ) -> StoreResult<Paged<LibraryFile>> {
        snapshot!(self, filter; tx => files::page(tx, user, &filter, page))
    }

    async fn find(&self, user: UserId, id: &str) -> StoreResult<Option<LibraryFile>> {
        snapshot!(self, id; tx => files::get(tx, user, &id))
    }

    async fn rename(&self, user: UserId, id: &str, name: &str) -> StoreResult<bool> {
        unit!(self, id, name; tx => files::rename(tx, user, &id, &name))
    }

    async fn delete(&self, user: UserId, id: &str) -> StoreResult<Option<DeleteOutcome>> {
        unit!(self, id; tx => files::delete(tx, user, &id))
    }
}
