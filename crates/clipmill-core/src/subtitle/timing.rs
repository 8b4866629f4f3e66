//! Cue times: how files write them, which frames they cover, and how they are written for the renderer.

use super::font::is_invisible;
use crate::message::{self, Message};
use crate::time::{Fps, Frames};

const ARROW: &str = "-->";

/// Whether a line has the times of a cue, well written or not.
pub fn is_timing(line: &str) -> bool {
    read_timing(line).is_some()
}

/// Reads start and end in milliseconds, or the reason why they are unusable; `None` for a line of text. Text after the
/// end (coordinates, VTT settings) is ignored.
///
/// Besides `start --> end`, it accepts the variants that translators and editors produce, such as `->` and `–>`, and
/// that of SBV files, `start,end`. Those need complete times, because text has arrows, dashes and times too.
pub fn read_timing(line: &str) -> Option<Result<(u64, u64), Message>> {
    if !line.contains(ARROW) && !may_begin_time(line) {
        return None;
    }
    let text = simplified(line);
    let (start, end) = by_arrow(&text).or_else(|| by_other_sign(&text))?;
    Some(times(start, end))
}

/// Whether a line begins with a complete time.
pub fn begins_with_time(line: &str) -> bool {
    may_begin_time(line) && Clock::read(&simplified(line)).is_some_and(|(clock, _)| clock.is_full())
}

fn may_begin_time(line: &str) -> bool {
    let mut visible = line.chars().filter(|c| !c.is_whitespace() && !is_ignored(*c));
    visible.next().is_some_and(|c| digit(c).is_some() || simple(c) == '-')
}

/// The texts of the times around an arrow. One of them is enough to recognize the line.
fn by_arrow(text: &str) -> Option<(&str, &str)> {
    let (before, after) = text.split_once(ARROW)?;
    let (before, after) =
        (before.trim_end_matches(['-', ' ']).trim_start(), after.trim_start_matches(['>', ' ']));
    let is_moment = |side: &str| {
        side.trim_start_matches(['-', ' ']).starts_with(|c: char| c.is_ascii_digit())
            && side.contains([':', ',', '.'])
    };
    let is_meant = is_moment(before)
        || before.is_empty() && is_moment(after)
        || before.contains(':') && Clock::read(after).is_some_and(|(clock, _)| clock.is_full());
    is_meant.then_some((before, after))
}

/// The texts of two times with another sign between them, or only a space.
fn by_other_sign(text: &str) -> Option<(&str, &str)> {
    let (start, rest) = Clock::read(text).filter(|(clock, _)| clock.is_full())?;
    let sign_ends = rest.find(|c| !matches!(c, ' ' | '-' | '=' | '>' | '~')).unwrap_or(rest.len());
    let (sign, after) = rest.split_at(sign_ends);
    let has_shaft = sign.contains(['-', '=', '~']);
    if let Some(tip) = sign.rfind('>').filter(|_| has_shaft) {
        let after = rest.get(tip + 1..).unwrap_or_default().trim();
        let is_meant = after.is_empty() || after.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        return is_meant.then_some((start.text, after));
    }
    let after = if sign.is_empty() { rest.strip_prefix(',')? } else { after };
    let (end, rest) = Clock::read(after.trim_start()).filter(|(clock, _)| clock.is_full())?;
    let is_certain = has_shaft || sign.contains('>') || start.fraction.is_some() && end.fraction.is_some();
    let ends_so = rest.is_empty() || has_shaft && rest.starts_with(' ') && rest.contains(':');
    (is_certain && ends_so).then_some((start.text, end.text))
}

fn times(start: &str, end: &str) -> Result<(u64, u64), Message> {
    let wrong = |text: &str| message::not_a_time(text.chars().take(40).collect::<String>());
    let (start, rest) = Clock::read(start).ok_or_else(|| wrong(start))?;
    let start_ms = start.ms().filter(|_| rest.is_empty()).ok_or_else(|| wrong(start.text))?;
    let first_word = end.split(' ').next().unwrap_or_default();
    let (end, rest) = Clock::read(end).ok_or_else(|| wrong(first_word))?;
    let ends = rest.is_empty() || rest.starts_with(' ');
    let end_ms = end.ms().filter(|_| ends).ok_or_else(|| wrong(first_word))?;
    if end_ms <= start_ms {
        return Err(message::cue_ends_early(end.text, start.text));
    }
    match u64::try_from(end_ms) {
        Ok(end_ms) if end_ms > 0 => Ok((u64::try_from(start_ms).unwrap_or(0), end_ms)),
        _ => Err(message::cue_before_start(end.text)),
    }
}

/// Reads the time inside a cue, such as `00:01.500`.
pub fn milliseconds(text: &str) -> Option<u64> {
    let (clock, rest) = Clock::read(text)?;
    if rest.is_empty() { u64::try_from(clock.ms()?).ok() } else { None }
}

/// A time as a file writes it, with `.` or `,` before the fraction and possibly with spaces between its parts.
struct Clock<'t> {
    text: &'t str,
    is_negative: bool,
    groups: Vec<&'t str>,
    fraction: Option<&'t str>,
}

impl<'t> Clock<'t> {
    /// The time at the start of a text, and the text after it.
    fn read(text: &'t str) -> Option<(Self, &'t str)> {
        let unsigned = text.strip_prefix('-').map_or(text, str::trim_start);
        let (first, mut rest) = digits_of(unsigned)?;
        let mut groups = vec![first];
        while groups.len() < 4
            && let Some((group, after)) = part(rest, &[':'])
        {
            groups.push(group);
            rest = after;
        }
        let fraction = part(rest, &[',', '.']).map(|(fraction, after)| {
            rest = after;
            fraction
        });
        let length = text.len() - rest.len();
        let is_negative = unsigned.len() < text.len();
        Some((Self { text: text.get(..length).unwrap_or_default(), is_negative, groups, fraction }, rest))
    }

    /// Whether only a time is written like this: with seconds, minutes, and hours or a fraction.
    fn is_full(&self) -> bool {
        self.groups.len() + usize::from(self.fraction.is_some()) >= 3
    }

    /// `HH:MM:SS` or `MM:SS` in milliseconds, with a fraction of any length. Three digits after a fourth colon are a
    /// fraction too; two would be frames. 60 comes from rounding 59.9996.
    fn ms(&self) -> Option<i64> {
        let (whole, fraction) = match (self.groups.as_slice(), self.fraction) {
            ([whole @ .., fraction], None) if whole.len() == 3 && fraction.len() > 2 => (whole, *fraction),
            (whole, fraction) => (whole, fraction.unwrap_or("0")),
        };
        let whole = whole.iter().map(|group| number(group)).collect::<Option<Vec<_>>>()?;
        let (hours, minutes, seconds) = match whole.as_slice() {
            [hours, minutes, seconds] if *minutes <= 60 => (*hours, *minutes, *seconds),
            [minutes, seconds] => (0, *minutes, *seconds),
            _ => return None,
        };
        let tenths_of_ms: i64 =
            fraction.chars().chain("0000".chars()).take(4).collect::<String>().parse().ok()?;
        let ms = ((hours * 60 + minutes) * 60 + seconds) * 1000 + (tenths_of_ms + 5) / 10;
        (seconds <= 60).then_some(if self.is_negative { -ms } else { ms })
    }
}

/// The digits after one of these separators, and the text after them.
fn part<'t>(text: &'t str, separators: &[char]) -> Option<(&'t str, &'t str)> {
    digits_of(text.trim_start().strip_prefix(separators)?.trim_start())
}

fn digits_of(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn number(digits: &str) -> Option<i64> {
    if digits.len() <= 6 { digits.parse().ok() } else { None }
}

/// A line in ASCII as far as times need it.
fn simplified(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for c in line.chars().filter(|c| !is_ignored(*c)) {
        match c {
            '→' | '⟶' | '➔' | '➜' | '⇒' | '⇨' | '⟹' => text.push_str("->"),
            _ => text.push(simple(c)),
        }
    }
    let text = if text.contains("&gt;") { text.replace("&gt;", ">") } else { text };
    text.trim().to_owned()
}

fn is_ignored(c: char) -> bool {
    is_invisible(c) || c.is_control() && c != '\t'
}

/// The plain form of a digit, separator or part of an arrow.
fn simple(c: char) -> char {
    match c {
        '：' | '﹕' | '∶' | '꞉' => ':',
        '，' | '﹐' | '、' | '､' | '،' | '٫' => ',',
        '．' | '﹒' | '。' | '｡' => '.',
        '‐'..='―' | '−' | '－' | '﹣' | '﹘' | '─' | 'ー' | 'ｰ' => '-',
        '＞' | '﹥' | '›' | '»' | '〉' | '》' => '>',
        '＝' => '=',
        '～' | '〜' => '~',
        c if c.is_whitespace() => ' ',
        c => digit(c).unwrap_or(c),
    }
}

/// The ASCII form of a decimal digit of the scripts that machines translate times into.
pub fn digit(c: char) -> Option<char> {
    const ZEROS: [char; 8] = ['0', '０', '٠', '۰', '०', '০', '๐', '၀'];
    let value =
        ZEROS.into_iter().find_map(|zero| u32::from(c).checked_sub(u32::from(zero)).filter(|v| *v < 10))?;
    char::from_digit(value, 10)
}

/// The frames a cue is shown on, the end excluded; at least one.
pub fn shown_frames(start_ms: u64, end_ms: u64, fps: Fps) -> (Frames, Frames) {
    let start = nearest_frame(start_ms, fps);
    (Frames(start), Frames(nearest_frame(end_ms, fps).max(start + 1)))
}

pub fn nearest_frame(ms: u64, fps: Fps) -> u64 {
    (ms.saturating_mul(2 * u64::from(fps.get())).saturating_add(1000)) / 2000
}

/// The time, in hundredths of a second, at which an event must begin to appear first on `frame`, or must end to disappear
/// with it.
///
/// The renderer shows an event while `begin <= time < end`, with the frame's time truncated to whole milliseconds after
/// a division in floating point. At least 1.5 ms before the frame avoids that truncation, and at most 11.5 ms before it
/// is well after the previous frame at 60 frames per second.
pub fn centiseconds_before(frame: Frames, fps: Fps) -> u64 {
    let rate = u64::from(fps.get());
    frame.0.saturating_mul(2000).saturating_sub(3 * rate) / (20 * rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_files_write_them() {
        let check =
            |line: &str, expected: (u64, u64)| assert_eq!(read_timing(line), Some(Ok(expected)), "{line}");
        check("00:00:01,000 --> 00:00:02,500", (1000, 2500));
        check("00:00:01.000-->00:00:02.5", (1000, 2500));
        check("1:02:03,04 --> 100:00:00,000  X1:10 X2:20", (3_723_040, 360_000_000));
        check("00:01.250 --> 75:00.000 align:start position:10%", (1250, 4_500_000));
        check("00:00:01 --> 00:00:02", (1000, 2000));
        check("0:00:00.500,0:00:02.000", (500, 2000));
        check("00:00:01,0 --> 00:00:60,000", (1000, 60_000));
    }

    #[test]
    fn fractions_have_any_number_of_digits() {
        let check = |text: &str, expected| assert_eq!(milliseconds(text), Some(expected), "{text}");
        check("00:00:00,500000", 500);
        check("00:00:02,4999999999999", 2500);
        check("00:00:02.4994", 2499);
        check("00:00:02.9996", 3000);
        check("00:00:02:500", 2500);
        check(&format!("00:00.5{}", "0".repeat(1_000_000)), 500);
        assert_eq!(milliseconds("00:00:02:12"), None, "frames");
    }

    #[test]
    fn a_cue_that_begins_before_the_video_is_shown_from_its_start() {
        for line in
            ["-00:00:00,200 --> 00:00:02,000", "−00:00:00,200 –> 00:00:02,000", "- 00:00:00,200 --> 0:02.0"]
        {
            assert_eq!(read_timing(line), Some(Ok((0, 2000))), "{line}");
        }
        let before = read_timing("-00:00:02,000 --> -00:00:01,000").unwrap().unwrap_err();
        assert!(before.contains("before the video"), "{before}");
    }

    #[test]
    fn signs_that_people_and_programs_write() {
        for sign in [
            "->",
            "–>",
            "—>",
            "––>",
            "——>",
            "－－＞",
            "→",
            "⇒",
            "--&gt;",
            "=>",
            "==>",
            "-- >",
            "- ->",
            "--",
            "–",
            "—",
            "-",
            "~",
            "--->",
            "-->>",
            ">",
            ">>",
            " ",
        ] {
            for line in [format!("00:00:01,000 {sign} 00:00:02,500"), format!("00:01.0{sign}00:02.50")] {
                assert_eq!(read_timing(&line), Some(Ok((1000, 2500))), "{line}");
            }
        }
        for line in [
            "00：00：01，000 --> 00：00：02，500",
            "００:００:０１,０００ –> ００:００:０２,５００",
            "00: 00: 01, 000 - > 00: 00: 02, 500",
            "\u{200f}٠٠:٠٠:٠١٫٠٠٠ --> ٠٠:٠٠:٠٢٫٥٠٠\u{200f}",
            "۰۰:۰۰:۰۱,۰۰۰ --> ۰۰:۰۰:۰۲,۵۰۰",
            "\u{a0}00:00:01.000\t-->\t00:00:02.500\u{a0}",
            "00:00:01,000 -> 00:00:02,500 X1:1 X2:2",
            "00:00:01,000 – 00:00:02,500 align:start",
            "00:00:01\0,000 --> 00:00:02,500",
        ] {
            assert_eq!(read_timing(line), Some(Ok((1000, 2500))), "{line:?}");
        }
    }

    #[test]
    fn arrows_and_times_in_text_are_not_cues() {
        for line in [
            "a --> b",
            "2019 --> 2020",
            "--> here",
            "no arrow",
            "5 --> ten",
            "-->",
            "->",
            "10:30 -> 11:00",
            "10:30 – 11:00",
            "10:30",
            "12:30:45",
            "00:00:01,000",
            "It is 10:30:00 -> 11:00:00",
            "10:30:00 – 11:00:00 lunch",
            "1,5 -> 2,5",
            "- 5,3",
            "00:01:30 -> intro",
            "00:00:01 00:00:02",
            "192.168.0.1 -> 10.0.0.1",
            "1990–2000",
            "3:1, 2:1",
        ] {
            assert!(!is_timing(line), "{line}");
        }
    }

    #[test]
    fn wrong_times_are_reported() {
        let check = |line: &str, part: &str| {
            let error = read_timing(line).unwrap_or_else(|| panic!("{line}")).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        check("00:00:05,000 --> 00:00:04,000", "not after its start");
        check("00:00:05,000 --> 00:00:05,000", "not after its start");
        check("00:00:05,000 --> -00:00:05,000", "not after its start");
        check("00:00:05,000 --> ", "\"\" is not a time");
        check("00:00:05,000 -> ", "\"\" is not a time");
        check("00:61:05,000 --> 01:00:00,000", "\"00:61:05,000\" is not a time");
        check("00:00:61,000 -> 01:00:00,000", "is not a time");
        check("00:00:01,000 --> 9999999:00:00,000", "is not a time");
        check("--> 00:00:02,000", "\"\" is not a time");
        check("O0:0O:01,000 --> 00:00:02,000", "\"O0:0O:01,000\" is not a time");
        check("00:00:01,000 --> 00:00:0x,000", "is not a time");
        check("00:00:01:12 --> 00:00:02:12", "is not a time");
        check("-1 day, 23:59:59.8 --> 0:00:02", "is not a time");
    }

    #[test]
    fn a_cue_covers_whole_frames_and_at_least_one() {
        let fps = Fps::DEFAULT;
        assert_eq!(shown_frames(1000, 2000, fps), (Frames(30), Frames(60)));
        assert_eq!(shown_frames(1016, 1017, fps), (Frames(30), Frames(31)));
        assert_eq!(shown_frames(1017, 1018, fps), (Frames(31), Frames(32)));
    }

    #[test]
    fn events_are_seen_on_exactly_their_frames() {
        for rate in Fps::ALLOWED {
            let fps = Fps::new(rate).unwrap();
            for frame in 0..1000_u64 {
                let moment = centiseconds_before(Frames(frame), fps) * 10;
                let shown_at = frame * 1000 / u64::from(rate);
                // Floating point makes some exact times one millisecond less.
                assert!(moment <= shown_at.saturating_sub(1), "{rate}/{frame}");
                if frame > 0 {
                    assert!((frame - 1) * 1000 / u64::from(rate) < moment, "{rate}/{frame}");
                }
            }
        }
    }
}
