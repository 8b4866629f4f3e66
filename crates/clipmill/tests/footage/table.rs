//! Differences from plain ffmpeg that are intended.

/// A difference that cases may have.
pub struct Row {
    /// Names of cases; `*` stands for any text.
    pub cases: &'static str,
    /// Text that the difference contains.
    pub difference: &'static str,
    #[allow(dead_code, reason = "for those who read the table")]
    pub reason: &'static str,
}

const fn row(cases: &'static str, difference: &'static str, reason: &'static str) -> Row {
    Row { cases, difference, reason }
}

pub const INTENDED: &[Row] = &[
    row("* *speex", "CODEC_NOT_ALLOWED", CODEC),
    row("* *dts", "CODEC_NOT_ALLOWED", CODEC),
    row("* *truehd", "CODEC_NOT_ALLOWED", CODEC),
    row("mk? *wavpack", "CODEC_NOT_ALLOWED", CODEC),
    row("mkv ffv1*", "CODEC_NOT_ALLOWED", CODEC),
    row("avi huffyuv*", "CODEC_NOT_ALLOWED", CODEC),
    row("avi rawvideo*", "CODEC_NOT_ALLOWED", CODEC),
    row("wav adpcm_yamaha", "CODEC_NOT_ALLOWED", CODEC),
    row("wav g72?", "CODEC_NOT_ALLOWED", CODEC),
    row("wav gsm_ms", "CODEC_NOT_ALLOWED", CODEC),
    row("wma *", "FORMAT_NOT_ALLOWED", CODEC),
    row(
        "*, dts audio first",
        "a beep at",
        "ffmpeg chooses the DTS stream, clipmill the first that it accepts",
    ),
    row("m?? *, index first, cut to *", "MEDIA_DAMAGED", PROMISED),
    row("mp4 hevc+opus, index first, last bytes missing", "MEDIA_DAMAGED", PROMISED),
    row(
        "fragmented mp4 h264+aac, cut to 90 %",
        "s long instead of",
        "the last frame is held for what the header of the last fragment announces",
    ),
    row(
        "avi *",
        "beep ",
        "AVI has no display times; ffmpeg shows reordered frames late by the depth of reordering, clipmill with their audio",
    ),
    row(
        "mkv h264+aac, negative DTS",
        "",
        "frames before time 0 of a Matroska file have no timestamps and are left out, with their audio",
    ),
    row("flv *, restart", "", RECONNECTED),
    row("flv *, jump of 30 s", "", RECONNECTED),
    row("flv *, jump of 5000 s", "", RECONNECTED),
    row(
        "* *, jump of 5000 s",
        "MEDIA_DAMAGED",
        "a gap of more than an hour is not filled with a still frame",
    ),
    row(
        "mpeg mpeg2+mp2, jump of 30 s",
        "",
        "MPEG-PS that jumps ahead is shown by its clock, with the last frame held",
    ),
    row("*, full range from the middle", "", "the colour tags of the beginning hold for the whole stream"),
    row(
        "ts h264+mp?, 48 to 32 kHz",
        "beep 1",
        "ffmpeg computes times in a transport stream by one sample rate, and clipmill places audio by its times",
    ),
    row(
        "ogg opus ambisonics, 4 channels",
        "rendered, although",
        "mixed down to stereo, which ffmpeg 5 does not do by itself",
    ),
    row("mkv hevc, PQ", "red is", "high dynamic range is converted to the range of outputs"),
    row("adts aac joined, another sample rate", "beep ", FIRST_RATE),
    row(
        "mka pcm_s16le, 24 channels",
        "Hz instead of",
        "Matroska rounds times to milliseconds, many within a period of a tone",
    ),
];

/// SECURITY.md: decoders in which memory errors are found are not used.
const CODEC: &str = "a codec or container that is not accepted";
/// Of audio that changes its rate, clipmill plays what `ffmpeg -i FILE out.wav` plays.
const FIRST_RATE: &str = "ffmpeg computes times by the first sample rate";
const PROMISED: &str = "the index of an MP4 or MOV promises more than 1 % that is not there";
/// ffmpeg drops frames that go back in time, and holds a frame across forward jumps.
const RECONNECTED: &str = "a recorder that reconnected: both recordings follow each other, with a warning";

impl Row {
    pub fn allows(&self, case: &str, difference: &str) -> bool {
        matches(self.cases.as_bytes(), case.as_bytes()) && difference.contains(self.difference)
    }
}

/// Whether a text matches a pattern of `*` (any text) and `?` (any character).
pub fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern, text) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => matches(rest, text) || !text.is_empty() && matches(pattern, &text[1..]),
        ([b'?', pattern @ ..], [_, text @ ..]) => matches(pattern, text),
        ([expected, pattern @ ..], [byte, text @ ..]) => expected == byte && matches(pattern, text),
        _ => false,
    }
}
