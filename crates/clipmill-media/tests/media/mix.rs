//! Frames of a mix, measured: their position, which frame is shown when, and colours.

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::request::model::{Background, FillMode, Group, MixOptions, Rgba};

/// The expected position of the clip: x, y, width, height.
type Box4 = (u32, u32, u32, u32);

const NONE: (FillMode, Background) = (FillMode::None, Background::Black);
const BLUR: (FillMode, Background) = (FillMode::None, Background::Blur);
const CROP: (FillMode, Background) = (FillMode::Crop, Background::Black);
const STRETCH: (FillMode, Background) = (FillMode::Stretch, Background::Black);

async fn shown(source: (u32, u32), (fill, background): (FillMode, Background), out: (u32, u32)) -> Frame {
    let mut fixture = Fixture::new().await;
    // Odd sizes exist only without shared chroma.
    let odd = source.0 % 2 + source.1 % 2 > 0;
    let args = if odd { BT709.replace("yuv420p", "yuv444p") } else { BT709.to_owned() };
    let clip = fixture
        .quarters("a.mp4", TestVideo::new(source.0, source.1, "25", 3), &format!("{args} {X264}"))
        .await;
    let options = MixOptions { fill, background, ..options(out, 25) };
    let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
    frame(&rendering.path, rendering.size, 1).await
}

/// The quarters of the clip reach the corners of `at` and meet in its middle.
fn check_quarters(frame: &Frame, (x, y, width, height): Box4, what: &str) {
    let (right, low) = (x + width, y + height);
    let (mid_x, mid_y) = (x + width / 2, y + height / 2);
    for (colour, corner, inner) in [
        (RED, (x + 5, y + 5), (mid_x - 8, mid_y - 8)),
        (GREEN, (right - 5, y + 5), (mid_x + 8, mid_y - 8)),
        (BLUE, (x + 5, low - 5), (mid_x - 8, mid_y + 8)),
        (YELLOW, (right - 5, low - 5), (mid_x + 8, mid_y + 8)),
    ] {
        near(frame.around(corner), colour, 15.0, &format!("{what}: corner {corner:?}"));
        near(frame.around(inner), colour, 15.0, &format!("{what}: near the middle {inner:?}"));
    }
}

/// The areas above and below, or left and right of the clip, 3 pixels away from it and at the far edge.
fn bars(size: (u32, u32), (x, y, width, height): Box4) -> Vec<(u32, u32)> {
    let (mid_x, mid_y) = (x + width / 4, y + height / 4);
    let mut points = Vec::new();
    if y > 0 {
        points.extend([(mid_x, 2), (mid_x, y - 5), (mid_x, y + height + 5), (mid_x, size.1 - 3)]);
    }
    if x > 0 {
        points.extend([(2, mid_y), (x - 5, mid_y), (x + width + 5, mid_y), (size.0 - 3, mid_y)]);
    }
    points
}

#[tokio::test]
async fn the_whole_frame_is_shown_between_black_bars() {
    for (source, out, at) in [
        ((320, 180), (180, 320), (0, 108, 180, 102)),
        ((180, 320), (320, 180), (108, 0, 102, 180)),
        ((321, 181), (180, 320), (0, 108, 180, 102)),
        ((200, 200), (180, 320), (0, 70, 180, 180)),
        ((160, 90), (320, 180), (0, 0, 320, 180)),
    ] {
        let frame = shown(source, NONE, out).await;
        let what = format!("{source:?} in {out:?}");
        check_quarters(&frame, at, &what);
        for point in bars(out, at) {
            near(frame.around(point), [0; 3], 5.0, &format!("{what}: bar at {point:?}"));
        }
    }
}

#[tokio::test]
async fn a_blurred_copy_can_take_the_place_of_the_bars() {
    for (source, out, at) in
        [((320, 180), (180, 320), (0, 108, 180, 102)), ((180, 320), (320, 180), (108, 0, 102, 180))]
    {
        let frame = shown(source, BLUR, out).await;
        check_quarters(&frame, at, "over its blurred copy");
        // Every bar shows content, darker than the clip, in the colours of the nearest quarter.
        for (point, colour) in [((30, 20), RED), ((out.0 - 30, 20), GREEN), ((30, out.1 - 20), BLUE)] {
            let actual = frame.around(point);
            let strongest = (0..3).max_by(|a, b| actual[*a].total_cmp(&actual[*b])).unwrap();
            assert!(colour[strongest] > 100, "{point:?} is {actual:.0?}");
            assert!(
                actual[strongest] > 60.0 && actual[strongest] < f64::from(colour[strongest]),
                "{actual:.0?}"
            );
        }
        // Blurred: between two quarters of the copy there is a slope, not an edge.
        let (line, vertical) = if out.0 < out.1 { (20, false) } else { (40, true) };
        let steps = (0..7)
            .map(|i| if vertical { (line, out.1 / 2 - 9 + 3 * i) } else { (out.0 / 2 - 9 + 3 * i, line) });
        let reds: Vec<u8> = steps.map(|(x, y)| frame.at(x, y)[0]).collect();
        assert!(reds.windows(2).all(|pair| pair[0].abs_diff(pair[1]) < 50), "{reds:?}");
    }
}

#[tokio::test]
async fn a_blurred_background_looks_alike_in_previews_and_outputs() {
    let mut colours = Vec::new();
    for (width, height) in [(360, 640), (720, 1280), (1080, 1920)] {
        let frame = shown((320, 180), BLUR, (width, height)).await;
        // Beside the middle, where the blur mixes red and green.
        colours.push([0.44, 0.48, 0.53].map(|x| frame.around(((f64::from(width) * x) as u32, height / 10))));
    }
    for other in [&colours[0], &colours[2]] {
        for (colour, expected) in other.iter().zip(colours[1]) {
            near(*colour, expected.map(|level| level.round() as u8), 12.0, &format!("{colours:?}"));
        }
    }
}

#[tokio::test]
async fn bars_can_have_a_colour() {
    for colour in [[0x1b, 0x1b, 0x2f], [0xff, 0x40, 0x10], [0xff; 3]] {
        let [r, g, b] = colour;
        let background = Background::Color(Rgba { r, g, b, a: 255 });
        let (source, out, at) = ((320, 180), (180, 320), (0, 108, 180, 102));
        let frame = shown(source, (FillMode::None, background), out).await;
        check_quarters(&frame, at, "over a colour");
        for point in bars(out, at) {
            near(frame.around(point), colour, 5.0, &format!("{colour:?} at {point:?}"));
        }
    }
}

#[tokio::test]
async fn cropping_fills_the_frame_around_the_middle() {
    for (source, out) in [((320, 180), (180, 320)), ((180, 320), (320, 180)), ((321, 181), (180, 320))] {
        let frame = shown(source, CROP, out).await;
        check_quarters(&frame, (0, 0, out.0, out.1), &format!("{source:?} fills {out:?}"));
    }
}

#[tokio::test]
async fn stretching_fills_the_frame_with_the_whole_clip() {
    let mut fixture = Fixture::new().await;
    // Only cropping cuts off a border drawn around the clip.
    let edge = |_, x: u32, y: u32| match (8..312).contains(&x) && (8..172).contains(&y) {
        true => BLUE,
        false => YELLOW,
    };
    let clip =
        fixture.drawn("a.mp4", TestVideo::new(320, 180, "25", 2), &format!("{BT709} {X264}"), edge).await;
    let options = MixOptions { fill: STRETCH.0, ..options((180, 320), 25) };
    let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
    let frame = frame(&rendering.path, rendering.size, 0).await;
    for (point, colour) in
        [((90, 5), YELLOW), ((90, 314), YELLOW), ((90, 24), BLUE), ((90, 296), BLUE), ((12, 160), BLUE)]
    {
        near(frame.around(point), colour, 8.0, &format!("{point:?}"));
    }
    near(frame.mean((0, 40), (2, 200)), YELLOW, 20.0, "left edge");
    near(frame.mean((178, 40), (2, 200)), YELLOW, 20.0, "right edge");
}

#[tokio::test]
async fn outputs_have_the_promised_form() {
    let mut fixture = Fixture::new().await;
    let clip = fixture.counted("a.mp4", TestVideo::new(160, 90, "25", 10), X264).await;
    for rate in [25, 30, 50, 60] {
        let rendering = fixture.render_one(base(vec![group(&[&clip])], options((180, 320), rate))).await;
        let fields = "codec_name,profile,width,height,pix_fmt,sample_aspect_ratio,color_range,color_space,\
                      color_transfer,color_primaries,field_order,r_frame_rate,avg_frame_rate,nb_frames";
        let frames = rate * 2 / 5;
        assert_eq!(
            probed(&rendering.path, fields).await,
            format!(
                "h264,High,180,320,1:1,yuv420p,tv,bt709,bt709,bt709,progressive,{rate}/1,{rate}/1,{frames}"
            )
        );
        assert_eq!(
            probed(&rendering.path, "codec_tag_string,start_pts,time_base").await,
            format!("avc1,1/{},0", rate * 512)
        );
    }
}

/// Steps of the stair that the output shows, frame by frame.
async fn steps(made: &Rendered) -> Vec<usize> {
    let path = &made.path;
    lumas(path).await.into_iter().map(step_of).collect()
}

async fn stretched(fixture: &Fixture, groups: Vec<Group>, rate: u32, is_shortest: bool) -> Vec<Vec<usize>> {
    let options = MixOptions { fill: FillMode::Stretch, is_shortest, ..options((96, 64), rate) };
    let mut all = Vec::new();
    for rendering in fixture.render(base(groups, options)).await {
        all.push(steps(&rendering).await);
    }
    all
}

#[tokio::test]
async fn each_output_frame_shows_the_nearest_source_frame() {
    let mut fixture = Fixture::new().await;
    let rates =
        [("25", 12), ("30", 12), ("50", 13), ("60", 13), ("30000/1001", 12), ("24000/1001", 10), ("12", 6)];
    for (source, frames) in every_nth(2, rates) {
        let clip = fixture
            .counted(
                &format!("{}.mp4", source.replace('/', "_")),
                TestVideo::new(96, 64, source, frames),
                X264,
            )
            .await;
        let (num, den) = source.split_once('/').unwrap_or((source, "1"));
        let source_rate = num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap();
        for rate in [25, 60] {
            let actual = &stretched(&fixture, vec![group(&[&clip])], rate, false).await[0];
            let length = (frames as f64 / source_rate * f64::from(rate)).round() as usize;
            assert_eq!(actual.len(), length, "{source} at {rate}");
            for (i, step) in actual.iter().enumerate() {
                // An output frame shows the source frame whose time is within half an output frame of its own, or the
                // previous one while there is no newer one.
                let (now, half) = (i as f64 / f64::from(rate), 0.5 / f64::from(rate) + 1e-6);
                let (begins, ends) = (*step as f64 / source_rate, (*step + 1) as f64 / source_rate);
                let last = *step + 1 == frames;
                assert!(
                    begins <= now + half && (last || now - half <= ends),
                    "{source} at {rate}: {i} shows {step}"
                );
            }
        }
    }
}

#[tokio::test]
async fn clips_are_trimmed_to_the_shortest_and_the_total() {
    let mut fixture = Fixture::new().await;
    let long = fixture.counted("long.mp4", TestVideo::new(96, 64, "25", 12), X264).await;
    let short = fixture.counted("short.mp4", TestVideo::new(96, 64, "25", 5), X264).await;
    let upto = |n: usize| (0..n).collect::<Vec<_>>();
    let whole = vec![group(&[&long, &short])];
    assert_eq!(stretched(&fixture, whole.clone(), 25, false).await, [[upto(12), upto(5)].concat()]);
    assert_eq!(stretched(&fixture, whole, 25, true).await, [[upto(5), upto(5)].concat()]);
    let cut = Group { total_duration_s: Some(0.6), ..group(&[&long, &short, &long]) };
    assert_eq!(stretched(&fixture, vec![cut.clone()], 25, false).await, [[upto(12), upto(3)].concat()]);
    assert_eq!(stretched(&fixture, vec![cut], 25, true).await, [[upto(5), upto(5), upto(5)].concat()]);
}

#[tokio::test]
async fn a_scene_holds_its_last_frame_or_loops() {
    let mut fixture = Fixture::new().await;
    let clip = fixture.counted("a.mp4", TestVideo::new(96, 64, "25", 12), X264).await;
    let tiny = fixture.counted("b.mp4", TestVideo::new(96, 64, "25", 3), X264).await;
    let flat = MixOptions { fill: FillMode::Stretch, ..options((96, 64), 25) };
    let scene = async |seconds: f64, clip: &str| {
        steps(&fixture.render_one(pro(&[(seconds, clip)], flat.clone(), |_| {})).await).await
    };
    let cut: Vec<usize> = (0..7).collect();
    assert_eq!(scene(0.28, &clip).await, cut);
    let expected_steps: Vec<usize> = (0..24).map(|i| i.min(11)).collect();
    assert_eq!(scene(0.96, &clip).await, expected_steps);
    let looped: Vec<usize> = (0..30).map(|i| i % 12).collect();
    assert_eq!(scene(1.2, &clip).await, looped);
    let looped: Vec<usize> = (0..70).map(|i| i % 3).collect();
    assert_eq!(scene(2.8, &tiny).await, looped);

    let shortest =
        pro(&[(0.4, &clip), (1.0, &tiny)], flat.clone(), |params| params.options.is_shortest = true);
    assert_eq!(steps(&fixture.render_one(shortest).await).await, [0, 1, 2, 0, 1, 2]);
}

const SWATCHES: [[u8; 3]; 9] = [
    [255, 255, 255],
    [0, 0, 0],
    [128, 128, 128],
    [190, 40, 40],
    [40, 170, 60],
    [50, 60, 200],
    [220, 200, 50],
    [60, 190, 190],
    [200, 140, 110],
];

async fn check_colours(fixture: &mut Fixture, name: &str, film: TestVideo, args: &str) {
    let width = film.size.0 / SWATCHES.len() as u32;
    let pixel = |_, x: u32, _| SWATCHES[(x / width).min(8) as usize];
    let clip = fixture.drawn(name, film, args, pixel).await;
    let (width, height) = film.size;
    let same_size = MixOptions { fill: FillMode::Stretch, ..options((width, height), 25) };
    let rendering = fixture.render_one(base(vec![group(&[&clip])], same_size)).await;
    let frame = frame(&rendering.path, rendering.size, 0).await;
    for (i, colour) in SWATCHES.into_iter().enumerate() {
        let column = i as u32 * (width / 9) + width / 36;
        near(frame.mean((column, 8), (width / 18, height - 16)), colour, 3.5, &format!("{name}: swatch {i}"));
    }
}

/// From RGB to a format with a matrix; without tags, with the defaults of filters and encoders.
fn converted(matrix: &str, range: &str, format: &str, tags: &str) -> String {
    let untagged = "range=unspecified:color_primaries=unknown:color_trc=unknown:colorspace=unknown";
    let params = if tags.is_empty() { format!(",setparams={untagged}") } else { String::new() };
    format!(
        "-vf format=gbrp,zscale=matrixin=gbr:rangein=full:matrix={matrix}:range={range},format={format}{params} {tags}"
    )
}

#[tokio::test]
async fn colours_survive_in_every_source_format() {
    let mut fixture = Fixture::new().await;
    let tags = |space: &str, range: &str| {
        format!("-colorspace {space} -color_primaries bt709 -color_trc bt709 -color_range {range}")
    };
    let small = TestVideo::new(288, 96, "25", 2);
    let large = TestVideo::new(1188, 720, "25", 1);
    for (name, film, args) in [
        ("sd-untagged.mp4", small, converted("170m", "limited", "yuv420p", "") + X264),
        ("sd-601.mp4", small, converted("170m", "limited", "yuv420p", &tags("smpte170m", "tv")) + X264),
        ("sd-709.mp4", small, converted("709", "limited", "yuv420p", &tags("bt709", "tv")) + X264),
        ("hd-untagged.mp4", large, converted("709", "limited", "yuv420p", "") + X264),
        ("hd-601.mp4", large, converted("470bg", "limited", "yuv420p", &tags("bt470bg", "tv")) + X264),
        ("full-709.mp4", small, converted("709", "full", "yuv420p", &tags("bt709", "pc")) + X264),
        (
            "jpeg.mov",
            small,
            converted("170m", "full", "yuvj420p", &tags("smpte170m", "pc")) + " -c:v mjpeg -q:v 1",
        ),
        ("422-10.mkv", small, converted("709", "limited", "yuv422p10le", &tags("bt709", "tv")) + X264),
        (
            "hevc-10.mp4",
            small,
            converted("709", "limited", "yuv420p10le", &tags("bt709", "tv"))
                + " -c:v libx265 -x265-params log-level=none:crf=8 -preset ultrafast",
        ),
        (
            "prores.mov",
            small,
            converted("709", "limited", "yuv422p10le", &tags("bt709", "tv")) + " -c:v prores_ks",
        ),
        ("rgb.mov", small, "-c:v png".into()),
        ("rgba.mov", small, "-vf format=rgba -c:v png".into()),
        ("rgb.mkv", small, "-c:v libx264rgb -preset ultrafast -qp 2".into()),
        ("444.mkv", small, converted("709", "limited", "yuv444p", &tags("bt709", "tv")) + X264),
    ] {
        let args = args.replacen("-c:v", " -c:v", 1);
        check_colours(&mut fixture, name, film, &args).await;
    }
}
