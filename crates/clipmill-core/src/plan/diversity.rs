//! How alike the outputs of one task are: seconds of source footage that two of them both show.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::media::{ContentHash, Facts};
use crate::plan::{PlannedItem, PlannedSegment, Rendition};
use crate::segment::{SegmentHash, SegmentSpec};
use crate::time::Frames;

/// The table of all pairs of outputs, and the pair that shares most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diversity {
    pub pairs: Vec<Pair>,
    pub most_similar: Pair,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pair {
    /// Two `itemNo`s, the lower one first.
    pub items: [u32; 2],
    pub shared_seconds: f64,
}

/// `None` with fewer than two outputs that can be made.
pub(crate) fn diversity(
    items: &[PlannedItem],
    segments: &[PlannedSegment],
    facts: &Facts,
) -> Option<Diversity> {
    let lengths = source_lengths(facts);
    let shown = shown_by_segment(segments, &lengths);
    let made = items.iter().filter_map(|item| Some((item.item_no, item.outcome.as_ref().ok()?)));
    let footage: Vec<(u32, Footage)> =
        made.map(|(item_no, rendition)| (item_no, footage(rendition, &shown))).collect();
    let mut pairs = Vec::new();
    for (index, (second, theirs)) in footage.iter().enumerate() {
        for (first, ours) in &footage[..index] {
            pairs.push(Pair { items: [*first, *second], shared_seconds: shared(ours, theirs) });
        }
    }
    pairs.sort_by_key(|pair| pair.items);
    let most_similar =
        pairs.iter().copied().reduce(|most, pair| match pair.shared_seconds > most.shared_seconds {
            true => pair,
            false => most,
        })?;
    Some(Diversity { pairs, most_similar })
}

/// Seconds shown of each source, from its start: every shot of a mix begins there.
type Footage<'a> = BTreeMap<&'a ContentHash, f64>;

fn source_lengths(facts: &Facts) -> HashMap<&ContentHash, f64> {
    let known = facts.media.values().filter_map(|info| info.as_ref().ok());
    known.filter_map(|info| Some((&info.content, info.video.as_ref()?.duration_s))).collect()
}

/// What is held or repeated beyond the end of a source is no further footage.
fn shown_by_segment<'a>(
    segments: &'a [PlannedSegment],
    lengths: &HashMap<&ContentHash, f64>,
) -> HashMap<&'a SegmentHash, (&'a ContentHash, f64)> {
    let shown = segments.iter().filter_map(|segment| match &segment.spec {
        SegmentSpec::Picture(picture) => {
            let length = lengths.get(&picture.source).copied().unwrap_or(f64::INFINITY);
            // A part is footage that its forerunners lead up to.
            let end = picture.part.map_or(Frames(0), |part| part.begin) + picture.frames;
            let seconds = end.seconds(picture.fps).min(length);
            Some((&segment.hash, (&picture.source, seconds)))
        }
        SegmentSpec::Sound(_) => None,
    });
    shown.collect()
}

fn footage<'a>(
    rendition: &Rendition,
    shown: &HashMap<&'a SegmentHash, (&'a ContentHash, f64)>,
) -> Footage<'a> {
    let mut footage = Footage::new();
    for (source, seconds) in rendition.pictures.iter().filter_map(|hash| shown.get(hash)) {
        let most = footage.entry(source).or_insert(0.0);
        *most = seconds.max(*most);
    }
    footage
}

fn shared(ours: &Footage, theirs: &Footage) -> f64 {
    let seconds: f64 = ours.iter().filter_map(|(source, ours)| Some(ours.min(*theirs.get(source)?))).sum();
    (seconds * 1000.0).round() / 1000.0
}
