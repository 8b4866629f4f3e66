//! The commands of an ffmpeg expert: one for each output.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::clips::{FPS, SECONDS};
use crate::run::ffmpeg;

/// One output of a mix.
pub struct Mix<'a> {
    pub clips: &'a [PathBuf],
    pub music: Option<&'a Path>,
    pub captions: Option<&'a Path>,
    pub size: (u32, u32),
    /// Where the clips start, of which a few seconds are used; empty for whole clips.
    pub from_s: &'a [u32],
}

impl<'a> Mix<'a> {
    /// Of whole clips, 720×1280, without anything else.
    pub fn of(clips: &'a [PathBuf]) -> Self {
        Self { clips, music: None, captions: None, size: (720, 1280), from_s: &[] }
    }
}

/// x264 veryfast at crf 21, AAC at 128 kb/s, in one pass over all clips.
pub fn mix(mix: &Mix, output: &Path) -> Command {
    let mut command = inputs(mix);
    command.args(["-filter_complex", &graph(mix), "-map", "[picture]", "-map", "[sound]"]);
    encoded(&mut command, output);
    command
}

/// The frames of [`mix`] without loss, by the most careful scaling of ffmpeg: the reference for quality.
pub fn reference(clips: &[PathBuf], output: &Path) -> Command {
    let mix = Mix::of(clips);
    let mut command = inputs(&mix);
    let careful = "flags=lanczos+accurate_rnd+full_chroma_int:";
    command.args(["-filter_complex", &pictures(&mix, careful), "-map", "[picture]", "-pix_fmt", "yuv420p"]);
    command.args(["-f", "rawvideo"]).arg(output);
    command
}

/// The encoder alone, with raw frames as input: no single output can be made faster with this encoder.
pub fn encode_only(raw: &Path, output: &Path) -> Command {
    let mut command = ffmpeg(&format!("-f rawvideo -pix_fmt yuv420p -s 720x1280 -r {FPS} -i"));
    command.arg(raw).args(["-c:v", "libx264", "-preset", "veryfast", "-crf", "21"]).arg(output);
    command
}

/// One video with video filters, its audio at `speed`.
pub fn vary(clip: &Path, filters: &str, speed: f64, output: &Path) -> Command {
    let mut command = ffmpeg("-i");
    command.arg(clip).args(["-vf", &format!("{filters},fps={FPS},format=yuv420p")]);
    if speed != 1.0 {
        command.args(["-af", &format!("atempo={speed}")]);
    }
    encoded(&mut command, output);
    command
}

/// The Media Lovin' Toolkit with the same encoder settings; its profile sets size and rate.
pub fn melt(clips: &[PathBuf], profile: &Path, output: &Path) -> Command {
    let mut command = Command::new("melt");
    command.arg("-profile").arg(profile).args(clips);
    command.arg("-consumer").arg(format!("avformat:{}", output.display()));
    command.args(["vcodec=libx264", "preset=veryfast", "crf=21", "pix_fmt=yuv420p"]);
    command.args(["acodec=aac", "ab=128k", "ar=48000", "movflags=+faststart", "real_time=-2"]);
    command.env("SDL_VIDEODRIVER", "dummy").env("QT_QPA_PLATFORM", "offscreen");
    command
}

/// A profile for [`melt`]: 720×1280 at [`FPS`].
pub fn melt_profile() -> String {
    format!(
        "description=720x1280\nframe_rate_num={FPS}\nframe_rate_den=1\nwidth=720\nheight=1280\nprogressive=1\n\
         sample_aspect_num=1\nsample_aspect_den=1\ndisplay_aspect_num=9\ndisplay_aspect_den=16\ncolorspace=709\n"
    )
}

fn encoded(command: &mut Command, output: &Path) {
    command.args(["-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-pix_fmt", "yuv420p"]);
    command.args(["-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart"]).arg(output);
}

fn inputs(mix: &Mix) -> Command {
    let mut command = ffmpeg("");
    for (n, clip) in mix.clips.iter().enumerate() {
        if let Some(from) = mix.from_s.get(n) {
            command.args(["-ss", &from.to_string(), "-t", &SECONDS.to_string()]);
        }
        command.arg("-i").arg(clip);
    }
    if let Some(music) = mix.music {
        command.args(["-stream_loop", "-1", "-i"]).arg(music);
    }
    command
}

fn graph(mix: &Mix) -> String {
    let count = mix.clips.len();
    let each = |n: usize| format!("[{n}:a]aresample=48000,aformat=channel_layouts=stereo[s{n}]");
    let all: String = (0..count).map(|n| format!("[s{n}]")).collect();
    let audio: Vec<_> = (0..count).map(each).collect();
    let audio = format!("{};{all}concat=n={count}:v=0:a=1", audio.join(";"));
    let audio = match mix.music {
        None => format!("{audio}[sound]"),
        Some(_) => format!(
            "{audio}[own];[{count}:a]volume=0.5,afade=t=in:d=0.5[music];\
             [own][music]amix=inputs=2:duration=first:normalize=0,alimiter=limit=0.8:level=0[sound]"
        ),
    };
    format!("{};{audio}", pictures(mix, ""))
}

fn pictures(mix: &Mix, flags: &str) -> String {
    let count = mix.clips.len();
    let (width, height) = mix.size;
    let fill = format!(
        "scale={flags}w={width}:h={height}:force_original_aspect_ratio=increase,crop={width}:{height}"
    );
    let each: Vec<_> = (0..count).map(|n| format!("[{n}:v]{fill},fps={FPS},setsar=1[v{n}]")).collect();
    let all: String = (0..count).map(|n| format!("[v{n}]")).collect();
    let joined = format!("{};{all}concat=n={count}:v=1:a=0", each.join(";"));
    match mix.captions {
        None => format!("{joined}[picture]"),
        Some(file) => format!("{joined},subtitles={}:force_style='Fontsize=12'[picture]", file.display()),
    }
}
