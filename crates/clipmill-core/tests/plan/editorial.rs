//! Timelines for editing programs: clips with in-points, transitions, audio levels, captions, OpenTimelineIO.

use clipmill_core::editorial::{
    ClipContent, EditorialClip, EditorialItem, EditorialTimeline, EditorialTrack, MediaTarget, Playback,
    to_otio,
};
use clipmill_core::error::ErrorCode;
use clipmill_core::footage::Footage;
use clipmill_core::plan::{FrameError, as_planned, editorial_inputs, editorial_timeline};
use clipmill_core::request::model::*;
use clipmill_core::subtitle::SubtitleStyle;
use clipmill_core::transitions::Transition;
use serde_json::{Value, json};

use crate::fixture::*;

impl Fixture {
    fn editorial(&self, params: Params, item_no: u32) -> Result<EditorialTimeline, FrameError> {
        let seed = params.seed().unwrap_or(1);
        let request = request(params);
        self.within(|context| editorial_timeline(&request, seed, &self.facts, context, item_no))
    }
}

/// A track in one line: clips as `name@start+length`, with their speed and gain if changed.
fn line(timeline: &EditorialTimeline, track: &EditorialTrack) -> String {
    let item = |item: &EditorialItem| match item {
        EditorialItem::Gap(length) => format!("gap {length}"),
        EditorialItem::Transition(transition) => {
            format!("{} {}/{}", transition.name, transition.before, transition.after)
        }
        EditorialItem::Clip(clip) => {
            let content = match &clip.content {
                ClipContent::Media { index, start_s } => {
                    format!("{}@{start_s:.3}", timeline.media[*index].url)
                }
                ClipContent::Text(text) => format!("\"{text}\""),
            };
            let playback = match clip.playback {
                Playback::PLAIN => String::new(),
                Playback::Speed(speed) => format!(" x{speed}"),
                Playback::Freeze => " frozen".to_owned(),
            };
            let gain = if clip.gain == 1.0 { String::new() } else { format!(" gain {:.2}", clip.gain) };
            format!("{content}+{}{playback}{gain}", clip.length)
        }
    };
    track.items.iter().map(item).collect::<Vec<_>>().join(" | ")
}

fn length(track: &EditorialTrack) -> u64 {
    let length = |item: &EditorialItem| match item {
        EditorialItem::Gap(length) => *length,
        EditorialItem::Clip(clip) => clip.length,
        EditorialItem::Transition(_) => 0,
    };
    track.items.iter().map(length).sum()
}

fn led(names: &[&str], duration_s: f64) -> MixOptions {
    let names = names.iter().map(|name| TransitionName(Transition::find(name).unwrap())).collect();
    MixOptions { transition: Some(Transitions { names, duration_s }), ..options() }
}

fn fixture() -> Fixture {
    Fixture::new().clip("a", 4.0).clip("b", 4.0).clip("c", 4.0).silent_clip("mute", 1.0).audio("music", 3.0)
}

fn video_line(fixture: &Fixture, params: Params) -> String {
    let timeline = fixture.editorial(params.clone(), 1).unwrap();
    let planned = PlanReader(fixture.plan(params));
    assert_eq!(timeline.frames, planned.rendition(0).frames);
    assert_eq!(length(&timeline.video[0]), timeline.frames.0, "without a hole");
    for track in &timeline.audio {
        assert!(length(track) <= planned.rendition(0).audio.as_ref().unwrap().samples.0);
    }
    line(&timeline, &timeline.video[0])
}

#[test]
fn a_transition_is_at_the_cut_in_its_middle() {
    let fixture = fixture();
    let plain = base(vec![group(&["a", "b"])], options());
    assert_eq!(video_line(&fixture, plain), "a@0.000+120 | b@0.000+120");
    let params = base(vec![group(&["a", "b", "c"])], led(&["slideup"], 0.5));
    // Overlaps are 15 frames: 105..120 and 210..225. In-points are frames of the files, which have 25 a second, and `b` ends
    // a fraction of a frame before the second overlap does.
    assert_eq!(
        video_line(&fixture, params),
        "a@0.000+112 | slideup 7/8 | b@0.240+105 | slideup 7/7 | c@0.240+113"
    );
}

#[test]
fn a_trimmed_output_ends_in_the_middle_of_a_transition() {
    let fixture = fixture();
    let cut = |total_duration_s: f64| {
        let group = Group { total_duration_s: Some(total_duration_s), ..group(&["a", "b", "c"]) };
        video_line(&fixture, base(vec![group], led(&["fade"], 1.0)))
    };
    assert_eq!(cut(5.0), "a@0.000+105 | fade 14/15 | b@0.480+45");
    assert_eq!(cut(3.5), "a@0.000+97 | fade 7/8 | b@0.240+8");
    assert_eq!(cut(3.0), "a@0.000+90");
}

#[test]
fn repeated_and_held_clips_are_clips_of_their_own() {
    let fixture = fixture();
    let long = Params::ProVideoMix(pro(vec![scene(2.8, &["mute"]), scene(4.2, &["a"])], 1));
    assert_eq!(
        video_line(&fixture, long),
        "mute@0.000+30 | mute@0.000+30 | mute@0.000+24 | a@0.000+120 | a@3.960+6 frozen"
    );
    let mut clips = clips(&["a"]);
    clips[0].from_s = Some(1.5);
    clips[0].to_s = Some(2.0);
    let part = Group { videos: clips, total_duration_s: None };
    assert_eq!(video_line(&fixture, base(vec![part], options())), "a@1.480+15");
    // Shorter than half a second: one segment repeats it.
    let short = Fixture::new().silent_clip("short", 0.2);
    let looped = Params::ProVideoMix(pro(vec![scene(1.0, &["short"])], 1));
    assert_eq!(video_line(&short, looped), ["short@0.000+6"; 5].join(" | "));
}

#[test]
fn clips_with_a_speed_of_their_own_start_in_their_own_time() {
    let fixture = fixture();
    let mut clips = clips(&["a", "b"]);
    clips[0].speed_permille = Some(2000);
    (clips[1].from_s, clips[1].speed_permille) = (Some(1.0), Some(500));
    let group = Group { videos: clips, total_duration_s: None };
    let led = led(&["slideup"], 0.5);
    // 4 s at double speed are 60 frames, 3 s at half speed 180.
    assert_eq!(
        video_line(&fixture, base(vec![group], led)),
        "a@0.000+52 x2 | slideup 7/8 | b@1.120+173 x0.5"
    );
}

#[test]
fn video_layers_are_clips_on_tracks_of_their_own() {
    let fixture = fixture();
    let layer = |looped| VideoLayer {
        url: "mute".into(),
        width_percent: 30.0,
        opacity_percent: 100.0,
        looped,
        volume_percent: 0,
        key: None,
    };
    let over = |looped, end_s| MixOptions {
        overlays: vec![overlay(OverlayContent::Video(layer(looped)), 1.0, end_s)],
        ..options()
    };
    let track = |options| {
        let timeline = fixture.editorial(base(vec![group(&["a"])], options), 1).unwrap();
        line(&timeline, &timeline.video[1])
    };
    assert_eq!(track(over(false, None)), "gap 30 | mute@0.000+30");
    assert_eq!(track(over(true, Some(2.5))), "gap 30 | mute@0.000+30 | mute@0.000+15");
}

#[test]
fn audio_tracks_have_levels_and_fades() {
    let fixture = fixture();
    let mut options = MixOptions { original_volume: 50, fade_out_s: 1.0, ..options() };
    options.music = track("music", None, 0.5, 0.0);
    options.voice = track("c", Some(1.0), 0.0, 0.25);
    options.voice.as_mut().unwrap().start_s = Some(2.0);
    options.sounds =
        vec![Sound { url: "b".into(), at_s: 1.0, volume_percent: 80, from_s: Some(3.0), duration_s: None }];
    let mut group = group(&["a", "mute"]);
    group.videos[0].volume_percent = Some(40);
    let timeline = fixture.editorial(base(vec![group], options), 1).unwrap();
    let lines: Vec<(String, String)> =
        timeline.audio.iter().map(|track| (track.name.clone(), line(&timeline, track))).collect();
    let expected = [
        ("Clips", "a@0.000+192000 gain 0.20 | gap 48000"),
        ("Voice", "gap 96000 | c@0.000+48000 gain 0.80 | fade 12000/0"),
        ("Music", "fade 0/24000 | music@0.000+144000 gain 0.80 | music@0.000+96000 gain 0.80 | fade 48000/0"),
        ("Sounds", "gap 48000 | b@3.000+48000 gain 0.80"),
    ];
    assert_eq!(lines, expected.map(|(name, line)| (name.to_owned(), line.to_owned())));
}

/// OpenTimelineIO has no place for two transitions at one cut, and none for one longer than its clips.
#[test]
fn transitions_are_apart_and_within_their_clips() {
    let check = |timeline: &EditorialTimeline| {
        for track in timeline.video.iter().chain(&timeline.audio) {
            let mut used = 0;
            for (index, item) in track.items.iter().enumerate() {
                let next = track.items.get(index + 1);
                match item {
                    EditorialItem::Transition(one) => {
                        assert!(!matches!(next, Some(EditorialItem::Transition(_))), "{:?}", track.items);
                        used = one.after;
                    }
                    EditorialItem::Clip(EditorialClip { length, .. }) | EditorialItem::Gap(length) => {
                        let before = match next {
                            Some(EditorialItem::Transition(one)) => one.before,
                            _ => 0,
                        };
                        assert!(used + before <= *length, "{:?}", track.items);
                        used = 0;
                    }
                }
            }
        }
    };
    let fixture = fixture().clip("brief", 0.6).audio("jingle", 1.0);
    // The whole mix fades out over the crossfade of the last two clips.
    let options = MixOptions { fade_out_s: 3.0, ..led(&["fade"], 0.5) };
    for names in [&["a", "b", "c"][..], &["a", "brief", "b"], &["brief", "brief"], &["a", "brief"]] {
        let options = MixOptions { music: track("jingle", None, 0.7, 0.7), ..options.clone() };
        check(&fixture.editorial(base(vec![group(names)], options), 1).unwrap());
    }
    let timeline = fixture.editorial(base(vec![group(&["a", "brief"])], options), 1).unwrap();
    // The output ends with the second clip, after 123 frames.
    assert_eq!(line(&timeline, &timeline.audio[0]), "a@0.000+192000 | fade 24000/0");
    assert_eq!(
        line(&timeline, &timeline.audio[1]),
        "gap 168000 | fade 0/24000 | brief@0.000+28800 | fade 4800/0"
    );
    let shortened = &timeline.audio[1].details["shortenedTransitions"][0];
    assert_eq!((&shortened["before"], &shortened["at"]), (&json!(144_000), &json!(196_800)));
}

#[test]
fn in_points_are_the_frames_that_the_output_shows() {
    let fixture = |rate: f64, seconds: f64| {
        let mut fixture = Fixture::new().clip("a", seconds);
        let mut info = fixture.facts.media["a"].clone().unwrap();
        let video = info.video.as_mut().unwrap();
        (video.rate, video.frames) = (rate, (seconds * rate).round() as u64);
        fixture.facts.media.insert("a".into(), Ok(info));
        fixture
    };
    let starts = |fixture: &Fixture, params: Params| -> Vec<f64> {
        let otio = to_otio(&fixture.editorial(params, 1).unwrap(), "name", &[], &Value::Null);
        let items = otio["tracks"]["children"][0]["children"].as_array().unwrap();
        items.iter().map(|item| item["source_range"]["start_time"]["value"].as_f64().unwrap()).collect()
    };
    // 0.5 s is half a frame after frame 12 at 25 frames a second; the filter rounds that down.
    let mut videos = clips(&["a"]);
    videos[0].from_s = Some(0.5);
    let part = base(vec![Group { videos, total_duration_s: None }], options());
    assert_eq!(starts(&fixture(25.0, 4.0), part), [12.0]);
    // The last frame of 3 s at 50 frames a second is held.
    let held = Params::ProVideoMix(pro(vec![scene(3.2, &["a"])], 1));
    assert_eq!(starts(&fixture(50.0, 3.0), held), [0.0, 149.0]);
}

#[test]
fn held_clips_are_silent_and_looping_ones_end_at_a_transition() {
    let fixture = fixture();
    let mut long = pro(vec![scene(4.2, &["a"])], 1);
    long.options.original_volume = 100;
    let timeline = fixture.editorial(Params::ProVideoMix(long), 1).unwrap();
    assert_eq!(line(&timeline, &timeline.audio[0]), "a@0.000+192000 | gap 9600");
    let mut looped = pro(vec![scene(3.2, &["mute"]), scene(2.0, &["a"])], 1);
    looped.options.transition = led(&["fade"], 0.5).transition;
    let timeline = fixture.editorial(Params::ProVideoMix(looped), 1).unwrap();
    // Two frames of the file are left for the transition after the cut.
    assert_eq!(
        line(&timeline, &timeline.video[0]),
        "mute@0.000+30 | mute@0.000+30 | mute@0.000+28 | fade 7/2 | a@0.240+53"
    );
}

#[test]
fn audio_tracks_are_named_by_their_role() {
    let fixture = fixture();
    let mut options = MixOptions { original_volume: 100, ..options() };
    // One file in all roles.
    options.music = track("a", None, 0.0, 0.0);
    options.voice = track("a", None, 0.0, 0.0);
    options.sounds =
        vec![Sound { url: "a".into(), at_s: 1.0, volume_percent: 80, from_s: None, duration_s: None }];
    let timeline = fixture.editorial(base(vec![group(&["a"])], options), 1).unwrap();
    let names: Vec<&str> = timeline.audio.iter().map(|track| track.name.as_str()).collect();
    assert_eq!(names, ["Clips", "Voice", "Music", "Sounds"]);
}

#[test]
fn audio_of_overlapping_clips_is_on_two_tracks() {
    let fixture = fixture();
    let params = base(vec![group(&["a", "b", "c"])], led(&["fade"], 0.5));
    let timeline = fixture.editorial(params, 1).unwrap();
    let lines: Vec<String> = timeline.audio.iter().map(|track| line(&timeline, track)).collect();
    assert_eq!(
        lines,
        [
            "a@0.000+192000 | fade 24000/0 | gap 144000 | fade 0/24000 | c@0.000+192000",
            "gap 168000 | fade 0/24000 | b@0.000+192000 | fade 24000/0",
        ]
    );
}

fn overlay(shown: OverlayContent, start_s: f64, end_s: Option<f64>) -> Overlay {
    Overlay {
        shown,
        place: OverlayPlace::At(Anchor::Top),
        margin_percent: 4.0,
        start_s,
        end_s,
        motions: OverlayMotions::default(),
    }
}

#[test]
fn overlays_are_tracks_and_captions_are_markers() {
    let fixture = fixture().image("logo").cues("s", &[(500, 1_500, "One\ntwo"), (3_000, 60_000, "Last")]);
    let style = SubtitleStyle::DEFAULT;
    let text = OverlayContent::Text { texts: vec!["Sale".into()], style, max_width_percent: 80.0 };
    let logo = OverlayContent::Image { url: "logo".into(), width_percent: 20.0, opacity_percent: 100.0 };
    let overlays =
        vec![overlay(text, 0.0, Some(2.0)), overlay(logo.clone(), 1.0, None), overlay(logo, 9.0, None)];
    let options = MixOptions { overlays, subtitle: subtitle("s"), ..options() };
    let timeline = fixture.editorial(base(vec![group(&["a"])], options), 1).unwrap();
    let lines: Vec<String> = timeline.video.iter().map(|track| line(&timeline, track)).collect();
    // The text is first in the request, but above the image.
    assert_eq!(lines, ["a@0.000+120", "gap 30 | logo@0.000+90", "\"Sale\"+60"]);
    assert_eq!([1, 2].map(|index| timeline.video[index].name.as_str()), ["Overlay 2", "Overlay 1"]);
    assert_eq!(timeline.media.len(), 2);
    let captions: Vec<_> =
        timeline.captions.iter().map(|one| (one.shown.start.0, one.shown.end.0, one.text.as_str())).collect();
    assert_eq!(captions, [(15, 45, "One\ntwo"), (90, 120, "Last")]);
    let otio = to_otio(&timeline, "name", &[], &Value::Null);
    let marker = &otio["tracks"]["markers"][0];
    assert_eq!(marker["marked_range"]["start_time"]["value"], 15.0);
    assert_eq!(marker["name"], "One\ntwo");
    let generator = &otio["tracks"]["children"][2]["children"][0]["media_reference"];
    assert_eq!(generator["parameters"]["text"], "Sale");
}

#[test]
fn a_varied_video_is_one_clip_at_its_speed() {
    let fixture = fixture();
    let speed = Some(Span { min: 1.2, max: 1.2 });
    let options = DedupOptions { speed, ..crate::dedup::unchanged() };
    let params = Params::VideoDeduplication(DedupParams { videos: clips(&["a"]), options, seed: Some(1) });
    let timeline = fixture.editorial(params.clone(), 1).unwrap();
    assert_eq!(timeline.frames, PlanReader(fixture.plan(params)).rendition(0).frames);
    let lines = [&timeline.video[0], &timeline.audio[0]].map(|track| line(&timeline, track));
    assert_eq!(lines, ["a@0.000+100 x1.2", "a@0.000+160000 x1.2"]);
    assert_eq!(timeline.video[0].items.len(), 1);
}

#[test]
fn in_points_are_in_the_rate_of_the_file() {
    let mut fixture = fixture();
    let mut info = fixture.facts.media["a"].clone().unwrap();
    info.video.as_mut().unwrap().rate = 24_000.0 / 1_001.0;
    fixture.facts.media.insert("a".into(), Ok(info));
    let mut videos = clips(&["a", "b"]);
    videos[0].from_s = Some(1.5);
    let params = base(vec![Group { videos, total_duration_s: None }], options());
    let timeline = fixture.editorial(params, 1).unwrap();
    let targets = [MediaTarget::File("media/1-a.mp4".into()), MediaTarget::Missing];
    let otio = to_otio(&timeline, "name", &targets, &json!({ "itemNo": 1 }));
    let clip = &otio["tracks"]["children"][0]["children"][0];
    let start = &clip["source_range"]["start_time"];
    assert_eq!((&start["value"], &start["rate"]), (&json!(36.0), &json!(24_000.0 / 1_001.0)));
    assert_eq!(clip["source_range"]["duration"]["value"], 75.0);
    assert_eq!(clip["source_range"]["duration"]["rate"], 30.0);
    assert_eq!(clip["media_reference"]["target_url"], "media/1-a.mp4");
    assert_eq!(clip["name"], "1-a.mp4");
    assert_eq!(clip["media_reference"]["available_range"]["duration"]["value"], 96.0);
    let missing = &otio["tracks"]["children"][0]["children"][1]["media_reference"];
    assert_eq!(missing["OTIO_SCHEMA"], "MissingReference.1");
    assert_eq!(missing["metadata"]["clipmill"]["url"], "b");
    // The audio of the same clips is counted in samples.
    let audio = &otio["tracks"]["children"][1];
    assert_eq!(
        (&audio["kind"], &audio["children"][0]["source_range"]["start_time"]["value"]),
        (&json!("Audio"), &json!(72_000.0))
    );
    assert_eq!(otio["metadata"]["clipmill"]["output"]["itemNo"], 1);
}

/// Files that could not be used when the task was planned, and files of other outputs, are not needed again.
#[test]
fn an_output_is_planned_again_by_its_recipe() {
    let fixture = Fixture::new().clip("a", 9.0).clip("b", 9.0).bad("c").clip("d", 9.0).audio("bad", 1.0);
    let fixture = fixture.audio("one", 1.0).audio("two", 1.0).bad("three");
    let mut params = pro(vec![scene(2.0, &["a", "b", "c", "d"]), scene(2.0, &["d", "c", "b"])], 4);
    params.options.clip_start = ClipStart::Random;
    let pool = ["three", "one", "two"].map(|url| track(url, None, 0.0, 0.0).unwrap());
    params.options.music_pool = pool.to_vec();
    let params = Params::ProVideoMix(params);
    let plan = fixture.plan(params.clone());
    let recipes: Vec<&Value> = plan.items.iter().map(|item| &item.recipe).collect();
    for item in &plan.items {
        let planned = as_planned(&request(params.clone()), &recipes, item.item_no);
        // Only the files of the output are known.
        let mut of_output = Fixture::new();
        loop {
            let needed = editorial_inputs(&planned, 1, &of_output.facts, item.item_no);
            if needed.is_empty() {
                break;
            }
            for input in needed {
                of_output.facts.media.insert(input.url.clone(), fixture.facts.media[&input.url].clone());
            }
        }
        assert!(of_output.facts.media.values().all(Result::is_ok), "{:?}", of_output.facts.media.keys());
        let timeline = of_output.editorial(planned.params.clone(), item.item_no).unwrap();
        let footage = timeline.video[0].items.iter().map(|item| match item {
            EditorialItem::Clip(clip) => match &clip.content {
                ClipContent::Media { index, start_s } => {
                    let start = (start_s * 30.0).round() as u64;
                    (timeline.media[*index].content.clone(), start..start + clip.length)
                }
                ClipContent::Text(_) => unreachable!(),
            },
            other => panic!("{other:?}"),
        });
        assert_eq!(Footage::of(footage), item.footage, "output {}", item.item_no);
        let music = &timeline.audio.last().unwrap();
        let expected = ["three", "one", "two"][item.recipe["backgroundMusicPool"].as_u64().unwrap() as usize];
        assert!(line(&timeline, music).contains(expected), "{}", line(&timeline, music));
    }
}

#[test]
fn files_are_listed_before_they_are_known_and_items_must_exist() {
    let fixture = Fixture::new();
    let options = MixOptions { music: track("music", None, 0.0, 0.0), ..options() };
    let params = base(vec![group(&["a"]), group(&["b"])], options);
    let inputs = editorial_inputs(&request(params.clone()), 1, &fixture.facts, 2);
    let urls: Vec<&str> = inputs.iter().map(|input| input.url.as_str()).collect();
    assert_eq!(urls, ["b", "music"]);
    assert_eq!(fixture.editorial(params.clone(), 3).unwrap_err(), FrameError::NoSuchItem(2));
    let bad = Fixture::new().bad("a");
    match bad.editorial(params, 1).unwrap_err() {
        FrameError::Task(error) => assert_eq!(error.code, ErrorCode::MediaDamaged),
        other => panic!("{other:?}"),
    }
}

/// Second clips are on a track of their own, each repetition as a clip, with a gap where there is none.
#[test]
fn second_clips_have_a_track() {
    let fixture = fixture();
    let split =
        |layout, second: &str| Some(SplitScreen { layout, second: Box::new(clips(&[second]).remove(0)) });
    let mut videos = clips(&["a", "b", "c"]);
    videos[0].split = split(SplitLayout::LeftRight, "mute");
    videos[2].split = split(SplitLayout::TopBottom, "b");
    let lines = |options: MixOptions| {
        let params = base(vec![Group { videos: videos.clone(), ..group(&[]) }], options);
        let timeline = fixture.editorial(params, 1).unwrap();
        let [clips, second] = timeline.video.as_slice() else { panic!("{:?}", timeline.video) };
        assert_eq!((length(clips), length(second)), (timeline.frames.0, timeline.frames.0));
        let audio = timeline.audio.iter().map(|track| format!("{}: {}", track.name, line(&timeline, track)));
        (line(&timeline, clips), line(&timeline, second), audio.collect::<Vec<_>>())
    };
    let (clips, second, audio) = lines(options());
    assert_eq!(clips, "a@0.000+120 | b@0.000+120 | c@0.000+120");
    assert_eq!(
        second,
        "mute@0.000+30 | mute@0.000+30 | mute@0.000+30 | mute@0.000+30 | gap 120 | b@0.000+120"
    );
    assert_eq!(
        audio,
        [
            "Clips: a@0.000+192000 | b@0.000+192000 | c@0.000+192000",
            "Second clips: gap 384000 | b@0.000+192000"
        ]
    );
    let (_, second, _) = lines(led(&["fade"], 0.4));
    assert_eq!(
        second,
        "mute@0.000+30 | mute@0.000+30 | mute@0.000+30 | mute@0.000+24 | fade 6/6 | gap 108 | fade 6/6 | b@0.200+114"
    );
}
