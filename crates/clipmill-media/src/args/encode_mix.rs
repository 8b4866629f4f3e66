//! The sound of one output: lanes mixed and encoded, in a file of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clipmill_core::plan::SoundMix;

use super::Args;
use super::mix::{mastered_mix, measured_mix};
use crate::mastering::{Coder, Mastering};

/// Arguments that make the sound from concat lists of ours, one per lane. The mean level of the mix stands in
/// the log.
pub fn encode_mix(mix: &SoundMix, lanes: &[PathBuf], output: &Path, mastering: &Mastering) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-v", "info"]);
    for lane in lanes {
        concat_input(&mut args, lane);
    }
    args.option("-filter_complex", mastered_mix(mix, 0, mastering)).add(["-map", "[mix]"]);
    encoder(&mut args, mastering.coder);
    args.add(["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-f", "mp4"]);
    args.file(output);
    args.done()
}

/// Arguments that only measure the mix: loudness and true peak stand in the log. `None` without lanes.
pub fn measure(mix: &SoundMix, lanes: &[PathBuf]) -> Option<Vec<OsString>> {
    if mix.lanes.is_empty() {
        return None;
    }
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
