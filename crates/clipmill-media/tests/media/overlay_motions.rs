//! Overlays that enter and leave, measured on each frame.

use clipmill_core::media::Size;
use clipmill_core::overlay_motion::pop_scale;
use clipmill_core::request::model::*;

use crate::overlays::{boxed, image, over, text};
use crate::parts;
use crate::support::draw::*;
use crate::support::*;
use crate::video_layers::layer;

const SIZE: Size = Size::new(320, 240);
const MIDDLE: OverlayPlace = OverlayPlace::At(Anchor::Middle);
/// The frames of each motion: 0.4 s at 25 frames per second.
const FRAMES: usize = 10;

fn moving(overlay: Overlay, enter: OverlayMotion, leave: OverlayMotion) -> Overlay {
    let motions = OverlayMotions { enter, enter_s: 0.4, leave, leave_s: 0.4 };
    Overlay { motions, start_s: 0.2, end_s: Some(1.8), ..overlay }
}

/// How much of its place an overlay that is shown from frame 5 to frame 45 has taken.
fn part(frame: usize) -> f64 {
    let steps = (FRAMES + 1) as f64;
    ((frame as f64 - 4.0) / steps).min((45.0 - frame as f64) / steps).clamp(0.0, 1.0)
}

async fn green(fixture: &mut Fixture, name: &str, frames: usize) -> String {
    fixture.plain(name, TestVideo::new(320, 240, "25", frames), GREEN, &format!("{BT709} {X264}")).await
}

async fn blue(fixture: &mut Fixture, name: &str, form: &str) -> String {
    fixture.source(name, &format!("-f lavfi -i color=0x0000ff:s=100x100,{form} -frames:v 1")).await
}

/// A blue video that is repeated every 0.6 s.
async fn blue_video(fixture: &mut Fixture) -> Overlay {
    let args = format!("{BT709} {X264}");
    let url = fixture.plain("blue.mp4", TestVideo::new(100, 100, "25", 15), [0, 0, 255], &args).await;
    layer(&url, |layer| (layer.looped, layer.width_percent) = (true, 30.0))
}

async fn rendered(fixture: &Fixture, clip: &str, overlays: Vec<Overlay>) -> Vec<Frame> {
    let rendering = fixture.render_one(base(vec![group(&[clip])], over(overlays))).await;
    assert_eq!(rendering.output.quality.frames_found, 50);
    frames(&rendering.path, SIZE).await
}

/// The first and the last column or row with the colour of the overlay, on a line through the middle.
fn extent(frame: &Frame, is_row: bool) -> Option<(u32, u32)> {
    let length = if is_row { SIZE.width } else { SIZE.height };
    let is_blue = |at: &u32| {
        let [r, g, b] = if is_row { frame.at(*at, 120) } else { frame.at(160, *at) };
        b > 100 && r < 100 && g < 100
    };
    let mut seen = (0..length).filter(is_blue);
    let first = seen.next()?;
    Some((first, seen.next_back().unwrap_or(first)))
}

#[tokio::test]
async fn overlays_fade() {
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 50).await;
    let cases = [
        ("plain.png", "format=rgb24", 100.0, 1.0),
        ("half.png", "format=rgba,colorchannelmixer=aa=0.5", 100.0, 0.5),
        ("plain.png", "format=rgb24", 40.0, 0.4),
    ];
    let mut overlays = Vec::new();
    for (name, form, opacity_percent, covers) in cases {
        let url = blue(&mut fixture, name, form).await;
        let content = OverlayContent::Image { url, width_percent: 30.0, opacity_percent };
        overlays.push((Overlay { shown: content, ..image("", 0.0, MIDDLE) }, covers));
    }
    for (opacity_percent, covers) in [(100.0, 1.0), (40.0, 0.4)] {
        let mut video = blue_video(&mut fixture).await;
        if let OverlayContent::Video(layer) = &mut video.shown {
            layer.opacity_percent = opacity_percent;
        }
        overlays.push((Overlay { place: MIDDLE, ..video }, covers));
    }
    // Letters above a box would add to its opacity.
    let box_alone = SubtitleStyle { font_color: Rgba { a: 0, ..Rgba::BLACK }, ..boxed([0, 0, 255]) };
    overlays.push((text("MMMM", MIDDLE, box_alone), 1.0));
    for (overlay, covers) in overlays {
        let fading = moving(overlay.clone(), OverlayMotion::Fade, OverlayMotion::Fade);
        for (index, seen) in rendered(&fixture, &clip, vec![fading]).await.iter().enumerate() {
            let part = part(index);
            let opacity = covers * part * part * (3.0 - 2.0 * part);
            let mixed = [0, 1, 2]
                .map(|i| f64::from([0, 0, 255][i]) * opacity + f64::from(GREEN[i]) * (1.0 - opacity));
            let what = format!("frame {index} of {overlay:?}");
            near(seen.around((160, 120)), mixed.map(|value| value.round() as u8), 8.0, &what);
        }
    }
}

#[tokio::test]
async fn overlays_slide_from_outside_and_out_again() {
    use OverlayMotion::{SlideDown, SlideLeft, SlideRight, SlideUp};
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 50).await;
    let logo = blue(&mut fixture, "logo.png", "format=rgb24").await;
    let video = Overlay { place: MIDDLE, ..blue_video(&mut fixture).await };
    for overlay in [image(&logo, 30.0, MIDDLE), video, text("MM", MIDDLE, boxed([0, 0, 255]))] {
        for (enter, leave) in
            [(SlideLeft, SlideLeft), (SlideRight, SlideUp), (SlideDown, SlideRight), (SlideUp, SlideDown)]
        {
            let all = rendered(&fixture, &clip, vec![moving(overlay.clone(), enter, leave)]).await;
            // Images and videos move in steps of one pixel; the box of a text has smoothed edges.
            let max = if overlay.texts().is_empty() { 1.5 } else { 3.0 };
            let mut odd = 0;
            for (index, seen) in all.iter().enumerate() {
                let (motion, leaves) = if index < 25 { (enter, false) } else { (leave, true) };
                let is_row = matches!(motion, SlideLeft | SlideRight);
                let (first, last) = extent(&all[25], is_row).unwrap();
                let length = if is_row { SIZE.width } else { SIZE.height };
                let forward = matches!(motion, SlideRight | SlideDown);
                // The edges of a text are those of its box.
                let away = if forward != leaves { -f64::from(last + 1) } else { f64::from(length - first) };
                let moved = away * (1.0 - part(index)).powi(3);
                let what = format!("frame {index} of {motion:?}, {:?}", overlay.shown);
                let shift = |edge: u32| (f64::from(edge) + moved).clamp(0.0, f64::from(length - 1));
                let expected = (shift(first), shift(last));
                match extent(seen, is_row) {
                    None => assert!(
                        part(index) == 0.0 || moved.abs() + 3.0 > away.abs() * 0.75,
                        "{what} is not shown, but at {expected:?}"
                    ),
                    Some((left, right)) => {
                        assert!(part(index) > 0.0, "{what}");
                        for (edge, expected) in [(left, expected.0), (right, expected.1)] {
                            let off = (f64::from(edge) - expected).abs();
                            assert!(off <= max, "{what}: {edge}, not {expected}");
                            odd += usize::from((edge + first) % 2 == 1 && part(index) > 0.5);
                        }
                    }
                }
            }
            assert!(odd > 0 || !overlay.texts().is_empty(), "{enter:?}, {leave:?}: steps of two pixels");
            let is_row =
                |index: usize| matches!(if index < 25 { enter } else { leave }, SlideLeft | SlideRight);
            assert!((5..45).filter(|index| extent(&all[*index], is_row(*index)).is_some()).count() > 34);
        }
    }
}

#[tokio::test]
async fn overlays_pop() {
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 50).await;
    let mut overlays = Vec::new();
    for (name, form) in [("plain.png", "format=rgb24"), ("alpha.png", "format=rgba")] {
        overlays.push(image(&blue(&mut fixture, name, form).await, 30.0, MIDDLE));
    }
    overlays.push(Overlay { place: MIDDLE, ..blue_video(&mut fixture).await });
    overlays.push(text("MMMM", MIDDLE, boxed([0, 0, 255])));
    for overlay in overlays {
        let all =
            rendered(&fixture, &clip, vec![moving(overlay.clone(), OverlayMotion::Pop, OverlayMotion::Pop)])
                .await;
        let still = rendered(
            &fixture,
            &clip,
            vec![moving(overlay.clone(), OverlayMotion::None, OverlayMotion::None)],
        )
        .await;
        let (left, right) = extent(&still[25], true).unwrap();
        let width = f64::from(right - left);
        for (index, seen) in all.iter().enumerate() {
            let part = part(index);
            let what = format!("frame {index} of {:?}", overlay.shown);
            if part == 0.0 {
                near(seen.around((160, 120)), GREEN, 3.0, &what);
                continue;
            }
            if part >= 1.0 {
                assert!(seen.difference(&still[index]) < 0.5, "{what}: {}", seen.difference(&still[index]));
            }
            let Some((left, right)) = extent(seen, true).filter(|_| part > 0.3) else {
                assert!(part <= 0.3, "{what}");
                continue;
            };
            let expected = width * pop_scale(part);
            assert!(
                (f64::from(right - left) - expected).abs() <= 3.0,
                "{what}: {left} to {right}, not {expected}"
            );
            assert!((f64::from(right + left) / 2.0 - 160.0).abs() <= 2.0, "{what}: {left} to {right}");
        }
    }
}

/// Transparent pixels have the colour white, which must not bleed into a red disc that pops up or fades.
#[tokio::test]
async fn moving_images_have_clean_edges() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(320, 240, "25", 50);
    let clip = fixture.plain("black.mp4", film, [0, 0, 0], &format!("{BT709} {X264}")).await;
    let disc = crate::overlays::disc(&mut fixture, "disc.png", "").await;
    for motion in [OverlayMotion::Pop, OverlayMotion::Fade, OverlayMotion::SlideLeft] {
        let all = rendered(&fixture, &clip, vec![moving(image(&disc, 40.0, MIDDLE), motion, motion)]).await;
        for (index, seen) in all.iter().enumerate() {
            for x in (0..SIZE.width).step_by(2) {
                let [r, g, b] = seen.at(x, 120).map(i32::from);
                // Half-resolution chroma at the edge of a disc on black lets green and blue rise by this much.
                assert!(g.max(b) - r.min(60) < 40, "{motion:?}: {:?} at {x} of frame {index}", [r, g, b]);
            }
        }
    }
}

#[tokio::test]
async fn emoji_slide_with_their_text() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(320, 240, "25", 50);
    let clip = fixture.plain("black.mp4", film, [0, 0, 0], &format!("{BT709} {X264}")).await;
    let style = SubtitleStyle { font_size: 18, magnification: 4.0, ..SubtitleStyle::DEFAULT };
    let title = text("HH🟨HH", MIDDLE, style);
    let all =
        rendered(&fixture, &clip, vec![moving(title, OverlayMotion::SlideLeft, OverlayMotion::SlideLeft)])
            .await;
    let mean = |frame: &Frame, wanted: &dyn Fn([u8; 3]) -> bool| {
        let all = (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (x, y)));
        let seen = Vec::from_iter(all.filter(|(x, y)| wanted(frame.at(*x, *y))).map(|(x, _)| f64::from(x)));
        (seen.len() > 40).then(|| seen.iter().sum::<f64>() / seen.len() as f64)
    };
    let yellow = |[r, g, b]: [u8; 3]| r > 150 && g > 100 && b < 110;
    let mut compared = 0;
    for (index, seen) in all.iter().enumerate() {
        let inside = 160.0 + 220.0 * (1.0 - part(index)).powi(3);
        if !(5..45).contains(&index) {
            assert!(mean(seen, &yellow).is_none(), "frame {index}");
        } else if part(index) > 0.5 {
            compared += 1;
            let letters = mean(seen, &|[r, g, b]: [u8; 3]| r > 200 && g > 200 && b > 200).unwrap();
            let emoji = mean(seen, &yellow).unwrap_or_else(|| panic!("frame {index}, {inside}"));
            assert!((letters - emoji).abs() < 4.0, "frame {index}: {letters}, {emoji}");
        }
    }
    assert!(compared > 25);
}

/// Wherever the timeline is cut, the frames are those of one long segment.
#[tokio::test]
async fn parts_continue_motions_exactly() {
    let mut fixture = parts::fixture(1).await;
    let clip = fixture
        .source(
            "a.mp4",
            "-f lavfi -i testsrc2=s=320x240:r=25:d=4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p",
        )
        .await;
    let logo = blue(&mut fixture, "logo.png", "format=rgba,colorchannelmixer=aa=0.7").await;
    let video = layer(&clip, |layer| layer.width_percent = 40.0);
    for (enter, leave) in OverlayMotion::NAMES
        .into_iter()
        .skip(1)
        .map(|(_, motion)| motion)
        .zip(OverlayMotion::NAMES.into_iter().rev().map(|(_, motion)| motion))
    {
        let motions = OverlayMotions { enter, enter_s: 0.4, leave, leave_s: 0.4 };
        let moving = |overlay| Overlay { motions, start_s: 0.8, end_s: Some(3.2), ..overlay };
        let overlays = vec![moving(image(&logo, 30.0, MIDDLE)), moving(video.clone())];
        parts::check(
            &mut fixture,
            &format!("{enter:?}, {leave:?}"),
            &base(vec![group(&[&clip])], over(overlays)),
            4,
        )
        .await;
    }
}
