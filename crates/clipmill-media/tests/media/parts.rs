//! Videos rendered in parts: every frame equals that of the whole, before it is encoded.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::*;
use clipmill_core::effects::Effect;
use clipmill_core::encoding::Encoding;
use clipmill_core::media::ContentHash;
use clipmill_core::plan::PlannedSegment;
use clipmill_core::request::model::{self, *};
use clipmill_core::segment::{SegmentSpec, VideoSpec};
use clipmill_core::time::Fps;
use clipmill_media::ffmpeg::args::{self, Strictness, VideoFiles};
use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};

const X264: &str = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";

const X265: &str = "-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params log-level=none";

/// Effects with random grain, which differs in each part: those frames are similar, not equal.
const GRAINY: [&str; 3] = ["film-grain", "old-film", "vhs"];

fn picture(segment: &PlannedSegment) -> Option<&VideoSpec> {
    match &segment.spec {
        SegmentSpec::Video(spec) => Some(spec),
        SegmentSpec::Audio(_) => None,
    }
}

/// The output of ffmpeg for a specification without encoding, strictly and without any error message.
async fn unencoded(fixture: &Fixture, segment: &PlannedSegment, spec: &VideoSpec, form: &[&str]) -> Vec<u8> {
    let files = fixture.files(segment);
    let path = |content: &ContentHash| {
        files.iter().find(|file| file.source.content == *content).unwrap().path.clone()
    };
    let inputs: Vec<PathBuf> = (spec.inputs.iter()).map(|input| path(&input.origin.file)).collect();
    let source = path(&spec.source);
    let named =
        VideoFiles { source: &source, inputs: &inputs, captions: None, emoji: None, output: Path::new("-") };
    let mut args: Vec<OsString> = vec!["-v".into(), "error".into(), "-nostdin".into()];
    args.extend(args::frames(spec, &named, Strictness::Strict).into_iter().take_while(|arg| arg != "-an"));
    let count = spec.frames.0.to_string();
    args.extend(["-an", "-fps_mode", "passthrough", "-frames:v", &count].map(OsString::from));
    args.extend(form.iter().map(OsString::from).chain(["-".into()]));
    let limits = Limits::wall(Duration::from_secs(300)).stdout_bytes(1 << 30);
    match Ffmpeg::default().output(Program::Ffmpeg, &args, limits).await {
        Err(_) if spec.is_entered() => {
            // Rendering also falls back on reading from the beginning.
            assert!(source.ends_with("open.mp4"), "{} cannot be entered", source.display());
            Box::pin(unencoded(fixture, segment, &spec.from_the_beginning(), form)).await
        }
        found => found.unwrap(),
    }
}

/// Hashes of a specification's frames, each at its time from 0 on.
async fn hashes(fixture: &Fixture, segment: &PlannedSegment, spec: &VideoSpec) -> Vec<String> {
    let text = unencoded(fixture, segment, spec, &["-f", "framemd5"]).await;
    let text = String::from_utf8(text).unwrap();
    let clock = text.lines().find_map(|line| line.strip_prefix("#tb 0: ")).unwrap().to_owned();
    assert_eq!(clock, format!("1/{}", spec.fps.get()));
    let mut hashes = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        assert_eq!(fields[2], hashes.len().to_string(), "a picture is off its time");
        hashes.push(fields[5].to_owned());
    }
    assert_eq!(hashes.len() as u64, spec.frames.0);
    hashes
}

/// The segments of a plan in the order in which they are shown.
pub async fn shown(fixture: &Fixture, params: &Params) -> Vec<Vec<String>> {
    let plan = fixture.plan(params.clone());
    let mut parts = Vec::new();
    for hash in &plan.items[0].outcome.as_ref().unwrap().video {
        let segment = plan.segments.iter().find(|segment| segment.key == *hash).unwrap();
        parts.push(hashes(fixture, segment, picture(segment).unwrap()).await);
    }
    parts
}

/// Asserts that an output is rendered in `count` parts, whose frames are those of the whole.
pub async fn check(fixture: &mut Fixture, what: &str, params: &Params, count: usize) {
    let part_seconds = std::mem::take(&mut fixture.part_seconds);
    let whole = shown(fixture, params).await.concat();
    fixture.part_seconds = part_seconds;
    let parts = shown(fixture, params).await;
    assert_eq!(parts.len(), count, "{what}");
    let seams: Vec<usize> = parts.iter().map(Vec::len).collect();
    let parts = parts.concat();
    assert_eq!(parts.len(), whole.len(), "{what}");
    let differing: Vec<usize> = (0..whole.len()).filter(|frame| parts[*frame] != whole[*frame]).collect();
    assert!(differing.is_empty(), "{what}: frames {differing:?} of {seams:?} differ");
}

/// A fixture that renders parts of so many seconds. All have one thread: with more, some filters round in another way.
pub async fn fixture(part_seconds: u64) -> Fixture {
    let mut fixture = Fixture::new().await;
    fixture.part_seconds = part_seconds;
    fixture.encoding = Encoding::standard(1);
    fixture
}

/// A video without a repeated frame, so that one too many or too few is noticed.
fn film(rate: &str, seconds: f64) -> String {
    format!("-f lavfi -i testsrc2=s=160x90:r={rate}:d={seconds}")
}

fn span(value: f64) -> Option<model::Span> {
    Some(model::Span { min: value, max: value })
}

fn at(fps: u32) -> impl Fn(&mut DedupOptions) {
    move |options| options.fps = Fps::new(fps).unwrap()
}

#[tokio::test]
async fn any_source_gives_the_same_frames_in_parts() {
    let mut fixture = fixture(2).await;
    let uneven = "-vf select=not(between(n\\,95\\,170))*(mod(n\\,7)+mod(n\\,3)) -fps_mode vfr";
    let sources = [
        ("steady.mp4", film("30", 5.0), format!("{X264} -g 250 -bf 3"), 30, 3),
        ("ntsc.mp4", film("30000/1001", 5.0), format!("{X264} -g 47 -bf 2"), 30, 3),
        ("fast.mp4", film("60", 5.0), format!("{X264} -g 77 -bf 2"), 25, 3),
        ("odd.mkv", film("23.7", 5.0), format!("{X264} -g 40 -bf 2"), 30, 3),
        ("uneven.mp4", film("30", 8.0), format!("{uneven} {X264} -g 60 -bf 2"), 30, 4),
        ("uneven.mkv", film("60", 8.0), format!("{uneven} {X264} -g 600"), 30, 4),
        ("fragments.mp4", film("30", 5.0), format!("{X264} -g 30 -movflags frag_keyframe+empty_moov"), 30, 3),
        (
            "open.mp4",
            film("30", 5.0),
            format!("{X264} -preset medium -x264-params open-gop=1:keyint=40:bframes=3"),
            30,
            3,
        ),
        ("fields.mp4", film("25", 5.0), format!("-s 160x96 {X264} -x264-params tff=1 -g 50"), 50, 3),
        ("late.mp4", film("30", 5.0), format!("{X264} -g 50 -output_ts_offset 3.21"), 30, 3),
        ("hevc.mp4", film("30", 5.0), format!("{X265}:keyint=40:open-gop=1:bframes=3"), 30, 3),
        ("prores.mov", film("30", 5.0), "-c:v prores_ks -profile:v 0".to_owned(), 60, 3),
        // Files without an index are not seekable, so they are rendered as a whole.
        ("stream.ts", film("30", 5.0), format!("{X264} -g 30"), 30, 1),
        ("old.avi", film("30", 5.0), "-c:v mpeg4 -q:v 4".to_owned(), 30, 1),
    ];
    for (name, film, code, fps, count) in every_nth(3, sources) {
        let source = fixture.source(name, &format!("{film} {code}")).await;
        check(&mut fixture, name, &dedup(&[&source], at(fps)), count).await;
    }
}

#[tokio::test]
async fn a_cut_source_with_an_edit_list_gives_the_same_frames_in_parts() {
    let mut fixture = fixture(2).await;
    let long = fixture.source("long.mp4", &format!("{} {X264} -g 60 -bf 2", film("30", 8.0))).await;
    let path = fixture.folder.path().join(&long);
    let cut = fixture.source("cut.mp4", &format!("-ss 2.7 -i {} -c copy", path.display())).await;
    check(&mut fixture, "cut", &dedup(&[&cut], |_| {}), 3).await;
    let mix = options((128, 72), 25);
    check(&mut fixture, "mix", &base(vec![group(&[&cut])], mix), 3).await;
    // The last frame is held for half a second.
    check(&mut fixture, "held", &pro(&[(5.7, &cut)], options((128, 72), 30), |_| {}), 3).await;
}

#[tokio::test]
async fn changes_of_time_continue_across_parts() {
    let mut fixture = fixture(2).await;
    let steady = fixture.source("steady.mp4", &format!("{} {X264} -g 50 -bf 2", film("30", 6.0))).await;
    let slow = fixture.source("slow.mkv", &format!("{} {X264} -g 50", film("23.976", 6.0))).await;
    for (source, fps, speed, rate) in [
        (&steady, 30, 1.7, None),
        (&steady, 30, 1.0, Some(27.43)),
        (&steady, 60, 0.9, Some(25.01)),
        (&slow, 50, 0.8, Some(19.87)),
    ] {
        let change = |options: &mut DedupOptions| {
            at(fps)(options);
            (options.speed, options.frame_extraction) = (span(speed), rate.and_then(span));
        };
        let params = dedup(&[source], change);
        let seconds = 6.0 / speed;
        let count = ((seconds + 1.0) / 2.0) as usize;
        check(&mut fixture, &format!("{source} {fps} {speed} {rate:?}"), &params, count).await;
    }
}

#[tokio::test]
async fn masks_and_fills_keep_their_place_in_parts() {
    let mut fixture = fixture(2).await;
    let source = fixture.source("source.mp4", &format!("{} {X264} -g 50", film("30", 6.0))).await;
    let loops = |rate, seconds| format!("-f lavfi -i testsrc=s=60x40:r={rate}:d={seconds} {X264}");
    let short = fixture.source("short.mp4", &loops("30", 0.7)).await;
    let ntsc = fixture.source("ntsc.mp4", &loops("30000/1001", 1.001)).await;
    let long = fixture.source("long.mp4", &format!("{} -g 20", loops("25", 5.2))).await;
    let film = fixture
        .source("film.webm", "-f lavfi -i testsrc=s=60x40:r=25:d=0.8 -c:v libvpx -deadline realtime")
        .await;
    let gif = fixture.source("moving.gif", "-f lavfi -i testsrc=s=50x30:r=10:d=0.7").await;
    let still = fixture.source("still.png", "-f lavfi -i testsrc=s=40x60 -frames:v 1").await;
    let uneven = "-vf select=mod(n\\,7)+mod(n\\,3) -fps_mode vfr";
    let uneven =
        fixture.source("uneven.mp4", &format!("-f lavfi -i testsrc=s=60x40:r=30:d=2 {uneven} {X264}")).await;
    let mask = |url: &str| Some(Mask { urls: vec![url.to_owned()], layer_count: 2, opacity_percent: 40.0 });
    let masks = [(&short, 3), (&ntsc, 3), (&long, 3), (&film, 3), (&gif, 3), (&still, 3), (&uneven, 1)];
    for (url, count) in every_nth(2, masks) {
        let params = dedup(&[&source], |options| options.video_mask = mask(url));
        check(&mut fixture, &format!("mask {url}"), &params, count).await;
    }
    for (fill, blurred) in every_nth(3, pairs([None, Some(&short), Some(&long), Some(&still)], [false, true]))
    {
        let pip = Pip { padding_percent: 20.0, blurred, fill_url: fill.cloned() };
        let params = dedup(&[&source], |options| options.pip = Some(pip));
        check(&mut fixture, &format!("fill {fill:?} {blurred}"), &params, 3).await;
    }
}

#[tokio::test]
async fn every_effect_continues_across_parts() {
    let mut fixture = fixture(1).await;
    let source = fixture.source("source.mp4", &format!("{} {X264} -g 50", film("30", 2.4))).await;
    for effect in every_nth(4, Effect::all()) {
        let used = model::Effect {
            name: effect.name.into(),
            strength_percent: 80.0,
            duration_s: 1.2,
            position_percent: 30.0,
        };
        let params = dedup(&[&source], |options| options.effect = Some(used));
        match GRAINY.contains(&effect.name) {
            true => alike(&mut fixture, effect.name, &params).await,
            false => check(&mut fixture, effect.name, &params, 2).await,
        }
    }
}

/// Asserts that the second part is nowhere far from the whole, and has as much grain.
async fn alike(fixture: &mut Fixture, what: &str, params: &Params) {
    let planes = async |fixture: &Fixture, index: usize| {
        let plan = fixture.plan(params.clone());
        let segment = plan.segments.iter().filter(|segment| picture(segment).is_some()).nth(index).unwrap();
        unencoded(fixture, segment, picture(segment).unwrap(), &["-pix_fmt", "gray", "-f", "rawvideo"]).await
    };
    let part_seconds = std::mem::take(&mut fixture.part_seconds);
    let whole = planes(fixture, 0).await;
    fixture.part_seconds = part_seconds;
    let part = planes(fixture, 1).await;
    let area = 160 * 90;
    let whole = &whole[30 * area..];
    assert_eq!(part.len(), whole.len(), "{what}");
    for (frame, (part, whole)) in part.chunks(area).zip(whole.chunks(area)).enumerate() {
        let mean = |plane: &[u8]| plane.iter().map(|y| f64::from(*y)).sum::<f64>() / area as f64;
        let spread = |plane: &[u8]| {
            let mean = mean(plane);
            (plane.iter().map(|y| (f64::from(*y) - mean).powi(2)).sum::<f64>() / area as f64).sqrt()
        };
        assert!((mean(part) - mean(whole)).abs() < 1.0, "{what}: the mean of frame {frame}");
        assert!((spread(part) - spread(whole)).abs() < 1.5, "{what}: the grain of frame {frame}");
    }
}

/// Five seconds of constant motion, with flashes and beeps of 0.1 s over both seams of parts of two seconds.
async fn flashing(fixture: &mut Fixture) -> String {
    let flash = "drawbox=c=white:t=fill:enable=between(n\\,58\\,60)+between(n\\,119\\,121)";
    let beep = "aevalsrc=0.5*sin(2*PI*1000*t)*(between(t\\,1.93334\\,2.03334)+between(t\\,3.96667\\,4.06667)):s=48000:d=5";
    let film = format!("testsrc2=s=160x90:r=30:d=5,{flash}");
    fixture
        .source("flashing.mp4", &format!("-f lavfi -i {film} -f lavfi -i {beep} {X264} -g 73 -bf 2 -c:a aac"))
        .await
}

/// One output rendered in parts of two seconds and as a whole.
async fn both(fixture: &mut Fixture, params: Params, parts: usize) -> [Rendered; 2] {
    let whole = std::mem::take(&mut fixture.part_seconds);
    let unsplit = fixture.render_one(params.clone()).await;
    fixture.part_seconds = whole;
    assert_eq!(fixture.plan(params.clone()).items[0].outcome.as_ref().unwrap().video.len(), parts);
    [fixture.render_one(params).await, unsplit]
}

/// When each frame of a file is shown, in order.
async fn times(path: &Path) -> Vec<String> {
    let fields = "-v error -select_streams v:0 -of csv=p=0 -show_entries frame=pts_time,pict_type -i";
    let mut args: Vec<OsString> = fields.split(' ').map(OsString::from).collect();
    args.push(path.into());
    let limits = Limits::wall(Duration::from_secs(60));
    let text = Ffmpeg::default().output(Program::Ffprobe, &args, limits).await.unwrap();
    // A separate line represents a keyframe's side data.
    let text = String::from_utf8(text).unwrap();
    text.lines().filter(|line| line.contains('.')).map(str::to_owned).collect()
}

#[tokio::test]
async fn seams_are_invisible_and_inaudible() {
    let mut fixture = fixture(2).await;
    let source = flashing(&mut fixture).await;
    let change = |options: &mut DedupOptions| {
        options.zoom = span(1.05);
        options.hue_mixing = Some(HueMixing { hue_degrees: 10.0, saturation: 0.1, brightness: 0.0 });
    };
    let [split, unsplit] = both(&mut fixture, dedup(&[&source], change), 3).await;

    let (quality, expected) = (&split.output.quality, &unsplit.output.quality);
    assert_eq!((quality.frames_planned, quality.frames_found), (150, 150));
    assert_eq!(quality.duration_error_ms, expected.duration_error_ms);
    assert_eq!(quality.av_difference_ms, expected.av_difference_ms);
    assert_eq!((quality.black_seconds, quality.frozen_seconds), (0.0, 0.0));
    assert_eq!(split.cached, 1, "sound is not cut up");
    assert_eq!(samples(&split.path).await, samples(&unsplit.path).await);

    let (found, expected) = (times(&split.path).await, times(&unsplit.path).await);
    let time = |line: &String| line.split(',').next().unwrap().to_owned();
    let times = |lines: &[String]| lines.iter().map(time).collect::<Vec<_>>();
    assert_eq!(times(&found), times(&expected));
    for seam in [60, 120] {
        assert!(found[seam].contains('I'), "a part begins with a keyframe");
    }

    let alike = likeness(&split.path, &unsplit.path).await;
    assert_eq!(alike.len(), 150);
    let min = |frames: &mut dyn Iterator<Item = usize>| frames.map(|n| alike[n]).fold(1.0, f64::min);
    let at_seams = min(&mut (55..65).chain(115..125));
    let elsewhere = min(&mut (1..50).chain(70..110));
    assert!(at_seams > 0.97 && at_seams > elsewhere - 0.01, "{at_seams} at seams, {elsewhere} elsewhere");

    let lumas = lumas(&split.path).await;
    let flashes: Vec<f64> = (lumas.windows(2).enumerate())
        .filter(|(_, pair)| pair[0] < 180 && pair[1] >= 180)
        .map(|(n, _)| (n + 1) as f64 / 30.0)
        .collect();
    let beeps = onsets(&split.path).await;
    assert_eq!((flashes.len(), beeps.len()), (2, 2), "{flashes:?} {beeps:?}");
    for (flash, beep) in flashes.iter().zip(&beeps) {
        assert!(
            (flash - beep).abs() <= 0.5 / 30.0 + 0.005,
            "a beep at {beep:.4} and its flash at {flash:.4}"
        );
    }
}

#[tokio::test]
async fn black_and_frozen_footage_counts_across_seams() {
    let mut fixture = fixture(2).await;
    let moving = |seconds: f64| format!("-f lavfi -i testsrc2=s=160x90:r=25:d={seconds}");
    let black = |seconds: f64| format!("-f lavfi -i color=black:s=160x90:r=25:d={seconds}");
    let pieces = [moving(1.6), black(0.64), moving(1.72), black(0.2), moving(1.0)].join(" ");
    let join = "-filter_complex concat=n=5:v=1,format=yuv420p -c:v libx264 -preset ultrafast -crf 12";
    let source = fixture.source("black.mp4", &format!("{pieces} {join}")).await;
    let [split, unsplit] = both(&mut fixture, base(vec![group(&[&source])], options((160, 90), 25)), 3).await;
    let seconds = |made: &Rendered| (made.output.quality.black_seconds, made.output.quality.frozen_seconds);
    let ((black, frozen), (expected_black, expected_frozen)) = (seconds(&split), seconds(&unsplit));
    assert!((expected_black - 0.84).abs() < 0.05 && (expected_frozen - 0.64).abs() < 0.05);
    assert!((black - expected_black).abs() < 0.05, "{black} instead of {expected_black} s black");
    assert!((frozen - expected_frozen).abs() < 0.05, "{frozen} instead of {expected_frozen} s frozen");
}

#[tokio::test]
async fn damage_is_reported_once_and_skipped_as_in_the_whole() {
    let mut fixture = fixture(2).await;
    // Every frame by itself; one in the second part is broken.
    fixture.source("whole.mp4", &format!("{} -c:v mjpeg -q:v 3", film("30", 6.0))).await;
    let mut bytes = std::fs::read(fixture.folder.path().join("whole.mp4")).unwrap();
    let start = bytes.windows(4).position(|four| four == b"mdat").unwrap();
    let at = start + (bytes.len() - start) / 2 + 2_000;
    bytes[at..at + 12].fill(0xff);
    let path = fixture.folder.path().join("broken.mp4");
    std::fs::write(&path, bytes).unwrap();
    let source = fixture.learn("broken.mp4", &path).await;
    let [split, unsplit] = both(&mut fixture, dedup(&[&source], |_| {}), 3).await;
    let warnings = |made: &Rendered| made.output.warnings(|_| Some("broken.mp4"));
    assert_eq!(warnings(&split).len(), 1, "{:?}", warnings(&split));
    assert_eq!(warnings(&split), warnings(&unsplit));
    // The decoding of the broken frame by several threads is random.
    let differing =
        likeness(&split.path, &unsplit.path).await.into_iter().filter(|alike| *alike <= 0.95).count();
    assert!(differing <= 1, "{differing} pictures");
}

#[tokio::test]
async fn a_stream_that_cannot_be_entered_is_read_from_its_beginning() {
    let mut fixture = fixture(2).await;
    let open = "-c:v libx264 -preset medium -x264-params open-gop=1:keyint=40:bframes=3 -pix_fmt yuv420p";
    let source = fixture.source("open.mp4", &format!("{} {open}", film("30", 5.0))).await;
    let [split, unsplit] = both(&mut fixture, dedup(&[&source], |_| {}), 3).await;
    assert!(split.output.warnings(|_| None).is_empty(), "the file is whole");
    let alike = likeness(&split.path, &unsplit.path).await;
    assert!(alike.iter().all(|alike| *alike > 0.95), "{alike:?}");
}
