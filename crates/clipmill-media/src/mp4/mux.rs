//! Joins finished segments into one file: their samples unchanged, after one index.
//!
//! Video frames follow each other at the same distance whatever delay each segment begins with; audio is one finished
//! track. Half seconds of both alternate, so that a player that reads from the front has the data it needs.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::boxes::{Boxes, boxed, full, words};
use super::movie::{Movie, Sample, Track};

/// Ticks per second of the file's clock: every length of video and audio is a whole number of them.
const MOVIE_CLOCK: u32 = 48_000;
/// How many interleaved chunks of each track there are a second.
const CHUNKS_PER_SECOND: u64 = 2;
const UNITY: [u32; 9] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000];
const UNDETERMINED: u32 = 0x55c4_0000;

/// The result of writing a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MuxResult {
    pub size_bytes: u64,
    pub sha256: String,
}

/// Writes `to` from video segments in order, with frames of `frame_ticks`, and a file whose audio is copied as a whole.
pub fn mux(pictures: &[PathBuf], sound: Option<&Path>, frame_ticks: u32, to: &Path) -> Result<MuxResult> {
    let mut sources = Sources::default();
    let pictures = VideoTrack::join(&mut sources, pictures, frame_ticks)?;
    let sound = sound.map(|path| sources.audio(path)).transpose()?;
    let chunks = interleaved(&pictures, sound.as_ref());
    let media: u64 = chunks.iter().map(|chunk| chunk.bytes).sum();
    // The index contains positions after itself, so its length must be known first; it does not depend on them.
    let wide = media > u64::from(u32::MAX / 2);
    let start = |index: &[u8]| (BRAND.len() + index.len() + media_header(media).len()) as u64;
    let draft = index(&pictures, sound.as_ref(), &chunks, 0, wide);
    let index = index(&pictures, sound.as_ref(), &chunks, start(&draft), wide);
    let mut out =
        HashingWriter { inner: BufWriter::new(File::create(to)?), hasher: Sha256::new(), written: 0 };
    for part in [BRAND, &index, &media_header(media)] {
        out.write_all(part)?;
    }
    for chunk in &chunks {
        let samples = match chunk.track {
            Kind::VideoTrack => &pictures.samples,
            Kind::AudioTrack => sound.as_ref().map_or(&pictures.samples, |sound| &sound.samples),
        };
        sources.copy(&samples[chunk.first..chunk.first + chunk.count], &mut out)?;
    }
    out.flush()?;
    Ok(MuxResult { size_bytes: out.written, sha256: hex::encode(out.hasher.finalize()) })
}

const BRAND: &[u8] = b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41";

fn media_header(bytes: u64) -> Vec<u8> {
    match u32::try_from(bytes + 8) {
        Ok(size) => [size.to_be_bytes().as_slice(), b"mdat"].concat(),
        Err(_) => [1u32.to_be_bytes().as_slice(), b"mdat", &(bytes + 16).to_be_bytes()].concat(),
    }
}

/// A sample in one of the sources.
#[derive(Clone, Copy)]
struct SourceSample {
    source: usize,
    sample: Sample,
}

/// Files that samples are copied from, each opened once.
#[derive(Default)]
struct Sources {
    files: Vec<File>,
    known: HashMap<PathBuf, (usize, Arc<Movie>)>,
}

impl Sources {
    fn open(&mut self, path: &Path) -> Result<(usize, Arc<Movie>)> {
        if let Some(entry) = self.known.get(path) {
            return Ok(entry.clone());
        }
        let movie = (self.files.len(), Arc::new(Movie::read(path)?));
        self.files.push(File::open(path)?);
        self.known.insert(path.to_owned(), movie.clone());
        Ok(movie)
    }

    fn audio(&mut self, path: &Path) -> Result<AudioTrack> {
        let (source, movie) = self.open(path)?;
        let track = movie.sound.as_ref().ok_or_else(|| unfit("there is no audio"))?;
        let samples = track.samples.iter().map(|sample| SourceSample { source, sample: *sample }).collect();
        Ok(AudioTrack { movie, samples })
    }

    /// Copies samples; adjacent ones in one step.
    fn copy(&mut self, samples: &[SourceSample], out: &mut impl Write) -> Result<()> {
        let together = |a: &SourceSample, b: &SourceSample| {
            a.source == b.source && a.sample.offset + u64::from(a.sample.size) == b.sample.offset
        };
        for run in samples.chunk_by(together) {
            let (source, from) = (run[0].source, run[0].sample.offset);
            let bytes: u64 = run.iter().map(|source_sample| u64::from(source_sample.sample.size)).sum();
            let file = &mut self.files[source];
            file.seek(SeekFrom::Start(from))?;
            if std::io::copy(&mut file.take(bytes), out)? != bytes {
                return Err(unfit("a segment ends too early"));
            }
        }
        Ok(())
    }
}

/// The joined video track.
struct VideoTrack {
    timescale: u32,
    frame_ticks: u32,
    entry: Vec<u8>,
    size: (u32, u32),
    samples: Vec<SourceSample>,
    /// The display time of each sample, in ticks from the first frame.
    shown: Vec<i64>,
    /// Ticks from the first decoding to the first display.
    origin: i64,
}

impl VideoTrack {
    fn join(sources: &mut Sources, paths: &[PathBuf], frame_ticks: u32) -> Result<Self> {
        let mut first: Option<Arc<Movie>> = None;
        let (mut samples, mut shown) = (Vec::new(), Vec::new());
        for path in paths {
            let (source, movie) = sources.open(path)?;
            let track = track(&movie)?;
            let base = shown.len() as i64 * i64::from(frame_ticks);
            shown.extend(track.shown().map(|at| base + at));
            samples.extend(track.samples.iter().map(|sample| SourceSample { source, sample: *sample }));
            let first = first.get_or_insert_with(|| movie.clone());
            if self::track(first)?.timescale != track.timescale {
                return Err(unfit("segments have different clocks"));
            }
        }
        let first = first.ok_or_else(|| unfit("there is nothing to join"))?;
        let first = track(&first)?;
        let late = |(at, index): (&i64, i64)| index * i64::from(frame_ticks) - at;
        let origin = shown.iter().zip(0..).map(late).max().unwrap_or(0).max(0);
        let size = first.size().ok_or_else(|| unfit("a segment has no size"))?;
        let entry = without_rates(&first.entry);
        Ok(Self { timescale: first.timescale, frame_ticks, entry, size, samples, shown, origin })
    }

    fn length(&self, clock: u32) -> u64 {
        self.samples.len() as u64 * u64::from(self.frame_ticks) * u64::from(clock) / u64::from(self.timescale)
    }

    fn per_chunk(&self) -> usize {
        let frames = u64::from(self.timescale) / u64::from(self.frame_ticks).max(1) / CHUNKS_PER_SECOND;
        frames.max(1) as usize
    }

    /// The index of this track.
    fn track(&self, id: u32, source_sample: &[u8]) -> Vec<u8> {
        let count = self.samples.len() as u32;
        let tick = i64::from(self.frame_ticks);
        let delays = self.shown.iter().zip(0..).map(|(at, index)| (at + self.origin - index * tick) as u32);
        let delays = runs(delays);
        let sync: Vec<u32> = (1u32..)
            .zip(&self.samples)
            .filter(|(_, source_sample)| source_sample.sample.sync)
            .map(|(n, _)| n)
            .collect();
        let sizes = words(self.samples.iter().map(|source_sample| source_sample.sample.size));
        let table = boxed(
            b"stbl",
            &[
                &full(b"stsd", 0, &[&words([1]), &self.entry]),
                &full(b"stts", 0, &[&words([1, count, self.frame_ticks])]),
                &full(b"stss", 0, &[&words([sync.len() as u32]), &words(sync)]),
                &full(b"ctts", 0, &[&words([delays.len() as u32]), &words(delays.concat())]),
                &full(b"stsz", 0, &[&words([0, count]), &sizes]),
                source_sample,
            ],
        );
        let header = TrackHeader {
            id,
            length: self.length(MOVIE_CLOCK) as u32,
            origin: self.origin as u32,
            timescale: self.timescale,
            media_length: count.saturating_mul(self.frame_ticks),
            size: self.size,
        };
        header.wrap(b"vide", b"VideoHandler\0", &full(b"vmhd", 1, &[&[0; 8]]), &table)
    }
}

struct AudioTrack {
    movie: Arc<Movie>,
    samples: Vec<SourceSample>,
}

impl AudioTrack {
    fn track(&self, id: u32, source_sample: &[u8]) -> Vec<u8> {
        let Some(track) = &self.movie.sound else { return Vec::new() };
        let audible = track.end.saturating_sub(track.origin as u64);
        let header = TrackHeader {
            id,
            length: (audible * u64::from(MOVIE_CLOCK) / u64::from(track.timescale)) as u32,
            origin: track.origin as u32,
            timescale: track.timescale,
            media_length: track.end as u32,
            size: (0, 0),
        };
        let table = boxed(b"stbl", &[&track.tables, source_sample]);
        header.wrap(b"soun", b"SoundHandler\0", &full(b"smhd", 0, &[&[0; 4]]), &table)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    VideoTrack,
    AudioTrack,
}

/// Adjacent samples in the output.
struct Chunk {
    track: Kind,
    first: usize,
    count: usize,
    bytes: u64,
}

/// Half seconds of video, each followed by the audio that plays with it.
fn interleaved(pictures: &VideoTrack, sound: Option<&AudioTrack>) -> Vec<Chunk> {
    let (mut chunks, mut audio_chunks) = (Vec::new(), 0);
    let mut add = |track, samples: &[SourceSample], first: usize, until: usize| {
        let bytes =
            samples[first..until].iter().map(|source_sample| u64::from(source_sample.sample.size)).sum();
        if first < until {
            chunks.push(Chunk { track, first, count: until - first, bytes });
        }
    };
    let total = pictures.samples.len();
    for first in (0..total).step_by(pictures.per_chunk()) {
        let until = (first + pictures.per_chunk()).min(total);
        add(Kind::VideoTrack, &pictures.samples, first, until);
        let Some((sound, track)) = sound.and_then(|sound| Some((sound, sound.movie.sound.as_ref()?))) else {
            continue;
        };
        let end = until as u64 * u64::from(pictures.frame_ticks) * u64::from(track.timescale)
            / u64::from(pictures.timescale);
        let more = track.samples[audio_chunks..]
            .iter()
            .take_while(|sample| until == total || sample.decoded_at < end);
        let next = audio_chunks + more.count();
        add(Kind::AudioTrack, &sound.samples, audio_chunks, next);
        audio_chunks = next;
    }
    chunks
}

fn index(
    pictures: &VideoTrack,
    sound: Option<&AudioTrack>,
    chunks: &[Chunk],
    media_start: u64,
    wide: bool,
) -> Vec<u8> {
    let places = |track| places(chunks, track, media_start, wide);
    let length = pictures.length(MOVIE_CLOCK);
    let tracks = 1 + u32::from(sound.is_some());
    let header = full(
        b"mvhd",
        0,
        &[
            &words([0, 0, MOVIE_CLOCK, length as u32, 0x10000, 0x0100_0000, 0, 0]),
            &words(UNITY),
            &[0; 24],
            &words([tracks + 1]),
        ],
    );
    let video_track = pictures.track(1, &places(Kind::VideoTrack));
    let audio_track = sound.map(|sound| sound.track(2, &places(Kind::AudioTrack))).unwrap_or_default();
    boxed(b"moov", &[&header, &video_track, &audio_track])
}

/// The samples of each chunk of a track, and the position of each chunk.
fn places(chunks: &[Chunk], track: Kind, media_start: u64, wide: bool) -> Vec<u8> {
    let mut at = media_start;
    let (mut counts, mut offsets): (Vec<[u32; 3]>, Vec<u64>) = (Vec::new(), Vec::new());
    for chunk in chunks {
        if chunk.track == track {
            offsets.push(at);
            if counts.last().is_none_or(|last| last[1] != chunk.count as u32) {
                counts.push([offsets.len() as u32, chunk.count as u32, 1]);
            }
        }
        at += chunk.bytes;
    }
    let rows = words([counts.len() as u32]);
    let groups = full(b"stsc", 0, &[&rows, &words(counts.concat())]);
    let count = words([offsets.len() as u32]);
    let places = if wide {
        let offsets: Vec<u8> = offsets.into_iter().flat_map(u64::to_be_bytes).collect();
        full(b"co64", 0, &[&count, &offsets])
    } else {
        full(b"stco", 0, &[&count, &words(offsets.into_iter().map(|at| at as u32))])
    };
    [groups, places].concat()
}

/// The contents of a track's headers.
struct TrackHeader {
    id: u32,
    /// The length on the file's clock.
    length: u32,
    origin: u32,
    timescale: u32,
    media_length: u32,
    size: (u32, u32),
}

impl TrackHeader {
    fn wrap(&self, handler: &[u8; 4], name: &[u8], media_header: &[u8], table: &[u8]) -> Vec<u8> {
        let (width, height) = self.size;
        let (alternate, volume) = if width == 0 { (1, 0x0100_0000) } else { (0, 0) };
        let header = full(
            b"tkhd",
            3,
            &[
                &words([0, 0, self.id, 0, self.length, 0, 0, alternate, volume]),
                &words(UNITY),
                &words([width << 16, height << 16]),
            ],
        );
        let edit = full(b"elst", 0, &[&words([1, self.length, self.origin, 0x10000])]);
        let reference = full(b"dref", 0, &[&words([1]), &full(b"url ", 1, &[])]);
        let media = boxed(
            b"mdia",
            &[
                &full(b"mdhd", 0, &[&words([0, 0, self.timescale, self.media_length, UNDETERMINED])]),
                &full(b"hdlr", 0, &[&[0; 4], handler, &[0; 12], name]),
                &boxed(b"minf", &[media_header, &boxed(b"dinf", &[&reference]), table]),
            ],
        );
        boxed(b"trak", &[&header, &boxed(b"edts", &[&edit]), &media])
    }
}

/// A video sample entry without the bit rates of the original segment.
fn without_rates(entry: &[u8]) -> Vec<u8> {
    let header_length = 8 + 78;
    let (Some(start), Some(rest)) = (entry.get(8..header_length), entry.get(header_length..)) else {
        return entry.to_vec();
    };
    let boxes: Vec<&[u8]> =
        Boxes(rest).filter(|mp4_box| mp4_box.kind != *b"btrt").map(|mp4_box| mp4_box.whole).collect();
    boxed(b"avc1", &[start, &boxes.concat()])
}

fn track(movie: &Movie) -> Result<&Track> {
    movie.pictures.as_ref().ok_or_else(|| unfit("a segment has no video"))
}

/// Counts and values of runs of equal neighbours.
fn runs(values: impl Iterator<Item = u32>) -> Vec<[u32; 2]> {
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some([count, last]) if *last == value => *count += 1,
            _ => runs.push([1, value]),
        }
    }
    runs
}

fn unfit(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

struct HashingWriter<W> {
    inner: W,
    hasher: Sha256,
    written: u64,
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let length = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..length]);
        self.written += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}
