//! Timing of frames and samples: offsets, gaps, restarts, unequal intervals, reordered frames, edit lists.

use super::*;

const PAIRS: [(Container, Codec, Codec); 8] = [
    (MP4, H264, AAC),
    (FRAGMENTED, H264, AAC),
    (MOV, H264, PCM),
    (MKV, H264, AAC),
    (WEBM, VP8, OPUS),
    (TS, H264, AAC),
    (FLV, H264, AAC),
    (AVI, MPEG4, MP3),
];

pub fn cases() -> Vec<Case> {
    [offsets(), intervals(), reordered(), starts(), restarts()].concat()
}

fn offsets() -> Vec<Case> {
    let mut cases = Vec::new();
    for (container, video_codec, audio_codec) in PAIRS {
        let (name, _) = plain(&container, &video_codec, &audio_codec);
        let mut add = |label: &str, inputs: String, options: &str| {
            let args = encode(&inputs, &video_codec, &audio_codec, options, &container);
            cases.push(Case::made(format!("{name}, {label}"), container.extension, args));
        };
        for offset in ["0.04", "0.3", "1.2"] {
            add(
                &format!("audio {offset} s late"),
                format!("{} -itsoffset {offset} {}", video(), sound()),
                "",
            );
            add(
                &format!("audio {offset} s early"),
                format!("-itsoffset {offset} {} {}", video(), sound()),
                "",
            );
        }
        add("shorter audio", format!("{} -t 1.8 {}", video(), sound()), "");
        add("longer audio", format!("-t 1.8 {} {}", video(), sound()), "");
        let both = format!("{} {}", video(), sound());
        add("gap in the audio", both.clone(), "-bsf:a noise=drop='between(pts*tb,0.72,1.22)':amount=0");
        add("small gaps in the audio", both, "-bsf:a noise=drop='eq(mod(n,20),19)':amount=0");
    }
    cases
}

fn intervals() -> Vec<Case> {
    let mut cases = Vec::new();
    for (container, video_codec, audio_codec) in PAIRS {
        let both = format!("{} {}", video(), sound());
        let (name, _) = plain(&container, &video_codec, &audio_codec);
        // AVI stores no times.
        if container.name == "avi" {
            continue;
        }
        let filters = [
            ("every third frame missing", "select=lt(mod(n\\,3)\\,2)"),
            ("15 fps after a second", "select=lt(n\\,30)+not(mod(n\\,2))"),
            ("frames of 1 s between", "select=lt(n\\,20)+between(n\\,50\\,60)+gt(n\\,85)"),
            ("gap in the video", "setpts=PTS+gt(N\\,44)*0.5/TB"),
        ];
        for (label, filter) in filters {
            let args = encode(&both, &video_codec, &audio_codec, "-fps_mode passthrough", &container);
            let args = args.replace("-vf ", &format!("-vf {filter},"));
            cases.push(Case::made(format!("{name}, {label}"), container.extension, args));
        }
    }
    for (container, video_codec, audio_codec) in
        [(MP4, H264, AAC), (MKV, VP9, OPUS), (AVI, MJPEG, PCM), (MOV, PRORES, PCM)]
    {
        for rate in
            ["1", "2", "5", "8", "10", "12", "15", "24000/1001", "24", "25", "30000/1001", "50", "60", "120"]
        {
            let exact =
                rate.split('/').map(|part| part.parse::<f64>().unwrap()).reduce(|a, b| a / b).unwrap();
            let inputs = format!("{} {}", video_at(rate, (exact * 3.0).round() as usize), sound());
            let args = encode(&inputs, &video_codec, &audio_codec, "", &container);
            let name = format!("{} {}+{}, {rate} fps", container.name, video_codec.name, audio_codec.name);
            cases.push(Case::made(name, container.extension, args));
        }
    }
    cases
}

fn reordered() -> Vec<Case> {
    let mut cases = Vec::new();
    let both = format!("{} {}", video(), sound());
    let orders = [
        ("no B-frames", "-bf 0"),
        ("3 B-frames", "-bf 3"),
        ("open GOP", "-bf 3 -x264-params open-gop=1"),
        ("intra frames only", "-g 1"),
        ("one keyframe", "-g 600"),
        ("interlaced", "-flags +ilme+ildct -field_order tt"),
    ];
    for (label, options) in orders {
        for container in [MP4, FRAGMENTED, MOV, MKV, TS, FLV, AVI] {
            let args = encode(&both, &H264, &AAC, options, &container);
            cases.push(Case::made(
                format!("{} h264+aac, {label}", container.name),
                container.extension,
                args,
            ));
        }
    }
    for (codec, container) in [(MPEG4, AVI), (MPEG4, MP4), (MPEG2, TS), (MPEG2, MKV)] {
        let args = encode(&both, &codec, &MP3, "-bf 2", &container);
        cases.push(Case::made(
            format!("{} {}+mp3, 2 B-frames", container.name, codec.name),
            container.extension,
            args,
        ));
    }
    let negative = [
        ("mp4 h264+aac, negative composition offsets", MP4, "-bf 3 -movflags +negative_cts_offsets"),
        ("mov h264+aac, negative composition offsets", MOV, "-bf 3 -movflags +negative_cts_offsets"),
        ("mp4 h264+aac, no edit list", MP4, "-bf 3 -use_editlist 0"),
        ("mkv h264+aac, negative DTS", MKV, "-bf 3 -avoid_negative_ts disabled -output_ts_offset -0.1"),
        ("flv h264+aac, negative DTS", FLV, "-bf 3 -avoid_negative_ts disabled -output_ts_offset -0.1"),
        (
            "ts h264+aac, negative DTS",
            TS,
            "-bf 3 -avoid_negative_ts disabled -muxdelay 0 -muxpreload 0 -output_ts_offset -0.1",
        ),
    ];
    for (name, container, options) in negative {
        let args = encode(&both, &H264, &AAC, options, &container);
        cases.push(Case::made(name.to_owned(), container.extension, args).warns(Warning::Allowed));
    }
    cases
}

/// Files cut without encoding, and files whose first timestamp is not zero.
fn starts() -> Vec<Case> {
    let mut cases = Vec::new();
    for (container, video_codec, audio_codec) in PAIRS {
        let (name, args) = plain(&container, &video_codec, &audio_codec);
        for from in ["0.72", "1.5"] {
            for order in ["", "-bf 3"] {
                if !order.is_empty() && video_codec.name != "h264" {
                    continue;
                }
                let whole =
                    encode(&format!("{} {}", video(), sound()), &video_codec, &audio_codec, order, &MKV);
                let steps = vec![
                    Step::Ffmpeg(whole.replace(" out", " whole.mkv")),
                    Step::Ffmpeg(format!("-ss {from} -i whole.mkv -c copy {} out", container.muxer)),
                ];
                let label = if order.is_empty() { "" } else { " with B-frames" };
                cases.push(
                    Case::new(format!("{name}, copied from {from} s{label}"), container.extension, steps)
                        .warns(Warning::Allowed),
                );
            }
        }
        for offset in ["10", "5000", "95442"] {
            let args =
                args.replace(container.muxer, &format!("-output_ts_offset {offset} {}", container.muxer));
            cases.push(Case::made(format!("{name}, starts at {offset} s"), container.extension, args));
        }
    }
    // A clock of 33 bits wraps within the file.
    let wrap = encode(&format!("{} {}", video(), sound()), &H264, &AAC, "-output_ts_offset 95442.2", &TS);
    cases.push(Case::made("ts h264+aac, the clock wraps".to_owned(), "ts", wrap));
    cases
}

fn restarts() -> Vec<Case> {
    let mut cases = Vec::new();
    let jumps = [
        ("restart", None),
        ("jump of 3 s", Some(4.8)),
        ("jump of 30 s", Some(31.8)),
        ("jump of 5000 s", Some(5000.0)),
    ];
    let pairs = [
        (TS, H264, AAC, 0),
        (TS, MPEG2, MP2, 0),
        (TS, HEVC, AC3, 0),
        // The header of a second FLV has 13 bytes.
        (FLV, H264, AAC, 13),
        (MKV, H264, AAC, 0),
        (container("mpeg", "mpg", "-f mpeg"), MPEG2, MP2, 0),
    ];
    for (container, video_codec, audio_codec, header) in pairs {
        for (label, second_s) in jumps {
            let steps = halves(&video_codec, &audio_codec, ["", ""], second_s, &container);
            let name = format!("{} {}+{}, {label}", container.name, video_codec.name, audio_codec.name);
            let case =
                Case::new(name, container.extension, steps.to_vec()).then(Step::Join(&["a", "b"], header));
            cases.push(case.warns(Warning::Allowed).joined());
        }
    }
    cases
}
