//! Images and texts over a mix, measured in its pixels: positions, alpha, edges, times, colours.

use clipmill_core::media::Size;
use clipmill_core::request::model::*;

use crate::support::draw::*;
use crate::support::*;
use crate::transitions::by;

const SIZE: Size = Size::new(320, 240);

pub fn image(url: &str, width_percent: f64, place: OverlayPlace) -> Overlay {
    Overlay {
        shown: OverlayContent::Image { url: url.into(), width_percent, opacity_percent: 100.0 },
        place,
        margin_percent: 5.0,
        start_s: 0.0,
        end_s: None,
        motions: OverlayMotions::default(),
    }
}

pub fn text(text: &str, place: OverlayPlace, style: SubtitleStyle) -> Overlay {
    let content = OverlayContent::Text { texts: vec![text.into()], style, max_width_percent: 90.0 };
    Overlay { shown: content, ..image("", 0.0, place) }
}

pub fn boxed(colour: [u8; 3]) -> SubtitleStyle {
    let [r, g, b] = colour;
    let colour = Rgba { r, g, b, a: 255 };
    SubtitleStyle {
        font_size: 18,
        font_color: colour,
        back_color: Some(colour),
        magnification: 5.0,
        ..SubtitleStyle::DEFAULT
    }
}

pub fn over(overlays: Vec<Overlay>) -> MixOptions {
    MixOptions { overlays, fill: FillMode::Stretch, ..options((SIZE.width, SIZE.height), 25) }
}

async fn green(fixture: &mut Fixture, name: &str, frames: usize) -> String {
    let args = format!("{BT709} {X264}");
    fixture.plain(name, TestVideo::new(320, 240, "25", frames), GREEN, &args).await
}

/// A red disc in an image that is transparent elsewhere, and white where it is transparent: a scaler that ignored alpha
/// would bleed the white into the red.
pub async fn disc(fixture: &mut Fixture, name: &str, args: &str) -> String {
    let inside = "lte(hypot(X-199.5\\,Y-199.5)\\,150)";
    let source = format!(
        "color=white:s=400x400,format=rgba,geq=r=255:g='255-255*{inside}':b='255-255*{inside}':a='255*{inside}'"
    );
    fixture.source(name, &format!("-f lavfi -i {source} -frames:v 1 {args}")).await
}

const MIDDLE: OverlayPlace = OverlayPlace::At(Anchor::Middle);

#[tokio::test]
async fn a_logo_is_in_its_corner_with_clean_edges() {
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 10).await;
    for (name, args) in [("disc.png", ""), ("disc.webp", "-c:v libwebp -lossless 1 -pix_fmt bgra")] {
        let logo = disc(&mut fixture, name, args).await;
        let lossless = image(&logo, 25.0, OverlayPlace::At(Anchor::TopRight));
        let rendering = fixture.render_one(base(vec![group(&[&clip])], over(vec![lossless]))).await;
        assert_eq!(rendering.output.quality.frames_found, 10);
        let frame = frame(&rendering.path, SIZE, 5).await;
        // 80×80 pixels, 12 from the edges: its middle is (268, 52), its radius 30.
        near(frame.around((268, 52)), [255, 0, 0], 6.0, &format!("{name}: middle"));
        for at in [(234, 18), (302, 18), (234, 86), (302, 86), (20, 20), (20, 220)] {
            near(frame.around(at), GREEN, 3.0, &format!("{name}: {at:?}"));
        }
        // Nowhere is it brighter than the background, nor darker than the disc.
        let lumas: Vec<u8> = (220..316).map(|x| frame.at(x, 52)).map(luma).collect();
        let (low, high) = (luma([255, 0, 0]), luma(GREEN));
        let (low, high) = (low.min(high).saturating_sub(12), low.max(high).saturating_add(12));
        assert!(lumas.iter().all(|luma| (low..=high).contains(luma)), "{name}: {lumas:?}");
    }
}

fn luma([r, g, b]: [u8; 3]) -> u8 {
    (0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)) as u8
}

#[tokio::test]
async fn opacity_is_multiplied_by_the_images_own_alpha() {
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 5).await;
    let plain = "-f lavfi -i color=0x0000ff:s=100x100 -frames:v 1";
    let half = "-f lavfi -i color=0x0000ff@0.5:s=100x100,format=rgba -frames:v 1";
    for (name, args, opacity, covers) in [
        ("plain.png", format!("{plain} -pix_fmt rgb24"), 100.0, 1.0),
        ("plain.jpg", format!("{plain} -q:v 2 -pix_fmt yuvj444p"), 100.0, 1.0),
        ("plain.jpg", format!("{plain} -q:v 2 -pix_fmt yuvj444p"), 40.0, 0.4),
        ("half.png", half.to_owned(), 100.0, 0.5),
        ("half.png", half.to_owned(), 50.0, 0.25),
    ] {
        let url = fixture.source(name, &args).await;
        let content = OverlayContent::Image { url, width_percent: 50.0, opacity_percent: opacity };
        let overlay = Overlay { shown: content, ..image("", 0.0, MIDDLE) };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], over(vec![overlay]))).await;
        let frame = frame(&rendering.path, SIZE, 2).await;
        let mixed = |i: usize| {
            (f64::from([0, 0, 255][i]) * covers + f64::from(GREEN[i]) * (1.0 - covers)).round() as u8
        };
        near(frame.around((160, 120)), [0, 1, 2].map(mixed), 6.0, &format!("{name} at {opacity}"));
        near(frame.around((20, 20)), GREEN, 3.0, "beside it");
    }
}

/// Shown from the frame of its start to the last one before its end, across clips and transitions.
#[tokio::test]
async fn times_are_exact_to_the_frame_across_clips_and_transitions() {
    let mut fixture = Fixture::new().await;
    let (a, b) = (green(&mut fixture, "a.mp4", 50).await, green(&mut fixture, "b.mkv", 50).await);
    let logo =
        fixture.source("logo.png", "-f lavfi -i color=0x0000ff:s=100x100 -frames:v 1 -pix_fmt rgb24").await;
    let times = [(0.2, 0.4, 5..10), (1.0, 2.6, 25..65), (1.8, 9.0, 45..90)];
    for (transition, (start_s, end_s, frames_shown)) in every_nth(2, pairs([None, by(&["fade"], 0.4)], times))
    {
        let logo_overlay = image(&logo, 20.0, OverlayPlace::At(Anchor::TopLeft));
        let title = text("MMMM", OverlayPlace::At(Anchor::Bottom), boxed([255, 0, 0]));
        let timed = |overlay: Overlay| Overlay { start_s, end_s: Some(end_s), ..overlay };
        let options =
            MixOptions { transition: transition.clone(), ..over(vec![timed(logo_overlay), timed(title)]) };
        let rendering = fixture.render_one(base(vec![group(&[&a, &b])], options)).await;
        let all = frames(&rendering.path, SIZE).await;
        let until = if end_s > 5.0 { all.len() } else { frames_shown.end };
        for (index, seen) in all.iter().enumerate() {
            let expected = (frames_shown.start..until).contains(&index);
            let what = |part: &str| format!("{part} of frame {index}, shown {start_s} to {end_s}");
            let (logo, title) = if expected { ([0, 0, 255], [255, 0, 0]) } else { (GREEN, GREEN) };
            near(seen.around((40, 40)), logo, 8.0, &what("logo"));
            near(seen.around((160, 215)), title, 8.0, &what("text"));
        }
    }
}

/// Images in their order, texts above them, captions above all.
#[tokio::test]
async fn later_overlays_are_above() {
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 10).await;
    let mut flat = Vec::new();
    for (name, colour) in [("red.png", "0xff0000"), ("blue.png", "0x0000ff")] {
        flat.push(
            fixture
                .source(name, &format!("-f lavfi -i color={colour}:s=64x64 -frames:v 1 -pix_fmt rgb24"))
                .await,
        );
    }
    let subtitles = fixture.folder.path().join("s.srt");
    std::fs::write(&subtitles, "1\n00:00:00,000 --> 00:00:10,000\nMM\n").unwrap();
    let read = clipmill_core::subtitle::parse(&std::fs::read(&subtitles).unwrap()).unwrap();
    fixture.facts.subtitles.insert("s.srt".into(), Ok(read));
    let options = MixOptions {
        subtitle: Some(Subtitle::of_file(
            "s.srt",
            SubtitleStyle { place: CaptionPlace::Middle, ..boxed([0, 0, 0]) },
        )),
        ..over(vec![
            text("MMMM", MIDDLE, boxed([255, 255, 255])),
            image(&flat[0], 75.0, MIDDLE),
            image(&flat[1], 60.0, MIDDLE),
        ])
    };
    let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
    let frame = frame(&rendering.path, SIZE, 5).await;
    for (at, colour) in [
        ((160, 120), [0, 0, 0]),
        ((206, 120), [255, 255, 255]),
        ((160, 60), [0, 0, 255]),
        ((160, 12), [255, 0, 0]),
        ((20, 20), GREEN),
    ] {
        near(frame.around(at), colour, 10.0, &format!("{at:?}"));
    }
}

#[tokio::test]
async fn any_image_can_be_overlaid_on_any_clip() {
    let mut fixture = Fixture::new().await;
    let mut overlays = Vec::new();
    for (index, name) in fixture.small_pictures().await.into_iter().enumerate() {
        let place = OverlayPlace::Around { x: index as f64 * 7.0, y: 50.0 };
        overlays.push(image(name, 10.0, place));
    }
    // Animated files are still.
    for (name, args) in [("moves.gif", "-frames:v 5"), ("moves.mp4", "-frames:v 5 -c:v libx264")] {
        fixture.source(name, &format!("-f lavfi -i testsrc2=s=64x64 {args}")).await;
        overlays.push(image(name, 15.0, OverlayPlace::At(Anchor::BottomRight)));
    }
    let still = fixture.source("still.png", "-f lavfi -i testsrc2=s=300x200 -frames:v 1").await;
    let ten = fixture
        .source("ten.mkv", "-f lavfi -i testsrc2=s=320x240:r=50 -t 0.4 -c:v libx264 -pix_fmt yuv420p10le")
        .await;
    let slow = fixture.source("slow.mp4", "-f lavfi -i testsrc2=s=320x240:r=5 -t 1 -c:v libx264").await;
    let rendering =
        fixture.render_one(base(vec![group(&[&ten, &still, &slow])], over(overlays.clone()))).await;
    assert_eq!(rendering.output.quality.frames_found, 10 + 75 + 25);
    let plain = fixture.render_one(base(vec![group(&[&ten, &still, &slow])], over(vec![]))).await;
    let (marked, plain) = (frames(&rendering.path, SIZE).await, frames(&plain.path, SIZE).await);
    assert!(marked.iter().zip(&plain).all(|(marked, plain)| marked.difference(plain) > 0.5));
    // The video under them moves as before.
    near(marked[50].around((300, 20)), plain[50].at(300, 20), 12.0, "beside all of them");
}

/// A text is at its position, in any script, and entirely inside the frame.
#[tokio::test]
async fn texts_are_inside_the_frame_at_every_anchor() {
    let mut fixture = Fixture::new().await;
    let clip = fixture
        .plain("a.mp4", TestVideo::new(320, 240, "25", 2), [0, 0, 0], &format!("{BT709} {X264}"))
        .await;
    let style = SubtitleStyle { font_size: 18, magnification: 3.0, ..SubtitleStyle::DEFAULT };
    let all_words =
        ["Sale today\nonly", "全场五折\n今天", "خصم اليوم", "ลดราคาวันนี้", "\u{202e}evil {\\an8\\pos(0,0)}"];
    for (words, (_, anchor)) in every_nth(4, pairs(all_words, Anchor::NAMES)) {
        let overlay = Overlay { margin_percent: 0.0, ..text(words, OverlayPlace::At(anchor), style.clone()) };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], over(vec![overlay]))).await;
        let frame = frame(&rendering.path, SIZE, 1).await;
        let bright: Vec<(u32, u32)> = (0..SIZE.width)
            .flat_map(|x| (0..SIZE.height).map(move |y| (x, y)))
            .filter(|(x, y)| luma(frame.at(*x, *y)) > 100)
            .collect();
        let what = format!("{words:?} at {anchor:?}");
        assert!(bright.len() > 100, "{what}: {} pixels", bright.len());
        let edge = |(x, y): &(u32, u32)| *x == 0 || *y == 0 || *x == SIZE.width - 1 || *y == SIZE.height - 1;
        assert!(!bright.iter().any(edge), "{what} is cut off");
        let mean =
            |of: fn(&(u32, u32)) -> u32| bright.iter().map(of).sum::<u32>() as f64 / bright.len() as f64;
        let (x, y) = (mean(|at| at.0) / 320.0, mean(|at| at.1) / 240.0);
        let name = Anchor::NAMES.iter().find(|(_, other)| *other == anchor).unwrap().0;
        let side = |low: &str, high: &str, at: f64| match (name.contains(low), name.contains(high)) {
            (true, _) => at < 0.47,
            (_, true) => at > 0.53,
            _ => (0.44..0.56).contains(&at),
        };
        assert!(side("top", "bottom", y), "{what}: {y}");
        // Text as wide as the frame has no sides.
        let wide =
            bright.iter().map(|at| at.0).max().unwrap() - bright.iter().map(|at| at.0).min().unwrap() > 250;
        assert!(wide || side("left", "right", x), "{what}: {x}");
    }
}

/// Emoji are coloured images between the letters around them, wherever the text is.
#[tokio::test]
async fn emoji_are_between_their_letters_in_colour() {
    let mut fixture = Fixture::new().await;
    let clip = fixture
        .plain("a.mp4", TestVideo::new(320, 240, "25", 10), [0, 0, 0], &format!("{BT709} {X264}"))
        .await;
    let style = SubtitleStyle {
        font_size: 18,
        magnification: 5.0,
        outline_color: Some(Rgba { a: 0, ..Rgba::BLACK }),
        ..SubtitleStyle::DEFAULT
    };
    for anchor in [Anchor::TopLeft, Anchor::Middle, Anchor::BottomRight] {
        let words = Overlay {
            start_s: 0.08,
            end_s: Some(0.24),
            ..text("HH🟨HH\n国🟨", OverlayPlace::At(anchor), style.clone())
        };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], over(vec![words]))).await;
        assert_eq!(rendering.output.quality.frames_found, 10);
        let all = frames(&rendering.path, SIZE).await;
        for (index, seen) in all.iter().enumerate() {
            let is_yellow = |[r, g, b]: [u8; 3]| r > 150 && g > 100 && b < 110;
            let is_white = |[r, g, b]: [u8; 3]| r > 200 && g > 200 && b > 200;
            let of = |wanted: &dyn Fn([u8; 3]) -> bool| -> Vec<(u32, u32)> {
                let all = (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (x, y)));
                all.filter(|(x, y)| wanted(seen.at(*x, *y))).collect()
            };
            let (yellow, white) = (of(&is_yellow), of(&is_white));
            if !(2..6).contains(&index) {
                assert!(yellow.is_empty() && white.is_empty(), "{anchor:?}: frame {index}");
                continue;
            }
            // The first line: letters on both sides, and none of them under the emoji.
            let middle = (yellow.iter().map(|at| at.1).min().unwrap()
                + yellow.iter().map(|at| at.1).max().unwrap())
                / 2;
            let upper = |points: &[(u32, u32)]| -> Vec<u32> {
                points.iter().filter(|at| at.1 < middle - 4).map(|at| at.0).collect()
            };
            let (picture, letters) = (upper(&yellow), upper(&white));
            let (left, right) = (*picture.iter().min().unwrap(), *picture.iter().max().unwrap());
            assert!((24..40).contains(&(right - left)), "{anchor:?}: {left} to {right}");
            let (before, after): (Vec<u32>, Vec<u32>) =
                letters.iter().partition(|x| **x < (left + right) / 2);
            let (before, after) = (*before.iter().max().unwrap(), *after.iter().min().unwrap());
            assert!(before < left && right < after, "{anchor:?}: {before} {left} {right} {after}");
            assert!(
                ((left - before).abs_diff(after - right)) <= 4,
                "{anchor:?}: {before} {left} {right} {after}"
            );
        }
    }
}
