//! Covers that clients set, measured against the frames and images that they show.

use std::path::Path;

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Size;
use clipmill_core::request::model::*;

use crate::support::draw::*;
use crate::support::*;

const SIZE: Size = Size::new(320, 180);

fn with(cover: Cover) -> MixOptions {
    MixOptions { cover: Some(cover), ..options((SIZE.width, SIZE.height), 25) }
}

fn titled(text: &str) -> Option<CoverTitle> {
    Some(CoverTitle { text: text.into(), style: None })
}

const NOTHING: Cover = Cover { at_s: None, url: None, title: None };

/// The cover beside an output, as browsers show it: BT.601, full range.
async fn cover(path: &Path) -> Frame {
    let cover = path.with_extension("jpg");
    let form = probed(&cover, "codec_name,width,height").await;
    assert_eq!(form, format!("mjpeg,{},{}", SIZE.width, SIZE.height));
    let planes = raw(&cover, "-vf scale=in_color_matrix=bt601:in_range=full,format=gbrp -f rawvideo").await;
    Frame::of(SIZE, planes)
}

/// A clip of `seconds` in which every frame differs. It is grey, because programs enlarge the colour planes of a JPEG
/// in different ways.
async fn moving(fixture: &mut Fixture, seconds: u32) -> String {
    let args = format!("-f lavfi -i testsrc2=s=320x180:r=25:d={seconds},hue=s=0,format=yuv420p {X264}");
    fixture.source("moving.mp4", &args).await
}

#[tokio::test]
async fn the_cover_is_the_frame_at_a_time() {
    let mut fixture = Fixture::new().await;
    let clip = moving(&mut fixture, 4).await;
    let automatic =
        fixture.render_one(base(vec![group(&[&clip])], options((SIZE.width, SIZE.height), 25))).await;
    // The first frame, frames in the middle, the last frame, and the last one again for a later time.
    for (at_s, expected) in [(0.0, 0), (0.4, 10), (2.0, 50), (3.96, 99), (60.0, 99)] {
        let cover_at = Cover { at_s: Some(at_s), ..NOTHING };
        let made = fixture.render_one(base(vec![group(&[&clip])], with(cover_at))).await;
        assert_eq!(made.rendered, 0, "the video is the same");
        assert_eq!(made.output.sha256, automatic.output.sha256);
        let (cover, frames) = (cover(&made.path).await, frames(&made.path, SIZE).await);
        let difference = |index: usize| cover.difference(&frames[index]);
        assert!(difference(expected) < 1.5, "{at_s} s: {:.2}", difference(expected));
        for other in [expected.wrapping_sub(1), expected + 1] {
            if other < frames.len() {
                assert!(difference(other) > 1.1 * difference(expected), "{at_s} s: frame {other}");
            }
        }
    }
    // The automatic cover of the same output was not overwritten in the cache.
    let again = fixture.render_one(base(vec![group(&[&clip])], options((SIZE.width, SIZE.height), 25))).await;
    assert_eq!(again.output.cover.unwrap().sha256, automatic.output.cover.unwrap().sha256);
}

#[tokio::test]
async fn an_image_fills_the_cover_and_is_cropped() {
    let mut fixture = Fixture::new().await;
    let clip = moving(&mut fixture, 1).await;
    // Three bars of 300 pixels; the outer ones are cropped to 90 at each side of 480 x 270.
    let bars = "color=0xC82828:s=300x270[a];color=0x28B428:s=300x270[b];color=0x2828CD:s=300x270[c];[a][b][c]hstack=3";
    let image = fixture.source("bars.png", &format!("-f lavfi -i {bars} -frames:v 1 -pix_fmt rgb24")).await;
    let made =
        fixture.render_one(base(vec![group(&[&clip])], with(Cover { url: Some(image), ..NOTHING }))).await;
    let cover = cover(&made.path).await;
    for (x, expected) in
        [(20, RED), (48, RED), (72, GREEN), (160, GREEN), (248, GREEN), (272, BLUE), (300, BLUE)]
    {
        for y in [10, 90, 170] {
            near(cover.around((x, y)), expected, 6.0, &format!("at {x}, {y}"));
        }
    }
}

/// A lenient decoder fills the rest of such an image with green.
#[tokio::test]
async fn a_truncated_image_is_refused_as_an_overlay_is() {
    let mut fixture = Fixture::new().await;
    let clip = moving(&mut fixture, 1).await;
    let whole = fixture.folder.path().join("whole.jpg");
    ffmpeg("-f lavfi -i testsrc2=s=640x360 -frames:v 1 -q:v 2", &whole).await;
    let bytes = std::fs::read(&whole).unwrap();
    let cut = fixture.folder.path().join("cut.jpg");
    std::fs::write(&cut, &bytes[..bytes.len() / 3]).unwrap();
    let cut = fixture.learn("cut.jpg", &cut).await;
    let whole = fixture.learn("whole.jpg", &whole).await;
    fixture.render_one(base(vec![group(&[&clip])], with(Cover { url: Some(whole), ..NOTHING }))).await;
    let params = base(vec![group(&[&clip])], with(Cover { url: Some(cut.clone()), ..NOTHING }));
    let error = fixture.try_render(params).await.err().unwrap();
    assert_eq!((error.code, error.input.as_deref()), (ErrorCode::MaskInvalid, Some(cut.as_str())), "{error}");
}

#[tokio::test]
async fn a_title_is_in_the_middle_of_the_cover_and_not_in_the_video() {
    let mut fixture = Fixture::new().await;
    let args = format!("{BT709} {X264}");
    let clip = fixture.plain("green.mp4", TestVideo::new(320, 180, "25", 50), GREEN, &args).await;
    for at_s in [None, Some(1.0)] {
        let cover_of = Cover { at_s, url: None, title: titled("HHH") };
        let made = fixture.render_one(base(vec![group(&[&clip])], with(cover_of))).await;
        let shown = cover(&made.path).await;
        let (x, y) = shown.centre_of_bright(225);
        assert!((x - 160.0).abs() < 4.0 && (y - 90.0).abs() < 6.0, "the text is around {x:.1}, {y:.1}");
        for corner in [(8, 8), (310, 8), (8, 170), (310, 170)] {
            near(shown.around(corner), GREEN, 6.0, &format!("corner {corner:?}"));
        }
        let video = frame(&made.path, SIZE, 25).await;
        near(video.around((160, 90)), GREEN, 6.0, "the video");
        // The letters and their outline.
        let pixels = || (0..180).flat_map(|y| (0..320).map(move |x| (x, y)));
        let white = pixels().filter(|&(x, y)| shown.at(x, y).iter().all(|value| *value > 225)).count();
        let black = pixels().filter(|&(x, y)| shown.at(x, y).iter().all(|value| *value < 40)).count();
        assert!(white > 120 && black > 120, "{white} white and {black} black pixels");
    }
}

#[tokio::test]
async fn a_varied_video_has_a_cover() {
    let mut fixture = Fixture::new().await;
    let clip = moving(&mut fixture, 2).await;
    let params = dedup(&[&clip], |options| options.cover = Some(Cover { at_s: Some(1.0), ..NOTHING }));
    let made = fixture.render_one(params).await;
    let (cover, frames) = (cover(&made.path).await, frames(&made.path, SIZE).await);
    assert!(cover.difference(&frames[30]) < 1.5, "{:.2}", cover.difference(&frames[30]));
}
