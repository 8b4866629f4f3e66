//! Runs the steps of a case and returns the file.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::case::{Case, Step};
use crate::material;

/// The reason why a case has no file on this machine, such as a missing encoder.
pub type Missing = String;

/// Held while material is written, so that two cases do not write the same file.
static MATERIAL: Mutex<()> = Mutex::new(());

/// Creates the file of a case below `folder`.
pub fn generate(case: &Case, number: usize, folder: &Path) -> Result<PathBuf, Missing> {
    let own = folder.join(format!("{number}"));
    std::fs::create_dir_all(&own).unwrap();
    std::fs::create_dir_all(folder.join("material")).unwrap();
    for step in &case.steps {
        run(step, &own)?;
    }
    let path = own.join(case.file_name());
    std::fs::rename(own.join("out"), &path).unwrap();
    Ok(path)
}

fn run(step: &Step, folder: &Path) -> Result<(), Missing> {
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    match step {
        Step::Ffmpeg(args) => return ffmpeg(args, folder),
        Step::Write(name, bytes) => write(name, bytes),
        Step::Join(names, skip) => {
            let parts = names.iter().enumerate();
            let parts = parts.map(|(i, name)| read(name).split_off(if i == 0 { 0 } else { *skip }));
            write("out", &parts.collect::<Vec<_>>().concat());
        }
        Step::Cut(part) => {
            let mut bytes = read("out");
            bytes.truncate((bytes.len() as f64 * part) as usize);
            write("out", &bytes);
        }
        Step::Append(tail) => write("out", &[read("out"), tail.clone()].concat()),
        Step::Turn(matrix) => write("out", &turned(read("out"), *matrix)),
        Step::Patch(from, to) => {
            let mut bytes = read("out");
            let at = bytes.windows(from.len()).position(|window| window == from).ok_or("no such bytes")?;
            bytes[at..at + to.len()].copy_from_slice(to);
            write("out", &bytes);
        }
    }
    Ok(())
}

fn ffmpeg(args: &str, folder: &Path) -> Result<(), Missing> {
    for word in args.split_whitespace().filter(|word| word.starts_with("../material/")) {
        let path = folder.join(word);
        let _writing = MATERIAL.lock().unwrap();
        if !path.exists() {
            material::write(&path);
        }
    }
    #[allow(clippy::disallowed_methods, reason = "a test makes its own clips")]
    let output = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-y", "-threads", "1"])
        .args(args.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("ffmpeg must be installed: run scripts/install-deps.sh");
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(stderr.lines().next().unwrap_or("ffmpeg failed without a message").to_owned())
}

/// Sets the display matrix of the first track of an MP4 or MOV.
fn turned(mut bytes: Vec<u8>, matrix: [i32; 4]) -> Vec<u8> {
    let header = bytes.windows(4).position(|name| name == b"tkhd").unwrap();
    let at = header + if bytes[header + 4] == 0 { 44 } else { 56 };
    let [a, b, c, d] = matrix.map(|value| value << 16);
    let values = [a, b, 0, c, d, 0, 0, 0, 1 << 30];
    for (i, value) in values.iter().enumerate() {
        bytes[at + 4 * i..at + 4 * i + 4].copy_from_slice(&value.to_be_bytes());
    }
    bytes
}
