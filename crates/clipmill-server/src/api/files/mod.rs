//! Files: uploaded, looked at, fetched by signed links.

pub(crate) mod file;
pub(crate) mod library;
pub(super) mod presign;
pub(crate) mod probe;
pub(crate) mod sound;
pub(crate) mod uploads;
