//! Which of two sets of rows is better.

/// The faults of a set of rows, the worst first; less is better. Pairs of manual rows do not count, because no draw
/// changes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score {
    /// Pairs of outputs with the same resources.
    pub same_rows: u64,
    /// Pairs of outputs that show the same in every scene, also through other resources of the same content.
    pub same_footage: u64,
    /// Scenes that show the same file as the previous scene.
    pub neighbours: u64,
    /// Scenes that show a file which their output has shown before.
    pub repeats: u64,
    /// The most footage that two outputs share.
    pub greatest: u64,
    /// Pairs that share exactly that much.
    pub pairs: u64,
    /// Shared footage of all pairs.
    pub sum: u64,
}

impl Score {
    /// At least as good as every set of rows.
    pub const BEST: Self =
        Self { same_rows: 0, same_footage: 0, neighbours: 0, repeats: 0, greatest: 0, pairs: 0, sum: 0 };
    /// At least as bad as every set of rows.
    pub const WORST: Self = Self { same_rows: u64::MAX, ..Self::BEST };

    /// The score of one row by itself.
    pub fn row(neighbours: u64, repeats: u64) -> Self {
        Self { neighbours, repeats, ..Self::BEST }
    }

    /// The score of a pair of rows.
    pub fn pair(same_rows: bool, same_footage: bool, shared: u64) -> Self {
        Self {
            same_rows: same_rows.into(),
            same_footage: same_footage.into(),
            greatest: shared,
            pairs: u64::from(shared > 0),
            sum: shared,
            ..Self::BEST
        }
    }

    pub fn with(self, other: Self) -> Self {
        let at = |score: Self, greatest| if score.greatest == greatest { score.pairs } else { 0 };
        let greatest = self.greatest.max(other.greatest);
        Self {
            same_rows: self.same_rows + other.same_rows,
            same_footage: self.same_footage + other.same_footage,
            neighbours: self.neighbours + other.neighbours,
            repeats: self.repeats + other.repeats,
            greatest,
            pairs: at(self, greatest) + at(other, greatest),
            sum: self.sum.saturating_add(other.sum),
        }
    }
}
