//! From bytes to text: UTF-8, UTF-16 and GB18030, with or without a byte order mark.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GB18030, GBK, UTF_16BE, UTF_16LE};

use super::SubtitleError;
use crate::message;

/// How much of a file is examined to detect UTF-16 without a byte order mark.
const SAMPLE_BYTES: usize = 4096;

pub fn decode(bytes: &[u8]) -> Result<String, SubtitleError> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return strict(encoding, bytes.get(mark..).unwrap_or_default());
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return strict(encoding, bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => legacy(bytes).ok_or_else(|| {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            SubtitleError::at(line_of(&String::from_utf8_lossy(before)), message::not_utf8())
        }),
    }
}

fn strict(encoding: &'static Encoding, bytes: &[u8]) -> Result<String, SubtitleError> {
    let (text, damaged) = encoding.decode_without_bom_handling(bytes);
    if !damaged {
        return Ok(text.into_owned());
    }
    let before = text.split('\u{fffd}').next().unwrap_or_default();
    let name = encoding.name();
    Err(SubtitleError::at(line_of(before), message::not_encoded(name)))
}

/// Detects UTF-16: digits, colons and arrows have a zero byte in it, and never in any other encoding.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..bytes.len().min(SAMPLE_BYTES)).unwrap_or_default();
    let zeros = |parity| sample.iter().enumerate().filter(|(i, b)| i % 2 == parity && **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let many = sample.len() / 20 + 1;
    if odd > many && odd > even * 4 {
        Some(UTF_16LE)
    } else if even > many && even > odd * 4 {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Decodes text that is not Unicode: by the detector's guess, with Chinese as the likely answer, otherwise as GB18030 if
/// that reads without an error.
fn legacy(bytes: &[u8]) -> Option<String> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(Some(b"cn"), Utf8Detection::Deny);
    let trusted = if guess == GBK { GB18030 } else { guess };
    [trusted, GB18030].into_iter().find_map(|encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        Some(text.into_owned())
    })
}

/// The number of the line that comes after `before`.
fn line_of(before: &str) -> usize {
    let breaks = before.matches('\n').count();
    if breaks > 0 { breaks + 1 } else { before.matches('\r').count() + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "1\r\n00:00:01,000 --> 00:00:02,000\r\n你好,世界\r\n";

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        let unit = |u: u16| if big { u.to_be_bytes() } else { u.to_le_bytes() };
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn every_promised_encoding_is_read() {
        let (gb, _, _) = GB18030.encode(TEXT);
        let marked = format!("\u{feff}{TEXT}");
        let cases: [(&str, Vec<u8>); 7] = [
            ("utf-8", TEXT.into()),
            ("utf-8 with a mark", marked.clone().into()),
            ("utf-16le with a mark", utf16(&marked, false)),
            ("utf-16be with a mark", utf16(&marked, true)),
            ("utf-16le", utf16(TEXT, false)),
            ("utf-16be", utf16(TEXT, true)),
            ("gb18030", gb.into_owned()),
        ];
        for (name, bytes) in cases {
            assert_eq!(decode(&bytes).as_deref(), Ok(TEXT), "{name}");
        }
    }

    #[test]
    fn short_chinese_words_and_four_byte_characters_are_gb18030() {
        for word in ["你好", "好", "谢谢观看", "我们走吧。", "㐀㑇", "繁體字", "café 咖啡", "🎬开始"]
        {
            let text = format!("00:00:01,000 --> 00:00:02,000\n{word}\n");
            let (bytes, _, _) = GB18030.encode(&text);
            assert_eq!(decode(&bytes), Ok(text));
        }
    }

    #[test]
    fn western_text_is_not_mistaken_for_chinese() {
        let bytes = b"00:00:01,000 --> 00:00:02,000\nUn caf\xe9 cr\xe8me, s'il vous pla\xeet\n";
        assert!(decode(bytes).unwrap().contains("Un café crème"));
    }

    #[test]
    fn damaged_text_names_the_line() {
        let check = |bytes: &[u8], line: usize| assert_eq!(decode(bytes).unwrap_err().line, line);
        check(b"\xef\xbb\xbf1\n2\n\xff\xff\n", 3);
        check(b"1\n2\n\xff\xff\xff\n", 3);
        check(b"\xff\xfe1\0\n\0\x00\xd8", 2);
    }
}
