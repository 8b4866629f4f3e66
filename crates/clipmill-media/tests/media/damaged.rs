//! Broken files, wrong facts, and abandoned work: no short output, no remaining files.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::support::draw::*;
use crate::support::*;
use clipmill_core::error::ErrorCode;
use clipmill_media::cache::extension;
use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};

const SOURCE: &str =
    "-f lavfi -i testsrc2=s=320x180:r=25:d=6 -f lavfi -i sine=d=6 -c:v libx264 -preset ultrafast -g 25";

fn small() -> clipmill_core::request::model::MixOptions {
    options((96, 64), 25)
}

/// Renders a damaged copy of `from`; the error code, or the frames of the output.
async fn outcome(fixture: &mut Fixture, name: &str, bytes: Vec<u8>) -> Result<u64, ErrorCode> {
    let path = fixture.folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    fixture.learn(name, &path).await;
    let rendering = fixture.try_render(base(vec![group(&[name])], small())).await;
    assert!(fixture.leftovers().is_empty(), "{:?}", fixture.leftovers());
    rendering.map(|rendering| rendering[0].output.quality.frames_found).map_err(|error| error.code)
}

fn read(fixture: &Fixture, name: &str) -> Vec<u8> {
    std::fs::read(fixture.folder.path().join(name)).unwrap()
}

#[tokio::test]
async fn half_a_file_is_damaged() {
    let mut fixture = Fixture::new().await;
    for (name, options) in [("a.mp4", "-c:a aac -movflags +faststart"), ("c.mp4", "-c:a aac")] {
        fixture.source(name, &format!("{SOURCE} {options}")).await;
        let whole = read(&fixture, name);
        let half = whole[..whole.len() / 2].to_vec();
        assert_eq!(
            outcome(&mut fixture, &format!("half-{name}"), half).await,
            Err(ErrorCode::MediaDamaged),
            "{name}"
        );
    }
}

#[tokio::test]
async fn flipped_bits_in_the_middle_are_damage() {
    let mut fixture = Fixture::new().await;
    fixture.source("a.mp4", &format!("{SOURCE} -c:a aac -movflags +faststart")).await;
    // Few or many: a decoder that hides the errors would show as many frames as before.
    for flips in [16, 400] {
        let mut bytes = read(&fixture, "a.mp4");
        let (from, to) = (bytes.len() * 2 / 5, bytes.len() * 3 / 5);
        for at in (from..to).step_by((to - from) / flips) {
            bytes[at] ^= 0x55;
        }
        let result = outcome(&mut fixture, &format!("flipped{flips}.mp4"), bytes).await;
        assert_eq!(result, Err(ErrorCode::MediaDamaged), "{flips} bytes");
    }
}

/// With error detection, ffprobe fails on such a file: the missing frames cannot be counted.
#[tokio::test]
async fn an_undecodable_stream_is_damaged() {
    let mut fixture = Fixture::new().await;
    fixture.source("a.ts", &format!("{SOURCE} -c:a aac")).await;
    let mut bytes = read(&fixture, "a.ts");
    // After the profile and level of the first set of parameters; another set follows with the next keyframe.
    let at = bytes.windows(4).position(|four| four == [0, 0, 1, 0x67]).unwrap();
    bytes[at + 7..at + 12].fill(0);
    assert_eq!(outcome(&mut fixture, "wrecked.ts", bytes).await, Err(ErrorCode::MediaDamaged));
}

/// Whatever the effect of a few wrong bits, the file is to blame and not the service.
#[tokio::test]
async fn a_few_flipped_bits_are_damage_or_do_no_harm() {
    let mut fixture = Fixture::new().await;
    fixture.source("a.ts", &format!("{SOURCE} -t 1 -c:a aac -b:a 48k")).await;
    let whole = read(&fixture, "a.ts");
    let mut state = 12_345_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for flips in 1..=10 {
        let mut bytes = whole.clone();
        for _ in 0..flips {
            bytes[next() % whole.len()] ^= 1 << (next() % 8);
        }
        let result = outcome(&mut fixture, &format!("bits{flips}.ts"), bytes).await;
        assert!(matches!(result, Ok(_) | Err(ErrorCode::MediaDamaged)), "{flips}: {result:?}");
    }
}

#[tokio::test]
async fn a_stream_joined_in_the_middle_is_played_from_its_first_keyframe() {
    let mut fixture = Fixture::new().await;
    fixture.source("a.ts", &format!("{SOURCE} -c:a aac")).await;
    let whole = read(&fixture, "a.ts");
    // Whole packets of 188 bytes, up to a position between two keyframes.
    let start = whole.len() / 188 / 7 * 188;
    let frames = outcome(&mut fixture, "cut.ts", whole[start..].to_vec()).await.unwrap();
    assert!((110..=145).contains(&frames), "{frames} of 150 frames");
}

/// Position and size of each packet of the first stream, in the order of the file.
async fn packets(path: &Path) -> Vec<(usize, usize)> {
    let args = "-v error -select_streams v:0 -of csv=p=0 -show_entries packet=pos,size -i";
    let mut args: Vec<OsString> = args.split(' ').map(OsString::from).collect();
    args.push(path.into());
    let limits = Limits::wall(Duration::from_secs(60));
    let text = Ffmpeg::default().output(Program::Ffprobe, &args, limits).await.unwrap();
    let text = String::from_utf8(text).unwrap();
    let numbers = |line: &str| {
        let mut fields = line.split(',').filter_map(|field| field.parse::<usize>().ok());
        let (size, place) = (fields.next()?, fields.next()?);
        Some((place, size))
    };
    text.lines().filter_map(numbers).collect()
}

#[tokio::test]
async fn one_percent_may_be_unreadable_with_a_warning() {
    let mut fixture = Fixture::new().await;
    fixture
        .source("a.mp4", "-f lavfi -i testsrc2=s=160x90:r=25:d=8 -c:v libx264 -preset ultrafast -bf 0 -g 10")
        .await;
    let whole = read(&fixture, "a.mp4");
    let packets = packets(&fixture.folder.path().join("a.mp4")).await;
    assert_eq!(packets.len(), 200);
    // The last frames before a keyframe: no other frame depends on them.
    for (broken, expected) in [(1, Ok(200)), (2, Ok(200)), (5, Err(ErrorCode::MediaDamaged))] {
        let mut bytes = whole.clone();
        for at in (1..=broken).map(|n| n * 30 - 1) {
            let (place, size) = packets[at];
            bytes[place + 8..place + size].fill(0);
        }
        let name = format!("broken{broken}.mp4");
        let path = fixture.folder.path().join(&name);
        std::fs::write(&path, bytes).unwrap();
        fixture.learn(&name, &path).await;
        let rendering = fixture.try_render(base(vec![group(&[&name])], small())).await;
        let actual = rendering.as_ref().map(|rendering| rendering[0].output.quality.frames_found);
        assert_eq!(actual.map_err(|error| error.code), expected, "{broken} broken pictures");
        if let Ok(rendering) = rendering {
            let warnings = rendering[0].output.warnings(|_| Some(&name));
            let message = format!("{name}: the video is damaged");
            assert!(
                warnings.len() == 1 && warnings[0].message.starts_with(&message),
                "{broken}: {warnings:?}"
            );
        }
    }
}

#[tokio::test]
async fn audio_is_not_a_clip_and_images_are_not_varied() {
    let mut fixture = Fixture::new().await;
    let song = fixture.source("song.mp3", "-f lavfi -i sine=d=1").await;
    let photo = fixture.source("photo.png", "-f lavfi -i color=red:s=64x64 -frames:v 1 -update 1").await;
    let mixed = base(vec![group(&[&song])], small());
    for (name, params) in
        [(&song, mixed), (&song, dedup(&[&song], |_| {})), (&photo, dedup(&[&photo], |_| {}))]
    {
        let error = fixture.try_render(params).await.err().unwrap();
        assert_eq!((error.code, error.input.as_deref()), (ErrorCode::NoVideoStream, Some(name.as_str())));
    }
}

#[tokio::test]
async fn an_output_is_never_short_even_if_the_facts_are_wrong() {
    let mut fixture = Fixture::new().await;
    let clip = fixture.counted("a.mp4", TestVideo::new(96, 64, "25", 12), X264).await;
    let info = fixture.facts.media.get_mut(&clip).unwrap().as_mut().unwrap();
    let video = info.video.as_mut().unwrap();
    video.duration_s *= 2.0;
    let error = fixture.try_render(base(vec![group(&[&clip])], small())).await.err().unwrap();
    assert!(matches!(error.code, ErrorCode::RenderFailed | ErrorCode::MediaDamaged), "{error}");
    assert!(fixture.leftovers().is_empty());
}

#[tokio::test]
async fn audio_that_ends_early_is_padded_with_silence() {
    let mut fixture = Fixture::new().await;
    let clip = fixture
        .counted("a.mp4", TestVideo::new(96, 64, "25", 25), "-f lavfi -i sine=d=1 -c:v libx264 -c:a aac")
        .await;
    let info = fixture.facts.media.get_mut(&clip).unwrap().as_mut().unwrap();
    info.audio.as_mut().unwrap().duration_s = 60.0;
    let rendering = fixture.render_one(base(vec![group(&[&clip])], small())).await;
    assert!(rendering.output.quality.av_difference_ms.unwrap().abs() <= 40.0);
}

#[tokio::test]
async fn no_temporary_files_remain_and_outputs_appear_complete() {
    let mut fixture = Fixture::new().await;
    let clip = fixture.counted("a.mp4", TestVideo::new(96, 64, "25", 12), X264).await;
    fixture.render(base(vec![group(&[&clip])], small())).await;
    assert!(fixture.leftovers().is_empty());
}

/// Processes that have `folder` in their command line.
fn processes(folder: &Path) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(line) = std::fs::read(entry.path().join("cmdline")) else { continue };
        count += usize::from(String::from_utf8_lossy(&line).contains(&*folder.to_string_lossy()));
    }
    count
}

#[tokio::test]
async fn abandoned_work_ends_its_process_and_removes_its_files() {
    let mut fixture = Fixture::new().await;
    let clip = fixture
        .source("a.mp4", "-f lavfi -i testsrc2=s=320x180:r=25:d=60 -c:v libx264 -preset ultrafast")
        .await;
    let plan = fixture.plan(base(vec![group(&[&clip])], options((1080, 1920), 60)));
    let segment = &plan.segments[0];
    let scratch = fixture.folder.path().join("cache/tmp");
    let files = fixture.files(segment);
    let rendering = fixture.renderer.segment("given-up", &segment.key, &segment.spec, &files, |_| {});
    let started = async {
        while processes(&scratch) == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        made = rendering => panic!("a minute was rendered before it was seen to begin: {made:?}"),
        () = started => {}
    }
    assert!(fixture.leftovers().is_empty(), "{:?}", fixture.leftovers());
    // The kernel takes a moment to end a process that was killed; this fails only if it never does.
    tokio::time::timeout(Duration::from_secs(60), async {
        while processes(&scratch) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .expect("ffmpeg is still there");
    assert!(!fixture.renderer.cache.is_made(&segment.key, extension(&segment.spec)).await.unwrap());
}
