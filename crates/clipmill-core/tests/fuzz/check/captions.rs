//! Properties of every subtitle file, and of every text in one. The fuzz targets include this file too.

use clipmill_core::media::Size;
use clipmill_core::request::model::{CaptionPlace, Highlight, Motion, Rgba, SubtitleStyle, WordDisplay};
use clipmill_core::subtitle::{
    CaptionText, Cue, FontMetrics, InlineTime, Pauses, Subtitles, TextPlace, align_to_voice, lay_out,
    lay_out_text, parse, split_text, spread_evenly,
};
use clipmill_core::time::{Fps, Frames};

/// Reads the file, and draws its text.
pub fn check_file(bytes: &[u8]) {
    let Ok(Subtitles { cues, skipped }) = parse(bytes) else { return };
    assert!(skipped.warning().is_none_or(|warning| warning.len() < 1_000));
    for cue in &cues {
        assert!(cue.start_ms < cue.end_ms && !cue.text.trim().is_empty(), "{cue:?}");
        assert!(!cue.text.chars().any(|c| c.is_control() && c != '\n'), "{cue:?}");
    }
    check_drawn(&cues);
    check_moving(&cues);
}

/// Draws a text unchanged, as it may be in a cue.
pub fn check_text(text: &str) {
    let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    check_standing(&text);
    check_split(&text);
    let cue = Cue { start_ms: 0, end_ms: 2_000, text, times: vec![] };
    check_drawn(std::slice::from_ref(&cue));
    check_moving(&[cue]);
}

/// Splits the text into captions, which must be shown one after another, and draws them.
fn check_split(text: &str) {
    let texts = split_text(text, &STYLE, Size::new(720, 1280), &Even);
    let is_caption = |text: &str| !text.trim().is_empty() && !text.contains('\n');
    assert!(texts.iter().all(|caption| is_caption(&caption.text)), "{texts:?}");
    let cues = spread_evenly(&texts, 0..30_000).cues;
    assert!(cues.windows(2).all(|pair| pair[0].start_ms <= pair[1].start_ms), "{cues:?}");
    check_drawn(&cues);
    check_alignment(&texts);
}

/// Aligns the captions with a voice that has a pause about every 300 ms; they follow each other if it fits.
fn check_alignment(texts: &[CaptionText]) {
    let words = texts.iter().map(|caption| caption.text.len() as u32 / 5 + 1).sum::<u32>().min(400);
    let pauses = (1..words).map(|word| (word * 300 - word % 7 * 30, word * 300 + 50)).collect();
    let Ok(cues) = align_to_voice(texts, &Pauses { pauses, end_ms: words * 300 }, 90_000) else { return };
    assert_eq!(cues.len(), texts.len());
    assert!(cues.windows(2).all(|pair| pair[0].start_ms <= pair[1].start_ms), "{cues:?}");
    for cue in &cues {
        let is_inside = |time: &InlineTime| (cue.start_ms..=cue.end_ms).contains(&time.ms);
        assert!(cue.start_ms < cue.end_ms && cue.times.iter().all(is_inside), "{cue:?}");
    }
    check_drawn(&cues);
}

/// Draws the text as an overlay, which must not exceed the frame.
fn check_standing(text: &str) {
    let (size, fps) = (Size::new(720, 1280), Fps::new(30).unwrap());
    for (parts, margin) in [((0.0, 0.0), Some(0.0)), ((1.0, 1.0), Some(900.0)), ((0.3, 1.0), None)] {
        let at = TextPlace { parts, margin, max_width: 0.1 };
        let track = lay_out_text(text, &STYLE, at, (size, fps), (Frames(3)..Frames(60), &[]), &Even);
        let Some(view) = track.view(Frames(0), Frames(30)) else { continue };
        check_ass(&view.to_ass());
        for emoji in view.emoji() {
            assert!(
                emoji.at.1 + emoji.size.height <= size.height && emoji.seen == (Frames(3)..Frames(30)),
                "{emoji:?}"
            );
        }
    }
}

fn check_drawn(cues: &[Cue]) {
    let highlight = Some(Highlight::of_color(Rgba { r: 255, g: 0, b: 0, a: 128 }));
    check_styled(cues, &STYLE);
    check_styled(
        cues,
        &SubtitleStyle { highlight, radius: 20, shadow: 5, place: CaptionPlace::Middle, ..STYLE },
    );
}

/// Draws captions that move.
fn check_moving(cues: &[Cue]) {
    let red = Some(Rgba { r: 255, g: 0, b: 0, a: 128 });
    let highlight = Some(Highlight { color: red, back_color: red, scale: Some(1.3) });
    let growing = SubtitleStyle { highlight, words: WordDisplay::Grow, motion: Motion::Pop, ..STYLE };
    check_styled(cues, &growing);
    let typed = SubtitleStyle { motion: Motion::Typewriter, uppercase: true, max_words: Some(5), ..STYLE };
    check_styled(cues, &typed);
    check_styled(cues, &SubtitleStyle { words: WordDisplay::One, motion: Motion::Rise, ..STYLE });
}

fn check_styled(cues: &[Cue], style: &SubtitleStyle) {
    let (size, fps, total) = (Size::new(720, 1280), Fps::new(30).unwrap(), Frames(900));
    let track = lay_out(cues, style, size, fps, total, &Even);
    let Some(view) = track.view(Frames(0), total) else { return };
    check_ass(&view.to_ass());
}

fn check_ass(ass: &str) {
    assert!(ass.len() < MAX_BYTES, "{} bytes", ass.len());
    let (_, events) = ass.split_once("[Events]\n").unwrap();
    for line in events.lines().skip(1) {
        assert!(line.starts_with("Dialogue: "), "a line of its own: {line}");
        check_event(line.splitn(10, ',').nth(9).unwrap());
    }
}

/// Reads the text of an event as the renderer does: every command must be one that clipmill writes.
pub fn check_event(text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '\\']) {
        rest = &rest[at..];
        if let Some(block) = rest.strip_prefix('{') {
            let (commands, after) = block.split_once('}').unwrap_or_else(|| panic!("an open block: {text}"));
            let (first, commands) = commands.split_once('\\').unwrap_or_else(|| panic!("no command: {text}"));
            assert!(first.is_empty() && commands.split('\\').all(is_written), "{commands} in {text}");
            rest = after;
        } else if rest.starts_with('\\') {
            let next = rest.chars().nth(1);
            assert!(matches!(next, Some('{' | '}' | '\u{2060}')), "a command in {text}");
            rest = &rest[1 + next.map_or(0, char::len_utf8)..];
        } else {
            panic!("a block is closed that was not opened: {text}");
        }
    }
}

/// Whether clipmill writes this command.
fn is_written(command: &str) -> bool {
    let numbers = |text: &str| text.chars().all(|c| c.is_ascii_digit() || ".,()-".contains(c));
    let hex = |text: &str| text.trim_end_matches('&').chars().all(|c| c.is_ascii_hexdigit());
    let has_numbers = |name| command.strip_prefix(name).is_some_and(numbers);
    let has_hex = |name| command.strip_prefix(name).is_some_and(hex);
    ["an1", "an3", "p0", "p1", "alpha&HFF&"].contains(&command)
        || ["pos", "fscx", "fscy", "bord", "shad"].into_iter().any(has_numbers)
        || ["1c&H", "1a&H", "3a&H", "4a&H"].into_iter().any(has_hex)
}

/// The maximum size of 20 captions of the greatest length, each of 200 words.
const MAX_BYTES: usize = 20 * 200 * 6_000;

/// A font in which every character has the same width.
struct Even;

impl FontMetrics for Even {
    fn family(&self) -> &str {
        "Even"
    }
    fn emoji_font(&self) -> Option<&str> {
        Some("even")
    }
    fn is_emoji(&self, grapheme: &str) -> bool {
        grapheme.starts_with(['\u{1f600}', '\u{2764}'])
    }
    fn identity(&self) -> &str {
        "even"
    }
    fn em_to_ass(&self) -> f64 {
        1.2
    }
    fn ascent(&self) -> f64 {
        0.9
    }
    fn descent(&self) -> f64 {
        0.3
    }
    fn advance(&self, _: char) -> Option<f64> {
        Some(0.5)
    }
}

const STYLE: SubtitleStyle = SubtitleStyle {
    font_size: 32,
    font_color: Rgba::WHITE,
    outline_color: None,
    back_color: Some(Rgba::BLACK),
    bottom: 40,
    magnification: 1.0,
    ..SubtitleStyle::DEFAULT
};
