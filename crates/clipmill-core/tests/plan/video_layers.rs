//! Videos over mixes: which stretches segments read, what they share, audio, warnings, previews.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::{MediaInfo, Size, VideoInfo};
use clipmill_core::plan::{Moment, frame_inputs, needed_inputs};
use clipmill_core::request::model::*;
use clipmill_core::segment::{ExtraInput, SegmentKey};

use crate::fixture::*;

fn layer(url: &str, change: impl FnOnce(&mut VideoLayer)) -> Overlay {
    let mut layer = VideoLayer {
        url: url.into(),
        width_percent: 20.0,
        opacity_percent: 100.0,
        looped: false,
        volume_percent: 0,
        key: None,
    };
    change(&mut layer);
    Overlay {
        shown: OverlayContent::Video(layer),
        place: OverlayPlace::At(Anchor::TopRight),
        margin_percent: 4.0,
        start_s: 0.0,
        end_s: None,
        motions: OverlayMotions::default(),
    }
}

fn looped(url: &str) -> Overlay {
    layer(url, |layer| layer.looped = true)
}

fn over(overlays: Vec<Overlay>) -> MixOptions {
    MixOptions { overlays, ..options() }
}

fn fixture() -> Fixture {
    let fixture = Fixture::new().clip("a", 2.0).clip("b", 2.0).clip("c", 2.0).image("logo");
    fixture.clip("short", 3.0).silent_clip("hours", 7200.0).silent_clip("wide", 9.0).audio("voice", 4.0)
}

fn made(options: MixOptions, groups: &[&[&str]]) -> PlanReader {
    PlanReader(fixture().plan(base(groups.iter().map(|names| group(names)).collect(), options)))
}

fn names(reading: &PlanReader, item: usize) -> Vec<SegmentKey> {
    reading.rendition(item).video.clone()
}

fn warnings(reading: &PlanReader) -> Vec<String> {
    let warnings = reading.item(0).warnings.iter();
    warnings.map(|warning| format!("{}: {}", warning.path, warning.message)).collect()
}

/// The inputs of each segment that read the layer.
fn inputs(reading: &PlanReader) -> Vec<Vec<ExtraInput>> {
    reading.video(0).iter().map(|spec| spec.inputs.clone()).collect()
}

#[test]
fn segments_read_only_the_stretch_that_they_show() {
    for start_s in [0.0, 0.5] {
        let overlay = Overlay { start_s, ..layer("hours", |_| {}) };
        let seeks: Vec<Vec<Option<i64>>> = inputs(&made(over(vec![overlay]), &[&["a", "b", "c"]]))
            .iter()
            .map(|inputs| inputs.iter().map(|input| input.seek_us).collect())
            .collect();
        // A second and a fifth before the stretch.
        let from = |seconds: f64| ((seconds - start_s - 1.2) * 1e6).round() as i64;
        assert_eq!(seeks, [[None], [Some(from(2.0))], [Some(from(4.0))]], "{start_s}");
    }
}

#[test]
fn a_layer_ends_or_repeats() {
    // It lasts 3 seconds.
    let once = made(over(vec![layer("short", |_| {})]), &[&["a", "b", "c"]]);
    assert_eq!(inputs(&once).iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 0]);
    let graph = once.video(0)[1].graph.to_string();
    assert!(graph.contains("enable=between(t\\,-0.01667\\,0.98333)"), "{graph}");
    let plain = made(options(), &[&["a", "b", "c"]]);
    assert_eq!(names(&once, 0)[2], names(&plain, 0)[2]);

    // The second segment shows its end and its beginning, each from an input of its own.
    let twice = made(over(vec![looped("short")]), &[&["a", "b", "c"]]);
    let read = inputs(&twice);
    assert_eq!(read.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 1]);
    assert_eq!(read[1][0].seek_us, Some(800_000));
    assert!(read.iter().flatten().all(|input| !input.looped));

    // A segment that shows more than two repetitions reads the file again and again.
    let many = PlanReader(
        Fixture::new()
            .clip("long", 20.0)
            .clip("short", 3.0)
            .plan(base(vec![group(&["long"])], over(vec![looped("short")]))),
    );
    let read = inputs(&many);
    assert!(read[0].len() == 1 && read[0][0].looped && read[0][0].seek_us.is_none(), "{read:?}");
    let stopped = made(over(vec![Overlay { end_s: Some(4.0), ..looped("short") }]), &[&["a", "b", "c"]]);
    assert_eq!(names(&stopped, 0)[2], names(&plain, 0)[2]);
}

#[test]
fn outputs_share_segments_with_the_same_stretch() {
    let reading = made(over(vec![layer("hours", |_| {})]), &[&["a", "b", "c"], &["a", "c", "b"]]);
    let (one, other) = (names(&reading, 0), names(&reading, 1));
    assert_eq!(one[0], other[0]);
    // The same clips at other times show another stretch.
    assert!(one[1..].iter().all(|key| !other.contains(key)));
    let same = made(over(vec![layer("hours", |_| {})]), &[&["a", "b"], &["a", "b"]]);
    assert_eq!(names(&same, 0), names(&same, 1));
}

#[test]
fn layers_and_images_are_above_each_other_in_their_order() {
    let image = |url: &str| Overlay {
        shown: OverlayContent::Image { url: url.into(), width_percent: 20.0, opacity_percent: 100.0 },
        ..layer("", |_| {})
    };
    let order = |overlays: Vec<Overlay>| {
        let reading = made(over(overlays), &[&["a"]]);
        let spec = reading.video(0)[0].clone();
        let graph = spec.graph.to_string();
        let at = |file: &str| {
            let index = spec.inputs.iter().position(|input| input.origin.file.0.ends_with(file)).unwrap();
            graph.find(&format!("[{}:0]", index + 1)).unwrap()
        };
        (at("logo"), at("wide"))
    };
    let (logo, wide) = order(vec![image("logo"), layer("wide", |_| {})]);
    assert!(logo < wide);
    let (logo, wide) = order(vec![layer("wide", |_| {}), image("logo")]);
    assert!(wide < logo);
}

#[test]
fn a_key_changes_the_graph_and_nothing_else() {
    let key = |tolerance_percent| {
        let color = Rgba { r: 0, g: 177, b: 64, a: 255 };
        Some(ColorKey { color, tolerance_percent, softness_percent: 90.0 })
    };
    let spec = |key| made(over(vec![layer("wide", |layer| layer.key = key)]), &[&["a"]]).video(0)[0].clone();
    let (plain, keyed, other) = (spec(None), spec(key(10.0)), spec(key(20.0)));
    assert_eq!((&plain.inputs, plain.frames), (&keyed.inputs, keyed.frames));
    assert!(!plain.graph.to_string().contains("lut2") && keyed.graph.to_string().contains("lut2"));
    assert_ne!(keyed.graph, other.graph);
}

#[test]
fn the_audio_of_layers_is_placed() {
    let loud = |change: fn(&mut VideoLayer)| {
        layer("short", |layer| {
            layer.volume_percent = 40;
            change(layer);
        })
    };
    let placed = |overlay: Overlay| {
        let reading = made(over(vec![overlay]), &[&["a", "b", "c"]]);
        let track = reading.tracks(0).last().unwrap().clone();
        let volume = track.parts.iter().find_map(|part| reading.audio(part)).unwrap().volume_percent;
        (reading.placed(&track), volume)
    };
    let (parts, volume) = placed(Overlay { start_s: 1.0, ..loud(|_| {}) });
    assert_eq!((parts, volume), (vec!["short 48000..192000".to_owned()], 40));
    let (parts, _) = placed(Overlay { start_s: 1.0, end_s: Some(5.5), ..loud(|layer| layer.looped = true) });
    assert_eq!(parts, ["short 48000..192000", "short 192000..264000"]);
    let silent = made(over(vec![layer("short", |_| {})]), &[&["a"]]);
    assert_eq!(silent.tracks(0).len(), 1);
    let mute = made(over(vec![layer("hours", |layer| layer.volume_percent = 10)]), &[&["a"]]);
    let expected = "/params/options/overlays/0/volume: has no effect, because the file has no audio";
    assert_eq!(warnings(&mute), [expected]);
}

#[test]
fn unusable_layers_are_errors_or_warnings() {
    let late = made(over(vec![Overlay { start_s: 50.0, ..layer("short", |_| {}) }]), &[&["a", "b"]]);
    let expected = "/params/options/overlays/0/start: starts after the end of the output, which is at 4.00 s; it is never shown";
    assert_eq!(warnings(&late), [expected]);
    let still = made(over(vec![layer("logo", |_| {})]), &[&["a", "b"]]);
    let expected = "/params/options/overlays/0/url: has a single frame, which is shown like an image";
    assert_eq!(warnings(&still), [expected]);
    assert_eq!(inputs(&still).iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    let (code, input) = {
        let reading = made(over(vec![layer("voice", |_| {})]), &[&["a"]]);
        let (code, input) = reading.error(0);
        (code, input.map(str::to_owned))
    };
    assert_eq!((code, input.as_deref()), (ErrorCode::MaskInvalid, Some("voice")));
    let large = VideoInfo::plain(Size::new(3842, 100), 2.0, 25.0);
    let fixture = Fixture::new().clip("a", 2.0).file("large", Some(large), None);
    let reading = PlanReader(fixture.plan(base(vec![group(&["a"])], over(vec![layer("large", |_| {})]))));
    assert_eq!(reading.error(0), (ErrorCode::MaskInvalid, Some("large")));
}

/// An animated image is a still one unless it is a layer.
#[test]
fn animated_images_are_read_as_animations() {
    let mut fixture = fixture();
    let info: &mut MediaInfo = fixture.facts.media.get_mut("logo").unwrap().as_mut().unwrap();
    info.animation = Some(Box::new(VideoInfo::plain(Size::new(64, 48), 1.0, 10.0)));
    let reading = PlanReader(fixture.plan(base(vec![group(&["a"])], over(vec![looped("logo")]))));
    let input = &inputs(&reading)[0][0];
    assert!(input.animated && input.looped);
    assert_eq!(warnings(&reading), [""; 0]);
}

#[test]
fn previews_show_the_layers_frame() {
    let params = base(vec![group(&["a", "b", "c"])], over(vec![layer("hours", |_| {})]));
    let moment = |clip, at_s| Moment { item_no: 1, clip, at_s: Some(at_s) };
    let frame = fixture().still(params.clone(), &moment(None, 5.0)).unwrap();
    for spec in [Some(&frame.exact), frame.quick.as_ref()].into_iter().flatten() {
        assert_eq!(spec.video.inputs[0].origin.file.0.as_ref(), "content of hours");
    }
    assert!(frame.sources.iter().any(|source| source.url == "hours"));
    // The frame of a layer depends on the clips before it.
    let needed = |options: MixOptions| {
        let request = request(base(vec![group(&["a", "b"])], options));
        let needed = frame_inputs(&request, 1, &Fixture::new().facts, &moment(Some(0), 0.5));
        needed.into_iter().map(|input| input.url).collect::<Vec<_>>()
    };
    assert_eq!(needed(over(vec![layer("hours", |_| {})])), ["a", "b", "hours"]);
    let all = needed_inputs(&request(params), 1, &Fixture::new().facts);
    assert!(all.iter().any(|input| input.url == "hours"));
}
