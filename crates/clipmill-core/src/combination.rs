//! Which clip of each scene goes into which output.
//!
//! A row names one resource per scene. Rows are drawn so that none repeats and the least difference
//! between any two (the number of scenes in which they differ) is as large as the search can make it.

use crate::chance::Chance;

/// One resource index per scene.
pub type Row = Vec<u32>;

/// How many times the search starts afresh; each start ends in a local best.
const STARTS: usize = 24;

/// Number of distinct rows, at most 2^53−1.
pub fn count_distinct(sizes: impl IntoIterator<Item = usize>) -> u64 {
    let product = sizes.into_iter().fold(1u64, |product, n| product.saturating_mul(n as u64));
    product.min(crate::chance::MAX_SEED)
}

/// Draws up to `wanted` rows beside `fixed` from the `usable` resources of each scene. Fewer come back
/// only when fewer distinct rows exist.
pub fn draw(usable: &[Vec<u32>], fixed: &[Row], wanted: usize, seed: u64) -> Vec<Row> {
    if wanted == 0 || usable.is_empty() || usable.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let mut chance = Chance::stream(seed, "combination");
    let mut best: Option<(Score, Vec<Row>)> = None;
    for _ in 0..STARTS {
        let rows = improve(usable, fixed, start(usable, fixed.len(), wanted, &mut chance), &mut chance);
        let reached = score(fixed, &rows);
        if best.as_ref().is_none_or(|(most, _)| reached > *most) {
            best = Some((reached, rows));
        }
        if reached.0 >= usable.len() {
            break;
        }
    }
    match best {
        Some(((1.., ..), rows)) => rows,
        _ => enumerate(usable, fixed, wanted),
    }
}

/// In each scene the new rows take different resources as far as there are any, in random order.
fn start(usable: &[Vec<u32>], offset: usize, wanted: usize, chance: &mut Chance) -> Vec<Row> {
    let mut rows = vec![Row::with_capacity(usable.len()); wanted];
    let mut turns: Vec<usize> = (offset..offset + wanted).collect();
    for choices in usable {
        let mut order = choices.clone();
        chance.shuffle(&mut order);
        chance.shuffle(&mut turns);
        for (row, turn) in rows.iter_mut().zip(&turns) {
            row.push(order[turn % order.len()]);
        }
    }
    rows
}

/// Changes one resource of one row at a time for as long as that makes the rows differ more.
fn improve(usable: &[Vec<u32>], fixed: &[Row], mut rows: Vec<Row>, chance: &mut Chance) -> Vec<Row> {
    let mut best = score(fixed, &rows);
    if best.0 >= usable.len() {
        return rows;
    }
    let mut places: Vec<(usize, usize)> =
        (0..rows.len()).flat_map(|row| (0..usable.len()).map(move |scene| (row, scene))).collect();
    loop {
        let before = best;
        chance.shuffle(&mut places);
        for &(row, scene) in &places {
            best = improve_place(&usable[scene], fixed, &mut rows, (row, scene), best);
        }
        if best == before {
            return rows;
        }
    }
}

fn improve_place(
    choices: &[u32],
    fixed: &[Row],
    rows: &mut [Row],
    place: (usize, usize),
    best: Score,
) -> Score {
    let (row, scene) = place;
    let mut best = best;
    let mut keep = rows[row][scene];
    // With many resources a handful of candidates shows whether a difference can be gained here.
    for &candidate in choices.iter().take(fixed.len() + rows.len() + 1) {
        rows[row][scene] = candidate;
        let now = score(fixed, rows);
        if now > best {
            (best, keep) = (now, candidate);
        }
    }
    rows[row][scene] = keep;
    best
}

/// Least difference of any two rows; fewer pairs at it; larger sum: more is better in this order.
type Score = (usize, std::cmp::Reverse<usize>, usize);

fn score(fixed: &[Row], rows: &[Row]) -> Score {
    let (mut least, mut pairs, mut sum) = (usize::MAX, 0, 0);
    for (i, row) in rows.iter().enumerate() {
        for other in fixed.iter().chain(&rows[..i]) {
            let difference = row.iter().zip(other).filter(|(a, b)| a != b).count();
            sum += difference;
            match difference.cmp(&least) {
                std::cmp::Ordering::Less => (least, pairs) = (difference, 1),
                std::cmp::Ordering::Equal => pairs += 1,
                std::cmp::Ordering::Greater => {}
            }
        }
    }
    (least, std::cmp::Reverse(pairs), sum)
}

/// All rows in counting order without the fixed ones, as many as wanted: the last resort where so few
/// rows exist that nearly all are needed.
fn enumerate(usable: &[Vec<u32>], fixed: &[Row], wanted: usize) -> Vec<Row> {
    let mut digits = vec![0usize; usable.len()];
    let mut found = Vec::new();
    loop {
        let row: Row = digits.iter().zip(usable).map(|(&digit, choices)| choices[digit]).collect();
        if !fixed.contains(&row) {
            found.push(row);
        }
        if found.len() == wanted || !advance(&mut digits, usable) {
            return found;
        }
    }
}

/// Counts up by one; false after the last number.
fn advance(digits: &mut [usize], usable: &[Vec<u32>]) -> bool {
    for (digit, choices) in digits.iter_mut().zip(usable) {
        *digit += 1;
        if *digit < choices.len() {
            return true;
        }
        *digit = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenes(sizes: &[u32]) -> Vec<Vec<u32>> {
        sizes.iter().map(|&n| (0..n).collect()).collect()
    }

    fn least(rows: &[Row]) -> usize {
        score(&[], rows).0
    }

    /// Best least difference by trying every set of rows.
    fn brute_force(usable: &[Vec<u32>], count: usize) -> usize {
        fn go(all: &[Row], from: usize, chosen: &mut Vec<Row>, count: usize, best: &mut usize) {
            if chosen.len() > 1 && least(chosen) <= *best {
                return;
            }
            if chosen.len() == count {
                *best = least(chosen);
                return;
            }
            for i in from..all.len() {
                chosen.push(all[i].clone());
                go(all, i + 1, chosen, count, best);
                chosen.pop();
            }
        }
        let all = enumerate(usable, &[], usize::MAX);
        let mut best = 0;
        go(&all, 0, &mut Vec::new(), count, &mut best);
        best
    }

    #[test]
    fn the_least_difference_is_the_largest_possible() {
        for sizes in [&[2, 2][..], &[2, 3], &[3, 3, 3], &[1, 2, 4], &[2, 2, 2], &[4, 4, 4], &[2, 2, 3, 4]] {
            let usable = scenes(sizes);
            for count in 2..=4usize {
                if (count as u64) > count_distinct(usable.iter().map(Vec::len)) {
                    continue;
                }
                let rows = draw(&usable, &[], count, 11);
                assert_eq!(least(&rows), brute_force(&usable, count), "{sizes:?} × {count}");
            }
        }
    }

    #[test]
    fn manual_rows_are_not_drawn_again_and_all_rows_can_be_used() {
        let usable = scenes(&[2, 2]);
        let fixed = vec![vec![0, 0], vec![1, 1]];
        let mut rows = draw(&usable, &fixed, 5, 3);
        rows.sort();
        assert_eq!(rows, [[0, 1], [1, 0]]);
    }

    #[test]
    fn large_tasks_differ_everywhere_and_seeds_matter() {
        let usable = scenes(&[100; 100]);
        let rows = draw(&usable, &[], 5, 1);
        assert_eq!(least(&rows), 100);
        assert_eq!(rows, draw(&usable, &[], 5, 1));
        assert_ne!(rows, draw(&usable, &[], 5, 2));
    }

    #[test]
    fn counting_is_exact_and_capped() {
        assert_eq!(count_distinct([3, 4, 5]), 60);
        assert_eq!(count_distinct([100; 100]), (1 << 53) - 1);
    }
}
