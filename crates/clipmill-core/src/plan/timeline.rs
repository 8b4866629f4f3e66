//! The timeline of one output: its shots, where each begins, how long all of them are. Nothing else adds lengths up.

use crate::footage::Footage;
use crate::media::ContentHash;
use crate::plan::mix::shot::Shot;
use crate::time::{Fps, Frames};

/// Shots one after another.
pub(crate) struct Timeline<'a> {
    shots: Vec<Shot<'a>>,
    starts: Vec<Frames>,
    scenes: Vec<Scene>,
    frames: Frames,
    /// Frames before the first scene.
    lead: Frames,
}

/// The place of a scene, or of a clip of a group: all shots that one part of the request gives.
#[derive(Clone, Copy)]
pub(crate) struct Scene {
    /// Counted from 0 in the request.
    pub number: usize,
    pub start: Frames,
    pub end: Frames,
}

impl<'a> Timeline<'a> {
    /// Scenes in order, each with its number in the request.
    pub fn of<S: IntoIterator<Item = Shot<'a>>>(scenes: impl IntoIterator<Item = (usize, S)>) -> Self {
        let mut timeline =
            Self { shots: vec![], starts: vec![], scenes: vec![], frames: Frames(0), lead: Frames(0) };
        for (number, shots) in scenes {
            let start = timeline.frames;
            shots.into_iter().for_each(|shot| timeline.add(shot));
            timeline.scenes.push(Scene { number, start, end: timeline.frames });
        }
        timeline
    }

    /// The same with a shot before everything else and one behind it, which are no scenes.
    pub fn between(self, intro: Option<Shot<'a>>, outro: Option<Shot<'a>>) -> Self {
        let lead = intro.map_or(Frames(0), |shot| shot.frames);
        let mut timeline = Self { shots: vec![], starts: vec![], scenes: vec![], frames: Frames(0), lead };
        intro.into_iter().chain(self.shots).chain(outro).for_each(|shot| timeline.add(shot));
        let later = |scene: Scene| Scene { start: scene.start + lead, end: scene.end + lead, ..scene };
        timeline.scenes = self.scenes.into_iter().map(later).collect();
        timeline
    }

    /// Frames before the first scene: those of the intro.
    pub fn lead(&self) -> Frames {
        self.lead
    }

    pub fn shots(&self) -> &[Shot<'a>] {
        &self.shots
    }

    /// Each shot with the frame that it begins at.
    pub fn starts(&self) -> impl Iterator<Item = (Frames, &Shot<'a>)> {
        self.starts.iter().copied().zip(&self.shots)
    }

    /// Frames of all shots.
    pub fn frames(&self) -> Frames {
        self.frames
    }

    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// The shot that a frame lies in, and where that begins.
    pub fn at(&self, frame: Frames) -> Option<(Frames, &Shot<'a>)> {
        self.starts().find(|(start, shot)| frame < *start + shot.frames)
    }

    /// What is shown of which files; what is held or repeated beyond a clip's end is no further footage.
    pub fn footage(&self, fps: Fps) -> Footage<ContentHash> {
        Footage::of(self.shots.iter().map(|shot| {
            let begin = Frames::nearest(shot.excerpt.begin_s(), fps).0;
            (shot.info.content.clone(), begin..begin + shot.frames.min(shot.natural).0)
        }))
    }

    fn add(&mut self, shot: Shot<'a>) {
        self.starts.push(self.frames);
        self.frames = self.frames + shot.frames;
        self.shots.push(shot);
    }
}
