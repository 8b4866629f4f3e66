//! The content that plain ffmpeg decodes from a file: the numbers shown in its frames, their colours, and its beeps.
//!
//! ffmpeg runs as in `ffmpeg -i FILE out.mp4`: its own choice of streams, its own repair of timestamps, no `-copyts`.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::Command;

use crate::case::Region;
use crate::material::{BITS, COLOURS};

const SIDE: usize = 160;
pub const RATE: usize = 48_000;
/// From here on, a video that begins after its audio is late.
const LATE_S: f64 = 0.1;
/// Windows in which the level of audio is measured.
const WINDOW: usize = 48;

#[derive(Clone, Debug)]
pub struct Frame {
    pub at_s: f64,
    /// `None` if the blocks are not clearly light or dark.
    pub number: Option<usize>,
    pub colours: [[f64; 3]; COLOURS.len()],
}

#[derive(Clone, Copy, Debug)]
pub struct Beep {
    pub at_s: f64,
    pub pitch_hz: Option<f64>,
}

/// Times count from the first frame of a video, from its audio if that begins much earlier, and from the first sample
/// of a file without video.
#[derive(Debug)]
pub struct Observation {
    pub frames: Vec<Frame>,
    pub end_s: f64,
    pub beeps: Vec<Beep>,
}

/// Decodes a file in `folder`; the error is ffmpeg's last message. `matrix` overrides the colour matrix.
pub fn observe(
    path: &Path,
    video: bool,
    region: Region,
    matrix: Option<&str>,
) -> Result<Observation, String> {
    let folder = path.parent().unwrap();
    let file = |name: &str| folder.join(format!("decoded.{name}"));
    let mix = mono(path);
    let has_audio = mix.is_some();
    if !video && !has_audio {
        return Err("there is no audio stream".to_owned());
    }
    let scale = matrix.map_or(String::new(), |matrix| format!("in_color_matrix={matrix}:"));
    let mut args = Vec::new();
    if video {
        let filter = format!("scale={SIDE}:{SIDE}:flags=area:{scale}out_range=pc,format=rgb24");
        let video = "-an -sn -dn -fps_mode vfr -enc_time_base 1:90000 -c:v rawvideo -vf";
        args.push((video, filter.clone(), "rawvideo", file("rgb")));
        args.push((video, filter, "framecrc", file("frames")));
    }
    if let Some(mix) = mix {
        let audio = "-vn -sn -dn -ar 48000 -c:a pcm_f32le -af";
        args.push((audio, mix.to_owned(), "f32le", file("pcm")));
        args.push((audio, mix.to_owned(), "framecrc", file("samples")));
    }
    #[allow(clippy::disallowed_methods, reason = "a ruler independent of the program under test")]
    let mut command = Command::new("ffmpeg");
    command.args(["-nostdin", "-v", "error", "-y", "-threads", "1", "-i"]).arg(path);
    for (options, filter, format, output) in &args {
        command.args(options.split(' ')).args([filter, "-f", format]).arg(output);
    }
    let ran = command.output().unwrap();
    let message = String::from_utf8_lossy(&ran.stderr).lines().last().unwrap_or_default().to_owned();
    let shown = if video { packets(&file("frames")) } else { Vec::new() };
    if video && shown.is_empty() {
        return Err(message);
    }
    let frames = if video { frames(&file("rgb"), &shown, region) } else { Vec::new() };
    let first_s = frames.first().map_or(0.0, |frame| frame.at_s);
    let heard_s = packets(&file("samples")).first().map_or(first_s, |(at_s, _)| *at_s);
    // A video that begins much later than its audio shows its first frame meanwhile.
    let origin_s = if first_s - heard_s >= LATE_S { heard_s } else { first_s };
    let is_empty = |name: &str| std::fs::metadata(file(name)).map_or(true, |metadata| metadata.len() == 0);
    if !video && is_empty("pcm") {
        return Err(message);
    }
    let samples = if has_audio { timeline(&file("pcm"), &file("samples"), origin_s) } else { Vec::new() };
    let end_s = end_of(&frames).unwrap_or(samples.len() as f64 / RATE as f64);
    let frames = frames.into_iter().map(|frame| Frame { at_s: frame.at_s - origin_s, ..frame }).collect();
    for (.., output) in args {
        std::fs::remove_file(output).ok();
    }
    Ok(Observation { frames, end_s: end_s - if video { origin_s } else { 0.0 }, beeps: beeps(&samples) })
}

/// The filter that mixes down to one channel; `None` if there is no audio.
fn mono(path: &Path) -> Option<&'static str> {
    #[allow(clippy::disallowed_methods, reason = "a ruler independent of the program under test")]
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "a", "-show_entries", "stream=channels", "-of", "csv=p=0"])
        .arg(path)
        .output()
        .expect("ffprobe must be installed: run scripts/install-deps.sh");
    let list = String::from_utf8_lossy(&output.stdout);
    let channels = list.lines().filter_map(|line| line.trim_end_matches(',').parse::<u32>().ok());
    // ffmpeg cannot mix down more channels than layouts have, so the first represents all.
    channels.max().map(|max| if max > 8 { "pan=mono|c0=c0" } else { "aformat=channel_layouts=mono" })
}

/// Time in seconds and size in bytes of each packet in ffmpeg's `framecrc` format.
fn packets(path: &Path) -> Vec<(f64, usize)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let base = text.lines().find_map(|line| line.strip_prefix("#tb 0: ")).unwrap_or("1/1");
    let (numerator, denominator) = base.split_once('/').unwrap();
    let unit = numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap();
    let packet = |line: &str| {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        Some((fields.get(2)?.parse::<f64>().ok()? * unit, fields.get(4)?.parse().ok()?))
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(packet).collect()
}

/// The last frame lasts as long as half of all frames do at least.
fn end_of(frames: &[Frame]) -> Option<f64> {
    let mut steps: Vec<f64> = frames.windows(2).map(|pair| pair[1].at_s - pair[0].at_s).collect();
    steps.sort_by(f64::total_cmp);
    Some(frames.last()?.at_s + steps.get(steps.len() / 2).unwrap_or(&0.04))
}

fn frames(raw: &Path, packets: &[(f64, usize)], region: Region) -> Vec<Frame> {
    let mut file = BufReader::new(std::fs::File::open(raw).unwrap());
    let mut pixels = vec![0; SIDE * SIDE * 3];
    let mut frames = Vec::new();
    for (at_s, _) in packets {
        if file.read_exact(&mut pixels).is_err() {
            break;
        }
        let [left, top, width, height] = match region {
            Region::At(region) => region,
            Region::Detected => bounds(&pixels),
        };
        let mean = |x: f64, y: f64, radius: f64| {
            let range = |from: f64, middle: f64, length: f64, radius: f64| {
                let edge =
                    |at: f64| ((from + at * length) * SIDE as f64).clamp(0.0, SIDE as f64 - 1.0) as usize;
                edge(middle - radius)..edge(middle + radius) + 1
            };
            average(&pixels, range(left, x, width, radius), range(top, y, height, 0.035))
        };
        let bit = |column: usize| {
            let [_, green, _] = mean((column as f64 + 0.5) / BITS as f64, 0.185, 0.02);
            (green > 150.0).then_some(1 << column).or((green < 80.0).then_some(0))
        };
        let number = (0..BITS).map(bit).try_fold(0, |sum, bit| Some(sum + bit?));
        let colours = std::array::from_fn(|i| mean((i as f64 + 0.5) / COLOURS.len() as f64, 0.82, 0.06));
        frames.push(Frame { at_s: *at_s, number, colours });
    }
    frames
}

fn average(pixels: &[u8], columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> [f64; 3] {
    let count = (columns.len() * rows.len()) as f64;
    let mut sum = [0.0; 3];
    for row in rows {
        for pixel in pixels[3 * (row * SIDE + columns.start)..3 * (row * SIDE + columns.end)].chunks_exact(3)
        {
            (0..3).for_each(|i| sum[i] += f64::from(pixel[i]));
        }
    }
    sum.map(|sum| sum / count)
}

/// The rectangle that is not black.
fn bounds(pixels: &[u8]) -> [f64; 4] {
    let is_light = |at: usize| pixels[3 * at..3 * at + 3].iter().any(|value| *value > 10);
    // A few light pixels are noise of the encoder.
    let column = |x: &usize| (0..SIDE).filter(|y| is_light(y * SIDE + x)).count() > SIDE / 8;
    let row = |y: &usize| (0..SIDE).filter(|x| is_light(y * SIDE + x)).count() > SIDE / 8;
    let (left, right) = ((0..SIDE).find(column), (0..SIDE).rfind(column));
    let (top, bottom) = ((0..SIDE).find(row), (0..SIDE).rfind(row));
    let part = |from: Option<usize>, to: Option<usize>| {
        let from = from.unwrap_or(0);
        [from as f64 / SIDE as f64, (to.unwrap_or(SIDE - 1) + 1 - from) as f64 / SIDE as f64]
    };
    let ([left, width], [top, height]) = (part(left, right), part(top, bottom));
    [left, top, width, height]
}

/// Mono samples, each where its timestamp puts it, counted from `origin_s`.
fn timeline(raw: &Path, list: &Path, origin_s: f64) -> Vec<f32> {
    let bytes = std::fs::read(raw).unwrap_or_default();
    let samples: Vec<f32> =
        bytes.chunks_exact(4).map(|sample| f32::from_le_bytes(sample.try_into().unwrap())).collect();
    let mut placed = Vec::new();
    let mut read = 0;
    for (at_s, size) in packets(list) {
        let end = (read + size / 4).min(samples.len());
        let at = ((at_s - origin_s) * RATE as f64).round() as i64;
        let skip = (-at).max(0) as usize;
        let packet = &samples[read..end];
        if let Some(packet) = packet.get(skip..) {
            let at = at.max(0) as usize;
            placed.resize(placed.len().max(at + packet.len()), 0.0);
            placed[at..at + packet.len()].copy_from_slice(packet);
        }
        read = end;
    }
    placed
}

/// Where audio becomes loud after at least 0.2 s of quiet.
fn beeps(samples: &[f32]) -> Vec<Beep> {
    let level = |window: &[f32]| window.iter().fold(0.0_f32, |loudest, sample| loudest.max(sample.abs()));
    let loudest = samples.chunks(WINDOW * 20).map(level).fold(0.0, f32::max);
    let threshold = (0.3 * loudest).max(0.01);
    let mut loud_until = None;
    let mut beeps = Vec::new();
    for (index, window) in samples.chunks(WINDOW).enumerate() {
        if level(window) < threshold {
            continue;
        }
        if loud_until.is_none_or(|until| index - until > RATE / WINDOW / 5) {
            let at = index * WINDOW + window.iter().position(|sample| sample.abs() >= threshold).unwrap_or(0);
            beeps.push(Beep { at_s: at as f64 / RATE as f64, pitch_hz: pitch(&samples[at..], threshold) });
        }
        loud_until = Some(index);
    }
    beeps
}

/// The pitch of a beep, by the times between two rises through zero; `None` if it is broken off.
fn pitch(samples: &[f32], threshold: f32) -> Option<f64> {
    let is_loud = |window: &&[f32]| window.iter().any(|sample| sample.abs() >= threshold);
    let loud = samples.chunks(2 * WINDOW).take_while(is_loud).count() * 2 * WINDOW;
    let part = samples.get(RATE / 50..RATE * 7 / 100).filter(|_| loud >= RATE * 7 / 100)?;
    let rises = (1..part.len()).filter(|at| part[at - 1] < 0.0 && part[*at] >= 0.0).collect::<Vec<_>>();
    let mut periods: Vec<usize> = rises.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if periods.len() < 8 {
        return None;
    }
    periods.sort_unstable();
    // Whole samples are too coarse, so the mean is taken of the middle half.
    let middle = &periods[periods.len() / 4..periods.len() - periods.len() / 4];
    Some((RATE * middle.len()) as f64 / middle.iter().sum::<usize>() as f64)
}
