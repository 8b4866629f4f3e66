//! Streams that change in mid-stream: size, orientation, pixel format, sample rate, channels.

use super::*;

pub fn cases() -> Vec<Case> {
    [videos(), orientations(), rotated_videos(), audio_changes(), chains()].concat()
}

/// Elementary streams joined as bytes, then put into containers.
fn videos() -> Vec<Case> {
    let mut cases = Vec::new();
    let changes = [
        ("smaller from the middle", (352, 288), SIZE, ""),
        ("larger from the middle", SIZE, (352, 288), ""),
        ("turned in the middle", SIZE, (144, 176), ""),
        ("another pixel format from the middle", SIZE, SIZE, "-pix_fmt yuv444p"),
        (
            "full range from the middle",
            SIZE,
            SIZE,
            "-vf scale=out_color_matrix=bt709:out_range=pc,format=yuv420p -color_range pc",
        ),
    ];
    let streams: [(Codec, &str, &[Container]); 5] = [
        (H264, "h264", &[MP4, FRAGMENTED, MKV, TS, FLV]),
        (HEVC, "hevc", &[MP4, MKV, TS]),
        (MPEG2, "mpeg2video", &[MKV, TS]),
        (VP8, "ivf", &[WEBM]),
        (VP9, "ivf", &[WEBM, MP4]),
    ];
    for (codec, muxer, containers) in streams {
        for (label, first, second, options) in changes {
            if !options.is_empty() && codec.name != "h264" && codec.name != "vp9" {
                continue;
            }
            for container in containers {
                let half = |size, start, options: &str, name: &str| {
                    let input = material::frames(size, "30", start, 45);
                    let order = if codec.name == "mpeg2" { "" } else { "-bf 0" };
                    Step::Ffmpeg(format!(
                        "{input} {BT709} {} {order} {options} -f {muxer} {name}",
                        codec.encoder
                    ))
                };
                let steps = vec![half(first, 0, "", "a"), half(second, 45, options, "b")];
                let name = format!(
                    "{} {}+{}, {label}",
                    container.name,
                    codec.name,
                    if muxer == "ivf" { "opus" } else { "aac" }
                );
                let sound = sound();
                let audio = if muxer == "ivf" { OPUS } else { AAC };
                // IVF frames carry times, so the second file is shifted when it is appended to the first.
                let input = if muxer == "ivf" { "-f concat -safe 0 -i list" } else { "-r 30 -i out" };
                let mux = format!(
                    "{input} {sound} -map 0:v -map 1:a -c:v copy {} {} joined",
                    audio.encoder, container.muxer
                );
                let mut case = Case::new(name, container.extension, steps);
                if muxer == "ivf" {
                    case.steps.push(Step::Write("list", b"file a\nduration 1.5\nfile b\n".to_vec()));
                } else {
                    case.steps.push(Step::Join(&["a", "b"], 0));
                }
                case.steps.push(Step::Ffmpeg(mux));
                case.steps.push(Step::Join(&["joined"], 0));
                cases.push(case.warns(Warning::Allowed));
            }
        }
    }
    cases
}

/// Display matrices (a, b, c, d), and filters that undo them.
const TURNS: [(&str, [i32; 4], &str); 7] = [
    ("turned by 90°", [0, 1, -1, 0], "transpose=2"),
    ("turned by 180°", [-1, 0, 0, -1], "hflip,vflip"),
    ("turned by 270°", [0, -1, 1, 0], "transpose=1"),
    ("mirrored", [-1, 0, 0, 1], "hflip"),
    ("upside down", [1, 0, 0, -1], "vflip"),
    ("mirrored and turned by 90°", [0, 1, 1, 0], "transpose=0"),
    ("mirrored and turned by 270°", [0, -1, -1, 0], "transpose=3"),
];

/// Display matrices of streams that change in mid-stream, as of a phone that is turned while it records.
fn rotated_videos() -> Vec<Case> {
    let mut cases = Vec::new();
    let changes = [
        ("smaller from the middle", (352, 288), SIZE, ""),
        ("larger from the middle", SIZE, (352, 288), ""),
        ("turned in the middle", SIZE, (144, 176), ""),
        ("another pixel format from the middle", SIZE, SIZE, "-pix_fmt yuv444p"),
    ];
    for (turn, matrix, filter) in TURNS {
        let upright = BT709.replace("-vf ", &format!("-vf {filter},"));
        for (change, first, second, options) in changes {
            let half = |size, start, options: &str, name: &str| {
                let input = material::frames(size, "30", start, 45);
                Step::Ffmpeg(format!("{input} {upright} {} -bf 0 {options} -f h264 {name}", H264.encoder))
            };
            let mux = format!(
                "-r 30 -i out {} -map 0:v -map 1:a -c:v copy {} {} joined",
                sound(),
                AAC.encoder,
                MP4.muxer
            );
            let steps = vec![
                half(first, 0, "", "a"),
                half(second, 45, options, "b"),
                Step::Join(&["a", "b"], 0),
                Step::Ffmpeg(mux),
                Step::Join(&["joined"], 0),
                Step::Turn(matrix),
            ];
            let name = format!("mp4 h264+aac, {turn}, {change}");
            cases.push(Case::new(name, MP4.extension, steps));
        }
    }
    cases
}

/// Display matrices of phones.
fn orientations() -> Vec<Case> {
    let mut cases = Vec::new();
    for (label, matrix, filter) in TURNS {
        for (container, audio_codec) in [(MP4, AAC), (MOV, PCM), (FRAGMENTED, AAC)] {
            let (name, args) = plain(&container, &H264, &audio_codec);
            let args = args.replace("-vf ", &format!("-vf {filter},"));
            cases.push(
                Case::made(format!("{name}, {label}"), container.extension, args).then(Step::Turn(matrix)),
            );
        }
    }
    cases
}

/// Streams in two parts; the second part has another form of audio.
fn audio_changes() -> Vec<Case> {
    let mut cases = Vec::new();
    let changes = [
        ("44.1 to 48 kHz", "-ar 44100", "-ar 48000"),
        ("48 to 32 kHz", "-ar 48000", "-ar 32000"),
        ("mono to stereo", "-ac 1", "-ac 2"),
        ("stereo to mono", "-ac 2", "-ac 1"),
        ("stereo to 5.1", "-ac 2", "-ac 6"),
        ("5.1 to stereo", "-ac 6", "-ac 2"),
    ];
    for audio_codec in [AAC, AC3, EAC3, MP2, MP3] {
        for (label, first, second) in changes {
            if label.contains("5.1") && matches!(audio_codec.name, "mp2" | "mp3") {
                continue;
            }
            let [a, b] = halves(&H264, &audio_codec, [first, second], Some(1.9), &TS);
            let name = format!("ts h264+{}, {label}", audio_codec.name);
            let case = Case::new(name, "ts", vec![a, b, Step::Join(&["a", "b"], 0)]);
            cases.push(case.warns(Warning::Allowed).joined());
        }
    }
    cases
}

/// Audio files joined as bytes.
fn chains() -> Vec<Case> {
    let mut cases = Vec::new();
    let forms = [
        ("same form", "-ar 48000 -ac 2"),
        ("another sample rate", "-ar 24000 -ac 2"),
        ("another number of channels", "-ar 48000 -ac 1"),
    ];
    let files = [
        ("mp3", MP3, "mp3"),
        ("aac", AAC, "adts"),
        ("ogg", OPUS, "ogg"),
        ("ogg", VORBIS, "ogg"),
        ("ac3", AC3, "ac3"),
        ("flac", FLAC, "flac"),
    ];
    for (extension, audio_codec, muxer) in files {
        for (label, form) in forms {
            let half = |start_s: f64, options: &str, name: &str| {
                let input = material::audio(48_000, 1, start_s, 2.0);
                Step::Ffmpeg(format!("{input} {} {options} -f {muxer} {name}", audio_codec.encoder))
            };
            let form =
                if audio_codec.name == "ac3" { form.replace("24000", "32000") } else { form.to_owned() };
            let steps =
                vec![half(0.0, "-ar 48000 -ac 2", "a"), half(2.0, &form, "b"), Step::Join(&["a", "b"], 0)];
            let name = format!("{muxer} {} joined, {label}", audio_codec.name);
            cases.push(Case::new(name, extension, steps).audio().warns(Warning::Allowed).joined());
        }
    }
    cases
}
