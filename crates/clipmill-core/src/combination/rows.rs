//! Improves rows by changing one or two scenes at a time.

use rustc_hash::FxHashMap;

use crate::combination::{Row, Scenes, Score, chain};
use crate::random::RandomStream;

/// The distance that a scene adds between two rows that show different files there; another resource of the same file
/// adds 1.
const FILE_DISTANCE: u32 = 1 << 16;
/// How many passes over all scenes without an improvement end the search.
const MAX_IDLE_PASSES: usize = 4;
/// How many detours are tried for one row at a time.
const WAYS: usize = 32;

/// Fixed rows first, then drawn ones, with the footage of each row and the footage that each pair shares.
pub(super) struct Rows<'a> {
    scenes: &'a Scenes,
    rows: Vec<Row>,
    fixed: usize,
    shows: Vec<RowContent>,
    /// For each pair of rows: how much they share (files when all scenes are trimmed to the shortest, otherwise
    /// frames), and their distance.
    shared: Vec<Vec<u64>>,
    distance: Vec<Vec<u32>>,
    /// For each scene, the resource that shows a file; empty when no file occurs in two scenes.
    resources: Vec<FxHashMap<u32, u32>>,
}

/// The footage of one row.
struct RowContent {
    /// For each file: in how many scenes it is shown, and the most that a scene shows of it.
    scenes: Vec<u32>,
    frames: Vec<u64>,
    distinct: u64,
    neighbours: u64,
    /// The length of the row's shortest scene, when all are trimmed to it.
    cut: u64,
}

impl<'a> Rows<'a> {
    pub fn new(scenes: &'a Scenes, fixed: &[Row], drawn: Vec<Row>) -> Self {
        let rows: Vec<Row> = fixed.iter().cloned().chain(drawn).collect();
        let (count, files) = (rows.len(), scenes.files());
        let mut all = Self {
            scenes,
            fixed: fixed.len(),
            shows: rows.iter().map(|row| shows(scenes, row, files)).collect(),
            shared: vec![vec![0; count]; count],
            distance: vec![vec![0; count]; count],
            rows,
            resources: common_files(scenes),
        };
        for (a, b) in (0..count).flat_map(|b| (0..count).map(move |a| (a, b))).filter(|(a, b)| a != b) {
            all.shared[a][b] =
                all.shows[a].frames.iter().zip(&all.shows[b].frames).map(|(a, b)| *a.min(b)).sum();
            all.distance[a][b] = (0..scenes.shown.len())
                .map(|scene| distance(scenes, scene, all.rows[a][scene], all.rows[b][scene]))
                .sum();
        }
        all
    }

    pub fn drawn(mut self) -> Vec<Row> {
        self.rows.split_off(self.fixed)
    }

    pub fn score(&self) -> Score {
        let mut score = Score::BEST;
        for row in self.fixed..self.rows.len() {
            let shows = &self.shows[row];
            score = score.with(Score::row(shows.neighbours, self.scenes.shown.len() as u64 - shows.distinct));
            for other in 0..row {
                score = score.with(self.pair(row, other));
            }
        }
        score
    }

    fn pair(&self, a: usize, b: usize) -> Score {
        let distance = self.distance[a][b];
        let cut = if self.scenes.shortest { self.shows[a].cut.min(self.shows[b].cut) } else { 1 };
        Score::pair(distance == 0, distance < FILE_DISTANCE, self.shared[a][b] * cut)
    }

    /// Changes rows for as long as that improves them; with `freely` also to equally good ones, to get out of dead ends.
    pub fn improve(&mut self, freely: bool, trials: &mut usize, rng: &mut RandomStream) {
        let drawn_rows = self.fixed..self.rows.len();
        let mut places: Vec<(usize, usize)> =
            drawn_rows.flat_map(|row| (0..self.scenes.shown.len()).map(move |scene| (row, scene))).collect();
        let mut best = self.score();
        let mut idle_passes_left = MAX_IDLE_PASSES;
        while best != Score::BEST && *trials > 0 && idle_passes_left > 0 {
            let previous = best;
            rng.shuffle(&mut places);
            for &(row, scene) in &places {
                let freely = freely && rng.below(2) == 0;
                best = self.change(row, scene, best, freely, trials);
            }
            if best == previous {
                best = self.change_two(&places, best, trials);
            }
            if best == previous {
                best = self.go_around(best, trials, rng);
            }
            idle_passes_left = if best < previous {
                MAX_IDLE_PASSES
            } else if freely {
                idle_passes_left - 1
            } else {
                0
            };
        }
    }

    /// Puts the best clip into a scene.
    fn change(
        &mut self,
        row: usize,
        scene: usize,
        mut best: Score,
        freely: bool,
        trials: &mut usize,
    ) -> Score {
        let was = self.rows[row][scene];
        let mut keep = was;
        let settled = self.is_settled(row);
        for &candidate in self.scenes.usable[scene].iter().filter(|candidate| **candidate != was) {
            if *trials == 0 {
                break;
            }
            if settled && self.repeats_more(row, scene, candidate) {
                continue;
            }
            *trials -= 1;
            self.put(row, scene, candidate);
            let now = self.score();
            if now < best || freely && now == best {
                (best, keep) = (now, candidate);
            }
        }
        self.put(row, scene, keep);
        best
    }

    /// Whether the row has no fault that outweighs one more repeat.
    fn is_settled(&self, row: usize) -> bool {
        self.shows[row].neighbours == 0 && !self.is_like_another(row)
    }

    fn is_like_another(&self, row: usize) -> bool {
        (0..self.rows.len()).any(|other| other != row && self.distance[row][other] < FILE_DISTANCE)
    }

    /// Whether this clip in this scene would make the row show one file less.
    fn repeats_more(&self, row: usize, scene: usize, resource: u32) -> bool {
        let showing = |resource| self.shows[row].scenes[self.scenes.at(scene, resource).file as usize];
        let (new, old) = (resource, self.rows[row][scene]);
        self.scenes.at(scene, new).file != self.scenes.at(scene, old).file
            && showing(new) > 0
            && showing(old) == 1
    }

    /// Lets two scenes of a row swap their files.
    fn change_two(&mut self, places: &[(usize, usize)], mut best: Score, trials: &mut usize) -> Score {
        if self.resources.is_empty() {
            return best;
        }
        for &(row, one) in places {
            for other in 0..one {
                let (resource, other_resource) = (self.rows[row][one], self.rows[row][other]);
                let files = (self.scenes.at(one, resource).file, self.scenes.at(other, other_resource).file);
                let swapped = (self.resources[one].get(&files.1), self.resources[other].get(&files.0));
                let (Some(&for_one), Some(&for_other), true) = (swapped.0, swapped.1, files.0 != files.1)
                else {
                    continue;
                };
                if *trials < 2 {
                    *trials = 0;
                    return best;
                }
                *trials -= 2;
                self.put(row, one, for_one);
                self.put(row, other, for_other);
                let now = self.score();
                if now < best {
                    best = now;
                } else {
                    self.put(row, one, resource);
                    self.put(row, other, other_resource);
                }
            }
        }
        best
    }

    /// Changes rows that resemble another or show a file in two neighbouring scenes: one scene changes, its neighbour
    /// stays, and all other scenes are filled again.
    fn go_around(&mut self, mut best: Score, trials: &mut usize, rng: &mut RandomStream) -> Score {
        for row in self.fixed..self.rows.len() {
            if self.is_settled(row) {
                continue;
            }
            for _ in 0..WAYS {
                let was = self.rows[row].clone();
                let way = self.way_around(&was, rng);
                *trials = trials.saturating_sub(way.len());
                self.put_all(row, &way);
                let now = self.score();
                if now < best {
                    best = now;
                } else {
                    self.put_all(row, &was);
                }
            }
        }
        best
    }

    fn way_around(&self, row: &Row, rng: &mut RandomStream) -> Row {
        let scene = rng.below(row.len());
        let usable = &self.scenes.usable[scene];
        let changed = usable[rng.below(usable.len())];
        let stays = if scene + 1 < row.len() { scene + 1 } else { scene.saturating_sub(1) };
        let fixed_scenes: Vec<Option<u32>> = row.iter().copied().map(Some).collect();
        chain::row(self.scenes, &fixed_scenes, &[(scene, changed), (stays, row[stays])], |_| 0)
    }

    fn put_all(&mut self, row: usize, resources: &Row) {
        for (scene, &resource) in resources.iter().enumerate() {
            if self.rows[row][scene] != resource {
                self.put(row, scene, resource);
            }
        }
    }

    fn put(&mut self, row: usize, scene: usize, resource: u32) {
        let was = self.rows[row][scene];
        for other in (0..self.rows.len()).filter(|other| *other != row) {
            let theirs = self.rows[other][scene];
            let distance = self.distance[row][other] + distance(self.scenes, scene, resource, theirs)
                - distance(self.scenes, scene, was, theirs);
            (self.distance[row][other], self.distance[other][row]) = (distance, distance);
        }
        let (old, new) = (self.scenes.at(scene, was), self.scenes.at(scene, resource));
        if old == new {
            self.rows[row][scene] = resource;
            return;
        }
        let neighbours_before = neighbours_at(self.scenes, &self.rows[row], scene);
        self.rows[row][scene] = resource;
        let after = neighbours_at(self.scenes, &self.rows[row], scene);
        self.shows[row].neighbours = self.shows[row].neighbours + after - neighbours_before;
        self.shows[row].scenes[old.file as usize] -= 1;
        self.shows[row].scenes[new.file as usize] += 1;
        self.show_less(row, old.file, weight(self.scenes, scene, was));
        let more = weight(self.scenes, scene, resource).max(self.shows[row].frames[new.file as usize]);
        self.set_frames(row, new.file, more);
        if self.scenes.shortest {
            self.shows[row].cut = cut(self.scenes, &self.rows[row]);
        }
    }

    /// Removes one showing of a file from the counts.
    fn show_less(&mut self, row: usize, file: u32, frames: u64) {
        let shows = &self.shows[row];
        let most = shows.frames[file as usize];
        if shows.scenes[file as usize] == 0 {
            self.set_frames(row, file, 0);
        } else if frames == most {
            self.set_frames(row, file, most_of(self.scenes, &self.rows[row], file, most));
        }
    }

    fn set_frames(&mut self, row: usize, file: u32, after: u64) {
        let index = file as usize;
        let shows = &mut self.shows[row];
        let previous = std::mem::replace(&mut shows.frames[index], after);
        shows.distinct = shows.distinct + u64::from(after > 0) - u64::from(previous > 0);
        for other in (0..self.rows.len()).filter(|other| *other != row && previous != after) {
            let theirs = self.shows[other].frames[index];
            let shared = self.shared[row][other] + after.min(theirs) - previous.min(theirs);
            (self.shared[row][other], self.shared[other][row]) = (shared, shared);
        }
    }
}

fn shows(scenes: &Scenes, row: &Row, files: usize) -> RowContent {
    let mut shows = RowContent {
        scenes: vec![0; files],
        frames: vec![0; files],
        distinct: 0,
        neighbours: neighbours(scenes, row),
        cut: cut(scenes, row),
    };
    for (scene, &resource) in row.iter().enumerate() {
        let file = scenes.at(scene, resource).file as usize;
        shows.distinct += u64::from(shows.scenes[file] == 0);
        shows.scenes[file] += 1;
        shows.frames[file] = shows.frames[file].max(weight(scenes, scene, resource));
    }
    shows
}

/// The weight of a clip in shared footage; 1 when all scenes are trimmed to the same length, which is applied later.
fn weight(scenes: &Scenes, scene: usize, resource: u32) -> u64 {
    if scenes.shortest { 1 } else { scenes.at(scene, resource).frames }
}

/// How much a row shows of a file, at most `most`.
fn most_of(scenes: &Scenes, row: &Row, file: u32, most: u64) -> u64 {
    let mut count = 0;
    for (scene, &resource) in row.iter().enumerate() {
        if scenes.at(scene, resource).file == file {
            count = weight(scenes, scene, resource).max(count);
            if count == most {
                break;
            }
        }
    }
    count
}

fn cut(scenes: &Scenes, row: &Row) -> u64 {
    let frames = row.iter().enumerate().map(|(scene, &resource)| scenes.at(scene, resource).frames);
    frames.min().unwrap_or(0)
}

fn distance(scenes: &Scenes, scene: usize, a: u32, b: u32) -> u32 {
    match scenes.at(scene, a).file == scenes.at(scene, b).file {
        false => FILE_DISTANCE,
        true => u32::from(a != b),
    }
}

/// How many scenes show the same file as the previous one.
pub(super) fn neighbours(scenes: &Scenes, row: &[u32]) -> u64 {
    (1..row.len()).filter(|&scene| follows_itself(scenes, row, scene)).count() as u64
}

fn neighbours_at(scenes: &Scenes, row: &[u32], scene: usize) -> u64 {
    let places = [scene, scene + 1].into_iter().filter(|place| (1..row.len()).contains(place));
    places.filter(|&place| follows_itself(scenes, row, place)).count() as u64
}

fn follows_itself(scenes: &Scenes, row: &[u32], scene: usize) -> bool {
    scenes.at(scene, row[scene]).file == scenes.at(scene - 1, row[scene - 1]).file
}

fn common_files(scenes: &Scenes) -> Vec<FxHashMap<u32, u32>> {
    let resources = |(scene, usable): (usize, &Vec<u32>)| -> FxHashMap<u32, u32> {
        usable.iter().map(|&resource| (scenes.at(scene, resource).file, resource)).collect()
    };
    let maps: Vec<FxHashMap<u32, u32>> = scenes.usable.iter().enumerate().map(resources).collect();
    let mut is_seen = vec![false; scenes.files()];
    let common = maps
        .iter()
        .flat_map(|map| map.keys())
        .any(|file| std::mem::replace(&mut is_seen[*file as usize], true));
    if common { maps } else { Vec::new() }
}
