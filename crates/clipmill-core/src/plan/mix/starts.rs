//! Drawn starts: the position in its file at which each clip of a proVideoMix begins (`clipStart`).
//!
//! The footage of each file is divided into stretches that do not overlap, each as long as the longest scene that may
//! show the file: evenly, or along the cuts if a scene requests that. Stretches are then drawn like clips, so outputs
//! are kept apart in the same way, and outputs that show the same stretch share its segment.

use std::collections::HashMap;

use crate::combination::{self, Row, Scenes, ShownClip};
use crate::media::{Cuts, Facts};
use crate::plan::assumptions::assumed_lengths;
use crate::plan::build::usable_clip;
use crate::plan::mix::footage_ranges::{FootageExtent, FootageRange};
use crate::plan::mix::resources::{file, footage_frames, usable_resources};
use crate::random::RandomStream;
use crate::request::model::{Clip, ClipStart, ProMixParams, Scene};
use crate::time::Frames;

/// The maximum number of stretches that one scene can choose from, over all its clips, and that all scenes of a task
/// have in total. This bounds the time of the largest task.
const STRETCHES: usize = 2_000;
const STRETCHES_OF_TASK: usize = 40_000;

/// A row of clips, and the frame of its file at which each begins; `None` is the clip's own beginning.
pub(super) type PlacedRow = (Row, Vec<Option<Frames>>);

/// Whether any start is drawn.
pub(crate) fn are_drawn(params: &ProMixParams) -> bool {
    params.scenes.iter().any(|scene| start_of(params, scene) != ClipStart::Begin)
}

/// Whether any start is drawn from the cuts of a file.
pub(crate) fn need_cuts(params: &ProMixParams) -> bool {
    params.scenes.iter().any(|scene| start_of(params, scene) == ClipStart::Shots)
}

/// Whether all clips were probed or are known to be bad, and scanned if necessary: starts are drawn only when all facts
/// are final.
pub(crate) fn can_be_drawn(params: &ProMixParams, facts: &Facts) -> bool {
    let mut clips = params.scenes.iter().flat_map(|scene| &scene.resources);
    clips.all(|clip| facts.media.contains_key(&clip.url)) && unscanned(params, facts).next().is_none()
}

/// Good files of scenes that use cuts, which were not scanned yet.
pub(crate) fn unscanned<'a>(params: &'a ProMixParams, facts: &Facts) -> impl Iterator<Item = &'a str> {
    let scenes = params.scenes.iter().filter(|scene| start_of(params, scene) == ClipStart::Shots);
    let moves = |clip: &Clip, info| usable_clip(clip, info).is_ok_and(|(video, _)| !video.still);
    let is_good =
        move |clip: &&Clip| matches!(facts.media.get(&clip.url), Some(Ok(info)) if moves(clip, info));
    let good = scenes.flat_map(|scene| &scene.resources).filter(is_good);
    good.map(|clip| clip.url.as_str()).filter(|url| !facts.cuts.contains_key(*url))
}

fn start_of(params: &ProMixParams, scene: &Scene) -> ClipStart {
    scene.clip_start.unwrap_or(params.options.clip_start)
}

/// The manual rows, then drawn ones; fewer than requested if there are no more distinct outputs.
pub(super) fn rows(
    params: &ProMixParams,
    fixed_rows: &[Row],
    wanted: usize,
    seed: u64,
    facts: &Facts,
) -> Vec<PlacedRow> {
    let space = Space::of(params, seed, facts);
    let fixed_rows = space.placed(fixed_rows);
    space.drawn(fixed_rows, wanted, seed).iter().map(|row| space.started(row)).collect()
}

/// Number of distinct outputs, at most 2^53−1.
pub(crate) fn count_distinct(params: &ProMixParams, facts: &Facts) -> u64 {
    // The number does not depend on where the manual rows begin.
    Space::of(params, 0, facts).distinct
}

/// A clip together with one of its stretches.
#[derive(Clone, Copy)]
struct Candidate {
    resource: u32,
    start: Option<Frames>,
    is_dull: bool,
}

/// How the footage of a file is divided.
#[derive(Default)]
struct Layout {
    number: u32,
    extent: FootageExtent,
    /// The file's cuts, if a scene uses them.
    cuts: Option<Cuts>,
    stretches: Vec<FootageRange>,
}

struct Space {
    scenes: Scenes,
    /// The candidates of each scene.
    candidates: Vec<Vec<Candidate>>,
    /// Number of distinct outputs, at most 2^53−1.
    distinct: u64,
}

impl Space {
    fn of(params: &ProMixParams, seed: u64, facts: &Facts) -> Self {
        let fps = params.options.fps;
        let lengths = assumed_lengths(params.scenes.iter().flat_map(|scene| &scene.resources));
        let mut layouts: HashMap<(&str, i64), Layout> = HashMap::new();
        let of_scene = STRETCHES.min(STRETCHES_OF_TASK / params.scenes.len().max(1));
        for scene in &params.scenes {
            let most = (of_scene / scene.resources.len()).max(1);
            for clip in &scene.resources {
                let (name, natural) = file((clip, scene), &lengths, facts, fps);
                let number = layouts.len() as u32;
                let layout = layouts.entry(name).or_insert_with(|| Layout { number, ..Layout::default() });
                let extent = &mut layout.extent;
                extent.begin = Frames::nearest(name.1 as f64 / 1e6, fps).0;
                extent.natural = extent.natural.max(natural.0);
                extent.longest = extent.longest.max(footage_frames((clip, scene), facts, fps).0);
                extent.most = if extent.most == 0 { most } else { extent.most.min(most) };
                extent.from_begin |= start_of(params, scene) == ClipStart::Begin;
                if start_of(params, scene) == ClipStart::Shots {
                    let cuts = facts.cuts.get(&clip.url);
                    layout.cuts = Some(cuts.and_then(|cuts| cuts.as_ref().ok()).cloned().unwrap_or_default());
                }
            }
        }
        for Layout { number, extent, cuts, stretches } in layouts.values_mut() {
            *stretches = match cuts {
                Some(cuts) => extent.along(cuts, fps),
                None => extent.evenly(&mut RandomStream::stream(seed, &format!("clipStart {number}"))),
            };
        }
        let mut files: HashMap<(u32, usize), u32> = HashMap::new();
        let (mut shown_clips, mut candidates, mut usable) = (Vec::new(), Vec::new(), Vec::new());
        for scene in &params.scenes {
            let is_random = start_of(params, scene) != ClipStart::Begin;
            let good = usable_resources(scene, facts);
            let (mut of_scene, mut footage, mut open) = (Vec::new(), Vec::new(), Vec::new());
            for (resource, clip) in (0..).zip(&scene.resources) {
                let (name, natural) = file((clip, scene), &lengths, facts, fps);
                let Some(layout) = layouts.get(&name) else { continue };
                // A clip shorter than the scene is shown whole; one that ends before its file has fewer stretches.
                let length = footage_frames((clip, scene), facts, fps).0;
                let fits = |stretch: &FootageRange| stretch.start + length <= natural.0;
                let is_drawn = is_random && layout.stretches.iter().any(fits);
                for (place, stretch) in layout.stretches.iter().enumerate() {
                    if !(if is_drawn { fits(stretch) } else { place == 0 }) {
                        continue;
                    }
                    let start = Frames(layout.extent.begin + stretch.start);
                    let next = files.len() as u32;
                    let file = *files.entry((layout.number, place)).or_insert(next);
                    if good.contains(&resource) {
                        open.push(of_scene.len() as u32);
                    }
                    let is_dull = is_drawn && stretch.is_dull;
                    of_scene.push(Candidate { resource, start: is_drawn.then_some(start), is_dull });
                    footage.push(ShownClip { file, frames: natural.0.min(length) });
                }
            }
            candidates.push(of_scene);
            shown_clips.push(footage);
            usable.push(open);
        }
        let distinct = combination::count_distinct(usable.iter().map(Vec::len));
        Self {
            scenes: Scenes { shown: shown_clips, usable, shortest: params.options.is_shortest },
            candidates,
            distinct,
        }
    }

    /// Manual rows, each clip at the stretch that was used least before.
    fn placed(&self, rows: &[Row]) -> Vec<Row> {
        let mut uses: HashMap<u32, u32> = HashMap::new();
        let mut place = |row: &Row| -> Row {
            let choose = |(scene, &resource): (usize, &u32)| {
                let all = (0u32..).zip(&self.candidates[scene]);
                let open =
                    all.filter(|(_, candidate)| candidate.resource == resource).map(|(place, _)| place);
                let used = |place: &u32| uses.get(&self.scenes.at(scene, *place).file).copied().unwrap_or(0);
                let least_used = open.min_by_key(used).unwrap_or(0);
                *uses.entry(self.scenes.at(scene, least_used).file).or_default() += 1;
                least_used
            };
            row.iter().enumerate().map(choose).collect()
        };
        rows.iter().map(&mut place).collect()
    }

    /// The rows with further ones of the first step of [`steps`] that has any left, then of the next step.
    fn drawn(&self, mut rows: Vec<Row>, wanted: usize, seed: u64) -> Vec<Row> {
        let all = rows.len() + wanted;
        for usable in steps(&self.scenes.usable, &self.candidates) {
            if rows.len() >= all {
                break;
            }
            let scenes = Scenes { shown: self.scenes.shown.clone(), usable, shortest: self.scenes.shortest };
            let further = combination::draw(&scenes, &rows, all - rows.len(), seed, &[]);
            rows.extend(further);
        }
        rows
    }

    fn started(&self, row: &Row) -> PlacedRow {
        let candidates = row.iter().enumerate().map(|(scene, &place)| self.candidates[scene][place as usize]);
        candidates.map(|candidate| (candidate.resource, candidate.start)).unzip()
    }
}

/// The usable candidates of each scene, from the most restricted choice to all: none that are dull, dull ones in one
/// scene at a time, then in more and more scenes. The first scene of an output matters most, so it is opened last. A
/// scene that has only dull candidates always has them.
fn steps<'a>(
    usable: &'a [Vec<u32>],
    candidates: &'a [Vec<Candidate>],
) -> impl Iterator<Item = Vec<Vec<u32>>> + use<'a> {
    let without_dull = |(open, candidates): (&Vec<u32>, &Vec<Candidate>)| {
        let is_dull = |place: &u32| candidates[*place as usize].is_dull;
        let good: Vec<u32> = open.iter().copied().filter(|place| !is_dull(place)).collect();
        if good.is_empty() { open.clone() } else { good }
    };
    let good: Vec<Vec<u32>> = usable.iter().zip(candidates).map(without_dull).collect();
    let mixed: Vec<usize> =
        (0..usable.len()).rev().filter(|&scene| good[scene].len() < usable[scene].len()).collect();
    let one = mixed.iter().map(|&scene| vec![scene]);
    let more = (2..=mixed.len()).map(|count| mixed[..count].to_vec());
    let opened: Vec<Vec<usize>> = std::iter::once(Vec::new()).chain(one).chain(more).collect();
    opened.into_iter().map(move |opened| {
        let mut step = good.clone();
        for scene in opened {
            step[scene].clone_from(&usable[scene]);
        }
        step
    })
}
