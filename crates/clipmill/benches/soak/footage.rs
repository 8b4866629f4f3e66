//! Clips so small that a task takes a moment, of several sizes, lengths and rates, some without sound.

use std::path::Path;

use tempfile::TempDir;

pub const CLIPS: usize = 12;

pub fn make() -> TempDir {
    let folder = tempfile::Builder::new().prefix("clipmill-soak-clips-").tempdir().unwrap();
    for number in 0..CLIPS {
        clip(folder.path(), number);
    }
    std::fs::write(folder.path().join("bad.mp4"), "this is no film\n".repeat(400)).unwrap();
    // Truncated in the middle: the index at its end is missing.
    let whole = std::fs::read(folder.path().join("clip-0.mp4")).unwrap();
    std::fs::write(folder.path().join("torn.mp4"), &whole[..whole.len() / 2]).unwrap();
    folder
}

#[allow(clippy::disallowed_methods, reason = "the harness makes its own clips")]
fn clip(folder: &Path, number: usize) {
    let size = ["160x90", "240x136", "320x180", "90x160"][number % 4];
    let seconds = ["0.5", "0.7", "1.0"][number % 3];
    let rate = [25, 30, 24][number / 4 % 3];
    let hue = number * 29;
    let mut command = std::process::Command::new("ffmpeg");
    command.args(["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i"]);
    command.arg(format!("testsrc2=size={size}:rate={rate}:duration={seconds},hue=h={hue}"));
    if number % 5 != 4 {
        let tone = format!("sine=frequency={}:sample_rate=48000:duration={seconds}", 220 + 40 * number);
        command.args(["-f", "lavfi", "-i", &tone, "-c:a", "aac"]);
    }
    command.args(["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]);
    let made = command.arg(folder.join(format!("clip-{number}.mp4"))).status();
    assert!(made.expect("ffmpeg must be installed: run scripts/install-deps.sh").success());
}
