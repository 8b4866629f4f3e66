//! Arguments for the audio of outputs: tracks mixed and encoded, each mix in its own file. Several are rendered in one
//! run, because starting ffmpeg takes as long as mixing and encoding ten seconds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clipmill_core::plan::AudioMix;

use super::Args;
use super::mix::{mastered_mix, plain_mix};
use crate::audio::mastering::{Coder, Mastering};

/// Stereo samples of 48 kHz without a header, as little-endian 32-bit floats, which `audio::loudness::measure` reads.
pub const RAW_AUDIO: [&str; 8] = ["-c:a", "pcm_f32le", "-ar", "48000", "-ac", "2", "-f", "f32le"];

/// One of the mixes of a run.
#[derive(Clone, Copy)]
pub struct MixArgs<'a> {
    pub mix: &'a AudioMix,
    /// A concat list for each track.
    pub tracks: &'a [PathBuf],
    pub output: &'a Path,
    pub mastering: &'a Mastering,
}

/// Arguments that encode the mixes. The level of each mix is written to the log under its number.
pub fn encode_mixes(mixes: &[MixArgs]) -> Vec<OsString> {
    let mut args = track_inputs(mixes);
    let mut first_input = 0;
    for (of, MixArgs { mix, tracks, mastering, .. }) in mixes.iter().enumerate() {
        args.option("-filter_complex", mastered_mix(mix, first_input, of, mastering));
        first_input += tracks.len();
    }
    for (of, MixArgs { tracks, output, mastering, .. }) in mixes.iter().enumerate() {
        args.option("-map", format!("[mix{of}]"));
        encoder(&mut args, mastering.coder);
        args.add(["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-f", "mp4"]);
        args.file(output);
        if !tracks.is_empty() {
            args.option("-map", format!("[level{of}]")).add(["-f", "null", "-"]);
        }
    }
    args.done()
}

/// Arguments that write mixes with tracks as raw samples ([`RAW_AUDIO`]), at their own level.
pub fn raw_mixes(mixes: &[MixArgs]) -> Vec<OsString> {
    let mut args = track_inputs(mixes);
    let mut first_input = 0;
    for (of, MixArgs { mix, tracks, .. }) in mixes.iter().enumerate() {
        args.option("-filter_complex", plain_mix(mix, first_input, of));
        first_input += tracks.len();
    }
    for (of, MixArgs { output, .. }) in mixes.iter().enumerate() {
        args.option("-map", format!("[mix{of}]")).add(RAW_AUDIO).file(output);
    }
    args.done()
}

/// The inputs of all tracks. Every filter graph has inputs of its own, so that none waits for another.
fn track_inputs(mixes: &[MixArgs]) -> Args {
    let mut args = Args::default();
    // Each graph would start a thread for every processor, and audio filters use none of them.
    args.add(["-v", "info", "-filter_complex_threads", "1"]);
    for track in mixes.iter().flat_map(|mix| mix.tracks) {
        concat_input(&mut args, track);
    }
    args
}

fn concat_input(args: &mut Args, list: &Path) {
    args.add(["-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe", "-i"]).file(list);
}

fn encoder(args: &mut Args, coder: Coder) {
    args.add(["-c:a", "aac", "-b:a", "160k", "-ar", "48000", "-ac", "2"]);
    match coder {
        // The search for mid and side takes most of the time if both sides are alike, without an audible benefit at this rate
        // (error 46 dB below speech and 27 below music, as with the thorough coder).
        Coder::Fast => args.add(["-aac_coder", "fast", "-aac_ms", "0"]),
        Coder::Thorough => args.add(["-aac_coder", "twoloop"]),
    };
}
