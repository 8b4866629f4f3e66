//! Arguments for one audio segment: decode, convert to 48 kHz stereo float, place, cut to the sample.

use std::ffi::OsString;
use std::path::Path;

use clipmill_core::segment::{AudioSpec, CrossFade};
use clipmill_core::time::Samples;

use super::{Args, Strictness};
use crate::ffmpeg::policy::input_args;

/// Of audio with more channels than layouts describe (recordings of many microphones), the first two are used.
const MAX_CHANNELS: u32 = 8;
/// The left and the right half of a sound field: its first channel is omnidirectional, the second one the difference
/// between left and right.
const AMBISONICS_IN_STEREO: &str = "pan=stereo|c0=0.7*c0+0.7*c1|c1=0.7*c0-0.7*c1";

/// Arguments that make the WAV at `output` from `source`.
pub fn audio(spec: &AudioSpec, source: &Path, output: &Path, strictness: Strictness) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-copyts"]).extend(strictness.options()).extend(input_args(source));
    args.option("-map", format!("0:{}", spec.stream_index)).add(["-vn", "-sn", "-dn"]);
    args.option("-af", filters(spec)).add(["-c:a", "pcm_f32le", "-ar", "48000", "-ac", "2"]);
    // Twice the length that the filters pass, to stop a run that does not end.
    args.option("-fs", spec.samples.0 * 16 + (1 << 20));
    args.add(["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-f", "wav"])
        .file(output);
    args.done()
}

/// Arguments that write as much of the audio as the segment needs to the MKV at `output`, from time 0 on, at 48 kHz in
/// stereo. The filters keep no state between frames: ffmpeg sets all of them up again when the audio changes its sample
/// rate or its channels.
pub fn audio_in_one_form(spec: &AudioSpec, source: &Path, output: &Path) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-copyts"]).extend(input_args(source));
    args.option("-map", format!("0:{}", spec.stream_index)).add(["-vn", "-sn", "-dn"]);
    let filters = format!("asetpts=PTS-({}/1000000)/TB,atrim=start=0", spec.origin_us);
    args.option("-af", filters).add(["-c:a", "pcm_f32le", "-ar", "48000", "-ac", "2"]);
    let samples = spec.loop_period.unwrap_or(spec.samples).0 as f64;
    args.option("-t", samples / 48_000.0 * f64::from(spec.tempo_permille) / 1000.0 + 1.0);
    args.add(["-map_metadata", "-1", "-f", "matroska"]).file(output);
    args.done()
}

/// The filter that converts channels to stereo before the resampler, if the resampler cannot do it well.
pub(crate) fn in_stereo(channels: u32, ambisonic: bool) -> Option<&'static str> {
    match channels {
        _ if ambisonic => Some(AMBISONICS_IN_STEREO),
        // The resampler would lower a single channel by 3 dB; players give it at full level to both sides.
        1 => Some("pan=stereo|c0=c0|c1=c0"),
        channels => (channels > MAX_CHANNELS).then_some("pan=stereo|c0=c0|c1=c1"),
    }
}

fn filters(spec: &AudioSpec) -> String {
    let mut chain = vec![format!("asetpts=PTS-({}/1000000)/TB", spec.origin_us)];
    chain.extend(in_stereo(spec.channels, spec.ambisonic).map(str::to_owned));
    // Timestamps are the container's own (-copyts); `first_pts=0` fills a late start with silence and cuts an early one,
    // `async=1` fills gaps in between.
    // Shorter gaps would be skipped until they add up to the minimum, and audio would be early by as much.
    chain.push(
        "aresample=48000:async=1:min_hard_comp=0.02:first_pts=0:out_sample_fmt=flt:out_chlayout=stereo"
            .to_owned(),
    );
    if spec.channels > 2 {
        // Surround channels that are loud at the same time add up to more than full scale.
        chain.push(
            "alimiter=limit=1:attack=5:release=60:level=0:latency=1,aformat=sample_fmts=flt".to_owned(),
        );
    }
    if spec.tempo_permille != 1000 {
        chain.extend(tempo(f64::from(spec.tempo_permille) / 1000.0));
    }
    let faded = spec.loop_period.unwrap_or(spec.samples);
    chain.extend(cut(faded.0));
    if spec.edge_fade.0 > 0 {
        let sounding = spec.sounding.filter(|_| spec.tempo_permille == 1000);
        let (from, to) = sounding.unwrap_or((Samples(0), faded));
        let continued = spec.continued;
        let [rise, fall] = edge_fades(from.0, to.0, spec.edge_fade.0);
        chain.extend((!(continued.at_begin && from.0 == 0)).then_some(rise));
        chain.extend((!(continued.at_end && to == faded)).then_some(fall));
    }
    if let Some(period) = spec.loop_period {
        chain.push(format!("aloop=loop=-1:size={}", period.0));
        chain.push(format!("atrim=end_sample={}", spec.samples.0));
    }
    if spec.volume_percent != 100 {
        chain.push(format!("volume={}:precision=float", f64::from(spec.volume_percent) / 100.0));
    }
    chain.extend(spec.crossed.iter().flat_map(|crossed| crossed_fades(crossed, spec.samples)));
    chain.join(",")
}

/// Fades along a quarter of a sine: together with the neighbour's fade the power stays constant.
fn crossed_fades(crossed: &CrossFade, samples: Samples) -> impl Iterator<Item = String> + use<> {
    let CrossFade { fade_in, fade_out } = *crossed;
    let rise = (fade_in.0 > 0).then(|| format!("afade=t=in:ss=0:ns={}:curve=qsin", fade_in.0));
    let from = samples.0.saturating_sub(fade_out.0);
    let fall = (fade_out.0 > 0).then(|| format!("afade=t=out:ss={from}:ns={}:curve=qsin", fade_out.0));
    rise.into_iter().chain(fall)
}

/// Changes the speed and preserves the pitch. The filter's overlapping windows make audio begin early: by 34 to 60 ms at
/// half, 14 to 34 ms at three quarters, and 2 to 19 ms at double speed (beeps, clicks and noise measured at ten speeds and
/// random times). A delay centres that; a little less of it, because the windows move the ends of audio less.
fn tempo(tempo: f64) -> [String; 2] {
    let early_s = 0.0065 + 0.0089 / (tempo * tempo);
    let delay = Samples::nearest(early_s).0;
    [format!("atempo={tempo}"), format!("adelay=delays={delay}S:all=1")]
}

/// Trims to exactly `samples`, padded with silence if there is less.
fn cut(samples: u64) -> [String; 2] {
    [format!("apad=whole_len={samples}"), format!("atrim=end_sample={samples}")]
}

fn edge_fades(from: u64, to: u64, fade: u64) -> [String; 2] {
    let fade = fade.min(to.saturating_sub(from) / 2).max(1);
    let out = to.saturating_sub(fade);
    [format!("afade=t=in:ss={from}:ns={fade}"), format!("afade=t=out:ss={out}:ns={fade}")]
}
