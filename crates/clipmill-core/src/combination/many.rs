//! Rows for more outputs than can be compared with one another repeatedly: each row is built scene by scene so that it
//! shares as little as possible with the previous rows. Then the rows that share most are improved.

use rustc_hash::FxHashSet;

use crate::combination::{Row, Scenes, count_distinct, exact};
use crate::random::RandomStream;

/// How many places in other rows the improvement may read in total. This bounds the time of the largest task.
const MAX_READS: usize = 10_000_000;
/// Up to this number of possible rows, an unused row is found by going through them; beyond it, by drawing.
const SMALL: u64 = 20_000;
/// How many draws are made to find a new row among many possible ones.
const DRAWS: usize = 1_000;

/// Rows beside the `fixed` ones: no two are the same, and as few as possible show the same footage. Rows in `known`
/// stay where they can be used.
pub(super) fn rows(
    scenes: &Scenes,
    fixed: &[Row],
    wanted: usize,
    known: &[Row],
    rng: &mut RandomStream,
) -> Vec<Row> {
    let mut builder = RowBuilder::new(scenes, fixed);
    let mut order: Vec<usize> = (0..scenes.usable.len()).collect();
    let mut choices = scenes.usable.clone();
    for number in 0..wanted {
        let row = match known.get(number).filter(|row| scenes.has(row) && builder.is_new(row)) {
            Some(row) => row.clone(),
            None => {
                rng.shuffle(&mut order);
                choices.iter_mut().for_each(|choices| rng.shuffle(choices));
                builder.lay(&order, &choices, rng)
            }
        };
        builder.add(row);
    }
    builder.improve(fixed.len(), rng);
    builder.rows.split_off(fixed.len())
}

/// The faults of a clip in a scene, the worst first; less is better.
type Cost = (u32, u32, u64, u64, usize);

/// A row that is not complete yet.
struct PartialRow {
    /// How much it shares so far with each row before it.
    shared: Vec<u64>,
    /// For each file, whether the row shows it.
    shows: Vec<bool>,
}

struct RowBuilder<'a> {
    scenes: &'a Scenes,
    rows: Vec<Row>,
    /// The rows chosen so far, and an index from files to the rows that show them.
    taken: FxHashSet<Row>,
    shown: FxHashSet<Vec<u32>>,
    /// For each file: the rows that show it, and how much of it each shows.
    uses: Vec<Vec<(usize, u64)>>,
}

impl<'a> RowBuilder<'a> {
    fn new(scenes: &'a Scenes, fixed: &[Row]) -> Self {
        let mut builder = Self {
            scenes,
            rows: Vec::new(),
            taken: FxHashSet::default(),
            shown: FxHashSet::default(),
            uses: vec![Vec::new(); scenes.files()],
        };
        fixed.iter().for_each(|row| builder.add(row.clone()));
        builder
    }

    fn file(&self, scene: usize, resource: u32) -> usize {
        self.scenes.at(scene, resource).file as usize
    }

    /// How much of its file a clip shows; 1 when all scenes are trimmed to the same length.
    fn weight(&self, scene: usize, resource: u32) -> u64 {
        if self.scenes.shortest { 1 } else { self.scenes.at(scene, resource).frames }
    }

    fn files(&self, row: &[u32]) -> Vec<u32> {
        row.iter().enumerate().map(|(scene, &resource)| self.scenes.at(scene, resource).file).collect()
    }

    fn is_new(&self, row: &Row) -> bool {
        !self.taken.contains(row)
    }

    fn shows_new_footage(&self, row: &Row) -> bool {
        self.is_new(row) && !self.shown.contains(&self.files(row))
    }

    fn footage_of(&self, row: &[u32]) -> Vec<(usize, u64)> {
        self.footage(row.iter().copied().enumerate())
    }

    /// Each file shown in these scenes once, with the maximum that any of the scenes shows of it.
    fn footage(&self, clips: impl Iterator<Item = (usize, u32)>) -> Vec<(usize, u64)> {
        let mut footage: Vec<(usize, u64)> = Vec::new();
        for (scene, resource) in clips {
            let (file, weight) = (self.file(scene, resource), self.weight(scene, resource));
            match footage.iter_mut().find(|(file_of_entry, _)| *file_of_entry == file) {
                Some((_, most)) => *most = weight.max(*most),
                None => footage.push((file, weight)),
            }
        }
        footage
    }

    fn add(&mut self, row: Row) {
        let number = self.rows.len();
        for (file, weight) in self.footage_of(&row) {
            self.uses[file].push((number, weight));
        }
        self.taken.insert(row.clone());
        self.shown.insert(self.files(&row));
        self.rows.push(row);
    }

    /// Fills a row scene by scene in `order`; among equally good clips the first in `choices` wins.
    fn lay(&self, order: &[usize], choices: &[Vec<u32>], rng: &mut RandomStream) -> Row {
        let mut row: Vec<Option<u32>> = vec![None; order.len()];
        let mut partial_row =
            PartialRow { shared: vec![0; self.rows.len()], shows: vec![false; self.uses.len()] };
        for &scene in order {
            let mut least: Option<(Cost, u32)> = None;
            for &resource in &choices[scene] {
                let faults = self.faults_of(&row, scene, resource, &partial_row);
                // The shared footage is looked up only for clips with the fewest faults.
                if least.is_some_and(|(least, _)| faults > (least.0, least.1)) {
                    continue;
                }
                let cost = self.cost(faults, scene, resource, &partial_row);
                if least.is_none_or(|(least, _)| cost < least) {
                    least = Some((cost, resource));
                }
            }
            let Some((_, best)) = least else { continue };
            let file = self.file(scene, best);
            for &(other, theirs) in &self.uses[file] {
                partial_row.shared[other] += theirs.min(self.weight(scene, best));
            }
            partial_row.shows[file] = true;
            row[scene] = Some(best);
        }
        let row: Row = row.into_iter().flatten().collect();
        if self.shows_new_footage(&row) { row } else { self.another(row, &partial_row, rng) }
    }

    /// How many neighbouring scenes show the same file, and whether the row already shows it.
    fn faults_of(&self, row: &[Option<u32>], scene: usize, resource: u32, begun: &PartialRow) -> (u32, u32) {
        let file = self.file(scene, resource);
        let shows = |place: usize| {
            let shown = row.get(place).copied().flatten();
            u32::from(shown.is_some_and(|resource| self.file(place, resource) == file))
        };
        let neighbours = scene.checked_sub(1).map_or(0, shows) + shows(scene + 1);
        (neighbours, u32::from(begun.shows[file]))
    }

    /// The cost of a clip in a row whose other clips are chosen so far.
    fn cost(&self, faults: (u32, u32), scene: usize, resource: u32, begun: &PartialRow) -> Cost {
        let file = self.file(scene, resource);
        let amount = self.weight(scene, resource);
        let after = self.uses[file]
            .iter()
            .map(|&(other, other_amount)| begun.shared[other] + other_amount.min(amount));
        let (greatest, sum) = after.fold((0, 0), |(most, sum), after| (after.max(most), sum + after));
        (faults.0, faults.1, greatest, sum, self.uses[file].len())
    }

    /// A row similar to this one that is not in use yet.
    fn another(&self, row: Row, begun: &PartialRow, rng: &mut RandomStream) -> Row {
        let changed = |by_footage: bool| {
            let mut best: Option<(Cost, Row)> = None;
            for scene in 0..row.len() {
                let others: Vec<Option<u32>> = (row.iter().enumerate())
                    .map(|(place, &resource)| (place != scene).then_some(resource))
                    .collect();
                for &resource in &self.scenes.usable[scene] {
                    let mut candidate = row.clone();
                    candidate[scene] = resource;
                    if !(if by_footage {
                        self.shows_new_footage(&candidate)
                    } else {
                        self.is_new(&candidate)
                    }) {
                        continue;
                    }
                    let faults = self.faults_of(&others, scene, resource, begun);
                    let cost = self.cost(faults, scene, resource, begun);
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, candidate));
                    }
                }
            }
            best.map(|(_, row)| row)
        };
        let any = |by_footage: bool, rng: &mut RandomStream| self.any(by_footage, rng);
        changed(true)
            .or_else(|| any(true, rng))
            .or_else(|| changed(false))
            .or_else(|| any(false, rng))
            .unwrap_or(row)
    }

    fn any(&self, by_footage: bool, rng: &mut RandomStream) -> Option<Row> {
        let good = |row: &Row| if by_footage { self.shows_new_footage(row) } else { self.is_new(row) };
        if count_distinct(self.scenes.usable.iter().map(Vec::len)) <= SMALL {
            let mut all = exact::all_rows(self.scenes, &[]);
            rng.shuffle(&mut all);
            return all.into_iter().find(good);
        }
        let mut draw =
            || -> Row { self.scenes.usable.iter().map(|usable| usable[rng.below(usable.len())]).collect() };
        (0..DRAWS).map(|_| draw()).find(good)
    }

    /// Changes the rows that share most for as long as that improves them.
    fn improve(&mut self, fixed: usize, rng: &mut RandomStream) {
        let mut budget = MAX_READS;
        let mut numbers: Vec<usize> = (fixed..self.rows.len()).collect();
        let mut previous = u64::MAX;
        loop {
            rng.shuffle(&mut numbers);
            let shared: Vec<(u64, usize)> = numbers
                .iter()
                .map(|&row| (self.shared(row, &mut budget).into_iter().max().unwrap_or(0), row))
                .collect();
            let greatest = shared.iter().map(|(most, _)| *most).max().unwrap_or(0);
            let mut has_changed = false;
            for &(_, row) in shared.iter().filter(|(most, _)| *most == greatest) {
                has_changed |= self.improve_row(row, &mut budget);
                if budget == 0 {
                    return;
                }
            }
            if greatest == 0 || !has_changed && greatest >= previous {
                return;
            }
            previous = greatest;
        }
    }

    /// How much a row shares with each other row.
    fn shared(&self, row: usize, budget: &mut usize) -> Vec<u64> {
        let footage = self.footage_of(&self.rows[row]);
        let uses = footage.iter().map(|(file, _)| self.uses[*file].len());
        *budget = budget.saturating_sub(uses.sum());
        let mut shared = self.shared_of(&footage);
        shared[row] = 0;
        shared
    }

    /// How much each row shows of this footage.
    fn shared_of(&self, footage: &[(usize, u64)]) -> Vec<u64> {
        let mut shared = vec![0; self.rows.len()];
        for &(file, amount) in footage {
            self.uses[file]
                .iter()
                .for_each(|&(other, other_amount)| shared[other] += other_amount.min(amount));
        }
        shared
    }

    /// Replaces a clip in one scene of a row by a better one; returns whether there was one.
    fn improve_row(&mut self, row: usize, budget: &mut usize) -> bool {
        let was = self.rows[row].clone();
        let profile = |shared: &[u64]| {
            let greatest = shared.iter().copied().max().unwrap_or(0);
            let pairs = shared.iter().filter(|shared| **shared == greatest).count();
            (greatest, pairs, shared.iter().sum::<u64>())
        };
        let now = profile(&self.shared(row, budget));
        let mut best = None;
        let mut least = (self.faults(&was), now);
        self.remove(row);
        for scene in 0..was.len() {
            let mut candidate = was.clone();
            let without = self.footage(was.iter().copied().enumerate().filter(|(place, _)| *place != scene));
            let mut base = self.shared_of(&without);
            for &resource in &self.scenes.usable[scene] {
                if resource == was[scene] || *budget == 0 {
                    continue;
                }
                candidate[scene] = resource;
                *budget = budget.saturating_sub(was.len());
                let faults = self.faults(&candidate);
                if faults > least.0 || !self.shows_new_footage(&candidate) {
                    continue;
                }
                let (file, amount) = (self.file(scene, resource), self.weight(scene, resource));
                *budget = budget.saturating_sub(self.rows.len() + self.uses[file].len());
                let before =
                    without.iter().find(|(known, _)| *known == file).map_or(0, |(_, before)| *before);
                // Only rows that show this file share more now than without the scene.
                let mut changed: Vec<(usize, u64)> = Vec::with_capacity(self.uses[file].len());
                for &(other, other_amount) in &self.uses[file] {
                    changed.push((other, base[other]));
                    base[other] += other_amount.min(amount.max(before)) - other_amount.min(before);
                }
                let after = (faults, profile(&base));
                changed.into_iter().for_each(|(other, shared)| base[other] = shared);
                if after < least {
                    least = after;
                    best = Some(candidate.clone());
                }
            }
        }
        let is_better = best.is_some();
        self.put_back(row, best.unwrap_or(was));
        is_better
    }

    /// How many scenes show the same file as the previous one, and how many show a file that the row has already shown.
    fn faults(&self, row: &Row) -> (usize, usize) {
        let mut files = self.files(row);
        let neighbours = files.windows(2).filter(|pair| pair[0] == pair[1]).count();
        files.sort_unstable();
        files.dedup();
        (neighbours, row.len() - files.len())
    }

    /// Removes a row from the counts of what is shown; its index stays in use.
    fn remove(&mut self, row: usize) {
        let was = std::mem::take(&mut self.rows[row]);
        for (file, _) in self.footage_of(&was) {
            self.uses[file].retain(|(other, _)| *other != row);
        }
        self.shown.remove(&self.files(&was));
        self.taken.remove(&was);
    }

    fn put_back(&mut self, row: usize, is: Row) {
        for (file, weight) in self.footage_of(&is) {
            self.uses[file].push((row, weight));
        }
        self.shown.insert(self.files(&is));
        self.taken.insert(is.clone());
        self.rows[row] = is;
    }
}
