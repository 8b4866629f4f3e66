//! Truncated files, and files with bytes after their end.

use super::*;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let pairs = [
        (MP4, H264, AAC),
        (MP4_FAST, H264, AAC),
        (MP4_FAST, HEVC, OPUS),
        (FRAGMENTED, H264, AAC),
        (FRAGMENTED, AV1, OPUS),
        (MOV_FAST, MPEG4, PCM),
        (MOV, H264, AAC),
        (MKV, H264, AAC),
        (MKV, MPEG4, MP3),
        (WEBM, VP8, VORBIS),
        (WEBM, VP9, OPUS),
        (TS, H264, AAC),
        (TS, MPEG2, MP2),
        (FLV, H264, AAC),
        (FLV, FLV1, codec("mp3", "-c:a libmp3lame -ar 44100")),
        (AVI, MPEG4, MP3),
        (AVI, MJPEG, PCM),
        (PHONE, H264, AAC),
    ];
    for (container, video_codec, audio_codec) in pairs {
        let (name, args) = plain(&container, &video_codec, &audio_codec);
        let name = if container.muxer.contains("faststart") { name + ", index first" } else { name };
        cases.extend(ends(&Case::made(name, container.extension, args)));
    }
    for (extension, muxer, audio_codec) in [
        ("mp3", "mp3", MP3),
        ("m4a", "ipod", AAC),
        ("ogg", "ogg", VORBIS),
        ("opus", "ogg", OPUS),
        ("wav", "wav", PCM),
        ("flac", "flac", FLAC),
        ("caf", "caf", PCM),
        ("aac", "adts", AAC),
    ] {
        let args = format!("{} {} -f {muxer} out", sound(), audio_codec.encoder);
        cases.extend(ends(&Case::made(format!("{extension} {}", audio_codec.name), extension, args).audio()));
    }
    cases
}

fn ends(whole: &Case) -> Vec<Case> {
    let mut random = 1_u32;
    let noise = std::iter::repeat_with(|| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 24) as u8
    });
    let ends = [
        ("cut to 60 %", Step::Cut(0.6), Warning::Required),
        ("cut to 90 %", Step::Cut(0.9), Warning::Required),
        ("last bytes missing", Step::Cut(0.998), Warning::Allowed),
        ("noise appended", Step::Append(noise.take(5000).collect()), Warning::Allowed),
        ("zeros appended", Step::Append(vec![0; 5000]), Warning::Allowed),
        ("text appended", Step::Append(b"<html>not found</html>\n".repeat(20)), Warning::Allowed),
    ];
    let case = |(label, step, warning)| {
        // Raw audio frames, Ogg and transport streams contain no length.
        let says_length = ["wav", "flac", "mp3"].contains(&whole.extension);
        let says_nothing = whole.kind == Kind::Audio && !says_length || whole.extension == "ts";
        let warning = if says_nothing { Warning::Allowed } else { warning };
        let case = whole.clone().warns(warning).then(step);
        Case { name: format!("{}, {label}", whole.name), ..case }
    };
    ends.into_iter().map(case).collect()
}
