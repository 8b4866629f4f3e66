//! Raw video and audio that all cases are encoded from. Every frame shows its own number, and beeps mark the time.
//!
//! A frame has ten blocks in its upper quarter (its number in binary, lowest bit left), a light in the middle that is on
//! from 0.5 to 0.6 s of every second, and four colours in the lower quarter. The beep of a second sounds while the light is
//! on; its pitch depends on the second.

use std::io::{BufWriter, Write};
use std::path::Path;

pub const COLOURS: [[u8; 3]; 4] = [[200, 20, 20], [20, 180, 20], [20, 20, 200], [190, 190, 20]];
pub const BITS: usize = 10;

/// Pitches of the beeps of successive seconds.
const PITCHES_HZ: [f64; 4] = [600.0, 800.0, 1000.0, 1200.0];

/// Consecutive frames, as input options of ffmpeg. The file is created when a case first needs it.
pub fn frames(size: (u32, u32), rate: &str, first: usize, count: usize) -> String {
    let (width, height) = size;
    let name = format!("video_{width}_{height}_{}_{first}_{count}.rgb", rate.replace('/', ":"));
    format!("-f rawvideo -pix_fmt rgb24 -video_size {width}x{height} -framerate {rate} -i ../material/{name}")
}

/// Audio from a second on, as input options of ffmpeg.
pub fn audio(sample_rate: u32, channels: u32, first_s: f64, seconds: f64) -> String {
    format!("-i ../material/audio_{sample_rate}_{channels}_{first_s}_{seconds}.wav")
}

/// Writes the file of a name that [`frames`] or [`audio`] made.
pub fn write(path: &Path) {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    // A rate such as 23.976 has no place in a file stem with dots elsewhere, so the extension alone is cut off.
    let words: Vec<&str> = stem.split('_').collect();
    let number = |at: usize| words[at].parse::<f64>().unwrap();
    let temporary = path.with_extension("part");
    let mut file = BufWriter::new(std::fs::File::create(&temporary).unwrap());
    match words[0] {
        "video" => {
            let rate = words[3].split(':').map(|part| part.parse::<f64>().unwrap()).reduce(|a, b| a / b);
            let (width, height) = (number(1) as usize, number(2) as usize);
            let first = number(4) as usize;
            for frame in first..first + number(5) as usize {
                file.write_all(&picture(frame, width, height, rate.unwrap())).unwrap();
            }
        }
        _ => file.write_all(&wav(number(1), number(2) as u16, number(3), number(4))).unwrap(),
    }
    drop(file);
    std::fs::rename(temporary, path).unwrap();
}

fn picture(frame: usize, width: usize, height: usize, rate: f64) -> Vec<u8> {
    let second = (frame as f64 / rate).fract();
    let light = if (0.5 - 1e-6..0.6 - 1e-6).contains(&second) { 230 } else { 60 };
    let bit = |column: usize| if frame >> column & 1 == 1 { [200; 3] } else { [30; 3] };
    let row = |colour: &dyn Fn(usize) -> [u8; 3]| (0..width).flat_map(colour).collect::<Vec<u8>>();
    let top = row(&|x| bit(x * BITS / width));
    let middle = row(&|_| [light; 3]);
    let bottom = row(&|x| COLOURS[x * COLOURS.len() / width]);
    let quarter = height / 4;
    [top.repeat(quarter), middle.repeat(height - 2 * quarter), bottom.repeat(quarter)].concat()
}

fn wav(rate: f64, channels: u16, first_s: f64, seconds: f64) -> Vec<u8> {
    let count = (seconds * rate).round() as usize;
    let sample = |index: usize| {
        let at = first_s + index as f64 / rate;
        let pitch = PITCHES_HZ[at as usize % PITCHES_HZ.len()];
        let on = (0.5..0.6).contains(&at.fract());
        let level = if on { 0.5 * (std::f64::consts::TAU * pitch * at).sin() } else { 0.0 };
        (level * f64::from(i16::MAX)) as i16
    };
    let data: Vec<u8> = (0..count).flat_map(|i| sample(i).to_le_bytes().repeat(channels as usize)).collect();
    let (length, rate, block) = (data.len() as u32, rate as u32, 2 * channels);
    let head: [&[u8]; 12] = [
        b"RIFF",
        &(36 + length).to_le_bytes(),
        b"WAVEfmt ",
        &16_u32.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &channels.to_le_bytes(),
        &rate.to_le_bytes(),
        &(rate * u32::from(block)).to_le_bytes(),
        &block.to_le_bytes(),
        &16_u16.to_le_bytes(),
        b"data",
        &length.to_le_bytes(),
    ];
    [head.concat(), data].concat()
}
