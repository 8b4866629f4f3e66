//! Files that the hostile user sends.

use std::path::Path;

use crate::harness::make;
use crate::rng::Rng;

pub struct Payloads {
    /// Files whose headers announce impossible sizes.
    pub bombs: Vec<Vec<u8>>,
    /// Files that are media, but broken or strange.
    pub damaged: Vec<Vec<u8>>,
    /// A valid clip.
    pub clip: Vec<u8>,
    /// A clip that is large in every frame.
    pub large: Vec<u8>,
    /// A request of far too many values, and the largest that is accepted.
    pub bodies: [&'static [u8]; 2],
}

const MANY: u32 = 50_000_000;

impl Payloads {
    pub fn load() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let clip =
            "-f lavfi -i testsrc2=s=1280x720:r=30:d=4 -f lavfi -i sine=frequency=400:duration=4 -c:v libx264";
        make(folder, &format!("{clip} -preset ultrafast -pix_fmt yuv420p -movflags faststart clip.mp4"));
        let large =
            "-f lavfi -i testsrc2=s=3840x2160:r=30:d=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p";
        make(folder, &format!("{large} large.mp4"));
        Self {
            bombs: bombs(folder),
            damaged: damaged(folder),
            clip: read(folder, "clip.mp4"),
            large: read(folder, "large.mp4"),
            bodies: [body(1, 12 << 20), body(100, 100 * CLIP.len())],
        }
    }
}

/// The same file with other bytes at its end, so that it is a new upload: an MP4 box that players ignore.
pub fn with_random_tail(file: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut file = file.to_vec();
    file.extend_from_slice(b"\0\0\0\x10free");
    file.extend((0..8).map(|_| rng.below(256) as u8));
    file
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

fn seed(name: &str) -> Vec<u8> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/containers");
    std::fs::read(seeds.join(name)).unwrap()
}

fn find(bytes: &[u8], name: &[u8]) -> usize {
    bytes.windows(name.len()).position(|window| window == name).unwrap()
}

fn bombs(folder: &Path) -> Vec<Vec<u8>> {
    let mut bombs = Vec::new();
    make(folder, "-f lavfi -i testsrc2=s=64x64:d=0.2 -c:v libx264 small.mp4");
    let small = read(folder, "small.mp4");
    // Millions of samples, in each table that may announce them. The count of stsz stands after a size.
    for (name, at) in [(b"stsz", 12), (b"stts", 8), (b"stsc", 8), (b"stco", 8)] {
        let mut bomb = small.clone();
        let count = find(&bomb, name) + at;
        bomb[count..count + 4].copy_from_slice(&MANY.to_be_bytes());
        bombs.push(bomb);
    }
    // An index that names itself, and one that is longer than its file.
    let avi = seed("indexes.avi");
    let inner = find(&avi, b"ix00");
    let mut nested = avi.clone();
    nested[inner + 11] = 0;
    bombs.push(nested);
    for at in [find(&avi, b"indx"), inner] {
        let mut full = avi.clone();
        full[at + 12..at + 16].copy_from_slice(&MANY.to_le_bytes());
        bombs.push(full);
    }
    // A header of half a gibibyte.
    let mut header = seed("tracks.mkv");
    let codec = find(&header, b"\x63\xa2");
    header.splice(codec + 2..codec + 3, *b"\x1f\xff\xff\xff");
    bombs.push(header);
    // Two frames a day apart, two hundred streams, a picture of two hundred megapixels.
    let jump = r"setpts=if(eq(N\,2)\,100000/TB\,PTS)";
    let gap = "-f lavfi -i testsrc2=s=64x64:r=30:d=0.1";
    make(folder, &format!("{gap} -vf {jump} -fps_mode passthrough -c:v mjpeg gap.mkv"));
    let maps = "-map 0:v ".repeat(200);
    make(folder, &format!("-f lavfi -i testsrc2=s=64x64:d=0.1 {maps} -c:v mpeg4 many.mkv"));
    make(folder, &format!("-f lavfi -i testsrc2=s=64x64:d=0.1 {maps} -c:v mpeg2video many.ts"));
    make(folder, "-f lavfi -i color=s=14000x14000:d=0.04,format=gray -frames:v 1 huge.png");
    bombs.extend(["gap.mkv", "many.mkv", "many.ts", "huge.png"].map(|name| read(folder, name)));
    bombs
}

fn damaged(folder: &Path) -> Vec<Vec<u8>> {
    make(folder, "-f lavfi -i testsrc2=s=320x240:d=2 -c:v libx264 -movflags faststart whole.mp4");
    make(folder, "-f lavfi -i testsrc2=s=320x240:d=1 -c:v mpeg2video whole.ts");
    make(folder, "-f lavfi -i testsrc2=s=64x64:d=0.2 -c:v magicyuv magic.mkv");
    let (whole, stream) = (read(folder, "whole.mp4"), read(folder, "whole.ts"));
    let flip = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let start = bytes.len() / 3;
        bytes[start..].iter_mut().step_by(50).for_each(|byte| *byte ^= 0x55);
        bytes
    };
    let mut long = whole.clone();
    let header = find(&long, b"mvhd");
    long[header + 20..header + 24].copy_from_slice(&u32::MAX.to_be_bytes());
    vec![
        whole[..whole.len() / 2].to_vec(),
        flip(&whole),
        flip(&stream),
        stream[..stream.len() * 2 / 3].to_vec(),
        long,
        read(folder, "magic.mkv"),
        b"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:/etc/passwd\n#EXT-X-ENDLIST\n".to_vec(),
        b"ffconcat version 1.0\nfile 'file:/etc/passwd'\n".to_vec(),
        b"<svg xmlns='http://www.w3.org/2000/svg'><image href='/etc/passwd'/></svg>".to_vec(),
        vec![0; 100_000],
    ]
}

const CLIP: &str = r#"{"url":"https://example.com/0123456789012345678901234567890123456789012345678901234567890123456789.mp4"},"#;

/// So many groups of clips, each of about so many bytes.
fn body(groups: usize, bytes: usize) -> &'static [u8] {
    let clips = CLIP.repeat(bytes / CLIP.len());
    let group = format!(r#"{{"videos":[{}],"totalDuration":1}}"#, clips.trim_end_matches(','));
    let groups = vec![group; groups].join(",");
    let body = format!(r#"{{"taskType":"baseVideoMix","params":{{"videoList":[{groups}]}}}}"#);
    Box::leak(body.into_bytes().into_boxed_slice())
}
