//! Lays all cues out on the whole timeline: wrapped, stacked, clamped, in output frames and pixels.

use super::backing::outline;
use super::font::{FontMetrics, Substitute, is_invisible};
use super::stack::{Block, place};
use super::timing::shown_frames;
use super::view::{Caption, CaptionView, FontUse, Look, Run, TextLine};
use super::wrap::{Line, Measure};
use super::{Cue, backing};
use crate::media::Size;
use crate::request::model::{Rgba, SubtitleStyle};
use crate::time::{Fps, Frames};

/// Lines stay inside this part of the width, box included.
const SAFE_WIDTH: f64 = 0.9;
/// In em, as all lengths below.
const OUTLINE: f64 = 0.06;
const PADDING_X: f64 = 0.3;
const PADDING_Y: f64 = 0.05;
/// Rows of a box that differ by less than this become equally wide.
const LEAST_STEP: f64 = 0.4;

/// Cues laid out on a whole timeline; [`view`](CaptionTrack::view) cuts out what one segment shows.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptionTrack {
    canvas: Size,
    fps: Fps,
    look: Look,
    fonts: Vec<FontUse>,
    /// Sorted by start.
    captions: Vec<Caption>,
    missing: Vec<char>,
    warnings: Vec<String>,
}

/// Lays `cues` out on a canvas of `size`, `total` frames long. Cues after the end are not in view; those
/// there is no room for are left out and counted in [`CaptionTrack::warnings`].
pub fn lay_out(
    cues: &[Cue],
    style: &SubtitleStyle,
    size: Size,
    fps: Fps,
    total: Frames,
    font: &dyn FontMetrics,
) -> CaptionTrack {
    let geometry = Geometry::new(style, size, font);
    let mut measure = Measure::new(font);
    let mut drafts = drafts(cues, fps, total);
    let mut cut = Tally::default();
    for draft in &mut drafts {
        draft.lines = measure.wrap(&draft.cue.text, geometry.text_width);
        if draft.lines.len() > geometry.max_lines {
            draft.lines.truncate(geometry.max_lines);
            cut.add(draft.cue);
        }
    }
    let (mut fonts, mut left_out) = (Fonts::new(font, geometry.em), Tally::default());
    let mut captions = Vec::with_capacity(drafts.len());
    for (draft, bottom) in drafts.iter().zip(places(&drafts, style.bottom, &geometry)) {
        match bottom {
            Some(bottom) => captions.push(geometry.caption(draft, bottom, &mut fonts)),
            None => left_out.add(draft.cue),
        }
    }
    let warnings = [
        cut.warning("have more lines than the picture has room for and are cut"),
        left_out.warning("are left out because too many are shown at once"),
    ];
    CaptionTrack {
        canvas: size,
        fps,
        look: look(style, geometry.em),
        fonts: fonts.used,
        captions,
        missing: measure.into_missing(),
        warnings: warnings.into_iter().flatten().collect(),
    }
}

impl CaptionTrack {
    /// What is shown during `len` frames from `start`, with times relative to `start`; `None` if nothing is.
    pub fn view(&self, start: Frames, len: Frames) -> Option<CaptionView> {
        let end = start + len;
        let begun = self.captions.partition_point(|caption| caption.start < end);
        let in_view = self.captions.iter().take(begun).filter(|caption| caption.end > start);
        let mut captions: Vec<Caption> = in_view.map(|caption| clip(caption, start, end)).collect();
        let fonts = self.keep_used_fonts(&mut captions);
        (!captions.is_empty()).then(|| CaptionView {
            canvas: self.canvas,
            fps: self.fps,
            look: self.look.clone(),
            fonts,
            captions,
        })
    }

    /// Distinct characters that no installed font can draw, in order of appearance; at most 32.
    pub fn missing_glyphs(&self) -> &[char] {
        &self.missing
    }

    /// What could not be shown, one line a reason; missing glyphs are not among them.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The fonts that `captions` use, the caption font always first, and `captions` counting by them.
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

fn clip(caption: &Caption, start: Frames, end: Frames) -> Caption {
    Caption {
        start: Frames(caption.start.0.saturating_sub(start.0)),
        end: Frames(caption.end.min(end).0 - start.0),
        ..caption.clone()
    }
}

/// A cue on its way to its place.
struct Draft<'a> {
    cue: &'a Cue,
    start: Frames,
    end: Frames,
    lines: Vec<Line>,
}

fn drafts(cues: &[Cue], fps: Fps, total: Frames) -> Vec<Draft<'_>> {
    let mut drafts: Vec<Draft<'_>> = cues
        .iter()
        .map(|cue| (cue, shown_frames(cue.start_ms, cue.end_ms, fps)))
        .filter(|(_, (start, _))| *start < total)
        .map(|(cue, (start, end))| Draft { cue, start, end: end.min(total), lines: Vec::new() })
        .collect();
    drafts.sort_by_key(|draft| draft.start);
    drafts
}

fn places(drafts: &[Draft<'_>], bottom: u32, geometry: &Geometry) -> Vec<Option<u32>> {
    let block = |draft: &Draft<'_>| Block {
        start: draft.start.0,
        end: draft.end.0,
        height: geometry.block_height(draft.lines.len()),
    };
    let blocks: Vec<Block> = drafts.iter().map(block).collect();
    place(&blocks, bottom, geometry.canvas.height)
}

/// Lengths in output pixels, unless said otherwise.
struct Geometry {
    canvas: Size,
    em: f64,
    descent: f64,
    line_height: f64,
    padding_x: f64,
    padding_y: f64,
    has_box: bool,
    /// In em.
    text_width: f64,
    max_lines: usize,
}

impl Geometry {
    fn new(style: &SubtitleStyle, canvas: Size, font: &dyn FontMetrics) -> Self {
        let em = f64::from(style.font_size) * style.magnification;
        let has_box = style.back_color.is_some();
        let (padding_x, padding_y) = if has_box { (PADDING_X * em, PADDING_Y * em) } else { (0.0, 0.0) };
        let line_height = (font.ascent() + font.descent()) * em;
        let rows = (f64::from(canvas.height) - 2.0 * padding_y) / line_height;
        Self {
            canvas,
            em,
            descent: font.descent() * em,
            line_height,
            padding_x,
            padding_y,
            has_box,
            text_width: (f64::from(canvas.width) * SAFE_WIDTH - 2.0 * padding_x) / em,
            max_lines: (rows as usize).max(1),
        }
    }

    fn block_height(&self, lines: usize) -> u32 {
        (lines as f64 * self.line_height + 2.0 * self.padding_y).floor() as u32
    }

    /// `bottom` is the place of the lower edge, in pixels above that of the canvas.
    fn caption(&self, draft: &Draft<'_>, bottom: u32, fonts: &mut Fonts<'_>) -> Caption {
        let low = f64::from(self.canvas.height) - f64::from(bottom) - self.padding_y;
        let count = draft.lines.len();
        let lines = draft.lines.iter().enumerate().map(|(i, line)| {
            let line_bottom = low - (count - 1 - i) as f64 * self.line_height;
            self.text_line(line, line_bottom - self.descent, fonts)
        });
        Caption {
            start: draft.start,
            end: draft.end,
            lines: lines.collect(),
            backing: if self.has_box { self.backing(&draft.lines, low) } else { Vec::new() },
        }
    }

    fn text_line(&self, line: &Line, baseline: f64, fonts: &mut Fonts<'_>) -> TextLine {
        let runs = fonts.runs(&line.text);
        let descents = runs.iter().filter_map(|run| fonts.descents.get(run.font));
        let descent = descents.fold(0.0_f64, |deepest, own| deepest.max(*own));
        TextLine { bottom: thousandths(baseline + descent * self.em), runs }
    }

    /// `low` is the lower edge of the last line.
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
        outline(center, &edges, &halves, (LEAST_STEP * self.em).round() as i32)
    }
}

fn look(style: &SubtitleStyle, em: f64) -> Look {
    let bare = style.outline_color.is_none() && style.back_color.is_none();
    Look {
        text: style.font_color,
        outline: style.outline_color.or(bare.then_some(Rgba::BLACK)),
        outline_width: thousandths(OUTLINE * em),
        back: style.back_color,
    }
}

/// The caption font and those that stepped in so far; `descents` in em, one a font.
struct Fonts<'a> {
    font: &'a dyn FontMetrics,
    em: f64,
    used: Vec<FontUse>,
    descents: Vec<f64>,
}

impl<'a> Fonts<'a> {
    fn new(font: &'a dyn FontMetrics, em: f64) -> Self {
        let main = Substitute {
            family: font.family().to_owned(),
            identity: font.identity().to_owned(),
            em_to_ass: font.em_to_ass(),
            descent: font.descent(),
        };
        let mut fonts = Self { font, em, used: Vec::new(), descents: Vec::new() };
        fonts.index_of(main);
        fonts
    }

    fn index_of(&mut self, font: Substitute) -> usize {
        let known =
            self.used.iter().position(|used| used.family == font.family && used.identity == font.identity);
        known.unwrap_or_else(|| {
            let size = thousandths(self.em * font.em_to_ass);
            self.used.push(FontUse { family: font.family, identity: font.identity, size });
            self.descents.push(font.descent);
            self.used.len() - 1
        })
    }

    /// Cuts text where its font changes; marks stay with what they stand on.
    fn runs(&mut self, text: &str) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for c in text.chars() {
            let font = self.font_of(c);
            match runs.last_mut() {
                Some(run) if font.is_none_or(|font| font == run.font) => run.text.push(c),
                _ => runs.push(Run { font: font.unwrap_or(0), text: c.to_string() }),
            }
        }
        runs
    }

    /// `None` for what takes the font of the character before it.
    fn font_of(&mut self, c: char) -> Option<usize> {
        if c.is_ascii() {
            return Some(0);
        }
        if is_invisible(c) || self.font.advance(c) == Some(0.0) {
            return None;
        }
        match self.font.substitute(c) {
            Some(substitute) => Some(self.index_of(substitute)),
            None => Some(0),
        }
    }
}

fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Counts cues that share a fate, and knows when the first begins.
#[derive(Default)]
struct Tally {
    count: usize,
    first_ms: u64,
}

impl Tally {
    fn add(&mut self, cue: &Cue) {
        if self.count == 0 {
            self.first_ms = cue.start_ms;
        }
        self.count += 1;
    }

    fn warning(&self, fate: &str) -> Option<String> {
        let seconds = self.first_ms / 1000;
        let (h, m, s, ms) = (seconds / 3600, seconds / 60 % 60, seconds % 60, self.first_ms % 1000);
        let (count, first) = (self.count, format!("{h:02}:{m:02}:{s:02}.{ms:03}"));
        (count > 0).then(|| format!("{count} of the captions {fate}, the first at {first}"))
    }
}
