//! How alike the outputs of one task are: seconds of source footage that two of them both show.

use std::collections::HashMap;

use crate::footage::Footage;
use crate::media::{ContentHash, Facts, VideoInfo};
use crate::plan::video::clip::natural_frames;
use crate::plan::{Diversity, Pair, PlannedItem, PlannedSegment, Rendition};
use crate::segment::{SegmentKey, SegmentSpec};
use crate::time::{Fps, Frames};

/// `None` with fewer than two outputs that can be made.
pub(crate) fn diversity(
    items: &[PlannedItem],
    segments: &[PlannedSegment],
    facts: &Facts,
) -> Option<Diversity> {
    let shown = shown_by_segment(segments, &sources(facts));
    let made = items.iter().filter_map(|item| Some((item.item_no, item.outcome.as_ref().ok()?)));
    let outputs: Vec<(u32, Fps, Footage<&ContentHash>)> =
        made.map(|(item_no, rendition)| (item_no, rendition.fps, footage(rendition, &shown))).collect();
    let mut pairs = Vec::new();
    for (index, (second, _, theirs)) in outputs.iter().enumerate() {
        for (first, fps, ours) in &outputs[..index] {
            let seconds = Frames(ours.shared(theirs)).seconds(*fps);
            let shared_seconds = (seconds * 1000.0).round() / 1000.0;
            pairs.push(Pair { items: [*first, *second], shared_seconds });
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

fn sources(facts: &Facts) -> HashMap<&ContentHash, &VideoInfo> {
    let known = facts.media.values().filter_map(|info| info.as_ref().ok());
    known.filter_map(|info| Some((&info.content, info.video.as_ref()?))).collect()
}

/// Which source a picture shows and how much of it, from its start: every shot of a mix begins there. What is held or
/// repeated beyond the end of a source is no further footage.
fn shown_by_segment<'a>(
    segments: &'a [PlannedSegment],
    sources: &HashMap<&ContentHash, &VideoInfo>,
) -> HashMap<&'a SegmentKey, (&'a ContentHash, u64)> {
    let shown = segments.iter().filter_map(|segment| match &segment.spec {
        SegmentSpec::Video(picture) => {
            // A part is footage that its forerunners lead up to.
            let end = picture.part.map_or(Frames(0), |part| part.begin) + picture.frames;
            let natural = sources.get(&picture.source).map(|video| natural_frames(video, 1.0, picture.fps));
            Some((&segment.hash, (&picture.source, natural.map_or(end, |natural| natural.min(end)).0)))
        }
        SegmentSpec::Audio(_) => None,
    });
    shown.collect()
}

fn footage<'a>(
    rendition: &Rendition,
    shown: &HashMap<&'a SegmentKey, (&'a ContentHash, u64)>,
) -> Footage<&'a ContentHash> {
    Footage::of(rendition.pictures.iter().filter_map(|hash| shown.get(hash).copied()))
}
