//! Lays all cues out on the whole timeline: wrapped, stacked, clamped, in output frames and pixels.

use super::backing::outline;
use super::font::FontMetrics;
use super::runs::FontTable;
use super::stack::{Block, place};
use super::timing::shown_frames;
use super::view::{Caption, CaptionView, FontUse, Look, TextLine, thousandths};
use super::wrap::{Line, Measure};
use super::{Cue, backing};
use crate::media::Size;
use crate::message::{self, Message};
use crate::request::model::{Rgba, SubtitleStyle};
use crate::time::{Fps, Frames};

/// Short side of the picture, in pixels, that an em of `fontSize × magnification` pixels is for.
const DESIGN_SIDE: f64 = 720.0;
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
    warnings: Vec<Message>,
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
    let (drafts, cut) = drafts(cues, fps, total, &geometry, &mut measure);
    let (mut fonts, mut left_out) = (FontTable::new(font, geometry.em), Tally::default());
    let mut captions = Vec::with_capacity(drafts.len());
    for (draft, bottom) in drafts.iter().zip(places(&drafts, style.bottom, &geometry)) {
        match bottom {
            Some(bottom) => captions.push(geometry.caption(draft, bottom, &mut fonts)),
            None => left_out.add(draft.cue),
        }
    }
    let warnings = [cut.warning(message::captions_cut), left_out.warning(message::captions_left_out)];
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

    /// When the first caption is seen that shows between two frames.
    pub fn first_between(&self, from: Frames, until: Frames) -> Option<std::ops::Range<Frames>> {
        let mut showing = self.captions.iter().filter(|caption| caption.end > from && caption.start < until);
        showing.next().map(|caption| caption.start..caption.end)
    }

    /// Distinct characters that no installed font can draw, in order of appearance; at most 32.
    pub fn missing_glyphs(&self) -> &[char] {
        &self.missing
    }

    /// What could not be shown, one line a reason; missing glyphs are not among them.
    pub fn warnings(&self) -> &[Message] {
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

/// The cues in view, wrapped and sorted, and which of them had to be cut.
fn drafts<'a>(
    cues: &'a [Cue],
    fps: Fps,
    total: Frames,
    geometry: &Geometry,
    measure: &mut Measure<'_>,
) -> (Vec<Draft<'a>>, Tally) {
    let mut cut = Tally::default();
    let mut drafts = Vec::new();
    for cue in cues {
        let (start, end) = shown_frames(cue.start_ms, cue.end_ms, fps);
        if start >= total {
            continue;
        }
        let mut lines = measure.wrap(&cue.text, geometry.text_width);
        if lines.len() > geometry.max_lines {
            lines.truncate(geometry.max_lines);
            cut.add(cue);
        }
        drafts.push(Draft { cue, start, end: end.min(total), lines });
    }
    drafts.retain(|draft| !draft.lines.is_empty());
    drafts.sort_by_key(|draft| draft.start);
    (drafts, cut)
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
        let em = em(style, canvas);
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
    fn caption(&self, draft: &Draft<'_>, bottom: u32, fonts: &mut FontTable<'_>) -> Caption {
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

    fn text_line(&self, line: &Line, baseline: f64, fonts: &mut FontTable<'_>) -> TextLine {
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

/// Text takes the same part of every picture: the style's sizes are meant for a short side of [`DESIGN_SIDE`].
fn em(style: &SubtitleStyle, canvas: Size) -> f64 {
    f64::from(style.font_size) * style.magnification * f64::from(canvas.short_side()) / DESIGN_SIDE
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

    fn warning(&self, told: impl Fn(usize, String) -> Message) -> Option<Message> {
        let seconds = self.first_ms / 1000;
        let (h, m, s, ms) = (seconds / 3600, seconds / 60 % 60, seconds % 60, self.first_ms % 1000);
        let (count, first) = (self.count, format!("{h:02}:{m:02}:{s:02}.{ms:03}"));
        (count > 0).then(|| told(count, first))
    }
}

#[cfg(test)]
mod tests {
    use super::super::font::Substitute;
    use super::super::wrap::tests::Grid;
    use super::*;

    /// Grid's em is 20 px here and its lines are 25 px high.
    const STYLE: SubtitleStyle = SubtitleStyle {
        font_size: 10,
        font_color: Rgba::WHITE,
        outline_color: None,
        back_color: None,
        bottom: 30,
        magnification: 7.2,
    };
    const BACK: Option<Rgba> = Some(Rgba { r: 0, g: 0, b: 0, a: 128 });

    fn track(cues: &[(u64, u64, &str)], style: &SubtitleStyle) -> CaptionTrack {
        let cue =
            |&(start_ms, end_ms, text): &(u64, u64, &str)| Cue { start_ms, end_ms, text: text.to_owned() };
        let cues: Vec<Cue> = cues.iter().map(cue).collect();
        lay_out(&cues, style, Size::new(400, 200), Fps::DEFAULT, Frames(300), &Grid)
    }

    /// Each line as `start..end bottom text`, with its caption's times.
    fn check(view: Option<CaptionView>, expected: &[&str]) {
        let captions = view.map(|view| view.captions).unwrap_or_default();
        let show = |caption: &Caption| -> Vec<String> {
            let (start, end) = (caption.start.0, caption.end.0);
            let text = |line: &TextLine| line.runs.iter().map(|run| run.text.as_str()).collect::<String>();
            caption
                .lines
                .iter()
                .map(|line| format!("{start}..{end} {} {}", line.bottom, text(line)))
                .collect()
        };
        assert_eq!(captions.iter().flat_map(show).collect::<Vec<_>>(), expected);
    }

    fn whole(track: &CaptionTrack) -> Option<CaptionView> {
        track.view(Frames(0), Frames(300))
    }

    #[test]
    fn text_grows_with_the_picture_and_bottom_does_not() {
        let style = SubtitleStyle { font_size: 14, magnification: 2.5, ..STYLE };
        for (size, expected) in [
            (Size::new(720, 1280), 35.0),
            (Size::new(1280, 720), 35.0),
            (Size::new(1080, 1920), 52.5),
            (Size::new(1920, 1080), 52.5),
            (Size::new(1080, 1080), 52.5),
            (Size::new(360, 640), 17.5),
        ] {
            let cue = Cue { start_ms: 0, end_ms: 1000, text: "国".to_owned() };
            let track = lay_out(&[cue], &style, size, Fps::DEFAULT, Frames(30), &Grid);
            let view = whole(&track).unwrap();
            let expected_size = thousandths(expected * Grid.em_to_ass());
            let expected_look = thousandths(expected * OUTLINE);
            assert_eq!((view.fonts[0].size, view.look.outline_width), (expected_size, expected_look));
            assert_eq!(view.captions[0].lines[0].bottom, f64::from(size.height - 30), "{size}");
        }
    }

    #[test]
    fn lines_stand_on_the_bottom_distance() {
        let track =
            track(&[(1000, 2000, "one"), (3000, 3001, "two\nthree"), (10_000, 11_000, "late")], &STYLE);
        check(whole(&track), &["30..60 170 one", "90..91 145 two", "90..91 170 three"]);
    }

    #[test]
    fn overlapping_cues_stack_and_stay_where_they_are() {
        let track = track(&[(0, 2000, "a"), (1000, 4000, "b"), (3000, 5000, "c")], &STYLE);
        check(whole(&track), &["0..60 170 a", "30..120 145 b", "90..150 170 c"]);
        check(track.view(Frames(75), Frames(5)), &["0..5 145 b"]);
        check(track.view(Frames(150), Frames(150)), &[]);
    }

    #[test]
    fn equal_content_gives_equal_views_wherever_it_lies() {
        let track = track(&[(0, 2000, "a"), (4000, 6000, "a"), (7000, 9000, "b")], &STYLE);
        let view = |start| track.view(Frames(start), Frames(45));
        assert!(view(0).is_some() && view(0) == view(120));
        assert_ne!(view(0), view(210));
        assert_ne!(view(0), view(119));
        check(view(30), &["0..30 170 a"]);
    }

    #[test]
    fn a_far_bottom_is_clamped_and_a_long_text_cut() {
        let high = SubtitleStyle { bottom: 1000, ..STYLE };
        check(whole(&track(&[(0, 1000, "a\nb")], &high)), &["0..30 25 a", "0..30 50 b"]);
        let long = track(&[(0, 1000, "1\n2\n3\n4\n5\n6\n7\n8\n9")], &STYLE);
        assert_eq!(whole(&long).map(|view| view.captions[0].lines.len()), Some(8));
        assert_eq!(
            long.warnings(),
            [
                "1 of the captions have more lines than the picture has room for and are cut, the first at 00:00:00.000"
            ]
        );
    }

    #[test]
    fn the_box_reaches_from_the_bottom_distance_around_the_text() {
        let boxed = SubtitleStyle { back_color: BACK, ..STYLE };
        let view = whole(&track(&[(0, 1000, "abcd")], &boxed)).unwrap();
        // Two em of text and 0.3 em on each side; a line's height and 0.05 em above and below.
        assert_eq!(view.captions[0].backing, [(226, 143), (226, 170), (174, 170), (174, 143)]);
        check(Some(view), &["0..30 169 abcd"]);
    }

    #[test]
    fn a_bare_text_gets_a_black_outline() {
        let outline = |style: &SubtitleStyle| look(style, 20.0).outline;
        let red = Some(Rgba { r: 255, g: 0, b: 0, a: 255 });
        assert_eq!(outline(&STYLE), Some(Rgba::BLACK));
        assert_eq!(outline(&SubtitleStyle { back_color: BACK, ..STYLE }), None);
        assert_eq!(outline(&SubtitleStyle { back_color: BACK, outline_color: red, ..STYLE }), red);
    }

    #[test]
    fn too_many_at_once_are_left_out_with_a_warning() {
        let many = [(1500, 3000, "x"); 12];
        let track = track(&many, &STYLE);
        assert_eq!(whole(&track).map(|view| view.captions.len()), Some(8));
        assert_eq!(
            track.warnings(),
            ["4 of the captions are left out because too many are shown at once, the first at 00:00:01.500"]
        );
    }

    #[test]
    fn a_caption_of_nothing_drawable_is_not_there() {
        let track = track(&[(0, 1000, "\u{1f600}")], &STYLE);
        assert_eq!((whole(&track), track.missing_glyphs()), (None, ['\u{1f600}'].as_slice()));
    }

    /// Grid with a font that steps in for Greek.
    struct WithGreek;

    impl FontMetrics for WithGreek {
        fn family(&self) -> &str {
            Grid.family()
        }
        fn identity(&self) -> &str {
            Grid.identity()
        }
        fn em_to_ass(&self) -> f64 {
            Grid.em_to_ass()
        }
        fn ascent(&self) -> f64 {
            Grid.ascent()
        }
        fn descent(&self) -> f64 {
            Grid.descent()
        }
        fn advance(&self, c: char) -> Option<f64> {
            Grid.advance(c)
        }
        fn substitute(&self, c: char) -> Option<Substitute> {
            ('α'..='ω').contains(&c).then(|| Substitute {
                family: "Hellas".to_owned(),
                identity: "hellas-1".to_owned(),
                em_to_ass: 1.5,
                descent: 0.5,
            })
        }
    }

    #[test]
    fn another_font_steps_in_without_moving_the_baseline() {
        let cues = [("ab αβ\u{301} c", 0), ("ab", 2000)].map(|(text, start_ms)| Cue {
            start_ms,
            end_ms: start_ms + 1000,
            text: text.to_owned(),
        });
        let track = lay_out(&cues, &STYLE, Size::new(400, 200), Fps::DEFAULT, Frames(300), &WithGreek);
        let ass = track.view(Frames(0), Frames(30)).unwrap().to_ass();
        let expected = "{\\pos(200,175)}ab {\\fnHellas\\fs30}αβ\u{301}{\\fnGrid\\fs25} c\n";
        assert!(ass.ends_with(expected), "{ass}");
        let plain = track.view(Frames(60), Frames(30)).unwrap();
        assert_eq!(plain.fonts.len(), 1);
        check(Some(plain), &["0..30 170 ab"]);
    }
}
