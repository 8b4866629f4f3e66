//! Arguments that copy streams of a file into another container, or decode its audio.

use std::ffi::OsString;
use std::path::Path;

use clipmill_core::media::Repair;

use super::Args;
use crate::ffmpeg::policy::input_args;

/// Stereo from channels of any layout that may change in mid-stream. Channels that the audio does not have do not count, so
/// a single channel is at full level on both sides.
const IN_STEREO: &str = "pan=stereo|c0<FL+0.7*FC+0.7*BL+0.7*SL+0.5*BC|c1<FR+0.7*FC+0.7*BR+0.7*SR+0.5*BC";

/// Copies streams of `source` to `output`, with timestamps as ffmpeg corrects them. Decoded audio has none: the container
/// takes samples in their order.
pub fn rewrap(source: &Path, repair: &Repair, output: &Path) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-fflags", "+genpts"]);
    if let Some(demuxer) = &repair.demuxer {
        args.option("-f", demuxer);
    }
    args.extend(input_args(source));
    for stream in &repair.streams {
        args.option("-map", format!("0:{stream}"));
    }
    if repair.decoded {
        args.option("-af", IN_STEREO).add(["-c", "pcm_s16le", "-ar", "48000", "-rf64", "auto"]);
    } else {
        args.add(["-c", "copy"]);
    }
    args.add(["-map_metadata", "-1"]).option("-f", &repair.muxer).file(output);
    args.done()
}
