//! The order in which the segments of a plan are rendered.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::plan::PlannedSegment;
use crate::segment::{SegmentKey, SegmentSpec};

/// The cost of rendering each segment of a plan.
pub struct Costs(HashMap<SegmentKey, u64>);

impl Costs {
    pub fn of(segments: &[PlannedSegment]) -> Self {
        Self(segments.iter().map(|segment| (segment.key.clone(), cost(&segment.spec))).collect())
    }

    /// The order for one output. Audio comes first, so that it is mixed while video is rendered; then the most
    /// expensive segments, so that no long one remains for one slot while the others are idle.
    pub fn longest_first(&self, mut segments: Vec<SegmentKey>) -> Vec<SegmentKey> {
        segments.sort_by_key(|key| Reverse(self.0.get(key).copied().unwrap_or_default()));
        segments
    }
}

/// The cost in pixels to be encoded; audio sorts before all video.
pub fn cost(spec: &SegmentSpec) -> u64 {
    match spec {
        SegmentSpec::Video(picture) => {
            picture.frames.0 * u64::from(picture.size.width) * u64::from(picture.size.height)
        }
        SegmentSpec::Audio(_) => u64::MAX,
    }
}

/// The segments listed in `wanted`, each once, in the order of their first mention. Segments of outputs that failed
/// later in planning are skipped.
pub fn in_order<'h>(
    wanted: impl Iterator<Item = &'h SegmentKey>,
    segments: Vec<PlannedSegment>,
) -> Vec<PlannedSegment> {
    let mut segments_by_key: HashMap<SegmentKey, PlannedSegment> =
        segments.into_iter().map(|segment| (segment.key.clone(), segment)).collect();
    let mut scheduled = HashSet::new();
    wanted.filter(|key| scheduled.insert(*key)).filter_map(|key| segments_by_key.remove(key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audio_comes_first_then_expensive_segments_in_stable_order() {
        let key = |name: &str| SegmentKey(name.into());
        let costs = [("short", 10), ("long", 90), ("sound", u64::MAX), ("other", 10)];
        let costs = Costs(costs.map(|(name, cost)| (key(name), cost)).into_iter().collect());
        let order = ["short", "long", "other", "sound"].map(key).to_vec();
        assert_eq!(costs.longest_first(order), ["sound", "long", "short", "other"].map(key));
    }
}
