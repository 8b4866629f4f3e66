use super::*;
use crate::subtitle::wrap::tests::Grid;

/// 37 letters or 18 wide characters in a line.
const SIZE: Size = Size::new(720, 1280);

fn texts_of(captions: Vec<CaptionText>) -> Vec<String> {
    captions.into_iter().map(|caption| caption.text).collect()
}

fn split(text: &str) -> Vec<String> {
    texts_of(split_text(text, &SubtitleStyle::DEFAULT, SIZE, &Grid))
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(split(text), expected);
}

/// Splits a text and checks that nothing is lost and that every caption has at most two lines.
#[track_caller]
fn whole(text: &str) -> Vec<String> {
    let texts = split(text);
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(letters(&texts.concat()), letters(&shown_lines(text)));
    let (width, _) = line_limits(&SubtitleStyle::DEFAULT, SIZE, &Grid);
    for text in &texts {
        let lines = Measure::new(&Grid).wrap(text, width);
        assert!(lines.len() <= MAX_LINES && text.trim() == text && !text.is_empty(), "{text:?}");
    }
    texts
}

#[test]
fn captions_end_with_sentences() {
    check(
        "It was late. Nobody came! Why not? 今天天气很好。我们去公园吧！",
        &["It was late.", "Nobody came!", "Why not?", "今天天气很好。", "我们去公园吧！"],
    );
    check("هل أنت مستعد؟ نعم، أنا مستعد تماما.", &["هل أنت مستعد؟", "نعم، أنا مستعد تماما."]);
    check("“Are you ready?” “Not quite yet.”", &["“Are you ready?”", "“Not quite yet.”"]);
}

#[test]
fn captions_end_with_lines() {
    check(
        "First line\n\n\nthe second line\r\nand a third\u{2028}one more line\n \n",
        &["First line", "the second line", "and a third", "one more line"],
    );
    check("Menu\nTea\n茶", &["Menu", "Tea", "茶"]);
    check(" \n\t\n", &[]);
}

#[test]
fn abbreviations_and_numbers_do_not_end_a_sentence() {
    for text in [
        "It is 3.5 km, i.e. Two miles.",
        "Ask Dr. Smith, e.g. Today at 9 a.m. Sharp.",
        "J. R. Smith met No. 5 at St. Mary.",
        "Das ist z.B. Gut, Nr. 7 usw. und so.",
        "Version 1.2.3 costs $1,234.50 now.",
        "See example.com for more details.",
    ] {
        check(text, &[text]);
    }
    check("See example.com. It helps a lot.", &["See example.com.", "It helps a lot."]);
}

#[test]
fn single_words_are_joined_with_a_neighbour() {
    check("Hi. My name is Ann.", &["Hi. My name is Ann."]);
    check("My name is Ann. Bye!", &["My name is Ann. Bye!"]);
    check("Unbelievable! It works at last.", &["Unbelievable! It works at last."]);
    check("Yes. Sure. Yes. Sure.", &["Yes. Sure.", "Yes. Sure."]);
    check("好。我们现在出发吧。", &["好。我们现在出发吧。"]);
    check("我们现在出发吧。好。", &["我们现在出发吧。好。"]);
    check("Wait … Wait. Now we can go.", &["Wait … Wait.", "Now we can go."]);
    check("! ? !", &["! ? !"]);
    check("It is late. !", &["It is late. !"]);
    check("Hello", &["Hello"]);
    check("!", &["!"]);
}

#[test]
fn long_sentences_are_split_after_clauses() {
    let text =
        "When the sun goes down behind the hills, the whole valley turns a deep and quiet shade of blue.";
    check(
        text,
        &[
            "When the sun goes down behind the hills,",
            "the whole valley turns a deep and quiet shade of blue.",
        ],
    );
    let text = "当太阳落到远处的群山后面的时候，整个山谷就会慢慢变成一片深沉而宁静的蓝色世界。";
    check(text, &["当太阳落到远处的群山后面的时候，", "整个山谷就会慢慢变成一片深沉而宁静的蓝色世界。"]);
}

#[test]
fn long_clauses_are_split_between_words() {
    let texts = whole(&"some words that never end ".repeat(20));
    let lengths: Vec<usize> = texts.iter().map(|text| text.chars().count()).collect();
    let (least, most) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
    assert!(*least >= 40 && *most <= 74, "{lengths:?}");
    for text in &texts {
        assert!(
            text.split(' ').all(|word| ["some", "words", "that", "never", "end"].contains(&word)),
            "{text}"
        );
    }
}

/// Chinese, Japanese, Thai, Khmer, Lao and Burmese do not separate words.
#[test]
fn words_without_spaces_stay_whole() {
    for words in [
        ["我们", "参观", "图书馆"].as_slice(),
        &["こんにちは", "世界"],
        &["ทุก", "สอง", "สัปดาห์"],
        &["ភាសា", "ខ្មែរ"],
        &["ພາສາ", "ລາວ"],
        &["မြန်မာ", "ဘာသာ"],
    ] {
        let text = words.concat().repeat(30);
        let texts = whole(&text);
        assert!(texts.len() > 1, "{text}");
        for text in &texts {
            let begins = words.iter().any(|word| text.starts_with(word));
            assert!(begins && words.iter().any(|word| text.ends_with(word)), "{text}");
        }
    }
}

#[test]
fn scripts_can_be_mixed() {
    let text = "Hello 世界 and مرحبا بالعالم with สวัสดีชาวโลก, नमस्ते दुनिया, Привет мир! ".repeat(20);
    let texts = whole(&text);
    assert!(texts.len() >= 20, "{texts:?}");
    assert_eq!(split(&text), texts, "the same text is split in the same way");
}

#[test]
fn characters_as_readers_perceive_them_stay_whole() {
    for cluster in ["👩‍👩‍👧", "🇩🇪", "e\u{301}\u{323}", "👍🏽", "ก็", "क्षि"]
    {
        for text in whole(&cluster.repeat(300)) {
            assert_eq!(text.replace(cluster, ""), "", "{text:?}");
        }
    }
}

#[test]
fn a_word_longer_than_a_line_is_split() {
    let texts = whole(&"x".repeat(5000));
    assert!(texts.len() >= 5000 / 74 && texts.iter().all(|text| text.len() > 20), "{texts:?}");
    let texts = whole(&format!("a {} b", "y".repeat(5000)));
    assert!(texts.iter().all(|text| text.chars().count() > 20), "{texts:?}");
    whole(&"字".repeat(20_000));
    whole(&"a\u{301}".repeat(10_000));
    assert_eq!(whole(&format!("a{}", "\u{301}".repeat(19_999))).len(), 1);
}

/// Texts of many sentences without words, or of many abbreviations, take no longer than others.
#[test]
fn texts_of_marks_are_split_quickly() {
    for unit in ["! ", "a. ", "Dr. ", "… ", "。", "no. 1 "] {
        whole(&unit.repeat(20_000 / unit.chars().count()));
    }
}

#[test]
fn a_style_with_large_letters_makes_short_captions() {
    let style = SubtitleStyle { font_size: 18, magnification: 5.0, ..SubtitleStyle::DEFAULT };
    let text = "Extraordinarily large letters leave little room.";
    let texts = texts_of(split_text(text, &style, SIZE, &Grid));
    assert_eq!(texts.concat().replace(' ', ""), text.replace(' ', ""));
    assert!(texts.len() > 1 && texts.iter().all(|text| text.contains(' ')), "{texts:?}");
}

proptest::proptest! {
    /// Nothing is lost, nothing has more than two lines, and no word is alone.
    #[test]
    fn every_text_is_split(text in "([a-z]{1,9}[,;]? |[A-Z][a-z]{1,8}[.!?] ){2,80}") {
        for text in whole(&text) {
            assert!(text.split(' ').count() > 1, "{text}");
        }
    }

    #[test]
    fn no_text_does_harm(text in "\\PC{0,300}") {
        whole(&text);
    }
}
