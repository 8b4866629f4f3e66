//! Search through all sets of rows, used when there are few enough.

use crate::combination::{Row, Scenes, Score, count_distinct, rows};
use crate::footage::Footage;
use crate::random::RandomStream;

/// The maximum number of rows to search, and of pairs of them to compare.
const SMALL: u64 = 1024;
const STEPS: usize = 150_000;

/// A row that may be taken.
#[derive(Clone)]
struct Candidate<'a> {
    row: &'a Row,
    footage: &'a Footage<u32>,
    /// The amount that it would add to the score.
    cost: Score,
}

/// The best set of rows if it is better than `best`; `None` if there is no better one or the search takes too long.
pub(super) fn search(
    scenes: &Scenes,
    fixed: &[Row],
    wanted: usize,
    best: Score,
    rng: &mut RandomStream,
) -> Option<Vec<Row>> {
    if best == Score::BEST || count_distinct(scenes.usable.iter().map(Vec::len)) > SMALL {
        return None;
    }
    let mut rows = all_rows(scenes, fixed);
    rng.shuffle(&mut rows);
    let footage: Vec<Footage<u32>> = rows.iter().map(|row| scenes.footage(row)).collect();
    let fixed: Vec<(&Row, Footage<u32>)> = fixed.iter().map(|row| (row, scenes.footage(row))).collect();
    let mut open: Vec<Candidate> = rows
        .iter()
        .zip(&footage)
        .map(|(row, footage)| {
            let repeats = (row.len() - footage.files()) as u64;
            let mut open =
                Candidate { row, footage, cost: Score::row(rows::neighbours(scenes, row), repeats) };
            for (other, theirs) in &fixed {
                open.cost = open.cost.with(pair(scenes, (row, footage), (other, theirs)));
            }
            open
        })
        .collect();
    open.sort_by_key(|open| open.cost);
    let mut search = Search { scenes, wanted, best, found: None, chosen: Vec::new(), steps: STEPS };
    search.extend(&open, Score::BEST);
    let mut chosen_rows: Vec<Row> = search.found?.into_iter().cloned().collect();
    rng.shuffle(&mut chosen_rows);
    Some(chosen_rows)
}

fn pair(scenes: &Scenes, a: (&Row, &Footage<u32>), b: (&Row, &Footage<u32>)) -> Score {
    let files =
        |row: &Row| row.iter().enumerate().map(|(scene, &r)| scenes.at(scene, r).file).collect::<Vec<_>>();
    let shared = a.1.shared(b.1);
    // Two rows show the same in every scene only if they show the same files.
    let same_footage = shared > 0 && files(a.0) == files(b.0);
    Score::pair(a.0 == b.0, same_footage, shared)
}

struct Search<'a> {
    scenes: &'a Scenes,
    wanted: usize,
    best: Score,
    found: Option<Vec<&'a Row>>,
    chosen: Vec<&'a Row>,
    steps: usize,
}

impl<'a> Search<'a> {
    /// Adds rows from `open`, the cheapest first, to the chosen rows, whose score is `score`.
    fn extend(&mut self, open: &[Candidate<'a>], score: Score) {
        let missing_rows = self.wanted - self.chosen.len();
        if missing_rows == 0 {
            if score < self.best {
                (self.best, self.found) = (score, Some(self.chosen.clone()));
            }
            return;
        }
        for (index, next) in open.iter().enumerate() {
            // All rows that follow cost at least as much by themselves.
            let least = (0..missing_rows).fold(score, |score, _| score.with(bound(next.cost)));
            if open.len() - index < missing_rows || least >= self.best || self.steps == 0 {
                return;
            }
            let score = score.with(next.cost);
            if score < self.best {
                let candidates = self.beside(next, &open[index + 1..], score);
                self.chosen.push(next.row);
                self.extend(&candidates, score);
                self.chosen.pop();
            }
        }
    }

    /// Rows of `open` that can still improve a set together with `chosen`, sorted by the amount that they would add
    /// then.
    fn beside(&mut self, chosen: &Candidate<'a>, open: &[Candidate<'a>], score: Score) -> Vec<Candidate<'a>> {
        let mut candidates = Vec::with_capacity(open.len());
        if self.chosen.len() + 1 == self.wanted {
            return candidates;
        }
        for other in open {
            self.steps = self.steps.saturating_sub(1);
            let pair = pair(self.scenes, (chosen.row, chosen.footage), (other.row, other.footage));
            let cost = other.cost.with(pair);
            if score.with(cost) < self.best {
                candidates.push(Candidate { cost, ..other.clone() });
            }
        }
        candidates.sort_by_key(|open| open.cost);
        candidates
    }
}

/// The smallest addition of any row that costs no less than this one.
fn bound(cost: Score) -> Score {
    Score { sum: 0, ..cost }
}

/// All rows in counting order, without the fixed ones.
pub(super) fn all_rows(scenes: &Scenes, fixed: &[Row]) -> Vec<Row> {
    let mut digits = vec![0usize; scenes.usable.len()];
    let mut rows = Vec::new();
    loop {
        let row: Row = digits.iter().zip(&scenes.usable).map(|(&digit, usable)| usable[digit]).collect();
        if !fixed.contains(&row) {
            rows.push(row);
        }
        if !advance(&mut digits, &scenes.usable) {
            return rows;
        }
    }
}

/// Counts up by one; returns false after the last number.
fn advance(digits: &mut [usize], usable: &[Vec<u32>]) -> bool {
    for (digit, usable) in digits.iter_mut().zip(usable) {
        *digit += 1;
        if *digit < usable.len() {
            return true;
        }
        *digit = 0;
    }
    false
}
