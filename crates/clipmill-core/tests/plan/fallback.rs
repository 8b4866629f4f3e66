//! Outputs whose encoder failed, planned again with libx264.

use std::collections::{BTreeMap, BTreeSet};

use clipmill_core::encoding::{Encoder, Encoding};
use clipmill_core::plan::{PlannedSegment, Rendition, by_fallback};
use clipmill_core::segment::{SegmentKey, SegmentSpec};

use super::fixture::*;

fn made_by(encoder: Encoder) -> (Rendition, Vec<PlannedSegment>) {
    let fixture = Fixture::new().clip("a", 2.0).clip("b", 3.0);
    let fixture = Fixture { encoding: Encoding { encoder, ..Encoding::standard(2) }, ..fixture };
    let plan = fixture.plan(base(vec![group(&["a", "b", "a"])], options()));
    (plan.items[0].outcome.clone().unwrap(), plan.segments)
}

fn specs(segments: &[PlannedSegment]) -> Vec<(SegmentKey, SegmentSpec)> {
    segments.iter().map(|segment| (segment.key.clone(), segment.spec.clone())).collect()
}

#[test]
fn the_whole_output_is_planned_with_libx264() {
    let (software, its_segments) = made_by(Encoder::Libx264);
    let expected: BTreeMap<_, _> = specs(&its_segments).into_iter().collect();
    for encoder in Encoder::HARDWARE {
        let (hardware, segments) = made_by(encoder);
        let video_keys = |rendition: &Rendition| rendition.video.iter().cloned().collect::<BTreeSet<_>>();
        assert!(video_keys(&hardware).is_disjoint(&video_keys(&software)), "caches would mix: {encoder:?}");
        assert_ne!(hardware.key(), software.key());

        let again = by_fallback(&hardware, &specs(&segments), &toolchain()).unwrap();
        assert_eq!(again.rendition, software);
        assert_eq!(again.replaced.len(), 2, "two pictures; the sound stays");
        for (old, new, spec) in again.replaced {
            assert!(hardware.video.contains(&old));
            assert_eq!(expected.get(&new), Some(&spec));
        }
    }
}

#[test]
fn encoders_and_presets_are_part_of_the_keys() {
    let names = Encoder::HARDWARE.map(|encoder| made_by(encoder).0.video[0].clone());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

#[test]
fn an_output_of_libx264_has_no_fallback() {
    let (rendition, segments) = made_by(Encoder::Libx264);
    assert_eq!(by_fallback(&rendition, &specs(&segments), &toolchain()), None);
}
