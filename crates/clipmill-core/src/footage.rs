//! How much of which file an output shows: the one definition by which outputs are drawn apart and compared.

use std::collections::BTreeMap;

/// How much is shown of each file, from its beginning: what is repeated or held counts once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footage<K>(BTreeMap<K, u64>);

impl<K: Ord> Footage<K> {
    /// Of files and the frames shown of each, the same one as often as it comes.
    pub fn of(shown: impl IntoIterator<Item = (K, u64)>) -> Self {
        let mut footage = BTreeMap::new();
        for (file, frames) in shown {
            let most = footage.entry(file).or_insert(0);
            *most = frames.max(*most);
        }
        Self(footage)
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.0.len()
    }

    /// Frames that both show, wherever in the two outputs.
    pub fn shared(&self, other: &Self) -> u64 {
        let both = self.0.iter().filter_map(|(file, ours)| Some(*ours.min(other.0.get(file)?)));
        both.fold(0, u64::saturating_add)
    }
}
