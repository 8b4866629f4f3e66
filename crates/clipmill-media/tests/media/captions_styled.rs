//! Style options other than size and colour, and the scripts of the world, as the renderer draws them.

use crate::subtitles_rendered::*;
use crate::support::every_nth;
use clipmill_core::fonts::{CaptionFont, FontRef};
use clipmill_core::request::model::{CaptionPlace, Highlight, Rgba, SubtitleStyle, Weight};
use clipmill_core::subtitle::{FontMetrics, is_invisible};
use clipmill_core::time::Fps;

/// A dark colour, unlike the grey background.
const DARK: Highlight = Highlight { color: Some(Rgba::BLACK), ..Highlight::NONE };

fn is_light(luma: u8) -> bool {
    luma > GROUND + 40
}

fn is_dark(luma: u8) -> bool {
    luma < GROUND - 40
}

fn amount(picture: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    picture.iter().filter(|luma| wanted(**luma)).count()
}

/// Black text on a bright background, without a box.
fn drawn(text: &str, style: &SubtitleStyle) -> (Vec<u8>, Ink) {
    let frame = render_frame(text, style);
    let extent = ink(&frame).unwrap_or_else(|| panic!("nothing is drawn of {text}"));
    (frame, extent)
}

#[test]
fn bold_letters_have_more_ink_and_their_own_width() {
    let fonts = fonts();
    let bold = SubtitleStyle { weight: Weight::Bold, ..STYLE };
    let metrics = fonts.variant(None, Weight::Bold).unwrap();
    assert_ne!(metrics.identity(), fonts.identity());
    for text in ["国国国国", "HHHHHHHHHHHH", "สวัสดี", "नमस्ते", "السلام عليكم"]
    {
        let ((plain, _), (strong, found)) = (drawn(text, &STYLE), drawn(text, &bold));
        let more = amount(&strong, is_light) as f64 / amount(&plain, is_light) as f64;
        assert!(more > 1.15, "{text}: {more} times the ink");
        let width: f64 = metrics.clusters(text).iter().map(|cluster| cluster.advance).sum();
        close(found.right - found.left, width * 35.0, 0.25 * 35.0, &format!("width of {text}"));
    }
}

#[test]
fn captions_are_at_their_requested_positions() {
    let middle = |place| {
        let (_, found) = drawn("国", &SubtitleStyle { place, ..STYLE });
        (found.top + found.bottom) / 2
    };
    // A line's middle is slightly above that of its ink.
    close(middle(CaptionPlace::LowerThird), 480.0, 8.0, "lower third");
    close(middle(CaptionPlace::Middle), 360.0, 8.0, "middle");
    let (_, top) = drawn("国", &SubtitleStyle { place: CaptionPlace::Top, ..STYLE });
    assert!((50..75).contains(&top.top), "{top:?}");
}

#[test]
fn a_shadow_falls_to_the_right_and_below() {
    let big = SubtitleStyle { outline_color: Some(Rgba::WHITE), ..sized(18, 5.0) };
    let (_, plain) = drawn("国", &big);
    let (picture, shaded) = drawn("国", &SubtitleStyle { shadow: 10, ..big });
    close(shaded.right - plain.right, 9.0, 1.5, "to the right");
    close(shaded.bottom - plain.bottom, 9.0, 1.5, "below");
    assert_eq!((shaded.left, shaded.top), (plain.left, plain.top));
    assert!(amount(&picture, is_dark) > 500);
}

#[test]
fn a_round_box_lacks_its_corners_only() {
    let square = SubtitleStyle { back_color: Some(Rgba::BLACK), outline_color: None, ..sized(18, 5.0) };
    let round = SubtitleStyle { radius: 40, ..square.clone() };
    let ((plain, edges), (cut, own)) = (drawn("国国", &square), drawn("国国", &round));
    assert_eq!(
        (edges.left, edges.top, edges.right, edges.bottom),
        (own.left, own.top, own.right, own.bottom)
    );
    // Four corners of a square less a quarter of a circle each.
    let missing = (amount(&plain, is_dark) - amount(&cut, is_dark)) as f64;
    let expected = (4.0 - std::f64::consts::PI) * 36.0 * 36.0;
    assert!((missing - expected).abs() < 0.1 * expected, "{missing} pixels of {expected}");
}

/// Words are highlighted one after another, from left to right or from right to left, and no pixel of the text moves.
#[test]
fn the_word_being_spoken_is_coloured_and_nothing_moves() {
    let lit = SubtitleStyle { highlight: Some(DARK), ..STYLE };
    for (text, to_the_right) in [
        ("one two six", true),
        ("今天天气很好", true),
        ("office AVAVA", true),
        ("باب كتاب شمس", false),
        ("สวัสดี ชาว โลก", true),
    ] {
        let plain = render(&[(0, 3000, text)], &STYLE, Fps::DEFAULT, 1).remove(0);
        let whole = ink(&plain).unwrap();
        let frames = render(&[(0, 3000, text)], &lit, Fps::DEFAULT, 90);
        let mut last: Option<Ink> = None;
        for frame in frames.iter().step_by(15).skip(1) {
            let own = ink(frame).unwrap();
            assert_eq!(
                (own.left, own.top, own.right, own.bottom),
                (whole.left, whole.top, whole.right, whole.bottom),
                "{text}"
            );
            let word = extent(frame, CANVAS, is_dark).unwrap_or_else(|| panic!("no word of {text}"));
            assert!(word.right - word.left < whole.right - whole.left, "{text}: one word");
            if let Some(last) = last {
                let onwards = if to_the_right { word.left >= last.left } else { word.right <= last.right };
                assert!(onwards, "{text}: {last:?}, then {word:?}");
            }
            last = Some(word);
        }
        let last = last.unwrap();
        let edge =
            if to_the_right { last.right.abs_diff(whole.right) } else { last.left.abs_diff(whole.left) };
        assert!(edge <= 1, "{text} ends with its last word");
    }
}

#[test]
fn every_font_of_the_catalogue_draws_its_own_letters() {
    let fonts = fonts();
    let rendered = |font| drawn("Rag 骨 ưở", &SubtitleStyle { font, ..sized(18, 4.0) }).0;
    let usual = rendered(None);
    for font in CaptionFont::ALL {
        let Some(metrics) = fonts.variant(Some(font), Weight::Regular) else {
            eprintln!("{} is not installed: it is skipped", font.entry().family);
            continue;
        };
        assert_eq!(metrics.family(), font.entry().family);
        let same = rendered(Some(FontRef::Catalogue(font))) == usual;
        assert_eq!(same, font == CaptionFont::NotoSansSc, "{font:?} looks like the usual font: {same}");
        let text = "Rag 骨 ưở";
        let (_, found) =
            drawn(text, &SubtitleStyle { font: Some(FontRef::Catalogue(font)), ..sized(18, 4.0) });
        let width: f64 = metrics.clusters(text).iter().map(|cluster| cluster.advance).sum();
        close(found.right - found.left, width * 72.0, 0.2 * 72.0, &format!("width in {font:?}"));
    }
}

#[test]
fn curly_quotes_are_narrow_in_western_text_and_wide_in_chinese() {
    let fonts =
        [(None, Weight::Regular), (None, Weight::Bold), (Some(CaptionFont::NotoSerifSc), Weight::Regular)];
    for (font, weight) in every_nth(3, fonts) {
        let style = SubtitleStyle { font: font.map(FontRef::Catalogue), weight, ..STYLE };
        let width = |text: &str| {
            let (_, found) = drawn(text, &style);
            f64::from(found.right - found.left) / 35.0
        };
        for (curly, straight) in [
            ("don’t", "don't"),
            ("l’été", "l'été"),
            ("I “don’t” x", "I \"don't\" x"),
            ("Н’‘Н’Н", "Н''Н'Н"),
            ("国 It’s 国", "国 It's 国"),
        ] {
            let quotes = curly.chars().filter(|c| "‘’“”".contains(*c)).count();
            let within = 0.1 * (1 + quotes) as f64;
            let (curly, straight) = (width(curly), width(straight));
            assert!((curly - straight).abs() < within, "{font:?}: {curly} em instead of {straight}");
        }
        let ellipsis = width("x… x") - width("x x");
        assert!((0.5..0.95).contains(&ellipsis), "{font:?}: {ellipsis} em");
        let chinese = width("国“国”国‘国’国……国");
        assert!((chinese - 12.0).abs() < 0.2, "{font:?}: {chinese} em");
    }
}

#[test]
fn a_line_that_begins_with_a_foreign_word_keeps_the_direction_of_its_caption() {
    // The rows of the last line only.
    let last_line = |text: &str| {
        let frame = drawn(text, &STYLE).0;
        frame[((CANVAS.height - STYLE.bottom - 40) * CANVAS.width) as usize..].to_vec()
    };
    for (first, foreign) in [("مرحبا بالعالم", "English في، المنتصف."), ("שלום עולם", "English (42) בעברית!")]
    {
        let actual = last_line(&format!("{first}\n{foreign}"));
        assert!(actual == last_line(&format!("\u{200f}{foreign}")), "{foreign} is drawn from right to left");
        assert!(actual != last_line(foreign), "{foreign} has another direction by itself");
    }
    assert!(last_line("مرحبا بالعالم\nHello, world.") == last_line("Hello, world."));
}

/// The letters of a script look different from each other; replacement boxes would all look the same.
#[test]
fn no_script_is_drawn_as_boxes() {
    let fonts = fonts();
    for (name, letters) in [
        ("Thai", ["ก", "ฮ"]),
        ("Hindi", ["क", "म"]),
        ("Arabic", ["ع", "ش"]),
        ("Vietnamese", ["ệ", "ở"]),
        ("Korean", ["한", "글"]),
        ("Japanese", ["あ", "ヌ"]),
    ] {
        if !letters.iter().all(|text| text.chars().all(|c| is_invisible(c) || fonts.advance(c).is_some())) {
            eprintln!("no installed font has {name}: it is skipped");
            continue;
        }
        for weight in [Weight::Regular, Weight::Bold] {
            let [one, other] = letters.map(|text| drawn(text, &SubtitleStyle { weight, ..STYLE }).0);
            assert!(amount(&one, is_light) > 50 && one != other, "{name}");
        }
    }
}
