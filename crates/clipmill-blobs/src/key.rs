//! Keys of stored files, the same below a folder and below a bucket's prefix.

use crate::error::{BlobError, BlobResult};

/// Finished outputs and their covers.
pub const RESULTS: &str = "results";
/// Segments of video and audio, with their findings.
pub const SEGMENTS: &str = "segments";
/// Source files by the SHA-256 of their content, and the facts about them.
pub const INPUTS: &str = "inputs";
/// Files that clients sent straight to the bucket and that are not confirmed yet.
pub const UPLOADS: &str = "uploads";
/// The id of the installation that the bucket belongs to.
pub const INSTALLATION: &str = "installation";
/// Nothing is stored here: a request for it proves that the storage responds.
pub const PING: &str = "probe/ping";

/// The key of a result; `key` is the value in the database: `{taskNo}/{itemNo}-{fence}.mp4`.
pub fn result(key: &str) -> String {
    format!("{RESULTS}/{key}")
}

/// A file of a segment: video or audio, findings, cover.
pub fn segment(hash: &str, extension: &str) -> String {
    // The first level spreads requests over a bucket's partitions.
    let folder = hash.get(..2).unwrap_or("00");
    format!("{SEGMENTS}/{folder}/{hash}.{extension}")
}

pub fn input(sha256: &str) -> String {
    format!("{INPUTS}/{sha256}")
}

/// The facts that a probe found in an input.
pub fn input_note(sha256: &str) -> String {
    format!("{INPUTS}/{sha256}.json")
}

/// The cuts of an input.
pub fn input_cuts(sha256: &str) -> String {
    format!("{INPUTS}/{sha256}.cuts.json")
}

/// The pauses of an input that is a voice.
pub fn input_pauses(sha256: &str) -> String {
    format!("{INPUTS}/{sha256}.pauses.json")
}

/// The result of checking an input that is a font.
pub fn input_font(sha256: &str) -> String {
    format!("{INPUTS}/{sha256}.font.json")
}

/// The file that speaks a text, under the key of the text.
pub fn input_speech(key: &str) -> String {
    format!("{INPUTS}/{key}.speech.json")
}

/// What is spoken in an input, under a key for the input and the user.
pub fn input_transcript(key: &str) -> String {
    format!("{INPUTS}/{key}.transcript.json")
}

/// The key of a client's direct upload that waits for confirmation. It contains the user, so nobody can confirm another
/// user's upload.
pub fn upload(user: i64, id: &str) -> String {
    format!("{UPLOADS}/{user}/{id}")
}

pub fn probe(name: &str) -> String {
    format!("probe/{name}")
}

/// Checks that a key stays below its folder and means the same to every storage: plain characters, no empty or dotted parts.
pub(crate) fn checked(key: &str) -> BlobResult<&str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(plain);
    match key.split('/').all(part) && key.len() <= 512 {
        true => Ok(key),
        false => Err(BlobError::Key(key.to_owned())),
    }
}

pub(crate) fn content_type(key: &str) -> &'static str {
    match key.rsplit_once('.').map(|(_, extension)| extension) {
        Some("mp4") => "video/mp4",
        Some("jpg") => "image/jpeg",
        Some("wav") => "audio/wav",
        Some("mkv") => "video/x-matroska",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_inside() {
        for good in ["results/VP0/1-2.mp4", "a", "inputs/ab12.json"] {
            assert_eq!(checked(good).unwrap(), good);
        }
        for bad in
            ["", "/a", "a/", "a//b", "../a", "a/../b", "a/./b", ".a", "a b", "a\\b", "ä", "a\0", "a%2e"]
        {
            assert!(matches!(checked(bad), Err(BlobError::Key(_))), "{bad:?}");
        }
    }
}
