//! Thumbnails of the catalogues: a short video, a frame of it, a small animation.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use clipmill_core::plan::Thumbnail;

use crate::ffmpeg::args::Args;
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError};

const LIMITS: Limits = Limits::wall(Duration::from_secs(300));
/// The size of small animations: their long side.
const THUMBNAIL: &str =
    "scale=w=240:h=240:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=lanczos";

/// Renders the thumbnail's video at `video` (MP4).
pub async fn video(
    ffmpeg: &Ffmpeg,
    source: &Path,
    thumbnail: &Thumbnail,
    video: &Path,
) -> Result<(), ProcessError> {
    let mut args = Args::default();
    args.extend(input_args(source)).option("-filter_complex", thumbnail.graph.to_text("out"));
    args.add(["-map", "[out]", "-an", "-fps_mode", "passthrough"]).option("-frames:v", thumbnail.frames.0);
    args.add(["-c:v", "libx264", "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p"]);
    args.add(["-movflags", "+faststart", "-map_metadata", "-1", "-f", "mp4"]).file(video);
    run(ffmpeg, args.done()).await
}

/// The frame of the video that shows the entry best, as a JPEG.
pub async fn frame(
    ffmpeg: &Ffmpeg,
    video: &Path,
    thumbnail: &Thumbnail,
    to: &Path,
) -> Result<(), ProcessError> {
    let pick = format!("select=eq(n\\,{}),format=yuvj420p", thumbnail.best_frame.0);
    one_frame(ffmpeg, video, &pick, ["-c:v", "mjpeg", "-q:v", "3"], to).await
}

/// The same frame, small, as WebP.
pub async fn small_frame(
    ffmpeg: &Ffmpeg,
    video: &Path,
    thumbnail: &Thumbnail,
    to: &Path,
) -> Result<(), ProcessError> {
    let pick = format!("select=eq(n\\,{}),{THUMBNAIL}", thumbnail.best_frame.0);
    one_frame(ffmpeg, video, &pick, ["-c:v", "libwebp", "-quality", "72"], to).await
}

async fn one_frame(
    ffmpeg: &Ffmpeg,
    video: &Path,
    filter: &str,
    codec: [&str; 4],
    to: &Path,
) -> Result<(), ProcessError> {
    let mut args = input(video);
    args.option("-vf", filter).add(["-frames:v", "1", "-fps_mode", "passthrough"]).add(codec);
    args.add(["-map_metadata", "-1", "-update", "1", "-f", "image2"]).file(to);
    run(ffmpeg, args.done()).await
}

/// The video as a small endless animation in WebP, with a frame rate and a quality up to 100.
pub async fn animation(
    ffmpeg: &Ffmpeg,
    video: &Path,
    (rate, quality): (u32, u32),
    to: &Path,
) -> Result<(), ProcessError> {
    let mut args = input(video);
    args.option("-vf", format!("fps={rate},{THUMBNAIL}"));
    args.add(["-c:v", "libwebp_anim"]).option("-quality", quality);
    args.add(["-compression_level", "5", "-loop", "0"]);
    args.add(["-map_metadata", "-1", "-f", "webp"]).file(to);
    run(ffmpeg, args.done()).await
}

/// The input of a run: a generated video.
fn input(video: &Path) -> Args {
    Args::new(input_args(video))
}

async fn run(ffmpeg: &Ffmpeg, args: Vec<OsString>) -> Result<(), ProcessError> {
    ffmpeg.run_ffmpeg(&args, None, LIMITS, |_| {}).await.map(drop)
}
