//! Arguments for encoding by a device: raw frames from a pipe, and no other data of a client.
//!
//! The segments have the same properties as libx264's: closed groups of pictures of a fixed length, without B-frames so
//! that every frame is on its tick whatever the driver, profile High, parameter sets in the index only.

use std::ffi::OsString;
use std::path::Path;

use clipmill_core::encoding::Encoder;
use clipmill_core::media::Size;
use clipmill_core::segment::{EncoderSettings, VideoSpec};

use super::Args;
use super::video::{colours, raw, segment, tags};

/// The encoder and the device file that it uses.
pub struct DeviceInput<'a> {
    pub encoder: Encoder,
    /// The render node, if the encoder needs one.
    pub node: Option<&'a Path>,
}

/// Arguments that make the segment at `output` from the raw frames on `pipe:0`.
pub fn device(spec: &VideoSpec, input: &DeviceInput, output: &Path) -> Vec<OsString> {
    let mut args = Args::default();
    opened(&mut args, input);
    let Size { width, height } = spec.size;
    args.add(["-f", "rawvideo", "-pixel_format", "yuv420p"]);
    args.option("-video_size", format!("{width}x{height}")).option("-framerate", spec.fps.get());
    // The only input is a pipe; no file is opened by name.
    args.option("-protocol_whitelist", "pipe").option("-i", "pipe:0");
    args.option("-vf", filters(input.encoder)).option("-frames:v", spec.frames.0);
    args.add(["-fps_mode", "passthrough"]);
    let settings = &spec.encoder;
    args.option("-c:v", &settings.codec);
    quality(&mut args, input.encoder, settings);
    args.option("-g", settings.keyframe_interval).add([
        "-bf",
        "0",
        "-profile:v",
        "high",
        "-flags:v",
        "+cgop",
    ]);
    colours(&mut args);
    // Drivers repeat parameter sets and add SEI messages in front of keyframes.
    args.option("-bsf:v", format!("filter_units=remove_types=6-9,{}", tags(spec.fps)));
    segment(&mut args, spec, output);
    args.done()
}

/// Arguments that draw the frames of a trial and write them to `pipe:1`.
pub fn trial(pattern: &str, frames: u64) -> Vec<OsString> {
    let mut args = Args::default();
    args.option("-filter_complex", format!("{pattern},format=yuv420p[out]")).add(["-map", "[out]"]);
    args.option("-frames:v", frames).add(["-fps_mode", "passthrough"]);
    raw(&mut args);
    args.done()
}

fn opened(args: &mut Args, input: &DeviceInput) {
    match (input.encoder, input.node) {
        (Encoder::H264Vaapi, Some(node)) => {
            args.option("-vaapi_device", node.display());
        }
        (Encoder::H264Qsv, Some(node)) => {
            args.option("-init_hw_device", format!("qsv=qsv:hw_any,child_device={}", node.display()));
        }
        _ => {}
    }
}

/// Raw frames carry no information about their colours, so the filters set it.
fn filters(encoder: Encoder) -> &'static str {
    match encoder {
        Encoder::H264Vaapi => {
            "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709,format=nv12,hwupload"
        }
        Encoder::H264Qsv => {
            "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709,format=nv12"
        }
        Encoder::H264Nvenc | Encoder::Libx264 => {
            "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
        }
    }
}

/// Constant quality. If an encoder cannot limit the bit rate in this mode, its segments are measured afterwards.
fn quality(args: &mut Args, encoder: Encoder, settings: &EncoderSettings) {
    let quality = settings.crf_tenths / 10;
    let rate = |args: &mut Args| {
        args.option("-maxrate", format!("{}k", settings.max_rate_kbps));
        args.option("-bufsize", format!("{}k", settings.max_rate_kbps * 2));
    };
    match encoder {
        Encoder::H264Nvenc => {
            args.option("-preset", &settings.preset).add(["-rc", "vbr"]).option("-cq", quality);
            args.add(["-b:v", "0", "-strict_gop", "1"]);
            rate(args);
        }
        Encoder::H264Qsv => {
            args.option("-preset", &settings.preset).option("-global_quality", quality);
        }
        Encoder::H264Vaapi => {
            args.add(["-rc_mode", "CQP"]).option("-qp", quality);
        }
        Encoder::Libx264 => {
            args.option("-preset", &settings.preset).option("-crf", quality);
            rate(args);
        }
    }
}
