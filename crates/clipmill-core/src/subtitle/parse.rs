//! Parses a file's bytes into cues. Lenient about the form: numbers, blank lines, line ends and times.

use std::ops::Range;

use super::decode::decode;
use super::markup::{Format, plain_text};
use super::timing::{begins_with_time, digit, is_timing, read_timing};
use super::{Cue, SkippedCues, SubtitleError, Subtitles};
use crate::message::{self, Message};

const MAX_BYTES: usize = 8 * 1024 * 1024;
const MAX_CUES: usize = 20_000;
const MAX_CUE_CHARS: usize = 2_000;
/// Speech recognizers let a cue run into the next one by less than this. Such cues are not meant to be shown together.
const MIN_OVERLAP_MS: u64 = 150;

/// Reads an SRT or VTT file (distinguished by content, whatever its name) in UTF-8, UTF-16 or GB18030.
///
/// Cues are sorted by start, with equal starts in the file's order. Cues without text are dropped. Cues with unusable
/// times and cues of more than 2,000 characters are skipped; if more than half of the cues are skipped, the file is
/// rejected. A file can have at most 8 MiB and 20,000 cues.
pub fn parse(bytes: &[u8]) -> Result<Subtitles, SubtitleError> {
    if bytes.len() > MAX_BYTES {
        let mib = MAX_BYTES / (1024 * 1024);
        return Err(SubtitleError::whole(message::subtitles_too_large(mib)));
    }
    // Programs that write CR LF in text mode produce CR CR LF.
    let text = decode(bytes)?.replace("\r\r\n", "\n").replace("\r\n", "\n").replace('\r', "\n");
    let (numbers, lines) = single_spaced(&text);
    let subtitles = match format_of(&lines)? {
        Format::Vtt => read(vtt_blocks(&lines), &lines, Format::Vtt),
        Format::Srt => read(srt_blocks(&lines), &lines, Format::Srt),
    };
    let line_in_file = |error: &mut SubtitleError| {
        let number = error.line.checked_sub(1).and_then(|i| numbers.get(i));
        error.line = number.copied().unwrap_or(error.line);
    };
    let mut subtitles = subtitles.map_err(|mut error| {
        line_in_file(&mut error);
        error
    })?;
    if subtitles.cues.is_empty() {
        return Err(no_cue(&lines));
    }
    subtitles.skipped.first.iter_mut().for_each(line_in_file);
    subtitles.cues.sort_by_key(|cue| cue.start_ms);
    trim_short_overlaps(&mut subtitles.cues);
    Ok(subtitles)
}

/// The lines of a text with their numbers, without the blank line after each line of a double-spaced file.
fn single_spaced(text: &str) -> (Vec<usize>, Vec<&str>) {
    let is_blank = |line: &str| line.trim().is_empty();
    let is_double_spaced = {
        let mut pairs = text.split('\n').zip(text.split('\n').skip(1));
        pairs.all(|(line, next)| is_blank(line) || is_blank(next))
    };
    let mut after_text = false;
    let lines = text.split('\n').enumerate().filter(|(_, line)| {
        let is_extra = is_double_spaced && after_text && is_blank(line);
        after_text = !is_blank(line);
        !is_extra
    });
    lines.map(|(i, line)| (i + 1, line)).unzip()
}

/// Ends each cue where the next one starts, if they overlap only briefly. The cues must be sorted by start.
pub(super) fn trim_short_overlaps(cues: &mut [Cue]) {
    for i in 0..cues.len() {
        let Some((cue, later)) = cues.get_mut(i..).and_then(<[Cue]>::split_first_mut) else { return };
        let earliest = (cue.end_ms + 1).saturating_sub(MIN_OVERLAP_MS).max(cue.start_ms + 1);
        let next = later.get(later.partition_point(|other| other.start_ms < earliest));
        cue.end_ms = next.map_or(cue.end_ms, |next| cue.end_ms.min(next.start_ms));
    }
}

/// The place of a cue, as indexes of lines. The line at `timing` may have no times, in a cue that lost them.
#[derive(Debug, Clone, Copy)]
struct Block {
    timing: usize,
    text_end: usize,
}

fn format_of(lines: &[&str]) -> Result<Format, SubtitleError> {
    let heading = lines.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or_default();
    if heading.eq_ignore_ascii_case("[Script Info]") {
        return Err(SubtitleError::at(1, message::subtitles_ass()));
    }
    let word = heading.split([' ', '\t']).next().unwrap_or_default();
    Ok(if word.eq_ignore_ascii_case("WEBVTT") { Format::Vtt } else { Format::Srt })
}

fn no_cue(lines: &[&str]) -> SubtitleError {
    if lines.iter().all(|line| line.trim().is_empty()) {
        return SubtitleError::whole(message::subtitles_empty());
    }
    if let Some(format) = foreign_format(lines) {
        return SubtitleError::whole(message::subtitles_of_format(format));
    }
    SubtitleError::whole(message::subtitles_without_cue())
}

/// The name of an unsupported caption format.
fn foreign_format(lines: &[&str]) -> Option<&'static str> {
    const ELEMENTS: [(&str, &str); 3] =
        [("tt", "TTML"), ("sami", "SAMI"), ("transcript", "YouTube transcript")];
    let text = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    let is_element = |line: &str, name: &str| {
        let tags = line.split('<').skip(1);
        tags.map(|tag| tag.split([' ', '>', '\t']).next().unwrap_or_default())
            .any(|tag| tag.rsplit(':').next().is_some_and(|tag| tag.eq_ignore_ascii_case(name)))
    };
    // `{0}{25}text` and `[00:01.00]text`.
    let begins = |line: &str, open: char, close: char, inside: &[char]| {
        let inner = line.strip_prefix(open).and_then(|line| line.split_once(close)).map(|(inner, _)| inner);
        inner.is_some_and(|inner| {
            inner.chars().any(|c| c.is_ascii_digit())
                && inner.chars().all(|c| c.is_ascii_digit() || inside.contains(&c))
        })
    };
    let first = || text.clone().take(20);
    let element = ELEMENTS.iter().find(|(name, _)| first().any(|line| is_element(line, name)));
    if let Some((_, format)) = element {
        return Some(format);
    }
    if first().any(|line| begins(line, '{', '}', &[]) && line.contains("}{")) {
        return Some("MicroDVD");
    }
    let is_lyric = |line: &str| {
        begins(line, '[', ']', &[':', '.'])
            && line.get(..line.find(']').unwrap_or(0)).is_some_and(|time| time.contains(':'))
    };
    first().any(is_lyric).then_some("LRC")
}

fn read(
    blocks: impl Iterator<Item = Block>,
    lines: &[&str],
    format: Format,
) -> Result<Subtitles, SubtitleError> {
    let (mut cues, mut skipped) = (Vec::new(), SkippedCues::default());
    let mut total = 0;
    for block in blocks {
        let number = block.timing + 1;
        if total >= MAX_CUES {
            return Err(SubtitleError::at(number, message::too_many_cues(MAX_CUES)));
        }
        total += 1;
        match read_cue(block, lines, format) {
            Ok(cue) => cues.extend(cue),
            Err(reason) => skipped.add(SubtitleError::at(number, reason)),
        }
    }
    match skipped.first.first() {
        Some(first) if skipped.count == total => Err(first.clone()),
        Some(SubtitleError { line, message }) if skipped.count * 2 > total => {
            let message = message::most_cues_unusable(skipped.count, total, message);
            Err(SubtitleError::at(*line, message))
        }
        _ => Ok(Subtitles { cues, skipped }),
    }
}

/// `None` for a cue without text.
fn read_cue(block: Block, lines: &[&str], format: Format) -> Result<Option<Cue>, Message> {
    let times = lines.get(block.timing).and_then(|line| read_timing(line));
    let (start_ms, end_ms) = times.unwrap_or_else(|| Err(message::cue_without_times()))?;
    let raw = lines.get(block.timing + 1..block.text_end).unwrap_or_default().join("\n");
    let (text, times) = plain_text(&raw, format);
    if text.chars().count() > MAX_CUE_CHARS {
        return Err(message::cue_too_long(MAX_CUE_CHARS));
    }
    Ok((!text.is_empty()).then_some(Cue { start_ms, end_ms, text, times }))
}

/// A cue's text extends to the next timing line, except for that cue's number: writers insert blank lines inside cues,
/// forget those between them, and omit numbers.
fn srt_blocks<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = Block> + 'a {
    let is_timing = |i: usize| lines.get(i).is_some_and(|line| is_timing(line));
    let mut timings = (0..lines.len()).filter(move |i| is_timing(*i)).peekable();
    let first = timings.peek().copied().unwrap_or(0);
    let number = number_before(lines, 0, first);
    let start = number.map_or(first, |(index, _)| index);
    let first_number = (0..start).find_map(|i| number_at(lines, i));
    let skipped = lost_cues(lines, 0..start, first_number, number.map(|(_, number)| number));
    let mut own_number = number.map(|(_, number)| number);
    let rest = std::iter::from_fn(move || {
        let timing = timings.next()?;
        let next = timings.peek().copied();
        let number = next.and_then(|next| next_number(lines, timing, next, own_number));
        let end =
            number.map(|(index, _)| index).or(next).unwrap_or_else(|| end_of_last(lines, timing, own_number));
        let expected = own_number.and_then(|own| own.checked_add(1));
        own_number = number.map(|(_, number)| number);
        let skipped = lost_cues(lines, timing + 1..end, expected, own_number);
        let text_end = skipped.first().map_or(end, |skipped| skipped.timing - 1);
        Some(std::iter::once(Block { timing, text_end }).chain(skipped))
    });
    skipped.into_iter().chain(rest.flatten())
}

/// The end of the last cue's text. A file that was cut may end with the next cue's number and the beginning of its times.
fn end_of_last(lines: &[&str], timing: usize, own_number: Option<u64>) -> usize {
    let is_part_of_times = |line: &str| {
        let line = line.trim();
        line.contains(':')
            && line.chars().all(|c| digit(c).is_some() || matches!(c, ':' | ',' | '.' | ' ' | '-' | '>'))
    };
    let last = lines.iter().rposition(|line| !line.trim().is_empty()).unwrap_or(0);
    let is_cut_in_times = lines.get(last).is_some_and(|line| is_part_of_times(line));
    let index = if is_cut_in_times { last.saturating_sub(1) } else { last };
    let is_next = own_number.is_some_and(|own| own.checked_add(1) == number_at(lines, index));
    if is_next && index > timing + 1 && is_blank(lines, index - 1) { index } else { lines.len() }
}

/// The cues between two others whose times cannot be recognized: their numbers, counted from `expected`, follow a blank
/// line and reach the `next` one, or a time follows them.
fn lost_cues(lines: &[&str], between: Range<usize>, expected: Option<u64>, next: Option<u64>) -> Vec<Block> {
    let Some(mut expected) = expected else { return Vec::new() };
    let mut numbers = Vec::new();
    for index in between.clone() {
        if number_at(lines, index) == Some(expected) && next.is_none_or(|next| expected < next) {
            numbers.push(index);
            expected = expected.saturating_add(1);
        }
    }
    let is_counted = next == Some(expected);
    numbers.retain(|index| {
        let after_blank = *index == 0 || is_blank(lines, index - 1);
        is_counted && after_blank || lines.get(index + 1).is_some_and(|line| begins_with_time(line))
    });
    let ends = numbers.iter().skip(1).copied().chain([between.end]);
    numbers.iter().zip(ends).map(|(index, text_end)| Block { timing: index + 1, text_end }).collect()
}

/// The number of the cue at `next`, with its index, if the last line of text before it is one and not text. `own_number`
/// is the number of the cue at `timing`.
///
/// Digits are a number if they continue the count. Otherwise they must be directly before the times, and follow a blank
/// line or, in a cue with a number, its times.
fn next_number(lines: &[&str], timing: usize, next: usize, own_number: Option<u64>) -> Option<(usize, u64)> {
    let (index, number) = number_before(lines, timing + 1, next)?;
    let continues = own_number.is_some_and(|own| own.checked_add(1) == Some(number));
    let after_blank = index > timing + 1 && is_blank(lines, index - 1);
    let after_times = index == timing + 1 && own_number.is_some();
    (continues || index + 1 == next && (after_blank || after_times)).then_some((index, number))
}

/// The number in the last line between two indexes that is not blank, with the line's index.
fn number_before(lines: &[&str], from: usize, to: usize) -> Option<(usize, u64)> {
    let own = lines.get(from..to)?;
    let index = from + own.iter().rposition(|line| !line.trim().is_empty())?;
    Some((index, number_at(lines, index)?))
}

/// The number that a line consists of.
fn number_at(lines: &[&str], index: usize) -> Option<u64> {
    let digits: Option<String> = lines.get(index)?.trim().chars().map(digit).collect();
    digits?.parse().ok()
}

fn is_blank(lines: &[&str], index: usize) -> bool {
    lines.get(index).is_some_and(|line| line.trim().is_empty())
}

/// Blocks are separated by blank lines. Notes, styles and regions are skipped, and so is every line before a timing
/// (names of cues, the header), except cues that lost their times.
fn vtt_blocks<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = Block> + 'a {
    let mut next = Some(0);
    let blocks = std::iter::from_fn(move || {
        let from = next?;
        let mut blocks = Vec::new();
        let timing = vtt_timing(lines, from, &mut blocks);
        next = timing.map(|timing| vtt_text_end(lines, timing));
        blocks.extend(timing.zip(next).map(|(timing, text_end)| Block { timing, text_end }));
        Some(blocks)
    });
    blocks.flatten()
}

/// The next line with times. Cues before it that lost their times are added to `lost`.
fn vtt_timing(lines: &[&str], from: usize, lost: &mut Vec<Block>) -> Option<usize> {
    let (mut skipping, mut at_start) = (false, true);
    for (i, line) in lines.iter().enumerate().skip(from) {
        let blank = line.trim().is_empty();
        skipping = !blank && (skipping || (at_start && is_vtt_comment(line)));
        if !skipping && is_timing(line) {
            return Some(i);
        }
        let after_number = at_start && number_at(lines, i).is_some() && i + 1 < lines.len();
        let without_times =
            |i: usize| !is_blank(lines, i) && !lines.get(i).is_some_and(|line| is_timing(line));
        if at_start && begins_with_time(line) {
            lost.push(Block { timing: i, text_end: i + 1 });
        } else if after_number && without_times(i + 1) {
            lost.push(Block { timing: i + 1, text_end: i + 2 });
        }
        at_start = blank;
    }
    None
}

fn is_vtt_comment(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "NOTE" | "STYLE" | "REGION")
}

/// Rolling captions start with a line of spaces, which is text. Elsewhere such a line means a blank line.
fn vtt_text_end(lines: &[&str], timing: usize) -> usize {
    let is_end = |i: usize, line: &str| line.trim().is_empty() && (i > timing + 1 || line.is_empty());
    let text = lines.iter().enumerate().skip(timing + 1);
    let mut ends = text.filter(|(i, line)| is_end(*i, line) || is_timing(line));
    ends.next().map_or(lines.len(), |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks each cue as `start-end text`, with its lines joined by `|`.
    fn check(file: &str, expected: &[&str]) {
        let cues = parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{file}")).cues;
        let show = |cue: &Cue| format!("{}-{} {}", cue.start_ms, cue.end_ms, cue.text.replace('\n', "|"));
        assert_eq!(cues.iter().map(show).collect::<Vec<_>>(), expected, "{file}");
    }

    fn check_error(file: &str, line: usize, part: &str) {
        let error = parse(file.as_bytes()).unwrap_err();
        assert!(error.line == line && error.message.contains(part), "{error:?}");
    }

    #[test]
    fn well_formed_srt() {
        let file =
            "1\n00:00:01,000 --> 00:00:02,000\nHello\nworld\n\n2\n00:00:03,000 --> 00:00:04,000\n2024\n";
        check(file, &["1000-2000 Hello|world", "3000-4000 2024"]);
        check(&file.replace('\n', "\r\n"), &["1000-2000 Hello|world", "3000-4000 2024"]);
        check(&file.replace('\n', "\r"), &["1000-2000 Hello|world", "3000-4000 2024"]);
    }

    #[test]
    fn malformed_srt() {
        check(
            "00:00:01,000 --> 00:00:02,000\nno number, no end of line",
            &["1000-2000 no number, no end of line"],
        );
        check(
            "\n\n1\n00:01 --> 00:02\na\n\nb\n\n\n2\n00:03 --> 00:04\nc\n",
            &["1000-2000 a|b", "3000-4000 c"],
        );
        check("7\n00:01 --> 00:02\na\n8\n00:03 --> 00:04\nb", &["1000-2000 a", "3000-4000 b"]);
        check("00:01 --> 00:02\nin\n2024\n00:03 --> 00:04\nb", &["1000-2000 in|2024", "3000-4000 b"]);
        check("1\n00:01 --> 00:02\n\n2\n00:03 --> 00:04\na --> b", &["3000-4000 a --> b"]);
        check(
            "1\n00:05 --> 00:06\nlate\n\n2\n00:01 --> 00:02\nearly",
            &["1000-2000 early", "5000-6000 late"],
        );
    }

    const TWO_CUES: &str =
        "1\n00:00:00,500 --> 00:00:02,000\nfirst line\n\n2\n00:00:02,500 --> 00:00:04,000\nsecond line\n";
    const TWO_CUES_READ: [&str; 2] = ["500-2000 first line", "2500-4000 second line"];

    #[test]
    fn line_ends_and_blank_lines_of_windows_and_web_pages() {
        check(&TWO_CUES.replace('\n', "\r\r\n"), &TWO_CUES_READ);
        check(&TWO_CUES.replace('\n', "\n\n"), &TWO_CUES_READ);
        check(&TWO_CUES.replace('\n', "\r\n\r\n"), &TWO_CUES_READ);
        check(&TWO_CUES.replace("\n\n", "\n").replace('\n', "\n\n"), &TWO_CUES_READ);
        check(&TWO_CUES.replace(",000\n", ",000\n\n").replace("2\n", "2\n\n"), &TWO_CUES_READ);
        let vtt = format!("WEBVTT\n\n{TWO_CUES}");
        check(&vtt.replace('\n', "\r\r\n"), &TWO_CUES_READ);
        check(&vtt.replace('\n', "\n\n"), &TWO_CUES_READ);
        check(&format!("\n\n{}", vtt.replace("WEBVTT", "webvtt")), &TWO_CUES_READ);
        check_error("1\n\n00:05 --> 00:01\n\nbackwards\n\n\n", 3, "not after its start");
    }

    #[test]
    fn numbers_of_cues_are_not_drawn_and_numbers_in_text_are() {
        check("1\n00:01 --> 00:02\n2024\n\n2\n00:03 --> 00:04\n2\n", &["1000-2000 2024", "3000-4000 2"]);
        check(
            "00:01 --> 00:02\n1\n\n00:03 --> 00:04\n2\n\n00:05 --> 00:06\n3",
            &["1000-2000 1", "3000-4000 2", "5000-6000 3"],
        );
        check("00:01 --> 00:02\n3\n00:03 --> 00:04\n2\n", &["1000-2000 3", "3000-4000 2"]);
        check(
            "1\n\n00:01 --> 00:02\n\n10\n\n\n\n2\n\n00:03 --> 00:04\n\n9\n\n",
            &["1000-2000 10", "3000-4000 9"],
        );
        for cut in [
            "3",
            "3\n",
            "3\n\n",
            "3\n00:",
            "3\n00:00:05,000",
            "3\n00:00:05,000 --",
            "3\n00:00:05,000 --> 00:0",
        ] {
            let read = parse(format!("{TWO_CUES}\n{cut}").as_bytes()).unwrap();
            let texts: Vec<&str> = read.cues.iter().map(|cue| cue.text.as_str()).take(2).collect();
            assert_eq!(texts, ["first line", "second line"], "{cut}");
        }
        check(&format!("{TWO_CUES}\n4"), &[TWO_CUES_READ[0], "2500-4000 second line|4"]);
        check(&format!("{TWO_CUES}3"), &[TWO_CUES_READ[0], "2500-4000 second line|3"]);
        check("１\n00:01 --> 00:02\na\n２\n00:03 --> 00:04\nb", &["1000-2000 a", "3000-4000 b"]);
        check("1\n00:01 --> 00:02\na\n2\n\n00:03 --> 00:04\nb", &["1000-2000 a", "3000-4000 b"]);
    }

    #[test]
    fn times_as_people_write_them() {
        check(&TWO_CUES.replace("-->", "->"), &TWO_CUES_READ);
        check(&TWO_CUES.replace("-->", "–>"), &TWO_CUES_READ);
        check(&TWO_CUES.replace(':', "：").replace(',', "，"), &TWO_CUES_READ);
        check(&TWO_CUES.replace(',', ":"), &TWO_CUES_READ);
        check(&TWO_CUES.replace(":0", ": 0").replace(',', ", "), &TWO_CUES_READ);
        check(&TWO_CUES.replace("00,500", "00,500000").replace("02,500", "02,4999999999999"), &TWO_CUES_READ);
        check(&TWO_CUES.replace("00:00:00,500", "-00:00:00,200"), &["0-2000 first line", TWO_CUES_READ[1]]);
    }

    #[test]
    fn a_cue_with_unusable_times_is_skipped() {
        for times in
            ["00:00:02,000 --> 00:00:02,000", "00:00:02,300 --> 00:00:02,200", "-00:00:02,0 --> -00:00:01,0"]
        {
            check(&TWO_CUES.replace("\n\n2", &format!("\n\n2\n{times}\nnever\n\n3")), &TWO_CUES_READ);
        }
        check("WEBVTT\n\n00:01.0 --> 00:02.0\na\n\n00:02.0 --> 00:02.0\nnever\n", &["1000-2000 a"]);
    }

    /// Checks the texts of the cues, and the lines of the skipped ones with parts of the reasons.
    fn check_skipped(file: &str, texts: &[&str], expected: &[(usize, &str)]) {
        let Subtitles { cues, skipped } =
            parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{file}"));
        assert_eq!(cues.iter().map(|cue| cue.text.as_str()).collect::<Vec<_>>(), texts, "{file}");
        assert_eq!(skipped.count, expected.len(), "{skipped:?}\n{file}");
        for (error, (line, part)) in skipped.first.iter().zip(expected) {
            assert!(error.line == *line && error.message.contains(part), "{error:?}\n{file}");
        }
    }

    #[test]
    fn skipped_cues_are_listed_with_line_and_reason() {
        let good = "00:01 --> 00:02\na\n\n";
        check_skipped(good, &["a"], &[]);
        check_skipped(&format!("{good}00:05 --> 00:04\nb"), &["a"], &[(4, "not after its start")]);
        check_skipped(&format!("{good}00:05 --> 00:x\nb"), &["a"], &[(4, "\"00:x\" is not a time")]);
        check_skipped(
            &format!("{good}{good}00:05 -->\nb\n\n00:99 --> 00:04\nc"),
            &["a", "a"],
            &[(7, "is not a time"), (10, "is not a time")],
        );
        let long = "字".repeat(MAX_CUE_CHARS + 1);
        check_skipped(&format!("{good}00:03 --> 00:04\n{long}\n\n{good}"), &["a", "a"], &[(4, "more than")]);
        let spaced = format!("{good}00:05 --> 00:04\nb").replace('\n', "\n\n");
        check_skipped(&spaced, &["a"], &[(7, "not after its start")]);
    }

    #[test]
    fn a_cue_without_readable_times_is_skipped() {
        let skipped = "expected the times of a cue";
        let cue = |number: usize, times: &str| format!("{number}\n{times}\ntext {number}\n\n");
        let good = |number| cue(number, &format!("00:0{number} --> 00:0{}", number + 1));
        for times in ["oo:oo:O1,000 and so on", "00:00:03,000", "", "-->"] {
            let file = good(1) + &cue(2, times) + &good(3);
            check_skipped(&file, &["text 1", "text 3"], &[(6, skipped)]);
            let file = cue(1, times) + &good(2) + &good(3);
            check_skipped(&file, &["text 2", "text 3"], &[(2, skipped)]);
        }
        let two = good(1) + &cue(2, "?") + &cue(3, "?") + &good(4) + &good(5);
        check_skipped(&two, &["text 1", "text 4", "text 5"], &[(6, skipped), (10, skipped)]);
        let last = good(1) + &cue(2, "00:00:03,000 00:00:04,000 (?)");
        check_skipped(&last, &["text 1"], &[(6, skipped)]);
        check_skipped(&(good(1) + "two\n\n2\n\nthree\n"), &["text 1\ntwo\n2\nthree"], &[]);
        check_skipped(&(good(1) + "2\n\n" + &good(2)), &["text 1\n2", "text 2"], &[]);
        check_error(&(good(1) + &cue(2, "?") + &cue(3, "?") + &good(4) + &cue(5, "00:00:09,0")), 6, skipped);
        let vtt = |block: &str| format!("WEBVTT\n\n{}{block}\nlost\n\n{}", good(1), good(3));
        for block in ["2\noo:oo", "00:00:03.000"] {
            let line = 7 + block.matches('\n').count();
            check_skipped(&vtt(block), &["text 1", "text 3"], &[(line, skipped)]);
        }
        check_skipped(&vtt("NOTE\n2"), &["text 1", "text 3"], &[]);
        check_skipped(&vtt("stray"), &["text 1", "text 3"], &[]);
    }

    #[test]
    fn a_file_with_mostly_unusable_times_is_refused() {
        let bad = "00:05 --> 00:04\nnever\n\n";
        check_error(&format!("00:01 --> 00:02\na\n\n{}", bad.repeat(2)), 4, "2 of 3 cues cannot be used");
        check_error(&bad.repeat(2), 1, "not after its start");
    }

    #[test]
    fn brief_overlaps_are_trimmed() {
        check("00:01.000 --> 00:02.149\na\n\n00:02.000 --> 00:03.000\nb", &["1000-2000 a", "2000-3000 b"]);
        check("00:01.000 --> 00:02.150\na\n\n00:02.000 --> 00:03.000\nb", &["1000-2150 a", "2000-3000 b"]);
        check("00:01.000 --> 00:01.050\na\n\n00:01.000 --> 00:01.050\nb", &["1000-1050 a", "1000-1050 b"]);
        check(
            "00:01.0 --> 00:09.0\na\n\n00:02.0 --> 00:03.0\nb\n\n00:08.99 --> 00:10.0\nc",
            &["1000-8990 a", "2000-3000 b", "8990-10000 c"],
        );
    }

    #[test]
    fn vtt_with_everything_around_the_cues() {
        check(
            "WEBVTT - title\nKind: captions\n\nNOTE\n00:09.000 --> 00:10.000\nnot shown\n\nSTYLE\n::cue { color: red }\n\n\
             REGION\nid:x\n\nintro\n00:01.000 --> 00:02.000 line:0 align:left\n<v Ann>Hi &amp; bye\nNOTE is text here\n\n\
             stray\n\n00:00:03.000 --> 00:00:04.000\nlast",
            &["1000-2000 Hi & bye|NOTE is text here", "3000-4000 last"],
        );
        check("\u{feff}WEBVTT\n00:01.000 --> 00:02.000\nno blank line", &["1000-2000 no blank line"]);
    }

    #[test]
    fn unusable_files_give_the_reason() {
        check_error("", 0, "empty");
        check_error(" \n\n", 0, "empty");
        check_error("WEBVTT\n\n", 0, "no cue");
        check_error("ffconcat version 1.0\nfile /etc/passwd\n", 0, "no cue");
        check_error("<!DOCTYPE html>\n<p>404</p>", 0, "no cue");
        check_error("1\n00:01 --> 00:02\n\n", 0, "no cue");
        check_error("[Script Info]\nTitle: x\n", 1, "convert it to SRT or VTT");
        let ttml =
            "<?xml version=\"1.0\"?>\n<tt xmlns=\"http://www.w3.org/ns/ttml\"><body>\n<p begin=\"1s\">a</p>";
        check_error(ttml, 0, "in the TTML format");
        check_error(&ttml.replace("<tt ", "<tt:tt "), 0, "in the TTML format");
        check_error("<SAMI>\n<BODY>\n<SYNC Start=100>a", 0, "in the SAMI format");
        check_error("{1}{1}25.000\n{10}{50}Hello|world\n", 0, "in the MicroDVD format");
        check_error(
            "[ti:Song]\n[00:12.00]Line\n[01:15.30]Next\n",
            0,
            "in the LRC format; convert it to SRT, VTT or SBV",
        );
        check_error("[note] nothing {here}\n", 0, "no cue");
        check_error("1\n00:00:05,000 --> 00:00:01,000\nbackwards", 2, "not after its start");
        check_error("WEBVTT\n\n00:05.000 --> 00:x1.000\nodd", 3, "is not a time");
    }

    #[test]
    fn limits_hold() {
        let cue = "00:01 --> 00:02\na\n\n";
        assert_eq!(parse(cue.repeat(MAX_CUES).as_bytes()).unwrap().cues.len(), MAX_CUES);
        check_error(&cue.repeat(MAX_CUES + 1), MAX_CUES * 3 + 1, "more than 20000 cues");
        check_error(&cue.repeat(1_000_000), 0, "larger than 8 MiB");
        check_error(&format!("1\n00:01 --> 00:02\n{}", "字".repeat(MAX_CUE_CHARS + 1)), 2, "more than 2000");
        check_error(&format!("1\n00:01 --> 00:02\n{}", "<".repeat(4_000_000)), 2, "more than 2000");
    }

    #[test]
    fn a_vtt_cue_can_start_with_a_line_of_spaces() {
        let file = "WEBVTT\n\n00:01.0 --> 00:02.0\n \na\nb\n \nstray\n\n00:03.0 --> 00:04.0\n\nstray\n";
        check(file, &["1000-2000 a|b"]);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_break_the_parser(bytes: Vec<u8>) {
            let _ = parse(&bytes);
        }

        /// Mixes meaningful pieces in any order: nothing panics, and only plain, ordered cues come out.
        #[test]
        fn no_mixture_breaks_the_parser(fragments in proptest::collection::vec(0_usize..PIECES.len(), 0..40)) {
            let file: String = fragments.into_iter().filter_map(|i| PIECES.get(i).copied()).collect();
            for cue in parse(file.as_bytes()).unwrap_or_default().cues {
                assert!(cue.start_ms < cue.end_ms && !cue.text.is_empty());
                assert!(cue.text.chars().all(|c| c == '\n' || !c.is_control()));
                assert!(cue.times.iter().all(|time| cue.text.is_char_boundary(time.at)));
            }
        }
    }

    const PIECES: [&str; 24] = [
        "<00:00:01.500>",
        "<00:09>",
        "WEBVTT",
        "\n",
        "\n\n",
        "\r",
        "1",
        "2",
        "00:00:01,000 --> 00:00:02,000",
        "00:03.5 --> 00:04.5 line:0",
        "-->",
        "<",
        ">",
        "<i>",
        "</v",
        "&",
        ";",
        "&lt;",
        "&#10;",
        "{\\an8}",
        "{\\",
        "}",
        "字",
        "NOTE",
    ];
}
