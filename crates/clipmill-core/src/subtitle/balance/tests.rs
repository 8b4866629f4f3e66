//! Lines of texts in many scripts.

use proptest::prelude::*;

use super::*;
use crate::subtitle::breaks::LineBreaker;
use crate::subtitle::wrap::Measure;
use crate::subtitle::wrap::tests::Grid;

/// Letters are half an em wide here, and Chinese, Japanese and Korean characters one em.
#[track_caller]
fn check(text: &str, max_width: f64, expected: &[&str]) {
    let lines = Measure::new(&Grid).wrap(text, max_width);
    let actual: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(actual, expected);
}

#[test]
fn lines_end_after_clauses_that_leave_them_even_enough() {
    check("Fresh from the oven, baked every morning", 15.0, &["Fresh from the oven,", "baked every morning"]);
    check("When it rains, we stay at home today", 15.0, &["When it rains,", "we stay at home today"]);
    check("It was late. Nobody came to the party", 15.0, &["It was late.", "Nobody came to the party"]);
    check("今天天气很好，我们一起去公园玩吧", 12.0, &["今天天气很好，", "我们一起去公园玩吧"]);
    check("他问：“你好吗？”我说我今天很好", 12.0, &["他问：“你好吗？”", "我说我今天很好"]);
    check("오늘은 날씨가 좋네요, 우리 공원에 가요", 14.0, &["오늘은 날씨가 좋네요,", "우리 공원에 가요"]);
    check("Han ropade ”kom” och gick", 10.0, &["Han ropade", "”kom” och gick"]);
    check("نعم أنا مستعد، لكن ليس الآن يا صديقي", 12.0, &["نعم أنا مستعد،", "لكن ليس الآن يا صديقي"]);
}

#[test]
fn lines_are_even_where_clauses_would_make_them_uneven() {
    check("Well, this is a caption of two lines", 15.0, &["Well, this is a", "caption of two lines"]);
    check("This is a caption of two lines, too", 15.0, &["This is a caption", "of two lines, too"]);
    check("I met Dr. Smith in London last year", 12.0, &["I met Dr. Smith in", "London last year"]);
    check("好，我们一起去公园玩吧", 8.0, &["好，我们一起去", "公园玩吧"]);
}

#[test]
fn clauses_do_not_add_lines() {
    check("aa bb, cc dd ee", 5.0, &["aa bb,", "cc dd ee"]);
    check("aa bb, cc dd ee ff gg hh", 6.0, &["aa bb, cc dd", "ee ff gg hh"]);
}

#[test]
fn korean_words_are_split_only_if_they_are_too_wide() {
    check("3월에 나온 K팝이 (이것은) 좋아요", 8.0, &["3월에 나온 K팝이", "(이것은) 좋아요"]);
    check("안녕하세요여러분반갑습니다", 8.0, &["안녕하세요여러", "분반갑습니다"]);
    check("네 가나다라마바사아자차", 6.0, &["네 가나다라", "마바사아자차"]);
}

#[test]
fn words_without_spaces_are_whole() {
    check("我在北京大学学习中文", 6.0, &["我在北京大学", "学习中文"]);
    check("ฉันชอบภาษาไทยมากๆ", 6.0, &["ฉันชอบภาษา", "ไทยมากๆ"]);
    check("私はコンピュータが好きです", 9.0, &["私はコンピュータが", "好きです"]);
}

#[test]
fn no_character_is_left_alone() {
    check("中华人民共和国的好", 8.0, &["中华人民", "共和国的好"]);
    check("I am a b", 3.5, &["I am", "a b"]);
    check("aaaaaa bb c!", 5.0, &["aaaaaa", "bb c!"]);
    check("aaaaaaaaa b", 5.0, &["aaaaaaaaa", "b"]);
    check("一二三四五六七八九。", 9.0, &["一二三四五", "六七八九。"]);
}

const TEXTS: [&str; 9] = [
    "The quick brown fox, “jumps” over 3.5 lazy dogs! ",
    "今天天气很好，我们去“北京大学”（简称北大）看iPhone 15手机。",
    "コンピュータは便利です。「ありがとう」って言った、",
    "오늘은 3월에 K팝이 (이것은) 100%를 좋네요, 美대통령은 ",
    "วันนี้อากาศดีมากและฉันอยากไปเที่ยวทะเล เด็กๆ ",
    "هل أنت مستعد؟ نعم، أنا مستعد 42 تماما.",
    "שלום עולם, זה iPhone 😀 חדש. ",
    "ភាសាខ្មែរពិរោះណាស់។ ",
    "👩‍👩‍👧😀e\u{301}ก็ ",
];

proptest! {
    /// Nothing is lost, no line is too wide, and no line begins with a mark that belongs to the previous one.
    #[test]
    fn any_text_is_wrapped(parts in proptest::collection::vec((0..TEXTS.len(), 0_usize..40, 1_usize..60), 1..5), width in 6.0..30.0_f64) {
        let part = |(text, from, len): (usize, usize, usize)| TEXTS[text].chars().cycle().skip(from).take(len).collect::<String>();
        let text: String = parts.into_iter().map(part).collect();
        let lines = Measure::new(&Grid).wrap(&text, width);
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace() && Grid.can_draw(*c)).collect::<String>();
        let all: String = lines.iter().map(|line| line.text.as_str()).collect();
        prop_assert_eq!(letters(&all), letters(&text));
        for line in &lines {
            prop_assert!(line.width <= width + ROUNDING || line.text.chars().filter(|c| c.is_alphanumeric()).count() < 2, "{:?}", line);
            prop_assert!(line.text.trim() == line.text);
        }
        let drawn: String = text.chars().filter(|c| *c != '\u{200d}' && Grid.can_draw(*c)).collect();
        for line in lines.iter().skip(1).filter(|_| width > 12.0) {
            prop_assert!(!line.text.starts_with(['，', '。', '、', '）', '」', 'ๆ', '？']), "{:?}", lines);
            // After a space the mark opens a quotation, as in Swedish.
            prop_assert!(!line.text.starts_with('”') || drawn.contains(" ”"), "{:?}", lines);
        }
    }

    /// There are as few lines as words allow, however they are divided.
    #[test]
    fn lines_are_as_few_as_possible(widths in proptest::collection::vec(1_u32..9, 1..60), max in 9.0..30.0_f64) {
        let fragment = |width: &u32| LineFragment {
            text: "",
            full: f64::from(*width),
            ink: f64::from(*width) - 0.5,
            letters: 2,
            boundary: if width.is_multiple_of(3) { Boundary::Clause } else { Boundary::Word },
        };
        let fragments: Vec<_> = widths.iter().map(fragment).collect();
        let ends = line_ends(&fragments, max);
        prop_assert_eq!(ends.len(), count_lines(&fragments, max));
        prop_assert!(ends.windows(2).all(|pair| pair[0] < pair[1]) && ends.last() == Some(&fragments.len()));
    }

    /// Breaks are in order, between characters, and end with the text.
    #[test]
    fn breaks_of_any_text_are_in_order(text in "\\PC{0,60}") {
        let breaker = LineBreaker::new();
        let breaks = breaker.breaks(&text);
        prop_assert!(breaks.windows(2).all(|pair| pair[0].at < pair[1].at));
        prop_assert!(breaks.iter().all(|place| text.is_char_boundary(place.at)));
        prop_assert_eq!(breaks.last().map_or(0, |place| place.at), text.len());
        prop_assert_eq!(breaker.word_ends(&text).last().copied().unwrap_or(0), text.len());
    }
}
