//! Initial rows: as many scenes as possible show a file that no other scene of any output shows, and as many as
//! possible of the rest show a file that is new in their own output.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::combination::{Row, Scenes, chain};
use crate::random::RandomStream;

/// A scene of an output.
type Slot = (usize, usize);

/// Draws the rows; those in `known` stay where they can be used.
pub(super) fn rows(
    scenes: &Scenes,
    fixed: &[Row],
    wanted: usize,
    known: &[Row],
    rng: &mut RandomStream,
) -> Vec<Row> {
    let mut filling = Filling::new(scenes, fixed, wanted, known, rng);
    filling.with_files_of_their_own();
    filling.with_files_new_in_their_row();
    filling.with_the_rest()
}

struct Filling<'a> {
    scenes: &'a Scenes,
    fixed: &'a [Row],
    rows: Vec<Vec<Option<u32>>>,
    /// Usable resources of each scene in random order.
    choices: Vec<Vec<u32>>,
    /// Empty slots in random order.
    open: Vec<Slot>,
    /// For each file, how many outputs show it, manual rows included.
    uses: Vec<u64>,
}

impl<'a> Filling<'a> {
    fn new(
        scenes: &'a Scenes,
        fixed: &'a [Row],
        wanted: usize,
        known: &[Row],
        rng: &mut RandomStream,
    ) -> Self {
        let mut choices = scenes.usable.clone();
        choices.iter_mut().for_each(|choices| rng.shuffle(choices));
        let is_usable = |row: &Row| {
            let usable = row.iter().zip(&scenes.usable);
            usable.map(|(resource, usable)| usable.contains(resource).then_some(*resource)).collect()
        };
        let mut rows: Vec<Vec<Option<u32>>> = known.iter().take(wanted).map(is_usable).collect();
        rows.resize_with(wanted, || vec![None; scenes.usable.len()]);
        let slots = rows.iter().enumerate().flat_map(|(r, row)| {
            row.iter().enumerate().filter(|(_, resource)| resource.is_none()).map(move |(s, _)| (r, s))
        });
        let mut open: Vec<Slot> = slots.collect();
        rng.shuffle(&mut open);
        let uses = vec![0; scenes.files()];
        let mut filling = Self { scenes, fixed, rows, choices, open, uses };
        filling.count_uses();
        filling
    }

    fn file(&self, scene: usize, resource: u32) -> u32 {
        self.scenes.at(scene, resource).file
    }

    fn count_uses(&mut self) {
        self.uses.fill(0);
        let fixed_scenes = self.fixed.iter().flat_map(|row| row.iter().copied().enumerate());
        let drawn_scenes = self.rows.iter().flat_map(|row| {
            row.iter().enumerate().filter_map(|(scene, resource)| Some((scene, (*resource)?)))
        });
        for (scene, resource) in fixed_scenes.chain(drawn_scenes) {
            self.uses[self.scenes.at(scene, resource).file as usize] += 1;
        }
    }

    /// Fills slots with files that nothing else shows.
    fn with_files_of_their_own(&mut self) {
        // A file shown by a manual or a known row can belong to no other slot.
        let used_files = self.uses.iter().map(|uses| *uses > 0).collect();
        let slots = std::mem::take(&mut self.open);
        self.open = self.matched(slots, FxHashMap::default(), used_files);
        self.count_uses();
    }

    /// Fills slots with files that are new in their row, the least used files first.
    fn with_files_new_in_their_row(&mut self) {
        let slots = std::mem::take(&mut self.open);
        for row in 0..self.rows.len() {
            let open: Vec<Slot> = slots.iter().copied().filter(|slot| slot.0 == row).collect();
            if open.is_empty() {
                continue;
            }
            for scene in 0..self.choices.len() {
                let (scenes, uses) = (self.scenes, &self.uses);
                self.choices[scene].sort_by_key(|&resource| uses[scenes.at(scene, resource).file as usize]);
            }
            let files = (0..self.choices.len()).filter_map(|scene| {
                let resource = self.rows[row][scene]?;
                Some((self.file(scene, resource), (row, scene)))
            });
            let matches = self.matched(open, files.collect(), vec![false; self.uses.len()]);
            self.open.extend(matches);
            self.count_uses();
        }
    }

    /// Gives as many slots as possible a file that has no owner and is not `closed`. No remaining slot can have one.
    fn matched(
        &mut self,
        slots: Vec<Slot>,
        mut owners: FxHashMap<u32, Slot>,
        mut closed: Vec<bool>,
    ) -> Vec<Slot> {
        slots.into_iter().filter(|slot| !self.find_file(*slot, &mut owners, &mut closed)).collect()
    }

    /// Gives `slot` a file, by moving other slots to further files that suit them if necessary.
    fn find_file(&mut self, slot: Slot, owners: &mut FxHashMap<u32, Slot>, closed: &mut [bool]) -> bool {
        // For each file, the slot from which it was reached and the resource of that slot which shows it.
        let mut reached: FxHashMap<u32, (Slot, u32)> = FxHashMap::default();
        let mut queue = VecDeque::from([slot]);
        while let Some(from) = queue.pop_front() {
            for index in 0..self.choices[from.1].len() {
                let resource = self.choices[from.1][index];
                let file = self.file(from.1, resource);
                if closed[file as usize] || reached.contains_key(&file) {
                    continue;
                }
                reached.insert(file, (from, resource));
                match owners.get(&file) {
                    Some(owner) => queue.push_back(*owner),
                    None => {
                        self.pass_on(file, &reached, owners);
                        return true;
                    }
                }
            }
        }
        // A file that leads to no free file now never will.
        reached.keys().for_each(|file| closed[*file as usize] = true);
        false
    }

    /// Goes back from a free file: each slot takes the file that was reached from it; the first slot had none before.
    fn pass_on(
        &mut self,
        mut file: u32,
        reached: &FxHashMap<u32, (Slot, u32)>,
        owners: &mut FxHashMap<u32, Slot>,
    ) {
        while let Some(&((row, scene), resource)) = reached.get(&file) {
            owners.insert(file, (row, scene));
            match self.rows[row][scene].replace(resource) {
                Some(had) => file = self.file(scene, had),
                None => return,
            }
        }
    }

    /// Fills the empty slots; as far as possible, a repeated file does not follow itself.
    fn with_the_rest(self) -> Vec<Row> {
        let full = |row: &Vec<Option<u32>>| match row.iter().copied().collect() {
            Some(row) => row,
            None => chain::row(self.scenes, row, &[], |file| self.uses[file as usize]),
        };
        self.rows.iter().map(full).collect()
    }
}
