//! The names under which files are saved: one rule for downloads, archives and files in a bucket.

use std::iter;

use clipmill_core::ids::TaskNo;
use clipmill_core::request::template::Values;
use clipmill_store::{RowTitle, TaskTitle};
use serde_json::Value;

/// The most bytes of a name. File systems allow 255; programs add something to names, as browsers add ` (1)`.
const MAX_BYTES: usize = 180;
/// Separates the parts of a name.
const DASH: &str = " – ";
/// Names that Windows gives to devices, with any ending.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
/// Characters of RFC 8187 that need no encoding, beside letters and digits.
const PLAIN: &[u8] = b"!#$&+-.^_`|~";

/// The name of a file: one made of numbers, and the user's own name, if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName {
    numbered: String,
    custom: Option<String>,
}

impl FileName {
    /// An output of a task, or its cover.
    pub fn of_item(words: Option<&str>, task_no: &TaskNo, item_no: u32, extension: &str) -> Self {
        let custom = words.and_then(|words| with_ending(words, &format!("{DASH}{item_no}.{extension}")));
        Self { numbered: format!("{task_no}-{item_no}.{extension}"), custom }
    }

    /// A file about all of a task or a batch, such as the archive of its outputs.
    pub fn of_all(words: Option<&str>, number: &str, extension: &str) -> Self {
        let custom = words.and_then(|words| with_ending(words, &format!(".{extension}")));
        Self { numbered: format!("{number}.{extension}"), custom }
    }

    /// A file with the user's own name, with any ending.
    pub fn of_upload(name: Option<&str>, id: &str) -> Self {
        Self { numbered: id.to_owned(), custom: name.and_then(sanitized) }
    }

    /// A file whose name does not refer to its task.
    pub fn numbered(name: String) -> Self {
        Self { numbered: name, custom: None }
    }

    pub fn as_str(&self) -> &str {
        self.custom.as_ref().unwrap_or(&self.numbered)
    }

    /// The header `Content-Disposition`. Clients that do not know `filename*` get the name made of numbers.
    pub fn disposition(&self, kind: Disposition) -> String {
        let kind = kind.as_str();
        let plain = format!("{kind}; filename=\"{}\"", self.numbered);
        match &self.custom {
            Some(name) => format!("{plain}; filename*=UTF-8''{}", encoded(name)),
            None => plain,
        }
    }
}

/// Whether a browser shows a file or saves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    Inline,
    Attachment,
}

impl Disposition {
    fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::Attachment => "attachment",
        }
    }
}

/// The display name of a task.
pub fn words(title: &TaskTitle) -> Option<String> {
    match &title.batch {
        None => title.name.clone(),
        Some(RowTitle { name, row, values }) => {
            words_in_batch(title.name.as_deref(), name.as_deref(), *row, first_text(values))
        }
    }
}

/// The display name of a task of a batch: its name or its batch's name, followed by the first cell of its row that
/// contains words. If the task's own name already contains the cell, it is used alone.
pub fn words_in_batch(
    name: Option<&str>,
    batch: Option<&str>,
    row: u32,
    cell: Option<&str>,
) -> Option<String> {
    let says_cell = name.zip(cell).is_some_and(|(name, cell)| has_words(name, cell));
    let name = name.or(batch);
    let row = match (name, cell) {
        // Templates usually name a task by a cell of its row.
        _ if says_cell => None,
        (Some(_), None) => Some(row.to_string()),
        (_, cell) => cell.map(str::to_owned),
    };
    let parts: Vec<&str> = name.into_iter().chain(row.as_deref()).collect();
    (!parts.is_empty()).then(|| parts.join(DASH))
}

/// Whether `name` has these words, whole and in this order.
fn has_words(name: &str, words: &str) -> bool {
    let split = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (name, words) = (split(name), split(words));
    !words.is_empty() && name.windows(words.len()).any(|window| *window == *words)
}

/// The first cell with words, not with an address, a number or a color.
pub fn first_text(values: &Values) -> Option<&str> {
    let mut texts = values.values().filter_map(Value::as_str).map(str::trim);
    texts.find(|text| {
        let is_color = text.strip_prefix('#').is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        text.contains(char::is_alphabetic) && !text.contains("://") && !is_color
    })
}

/// A name that every system accepts in a folder, or nothing if no character is left.
pub fn sanitized(name: &str) -> Option<String> {
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if ending.len() <= 8 && !stem.is_empty() => (stem, format!(".{ending}")),
        _ => (name, String::new()),
    };
    with_ending(stem, &ending)
}

fn with_ending(words: &str, ending: &str) -> Option<String> {
    let mut name = cleaned(words);
    let ending: String = ending.chars().filter(|c| !is_invisible(*c) && !is_reserved(*c)).collect();
    let mut max = MAX_BYTES.saturating_sub(ending.len()).min(name.len());
    while !name.is_char_boundary(max) {
        max -= 1;
    }
    name.truncate(max);
    let name = name.trim_end_matches([' ', '.']);
    if name.is_empty() {
        return None;
    }
    let whole = format!("{name}{ending}");
    let whole = whole.trim_end_matches([' ', '.']);
    Some(if is_device(whole) { format!("_{whole}") } else { whole.to_owned() })
}

/// Removes characters that a system does not allow, and those that hide or disguise a name.
fn cleaned(words: &str) -> String {
    let replacement = |c: char| match c {
        c if c.is_whitespace() => ' ',
        c if is_reserved(c) => '-',
        c => c,
    };
    let visible = words.chars().filter(|c| c.is_whitespace() || !is_invisible(*c));
    let text: String = visible.map(replacement).collect();
    let text = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    // A dot would hide the file, and programs would take a dash for an option.
    text.trim_start_matches(['.', ' ', '-']).to_owned()
}

fn is_reserved(c: char) -> bool {
    r#"/\:*?"<>|"#.contains(c)
}

/// Control characters, and marks that reverse the direction of text: with them `gpj.exe` is shown as `exe.jpg`.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}' | '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let numbered = ["COM", "LPT"].iter().find_map(|device| stem.strip_prefix(device));
    let mut digit = numbered.into_iter().flat_map(str::chars);
    DEVICES.contains(&stem.as_str())
        || matches!((digit.next(), digit.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
}

fn encoded(name: &str) -> String {
    let byte = |byte: u8| match byte {
        _ if byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(byte).collect()
}

/// The name in a header `Content-Disposition`, safe for use in a folder of the client.
pub fn of_header(disposition: &str) -> Option<String> {
    let parameter = |name: &str| {
        let mut parts = disposition.split(';').map(str::trim);
        parts.find_map(|part| part.strip_prefix(name)?.trim_start().strip_prefix('=').map(str::trim))
    };
    let extended = parameter("filename*").and_then(|value| {
        let (charset, rest) = value.split_once('\'')?;
        let (_, text) = rest.split_once('\'')?;
        charset.eq_ignore_ascii_case("utf-8").then(|| decoded(text)).flatten()
    });
    let name = extended.or_else(|| parameter("filename").map(|value| value.trim_matches('"').to_owned()))?;
    // A path leads nowhere: its last part is the name.
    sanitized(name.rsplit(['/', '\\']).next().unwrap_or_default())
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let byte = iter::from_fn(|| match bytes.next()? {
        b'%' => {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let value = digit(bytes.next()).zip(digit(bytes.next()));
            Some(value.and_then(|(high, low)| u8::try_from(high * 16 + low).ok()))
        }
        byte => Some(Some(byte)),
    });
    String::from_utf8(byte.collect::<Option<Vec<u8>>>()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn task() -> TaskNo {
        TaskNo::new(1_700_000_000_500, [1; 10])
    }

    fn title(name: Option<&str>, row: Option<(Option<&str>, Value)>) -> TaskTitle {
        let batch = row.map(|(name, values)| RowTitle {
            name: name.map(str::to_owned),
            row: 7,
            values: values.as_object().unwrap().clone(),
        });
        TaskTitle { name: name.map(str::to_owned), batch }
    }

    #[test]
    fn a_file_is_named_by_its_task_its_row_and_its_number() {
        let cells =
            || json!({ "clip": "upload://1", "price": "9.90", "ink": "#ff0000", "product": "Red shoes" });
        for (name, row, expected) in [
            (Some("Summer sale"), None, "Summer sale – 2.mp4"),
            (None, Some((Some("Summer sale"), cells())), "Summer sale – Red shoes – 2.mp4"),
            (Some("Sale"), Some((Some("Summer sale"), cells())), "Sale – Red shoes – 2.mp4"),
            (Some("red shoes, blue"), Some((Some("Summer"), cells())), "red shoes, blue – 2.mp4"),
            (None, Some((Some("Summer"), json!({ "clip": "upload://1" }))), "Summer – 7 – 2.mp4"),
            (None, Some((Some("Summer sale"), json!({ "size": "S" }))), "Summer sale – S – 2.mp4"),
            (None, Some((Some("Summer sale"), json!({ "kind": "Sale" }))), "Summer sale – Sale – 2.mp4"),
            (Some("Sale of shirts"), Some((None, json!({ "size": "S" }))), "Sale of shirts – S – 2.mp4"),
            (None, Some((None, cells())), "Red shoes – 2.mp4"),
            (Some("夏季促销"), None, "夏季促销 – 2.mp4"),
            (Some("../../etc/passwd"), None, "etc-passwd – 2.mp4"),
            (Some("a\u{0}b\r\nc\t d\u{202E}e"), None, "ab c de – 2.mp4"),
            (Some("what? \"now\": <1|2>*"), None, "what- -now-- -1-2-- – 2.mp4"),
            (Some("the end... "), None, "the end – 2.mp4"),
            (Some("con.x"), None, "_con.x – 2.mp4"),
        ] {
            let name = FileName::of_item(words(&title(name, row)).as_deref(), &task(), 2, "mp4");
            assert_eq!(name.as_str(), expected);
        }
        let numbered = format!("{}-2.mp4", task());
        for nameless in [title(None, None), title(Some("..."), None), title(None, Some((None, json!({}))))] {
            let name = FileName::of_item(words(&nameless).as_deref(), &task(), 2, "mp4");
            assert_eq!(name.as_str(), numbered);
            assert_eq!(name.disposition(Disposition::Inline), format!("inline; filename=\"{numbered}\""));
        }
    }

    #[test]
    fn a_name_is_short_enough_and_not_a_device() {
        for long in ["a", "漢", "🎬", "é"] {
            let name = FileName::of_item(Some(&long.repeat(300)), &task(), 1_000, "mp4");
            assert!(
                name.as_str().len() <= MAX_BYTES && name.as_str().ends_with(&format!("{long} – 1000.mp4"))
            );
        }
        let all = |words| FileName::of_all(Some(words), "BP1", "zip").as_str().to_owned();
        for (words, expected) in [
            ("June", "June.zip"),
            ("CON", "_CON.zip"),
            ("lpt1", "_lpt1.zip"),
            ("COM¹", "_COM¹.zip"),
            ("COM10", "COM10.zip"),
            ("Conserve", "Conserve.zip"),
            (".hidden", "hidden.zip"),
            ("\u{1}\u{2}", "BP1.zip"),
        ] {
            assert_eq!(all(words), expected);
        }
    }

    #[test]
    fn a_header_carries_the_name_there_and_back() {
        for name in ["Summer sale – 1", "100 % \u{2019}new\u{2019}; a=b", "夏季", "it's", "a,b c"] {
            let file = FileName::of_all(Some(name), "VP1", "zip");
            let header = file.disposition(Disposition::Attachment);
            assert!(header.starts_with("attachment; filename=\"VP1.zip\"; filename*=UTF-8''"), "{header}");
            assert!(header.is_ascii() && header.matches(';').count() == 2, "{header}");
            assert_eq!(of_header(&header).as_deref(), Some(file.as_str()));
        }
        for (header, expected) in [
            ("inline; filename=\"VP1-1.mp4\"", Some("VP1-1.mp4")),
            ("attachment; filename=plain.zip", Some("plain.zip")),
            ("attachment; filename=\"../../.ssh/authorized_keys\"", Some("authorized_keys")),
            ("attachment; filename*=UTF-8''..%2F..%5Cevil.mp4", Some("evil.mp4")),
            ("attachment; filename*=UTF-8''%2E%2E", None),
            ("attachment; filename*=UTF-8''%ff%fe; filename=\"a.mp4\"", Some("a.mp4")),
            ("attachment; filename=\"NUL.mp4\"", Some("_NUL.mp4")),
            ("attachment", None),
        ] {
            assert_eq!(of_header(header).as_deref(), expected, "{header}");
        }
    }
}
