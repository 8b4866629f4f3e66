//! Captions in the requested colours, on frames that keep theirs.

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::media::Size;
use clipmill_core::request::model::{FillMode, MixOptions, Rgba, SubtitleStyle};
use clipmill_core::segment::SegmentSpec;
use clipmill_core::subtitle::{Cue, lay_out};
use clipmill_core::time::{Fps, Frames};
use clipmill_media::fonts::Fonts;
use clipmill_media::mp4::Movie;

const SIZE: Size = Size::new(320, 180);

/// The output of a green clip of 12 frames with a box of `colour` on frames 3 to 7.
async fn captioned(fixture: &Fixture, clip: &str, colour: [u8; 3]) -> Vec<Frame> {
    let [r, g, b] = colour;
    let colour = Rgba { r, g, b, a: 255 };
    let style = SubtitleStyle {
        font_size: 18,
        font_color: colour,
        outline_color: None,
        back_color: Some(colour),
        bottom: 40,
        magnification: 5.0,
        ..SubtitleStyle::DEFAULT
    };
    let fps = Fps::new(25).unwrap();
    let cue = Cue { start_ms: 120, end_ms: 320, text: "MMMMMM".into(), times: vec![] };
    let track = lay_out(&[cue], &style, SIZE, fps, Frames(12), &Fonts::load(None).unwrap());
    let flat = MixOptions { fill: FillMode::Stretch, ..options((SIZE.width, SIZE.height), 25) };
    let segment = fixture.plan(base(vec![group(&[clip])], flat.clone())).segments.remove(0);
    let (files, mut spec) = (fixture.files(&segment), segment.spec);
    if let SegmentSpec::Video(picture) = &mut spec {
        picture.captions = track.view(Frames(0), Frames(12));
    }
    let hash = spec.key(&fixture.toolchain);
    let plain = fixture.render_one(base(vec![group(&[clip])], flat)).await;
    fixture.renderer.segment("captioned", &hash, &spec, &files, |_| {}).await.unwrap();
    let path = fixture.renderer.cache.video(&hash);
    let config = |path| Movie::read(path).unwrap().pictures.unwrap().avc_config().unwrap().to_vec();
    assert_eq!(config(&path), config(&plain.path), "it can be joined with others");
    frames(&path, SIZE).await
}

#[tokio::test]
async fn captions_and_video_keep_their_colours() {
    let mut fixture = Fixture::new().await;
    let args = format!("{BT709} {X264}");
    let clip = fixture.plain("a.mp4", TestVideo::new(320, 180, "25", 12), GREEN, &args).await;
    for colour in
        [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [255, 215, 0], [255, 255, 255], [0, 0, 0]]
    {
        let frames = captioned(&fixture, &clip, colour).await;
        for (index, frame) in frames.iter().enumerate() {
            let boxed = (3..8).contains(&index);
            let (below, beside) = (frame.around((160, 122)), frame.around((10, 20)));
            near(beside, GREEN, 3.0, &format!("{colour:?}: picture of frame {index}"));
            let expected = if boxed { colour } else { GREEN };
            near(below, expected, 4.0, &format!("{colour:?}: middle of the box in frame {index}"));
        }
    }
}
