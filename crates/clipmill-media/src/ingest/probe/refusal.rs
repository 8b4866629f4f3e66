//! Why a file was not accepted, told so that a client can mend it.

use clipmill_core::error::{ErrorCode, TaskError};

use super::policy::{AUDIO_CODECS, VIDEO_CODECS};

/// What a file is whose first bytes are no media that we take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A script or a drawing that would make ffmpeg open or draw something else.
    Refused(&'static str),
    /// Something that was never media.
    Other(&'static str),
}

/// Turns ffprobe's complaint about a file that begins with `head` into the client's error.
pub fn explain(head: &[u8], stderr: &str) -> TaskError {
    if let Some(codec) = codec_off_whitelist(stderr) {
        return codec_not_allowed(codec);
    }
    if stderr.contains("exceeds max_streams") {
        return too_many_streams();
    }
    match kind(head) {
        Some(Kind::Refused(name)) => return format_not_allowed(name),
        Some(Kind::Other(name)) => return not_media(&format!("it looks like {name}")),
        None if stderr.contains("Format not on whitelist") => {
            return format_not_allowed("of a kind that is not accepted");
        }
        None => {}
    }
    if stderr.contains("moov atom not found") && looks_like_mp4(head) {
        return TaskError::new(
            ErrorCode::MediaDamaged,
            "the MP4 has no index: the file is cut off or its recording was not finished; export or upload it again",
        );
    }
    not_media("no video, sound or picture was found in it")
}

pub fn not_media(why: &str) -> TaskError {
    let hint = "check that the link leads to the file itself and not to a page about it";
    TaskError::new(ErrorCode::NotMedia, format!("the file is not media: {why}; {hint}"))
}

pub fn codec_not_allowed(codec: &str) -> TaskError {
    let (video, audio) = (VIDEO_CODECS.join(", "), AUDIO_CODECS.join(", "));
    let codec: String = codec.chars().take(40).collect();
    TaskError::new(
        ErrorCode::CodecNotAllowed,
        format!(
            "the codec {codec} is not accepted; convert the file, for example to H.264 with AAC \
             (accepted: {video}; {audio}, pcm)"
        ),
    )
}

pub fn too_many_streams() -> TaskError {
    too_large(
        &format!("the file has more than {} streams", super::policy::MAX_STREAMS),
        "keep one video and one audio stream",
    )
}

pub fn too_large(what: &str, mend: &str) -> TaskError {
    TaskError::new(ErrorCode::MediaTooLarge, format!("{what}; {mend}"))
}

pub fn damaged(what: &str) -> TaskError {
    TaskError::new(ErrorCode::MediaDamaged, format!("{what}; export or upload the file again"))
}

fn format_not_allowed(what: &str) -> TaskError {
    TaskError::new(
        ErrorCode::FormatNotAllowed,
        format!(
            "the file is {what}; accepted are MP4, MOV, MKV, WebM, MPEG-TS, MPEG-PS, AVI, FLV, WAV, MP3, FLAC, Ogg, \
             AAC, PNG, JPEG, WebP and GIF: give the media file itself"
        ),
    )
}

/// The decoder's name in `Codec (magicyuv) not on whitelist '…'`.
fn codec_off_whitelist(stderr: &str) -> Option<&str> {
    let (before, _) = stderr.split_once(") not on whitelist")?;
    before.rsplit_once("Codec (").map(|(_, codec)| codec)
}

fn looks_like_mp4(head: &[u8]) -> bool {
    matches!(head.get(4..8), Some(b"ftyp" | b"mdat" | b"moov" | b"wide" | b"free" | b"skip"))
}

fn kind(head: &[u8]) -> Option<Kind> {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let known = SCRIPTS.iter().find(|(start, _)| text.starts_with(start));
    known.map(|(_, kind)| *kind).or_else(|| markup(text)).or_else(|| plain(head))
}

const SCRIPTS: [(&str, Kind); 10] = [
    ("#extm3u", Kind::Refused("an HLS playlist (.m3u8), not a media file")),
    ("ffconcat", Kind::Refused("an ffconcat script, not a media file")),
    ("v=0", Kind::Refused("a session description (SDP), not a media file")),
    ("[playlist]", Kind::Refused("a playlist, not a media file")),
    ("%pdf", Kind::Other("a PDF document")),
    ("pk\u{3}\u{4}", Kind::Other("a ZIP archive; upload the media inside it")),
    ("webvtt", Kind::Other("a subtitle file; give it as `subtitle.url`")),
    ("[script info]", Kind::Other("a subtitle file")),
    ("{\"", Kind::Other("a JSON document")),
    ("{\n", Kind::Other("a JSON document")),
];

fn markup(text: &str) -> Option<Kind> {
    let has = |word| text.contains(word);
    match text.starts_with('<') {
        true if has("<svg") => Some(Kind::Refused("an SVG drawing, not a media file")),
        true if has("<mpd") => Some(Kind::Refused("a DASH manifest (.mpd), not a media file")),
        true if has("<html") || has("<!doctype html") || has("<head") => Some(Kind::Other("an HTML page")),
        true => Some(Kind::Other("an XML or HTML document")),
        false => None,
    }
}

/// Text is what holds no control characters but those of lines. A cut multi-byte character at the end of
/// the sample is no objection, so bytes above 127 are let pass.
fn plain(head: &[u8]) -> Option<Kind> {
    let printable = |byte: &u8| *byte >= 0x20 && *byte != 0x7f || b"\n\r\t\x0c".contains(byte);
    let ascii = head.iter().filter(|byte| byte.is_ascii()).count();
    let text = !head.is_empty() && head.iter().all(printable) && ascii * 4 >= head.len();
    text.then_some(Kind::Other("plain text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &[u8], stderr: &str, code: ErrorCode, part: &str) {
        let error = explain(head, stderr);
        assert_eq!(error.code, code, "{error}");
        assert!(error.message.contains(part), "{error}");
    }

    #[test]
    fn the_first_bytes_explain_what_ffprobe_does_not() {
        let invalid = "file:x: Invalid data found when processing input";
        check(b"\n<!DOCTYPE html><html>", invalid, ErrorCode::NotMedia, "an HTML page");
        check(b"<?xml version='1.0'?><svg>", invalid, ErrorCode::FormatNotAllowed, "SVG");
        check(b"\xef\xbb\xbf#EXTM3U\n", invalid, ErrorCode::FormatNotAllowed, "HLS");
        check(b"ffconcat version 1.0", invalid, ErrorCode::FormatNotAllowed, "ffconcat");
        check(b"just words\n", invalid, ErrorCode::NotMedia, "plain text");
        check("\u{4e2d}\u{6587} text words".as_bytes(), invalid, ErrorCode::NotMedia, "plain text");
        check(b"{\"error\": 1}", invalid, ErrorCode::NotMedia, "JSON");
        check(b"\0\x01\x02\x03", invalid, ErrorCode::NotMedia, "no video, sound or picture");
    }

    #[test]
    fn ffprobe_explains_the_rest() {
        check(
            b"\0",
            "[xbin @ 0x5] Format not on whitelist 'mov'",
            ErrorCode::FormatNotAllowed,
            "not accepted",
        );
        check(
            b"\0",
            "[magicyuv @ 0x5] Codec (magicyuv) not on whitelist 'h264'\n  Last message repeated 1 times",
            ErrorCode::CodecNotAllowed,
            "the codec magicyuv is",
        );
        check(
            b"\0",
            "Number of streams exceeds max_streams parameter (33)",
            ErrorCode::MediaTooLarge,
            "32 streams",
        );
        check(b"\0\0\0\x20ftypisom", "[mov @ 0x1] moov atom not found", ErrorCode::MediaDamaged, "no index");
    }
}
