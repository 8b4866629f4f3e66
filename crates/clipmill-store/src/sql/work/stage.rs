//! Which kind of work is claimed before which.

/// Claimed first: an item one step from its link.
pub const STAGE_FINISH: i64 = 0;
/// Cheap, and what tells clients early that an input is bad.
pub const STAGE_PREFLIGHT: i64 = 1;
pub const STAGE_SEGMENT: i64 = 2;
