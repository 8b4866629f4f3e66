//! Headers and packets as hostile files make ffprobe write them must give valid facts or a refusal, never a panic.

use proptest::prelude::*;

use super::promises::check_output;

/// Numbers as ffprobe writes them, and as it should not.
fn number() -> impl Strategy<Value = String> {
    const ODD: &[&str] =
        &["N/A", "", "nan", "inf", "-inf", "1e308", "-1e308", "9223372036854775807", "-1", "0", "0/0", "1/0"];
    prop_oneof![
        3 => (-10.0..100.0f64).prop_map(|value| format!("{value:.6}")),
        1 => prop::sample::select(ODD).prop_map(str::to_owned),
    ]
}

fn rate() -> impl Strategy<Value = String> {
    (any::<i32>(), prop_oneof![Just(0), Just(1), Just(1001), any::<i32>()])
        .prop_map(|(n, d)| format!("{n}/{d}"))
}

fn stream() -> impl Strategy<Value = String> {
    let size = || prop_oneof![Just(0u32), Just(1), 2..9000u32, Just(u32::MAX)];
    let kind =
        prop::sample::select(&[("video", "h264"), ("audio", "aac"), ("video", "magicyuv"), ("data", "")]);
    (kind, size(), size(), rate(), number(), 0..3u32, 0..70u32).prop_map(
        |((kind, codec), width, height, rate, duration, index, channels)| {
            format!(
                r#"{{"index":{index},"codec_type":"{kind}","codec_name":"{codec}","width":{width},"height":{height},
                "pix_fmt":"yuv420p","avg_frame_rate":"{rate}","r_frame_rate":"{rate}","duration":"{duration}",
                "sample_aspect_ratio":"{rate}","sample_rate":"{duration}","channels":{channels}}}"#
            )
        },
    )
}

fn packet() -> impl Strategy<Value = String> {
    let beside =
        prop_oneof![4 => Just(""), 1 => Just(r#","side_data_list":[{"skip_samples":4294967295},{}]"#)];
    (0..3u32, number(), number(), number(), prop::sample::select(&["K_", "__", "KD", ""]), beside).prop_map(
        |(stream, pts, dts, duration, flags, beside)| {
            format!(
                r#"{{"stream_index":{stream},"pts_time":"{pts}","dts_time":"{dts}","duration_time":"{duration}",
                "flags":"{flags}"{beside}}}"#
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_are_sane_or_refused(
        streams in prop::collection::vec(stream(), 0..4),
        format in prop::sample::select(&["mov,mp4,m4a", "matroska,webm", "png_pipe", "hls", ""]),
        length in number(),
        packets in prop::collection::vec(prop_oneof![99 => packet(), 1 => "\\PC{0,60}"], 0..40),
    ) {
        let json = format!(
            r#"{{"packets":[{}],"streams":[{}],"format":{{"format_name":"{format}","duration":"{length}"}}}}"#,
            packets.join(","),
            streams.join(",")
        );
        check_output(json.as_bytes());
    }
}

/// The checked-in corpus of the fuzz target.
#[test]
fn the_corpus_passes() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/probe");
    let mut accepted = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        accepted += usize::from(check_output(&std::fs::read(entry.unwrap().path()).unwrap()));
    }
    assert!(accepted >= 2, "the corpus has files that are accepted");
}
