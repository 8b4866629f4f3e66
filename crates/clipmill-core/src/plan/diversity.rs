//! The similarity of the outputs of one task: seconds of source footage that two of them both show, and visual
//! similarity.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::footage::Footage;
use crate::media::ContentHash;
use crate::plan::{Diversity, LISTED_PAIRS, Pair, PlannedItem};
use crate::similarity::Similarities;
use crate::time::{Fps, Frames};

/// `None` if fewer than two outputs can be made.
pub(crate) fn diversity(items: &[PlannedItem]) -> Option<Diversity> {
    let outputs: Vec<Output> = items
        .iter()
        .filter_map(|item| Some((item.item_no, &item.footage, item.outcome.as_ref().ok()?.fps)))
        .collect();
    let total_pairs = outputs.len() * outputs.len().saturating_sub(1) / 2;
    // The heap keeps the worst pairs, with the best of them on top; of equal pairs the first ones stay.
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
    // A small number of pairs is listed as a whole table, in order.
    let is_whole = total_pairs <= LISTED_PAIRS;
    worst.sort_by_key(|&(shared, items)| (Reverse(if is_whole { 0 } else { shared }), items));
    let pairs = worst.into_iter().map(|(shared, items)| pair(items, shared, fps)).collect();
    Some(Diversity { pairs, total_pairs: Some(total_pairs as u64), most_similar, most_alike: None })
}

impl Diversity {
    /// Adds the visual similarity of the outputs; `most_alike` is the most similar pair.
    pub fn compare(&mut self, found: &Similarities, most_alike: Option<Pair>) {
        for pair in self.pairs.iter_mut().chain([&mut self.most_similar]) {
            pair.similarity = found.get(pair.items);
        }
        self.most_alike = most_alike;
    }
}

/// The visually most similar pair of these outputs, with the footage that it shares.
pub fn most_alike(found: &Similarities, outputs: &[(u32, Footage<ContentHash>)], fps: Fps) -> Option<Pair> {
    let (items, similarity) = found.most_alike()?;
    let of = |item: u32| outputs.iter().find(|(known, _)| *known == item).map(|(_, footage)| footage);
    let shared = of(items[0])?.shared(of(items[1])?);
    Some(Pair { similarity: Some(similarity), ..pair(items, shared, fps) })
}

/// The footage that each pair of these outputs shares, by item number, and its visual similarity where known; sorted by
/// shared footage, then by similarity.
pub fn pairs(outputs: &[(u32, Footage<ContentHash>)], fps: Fps, alike: Option<&Similarities>) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(outputs.len() * outputs.len().saturating_sub(1) / 2);
    for (index, (second, other)) in outputs.iter().enumerate() {
        pairs.extend(
            outputs[..index].iter().map(|(first, footage)| (footage.shared(other), [*first, *second])),
        );
    }
    let to_pair = |(shared, items): (u64, [u32; 2])| {
        let similarity = alike.and_then(|alike| alike.get(items));
        (shared, Pair { similarity, ..pair(items, shared, fps) })
    };
    let mut pairs: Vec<(u64, Pair)> = pairs.into_iter().map(to_pair).collect();
    let alike = |pair: &Pair| pair.similarity.unwrap_or(-1.0);
    pairs.sort_unstable_by(|(a, first), (b, second)| {
        let order = b.cmp(a).then(alike(second).total_cmp(&alike(first)));
        order.then(first.items.cmp(&second.items))
    });
    pairs.into_iter().map(|(_, pair)| pair).collect()
}

type Output<'i> = (u32, &'i Footage<ContentHash>, Fps);

fn pair(items: [u32; 2], shared: u64, fps: Fps) -> Pair {
    let seconds = Frames(shared).seconds(fps);
    Pair { items, shared_seconds: (seconds * 1000.0).round() / 1000.0, similarity: None }
}
