//! Where in its file each clip of a proVideoMix begins, where that is drawn (`clipStart`).
//!
//! The files' footage is laid out in stretches that do not overlap, each as long as the longest scene that may show the
//! file. Rows are drawn of stretches as they are of clips otherwise, so that what sets outputs apart is the same, and
//! outputs that show a stretch share its segment.

use std::collections::HashMap;

use crate::chance::Chance;
use crate::combination::{self, Row, Scenes, Shown};
use crate::media::Facts;
use crate::plan::assumed::assumed_lengths;
use crate::plan::mix::resources::{file, scene_frames, usable_resources};
use crate::request::model::{ClipStart, ProMixParams, Scene};
use crate::time::Frames;

/// Most stretches that one scene has to choose from, all its clips together, and all scenes of a task: what keeps the
/// largest task within its time.
const STRETCHES: usize = 2_000;
const STRETCHES_OF_TASK: usize = 40_000;

/// A row of clips, and the frame of its file that each begins with; `None` is the clip's own beginning.
pub(super) type Started = (Row, Vec<Option<Frames>>);

/// Whether any start is drawn.
pub(crate) fn are_drawn(params: &ProMixParams) -> bool {
    params.scenes.iter().any(|scene| start_of(params, scene) != ClipStart::Begin)
}

/// Whether all clips were probed, or found to be bad: starts are drawn once nothing more can become known.
pub(crate) fn can_be_drawn(params: &ProMixParams, facts: &Facts) -> bool {
    params.scenes.iter().flat_map(|scene| &scene.resources).all(|clip| facts.media.contains_key(&clip.url))
}

fn start_of(params: &ProMixParams, scene: &Scene) -> ClipStart {
    scene.clip_start.unwrap_or(params.options.clip_start)
}

/// The manual rows, then drawn ones; fewer where there are no more distinct outputs.
pub(super) fn rows(
    params: &ProMixParams,
    fixed: &[Row],
    wanted: usize,
    seed: u64,
    facts: &Facts,
) -> Vec<Started> {
    let space = Space::of(params, seed, facts);
    let fixed = space.placed(fixed);
    let drawn = combination::draw(&space.scenes, &fixed, wanted, seed, &[]);
    fixed.into_iter().chain(drawn).map(|row| space.started(&row)).collect()
}

/// Number of distinct outputs, at most 2^53−1.
pub(crate) fn count_distinct(params: &ProMixParams, facts: &Facts) -> u64 {
    // How much there is does not depend on where it begins.
    combination::count_distinct(Space::of(params, 0, facts).scenes.usable.iter().map(Vec::len))
}

/// A clip at one of its stretches.
#[derive(Clone, Copy)]
struct Candidate {
    resource: u32,
    start: Option<Frames>,
}

/// How the footage of a clip is laid out.
#[derive(Clone, Copy, Default)]
struct Layout {
    /// First frame of the clip in its file, and its frames.
    begin: u64,
    natural: u64,
    /// The longest scene that shows it.
    longest: u64,
    /// Most stretches.
    most: usize,
    /// Whether a scene shows it from its beginning.
    from_begin: bool,
    number: u32,
    offset: u64,
}

impl Layout {
    fn stretches(&self) -> u64 {
        (self.natural / self.longest.max(1)).clamp(1, self.most.max(1) as u64)
    }

    /// From the beginning of one stretch to that of the next.
    fn step(&self) -> u64 {
        self.natural / self.stretches()
    }
}

struct Space {
    scenes: Scenes,
    /// By scene.
    candidates: Vec<Vec<Candidate>>,
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
                let (name, natural) = file(clip, &lengths, facts, fps);
                let number = layouts.len() as u32;
                let layout = layouts.entry(name).or_insert(Layout { most, number, ..Layout::default() });
                layout.begin = Frames::nearest(name.1 as f64 / 1e6, fps).0;
                layout.natural = layout.natural.max(natural.0);
                layout.longest = layout.longest.max(scene_frames(scene, fps).0);
                layout.most = layout.most.min(most);
                layout.from_begin |= start_of(params, scene) == ClipStart::Begin;
            }
        }
        for layout in layouts.values_mut().filter(|layout| !layout.from_begin) {
            let room = layout.step().saturating_sub(layout.longest);
            let mut chance = Chance::stream(seed, &format!("clipStart {}", layout.number));
            layout.offset = chance.below(room as usize + 1) as u64;
        }
        let mut files: HashMap<(u32, u64), u32> = HashMap::new();
        let (mut shown, mut candidates, mut usable) = (Vec::new(), Vec::new(), Vec::new());
        for scene in &params.scenes {
            let drawn = start_of(params, scene) != ClipStart::Begin;
            let good = usable_resources(scene, facts);
            let (mut ours, mut footage, mut open) = (Vec::new(), Vec::new(), Vec::new());
            for (resource, clip) in (0..).zip(&scene.resources) {
                let (name, natural) = file(clip, &lengths, facts, fps);
                let Some(layout) = layouts.get(&name) else { continue };
                // A clip shorter than the scene is shown whole; one that ends before its file has fewer stretches.
                let fits = |stretch: u64| {
                    layout.offset + stretch * layout.step() + scene_frames(scene, fps).0 <= natural.0
                };
                let is_drawn = drawn && fits(0);
                for stretch in (0..layout.stretches())
                    .filter(|&stretch| if is_drawn { fits(stretch) } else { stretch == 0 })
                {
                    let start = Frames(layout.begin + layout.offset + stretch * layout.step());
                    let next = files.len() as u32;
                    let file = *files.entry((layout.number, stretch)).or_insert(next);
                    if good.contains(&resource) {
                        open.push(ours.len() as u32);
                    }
                    ours.push(Candidate { resource, start: is_drawn.then_some(start) });
                    footage.push(Shown { file, frames: natural.min(scene_frames(scene, fps)).0 });
                }
            }
            candidates.push(ours);
            shown.push(footage);
            usable.push(open);
        }
        Self { scenes: Scenes { shown, usable, shortest: params.options.is_shortest }, candidates }
    }

    /// Manual rows, each clip at the stretch that was shown the least before.
    fn placed(&self, rows: &[Row]) -> Vec<Row> {
        let mut uses: HashMap<u32, u32> = HashMap::new();
        let mut place = |row: &Row| -> Row {
            let choose = |(scene, &resource): (usize, &u32)| {
                let all = (0u32..).zip(&self.candidates[scene]);
                let open =
                    all.filter(|(_, candidate)| candidate.resource == resource).map(|(place, _)| place);
                let used = |place: &u32| uses.get(&self.scenes.at(scene, *place).file).copied().unwrap_or(0);
                let found = open.min_by_key(used).unwrap_or(0);
                *uses.entry(self.scenes.at(scene, found).file).or_default() += 1;
                found
            };
            row.iter().enumerate().map(choose).collect()
        };
        rows.iter().map(&mut place).collect()
    }

    fn started(&self, row: &Row) -> Started {
        let chosen = row.iter().enumerate().map(|(scene, &place)| self.candidates[scene][place as usize]);
        chosen.map(|candidate| (candidate.resource, candidate.start)).unzip()
    }
}
