//! Templates that users saved, with their versions.

use async_trait::async_trait;
use clipmill_core::ids::{TemplateNo, UserId};
use clipmill_core::request::template::Template;

use crate::accounts::library::StorageFull;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
pub trait TemplateStore: Send + Sync + 'static {
    async fn add(&self, new: SavedTemplate, now: Millis) -> StoreResult<SaveOutcome>;
    /// Adds the next version; `expected` is the version before it. `None` if the user has no such template.
    async fn replace(
        &self,
        new: SavedTemplate,
        expected: Option<u32>,
        now: Millis,
    ) -> StoreResult<Option<SaveOutcome>>;
    /// The newest version unless one is named.
    async fn find(
        &self,
        user: UserId,
        template_no: &TemplateNo,
        version: Option<u32>,
    ) -> StoreResult<Option<TemplateRecord>>;
    /// Most recently changed first.
    async fn list(
        &self,
        user: UserId,
        part_of_name: Option<&str>,
        page: Page,
    ) -> StoreResult<Paged<TemplateOverview>>;
    /// Returns whether there was such a template. Tasks and batches created from it are kept.
    async fn delete(&self, user: UserId, template_no: &TemplateNo) -> StoreResult<bool>;
}

/// A version of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateRef {
    pub template_no: TemplateNo,
    pub version: u32,
}

/// A template to save, or its next version.
#[derive(Debug, Clone)]
pub struct SavedTemplate {
    pub user: UserId,
    pub template_no: TemplateNo,
    pub name: String,
    pub template: Template,
    /// The limit of bytes of all templates of a user.
    pub max_bytes: u64,
    /// The limit of templates per user.
    pub max: u32,
}

/// A template as it appears in lists.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateOverview {
    pub template_no: TemplateNo,
    pub name: String,
    /// The newest version; in a [`TemplateRecord`], its own version.
    pub version: u32,
    pub created_at: Millis,
    pub updated_at: Millis,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TemplateRecord {
    pub about: TemplateOverview,
    pub template: Template,
}

/// The result of saving a template.
#[derive(Debug, Clone, PartialEq)]
pub enum SaveOutcome {
    Saved(TemplateOverview),
    /// It was changed meanwhile: this is its newest version.
    Conflict {
        version: u32,
    },
    StorageFull(StorageFull),
    TooMany {
        limit: u32,
    },
    /// The user does not have this upload (any more); nothing was saved.
    UploadGone {
        id: String,
    },
}
