//! Measurements of the frames and audio of a finished file.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clipmill_core::media::Size;
use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};

/// What ffmpeg writes to its standard output.
pub async fn raw(input: &Path, args: &str) -> Vec<u8> {
    let mut all: Vec<OsString> = ["-v", "error", "-nostdin", "-i"].map(OsString::from).to_vec();
    all.push(input.into());
    all.extend(args.split_whitespace().map(|word| OsString::from(word.replace('|', " "))));
    all.push("-".into());
    let limits = Limits::wall(Duration::from_secs(300)).stdout_bytes(1 << 30);
    Ffmpeg::default().output(Program::Ffmpeg, &all, limits).await.unwrap()
}

/// Mean luma of each frame as it is stored: 16 to 235.
pub async fn lumas(input: &Path) -> Vec<u8> {
    raw(input, "-map 0:v:0 -fps_mode passthrough -vf scale=1:1:flags=area,format=yuv420p,extractplanes=y -f rawvideo").await
}

/// The similarity of each frame of two files (SSIM): 1 is equal.
pub async fn likeness(one: &Path, other: &Path) -> Vec<f64> {
    // Frames are compared by their times, and newer versions convert one to the other's colours first.
    let same =
        "setpts=PTS-STARTPTS,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709";
    let graph = format!("[0:v]{same}[one];[1:v]{same}[other];[one][other]ssim=stats_file=-");
    let args = format!("-i {} -lavfi {graph} -f null", other.display());
    let text = String::from_utf8(raw(one, &args).await).unwrap();
    let all = text.lines().filter_map(|line| line.split_once("All:")?.1.split(' ').next()?.parse().ok());
    all.collect()
}

/// MD5 of each decoded frame.
pub async fn frame_hashes(input: &Path) -> Vec<String> {
    let text = raw(input, "-map 0:v:0 -fps_mode passthrough -f framemd5").await;
    let text = String::from_utf8(text).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit(',').next().unwrap().trim().to_owned()).collect()
}

/// Decoded audio of a stereo file at 48 kHz, the mean of both sides.
pub async fn samples(input: &Path) -> Vec<f32> {
    stereo(input).await.into_iter().map(|[left, right]| (left + right) / 2.0).collect()
}

/// Decoded audio of a stereo file at 48 kHz, left and right.
pub async fn stereo(input: &Path) -> Vec<[f32; 2]> {
    let bytes = raw(input, "-map 0:a:0 -ar 48000 -ac 2 -f f32le").await;
    let sample = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    bytes.chunks_exact(8).map(|both| [sample(&both[..4]), sample(&both[4..])]).collect()
}

/// Root mean square of a part of the audio, in dB below full scale.
pub fn level_db(samples: &[f32], from_s: f64, to_s: f64) -> f64 {
    let part = &samples[(from_s * 48_000.0) as usize..((to_s * 48_000.0) as usize).min(samples.len())];
    let power = part.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / part.len().max(1) as f64;
    10.0 * power.max(1e-12).log10()
}

/// ffprobe's description of a file's first video stream: the values of `fields`, separated by commas.
pub async fn probed(input: &Path, fields: &str) -> String {
    let mut args: Vec<OsString> =
        ["-v", "error", "-select_streams", "v:0", "-of", "csv=p=0", "-show_entries"]
            .map(OsString::from)
            .to_vec();
    args.extend([format!("stream={fields}").into(), input.into()]);
    let text =
        Ffmpeg::default().output(Program::Ffprobe, &args, Limits::wall(Duration::from_secs(300))).await;
    String::from_utf8(text.unwrap()).unwrap().trim().to_owned()
}

/// Times at which audio begins after at least 0.2 s of silence.
pub async fn onsets(input: &Path) -> Vec<f64> {
    let (mut found, mut loud_until) = (Vec::new(), None);
    for (i, sample) in samples(input).await.iter().enumerate() {
        if sample.abs() > 0.05 {
            if loud_until.is_none_or(|until| i - until > 9_600) {
                found.push(i as f64 / 48_000.0);
            }
            loud_until = Some(i);
        }
    }
    found
}

/// How often the audio goes from below zero to above in a second: the pitch of a pure tone.
pub fn pitch(samples: &[f32], from_s: f64, to_s: f64) -> f64 {
    let part = &samples[(from_s * 48_000.0) as usize..(to_s * 48_000.0) as usize];
    let rises = part.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    rises as f64 / (to_s - from_s)
}

/// One frame in full-range RGB, as shown by a player that interprets the file as BT.709.
pub struct Frame {
    pub size: Size,
    /// Planes of green, blue, red.
    planes: Vec<u8>,
}

const TO_RGB: &str = "zscale=matrixin=709:rangein=limited:matrix=gbr:range=full,format=gbrp -f rawvideo";

/// All frames of a file with `size`.
pub async fn frames(input: &Path, size: Size) -> Vec<Frame> {
    let bytes = raw(input, &format!("-map 0:v:0 -fps_mode passthrough -vf {TO_RGB}")).await;
    let length = (size.width * size.height * 3) as usize;
    assert_eq!(bytes.len() % length, 0, "the pictures have another size than {size}");
    bytes.chunks_exact(length).map(|planes| Frame { size, planes: planes.to_vec() }).collect()
}

/// One frame of a file with `size`.
pub async fn frame(input: &Path, size: Size, index: usize) -> Frame {
    let select = format!("-map 0:v:0 -fps_mode passthrough -vf select=eq(n\\,{index}),{TO_RGB}");
    let planes = raw(input, &select).await;
    assert_eq!(planes.len(), (size.width * size.height * 3) as usize, "picture {index}");
    Frame { size, planes }
}

impl Frame {
    /// A frame from its planes of green, blue and red.
    pub fn of(size: Size, planes: Vec<u8>) -> Self {
        assert_eq!(planes.len(), (size.width * size.height * 3) as usize);
        Self { size, planes }
    }

    /// Red, green, blue.
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let plane = (self.size.width * self.size.height) as usize;
        let at = (y * self.size.width + x) as usize;
        [self.planes[2 * plane + at], self.planes[at], self.planes[plane + at]]
    }

    /// Mean red, green, blue of the box from (x, y).
    pub fn mean(&self, (x, y): (u32, u32), (width, height): (u32, u32)) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (row, column) in (y..y + height).flat_map(|row| (x..x + width).map(move |column| (row, column))) {
            let pixel = self.at(column, row);
            (0..3).for_each(|i| sum[i] += f64::from(pixel[i]));
        }
        sum.map(|sum| sum / f64::from(width * height))
    }

    /// Mean of a small box around a point.
    pub fn around(&self, (x, y): (u32, u32)) -> [f64; 3] {
        self.mean((x.max(2) - 2, y.max(2) - 2), (4, 4))
    }

    /// Mean difference of all values, of 255.
    pub fn difference(&self, other: &Frame) -> f64 {
        let differences = self.planes.iter().zip(&other.planes).map(|(a, b)| u64::from(a.abs_diff(*b)));
        differences.sum::<u64>() as f64 / self.planes.len() as f64
    }

    pub fn whole(&self) -> [f64; 3] {
        self.mean((0, 0), (self.size.width, self.size.height))
    }

    /// Centre of all pixels with at least this much of every colour, in pixels from the top left corner.
    pub fn centre_of_bright(&self, min: u8) -> (f64, f64) {
        let (mut x_sum, mut y_sum, mut count) = (0.0, 0.0, 0.0);
        for (x, y) in (0..self.size.height).flat_map(|y| (0..self.size.width).map(move |x| (x, y))) {
            if self.at(x, y).iter().all(|value| *value >= min) {
                (x_sum, y_sum, count) = (x_sum + f64::from(x) + 0.5, y_sum + f64::from(y) + 0.5, count + 1.0);
            }
        }
        assert!(count > 0.0, "nothing is that bright");
        (x_sum / count, y_sum / count)
    }
}

/// Asserts that a colour is `expected` within `tolerance` in each channel.
#[track_caller]
pub fn near(found: [f64; 3], expected: [u8; 3], tolerance: f64, what: &str) {
    let off =
        found.iter().zip(expected).any(|(found, expected)| (found - f64::from(expected)).abs() > tolerance);
    assert!(!off, "{what}: {found:.1?} instead of {expected:?}");
}
