//! Just enough of the MP4 container to see in which order its top-level boxes lie, and which parameter sets
//! its H.264 stream has.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// A well-formed file of ours has fewer than ten top-level boxes; a fragmented one a few hundred.
const MAX_BOXES: usize = 10_000;

/// Whether the index (`moov`) lies before the media (`mdat`), so that a player can start before the whole
/// file has arrived. False also when either is missing or the boxes make no sense.
pub fn moov_before_mdat(path: &Path) -> std::io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let (mut at, mut seen_moov) = (0, false);
    for _ in 0..MAX_BOXES {
        let Some((kind, next)) = read_box(&mut file, at, length)? else { return Ok(false) };
        match &kind {
            b"mdat" => return Ok(seen_moov),
            b"moov" => seen_moov = true,
            _ => {}
        }
        at = next;
    }
    Ok(false)
}

/// The decoder configuration (`avcC`: profile, SPS and PPS) of the first H.264 track; `None` where there is none.
pub fn avc_config(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let mut inside = 0..file.metadata()?.len();
    // Each box of the path, and how many bytes of its own come before the boxes in it.
    let steps: [(&[u8; 4], u64); 7] =
        [(b"moov", 0), (b"trak", 0), (b"mdia", 0), (b"minf", 0), (b"stbl", 0), (b"stsd", 8), (b"avc1", 78)];
    for (kind, own) in steps {
        let Some(found) = find_box(&mut file, inside, kind)? else { return Ok(None) };
        inside = found.start + own..found.end;
    }
    let Some(found) = find_box(&mut file, inside, b"avcC")? else { return Ok(None) };
    let mut config = Vec::new();
    file.seek(SeekFrom::Start(found.start))?;
    // Two parameter sets are far smaller; a larger claim is nonsense.
    file.take((found.end - found.start).min(64 << 10)).read_to_end(&mut config)?;
    Ok(Some(config))
}

/// Where the content of the first box of this kind lies among those in `inside`.
fn find_box(file: &mut File, inside: Range<u64>, wanted: &[u8; 4]) -> std::io::Result<Option<Range<u64>>> {
    let mut at = inside.start;
    for _ in 0..MAX_BOXES {
        let Some((kind, next)) = read_box(file, at, inside.end)? else { return Ok(None) };
        if kind == *wanted {
            return Ok(Some(at + 8..next.min(inside.end)));
        }
        at = next;
    }
    Ok(None)
}

/// Type of the box at `at` and where the next one starts; `None` at the end or where no box can be.
fn read_box(file: &mut File, at: u64, length: u64) -> std::io::Result<Option<([u8; 4], u64)>> {
    if length.saturating_sub(at) < 8 {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(at))?;
    let (size, kind) = (u64::from(u32::from_be_bytes(read(file)?)), read(file)?);
    let (header, size) = match size {
        0 => (8, length - at),
        1 if length - at >= 16 => (16, u64::from_be_bytes(read(file)?)),
        size => (8, size),
    };
    let next = at.checked_add(size).filter(|_| size >= header);
    Ok(next.map(|next| (kind, next)))
}

fn read<const N: usize>(file: &mut File) -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [&(8 + body.len() as u32).to_be_bytes(), kind.as_slice(), body].concat()
    }

    fn large(kind: &[u8; 4], size: u64, body: &[u8]) -> Vec<u8> {
        [&1u32.to_be_bytes(), kind.as_slice(), &size.to_be_bytes(), body].concat()
    }

    fn check(boxes: &[Vec<u8>], expected: bool) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boxes");
        std::fs::write(&path, boxes.concat()).unwrap();
        assert_eq!(moov_before_mdat(&path).unwrap(), expected, "{boxes:?}");
    }

    #[test]
    fn order_of_boxes_decides() {
        let (ftyp, moov, mdat) =
            (small(b"ftyp", b"isom"), small(b"moov", b"mdat...."), small(b"mdat", b"xyz"));
        check(&[ftyp.clone(), moov.clone(), small(b"free", b""), mdat.clone()], true);
        check(&[ftyp.clone(), mdat.clone(), moov.clone()], false);
        check(&[ftyp.clone(), moov.clone(), large(b"mdat", 18, b"ab")], true);
        check(&[ftyp.clone(), moov.clone(), [&[0; 4], b"mdat".as_slice(), b"to the end"].concat()], true);
        check(&[ftyp, moov], false);
    }

    #[test]
    fn the_decoder_configuration_is_found_where_it_lies() {
        let avc1 = small(b"avc1", &[vec![0; 78], small(b"avcC", b"sets")].concat());
        let stsd = small(b"stsd", &[vec![0; 8], avc1].concat());
        let nested = [b"stbl", b"minf", b"mdia", b"trak", b"moov"]
            .iter()
            .fold(stsd, |inner, kind| small(kind, &inner));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boxes");
        std::fs::write(&path, [small(b"ftyp", b"isom"), nested].concat()).unwrap();
        assert_eq!(avc_config(&path).unwrap().as_deref(), Some(b"sets".as_slice()));
        std::fs::write(&path, small(b"moov", b"")).unwrap();
        assert_eq!(avc_config(&path).unwrap(), None);
    }

    #[test]
    fn nonsense_ends_without_looping() {
        check(&[], false);
        check(&[vec![0, 0, 0, 4, b'm', b'o', b'o', b'v']], false);
        check(&[large(b"free", 0, b"")], false);
        check(&[large(b"free", u64::MAX, b"")], false);
        check(&[small(b"moov", b""), vec![0, 0, 0, 1, b'm', b'd']], false);
    }
}
