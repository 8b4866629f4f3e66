//! A row in which as few scenes as possible show the same file as the previous scene.

use crate::combination::{Row, Scenes};

/// Costs of a scene that shows the same file as the previous one, of one that does not show the wanted file, and of one
/// more use of a file: each outweighs any number of the next.
const SAME: u64 = 1 << 48;
const OTHER: u64 = 1 << 32;

/// The row closest to `wanted` in each scene (any clip where that is `None`, the least used first).
/// A scene in `forced` takes that clip.
pub(super) fn row(
    scenes: &Scenes,
    wanted: &[Option<u32>],
    forced: &[(usize, u32)],
    uses: impl Fn(u32) -> u64,
) -> Row {
    let mut steps: Vec<Vec<Step>> = Vec::with_capacity(wanted.len());
    for (scene, (usable, wanted)) in scenes.usable.iter().zip(wanted).enumerate() {
        let previous = steps.last().map(|steps| CheapestSteps::of(steps));
        let forced = forced.iter().find(|(place, _)| *place == scene).map(|(_, resource)| *resource);
        let step = |&resource: &u32| {
            let file = scenes.at(scene, resource).file;
            let (from, way) = previous.as_ref().map_or((0, 0), |previous| previous.way_to(file));
            let change = match wanted {
                None => uses(file).min(OTHER - 1),
                Some(wanted) if *wanted == resource => 0,
                Some(_) => OTHER,
            };
            Step { resource, file, from, cost: way + change }
        };
        let open = usable.iter().filter(|resource| forced.is_none_or(|forced| forced == **resource));
        steps.push(open.map(step).collect());
    }
    walked_back(&steps)
}

/// A clip of a scene, and the cheapest way to it.
struct Step {
    resource: u32,
    file: u32,
    /// The index of the step before it.
    from: usize,
    cost: u64,
}

/// The cheapest step of a scene, and the cheapest step that shows another file than that one.
struct CheapestSteps {
    first: (usize, u64, u32),
    other: Option<(usize, u64)>,
}

impl CheapestSteps {
    fn of(steps: &[Step]) -> Self {
        let cheapest = |but: Option<u32>| {
            let open = steps.iter().enumerate().filter(move |(_, step)| Some(step.file) != but);
            open.min_by_key(|(_, step)| step.cost).map(|(place, step)| (place, step.cost, step.file))
        };
        let first = cheapest(None).unwrap_or((0, 0, u32::MAX));
        Self { first, other: cheapest(Some(first.2)).map(|(place, cost, _)| (place, cost)) }
    }

    /// The best step to come from, and what the row costs up to it.
    fn way_to(&self, file: u32) -> (usize, u64) {
        let (place, cost, shown) = self.first;
        match self.other {
            _ if shown != file => (place, cost),
            Some((place, other)) if other <= cost + SAME => (place, other),
            _ => (place, cost + SAME),
        }
    }
}

fn walked_back(steps: &[Vec<Step>]) -> Row {
    let last = steps.last().into_iter().flatten().enumerate().min_by_key(|(_, step)| step.cost);
    let mut place = last.map_or(0, |(place, _)| place);
    let mut row = Row::with_capacity(steps.len());
    for step in steps.iter().rev() {
        if let Some(step) = step.get(place) {
            row.push(step.resource);
            place = step.from;
        }
    }
    row.reverse();
    row
}
