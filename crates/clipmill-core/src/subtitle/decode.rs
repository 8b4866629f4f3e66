//! From bytes to text: UTF-8, UTF-16, the older encodings of East Asia, and encodings with one byte per character.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1252,
};

use super::SubtitleError;
use crate::message;

/// How much of a file is examined to detect UTF-16 without a byte order mark.
const SAMPLE_BYTES: usize = 4096;
/// With fewer bytes outside ASCII than this, the detector cannot distinguish the encodings of East Asia.
const MIN_DETECTABLE_BYTES: usize = 8;
/// Ellipsis, quotation marks, dashes and inverted marks in windows-1252.
const LATIN_PUNCTUATION: [u8; 12] = [0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xa0, 0xa1, 0xab, 0xbb, 0xbf];

/// Byte order marks of UTF-32. The first begins like that of UTF-16.
const UTF_32_MARKS: [[u8; 4]; 2] = [[0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff]];

pub fn decode(bytes: &[u8]) -> Result<String, SubtitleError> {
    if UTF_32_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(SubtitleError::at(1, message::not_utf8()));
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return certain(encoding, bytes.get(mark..).unwrap_or_default());
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return certain(encoding, bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains("\u{1b}$") => {
            Ok(strict(ISO_2022_JP, bytes).unwrap_or_else(|| text.to_owned()))
        }
        Ok(text) => Ok(text.to_owned()),
        Err(error) => legacy(bytes).ok_or_else(|| {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            SubtitleError::at(line_of(&String::from_utf8_lossy(before)), message::not_utf8())
        }),
    }
}

/// Decodes text whose encoding is certain.
fn certain(encoding: &'static Encoding, bytes: &[u8]) -> Result<String, SubtitleError> {
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

/// Decodes text that is not Unicode. The encodings of East Asia share their bytes, so a wrong one gives wrong characters
/// instead of an error. Ambiguous text is refused.
///
/// Up to three Chinese characters cannot be distinguished from Korean or Japanese. They are read as Chinese.
fn legacy(bytes: &[u8]) -> Option<String> {
    if is_damaged(UTF_8, bytes, 3) {
        return None;
    }
    let is_short = bytes.iter().filter(|b| !b.is_ascii()).count() < MIN_DETECTABLE_BYTES;
    let chinese = strict(GB18030, bytes);
    if is_short && let Some(text) = &chinese {
        let is_paired = bytes.split(u8::is_ascii).all(is_paired);
        if is_paired && !text.contains(is_kana) || has_four_byte_character(bytes) {
            return chinese;
        }
    }
    let likely = guess(bytes);
    let text = strict(likely, bytes)?;
    let is_ambiguous = if likely.is_single_byte() {
        let is_unlikely = is_short || likely == WINDOWS_1252 || is_damaged_multibyte(bytes);
        is_unlikely && !is_latin(bytes)
    } else {
        likely == EUC_JP && chinese.is_some() && !text.contains(is_kana)
    };
    (!is_ambiguous).then_some(text)
}

/// Whether most bytes outside ASCII are single accented letters or punctuation beside ASCII letters.
fn is_latin(bytes: &[u8]) -> bool {
    let (mut runs, mut latin) = (0, 0);
    let mut before = b' ';
    let mut chunks = bytes.chunk_by(|a, b| a.is_ascii() == b.is_ascii()).peekable();
    while let Some(chunk) = chunks.next() {
        let after = chunks.peek().and_then(|next| next.first()).copied().unwrap_or(b' ');
        let is_in_word = before.is_ascii_alphabetic() || after.is_ascii_alphabetic();
        if chunk.first().is_some_and(|b| !b.is_ascii()) {
            runs += 1;
            let is_letter = |b: &u8| *b >= 0xc0 || LATIN_PUNCTUATION.contains(b);
            latin += usize::from(is_in_word && matches!(chunk, [b] if is_letter(b)));
        }
        before = chunk.last().copied().unwrap_or(before);
    }
    latin * 3 >= runs * 2
}

/// Whether the bytes are text in an encoding with several bytes per character, apart from a few damaged characters. The
/// detector discards an encoding at its first error, and any bytes are text in an encoding with one byte per character.
fn is_damaged_multibyte(bytes: &[u8]) -> bool {
    [GB18030, BIG5, SHIFT_JIS, EUC_JP, EUC_KR].into_iter().any(|encoding| is_damaged(encoding, bytes, 20))
}

/// Whether at most one of `count` characters outside ASCII is damaged.
fn is_damaged(encoding: &'static Encoding, bytes: &[u8], count: usize) -> bool {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let damaged = text.matches('\u{fffd}').count();
    damaged * count <= text.chars().filter(|c| !c.is_ascii()).count()
}

/// The detector's guess.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if guess == GBK { GB18030 } else { guess }
}

/// The text if all bytes are characters, and none of them is a character for private use, to which encodings map gaps.
fn strict(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    (!text.contains(is_private)).then(|| text.into_owned())
}

/// Whether a run of bytes outside ASCII consists of characters of two bytes, as in the older sets of East Asia.
fn is_paired(run: &[u8]) -> bool {
    run.len().is_multiple_of(2) && run.iter().all(|b| *b > 0xa0)
}

/// Only GB18030 has characters of four bytes in which digits take turns with others.
fn has_four_byte_character(bytes: &[u8]) -> bool {
    let is_lead = |b: u8| (0x81..=0xfe).contains(&b);
    bytes.windows(4).any(|window| {
        matches!(*window, [a, b, c, d] if is_lead(a) && is_lead(c) && b.is_ascii_digit() && d.is_ascii_digit())
    })
}

fn is_kana(c: char) -> bool {
    ('\u{3040}'..='\u{30ff}').contains(&c)
}

fn is_private(c: char) -> bool {
    ('\u{e000}'..='\u{f8ff}').contains(&c)
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
    fn utf_32_is_refused() {
        let little: Vec<u8> = TEXT.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert!(decode(&[&[0xff, 0xfe, 0, 0], little.as_slice()].concat()).is_err());
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
            assert_eq!(decode(&bytes), Ok(TEXT.to_owned()), "{name}");
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

    fn encoded(encoding: &'static Encoding, text: &str) -> (String, Vec<u8>) {
        let text = format!("1\n00:00:01,000 --> 00:00:02,000\n{text}\n");
        let (bytes, _, lacks) = encoding.encode(&text);
        assert!(!lacks, "{text}");
        (text.clone(), bytes.into_owned())
    }

    #[test]
    fn encodings_of_east_asia_are_told_apart() {
        for (encoding, texts) in [
            (BIG5, ["繁體中文字幕，測試許功蓋", "大家好，歡迎來到我的頻道", "他說他不知道這件事情的經過"]),
            (SHIFT_JIS, ["こんにちは、世界。表示", "行こう！", "カメラ"]),
            (EUC_JP, ["こんにちは、世界。表示", "ありがとう", "二行目の字幕です"]),
            (EUC_KR, ["안녕하세요 세계", "감사합니다", "똠방각하 펲시콜라"]),
            (ISO_2022_JP, ["こんにちは", "東京", "はい"]),
            (GB18030, ["今天我们来聊一聊如何做出好看的短视频", "谢谢观看", "這是繁體中文的字幕"]),
        ] {
            for text in texts {
                let (text, bytes) = encoded(encoding, text);
                assert_eq!(decode(&bytes), Ok(text), "{}", encoding.name());
            }
        }
    }

    /// A wrong guess would draw other characters.
    #[test]
    fn text_too_short_to_tell_is_read_rightly_or_refused() {
        for (encoding, text) in [
            (BIG5, "你好"),
            (BIG5, "中文"),
            (BIG5, "好"),
            (BIG5, "謝謝觀看"),
            (GB18030, "无法读取画面尺寸"),
            (SHIFT_JIS, "東京"),
            (EUC_KR, "똠"),
        ] {
            let (text, bytes) = encoded(encoding, text);
            assert!(decode(&bytes).is_ok_and(|read| read == text) || decode(&bytes).is_err(), "{text}");
        }
    }

    #[test]
    fn text_with_one_byte_per_character_is_read() {
        use encoding_rs::WINDOWS_1251;
        for (encoding, text) in [
            (WINDOWS_1251, "Привет, мир\nВторая строка титров"),
            (WINDOWS_1252, "Ça va être l’été\nDeuxième réplique, à côté"),
            (WINDOWS_1252, "Das schöne Mädchen für Köln und München"),
            (WINDOWS_1252, "I don’t know, it’s “fine”"),
            (WINDOWS_1252, "¿Qué pasa, señor? ¡Mañana!"),
        ] {
            let (text, bytes) = encoded(encoding, text);
            assert_eq!(decode(&bytes), Ok(text));
        }
    }

    #[test]
    fn damaged_text_is_refused_and_not_read_in_another_encoding() {
        let chinese = "今天我们来聊一聊如何做出好看的短视频\n".repeat(4);
        for (encoding, text) in [
            (UTF_8, chinese.clone()),
            (UTF_8, "简体中文字幕".to_owned()),
            (UTF_8, "Ça va être l’été à côté".to_owned()),
            (GB18030, chinese),
            (BIG5, "繁體中文字幕，測試許功蓋的\n".repeat(6)),
            (SHIFT_JIS, "こんにちは、世界。表示\n".repeat(6)),
            (EUC_KR, "한국어 자막은 띄어쓰기가 있어서\n".repeat(6)),
        ] {
            let (_, mut bytes) = encoded(encoding, &text);
            let last = bytes.iter().rposition(|b| !b.is_ascii()).unwrap();
            bytes.remove(last);
            assert!(decode(&bytes).is_err(), "{}: {:?}", encoding.name(), decode(&bytes));
        }
    }
}
