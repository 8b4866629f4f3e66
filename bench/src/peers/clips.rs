//! The clips that all sides process, made from the samples: nothing is downloaded.

use std::path::{Path, PathBuf};

use crate::run::{ffmpeg, run};

/// Seconds of every clip.
pub const SECONDS: usize = 5;
/// Frames per second of every clip and every output.
pub const FPS: usize = 30;
/// Clips for each scene of the largest case.
pub const PER_SCENE: usize = 4;
const SCENES: usize = 3;

#[derive(Clone)]
pub struct Clips {
    /// 1080×1920, one list for each scene.
    pub scenes: Vec<Vec<PathBuf>>,
    /// One more of the same kind, for the first scene.
    pub spare: PathBuf,
    /// 1920×1080.
    pub landscape: Vec<PathBuf>,
    pub music: PathBuf,
    pub captions: PathBuf,
}

impl Clips {
    pub fn make(samples: &Path, folder: &Path) -> anyhow::Result<Self> {
        let tall = |number: usize| portrait(samples, folder, number);
        let scene = |scene: usize| (0..PER_SCENE).map(move |clip| scene * PER_SCENE + clip);
        let scenes = (0..SCENES).map(|n| scene(n).map(tall).collect()).collect::<anyhow::Result<_>>()?;
        let landscape =
            (0..SCENES).map(|number| wide(samples, folder, number)).collect::<anyhow::Result<_>>()?;
        let music = folder.join("music.m4a");
        run(ffmpeg("-i").arg(samples.join("speech.wav")).args(["-ac", "2", "-c:a", "aac"]).arg(&music))?;
        let captions = folder.join("captions.srt");
        std::fs::copy(samples.join("captions.srt"), &captions)?;
        Ok(Self { scenes, spare: tall(SCENES * PER_SCENE)?, landscape, music, captions })
    }

    /// As many scenes with `clips` each: the existing clips, and more of the same kind.
    pub fn scenes_of(&self, clips: usize, samples: &Path, folder: &Path) -> anyhow::Result<Self> {
        let mut scenes = self.scenes.clone();
        let mut next = SCENES * PER_SCENE + 1;
        for scene in &mut scenes {
            while scene.len() < clips {
                scene.push(portrait(samples, folder, next)?);
                next += 1;
            }
        }
        Ok(Self { scenes, ..self.clone() })
    }

    /// One clip of each scene.
    pub fn row(&self, choice: [usize; SCENES]) -> Vec<PathBuf> {
        self.scenes.iter().zip(choice).map(|(scene, clip)| scene[clip].clone()).collect()
    }

    /// All combinations of the first `clips` of each scene.
    pub fn rows(&self, clips: usize) -> Vec<Vec<PathBuf>> {
        let all = (0..clips.pow(SCENES as u32)).map(|n| [n / clips / clips, n / clips % clips, n % clips]);
        all.map(|choice| self.row(choice)).collect()
    }
}

/// A part of a sample that pans slowly, each with a different hue and slight grain. Encoded at the effort and quality
/// of typical uploads, some 3 to 10 Mbit/s: decoding is then about a third of an expert's command.
pub fn portrait(samples: &Path, folder: &Path, number: usize) -> anyhow::Result<PathBuf> {
    let place = 0.1 + 0.06 * (number % 13) as f64;
    let graph = format!("scale=-2:1920,crop=1080:1920:(iw-ow)*({place}+0.03*sin(t)):0,{}", look(number));
    clip(samples, &folder.join(format!("portrait-{number}.mp4")), number, &graph)
}

fn wide(samples: &Path, folder: &Path, number: usize) -> anyhow::Result<PathBuf> {
    let graph = format!("scale=2080:-2,crop=1920:1080:80+60*sin(t):0,{}", look(number));
    clip(samples, &folder.join(format!("landscape-{number}.mp4")), number, &graph)
}

/// The best format of phones: 2160p at 60 frames per second, HEVC at 50 Mbit/s.
pub fn phone(samples: &Path, folder: &Path, number: usize) -> anyhow::Result<PathBuf> {
    let path = folder.join(format!("phone-{number}.mp4"));
    let graph =
        format!("scale=4160:-2,crop=3840:2160:160+120*sin(t):0,{}", look(number)).replace("fps=30", "fps=60");
    let (sample, start) = sample(number);
    let mut command = ffmpeg(&format!("-ss {start} -i"));
    command.arg(samples.join(sample)).arg("-i").arg(samples.join("speech.wav"));
    command.args(["-map", "0:v", "-map", "1:a", "-vf", &graph, "-t", &SECONDS.to_string()]);
    command.args([
        "-c:v",
        "libx265",
        "-preset",
        "ultrafast",
        "-b:v",
        "50M",
        "-x265-params",
        "log-level=error",
    ]);
    command.args(["-tag:v", "hvc1", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ar", "48000"]).arg(&path);
    run(&mut command)?;
    Ok(path)
}

/// A clip repeated to ten minutes.
pub fn long(clip: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    repeated(clip, LONG_S, &folder.join("long.mp4"))
}

/// A clip repeated to so many seconds, at `path`.
pub fn repeated(clip: &Path, seconds: usize, path: &Path) -> anyhow::Result<PathBuf> {
    let mut command = ffmpeg(&format!("-stream_loop {} -i", seconds / SECONDS - 1));
    run(command.arg(clip).args(["-c", "copy"]).arg(path))?;
    Ok(path.to_owned())
}

const LONG_S: usize = 600;

fn sample(number: usize) -> (&'static str, u32) {
    if number.is_multiple_of(2) { ("bigbuckbunny.mp4", 0) } else { ("city.mp4", 2) }
}

fn look(number: usize) -> String {
    let mirror = if number / 2 % 2 == 1 { ",hflip" } else { "" };
    format!("hue=h={}{mirror},fps={FPS},setsar=1,noise=alls=3:allf=t:all_seed={number}", number * 25)
}

fn clip(samples: &Path, path: &Path, number: usize, graph: &str) -> anyhow::Result<PathBuf> {
    let (sample, start) = sample(number);
    let mut command = ffmpeg(&format!("-ss {start} -i"));
    command.arg(samples.join(sample)).arg("-i").arg(samples.join("speech.wav"));
    command.args(["-map", "0:v", "-map", "1:a", "-vf", graph, "-t", &SECONDS.to_string()]);
    command.args(["-c:v", "libx264", "-preset", "medium", "-crf", "21", "-pix_fmt", "yuv420p", "-g", "60"]);
    command.args(["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]);
    command.args(["-c:a", "aac", "-ar", "48000"]).arg(path);
    run(&mut command)?;
    Ok(path.to_owned())
}
