//! Videos over a mix, measured in its pixels and its audio: times, repetition, forms of files, green screen.

use std::path::PathBuf;

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Size;
use clipmill_core::request::model::*;
use clipmill_core::segment::{SegmentSpec, VideoSpec};
use clipmill_media::ffmpeg::args::{self, Strictness, VideoFiles};
use clipmill_media::ffmpeg::process::{Limits, Program};

use crate::support::audio::*;
use crate::support::draw::*;
use crate::support::*;
use crate::transitions::by;

const SIZE: Size = Size::new(320, 240);

pub fn layer(url: &str, change: impl FnOnce(&mut VideoLayer)) -> Overlay {
    let mut layer = VideoLayer {
        url: url.into(),
        width_percent: 20.0,
        opacity_percent: 100.0,
        looped: false,
        volume_percent: 0,
        key: None,
    };
    change(&mut layer);
    Overlay {
        shown: OverlayContent::Video(layer),
        place: OverlayPlace::At(Anchor::TopLeft),
        margin_percent: 5.0,
        start_s: 0.0,
        end_s: None,
        motions: OverlayMotions::default(),
    }
}

fn over(overlays: Vec<Overlay>) -> MixOptions {
    MixOptions { overlays, fill: FillMode::Stretch, ..options((SIZE.width, SIZE.height), 25) }
}

async fn green(fixture: &mut Fixture, name: &str, frames: usize) -> String {
    let args = format!("{BT709} {X264}");
    fixture.plain(name, TestVideo::new(320, 240, "25", frames), GREEN, &args).await
}

/// The step that each frame of the output shows at the layer's place; `None` where it shows the green clip.
async fn steps(fixture: &Fixture, params: Params) -> Vec<Option<usize>> {
    let rendering = fixture.render_one(params).await;
    let all = frames(&rendering.path, SIZE).await;
    let step = |frame: &Frame| {
        let [r, g, b] = frame.around((40, 36));
        (g - r < 40.0 && g - b < 40.0).then(|| ((g - 24.0) / 17.0).round().max(0.0) as usize)
    };
    all.iter().map(step).collect()
}

#[tokio::test]
async fn a_layer_is_in_step_with_the_output_across_clips_and_transitions() {
    let mut fixture = Fixture::new().await;
    let (a, b) = (green(&mut fixture, "a.mp4", 50).await, green(&mut fixture, "b.mp4", 50).await);
    let counter =
        fixture.counted("c.mp4", TestVideo::new(64, 48, "25", 40), &format!("{BT709} {X264} -g 12")).await;
    for (transition, part_seconds) in [(None, 0), (by(&["fade"], 0.4), 0), (None, 1)] {
        fixture.part_seconds = part_seconds;
        for (looped, end_s) in [(false, None), (false, Some(1.6)), (true, None), (true, Some(3.4))] {
            let overlay = layer(&counter, |layer| layer.looped = looped);
            let overlay = Overlay { start_s: 0.4, end_s, ..overlay };
            let options = MixOptions { transition: transition.clone(), ..over(vec![overlay]) };
            let shown = steps(&fixture, base(vec![group(&[&a, &b])], options)).await;
            let until = match (looped, end_s) {
                (_, Some(end)) => (end * 25.0_f64).round() as usize,
                (true, None) => shown.len(),
                (false, None) => 50,
            };
            let expected: Vec<Option<usize>> = (0..shown.len())
                .map(|frame| (10..until).contains(&frame).then(|| (frame - 10) % 40 % 13))
                .collect();
            assert_eq!(shown, expected, "{transition:?} {part_seconds} {looped} {end_s:?}");
        }
    }
}

/// Files of other rates and forms: each frame of the output shows the frame of the layer that a player would show then.
#[tokio::test]
async fn files_of_all_rates_and_forms_are_in_step() {
    let mut fixture = Fixture::new().await;
    let clips = [green(&mut fixture, "a.mp4", 37).await, green(&mut fixture, "b.mp4", 38).await];
    let x264 = format!("{BT709} {X264} -g 12");
    for (name, rate, args) in every_nth(
        2,
        [
            ("thirty.mp4", "30", x264.clone()),
            ("film.mkv", "24000/1001", x264.clone()),
            ("slow.mp4", "10", x264.clone()),
            ("shifted.ts", "25", format!("{x264} -output_ts_offset 7")),
            ("program.mpg", "25", format!("{BT709} -c:v mpeg2video -q:v 2 -bf 2 -g 6 -f mpeg")),
            ("moving.gif", "10", "-vf format=gray -f gif".to_owned()),
            ("short.gif", "25", "-frames:v 5 -f gif".to_owned()),
            ("moving.png", "10", "-vf format=rgb24 -f apng".to_owned()),
            ("clear.png", "20", "-vf format=rgba -f apng".to_owned()),
            ("moving.webp", "10", "-vf format=bgra -c:v libwebp_anim -lossless 1".to_owned()),
        ],
    ) {
        let film = TestVideo::new(64, 48, rate, 12);
        let file = fixture.counted(name, film, &args).await;
        let info = fixture.facts.media[&file].as_ref().unwrap();
        let video = info.animation.as_deref().or(info.video.as_ref()).unwrap().clone();
        for looped in [false, true] {
            let overlay = layer(&file, |layer| layer.looped = looped);
            let options = over(vec![Overlay { start_s: 0.2, ..overlay }]);
            let shown = steps(&fixture, base(vec![group(&[&clips[0], &clips[1]])], options)).await;
            assert_eq!(shown.len(), 75);
            let natural = (video.duration_s * 25.0).round() as usize;
            for (index, step_shown) in shown.iter().enumerate() {
                let what = format!("{name}, {looped}: frame {index} of {shown:?}");
                let Some(at) = index.checked_sub(5).filter(|at| looped || *at < natural) else {
                    assert_eq!(*step_shown, None, "{what}");
                    continue;
                };
                let step_shown = step_shown.unwrap_or_else(|| panic!("{what}"));
                // Within one frame of the output.
                let step = |at: usize| ((at % natural) as f64 / 25.0 * video.rate + 0.5).floor() as usize;
                let last = video.frames as usize - 1;
                let near = [at.saturating_sub(1), at, at + 1].map(|at| step(at).min(last));
                assert!(near.contains(&step_shown), "{what}: {step_shown}, not {near:?}");
            }
        }
    }
}

/// Images and clips show the first frame of an animated PNG or WebP.
#[tokio::test]
async fn animated_images_are_still_unless_they_are_layers() {
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 20).await;
    for (name, args) in
        [("a.png", "-vf format=rgb24 -f apng"), ("b.webp", "-vf format=bgra -c:v libwebp_anim -lossless 1")]
    {
        let file = fixture.counted(name, TestVideo::new(64, 48, "10", 12), args).await;
        assert_eq!(fixture.facts.media[&file].as_ref().unwrap().animation.as_ref().unwrap().frames, 12);
        let shown = OverlayContent::Image { url: file.clone(), width_percent: 20.0, opacity_percent: 100.0 };
        let params = base(vec![group(&[&clip])], over(vec![Overlay { shown, ..layer("", |_| {}) }]));
        assert!(
            fixture.plan(params.clone()).items[0].warnings[0].message.to_string().contains("is animated")
        );
        assert_eq!(steps(&fixture, params).await, [Some(0); 20], "{name}");
        let as_clip = base(vec![group(&[&file])], over(vec![]));
        assert_eq!(steps(&fixture, as_clip).await, [Some(0); 75], "{name} as a clip");
    }
}

/// Turned, anamorphic and transparent files look as they do as clips.
#[tokio::test]
async fn layers_are_upright_in_proportion_and_transparent() {
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 5).await;
    let red = "-f lavfi -i color=0xc82828:s=64x48:r=25:d=0.2";
    let turned = fixture.source("upright.mp4", &format!("{red} {BT709} {X264}")).await;
    let path = fixture.path(&turned);
    let turned = format!("-i {} -c copy -metadata:s:v rotate=90", path.display());
    let turned = fixture.source("turned.mov", &turned).await;
    let wide = fixture.source("wide.mp4", &format!("{red} {BT709} -aspect 8:3 {X264}")).await;
    let half = "-f lavfi -i color=0x0000ff@0.5:s=64x48:r=25:d=0.2,format=rgba -c:v png";
    let half = fixture.source("half.mov", half).await;
    for (url, opacity_percent, inside, outside, colour) in [
        // 64 pixels wide from (12, 12), and 48, 85 or 24 high.
        (&turned, 100.0, (44, 90), (44, 104), [200, 40, 40]),
        (&wide, 100.0, (44, 30), (44, 44), [200, 40, 40]),
        (&half, 100.0, (44, 50), (44, 68), [20, 90, 147]),
        (&half, 50.0, (44, 50), (44, 68), [30, 135, 94]),
    ] {
        let overlay = layer(url, |layer| layer.opacity_percent = opacity_percent);
        let rendering = fixture.render_one(base(vec![group(&[&clip])], over(vec![overlay]))).await;
        let frame = frame(&rendering.path, SIZE, 2).await;
        near(frame.around(inside), colour, 8.0, &format!("{url} at {opacity_percent}"));
        near(frame.around(outside), GREEN, 4.0, &format!("beside {url}"));
    }
    // A key multiplies the alpha of the file.
    let color = Rgba { r: 0, g: 255, b: 0, a: 255 };
    let key = ColorKey { color, tolerance_percent: 10.0, softness_percent: 90.0 };
    let overlay = layer(&half, |layer| layer.key = Some(key));
    let rendering = fixture.render_one(base(vec![group(&[&clip])], over(vec![overlay]))).await;
    near(frame(&rendering.path, SIZE, 2).await.around((44, 50)), [20, 90, 147], 8.0, "keyed, with alpha");
}

/// The frames of the first segment before they are encoded: Y, Cb and Cr.
async fn raw_frames(fixture: &Fixture, params: Params) -> Vec<u8> {
    let plan = fixture.plan(params);
    let segment = plan.segments.iter().find(|one| matches!(one.spec, SegmentSpec::Video(_))).unwrap();
    let SegmentSpec::Video(spec) = &segment.spec else { unreachable!() };
    let path = |content| fixture.paths[content].clone();
    let inputs: Vec<PathBuf> = spec.inputs.iter().map(|input| path(&input.origin.file)).collect();
    let source = path(&spec.source);
    let files = VideoFiles {
        source: &source,
        inputs: &inputs,
        captions: None,
        emoji: None,
        output: &PathBuf::from("unused"),
    };
    let spec = VideoSpec::clone(spec);
    let args = args::frames(&spec, &files, Strictness::Strict);
    let limits = Limits::wall(std::time::Duration::from_secs(60)).stdout_bytes(1 << 30);
    fixture.renderer.ffmpeg.output(Program::Ffmpeg, &args, limits).await.unwrap()
}

/// How much of a pixel the disc covers: its edge is 32 pixels wide and blurred like that of a lens.
fn coverage(frame: usize, x: f64, y: f64) -> f64 {
    let middle = 120.0 + 10.0 * frame as f64;
    let part = ((80.0 - (x - middle).hypot(y - 120.0)) / 32.0 + 0.5).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// A disc before a green screen, keyed over black and over white: the difference shows its alpha, to 3 of 255, and the
/// chroma of its edge has none of the green.
#[tokio::test]
async fn a_keyed_layer_has_exact_edges_without_spill() {
    let mut fixture = Fixture::new().await;
    let lossless = format!("{BT709} -c:v libx264 -preset ultrafast -qp 0");
    let deep = lossless.replace("format=yuv420p", "format=yuv444p");
    let film = TestVideo::new(320, 240, "25", 2);
    let black = fixture.plain("black.mp4", film, [0; 3], &lossless).await;
    let white = fixture.plain("white.mp4", film, [255; 3], &lossless).await;
    let grey = fixture.plain("grey.mp4", film, [128; 3], &lossless).await;
    let screens = [("00FF00", [0, 255, 0]), ("0000FF", [0, 0, 255]), ("2CB245", [44, 178, 69])];
    let fronts = [[255; 3], [128; 3], [10; 3], [196, 160, 140]];
    let mut worst = ([0.0_f64; 4], 0.0_f64);
    // Skin is nearly at right angles to green, but not to blue, in the plane of Cb and Cr.
    let is_known = |(_, front): &(_, [u8; 3])| front[0] == front[2];
    let tested = pairs(screens, fronts).into_iter().filter(|one| is_known(one) || one.0.0 == "00FF00");
    for ((name, screen), front) in tested {
        for (form, encoding) in [("444", &deep), ("420", &lossless)] {
            let file = format!("{name}-{}-{form}.mp4", front[2]);
            let mix = move |frame, x: u32, y: u32| {
                let part = coverage(frame, f64::from(x) + 0.5, f64::from(y) + 0.5);
                [0, 1, 2].map(|i: usize| {
                    (f64::from(front[i]) * part + f64::from(screen[i]) * (1.0 - part)).round() as u8
                })
            };
            let disc = fixture.drawn(&file, film, encoding, mix).await;
            let [r, g, b] = screen;
            let color = Rgba { r, g, b, a: 255 };
            let key = ColorKey { color, tolerance_percent: 0.0, softness_percent: 100.0 };
            let keyed = layer(&disc, |layer| {
                (layer.width_percent, layer.key) = (100.0, Some(key));
            });
            let keyed = Overlay { margin_percent: 0.0, ..keyed };
            let made = async |clip: &str| {
                raw_frames(&fixture, base(vec![group(&[clip])], over(vec![keyed.clone()]))).await
            };
            let is_pure = screen.contains(&255);
            let (dark, light, middle) = (made(&black).await, made(&white).await, made(&grey).await);
            let pixels = 320 * 240;
            assert_eq!(dark.len(), 2 * pixels * 3 / 2);
            // The skin-like colour is not a grey, so that its alpha is exact only nearly. Rounded chroma of a weaker colour is
            // less exact in proportion, by 3.9 for any keyer. Alpha is measured in luma, which has fewer steps; half a step
            // is added for that.
            let max = match is_pure {
                _ if front[0] != front[2] => 12.0,
                true => 3.0,
                false => 4.0,
            } + 0.5 * 255.0 / 219.0;
            for (frame, at) in pairs([0, 1], 0..pixels) {
                let (x, y) = (at % 320, at / 320);
                let part = coverage(frame, x as f64 + 0.5, y as f64 + 0.5);
                let begin = frame * pixels * 3 / 2;
                let seen = 1.0 - (f64::from(light[begin + at]) - f64::from(dark[begin + at])) / 219.0;
                let off = (seen - part).abs() * 255.0;
                if front[0] == front[2] {
                    let worst = &mut worst.0[usize::from(form == "420") + 2 * usize::from(!is_pure)];
                    *worst = worst.max(off);
                }
                assert!(off <= max, "{file}: alpha is {off:.1} off at ({x}, {y}) of frame {frame}");
            }
            let chroma = |bytes: &[u8], frame: usize, plane: usize, x: usize, y: usize| {
                let begin = frame * pixels * 3 / 2 + pixels + plane * pixels / 4;
                f64::from(bytes[begin + y * 160 + x]) - 128.0
            };
            let [fr, fg, fb] = front.map(f64::from);
            let luma = 0.2126 * fr + 0.7152 * fg + 0.0722 * fb;
            let own = [(fb - luma) / 1.8556, (fr - luma) / 1.5748].map(|part| part * 224.0 / 255.0);
            for ((frame, plane), at) in pairs(pairs([0, 1], [0, 1]), 0..pixels / 4) {
                let (x, y) = (at % 160, at / 160);
                let part = coverage(frame, 2.0 * x as f64 + 0.5, 2.0 * y as f64 + 1.0);
                let off = (chroma(&middle, frame, plane, x, y) - own[plane] * part).abs();
                if front[0] == front[2] {
                    worst.1 = worst.1.max(off);
                }
                let max = if front[0] == front[2] { 4.0 } else { 7.0 };
                assert!(off <= max, "{file}: chroma is {off:.1} off at ({x}, {y}) of frame {frame}");
            }
        }
    }
    println!("worst alpha of greys {:.2?} of 255, worst chroma {:.2}", worst.0, worst.1);
}

/// Strong colours that are not the screen's stay opaque, and tolerance removes an uneven screen.
#[tokio::test]
async fn other_colours_stay_and_uneven_screens_disappear() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(320, 240, "25", 3);
    let encoding = format!("{BT709} {X264}");
    let clip = fixture.plain("blue.mp4", film, [40, 40, 205], &encoding).await;
    let colours = [[250, 240, 30], [30, 220, 230], [220, 30, 30], [250, 250, 250], [200, 60, 200]];
    let screen = [[0, 255, 0], [10, 235, 12], [24, 250, 30], [4, 225, 8], [0, 240, 20]];
    let bars = fixture
        .drawn("bars.mp4", film, &encoding, |_, x, y| {
            let column = (x / 64) as usize;
            if y < 120 { colours[column] } else { screen[column] }
        })
        .await;
    let color = Rgba { r: 0, g: 255, b: 0, a: 255 };
    let key = ColorKey { color, tolerance_percent: 15.0, softness_percent: 60.0 };
    let keyed = layer(&bars, |layer| (layer.width_percent, layer.key) = (100.0, Some(key)));
    let keyed = Overlay { margin_percent: 0.0, ..keyed };
    let rendering = fixture.render_one(base(vec![group(&[&clip])], over(vec![keyed]))).await;
    let frame = frame(&rendering.path, SIZE, 1).await;
    for (column, colour) in colours.into_iter().enumerate() {
        let x = 32 + 64 * column as u32;
        near(frame.around((x, 60)), colour, 14.0, &format!("colour {column}"));
        near(frame.around((x, 190)), [40, 40, 205], 6.0, &format!("screen {column}"));
    }
}

#[tokio::test]
async fn the_audio_of_a_layer_is_heard_with_its_frames() {
    let mut fixture = Fixture::new().await;
    let clip = mute(&mut fixture, 5.0).await;
    let toned = toned(&mut fixture, 1.0, 440).await;
    for (volume_percent, looped, end_s, heard_until, db) in [
        (100, false, None, 2.0, TONE_DB),
        (50, true, Some(4.5), 4.5, TONE_DB - 6.02),
        (0, true, None, 1.0, TONE_DB),
    ] {
        let overlay = layer(&toned, |layer| (layer.volume_percent, layer.looped) = (volume_percent, looped));
        let overlays = vec![Overlay { start_s: 1.0, end_s, ..overlay }];
        let samples = heard(&fixture, base(vec![group(&[&clip])], MixOptions { overlays, ..quiet() })).await;
        assert!(level_db(&samples, 0.1, 0.95) < -60.0);
        if heard_until > 1.0 {
            check_level(&samples, (1.1, heard_until - 0.1), db, 0.3);
        }
        assert!(level_db(&samples, heard_until + 0.05, 4.9) < -60.0, "{volume_percent} {looped}");
    }
}

#[tokio::test]
async fn unusable_layers_are_errors_and_single_frames_are_images() {
    let mut fixture = Fixture::new().await;
    let clip = green(&mut fixture, "a.mp4", 10).await;
    let sound = tone(&mut fixture, "voice.wav", 1.0, 440).await;
    let large = "-f lavfi -i color=red:s=4096x64:r=25:d=0.2 -c:v libx264 -preset ultrafast";
    let large = fixture.source("large.mp4", large).await;
    let one =
        fixture.source("one.mp4", "-f lavfi -i color=0x0000ff:s=64x48:r=25 -frames:v 1 -c:v libx264").await;
    for (url, expected) in [(&sound, "the file has audio but no video"), (&large, "4096x64")] {
        let error = fixture.try_render(base(vec![group(&[&clip])], over(vec![layer(url, |_| {})]))).await;
        let error = error.err().unwrap();
        assert_eq!(error.code, ErrorCode::MaskInvalid);
        assert!(error.message.to_string().contains(expected), "{error}");
    }
    let params = base(vec![group(&[&clip])], over(vec![layer(&one, |_| {})]));
    let warnings = fixture.plan(params.clone()).items.remove(0).warnings;
    assert!(warnings[0].message.to_string().contains("single frame"), "{warnings:?}");
    let rendering = fixture.render_one(params).await;
    for index in [0, 9] {
        let [r, g, b] = frame(&rendering.path, SIZE, index).await.around((40, 36));
        assert!(b > 200.0 && r < 40.0 && g < 40.0, "frame {index}: {r} {g} {b}");
    }
}
