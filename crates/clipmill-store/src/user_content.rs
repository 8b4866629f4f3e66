//! The part of the store for content that users keep: library files, templates, shares.

use async_trait::async_trait;
use clipmill_core::ids::{TaskNo, TemplateNo, UserId};

use crate::error::StoreResult;
use crate::model::*;

#[async_trait]
pub trait UserContentStore: Send + Sync + 'static {
    /// Stores the probe result of a file of the user.
    async fn describe_upload(
        &self,
        user: UserId,
        content_sha256: &str,
        facts: UploadFacts,
    ) -> StoreResult<()>;
    /// The latest upload first. Of uploads with the same content, only the latest.
    async fn library(
        &self,
        user: UserId,
        filter: &LibraryFilter,
        page: Page,
    ) -> StoreResult<Paged<LibraryFile>>;
    async fn library_file(&self, user: UserId, id: &str) -> StoreResult<Option<LibraryFile>>;
    /// Renames all uploads of the same content; returns whether there is such a file.
    async fn rename_upload(&self, user: UserId, id: &str, name: &str) -> StoreResult<bool>;
    /// Deletes all uploads of the same content. `None` if the user has no such file.
    async fn delete_upload(&self, user: UserId, id: &str) -> StoreResult<Option<DeleteOutcome>>;

    async fn add_template(&self, new: SavedTemplate, now: Millis) -> StoreResult<SaveOutcome>;
    /// Adds the next version; `expected` is the version before it. `None` if the user has no such template.
    async fn replace_template(
        &self,
        new: SavedTemplate,
        expected: Option<u32>,
        now: Millis,
    ) -> StoreResult<Option<SaveOutcome>>;
    /// The newest version unless one is named.
    async fn template(
        &self,
        user: UserId,
        template_no: &TemplateNo,
        version: Option<u32>,
    ) -> StoreResult<Option<TemplateRecord>>;
    /// Most recently changed first.
    async fn templates(
        &self,
        user: UserId,
        part_of_name: Option<&str>,
        page: Page,
    ) -> StoreResult<Paged<TemplateOverview>>;
    /// Returns whether there was such a template. Tasks and batches created from it are kept.
    async fn delete_template(&self, user: UserId, template_no: &TemplateNo) -> StoreResult<bool>;

    async fn add_share(&self, user: UserId, new: NewShare, now: Millis) -> StoreResult<ShareOutcome>;
    /// The share of any user: the caller has checked the link.
    async fn share(&self, id: i64) -> StoreResult<Option<ShareRecord>>;
    /// Those that show something of the task, the newest first.
    async fn shares(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Vec<ShareRecord>>;
    /// Returns whether the user has such a share.
    async fn revoke_share(&self, user: UserId, task_no: &TaskNo, id: i64, now: Millis) -> StoreResult<bool>;
}
