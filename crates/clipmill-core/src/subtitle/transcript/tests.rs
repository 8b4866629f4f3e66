use super::*;

fn word(text: &str, start_s: f64, end_s: f64) -> RecognizedWord {
    RecognizedWord { text: text.to_owned(), start_s, end_s }
}

fn words(transcript: &Transcript) -> Vec<(&str, u64, u64)> {
    let words = transcript.words.iter();
    words.map(|word| (&transcript.text[word.start..word.end], word.start_ms, word.end_ms)).collect()
}

#[test]
fn words_are_found_in_the_text() {
    let locate = |text: &str, words_of: &[&str]| {
        let words_of: Vec<RecognizedWord> =
            (0..).zip(words_of).map(|(at, text)| word(text, f64::from(at), f64::from(at) + 0.5)).collect();
        let transcript = Transcript::of(text, &words_of);
        let words: Vec<String> = words(&transcript).iter().map(|(word, ..)| (*word).to_owned()).collect();
        (transcript.text, words)
    };
    let check = |text: &str, recognized: &[&str], expected: &[&str]| {
        let expected = expected.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(locate(text, recognized), (text.trim().to_owned(), expected));
    };
    check(" Don’t stop, “friends”! ", &["don't", " stop,", "FRIENDS"], &["Don’t", "stop", "“friends"]);
    check("你好，世界。", &["你好", "世", "界"], &["你好", "世", "界"]);
    check("สวัสดีครับ", &["สวัสดี", "ครับ"], &["สวัสดี", "ครับ"]);
    check("a 100 % b", &["a", "100", "%", "b"], &["a", "100", "b"]);
    // Words that are not in the text are joined.
    assert_eq!(locate("Other.", &["Hello,", "you!"]).0, "Hello, you!");
    assert_eq!(locate("", &["你好", "世界", "ok", "then"]).0, "你好世界ok then");
}

#[test]
fn times_never_go_back() {
    let recognized =
        [word("a", 1.0, 9.0), word("b", 0.5, 0.6), word("c", f64::NAN, 1.0), word("d", 2.0, 1.0)];
    let transcript = Transcript::of("", &recognized);
    assert_eq!(words(&transcript), [("b", 500, 600), ("a", 1000, 2000), ("d", 2000, 2000)]);
    let shared = Transcript::of("Two words.", &[word("Two", 1.0, 2.0), word("words", 1.0, 2.0)]);
    assert_eq!(words(&shared), [("Two", 1000, 1375), ("words", 1375, 2000)]);
    let long = Transcript::of("", &[word("a", 1.0, 60.0)]);
    assert_eq!(words(&long), [("a", 1000, 4000)], "silence after a word is not part of it");
}

#[test]
fn signs_belong_to_their_words() {
    let shown = |text: &str, recognized: &[&str]| {
        let recognized: Vec<RecognizedWord> = (0..)
            .zip(recognized)
            .map(|(at, text)| word(text, f64::from(at) * 3.0, f64::from(at) * 3.0 + 0.5))
            .collect();
        let whole = Transcript::of(text, &recognized).excerpt(&(0..60_000));
        whole.text.split('\n').map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(shown("¿Qué? ¡Muy bien!", &["Qué", "Muy", "bien"]), ["¿Qué?", "¡Muy", "bien!"]);
    assert_eq!(shown("$20 is -5, (#1) x", &["20", "is", "5", "1", "x"]), ["$20", "is", "-5,", "(#1)", "x"]);
    assert_eq!(shown("他说：“好。”是", &["他说", "好", "是"]), ["他说：", "“好。”", "是"]);
}

#[test]
fn an_excerpt_has_the_words_within_it() {
    let recognized =
        [word("One", 0.0, 0.4), word("two", 0.5, 0.9), word("three", 2.5, 3.1), word("four", 3.2, 3.4)];
    let transcript = Transcript::of("One two. Three, four.", &recognized);
    let excerpt = |range: Range<u64>| transcript.excerpt(&range);
    let whole = excerpt(0..4000);
    assert_eq!(whole.text, "One two. \nThree, four.", "a line ends at a long pause");
    assert_eq!(words(&whole)[2], ("Three", 2500, 3100));
    let middle = excerpt(600..3000);
    assert_eq!(middle.text, "two. \nThree, ");
    assert_eq!(words(&middle), [("two", 0, 300), ("Three", 1900, 2400)]);
    assert_eq!(excerpt(1000..2000), Transcript::default());
    assert_eq!(Transcript::default().excerpt(&(0..1000)), Transcript::default());
}

#[test]
fn parts_follow_each_other() {
    let mut all = Transcript::default();
    all.append(&Transcript::of("One.", &[word("One", 0.1, 0.4)]), 0);
    all.append(&Transcript::default(), 5000);
    all.append(&Transcript::of("Two.", &[word("Two", 0.1, 0.4)]), 10_000);
    assert_eq!(all.text, "One.\nTwo.");
    assert_eq!(words(&all), [("One", 100, 400), ("Two", 10_100, 10_400)]);
}

#[test]
fn captions_have_the_times_of_their_words() {
    let recognized = [word("Good", 0.5, 0.8), word("evening", 0.8, 1.2), word("everybody", 1.5, 2.1)];
    let transcript = Transcript::of("Good evening, everybody!", &recognized);
    let texts = ["Good evening,", "everybody!"]
        .map(|text| CaptionText { text: text.to_owned(), ends_sentence: text.ends_with('!') });
    let cues = transcript.time(&texts);
    let shown: Vec<(u64, &str, Vec<u64>)> = cues
        .iter()
        .map(|cue| (cue.start_ms, cue.text.as_str(), cue.times.iter().map(|time| time.ms).collect()))
        .collect();
    let expected = [(500, "Good evening,", vec![500, 800]), (1500, "everybody!", vec![1500])];
    assert_eq!(shown, expected);
    assert_eq!(cues[0].end_ms, 1500, "it stays until the next one");
    // A recognizer may divide words, and the dictionary others.
    let chinese = Transcript::of("今天天气很好。", &[word("今天天", 0.0, 0.9), word("气很好", 0.9, 1.8)]);
    let caption = CaptionText { text: "今天天气很好。".to_owned(), ends_sentence: true };
    let times: Vec<u64> = chinese.time(&[caption])[0].times.iter().map(|time| time.ms).collect();
    assert_eq!(times[..2], [0, 600]);
}

#[test]
fn a_text_without_times_follows_the_pauses() {
    let pauses = Pauses { pauses: vec![(1000, 2000)], end_ms: 3000 };
    let transcript = Transcript::aligned("This is one.\nThis is two.", &pauses, 3000);
    let starts: Vec<u64> = transcript.words.iter().map(|word| word.start_ms).collect();
    assert_eq!((starts.len(), starts[0], starts[3]), (6, 0, 2000));
    assert!(transcript.words[2].end_ms <= 2000);
    let music = Transcript::aligned("This is one.", &Pauses::default(), 3000);
    assert_eq!(music, Transcript::untimed("This is one."));
}

#[test]
fn a_segment_shares_its_time() {
    let words = word("Hello, dear you", 1.0, 2.2).words();
    assert_eq!(words.len(), 3);
    assert_eq!((words[1].text.as_str(), words[1].start_s, words[2].end_s), ("dear", 1.5, 2.2));
    assert!(word(" ", 0.0, 1.0).words().is_empty());
}
