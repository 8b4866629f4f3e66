//! One output: picture segments joined by stream copy, lanes mixed, multiplexed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clipmill_core::plan::{Lane, Rendition, SoundMix};
use clipmill_core::time::Samples;

use super::Args;
use super::picture::TICKS_PER_FRAME;

/// Concat lists of ours: one for the pictures, one per lane.
pub struct JoinFiles<'a> {
    pub pictures: &'a Path,
    pub lanes: &'a [PathBuf],
    pub output: &'a Path,
}

/// Highest sample after the limiter: AAC then stays below full scale (a peak of −1 dB came out at −0.2).
const CEILING: &str = "0.794";

pub fn join(rendition: &Rendition, files: &JoinFiles) -> Vec<OsString> {
    let mut args = Args::default();
    concat_input(&mut args, files.pictures);
    for lane in files.lanes {
        concat_input(&mut args, lane);
    }
    if let Some(mix) = &rendition.sound {
        args.option("-filter_complex", mix_graph(mix));
        args.add(["-map", "0:v:0", "-map", "[mix]", "-c:a", "aac", "-b:a", "160k", "-aac_coder", "fast"]);
        args.add(["-ar", "48000", "-ac", "2"]);
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

fn concat_input(args: &mut Args, list: &Path) {
    args.add(["-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe", "-i"]).file(list);
}

/// Lanes side by side, then as loud as they are: no lane turns another one down.
fn mix_graph(mix: &SoundMix) -> String {
    let total = mix.samples;
    if mix.lanes.is_empty() {
        return format!("anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end_sample={}[mix]", total.0);
    }
    let mut parts: Vec<String> = mix
        .lanes
        .iter()
        .enumerate()
        .map(|(i, lane)| format!("[{}:a]{}[l{i}]", i + 1, lane_filters(lane, total)))
        .collect();
    let labels: String = (0..mix.lanes.len()).map(|i| format!("[l{i}]")).collect();
    let end = format!("atrim=end_sample={}[mix]", total.0);
    parts.push(match mix.lanes.len() {
        1 => format!("[l0]{end}"),
        n => format!(
            "{labels}amix=inputs={n}:duration=longest:normalize=0,alimiter=limit={CEILING}:attack=5:release=60:level=0:latency=1,{end}"
        ),
    });
    parts.join(";")
}

fn lane_filters(lane: &Lane, total: Samples) -> String {
    let heard = lane.heard.0;
    let mut chain = vec!["asetpts=N/SR/TB".to_owned(), format!("atrim=end_sample={heard}")];
    if lane.volume_percent != 100 {
        chain.push(format!("volume={}:precision=float", f64::from(lane.volume_percent) / 100.0));
    }
    if lane.fade_in.0 > 0 {
        chain.push(format!("afade=t=in:ss=0:ns={}", lane.fade_in.0));
    }
    if lane.fade_out.0 > 0 {
        chain.push(format!(
            "afade=t=out:ss={}:ns={}",
            heard.saturating_sub(lane.fade_out.0),
            lane.fade_out.0
        ));
    }
    if lane.heard < total {
        chain.push(format!("apad=whole_len={}", total.0));
    }
    chain.join(",")
}
