//! Which clip of each scene is used in which output.
//!
//! A row has one resource per scene. Rows are drawn so that none repeats, no output shows a file twice if that can be
//! avoided, and the outputs share as little footage as the search can manage; [`Score`] defines the order of results. A
//! small number of rows is searched completely; a large number is improved step by step from a good start.

mod chain;
mod exact;
mod many;
mod rows;
mod score;
mod start;
#[cfg(test)]
mod tests;

pub use score::Score;

use crate::footage::Footage;
use crate::random::RandomStream;
use rows::Rows;

/// One resource index per scene.
pub type Row = Vec<u32>;

/// Up to this many rows are searched with all their pairs kept in memory.
const FEW: usize = 10;
/// How many times the search starts over; each start ends in a local optimum.
const STARTS: usize = 24;
/// How many changes all starts together may try: this bounds the time of the largest task.
const TRIALS: usize = 60_000;

/// The footage that a scene shows with a clip: this many frames of a file, from the clip's beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownClip {
    /// Counted from 0 without gaps; files of the same content have the same number.
    pub file: u32,
    pub frames: u64,
}

/// The scenes, and the resources that each can choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenes {
    /// The footage of each scene and resource.
    pub shown: Vec<Vec<ShownClip>>,
    /// The resources of each scene that may be drawn.
    pub usable: Vec<Vec<u32>>,
    /// Whether every scene of an output is trimmed to the shortest of that output.
    pub shortest: bool,
}

impl Scenes {
    pub fn at(&self, scene: usize, resource: u32) -> ShownClip {
        self.shown[scene][resource as usize]
    }

    /// The footage that an output of this row shows.
    pub fn footage(&self, row: &[u32]) -> Footage<u32> {
        let clips = || row.iter().enumerate().map(|(scene, &resource)| self.at(scene, resource));
        let cut = if self.shortest { clips().map(|clip| clip.frames).min() } else { None };
        Footage::of(clips().map(|clip| (clip.file, 0..cut.unwrap_or(clip.frames))))
    }

    fn files(&self) -> usize {
        self.shown.iter().flatten().map(|shown| shown.file as usize + 1).max().unwrap_or(0)
    }

    /// Whether the row names a usable resource in each scene.
    fn has(&self, row: &[u32]) -> bool {
        row.iter().zip(&self.usable).all(|(resource, usable)| usable.contains(resource))
    }
}

/// Number of distinct rows, at most 2^53−1. Every resource counts, even if two have the same file.
pub fn count_distinct(sizes: impl IntoIterator<Item = usize>) -> u64 {
    let product = sizes.into_iter().fold(1u64, |product, n| product.saturating_mul(n as u64));
    product.min(crate::seed::MAX_SEED)
}

/// Draws up to `wanted` rows beside `fixed`; fewer only if fewer distinct rows exist. Rows in `known`, which were drawn
/// when fewer facts about the files were known, are kept as long as they are still optimal.
pub fn draw(scenes: &Scenes, fixed: &[Row], wanted: usize, seed: u64, known: &[Row]) -> Vec<Row> {
    if wanted == 0 || scenes.usable.is_empty() || scenes.usable.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let all = count_distinct(scenes.usable.iter().map(Vec::len));
    if all <= (wanted + fixed.len()) as u64 {
        let used = fixed.iter().filter(|row| scenes.has(row)).count();
        if all as usize - used <= wanted {
            return exact::all_rows(scenes, fixed);
        }
    }
    let mut rng = RandomStream::stream(seed, "combination");
    if wanted + fixed.len() > FEW {
        return many::rows(scenes, fixed, wanted, known, &mut rng);
    }
    let (score, rows) = improved(scenes, fixed, wanted, known, &mut rng);
    exact::search(scenes, fixed, wanted, score, &mut rng).unwrap_or(rows)
}

/// The best result of several starts; the first start begins with the known rows.
fn improved(
    scenes: &Scenes,
    fixed: &[Row],
    wanted: usize,
    known: &[Row],
    rng: &mut RandomStream,
) -> (Score, Vec<Row>) {
    let mut trials = TRIALS;
    let mut best: Option<(Score, Vec<Row>)> = None;
    for turn in 0..STARTS {
        let known_rows = if turn == 0 { known } else { &[] };
        let mut rows = Rows::new(scenes, fixed, start::rows(scenes, fixed, wanted, known_rows, rng));
        rows.improve(turn % 2 == 1, &mut trials, rng);
        let score = rows.score();
        if best.as_ref().is_none_or(|(least, _)| score < *least) {
            best = Some((score, rows.drawn()));
        }
        if trials == 0 || best.as_ref().is_some_and(|(least, _)| *least == Score::BEST) {
            break;
        }
    }
    best.unwrap_or((Score::WORST, Vec::new()))
}
