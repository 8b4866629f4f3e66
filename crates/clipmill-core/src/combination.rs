//! Which clip of each scene goes into which output.
//!
//! A row names one resource per scene. Rows are drawn so that none repeats and the least difference
//! between any two (the number of scenes in which they differ) is as large as the search can make it.

use crate::chance::Chance;

/// One resource index per scene.
pub type Row = Vec<u32>;

/// How many times the search starts afresh; each start ends in a local best.
const STARTS: usize = 24;
/// With no more distinct rows than this a search through all of them follows, up to so many steps.
const SMALL: u64 = 1024;
const STEPS: usize = 20_000;

/// Number of distinct rows, at most 2^53−1.
pub fn count_distinct(sizes: impl IntoIterator<Item = usize>) -> u64 {
    let product = sizes.into_iter().fold(1u64, |product, n| product.saturating_mul(n as u64));
    product.min(crate::seed::MAX_SEED)
}

/// Draws up to `wanted` rows beside `fixed` from the `usable` resources of each scene. Fewer come back
/// only when fewer distinct rows exist.
pub fn draw(usable: &[Vec<u32>], fixed: &[Row], wanted: usize, seed: u64) -> Vec<Row> {
    if wanted == 0 || usable.is_empty() || usable.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let mut chance = Chance::stream(seed, "combination");
    let most = upper_bound(usable, fixed, wanted);
    let mut best: Option<Rows> = None;
    for _ in 0..STARTS {
        let mut rows = Rows::new(fixed, start(usable, fixed.len(), wanted, &mut chance));
        rows.improve(usable, most, &mut chance);
        if best.as_ref().is_none_or(|best| rows.score() > best.score()) {
            best = Some(rows);
        }
        if best.as_ref().is_some_and(|best| best.score().0 >= most) {
            break;
        }
    }
    let (least, rows) = best.map_or((0, Vec::new()), |best| (best.score().0, best.drawn()));
    // A single row differs from nothing, as much as can be.
    let better = search(usable, fixed, wanted, least.saturating_add(1)..=most, &mut chance);
    match better {
        Some(better) => better,
        None if least > 0 => rows,
        None => enumerate(usable, fixed, wanted),
    }
}

/// No set of rows has a larger least difference: in one scene, the pairs that differ are most numerous when
/// its resources are used equally often.
fn upper_bound(usable: &[Vec<u32>], fixed: &[Row], wanted: usize) -> usize {
    let total = fixed.len() + wanted;
    let pairs = |n: usize| n * n.saturating_sub(1) / 2;
    let between_fixed: usize = fixed
        .iter()
        .enumerate()
        .flat_map(|(i, row)| fixed[..i].iter().map(|other| difference(row, other)))
        .sum();
    let differing = usable.iter().enumerate().map(|(scene, choices)| {
        let others = fixed.iter().filter_map(|row| row.get(scene)).filter(|used| !choices.contains(used));
        let kinds = choices.len() + others.count();
        let (each, more) = (total / kinds, total % kinds);
        pairs(total) - more * pairs(each + 1) - (kinds - more) * pairs(each)
    });
    let counted = pairs(total) - pairs(fixed.len());
    if counted == 0 {
        return usable.len();
    }
    (differing.sum::<usize>().saturating_sub(between_fixed) / counted).min(usable.len())
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

fn difference(a: &Row, b: &Row) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

/// Least difference of any two rows; fewer pairs at it; larger sum: more is better in this order.
type Score = (usize, std::cmp::Reverse<usize>, usize);

/// Fixed rows, then drawn ones, with the differences of all pairs that a draw can change.
struct Rows {
    rows: Vec<Row>,
    fixed: usize,
    /// Of each drawn row to all rows before it.
    differences: Vec<Vec<usize>>,
}

impl Rows {
    fn new(fixed: &[Row], drawn: Vec<Row>) -> Self {
        let rows: Vec<Row> = fixed.iter().cloned().chain(drawn).collect();
        let before = |row: usize| rows[..row].iter().map(|other| difference(&rows[row], other)).collect();
        let differences = (fixed.len()..rows.len()).map(before).collect();
        Self { rows, fixed: fixed.len(), differences }
    }

    fn drawn(mut self) -> Vec<Row> {
        self.rows.split_off(self.fixed)
    }

    fn score(&self) -> Score {
        let (mut least, mut pairs, mut sum) = (usize::MAX, 0, 0);
        for &difference in self.differences.iter().flatten() {
            sum += difference;
            match difference.cmp(&least) {
                std::cmp::Ordering::Less => (least, pairs) = (difference, 1),
                std::cmp::Ordering::Equal => pairs += 1,
                std::cmp::Ordering::Greater => {}
            }
        }
        (least, std::cmp::Reverse(pairs), sum)
    }

    /// Changes one resource of one row at a time for as long as that makes the rows differ more.
    fn improve(&mut self, usable: &[Vec<u32>], most: usize, chance: &mut Chance) {
        let drawn = self.fixed..self.rows.len();
        let mut places: Vec<(usize, usize)> =
            drawn.flat_map(|row| (0..usable.len()).map(move |scene| (row, scene))).collect();
        let mut best = self.score();
        while best.0 < most {
            let before = best;
            chance.shuffle(&mut places);
            for &(row, scene) in &places {
                best = self.improve_place(&usable[scene], row, scene, best);
            }
            if best == before {
                return;
            }
        }
    }

    fn improve_place(&mut self, choices: &[u32], row: usize, scene: usize, mut best: Score) -> Score {
        let mut keep = self.rows[row][scene];
        // With many resources a handful of candidates shows whether a difference can be gained here.
        for &candidate in choices.iter().take(self.rows.len() + 1) {
            self.put(row, scene, candidate);
            let now = self.score();
            if now > best {
                (best, keep) = (now, candidate);
            }
        }
        self.put(row, scene, keep);
        best
    }

    fn put(&mut self, row: usize, scene: usize, resource: u32) {
        let was = std::mem::replace(&mut self.rows[row][scene], resource);
        for other in (0..self.rows.len()).filter(|other| *other != row) {
            let theirs = self.rows[other][scene];
            let (later, earlier) = (row.max(other), row.min(other));
            let difference = &mut self.differences[later - self.fixed][earlier];
            *difference = *difference + usize::from(resource != theirs) - usize::from(was != theirs);
        }
    }
}

/// Rows with a least difference in `aims`, as large as there is; `None` where there is none or looking for it
/// takes too long.
fn search(
    usable: &[Vec<u32>],
    fixed: &[Row],
    wanted: usize,
    aims: std::ops::RangeInclusive<usize>,
    chance: &mut Chance,
) -> Option<Vec<Row>> {
    if aims.is_empty() || count_distinct(usable.iter().map(Vec::len)) > SMALL {
        return None;
    }
    let mut all = enumerate(usable, fixed, usize::MAX);
    chance.shuffle(&mut all);
    let mut found = None;
    for aim in aims {
        let far = |row: &&Row| fixed.iter().all(|other| difference(row, other) >= aim);
        let mut open: Vec<&Row> = all.iter().filter(far).collect();
        if fixed.is_empty() {
            // Without fixed rows they are all alike: whatever can be done can be done with the first one.
            let first = open.first().copied()?;
            open.retain(|row| *row == first || difference(row, first) >= aim);
        }
        let (mut chosen, mut steps) = (Vec::new(), STEPS);
        if !extend(&open, wanted, aim, &mut chosen, &mut steps) {
            break;
        }
        found = Some(chosen.into_iter().cloned().collect());
    }
    found
}

/// Adds rows from `open` to `chosen`, each at least `aim` apart from the others, until there are `wanted`.
fn extend<'a>(
    open: &[&'a Row],
    wanted: usize,
    aim: usize,
    chosen: &mut Vec<&'a Row>,
    steps: &mut usize,
) -> bool {
    if chosen.len() == wanted {
        return true;
    }
    for (index, row) in open.iter().enumerate() {
        if chosen.len() + open.len() - index < wanted || *steps == 0 {
            return false;
        }
        *steps -= 1;
        let left: Vec<&Row> =
            open[index + 1..].iter().copied().filter(|other| difference(row, other) >= aim).collect();
        chosen.push(row);
        if extend(&left, wanted, aim, chosen, steps) {
            return true;
        }
        chosen.pop();
    }
    false
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

    fn least(fixed: &[Row], rows: &[Row]) -> usize {
        Rows::new(fixed, rows.to_vec()).score().0
    }

    /// All shapes of up to 4 scenes with up to 4 clips; the order of scenes makes no difference.
    fn shapes() -> Vec<Vec<u32>> {
        let mut shapes = vec![vec![]];
        let mut all = Vec::new();
        for _ in 0..4 {
            let longer = |shape: &Vec<u32>| {
                let shape = shape.clone();
                (shape.last().copied().unwrap_or(1)..=4).map(move |n| [shape.clone(), vec![n]].concat())
            };
            shapes = shapes.iter().flat_map(longer).collect();
            all.extend(shapes.iter().cloned());
        }
        all
    }

    /// Whether rows at least `aim` apart exist, by trying every set of rows in counting order.
    fn exists(all: &[Row], from: usize, chosen: &mut Vec<Row>, wanted: usize, aim: usize) -> bool {
        if wanted == 0 {
            return true;
        }
        for i in from..all.len() {
            if chosen.iter().all(|row| difference(row, &all[i]) >= aim) {
                chosen.push(all[i].clone());
                let found = exists(all, i + 1, chosen, wanted - 1, aim);
                chosen.pop();
                if found {
                    return true;
                }
            }
        }
        false
    }

    /// The drawn rows are as far apart as any could be.
    fn check_best(sizes: &[u32], fixed: &[Row], wanted: usize) {
        let usable = scenes(sizes);
        let all: Vec<Row> = enumerate(&usable, fixed, usize::MAX);
        if wanted == 0 || all.len() < wanted || fixed.len() + wanted < 2 {
            return;
        }
        let rows = draw(&usable, fixed, wanted, 11);
        assert_eq!(rows.len(), wanted);
        let found = least(fixed, &rows);
        assert!(found >= 1, "{sizes:?}: {rows:?} beside {fixed:?}");
        // The first of several free rows can be any: clips of a scene can change names.
        let (mut chosen, from, left) = match fixed {
            [] => (vec![all[0].clone()], 1, wanted - 1),
            _ => (fixed.to_vec(), 0, wanted),
        };
        let near_fixed = |row: &Row| fixed.iter().all(|other| difference(row, other) > found);
        let open: Vec<Row> = all[from..].iter().filter(|row| near_fixed(row)).cloned().collect();
        if !fixed.is_empty() {
            chosen.clear();
        }
        let better = exists(&open, 0, &mut chosen, left, found + 1);
        assert!(!better, "{sizes:?} × {wanted} beside {fixed:?}: {rows:?} is not the best");
    }

    #[test]
    fn the_least_difference_is_the_largest_possible() {
        for sizes in shapes() {
            for wanted in 2..=5 {
                check_best(&sizes, &[], wanted);
            }
        }
    }

    #[test]
    fn it_is_so_beside_manual_rows() {
        for sizes in shapes() {
            // Up to names, a second manual row differs from the first in a set of scenes.
            let first = vec![0; sizes.len()];
            for set in 0..1u32 << sizes.len() {
                let second: Row = (0..sizes.len()).map(|scene| set >> scene & 1).collect();
                if second.iter().zip(&sizes).any(|(clip, clips)| clip >= clips) {
                    continue;
                }
                let fixed = if set == 0 { vec![first.clone()] } else { vec![first.clone(), second] };
                for wanted in 1..=5 - fixed.len() {
                    check_best(&sizes, &fixed, wanted);
                }
            }
        }
    }

    #[test]
    fn it_is_so_beside_three_or_four_manual_rows() {
        let mut chance = Chance::stream(3, "test");
        for sizes in shapes() {
            let mut all = enumerate(&scenes(&sizes), &[], usize::MAX);
            chance.shuffle(&mut all);
            for count in [3, 4] {
                if all.len() > count {
                    (1..=5 - count).for_each(|wanted| check_best(&sizes, &all[..count], wanted));
                }
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
    fn one_row_alone_is_any() {
        for sizes in [&[1][..], &[3], &[2, 3]] {
            let rows = draw(&scenes(sizes), &[], 1, 5);
            assert!(
                rows.len() == 1 && rows[0].iter().zip(sizes).all(|(clip, clips)| clip < clips),
                "{rows:?}"
            );
        }
    }

    #[test]
    fn large_tasks_differ_everywhere_and_seeds_matter() {
        let usable = scenes(&[100; 100]);
        let rows = draw(&usable, &[], 5, 1);
        assert_eq!(least(&[], &rows), 100);
        assert_eq!(rows, draw(&usable, &[], 5, 1));
        assert_ne!(rows, draw(&usable, &[], 5, 2));
    }

    #[test]
    fn many_scenes_with_few_clips_come_close_to_what_is_possible() {
        for clips in [2, 3, 4] {
            let usable = scenes(&[clips; 100]);
            let most = upper_bound(&usable, &[], 5);
            let found = least(&[], &draw(&usable, &[], 5, 1));
            assert!(found == most, "{clips} clips: {found} of at most {most}");
        }
    }

    #[test]
    fn counting_is_exact_and_capped() {
        assert_eq!(count_distinct([3, 4, 5]), 60);
        assert_eq!(count_distinct([100; 100]), (1 << 53) - 1);
    }
}
