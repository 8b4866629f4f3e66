//! Every clip joins with every other: the parameter sets depend only on the output's settings.
//!
//! A matrix of codecs × pixel formats × tags, each rendered as a segment by one of the fill modes and presets in turn.
//! All segments of a preset have identical parameter sets, and the clips are joined to one output.

use std::collections::BTreeMap;

use clipmill_core::encoding::Preset;
use clipmill_core::media::Size;
use clipmill_core::plan::{Plan, PlannedSegment, Rendition};
use clipmill_core::pricing::Tier;
use clipmill_core::request::model::*;
use clipmill_core::segment::SegmentKey;
use clipmill_core::time::{Fps, Frames};
use clipmill_media::cache::DeliveryMethod;
use clipmill_media::failure::SegmentError;
use clipmill_media::output::assemble::{AssembleError, Output};
use clipmill_media::verification::parameter_sets_of;

use crate::support::draw::*;
use crate::support::*;

const SIZE: (u32, u32) = (128, 160);
const FILM: TestVideo = TestVideo::new(256, 144, "25", 3);

const FILLS: [(FillMode, Background); 4] = [
    (FillMode::None, Background::Black),
    (FillMode::None, Background::Blur),
    (FillMode::Crop, Background::Black),
    (FillMode::Stretch, Background::Black),
];

/// An encoder in a container, with the pixel formats that it accepts.
const CODECS: &[(&str, &str, &[&str])] = &[
    (
        "mp4",
        "-c:v libx264 -preset ultrafast -qp 4",
        &[
            "yuv420p",
            "yuvj420p",
            "yuv422p",
            "yuvj422p",
            "yuv444p",
            "nv12",
            "yuv420p10le",
            "yuv422p10le",
            "yuv444p10le",
            "gray",
        ],
    ),
    ("mkv", "-c:v libx264rgb -preset ultrafast -qp 4", &["rgb24"]),
    (
        "mkv",
        "-c:v libx265 -preset ultrafast -x265-params log-level=none:crf=4",
        &[
            "yuv420p",
            "yuv422p",
            "yuv444p",
            "gbrp",
            "yuv420p10le",
            "yuv422p10le",
            "yuv444p10le",
            "yuv420p12le",
            "gray",
        ],
    ),
    (
        "webm",
        "-c:v libvpx -deadline realtime -cpu-used 8 -auto-alt-ref 0 -crf 4 -b:v 4M",
        &["yuv420p", "yuva420p"],
    ),
    (
        "webm",
        "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 4 -b:v 0",
        &["yuv420p", "yuva420p", "yuv422p", "yuv440p", "yuv444p", "yuv420p10le", "yuv444p12le", "gbrp"],
    ),
    (
        "mp4",
        "-c:v libaom-av1 -usage realtime -cpu-used 8 -crf 8 -b:v 0",
        &["yuv420p", "yuv444p", "gbrp", "yuv420p10le", "gray"],
    ),
    ("mpg", "-c:v mpeg1video -q:v 2", &["yuv420p"]),
    ("ts", "-c:v mpeg2video -q:v 2", &["yuv420p", "yuv422p"]),
    ("avi", "-c:v mpeg4 -q:v 2", &["yuv420p"]),
    ("avi", "-c:v msmpeg4v2 -q:v 2", &["yuv420p"]),
    ("avi", "-c:v msmpeg4 -q:v 2", &["yuv420p"]),
    ("flv", "-c:v flv -q:v 2", &["yuv420p"]),
    ("avi", "-c:v mjpeg -q:v 2", &["yuvj420p", "yuvj422p", "yuvj444p"]),
    ("mov", "-c:v prores_ks", &["yuv422p10le"]),
    ("mov", "-c:v prores_ks -profile:v 4444", &["yuv444p10le", "yuva444p10le"]),
    ("mov", "-c:v dnxhd -profile:v dnxhr_hq", &["yuv422p"]),
    ("mov", "-c:v dnxhd -profile:v dnxhr_hqx", &["yuv422p10le"]),
    ("mov", "-c:v dnxhd -profile:v dnxhr_444", &["yuv444p10le"]),
    ("ogv", "-c:v libtheora -q:v 10", &["yuv420p", "yuv422p", "yuv444p"]),
    (
        "mov",
        "-c:v png",
        &["rgb24", "rgba", "rgb48be", "rgba64be", "gray", "ya8", "gray16be", "ya16be", "pal8", "monob"],
    ),
    ("gif", "-c:v gif", &["pal8", "rgb8"]),
];

/// Tags of a source: options of its encoder or of a filter after it, each H.264 in MP4.
const TAGS: &[&str] = &[
    "-bsf:v h264_metadata=chroma_sample_loc_type=0",
    "-bsf:v h264_metadata=chroma_sample_loc_type=1",
    "-bsf:v h264_metadata=chroma_sample_loc_type=2",
    "-bsf:v h264_metadata=chroma_sample_loc_type=3",
    "-bsf:v h264_metadata=chroma_sample_loc_type=4",
    "-bsf:v h264_metadata=chroma_sample_loc_type=5",
    "-color_range pc",
    "-color_primaries bt470m",
    "-color_primaries bt470bg",
    "-color_primaries smpte170m",
    "-color_primaries smpte240m",
    "-color_primaries film",
    "-color_primaries bt2020",
    "-color_primaries smpte432",
    "-color_trc gamma22",
    "-color_trc gamma28",
    "-color_trc smpte170m",
    "-color_trc linear",
    "-color_trc iec61966-2-1",
    "-color_trc bt2020-10",
    "-color_trc smpte2084",
    "-color_trc arib-std-b67",
    "-bsf:v h264_metadata=matrix_coefficients=4",
    "-bsf:v h264_metadata=matrix_coefficients=5",
    "-bsf:v h264_metadata=matrix_coefficients=6",
    "-bsf:v h264_metadata=matrix_coefficients=7",
    "-bsf:v h264_metadata=matrix_coefficients=8",
    "-bsf:v h264_metadata=matrix_coefficients=9",
    "-bsf:v h264_metadata=matrix_coefficients=10",
    "-bsf:v h264_metadata=matrix_coefficients=12",
    "-bsf:v h264_metadata=matrix_coefficients=14",
    "-bsf:v h264_metadata=matrix_coefficients=0",
    "-color_range pc -color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc",
    "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -bsf:v h264_metadata=chroma_sample_loc_type=2",
    "-vf setsar=4/3",
    "-vf setsar=1/2",
    "-aspect 16:9",
    "-flags +ildct+ilme -x264-params tff=1",
    "-flags +ildct+ilme -x264-params bff=1",
    "-vf setfield=tff",
    "-x264-params pic-struct=1:fake-interlaced=1",
    "-bsf:v h264_metadata=tick_rate=1000/7",
    "-bsf:v h264_metadata=tick_rate=60000/1001",
    "-bsf:v h264_metadata=video_format=2",
    "-bsf:v h264_metadata=overscan_appropriate_flag=1",
    "-bsf:v h264_metadata=level=62",
    "-profile:v baseline",
    "-profile:v main -refs 5 -bf 3",
    "-video_track_timescale 90000",
    "-metadata:s:v:0 rotate=90",
    "-r 12.5",
    "-r 24000/1001",
    "-r 120",
    "-fps_mode vfr -vf select=not(eq(n\\,1))",
];

/// Lossless enough for colours to be recognized, given their tags.
fn in_bt709(format: &str) -> String {
    format!(
        "-vf scale=out_color_matrix=bt709:out_range={},format={format} -colorspace bt709 -color_primaries bt709 \
         -color_trc bt709",
        if format.starts_with("yuvj") { "pc" } else { "tv" }
    )
}

/// All sources, by name.
async fn sources(fixture: &mut Fixture) -> Vec<String> {
    let mut clips = Vec::new();
    for (number, (container, codec, formats)) in CODECS.iter().enumerate() {
        for format in *formats {
            let name = format!("codec{number}-{format}.{container}");
            fixture.quarters(&name, FILM, &format!("{} {codec} -pix_fmt {format}", in_bt709(format))).await;
            clips.push(name);
        }
    }
    for (number, tags) in TAGS.iter().enumerate() {
        let name = format!("tags{number}.mp4");
        fixture.quarters(&name, FILM, &format!("-pix_fmt yuv420p {X264} {tags}")).await;
        clips.push(name);
    }
    clips
}

fn mix(clips: &[&str], preset: Preset, (fill, background): (FillMode, Background)) -> Params {
    base(vec![group(clips)], MixOptions { fill, background, preset: Some(preset), ..options(SIZE, 30) })
}

/// Segments rendered with one preset.
#[derive(Default)]
struct SegmentOrigin {
    /// The segments that have these parameter sets.
    sets: BTreeMap<Vec<u8>, Vec<String>>,
    pieces: Vec<SegmentKey>,
    frames: u64,
}

#[tokio::test]
async fn parameter_sets_follow_from_the_settings_alone() {
    let mut fixture = Fixture::new().await;
    let clips = sources(&mut fixture).await;
    let mut by_preset: BTreeMap<&str, SegmentOrigin> = BTreeMap::new();
    let mut count = 0;
    // Eleven has no factor in common with the presets and fills, so all of them occur.
    for (turn, clip) in every_nth(11, clips.iter().enumerate()) {
        count += 1;
        let (preset, fill) = (Preset::ALL[turn % 3], FILLS[turn / 3 % 4]);
        let plan = fixture.plan(mix(&[clip], preset, fill));
        let (sets, rendition) = only_piece(&fixture, &plan, clip).await;
        let group = by_preset.entry(preset.as_str()).or_default();
        group.sets.entry(sets).or_default().push(format!("{clip} {fill:?}"));
        group.pieces.extend(rendition.video);
        group.frames += rendition.frames.0;
    }
    assert_eq!(by_preset.values().map(|rendering| rendering.pieces.len()).sum::<usize>(), count);
    for (preset, SegmentOrigin { sets, pieces, frames }) in by_preset {
        assert_eq!(sets.len(), 1, "{preset}: {:#?}", sets.values().collect::<Vec<_>>());
        let joined = join(&fixture, pieces, frames).await.unwrap();
        assert_eq!(joined.quality.frames_found, frames, "{preset}");
    }
}

/// The parameter sets of the only video segment in a plan, rendered now, and its output.
async fn only_piece(fixture: &Fixture, plan: &Plan, what: &str) -> (Vec<u8>, Rendition) {
    let rendition = plan.items[0].outcome.as_ref().unwrap_or_else(|error| panic!("{what}: {error}"));
    let [hash] = rendition.video.as_slice() else { panic!("{what} has several pieces") };
    let segment = plan.segments.iter().find(|segment| segment.key == *hash).unwrap();
    make(fixture, segment).await.unwrap_or_else(|error| panic!("{what}: {error}"));
    (parameter_sets_of(&fixture.renderer.cache.video(hash)).unwrap(), rendition.clone())
}

async fn make(
    fixture: &Fixture,
    segment: &PlannedSegment,
) -> Result<clipmill_media::segment::render::SegmentOrigin, SegmentError> {
    fixture.renderer.segment("one", &segment.key, &segment.spec, &fixture.files(segment), |_| {}).await
}

/// Joins existing segments, one after the other.
async fn join(fixture: &Fixture, pictures: Vec<SegmentKey>, frames: u64) -> Result<Output, AssembleError> {
    let size = Size::new(SIZE.0, SIZE.1);
    let (fps, frames) = (Fps::new(30).unwrap(), Frames(frames));
    let rendition = Rendition {
        fps,
        size,
        frames,
        tier: Tier::of(size),
        video: pictures,
        audio: None,
        speech: Vec::new(),
        cover: None,
    };
    fixture
        .renderer
        .assemble("join", &rendition, &fixture.folder.path().join("joined.mp4"), DeliveryMethod::Copy)
        .await
}

#[tokio::test]
async fn a_segment_that_does_not_fit_is_rendered_again() {
    let mut fixture = Fixture::new().await;
    let clips = ["a.mp4", "b.mp4", "c.mp4"];
    for (level, clip) in clips.iter().enumerate() {
        fixture
            .source(
                clip,
                &format!("-f lavfi -i color=c=0x{level}0{level}0{level}0:s=160x90:r=30:d=0.2 {X264}"),
            )
            .await;
    }
    let plan = fixture.plan(mix(&clips, Preset::Standard, FILLS[0]));
    for segment in &plan.segments {
        make(&fixture, segment).await.unwrap();
    }
    // Another build of the encoder may write the parameter sets like this.
    let odd = &plan.items[0].outcome.as_ref().unwrap().video[1];
    let piece = fixture.renderer.cache.video(odd);
    let other = fixture.folder.path().join("other.mp4");
    let same = "-c copy -video_track_timescale 15360 -bsf:v h264_metadata=level=52";
    ffmpeg(&format!("-i {} {same}", piece.display()), &other).await;
    std::fs::rename(&other, &piece).unwrap();

    let rendition = plan.items[0].outcome.as_ref().unwrap();
    let path = fixture.folder.path().join("out.mp4");
    let finish = async || fixture.renderer.assemble("finish", rendition, &path, DeliveryMethod::Copy).await;
    match finish().await {
        Err(AssembleError::Mismatched(found)) => assert_eq!(found, std::slice::from_ref(odd)),
        other => panic!("{other:?}"),
    }
    assert!(
        matches!(finish().await, Err(AssembleError::Missing(missing)) if missing == std::slice::from_ref(odd))
    );
    let segment = plan.segments.iter().find(|segment| segment.key == *odd).unwrap();
    make(&fixture, segment).await.unwrap();
    assert_eq!(finish().await.unwrap().quality.frames_found, 18);
}

#[tokio::test]
async fn overlays_and_backgrounds_do_not_change_tags() {
    let mut fixture = Fixture::new().await;
    let clip = fixture.quarters("clip.mp4", FILM, X264).await;
    let foreign = fixture.quarters("center.avi", FILM, "-c:v mjpeg -pix_fmt yuvj420p").await;
    let still =
        fixture.quarters("still.jpg", TestVideo::new(64, 48, "1", 1), "-c:v mjpeg -pix_fmt yuvj444p").await;
    let plan = fixture.plan(dedup(&[&clip], |_| {}));
    let (plain, _) = only_piece(&fixture, &plan, "plain").await;
    let pip =
        |blurred, url: Option<&str>| Pip { padding_percent: 20.0, blurred, fill_url: url.map(str::to_owned) };
    let mask = |url: &str| Mask { urls: vec![url.to_owned()], layer_count: 1, opacity_percent: 50.0 };
    type Change<'a> = &'a dyn Fn(&mut DedupOptions);
    let changes: [(&str, Change); 6] = [
        ("over a video", &|options| options.pip = Some(pip(false, Some(&foreign)))),
        ("over a blurred video", &|options| options.pip = Some(pip(true, Some(&foreign)))),
        ("over an image", &|options| options.pip = Some(pip(false, Some(&still)))),
        ("over a colour", &|options| options.pip = Some(pip(false, None))),
        ("under a video", &|options| options.video_mask = Some(mask(&foreign))),
        ("under an image", &|options| options.pic_mask = Some(mask(&still))),
    ];
    for (what, change) in changes {
        let (found, _) = only_piece(&fixture, &fixture.plan(dedup(&[&clip], change)), what).await;
        assert!(found == plain, "{what}");
    }
}

#[tokio::test]
async fn a_single_frame_works_with_every_option() {
    let mut fixture = Fixture::new().await;
    for rate in ["12", "25", "60"] {
        let clip = fixture.quarters(&format!("{rate}.mp4"), TestVideo::new(160, 90, rate, 1), X264).await;
        for ((fill, background), fps) in every_nth(3, pairs(FILLS, [25, 60])) {
            let options = MixOptions { fill, background, ..options(SIZE, fps) };
            let rendering = fixture.render_one(base(vec![group(&[&clip, &clip])], options)).await;
            assert!(rendering.output.quality.frames_found >= 2, "{rate} {fill:?} at {fps}");
        }
        fixture.render_one(dedup(&[&clip], |options| options.mirror = true)).await;
    }
}

/// The chroma position is not only tagged differently: the samples are moved.
#[tokio::test]
async fn chroma_stays_in_its_place() {
    let mut fixture = Fixture::new().await;
    // Stripes at an angle, as sharp as chroma of half the size allows.
    let stripes =
        |_, x: u32, y: u32| if ((x + 2 * y) / 12).is_multiple_of(2) { [200, 60, 60] } else { [60, 110, 200] };
    let mut frames = Vec::new();
    for place in ["left", "center", "topleft"] {
        let convert = format!(
            "-vf format=gbrp,zscale=matrixin=gbr:rangein=full:matrix=709:range=limited:chromal={place},format=yuv420p \
             -colorspace bt709 -color_primaries bt709 -color_trc bt709 {X264}"
        );
        let clip =
            fixture.drawn(&format!("{place}.mp4"), TestVideo::new(160, 96, "30", 3), &convert, stripes).await;
        let location = probed(&fixture.folder.path().join(&clip), "chroma_location").await;
        assert_eq!(location, place);
        let same =
            MixOptions { fill: FillMode::Stretch, preset: Some(Preset::High), ..options((160, 96), 30) };
        let rendering = fixture.render_one(base(vec![group(&[&clip])], same)).await;
        frames.push(frame(&rendering.path, rendering.size, 1).await);
    }
    let [left, others @ ..] = frames.as_slice() else { unreachable!() };
    for other in others {
        let difference = left.difference(other);
        // The values would be 4.8 and 8.5 if the samples were not moved.
        assert!(difference < 3.0, "{difference}");
    }
}
