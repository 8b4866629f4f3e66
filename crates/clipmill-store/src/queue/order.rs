//! The order in which ready jobs are claimed, explained here for both databases.
//!
//! **Partitions.** The ready jobs of one user and priority form a partition. Its number is in the generated column `lane`:
//! `user_id - priority * 2^40`. Users have ids below 2^40, so the number packs both: the lowest 40 bits are the user
//! ([`partition_user`]), and the rest falls as the priority rises. The lowest number has the highest priority. The index
//! `work_ready` begins with this column, so a claim skips from one partition with work to the next and costs the same however
//! many jobs they contain.
//!
//! **Turns.** Partitions are tried by priority, then by how many jobs of their user are running, then by how long ago the user
//! had a turn (table `turns`). A claim takes one job of each partition whose turn it is, so a user with ten thousand items
//! delays the first item of another user by one job at most.
//!
//! **Within a partition.** Jobs are sorted by `stage` (below), `task_order` (the id of the oldest task that needs the job),
//! `ord` (see [`order`]) and `id`.

use clipmill_core::segment::SegmentSpec;

/// Claimed first, because an item is one step from being downloadable.
pub const STAGE_ASSEMBLE: i64 = 0;
/// Cheap, and tells clients early that an input is bad.
pub const STAGE_PREFLIGHT: i64 = 1;
pub const STAGE_SEGMENT: i64 = 2;

/// A stage as text of a statement.
macro_rules! stage {
    (assemble) => {
        "0"
    };
    (preflight) => {
        "1"
    };
    (segment) => {
        "2"
    };
}
pub(in super::super::super) use stage;

/// The bit of a stage in `JobKinds`, as text of a statement: `1 << stage`.
macro_rules! stage_bit {
    (assemble) => {
        "1"
    };
    (preflight) => {
        "2"
    };
    (segment) => {
        "4"
    };
}
pub(in super::super::super) use stage_bit;

/// The user of a partition, as text of a statement: its lowest 40 bits.
macro_rules! partition_user {
    ($lane:literal) => {
        concat!("(", $lane, " & 1099511627775)")
    };
}
pub(in super::super::super) use partition_user;

/// The place of a segment among those of its task, for the column `ord`: the earliest item that needs it comes first, and
/// among one item's segments the longest, because the item is not done before its longest segment is. The number packs the
/// item (from bit 32), the length subtracted from it (from bit 8, see [`length`]) and the place among equals (8 bits).
pub fn order(item_no: u32, frames: i64, place: i64) -> i64 {
    (i64::from(item_no) << 32) - (frames.min(FIRST) << 8) + place.min(255)
}

/// More frames than any video has.
const FIRST: i64 = 1 << 23;

/// The length of a segment for [`order`]: the frames of a video. Audio, which is fast and is mixed while video is
/// rendered, comes before all video.
pub fn length(spec: &SegmentSpec) -> i64 {
    match spec {
        SegmentSpec::Video(picture) => i64::try_from(picture.frames.0).unwrap_or(i64::MAX).min(FIRST - 1),
        SegmentSpec::Audio(_) => FIRST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::{JobKind, JobKinds};

    #[test]
    fn statements_name_the_stages_of_the_constants() {
        let check = |kind: JobKind, number: i64, stage: &str, bit: &str| {
            assert_eq!(stage, number.to_string());
            assert_eq!(bit, (1 << number).to_string());
            assert_eq!(JobKinds::from_iter([kind]).bits(), 1 << number);
        };
        check(JobKind::Assemble, STAGE_ASSEMBLE, stage!(assemble), stage_bit!(assemble));
        check(JobKind::Preflight, STAGE_PREFLIGHT, stage!(preflight), stage_bit!(preflight));
        check(JobKind::Segment, STAGE_SEGMENT, stage!(segment), stage_bit!(segment));
        assert_eq!(partition_user!("lane"), format!("(lane & {})", (1_i64 << 40) - 1));
    }
}
