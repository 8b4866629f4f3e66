//! The captions in view during one segment.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::backing::Outline;
use super::motion::{PlacedPhase, Progress};
use crate::ids::ContentHash;
use crate::overlay_motion::MotionPhase;
use crate::size::Size;
use crate::subtitle::{Motion, Rgba};
use crate::time::{Fps, Frames};

/// Colours whose channels differ by at most this are off by no more than two steps when written by another matrix.
const GREYISH: u8 = 12;

/// All properties of the text that determine a segment's frames, with times relative to its start: two segments whose
/// captions look and move the same have equal views, wherever they are on the timeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaptionView {
    pub(super) canvas: Size,
    pub(super) fps: Fps,
    pub(super) look: Look,
    /// The caption font, then the substitutes for characters it lacks; only those that are used.
    pub(super) fonts: Vec<FontUse>,
    /// Identifies the font of the emoji, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) emoji_font: Option<String>,
    pub(super) captions: Vec<Caption>,
}

/// An emoji in a text: its image, and where and when it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct EmojiUse<'a> {
    /// The characters of the emoji.
    pub text: &'a str,
    /// The upper left corner and the size.
    pub at: (u32, u32),
    pub size: Size,
    pub seen: Range<Frames>,
    /// How it moves with its text.
    pub moves: Vec<EmojiMove>,
    /// The motions during which it fades with its text.
    pub fades: Vec<MotionPhase>,
}

/// The motion of an emoji whose text slides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmojiMove {
    pub phase: MotionPhase,
    /// The distance from its place when it is out of view, in pixels.
    pub distance: (f64, f64),
}

impl CaptionView {
    /// Whether a colour of the captions is written differently by BT.601 and BT.709, which agree on greys.
    pub fn is_coloured(&self) -> bool {
        let Look { text, outline, back, highlight, highlight_back, .. } = self.look;
        let colours = [Some(text), outline, back, highlight, highlight_back];
        let spread = |Rgba { r, g, b, .. }: Rgba| r.max(g).max(b) - r.min(g).min(b);
        colours.into_iter().flatten().any(|colour| colour.a > 0 && spread(colour) > GREYISH)
    }

    /// The emoji of the texts. They are drawn over the rest, which leaves gaps for them.
    pub fn emoji(&self) -> impl Iterator<Item = EmojiUse<'_>> {
        let canvas = self.canvas;
        let emoji = self.captions.iter().flat_map(move |caption| {
            let used = move |line: &'_ TextLine| line.start(canvas);
            caption.lines.iter().enumerate().flat_map(move |(index, line)| {
                let start = used(line);
                line.emoji.iter().zip(line.gaps()).map(move |(emoji, place)| EmojiUse {
                    text: &emoji.text,
                    at: (even(start + emoji.left), even(emoji.top)),
                    size: Size::new(even(emoji.width).max(2), even(emoji.height).max(2)),
                    seen: self.emoji_start(caption, index, place)..caption.emoji_end(),
                    moves: caption.moves(),
                    fades: caption.fades(),
                })
            })
        });
        emoji.filter(|emoji| emoji.seen.start < emoji.seen.end)
    }

    /// The frame on which an emoji appears that is at byte `place` of a line. It does not move itself, so it appears in the
    /// middle of a motion.
    fn emoji_start(&self, caption: &Caption, line: usize, place: usize) -> Frames {
        let middle = |progress: Progress| (progress.frames / 2).saturating_sub(progress.age);
        let own_line = caption.lines.get(line);
        if self.look.grows {
            let words = own_line.map(|line| line.spoken.as_slice()).unwrap_or_default();
            let word = words.iter().find(|word| (word.from..word.to).contains(&place));
            return word.map_or(caption.start, |word| {
                word.start.max(caption.start) + Frames(word.motion.map_or(0, middle))
            });
        }
        if let Some(entering) = caption.phases.iter().find(|placed| !placed.phase.leaves) {
            return caption.start.max(entering.emoji_change());
        }
        let Some(entrance) = caption.entrance else { return caption.start };
        if self.look.motion != Motion::Typewriter {
            return caption.start + Frames(middle(entrance.progress));
        }
        let letters_of = |line: &TextLine| line.letters.len();
        let all: usize = caption.lines.iter().map(letters_of).sum();
        let before: usize = caption.lines.iter().take(line).map(letters_of).sum();
        let own = own_line.map_or(0, |line| line.letters.partition_point(|at| *at <= place));
        let typed = |frame: &u64| entrance.progress.typed(*frame, all) >= before + own;
        let left = entrance.progress.left();
        caption.start + Frames((0..left).find(typed).unwrap_or(left))
    }

    /// The font files of the client that draw the text, with the family names by which the renderer finds them.
    pub fn font_files(&self) -> impl Iterator<Item = (&ContentHash, &str)> {
        self.fonts.iter().filter_map(|font| Some((font.file.as_ref()?, font.family.as_str())))
    }

    /// The frames from the first one with a caption to the one after the last.
    pub fn seen(&self) -> Range<Frames> {
        let first = self.captions.iter().map(|caption| caption.start).min();
        let last = self.captions.iter().map(|caption| caption.end).max();
        first.unwrap_or_default()..last.unwrap_or_default()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Look {
    pub text: Rgba,
    pub outline: Option<Rgba>,
    /// The width in pixels.
    pub outline_width: f64,
    pub back: Option<Rgba>,
    /// The distance in pixels; 0 is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shadow: f64,
    /// The radius of the box's corners, in pixels.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub radius: f64,
    /// The colour of the spoken word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight: Option<Rgba>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bold: bool,
    /// The colour of the box behind the spoken word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight_back: Option<Rgba>,
    /// Whether words appear when they are spoken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grows: bool,
    #[serde(default, skip_serializing_if = "is_still")]
    pub motion: Motion,
    /// How far texts rise, in pixels.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rise: f64,
}

fn is_still(motion: &Motion) -> bool {
    *motion == Motion::None
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FontUse {
    pub family: String,
    pub identity: String,
    /// The client's file, if the font is not an installed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<ContentHash>,
    /// The font size as ASS counts it.
    pub size: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Caption {
    pub start: Frames,
    pub end: Frames,
    /// The outline of the box; empty without a box.
    pub backing: Outline,
    pub lines: Vec<TextLine>,
    /// The motion with which the caption appears, until it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrance: Option<Entrance>,
    /// How a text overlay enters and leaves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PlacedPhase>,
}

impl Caption {
    /// How its emoji move: they slide with the text.
    fn moves(&self) -> Vec<EmojiMove> {
        let slides = self.phases.iter().filter(|placed| placed.slides());
        slides
            .map(|PlacedPhase { phase, distance, .. }| EmojiMove { phase: *phase, distance: *distance })
            .collect()
    }

    fn fades(&self) -> Vec<MotionPhase> {
        self.phases.iter().filter(|placed| placed.fades()).map(|placed| placed.phase).collect()
    }

    /// The frame on which its emoji disappear.
    fn emoji_end(&self) -> Frames {
        let leaving = self.phases.iter().find(|placed| placed.phase.leaves);
        leaving.map_or(self.end, |placed| placed.emoji_change().min(self.end))
    }

    /// The caption between two frames of the timeline, with times relative to the first. If words appear when they are spoken
    /// (`grows`), those that appear later are kept.
    pub fn clipped(&self, start: Frames, end: Frames, grows: bool) -> Self {
        let clipped = |from: Frames, to: Frames| {
            (Frames(from.0.saturating_sub(start.0)), Frames(to.min(end).0.saturating_sub(start.0)))
        };
        let mut caption = self.clone();
        let over = |from: Frames| start.0.saturating_sub(from.0);
        caption.entrance = self.entrance.and_then(|entrance| {
            let progress = entrance.progress.after(over(self.start))?;
            Some(Entrance { progress, ..entrance })
        });
        caption.phases.retain_mut(|placed| {
            let part = placed.phase.between(start, end);
            placed.phase = part.unwrap_or(placed.phase);
            part.is_some()
        });
        (caption.start, caption.end) = clipped(self.start, self.end);
        for line in &mut caption.lines {
            for word in &mut line.spoken {
                word.motion = word.motion.and_then(|progress| progress.after(over(word.start)));
                (word.start, word.end) = clipped(word.start.min(end), word.end);
            }
            line.spoken.retain(|word| word.start < word.end || grows && word.start.0 > 0);
            if caption.entrance.is_none() && !grows {
                line.letters.clear();
            }
        }
        caption
    }
}

/// How a caption appears.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Entrance {
    pub progress: Progress,
    /// The middle of the caption, in pixels.
    pub center: (f64, f64),
}

/// A line of text, centred on the canvas unless it has a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TextLine {
    /// The lower edge of the line as the renderer sees it, in pixels from the top: below the baseline by the greatest
    /// descent of the line's fonts.
    pub bottom: f64,
    /// The position of the line if it is not centred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub across: Option<HorizontalPosition>,
    /// A mark that gives the line its direction, if its letters do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<char>,
    pub runs: Vec<Run>,
    /// The words in the order in which they are spoken; empty if none is highlighted and all are shown at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spoken: Vec<SpokenWord>,
    /// The bytes at which letters begin, if they appear one after another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub letters: Vec<usize>,
    /// The emoji in the line's gaps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub emoji: Vec<Emoji>,
    /// The width of the whole line in pixels, if it has gaps.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub width: f64,
}

impl TextLine {
    /// The left end of the line, in pixels.
    fn start(&self, canvas: Size) -> f64 {
        match self.across {
            None => (f64::from(canvas.width) - self.width) / 2.0,
            Some(HorizontalPosition::Left(x)) => x,
            Some(HorizontalPosition::Middle(x)) => x - self.width / 2.0,
            Some(HorizontalPosition::Right(x)) => x - self.width,
        }
    }

    /// The places of its gaps, in bytes of its text.
    fn gaps(&self) -> impl Iterator<Item = usize> {
        let places = self.runs.iter().scan(0, |at, run| {
            let place = *at;
            *at += run.text.len();
            Some((place, run.gap.is_some()))
        });
        places.filter_map(|(place, is_gap)| is_gap.then_some(place))
    }
}

fn even(pixels: f64) -> u32 {
    (pixels.max(0.0) / 2.0).round() as u32 * 2
}

/// The place and size of an emoji in pixels; `left` counts from the line's left end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Emoji {
    pub text: String,
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// The place of a line's end or middle, in pixels from the left.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum HorizontalPosition {
    Left(f64),
    Middle(f64),
    Right(f64),
}

/// A word as bytes of a line's text, and the frames on which it is spoken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SpokenWord {
    pub from: usize,
    pub to: usize,
    pub start: Frames,
    pub end: Frames,
    /// The place of the word with its box, if it has a box or moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    /// The size of the word while it is spoken, in times of its own; 0 if it does not grow.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scale: f64,
    /// The motion with which the word appears or grows, until it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Progress>,
}

/// A rectangle, in pixels of the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub fn center(self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }
}

/// Text in one font, given as an index into the fonts of the view or track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub font: usize,
    pub text: String,
    /// A gap this many pixels wide, in which an emoji is shown instead of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
}
