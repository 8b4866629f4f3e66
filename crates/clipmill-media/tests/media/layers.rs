//! Masks and picture-in-picture, measured: positions, opacity, and looping.

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::error::ErrorCode;
use clipmill_core::request::model::*;
use clipmill_core::time::Fps;

const FILM: TestVideo = TestVideo::new(160, 90, "25", 12);
const GREY: [u8; 3] = [120; 3];

async fn grey(fixture: &mut Fixture) -> String {
    fixture.plain("grey.mp4", FILM, GREY, &format!("{BT709} {X264}")).await
}

fn mask(urls: &[&str], layer_count: u32, opacity_percent: f64) -> Option<Mask> {
    let urls = urls.iter().map(|url| (*url).to_owned()).collect();
    Some(Mask { urls, layer_count, opacity_percent })
}

fn pip(padding_percent: f64, blurred: bool, fill: Option<&str>) -> Option<Pip> {
    Some(Pip { padding_percent, blurred, fill_url: fill.map(str::to_owned) })
}

async fn rendered_frames(
    fixture: &Fixture,
    clip: &str,
    change: impl FnOnce(&mut DedupOptions),
) -> Vec<Frame> {
    let options = |options: &mut DedupOptions| {
        options.fps = Fps::new(25).unwrap();
        change(options);
    };
    let rendering = fixture.render_one(dedup(&[clip], options)).await;
    let frames = frames(&rendering.path, rendering.size).await;
    assert_eq!(frames.len(), 12);
    frames
}

/// `below` under `layers` of `above`, each covering the part `opacity` of it.
fn blended(below: [u8; 3], above: [u8; 3], opacity: f64, layers: i32) -> [u8; 3] {
    let rest = (1.0 - opacity).powi(layers);
    [0, 1, 2].map(|i| (f64::from(below[i]) * rest + f64::from(above[i]) * (1.0 - rest)).round() as u8)
}

/// A still image or a clip: its left half white, its right half clear, by `args`.
fn half_clear(size: &str, args: &str) -> String {
    format!(
        "-f lavfi -i color=c=white:s={size}:r=10:d=0.4,format=gbrap,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*lt(X,W/2)' {args}"
    )
}

#[tokio::test]
async fn a_mask_covers_according_to_its_opacity() {
    let mut fixture = Fixture::new().await;
    let clip = grey(&mut fixture).await;
    let colours = [("black", [0; 3]), ("white", [255; 3])];
    for (name, colour) in colours {
        // The mask has another size and shape than the clip.
        let args = format!("-f lavfi -i color=c={name}:s=50x70 -frames:v 1 -pix_fmt rgb24");
        let file = fixture.source(&format!("{name}.png"), &args).await;
        for (layers, percent) in [(1, 3.0), (1, 30.0), (1, 100.0), (10, 3.0)] {
            let frames = rendered_frames(&fixture, &clip, |options| {
                options.pic_mask = mask(&[&file], layers, percent)
            })
            .await;
            let expected = blended(GREY, colour, percent / 100.0, layers as i32);
            for index in [0, 11] {
                near(frames[index].whole(), expected, 2.0, &format!("{layers} × {percent} % of {name}"));
            }
        }
    }
}

#[tokio::test]
async fn a_mask_is_scaled_to_cover_and_cropped_in_its_middle() {
    let mut fixture = Fixture::new().await;
    let clip = grey(&mut fixture).await;
    // Three times as tall as necessary: only the bright middle third is visible.
    let thirds =
        "color=c=black:s=160x270,drawbox=y=90:h=90:c=0xc8c8c8:t=fill,drawbox=y=180:h=90:c=black:t=fill";
    let tall = fixture.source("tall.png", &format!("-f lavfi -i {thirds} -frames:v 1 -pix_fmt rgb24")).await;
    // The same rotated, with a tag that states so.
    let lying = fixture.folder.path().join("lying.mp4");
    ffmpeg(&format!("-f lavfi -i {thirds},transpose=2,format=yuv420p -t 0.4 -c:v libx264"), &lying).await;
    let tagged = format!("-display_rotation 90 -i {} -c copy", lying.display());
    let tagged_old = format!("-i {} -c copy -metadata:s:v rotate=90", lying.display());
    let turned = match has_display_rotation().await {
        true => fixture.source("turned.mp4", &tagged).await,
        false => fixture.source("turned.mp4", &tagged_old).await,
    };
    let still = rendered_frames(&fixture, &clip, |options| options.pic_mask = mask(&[&tall], 1, 100.0)).await;
    near(still[5].whole(), [200; 3], 4.0, "still");
    let moving =
        rendered_frames(&fixture, &clip, |options| options.video_mask = mask(&[&turned], 1, 100.0)).await;
    near(moving[5].mean((8, 8), (144, 74)), [200; 3], 4.0, "moving, turned");
}

async fn has_display_rotation() -> bool {
    let help = clipmill_media::ffmpeg::process::Ffmpeg::default()
        .output(
            clipmill_media::ffmpeg::process::Program::Ffmpeg,
            &["-hide_banner".into(), "-h".into(), "full".into()],
            clipmill_media::ffmpeg::process::Limits::wall(std::time::Duration::from_secs(60)),
        )
        .await;
    String::from_utf8_lossy(&help.unwrap()).contains("display_rotation")
}

#[tokio::test]
async fn alpha_is_respected_in_every_format() {
    let mut fixture = Fixture::new().await;
    let clip = grey(&mut fixture).await;
    let files = [
        ("a.png", "-frames:v 1 -pix_fmt rgba"),
        ("a.webp", "-frames:v 1 -c:v libwebp -lossless 1 -pix_fmt bgra"),
        ("a.gif", "-filter_complex split[x][y];[x]palettegen[p];[y][p]paletteuse=dither=none"),
        ("a.mov", "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le"),
        ("vp9.webm", "-c:v libvpx-vp9 -pix_fmt yuva420p -auto-alt-ref 0 -b:v 2M"),
        ("vp8.webm", "-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0 -b:v 2M"),
    ];
    for (name, args) in files {
        let file = fixture.source(name, &half_clear("160x90", args)).await;
        for (layers, percent) in [(1, 50.0), (2, 50.0)] {
            let frames = rendered_frames(&fixture, &clip, |options| match name {
                "a.png" | "a.webp" | "a.gif" => options.pic_mask = mask(&[&file], layers, percent),
                _ => options.video_mask = mask(&[&file], layers, percent),
            })
            .await;
            let expected = blended(GREY, [255; 3], percent / 100.0, layers as i32);
            for frame in [&frames[0], &frames[11]] {
                near(frame.mean((20, 20), (40, 40)), expected, 8.0, &format!("{name} where it is opaque"));
                near(frame.mean((100, 20), (40, 40)), GREY, 3.0, &format!("{name} where it is clear"));
            }
        }
    }
}

#[tokio::test]
async fn moving_masks_loop() {
    let mut fixture = Fixture::new().await;
    let clip = grey(&mut fixture).await;
    let audio_args = "-f lavfi -i sine=frequency=500:duration=1 -c:a aac";
    let files = [
        ("a.mp4", format!("{audio_args} {BT709} {X264}")),
        ("late.mkv", format!("{BT709} {X264} -output_ts_offset 5")),
        ("a.ts", format!("{BT709} {X264} -bf 0")),
    ];
    for (name, args) in files {
        // Five frames, so that the twelve of the clip take two passes and a part.
        let file = fixture.counted(name, TestVideo::new(160, 90, "25", 5), &args).await;
        let frames =
            rendered_frames(&fixture, &clip, |options| options.video_mask = mask(&[&file], 1, 100.0)).await;
        let steps: Vec<f64> = frames.iter().map(|frame| (frame.whole()[1] - 24.0) / 17.0).collect();
        for (index, step) in steps.iter().enumerate() {
            let expected = (index % 5) as f64;
            assert!((step - expected).abs() < 0.3, "{name}: frame {index} shows {step:.1}: {steps:.1?}");
        }
    }
}

#[tokio::test]
async fn moving_layers_add_up_as_still_ones_do() {
    let mut fixture = Fixture::new().await;
    let clip = grey(&mut fixture).await;
    let args = format!("{BT709} {X264}");
    let black = fixture.plain("black.mp4", FILM, [0; 3], &args).await;
    let white = fixture.plain("white.mp4", FILM, [255; 3], &args).await;
    let frames =
        rendered_frames(&fixture, &clip, |options| options.video_mask = mask(&[&black], 10, 3.0)).await;
    near(frames[6].whole(), blended(GREY, [0; 3], 0.03, 10), 2.0, "ten layers of one file");

    let options = |options: &mut DedupOptions| options.video_mask = mask(&[&black, &white], 3, 40.0);
    let files = fixture.plan(dedup(&[&clip], options)).items[0].recipe["videoMask"].clone();
    let expected = files.as_array().unwrap().iter().fold(GREY, |below, index| {
        let layer = if index == 0 { [0; 3] } else { [255; 3] };
        blended(below, layer, 0.4, 1)
    });
    near(rendered_frames(&fixture, &clip, options).await[6].whole(), expected, 3.0, &format!("{files}"));
}

#[tokio::test]
async fn a_bad_mask_fails_with_its_own_code_and_url() {
    let mut fixture = Fixture::new().await;
    let clip = grey(&mut fixture).await;
    let noise = "-f lavfi -i nullsrc=s=200x200:r=25:d=2,geq=random(1)*255:128:128";
    let png = fixture.folder.path().join("whole.png");
    ffmpeg(&format!("{noise} -frames:v 1 -pix_fmt rgb24"), &png).await;
    let bytes = std::fs::read(&png).unwrap();
    let cut = fixture.folder.path().join("cut.png");
    std::fs::write(&cut, &bytes[..bytes.len() / 3]).unwrap();
    let cut = fixture.learn("cut.png", &cut).await;
    let text = fixture.folder.path().join("text.png");
    std::fs::write(&text, "<svg xmlns='http://www.w3.org/2000/svg'/>").unwrap();
    let text = fixture.learn("text.png", &text).await;
    let audio_args = fixture.source("sound.wav", "-f lavfi -i sine=duration=1").await;
    for bad in [cut, text, audio_args] {
        for still in [true, false] {
            let params = dedup(&[&clip], |options| match still {
                true => options.pic_mask = mask(&[&bad], 1, 30.0),
                false => options.pip = pip(10.0, false, Some(&bad)),
            });
            let error = fixture.try_render(params).await.err().unwrap();
            let expected = (ErrorCode::MaskInvalid, Some(bad.as_str()));
            assert_eq!((error.code, error.input.as_deref()), expected, "{error}");
        }
    }
}

#[tokio::test]
async fn picture_in_picture_keeps_its_shape_in_the_centre() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(320, 180, "25", 12);
    let clip = fixture.quarters("a.mp4", film, &format!("{BT709} {X264}")).await;
    let fill = fixture
        .plain("fill.mp4", TestVideo::new(90, 160, "10", 2), [30, 140, 220], &format!("{BT709} {X264}"))
        .await;
    let image =
        fixture.source("fill.png", "-f lavfi -i color=c=0x1e8cdc:s=50x40 -frames:v 1 -pix_fmt rgb24").await;
    let dark = [0.6 * 30.0, 0.6 * 140.0, 0.6 * 220.0].map(|value| value as u8);
    // The mean of the quarters.
    let own = [0, 1, 2].map(|i| {
        ((u32::from(RED[i]) + u32::from(GREEN[i]) + u32::from(BLUE[i]) + u32::from(YELLOW[i])) / 4) as u8
    });
    let cases = [
        (pip(20.0, false, Some(&fill)), Some([30, 140, 220])),
        (pip(20.0, false, Some(&image)), Some([30, 140, 220])),
        (pip(20.0, true, Some(&fill)), Some(dark)),
        (pip(20.0, true, Some(&image)), Some(dark)),
        (pip(20.0, false, None), Some(own)),
        (pip(20.0, true, None), None),
        (pip(60.0, false, Some(&fill)), Some([30, 140, 220])),
    ];
    for (pip, border) in cases {
        let what = format!("{pip:?}");
        let padding = pip.as_ref().unwrap().padding_percent;
        let frames = rendered_frames(&fixture, &clip, |options| options.pip = pip).await;
        let (x, y) = ((320.0 * padding / 200.0) as u32, (180.0 * padding / 200.0) as u32);
        for frame in [&frames[0], &frames[11]] {
            // Just inside the corners of the video, and just outside.
            let (right, bottom) = (320 - x, 180 - y);
            for (colour, at) in [
                (RED, (x + 6, y + 6)),
                (GREEN, (right - 6, y + 6)),
                (BLUE, (x + 6, bottom - 6)),
                (YELLOW, (right - 6, bottom - 6)),
            ] {
                near(frame.around(at), colour, 8.0, &format!("{what}: inside at {at:?}"));
            }
            for at in [
                (x - 6, y - 6),
                (right + 6, y - 6),
                (x - 6, bottom + 6),
                (right + 6, bottom + 6),
                (4, 90),
                (160, 4),
            ] {
                match border {
                    Some(colour) => near(frame.around(at), colour, 8.0, &format!("{what}: border at {at:?}")),
                    // Over itself: in the corner the corner's colour, at three fifths.
                    None => near(
                        frame.around((4, 4)),
                        RED.map(|value| (f64::from(value) * 0.6) as u8),
                        14.0,
                        &what,
                    ),
                }
            }
        }
    }
}

#[tokio::test]
async fn the_flat_colour_is_not_taken_from_a_black_beginning() {
    let mut fixture = Fixture::new().await;
    let args = format!("{BT709} {X264} -g 2");
    let clip = fixture
        .drawn("a.mp4", FILM, &args, |frame, _, _| if frame < 2 { [0; 3] } else { [40, 90, 190] })
        .await;
    let frames = rendered_frames(&fixture, &clip, |options| options.pip = pip(40.0, false, None)).await;
    near(frames[0].around((6, 6)), [40, 90, 190], 6.0, "border of the first frame");
    near(frames[0].around((80, 45)), [0; 3], 6.0, "the first frame itself");
}

#[tokio::test]
async fn masks_cover_the_frame_of_a_picture_in_picture() {
    let mut fixture = Fixture::new().await;
    let clip = grey(&mut fixture).await;
    let white =
        fixture.source("white.png", "-f lavfi -i color=c=white:s=20x20 -frames:v 1 -pix_fmt rgb24").await;
    let black = fixture.plain("black.mp4", FILM, [0; 3], &format!("{BT709} {X264}")).await;
    let frames = rendered_frames(&fixture, &clip, |options| {
        options.pip = pip(40.0, false, Some(&black));
        options.pic_mask = mask(&[&white], 1, 20.0);
        options.video_mask = mask(&[&black], 1, 50.0);
    })
    .await;
    let covered = |below: [u8; 3]| blended(blended(below, [255; 3], 0.2, 1), [0; 3], 0.5, 1);
    near(frames[3].around((80, 45)), covered(GREY), 3.0, "inside");
    near(frames[3].around((6, 6)), covered([0; 3]), 3.0, "border");
}
