//! Kinds of footage that an encoder setting must serve, made from the samples and from ffmpeg's generators.

use std::path::{Path, PathBuf};

use crate::quality::Video;
use crate::run::{ffmpeg, run};

/// Frames per second of all footage.
pub const FPS: usize = 30;

/// Name, size, inputs, filter graph from `[0:v]` (and `[1:v]`) on.
struct Kind(&'static str, (usize, usize), &'static str, &'static str);

const BUNNY: &str = "-ss 0.5 -i bigbuckbunny.mp4";
const CITY: &str = "-ss 1 -i city.mp4";
const BOTH: &str = "-ss 0.5 -i bigbuckbunny.mp4 -ss 1 -i city.mp4";
const TALL: (usize, usize) = (720, 1280);
const WIDE: (usize, usize) = (1280, 720);

const KINDS: &[Kind] = &[
    Kind("animation", WIDE, BUNNY, "fps=30"),
    Kind("animation, portrait", TALL, BUNNY, "crop=404:720,fps=30,scale=720:1280:flags=bicubic"),
    Kind(
        "street over blur",
        TALL,
        CITY,
        "fps=30,split[a][b];[a]crop=226:404,scale=720:1280,gblur=20[c];[c][b]overlay=0:438",
    ),
    Kind(
        "hand-held",
        TALL,
        CITY,
        "fps=30,scale=2400:1346,rotate=0.02*sin(5*t):bilinear=1,\
         crop=720:1280:500+40*sin(7*t)+9*sin(31*t):33+20*sin(9*t)",
    ),
    Kind("grain", WIDE, BUNNY, "fps=30,noise=alls=10:allf=t:all_seed=7"),
    Kind(
        "dark, sensor noise",
        TALL,
        CITY,
        "fps=30,scale=2282:1280,crop=720:1280,eq=gamma=0.6:brightness=-0.12,noise=alls=5:allf=t:all_seed=7",
    ),
    Kind("fast pan", TALL, BUNNY, "fps=30,scale=2276:1280,crop=720:1280:(iw-ow)/2*(1+sin(4*t)):0"),
    Kind(
        "cuts",
        WIDE,
        BOTH,
        "[0:v]fps=30,setsar=1,format=yuv420p[a];[1:v]fps=30,scale=1280:720,setsar=1,format=yuv420p[b];\
         [a][b]overlay=enable=lt(mod(t\\,1)\\,0.5)",
    ),
    Kind(
        "captions on flat colours",
        TALL,
        "-f lavfi -i gradients=s=720x1280:r=30:c0=#203050:c1=#d0a040:speed=0.01:seed=3 \
         -f lavfi -i color=c=#e04040:s=180x180:r=30",
        "[0:v]subtitles=captions.srt:force_style='Fontsize=22,Outline=2,MarginV=60',\
         drawgrid=w=180:h=160:c=white@0.4[a];[a][1:v]overlay=x=40+100*mod(n\\,5):y=200",
    ),
    Kind(
        "film grain, fast pan",
        TALL,
        "-ss 0.5 -i bigbuckbunny.mp4 -f lavfi -i color=c=gray:s=720x1280:r=30",
        "[0:v]fps=30,scale=2276:1280,crop=720:1280:(iw-ow)/2*(1+sin(4*t)):0,format=yuv420p[a];\
         [1:v]format=yuv420p,noise=c0s=5:c0f=t:c0_seed=9,gblur=sigma=0.7[b];\
         [a][b]blend=c0_mode=grainmerge:c1_mode=normal:c2_mode=normal:shortest=1",
    ),
    Kind(
        "fine grain, hand-held",
        TALL,
        CITY,
        "fps=30,scale=2400:1346,rotate=0.02*sin(5*t):bilinear=1,\
         crop=720:1280:500+40*sin(7*t)+9*sin(31*t):33+20*sin(9*t),noise=c0s=3:c0f=t:all_seed=7",
    ),
    Kind("test pattern", TALL, "-f lavfi -i testsrc2=s=720x1280:r=30", "null"),
];

/// Footage without any loss.
pub struct Footage {
    pub name: &'static str,
    path: PathBuf,
    options: String,
    size: (usize, usize),
    frames: usize,
}

impl Footage {
    pub fn video(&self) -> Video<'_> {
        let (width, height) = self.size;
        Video { options: &self.options, path: &self.path, width, height, frames: self.frames }
    }
}

/// Makes all of it in `folder`.
pub fn make(samples: &Path, folder: &Path, frames: usize) -> anyhow::Result<Vec<Footage>> {
    KINDS.iter().enumerate().map(|(number, kind)| make_one(kind, number, samples, folder, frames)).collect()
}

fn make_one(
    kind: &Kind,
    number: usize,
    samples: &Path,
    folder: &Path,
    frames: usize,
) -> anyhow::Result<Footage> {
    let Kind(name, size, inputs, graph) = *kind;
    let path = folder.join(format!("footage-{number}.yuv"));
    let mut command = ffmpeg(inputs);
    command.current_dir(samples);
    let graph = format!("{graph},trim=end_frame={frames},format=yuv420p");
    command.args(["-filter_complex", &graph, "-an", "-f", "rawvideo"]).arg(&path);
    run(&mut command)?;
    let options = format!("-f rawvideo -pix_fmt yuv420p -r {FPS} -s {}x{}", size.0, size.1);
    let frames = std::fs::metadata(&path)?.len() as usize / (size.0 * size.1 * 3 / 2);
    Ok(Footage { name, path, options, size, frames })
}
