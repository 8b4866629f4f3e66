//! The index of a finished file: its samples, their positions and display times.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::boxes::{Boxes, inside, u16_at, u32_at, u64_at};

/// A well-formed file of clipmill has fewer than ten top-level boxes.
const MAX_BOXES: usize = 1_000;
/// The index of an hour at 60 frames per second has about 6 MiB.
const MAX_INDEX: u64 = 128 << 20;
const MAX_SAMPLES: usize = 8 << 20;

/// A file with at most one video track and one audio track.
#[derive(Debug)]
pub struct Movie {
    /// Whether the index comes before the media, so that a player can start before the whole file has arrived.
    pub starts_fast: bool,
    pub tracks: usize,
    pub pictures: Option<Track>,
    pub sound: Option<Track>,
}

#[derive(Debug)]
pub struct Track {
    pub timescale: u32,
    /// The sample entry: the codec and its decoder configuration.
    pub entry: Vec<u8>,
    /// The tables without positions in the file, unchanged.
    pub tables: Vec<u8>,
    pub samples: Vec<Sample>,
    /// The time on the track's clock that is shown first.
    pub origin: i64,
    /// The end of the last sample on the track's clock.
    pub end: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    pub offset: u64,
    pub size: u32,
    pub decoded_at: u64,
    /// The time from decoding to display.
    pub delay: i32,
    pub sync: bool,
}

impl Movie {
    /// Reads the index; fails if the file has none, or if samples are outside its media.
    pub fn read(path: &Path) -> Result<Self> {
        let mut file = File::open(path)?;
        let layout = Layout::find(&mut file)?;
        file.seek(SeekFrom::Start(layout.index.start))?;
        let mut index = Vec::new();
        file.take(layout.index.end - layout.index.start).read_to_end(&mut index)?;
        let mut movie = Self {
            starts_fast: layout.index.start < layout.media.start,
            tracks: 0,
            pictures: None,
            sound: None,
        };
        for track in Boxes(&index).filter(|mp4_box| mp4_box.kind == *b"trak") {
            movie.tracks += 1;
            let handler = inside(track.body, &[b"mdia", b"hdlr"]).and_then(|body| body.get(8..12));
            let place = match handler {
                Some(b"vide") => &mut movie.pictures,
                Some(b"soun") => &mut movie.sound,
                _ => continue,
            };
            let track = Track::parse(track.body).ok_or_else(|| nonsense("a track's index makes no sense"))?;
            track.check_places(&layout.media)?;
            *place = Some(track);
        }
        Ok(movie)
    }
}

impl Track {
    fn parse(body: &[u8]) -> Option<Self> {
        let header = inside(body, &[b"mdia", b"mdhd"])?;
        let timescale = u32_at(header, if header.first()? == &1 { 20 } else { 12 })?;
        let table = inside(body, &[b"mdia", b"minf", b"stbl"])?;
        let has_positions = |kind: [u8; 4]| [*b"stsc", *b"stco", *b"co64"].contains(&kind);
        let tables = Boxes(table).filter(|mp4_box| !has_positions(mp4_box.kind));
        let tables = tables.flat_map(|mp4_box| mp4_box.whole.iter().copied()).collect();
        let entry = Boxes(inside(table, &[b"stsd"])?.get(8..)?).next()?.whole.to_vec();
        let (samples, end) = samples(table)?;
        let origin = origin(inside(body, &[b"edts", b"elst"]))?;
        (timescale > 0).then_some(Self { timescale, entry, tables, samples, origin, end })
    }

    /// The display time of each sample, in ticks, in decoding order.
    pub fn shown(&self) -> impl Iterator<Item = i64> + '_ {
        self.samples.iter().map(|sample| {
            sample.decoded_at.cast_signed().saturating_add(i64::from(sample.delay)) - self.origin
        })
    }

    /// The audible length in seconds. Not for video, which is not shown in decoding order.
    pub fn seconds(&self) -> f64 {
        (self.end.cast_signed() - self.origin) as f64 / f64::from(self.timescale)
    }

    /// The four-character code of the codec.
    pub fn coding(&self) -> &[u8] {
        self.entry.get(4..8).unwrap_or_default()
    }

    /// The decoder configuration (`avcC`: profile, SPS and PPS) of H.264.
    pub fn avc_config(&self) -> Option<&[u8]> {
        inside(self.entry.get(8 + 78..)?, &[b"avcC"])
    }

    /// Width and height from the sample entry.
    pub fn size(&self) -> Option<(u32, u32)> {
        let side = |at: usize| u16_at(&self.entry, 8 + at).map(u32::from);
        Some((side(24)?, side(26)?))
    }

    fn check_places(&self, media: &Range<u64>) -> Result<()> {
        let outside = |sample: &&Sample| {
            sample.offset < media.start || sample.offset.saturating_add(sample.size.into()) > media.end
        };
        match self.samples.iter().find(outside) {
            None => Ok(()),
            Some(sample) => Err(nonsense(&format!("a sample at {} is outside the media", sample.offset))),
        }
    }
}

struct Layout {
    index: Range<u64>,
    media: Range<u64>,
}

impl Layout {
    fn find(file: &mut File) -> Result<Self> {
        let length = file.metadata()?.len();
        let (mut at, mut index, mut media) = (0, None, None);
        for _ in 0..MAX_BOXES {
            let Some((kind, body)) = top_level(file, at, length)? else { break };
            at = body.end;
            match &kind {
                b"moov" => index = Some(body),
                b"mdat" => media = Some(body),
                _ => {}
            }
        }
        match (index, media) {
            (Some(index), Some(media)) if index.end - index.start <= MAX_INDEX => Ok(Self { index, media }),
            _ => Err(nonsense("it has no index or no media")),
        }
    }
}

/// The box at `at` and the position of its content; `None` at the end or if there is no complete box.
fn top_level(file: &mut File, at: u64, length: u64) -> Result<Option<([u8; 4], Range<u64>)>> {
    if length.saturating_sub(at) < 8 {
        return Ok(None);
    }
    let mut start = [0; 16];
    let length_read = start.len().min((length - at) as usize);
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut start[..length_read])?;
    let kind = [start[4], start[5], start[6], start[7]];
    let (header, size) = match u32_at(&start, 0) {
        Some(0) => (8, length - at),
        Some(1) if length_read == 16 => (16, u64_at(&start, 8).unwrap_or(0)),
        size => (8, size.unwrap_or(0).into()),
    };
    let end = at.checked_add(size).filter(|end| size >= header && *end <= length);
    Ok(end.map(|end| (kind, at + header..end)))
}

/// All samples of a sample table, and the end of the last one.
fn samples(table: &[u8]) -> Option<(Vec<Sample>, u64)> {
    let sizes = sizes(inside(table, &[b"stsz"])?)?;
    let offsets = offsets(table, &sizes)?;
    let mut durations = runs(inside(table, &[b"stts"])?, sizes.len())?.into_iter();
    let delays = match inside(table, &[b"ctts"]) {
        Some(body) => runs(body, sizes.len())?,
        None => vec![0; sizes.len()],
    };
    let sync = inside(table, &[b"stss"]);
    let mut samples: Vec<Sample> = Vec::with_capacity(sizes.len());
    let mut decoded_at = 0u64;
    for ((size, offset), delay) in sizes.into_iter().zip(offsets).zip(delays) {
        let delay = delay.cast_signed();
        samples.push(Sample { offset, size, decoded_at, delay, sync: sync.is_none() });
        decoded_at += u64::from(durations.next()?);
    }
    for number in sync.map(|body| numbers(body, 4, 4)).unwrap_or_default() {
        samples.get_mut((number as usize).checked_sub(1)?)?.sync = true;
    }
    Some((samples, decoded_at))
}

fn sizes(body: &[u8]) -> Option<Vec<u32>> {
    let (same, count) = (u32_at(body, 4)?, u32_at(body, 8)? as usize);
    let sizes = if same == 0 { numbers(body, 8, 4) } else { vec![same; count.min(MAX_SAMPLES)] };
    (sizes.len() == count).then_some(sizes)
}

/// The position of each sample: chunks can be anywhere, the samples of a chunk are adjacent.
fn offsets(table: &[u8], sizes: &[u32]) -> Option<Vec<u64>> {
    let chunks: Vec<u64> = match inside(table, &[b"stco"]) {
        Some(body) => numbers(body, 4, 4).into_iter().map(u64::from).collect(),
        None => {
            let body = inside(table, &[b"co64"])?;
            (0..u32_at(body, 4)? as usize).map_while(|i| u64_at(body, 8 + 8 * i)).collect()
        }
    };
    let groups = numbers(inside(table, &[b"stsc"])?, 4, 12);
    let body = inside(table, &[b"stsc"])?;
    let mut offsets = Vec::with_capacity(sizes.len());
    for (i, first) in groups.iter().enumerate() {
        let count = u32_at(body, 12 + 12 * i)? as usize;
        let until = groups.get(i + 1).map_or(chunks.len(), |next| (*next as usize).saturating_sub(1));
        for chunk in chunks.get((*first as usize).checked_sub(1)?..until)? {
            let mut at = *chunk;
            for size in sizes.get(offsets.len()..)?.iter().take(count) {
                offsets.push(at);
                at = at.checked_add(u64::from(*size))?;
            }
        }
    }
    (offsets.len() == sizes.len()).then_some(offsets)
}

/// The first number of each row of a table whose count is at `at`.
fn numbers(body: &[u8], at: usize, row: usize) -> Vec<u32> {
    let count = u32_at(body, at).unwrap_or(0) as usize;
    (0..count).map_while(|i| u32_at(body, at + 4 + row * i)).collect()
}

/// Expands a table of counts and values to exactly `total` samples.
fn runs(body: &[u8], total: usize) -> Option<Vec<u32>> {
    let mut values = Vec::with_capacity(total);
    for (i, count) in numbers(body, 4, 8).into_iter().enumerate() {
        let value = u32_at(body, 12 + 8 * i)?;
        let count = (count as usize).min(total.checked_sub(values.len())?);
        values.extend(std::iter::repeat_n(value, count));
    }
    (values.len() == total).then_some(values)
}

/// The time at which the only edit begins.
fn origin(edits: Option<&[u8]>) -> Option<i64> {
    let Some(body) = edits else { return Some(0) };
    let from = match (body.first()?, u32_at(body, 4)?) {
        (0, 1) => i64::from(u32_at(body, 12)?.cast_signed()),
        (1, 1) => u64_at(body, 16)?.cast_signed(),
        _ => return None,
    };
    (from >= 0).then_some(from)
}

fn nonsense(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}
