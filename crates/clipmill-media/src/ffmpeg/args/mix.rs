//! The filter graph of a mix: tracks side by side, music lowered under speech, gain and limiter after the sum.

use clipmill_core::plan::{AudioMix, DuckingRole, MixRange, MixTrack};
use clipmill_core::time::{SAMPLE_RATE, Samples};

use crate::audio::loudness::VOLUMEDETECT;
use crate::audio::mastering::Mastering;

/// How music is lowered under speech and returns. The compressor works so far above its threshold that little more than
/// the unprocessed share (`mix`) remains of the music: speech between −10 and −30 dB lowers it by 11 to 12.5 dB, while
/// noise below −50 dB does not lower it. The attack is 50 ms, the release about a second: short enough to leave no
/// hole, long enough not to pump between words.
const DUCKING: &str =
    "sidechaincompress=threshold=0.003:ratio=20:attack=100:release=400:detection=rms:knee=1:mix=0.77";

/// The mix before its level is changed, as `[mix…]` with the number `of` this mix in the run. Track inputs count from
/// `first_input`.
pub fn plain_mix(mix: &AudioMix, first_input: usize, of: usize) -> String {
    format!("{};[sum]anull[mix{of}]", sum(mix, first_input))
}

/// The mix as it is encoded, as `[mix…]` with its number, and if it has tracks a copy as `[level…]`, whose level is
/// logged. The copy must be mapped: ffmpeg 7 aborts if a branch of a graph ends in `anullsink`. Track inputs count from
/// `first_input`.
pub fn mastered_mix(mix: &AudioMix, first_input: usize, of: usize, mastering: &Mastering) -> String {
    let total = mix.samples.0;
    if mix.tracks.is_empty() {
        return format!("anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end_sample={total}[mix{of}]");
    }
    let mut chain = Vec::new();
    if mastering.gain_db != 0.0 {
        chain.push(format!("volume={:.3}dB:precision=double", mastering.gain_db));
    }
    // There is neither delay nor make-up gain: audio below the limit passes unchanged.
    let limit = 10f64.powf(mastering.ceiling_db / 20.0).clamp(0.0625, 1.0);
    chain.push(format!("alimiter=limit={limit:.6}:attack=5:release=60:level=0:latency=1"));
    chain.push(cut(mix));
    let level = format!("[heard{of}]aformat=sample_fmts=s16,{VOLUMEDETECT}@{of}[level{of}]");
    format!("{};[sum]{},asplit[mix{of}][heard{of}];{level}", sum(mix, first_input), chain.join(","))
}

/// Trims the mix to its length, or to its range of the whole mix.
fn cut(mix: &AudioMix) -> String {
    match mix.stretch {
        None => format!("atrim=end_sample={}", mix.samples.0),
        Some(MixRange { begin, .. }) => {
            let end = begin.0 + mix.samples.0;
            format!("atrim=start_sample={}:end_sample={end},asetpts=N/SR/TB", begin.0)
        }
    }
}

/// Adds all tracks at their levels to `[sum]`, with one fade-out: no track lowers another one.
fn sum(mix: &AudioMix, first_input: usize) -> String {
    let track = |(i, track): (usize, &MixTrack)| {
        format!("[{}:a]{}[l{i}]", first_input + i, track_filters(track, mix.whole()))
    };
    let mut parts: Vec<String> = mix.tracks.iter().enumerate().map(track).collect();
    let mut labels: Vec<String> = (0..mix.tracks.len()).map(|i| format!("[l{i}]")).collect();
    parts.extend(ducking(&mix.tracks, mix.whole(), &mut labels));
    let fade = match mix.fade_out.0 {
        0 => String::new(),
        fade => format!(",{}", fade_out(mix.whole().0, fade)),
    };
    parts.push(format!("{}{fade}[sum]", added(&labels)));
    parts.join(";")
}

/// Lowers the music by a copy of the speech; replaces the tracks' labels by the new ones. When one input of the
/// compressor ends, it drops the queued data of the other one: seconds, where ffmpeg 7 or later reads each input in a
/// thread of its own. So both come in step, from one stream with the channels of both, and are a second longer than the
/// result.
fn ducking(tracks: &[MixTrack], total: Samples, labels: &mut [String]) -> Vec<String> {
    let of = |role| {
        tracks.iter().enumerate().filter(move |(_, track)| track.ducking == Some(role)).map(|(i, _)| i)
    };
    let (speech, music): (Vec<_>, Vec<_>) =
        (of(DuckingRole::Speech).collect(), of(DuckingRole::Music).collect());
    let (false, [music]) = (speech.is_empty(), music.as_slice()) else { return Vec::new() };
    let mut parts = Vec::new();
    let mut keys = Vec::new();
    for i in speech {
        parts.push(format!("[l{i}]asplit[s{i}][k{i}]"));
        labels[i] = format!("[s{i}]");
        keys.push(format!("[k{i}]"));
    }
    let longer = format!("apad=whole_len={}", total.0 + SAMPLE_RATE);
    parts.push(format!("{},{longer}[key];[l{music}]{longer}[music]", added(&keys)));
    parts.push("[music][key]amerge,asplit[both0][both1]".to_owned());
    parts.push("[both0]pan=stereo|c0=c0|c1=c1[plain];[both1]pan=stereo|c0=c2|c1=c3[control]".to_owned());
    parts.push(format!("[plain][control]{DUCKING},atrim=end_sample={}[ducked]", total.0));
    labels[*music] = "[ducked]".to_owned();
    parts
}

fn added(labels: &[String]) -> String {
    match labels {
        [only] => format!("{only}anull"),
        _ => format!("{}amix=inputs={}:duration=longest:normalize=0", labels.concat(), labels.len()),
    }
}

/// Fades out over the last `fade` samples before the end.
fn fade_out(end: u64, fade: u64) -> String {
    format!("afade=t=out:ss={}:ns={fade}", end.saturating_sub(fade))
}

/// The filters of one track, which is silent after its end.
fn track_filters(track: &MixTrack, total: Samples) -> String {
    let heard = track.heard.0;
    let mut chain = vec!["asetpts=N/SR/TB".to_owned(), format!("atrim=end_sample={heard}")];
    if track.volume_percent != 100 {
        chain.push(format!("volume={}:precision=float", f64::from(track.volume_percent) / 100.0));
    }
    if track.fade_in.0 > 0 {
        chain.push(format!("afade=t=in:ss={}:ns={}", track.begin.0, track.fade_in.0));
    }
    if track.fade_out.0 > 0 {
        chain.push(fade_out(heard, track.fade_out.0));
    }
    if track.heard < total {
        chain.push(format!("apad=whole_len={}", total.0));
    }
    chain.join(",")
}
