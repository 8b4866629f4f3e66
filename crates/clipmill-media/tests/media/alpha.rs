//! Transparent clips: hidden colours stay hidden, and the background shows where nothing covers it.

use clipmill_core::request::model::{Background, FillMode, MixOptions, Overlay, Rgba};

use crate::support::draw::*;
use crate::support::*;
use crate::video_layers::layer;

const SIZE: (u32, u32) = (192, 96);

/// Three fields side by side: red, half transparent green, and yellow that must stay invisible.
const FIELDS: &str = "format=rgba,geq=r='if(lt(X,W/3),220,if(lt(X,2*W/3),0,255))':\
                      g='if(lt(X,W/3),0,if(lt(X,2*W/3),200,255))':b=0:a='if(lt(X,W/3),255,if(lt(X,2*W/3),128,0))'";

/// Codecs and formats with alpha.
const CLIPS: &[(&str, &str)] = &[
    ("vp9.webm", "format=yuva420p -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 4 -b:v 0"),
    ("vp8.webm", "format=yuva420p -c:v libvpx -auto-alt-ref 0 -crf 4 -b:v 4M"),
    ("prores.mov", "format=yuva444p10le -c:v prores_ks -profile:v 4444 -q:v 2"),
    ("png.mov", "format=rgba -c:v png"),
    ("animation.mov", "format=argb -c:v qtrle"),
    ("deep.mov", "format=rgba64be -c:v png"),
];

/// The fields in BT.709, tagged as such.
fn source(codec: &str) -> String {
    let (format, codec) = codec.split_once(' ').unwrap();
    let yuv = if format.contains("yuva") {
        "scale=out_color_matrix=bt709:out_range=tv,\
         setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709,"
    } else {
        ""
    };
    let (width, height) = SIZE;
    format!("-f lavfi -i color=c=black:s={width}x{height}:r=30:d=0.2 -vf {FIELDS},{yuv}{format} {codec}")
}

async fn clips(fixture: &mut Fixture) -> Vec<String> {
    let mut names = Vec::new();
    for (name, codec) in CLIPS {
        names.push(fixture.source(name, &source(codec)).await);
        let video = fixture.facts.media[*name].as_ref().unwrap().video.as_ref().unwrap();
        assert!(video.has_alpha(), "{name}: {}", video.pix_fmt);
    }
    names
}

/// Colours in the middles of the three fields.
fn fields(frame: &Frame) -> [[f64; 3]; 3] {
    let (third, middle) = (frame.size.width / 3, frame.size.height / 2);
    [0, 1, 2].map(|field| frame.mean((field * third + third / 4, middle - 4), (third / 2, 8)))
}

#[tokio::test]
async fn transparent_areas_are_black() {
    let mut fixture = Fixture::new().await;
    for clip in clips(&mut fixture).await {
        for fill in [FillMode::None, FillMode::Crop, FillMode::Stretch] {
            let rendering = fixture
                .render_one(base(vec![group(&[&clip])], MixOptions { fill, ..options(SIZE, 30) }))
                .await;
            check(&fields(&frame(&rendering.path, rendering.size, 2).await), &format!("{clip} {fill:?}"));
        }
        let varied = fixture.render_one(dedup(&[&clip], |_| {})).await;
        check(&fields(&frame(&varied.path, varied.size, 2).await), &format!("{clip} varied"));
    }
}

fn check(fields: &[[f64; 3]; 3], what: &str) {
    let expected = [[220, 0, 0], [0, 100, 0], [0, 0, 0]];
    for (field, expected) in fields.iter().zip(expected) {
        near(*field, expected, 7.0, what);
    }
}

#[tokio::test]
async fn the_blurred_background_shines_through() {
    let mut fixture = Fixture::new().await;
    for clip in clips(&mut fixture).await {
        for (fill, size) in [(FillMode::None, (192, 192)), (FillMode::None, SIZE), (FillMode::Stretch, SIZE)]
        {
            let blurred = MixOptions { fill, background: Background::Blur, ..options(size, 30) };
            let rendering = fixture.render_one(base(vec![group(&[&clip])], blurred)).await;
            let [red, green, through] = fields(&frame(&rendering.path, rendering.size, 2).await);
            let what = format!("{clip} {fill:?} {size:?}: {red:.0?} {green:.0?} {through:.0?}");
            near(red, [220, 0, 0], 7.0, &what);
            // Half of it green, half of it the background: blurred, darkened and without any yellow.
            assert!((95.0..160.0).contains(&green[1]) && green[2] < 10.0, "{what}");
            assert!(through.iter().all(|value| *value < 60.0), "{what}");
        }
    }
}

#[tokio::test]
async fn a_background_colour_shines_through() {
    let mut fixture = Fixture::new().await;
    let background = Background::Color(Rgba { r: 40, g: 80, b: 200, a: 255 });
    for clip in clips(&mut fixture).await {
        let over = MixOptions { fill: FillMode::Stretch, background, ..options(SIZE, 30) };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], over)).await;
        let [red, green, through] = fields(&frame(&rendering.path, rendering.size, 2).await);
        near(red, [220, 0, 0], 7.0, &clip);
        near(green, [20, 140, 100], 8.0, &clip);
        near(through, [40, 80, 200], 5.0, &clip);
    }
}

/// As a layer, each file shows the clip through its transparent parts.
#[tokio::test]
async fn the_clip_shines_through_layers() {
    let mut fixture = Fixture::new().await;
    let film = TestVideo::new(SIZE.0, SIZE.1, "30", 6);
    let below = fixture.plain("below.mp4", film, [40, 80, 200], &format!("{BT709} {X264}")).await;
    for file in clips(&mut fixture).await {
        let overlay = layer(&file, |layer| layer.width_percent = 100.0);
        let overlay = Overlay { margin_percent: 0.0, ..overlay };
        let over = MixOptions { overlays: vec![overlay], fill: FillMode::Stretch, ..options(SIZE, 30) };
        let rendering = fixture.render_one(base(vec![group(&[&below])], over)).await;
        let [red, green, through] = fields(&frame(&rendering.path, rendering.size, 2).await);
        near(red, [220, 0, 0], 7.0, &file);
        near(green, [20, 140, 100], 8.0, &file);
        near(through, [40, 80, 200], 5.0, &file);
    }
}

#[tokio::test]
async fn hidden_colours_do_not_bleed_over_the_edge() {
    let mut fixture = Fixture::new().await;
    let (name, codec) = CLIPS[3];
    let clip = fixture.source(name, &source(codec)).await;
    // Enlarged, so that the filter of the scaler reaches over the edge.
    let rendering = fixture
        .render_one(base(
            vec![group(&[&clip])],
            MixOptions { fill: FillMode::Stretch, ..options((768, 384), 30) },
        ))
        .await;
    let image = frame(&rendering.path, rendering.size, 2).await;
    let edge = image.mean((2 * 256 + 4, 100), (6, 100));
    assert!(edge[0] < 25.0, "yellow runs over the edge: {edge:.0?}");
}
