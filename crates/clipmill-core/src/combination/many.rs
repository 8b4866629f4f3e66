//! Rows for more outputs than can be compared with one another over and over: each is laid scene by scene so that it
//! shares as little as can be with those before it, then the rows that share most are changed for the better.

use rustc_hash::FxHashSet;

use crate::chance::Chance;
use crate::combination::{Row, Scenes, count_distinct, exact};

/// How many places in other rows all changes together may look at: what keeps the largest task within its time.
const LOOKS: usize = 10_000_000;
/// Spaces of rows up to this size are gone through where an unused row is wanted; in larger ones any draw is new.
const SMALL: u64 = 20_000;
/// Draws until a row of a large space is new.
const DRAWS: usize = 1_000;

/// Rows beside the `fixed` ones, no two of them the same, and no two that show the same while that can be helped.
/// Those `known` stay where they can be used.
pub(super) fn rows(
    scenes: &Scenes,
    fixed: &[Row],
    wanted: usize,
    known: &[Row],
    chance: &mut Chance,
) -> Vec<Row> {
    let mut laying = Laying::new(scenes, fixed);
    let mut order: Vec<usize> = (0..scenes.usable.len()).collect();
    let mut choices = scenes.usable.clone();
    for number in 0..wanted {
        let row = match known.get(number).filter(|row| scenes.has(row) && laying.is_new(row)) {
            Some(row) => row.clone(),
            None => {
                chance.shuffle(&mut order);
                choices.iter_mut().for_each(|choices| chance.shuffle(choices));
                laying.lay(&order, &choices, chance)
            }
        };
        laying.add(row);
    }
    laying.improve(fixed.len(), chance);
    laying.rows.split_off(fixed.len())
}

/// What stands in the way of a clip in a scene, the worst first; less is better.
type Cost = (u32, u32, u64, u64, usize);

/// A row while it is laid.
struct Begun {
    /// What it shares so far with each before it.
    shared: Vec<u64>,
    /// By file, whether it shows it.
    shows: Vec<bool>,
}

struct Laying<'a> {
    scenes: &'a Scenes,
    rows: Vec<Row>,
    /// Rows as they are, and by the files that they show.
    taken: FxHashSet<Row>,
    shown: FxHashSet<Vec<u32>>,
    /// By file: the rows that show it, and how much of it each.
    uses: Vec<Vec<(usize, u64)>>,
}

impl<'a> Laying<'a> {
    fn new(scenes: &'a Scenes, fixed: &[Row]) -> Self {
        let mut laying = Self {
            scenes,
            rows: Vec::new(),
            taken: FxHashSet::default(),
            shown: FxHashSet::default(),
            uses: vec![Vec::new(); scenes.files()],
        };
        fixed.iter().for_each(|row| laying.add(row.clone()));
        laying
    }

    fn file(&self, scene: usize, resource: u32) -> usize {
        self.scenes.at(scene, resource).file as usize
    }

    /// How much of its file a clip shows; where all scenes are cut to the same length, files count.
    fn weight(&self, scene: usize, resource: u32) -> u64 {
        if self.scenes.shortest { 1 } else { self.scenes.at(scene, resource).frames }
    }

    fn files(&self, row: &[u32]) -> Vec<u32> {
        row.iter().enumerate().map(|(scene, &resource)| self.scenes.at(scene, resource).file).collect()
    }

    fn is_new(&self, row: &Row) -> bool {
        !self.taken.contains(row)
    }

    fn looks_new(&self, row: &Row) -> bool {
        self.is_new(row) && !self.shown.contains(&self.files(row))
    }

    fn footage_of(&self, row: &[u32]) -> Vec<(usize, u64)> {
        self.footage(row.iter().copied().enumerate())
    }

    /// What each file shown in these scenes comes to, each once, at its most.
    fn footage(&self, clips: impl Iterator<Item = (usize, u32)>) -> Vec<(usize, u64)> {
        let mut footage: Vec<(usize, u64)> = Vec::new();
        for (scene, resource) in clips {
            let (file, weight) = (self.file(scene, resource), self.weight(scene, resource));
            match footage.iter_mut().find(|(known, _)| *known == file) {
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

    /// A row in this order of scenes, of clips in this order where they are equally good.
    fn lay(&self, order: &[usize], choices: &[Vec<u32>], chance: &mut Chance) -> Row {
        let mut row: Vec<Option<u32>> = vec![None; order.len()];
        let mut begun = Begun { shared: vec![0; self.rows.len()], shows: vec![false; self.uses.len()] };
        for &scene in order {
            let mut least: Option<(Cost, u32)> = None;
            for &resource in &choices[scene] {
                let faults = self.faults_of(&row, scene, resource, &begun);
                // What shares little is looked up only among those that repeat the least.
                if least.is_some_and(|(least, _)| faults > (least.0, least.1)) {
                    continue;
                }
                let cost = self.cost(faults, scene, resource, &begun);
                if least.is_none_or(|(least, _)| cost < least) {
                    least = Some((cost, resource));
                }
            }
            let Some((_, best)) = least else { continue };
            let file = self.file(scene, best);
            for &(other, theirs) in &self.uses[file] {
                begun.shared[other] += theirs.min(self.weight(scene, best));
            }
            begun.shows[file] = true;
            row[scene] = Some(best);
        }
        let row: Row = row.into_iter().flatten().collect();
        if self.looks_new(&row) { row } else { self.another(row, &begun, chance) }
    }

    /// Scenes beside it that show the same, and whether its row shows it at all.
    fn faults_of(&self, row: &[Option<u32>], scene: usize, resource: u32, begun: &Begun) -> (u32, u32) {
        let file = self.file(scene, resource);
        let shows = |place: usize| {
            let shown = row.get(place).copied().flatten();
            u32::from(shown.is_some_and(|resource| self.file(place, resource) == file))
        };
        let neighbours = scene.checked_sub(1).map_or(0, shows) + shows(scene + 1);
        (neighbours, u32::from(begun.shows[file]))
    }

    /// What a clip costs in a row of which the others are chosen so far.
    fn cost(&self, faults: (u32, u32), scene: usize, resource: u32, begun: &Begun) -> Cost {
        let file = self.file(scene, resource);
        let ours = self.weight(scene, resource);
        let after = self.uses[file].iter().map(|&(other, theirs)| begun.shared[other] + theirs.min(ours));
        let (greatest, sum) = after.fold((0, 0), |(most, sum), after| (after.max(most), sum + after));
        (faults.0, faults.1, greatest, sum, self.uses[file].len())
    }

    /// A row like this one that there is not yet.
    fn another(&self, row: Row, begun: &Begun, chance: &mut Chance) -> Row {
        let changed = |looks: bool| {
            let mut best: Option<(Cost, Row)> = None;
            for scene in 0..row.len() {
                let others: Vec<Option<u32>> = (row.iter().enumerate())
                    .map(|(place, &resource)| (place != scene).then_some(resource))
                    .collect();
                for &resource in &self.scenes.usable[scene] {
                    let mut candidate = row.clone();
                    candidate[scene] = resource;
                    if !(if looks { self.looks_new(&candidate) } else { self.is_new(&candidate) }) {
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
        let any = |looks: bool, chance: &mut Chance| self.any(looks, chance);
        changed(true)
            .or_else(|| any(true, chance))
            .or_else(|| changed(false))
            .or_else(|| any(false, chance))
            .unwrap_or(row)
    }

    fn any(&self, looks: bool, chance: &mut Chance) -> Option<Row> {
        let good = |row: &Row| if looks { self.looks_new(row) } else { self.is_new(row) };
        if count_distinct(self.scenes.usable.iter().map(Vec::len)) <= SMALL {
            let mut all = exact::all_rows(self.scenes, &[]);
            chance.shuffle(&mut all);
            return all.into_iter().find(good);
        }
        let mut draw = || -> Row {
            self.scenes.usable.iter().map(|usable| usable[chance.below(usable.len())]).collect()
        };
        (0..DRAWS).map(|_| draw()).find(good)
    }

    /// Changes rows that share most for as long as that makes them better.
    fn improve(&mut self, fixed: usize, chance: &mut Chance) {
        let mut looks = LOOKS;
        let mut numbers: Vec<usize> = (fixed..self.rows.len()).collect();
        let mut before = u64::MAX;
        loop {
            chance.shuffle(&mut numbers);
            let shared: Vec<(u64, usize)> = numbers
                .iter()
                .map(|&row| (self.shared(row, &mut looks).into_iter().max().unwrap_or(0), row))
                .collect();
            let greatest = shared.iter().map(|(most, _)| *most).max().unwrap_or(0);
            let mut changed = false;
            for &(_, row) in shared.iter().filter(|(most, _)| *most == greatest) {
                changed |= self.improve_row(row, &mut looks);
                if looks == 0 {
                    return;
                }
            }
            if greatest == 0 || !changed && greatest >= before {
                return;
            }
            before = greatest;
        }
    }

    /// What a row shares with each other.
    fn shared(&self, row: usize, looks: &mut usize) -> Vec<u64> {
        let footage = self.footage_of(&self.rows[row]);
        let uses = footage.iter().map(|(file, _)| self.uses[*file].len());
        *looks = looks.saturating_sub(uses.sum());
        let mut shared = self.shared_of(&footage);
        shared[row] = 0;
        shared
    }

    /// What each row shows of this footage.
    fn shared_of(&self, footage: &[(usize, u64)]) -> Vec<u64> {
        let mut shared = vec![0; self.rows.len()];
        for &(file, ours) in footage {
            self.uses[file].iter().for_each(|&(other, theirs)| shared[other] += theirs.min(ours));
        }
        shared
    }

    /// Puts a better clip into one scene of a row; whether there is any.
    fn improve_row(&mut self, row: usize, looks: &mut usize) -> bool {
        let was = self.rows[row].clone();
        let profile = |shared: &[u64]| {
            let greatest = shared.iter().copied().max().unwrap_or(0);
            let pairs = shared.iter().filter(|shared| **shared == greatest).count();
            (greatest, pairs, shared.iter().sum::<u64>())
        };
        let now = profile(&self.shared(row, looks));
        let mut best = None;
        let mut least = (self.faults(&was), now);
        self.remove(row);
        for scene in 0..was.len() {
            let mut candidate = was.clone();
            let without = self.footage(was.iter().copied().enumerate().filter(|(place, _)| *place != scene));
            let mut base = self.shared_of(&without);
            for &resource in &self.scenes.usable[scene] {
                if resource == was[scene] || *looks == 0 {
                    continue;
                }
                candidate[scene] = resource;
                *looks = looks.saturating_sub(was.len());
                let faults = self.faults(&candidate);
                if faults > least.0 || !self.looks_new(&candidate) {
                    continue;
                }
                let (file, ours) = (self.file(scene, resource), self.weight(scene, resource));
                *looks = looks.saturating_sub(self.rows.len() + self.uses[file].len());
                let had = without.iter().find(|(known, _)| *known == file).map_or(0, |(_, had)| *had);
                // Only rows that show the file share more now than without the scene.
                let mut changed: Vec<(usize, u64)> = Vec::with_capacity(self.uses[file].len());
                for &(other, theirs) in &self.uses[file] {
                    changed.push((other, base[other]));
                    base[other] += theirs.min(ours.max(had)) - theirs.min(had);
                }
                let after = (faults, profile(&base));
                changed.into_iter().for_each(|(other, shared)| base[other] = shared);
                if after < least {
                    least = after;
                    best = Some(candidate.clone());
                }
            }
        }
        let found = best.is_some();
        self.put_back(row, best.unwrap_or(was));
        found
    }

    /// Scenes that show the same as the one before, and those that show what their row has shown.
    fn faults(&self, row: &Row) -> (usize, usize) {
        let files = self.files(row);
        let neighbours = files.windows(2).filter(|pair| pair[0] == pair[1]).count();
        (neighbours, row.len() - self.footage_of(row).len())
    }

    /// Takes a row out of what is shown; its place stays.
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
