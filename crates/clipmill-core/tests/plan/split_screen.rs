//! Two clips at once.

use clipmill_core::media::Size;
use clipmill_core::plan::{Moment, estimate_prices};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use clipmill_core::transitions::Transition;

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture::new()
        .clip("a", 4.0)
        .clip("long", 40.0)
        .clip("b", 6.0)
        .clip("short", 1.5)
        .clip("flash", 0.4)
        .silent_clip("mute", 4.0)
        .image("image.png")
}

fn beside(first: &str, second: &str) -> Clip {
    split(first, clips(&[second]).remove(0))
}

fn split(first: &str, second: Clip) -> Clip {
    let split = SplitScreen { layout: SplitLayout::LeftRight, second: Box::new(second) };
    Clip { split: Some(split), ..clips(&[first]).remove(0) }
}

fn group_of(videos: Vec<Clip>) -> Group {
    Group { videos, ..group(&[]) }
}

fn reading(videos: Vec<Clip>, options: MixOptions) -> PlanReader {
    PlanReader(fixture().plan(base(vec![group_of(videos)], options)))
}

/// The files of the inputs of a video segment beside its source.
fn inputs(reading: &PlanReader, segment: usize) -> Vec<String> {
    let name = |file: &str| file.trim_start_matches("content of ").to_owned();
    reading.video(0)[segment].inputs.iter().map(|input| name(&input.origin.file.0)).collect()
}

fn audio(reading: &PlanReader) -> Vec<Vec<String>> {
    reading.tracks(0).iter().map(|track| reading.placed(track)).collect()
}

#[test]
fn the_first_clip_determines_the_length_and_both_are_heard() {
    let reading = reading(vec![beside("a", "b"), clips(&["b"]).remove(0)], options());
    assert_eq!(reading.frames(0), [120, 180]);
    assert_eq!(inputs(&reading, 0), ["b"]);
    assert!(inputs(&reading, 1).is_empty());
    assert_eq!(audio(&reading), [vec!["a 0..192000", "b 192000..480000"], vec!["b 0..192000"]]);
    let warnings = &reading.0.warnings;
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn each_half_is_even_and_filled() {
    for (size, layout, halves) in [
        (Size::new(720, 1280), SplitLayout::LeftRight, ["w=360:h=1280", "w=360:h=1280"]),
        (Size::new(720, 1280), SplitLayout::TopBottom, ["w=720:h=640", "w=720:h=640"]),
        (Size::new(1082, 720), SplitLayout::LeftRight, ["w=542:h=720", "w=540:h=720"]),
        (Size::new(720, 1078), SplitLayout::TopBottom, ["w=720:h=540", "w=720:h=538"]),
    ] {
        for fill in [FillMode::None, FillMode::Crop, FillMode::Stretch] {
            let split = SplitScreen { layout, second: Box::new(clips(&["b"]).remove(0)) };
            let clip = Clip { split: Some(split), ..clips(&["a"]).remove(0) };
            let reading = reading(vec![clip], MixOptions { size, fill, ..options() });
            let graph = reading.video(0)[0].graph.to_string();
            let stack = if layout == SplitLayout::LeftRight { "hstack" } else { "vstack" };
            let (first, second) = graph.split_once("[1:0]").unwrap();
            let (second, _) = second.split_once(stack).unwrap();
            for (part, half) in [(first, halves[0]), (second, halves[1])] {
                let middle = format!("crop={half}");
                assert!(part.contains(half) || part.contains(&middle), "{size:?} {half}: {part}");
            }
            assert!(!graph.contains(",pad="), "{graph}");
        }
    }
}

#[test]
fn a_shorter_second_clip_repeats_and_a_slightly_shorter_one_holds_its_last_frame() {
    // 1.5 s within 4 s: once, twice, and one second of the third time.
    let short = reading(vec![beside("a", "short")], options());
    assert_eq!(short.frames(0), [120]);
    assert_eq!(inputs(&short, 0), ["short"; 3]);
    assert_eq!(
        audio(&short),
        [vec!["a 0..192000"], vec!["short 0..72000", "short 72000..144000", "short 144000..192000"]]
    );
    // 3.7 s within 4 s.
    let ends = Clip { to_s: Some(3.7), ..clips(&["b"]).remove(0) };
    let held = reading(vec![split("a", ends)], options());
    assert_eq!(inputs(&held, 0), ["b"]);
    assert_eq!(audio(&held), [vec!["a 0..192000"], vec!["b 0..177600"]]);
    // One that is shorter than half a second repeats within the graph.
    let flash = reading(vec![beside("a", "flash")], options());
    assert_eq!(inputs(&flash, 0), ["flash"]);
    assert_eq!(audio(&flash), [vec!["a 0..192000"], vec!["flash 0..192000"]]);
    assert!(flash.video(0)[0].graph.to_string().contains("loop=loop=-1:size=12"));
    // An image is shown for as long as the first clip.
    assert_eq!(audio(&reading(vec![beside("a", "image.png")], options())), [vec!["a 0..192000"]]);
}

#[test]
fn a_segment_has_few_repetitions() {
    let reading = reading(vec![beside("long", "short")], options());
    assert_eq!(reading.rendition(0).frames.0, 1200);
    // Each repetition has 45 frames.
    assert_eq!(reading.frames(0), [180, 180, 180, 180, 180, 180, 120]);
    let most = (0..7).map(|segment| inputs(&reading, segment).len()).max();
    assert_eq!(most, Some(4));
    assert_eq!(reading.tracks(0)[0].parts.len(), 1, "the audio of the first clip is whole");
}

#[test]
fn parts_of_the_first_clip_read_both_files_near_their_frames() {
    let fixture = Fixture { part_seconds: 10, width: 1, ..fixture().clip("other", 60.0) };
    let second = Clip { from_s: Some(5.0), ..clips(&["other"]).remove(0) };
    let reading = PlanReader(fixture.plan(base(vec![group_of(vec![split("long", second)])], options())));
    assert_eq!(reading.frames(0), [300; 4]);
    let seeks: Vec<_> =
        reading.video(0).iter().map(|spec| (spec.part.unwrap().seek_us, spec.inputs[0].seek_us)).collect();
    let seek = |us: i64| Some(us);
    assert_eq!(
        seeks,
        [
            (None, seek(3_800_000)),
            (seek(8_800_000), seek(13_800_000)),
            (seek(18_800_000), seek(23_800_000)),
            (seek(28_800_000), seek(33_800_000)),
        ]
    );
}

#[test]
fn speed_look_and_volume_apply_to_both() {
    let look = LookChoice::try_from("sepia".to_owned()).unwrap();
    let clip =
        Clip { speed_permille: Some(2000), volume_percent: Some(50), look: Some(look), ..beside("a", "b") };
    let reading = reading(vec![clip], options());
    assert_eq!(reading.frames(0), [60]);
    let graph = reading.video(0)[0].graph.to_string();
    assert_eq!(graph.matches("setpts=expr=PTS/2").count(), 2, "{graph}");
    let filters = clipmill_core::looks::Look::find("sepia").unwrap().filters();
    let filters = filters.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    assert_eq!(graph.matches(&filters).count(), 2, "{graph}");
    for track in reading.tracks(0) {
        let spec = reading.audio(&track.parts[0]).unwrap();
        assert_eq!((spec.volume_percent, spec.tempo_permille), (50, 2000));
    }
}

#[test]
fn a_field_of_images_or_videos_needs_one_of_them() {
    let warnings = |clip: Clip| {
        let reading = reading(vec![clip], options());
        let paths = reading.0.warnings.iter().map(|warning| warning.path.clone()).collect::<Vec<_>>();
        paths.into_iter().map(|path| path.replace("/params/videoList/0/videos/0/", "")).collect::<Vec<_>>()
    };
    let fast = |clip: Clip| Clip { speed_permille: Some(1500), ..clip };
    assert!(warnings(fast(beside("image.png", "a"))).is_empty());
    assert_eq!(warnings(fast(beside("image.png", "image.png"))), ["speed"]);
    let zooms = |clip: Clip| Clip { image_motion: Some(ImageMotion::ZoomIn), ..clip };
    assert!(warnings(zooms(beside("a", "image.png"))).is_empty());
    assert_eq!(warnings(zooms(beside("a", "b"))), ["imageMotion"]);
    let late = Clip { to_s: Some(9.0), ..clips(&["b"]).remove(0) };
    assert_eq!(warnings(split("a", late)), ["second/to"]);
    let still = Clip { from_s: Some(1.0), ..clips(&["image.png"]).remove(0) };
    assert_eq!(warnings(split("a", still)), ["second/from"]);
}

#[test]
fn a_transition_joins_both_halves() {
    let names = vec![TransitionName(Transition::find("fade").unwrap())];
    let options = MixOptions { transition: Some(Transitions { names, duration_s: 1.0 }), ..options() };
    let reading = reading(vec![beside("a", "short"), beside("b", "a")], options);
    assert_eq!(reading.frames(0), [90, 30, 150]);
    // The last second of the first clip shows one repetition of the second one.
    assert_eq!(inputs(&reading, 1), ["short", "b", "a"]);
    let graph = reading.video(0)[1].graph.to_string();
    for input in ["[0:0]", "[1:0]", "[2:0]", "[3:0]"] {
        assert_eq!(graph.matches(input).count(), 1, "{input} in {graph}");
    }
    let faded: Vec<_> = reading
        .tracks(0)
        .iter()
        .flat_map(|track| &track.parts)
        .filter_map(|part| reading.audio(part))
        .filter_map(|spec| spec.crossed)
        .map(|crossed| (crossed.fade_in.0, crossed.fade_out.0))
        .collect();
    assert_eq!(faded.iter().filter(|fade| **fade == (0, 48_000)).count(), 2, "{faded:?}");
    assert_eq!(faded.iter().filter(|fade| **fade == (48_000, 0)).count(), 2, "{faded:?}");
}

#[test]
fn both_clips_continue_when_the_first_is_shown_in_pieces() {
    let voice = track("voice", None, 0.0, 0.0);
    let fixture = fixture().audio("voice", 7.5);
    let options = MixOptions { voice, length: MixLength::Voice, clip_seconds: Some(2.0), ..options() };
    let params = base(vec![group_of(vec![beside("a", "b"), clips(&["b"]).remove(0)])], options);
    let reading = PlanReader(fixture.plan(params));
    // `a` beside `b`, `b` alone, and each once more from where it stopped.
    assert_eq!(reading.sources(0), ["a", "b", "a", "b"]);
    let first = reading.audio(&reading.tracks(0)[1].parts[0]).unwrap();
    assert_eq!(first.origin_us, 0);
    let later = reading.audio(&reading.tracks(0)[1].parts[2]).unwrap();
    assert_eq!(later.origin_us, 2_000_000, "the second clip continues as well");
    let seek_us = reading.video(0)[2].inputs[0].seek_us;
    assert_eq!(seek_us, Some(800_000));
}

#[test]
fn equal_shots_share_segments_and_other_second_clips_do_not() {
    let groups = |clips: [Clip; 2]| clips.map(|clip| group_of(vec![clip])).to_vec();
    let segments = |clips: [Clip; 2]| {
        let reading = PlanReader(fixture().plan(base(groups(clips), options())));
        reading.0.items.len() - usize::from(reading.rendition(0).video == reading.rendition(1).video)
    };
    assert_eq!(segments([beside("a", "b"), beside("a", "b")]), 1);
    assert_eq!(segments([beside("a", "b"), beside("a", "long")]), 2);
    assert_eq!(segments([beside("a", "b"), clips(&["a"]).remove(0)]), 2);
    let other = Clip { from_s: Some(1.0), ..clips(&["b"]).remove(0) };
    assert_eq!(segments([beside("a", "b"), split("a", other)]), 2);
    let mut below = beside("a", "b");
    below.split.as_mut().unwrap().layout = SplitLayout::TopBottom;
    assert_eq!(segments([beside("a", "b"), below]), 2);
}

#[test]
fn the_second_clip_costs_nothing() {
    let prices = PriceList { hd: 1, full_hd: 2, above: 4, speech: 0, transcription: 0 };
    let points = |clip: Clip| {
        let request = request(base(vec![group_of(vec![clip])], options()));
        estimate_prices(&request, 1, &fixture().facts, &prices)[0].points
    };
    assert_eq!(points(beside("a", "long")), points(clips(&["a"]).remove(0)));
}

#[test]
fn bad_second_clips_are_reported_with_the_others() {
    let fixture = fixture().bad("broken").audio("sound", 3.0);
    let error = |second: Clip| {
        let reading = PlanReader(fixture.plan(base(vec![group_of(vec![split("a", second)])], options())));
        let (code, input) = reading.error(0);
        (code.as_str().to_owned(), input.map(str::to_owned))
    };
    let of = |name: &str| clips(&[name]).remove(0);
    assert_eq!(error(of("broken")), ("MEDIA_DAMAGED".into(), Some("broken".into())));
    assert_eq!(error(of("sound")), ("NO_VIDEO_STREAM".into(), Some("sound".into())));
    let late = Clip { from_s: Some(7.0), ..of("b") };
    assert_eq!(error(late), ("CLIP_TOO_SHORT".into(), Some("b".into())));
}

#[test]
fn a_preview_reads_both_files_near_its_frame() {
    let moment = Moment { item_no: 1, clip: None, at_s: Some(30.0) };
    let params = base(vec![group_of(vec![beside("long", "short")])], options());
    let frame = fixture().still(params, &moment).unwrap();
    let quick = frame.quick.unwrap();
    assert_eq!((quick.frame.0, quick.seek_us), (900, Some(29_733_333)));
    // 30 s is the beginning of the 21st repetition; the two frames before it end the 20th.
    assert_eq!(quick.video.inputs.len(), 2);
    assert_eq!(frame.exact.video.inputs.iter().map(|input| input.seek_us).collect::<Vec<_>>(), [None, None]);
    assert_eq!(frame.sources.len(), 2);
}
