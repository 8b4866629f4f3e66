//! The order in which kinds of work are claimed.

/// Claimed first, because an item is one step from being downloadable.
pub const STAGE_ASSEMBLE: i64 = 0;
/// Cheap, and tells clients early that an input is bad.
pub const STAGE_PREFLIGHT: i64 = 1;
pub const STAGE_SEGMENT: i64 = 2;
