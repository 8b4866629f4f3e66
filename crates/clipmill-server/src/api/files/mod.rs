//! Files: uploaded, probed, fetched by signed links.

pub(crate) mod audio;
pub(crate) mod file;
pub(crate) mod library;
pub(crate) mod original;
pub(super) mod presign;
pub(crate) mod probe;
pub(crate) mod references;
pub(crate) mod uploads;
