//! The order in which kinds of work are claimed.

/// Claimed first: an item one step from its link.
pub const STAGE_ASSEMBLE: i64 = 0;
/// Cheap, and what tells clients early that an input is bad.
pub const STAGE_PREFLIGHT: i64 = 1;
pub const STAGE_SEGMENT: i64 = 2;
