//! The timeline of one output: its shots, where each begins, and the total length. Lengths are added up only here.

use std::ops::Range;

use crate::footage::Footage;
use crate::media::ContentHash;
use crate::plan::mix::shot::Shot;
use crate::time::{Fps, Frames};
use crate::transitions::Transition;

/// Shots in order; those of neighbouring scenes may overlap.
pub(crate) struct Timeline<'a> {
    shots: Vec<Shot<'a>>,
    starts: Vec<Frames>,
    stretches: Vec<SceneRange>,
    frames: Frames,
    /// Frames before the first scene.
    lead: Frames,
}

/// The place of a scene, or of a clip of a group: all shots that come from one part of the request.
#[derive(Clone, Copy)]
pub(crate) struct Scene {
    /// Counted from 0 in the request.
    pub number: usize,
    pub start: Frames,
    pub end: Frames,
}

/// The place of shots that belong together: a scene, an intro or an outro.
#[derive(Clone)]
struct SceneRange {
    /// `None` for an intro or an outro.
    number: Option<usize>,
    shots: Range<usize>,
    start: Frames,
    end: Frames,
    /// How many frames at its beginning overlap with the previous one.
    before: Frames,
    /// The overlap with the next scene, if there is one.
    after: Option<SceneOverlap>,
}

/// A scene, an intro or an outro as an editing program shows it.
pub(crate) struct EditedScene<'t, 'a> {
    /// Its shots, each with its first frame.
    pub shots: Vec<(Frames, &'t Shot<'a>)>,
    /// The frames from the cut at its beginning to the cut at its end.
    pub shown: Range<Frames>,
    /// The transition to the next one, with its frames before and after the cut.
    pub transition: Option<(&'static Transition, [Frames; 2])>,
}

/// A place where two scenes overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SceneOverlap {
    pub transition: &'static Transition,
    pub frames: Frames,
}

/// Consecutive frames of an output: a shot, or two that overlap.
#[allow(clippy::large_enum_variant, reason = "only a few exist at a time; boxing saves nothing")]
pub(crate) enum TimelineSpan<'t, 'a> {
    Shot {
        start: Frames,
        shot: &'t Shot<'a>,
        shown: Range<Frames>,
    },
    /// `shown` counts from the beginning of the overlap.
    TransitionSpan {
        start: Frames,
        shown: Range<Frames>,
        scene_overlap: SceneOverlap,
        sides: [Side<'a>; 2],
    },
}

/// Frames of a shot that overlap with another.
pub(crate) struct Side<'a> {
    pub shot: Shot<'a>,
    pub shown: Range<Frames>,
}

/// How far neighbours of these lengths overlap: as far as wanted, but each still shows all of its frames. One that has
/// two neighbours gives at most half of itself to each. An overlap of a single frame counts as none.
pub(crate) fn overlaps(lengths: &[Frames], wanted: Frames) -> Vec<Frames> {
    let last = lengths.len().saturating_sub(1);
    let room = |index: usize| lengths[index].0 / if index == 0 || index == last { 1 } else { 2 };
    let overlap = |index: usize| wanted.0.min(room(index)).min(room(index + 1));
    (0..last).map(overlap).map(|frames| Frames(if frames < 2 { 0 } else { frames })).collect()
}

impl<'a> Timeline<'a> {
    /// Scenes in order, each with its number in the request.
    pub fn of<S: IntoIterator<Item = Shot<'a>>>(scenes: impl IntoIterator<Item = (usize, S)>) -> Self {
        let mut timeline =
            Self { shots: vec![], starts: vec![], stretches: vec![], frames: Frames(0), lead: Frames(0) };
        for (number, shots) in scenes {
            timeline.add(Some(number), shots);
        }
        timeline
    }

    /// The same timeline with neighbours that overlap by `wanted` frames, as far as possible, with the given transition
    /// for each change of scenes.
    pub fn overlapped(
        self,
        wanted: Frames,
        transitions: impl IntoIterator<Item = &'static Transition>,
    ) -> Self {
        let lengths: Vec<Frames> = self.scenes().map(|scene| Frames(scene.end.0 - scene.start.0)).collect();
        let mut scene_overlaps = overlaps(&lengths, wanted).into_iter().zip(transitions);
        let mut timeline = Self::of([] as [(usize, [Shot; 0]); 0]);
        for stretch in self.stretches {
            timeline.add(stretch.number, self.shots[stretch.shots].iter().copied());
            if let Some((frames, transition)) = scene_overlaps.next().filter(|(frames, _)| frames.0 > 0) {
                timeline.join(SceneOverlap { transition, frames });
            }
        }
        timeline
    }

    /// The same timeline trimmed to this many frames; shots that begin later are dropped.
    pub fn cut(mut self, frames: Frames) -> Self {
        self.frames = self.frames.min(frames);
        self.stretches.retain(|stretch| stretch.start < frames);
        for stretch in &mut self.stretches {
            stretch.end = stretch.end.min(frames);
        }
        let shots = self.starts.iter().filter(|start| **start < frames).count();
        self.shots.truncate(shots);
        self.starts.truncate(shots);
        let Some(last) = self.stretches.last_mut() else { return self };
        (last.shots.end, last.after) = (shots, None);
        if let (Some(start), Some(shot)) = (self.starts.last(), self.shots.last_mut()) {
            // A transition into the shot uses all of the overlap.
            shot.frames = shot.frames.min(Frames(frames.0 - start.0).max(last.before));
        }
        self
    }

    /// The same timeline with an intro before everything and an outro after it; these are not scenes.
    pub fn between(self, intro: Option<Shot<'a>>, outro: Option<Shot<'a>>) -> Self {
        let lead = intro.map_or(Frames(0), |shot| shot.frames);
        let mut timeline = Self::of([] as [(usize, [Shot; 0]); 0]);
        timeline.lead = lead;
        intro.into_iter().for_each(|shot| timeline.add(None, [shot]));
        let shots_before = timeline.shots.len();
        let later = |stretch: SceneRange| SceneRange {
            start: stretch.start + lead,
            end: stretch.end + lead,
            shots: stretch.shots.start + shots_before..stretch.shots.end + shots_before,
            ..stretch
        };
        timeline.stretches.extend(self.stretches.into_iter().map(later));
        timeline.starts.extend(self.starts.into_iter().map(|start| start + lead));
        timeline.shots.extend(self.shots);
        timeline.frames = timeline.frames + self.frames;
        outro.into_iter().for_each(|shot| timeline.add(None, [shot]));
        timeline
    }

    /// Frames before the first scene, which are those of the intro.
    pub fn lead(&self) -> Frames {
        self.lead
    }

    /// The frames between the intro and the outro.
    pub fn content(&self) -> Range<Frames> {
        let end = self.scenes().map(|scene| scene.end).max();
        self.lead..end.unwrap_or(self.frames)
    }

    pub fn shots(&self) -> &[Shot<'a>] {
        &self.shots
    }

    pub fn frames(&self) -> Frames {
        self.frames
    }

    pub fn scenes(&self) -> impl Iterator<Item = Scene> {
        self.stretches.iter().filter_map(|stretch| {
            let number = stretch.number?;
            Some(Scene { number, start: stretch.start, end: stretch.end })
        })
    }

    /// The shots of all scenes, each with its first frame.
    pub fn scene_shots(&self) -> impl Iterator<Item = (Frames, &Shot<'a>)> {
        let scenes = self.stretches.iter().filter(|stretch| stretch.number.is_some());
        scenes.flat_map(|scene| {
            let starts = self.starts[scene.shots.clone()].iter().copied();
            starts.zip(&self.shots[scene.shots.clone()])
        })
    }

    /// The places where scenes overlap.
    pub fn scene_overlaps(&self) -> impl Iterator<Item = SceneOverlap> {
        self.stretches.iter().filter_map(|stretch| stretch.after)
    }

    /// The scenes with a cut in the middle of each transition.
    pub fn edited_scenes(&self) -> impl Iterator<Item = EditedScene<'_, 'a>> {
        // The cut between a scene and the next one.
        let cut = |index: usize| {
            let (scene_overlap, next) = (self.stretches.get(index)?.after?, self.stretches.get(index + 1)?);
            let frames = scene_overlap.frames.0.min(self.frames.0.saturating_sub(next.start.0));
            let before = Frames(frames / 2);
            Some((next.start + before, scene_overlap.transition, [before, Frames(frames - before.0)]))
        };
        self.stretches.iter().enumerate().map(move |(index, stretch)| {
            let begin = index.checked_sub(1).and_then(cut).map_or(stretch.start, |(begin, ..)| begin);
            let next = cut(index);
            let end = next.map_or(stretch.end, |(end, ..)| end).min(self.frames);
            let starts = self.starts[stretch.shots.clone()].iter().copied();
            EditedScene {
                shots: starts.zip(&self.shots[stretch.shots.clone()]).collect(),
                shown: begin..end,
                transition: next.map(|(_, transition, frames)| (transition, frames)),
            }
        })
    }

    /// The spans of the whole output, from its first frame to its last.
    pub fn spans(&self) -> impl Iterator<Item = TimelineSpan<'_, 'a>> {
        self.stretches.iter().enumerate().flat_map(|(index, stretch)| {
            let transition_span =
                self.stretches.get(index + 1).and_then(|next| self.transition_span(stretch, next));
            self.bodies(stretch).chain(transition_span)
        })
    }

    /// The span that contains a frame.
    pub fn at(&self, frame: Frames) -> Option<TimelineSpan<'_, 'a>> {
        self.spans().find(|span| frame < span.end())
    }

    /// The footage of the output; holding or repeating a clip beyond its end adds no footage.
    pub fn footage(&self, fps: Fps) -> Footage<ContentHash> {
        let second = self.shots.iter().filter_map(|shot| Some((shot, shot.second?)));
        let second = second.flat_map(|(shot, second)| {
            let first_frame = Frames::nearest(second.excerpt.begin_s(), fps).0;
            let at_speed =
                move |frames: Frames| (frames.0 as f64 * second.adjustments.speed()).round() as u64;
            let repetitions = second.repetitions(shot.frames, &(Frames(0)..shot.frames), fps);
            repetitions.into_iter().map(move |one| {
                let begin = first_frame + if second.looped { 0 } else { at_speed(one.shown.begin) };
                let frames = second.moving(&one).min(second.natural);
                (second.info.content.clone(), begin..begin + at_speed(frames))
            })
        });
        let first = self.starts.iter().zip(&self.shots).map(|(start, shot)| {
            let begin = Frames::nearest(shot.excerpt.begin_s(), fps).0;
            let length = shot.frames.0.min(self.frames.0 - start.0);
            let used = length.min(shot.natural.0) as f64 * shot.adjustments.speed();
            (shot.info.content.clone(), begin..begin + used.round() as u64)
        });
        Footage::of(first.chain(second))
    }

    /// The audible part of each scene: its shots with their place, and how far it overlaps with its neighbours.
    pub fn audible_scenes(&self) -> impl Iterator<Item = AudibleScene<'_, 'a>> {
        self.stretches.iter().map(|stretch| AudibleScene {
            shots: &self.shots[stretch.shots.clone()],
            start: stretch.start,
            before: stretch.before,
            after: stretch.after.map_or(Frames(0), |scene_overlap| scene_overlap.frames),
        })
    }

    fn add(&mut self, number: Option<usize>, shots: impl IntoIterator<Item = Shot<'a>>) {
        let overlap = self.stretches.last().and_then(|stretch| stretch.after);
        let overlap_frames = overlap.map_or(Frames(0), |scene_overlap| scene_overlap.frames);
        let (start, first) = (Frames(self.frames.0 - overlap_frames.0), self.shots.len());
        self.frames = start;
        for shot in shots {
            self.starts.push(self.frames);
            self.frames = self.frames + shot.frames;
            self.shots.push(shot);
        }
        let shots = first..self.shots.len();
        self.stretches.push(SceneRange {
            number,
            shots,
            start,
            end: self.frames,
            before: overlap_frames,
            after: None,
        });
    }

    /// Makes the next scene overlap with the last.
    fn join(&mut self, scene_overlap: SceneOverlap) {
        if let Some(last) = self.stretches.last_mut() {
            last.after = Some(scene_overlap);
        }
    }

    /// The spans of a scene that no other scene overlaps.
    fn bodies(&self, stretch: &SceneRange) -> impl Iterator<Item = TimelineSpan<'_, 'a>> {
        let after = stretch.after.map_or(0, |scene_overlap| scene_overlap.frames.0);
        let until = (self.full_end(stretch) - after).min(self.frames.0);
        let from = stretch.start.0 + stretch.before.0;
        let places = self.starts[stretch.shots.clone()].iter().zip(&self.shots[stretch.shots.clone()]);
        places.filter_map(move |(start, shot)| {
            let shown = Frames(from.max(start.0) - start.0)
                ..Frames(until.min(start.0 + shot.frames.0).saturating_sub(start.0));
            (shown.start < shown.end).then_some(TimelineSpan::Shot {
                start: *start + shown.start,
                shot,
                shown,
            })
        })
    }

    fn transition_span(&self, stretch: &SceneRange, next: &SceneRange) -> Option<TimelineSpan<'_, 'a>> {
        let scene_overlap = stretch.after?;
        let frames = Frames(scene_overlap.frames.0.min(self.frames.0 - next.start.0));
        let length = self.full_end(stretch) - stretch.start.0;
        let sides = [
            self.side(stretch, Frames(length - scene_overlap.frames.0)..Frames(length))?,
            self.side(next, Frames(0)..scene_overlap.frames)?,
        ];
        Some(TimelineSpan::TransitionSpan {
            start: next.start,
            shown: Frames(0)..frames,
            scene_overlap,
            sides,
        })
    }

    /// Where a scene would end if the output were not trimmed.
    fn full_end(&self, stretch: &SceneRange) -> u64 {
        let shots = &self.shots[stretch.shots.clone()];
        stretch.start.0 + shots.iter().map(|shot| shot.frames.0).sum::<u64>()
    }

    /// These frames of a scene: within one of its shots, or across repetitions of one.
    fn side(&self, stretch: &SceneRange, shown: Range<Frames>) -> Option<Side<'a>> {
        let shots = &self.shots[stretch.shots.clone()];
        let mut begin = 0;
        for shot in shots {
            let end = begin + shot.frames.0;
            if begin <= shown.start.0 && shown.end.0 <= end {
                let shown = Frames(shown.start.0 - begin)..Frames(shown.end.0 - begin);
                return Some(Side { shot: *shot, shown });
            }
            begin = end;
        }
        let first = shots.first()?;
        Some(Side { shot: Shot { frames: Frames(begin), looped: true, ..*first }, shown })
    }
}

impl TimelineSpan<'_, '_> {
    fn end(&self) -> Frames {
        match self {
            Self::Shot { start, shown, .. } | Self::TransitionSpan { start, shown, .. } => {
                Frames(start.0 + shown.end.0 - shown.start.0)
            }
        }
    }

    /// The part of it among these frames of the output.
    pub fn within(mut self, seen: &Range<Frames>) -> Option<Self> {
        let end = self.end().min(seen.end);
        let (Self::Shot { start, shown, .. } | Self::TransitionSpan { start, shown, .. }) = &mut self;
        let begin = (*start).max(seen.start);
        if begin >= end {
            return None;
        }
        *shown = Frames(shown.start.0 + begin.0 - start.0)..Frames(shown.start.0 + end.0 - start.0);
        *start = begin;
        Some(self)
    }
}

/// A scene as its audio is planned.
pub(crate) struct AudibleScene<'t, 'a> {
    pub shots: &'t [Shot<'a>],
    pub start: Frames,
    pub before: Frames,
    pub after: Frames,
}

impl AudibleScene<'_, '_> {
    /// The length including overlaps and frames cut off by the end of the output.
    pub fn length(&self) -> Frames {
        self.shots.iter().map(|shot| shot.frames).sum()
    }
}
