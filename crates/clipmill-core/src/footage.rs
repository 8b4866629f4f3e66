//! Footage: the frame ranges of each source file that an output shows. Used to make outputs distinct and to compare
//! them.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Stretches of files, in frames from each file's first; a repeated or held range counts once. In JSON it is a list
/// of files, each with its ranges in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(K, Vec<(u64, u64)>)>", into = "Vec<(K, Vec<(u64, u64)>)>")]
#[serde(bound(serialize = "K: Ord + Clone + Serialize", deserialize = "K: Ord + Clone + Deserialize<'de>"))]
pub struct Footage<K: Ord + Clone>(BTreeMap<K, Vec<Range<u64>>>);

impl<K: Ord + Clone> Default for Footage<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Clone> Footage<K> {
    /// Builds it from files and the ranges shown of each; a file may occur several times.
    pub fn of(ranges: impl IntoIterator<Item = (K, Range<u64>)>) -> Self {
        let mut footage: BTreeMap<K, Vec<Range<u64>>> = BTreeMap::new();
        for (file, range) in ranges {
            footage.entry(file).or_default().push(range);
        }
        footage.values_mut().for_each(join);
        footage.retain(|_, ranges| !ranges.is_empty());
        Self(footage)
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.0.len()
    }

    /// How many frames both show, wherever they are in the two outputs.
    pub fn shared(&self, other: &Self) -> u64 {
        let both = self.0.iter().filter_map(|(file, own)| Some(common(own, other.0.get(file)?)));
        both.fold(0, u64::saturating_add)
    }
}

impl<K: Ord + Clone> From<Vec<(K, Vec<(u64, u64)>)>> for Footage<K> {
    fn from(files: Vec<(K, Vec<(u64, u64)>)>) -> Self {
        let ranges = files
            .into_iter()
            .flat_map(|(file, ranges)| ranges.into_iter().map(move |(from, to)| (file.clone(), from..to)));
        Self::of(ranges)
    }
}

impl<K: Ord + Clone> From<Footage<K>> for Vec<(K, Vec<(u64, u64)>)> {
    fn from(footage: Footage<K>) -> Self {
        let pairs = |ranges: Vec<Range<u64>>| ranges.into_iter().map(|part| (part.start, part.end)).collect();
        footage.0.into_iter().map(|(file, ranges)| (file, pairs(ranges))).collect()
    }
}

/// Sorts ranges, merges those that touch and removes empty ones.
fn join(ranges: &mut Vec<Range<u64>>) {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
}

/// How many frames are in both of two ordered lists.
fn common(own: &[Range<u64>], others: &[Range<u64>]) -> u64 {
    let (mut own, mut others, mut shared) = (own.iter().peekable(), others.iter().peekable(), 0);
    while let (Some(a), Some(b)) = (own.peek(), others.peek()) {
        shared += a.end.min(b.end).saturating_sub(a.start.max(b.start));
        if a.end <= b.end {
            own.next();
        } else {
            others.next();
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_footage_counts_once_wherever_it_is() {
        let footage = |shown: &[(char, Range<u64>)]| Footage::of(shown.iter().cloned());
        let own = footage(&[('a', 0..30), ('a', 20..50), ('a', 70..80), ('b', 5..5)]);
        assert_eq!(own.files(), 1);
        assert_eq!(own.shared(&own), 60);
        assert_eq!(own.shared(&footage(&[('a', 40..75)])), 15);
        assert_eq!(own.shared(&footage(&[('a', 50..70), ('b', 0..50)])), 0);
        assert_eq!(footage(&[('a', 0..10), ('a', 10..20)]), footage(&[('a', 0..20)]));
    }

    #[test]
    fn footage_is_serialized_as_a_list() {
        let footage = Footage::of([("b".to_owned(), 3..9), ("a".to_owned(), 0..2), ("a".to_owned(), 4..6)]);
        let text = serde_json::to_string(&footage).unwrap();
        assert_eq!(text, r#"[["a",[[0,2],[4,6]]],["b",[[3,9]]]]"#);
        assert_eq!(serde_json::from_str::<Footage<String>>(&text).unwrap(), footage);
    }
}
