//! Additional streams, which must have no effect.

use super::*;

const CUES: &str =
    "1\n00:00:00,000 --> 00:00:01,500\nhidden\n\n2\n00:00:01,600 --> 00:00:02,500\nhidden too\n";

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let pairs = [
        (MP4, H264, AAC),
        (FRAGMENTED, H264, AAC),
        (MOV, H264, PCM),
        (MKV, H264, AAC),
        (MKV, VP9, OPUS),
        (WEBM, VP8, VORBIS),
        (TS, H264, AAC),
        (FLV, H264, AAC),
        (AVI, MPEG4, MP3),
    ];
    for (container, video_codec, audio_codec) in pairs {
        for (label, inputs, options) in additions(&container) {
            let (name, _) = plain(&container, &video_codec, &audio_codec);
            let inputs = format!("{} {} {inputs}", video(), sound());
            let args = encode(&inputs, &video_codec, &audio_codec, &options, &container);
            // A filter and a copied stream exclude each other.
            let args = match label.as_str() {
                "cover art" => args.replace("-vf", "-filter:v:0"),
                "cover art first" => args.replace("-vf", "-filter:v:1"),
                _ => args,
            };
            let steps = vec![
                Step::Write("cues.srt", CUES.into()),
                Step::Write("chapters.txt", CHAPTERS.into()),
                Step::Ffmpeg(
                    "-f lavfi -i color=green:s=64x64 -frames:v 1 -f image2 -c:v mjpeg -update 1 cover.jpg"
                        .to_owned(),
                ),
                Step::Ffmpeg(args),
            ];
            cases.push(Case::new(format!("{name}, {label}"), container.extension, steps));
        }
    }
    cases
}

const CHAPTERS: &str = ";FFMETADATA1\ntitle=x\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1500\ntitle=one\n\
                        [CHAPTER]\nTIMEBASE=1/1000\nSTART=1500\nEND=3000\ntitle=two\n";

/// Name, further inputs (the first is input 2) and options of what a container can hold beside video and audio.
fn additions(container: &Container) -> Vec<(String, &'static str, String)> {
    const SILENCE: &str = "-f lavfi -t 3 -i anullsrc=r=48000:cl=mono";
    const SMALL: &str = "-f lavfi -t 3 -i color=green:s=64x64:r=30";
    let both = "-map 0:v -map 1:a";
    let mut all = Vec::new();
    let mut add = |label: &str, inputs, options: String| all.push((label.to_owned(), inputs, options));
    let subtitles: &[&str] = match container.name {
        "mp4" | "fragmented mp4" | "mov" => &["mov_text"],
        "mkv" => &["srt", "ass", "webvtt"],
        "webm" => &["webvtt"],
        _ => &[],
    };
    for subtitle in subtitles {
        add(&format!("{subtitle} subtitles"), "-i cues.srt", format!("{both} -map 2 -c:s {subtitle}"));
        add(&format!("{subtitle} subtitles first"), "-i cues.srt", format!("-map 2 {both} -c:s {subtitle}"));
    }
    if !matches!(container.name, "flv") {
        add("second audio", SILENCE, format!("{both} -map 2:a -disposition:a:1 0"));
        add(
            "second audio with more channels",
            "-f lavfi -t 3 -i anullsrc=r=48000:cl=stereo",
            format!("{both} -map 2:a"),
        );
    }
    if matches!(container.name, "mp4" | "mov" | "mkv" | "ts" | "avi") {
        add("second smaller video", SMALL, format!("{both} -map 2:v"));
        add("first a smaller video", SMALL, "-map 2:v -map 0:v -map 1:a".to_owned());
    }
    if matches!(container.name, "mp4" | "mov") {
        add("timecode", "", format!("{both} -timecode 01:00:00:00"));
        add(
            "cover art",
            "-i cover.jpg",
            format!("{both} -map 2:v -c:v:1 copy -disposition:v:1 attached_pic"),
        );
        add(
            "cover art first",
            "-i cover.jpg",
            format!("-map 2:v {both} -c:v:0 copy -disposition:v:0 attached_pic"),
        );
    }
    if matches!(container.name, "mkv") {
        add(
            "font attached",
            "",
            format!("{both} -attach cues.srt -metadata:s:t mimetype=application/x-truetype-font"),
        );
        add(
            "cover attached",
            "",
            format!(
                "{both} -attach cover.jpg -metadata:s:t mimetype=image/jpeg -metadata:s:t filename=cover.jpg"
            ),
        );
    }
    if matches!(container.name, "ts") {
        add("data stream", "-f data -i cues.srt", format!("{both} -map 2 -c:d copy"));
    }
    if matches!(container.name, "mp4" | "mov" | "mkv" | "ts") {
        add("dts audio second", SILENCE, format!("{both} -map 2:a -c:a:1 dca -b:a:1 512k -strict -2"));
        add(
            "dts audio first",
            SILENCE,
            "-map 0:v -map 2:a -map 1:a -c:a:0 dca -b:a:0 512k -strict -2".to_owned(),
        );
    }
    if !matches!(container.name, "avi" | "ts" | "flv") {
        add("chapters", "-i chapters.txt", format!("{both} -map_metadata 2 -map_chapters 2"));
    }
    all
}
