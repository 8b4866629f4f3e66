//! Content codings of responses. Media is never decompressed; text is decompressed while it arrives, within limits.

use std::borrow::Cow;
use std::io::Write;

use clipmill_core::message::{self, Message};
use flate2::write::MultiGzDecoder;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

use super::FileKind;

/// The maximum size in bytes of a compressed text, received and decompressed.
const MAX_TEXT_BYTES: u64 = 10 << 20;
/// How many times larger decompressed text may be.
const MAX_RATIO: u64 = 100;
/// Codings that change the bytes. Others, such as `identity` and `aws-chunked`, are labels of unchanged files.
const COMPRESSING: [&str; 11] =
    ["gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd", "dcb", "dcz", "bzip2", "xz"];

/// How the body of a response is read.
pub enum Decoder {
    Plain,
    Gzip(Box<Gunzip>),
}

impl Decoder {
    pub fn new(headers: &HeaderMap, kind: FileKind) -> Result<Self, Message> {
        let values = headers.get_all(CONTENT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let codings = values.flat_map(|value| value.split(',')).map(str::trim);
        let compressing =
            |coding: &str| COMPRESSING.into_iter().find(|name| coding.eq_ignore_ascii_case(name));
        let codings: Vec<_> = codings.filter_map(compressing).collect();
        match (codings.as_slice(), kind) {
            ([], _) => Ok(Self::Plain),
            (["gzip" | "x-gzip"], FileKind::Text) => Ok(Self::Gzip(Box::default())),
            (codings, FileKind::Text) => Err(message::text_compressed(codings.join(", "))),
            (codings, FileKind::Media) => Err(message::sent_compressed(codings.join(", "))),
        }
    }
}

impl Decoder {
    /// Returns the bytes of the file that a chunk of the body completes.
    pub fn decode<'a>(&mut self, chunk: &'a [u8]) -> Result<Cow<'a, [u8]>, Message> {
        match self {
            Self::Plain => Ok(Cow::Borrowed(chunk)),
            Self::Gzip(gunzip) => gunzip.decode(chunk).map(Cow::Owned),
        }
    }

    /// Returns the rest of the file once the whole body was decoded.
    pub fn finish(&mut self) -> Result<Vec<u8>, Message> {
        match self {
            Self::Plain => Ok(Vec::new()),
            Self::Gzip(gunzip) => gunzip.finish(),
        }
    }
}

/// The text of a file that is stored compressed, within the same limits; other files are returned unchanged.
pub fn unpacked(bytes: Vec<u8>) -> Result<Vec<u8>, Message> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut gunzip = Gunzip::default();
    let mut text = gunzip.decode(&bytes)?;
    text.extend(gunzip.finish()?);
    Ok(text)
}

/// Decompresses a text chunk by chunk.
pub struct Gunzip {
    decoder: MultiGzDecoder<BoundedReader>,
    received: u64,
}

impl Default for Gunzip {
    fn default() -> Self {
        Self { decoder: MultiGzDecoder::new(BoundedReader::default()), received: 0 }
    }
}

impl Gunzip {
    fn decode(&mut self, chunk: &[u8]) -> Result<Vec<u8>, Message> {
        self.received += chunk.len() as u64;
        if self.received > MAX_TEXT_BYTES {
            return Err(too_large());
        }
        self.decoder.get_mut().limit_by(self.received);
        let outcome = self.decoder.write_all(chunk);
        self.taken(outcome)
    }

    fn finish(&mut self) -> Result<Vec<u8>, Message> {
        let outcome = self.decoder.try_finish();
        self.taken(outcome)
    }

    fn taken(&mut self, written: std::io::Result<()>) -> Result<Vec<u8>, Message> {
        let text = self.decoder.get_mut();
        match written {
            Ok(()) => Ok(std::mem::take(&mut text.chunk)),
            Err(_) if text.is_full => Err(too_large()),
            Err(_) => Err(message::gzip_damaged()),
        }
    }
}

fn too_large() -> Message {
    message::gzip_too_large(MAX_TEXT_BYTES >> 20, MAX_RATIO)
}

/// Decompressed bytes up to a limit.
#[derive(Default)]
struct BoundedReader {
    chunk: Vec<u8>,
    total: u64,
    limit: u64,
    is_full: bool,
}

impl BoundedReader {
    fn limit_by(&mut self, received: u64) {
        self.limit = received.saturating_mul(MAX_RATIO).min(MAX_TEXT_BYTES);
    }
}

impl Write for BoundedReader {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.total += bytes.len() as u64;
        if self.total > self.limit {
            self.is_full = true;
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.chunk.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use reqwest::header::HeaderValue;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn gunzip(bytes: &[u8], step: usize) -> Result<Vec<u8>, Message> {
        let (mut gunzip, mut text) = (Gunzip::default(), Vec::new());
        for chunk in bytes.chunks(step) {
            text.extend(gunzip.decode(chunk)?);
        }
        text.extend(gunzip.finish()?);
        Ok(text)
    }

    #[test]
    fn compressing_codings_are_distinguished_from_labels() {
        let check = |values: &[&str], kind, expected: Result<bool, &str>| {
            let headers =
                values.iter().map(|value| (CONTENT_ENCODING, HeaderValue::from_str(value).unwrap()));
            let decoder = Decoder::new(&headers.collect(), kind);
            let is_gzip = decoder.map(|decoder| matches!(decoder, Decoder::Gzip(_)));
            match (is_gzip, expected) {
                (Ok(is_gzip), expected) => assert_eq!(Ok(is_gzip), expected, "{values:?}"),
                (Err(message), Err(part)) => assert!(message.contains(part), "{message}"),
                (Err(message), Ok(_)) => panic!("{values:?}: {message}"),
            }
        };
        use FileKind::{Media, Text};
        for label in [
            "",
            " ",
            ",",
            "identity",
            "Identity",
            "aws-chunked",
            "none",
            "utf-8",
            "binary",
            "aws-chunked,identity",
        ] {
            check(&[label], Media, Ok(false));
            check(&[label], Text, Ok(false));
        }
        check(&["gzip"], Media, Err("Content-Encoding: gzip"));
        check(&["aws-chunked, GZIP"], Media, Err("Content-Encoding: gzip"));
        check(&["aws-chunked", "br"], Media, Err("Content-Encoding: br"));
        check(&["gzip"], Text, Ok(true));
        check(&["X-GZip,aws-chunked"], Text, Ok(true));
        check(&["zstd"], Text, Err("Content-Encoding: zstd"));
        check(&["gzip", "gzip"], Text, Err("Content-Encoding: gzip, gzip"));
    }

    #[test]
    fn text_is_decompressed_in_any_pieces() {
        let text: Vec<u8> =
            (0..200_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let packed = gzip(&text);
        for step in [1000, 65_536, packed.len()] {
            assert_eq!(gunzip(&packed, step).unwrap(), text);
        }
        assert_eq!(gunzip(&gzip(b"1"), 1).unwrap(), b"1");
        assert_eq!(gunzip(&[gzip(b"one "), gzip(b"two")].concat(), 3).unwrap(), b"one two");
    }

    #[test]
    fn stored_text_is_decompressed_if_it_is_gzip() {
        assert_eq!(unpacked(gzip(b"text")).unwrap(), b"text");
        assert_eq!(unpacked(b"text".to_vec()).unwrap(), b"text");
        assert!(unpacked(gzip(&vec![b' '; 1 << 20])).is_err());
        assert!(unpacked(vec![0x1f, 0x8b, 8]).is_err());
    }

    #[test]
    fn text_is_bounded() {
        let check = |bytes: &[u8], part: &str| {
            let error = gunzip(bytes, 4096).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        check(&gzip(&vec![b' '; 1 << 20]), "100 times");
        // Every second byte is noise, so the ratio is small.
        let noise = (0..11u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 & 0x3f);
        check(&gzip(&noise.collect::<Vec<_>>()), "10 MiB");
        let empty = gzip(b"");
        check(&empty.repeat((11 << 20) / empty.len()), "10 MiB");
    }

    #[test]
    fn corrupted_data_is_detected() {
        let packed = gzip(b"1\n00:00:01,000 --> 00:00:02,000\nHello\n");
        for broken in [
            &packed[..packed.len() - 1],
            &packed[..packed.len() - 8],
            &packed[..5],
            b"1\n00:00:01,000",
            &[&packed[..], b"rest"].concat(),
            &{
                let mut flipped = packed.clone();
                flipped[20] ^= 0x55;
                flipped
            },
        ] {
            let error = gunzip(broken, 7).unwrap_err();
            assert!(error.contains("damaged"), "{error}: {broken:?}");
        }
    }
}
