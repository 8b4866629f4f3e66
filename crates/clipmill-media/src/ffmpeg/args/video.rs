//! Arguments for one video segment: decode, filter, draw captions, encode.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clipmill_core::filter_graph::during;
use clipmill_core::media::Size;
use clipmill_core::plan::FrameSpec;
use clipmill_core::segment::{EncoderSettings, ExtraInput, VideoSpec};
use clipmill_core::subtitle::CaptionView;
use clipmill_core::time::{Fps, Frames};

use super::emoji::{EmojiStrip, draw_emoji};
use super::monitor::{self, JPEG_COLOURS};
use super::{Args, Strictness};
use crate::ffmpeg::policy::{animated_input_args, input_args};

/// Ticks of the video track for one frame, so that every join falls on a whole tick.
pub const TICKS_PER_FRAME: u32 = 512;

/// The folder of a client's fonts, in the working directory.
pub const FONTS: &str = "fonts";

/// The files of a video segment.
pub struct VideoFiles<'a> {
    pub source: &'a Path,
    /// The files of `VideoSpec::inputs`, in the same order.
    pub inputs: &'a [PathBuf],
    /// The name of the generated ASS file in the working directory.
    pub captions: Option<&'a str>,
    pub emoji: Option<&'a EmojiStrip>,
    pub output: &'a Path,
}

/// Arguments that make the segment at `files.output`, and beside it in the working directory
/// the outputs of [`monitor`].
pub fn video(spec: &VideoSpec, files: &VideoFiles, strictness: Strictness) -> Vec<OsString> {
    let mut graph = format!("{};{}", graph_to(spec, files, "made"), monitor::graph(spec, "made", "out"));
    // ffmpeg 5 and 6 copy the display matrix of a graph's only input to the output, although the graph turned the frames.
    // The second input takes one frame: without an end of its own it would read the file to its end.
    let turned = |input| Some(input).zip(spec.graph.form_of(input).filter(|(_, form)| form.turn.is_some()));
    if let Some((input, (stream, _))) = (0..=spec.inputs.len()).find_map(turned) {
        graph.push_str(&format!(";[{input}:{stream}]trim=end_frame=1,nullsink"));
    }
    let mut args = video_args(spec, files, strictness, graph);
    encoder(&mut args, &spec.encoder, spec.fps);
    segment(&mut args, spec, files.output);
    monitor::outputs(&mut args);
    args.done()
}

/// Arguments that only decode and filter: the segment's raw frames go to `pipe:1`.
pub fn frames(spec: &VideoSpec, files: &VideoFiles, strictness: Strictness) -> Vec<OsString> {
    let mut args = video_args(spec, files, strictness, graph_to(spec, files, "out"));
    raw(&mut args);
    args.done()
}

/// Inputs, the graph that makes `[out]` from them, and a limit to exactly the planned frames.
fn video_args(spec: &VideoSpec, files: &VideoFiles, strictness: Strictness, graph: String) -> Args {
    let VideoFiles { source, inputs, emoji, .. } = *files;
    let mut args = Args::default();
    args.add(["-copyts"]).extend(strictness.options());
    decoder_threads(&mut args, spec);
    enter(&mut args, spec.part.and_then(|part| part.seek_us));
    decoder(&mut args, &spec.decoder);
    keep_graph(&mut args, spec, 0);
    args.extend(input_args(source));
    for (number, (input, path)) in (1..).zip(spec.inputs.iter().zip(inputs)) {
        enter(&mut args, input.seek_us);
        keep_graph(&mut args, spec, number);
        extra_input(&mut args, input, path, strictness);
    }
    strip_input(&mut args, emoji);
    args.option("-filter_complex", graph).add(["-map", "[out]", "-an", "-sn", "-dn"]);
    args.option("-frames:v", spec.frames.0).add(["-fps_mode", "passthrough"]);
    args
}

/// Keeps the filter graph when frames of this input change their format in mid-stream: the graph converts all of them
/// to one format and turns them upright itself, and a new graph would begin again at time 0.
fn keep_graph(args: &mut Args, spec: &VideoSpec, input: usize) {
    let Some((_, form)) = spec.graph.form_of(input) else { return };
    args.add(["-reinit_filter", "0"]);
    if form.turn.is_some() {
        args.add(["-noautorotate"]);
    }
}

/// Decodes and filters with as many threads as encode: the other cores render other segments. A device encodes by itself,
/// so all cores are left to the rest.
pub fn decoder_threads(args: &mut Args, spec: &VideoSpec) {
    let encoder = &spec.encoder;
    if encoder.fallback.is_none() || encoder.is_copy() {
        args.option("-filter_complex_threads", encoder.threads).option("-threads", encoder.threads);
    }
}

/// Raw frames without a container, which are the simplest to read.
pub(super) fn raw(args: &mut Args) {
    args.add(["-c:v", "rawvideo", "-pix_fmt", "yuv420p", "-f", "rawvideo", "pipe:1"]);
}

/// The container of a segment.
pub(super) fn segment(args: &mut Args, spec: &VideoSpec, output: &Path) {
    args.option("-video_track_timescale", spec.fps.get() * TICKS_PER_FRAME);
    // A runaway encode ends here; half a megabyte covers headers and the start-up of rate control.
    args.option("-fs", max_bytes(spec));
    args.add(["-map_metadata", "-1", "-fflags", "+bitexact", "-f", "mp4"]).file(output);
}

/// Arguments that make one of the segment's frames, as a JPEG of `shown` at `files.output`. Damage is ignored, because
/// a person looks at the frame.
pub fn frame(spec: &FrameSpec, files: &VideoFiles, shown: Size, strictness: Strictness) -> Vec<OsString> {
    let VideoFiles { source, inputs, emoji, output, .. } = *files;
    let mut args = Args::default();
    args.add(["-copyts"]);
    seek(&mut args, spec.seek_us);
    decoder(&mut args, &spec.video.decoder);
    keep_graph(&mut args, &spec.video, 0);
    args.extend(strictness.options());
    args.extend(input_args(source));
    for (number, (input, path)) in (1..).zip(spec.video.inputs.iter().zip(inputs)) {
        seek(&mut args, input.seek_us);
        keep_graph(&mut args, &spec.video, number);
        extra_input(&mut args, input, path, Strictness::Lenient);
    }
    strip_input(&mut args, emoji);
    let selection = format!(
        "{};[out]{},zscale=w={}:h={},{JPEG_COLOURS}[still]",
        graph_to(&spec.video, files, "out"),
        spec.chosen(),
        shown.width,
        shown.height
    );
    args.option("-filter_complex", selection).add(["-map", "[still]", "-an", "-sn", "-dn"]);
    args.add(["-frames:v", "1", "-fps_mode", "passthrough", "-c:v", "mjpeg", "-q:v", "2"]);
    args.add(["-map_metadata", "-1", "-fflags", "+bitexact", "-update", "1", "-f", "image2"]).file(output);
    args.done()
}

/// Seeks from the file's own beginning, which is never later than the first frame, so that no frame is missed.
fn seek(args: &mut Args, seek_us: Option<i64>) {
    if let Some(us) = seek_us {
        args.option("-ss", format!("{}us", us.max(0)));
    }
}

/// Seeks without dropping frames before that time: with frames at uneven times, the one that is still shown then may
/// have come long before. The graph drops the frames that it does not need.
fn enter(args: &mut Args, seek_us: Option<i64>) {
    if seek_us.is_some() {
        args.add(["-noaccurate_seek"]);
    }
    seek(args, seek_us);
}

/// A mask, a fill or a texture. Only its video is read, so its audio cannot lengthen the loop.
fn extra_input(args: &mut Args, input: &ExtraInput, path: &Path, strictness: Strictness) {
    args.extend(strictness.options());
    if input.looped {
        args.add(["-stream_loop", "-1"]);
    }
    if input.keyframes_only {
        args.add(["-skip_frame", "nokey"]);
    }
    decoder(args, &input.decoder);
    args.extend(if input.animated { animated_input_args(path) } else { input_args(path) });
}

/// The strip of emoji, the last input.
fn strip_input(args: &mut Args, emoji: Option<&EmojiStrip>) {
    if let Some(strip) = emoji {
        args.extend(input_args(&strip.file));
    }
}

/// Names the decoder of the next input, if it is not the default one.
fn decoder(args: &mut Args, name: &Option<String>) {
    if let Some(name) = name {
        args.option("-c:v", name);
    }
}

/// The plan's graph with all text drawn last; the result has the label `label`.
fn graph_to(spec: &VideoSpec, files: &VideoFiles, label: &str) -> String {
    let VideoFiles { captions, emoji, .. } = *files;
    let Some(name) = captions else { return spec.graph.to_text(label) };
    let graph = spec.graph.to_text("drawn");
    let has_fonts = spec.drawn().flat_map(CaptionView::font_files).next().is_some();
    let folder = if has_fonts { format!(":fontsdir={FONTS}") } else { String::new() };
    let draw = format!("ass=filename={name}{folder}");
    let coloured = spec.drawn().filter(|view| view.is_coloured()).map(CaptionView::seen);
    let coloured_range = coloured.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
    let draw =
        coloured_range.map_or(draw.clone(), |coloured_range| in_bt601(&coloured_range, spec.fps, &draw));
    let Some(strip) = emoji else { return format!("{graph};[drawn]{draw}[{label}]") };
    let emoji = draw_emoji(spec, strip, 1 + spec.inputs.len(), ("text", label));
    format!("{graph};[drawn]{draw}[text]{emoji}")
}

/// The renderer draws captions by BT.601 whatever the colours of the video (red would come out as #FF1800, green as
/// #00D800), so the video is converted to it and back while captions are shown. Newer versions use the frame's tag,
/// which then also says BT.601.
fn in_bt601(seen: &Range<Frames>, fps: Fps, draw: &str) -> String {
    let when = format!("enable={}", during(seen, fps).replace(',', "\\,"));
    // Only the matrix differs, so the filter converts without leaving YUV, in a sixth of the time of `colormatrix`.
    let same = "iprimaries=bt709:primaries=bt709:itrc=bt709:trc=bt709:irange=tv:range=tv";
    format!(
        "colorspace=ispace=bt709:space=smpte170m:{same}:{when},setparams=colorspace=smpte170m,{draw},\
         colorspace=ispace=smpte170m:space=bt709:{same}:{when},setparams=colorspace=bt709"
    )
}

fn encoder(args: &mut Args, encoder: &EncoderSettings, fps: Fps) {
    args.option("-c:v", &encoder.codec).option("-preset", &encoder.preset);
    args.option("-crf", format!("{}.{}", encoder.crf_tenths / 10, encoder.crf_tenths % 10));
    args.option("-maxrate", format!("{}k", encoder.max_rate_kbps));
    args.option("-bufsize", format!("{}k", encoder.max_rate_kbps * 2));
    args.option("-g", encoder.keyframe_interval).option("-threads:v", encoder.threads);
    args.add(["-profile:v", "high", "-pix_fmt", "yuv420p", "-flags:v", "+cgop"]);
    colours(args);
    args.option("-x264-params", &encoder.params);
    args.option("-bsf:v", tags(fps));
}

/// Sets the display properties of the parameter sets, whatever reached the encoder: segments of different sources can
/// be joined only if their parameter sets are identical to the byte.
pub(super) fn tags(fps: Fps) -> String {
    format!(
        "h264_metadata=sample_aspect_ratio=1/1:video_full_range_flag=0:colour_primaries=1:\
         transfer_characteristics=1:matrix_coefficients=1:chroma_sample_loc_type=0:tick_rate={}",
        2 * fps.get()
    )
}

pub(super) fn colours(args: &mut Args) {
    args.add([
        "-color_range",
        "tv",
        "-colorspace",
        "bt709",
        "-color_primaries",
        "bt709",
        "-color_trc",
        "bt709",
    ]);
}

/// An upper bound that rate control keeps a segment far below.
pub fn max_bytes(spec: &VideoSpec) -> u64 {
    let seconds = spec.frames.started_seconds(spec.fps);
    u64::from(spec.encoder.max_rate_kbps) * 125 * (seconds + 4) * 2 + 512 * 1024
}
