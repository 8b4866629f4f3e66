//! Long videos in parts: where they are split, what they share, and which videos stay whole.

use clipmill_core::media::{ContentHash, MediaInfo, VideoInfo};
use clipmill_core::plan::Plan;
use clipmill_core::request::model::*;
use clipmill_core::segment::CacheKey;
use clipmill_core::segment::VideoSpec;

use crate::dedup::unchanged;
use crate::fixture::*;

/// A fixture that renders parts of ten seconds.
fn fixture() -> Fixture {
    Fixture { part_seconds: 10, width: 1, ..Fixture::new() }
}

fn dedup(name: &str, options: DedupOptions) -> Params {
    Params::VideoDeduplication(DedupParams { videos: clips(&[name]), options, seed: Some(1) })
}

/// A clip whose facts `change` alters.
fn other(
    fixture: Fixture,
    name: &str,
    seconds: f64,
    change: impl FnOnce(&mut MediaInfo, &mut VideoInfo),
) -> Fixture {
    let (mut info, mut video) = (
        MediaInfo {
            content: ContentHash(format!("content of {name}").into()),
            size_bytes: 1,
            format: "mov,mp4,m4a,3gp,3g2,mj2".into(),
            video: None,
            audio: None,
            animation: None,
            condition: None,
        },
        video(seconds),
    );
    change(&mut info, &mut video);
    info.video = Some(video);
    let mut fixture = fixture;
    fixture.facts.media.insert(name.into(), Ok(info));
    fixture
}

fn frames(plan: Plan) -> Vec<u64> {
    PlanReader(plan).frames(0)
}

#[test]
fn a_long_video_is_rendered_in_parts_and_its_audio_as_a_whole() {
    let reading = PlanReader(fixture().clip("a", 34.0).plan(dedup("a", unchanged())));
    assert_eq!(reading.frames(0), [300, 300, 420]);
    assert_eq!(reading.rendition(0).frames.0, 1020);
    let begins: Vec<u64> = reading.video(0).iter().map(|picture| picture.part.unwrap().begin.0).collect();
    assert_eq!(begins, [0, 300, 600]);
    assert_eq!(reading.tracks(0)[0].parts.len(), 1);
    // Seeking goes a little before the first wanted frame; the first part needs no seeking.
    let seeks: Vec<Option<i64>> =
        reading.video(0).iter().map(|picture| picture.part.unwrap().seek_us).collect();
    assert_eq!(seeks, [None, Some(8_800_000), Some(18_800_000)]);
}

/// Parts get longer before a task has thousands: their specifications would take gigabytes.
#[test]
fn a_task_of_many_hours_has_longer_parts() {
    let names: Vec<String> = (0..60).map(|number| format!("a{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let fixture = names.iter().fold(fixture(), |fixture, name| fixture.clip(name, 3_600.0));
    let videos = DedupParams { videos: clips(&names), options: unchanged(), seed: Some(1) };
    let reading = PlanReader(fixture.plan(Params::VideoDeduplication(videos)));
    let begins: Vec<u64> = reading.video(0).iter().map(|picture| picture.part.unwrap().begin.0).collect();
    assert_eq!(
        begins,
        (0..45).map(|part| part * 80 * 30).collect::<Vec<_>>(),
        "60 times 360 parts are too many"
    );
    assert_eq!(reading.rendition(0).frames.0, 3_600 * 30);
}

#[test]
fn shorter_videos_are_unchanged() {
    let with = |part_seconds| {
        Fixture { part_seconds, width: 1, ..Fixture::new() }.clip("a", 14.0).plan(dedup("a", unchanged()))
    };
    assert_eq!(with(10), with(0));
    assert_ne!(with(9), with(0));
}

#[test]
fn outputs_of_different_length_share_their_first_parts() {
    let group = |seconds| Group { total_duration_s: Some(seconds), ..group(&["a"]) };
    let reading = PlanReader(fixture().clip("a", 60.0).plan(base(vec![group(50.0), group(32.0)], options())));
    let (long, short) = (&reading.rendition(0).video, &reading.rendition(1).video);
    assert_eq!((long.len(), short.len()), (5, 3));
    assert_eq!(long[..2], short[..2]);
    assert_ne!(long[2], short[2]);
}

#[test]
fn captions_of_parts_are_those_of_the_whole() {
    let mut options = options();
    options.subtitle = subtitle("s.srt");
    let fixture = fixture()
        .clip("a", 24.0)
        .cues("s.srt", &[(9_000, 11_000, "over the seam"), (12_000, 13_000, "later")]);
    let reading = PlanReader(fixture.plan(base(vec![group(&["a"])], options)));
    let captions: Vec<String> = (reading.video(0).iter())
        .map(|picture| picture.captions.as_ref().map_or(String::new(), |view| view.to_ass()))
        .collect();
    let times = |ass: &str| -> Vec<String> {
        let lines = ass.lines().filter(|line| line.starts_with("Dialogue:"));
        lines.map(|line| line.split(',').skip(1).take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(times(&captions[0]), ["0:00:08.99 0:00:09.99"]);
    assert_eq!(times(&captions[1]), ["0:00:00.00 0:00:00.99", "0:00:01.99 0:00:02.99"]);
}

#[test]
fn shared_footage_of_parts_equals_that_of_the_whole() {
    let shared = |part_seconds| {
        let fixture = Fixture { part_seconds, width: 1, ..Fixture::new() }
            .clip("a", 40.0)
            .clip("b", 5.0)
            .clip("c", 5.0);
        let params = pro(vec![scene(32.0, &["a"]), scene(5.0, &["b", "c"])], 2);
        fixture.plan(Params::ProVideoMix(params)).diversity.unwrap().most_similar.shared_seconds
    };
    assert_eq!((shared(0), shared(10)), (32.0, 32.0));
}

#[test]
fn an_effect_is_drawn_only_where_it_is_seen() {
    let options = |strength_percent| DedupOptions {
        effect: Some(Effect {
            name: "snow".into(),
            strength_percent,
            duration_s: 3.0,
            position_percent: 40.0,
        }),
        ..unchanged()
    };
    let plan = |strength| PlanReader(fixture().clip("a", 40.0).plan(dedup("a", options(strength))));
    let (weak, strong) = (plan(10.0), plan(90.0));
    let same: Vec<bool> = (weak.rendition(0).video.iter())
        .zip(&strong.rendition(0).video)
        .map(|(weak, strong)| weak == strong)
        .collect();
    assert_eq!(same, [true, false, true, true]);
}

#[test]
fn videos_that_cannot_be_continued_exactly_stay_whole() {
    let with_format = |format: &str| {
        let fixture = other(fixture(), "a", 40.0, |info, _| info.format = format.into());
        frames(fixture.plan(dedup("a", unchanged()))).len()
    };
    assert_eq!(with_format("mov,mp4,m4a,3gp,3g2,mj2"), 4);
    assert_eq!(with_format("matroska,webm"), 4);
    assert_eq!([with_format("mpegts"), with_format("avi"), with_format("flv")], [1, 1, 1]);
    let mixed = |format: &str| {
        let fixture = other(fixture(), "a", 40.0, |info, _| info.format = format.into());
        frames(fixture.plan(base(vec![group(&["a"])], options()))).len()
    };
    assert_eq!((mixed("matroska,webm"), mixed("mpegts")), (4, 1));

    let with_mask = |change: fn(&mut MediaInfo, &mut VideoInfo)| {
        let fixture = other(fixture().clip("a", 40.0), "mask", 4.0, change);
        let mask = Mask { urls: vec!["mask".into()], layer_count: 1, opacity_percent: 20.0 };
        frames(fixture.plan(dedup("a", DedupOptions { video_mask: Some(mask), ..unchanged() }))).len()
    };
    assert_eq!(with_mask(|_, _| ()), 4);
    assert_eq!(with_mask(|_, video| video.still = true), 4);
    assert_eq!(with_mask(|_, video| video.duration_s = 4.02), 1, "the last picture lasts longer");
    assert_eq!(
        with_mask(|_, video| (video.rate, video.duration_s) = (24.87, 100.0 / 24.87)),
        1,
        "an uneven rate"
    );
    assert_eq!(with_mask(|info, _| info.format = "mpegts".into()), 1);
}

/// A still image behind the video gives the output its times: those of a part continue where the previous one ended.
#[test]
fn a_still_background_continues_its_frame_numbers() {
    let numbered = |fill_url: Option<String>| -> Vec<usize> {
        let fixture = other(fixture().clip("a", 40.0), "fill", 0.04, |_, video| video.still = true);
        let pip = Some(Pip { padding_percent: 10.0, blurred: true, fill_url });
        let reading = PlanReader(fixture.plan(dedup("a", DedupOptions { pip, ..unchanged() })));
        let count = |picture: &&VideoSpec| {
            let begin = picture.part.unwrap().begin.0;
            picture.graph.to_string().matches(&format!("(N+{begin})")).count()
        };
        reading.video(0).iter().map(count).collect()
    };
    let (plain, filled) = (numbered(None), numbered(Some("fill".into())));
    let more: Vec<usize> = plain.iter().zip(&filled).map(|(plain, filled)| filled - plain).collect();
    assert_eq!(more, [0, 1, 1, 1]);
}

#[test]
fn an_output_lists_its_segments_and_its_audio() {
    let reading = PlanReader(fixture().clip("a", 34.0).plan(dedup("a", unchanged())));
    let rendition = reading.rendition(0);
    let names: Vec<_> = rendition.names().collect();
    let mut expected: Vec<_> = rendition.segments().into_iter().map(CacheKey::from).collect();
    expected.push(rendition.audio.as_ref().unwrap().key().into());
    assert_eq!((names.len(), names), (5, expected));
}
