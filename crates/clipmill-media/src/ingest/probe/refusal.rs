//! Explains why a file was not accepted, so that the client can fix it.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message::{self, Message, Param};

use crate::ffmpeg::policy::{AUDIO_CODECS, VIDEO_CODECS};

/// The kind of a file whose first bytes are not an accepted media format.
#[derive(Clone, Copy)]
enum Kind {
    /// A script or a drawing that would make ffmpeg open or draw something else.
    Refused(fn() -> Message),
    /// A file that was never media.
    Other(fn() -> Message),
}

/// Turns ffprobe's error about a file that begins with `head` into the client's error.
pub fn explain(head: &[u8], stderr: &str) -> TaskError {
    if let Some(codec) = codec_off_whitelist(stderr) {
        return codec_not_allowed(codec);
    }
    if stderr.contains("exceeds max_streams") {
        return too_many_streams();
    }
    match kind(head) {
        Some(Kind::Refused(name)) => return format_not_allowed(name()),
        Some(Kind::Other(name)) => return not_media(message::looks_like(name())),
        None if stderr.contains("Format not on whitelist") => {
            return format_not_allowed(message::unknown_kind());
        }
        None => {}
    }
    if stderr.contains("moov atom not found") && looks_like_mp4(head) {
        return TaskError::new(ErrorCode::MediaDamaged, message::mp4_without_index());
    }
    not_media(message::nothing_found())
}

/// Refuses kinds of images, recognised by their first bytes, for which ffprobe has no useful message.
pub fn check_head(head: &[u8]) -> Result<(), TaskError> {
    const HEIF: [&[u8]; 8] = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"];
    if head.get(4..8) == Some(b"ftyp") && head.get(8..12).is_some_and(|brand| HEIF.contains(&brand)) {
        return Err(format_not_allowed(message::heic()));
    }
    Ok(())
}

pub fn not_media(why: Message) -> TaskError {
    TaskError::new(ErrorCode::NotMedia, message::not_media(why))
}

pub fn codec_not_allowed(codec: &str) -> TaskError {
    codec_refused(codec.chars().take(40).collect::<String>())
}

pub fn codec_refused(codec: impl Into<Param>) -> TaskError {
    let (video, audio) = (VIDEO_CODECS.join(", "), AUDIO_CODECS.join(", "));
    TaskError::new(ErrorCode::CodecNotAllowed, message::codec_not_allowed(codec, video, audio))
}

pub fn too_many_streams() -> TaskError {
    too_large(message::too_many_streams(crate::ffmpeg::policy::MAX_STREAMS))
}

pub fn too_large(message: Message) -> TaskError {
    TaskError::new(ErrorCode::MediaTooLarge, message)
}

pub fn damaged(what: Message) -> TaskError {
    TaskError::new(ErrorCode::MediaDamaged, message::export_again(what))
}

pub fn format_not_allowed(what: Message) -> TaskError {
    TaskError::new(ErrorCode::FormatNotAllowed, message::format_not_allowed(what))
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
    let script = SCRIPTS.iter().find(|(start, _)| text.starts_with(start));
    script.map(|(_, kind)| *kind).or_else(|| markup(text)).or_else(|| plain(head))
}

const SCRIPTS: [(&str, Kind); 10] = [
    ("#extm3u", Kind::Refused(message::hls)),
    ("ffconcat", Kind::Refused(message::ffconcat)),
    ("v=0", Kind::Refused(message::sdp)),
    ("[playlist]", Kind::Refused(message::playlist)),
    ("%pdf", Kind::Other(message::pdf)),
    ("pk\u{3}\u{4}", Kind::Other(message::zip)),
    ("webvtt", Kind::Other(message::web_subtitles)),
    ("[script info]", Kind::Other(message::subtitle_file)),
    ("{\"", Kind::Other(message::json_document)),
    ("{\n", Kind::Other(message::json_document)),
];

fn markup(text: &str) -> Option<Kind> {
    let has = |word| text.contains(word);
    match text.starts_with('<') {
        true if has("<svg") => Some(Kind::Refused(message::svg)),
        true if has("<mpd") => Some(Kind::Refused(message::dash)),
        true if has("<html") || has("<!doctype html") || has("<head") => Some(Kind::Other(message::html)),
        true => Some(Kind::Other(message::xml)),
        false => None,
    }
}

/// Text has no control characters except those of lines. Bytes above 127 are allowed, because the sample may end within a
/// multi-byte character.
fn plain(head: &[u8]) -> Option<Kind> {
    let printable = |byte: &u8| *byte >= 0x20 && *byte != 0x7f || b"\n\r\t\x0c".contains(byte);
    let ascii = head.iter().filter(|byte| byte.is_ascii()).count();
    let text = !head.is_empty() && head.iter().all(printable) && ascii * 4 >= head.len();
    text.then_some(Kind::Other(message::plain_text))
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
        check(b"\0\x01\x02\x03", invalid, ErrorCode::NotMedia, "no video, audio or image");
    }

    #[test]
    fn ffprobe_explains_the_rest() {
        check(
            b"\0",
            "[xbin @ 0x5] Format not on whitelist 'mov'",
            ErrorCode::FormatNotAllowed,
            "unsupported type",
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
