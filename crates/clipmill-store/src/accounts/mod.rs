//! Users and what belongs to them: keys, invitations, points, files, templates, drafts, brands, shares and
//! feedback on them.

pub(crate) mod brands;
pub(crate) mod drafts;
pub(crate) mod feedback;
pub(crate) mod invitations;
pub(crate) mod keys;
pub(crate) mod library;
pub(crate) mod points;
pub(crate) mod shares;
pub(crate) mod templates;
pub(crate) mod users;
