//! Captions as the renderer actually draws them: sizes, positions, times and colours, measured in pixels.

#![allow(
    clippy::disallowed_methods,
    reason = "the renderer is started directly: what is tested is the ASS file alone"
)]

use std::process::Command;

use clipmill_core::media::Size;
use clipmill_core::request::model::{Rgba, SubtitleStyle, Weight};
use clipmill_core::subtitle::{CaptionView, Cue, FontMetrics, is_invisible, lay_out};
use clipmill_core::time::{Fps, Frames};
use clipmill_media::fonts::Fonts;

use crate::support::every_nth;

pub const CANVAS: Size = Size::new(1280, 720);
/// The output sizes of the API, and sizes of smaller videos.
const CANVASES: [Size; 7] = [
    CANVAS,
    Size::new(720, 1280),
    Size::new(1080, 1920),
    Size::new(1920, 1080),
    Size::new(1080, 1350),
    Size::new(360, 640),
    Size::new(426, 240),
];
/// Luma of the flat frame under the captions: grey 128 in limited range.
pub const GROUND: u8 = 126;
const CLEAR: Option<Rgba> = Some(Rgba { r: 0, g: 0, b: 0, a: 0 });

/// White text without anything around it, so that all ink is text.
pub const STYLE: SubtitleStyle = SubtitleStyle {
    font_size: 14,
    font_color: Rgba::WHITE,
    outline_color: CLEAR,
    back_color: None,
    bottom: 50,
    magnification: 2.5,
    ..SubtitleStyle::DEFAULT
};

pub fn sized(font_size: u32, magnification: f64) -> SubtitleStyle {
    SubtitleStyle { font_size, magnification, ..STYLE }
}

pub fn fonts() -> Fonts {
    Fonts::load(None).unwrap()
}

/// Luma planes of `frames` frames with `cues` (milliseconds and text) drawn on them.
pub fn render(cues: &[(u64, u64, &str)], style: &SubtitleStyle, fps: Fps, frames: u64) -> Vec<Vec<u8>> {
    render_on(CANVAS, cues, style, fps, frames)
}

pub fn render_on(
    canvas: Size,
    cues: &[(u64, u64, &str)],
    style: &SubtitleStyle,
    fps: Fps,
    frames: u64,
) -> Vec<Vec<u8>> {
    let cue = |&(start_ms, end_ms, text): &(u64, u64, &str)| Cue {
        start_ms,
        end_ms,
        text: text.to_owned(),
        times: vec![],
    };
    let cues: Vec<Cue> = cues.iter().map(cue).collect();
    let track = lay_out(&cues, style, canvas, fps, Frames(frames), &fonts());
    let view = track.view(Frames(0), Frames(frames)).expect("a caption is in view");
    render_view(&view, canvas, fps, frames)
}

pub fn render_view(view: &CaptionView, canvas: Size, fps: Fps, frames: u64) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("view.ass"), view.to_ass()).unwrap();
    let source = format!("color=c=0x808080:s={canvas}:r={},format=yuv420p", fps.get());
    let output = Command::new("ffmpeg")
        .current_dir(folder.path())
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", &source, "-vf", "ass=view.ass"])
        .args(["-frames:v", &frames.to_string(), "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
        .output()
        .expect("ffmpeg with libass is needed for this test: install the package ffmpeg");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let luma = (canvas.width * canvas.height) as usize;
    let planes: Vec<Vec<u8>> =
        output.stdout.chunks(luma * 3 / 2).map(|frame| frame[..luma].to_vec()).collect();
    assert_eq!(planes.len() as u64, frames);
    planes
}

pub fn render_frame(text: &str, style: &SubtitleStyle) -> Vec<u8> {
    render(&[(0, 1000, text)], style, Fps::DEFAULT, 1).remove(0)
}

/// The box around the pixels that differ from the background; `right` and `bottom` are just outside of it.
#[derive(Debug, Clone, Copy)]
pub struct Ink {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
}

pub fn ink(picture: &[u8]) -> Option<Ink> {
    extent(picture, CANVAS, |luma| luma.abs_diff(GROUND) >= 40)
}

/// The box around the selected pixels.
pub fn extent(picture: &[u8], canvas: Size, wanted: impl Fn(u8) -> bool) -> Option<Ink> {
    let mut extent: Option<Ink> = None;
    for (i, _) in picture.iter().enumerate().filter(|(_, luma)| wanted(**luma)) {
        let (x, y) = (i as u32 % canvas.width, i as u32 / canvas.width);
        let so_far = extent.unwrap_or(Ink { left: x, top: y, right: x, bottom: y });
        extent = Some(Ink {
            left: so_far.left.min(x),
            top: so_far.top.min(y),
            right: so_far.right.max(x + 1),
            bottom: so_far.bottom.max(y + 1),
        });
    }
    extent
}

pub fn close(found: u32, expected: f64, within: f64, what: &str) {
    assert!((f64::from(found) - expected).abs() <= within, "{what}: found {found}, expected {expected:.1}");
}

/// Lowest and highest point of a character's outline in em, read from the font file.
fn glyph_extent(c: char) -> (f64, f64) {
    let mut database = fontdb::Database::new();
    database.load_system_fonts();
    let is_caption_font = |info: &&fontdb::FaceInfo| {
        info.families.iter().any(|(name, _)| name == "Noto Sans CJK SC")
            && info.weight == fontdb::Weight::NORMAL
    };
    let id = database.faces().find(is_caption_font).expect("install the package fonts-noto-cjk").id;
    let extent = database.with_face_data(id, |data, index| {
        let face = ttf_parser::Face::parse(data, index).unwrap();
        let area = face.glyph_bounding_box(face.glyph_index(c).unwrap()).unwrap();
        let em = f64::from(face.units_per_em());
        (f64::from(area.y_min) / em, f64::from(area.y_max) / em)
    });
    extent.unwrap()
}

#[test]
fn the_em_is_font_size_times_magnification_above_bottom() {
    let descent = fonts().descent();
    for (font_size, magnification, em) in [(10, 1.0, 10.0), (14, 2.5, 35.0), (17, 3.3, 56.1), (18, 5.0, 90.0)]
    {
        for c in ['国', 'H', 'g'] {
            let style = sized(font_size, magnification);
            let extent = ink(&render_frame(&c.to_string(), &style)).unwrap();
            let (low, high) = glyph_extent(c);
            let baseline = f64::from(CANVAS.height - style.bottom) - descent * em;
            close(extent.bottom - extent.top, (high - low) * em, 2.0, &format!("height of {c} at {em}"));
            close(extent.bottom, baseline - low * em, 2.0, &format!("lower edge of {c} at {em}"));
            close((extent.left + extent.right) / 2, 640.0, 0.1 * em, &format!("middle of {c} at {em}"));
        }
    }
}

#[test]
fn text_scales_with_the_output() {
    let descent = fonts().descent();
    for canvas in CANVASES {
        let em = 35.0 * f64::from(canvas.short_side()) / 720.0;
        for c in ['国', 'H', 'g'] {
            let frames = render_on(canvas, &[(0, 1000, &c.to_string())], &STYLE, Fps::DEFAULT, 1);
            let bounds = extent(&frames[0], canvas, |luma| luma.abs_diff(GROUND) >= 40).unwrap();
            let (low, high) = glyph_extent(c);
            let baseline = f64::from(canvas.height - STYLE.bottom) - descent * em;
            close(bounds.bottom - bounds.top, (high - low) * em, 2.0, &format!("height of {c} on {canvas}"));
            close(bounds.bottom, baseline - low * em, 2.0, &format!("lower edge of {c} on {canvas}"));
        }
    }
}

#[test]
fn boxes_are_as_wide_as_their_text() {
    for weight in every_nth(2, [Weight::Regular, Weight::Bold]) {
        boxes_fit(&SubtitleStyle { back_color: Some(Rgba::BLACK), outline_color: None, weight, ..STYLE });
    }
}

fn boxes_fit(style: &SubtitleStyle) {
    let fonts = fonts();
    for (name, text) in [
        ("Chinese", "国国国国"),
        ("Latin, kerned", "AVAVA To We"),
        ("Latin with marks", "e\u{301}a\u{308}o\u{302}u\u{300}n\u{303}c\u{327}"),
        ("Arabic", "السلام عليكم"),
        ("Arabic, joined", "لالالالا كتابه"),
        ("Arabic with marks", "مُحَمَّد"),
        ("Arabic digits", "عام ٢٠٢٦ م"),
        ("Hebrew", "שלום עולם"),
        ("Hebrew with points", "שָׁלוֹם"),
        ("Thai", "สวัสดีชาวโลก ที่นี่"),
        ("Hindi", "नमस्ते दुनिया क्षत्रिय"),
        ("both directions", "abc שלום 123 السلام xyz"),
        ("Greek and Cyrillic", "Καλημέρα Привет"),
        ("Vietnamese", "Tiếng Việt, chữ Quốc ngữ"),
        ("Korean", "안녕하세요 세계"),
        ("Japanese", "国はひろい国"),
        ("curly quotes", "It’s “magic” – col·lecció…"),
        ("joiners", "می\u{200c}خواهم"),
    ] {
        if !text.chars().all(|c| is_invisible(c) || fonts.advance(c).is_some()) {
            eprintln!("no installed font has {name}: it is skipped");
            continue;
        }
        for canvas in [Size::new(1080, 1920), Size::new(426, 240)] {
            let em = 35.0 * f64::from(canvas.short_side()) / 720.0;
            let mut frame = render_on(canvas, &[(0, 1000, text)], style, Fps::DEFAULT, 1).remove(0);
            let back = extent(&frame, canvas, |luma| luma < 60).unwrap();
            for (i, luma) in frame.iter_mut().enumerate() {
                let (x, y) = (i as u32 % canvas.width, i as u32 / canvas.width);
                let within = (back.left..back.right).contains(&x) && (back.top..back.bottom).contains(&y);
                *luma = if within { *luma } else { 0 };
            }
            let bounds = extent(&frame, canvas, |luma| luma > 100).unwrap();
            // A letter's own margins, and the renderer's grid.
            let (left, right) = (bounds.left - back.left, back.right - bounds.right);
            // It treats points below Hebrew as wider than they are when it looks for the middle.
            let aside = if name == "Hebrew with points" { 0.1 * em } else { 0.0 };
            for (side, gap) in [("left", left), ("right", right)] {
                close(gap, 0.3 * em, 0.12 * em + 2.0 + aside, &format!("{name} on {canvas}, {side}"));
            }
        }
    }
}

#[test]
fn long_lines_stay_inside_the_safe_area() {
    let words = "Wörter und Sätze, die nicht in eine Zeile passen, ".repeat(6);
    for text in ["每一行都应该保持在安全区域之内,".repeat(12), words, "W".repeat(200)] {
        for back_color in [None, Some(Rgba::BLACK)] {
            let style = SubtitleStyle { back_color, ..STYLE };
            let extent = ink(&render_frame(&text, &style)).unwrap();
            assert!(extent.left >= 64 && extent.right <= 1216, "{extent:?}");
            assert!(extent.right - extent.left > 900 && extent.bottom - extent.top > 80, "{extent:?}");
        }
    }
}

#[test]
fn a_caption_is_shown_on_exactly_its_frames() {
    for rate in Fps::ALLOWED {
        let fps = Fps::new(rate).unwrap();
        let frames = render(&[(0, 100, "a"), (333, 667, "b"), (700, 701, "c")], &STYLE, fps, 50);
        let frame = |ms: u64| (ms * u64::from(rate) + 500) / 1000;
        let single = frame(700);
        for (n, picture) in (0_u64..).zip(&frames) {
            let expected = n < frame(100) || (frame(333)..frame(667)).contains(&n) || n == single;
            assert_eq!(ink(picture).is_some(), expected, "frame {n} at {rate}");
        }
    }
}

#[test]
fn the_box_has_its_colour_its_alpha_and_its_place() {
    let back_color = Some(Rgba { r: 0, g: 0, b: 0, a: 128 });
    let style = SubtitleStyle { back_color, outline_color: None, ..STYLE };
    let frame = render_frame("国国国国", &style);
    let extent = ink(&frame).unwrap();
    assert_eq!(extent.bottom, CANVAS.height - style.bottom);
    close(extent.right - extent.left, 35.0 * (4.0 + 2.0 * 0.3), 1.0, "width of the box");
    let corner = frame[((extent.bottom - 2) * CANVAS.width + extent.left + 2) as usize];
    close(u32::from(corner), f64::from(GROUND) + (16.0 - f64::from(GROUND)) * 128.0 / 255.0, 2.0, "luma");
}

#[test]
fn the_outline_is_six_hundredths_of_an_em() {
    let extent = |outline_color| {
        let style = SubtitleStyle { outline_color, ..sized(18, 5.0) };
        ink(&render_frame("H", &style)).unwrap()
    };
    let (bare, outlined) = (extent(CLEAR), extent(None));
    close(bare.left - outlined.left, 0.06 * 90.0, 1.0, "outline to the left");
    close(outlined.bottom - bare.bottom, 0.06 * 90.0, 1.0, "outline below");
}

#[test]
fn codes_in_text_are_drawn_as_text() {
    let text = r"\N {hi} \h C:\new {\fs200} %{pts} {\p1}m 0 0 l 9 9";
    let extent = ink(&render_frame(text, &STYLE)).unwrap();
    let fonts = fonts();
    let width: f64 = text.chars().filter_map(|c| fonts.advance(c)).sum();
    close(extent.right - extent.left, width * 35.0, 0.5 * 35.0, "width of the whole text");
    close(extent.bottom - extent.top, 35.0, 10.0, "height of one line");
}

#[test]
fn high_and_stacked_captions_stay_in_the_frame() {
    let high = SubtitleStyle { bottom: 1000, ..STYLE };
    let extent = ink(&render_frame("bottom is far\nabove the top", &high)).unwrap();
    assert!(extent.top > 0 && extent.bottom < 110, "{extent:?}");

    let one = ink(&render_frame("国", &STYLE)).unwrap();
    let frames = render(&[(0, 2000, "国"), (500, 2000, "国")], &STYLE, Fps::DEFAULT, 31);
    let (before, after) = (ink(&frames[0]).unwrap(), ink(&frames[30]).unwrap());
    assert_eq!((before.top, before.bottom), (one.top, one.bottom));
    assert_eq!(after.bottom, one.bottom);
    close(one.top - after.top, 1.448 * 35.0, 1.0, "height of the line above");
}
