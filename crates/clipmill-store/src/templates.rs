//! Templates as they are kept.

use clipmill_core::ids::{TemplateNo, UserId};
use clipmill_core::request::template::Template;

use crate::clock::Millis;
use crate::library::StorageFull;

/// A version of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateRef {
    pub template_no: TemplateNo,
    pub version: u32,
}

/// A template to be kept, or its next version.
#[derive(Debug, Clone)]
pub struct SavedTemplate {
    pub user: UserId,
    pub template_no: TemplateNo,
    pub name: String,
    pub template: Template,
    /// Most bytes that all templates of a user may have together.
    pub most_bytes: u64,
    /// Most templates of a user.
    pub most: u32,
}

/// What stands in lists.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateOverview {
    pub template_no: TemplateNo,
    pub name: String,
    /// The newest; in a [`TemplateRecord`] the one that it holds.
    pub version: u32,
    pub created_at: Millis,
    pub updated_at: Millis,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TemplateRecord {
    pub about: TemplateOverview,
    pub template: Template,
}

/// What became of a template that was sent.
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
}
