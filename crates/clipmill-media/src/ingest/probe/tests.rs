//! Files made by ffmpeg, and files that should not exist.

use super::*;
use crate::ffmpeg::policy::input_args;
use clipmill_core::error::ErrorCode;
use clipmill_core::media::Size;
use std::path::PathBuf;
use tempfile::TempDir;

const LIMITS: Limits = Limits::wall(Duration::from_secs(120));

/// A folder for files made by ffmpeg.
struct Bench {
    folder: TempDir,
    ffmpeg: Ffmpeg,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), ffmpeg: Ffmpeg::default() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs ffmpeg in the folder; arguments are separated by spaces.
    async fn make(&self, args: &str) -> &Self {
        let args: Vec<OsString> = args.split_whitespace().map(Into::into).collect();
        let run = self.ffmpeg.run_ffmpeg(&args, Some(self.folder.path()), LIMITS, |_| ());
        run.await.expect("the tests need ffmpeg with libx264, libvpx and libmp3lame; install it");
        self
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), bytes).unwrap();
        self
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    async fn probe(&self, name: &str) -> Result<MediaInfo, TaskError> {
        probe(&self.ffmpeg, &self.path(name), ContentHash("00".into())).await
    }

    async fn check_refused(&self, name: &str, code: ErrorCode, part: &str) {
        let error = self.probe(name).await.unwrap_err();
        assert_eq!(error.code, code, "{name}: {error}");
        assert!(error.message.contains(part), "{name}: {error}");
    }
}

const PICTURE: &str = "-f lavfi -i testsrc2=s=320x240:r=25:d=2";
const SOUND: &str = "-f lavfi -i sine=r=48000:d=2";

#[tokio::test]
async fn common_containers_are_measured() {
    let bench = Bench::new();
    for (name, codecs) in [
        ("a.mp4", "-c:v libx264 -c:a aac"),
        ("frag.mp4", "-c:v libx264 -g 10 -c:a aac -movflags frag_keyframe+empty_moov"),
        ("a.mkv", "-c:v libx264 -c:a flac"),
        ("a.ts", "-c:v libx264 -c:a aac"),
        ("a.webm", "-c:v libvpx -c:a libopus"),
        ("a.avi", "-c:v mpeg4 -c:a libmp3lame"),
        ("a.mpg", "-c:v mpeg2video -c:a mp2"),
        ("a.flv", "-c:v flv -ar 44100 -c:a libmp3lame"),
        ("a.mov", "-c:v mjpeg -c:a pcm_s16le"),
    ] {
        bench.make(&format!("{PICTURE} {SOUND} {codecs} {name}")).await;
        let info = bench.probe(name).await.unwrap();
        let (video, audio) = (info.video.unwrap(), info.audio.unwrap());
        assert_eq!((video.coded, video.frames, video.still), (Size::new(320, 240), 50, false), "{name}");
        // The AVI muxer leaves one slot empty to compensate the delay of MP3: 50 frames in 51 slots.
        assert!((video.rate - 25.0).abs() < 0.6, "{name}: {}", video.rate);
        assert!((video.duration_s - 2.0).abs() < 0.05, "{name}: {}", video.duration_s);
        assert!((audio.duration_s - 2.0).abs() < 0.1, "{name}: {}", audio.duration_s);
        assert!((video.start_s - audio.start_s).abs() < 0.1, "{name}: {} {}", video.start_s, audio.start_s);
        assert!((audio.sample_rate, audio.channels) == (48_000, 1) || name == "a.flv", "{name}");
    }
}

#[tokio::test]
async fn subtitles_in_a_file_do_no_harm() {
    let bench = Bench::new();
    bench.write("s.srt", "1\n00:00:00,000 --> 00:00:01,000\nhello\n");
    bench.make(&format!("{PICTURE} -i s.srt -c:v libx264 -c:s mov_text s.mp4")).await;
    assert_eq!(bench.probe("s.mp4").await.unwrap().video.unwrap().frames, 50);
}

#[tokio::test]
async fn audio_files_have_no_video_even_with_a_cover() {
    let bench = Bench::new();
    bench.make("-f lavfi -i testsrc2=s=64x64:d=0.04 -frames:v 1 cover.png").await;
    bench
        .make(&format!("{SOUND} -i cover.png -map 0 -map 1 -c:v copy -disposition:v attached_pic a.mp3"))
        .await;
    bench.make(&format!("{SOUND} a.wav")).await;
    bench.make(&format!("{SOUND} a.flac")).await;
    bench.make(&format!("{SOUND} -c:a libvorbis a.ogg")).await;
    bench.make(&format!("{SOUND} -c:a aac a.aac")).await;
    for name in ["a.mp3", "a.wav", "a.flac", "a.ogg", "a.aac"] {
        let info = bench.probe(name).await.unwrap();
        assert_eq!(info.video, None, "{name}");
        let duration_s = info.audio.unwrap().duration_s;
        assert!((duration_s - 2.0).abs() < 0.1, "{name}: {duration_s}");
    }
}

#[tokio::test]
async fn stills_are_distinguished_from_animations() {
    let bench = Bench::new();
    for (made, name) in [("a.png", "b%d.png"), ("a.jpg", "b.jpg"), ("a.webp", "b"), ("a.gif", "b.gif")] {
        bench.make(&format!("-f lavfi -i testsrc2=s=64x48:r=10:d=1 -frames:v 1 {made}")).await;
        std::fs::rename(bench.path(made), bench.path(name)).unwrap();
        let video = bench.probe(name).await.unwrap().video.unwrap();
        assert_eq!((video.still, video.frames, video.coded), (true, 1, Size::new(64, 48)), "{name}");
    }
    bench.make("-f lavfi -i testsrc2=s=64x48:r=10:d=1 moving.gif").await;
    let video = bench.probe("moving.gif").await.unwrap().video.unwrap();
    assert_eq!((video.still, video.frames), (false, 10));
}

#[tokio::test]
async fn unsupported_image_formats_are_reported() {
    let bench = Bench::new();
    bench.make("-f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v libwebp_anim moving.webp").await;
    bench.check_refused("moving.webp", ErrorCode::FormatNotAllowed, "an animated WebP").await;
    bench.write("phone.jpg", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat");
    bench.check_refused("phone.jpg", ErrorCode::FormatNotAllowed, "a HEIC image (save it as JPEG)").await;
    // This has a hundred megapixels; nothing is decoded.
    bench.make("-f lavfi -i color=s=12000x9000 -frames:v 1 large.png").await;
    bench.check_refused("large.png", ErrorCode::MediaTooLarge, "12000x9000").await;
    // Of an animated PNG the default image counts.
    bench.make("-f lavfi -i testsrc2=s=64x48:r=10:d=1 -f apng moving.png").await;
    let video = bench.probe("moving.png").await.unwrap().video.unwrap();
    assert_eq!((video.still, video.frames), (true, 1));
}

/// The same guarded input must work for ffmpeg itself.
#[tokio::test]
async fn input_args_open_what_the_probe_accepts() {
    let bench = Bench::new();
    bench.make(&format!("{PICTURE} {SOUND} -c:v libx264 -c:a aac a.mp4")).await;
    bench.make("-f lavfi -i testsrc2=s=64x48:d=0.04 -frames:v 1 a.jpg").await;
    for (name, frames) in [("a.mp4", 50), ("a.jpg", 1)] {
        let mut args = input_args(&bench.path(name));
        args.extend(["-map", "0:v", "-f", "null", "-"].map(Into::into));
        let finished = bench.ffmpeg.run_ffmpeg(&args, None, LIMITS, |_| ()).await.unwrap();
        assert_eq!(finished.progress.frame, frames, "{name}");
    }
}

/// Writes a display matrix into an MP4 whose own is the identity.
fn turn(mp4: &mut [u8], matrix: [i32; 4]) {
    let tkhd = mp4.windows(4).position(|window| window == b"tkhd").unwrap();
    let [a, b, c, d] = matrix.map(|value| (value << 16).to_be_bytes());
    for (offset, value) in [(0, a), (4, b), (12, c), (16, d)] {
        let at = tkhd + 44 + offset;
        mp4[at..at + 4].copy_from_slice(&value);
    }
}

/// The corner of the frame that is white, as ffmpeg shows it after rotating it: 0 top left, 1 top right, 2 bottom right,
/// 3 bottom left.
async fn white_corner(bench: &Bench, name: &str, size: Size) -> usize {
    let line = "-nostdin -v error -i NAME -frames:v 1 -pix_fmt gray -f rawvideo -";
    let path = bench.path(name);
    let args = line.split(' ').map(|arg| if arg == "NAME" { path.clone().into() } else { arg.into() });
    let raw = bench.ffmpeg.output(Program::Ffmpeg, &args.collect::<Vec<_>>(), LIMITS).await.unwrap();
    let (width, height) = (size.width as usize, size.height as usize);
    assert_eq!(raw.len(), width * height, "ffmpeg shows another size");
    let at = |x: usize, y: usize| raw[y * width + x] > 128;
    let corners = [at(4, 4), at(width - 5, 4), at(width - 5, height - 5), at(4, height - 5)];
    assert_eq!(corners.iter().filter(|white| **white).count(), 1, "{corners:?}");
    corners.iter().position(|white| *white).unwrap()
}

#[tokio::test]
async fn rotation_is_the_turn_that_ffmpeg_makes() {
    let bench = Bench::new();
    let source_args = "-f lavfi -i color=black:s=320x240:r=25:d=0.2,drawbox=0:0:40:40:white:fill";
    bench.make(&format!("{source_args} -c:v libx264 -pix_fmt yuv420p upright.mp4")).await;
    for (matrix, expected) in
        [([1, 0, 0, 1], 0), ([0, 1, -1, 0], 90), ([-1, 0, 0, -1], 180), ([0, -1, 1, 0], 270)]
    {
        let mut mp4 = bench.read("upright.mp4");
        turn(&mut mp4, matrix);
        bench.write("turned.mp4", mp4);
        let video = bench.probe("turned.mp4").await.unwrap().video.unwrap();
        assert_eq!((video.rotation, video.coded), (expected, Size::new(320, 240)));
        // The white corner starts at the top left; a clockwise quarter moves it to the next one.
        let corner = white_corner(&bench, "turned.mp4", video.upright()).await;
        assert_eq!(corner as u32 * 90, expected);
    }
}

#[tokio::test]
async fn sample_shape_is_read() {
    let bench = Bench::new();
    bench.make("-f lavfi -i testsrc2=s=720x576:d=0.2,setsar=64/45 -c:v libx264 a.mp4").await;
    let video = bench.probe("a.mp4").await.unwrap().video.unwrap();
    assert_eq!((video.sample_aspect, video.display()), ((64, 45), Size::new(1024, 576)));
}

#[tokio::test]
async fn packets_that_outputs_could_have_are_known() {
    let bench = Bench::new();
    bench.make(&format!("{PICTURE} {SOUND} -c:v libx264 -g 20 -pix_fmt yuv420p -c:a aac a.mp4")).await;
    bench.make("-i a.mp4 -c copy -map_metadata -1 b.mp4").await;
    bench.make("-i a.mp4 -c copy c.mkv").await;
    bench.make("-i a.mp4 -c copy -aspect 16:9 d.mp4").await;
    bench.make("-ss 0.5 -i a.mp4 -c copy -t 1 e.mp4").await;
    let form = async |name: &str| bench.probe(name).await.unwrap().video.unwrap().avc;
    let whole = form("a.mp4").await.unwrap();
    assert_eq!((whole.rate, whole.longest_group, whole.configuration.len()), (25, 20, 32));
    assert_eq!(form("b.mp4").await.as_ref(), Some(&whole));
    for (name, why) in
        [("c.mkv", "times are rounded"), ("d.mp4", "stretched"), ("e.mp4", "an edit hides some")]
    {
        assert_eq!(form(name).await, None, "{why}");
    }
}

#[tokio::test]
async fn truncated_files_are_detected() {
    let bench = Bench::new();
    bench.make(&format!("{PICTURE} {SOUND} -c:v libx264 -c:a aac -movflags faststart fast.mp4")).await;
    bench.make(&format!("{PICTURE} {SOUND} -c:v libx264 -c:a aac slow.mp4")).await;
    bench.make(&format!("{PICTURE} {SOUND} -c:v libx264 -c:a aac whole.mkv")).await;
    for (whole, cut, part) in [("fast.mp4", "a.mp4", "truncated"), ("slow.mp4", "b.mp4", "no index")] {
        let bytes = bench.read(whole);
        bench.write(cut, &bytes[..bytes.len() / 2]);
        bench.check_refused(cut, ErrorCode::MediaDamaged, part).await;
    }
    let bytes = bench.read("whole.mkv");
    bench.write("c.mkv", &bytes[..bytes.len() / 2]);
    let condition = bench.probe("c.mkv").await.unwrap().condition.unwrap();
    let broken_off = condition.broken_off.unwrap();
    assert!(broken_off.found_ms < 1500 && broken_off.stated_ms > 1900, "{broken_off:?}");
}

/// A file with an edit list that shows one second of two is still complete.
#[tokio::test]
async fn frames_omitted_by_an_edit_list_are_not_missing() {
    let bench = Bench::new();
    bench.make(&format!("{PICTURE} -c:v libx264 a.mp4")).await;
    let mut mp4 = bench.read("a.mp4");
    let elst = mp4.windows(4).position(|window| window == b"elst").unwrap();
    // After version and count comes the length of the edit in milliseconds.
    mp4[elst + 12..elst + 16].copy_from_slice(&1000u32.to_be_bytes());
    bench.write("a.mp4", mp4);
    let video = bench.probe("a.mp4").await.unwrap().video.unwrap();
    assert_eq!(video.frames, 25);
    assert!((video.duration_s - 1.0).abs() < 0.001, "{}", video.duration_s);
}

#[tokio::test]
async fn errors_describe_files_that_are_not_media() {
    let bench = Bench::new();
    bench.make("-f lavfi -i testsrc2=s=64x64:d=0.2 -c:v libx264 inner.mp4").await;
    bench.write("hls.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\ninner.mp4\n#EXT-X-ENDLIST\n");
    bench.write("script.mp4", "ffconcat version 1.0\nfile inner.mp4\n");
    bench.write("drawing.mp4", r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>"#);
    bench.write("dash.mp4", r#"<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>"#);
    bench.write("sdp.mp4", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nt=0 0\nm=video 5000 RTP/AVP 96\n");
    bench.write("page.mp4", "<!DOCTYPE html><html><body>Not found</body></html>");
    bench.write("empty.mp4", "");
    bench.write("text.mp4", "only words\n".repeat(50));
    bench.write(
        "noise.mp4",
        (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<_>>(),
    );
    for (name, code, part) in [
        ("hls", ErrorCode::FormatNotAllowed, "HLS playlist"),
        ("script", ErrorCode::FormatNotAllowed, "ffconcat"),
        ("drawing", ErrorCode::FormatNotAllowed, "SVG"),
        ("dash", ErrorCode::FormatNotAllowed, "DASH"),
        ("sdp", ErrorCode::FormatNotAllowed, "SDP"),
        ("page", ErrorCode::NotMedia, "an HTML page"),
        ("empty", ErrorCode::NotMedia, "empty"),
        ("text", ErrorCode::NotMedia, "plain text"),
        ("noise", ErrorCode::NotMedia, "not media"),
    ] {
        bench.check_refused(&format!("{name}.mp4"), code, part).await;
        // Stored files have no file name extension.
        std::fs::rename(bench.path(&format!("{name}.mp4")), bench.path(name)).unwrap();
        bench.check_refused(name, code, part).await;
    }
}

#[tokio::test]
async fn codecs_and_sizes_off_the_list_are_refused() {
    let bench = Bench::new();
    bench.make("-f lavfi -i testsrc2=s=64x64:d=0.2 -c:v magicyuv a.mkv").await;
    bench.check_refused("a.mkv", ErrorCode::CodecNotAllowed, "magicyuv").await;
    bench.make("-f lavfi -i color=s=9000x16:d=0.04 -frames:v 1 wide.png").await;
    bench.check_refused("wide.png", ErrorCode::MediaTooLarge, "9000x16").await;
    let maps = "-map 0:v ".repeat(40);
    bench.make(&format!("-f lavfi -i testsrc2=s=64x64:d=0.2 {maps} -c:v mpeg2video many.ts")).await;
    bench.make(&format!("-f lavfi -i testsrc2=s=64x64:d=0.2 {maps} -c:v mpeg4 many.mkv")).await;
    for name in ["many.ts", "many.mkv"] {
        bench.check_refused(name, ErrorCode::MediaTooLarge, "32 streams").await;
    }
}

#[tokio::test]
async fn timestamps_that_jump_by_a_day_are_refused() {
    let bench = Bench::new();
    let jump = r"setpts=if(eq(N\,2)\,100000/TB\,PTS)";
    bench
        .make(&format!(
            "-f lavfi -i testsrc2=s=64x64:r=30:d=0.1 -vf {jump} -fps_mode passthrough -c:v mjpeg a.mkv"
        ))
        .await;
    bench.check_refused("a.mkv", ErrorCode::MediaDamaged, "jump").await;
}

#[tokio::test]
async fn a_missing_ffprobe_is_an_internal_error() {
    let mut bench = Bench::new();
    bench.write("a.mp4", "x");
    bench.ffmpeg = Ffmpeg::in_folder(Path::new("/nonexistent"));
    bench.check_refused("a.mp4", ErrorCode::Internal, "internal error").await;
}

#[test]
fn a_file_that_cannot_be_opened_is_not_the_clients_fault() {
    let path = Path::new("/data/inputs/abc");
    for (stderr, expected) in [
        ("file:/data/inputs/abc: Permission denied", true),
        ("file:/data/inputs/abc: No such file or directory\n", true),
        ("file:/data/inputs/abc: Invalid data found when processing input", false),
        // The message is about another file.
        ("[concat @ 0x1] Impossible to open '/etc/passwd'\nfile:/etc/passwd: Permission denied", false),
    ] {
        assert_eq!(is_out_of_reach(path, stderr), expected, "{stderr}");
    }
}

/// ffmpeg writes tables in many forms, and none is refused.
#[tokio::test]
async fn valid_tables_of_all_forms_are_accepted() {
    let bench = Bench::new();
    let avc = "-c:v libx264 -bf 2 -g 10";
    for (name, how) in [
        ("front.mp4", "-c:a aac -movflags faststart"),
        ("delayed.mp4", "-c:a aac -movflags frag_keyframe+delay_moov+default_base_moof"),
        ("dash.mp4", "-c:a aac -movflags dash+global_sidx -frag_duration 40000"),
        ("every.mp4", "-c:a aac -movflags frag_every_frame+empty_moov+cmaf"),
        ("edited.mov", "-c:a pcm_s24le -use_editlist 1 -movflags write_colr"),
        ("loud.mov", "-c:a pcm_u8 -movflags frag_keyframe+empty_moov"),
        ("alaw.mov", "-c:a pcm_alaw -ac 2"),
        ("front.mkv", "-c:a aac -cues_to_front 1 -reserve_index_space 50000"),
        ("live.mkv", "-c:a pcm_s16le -live 1"),
        ("sound.avi", "-c:a pcm_s16le"),
        ("short.avi", "-c:a mp3 -f avi -reserve_index_space 4096"),
        ("broken.ts", "-c:a aac"),
        ("two.mov", "-c:a pcm_s16be -map 0 -map 1 -map 1 -map 0 -brand qt -movflags +faststart"),
    ] {
        bench.make(&format!("{PICTURE} {SOUND} {avc} {how} {name}")).await;
        containers::check(&bench.path(name)).await.expect(name);
    }
}

/// Counts that cannot be true never reach ffprobe.
#[tokio::test]
async fn a_table_of_millions_in_a_small_file_is_refused() {
    let bench = Bench::new();
    bench.make(&format!("{PICTURE} -c:v libx264 a.mp4")).await;
    let mut bytes = bench.read("a.mp4");
    let at = bytes.windows(4).position(|name| name == b"stsz").unwrap();
    bytes[at + 12..at + 16].copy_from_slice(&50_000_000_u32.to_be_bytes());
    bench.write("many.mp4", bytes);
    bench
        .check_refused(
            "many.mp4",
            ErrorCode::MediaDamaged,
            "declares more data than it contains, in its table stsz",
        )
        .await;
}
