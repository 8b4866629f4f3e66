//! All cases: containers, codecs, tracks, timing, changes in mid-stream, tails, colours, and the sweep of frame rates.

mod audio;
mod changes;
mod colours;
mod formats;
mod sweep;
mod tails;
mod timing;
mod tracks;

use crate::case::{Case, Kind, Step, Warning};
use crate::material;

pub fn all() -> Vec<Case> {
    let groups = [
        formats::cases(),
        tracks::cases(),
        timing::cases(),
        changes::cases(),
        tails::cases(),
        audio::cases(),
        colours::cases(),
        sweep::cases(),
    ];
    groups.into_iter().flatten().collect()
}

const SIZE: (u32, u32) = (176, 144);
const SECONDS: usize = 3;

/// Three seconds of video at 30 frames per second.
fn video() -> String {
    video_at("30", 30 * SECONDS)
}

fn video_at(rate: &str, count: usize) -> String {
    material::frames(SIZE, rate, 0, count)
}

/// Three seconds of mono audio.
fn sound() -> String {
    material::audio(48_000, 1, 0.0, SECONDS as f64)
}

/// A muxer with its options.
#[derive(Clone, Copy)]
struct Container {
    name: &'static str,
    extension: &'static str,
    muxer: &'static str,
}

const fn container(name: &'static str, extension: &'static str, muxer: &'static str) -> Container {
    Container { name, extension, muxer }
}

const MP4: Container = container("mp4", "mp4", "-f mp4");
/// The index at the front, so that a truncated file still has it.
const MP4_FAST: Container = container("mp4", "mp4", "-movflags +faststart -f mp4");
const FRAGMENTED: Container =
    container("fragmented mp4", "mp4", "-movflags +frag_keyframe+empty_moov+default_base_moof -f mp4");
const MOV: Container = container("mov", "mov", "-f mov");
const MOV_FAST: Container = container("mov", "mov", "-movflags +faststart -f mov");
const MKV: Container = container("mkv", "mkv", "-f matroska");
const WEBM: Container = container("webm", "webm", "-f webm");
const TS: Container = container("ts", "ts", "-f mpegts");
const FLV: Container = container("flv", "flv", "-f flv");
const AVI: Container = container("avi", "avi", "-f avi");
const PHONE: Container = container("3gp", "3gp", "-f 3gp");

/// A codec with its encoder's options.
#[derive(Clone, Copy)]
struct Codec {
    name: &'static str,
    encoder: &'static str,
}

const fn codec(name: &'static str, encoder: &'static str) -> Codec {
    Codec { name, encoder }
}

/// Converts to BT.709 and tags it.
const BT709: &str = "-vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p \
                     -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

/// Converts to BT.601 without a tag.
const BT601: &str = "-vf scale=out_color_matrix=bt601:out_range=tv,format=yuv420p";

const H264: Codec = codec("h264", "-c:v libx264 -preset veryfast -crf 14 -g 30");
const HEVC: Codec =
    codec("hevc", "-c:v libx265 -preset ultrafast -x265-params log-level=error:crf=14:keyint=30:pools=1");
const VP8: Codec = codec("vp8", "-c:v libvpx -b:v 2M -deadline realtime -cpu-used 8 -g 30");
const VP9: Codec = codec("vp9", "-c:v libvpx-vp9 -b:v 2M -deadline realtime -cpu-used 8 -g 30");
const AV1: Codec = codec("av1", "-c:v libaom-av1 -usage realtime -cpu-used 8 -b:v 1M -g 30");
const MPEG4: Codec = codec("mpeg4", "-c:v mpeg4 -q:v 2 -g 30");
const MPEG2: Codec = codec("mpeg2", "-c:v mpeg2video -q:v 2 -g 15");
const MPEG1: Codec = codec("mpeg1", "-c:v mpeg1video -q:v 2 -g 15");
const MJPEG: Codec = codec("mjpeg", "-c:v mjpeg -q:v 2 -pix_fmt yuvj420p");
const PRORES: Codec = codec("prores", "-c:v prores_ks -profile:v 0 -pix_fmt yuv422p10le");
const QTRLE: Codec = codec("qtrle", "-c:v qtrle -pix_fmt argb");
const PNG: Codec = codec("png", "-c:v png -pix_fmt rgb24");
const THEORA: Codec = codec("theora", "-c:v libtheora -q:v 10 -g 30");
const FLV1: Codec = codec("flv1", "-c:v flv -q:v 2 -g 30");
const H263: Codec = codec("h263", "-c:v h263 -q:v 2 -g 30");
const MSMPEG4: Codec = codec("msmpeg4v3", "-c:v msmpeg4 -q:v 2 -g 30");

const AAC: Codec = codec("aac", "-c:a aac -b:a 96k");
const MP3: Codec = codec("mp3", "-c:a libmp3lame -b:a 96k");
const MP2: Codec = codec("mp2", "-c:a mp2 -b:a 128k");
const AC3: Codec = codec("ac3", "-c:a ac3 -b:a 128k");
const EAC3: Codec = codec("eac3", "-c:a eac3 -b:a 128k");
const OPUS: Codec = codec("opus", "-c:a libopus -b:a 64k");
const VORBIS: Codec = codec("vorbis", "-c:a libvorbis -b:a 96k");
const FLAC: Codec = codec("flac", "-c:a flac -strict experimental");
const ALAC: Codec = codec("alac", "-c:a alac");
const PCM: Codec = codec("pcm_s16le", "-c:a pcm_s16le");
const PCM_BE: Codec = codec("pcm_s16be", "-c:a pcm_s16be");

/// Arguments that encode video and audio into the file `out`.
fn encode(inputs: &str, video: &Codec, audio: &Codec, options: &str, container: &Container) -> String {
    let colours = match video.name {
        // VP8 has no tags, and ffmpeg's decoder ignores those of the container.
        "vp8" => BT601,
        _ if video.encoder.contains("-pix_fmt") => "",
        _ => BT709,
    };
    let hvc1 = if video.name == "hevc" && container.muxer.ends_with("mp4") { "-tag:v hvc1" } else { "" };
    format!("{inputs} {colours} {} {} {hvc1} {options} {} out", video.encoder, audio.encoder, container.muxer)
}

/// An ordinary file with a pair of codecs, and a base name.
fn plain(container: &Container, video_codec: &Codec, audio_codec: &Codec) -> (String, String) {
    let inputs = format!("{} {}", video(), sound());
    let name = format!("{} {}+{}", container.name, video_codec.name, audio_codec.name);
    (name, encode(&inputs, video_codec, audio_codec, "", container))
}

/// Two parts of 1.8 and 1.2 s as the files `a` and `b`; the times of the second begin at `second_s`, otherwise at 0
/// again.
fn halves(
    video_codec: &Codec,
    audio_codec: &Codec,
    options: [&str; 2],
    second_s: Option<f64>,
    container: &Container,
) -> [Step; 2] {
    let part = |first: usize, count: usize, options: &str, name: &str| {
        let second = |frame: usize| frame as f64 / 30.0;
        let audio = material::audio(48_000, 1, second(first), second(count));
        let inputs = format!("{} {audio}", material::frames(SIZE, "30", first, count));
        let args = encode(&inputs, video_codec, audio_codec, options, container);
        Step::Ffmpeg(args.strip_suffix("out").unwrap().to_owned() + name)
    };
    let offset = second_s.map_or(String::new(), |second_s| format!(" -output_ts_offset {second_s}"));
    [part(0, 54, options[0], "a"), part(54, 36, &(options[1].to_owned() + &offset), "b")]
}
