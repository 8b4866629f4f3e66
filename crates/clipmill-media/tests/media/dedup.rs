//! videoDeduplication, measured: each option has exactly its documented effect on video and audio.

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::looks::Look;
use clipmill_core::media::Size;
use clipmill_core::request::model::*;
use clipmill_core::time::Fps;

const FILM: TestVideo = TestVideo::new(320, 180, "25", 2);

const fn just(value: f64) -> Span {
    Span { min: value, max: value }
}

fn tagged() -> String {
    format!("{BT709} {X264}")
}

/// The first frame of a clip after a change.
async fn changed(fixture: &Fixture, clip: &str, change: impl FnOnce(&mut DedupOptions)) -> Frame {
    let options = |options: &mut DedupOptions| {
        options.fps = Fps::new(25).unwrap();
        change(options);
    };
    let rendering = fixture.render_one(dedup(&[clip], options)).await;
    frame(&rendering.path, rendering.size, 0).await
}

#[tokio::test]
async fn without_options_video_and_audio_are_the_sources() {
    let mut fixture = Fixture::new().await;
    let audio_args = "-f lavfi -i aevalsrc=0.25*sin(2*PI*500*t):c=stereo:s=48000:d=0.48 -c:a pcm_s16le";
    let clip =
        fixture.counted("a.mov", TestVideo::new(96, 64, "25", 12), &format!("{audio_args} {X264}")).await;
    let rendering = fixture.render_one(dedup(&[&clip], |options| options.fps = Fps::new(25).unwrap())).await;
    let steps: Vec<usize> = lumas(&rendering.path).await.into_iter().map(step_of).collect();
    assert_eq!(steps, (0..12).collect::<Vec<_>>());
    assert_eq!(rendering.size, Size::new(96, 64));
    assert!((level_db(&samples(&rendering.path).await, 0.05, 0.45) + 15.05).abs() < 0.1);

    let silent = fixture.counted("b.mp4", TestVideo::new(96, 64, "25", 12), X264).await;
    let rendering = fixture.render_one(dedup(&[&silent], |_| {})).await;
    assert_eq!(rendering.output.quality.av_difference_ms, None, "no sound in, no sound out");
    assert_eq!(rendering.output.quality.frames_found, 14, "12 frames of 25 a second are 14.4 of 30");
}

#[tokio::test]
async fn mirror_swaps_left_and_right() {
    let mut fixture = Fixture::new().await;
    let clip = fixture
        .drawn("a.mp4", FILM, &tagged(), |_, x, y| [(x * 200 / 320) as u8 + 20, (y + 30) as u8, 90])
        .await;
    let (plain, mirrored) =
        (changed(&fixture, &clip, |_| {}).await, changed(&fixture, &clip, |o| o.mirror = true).await);
    for (x, y) in (0..160).flat_map(|y| (0..300).map(move |x| (x, y))).filter(|(x, y)| (x + y) % 7 == 0) {
        let (found, expected) = (mirrored.at(319 - x, y), plain.at(x, y));
        assert!(
            found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 8),
            "({x}, {y}): {found:?} {expected:?}"
        );
    }
}

/// A small bright spot, off the centre by (dx, dy), on even ground.
async fn spot(fixture: &mut Fixture, name: &str, (dx, dy): (i32, i32), ground: [u8; 3]) -> String {
    let centre = ((160 + dx) as u32, (90 + dy) as u32);
    let pixel = |_, x: u32, y: u32| match x.abs_diff(centre.0) <= 6 && y.abs_diff(centre.1) <= 6 {
        true => [255; 3],
        false => ground,
    };
    fixture.drawn(name, FILM, &tagged(), pixel).await
}

/// The spot's place after the change, from the centre of the frame.
async fn moved(fixture: &Fixture, clip: &str, change: impl FnOnce(&mut DedupOptions)) -> (f64, f64) {
    let (x, y) = changed(fixture, clip, change).await.centre_of_bright(190);
    (x - 160.0, y - 90.0)
}

fn turned(degrees: f64, clockwise: bool) -> Option<Rotation> {
    Some(Rotation { clockwise, angle: just(degrees) })
}

#[track_caller]
fn check_place(found: (f64, f64), expected: (f64, f64), what: &str) {
    let off = (found.0 - expected.0).hypot(found.1 - expected.1);
    assert!(off < 1.3, "{what}: {found:.1?} instead of {expected:.1?}");
}

/// The position of (x, y) after a clockwise rotation and enlargement.
fn turn((x, y): (f64, f64), degrees: f64, scale: f64) -> (f64, f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    (scale * (x * cos - y * sin), scale * (x * sin + y * cos))
}

#[tokio::test]
async fn zoom_enlarges_about_the_centre() {
    let mut fixture = Fixture::new().await;
    let clip = spot(&mut fixture, "a.mp4", (60, -30), [50, 60, 70]).await;
    let before = moved(&fixture, &clip, |_| {}).await;
    for scale in [1.1, 1.5, 2.0] {
        let after = moved(&fixture, &clip, |options| options.zoom = Some(just(scale))).await;
        check_place(after, (before.0 * scale, before.1 * scale), &format!("zoom {scale}"));
    }
}

#[tokio::test]
async fn clockwise_is_clockwise_at_every_angle() {
    let mut fixture = Fixture::new().await;
    let clip = spot(&mut fixture, "a.mp4", (60, -20), [50, 60, 70]).await;
    let before = moved(&fixture, &clip, |_| {}).await;
    for degrees in [2.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0] {
        // Up to 15 degrees the frame is enlarged until it covers its own corners.
        let radians = f64::to_radians(degrees);
        let scale = if degrees <= 15.0 { radians.cos() + radians.sin() * 320.0 / 180.0 } else { 1.0 };
        for (clockwise, sign) in [(true, 1.0), (false, -1.0)] {
            let after = moved(&fixture, &clip, |options| options.rotation = turned(degrees, clockwise)).await;
            check_place(
                after,
                turn(before, sign * degrees, scale),
                &format!("{degrees} degrees, {clockwise}"),
            );
        }
    }
}

#[tokio::test]
async fn rotation_and_zoom_together_are_one_movement() {
    let mut fixture = Fixture::new().await;
    let clip = spot(&mut fixture, "a.mp4", (30, -15), [50, 60, 70]).await;
    let before = moved(&fixture, &clip, |_| {}).await;
    for (degrees, cover) in
        [(10.0, 10f64.to_radians().cos() + 10f64.to_radians().sin() * 320.0 / 180.0), (45.0, 1.0)]
    {
        let after = moved(&fixture, &clip, |options| {
            options.zoom = Some(just(1.4));
            options.rotation = turned(degrees, true);
        })
        .await;
        check_place(after, turn(before, degrees, 1.4 * cover), &format!("{degrees} degrees and zoom 1.4"));
    }
}

/// Linear interpolation of the frame as it is would keep four fifths of such stripes, cubic interpolation all but a
/// twentieth.
#[tokio::test]
async fn rotation_keeps_fine_stripes() {
    let mut fixture = Fixture::new().await;
    let stripe = |x: u32| [[128; 3], [200; 3], [128; 3], [56; 3]][x as usize % 4];
    let clip = fixture.drawn("stripes.mp4", FILM, &tagged(), |_, x, _| stripe(x)).await;
    let contrast = |frame: Frame| {
        let middle = (40..280).flat_map(|x| (40..140).map(move |y| (x, y)));
        let values: Vec<f64> = middle.map(|(x, y)| f64::from(frame.at(x, y)[1])).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
    };
    let before = contrast(changed(&fixture, &clip, |_| {}).await);
    let after = contrast(changed(&fixture, &clip, |options| options.rotation = turned(2.0, true)).await);
    assert!(after > 0.87 * before, "{after:.1} of {before:.1}");
}

#[tokio::test]
async fn no_corner_and_no_edge_is_empty_at_any_angle() {
    let mut fixture = Fixture::new().await;
    let ground = [150, 110, 90];
    for (name, film) in [("wide.mp4", FILM), ("tall.mp4", TestVideo::new(180, 320, "25", 2))] {
        let clip = fixture.plain(name, film, ground, &tagged()).await;
        for degrees in [1.0, 7.5, 15.0, 16.0, 45.0, 90.0, 135.0] {
            let frame = changed(&fixture, &clip, |options| options.rotation = turned(degrees, true)).await;
            for (x, y) in (0..film.size.1).flat_map(|y| (0..film.size.0).map(move |x| (x, y))) {
                let pixel = frame.at(x, y);
                let off = pixel.iter().zip(ground).any(|(a, b)| a.abs_diff(b) > 12);
                assert!(!off, "{name} at {degrees} degrees: {pixel:?} at ({x}, {y})");
            }
        }
    }
}

#[tokio::test]
async fn a_strong_rotation_has_a_blurred_background() {
    let mut fixture = Fixture::new().await;
    let clip = fixture.quarters("a.mp4", FILM, &tagged()).await;
    let frame = changed(&fixture, &clip, |options| options.rotation = turned(45.0, true)).await;
    // The corners show the copy, which is not rotated; the next quarter shines in slightly.
    for (point, colour) in [((10, 10), RED), ((310, 10), GREEN), ((10, 170), BLUE), ((310, 170), YELLOW)] {
        near(frame.around(point), colour, 60.0, &format!("{point:?}"));
    }
    // The video in front is: its red quarter has moved from the left to the top.
    near(frame.around((160, 50)), RED, 15.0, "above the centre");
    near(frame.around((200, 90)), GREEN, 15.0, "right of the centre");
}

#[tokio::test]
async fn speed_changes_length_and_keeps_pitch_and_step() {
    let mut fixture = Fixture::new().await;
    // White from 0.8 s on, a tone at the same moment.
    let audio_args =
        "-f lavfi -i aevalsrc=0.4*sin(2*PI*1000*t)*gte(t\\,0.8):c=stereo:s=48000:d=2 -c:a pcm_s16le";
    let pixel = |frame: usize, _, _| if frame >= 20 { [235; 3] } else { [20; 3] };
    let clip = fixture
        .drawn("a.mov", TestVideo::new(96, 64, "25", 50), &format!("{audio_args} {X264}"), pixel)
        .await;
    for (speed, frames, bound) in [(0.5, 120, 0.020), (0.8, 75, 0.020), (1.3, 46, 0.020), (2.0, 30, 0.020)] {
        let rendering =
            fixture.render_one(dedup(&[&clip], |options| options.speed = Some(just(speed)))).await;
        assert_eq!(rendering.output.quality.frames_found, frames, "at {speed}");
        assert!(rendering.output.quality.av_difference_ms.unwrap().abs() <= 34.0);
        let audio_args = samples(&rendering.path).await;
        let (flash, beep) = (0.8 / speed, onsets(&rendering.path).await[0]);
        let end = frames as f64 / 30.0;
        let tone = pitch(&audio_args, flash + 0.1, end - 0.1);
        assert!((tone - 1000.0).abs() < 25.0, "at {speed} the tone has {tone:.0} Hz");
        let white = lumas(&rendering.path).await.iter().position(|luma| *luma > 100).unwrap() as f64 / 30.0;
        assert!(
            (white - flash).abs() <= 0.5 / 30.0 + 0.001,
            "at {speed}: white at {white:.3}, not {flash:.3}"
        );
        // Preserving the pitch works on windows of 43 ms, which smear a beginning when they are stretched.
        assert!((beep - flash).abs() < bound, "at {speed}: beep at {beep:.3}, flash at {flash:.3}");
    }
}

#[tokio::test]
async fn frame_extraction_drops_frames_before_the_rate_is_set() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(96, 64, "50", 100);
    let clip = fixture
        .drawn("a.mp4", film, X264, |frame, x, _| [((x as usize + 3 * frame) * 2 % 230) as u8; 3])
        .await;
    let distinct = async |extraction: Option<Span>, rate: u32| {
        let rendering = fixture
            .render_one(dedup(&[&clip], |options| {
                options.frame_extraction = extraction;
                options.fps = Fps::new(rate).unwrap();
            }))
            .await;
        assert_eq!(rendering.output.quality.frames_found, u64::from(rate) * 2);
        // One frame's movement changes every pixel by 6; a repeated frame is coded as such, and differs at edges.
        let frames = frames(&rendering.path, rendering.size).await;
        let change = |pair: &[Frame], x| u32::from(pair[0].at(x, 30)[1].abs_diff(pair[1].at(x, 30)[1]));
        let moved = |pair: &[Frame]| (0..96).map(|x| change(pair, x)).sum::<u32>() > 96 * 3;
        1 + frames.windows(2).filter(|pair| moved(pair)).count()
    };
    assert_eq!(distinct(None, 50).await, 100);
    assert_eq!(distinct(Some(just(25.0)), 50).await, 50);
    let some = distinct(Some(just(28.0)), 50).await;
    assert!((55..=57).contains(&some), "{some} distinct frames of 56");
    assert_eq!(distinct(Some(just(30.0)), 30).await, 60);
}

/// The mean colour of the output for a grey source.
async fn grey_through(fixture: &mut Fixture, grey: u8, change: impl FnOnce(&mut DedupOptions)) -> [f64; 3] {
    let name = format!("grey{grey}.mp4");
    if !fixture.facts.media.contains_key(&name) {
        fixture.plain(&name, TestVideo::new(96, 64, "25", 2), [grey; 3], &tagged()).await;
    }
    changed(fixture, &name, change).await.whole()
}

fn mixing(brightness: f64, contrast: f64, saturation: f64, gamma: f64) -> Option<ColourMixing> {
    Some(ColourMixing {
        brightness: just(brightness),
        contrast: just(contrast),
        saturation: just(saturation),
        gamma: just(gamma),
    })
}

/// The result of `eq` on a grey: it works on stored luma, 16 to 235.
fn eq(grey: u8, brightness: f64, contrast: f64, gamma: f64) -> u8 {
    let stored = 16.0 + f64::from(grey) * 219.0 / 255.0;
    let mixed = (contrast * (stored / 255.0 - 0.5) + 0.5 + brightness).clamp(0.0, 1.0);
    let stored = mixed.powf(1.0 / gamma) * 255.0;
    ((stored - 16.0) * 255.0 / 219.0).round().clamp(0.0, 255.0) as u8
}

#[tokio::test]
async fn colour_mixing_follows_the_formula() {
    let mut fixture = Fixture::new().await;
    let mixings = [
        (0.1, 1.0, 1.0),
        (-0.2, 1.0, 1.0),
        (0.0, 1.5, 1.0),
        (0.0, 0.5, 1.0),
        (0.0, -1.0, 1.0),
        (0.0, 1.0, 2.0),
        (0.0, 1.0, 0.5),
        (0.1, 1.2, 1.3),
    ];
    // Every mixing is among every second pair.
    for ((brightness, contrast, gamma), grey) in every_nth(2, pairs(mixings, [60, 128, 200])) {
        let actual =
            grey_through(&mut fixture, grey, |o| o.colour_mixing = mixing(brightness, contrast, 1.0, gamma))
                .await;
        let expected = eq(grey, brightness, contrast, gamma);
        // The filter counts brightness in whole percent of a rounded range.
        near(actual, [expected; 3], 6.0, &format!("{grey} by {brightness}, {contrast}, {gamma}"));
    }
}

async fn coloured(
    fixture: &mut Fixture,
    colour: [u8; 3],
    change: impl FnOnce(&mut DedupOptions),
) -> [f64; 3] {
    let name = format!("{colour:?}.mp4").replace(' ', "");
    if !fixture.facts.media.contains_key(&name) {
        fixture.plain(&name, TestVideo::new(96, 64, "25", 2), colour, &tagged()).await;
    }
    changed(fixture, &name, change).await.whole()
}

/// The luma by BT.709.
fn luma([red, green, blue]: [f64; 3]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[tokio::test]
async fn saturation_and_hue_change_colour_and_leave_luma() {
    let mut fixture = Fixture::new().await;
    let colour = [150, 110, 100];
    let before = luma(colour.map(f64::from));
    let hue = |hue_degrees, saturation, brightness| Some(HueMixing { hue_degrees, saturation, brightness });
    let grey = coloured(&mut fixture, colour, |o| o.colour_mixing = mixing(0.0, 1.0, 0.0, 1.0)).await;
    near(grey, [before.round() as u8; 3], 3.0, "saturation 0");
    // Each colour is twice as far from grey.
    let expected = colour.map(|value| (before + 2.0 * (f64::from(value) - before)).round() as u8);
    near(
        coloured(&mut fixture, colour, |o| o.colour_mixing = mixing(0.0, 1.0, 2.0, 1.0)).await,
        expected,
        4.0,
        "saturation 2",
    );
    near(
        coloured(&mut fixture, colour, |o| o.hue_mixing = hue(0.0, 1.0, 0.0)).await,
        expected,
        4.0,
        "hue's saturation 1 is twice",
    );
    near(coloured(&mut fixture, colour, |o| o.hue_mixing = hue(0.0, 0.0, 0.0)).await, colour, 3.0, "neutral");
    // Half a turn mirrors colour differences about grey.
    let expected = colour.map(|value| (2.0 * before - f64::from(value)).round() as u8);
    near(
        coloured(&mut fixture, colour, |o| o.hue_mixing = hue(180.0, 0.0, 0.0)).await,
        expected,
        4.0,
        "half a turn",
    );
    near(
        coloured(&mut fixture, colour, |o| o.hue_mixing = hue(360.0, 0.0, 0.0)).await,
        colour,
        3.0,
        "a whole turn",
    );
    // Brightness counts in tenths of the range: 1 is 25.5 steps of stored luma.
    let brighter = luma(coloured(&mut fixture, colour, |o| o.hue_mixing = hue(0.0, 0.0, 1.0)).await);
    assert!((brighter - before - 25.5 * 255.0 / 219.0).abs() < 3.0, "{before:.1} became {brighter:.1}");
}

/// A ramp of greys in steps of 8, beginning with black.
const GREYS: u32 = 32;
const STRIPE: u32 = 16;
const RAMP: TestVideo = TestVideo::new(GREYS * STRIPE, 64, "25", 2);

/// The output value for each grey of a ramp.
async fn ramp_through(fixture: &mut Fixture, balance: ColorBalance) -> Vec<[f64; 3]> {
    let name = "ramp.mp4";
    if !fixture.facts.media.contains_key(name) {
        fixture.drawn(name, RAMP, &tagged(), |_, x, _| [(x / STRIPE * 8) as u8; 3]).await;
    }
    let frame = changed(fixture, name, |o| o.color_balance = Some(balance)).await;
    (0..GREYS).map(|i| frame.mean((i * STRIPE + 4, 8), (STRIPE - 8, 48))).collect()
}

/// Tenths of red, green, blue in shadows, midtones, highlights.
fn balance(tenths: [[u32; 3]; 3]) -> ColorBalance {
    let [shadows, midtones, highlights] = tenths.map(|range| range.map(|value| f64::from(value) / 10.0));
    ColorBalance { shadows, midtones, highlights }
}

#[tokio::test]
async fn colour_balance_raises_one_colour_in_one_range() {
    let mut fixture = Fixture::new().await;
    let before = ramp_through(&mut fixture, balance([[0; 3]; 3])).await;
    // For each range: where greys stay unchanged, where the effect must be visible, and between which greys it is
    // strongest.
    let ranges = [(120..=255, 0..=64, 0..=8), (0..=40, 96..=160, 120..=136), (0..=136, 176..=232, 200..=216)];
    for (range, (outside, shown, strongest)) in ranges.into_iter().enumerate() {
        for channel in 0..3 {
            let mut tenths = [[0; 3]; 3];
            tenths[range][channel] = 10;
            let after = ramp_through(&mut fixture, balance(tenths)).await;
            let rise = |i: usize, channel: usize| after[i][channel] - before[i][channel];
            for i in 0..GREYS as usize {
                let (grey, what) = (8 * i as u32, format!("range {range}, channel {channel} at {}", 8 * i));
                for other in (0..3).filter(|other| *other != channel) {
                    assert!(
                        rise(i, other).abs() <= 3.0,
                        "{what}: channel {other} moves by {}",
                        rise(i, other)
                    );
                }
                let own = rise(i, channel);
                assert!(!outside.contains(&grey) || own.abs() <= 2.0, "{what}: {own}");
                assert!(!shown.contains(&grey) || own >= 15.0, "{what}: {own}");
            }
            let max = (0..GREYS as usize).max_by(|a, b| rise(*a, channel).total_cmp(&rise(*b, channel)));
            assert!(strongest.contains(&(8 * max.unwrap() as u32)), "range {range}: most at {max:?} times 8");
        }
    }
}

#[tokio::test]
async fn no_colour_balance_turns_a_ramp_of_greys_back() {
    let mut fixture = Fixture::new().await;
    for tenths in [
        [[10; 3]; 3],
        [[10; 3], [0; 3], [0; 3]],
        [[0; 3], [10; 3], [0; 3]],
        [[0; 3], [0; 3], [10; 3]],
        [[10, 0, 5], [3, 10, 10], [0, 10, 1]],
    ] {
        let actual = ramp_through(&mut fixture, balance(tenths)).await;
        for (i, pair) in actual.windows(2).enumerate() {
            let falls = (0..3).map(|channel| pair[0][channel] - pair[1][channel]).fold(0.0, f64::max);
            assert!(falls <= 1.5, "{tenths:?} falls by {falls} behind {}", 8 * i);
        }
    }
}

#[tokio::test]
async fn slight_colour_balance_is_visible_and_zero_changes_nothing() {
    let mut fixture = Fixture::new().await;
    for (range, grey) in [(0, 30), (1, 128), (2, 225)] {
        let mut tenths = [[0; 3]; 3];
        tenths[range] = [1; 3];
        let actual = grey_through(&mut fixture, grey, |o| o.color_balance = Some(balance(tenths))).await;
        let rise = actual[1] - f64::from(grey);
        assert!((8.0..=20.0).contains(&rise), "{range}: {actual:.1?} from {grey}");
    }
    let plain = grey_through(&mut fixture, 128, |_| {}).await;
    let actual = grey_through(&mut fixture, 128, |o| o.color_balance = Some(balance([[0; 3]; 3]))).await;
    assert_eq!(actual, plain);
}

#[tokio::test]
async fn every_look_can_be_drawn_and_is_visible() {
    let mut fixture = Fixture::new().await;
    let clip = fixture.quarters("a.mp4", TestVideo::new(96, 64, "25", 2), &tagged()).await;
    let plain = changed(&fixture, &clip, |_| {}).await;
    let mut looks = std::collections::BTreeSet::new();
    for seed in 0..400 {
        if looks.len() == Look::all().len() {
            break;
        }
        let Params::VideoDeduplication(mut params) = dedup(&[&clip], |options| options.filter = true) else {
            unreachable!()
        };
        params.seed = Some(seed);
        let params = Params::VideoDeduplication(params);
        let look = fixture.plan(params.clone()).items[0].recipe["look"].as_str().unwrap().to_owned();
        if !looks.insert(look.clone()) {
            continue;
        }
        let rendering = fixture.render_one(params).await;
        let frame = frame(&rendering.path, rendering.size, 0).await;
        let points = [(20, 16), (76, 16), (20, 48), (76, 48)];
        let differs = points.into_iter().filter(|point| {
            let (a, b) = (plain.around(*point), frame.around(*point));
            (0..3).any(|i| (a[i] - b[i]).abs() >= 6.0)
        });
        assert!(differs.count() >= 2, "{look} hardly shows");
        // No look turns the video mostly black or white.
        assert!((30.0..225.0).contains(&luma(frame.whole())), "{look}: {:.0?}", frame.whole());
    }
    assert_eq!(looks.len(), Look::all().len(), "every look is drawn by some seed");
}

#[tokio::test]
async fn the_same_seed_makes_the_same_frames_and_another_one_others() {
    let fixture = {
        let mut fixture = Fixture::new().await;
        fixture.quarters("a.mp4", TestVideo::new(96, 64, "25", 6), &tagged()).await;
        fixture
    };
    let with_seed = |seed| {
        let span = |min, max| Span { min, max };
        let Params::VideoDeduplication(mut params) = dedup(&["a.mp4"], |options| {
            options.filter = true;
            options.zoom = Some(span(1.0, 1.5));
            options.rotation = Some(Rotation { clockwise: true, angle: span(0.0, 10.0) });
        }) else {
            unreachable!()
        };
        params.seed = Some(seed);
        Params::VideoDeduplication(params)
    };
    let first = frame_hashes(&fixture.render_one(with_seed(7)).await.path).await;
    let other = frame_hashes(&fixture.render_one(with_seed(8)).await.path).await;
    assert_ne!(first, other);
    // The segment is rendered again, not taken from the cache.
    let mut fresh = Fixture::new().await;
    let path = fixture.folder.path().join("a.mp4");
    fresh.learn("a.mp4", &path).await;
    let again = fresh.render_one(with_seed(7)).await;
    assert_eq!(again.cached, 0);
    assert_eq!(frame_hashes(&again.path).await, first);
}
