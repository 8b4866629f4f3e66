//! Tasks: submit, estimate, follow, cancel, fetch.

pub(crate) mod cancel;
pub(crate) mod diversity;
pub(crate) mod download;
pub(crate) mod estimate;
pub(crate) mod events;
pub(crate) mod list;
pub(crate) mod naming;
pub(crate) mod outputs;
pub(crate) mod request;
pub(crate) mod status;
pub(crate) mod submit;
pub(crate) mod timeline;
