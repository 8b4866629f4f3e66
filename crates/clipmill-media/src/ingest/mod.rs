//! From a link or an upload to a file with known content.

pub mod cuts;
pub(crate) mod damage;
pub mod fetch;
pub mod font_check;
pub mod pauses;
pub mod probe;
pub(crate) mod probe_cache;
pub mod sources;
