//! Properties of segments' specifications.

use clipmill_core::encoding::Encoding;
use clipmill_core::filter_graph::Graph;
use clipmill_core::pricing::Tier;
use clipmill_core::segment::{SegmentSpec, VideoSpec};
use clipmill_core::time::Fps;
use serde_json::{Value, json};

fn input(content: &str, seek_us: Option<i64>) -> Value {
    json!({ "origin": { "file": content }, "stream_index": 0, "looped": false, "rewrapped": false,
        "keyframes_only": false, "decoder": null, "seek_us": seek_us })
}

/// Ten frames of `clip`.
fn picture(part: Value, inputs: &[Value]) -> VideoSpec {
    let encoder = Encoding::standard(1).settings(None, Tier::Hd, Fps::DEFAULT);
    let value = json!({ "source": "clip", "stream_index": 0, "fps": 30, "frames": 10,
        "size": { "width": 720, "height": 1280 }, "graph": Graph::input(0, 0), "inputs": inputs,
        "captions": null, "encoder": encoder, "part": part });
    serde_json::from_value(value).unwrap()
}

#[test]
fn a_segment_is_entered_if_a_file_is_read_from_the_middle() {
    let part = |seek_us: Option<i64>| json!({ "begin": 30, "seek_us": seek_us });
    for (entered, spec) in [
        (false, picture(Value::Null, &[])),
        (false, picture(part(None), &[input("mask", None)])),
        (true, picture(part(Some(1)), &[])),
        (true, picture(part(Some(1)), &[input("mask", None)])),
        (true, picture(Value::Null, &[input("mask", None), input("fill", Some(5))])),
        (true, picture(part(Some(1)), &[input("mask", Some(5))])),
    ] {
        assert_eq!(spec.is_entered(), entered, "{spec:?}");
        let from_beginning = spec.from_the_beginning();
        assert!(!from_beginning.is_entered());
        assert_eq!(from_beginning == spec, !entered);
        assert_eq!(from_beginning.part.map(|part| part.begin), spec.part.map(|part| part.begin));
        assert_eq!(from_beginning.inputs.len(), spec.inputs.len());
    }
}

#[test]
fn a_segment_lists_its_files_once_with_the_source_first() {
    let files = [input("mask", None), input("clip", None), input("mask", None), input("fill", None)];
    let segment = SegmentSpec::Video(picture(Value::Null, &files));
    let names: Vec<_> = segment.sources().iter().map(|content| &*content.0).collect();
    assert_eq!(names, ["clip", "mask", "fill"]);
    assert_eq!((&*segment.source().unwrap().0, segment.frames().0), ("clip", 10));

    let audio_spec = |source: Value| {
        let value = json!({ "kind": "sound", "source": source, "stream_index": 0, "channels": 2, "origin_us": 0,
            "samples": 4_800, "loop_period": null, "tempo_permille": 1_000, "edge_fade": 0, "sounding": null });
        serde_json::from_value::<SegmentSpec>(value).unwrap()
    };
    let heard = audio_spec(json!("clip"));
    assert_eq!((&*heard.source().unwrap().0, heard.sources().len(), heard.frames().0), ("clip", 1, 0));
    let silence = audio_spec(Value::Null);
    assert_eq!((silence.source(), silence.sources().len()), (None, 0));
}
