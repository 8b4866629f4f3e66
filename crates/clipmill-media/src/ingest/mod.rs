//! From a link or an upload to a file whose content is known.

pub mod cuts;
pub(crate) mod damage;
pub mod fetch;
pub mod probe;
pub(crate) mod probe_cache;
pub mod sources;
