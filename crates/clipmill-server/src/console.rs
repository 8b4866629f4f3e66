//! The console's files, embedded in the program. `make console` builds them; the Rust build needs no Node.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};

/// Smaller files are not compressed.
const MIN_TO_COMPRESS: usize = 1024;

/// One file, ready to be sent.
#[derive(Debug, Clone)]
pub struct ConsoleFile {
    pub content_type: &'static str,
    pub plain: Bytes,
    /// The content in gzip, if that is smaller.
    pub gzip: Option<Bytes>,
    /// An entity tag without quotes.
    pub tag: String,
    /// Whether its path changes with its content.
    pub hashed: bool,
}

impl ConsoleFile {
    /// A generated text.
    pub fn text(content_type: &'static str, text: String) -> Self {
        let tag = hex(&Sha256::digest(&text));
        let plain = Bytes::from(text);
        let gzip = compressed(&plain);
        Self { content_type, plain, gzip, tag, hashed: false }
    }
}

/// The file with this path below `/console/`.
pub fn file(path: &str) -> Option<&'static ConsoleFile> {
    FILES.get(path)
}

/// The page for all addresses of the console.
pub fn index() -> Option<&'static ConsoleFile> {
    file("index.html")
}

#[derive(RustEmbed)]
#[folder = "console/dist/"]
struct Dist;

/// All files by their paths, compressed when first requested. The path of an asset contains a hash of the whole
/// build, so that browsers can keep it and never mix two builds.
static FILES: LazyLock<HashMap<String, ConsoleFile>> = LazyLock::new(|| {
    let mut files: Vec<_> = Dist::iter().filter_map(|path| Some((path.clone(), Dist::get(&path)?))).collect();
    files.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut build = Sha256::new();
    for (path, file) in &files {
        build.update(path.as_bytes());
        build.update(file.metadata.sha256_hash());
    }
    let assets = format!("assets/{}/", hex(&build.finalize()));
    let prepared = files.into_iter().map(|(path, file)| match path.strip_prefix("assets/") {
        Some(name) => (format!("{assets}{name}"), asset(&path, file)),
        None => {
            let text =
                String::from_utf8_lossy(&file.data).replace("\"./assets/", &format!("\"/console/{assets}"));
            (path.to_string(), ConsoleFile::text(content_type(&path).0, text))
        }
    });
    prepared.collect()
});

fn asset(path: &str, file: EmbeddedFile) -> ConsoleFile {
    let plain = match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    let (content_type, text) = content_type(path);
    let tag = hex(&file.metadata.sha256_hash());
    let gzip = if text { compressed(&plain) } else { None };
    ConsoleFile { content_type, plain, gzip, tag, hashed: true }
}

fn hex(hash: &[u8]) -> String {
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A file's content type, and whether it is text. The build makes no other kinds of files.
fn content_type(path: &str) -> (&'static str, bool) {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => ("text/html; charset=utf-8", true),
        "js" | "mjs" => ("text/javascript; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "json" | "map" => ("application/json", true),
        "webmanifest" => ("application/manifest+json", true),
        "svg" => ("image/svg+xml", true),
        "txt" => ("text/plain; charset=utf-8", true),
        "png" => ("image/png", false),
        "jpg" => ("image/jpeg", false),
        "webp" => ("image/webp", false),
        "ico" => ("image/x-icon", false),
        "woff2" => ("font/woff2", false),
        "wasm" => ("application/wasm", false),
        _ => ("application/octet-stream", false),
    }
}

fn compressed(plain: &[u8]) -> Option<Bytes> {
    if plain.len() < MIN_TO_COMPRESS {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).ok()?;
    let gzip = encoder.finish().ok()?;
    (gzip.len() < plain.len()).then(|| gzip.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn there_is_a_page_and_every_file_has_a_kind() {
        assert!(index().is_some_and(|page| page.content_type.starts_with("text/html")));
        for (path, file) in FILES.iter() {
            assert_ne!(file.content_type, "application/octet-stream", "{path}");
            assert_eq!(file.tag.len(), 32, "{path}");
        }
    }

    #[test]
    fn compressed_files_are_equal_and_smaller() {
        let text = "one and the same line\n".repeat(100);
        let gzip = compressed(text.as_bytes()).unwrap();
        let mut again = String::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut again).unwrap();
        assert!(again == text && gzip.len() < text.len() / 4);
        assert_eq!(compressed(b"short"), None);
    }
}
