//! MP4 and MOV: nested boxes. ffmpeg accepts a table anywhere, so all places are searched for tables.

use std::io::{Read, Seek};

use super::{ContainerError, Source};

const DEEPEST: usize = 16;
/// The longest compressed header, unpacked: five hours of video need less.
const MAX_HEADER_BYTES: u64 = 32 << 20;
/// Boxes that contain boxes.
const CONTAINERS: &[&[u8; 4]] = &[
    b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"dinf", b"udta", b"mvex", b"moof", b"traf",
    b"tref", b"sinf", b"schi", b"wide", b"strk", b"gmhd", b"iprp", b"ipco", b"cmov",
];
/// Tables whose count follows version and flags, with the size of an entry in bytes.
const TABLES: &[(&[u8; 4], u64)] = &[
    (b"stts", 8),
    (b"ctts", 8),
    (b"stsc", 12),
    (b"stco", 4),
    (b"co64", 8),
    (b"stss", 4),
    (b"stps", 4),
    (b"stsd", 8),
    (b"dref", 12),
    (b"keys", 8),
];

/// Tables of a track that must agree with each other.
#[derive(Default)]
struct TrackTables {
    /// Where the entries of `stsc` begin, and how many there are.
    runs: Option<(u64, u64)>,
    chunks: Option<u64>,
    /// Samples of all fragments so far that take no bytes of their own in the fragment.
    fragments: u64,
}

pub fn judge<F: Read + Seek>(source: &mut Source<F>, start: u64) -> Result<(), ContainerError> {
    let end = source.size;
    let mut walk = TrackTables::default();
    // The ends of the open containers, and the place to continue in the innermost.
    let mut open = vec![end];
    let mut at = start;
    while let Some(&end) = open.last() {
        match next(source, at, end)? {
            None => {
                at = end;
                open.pop();
            }
            Some(child) => {
                at = child.end;
                if let Some(inside) = walk.visit(source, &child)?
                    && open.len() < DEEPEST
                {
                    open.push(child.end);
                    at = inside;
                }
            }
        }
    }
    Ok(())
}

struct BoxRange {
    name: [u8; 4],
    content: u64,
    end: u64,
}

/// The box at `at`, cut to the length of its container; `None` after the last one.
fn next<F: Read + Seek>(
    source: &mut Source<F>,
    at: u64,
    end: u64,
) -> Result<Option<BoxRange>, ContainerError> {
    if at.saturating_add(8) > end {
        return Ok(None);
    }
    source.part()?;
    let [a, b, c, d, name @ ..] = source.bytes::<8>(at)?;
    let (length, head) = match u32::from_be_bytes([a, b, c, d]) {
        0 => (end - at, 8),
        1 if at + 16 <= end => (u64::from_be_bytes(source.bytes(at + 8)?), 16),
        length => (u64::from(length), 8),
    };
    if length < head {
        return Ok(None);
    }
    Ok(Some(BoxRange { name, content: at + head, end: at.saturating_add(length).min(end) }))
}

impl TrackTables {
    /// Checks a box. Returns where the boxes inside it begin, if it has any.
    fn visit<F: Read + Seek>(
        &mut self,
        source: &mut Source<F>,
        found: &BoxRange,
    ) -> Result<Option<u64>, ContainerError> {
        let BoxRange { name, content: at, .. } = *found;
        match &name {
            b"trak" => *self = Self { fragments: self.fragments, ..Self::default() },
            b"stsz" | b"stz2" => sizes(source, &name, at)?,
            b"elst" => {
                let entry = if source.bytes(at)? == [0_u8] { 12 } else { 20 };
                counted(source, at + 4, entry, &name)?;
            }
            // ffmpeg reads no other groups: a file that is truncated within them is complete enough.
            b"sbgp" if [*b"rap ", *b"sync"].contains(&source.bytes(at + 4)?) => {
                let count = if source.bytes(at)? == [1_u8] { at + 12 } else { at + 8 };
                counted(source, count, 8, &name)?;
            }
            b"sidx" => {
                let count = if source.bytes(at)? == [0_u8] { at + 22 } else { at + 30 };
                let entries = u16::from_be_bytes(source.bytes(count)?);
                source.fits(count + 2, entries.into(), 12 * 8, "sidx")?;
            }
            b"mvex" => source.structure.is_fragmented = true,
            b"trun" => self.run(source, at)?,
            // QuickTime's compressed header: the uncompressed length, and the compressed bytes.
            b"cmvd" => {
                let length = source.be32(at)?;
                if length > MAX_HEADER_BYTES || source.is_unpacked {
                    return Err(ContainerError::Endless);
                }
                let mut header = source.unpacked(at + 4, found.end, length)?;
                judge(&mut header, 0)?;
            }
            b"meta" => return begin_of_meta(source, at).map(Some),
            // Some programs that failed to save leave the header in such a box.
            b"free" | b"hoov" if found.end - at >= 8 => {
                return Ok((source.bytes(at + 4)? == *b"moov").then_some(at));
            }
            name => {
                if let Some((_, entry)) = TABLES.iter().find(|(table, _)| *table == name) {
                    let count = counted(source, at + 4, *entry, name)?;
                    self.chunks(source, name, at + 8, count)?;
                }
            }
        }
        Ok(CONTAINERS.contains(&&name).then_some(at))
    }

    /// Records a table with the number of samples in chunks, and checks the number when all tables are known.
    fn chunks<F: Read + Seek>(
        &mut self,
        source: &mut Source<F>,
        name: &[u8; 4],
        at: u64,
        count: u64,
    ) -> Result<(), ContainerError> {
        match name {
            b"stsc" => self.runs = Some((at, count)),
            b"stco" | b"co64" => self.chunks = Some(count),
            _ => return Ok(()),
        }
        let (Some((at, runs)), Some(chunks)) = (self.runs, self.chunks) else { return Ok(()) };
        let mut samples = 0_u64;
        for run in 0..runs {
            source.part()?;
            let entry = at + run * 12;
            let first = source.be32(entry)?.max(1);
            let next = if run + 1 < runs { source.be32(entry + 12)? } else { u64::MAX };
            let of_these = next.min(chunks + 1).saturating_sub(first);
            samples = samples.saturating_add(of_these.saturating_mul(source.be32(entry + 4)?));
        }
        source.holds(samples, 1, "stsc")
    }

    /// A run of samples in a fragment: properties that all of them share take no bytes.
    fn run<F: Read + Seek>(&mut self, source: &mut Source<F>, at: u64) -> Result<(), ContainerError> {
        let flags = source.be32(at)?;
        let entry = 4 * u64::from((flags & 0xf00).count_ones());
        let count = counted(source, at + 4, entry, b"trun")?;
        if entry == 0 {
            self.fragments = self.fragments.saturating_add(count);
        }
        source.holds(self.fragments, 1, "trun")
    }
}

/// The count at `at`, after checking that its entries fit behind it.
fn counted<F: Read + Seek>(
    source: &mut Source<F>,
    at: u64,
    entry: u64,
    name: &[u8; 4],
) -> Result<u64, ContainerError> {
    let count = source.be32(at)?;
    source.fits(at + 4, count, entry * 8, &String::from_utf8_lossy(name))?;
    Ok(count)
}

/// Sizes of samples: one size for all, as in uncompressed audio, or a table.
fn sizes<F: Read + Seek>(source: &mut Source<F>, name: &[u8; 4], at: u64) -> Result<(), ContainerError> {
    let (size, count) = (source.be32(at + 4)?, source.be32(at + 8)?);
    match name {
        b"stz2" => source.fits(at + 12, count, (size & 0xff).max(1), "stz2"),
        _ if size > 0 => source.holds(count, size, "stsz"),
        _ => source.fits(at + 12, count, 32, "stsz"),
    }
}

/// The standard has version and flags first; QuickTime does not.
fn begin_of_meta<F: Read + Seek>(source: &mut Source<F>, at: u64) -> Result<u64, ContainerError> {
    Ok(if source.bytes(at + 4)? == *b"hdlr" { at } else { at + 4 })
}
