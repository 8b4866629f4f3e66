//! Parses a file's bytes into cues: lenient about form (numbers, blank lines, line ends), strict about times.

use super::decode::decode;
use super::markup::{Format, plain_text};
use super::timing::{is_timing, parse_timing};
use super::{Cue, SubtitleError};
use crate::message;

const MAX_BYTES: usize = 8 * 1024 * 1024;
const MAX_CUES: usize = 20_000;
const MAX_CUE_CHARS: usize = 2_000;

/// Reads an SRT or VTT file (told apart by content, whatever its name is) in UTF-8, UTF-16 or GB18030.
///
/// Cues are sorted by start, with equal starts in the file's order; cues without text are left out. A file may have at
/// most 8 MiB, 20,000 cues and 2,000 characters a cue.
pub fn parse(bytes: &[u8]) -> Result<Vec<Cue>, SubtitleError> {
    if bytes.len() > MAX_BYTES {
        let mib = MAX_BYTES / (1024 * 1024);
        return Err(SubtitleError::whole(message::subtitles_too_large(mib)));
    }
    let text = decode(bytes)?.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split('\n').collect();
    let mut cues = match format_of(&lines)? {
        Format::Vtt => read(vtt_blocks(&lines), &lines, Format::Vtt)?,
        Format::Srt => read(srt_blocks(&lines), &lines, Format::Srt)?,
    };
    if cues.is_empty() {
        return Err(no_cue(&lines));
    }
    cues.sort_by_key(|cue| cue.start_ms);
    Ok(cues)
}

/// The place of a cue, as indexes of lines.
#[derive(Debug, Clone, Copy)]
struct Block {
    timing: usize,
    text_end: usize,
}

fn format_of(lines: &[&str]) -> Result<Format, SubtitleError> {
    let first = lines.first().map_or("", |line| line.trim_end());
    let heading = lines.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or_default();
    if heading.eq_ignore_ascii_case("[Script Info]") {
        return Err(SubtitleError::at(1, message::subtitles_ass()));
    }
    let vtt =
        first.strip_prefix("WEBVTT").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
    Ok(if vtt { Format::Vtt } else { Format::Srt })
}

fn no_cue(lines: &[&str]) -> SubtitleError {
    if lines.iter().all(|line| line.trim().is_empty()) {
        return SubtitleError::whole(message::subtitles_empty());
    }
    SubtitleError::whole(message::subtitles_without_cue())
}

fn read(
    blocks: impl Iterator<Item = Block>,
    lines: &[&str],
    format: Format,
) -> Result<Vec<Cue>, SubtitleError> {
    let mut cues = Vec::new();
    for (count, block) in blocks.enumerate() {
        if count >= MAX_CUES {
            return Err(SubtitleError::at(block.timing + 1, message::too_many_cues(MAX_CUES)));
        }
        cues.extend(read_cue(block, lines, format)?);
    }
    Ok(cues)
}

fn read_cue(block: Block, lines: &[&str], format: Format) -> Result<Option<Cue>, SubtitleError> {
    let number = block.timing + 1;
    let timing = lines.get(block.timing).copied().unwrap_or_default();
    let (start_ms, end_ms) = parse_timing(timing, number)?;
    let raw = lines.get(number..block.text_end).unwrap_or_default().join("\n");
    let (text, times) = plain_text(&raw, format);
    if text.chars().count() > MAX_CUE_CHARS {
        return Err(SubtitleError::at(number, message::cue_too_long(MAX_CUE_CHARS)));
    }
    Ok((!text.is_empty()).then_some(Cue { start_ms, end_ms, text, times }))
}

/// A cue's text extends to the next timing line, except for that cue's number: writers leave blank lines inside cues,
/// forget those between them, and leave numbers out.
fn srt_blocks<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = Block> + 'a {
    let mut timings =
        (0..lines.len()).filter(|i| lines.get(*i).is_some_and(|line| is_timing(line))).peekable();
    std::iter::from_fn(move || {
        let timing = timings.next()?;
        let text_end = timings.peek().map_or(lines.len(), |next| before_number(lines, timing, *next));
        Some(Block { timing, text_end })
    })
}

/// The end of the text between two timing lines: `next`, or one less if a cue number stands there. Digits are a number
/// and not text if they follow a blank line or the previous timing, or continue the count of numbers.
fn before_number(lines: &[&str], timing: usize, next: usize) -> usize {
    let last = next - 1;
    let Some(number) = cue_number(lines, last).filter(|_| last > timing) else { return next };
    let after_gap = last == timing + 1 || lines.get(last - 1).is_some_and(|line| line.trim().is_empty());
    let counts_on = timing
        .checked_sub(1)
        .and_then(|before| cue_number(lines, before))
        .is_some_and(|own| own.checked_add(1) == Some(number));
    if after_gap || counts_on { last } else { next }
}

fn cue_number(lines: &[&str], index: usize) -> Option<u64> {
    let line = lines.get(index)?.trim();
    if line.bytes().all(|b| b.is_ascii_digit()) { line.parse().ok() } else { None }
}

/// Blocks are separated by blank lines. Notes, styles and regions are skipped, and so is every line before a timing
/// (names of cues, the header).
fn vtt_blocks<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = Block> + 'a {
    let mut next = 0;
    std::iter::from_fn(move || {
        let timing = vtt_timing(lines, next)?;
        let text_end = vtt_text_end(lines, timing);
        next = text_end;
        Some(Block { timing, text_end })
    })
}

fn vtt_timing(lines: &[&str], from: usize) -> Option<usize> {
    let (mut skipping, mut at_start) = (false, true);
    for (i, line) in lines.iter().enumerate().skip(from) {
        let blank = line.trim().is_empty();
        skipping = !blank && (skipping || (at_start && is_vtt_comment(line)));
        if !skipping && is_timing(line) {
            return Some(i);
        }
        at_start = blank;
    }
    None
}

fn is_vtt_comment(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "NOTE" | "STYLE" | "REGION")
}

fn vtt_text_end(lines: &[&str], timing: usize) -> usize {
    let text = lines.iter().enumerate().skip(timing + 1);
    let mut ends = text.filter(|(_, line)| line.trim().is_empty() || is_timing(line));
    ends.next().map_or(lines.len(), |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks each cue as `start-end text`, with its lines joined by `|`.
    fn check(file: &str, expected: &[&str]) {
        let cues = parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{file}"));
        let show = |cue: &Cue| format!("{}-{} {}", cue.start_ms, cue.end_ms, cue.text.replace('\n', "|"));
        assert_eq!(cues.iter().map(show).collect::<Vec<_>>(), expected, "{file}");
    }

    fn check_error(file: &str, line: usize, part: &str) {
        let error = parse(file.as_bytes()).unwrap_err();
        assert!(error.line == line && error.message.contains(part), "{error:?}");
    }

    #[test]
    fn srt_as_it_should_be() {
        let file =
            "1\n00:00:01,000 --> 00:00:02,000\nHello\nworld\n\n2\n00:00:03,000 --> 00:00:04,000\n2024\n";
        check(file, &["1000-2000 Hello|world", "3000-4000 2024"]);
        check(&file.replace('\n', "\r\n"), &["1000-2000 Hello|world", "3000-4000 2024"]);
        check(&file.replace('\n', "\r"), &["1000-2000 Hello|world", "3000-4000 2024"]);
    }

    #[test]
    fn srt_as_it_comes() {
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
    fn unusable_files_say_what_is_wrong() {
        check_error("", 0, "empty");
        check_error(" \n\n", 0, "empty");
        check_error("WEBVTT\n\n", 0, "no cue");
        check_error("ffconcat version 1.0\nfile /etc/passwd\n", 0, "no cue");
        check_error("<!DOCTYPE html>\n<p>404</p>", 0, "no cue");
        check_error("1\n00:01 --> 00:02\n\n", 0, "no cue");
        check_error("[Script Info]\nTitle: x\n", 1, "convert it to SRT or VTT");
        check_error("1\n00:00:05,000 --> 00:00:01,000\nbackwards", 2, "not after its start");
        check_error("WEBVTT\n\n00:05.000 --> 00:x1.000\nodd", 3, "is not a time");
    }

    #[test]
    fn limits_hold() {
        let cue = "00:01 --> 00:02\na\n\n";
        assert_eq!(parse(cue.repeat(MAX_CUES).as_bytes()).unwrap().len(), MAX_CUES);
        check_error(&cue.repeat(MAX_CUES + 1), MAX_CUES * 3 + 1, "more than 20000 cues");
        check_error(&cue.repeat(1_000_000), 0, "larger than 8 MiB");
        check_error(&format!("1\n00:01 --> 00:02\n{}", "字".repeat(MAX_CUE_CHARS + 1)), 2, "more than 2000");
        check_error(&format!("1\n00:01 --> 00:02\n{}", "<".repeat(4_000_000)), 2, "more than 2000");
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_break_the_parser(bytes: Vec<u8>) {
            let _ = parse(&bytes);
        }

        /// Mixes meaningful pieces in any order: nothing panics, and only plain, ordered cues come out.
        #[test]
        fn no_mixture_breaks_the_parser(pieces in proptest::collection::vec(0_usize..PIECES.len(), 0..40)) {
            let file: String = pieces.into_iter().filter_map(|i| PIECES.get(i).copied()).collect();
            for cue in parse(file.as_bytes()).unwrap_or_default() {
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
