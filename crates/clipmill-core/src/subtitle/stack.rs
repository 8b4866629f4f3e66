//! Places captions that are shown together: each in the lowest free place for its whole time.
//!
//! Heights are counted upwards from the bottom. Places are found for all cues at once, so that a caption never moves
//! while it is shown, however the timeline is cut.

/// The maximum number of captions at once, which bounds the renderer's work; more would be noise.
const MAX_AT_ONCE: usize = 20;

/// The place of a stack of captions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// The stack's lower edge, in pixels above the canvas' bottom; later captions are above earlier ones.
    Bottom(u32),
    /// The stack's middle, in pixels above the canvas' bottom.
    Middle(u32),
    /// The stack's upper edge, in pixels below the canvas' top; later captions are below earlier ones.
    Top(u32),
}

impl Anchor {
    /// The lower edge of a block that begins `offset` above the lowest point of a stack of height `extent`.
    fn edge(self, offset: u32, height: u32, extent: u32, canvas_height: u32) -> u32 {
        let room = canvas_height.saturating_sub(extent);
        match self {
            Self::Bottom(bottom) => offset + bottom.min(room),
            Self::Middle(middle) => offset + middle.saturating_sub(extent / 2).min(room),
            Self::Top(top) => canvas_height.saturating_sub(top.min(room) + offset + height),
        }
    }
}

/// A caption to place: the frames on which it is shown (the end excluded) and its height in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    pub start: u64,
    pub end: u64,
    pub height: u32,
}

/// For each block its lower edge in pixels above the canvas' bottom, or `None` if it does not fit.
///
/// Blocks must be sorted by start. A stack that would not fit otherwise is moved into the canvas.
pub fn place(blocks: &[Block], anchor: Anchor, canvas_height: u32) -> Vec<Option<u32>> {
    let mut places = Vec::with_capacity(blocks.len());
    let mut rest = blocks;
    while !rest.is_empty() {
        let (group, after) = rest.split_at(group_len(rest));
        places.extend(place_group(group, anchor, canvas_height));
        rest = after;
    }
    places
}

/// How many blocks at the start are connected by overlaps in time.
fn group_len(blocks: &[Block]) -> usize {
    let mut end = 0;
    let apart = blocks.iter().enumerate().position(|(i, block)| {
        let apart = i > 0 && block.start >= end;
        end = end.max(block.end);
        apart
    });
    apart.unwrap_or(blocks.len())
}

fn place_group(group: &[Block], anchor: Anchor, canvas_height: u32) -> Vec<Option<u32>> {
    let mut placed_blocks: Vec<PlacedBlock> = Vec::new();
    let offsets: Vec<Option<u32>> =
        group.iter().map(|block| add(&mut placed_blocks, block, canvas_height)).collect();
    let tops = offsets.iter().zip(group).filter_map(|(offset, block)| Some((*offset)? + block.height));
    let extent = tops.max().unwrap_or(0);
    let edge = |(offset, block): (Option<u32>, &Block)| {
        Some(anchor.edge(offset?, block.height, extent, canvas_height))
    };
    offsets.into_iter().zip(group).map(edge).collect()
}

#[derive(Debug, Clone, Copy)]
struct PlacedBlock {
    low: u32,
    high: u32,
    end: u64,
}

/// Adds a block to the shown ones, which are kept sorted from the bottom up.
fn add(shown: &mut Vec<PlacedBlock>, block: &Block, canvas_height: u32) -> Option<u32> {
    shown.retain(|placed| placed.end > block.start);
    let (mut low, mut index) = (0, 0);
    for placed in shown.iter() {
        if low + block.height <= placed.low {
            break;
        }
        (low, index) = (placed.high, index + 1);
    }
    let high = low + block.height;
    // If the first block is taller than the canvas, as much of it as fits is shown.
    let fits = high <= canvas_height || shown.is_empty();
    if !fits || shown.len() >= MAX_AT_ONCE {
        return None;
    }
    shown.insert(index, PlacedBlock { low, high, end: block.end });
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(blocks: &[(u64, u64, u32)], bottom: u32, expected: &[Option<u32>]) {
        check_at(blocks, Anchor::Bottom(bottom), expected);
    }

    fn check_at(blocks: &[(u64, u64, u32)], anchor: Anchor, expected: &[Option<u32>]) {
        let blocks: Vec<Block> =
            blocks.iter().map(|&(start, end, height)| Block { start, end, height }).collect();
        assert_eq!(place(&blocks, anchor, 100), expected);
    }

    #[test]
    fn the_later_cue_is_above() {
        check(&[(0, 10, 20), (5, 15, 30), (20, 30, 20)], 10, &[Some(10), Some(30), Some(10)]);
    }

    #[test]
    fn a_free_place_is_reused() {
        check(&[(0, 10, 20), (5, 15, 20), (12, 20, 20)], 10, &[Some(10), Some(30), Some(10)]);
        check(&[(0, 10, 20), (5, 15, 20), (12, 20, 25)], 10, &[Some(10), Some(30), Some(50)]);
    }

    #[test]
    fn a_stack_moves_down_to_stay_visible() {
        check(&[(0, 10, 20), (30, 40, 20), (35, 45, 20)], 1000, &[Some(80), Some(60), Some(80)]);
    }

    #[test]
    fn stacks_are_placed_around_the_middle_and_below_the_top() {
        check_at(
            &[(0, 10, 20), (30, 40, 20), (35, 45, 20)],
            Anchor::Middle(50),
            &[Some(40), Some(30), Some(50)],
        );
        check_at(
            &[(0, 10, 20), (30, 40, 20), (35, 45, 20)],
            Anchor::Top(10),
            &[Some(70), Some(70), Some(50)],
        );
        check_at(&[(0, 10, 120)], Anchor::Middle(50), &[Some(0)]);
        check_at(&[(0, 10, 120)], Anchor::Top(1000), &[Some(0)]);
        check_at(&[(0, 10, 20)], Anchor::Top(1000), &[Some(0)]);
    }

    #[test]
    fn captions_without_room_are_skipped() {
        check(&[(0, 10, 60), (1, 10, 60), (2, 10, 40)], 0, &[Some(0), None, Some(60)]);
        check(&[(0, 10, 120)], 50, &[Some(0)]);
        let many = [(0, 10, 1); MAX_AT_ONCE + 1];
        let places =
            place(&many.map(|(start, end, height)| Block { start, end, height }), Anchor::Bottom(0), 100);
        assert_eq!((places.first(), places.last()), (Some(&Some(0)), Some(&None)));
    }
}
