//! Arguments for an excerpt of a file's unprocessed audio. Damage is ignored.

use std::ffi::OsString;
use std::path::Path;

use clipmill_core::media::AudioInfo;

use super::Args;
use super::audio::in_stereo;
use crate::ffmpeg::policy::input_args;

/// Arguments that write the seconds from `at_s` of a stream to `output`.
pub fn excerpt_args(
    source: &Path,
    audio: &AudioInfo,
    (at_s, seconds): (f64, f64),
    output: &Path,
) -> Vec<OsString> {
    let mut args = Args::default();
    if at_s > 0.0 {
        args.option("-ss", format!("{at_s:.3}"));
    }
    args.extend(input_args(source));
    args.option("-map", format!("0:{}", audio.stream_index))
        .add(["-vn", "-sn", "-dn"])
        .option("-t", format!("{seconds:.3}"));
    if let Some(filter) = in_stereo(audio.channels, audio.ambisonic) {
        args.option("-af", filter);
    }
    args.add(["-c:a", "aac", "-b:a", "96k", "-ar", "48000", "-ac", "2", "-aac_coder", "fast"]);
    args.add(["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]);
    args.add(["-movflags", "+faststart", "-f", "mp4"]).file(output);
    args.done()
}
