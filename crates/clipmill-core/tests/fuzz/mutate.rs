//! Random damage: pieces are cut out, doubled and exchanged, and words with a meaning for parsers are inserted.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

/// One change to a text of bytes; places are parts of its length.
#[derive(Debug, Clone)]
enum Change {
    Flip(f64, u8),
    Cut(f64, f64),
    Double(f64, f64),
    Insert(f64, Vec<u8>),
}

/// The checked-in corpus of a fuzz target.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target))
}

/// The contents of the files of a folder, in the order of their names.
pub fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths: BTreeSet<_> = entries.collect();
    assert!(!paths.is_empty(), "{}", folder.display());
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// One of `seeds` with up to eight changes, or random bytes.
pub fn damaged(seeds: Vec<Vec<u8>>, words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let mutated = (prop::sample::select(seeds), prop::collection::vec(change(words), 0..8)).prop_map(
        |(seed, changes)| {
            let mut bytes = seed;
            changes.iter().for_each(|change| apply(&mut bytes, change));
            bytes
        },
    );
    prop_oneof![9 => mutated, 1 => prop::collection::vec(any::<u8>(), 0..300)]
}

fn change(words: &'static [&'static str]) -> impl Strategy<Value = Change> {
    let place = || 0.0..1.0f64;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, mask)| Change::Flip(at, mask)),
        (place(), 0.0..0.3f64).prop_map(|(at, part)| Change::Cut(at, part)),
        (place(), 0.0..0.3f64).prop_map(|(at, part)| Change::Double(at, part)),
        (place(), prop::sample::select(words)).prop_map(|(at, word)| Change::Insert(at, word.into())),
        (place(), "\\PC{0,12}").prop_map(|(at, word)| Change::Insert(at, word.into_bytes())),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let at = |part: f64| (bytes.len() as f64 * part) as usize;
    let range = |from: f64, part: f64| at(from)..at((from + part).min(1.0));
    match change {
        Change::Flip(place, mask) => {
            let at = at(*place);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= mask;
            }
        }
        Change::Cut(from, part) => drop(bytes.drain(range(*from, *part)).count()),
        Change::Double(from, part) => {
            let range = range(*from, *part);
            let piece = bytes[range.clone()].to_vec();
            bytes.splice(range.start..range.start, piece);
        }
        Change::Insert(place, word) => {
            let at = at(*place);
            bytes.splice(at..at, word.iter().copied());
        }
    }
}
