//! Writes a view as an ASS file. ASS syntax is generated, and text escaped for it, only here.
//!
//! Each line of text is an event of its own at a fixed place, and boxes are drawings below them, so the renderer makes
//! no layout decisions.

use std::fmt::Write;
use std::slice::from_ref;

use super::backing::{Outline, rounded};
use super::motion::Pose;
use super::scene::{Ink, Scene, Span};
use super::timing::centiseconds_before;
use super::view::{Area, Caption, CaptionView, HorizontalPosition, Look, SpokenWord, TextLine};
use crate::size::Size;
use crate::subtitle::Rgba;
use crate::time::{Fps, Frames};

/// Follows a backslash that is text, so that the next character does not form a command. It is never drawn.
const WORD_JOINER: char = '\u{2060}';

/// The colour of shadows: visible on white, but not a second outline.
const SHADE: Rgba = Rgba { r: 0, g: 0, b: 0, a: 153 };

const NONE: Rgba = Rgba { r: 0, g: 0, b: 0, a: 0 };

/// The ASS file that draws these views, each above the previous ones, over frames of their size and rate, the first of
/// which has time 0.
pub fn to_ass<'v>(views: impl IntoIterator<Item = &'v CaptionView>) -> String {
    let views: Vec<&CaptionView> = views.into_iter().collect();
    let mut file = header(&views);
    for (number, view) in views.iter().enumerate() {
        for caption in &view.captions {
            write_caption(&mut file, view, number, caption);
        }
    }
    file
}

impl CaptionView {
    /// The ASS file that draws this view alone.
    pub fn to_ass(&self) -> String {
        to_ass([self])
    }
}

fn header(views: &[&CaptionView]) -> String {
    let canvas = views.first().map_or(Size::new(0, 0), |view| view.canvas);
    let styles: String = views.iter().enumerate().map(|(number, view)| styles(view, number)).collect();
    format!(
        "[Script Info]\n\
         ScriptType: v4.00+\n\
         PlayResX: {}\n\
         PlayResY: {}\n\
         WrapStyle: 2\n\
         ScaledBorderAndShadow: yes\n\
         Kerning: yes\n\
         \n\
         [V4+ Styles]\n\
         Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, \
         Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, \
         Alignment, MarginL, MarginR, MarginV, Encoding\n\
         {styles}\
         \n\
         [Events]\n\
         Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n",
        canvas.width, canvas.height,
    )
}

fn styles(view: &CaptionView, number: usize) -> String {
    let look = &view.look;
    let (family, size) = view.fonts.first().map_or(("", 0.0), |font| (font.family.as_str(), font.size));
    let outline_width = if look.outline.is_some() { look.outline_width } else { 0.0 };
    let bold = if look.bold { "-1" } else { "0" };
    let shade = if look.shadow > 0.0 { SHADE } else { NONE };
    format!(
        "Style: Text{number},{},{},{text},{text},{},{},{bold},0,0,0,100,100,0,0,1,{},{},2,0,0,0,-1\n\
         Style: Box{number},{},10,{back},{back},{none},{none},0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,-1\n",
        font_name(family),
        decimal(size),
        color(look.outline.unwrap_or(NONE)),
        color(shade),
        decimal(outline_width),
        decimal(look.shadow),
        font_name(family),
        text = color(look.text),
        back = color(look.back.unwrap_or(NONE)),
        none = color(NONE),
    )
}

fn write_caption(file: &mut String, view: &CaptionView, number: usize, caption: &Caption) {
    let (below, above) = (2 * number, 2 * number + 1);
    let mut write = |layer: usize, style: &str, event: &Event| {
        let (from, to) = (timestamp(event.from, view.fps), timestamp(event.to, view.fps));
        // Writing to a string cannot fail.
        let _ = writeln!(file, "Dialogue: {layer},{from},{to},{style}{number},,0,0,0,,{}", event.text);
    };
    let scene = Scene { look: &view.look, caption };
    let words = || caption.lines.iter().flat_map(|line| line.spoken.iter().map(move |word| (line, word)));
    if !caption.backing.is_empty() {
        let radius = view.look.radius;
        let drawn = |frame| {
            let pose = scene.pose(frame);
            let alpha = transparency(view.look.back, pose.opacity);
            let tags = if pose.opacity < 1.0 { format!("\\1a&H{alpha:02X}&") } else { String::new() };
            Some(drawing(&caption.backing, radius, pose, &tags))
        };
        events(&scene.moments(&[]), drawn).iter().for_each(|event| write(below, "Box", event));
    }
    for (line, word) in words().filter(|_| view.look.highlight_back.is_some()) {
        let drawn = |frame| word_box(view, scene, (line, word), frame);
        events(&scene.moments(from_ref(word)), drawn).iter().for_each(|event| write(below, "Box", event));
    }
    for line in &caption.lines {
        let drawn = |frame| Some(line_text(line, view, &scene.spans(line, frame)?, scene.pose(frame)));
        events(&scene.moments(&line.spoken), drawn).iter().for_each(|event| write(above, "Text", event));
    }
    // Words that move are above all lines.
    for (line, word) in words() {
        let drawn = |frame| {
            let pose = scene.word_pose(line, word, frame)?.within(scene.pose(frame));
            Some(line_text(line, view, &scene.spans_of(word, frame), pose))
        };
        events(&scene.moments(from_ref(word)), drawn).iter().for_each(|event| write(above, "Text", event));
    }
}

/// The box behind a word while it is spoken.
fn word_box(
    view: &CaptionView,
    scene: Scene<'_>,
    (line, word): (&TextLine, &SpokenWord),
    frame: Frames,
) -> Option<String> {
    let Area { left, top, right, bottom } = word.area.filter(|_| scene.is_spoken(word, frame))?;
    let [left, top, right, bottom] = [left, top, right, bottom].map(|edge| edge.round() as i32);
    let outline = vec![(right, top), (right, bottom), (left, bottom), (left, top)];
    let pose = scene.word_pose(line, word, frame).unwrap_or(Pose::REST).within(scene.pose(frame));
    Some(drawing(&outline, view.look.radius, pose, &fill_tags(view.look.highlight_back?, pose.opacity)))
}

/// A text or drawing that does not change between two frames.
struct Event {
    from: Frames,
    to: Frames,
    text: String,
}

/// The events of something that changes only on these frames and ends on the last one.
fn events(moments: &[Frames], drawn: impl Fn(Frames) -> Option<String>) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    for (from, to) in moments.iter().zip(moments.iter().skip(1)) {
        let Some(text) = drawn(*from) else { continue };
        match events.last_mut() {
            Some(last) if last.to == *from && last.text == text => last.to = *to,
            _ => events.push(Event { from: *from, to: *to, text }),
        }
    }
    events
}

fn timestamp(frame: Frames, fps: Fps) -> String {
    let centiseconds = centiseconds_before(frame, fps);
    let (seconds, rest) = (centiseconds / 100, centiseconds % 100);
    format!("{}:{:02}:{:02}.{rest:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A filled shape. Its coordinates start at 0, because the renderer aligns a drawing by its extent.
fn drawing(outline: &Outline, radius: f64, pose: Pose, tags: &str) -> String {
    let left_edge = outline.iter().map(|point| point.0).min().unwrap_or(0);
    let top = outline.iter().map(|point| point.1).min().unwrap_or(0);
    let (x, y) = pose.transform.apply((f64::from(left_edge), f64::from(top)));
    let mut text = format!("{{\\pos({},{})", decimal(x), decimal(y));
    push_scale(&mut text, pose);
    text.push_str(tags);
    text.push_str("\\p1}");
    if radius > 0.0 {
        text.push_str(&curves(outline, radius, (f64::from(left_edge), f64::from(top))));
    } else {
        text.push_str(&straight(outline, (left_edge, top)));
    }
    text.push_str("{\\p0}");
    text
}

fn push_scale(text: &mut String, pose: Pose) {
    if pose.transform.scale != 1.0 {
        let percent = decimal(100.0 * pose.transform.scale);
        let _ = write!(text, "\\fscx{percent}\\fscy{percent}");
    }
}

/// A colour's alpha as ASS writes it, for a text of this opacity.
fn transparency(color: Option<Rgba>, opacity: f64) -> u8 {
    let alpha = color.map_or(0.0, |color| f64::from(color.a));
    (255.0 - alpha * opacity).round() as u8
}

fn straight(outline: &Outline, (left, top): (i32, i32)) -> String {
    let mut text = String::new();
    for (i, (x, y)) in outline.iter().enumerate() {
        let command = match i {
            0 => "m ",
            1 => " l ",
            _ => " ",
        };
        let _ = write!(text, "{command}{} {}", x - left, y - top);
    }
    text
}

/// Draws a line to each corner, and a curve around it.
fn curves(outline: &Outline, radius: f64, (left, top): (f64, f64)) -> String {
    let mut text = String::new();
    let point = |(x, y): (f64, f64)| format!("{} {}", decimal(x - left), decimal(y - top));
    for (i, [from, first, second, to]) in
        rounded(outline, radius).into_iter().map(|c| c.map(point)).enumerate()
    {
        let command = if i == 0 { "m" } else { " l" };
        let _ = write!(text, "{command} {from} b {first} {second} {to}");
    }
    text
}

fn line_text(line: &TextLine, view: &CaptionView, spans: &[Span], pose: Pose) -> String {
    let (align, x) = match line.across {
        None => ("", f64::from(view.canvas.width) / 2.0),
        Some(HorizontalPosition::Left(x)) => ("\\an1", x),
        Some(HorizontalPosition::Middle(x)) => ("", x),
        Some(HorizontalPosition::Right(x)) => ("\\an3", x),
    };
    let (x, y) = pose.transform.apply((x, line.bottom));
    let mut text = format!("{{{align}\\pos({},{})", decimal(x), decimal(y));
    push_scale(&mut text, pose);
    let scale = pose.transform.scale;
    if scale != 1.0 {
        let outline_width = if view.look.outline.is_some() { view.look.outline_width } else { 0.0 };
        let (outline, shadow) = (decimal(scale * outline_width), decimal(scale * view.look.shadow));
        let _ = write!(text, "\\bord{outline}\\shad{shadow}");
    }
    if pose.opacity < 1.0 {
        push_alphas(&mut text, &view.look, pose.opacity);
    }
    text.push('}');
    let (mut current, mut at) = (0, 0);
    let mut direction = line.direction;
    for run in &line.runs {
        if run.font != current
            && let Some(font) = view.fonts.get(run.font)
        {
            let _ = write!(text, "{{\\fn{}\\fs{}}}", font_name(&font.family), decimal(font.size));
            current = run.font;
        }
        text.extend(direction.take());
        match run.gap {
            Some(width) => push_gap(&mut text, width, &view.look, pose.opacity),
            None => push_run(&mut text, &run.text, at, (&view.look, spans, pose.opacity)),
        }
        at += run.text.len();
    }
    text
}

/// Adds the text of a run that begins at a line's byte `at`, with the inks of its parts.
fn push_run(text: &mut String, run: &str, at: usize, (look, spans, opacity): (&Look, &[Span], f64)) {
    let place = |byte: usize| byte.saturating_sub(at).min(run.len());
    let mut done = 0;
    for (own, ink) in spans {
        let (from, to) = (place(own.start).max(done), place(own.end));
        if from >= to {
            continue;
        }
        let part = |from, to| escape(run.get(from..to).unwrap_or_default());
        text.push_str(&part(done, from));
        match ink {
            Ink::Plain => text.push_str(&part(from, to)),
            Ink::Highlighted => {
                let lit = fill(look.highlight.unwrap_or(look.text), opacity);
                let _ = write!(text, "{lit}{}{}", part(from, to), fill(look.text, opacity));
            }
            Ink::Hidden => {
                let _ = write!(text, "{{\\alpha&HFF&}}{}{{", part(from, to));
                push_alphas(text, look, opacity);
                text.push('}');
            }
        }
        done = to;
    }
    text.push_str(&escape(run.get(done..).unwrap_or_default()));
}

/// Adds an empty gap of this width: an invisible drawing.
fn push_gap(text: &mut String, width: f64, look: &Look, opacity: f64) {
    let width = decimal(width);
    let _ = write!(text, "{{\\alpha&HFF&\\p1}}m 0 0 l {width} 0 {width} 1 0 1{{\\p0");
    push_alphas(text, look, opacity);
    text.push('}');
}

/// Adds the tags for the opacity of letters, outline and shadow.
fn push_alphas(text: &mut String, look: &Look, opacity: f64) {
    let shade = Some(SHADE).filter(|_| look.shadow > 0.0);
    let _ = write!(
        text,
        "\\1a&H{:02X}&\\3a&H{:02X}&\\4a&H{:02X}&",
        transparency(Some(look.text), opacity),
        transparency(look.outline, opacity),
        transparency(shade, opacity),
    );
}

fn fill(color: Rgba, opacity: f64) -> String {
    format!("{{{}}}", fill_tags(color, opacity))
}

fn fill_tags(color: Rgba, opacity: f64) -> String {
    let Rgba { r, g, b, .. } = color;
    format!("\\1c&H{b:02X}{g:02X}{r:02X}&\\1a&H{:02X}&", transparency(Some(color), opacity))
}

/// Escapes braces and backslashes. Control characters cannot occur here, and are dropped all the same.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '{' => escaped.push_str("\\{"),
            '}' => escaped.push_str("\\}"),
            '\\' => escaped.extend(['\\', WORD_JOINER]),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Removes characters with a meaning in ASS. Family names come from font files; none in use has any of them.
fn font_name(family: &str) -> String {
    family.chars().filter(|c| !c.is_control() && !matches!(c, ',' | '{' | '}' | '\\')).collect()
}

/// A colour as ASS writes it: blue first, and alpha as transparency.
fn color(color: Rgba) -> String {
    let Rgba { r, g, b, a } = color;
    format!("&H{:02X}{b:02X}{g:02X}{r:02X}", 255 - a)
}

/// Up to three decimals, without trailing zeros.
fn decimal(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_reaches_the_syntax() {
        let check = |text: &str, expected: &str| assert_eq!(escape(text), expected);
        check("{hi} \\N \\h", "\\{hi\\} \\\u{2060}N \\\u{2060}h");
        check("\\{\\b1}", "\\\u{2060}\\{\\\u{2060}b1\\}");
        check(
            "C:\\new, %{pts} 'q' \"d\" :textfile=/etc/passwd",
            "C:\\\u{2060}new, %\\{pts\\} 'q' \"d\" :textfile=/etc/passwd",
        );
        check("a\nDialogue: x\r\0", "aDialogue: x");
    }

    #[test]
    fn colours_are_written_backwards_and_inverted() {
        assert_eq!(color(Rgba { r: 0x11, g: 0x22, b: 0x33, a: 0xff }), "&H00332211");
        assert_eq!(color(Rgba { r: 0xff, g: 0, b: 0, a: 0x40 }), "&HBF0000FF");
    }

    #[test]
    fn numbers_and_times() {
        assert_eq!([decimal(50.0), decimal(1.26), decimal(0.0)], ["50", "1.26", "0"]);
        assert_eq!(timestamp(Frames(0), Fps::DEFAULT), "0:00:00.00");
        assert_eq!(timestamp(Frames(30 * 3661), Fps::DEFAULT), "1:01:00.99");
    }

    #[test]
    fn corners_are_rounded_as_far_as_their_edges_are_long() {
        let shape = vec![(70, 10), (70, 30), (30, 30), (30, 10)];
        let text = drawing(&shape, 100.0, Pose::REST, "");
        assert!(text.starts_with("{\\pos(30,10)\\p1}m 30 0 b 35.523 0 40 4.477 40 10 l 40 10 b"), "{text}");
    }

    #[test]
    fn a_drawing_starts_at_its_own_corner() {
        let shape = vec![(70, 10), (70, 30), (30, 30), (30, 10)];
        assert_eq!(drawing(&shape, 0.0, Pose::REST, ""), "{\\pos(30,10)\\p1}m 40 0 l 40 20 0 20 0 0{\\p0}");
    }
}
