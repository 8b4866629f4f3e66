//! Clips that are shown one after another until they fill a given length.

use crate::plan::timeline::overlaps;
use crate::time::{Fps, Frames};

/// A showing that is shorter than this looks like an error.
pub(crate) const MIN_S: f64 = 0.5;
/// The maximum number of showings in an output.
pub(crate) const MAX_SHOWINGS: usize = 2_000;

/// The footage of a clip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Available {
    pub frames: Frames,
    /// The maximum length of one showing.
    pub most: Frames,
    /// An image is shown in every turn, because it has no footage that ends.
    pub is_image: bool,
    /// Whether the output shows it elsewhere, so that it is shown only after all other footage.
    pub is_seen: bool,
}

impl Available {
    /// The number of showings that show all of it, each of about the same length.
    fn count(self) -> u64 {
        self.frames.0.div_ceil(self.most.0.max(1)).max(1)
    }

    fn showing(self, clip: usize, number: u64) -> Showing {
        let at =
            |number: u64| (u128::from(self.frames.0) * u128::from(number) / u128::from(self.count())) as u64;
        Showing { clip, start: Frames(at(number)), frames: Frames(at(number + 1) - at(number)) }
    }
}

/// A part of a clip that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Showing {
    /// The index of the clip.
    pub clip: usize,
    /// The first frame, counted from the clip's first one.
    pub start: Frames,
    pub frames: Frames,
}

/// Showings that fill a length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filling {
    pub showings: Vec<Showing>,
    /// Whether footage is shown again.
    pub repeats: bool,
}

/// Shows clips in turn until they last at least `wanted`, where neighbours overlap by `overlap` as far as possible; `None`
/// if that takes too many showings. A clip that is longer than one showing continues in the next turn where it stopped.
/// Footage is shown again only after all of it was shown.
pub(crate) fn fill(clips: &[Available], wanted: Frames, overlap: Frames, fps: Fps) -> Option<Filling> {
    let turns = clips.iter().map(|clip| clip.count()).max()?;
    let mut filling = Filling::default();
    let mut lengths: Vec<Frames> = Vec::new();
    let parts = (0..).flat_map(|turn| {
        let number = turn % turns;
        let is_shown = move |(_, clip): &(usize, &Available)| {
            (clip.is_image || number < clip.count()) && (turn >= turns || !clip.is_seen)
        };
        let shown = clips.iter().enumerate().filter(is_shown);
        shown.map(move |(index, clip)| {
            let number = if clip.is_image { 0 } else { number };
            (turn >= turns, clip.showing(index, number))
        })
    });
    for (is_again, showing) in parts {
        let excess = together(&lengths, overlap).saturating_sub(wanted.0);
        if !lengths.is_empty() && together(&lengths, overlap) >= wanted.0 {
            lengthen_last(&mut filling.showings, excess, Frames(Frames::nearest(MIN_S, fps).0 + overlap.0));
            return Some(filling);
        }
        if lengths.len() == MAX_SHOWINGS {
            return None;
        }
        lengths.push(showing.frames);
        filling.showings.push(showing);
        filling.repeats |= is_again;
    }
    None
}

/// The length of showings that overlap.
fn together(lengths: &[Frames], overlap: Frames) -> u64 {
    let all: Frames = lengths.iter().copied().sum();
    let shared: Frames = overlaps(lengths, overlap).into_iter().sum();
    all.0 - shared.0
}

/// Shortens the last showing but one if the last would be seen for less than `least`, because `excess` frames of it are cut
/// off.
fn lengthen_last(showings: &mut [Showing], excess: u64, least: Frames) {
    let [.., previous, last] = showings else { return };
    let missing = least.0.saturating_sub(last.frames.0.saturating_sub(excess));
    if last.frames >= least && previous.frames.0 >= least.0 + missing {
        previous.frames = Frames(previous.frames.0 - missing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FPS: u32 = 30;

    fn available(frames: Frames, most: Frames, is_image: bool) -> Available {
        Available { frames, most: if is_image { frames } else { most }, is_image, is_seen: false }
    }

    /// The clips with their starts and lengths in seconds, and whether footage repeats.
    type Shown = (Vec<(usize, f64, f64)>, bool);

    /// Lengths below 0 are those of images.
    fn of(seconds: &[f64], most_s: f64, wanted_s: f64, overlap_s: f64) -> Option<Shown> {
        let fps = Fps::new(FPS).unwrap();
        let frames = |seconds| Frames::nearest(seconds, fps);
        let clips: Vec<Available> = seconds
            .iter()
            .map(|length| available(frames(length.abs()), frames(most_s), *length < 0.0))
            .collect();
        let Filling { showings, repeats } = fill(&clips, frames(wanted_s), frames(overlap_s), fps)?;
        let one = |showing: &Showing| (showing.clip, showing.start.seconds(fps), showing.frames.seconds(fps));
        Some((showings.iter().map(one).collect(), repeats))
    }

    #[test]
    fn clips_are_shown_in_turn_and_continue() {
        let expected = vec![(0, 0.0, 3.0), (1, 0.0, 2.0), (0, 3.0, 3.0), (0, 6.0, 3.0)];
        assert_eq!(of(&[9.0, 2.0], 3.0, 11.0, 0.0), Some((expected.clone(), false)));
        assert_eq!(of(&[9.0, 2.0], 3.0, 5.0, 0.0), Some((expected[..2].to_vec(), false)));
        // A clip is divided evenly, so that no short rest remains.
        assert_eq!(of(&[4.0], 3.0, 4.0, 0.0), Some((vec![(0, 0.0, 2.0), (0, 2.0, 2.0)], false)));
    }

    #[test]
    fn footage_repeats_only_after_all_of_it() {
        let expected = vec![(0, 0.0, 3.0), (1, 0.0, 2.0), (0, 3.0, 3.0), (0, 0.0, 3.0), (1, 0.0, 2.0)];
        assert_eq!(of(&[6.0, 2.0], 3.0, 12.0, 0.0), Some((expected, true)));
        assert_eq!(of(&[6.0, 2.0], 3.0, 8.0, 0.0).map(|(_, repeats)| repeats), Some(false));
    }

    #[test]
    fn seen_footage_comes_last() {
        let clip = |seconds, is_seen| {
            let frames = Frames(seconds * u64::from(FPS));
            Available { is_seen, ..available(frames, frames, false) }
        };
        let clips = [clip(2, false), clip(3, true), clip(1, false)];
        let shown = |seconds: u64| {
            let filling = fill(&clips, Frames(seconds * 30), Frames(0), Fps::new(FPS).unwrap()).unwrap();
            (filling.showings.iter().map(|showing| showing.clip).collect::<Vec<_>>(), filling.repeats)
        };
        assert_eq!(shown(3), (vec![0, 2], false));
        assert_eq!(shown(8), (vec![0, 2, 0, 1], true));
    }

    #[test]
    fn images_are_shown_in_every_turn() {
        let expected = vec![(0, 0.0, 1.0), (1, 0.0, 3.0), (0, 0.0, 1.0), (1, 3.0, 3.0)];
        assert_eq!(of(&[-1.0, 6.0], 3.0, 8.0, 0.0), Some((expected, false)));
        let images = vec![(0, 0.0, 1.0), (1, 0.0, 2.0), (0, 0.0, 1.0)];
        assert_eq!(of(&[-1.0, -2.0], 0.5, 4.0, 0.0), Some((images, true)));
    }

    #[test]
    fn neighbours_overlap() {
        // 3 × 3 s with two transitions of half a second.
        let shown = |wanted| of(&[3.0, 3.0, 3.0, 3.0], 30.0, wanted, 0.5).map(|(showings, _)| showings.len());
        assert_eq!([shown(8.0), shown(8.1)], [Some(3), Some(4)]);
    }

    #[test]
    fn the_last_clip_is_seen() {
        let lengths = |wanted| {
            of(&[3.0, 3.0], 30.0, wanted, 0.0).unwrap().0.into_iter().map(|one| one.2).collect::<Vec<_>>()
        };
        // 0.1 s of the second clip would be seen.
        assert_eq!(lengths(3.1), [2.6, 3.0]);
        assert_eq!(lengths(3.5), [3.0, 3.0]);
        assert_eq!(lengths(2.9), [3.0]);
    }

    #[test]
    fn showings_are_limited() {
        assert_eq!(of(&[0.04], 30.0, 3600.0, 0.0), None);
        assert_eq!(of(&[], 30.0, 10.0, 0.0), None);
    }
}
