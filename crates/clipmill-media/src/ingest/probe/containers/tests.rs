//! Tables that cannot be true, and many that can.

use std::path::Path;

use super::*;

fn boxed(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes()[..], name, content].concat()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// An MP4 with these tables and 600 bytes of video.
fn mp4(tables: &[(&[u8; 4], &[u32])]) -> Vec<u8> {
    let tables: Vec<u8> = tables.iter().flat_map(|(name, content)| boxed(name, &words(content))).collect();
    let moov = boxed(b"moov", &boxed(b"trak", &boxed(b"mdia", &boxed(b"minf", &boxed(b"stbl", &tables)))));
    [boxed(b"ftyp", b"isom\0\0\0\0"), moov, boxed(b"mdat", &[0; 600])].concat()
}

#[track_caller]
fn check(bytes: &[u8], refused: Option<&str>) {
    match (inspect(io::Cursor::new(bytes)), refused) {
        (Ok(_), None) => {}
        (Err(ContainerError::Table(table)), Some(name)) => assert!(table.ends_with(name), "{table}: {name}"),
        (looked, refused) => panic!("{looked:?} instead of {refused:?}"),
    }
}

#[test]
fn tables_that_cannot_fit_are_refused_by_name() {
    const MANY: u32 = 5_000_000;
    let tables: [(&[u8; 4], &[u32]); 13] = [
        (b"stsz", &[0, 0, MANY]),
        (b"stsz", &[0, 1, MANY]),
        (b"stz2", &[0, 4, MANY]),
        (b"stts", &[0, MANY]),
        (b"ctts", &[0, MANY]),
        (b"stsc", &[0, MANY]),
        (b"stco", &[0, MANY]),
        (b"co64", &[0, MANY]),
        (b"stss", &[0, MANY]),
        (b"sbgp", &[0, u32::from_be_bytes(*b"rap "), MANY]),
        (b"elst", &[0, MANY]),
        (b"trun", &[0x300, MANY]),
        (b"trun", &[0, MANY]),
    ];
    for (name, content) in tables {
        let table = std::str::from_utf8(name).unwrap();
        check(&mp4(&[(name, content)]), Some(table));
        // The table is found wherever it is, also after a tag.
        let mut loose = b"ID3\x04\0\0\0\0\0\x02ab".to_vec();
        loose.extend(boxed(b"udta", &boxed(name, &words(content))));
        check(&loose, Some(table));
        let wrapped = boxed(b"free", &boxed(b"moov", &boxed(name, &words(content))));
        check(&wrapped, Some(table));
        // A small number of entries is accepted.
        let mut few = content.to_vec();
        let last = few.len() - 1;
        few[last] = 2;
        check(&mp4(&[(name, &few)]), None);
    }
    // ffmpeg skips other groups than these.
    check(&mp4(&[(b"sbgp", &[0, u32::from_be_bytes(*b"roll"), MANY])]), None);
    // These samples are only announced by chunks, with the tables in either order.
    let (runs, chunks): (&[u32], &[u32]) = (&[0, 1, 1, MANY, 1], &[0, 1, 8]);
    check(&mp4(&[(b"stsc", runs), (b"stco", chunks)]), Some("stsc"));
    check(&mp4(&[(b"stco", chunks), (b"stsc", runs)]), Some("stsc"));
    // These are many runs, each of them small.
    let run: (&[u8; 4], &[u32]) = (b"trun", &[0, 4000]);
    check(&mp4(&[run]), None);
    check(&mp4(&[run; 3]), Some("trun"));
}

/// QuickTime's compressed header is checked like any other; a nested one is refused, a broken one is left to ffprobe.
#[test]
fn tables_in_a_packed_header_are_found() {
    use std::io::Write;
    let packed = |header: &[u8], length: u32| {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(header).unwrap();
        let content = [&length.to_be_bytes()[..], &packer.finish().unwrap()].concat();
        boxed(b"moov", &boxed(b"cmov", &[boxed(b"dcom", b"zlib"), boxed(b"cmvd", &content)].concat()))
    };
    let header = |count: u32| boxed(b"moov", &boxed(b"trak", &boxed(b"stsz", &words(&[0, 1, count]))));
    let file = |moov: Vec<u8>| [boxed(b"ftyp", b"qt  \0\0\0\0"), moov, boxed(b"mdat", &[0; 600])].concat();
    let whole = |header: &[u8]| packed(header, header.len() as u32);
    check(&file(whole(&header(600))), None);
    check(&file(whole(&header(5_000_000))), Some("stsz"));
    // Tables after it are still found.
    let behind =
        [file(whole(&header(600))), boxed(b"udta", &boxed(b"stts", &words(&[0, 5_000_000])))].concat();
    check(&behind, Some("stts"));
    check(&file(packed(b"", 100)), None);
    for endless in [packed(&header(600), u32::MAX), whole(&whole(&header(600)))] {
        assert!(matches!(inspect(io::Cursor::new(file(endless))), Err(ContainerError::Endless)));
    }
}

#[test]
fn an_index_that_is_referenced_repeatedly_is_rejected() {
    let seed = std::fs::read(seeds().join("indexes.avi")).unwrap();
    check(&seed, None);
    let at = seed.windows(4).position(|name| name == b"indx").unwrap();
    let mut nested = seed.clone();
    let inner = seed.windows(4).position(|name| name == b"ix00").unwrap();
    nested[inner + 11] = 0;
    check(&nested, Some("indx"));
    let mut many = seed.clone();
    many[at + 12..at + 16].copy_from_slice(&5_000_000_u32.to_le_bytes());
    check(&many, Some("indx"));
    let mut full = seed;
    full[inner + 12..inner + 16].copy_from_slice(&5_000_000_u32.to_le_bytes());
    check(&full, Some("indx"));
}

#[test]
fn a_header_that_is_longer_than_its_file_is_refused() {
    let seed = std::fs::read(seeds().join("tracks.mkv")).unwrap();
    let codec = seed.windows(2).position(|id| id == b"\x63\xa2").unwrap();
    let mut long = seed.clone();
    long.splice(codec + 2..codec + 3, *b"\x1f\xff\xff\xff");
    check(&long, Some("elements"));
}

/// Runs the checked-in corpus of the fuzz target, whole, truncated anywhere and with each byte changed.
#[test]
fn the_corpus_passes() {
    let mut accepted = 0;
    for entry in std::fs::read_dir(seeds()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        assert!(check_bytes(&bytes), "{}", path.display());
        for at in 0..bytes.len() {
            check_bytes(&bytes[..at]);
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                check_bytes(&changed);
            }
        }
        accepted += 1;
    }
    assert!(accepted >= 7, "{accepted}");
}

fn seeds() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/containers")
}

#[test]
fn an_avi_with_an_incomplete_last_chunk_is_truncated() {
    let header =
        [b"avih".as_slice(), &[56, 40_000, 0, 0, 0, 100_u32].map(u32::to_le_bytes).concat(), &[0; 36]]
            .concat();
    let chunk =
        |length: u32| [b"RIFF".as_slice(), &length.to_le_bytes(), b"AVI ", &header, &[0; 36]].concat();
    let cut = |bytes: &[u8]| inspect(io::Cursor::new(bytes)).unwrap().stated_s;
    let whole = chunk(104);
    assert_eq!(whole.len(), 112);
    assert_eq!(cut(&whole), None);
    assert_eq!(cut(&[&whole, b"behind the end".as_slice()].concat()), None);
    assert_eq!(cut(&chunk(105)), Some(4.0));
    assert_eq!(cut(&chunk(0)), None, "a recording that was not finished");
    assert_eq!(cut(&[whole.clone(), whole.clone()].concat()), None);
    assert_eq!(cut(&[whole, chunk(200)].concat()), Some(4.0));
}

fn stated(bytes: &[u8]) -> Option<f64> {
    inspect(io::Cursor::new(bytes)).unwrap().stated_s
}

#[test]
fn a_wav_that_lacks_data_states_its_length() {
    let chunk = |name: &[u8; 4], size: u32, content: &[u8]| [name, &size.to_le_bytes()[..], content].concat();
    let format = |tag: u16| {
        let format = [&tag.to_le_bytes()[..], &[1, 0], &8000_u32.to_le_bytes(), &16_000_u32.to_le_bytes()];
        chunk(b"fmt ", 16, &[&format.concat()[..], &[2, 0, 16, 0]].concat())
    };
    let wav = |tag: u16, data_size: u32| {
        let fact = chunk(b"fact", 4, &24_000_u32.to_le_bytes());
        let data = chunk(b"data", data_size, &[0; 16_000]);
        [b"RIFF\xff\xff\xff\xffWAVE".as_slice(), &format(tag), &fact, &data].concat()
    };
    assert_eq!(stated(&wav(1, 16_000)), None, "whole");
    assert_eq!(stated(&wav(1, 32_000)), Some(2.0));
    assert_eq!(stated(&wav(2, 32_000)), Some(3.0), "compressed: by its number of samples");
    for unknown in [0, u32::MAX, u32::MAX - 36, 0x7fff_ffff, 0x7fff_f000, 0x8000_0000] {
        assert_eq!(stated(&wav(1, unknown)), None, "{unknown:x}, which programs write to a pipe");
    }
    let long = |size: u64| {
        let sizes = chunk(b"ds64", 28, &[&[0; 8], &size.to_le_bytes()[..], &[0; 12]].concat());
        let data = chunk(b"data", u32::MAX, &[0; 16_000]);
        [b"RF64\xff\xff\xff\xffWAVE".as_slice(), &sizes, &format(1), &data].concat()
    };
    assert_eq!(
        [stated(&long(16_000)), stated(&long(64_000)), stated(&long(u64::MAX))],
        [None, Some(4.0), None]
    );
}

#[test]
fn flac_and_mp3_state_their_length() {
    let flac = |samples: u64| {
        let facts = (44_100_u64 << 44 | samples).to_be_bytes();
        [b"fLaC\x00\x00\x00\x22".as_slice(), &[0; 10], &facts, &[0; 16]].concat()
    };
    assert_eq!((stated(&flac(88_200)), stated(&flac(0))), (Some(2.0), None));
    // Versions 1, 2 and 2.5 with one or two channels.
    for (version, rate, mode, side, seconds) in
        [(0xfb, 0x90, 0, 32, 1152.0 / 44_100.0), (0xfb, 0x94, 0xc0, 17, 0.024), (0xf3, 0x84, 0, 17, 0.024)]
    {
        let mp3 = |name: &[u8; 4], flags: u8| {
            let head = [&[0xff, version, rate, mode][..], &vec![0; side], name];
            [&head.concat()[..], &[0, 0, 0, flags, 0, 0, 0, 100], &[0; 32]].concat()
        };
        assert!((stated(&mp3(b"Info", 1)).unwrap() - 100.0 * seconds).abs() < 1e-9);
        assert_eq!([stated(&mp3(b"Xing", 2)), stated(&mp3(b"none", 1))], [None, None]);
        let tagged = [b"ID3\x04\0\0\0\0\0\x02..".as_slice(), &mp3(b"Xing", 3)].concat();
        assert!(stated(&tagged).is_some());
    }
    let mut old = [[0xff, 0xfb, 0x90, 0].as_slice(), &[0; 60]].concat();
    old[36..40].copy_from_slice(b"VBRI");
    old[50..54].copy_from_slice(&[0, 0, 0, 50]);
    assert!((stated(&old).unwrap() - 50.0 * 1152.0 / 44_100.0).abs() < 1e-9);
}
