//! One output: picture segments joined by stream copy, lanes mixed, multiplexed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clipmill_core::plan::Rendition;

use super::Args;
use super::mix::{mastered_mix, measured_mix};
use super::picture::TICKS_PER_FRAME;
use crate::mastering::{Coder, Mastering};

/// Concat lists of ours: one for the pictures, one per lane.
pub struct JoinFiles<'a> {
    pub pictures: &'a Path,
    pub lanes: &'a [PathBuf],
    pub output: &'a Path,
}

/// Arguments that make the output. The mean level of the mix stands in the log.
pub fn join(rendition: &Rendition, files: &JoinFiles, mastering: &Mastering) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-v", "info"]);
    concat_input(&mut args, files.pictures);
    for lane in files.lanes {
        concat_input(&mut args, lane);
    }
    if let Some(mix) = &rendition.sound {
        args.option("-filter_complex", mastered_mix(mix, 1, mastering));
        args.add(["-map", "0:v:0", "-map", "[mix]"]);
        encoder(&mut args, mastering.coder);
    } else {
        args.add(["-map", "0:v:0", "-an"]);
    }
    args.add(["-c:v", "copy"]);
    // Concatenation counts in microseconds; this puts every frame back on its own tick.
    args.option("-bsf:v", format!("setts=pts=round(PTS/{0})*{0}:dts=round(DTS/{0})*{0}", TICKS_PER_FRAME));
    args.option("-video_track_timescale", rendition.fps.get() * TICKS_PER_FRAME);
    args.add(["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]);
    args.add(["-movflags", "+faststart", "-f", "mp4"]).file(files.output);
    args.done()
}

/// Arguments that only measure the mix: loudness and true peak stand in the log. `None` without lanes.
pub fn measure(rendition: &Rendition, lanes: &[PathBuf]) -> Option<Vec<OsString>> {
    let mix = rendition.sound.as_ref().filter(|mix| !mix.lanes.is_empty())?;
    let mut args = Args::default();
    args.add(["-v", "info"]);
    for lane in lanes {
        concat_input(&mut args, lane);
    }
    args.option("-filter_complex", measured_mix(mix)).add(["-map", "[mix]", "-f", "null", "-"]);
    Some(args.done())
}

fn concat_input(args: &mut Args, list: &Path) {
    args.add(["-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe", "-i"]).file(list);
}

fn encoder(args: &mut Args, coder: Coder) {
    args.add(["-c:a", "aac", "-b:a", "160k", "-ar", "48000", "-ac", "2"]);
    match coder {
        // The search for middle and side takes most of the time where both sides are alike, for nothing that
        // is heard at this rate (error 46 dB below speech; 27 below music, as with the thorough coder).
        Coder::Fast => args.add(["-aac_coder", "fast", "-aac_ms", "0"]),
        Coder::Thorough => args.add(["-aac_coder", "twoloop"]),
    };
}
