//! Stored templates.

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

/// A template to save, or its next version.
#[derive(Debug, Clone)]
pub struct SavedTemplate {
    pub user: UserId,
    pub template_no: TemplateNo,
    pub name: String,
    pub template: Template,
    /// The limit of bytes of all templates of a user.
    pub most_bytes: u64,
    /// The limit of templates per user.
    pub most: u32,
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
}
