//! Chooses where lines end: as few lines as possible, after a sentence or clause if they stay even enough, and otherwise
//! as even as possible.

use super::breaks::Boundary;

/// Widths that differ by less are equal; sums of the same advances differ by rounding.
const ROUNDING: f64 = 1e-9;
/// The cost of a line with a single character. All others together cost less if there are a few lines.
const STRANDED: f64 = 10.0;

/// Text between two places where lines may end, with widths in em.
#[derive(Debug, Clone, Copy)]
pub struct LineFragment<'t> {
    pub text: &'t str,
    /// The width with the spaces at the end.
    pub full: f64,
    /// The width without them.
    pub ink: f64,
    /// The number of characters as readers perceive them, without spaces and punctuation; at most 2.
    pub letters: usize,
    /// What ends with the fragment.
    pub boundary: Boundary,
}

impl Boundary {
    /// The cost of a line that ends here, in squares of the part by which a line is longer or shorter than the mean.
    /// Of two lines, the shorter has at least half the width of the other for the sake of a clause, and 2/5 for the sake
    /// of a sentence.
    fn cost(self) -> f64 {
        match self {
            Self::Sentence => -0.36,
            Self::Clause => -0.22,
            Self::Word => 0.0,
            Self::Particle => 0.22,
            Self::Uncertain => 0.5,
            Self::Fragment => 0.7,
            Self::InsideWord => 1.0,
        }
    }
}

/// For each line the index after its last fragment.
pub fn line_ends(fragments: &[LineFragment<'_>], max_width: f64) -> Vec<usize> {
    let count = count_lines(fragments, max_width);
    if count < 2 {
        return if fragments.is_empty() { Vec::new() } else { vec![fragments.len()] };
    }
    let total: f64 = fragments.iter().map(|fragment| fragment.full).sum();
    let mut best = vec![Step { lines: 0, cost: 0.0, start: 0 }];
    for end in 1..=fragments.len() {
        best.push(best_line(fragments, end, &best, max_width, total / count as f64));
    }
    let mut ends = Vec::with_capacity(count);
    let mut end = fragments.len();
    while let Some(step) = best.get(end).filter(|_| end > 0) {
        ends.push(end);
        end = step.start;
    }
    ends.reverse();
    ends
}

/// The best lines for the fragments up to one: their number, their cost, and where the last of them starts.
#[derive(Debug, Clone, Copy)]
struct Step {
    lines: usize,
    cost: f64,
    start: usize,
}

/// The best last line that ends before the fragment with index `end`, given the best lines before it.
fn best_line(fragments: &[LineFragment<'_>], end: usize, before: &[Step], max_width: f64, mean: f64) -> Step {
    let own = fragments.get(..end).unwrap_or_default();
    let Some(last) = own.last() else { return Step { lines: 0, cost: 0.0, start: 0 } };
    let end_cost = if end < fragments.len() { last.boundary.cost() } else { 0.0 };
    let (mut width, mut letters) = (last.ink, 0);
    let mut best: Option<Step> = None;
    for (start, fragment) in own.iter().enumerate().rev() {
        let is_last = start + 1 == end;
        width += if is_last { 0.0 } else { fragment.full };
        if !is_last && width > max_width + ROUNDING && fragment.full > 0.0 {
            break;
        }
        letters += fragment.letters;
        let Some(previous) = before.get(start) else { break };
        let raggedness = (width - mean) / mean.max(ROUNDING);
        let stranded = if letters < 2 { STRANDED } else { 0.0 };
        let cost = previous.cost + raggedness * raggedness + stranded + end_cost;
        let lines = previous.lines + 1;
        if best.is_none_or(|best| lines < best.lines || lines == best.lines && cost < best.cost) {
            best = Some(Step { lines, cost, start });
        }
    }
    best.unwrap_or(Step { lines: end, cost: 0.0, start: end - 1 })
}

/// The smallest number of lines.
fn count_lines(fragments: &[LineFragment<'_>], max_width: f64) -> usize {
    let (mut lines, mut width) = (0, 0.0);
    for fragment in fragments {
        if lines == 0 || width > 0.0 && width + fragment.ink > max_width + ROUNDING {
            (lines, width) = (lines + 1, 0.0);
        }
        width += fragment.full;
    }
    lines
}

#[cfg(test)]
mod tests;
