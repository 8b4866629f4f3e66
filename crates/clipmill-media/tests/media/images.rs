//! Images used as clips: what is visible of them, and how evenly they move.

use std::io::Write;

use clipmill_core::request::model::{
    Background, Clip, FillMode, Group, ImageMotion, Mask, MixOptions, Params, Rgba,
};
use clipmill_core::segment::SegmentSpec;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use moxcms::ColorProfile;

use crate::support::*;

const MOTIONS: [ImageMotion; 4] =
    [ImageMotion::ZoomIn, ImageMotion::ZoomOut, ImageMotion::PanLeft, ImageMotion::PanRight];

fn shown(url: &str, seconds: f64, motion: ImageMotion) -> Clip {
    Clip { duration_s: Some(seconds), image_motion: Some(motion), ..clip(url) }
}

fn mixed(videos: Vec<Clip>, options: MixOptions) -> Params {
    base(vec![Group { videos, total_duration_s: None }], options)
}

/// The centres of a bright spot in all frames of a segment, before they are encoded: in the upper left quarter.
async fn centres(fixture: &Fixture, url: &str, motion: ImageMotion, fps: u32) -> Vec<[f64; 2]> {
    const SEEN: (usize, usize) = (360, 640);
    let options = MixOptions { fill: FillMode::Crop, ..options((720, 1280), fps) };
    let plan = fixture.plan(mixed(vec![shown(url, 3.0, motion)], options));
    let SegmentSpec::Video(spec) = &plan.segments[0].spec else { panic!() };
    let args = format!(
        "-filter_complex {};[out]crop={}:{}:0:0[seen] -map [seen] -fps_mode passthrough -pix_fmt gray -f rawvideo",
        spec.graph.to_text("out"),
        SEEN.0,
        SEEN.1
    );
    let bytes = raw(&fixture.path(url), &args).await;
    let frames = bytes.chunks_exact(SEEN.0 * SEEN.1);
    assert_eq!(frames.len() as u64, spec.frames.0);
    frames.map(|luma| centre(luma, SEEN.0)).collect()
}

fn centre(luma: &[u8], width: usize) -> [f64; 2] {
    // Above black and the rings that filters leave beside edges.
    const GROUND: u8 = 24;
    let weighed = luma.iter().enumerate().map(|(at, value)| {
        let weight = f64::from(value.saturating_sub(GROUND));
        [weight, weight * (at % width) as f64, weight * (at / width) as f64]
    });
    let [sum, x, y] = weighed.fold([0.0; 3], |sum, one| [0, 1, 2].map(|i| sum[i] + one[i]));
    [x / sum, y / sum]
}

#[tokio::test]
async fn motion_is_uniform_across_frames() {
    let mut fixture = Fixture::new().await;
    // A spot away from the middle.
    let spot = "color=black:s=1080x1920,format=gray,geq=lum='255*clip((120-hypot(X-300,Y-520))/12+0.5,0,1)'";
    let url = fixture.source("spot.png", &format!("-f lavfi -i {spot} -frames:v 1")).await;
    let ways = MOTIONS.into_iter().zip([[-19.2, -35.2], [19.2, 35.2], [86.4, 0.0], [-86.4, 0.0]]);
    for ((motion, way), fps) in every_nth(3, pairs(ways, [25, 60])) {
        let centres = centres(&fixture, &url, motion, fps).await;
        let (first, last) = (centres[0], centres[centres.len() - 1]);
        let whole = [last[0] - first[0], last[1] - first[1]];
        let steps = (centres.len() - 1) as f64;
        let mean = whole[0].hypot(whole[1]) / steps;
        let what = format!("{motion:?} at {fps}");
        assert!((0..2).all(|i| (whole[i] - way[i]).abs() < 1.0), "{what}: {whole:?}");
        for pair in centres.windows(2) {
            let step = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
            let off = (step[0] - whole[0] / steps).hypot(step[1] - whole[1] / steps);
            assert!(off < 0.05 * mean, "{what}: {step:?}, on average {mean}");
        }
    }
}

/// A JPEG whose EXIF data has a rotation.
fn turned(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    let length = (exif.len() as u16 + 2).to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

#[tokio::test]
async fn a_photograph_is_shown_upright() {
    let mut fixture = Fixture::new().await;
    let plain = fixture.folder.path().join("plain.jpg");
    // Red above green on the left, blue above grey on the right.
    let fields = "color=gray:s=160x96,drawbox=0:0:80:48:red:fill,drawbox=80:0:80:48:blue:fill,drawbox=0:48:80:48:lime:fill";
    ffmpeg(&format!("-f lavfi -i {fields} -frames:v 1 -q:v 2 -pix_fmt yuvj444p"), &plain).await;
    let jpeg = std::fs::read(&plain).unwrap();
    // The colours in the upper left and upper right corner for EXIF's eight values.
    let corners = [
        "red blue",
        "blue red",
        "gray green",
        "green gray",
        "red green",
        "green red",
        "gray blue",
        "blue gray",
    ];
    for (orientation, corners) in (1..).zip(corners) {
        let name = format!("o{orientation}.jpg");
        let path = fixture.folder.path().join(&name);
        std::fs::write(&path, turned(&jpeg, orientation)).unwrap();
        fixture.learn(&name, &path).await;
        let size = if orientation > 4 { (96, 160) } else { (160, 96) };
        let rendering =
            fixture.render_one(mixed(vec![shown(&name, 0.2, ImageMotion::None)], options(size, 30))).await;
        let frame = frame(&rendering.path, rendering.size, 3).await;
        for (x, color) in [(16, corners.split(' ').next()), (size.0 - 32, corners.split(' ').nth(1))] {
            let expected = match color {
                Some("red") => [255, 0, 0],
                Some("green") => [0, 255, 0],
                Some("blue") => [0, 0, 255],
                _ => [128, 128, 128],
            };
            near(frame.mean((x, 8), (16, 16)), expected, 12.0, &format!("{name} at {x}"));
        }
    }
}

/// A JPEG with a profile in it.
fn jpeg_with(profile: &[u8], jpeg: &[u8]) -> Vec<u8> {
    let segment = [b"ICC_PROFILE\0\x01\x01".as_slice(), profile].concat();
    let length = (segment.len() as u16 + 2).to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe2], &length, &segment, &jpeg[2..]].concat()
}

/// A PNG with a profile after its header.
fn png_with(profile: &[u8], png: &[u8]) -> Vec<u8> {
    const HEADER: usize = 8 + 25;
    let mut packed = ZlibEncoder::new(b"iCCPp3\0\0".to_vec(), Compression::fast());
    packed.write_all(profile).unwrap();
    let chunk = packed.finish().unwrap();
    let mut sum = Crc::new();
    sum.update(&chunk);
    let length = (chunk.len() as u32 - 4).to_be_bytes();
    [&png[..HEADER], &length, &chunk, &sum.sum().to_be_bytes(), &png[HEADER..]].concat()
}

#[tokio::test]
async fn the_colours_of_a_profile_are_those_of_srgb() {
    const SIZE: (u32, u32) = (96, 160);
    let mut fixture = Fixture::new().await;
    let p3 = ColorProfile::new_display_p3().encode().unwrap();
    let colour = "-f lavfi -i color=0xc86450:s=96x160,format=gbrp";
    let [jpeg, png, half] =
        ["plain.jpg", "plain.png", "half.png"].map(|name| fixture.folder.path().join(name));
    ffmpeg(&format!("{colour} -frames:v 1 -q:v 1 -pix_fmt yuvj444p"), &jpeg).await;
    ffmpeg(&format!("{colour} -frames:v 1 -pix_fmt rgb24"), &png).await;
    ffmpeg(&format!("{colour},format=rgba,colorchannelmixer=aa=0.5 -frames:v 1"), &half).await;
    let [jpeg, png, half] = [jpeg, png, half].map(|path| std::fs::read(path).unwrap());
    let black =
        fixture.source("black.mp4", "-f lavfi -i color=black:s=96x160:r=25:d=0.4 -pix_fmt yuv420p").await;
    let expected = [216, 92, 73];
    let halved = [108, 46, 37];
    for (name, file, expected) in [
        ("none.jpg", jpeg.clone(), [200, 100, 80]),
        ("broken.jpg", jpeg_with(&p3[..300], &jpeg), [200, 100, 80]),
        ("p3.jpg", jpeg_with(&p3, &jpeg), expected),
        ("p3.png", png_with(&p3, &png), expected),
        ("half.png", png_with(&p3, &half), halved),
    ] {
        let path = fixture.folder.path().join(name);
        std::fs::write(&path, file).unwrap();
        fixture.learn(name, &path).await;
        let options = MixOptions { background: Background::Black, ..options(SIZE, 30) };
        for motion in [ImageMotion::None, ImageMotion::ZoomIn] {
            let rendering = fixture.render_one(mixed(vec![shown(name, 0.2, motion)], options.clone())).await;
            let frame = frame(&rendering.path, rendering.size, 3).await;
            near(frame.mean((40, 70), (16, 16)), expected, 2.5, &format!("{name} {motion:?}"));
        }
        let mask = Some(Mask { urls: vec![name.to_owned()], layer_count: 1, opacity_percent: 100.0 });
        let rendering = fixture.render_one(dedup(&[&black], |options| options.pic_mask = mask)).await;
        let frame = frame(&rendering.path, rendering.size, 3).await;
        near(frame.mean((40, 70), (16, 16)), expected, 4.0, &format!("{name} as a mask"));
    }
}

#[tokio::test]
async fn any_image_can_be_used_as_a_clip() {
    let mut fixture = Fixture::new().await;
    let mut videos = vec![];
    for name in fixture.small_pictures().await {
        assert!(fixture.facts.media[name].as_ref().unwrap().video.as_ref().unwrap().still, "{name}");
        videos.extend([ImageMotion::None, ImageMotion::ZoomIn].map(|motion| shown(name, 0.2, motion)));
    }
    for (fill, background) in every_nth(
        4,
        [
            (FillMode::None, Background::Blur),
            (FillMode::None, Background::Black),
            (FillMode::Stretch, Background::Black),
            (FillMode::Crop, Background::Blur),
        ],
    ) {
        let options = MixOptions { fill, background, ..options((96, 160), 30) };
        let rendering = fixture.render_one(mixed(videos.clone(), options)).await;
        assert_eq!(rendering.output.quality.frames_found, 6 * videos.len() as u64, "{fill:?} {background:?}");
    }
}

#[tokio::test]
async fn a_transparent_image_moves_over_its_background() {
    let mut fixture = Fixture::new().await;
    // Red around a hole that contains yellow, which must stay invisible.
    let hole = "color=black:s=240x240,format=rgba,geq=r='if(lt(hypot(X-120,Y-120),24),255,220)':\
                g='if(lt(hypot(X-120,Y-120),24),255,0)':b=0:a='if(lt(hypot(X-120,Y-120),24),0,255)'";
    let url = fixture.source("hole.png", &format!("-f lavfi -i {hole} -frames:v 1")).await;
    let colour = Background::Color(Rgba { r: 40, g: 80, b: 200, a: 255 });
    for (motion, background) in every_nth(4, pairs(MOTIONS, [Background::Black, Background::Blur, colour])) {
        let options = MixOptions { background, ..options((240, 320), 30) };
        let rendering = fixture.render_one(mixed(vec![shown(&url, 0.5, motion)], options)).await;
        for index in [0, 7, 14] {
            let frame = frame(&rendering.path, rendering.size, index).await;
            let what = format!("{motion:?} {background:?} {index}");
            near(frame.mean((10, 130), (16, 16)), [220, 0, 0], 10.0, &what);
            let through = frame.mean((112, 152), (16, 16));
            if background == colour {
                near(frame.mean((112, 8), (16, 16)), [40, 80, 200], 4.0, &what);
                near(through, [40, 80, 200], 6.0, &what);
                continue;
            }
            assert!(through[1] < 12.0 && through[2] < 12.0, "{what}: {through:?}");
            let beside = frame.mean((112, 8), (16, 16));
            let is_behind = if background == Background::Black { beside[0] < 6.0 } else { beside[0] > 60.0 };
            assert!(
                is_behind && (through[0] < 6.0) == (background == Background::Black),
                "{what}: {beside:?} {through:?}"
            );
        }
    }
}

#[tokio::test]
async fn an_image_is_silent_and_shifts_no_audio() {
    let mut fixture = Fixture::new().await;
    let photo = fixture.source("photo.png", "-f lavfi -i testsrc2=s=320x240 -frames:v 1").await;
    let video = fixture
        .source(
            "tone.mp4",
            "-f lavfi -i testsrc2=s=96x160:r=30:d=1 -f lavfi -i sine=r=48000:d=1 -c:v libx264 -c:a aac",
        )
        .await;
    let videos =
        vec![shown(&photo, 1.5, ImageMotion::PanLeft), clip(&video), shown(&photo, 0.7, ImageMotion::None)];
    let rendering = fixture.render_one(mixed(videos, options((96, 160), 30))).await;
    assert_eq!(rendering.output.quality.frames_found, 45 + 30 + 21);
    let audio = samples(&rendering.path).await;
    assert!(level_db(&audio, 0.1, 1.4) < -80.0 && level_db(&audio, 2.6, 3.1) < -80.0);
    assert!(level_db(&audio, 1.6, 2.4) > -30.0);
    let onsets = onsets(&rendering.path).await;
    assert!(onsets.len() == 1 && (onsets[0] - 1.5).abs() < 0.02, "{onsets:?}");
}

#[tokio::test]
async fn a_still_image_stays_sharp_and_is_rendered_once() {
    let mut fixture = Fixture::new().await;
    // Of the output's size: lines of one pixel are unchanged.
    let lines = "color=black:s=192x320,format=gray,geq=lum='if(mod(floor(X/2),2),235,16)'";
    let url = fixture.source("lines.png", &format!("-f lavfi -i {lines} -frames:v 1 -pix_fmt rgb24")).await;
    for fill in [FillMode::None, FillMode::Crop, FillMode::Stretch] {
        let options = MixOptions { fill, background: Background::Blur, ..options((192, 320), 30) };
        let rendering = fixture
            .render_one(mixed(
                vec![shown(&url, 1.0, ImageMotion::None), shown(&url, 1.0, ImageMotion::None)],
                options,
            ))
            .await;
        assert_eq!(rendering.rendered + rendering.cached, 1, "one segment for both");
        let frame = frame(&rendering.path, rendering.size, 20).await;
        let contrast: f64 = (40..80)
            .map(|x| {
                let [a, b] = [frame.at(x, 100)[0], frame.at(x + 2, 100)[0]];
                f64::from(a.abs_diff(b))
            })
            .sum::<f64>()
            / 40.0;
        assert!(contrast > 180.0, "{fill:?}: {contrast}");
    }
}

/// Details that are finer than the output's pixels do not flicker as the image moves: brightness changes evenly from
/// frame to frame.
#[tokio::test]
async fn fine_details_of_a_moving_image_do_not_flicker() {
    let mut fixture = Fixture::new().await;
    let lines = "color=black:s=384x640,format=gray,geq=lum='if(mod(floor(Y/2),2),220,40)'";
    let url = fixture.source("lines.png", &format!("-f lavfi -i {lines} -frames:v 1 -pix_fmt rgb24")).await;
    let options = MixOptions { fill: FillMode::Crop, ..options((192, 320), 30) };
    let rendering = fixture.render_one(mixed(vec![shown(&url, 1.0, ImageMotion::ZoomIn)], options)).await;
    let frames = frames(&rendering.path, rendering.size).await;
    // The mean of blocks of 16 rows: waves between the lines and the pixels would run through them.
    let rows = |frame: &Frame| Vec::from_iter((0..20).map(|row| frame.mean((32, row * 16), (128, 16))[0]));
    let rows = Vec::from_iter(frames.iter().map(rows));
    let uneven = |of: &[Vec<f64>]| {
        let changes = of[0].iter().zip(&of[1]).zip(&of[2]).map(|((a, b), c)| (a - 2.0 * b + c).abs());
        changes.sum::<f64>() / 20.0
    };
    let flicker = rows.windows(3).map(uneven).sum::<f64>() / (rows.len() - 2) as f64;
    println!("flicker {flicker:.2}");
    assert!(flicker < 9.0, "{flicker:.2}");
}
