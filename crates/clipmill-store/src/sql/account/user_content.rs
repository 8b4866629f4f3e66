//! Implements the part of the store for user content: the unit of work behind each method.

use async_trait::async_trait;
use clipmill_core::ids::{TaskNo, TemplateNo, UserId};

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::{library, shares, templates};
use crate::error::StoreResult;
use crate::model::*;
use crate::user_content::UserContentStore;

#[async_trait]
impl UserContentStore for Handle {
    async fn describe_upload(
        &self,
        user: UserId,
        content_sha256: &str,
        facts: UploadFacts,
    ) -> StoreResult<()> {
        unit!(self, content_sha256, facts; tx => library::describe(tx, user, &content_sha256, &facts))
    }

    async fn library(
        &self,
        user: UserId,
        filter: &LibraryFilter,
        page: Page,
    ) -> StoreResult<Paged<LibraryFile>> {
        snapshot!(self, filter; tx => library::page(tx, user, &filter, page))
    }

    async fn library_file(&self, user: UserId, id: &str) -> StoreResult<Option<LibraryFile>> {
        snapshot!(self, id; tx => library::get(tx, user, &id))
    }

    async fn rename_upload(&self, user: UserId, id: &str, name: &str) -> StoreResult<bool> {
        unit!(self, id, name; tx => library::rename(tx, user, &id, &name))
    }

    async fn delete_upload(&self, user: UserId, id: &str) -> StoreResult<Option<DeleteOutcome>> {
        unit!(self, id; tx => library::delete(tx, user, &id))
    }

    async fn add_template(&self, new: SavedTemplate, now: Millis) -> StoreResult<SaveOutcome> {
        unit!(self, at now, new; tx => templates::add(tx, &new, now.ms))
    }

    async fn replace_template(
        &self,
        new: SavedTemplate,
        expected: Option<u32>,
        now: Millis,
    ) -> StoreResult<Option<SaveOutcome>> {
        unit!(self, at now, new; tx => templates::replace(tx, &new, expected, now.ms))
    }

    async fn template(
        &self,
        user: UserId,
        template_no: &TemplateNo,
        version: Option<u32>,
    ) -> StoreResult<Option<TemplateRecord>> {
        snapshot!(self, template_no; tx => templates::get(tx, user, &template_no, version))
    }

    async fn templates(
        &self,
        user: UserId,
        part_of_name: Option<&str>,
        page: Page,
    ) -> StoreResult<Paged<TemplateOverview>> {
        let part = part_of_name.map(str::to_owned);
        snapshot!(self, part; tx => templates::page(tx, user, part.as_deref(), page))
    }

    async fn delete_template(&self, user: UserId, template_no: &TemplateNo) -> StoreResult<bool> {
        unit!(self, template_no; tx => templates::delete(tx, user, &template_no))
    }

    async fn add_share(&self, user: UserId, new: NewShare, now: Millis) -> StoreResult<ShareOutcome> {
        unit!(self, at now, new; tx => shares::add(tx, user, &new, now.ms))
    }

    async fn share(&self, id: i64) -> StoreResult<Option<ShareRecord>> {
        snapshot!(self; tx => shares::get(tx, id))
    }

    async fn shares(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Vec<ShareRecord>> {
        snapshot!(self, task_no; tx => shares::of_task(tx, user, &task_no))
    }

    async fn revoke_share(&self, user: UserId, task_no: &TaskNo, id: i64, now: Millis) -> StoreResult<bool> {
        unit!(self, at now, task_no; tx => shares::revoke(tx, user, &task_no, id, now.ms))
    }
}
