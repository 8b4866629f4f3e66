//! Where a line of text may end: by Unicode's rules, and where possible not inside a word. Words of scripts that do not
//! separate them are found with dictionaries and language models.

use std::cell::Cell;

use icu_segmenter::options::{LineBreakOptions, WordBreakInvariantOptions};
use icu_segmenter::{LineSegmenter, LineSegmenterBorrowed, WordSegmenter, WordSegmenterBorrowed};
use unicode_segmentation::UnicodeSegmentation;

use super::font::is_invisible;

/// Words before a full stop that does not end a sentence; single letters and words with inner full stops are not listed.
const ABBREVIATIONS: &[&str] = &[
    "Capt", "Corp", "Dept", "Dr", "Fig", "Gov", "Inc", "Jr", "Lt", "Ltd", "Mlle", "Mme", "Mr", "Mrs", "Ms",
    "No", "Nr", "Prof", "Rev", "Sgt", "Sr", "Sra", "St", "Vol", "approx", "bzw", "ca", "vs",
];

/// Longer texts in scripts that need the language model are divided by dictionaries, which is faster and worse.
const MODEL_CHARACTERS: usize = 100_000;

/// The kind of a place where a line may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// The end of a sentence.
    Sentence,
    Clause,
    Word,
    /// The end of a word that the next one belongs to, as `は` in Japanese and `的` in Chinese.
    Particle,
    /// The end of a word by only one of two ways to find words.
    Uncertain,
    /// The place is beside a part of a word that the dictionary lacks, or between Japanese endings.
    Fragment,
    /// The place is inside a word; a line ends there only if the word is wider than a line.
    InsideWord,
}

/// A place where a line may end, in bytes of the text. Spaces before it belong to that line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    pub at: usize,
    pub boundary: Boundary,
}

/// Finds the places where lines may end. Create it once for many texts.
pub struct LineBreaker {
    /// Finds Thai, Lao, Khmer and Burmese words with a language model.
    lines: LineSegmenterBorrowed<'static>,
    /// Finds them with dictionaries.
    fast_lines: LineSegmenterBorrowed<'static>,
    /// The characters that the language model has divided.
    modelled: Cell<usize>,
    /// Finds words with dictionaries.
    words: WordSegmenterBorrowed<'static>,
}

impl LineBreaker {
    pub fn new() -> Self {
        Self {
            lines: LineSegmenter::new_auto(LineBreakOptions::default()),
            fast_lines: LineSegmenter::new_dictionary(LineBreakOptions::default()),
            modelled: Cell::new(0),
            words: WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()),
        }
    }

    /// The places where lines may end, in order; the last one is the end of the text.
    pub fn breaks(&self, text: &str) -> Vec<Break> {
        let mut places: Vec<usize> = self.segmenter(text).segment_str(text).filter(|at| *at > 0).collect();
        let mut words = Vec::new();
        if text.contains(is_unspaced) {
            words.extend(self.words.segment_str(text));
            places.extend(places_at_quotes(text));
            places.sort_unstable();
            places.dedup();
        }
        places.retain(|at| !follows_word_at(text, *at));
        let korean = korean_words(text);
        let has_kana = text.contains(is_kana);
        let boundary = |at: usize, next: usize| {
            let index = korean.partition_point(|word| word.end <= at);
            let is_in_korean = || korean.get(index).is_some_and(|word| word.start < at);
            if at == text.len() || follows_zero_width_space(text, at) {
                boundary_at(text, at)
            } else if is_in_korean() || is_single_sign(text.get(at..next).unwrap_or_default()) {
                Boundary::InsideWord
            } else {
                boundary_in_script(text, at, &words, has_kana).unwrap_or_else(|| boundary_at(text, at))
            }
        };
        let nexts = places.iter().skip(1).copied().chain([text.len()]);
        places.iter().zip(nexts).map(|(&at, next)| Break { at, boundary: boundary(at, next) }).collect()
    }

    fn segmenter(&self, text: &str) -> LineSegmenterBorrowed<'static> {
        let count = self.modelled.get() + text.chars().filter(|c| is_complex(*c)).count();
        if count > MODEL_CHARACTERS {
            return self.fast_lines;
        }
        self.modelled.set(count);
        self.lines
    }

    /// The ends of the words of a text, with the spaces after them. Hyphens and slashes do not end a word.
    pub fn word_ends(&self, text: &str) -> Vec<usize> {
        let joins = |at: usize| {
            let before = text.get(..at).unwrap_or_default();
            at < text.len() && before.ends_with(['-', '\u{2010}', '/', '\u{ad}'])
        };
        let is_inside = |boundary| matches!(boundary, Boundary::InsideWord | Boundary::Fragment);
        let breaks = self.breaks(text).into_iter().filter(|place| !is_inside(place.boundary));
        breaks.map(|place| place.at).filter(|at| !joins(*at)).collect()
    }
}

/// A character of a script that does not separate words: Thai, Lao, Khmer, Burmese, Chinese and Japanese.
pub(super) fn is_unspaced(c: char) -> bool {
    is_complex(c) || is_ideographic(c)
}

/// A character of a script in which Unicode's rules find no places for breaks.
fn is_complex(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{a9e0}'..='\u{a9ff}'
        | '\u{aa60}'..='\u{aa7f}')
}

/// A Chinese or Japanese letter.
fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}'
        | '\u{303b}' | '\u{3041}'..='\u{30fa}' | '\u{30fc}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// A Japanese syllable.
fn is_kana(c: char) -> bool {
    ('\u{3041}'..='\u{30ff}').contains(&c)
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}'
        | '\u{ffa0}'..='\u{ffdc}')
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

/// The visible characters on both sides of a place.
fn sides(text: &str, at: usize) -> Option<(char, char)> {
    let (before, after) = text.split_at_checked(at)?;
    let is_visible = |c: &char| !is_invisible(*c);
    Some((before.chars().rev().find(is_visible)?, after.chars().find(is_visible)?))
}

/// The places outside Chinese and Japanese quotes. Unicode's rules take them for Western ones, which may be either side of
/// a quotation.
fn places_at_quotes(text: &str) -> impl Iterator<Item = usize> {
    let is_wide =
        |c: char| is_ideographic(c) || matches!(c, '\u{3001}'..='\u{3020}' | '\u{ff00}'..='\u{ff65}');
    let quotes = text.char_indices().filter(|(_, c)| matches!(c, '“' | '‘' | '”' | '’'));
    quotes.filter_map(move |(quote, c)| {
        let is_opening = matches!(c, '“' | '‘');
        let at = if is_opening { quote } else { quote + c.len_utf8() };
        let (before, after) = sides(text, at)?;
        let outside = if is_opening { before } else { after };
        let can_break = is_wide(outside) && !(is_opening && is_opening_mark(before));
        can_break.then_some(at)
    })
}

/// Signs and marks that belong to the previous word; a line does not begin with them.
fn follows_word(c: char) -> bool {
    is_closing(c)
        || is_sentence_mark(c)
        || is_clause_mark(c)
        || matches!(c, 'ๆ' | 'ฯ' | 'ໆ' | 'ຯ' | 'ៗ' | '々' | 'ー' | '·' | '・' | '～')
}

/// Whether a sign at this place belongs to the word directly before it.
fn follows_word_at(text: &str, at: usize) -> bool {
    sides(text, at).is_some_and(|(before, after)| !before.is_whitespace() && follows_word(after))
}

fn is_opening_mark(c: char) -> bool {
    "([{（［｛「『【《〈〔".contains(c)
}

/// Whether the text up to the next place is a single character of a script in which that is a part of a word.
fn is_single_sign(text: &str) -> bool {
    let mut characters = text.trim_end().graphemes(true);
    let first = characters.next().and_then(|first| first.chars().next());
    first.is_some_and(|c| is_complex(c) && c.is_alphabetic()) && characters.next().is_none()
}

/// The boundary at a place, given the boundaries of words in a dictionary, if the characters around the place determine
/// it.
fn boundary_in_script(text: &str, at: usize, words: &[usize], has_kana: bool) -> Option<Boundary> {
    let (before, after) = sides(text, at)?;
    if before.is_whitespace() {
        return None;
    }
    let is_counted = is_digit(before) && is_unspaced(after);
    if is_counted || is_hangul(before) && is_hangul(after) {
        return Some(Boundary::InsideWord);
    }
    let is_between = |is_letter: fn(char) -> bool| is_letter(before) && is_letter(after);
    let is_in_dictionary = || words.binary_search(&at).is_ok();
    if is_between(is_ideographic) {
        return match words.binary_search(&at) {
            Ok(index) => is_beside_fragment(text, words, index, has_kana).then_some(Boundary::Fragment),
            Err(_) => Some(Boundary::InsideWord),
        };
    }
    (is_between(is_complex) && !is_in_dictionary()).then_some(Boundary::Uncertain)
}

/// Chinese words of a single character; others are usually parts of words that the dictionary lacks.
const SHORT_WORDS: &str = "的了是在我你您他她它這这那有和与與及或就都也还還不没沒很太更最再又才只要会會能可想让讓被把给給对對从從向往到去来來\
    说說看吃喝做用买買卖賣走跑坐站住等为為而但因所以如若则則于於之其此每各某两兩几幾多少大小好新老高低长長快慢早晚上下中里裡内內外前后後\
    左右东東南西北年月日天时時分秒个個位人店车車路书書水饭飯菜茶酒花树樹门門钱錢吗嗎呢吧啊呀哦嘛一二三四五六七八九十百千万萬亿億";

/// Whether one of the words beside the boundary with this index is only a part of a word.
fn is_beside_fragment(text: &str, words: &[usize], index: usize, has_kana: bool) -> bool {
    let word = |from: Option<&usize>, to: Option<&usize>| text.get(*from?..*to?);
    let before = word(index.checked_sub(1).and_then(|index| words.get(index)), words.get(index));
    let after = word(words.get(index), words.get(index + 1));
    let is_hiragana = |c: char| ('\u{3041}'..='\u{309f}').contains(&c);
    let is_between_endings = before.is_some_and(|word| word.ends_with(is_hiragana))
        && after.is_some_and(|word| word.starts_with(is_hiragana));
    // Japanese words of one character are common, and endings follow them.
    if is_between_endings || has_kana {
        return is_between_endings;
    }
    let single = |word: &str| {
        let mut characters = word.chars();
        characters.next().filter(|c| characters.next().is_none() && ('\u{3400}'..='\u{9fff}').contains(c))
    };
    let singles = [before, after].map(|word| word.and_then(single));
    let is_plural = |c: Option<char>| matches!(c, Some('们' | '們'));
    if is_plural(singles[0]) || is_plural(singles[1]) {
        return is_plural(singles[1]);
    }
    let is_short_word = |c: Option<char>| c.is_some_and(|c| SHORT_WORDS.contains(c));
    let is_part = |c: Option<char>| c.is_some() && !is_short_word(c);
    singles.into_iter().any(is_part) && !singles.into_iter().any(is_short_word)
}

fn follows_zero_width_space(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with('\u{200b}'))
}

/// The parts of a text between spaces that are Korean, and not Chinese or Japanese with a Korean name in it.
fn korean_words(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut words = Vec::new();
    if !text.contains(is_hangul) {
        return words;
    }
    let mut from = 0;
    for word in text.split(char::is_whitespace) {
        let count = |is_letter: fn(char) -> bool| word.chars().filter(|c| is_letter(*c)).count();
        let korean = count(is_hangul);
        if korean > 0 && count(is_ideographic) <= 2 * korean {
            words.push(from..from + word.len());
        }
        from += word.len();
        from += text.get(from..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    words
}

fn boundary_at(text: &str, at: usize) -> Boundary {
    let before = text.get(..at).unwrap_or_default();
    let trimmed = before.trim_end();
    let has_space = trimmed.len() < before.len();
    let last = trimmed.trim_end_matches(is_closing).chars().next_back();
    match last {
        Some(c) if is_sentence_mark(c) && !ends_in_abbreviation(trimmed) => Boundary::Sentence,
        Some(c) if is_clause_mark(c) => Boundary::Clause,
        Some('-') if trimmed.strip_suffix('-').is_some_and(|rest| rest.ends_with(' ')) => Boundary::Clause,
        // In scripts that do not separate words, a space separates clauses.
        Some(c) if has_space && is_unspaced(c) => Boundary::Clause,
        _ if !has_space && starts_with_particle(text, at) => Boundary::Particle,
        _ => Boundary::Word,
    }
}

/// Hiragana after another Japanese letter is an ending or a particle; so are some Chinese characters.
fn starts_with_particle(text: &str, at: usize) -> bool {
    sides(text, at).is_some_and(|(before, after)| {
        let is_particle = matches!(
            after,
            '\u{3041}'..='\u{309f}' | '的' | '了' | '吗' | '嗎' | '呢' | '吧' | '啊' | '们' | '們'
        );
        is_particle && is_ideographic(before)
    })
}

pub(super) fn ends_in_abbreviation(sentence: &str) -> bool {
    let Some(before) = sentence.trim_end().strip_suffix('.') else { return false };
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    // "e.g." and "U.S.", but not "example.com."
    let has_inner_stop = word.contains('.') && word.split('.').all(|part| part.chars().count() <= 2);
    is_letter || has_inner_stop || ABBREVIATIONS.contains(&word)
}

fn is_closing(c: char) -> bool {
    "\"'”’»)]」』）】》〉".contains(c)
}

pub(super) fn is_sentence_mark(c: char) -> bool {
    ".!?…。！？؟۔।॥။។៕".contains(c)
}

pub(super) fn is_clause_mark(c: char) -> bool {
    ",;:–—，、；：،؛၊".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the parts between the places outside words.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let breaks = LineBreaker::new().breaks(text);
        let mut from = 0;
        let mut parts = Vec::new();
        for place in breaks.iter().filter(|place| place.boundary != Boundary::InsideWord) {
            parts.push(&text[from..place.at]);
            from = place.at;
        }
        assert_eq!(parts.join("|"), expected);
        assert_eq!(breaks.last().map(|place| place.at), Some(text.len()));
    }

    #[test]
    fn korean_breaks_at_spaces() {
        check("오늘은 날씨가 좋네요", "오늘은 |날씨가 |좋네요");
        check("3월에 K팝이 (이것은) 100%를", "3월에 |K팝이 |(이것은) |100%를");
        check("‘2024년’에서 서울(Seoul-si)은 e-메일/문자", "‘2024년’에서 |서울(Seoul-si)은 |e-메일/문자");
        check("그러나…그는 美대통령은 韓國의", "그러나…그는 |美대통령은 |韓國의");
        check("안녕하세요,여러분", "안녕하세요,여러분");
        check("안녕\u{200b}하세요", "안녕\u{200b}|하세요");
    }

    #[test]
    fn chinese_and_japanese_break_between_words() {
        check("今天天气很好。", "今天|天气|很好。");
        check("我喜欢“北京大学”（简称北大）！", "我|喜欢|“北京|大学”|（简称|北大）！");
        check("他说：“好吗？”我们——走。“‘啊’”了", "他|说：|“好|吗？”|我们——|走。|“‘啊’”|了");
        check("2024年3月的iPhone手机", "2024年|3月|的|iPhone|手机");
        check("コンピュータは便利です。", "コンピュータ|は|便利|です。");
        check("我喜欢한국어因为很好", "我|喜欢|한국어|因为|很好");
    }

    #[test]
    fn thai_khmer_lao_and_burmese_break_between_words() {
        check("ภาษาไทยง่ายมาก", "ภาษา|ไทย|ง่าย|มาก");
        check("วันนี้อากาศดีมากและฉันอยากไปเที่ยวทะเลกับเพื่อน", "วันนี้|อากาศดี|มาก|และ|ฉัน|อยาก|ไป|เที่ยว|ทะเล|กับ|เพื่อน");
        check("เด็กๆ กรุงเทพฯ 3 วัน", "เด็กๆ |กรุงเทพฯ |3 |วัน");
        check("ភាសាខ្មែរពិរោះណាស់។", "ភាសាខ្មែរ|ពិរោះ|ណាស់។");
        check("ພາສາລາວ", "ພາສາ|ລາວ");
        check("မြန်မာစကား။", "မြန်မာ|စကား။");
    }

    #[test]
    fn western_text_breaks_by_unicodes_rules() {
        check("a well-known word", "a |well-|known |word");
        check("3.5 km / h – “so” no—yes", "3.5 |km / |h |– |“so” |no—|yes");
    }

    /// Checks the boundary at the `|` in a text.
    #[track_caller]
    fn check_boundary(text: &str, expected: Boundary) {
        let at = text.find('|').unwrap();
        let breaks = LineBreaker::new().breaks(&text.replace('|', ""));
        assert_eq!(breaks.iter().find(|place| place.at == at).map(|place| place.boundary), Some(expected));
    }

    #[test]
    fn boundaries_follow_marks() {
        check_boundary("“Is it late?” |Yes", Boundary::Sentence);
        check_boundary("I asked Dr. |Smith", Boundary::Word);
        check_boundary("late, |but", Boundary::Clause);
        check_boundary("late - |but", Boundary::Clause);
        check_boundary("well-|known", Boundary::Word);
        check_boundary("好吗？”|他说", Boundary::Sentence);
        check_boundary("今天，|天气", Boundary::Clause);
        check_boundary("今天 |天气", Boundary::Clause);
        check_boundary("สวัสดี |ครับ", Boundary::Clause);
        check_boundary("نعم، |أنا", Boundary::Clause);
        check_boundary("北京|的手机", Boundary::Particle);
        check_boundary("天|气", Boundary::InsideWord);
        check_boundary("오|늘은", Boundary::InsideWord);
    }

    #[test]
    fn hyphens_and_slashes_do_not_end_words() {
        let check = |text: &str, expected: &[&str]| {
            let ends = LineBreaker::new().word_ends(text);
            let starts = [0].into_iter().chain(ends.iter().copied());
            let words: Vec<&str> = starts.zip(&ends).map(|(from, to)| text[from..*to].trim()).collect();
            assert_eq!(words, expected);
        };
        check("a well-known and/or\nco\u{ad}op", &["a", "well-known", "and/or", "co\u{ad}op"]);
        check("今天 ok", &["今天", "ok"]);
        // Words that the dictionary lacks.
        check("拍短视频的时候", &["拍短视频", "的", "时候"]);
        check("科学家们越来越重要", &["科学家们", "越来越", "重要"]);
        check("ぜひ行ってみてください", &["ぜひ", "行ってみてください"]);
        check("", &[]);
    }
}
