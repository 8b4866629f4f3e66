//! Extracts plain text from a cue: removes tags, override codes and control characters, and decodes entities.

use super::InlineTime;
use super::timing::milliseconds;

/// The longest tag, in bytes; no real one is that long.
const MAX_TAG_BYTES: usize = 256;
const MAX_ENTITY_BYTES: usize = 12;

/// The tags that players know in SRT files. Anything else in angle brackets is text there.
const SRT_TAGS: [&str; 12] = ["b", "i", "u", "s", "font", "c", "v", "lang", "ruby", "rt", "span", "br"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Srt,
    Vtt,
}

/// The text to show, with non-empty lines separated by `\n`, and the times inside it.
pub fn plain_text(raw: &str, format: Format) -> (String, Vec<InlineTime>) {
    let mut tags = Vec::new();
    let text = without_tags(&without_overrides(raw), format, &mut tags);
    let lines = text.split(is_line_break).map(without_dropped).filter(|line| !line.is_empty());
    let plain = lines.collect::<Vec<_>>().join("\n");
    let times = if tags.is_empty() { Vec::new() } else { inline_times(&text, &plain, &tags) };
    (plain, times)
}

/// The lines of a text that comes from a request, in which nothing is markup.
pub fn shown_lines(text: &str) -> String {
    let lines = text.split(is_line_break).map(without_dropped).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Moves times from their places in `text` (in bytes) to those before the same letters of the tidied text.
fn inline_times(text: &str, plain: &str, tags: &[InlineTime]) -> Vec<InlineTime> {
    let letters = |c: &char| !c.is_whitespace() && !is_dropped(*c);
    let mut places = plain.char_indices().filter(|(_, c)| letters(c)).map(|(at, _)| at);
    let (mut next, mut copied) = (places.next(), 0);
    let mut times = Vec::new();
    for tag in tags {
        for _ in text.get(copied..tag.at).unwrap_or_default().chars().filter(letters) {
            next = places.next();
        }
        copied = tag.at;
        times.extend(next.map(|at| InlineTime { at, ms: tag.ms }));
    }
    times
}

/// Removes tags, and adds the times of tags such as `<00:00:01.000>` to `times`, with their places in the text.
fn without_tags(raw: &str, format: Format, times: &mut Vec<InlineTime>) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, tail) = rest.split_at(at);
        text.push_str(before);
        let Some((after, shown)) = tag(tail, format).or_else(|| entity(tail)) else {
            let (first, after) = tail.split_at(1);
            text.push_str(first);
            rest = after;
            continue;
        };
        let inside = tail.get(1..tail.len() - after.len() - 1).unwrap_or_default();
        let ms = if format == Format::Vtt && is_timestamp(inside) { milliseconds(inside) } else { None };
        times.extend(ms.map(|ms| InlineTime { at: text.len(), ms }));
        text.extend(shown);
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The rest after a tag at the start of `tail`, and the character that the tag represents.
fn tag(tail: &str, format: Format) -> Option<(&str, Option<char>)> {
    // Stopping at the next `<` avoids searching a file full of them again and again.
    let stop = tail.bytes().take(MAX_TAG_BYTES).skip(1).position(|b| matches!(b, b'<' | b'>'))?;
    let (inside, on) = tail.get(1..)?.split_at_checked(stop)?;
    let after = on.strip_prefix('>')?;
    let name_on = inside.strip_prefix('/').unwrap_or(inside);
    let end = name_on.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name_on.len());
    let (name, attributes) = name_on.split_at(end);
    let name = name.to_ascii_lowercase();
    let ended = attributes.is_empty() || attributes.starts_with([' ', '\t', '\n', '.', '/']);
    let is_known = SRT_TAGS.contains(&name.as_str());
    let any = format == Format::Vtt && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !(ended && (is_known || any) || is_timestamp(inside)) {
        return None;
    }
    Some((after, (name == "br").then_some('\n')))
}

fn is_timestamp(inside: &str) -> bool {
    inside.contains(':') && inside.bytes().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.'))
}

fn entity(tail: &str) -> Option<(&str, Option<char>)> {
    let close = tail.bytes().take(MAX_ENTITY_BYTES).position(|b| b == b';')?;
    let c = match tail.get(..=close)? {
        "&amp;" => '&',
        "&lt;" => '<',
        "&gt;" => '>',
        "&quot;" => '"',
        "&apos;" => '\'',
        "&nbsp;" => '\u{a0}',
        "&lrm;" => '\u{200e}',
        "&rlm;" => '\u{200f}',
        numeric => numeric_entity(numeric)?,
    };
    Some((tail.get(close + 1..)?, Some(c)))
}

fn numeric_entity(entity: &str) -> Option<char> {
    let number = entity.strip_prefix("&#")?.strip_suffix(';')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn without_dropped(line: &str) -> String {
    let visible = line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !is_dropped(*c));
    visible.collect::<String>().trim().to_owned()
}

/// Removes the override codes of ASS, such as `{\an8}`, which converters leave in other formats, and replaces `\N` and `\h`
/// with the line break and the space that they represent, except in paths.
fn without_overrides(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find(['{', '\\']) {
        let (before, tail) = rest.split_at(at);
        text.push_str(before);
        if let Some(after) = override_code(tail) {
            rest = after;
            continue;
        }
        let escaped = match tail.get(..2) {
            Some("\\N") => Some('\n'),
            Some("\\h") => Some(' '),
            _ => None,
        };
        if let Some(c) = escaped.filter(|_| !ends_in_path(&text)) {
            text.push(c);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            let (first, after) = tail.split_at(1);
            text.push_str(first);
            rest = after;
        }
    }
    text.push_str(rest);
    text
}

/// The rest after an override code at the start of `tail`. Other text in braces is drawn.
fn override_code(tail: &str) -> Option<&str> {
    let inside = tail.strip_prefix("{\\")?;
    let close = inside.bytes().take(MAX_TAG_BYTES).position(|b| matches!(b, b'}' | b'\n'))?;
    let (code, after) = inside.split_at_checked(close)?;
    let is_code = code.starts_with(|c: char| c.is_ascii_alphanumeric());
    after.strip_prefix('}').filter(|_| is_code)
}

/// Whether the last word of a text is the start of a Windows path, such as `C:` or `\\server`.
fn ends_in_path(text: &str) -> bool {
    let word = text.char_indices().rev().take(MAX_TAG_BYTES).take_while(|(_, c)| !c.is_whitespace());
    let word = word.last().and_then(|(at, _)| text.get(at..)).unwrap_or_default();
    let is_drive = |name: &str, rest: &str| {
        let mut letters = name.chars().rev();
        letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && !letters.next().is_some_and(char::is_alphanumeric)
            && (rest.is_empty() || rest.starts_with('\\'))
    };
    word.starts_with('\\') || word.split_once(':').is_some_and(|(name, rest)| is_drive(name, rest))
}

/// Whether it is a control character, a forced direction (lines get theirs from [`super::direction`]) or a code point that
/// is not a character.
fn is_dropped(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || (u32::from(c) & 0xfffe) == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: Format, raw: &str, expected: &str) {
        assert_eq!(plain_text(raw, format).0, expected, "{raw:?}");
    }

    #[test]
    fn known_tags_are_removed_and_other_brackets_stay_in_srt() {
        check(Format::Srt, "<i>slanted</i> <FONT color=\"#ff0000\">red</font>", "slanted red");
        check(Format::Srt, "I <3 you, 1 < 2 > 0, <hello>", "I <3 you, 1 < 2 > 0, <hello>");
        check(Format::Srt, "one<br/>two<br>three", "one\ntwo\nthree");
        check(Format::Srt, "<i unclosed", "<i unclosed");
    }

    #[test]
    fn every_tag_is_removed_in_vtt() {
        check(Format::Vtt, "<v Roger Bingham>Hi <c.loud.x>there</c></v>", "Hi there");
        check(Format::Vtt, "one <00:00:01.000>two <00:01.5>three", "one two three");
        check(Format::Vtt, "<ruby>漢<rt>kan</rt></ruby> <lang en>x</lang> <whatever>y", "漢kan x y");
    }

    #[test]
    fn times_are_attached_to_the_next_letter() {
        let check = |format, raw: &str, expected: &[(usize, u64)]| {
            let (_, times) = plain_text(raw, format);
            assert_eq!(times.iter().map(|time| (time.at, time.ms)).collect::<Vec<_>>(), expected, "{raw:?}");
        };
        let vtt = Format::Vtt;
        check(vtt, "one <00:00:01.000>two <00:01.5><i>three", &[(4, 1000), (8, 1500)]);
        check(
            vtt,
            " <00:01.000>  a \n <00:02.000>\n\n <00:03.000>字<00:04.000>",
            &[(0, 1000), (2, 2000), (2, 3000)],
        );
        check(vtt, "&lt;<00:02.000>b\0<00:01.000>c<9:99.0><1:2:3:4>d", &[(1, 2000), (2, 1000)]);
        check(Format::Srt, "one <00:00:01.000>two", &[]);
    }

    #[test]
    fn entities_are_decoded_once() {
        check(
            Format::Vtt,
            "a &amp;lt; &lt;i&gt; &nbsp;| &#65;&#x4e2d; &bogus; & &;",
            "a &lt; <i> \u{a0}| A中 &bogus; & &;",
        );
        check(Format::Srt, "&lrm;a&rlm;", "\u{200e}a\u{200f}");
        check(Format::Srt, "&#0;&#xd800;&#10;x", "&#xd800;\nx");
    }

    #[test]
    fn override_codes_are_removed_anywhere() {
        check(Format::Srt, "{\\an8}{\\i1}top", "top");
        check(Format::Srt, "Hello {\\i1}brave{\\i0} world {\\an8}", "Hello brave world");
        check(Format::Srt, "one\n{\\an8} two{\\fad(100,200)\\c&HFF&}", "one\ntwo");
        check(Format::Vtt, "<i>{\\b1}x</i> {\\an8}", "x");
        check(Format::Srt, "{literal} {\\} {hi} {\\ x} {\\i1", "{literal} {\\} {hi} {\\ x} {\\i1");
        check(Format::Srt, "{\\i1\n}", "{\\i1\n}");
        let long = format!("{{\\i1{}}}", "x".repeat(300));
        check(Format::Srt, &long, &long);
    }

    #[test]
    fn escapes_of_ass_are_honoured_except_in_paths() {
        check(Format::Srt, "line one\\Nline two\\Nthree", "line one\nline two\nthree");
        check(Format::Srt, "{\\an8}\\Na\\hb", "a b");
        check(
            Format::Srt,
            "in C:\\New\\home or \\\\host\\New\\Nice",
            "in C:\\New\\home or \\\\host\\New\\Nice",
        );
        check(Format::Srt, "Ann:\\Nhi", "Ann:\nhi");
        check(Format::Srt, "C:\\new \\x \\", "C:\\new \\x \\");
    }

    #[test]
    fn overrides_do_not_shift_the_times_of_words() {
        let (text, times) = plain_text("{\\an8}one <00:01.000>two", Format::Vtt);
        assert_eq!((text.as_str(), times), ("one two", vec![InlineTime { at: 4, ms: 1000 }]));
    }

    #[test]
    fn control_characters_and_forced_directions_are_removed() {
        check(Format::Srt, "a\0b\u{1b}c\td\u{202e}e\u{2066}f\u{feff}\u{ffff}", "abc def");
        check(Format::Srt, "  \n a \u{2028} b\u{85}\n\n", "a\nb");
    }
}
