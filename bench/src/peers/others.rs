//! Other programs that make the same output: measured if they are installed (`make bench PEERS=all` installs them).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use serde_json::json;

use super::clips::FPS;
use super::expert;
use crate::run::installed;

/// The installed programs.
#[derive(Default)]
pub struct Others {
    melt_profile: Option<PathBuf>,
    /// A Python with MoviePy.
    moviepy: Option<PathBuf>,
    editly: Option<PathBuf>,
}

impl Others {
    /// Looks for melt; with `installed_in`, also for the programs in that folder.
    pub fn find(folder: &Path, installed_in: Option<&Path>) -> anyhow::Result<Self> {
        let melt_profile = installed("melt", "--version").then(|| folder.join("profile"));
        if let Some(profile) = &melt_profile {
            std::fs::write(profile, expert::melt_profile())?;
        }
        let Some(home) = installed_in else { return Ok(Self { melt_profile, ..Self::default() }) };
        let (python, editly) = (home.join("moviepy/bin/python"), home.join("node_modules/.bin/editly"));
        Ok(Self {
            melt_profile,
            moviepy: installed(&python, "--version").then_some(python),
            editly: installed(&editly, "--help").then_some(editly),
        })
    }

    /// The missing programs, with the command that installs them.
    pub fn missing(&self) -> Vec<&'static str> {
        let all = [
            (self.melt_profile.is_none(), "melt is not installed (on Debian: apt install melt)"),
            (self.moviepy.is_none(), "MoviePy is not installed (`make bench PEERS=all` tries)"),
            (self.editly.is_none(), "editly is not installed (`make bench PEERS=all` tries)"),
        ];
        all.into_iter().filter_map(|(is_missing, words)| is_missing.then_some(words)).collect()
    }

    /// Their commands for one output of these portrait clips, cropped to 720×1280; specifications are written into `folder`.
    pub fn commands(&self, clips: &[PathBuf], folder: &Path) -> anyhow::Result<Vec<(&'static str, Command)>> {
        let mut commands = Vec::new();
        if let Some(profile) = &self.melt_profile {
            commands.push((MELT, expert::melt(clips, profile, &folder.join("melt.mp4"))));
        }
        if let Some(python) = &self.moviepy {
            let mut command = Command::new(python);
            command.arg("-c").arg(MOVIEPY_SCRIPT).arg(folder.join("moviepy.mp4")).args(clips);
            commands.push((MOVIEPY, command));
        }
        if let Some(program) = &self.editly {
            let specification = folder.join("editly.json");
            std::fs::write(&specification, editly_specification(clips, &folder.join("editly.mp4"))?)?;
            // It renders with OpenGL, which needs a display.
            let mut command = Command::new("xvfb-run");
            command.arg("-a").arg(program).arg(&specification);
            commands.push((EDITLY, command));
        }
        Ok(commands)
    }
}

pub const MELT: &str = "melt";
pub const MOVIEPY: &str = "MoviePy";
pub const EDITLY: &str = "editly";

/// As MoviePy's guide joins clips; the encoder settings are the expert's.
const MOVIEPY_SCRIPT: &str = "\
import sys
from moviepy import VideoFileClip, concatenate_videoclips
clips = [VideoFileClip(path).resized((720, 1280)) for path in sys.argv[2:]]
concatenate_videoclips(clips).write_videofile(
    sys.argv[1], fps=30, codec='libx264', preset='veryfast', audio_codec='aac', audio_bitrate='128k',
    ffmpeg_params=['-crf', '21', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'], threads=2, logger=None)
";

fn editly_specification(clips: &[PathBuf], output: &Path) -> anyhow::Result<String> {
    let clip =
        |path: &PathBuf| json!({ "layers": [{ "type": "video", "path": path, "resizeMode": "cover" }] });
    let encoded =
        "-c:v libx264 -preset veryfast -crf 21 -pix_fmt yuv420p -c:a aac -b:a 128k -movflags +faststart";
    let specification = json!({
        "outPath": output, "width": 720, "height": 1280, "fps": FPS, "keepSourceAudio": true,
        "defaults": { "transition": null },
        "clips": clips.iter().map(clip).collect::<Vec<_>>(),
        "customOutputArgs": encoded.split(' ').collect::<Vec<_>>(),
    });
    serde_json::to_string(&specification).context("a specification for editly")
}
