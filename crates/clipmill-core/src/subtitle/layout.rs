//! Lays out all cues on the whole timeline: wrapped, stacked and kept inside the canvas, in output frames and pixels.

use std::borrow::Cow;

use super::backing::outline;
use super::font::{FontMetrics, font_of, is_invisible};
use super::markup::shown_lines;
use super::motion::{PlacedPhase, Progress, RISE_EM};
use super::parts::{Divider, Part, drawn_text};
use super::pixels::thousandths;
use super::runs::FontTable;
use super::spoken::{BOX_PADDING_Y, Reader};
use super::stack::{Anchor, Block, place};
use super::tally::CueCounter;
use super::timing::shown_frames;
use super::view::{Caption, CaptionView, Emoji, Entrance, FontUse, HorizontalPosition, Look, TextLine};
use super::wrap::{EMOJI_ADVANCE, Line, Measure};
use super::{Cue, backing};
use crate::message::{self, Message};
use crate::overlay_motion::MotionPhase;
use crate::size::Size;
use crate::subtitle::{CaptionPlace, Motion, Rgba, SubtitleStyle, Weight, WordDisplay};
use crate::time::{Fps, Frames};

/// An em has `fontSize × magnification` pixels in an output whose short side has this many pixels.
const DESIGN_SIDE: f64 = 720.0;
/// Lines stay inside this part of the width, box included, unless the style says otherwise.
const USUAL_WIDTH: f64 = 0.9;
/// The same in portrait, where apps for short videos have icons at the right edge.
const PORTRAIT_WIDTH: f64 = 0.84;
/// The width of the outline in em, as all lengths below.
const OUTLINE: f64 = 0.06;
/// Bold letters need a wider outline over bright frames.
const BOLD_OUTLINE: f64 = 0.08;
const PADDING_X: f64 = 0.3;
const PADDING_Y: f64 = 0.05;
/// The image of an emoji has an aspect ratio of 136:128.
const EMOJI_WIDTH: f64 = EMOJI_HEIGHT * 136.0 / 128.0;
const EMOJI_HEIGHT: f64 = 1.08;
const EMOJI_BELOW: f64 = 0.18;
/// Rows of a box that differ by less than this become equally wide.
const MIN_STEP: f64 = 0.4;

/// Cues laid out on a whole timeline; [`view`](CaptionTrack::view) cuts out what one segment shows.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptionTrack {
    canvas: Size,
    fps: Fps,
    look: Look,
    fonts: Vec<FontUse>,
    emoji_font: Option<String>,
    /// Sorted by start.
    captions: Vec<Caption>,
    missing: Vec<char>,
    warnings: Vec<Message>,
}

/// Lays out `cues` on a canvas of `size` and `total` frames. Cues after the end are not in view; those without room are
/// skipped and counted in [`CaptionTrack::warnings`].
pub fn lay_out(
    cues: &[Cue],
    style: &SubtitleStyle,
    size: Size,
    fps: Fps,
    total: Frames,
    font: &dyn FontMetrics,
) -> CaptionTrack {
    let font = font_of(style, font);
    let geometry = Geometry::new(style, size, font);
    let mut measure = Measure::new(font);
    let divider = Divider::new(style, font);
    let (drafts, cut) = drafts(cues, fps, total, &geometry, (&divider, &mut measure));
    let (mut fonts, mut left_out) = (FontTable::new(font, geometry.em), CueCounter::default());
    let mut captions = Vec::with_capacity(drafts.len());
    let mut reader = Reader::new(style, fps, font);
    let anchor = anchor(style, size, &geometry);
    for (draft, bottom) in drafts.iter().zip(places(&drafts, anchor, &geometry)) {
        let Some(bottom) = bottom else {
            left_out.add(draft.cue);
            continue;
        };
        for part in &draft.parts {
            let bottom = bottom + geometry.offset(draft, part, anchor);
            let mut caption = geometry.caption(part, bottom, &mut fonts);
            geometry.animate(&mut caption, (style, part, bottom), fps, font);
            reader.read(part, &mut caption.lines, |index, line| geometry.origin(part, bottom, (index, line)));
            captions.push(caption);
        }
    }
    // Parts of overlapping captions alternate.
    captions.sort_by_key(|caption| caption.start);
    let mut behind_end = CueCounter::default();
    if cues.iter().all(|cue| shown_frames(cue.start_ms, cue.end_ms, fps).0 >= total) {
        cues.iter().for_each(|cue| behind_end.add(cue));
    }
    let warnings = [
        behind_end.warning(message::captions_behind_end),
        cut.warning(message::captions_cut),
        left_out.warning(message::captions_left_out),
        reader.not_timed.warning(message::captions_not_timed),
        reader.not_read.warning(match style.words {
            WordDisplay::Grow => message::captions_not_growing,
            _ => message::captions_not_highlighted,
        }),
    ];
    CaptionTrack {
        canvas: size,
        fps,
        look: look(style, geometry.em),
        fonts: fonts.used,
        emoji_font: font.emoji_font().map(str::to_owned),
        captions,
        warnings: warnings.into_iter().flatten().collect(),
        missing: measure.into_missing(),
    }
}

/// The widest line in em, and the number of lines that fit into the frame.
pub(super) fn line_limits(style: &SubtitleStyle, size: Size, font: &dyn FontMetrics) -> (f64, usize) {
    let geometry = Geometry::new(style, size, font);
    (geometry.text_width(), geometry.max_lines)
}

/// The position of a text overlay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextPlace {
    /// The position across and down: 0 is the left and upper edge, 1 the right and lower one. Lines are aligned at that
    /// side.
    pub parts: (f64, f64),
    /// The distance from those edges in pixels; `None` for a text whose middle is at `parts` of the canvas.
    pub margin: Option<f64>,
    /// The maximum part of the canvas' width that a line takes.
    pub max_width: f64,
}

/// Lays out one text that is shown during a range of frames. It stays on the canvas; lines that do not fit are dropped.
pub fn lay_out_text(
    text: &str,
    style: &SubtitleStyle,
    at: TextPlace,
    (size, fps): (Size, Fps),
    (shown, phases): (std::ops::Range<Frames>, &[MotionPhase]),
    font: &dyn FontMetrics,
) -> CaptionTrack {
    let font = font_of(style, font);
    // Only captions move.
    let style =
        &SubtitleStyle { highlight: None, motion: Motion::None, words: WordDisplay::Line, ..style.clone() };
    let geometry = Geometry { room: at.max_width, ..Geometry::new(style, size, font) };
    let mut measure = Measure::new(font);
    let text = shown_lines(text);
    let mut lines = measure.wrap(&drawn_text(&text, style, font), geometry.text_width());
    lines.retain(|line| !line.text.chars().all(is_invisible));
    let is_cut = lines.len() > geometry.max_lines;
    lines.truncate(geometry.max_lines);
    let look = look(style, geometry.em);
    let mut fonts = FontTable::new(font, geometry.em);
    let cue = Cow::Owned(Cue::default());
    let part = Part { cue, start: shown.start, end: shown.end, lines };
    let captions = match part.lines.is_empty() || shown.is_empty() {
        true => Vec::new(),
        false => vec![geometry.standing(&part, (at, phases), &look, &mut fonts)],
    };
    CaptionTrack {
        canvas: size,
        fps,
        look,
        fonts: fonts.used,
        emoji_font: font.emoji_font().map(str::to_owned),
        captions,
        warnings: is_cut.then(message::text_cut).into_iter().collect(),
        missing: measure.into_missing(),
    }
}

impl CaptionTrack {
    /// Whether nothing is ever shown.
    pub fn is_empty(&self) -> bool {
        self.captions.is_empty()
    }

    /// How many emoji are drawn as pictures.
    pub fn emoji_count(&self) -> usize {
        self.captions.iter().flat_map(|caption| &caption.lines).map(|line| line.emoji.len()).sum()
    }

    /// The view during `len` frames from `start`, with times relative to `start`; `None` if it is empty.
    pub fn view(&self, start: Frames, len: Frames) -> Option<CaptionView> {
        let end = start + len;
        let end_index = self.captions.partition_point(|caption| caption.start < end);
        let in_view = self.captions.iter().take(end_index).filter(|caption| caption.end > start);
        let mut captions: Vec<Caption> =
            in_view.map(|caption| caption.clipped(start, end, self.look.grows)).collect();
        let fonts = self.keep_used_fonts(&mut captions);
        let has_emoji = captions.iter().flat_map(|c| &c.lines).any(|line| !line.emoji.is_empty());
        (!captions.is_empty()).then(|| CaptionView {
            canvas: self.canvas,
            fps: self.fps,
            look: self.look.clone(),
            fonts,
            emoji_font: self.emoji_font.clone().filter(|_| has_emoji),
            captions,
        })
    }

    /// The frames of the first caption that is shown between two frames.
    pub fn first_between(&self, from: Frames, until: Frames) -> Option<std::ops::Range<Frames>> {
        let mut showing = self.captions.iter().filter(|caption| caption.end > from && caption.start < until);
        showing.next().map(|caption| caption.start..caption.end)
    }

    /// Distinct characters that no installed font can draw, in order of appearance; at most 32.
    pub fn missing_glyphs(&self) -> &[char] {
        &self.missing
    }

    /// Warnings about text that could not be shown, one for each reason, without missing glyphs.
    pub fn warnings(&self) -> &[Message] {
        &self.warnings
    }

    /// The fonts that `captions` use, the caption font always first; renumbers the fonts of `captions` accordingly.
    fn keep_used_fonts(&self, captions: &mut [Caption]) -> Vec<FontUse> {
        let runs = |captions: &[Caption]| -> Vec<usize> {
            captions.iter().flat_map(|c| &c.lines).flat_map(|line| &line.runs).map(|run| run.font).collect()
        };
        let mut used = runs(captions);
        used.push(0);
        used.sort_unstable();
        used.dedup();
        for run in captions.iter_mut().flat_map(|c| &mut c.lines).flat_map(|line| &mut line.runs) {
            run.font = used.binary_search(&run.font).unwrap_or(0);
        }
        used.iter().filter_map(|index| self.fonts.get(*index).cloned()).collect()
    }
}

fn anchor(style: &SubtitleStyle, canvas: Size, geometry: &Geometry) -> Anchor {
    let from_edge = style.bottom.max(geometry.around.ceil() as u32);
    match style.place {
        CaptionPlace::Bottom => Anchor::Bottom(from_edge),
        CaptionPlace::LowerThird => Anchor::Middle(canvas.height / 3),
        CaptionPlace::Middle => Anchor::Middle(canvas.height / 2),
        CaptionPlace::Top => Anchor::Top(from_edge),
    }
}

/// A cue that is not placed yet.
struct Draft<'a> {
    cue: &'a Cue,
    start: Frames,
    end: Frames,
    /// The parts that are shown in turn; at least one.
    parts: Vec<Part<'a>>,
}

/// Divides, wraps and sorts the cues in view, and counts truncated ones.
fn drafts<'a>(
    cues: &'a [Cue],
    fps: Fps,
    total: Frames,
    geometry: &Geometry,
    (divider, measure): (&Divider<'_>, &mut Measure<'_>),
) -> (Vec<Draft<'a>>, CueCounter) {
    let mut cut = CueCounter::default();
    let mut drafts = Vec::new();
    for cue in cues {
        let (start, end) = shown_frames(cue.start_ms, cue.end_ms, fps);
        if start >= total {
            continue;
        }
        let end = end.min(total);
        let mut is_cut = false;
        let parts = divider.parts(cue);
        let starts = parts.iter().map(|part| shown_frames(part.start_ms, part.end_ms, fps).0);
        let ends: Vec<Frames> = starts.skip(1).map(|next| next.min(end)).chain([end]).collect();
        let mut parts: Vec<Part<'a>> = Vec::from_iter(parts.into_iter().zip(ends).map(|(cue, end)| {
            let start = shown_frames(cue.start_ms, cue.end_ms, fps).0;
            let mut lines = measure.wrap(&cue.text, geometry.text_width());
            is_cut |= lines.len() > geometry.max_lines;
            lines.truncate(geometry.max_lines);
            Part { cue, start, end, lines }
        }));
        parts.retain(|part| !part.lines.is_empty() && part.start < part.end);
        if is_cut {
            cut.add(cue);
        }
        drafts.push(Draft { cue, start, end, parts });
    }
    drafts.retain(|draft| !draft.parts.is_empty());
    drafts.sort_by_key(|draft| draft.start);
    (drafts, cut)
}

fn places(drafts: &[Draft<'_>], anchor: Anchor, geometry: &Geometry) -> Vec<Option<u32>> {
    let block = |draft: &Draft<'_>| Block {
        start: draft.start.0,
        end: draft.end.0,
        height: geometry.height_of(draft),
    };
    let blocks: Vec<Block> = drafts.iter().map(block).collect();
    place(&blocks, anchor, geometry.canvas.height)
}

/// The measures of a canvas and style, in output pixels unless stated otherwise.
struct Geometry {
    canvas: Size,
    em: f64,
    descent: f64,
    line_height: f64,
    padding_x: f64,
    padding_y: f64,
    has_box: bool,
    /// The maximum part of the canvas' width that a line takes, its box included.
    room: f64,
    /// How far the spoken word reaches beyond its line, up and down.
    around: f64,
    max_lines: usize,
}

/// The maximum part of the canvas' width that a line of captions takes.
fn max_width(style: &SubtitleStyle, canvas: Size) -> f64 {
    let usual = if canvas.height > canvas.width { PORTRAIT_WIDTH } else { USUAL_WIDTH };
    style.max_width_percent.map_or(usual, |percent| percent / 100.0)
}

impl Geometry {
    fn new(style: &SubtitleStyle, canvas: Size, font: &dyn FontMetrics) -> Self {
        let em = em(style, canvas);
        let has_box = style.back_color.is_some();
        let (padding_x, padding_y) = if has_box { (PADDING_X * em, PADDING_Y * em) } else { (0.0, 0.0) };
        let line_height = (font.ascent() + font.descent()) * em;
        let rows = (f64::from(canvas.height) - 2.0 * padding_y) / line_height;
        let highlight = style.highlight.unwrap_or_default();
        let scale = highlight.scale.unwrap_or(1.0).max(1.0);
        let box_padding = highlight.back_color.map_or(0.0, |_| BOX_PADDING_Y * em);
        Self {
            canvas,
            em,
            descent: font.descent() * em,
            line_height,
            padding_x,
            padding_y,
            has_box,
            // A word that fills its line has room to grow.
            room: max_width(style, canvas) / scale,
            around: (scale - 1.0) * line_height / 2.0 + box_padding * scale,
            max_lines: (rows as usize).max(1),
        }
    }

    /// The widest line in em.
    fn text_width(&self) -> f64 {
        (f64::from(self.canvas.width) * self.room - 2.0 * self.padding_x) / self.em
    }

    fn block_height(&self, lines: usize) -> u32 {
        (lines as f64 * self.line_height + 2.0 * self.padding_y).floor() as u32
    }

    /// The height of the highest part.
    fn height_of(&self, draft: &Draft<'_>) -> u32 {
        let lines = draft.parts.iter().map(|part| part.lines.len()).max();
        self.block_height(lines.unwrap_or(1))
    }

    /// How far above the lower edge of its caption a part is placed.
    fn offset(&self, draft: &Draft<'_>, part: &Part<'_>, anchor: Anchor) -> u32 {
        let free = self.height_of(draft) - self.block_height(part.lines.len());
        match anchor {
            Anchor::Bottom(_) => 0,
            Anchor::Middle(_) => free / 2,
            Anchor::Top(_) => free,
        }
    }

    /// The left end and the baseline of a line of a part in pixels, and its em.
    fn origin(&self, part: &Part<'_>, bottom: u32, (index, line): (usize, &Line)) -> (f64, f64, f64) {
        let left = (f64::from(self.canvas.width) - line.width * self.em) / 2.0;
        (left, self.baseline(part, bottom, index), self.em)
    }

    fn baseline(&self, part: &Part<'_>, bottom: u32, index: usize) -> f64 {
        let low = f64::from(self.canvas.height) - f64::from(bottom) - self.padding_y;
        low - (part.lines.len() - 1 - index) as f64 * self.line_height - self.descent
    }

    /// Adds the motion with which a caption appears, unless its words appear one after another.
    fn animate(
        &self,
        caption: &mut Caption,
        (style, part, bottom): (&SubtitleStyle, &Part<'_>, u32),
        fps: Fps,
        font: &dyn FontMetrics,
    ) {
        if style.motion == Motion::Typewriter {
            let letters = |line: &Line| {
                let is_seen = |at: usize| line.text.get(at..).is_some_and(|rest| !rest.starts_with(' '));
                let places =
                    line.places(font).into_iter().filter(|(at, left, right)| left < right && is_seen(*at));
                places.map(|(at, _, _)| at).collect()
            };
            for (own, line) in caption.lines.iter_mut().zip(&part.lines) {
                own.letters = letters(line);
            }
        }
        if style.words == WordDisplay::Grow {
            return;
        }
        let letters = caption.lines.iter().map(|line| line.letters.len()).sum();
        let shown = Frames(part.end.0 - part.start.0);
        let middle = f64::from(bottom) + f64::from(self.block_height(part.lines.len())) / 2.0;
        let (x, y) = (f64::from(self.canvas.width) / 2.0, f64::from(self.canvas.height) - middle);
        let progress = Progress::of(style.motion, letters, shown, fps);
        caption.entrance = progress.map(|progress| Entrance { progress, center: (x, thousandths(y)) });
    }

    /// Places a caption whose lower edge is `bottom` pixels above that of the canvas.
    fn caption(&self, part: &Part<'_>, bottom: u32, fonts: &mut FontTable<'_>) -> Caption {
        let low = f64::from(self.canvas.height) - f64::from(bottom) - self.padding_y;
        let lines = part.lines.iter().enumerate();
        let lines = lines.map(|(i, line)| self.text_line(line, self.baseline(part, bottom, i), fonts));
        Caption {
            start: part.start,
            end: part.end,
            lines: lines.collect(),
            backing: if self.has_box { self.backing(&part.lines, low) } else { Vec::new() },
            entrance: None,
            phases: Vec::new(),
        }
    }

    fn text_line(&self, line: &Line, baseline: f64, fonts: &mut FontTable<'_>) -> TextLine {
        let runs = fonts.runs(line);
        let descents = runs.iter().filter_map(|run| fonts.descents.get(run.font));
        let descent = descents.fold(0.0_f64, |deepest, own| deepest.max(*own));
        TextLine {
            bottom: thousandths(baseline + descent * self.em),
            across: None,
            direction: line.direction,
            runs,
            spoken: Vec::new(),
            letters: Vec::new(),
            emoji: self.emoji(line, baseline),
            width: if line.emoji.is_empty() { 0.0 } else { thousandths(line.width * self.em) },
        }
    }

    /// Places emoji, about as high as the line's letters and marks.
    fn emoji(&self, line: &Line, baseline: f64) -> Vec<Emoji> {
        let (width, height) = (EMOJI_WIDTH * self.em, EMOJI_HEIGHT * self.em);
        let aside = (EMOJI_ADVANCE * self.em - width) / 2.0;
        let to_emoji = |(own, left): &(std::ops::Range<usize>, f64)| Emoji {
            text: line.text.get(own.clone()).unwrap_or_default().to_owned(),
            left: thousandths(left * self.em + aside),
            top: thousandths(baseline + EMOJI_BELOW * self.em - height),
            width: thousandths(width),
            height: thousandths(height),
        };
        line.emoji.iter().map(to_emoji).collect()
    }

    /// Places a text overlay on the canvas.
    fn standing(
        &self,
        part: &Part<'_>,
        (at, phases): (TextPlace, &[MotionPhase]),
        look: &Look,
        fonts: &mut FontTable<'_>,
    ) -> Caption {
        let widest = part.lines.iter().map(|line| line.width).fold(0.0, f64::max) * self.em;
        let (width, height) = (widest + 2.0 * self.padding_x, f64::from(self.block_height(part.lines.len())));
        // The outline and the shadow around letters are not part of their size.
        let around = look.outline.map_or(0.0, |_| look.outline_width) + look.shadow;
        let along = |part: f64, extent: f64, canvas: u32| {
            let free = f64::from(canvas) - extent;
            let least = around.min(free / 2.0).max(0.0);
            let start = match at.margin {
                Some(margin) => margin + (free - 2.0 * margin) * part,
                None => f64::from(canvas) * part - extent / 2.0,
            };
            start.min(free - least).max(least)
        };
        let (left, top) =
            (along(at.parts.0, width, self.canvas.width), along(at.parts.1, height, self.canvas.height));
        let bottom = f64::from(self.canvas.height) - (top + height);
        let mut caption = self.caption(part, bottom.round().max(0.0) as u32, fonts);
        let (first, last) = (left + self.padding_x, left + width - self.padding_x);
        let across = match at.parts.0 {
            _ if at.margin.is_none() => HorizontalPosition::Middle(thousandths((first + last) / 2.0)),
            part if part < 0.25 => HorizontalPosition::Left(thousandths(first)),
            part if part > 0.75 => HorizontalPosition::Right(thousandths(last)),
            _ => HorizontalPosition::Middle(thousandths((first + last) / 2.0)),
        };
        // Substitute fonts may reach further down than a line does.
        let lowest = caption.lines.iter().map(|line| line.bottom).fold(0.0, f64::max);
        let up = (lowest + around - f64::from(self.canvas.height)).max(0.0);
        for line in &mut caption.lines {
            (line.across, line.bottom) = (Some(across), thousandths(line.bottom - up));
            line.emoji.iter_mut().for_each(|emoji| emoji.top = thousandths(emoji.top - up));
        }
        if self.has_box {
            let rows = [left, left + width].map(|x| x.round() as i32);
            let edges = caption.backing.iter().map(|point| point.1);
            let (low, high) = (edges.clone().max().unwrap_or(0), edges.min().unwrap_or(0));
            caption.backing = vec![(rows[1], high), (rows[1], low), (rows[0], low), (rows[0], high)];
        }
        let edges = [left - around, top - up - around, left + width + around, top - up + height + around];
        caption.phases = phases.iter().map(|phase| placed(*phase, edges, self.canvas)).collect();
        caption
    }

    /// The box behind lines, of which `low` is the lower edge of the last.
    fn backing(&self, lines: &[Line], low: f64) -> backing::Outline {
        let count = lines.len();
        let edge = |i: usize| {
            let padding = match i {
                0 => -self.padding_y,
                i if i == count => self.padding_y,
                _ => 0.0,
            };
            (low - (count - i) as f64 * self.line_height + padding).round() as i32
        };
        let half = |line: &Line| (line.width * self.em / 2.0 + self.padding_x).round() as i32;
        let edges: Vec<i32> = (0..=count).map(edge).collect();
        let halves: Vec<i32> = lines.iter().map(half).collect();
        let center = (self.canvas.width / 2) as i32;
        outline(center, &edges, &halves, (MIN_STEP * self.em).round() as i32)
    }
}

/// A phase of a text with these edges.
fn placed(phase: MotionPhase, edges: [f64; 4], canvas: Size) -> PlacedPhase {
    let [left, top, right, bottom] = edges;
    let (x, y) = phase.distance(edges, canvas).unwrap_or_default();
    PlacedPhase {
        phase,
        center: (thousandths((left + right) / 2.0), thousandths((top + bottom) / 2.0)),
        distance: (thousandths(x), thousandths(y)),
    }
}

/// The em in pixels. Text takes the same part of every output: a style's sizes are for a short side of [`DESIGN_SIDE`].
fn em(style: &SubtitleStyle, canvas: Size) -> f64 {
    f64::from(style.font_size) * style.magnification * f64::from(canvas.short_side()) / DESIGN_SIDE
}

fn look(style: &SubtitleStyle, em: f64) -> Look {
    let bold = style.weight == Weight::Bold;
    let outline_width = if bold { BOLD_OUTLINE } else { OUTLINE };
    let bare = style.outline_color.is_none() && style.back_color.is_none();
    let highlight = style.highlight.unwrap_or_default();
    let has_box = style.back_color.is_some() || highlight.back_color.is_some();
    Look {
        text: style.font_color,
        outline: style.outline_color.or(bare.then_some(Rgba::BLACK)),
        outline_width: thousandths(outline_width * em),
        back: style.back_color,
        shadow: thousandths(f64::from(style.shadow) / 100.0 * em),
        // Without a box there are no corners to round.
        radius: if has_box { thousandths(f64::from(style.radius) / 100.0 * em) } else { 0.0 },
        highlight: highlight.color,
        bold,
        highlight_back: highlight.back_color,
        grows: style.words == WordDisplay::Grow,
        motion: style.motion,
        rise: if style.motion == Motion::Rise { thousandths(RISE_EM * em) } else { 0.0 },
    }
}

#[cfg(test)]
mod tests;
