//! Codecs × frame rates × fill modes: each output has the planned size, frames and times, and colour bars keep their
//! colours. High dynamic range is converted to BT.709.

use std::path::Path;

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::encoding::Preset;
use clipmill_core::request::model::{Background, FillMode, MixOptions};

const BARS: [[u8; 3]; 5] = [[191, 191, 191], [191, 191, 30], [30, 180, 60], [190, 40, 40], [50, 60, 190]];
const SOURCE: (u32, u32) = (160, 90);
const VP9: &str = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 8 -b:v 0";
/// Width of one bar in the source.
const BAR: u32 = SOURCE.0 / BARS.len() as u32;
/// Mean error of a bar, of 255.
const TOLERANCE: f64 = 3.0;

/// Source rate, frames of the source, output rate.
const RATES: [(&str, usize, u32); 3] = [("24000/1001", 9, 30), ("30", 12, 25), ("50", 18, 60)];

const FILLS: [(FillMode, Background, (u32, u32)); 4] = [
    (FillMode::None, Background::Black, (160, 160)),
    (FillMode::None, Background::Blur, (160, 160)),
    (FillMode::Crop, Background::Black, (120, 120)),
    (FillMode::Stretch, Background::Black, (128, 160)),
];

/// From RGB to a matrix, tagged or untagged.
fn written(matrix: &str, tag: Option<&str>, format: &str, codec: &str) -> String {
    let convert =
        format!("format=gbrp,zscale=matrixin=gbr:rangein=full:matrix={matrix}:range=limited,format={format}");
    match tag {
        Some(tag) => format!(
            "-vf {convert} -colorspace {tag} -color_primaries bt709 -color_trc bt709 -color_range tv {codec}"
        ),
        None => {
            let params = "range=unspecified:color_primaries=unknown:color_trc=unknown:colorspace=unknown";
            format!("-vf {convert},setparams={params} {codec}")
        }
    }
}

/// Every fill mode at every rate for one codec; `extension` names the container.
async fn check_codec(name: &str, extension: &str, args: &str) {
    check_codec_at(Preset::Standard, name, extension, args).await;
}

async fn check_codec_at(preset: Preset, name: &str, extension: &str, args: &str) {
    let mut fixture = Fixture::new().await;
    fixture.encoding.preset = preset;
    // Of every fifth, each has another rate and another fill mode.
    for ((source, frames, rate), (fill, background, size)) in every_nth(5, pairs(RATES, FILLS)) {
        let clip = format!("{name}-{}.{extension}", source.replace('/', "-"));
        let bars = |_, x: u32, _| BARS[((x / BAR) as usize).min(BARS.len() - 1)];
        if !fixture.facts.media.contains_key(&clip) {
            fixture.drawn(&clip, TestVideo::new(SOURCE.0, SOURCE.1, source, frames), args, bars).await;
        }
        let options = MixOptions { fill, background, ..options(size, rate) };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
        check_output(&fixture, &rendering, &clip, (fill, size, rate)).await;
    }
}

async fn check_output(
    fixture: &Fixture,
    made: &Rendered,
    clip: &str,
    (fill, size, rate): (FillMode, (u32, u32), u32),
) {
    let what = format!("{clip}, {fill:?} at {rate}");
    assert_eq!((made.size.width, made.size.height), size, "{what}");
    let video = fixture.facts.media[clip].as_ref().unwrap().video.as_ref().unwrap();
    let planned = (video.duration_s * f64::from(rate)).round() as u64;
    assert_eq!(made.output.quality.frames_found, planned, "{what}: {} s", video.duration_s);
    let ticks: Vec<i64> = (0..planned as i64).map(|frame| frame * 512).collect();
    assert_eq!(times(&made.path).await, ticks, "{what}");
    let properties =
        probed(&made.path, "pix_fmt,color_range,color_space,color_transfer,color_primaries").await;
    assert_eq!(properties, "yuv420p,tv,bt709,bt709,bt709", "{what}");
    let frame = frame(&made.path, made.size, planned as usize / 2).await;
    let mut bars = 0;
    for (index, colour) in (0..).zip(BARS) {
        if let Some(part) = shown_part(index, fill, size) {
            near(frame.mean(part, (6, size.1 / 4)), colour, TOLERANCE, &format!("{what}: bar {index}"));
            bars += 1;
        }
    }
    assert!(bars >= 3, "{what}: {bars} bars");
}

/// The position of the middle of a bar in the output; `None` where it is cropped.
fn shown_part(bar: u32, fill: FillMode, (width, height): (u32, u32)) -> Option<(u32, u32)> {
    let (across, down) = (f64::from(width) / f64::from(SOURCE.0), f64::from(height) / f64::from(SOURCE.1));
    let scale = match fill {
        FillMode::None => across.min(down),
        FillMode::Crop => across.max(down),
        FillMode::Stretch => across,
    };
    let middle =
        f64::from(width) / 2.0 + (f64::from(bar * BAR + BAR / 2) - f64::from(SOURCE.0) / 2.0) * scale;
    (middle >= 8.0 && middle + 8.0 <= f64::from(width)).then(|| (middle as u32 - 3, height * 3 / 8))
}

#[tokio::test]
async fn h264_and_hevc() {
    check_codec("h264", "mp4", &written("709", Some("bt709"), "yuv420p", X264)).await;
    let hevc = "-c:v libx265 -x265-params log-level=none:crf=8 -preset ultrafast";
    check_codec("hevc10", "mkv", &written("709", Some("bt709"), "yuv420p10le", hevc)).await;
}

#[tokio::test]
async fn vp9_and_av1() {
    check_codec("vp9", "webm", &written("709", Some("bt709"), "yuv420p", VP9)).await;
    let av1 = "-c:v libaom-av1 -usage realtime -cpu-used 8 -crf 12 -b:v 0";
    check_codec("av1", "mp4", &written("709", Some("bt709"), "yuv420p", av1)).await;
}

#[tokio::test]
async fn mpeg2_and_mpeg4_without_colour_tags() {
    // The loss of this encoder adds to that of the preset: with the usual preset, the blue of one bar is off by 3.2.
    check_codec_at(Preset::High, "mpeg2", "ts", &written("170m", None, "yuv420p", "-c:v mpeg2video -q:v 2"))
        .await;
    check_codec("mpeg4", "avi", &written("170m", None, "yuv420p", "-c:v mpeg4 -q:v 2")).await;
}

#[tokio::test]
async fn prores_and_444() {
    check_codec("prores", "mov", &written("709", Some("bt709"), "yuv422p10le", "-c:v prores_ks")).await;
    check_codec("h264-444", "mkv", &written("709", Some("bt709"), "yuv444p", X264)).await;
}

/// Presentation times of the frames, in ticks.
async fn times(path: &Path) -> Vec<i64> {
    let text = raw(path, "-map 0:v:0 -c copy -copyts -f framecrc").await;
    let text = String::from_utf8(text).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut times: Vec<i64> =
        lines.map(|line| line.split(',').nth(2).unwrap().trim().parse().unwrap()).collect();
    times.sort_unstable();
    times
}

#[tokio::test]
async fn odd_sizes_are_accepted() {
    let mut fixture = Fixture::new().await;
    for (index, (width, height, codec)) in
        [(161, 91, X264), (100, 75, X264), (33, 17, VP9)].into_iter().enumerate()
    {
        let film = TestVideo::new(width, height, "25", 3);
        let clip = format!("odd{index}.mkv");
        let format = if codec == VP9 { "yuv420p" } else { "yuv444p" };
        let convert = format!("scale=out_color_matrix=bt709:out_range=tv,format={format}");
        let tags = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";
        fixture.quarters(&clip, film, &format!("-vf {convert} {tags} {codec}")).await;
        let same = fixture.render_one(dedup(&[&clip], |_| {})).await;
        assert_eq!((same.size.width, same.size.height), (width & !1, height & !1));
        for (fill, background, size) in FILLS {
            let options = MixOptions { fill, background, ..options(size, 25) };
            let rendering = fixture.render_one(base(vec![group(&[&clip])], options)).await;
            let frame = frame(&rendering.path, rendering.size, 1).await;
            let (x, y) = (size.0 / 4, size.1 * 9 / 32);
            near(frame.around((size.0 / 2 - x, y)), RED, 12.0, &format!("{width}x{height} {fill:?}"));
            near(
                frame.around((size.0 / 2 + x, size.1 - y)),
                YELLOW,
                12.0,
                &format!("{width}x{height} {fill:?}"),
            );
        }
    }
}

/// The code of a luminance in nits, 0 to 1, by SMPTE ST 2084 (PQ).
fn pq(nits: f64) -> f64 {
    let y = (nits / 10_000.0).powf(2610.0 / 16384.0);
    let (c1, c2, c3) = (3424.0 / 4096.0, 2413.0 / 128.0, 2392.0 / 128.0);
    ((c1 + c2 * y) / (1.0 + c3 * y)).powf(2523.0 / 32.0)
}

/// The code of a grey in nits on a display of 1,000 nits, 0 to 1, by ARIB STD-B67 (HLG).
fn hlg(nits: f64) -> f64 {
    let scene = (nits / 1000.0).min(1.0).powf(1.0 / 1.2);
    let (a, b, c) = (0.178_832_77_f64, 0.284_668_92, 0.559_910_73);
    if scene <= 1.0 / 12.0 { (3.0 * scene).sqrt() } else { a * (12.0 * scene - b).ln() + c }
}

#[tokio::test]
async fn high_dynamic_range_is_converted_to_bt709() {
    const NITS: [f64; 6] = [0.0, 26.0, 100.0, 203.0, 500.0, 1000.0];
    let mut fixture = Fixture::new().await;
    for (name, transfer, code) in
        [("pq", "smpte2084", pq as fn(f64) -> f64), ("hlg", "arib-std-b67", hlg as fn(f64) -> f64)]
    {
        // Greys above, BT.709's red as BT.2020 writes it below.
        let red = [0.6274, 0.0691, 0.0164].map(|part| (code(203.0 * part) * 255.0).round() as u8);
        let pixel = move |_, x: u32, y: u32| match y < 48 {
            true => [(code(NITS[(x / 32) as usize]) * 255.0).round() as u8; 3],
            false => red,
        };
        let args = format!(
            "-vf format=gbrp,zscale=matrixin=gbr:rangein=full:matrix=2020_ncl:range=limited:transferin={transfer}:\
             transfer={transfer}:primariesin=2020:primaries=2020,format=yuv420p10le -color_primaries bt2020 \
             -color_trc {transfer} -colorspace bt2020nc -color_range tv -preset ultrafast -c:v libx265 -x265-params \
             log-level=none:crf=4:colorprim=bt2020:transfer={transfer}:colormatrix=bt2020nc"
        );
        let clip =
            fixture.drawn(&format!("{name}.mkv"), TestVideo::new(192, 96, "25", 3), &args, pixel).await;
        let flat = MixOptions { fill: FillMode::Stretch, ..options((192, 96), 25) };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], flat)).await;
        let frame = frame(&rendering.path, rendering.size, 1).await;
        let greys: Vec<[f64; 3]> = (0..6).map(|i| frame.mean((i * 32 + 12, 12), (8, 24))).collect();
        for (grey, nits) in greys.iter().zip(NITS) {
            near(*grey, [grey[1].round() as u8; 3], 4.0, &format!("{name}: {nits} nits have no colour"));
        }
        let levels: Vec<f64> = greys.iter().map(|grey| grey[1]).collect();
        assert!(levels[..4].windows(2).all(|pair| pair[1] > pair[0] + 3.0), "{name}: {levels:.0?}");
        // White is at 203 nits, and white in the output; what is brighter stays brighter.
        assert!(levels[0] <= 3.0 && (247.0..=254.0).contains(&levels[3]), "{name}: {levels:.0?}");
        assert!(levels[3] < levels[4] && levels[4] <= levels[5], "{name}: {levels:.0?}");
        let [r, g, b] = frame.mean((60, 60), (60, 24));
        assert!(r > 195.0 && g < 30.0 && b < 30.0, "{name}: red is {r:.0} {g:.0} {b:.0}");
    }
}
