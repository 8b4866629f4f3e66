//! How alike the outputs of one task are: seconds of source footage that two of them both show.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::footage::Footage;
use crate::media::ContentHash;
use crate::plan::{Diversity, LISTED_PAIRS, Pair, PlannedItem};
use crate::time::{Fps, Frames};

/// `None` with fewer than two outputs that can be made.
pub(crate) fn diversity(items: &[PlannedItem]) -> Option<Diversity> {
    let outputs: Vec<Output> = items
        .iter()
        .filter_map(|item| Some((item.item_no, &item.footage, item.outcome.as_ref().ok()?.fps)))
        .collect();
    let total_pairs = outputs.len() * outputs.len().saturating_sub(1) / 2;
    // The least of those kept lies on top; of equals, the first ones stay.
    let mut worst = BinaryHeap::with_capacity(LISTED_PAIRS + 1);
    for (index, second) in outputs.iter().enumerate() {
        for first in &outputs[..index] {
            worst.push(Reverse((first.1.shared(second.1), Reverse([first.0, second.0]))));
            if worst.len() > LISTED_PAIRS {
                worst.pop();
            }
        }
    }
    let fps = outputs.first()?.2;
    let mut worst: Vec<_> =
        worst.into_iter().map(|Reverse((shared, Reverse(items)))| (shared, items)).collect();
    let most_similar = worst.iter().min_by_key(|(shared, items)| (Reverse(*shared), *items));
    let most_similar = most_similar.map(|&(shared, items)| pair(items, shared, fps))?;
    // All of a few stand as a table.
    let is_whole = total_pairs <= LISTED_PAIRS;
    worst.sort_by_key(|&(shared, items)| (Reverse(if is_whole { 0 } else { shared }), items));
    let pairs = worst.into_iter().map(|(shared, items)| pair(items, shared, fps)).collect();
    Some(Diversity { pairs, total_pairs: Some(total_pairs as u64), most_similar })
}

/// How much each two of these outputs share, by the number of their items; those that share most first.
pub fn pairs(outputs: &[(u32, Footage<ContentHash>)], fps: Fps) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(outputs.len() * outputs.len().saturating_sub(1) / 2);
    for (index, (second, theirs)) in outputs.iter().enumerate() {
        pairs.extend(outputs[..index].iter().map(|(first, ours)| (ours.shared(theirs), [*first, *second])));
    }
    pairs.sort_unstable_by_key(|&(shared, items)| (Reverse(shared), items));
    pairs.into_iter().map(|(shared, items)| pair(items, shared, fps)).collect()
}

type Output<'i> = (u32, &'i Footage<ContentHash>, Fps);

fn pair(items: [u32; 2], shared: u64, fps: Fps) -> Pair {
    let seconds = Frames(shared).seconds(fps);
    Pair { items, shared_seconds: (seconds * 1000.0).round() / 1000.0 }
}
