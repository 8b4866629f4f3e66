//! The output of one ffprobe run as JSON: the packets and the header.

use super::header::Header;
use super::packets::{Packet, Packets};

/// The header of a file with the most streams has some dozens of KiB, a packet a few hundred bytes.
const MAX_HEADER: usize = 8 << 20;
const MAX_PACKET: usize = 64 << 10;

/// Reads JSON in chunks and measures each packet as it arrives, so that the packets of a long file are never all in
/// memory. The rest without them is the header.
#[derive(Default)]
pub struct PacketReader {
    /// The number of open objects and arrays.
    depth: usize,
    /// Whether it is inside a text, and behind a backslash in it.
    quoted: bool,
    escaped: bool,
    /// Whether it is inside the array of packets.
    listing: bool,
    header: Vec<u8>,
    packet: Vec<u8>,
    packets: Packets,
    wrong: Option<ListingError>,
}

/// Why a listing cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub enum ListingError {
    /// The file makes ffprobe write more about one item than any real clip needs.
    Endless,
    /// The output is not valid ffprobe output; has the reason.
    Strange(String),
}

impl PacketReader {
    /// Reads the next chunk, wherever it begins.
    pub fn feed(&mut self, chunk: &[u8]) {
        chunk.iter().for_each(|byte| self.byte(*byte));
    }

    /// The header and the packets.
    ///
    /// # Errors
    /// Fails if one item never ended, or if the output is not valid ffprobe output.
    pub fn finish(self) -> Result<(Header, Packets), ListingError> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let header =
            serde_json::from_slice(&self.header).map_err(|error| ListingError::Strange(error.to_string()))?;
        Ok((header, self.packets))
    }

    fn byte(&mut self, byte: u8) {
        let (opens, closes) = self.structure(byte);
        if opens {
            let of_packets = byte == b'[' && self.depth == 1;
            self.depth += 1;
            self.listing |= of_packets && self.header.trim_ascii_end().ends_with(b"\"packets\":");
        }
        let in_packet = self.listing && self.depth > 2;
        if closes {
            self.depth = self.depth.saturating_sub(1);
            self.listing &= self.depth > 1;
        }
        match (in_packet, self.listing) {
            (true, _) => self.packet_byte(byte),
            // The separator between two packets.
            (false, true) if !opens => {}
            (false, _) if self.header.len() < MAX_HEADER => self.header.push(byte),
            (false, _) => self.wrong = Some(ListingError::Endless),
        }
    }

    /// Whether an object or an array opens or closes with this byte.
    fn structure(&mut self, byte: u8) -> (bool, bool) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = self.quoted,
            b'"' => self.quoted = !self.quoted,
            b'{' | b'[' => return (!self.quoted, false),
            b'}' | b']' => return (false, !self.quoted),
            _ => {}
        }
        (false, false)
    }

    fn packet_byte(&mut self, byte: u8) {
        if self.packet.len() >= MAX_PACKET {
            self.wrong = Some(ListingError::Endless);
            return;
        }
        self.packet.push(byte);
        if self.depth > 2 {
            return;
        }
        match Packet::parse(&self.packet) {
            Some(packet) => self.packets.add(&packet),
            None => self.wrong = Some(ListingError::Strange("a packet has an unknown form".into())),
        }
        self.packet.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = r#"{
        "packets": [
            { "stream_index": 0, "pts_time": "0.000000", "duration_time": "0.040000", "flags": "K_" },
            { "stream_index": 1, "pts_time": "-0.021333", "flags": "KD",
                "side_data_list": [
                    { "side_data_type": "Skip Samples", "skip_samples": 1024, "discard_padding": 0 },
                    { }
                ] },
            { "stream_index": 1, "pts_time": "0.000000", "flags": "K_" }
        ],
        "streams": [
            { "index": 0, "codec_name": "h264", "tags": { "title": "]},{\" \\", "packets": [ { } ] } }
        ],
        "format": { "format_name": "mov,mp4" }
    }"#;

    fn read_in_chunks(text: &str, step: usize) -> Result<(Header, Packets), ListingError> {
        let mut listing = PacketReader::default();
        text.as_bytes().chunks(step).for_each(|chunk| listing.feed(chunk));
        listing.finish()
    }

    #[test]
    fn packets_and_header_are_separated_at_any_chunk_border() {
        for step in [1, 7, 64, 1 << 16] {
            let (header, packets) = read_in_chunks(LISTING, step).unwrap();
            assert_eq!(header.streams[0].codec_name, "h264", "{step}");
            assert_eq!(header.format.format_name, "mov,mp4", "{step}");
            assert_eq!((packets.track(0).unwrap().shown, packets.track(1).unwrap().shown), (1, 1), "{step}");
        }
    }

    #[test]
    fn the_layout_does_not_matter() {
        let dense: String = LISTING.split_whitespace().collect();
        let (header, packets) = read_in_chunks(&dense, 5).unwrap();
        assert_eq!((header.streams.len(), packets.end()), (1, Some(0.04)));
        // The header may come first, and the array of packets may be empty or missing.
        let behind = r#"{"format":{"format_name":"wav"},"packets":[{"stream_index":0,"pts_time":"1"}]}"#;
        assert_eq!(read_in_chunks(behind, 9).unwrap().1.end(), Some(1.0));
        assert_eq!(read_in_chunks(r#"{"packets":[ ],"streams":[]}"#, 3).unwrap().1, Packets::default());
        assert_eq!(read_in_chunks("{}", 1).unwrap().1, Packets::default());
    }

    #[test]
    fn truncated_or_endless_listings_are_errors() {
        for cut in [0, 1, 40, 130, LISTING.len() / 2, LISTING.len() - 1] {
            assert!(matches!(read_in_chunks(&LISTING[..cut], 16), Err(ListingError::Strange(_))), "{cut}");
        }
        let other = LISTING.replace("\"stream_index\": 1", "\"stream_index\": \"x\"");
        assert!(
            matches!(read_in_chunks(&other, 4096), Err(ListingError::Strange(why)) if why.contains("unknown form"))
        );
        for key in ["packets", "streams"] {
            let long = format!("{{\"{key}\":[{{\"title\":\"{}\"}}]}}", "x".repeat(MAX_HEADER));
            assert_eq!(read_in_chunks(&long, 4096).err(), Some(ListingError::Endless), "{key}");
        }
    }
}
