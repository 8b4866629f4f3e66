//! The state of a caption on each frame: which of its words are shown, which are highlighted, and which move.

use std::ops::Range;

use super::motion::{Pose, Transform, growth};
use super::style::Motion;
use super::view::{Caption, Look, SpokenWord, TextLine};
use crate::time::Frames;

/// How a part of a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Plain,
    Highlighted,
    /// It takes its place, but is not seen.
    Hidden,
}

/// A part of a line's text in bytes, and its ink. Parts that are not listed are plain.
pub type Span = (Range<usize>, Ink);

/// A caption of a view.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub look: &'a Look,
    pub caption: &'a Caption,
}

impl Scene<'_> {
    /// The frames on which the caption or one of these words changes; the last one is its end.
    pub fn moments(&self, words: &[SpokenWord]) -> Vec<Frames> {
        let Caption { start, end, entrance, .. } = *self.caption;
        let during = |from: Frames, frames: u64| (from.0..=from.0.saturating_add(frames)).map(Frames);
        let mut moments: Vec<Frames> = vec![start, end];
        moments.extend(entrance.iter().flat_map(|entrance| during(start, entrance.progress.left())));
        for placed in &self.caption.phases {
            moments.extend((placed.phase.begin.0..=placed.phase.end().0).map(Frames));
        }
        for word in words {
            moments.extend([word.start, word.end]);
            moments.extend(word.motion.iter().flat_map(|motion| during(word.start, motion.left())));
        }
        moments.retain(|moment| (start..=end).contains(moment));
        moments.sort_unstable();
        moments.dedup();
        moments
    }

    /// The pose of the whole caption.
    pub fn pose(&self, frame: Frames) -> Pose {
        let entering = self.caption.entrance.map_or(Pose::REST, |entrance| {
            let part = entrance.progress.part(frame.0 - self.caption.start.0);
            Pose::of(self.look.motion, part, entrance.center, self.look.rise)
        });
        let phases = self.caption.phases.iter();
        phases.fold(entering, |pose, placed| pose.within(placed.pose(frame)))
    }

    /// The inks of a line; `None` if nothing of it is seen. Words that move are hidden.
    pub fn spans(&self, line: &TextLine, frame: Frames) -> Option<Vec<Span>> {
        let mut spans: Vec<Span> = Vec::new();
        for word in &line.spoken {
            let whole = word.from..word.to;
            if !self.is_shown(word, frame) || self.word_pose(line, word, frame).is_some() {
                spans.push((whole, Ink::Hidden));
                continue;
            }
            let ink = self.ink(word, frame);
            let typed = self.typed_of_word(line, word, frame);
            spans.push((word.from..typed, ink));
            spans.push((typed..word.to, Ink::Hidden));
        }
        spans.retain(|(own, _)| !own.is_empty());
        // Only spaces are between words that are not shown yet.
        spans.dedup_by(|next, last| {
            let both_hidden = (next.1, last.1) == (Ink::Hidden, Ink::Hidden);
            if both_hidden {
                last.0.end = next.0.end;
            }
            both_hidden
        });
        if let Some(typed) = self.typed_of_line(line, frame) {
            spans.retain_mut(|(own, _)| {
                own.end = own.end.min(typed);
                own.start < own.end
            });
            spans.push((typed..usize::MAX, Ink::Hidden));
        }
        spans.retain(|(_, ink)| *ink != Ink::Plain);
        is_seen(line, &spans).then_some(spans)
    }

    /// The inks of a line in which only one word is seen.
    pub fn spans_of(&self, word: &SpokenWord, frame: Frames) -> Vec<Span> {
        let mut spans = vec![
            (0..word.from, Ink::Hidden),
            (word.from..word.to, self.ink(word, frame)),
            (word.to..usize::MAX, Ink::Hidden),
        ];
        spans.retain(|(own, ink)| !own.is_empty() && *ink != Ink::Plain);
        spans
    }

    /// The pose of a word that moves by itself. While it is being typed, it does not.
    pub fn word_pose(&self, line: &TextLine, word: &SpokenWord, frame: Frames) -> Option<Pose> {
        let center = word.area?.center();
        let is_typed = self.typed_of_line(line, frame).is_none_or(|typed| typed >= word.to)
            && self.typed_of_word(line, word, frame) >= word.to;
        if !self.is_shown(word, frame) || !is_typed {
            return None;
        }
        let part = word.motion.map_or(1.0, |motion| motion.part(frame.0.saturating_sub(word.start.0)));
        let mut pose = Pose::REST;
        if self.look.grows {
            pose = Pose::of(self.look.motion, part, center, self.look.rise);
        }
        if self.is_spoken(word, frame) && word.scale > 0.0 {
            let transform = Transform::scaled(growth(word.scale, part), center);
            pose = Pose { transform, opacity: 1.0 }.within(pose);
        }
        (pose != Pose::REST).then_some(pose)
    }

    pub fn is_spoken(&self, word: &SpokenWord, frame: Frames) -> bool {
        (word.start..word.end).contains(&frame)
    }

    fn is_shown(&self, word: &SpokenWord, frame: Frames) -> bool {
        !self.look.grows || frame >= word.start
    }

    fn ink(&self, word: &SpokenWord, frame: Frames) -> Ink {
        match self.look.highlight {
            Some(_) if self.is_spoken(word, frame) => Ink::Highlighted,
            _ => Ink::Plain,
        }
    }

    /// The end of the typed part of a word.
    fn typed_of_word(&self, line: &TextLine, word: &SpokenWord, frame: Frames) -> usize {
        let Some(motion) = word.motion.filter(|_| self.look.grows && self.look.motion == Motion::Typewriter)
        else {
            return word.to;
        };
        let own: Vec<usize> =
            line.letters.iter().copied().filter(|at| (word.from..word.to).contains(at)).collect();
        let typed = motion.typed(frame.0.saturating_sub(word.start.0), own.len());
        own.get(typed).copied().unwrap_or(word.to)
    }

    /// The end of the typed part of a line, if the whole caption is being typed.
    fn typed_of_line(&self, line: &TextLine, frame: Frames) -> Option<usize> {
        let entrance = self.caption.entrance.filter(|_| self.look.motion == Motion::Typewriter)?;
        let lines = &self.caption.lines;
        let all = lines.iter().map(|line| line.letters.len()).sum();
        let before = lines.iter().take_while(|other| !std::ptr::eq(*other, line));
        let before: usize = before.map(|line| line.letters.len()).sum();
        let typed = entrance.progress.typed(frame.0 - self.caption.start.0, all);
        line.letters.get(typed.saturating_sub(before)).copied()
    }
}

/// Whether anything of a line is outside its hidden spans.
fn is_seen(line: &TextLine, spans: &[Span]) -> bool {
    let mut at = 0;
    let mut places = line.runs.iter().flat_map(|run| run.text.chars()).map(|c| {
        let place = at;
        at += c.len_utf8();
        (place, c)
    });
    let is_hidden = |place: usize| spans.iter().any(|(own, ink)| *ink == Ink::Hidden && own.contains(&place));
    places.any(|(place, c)| !c.is_whitespace() && !is_hidden(place))
}
