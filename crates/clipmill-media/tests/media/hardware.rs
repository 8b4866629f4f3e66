//! Encoding devices: real ones where the machine has them, and a stand-in, a program that encodes with libx264.
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::*;
use clipmill_core::encoding::{Encoder, EncoderChoice, Encoding};
use clipmill_core::request::model::Params;
use clipmill_media::failure::SegmentError;
use clipmill_media::ffmpeg::process::Ffmpeg;
use clipmill_media::segment::hardware::{EncoderRefusal, Hardware};
use clipmill_media::segment::render::SegmentOrigin;
use clipmill_media::segment::renderer::Renderer;

/// An ffmpeg whose `h264_nvenc` is libx264. A file `broken` beside it makes the device fail in the middle of its work,
/// a file `wrong` makes it encode something else, a file `absent` removes the device.
const STAND_IN: &str = include_str!("../../../clipmill/tests/support/stand-in.sh");

fn stand_in(folder: &Path) -> Ffmpeg {
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("ffmpeg"), STAND_IN).unwrap();
    std::fs::set_permissions(bin.join("ffmpeg"), PermissionsExt::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("/usr/bin/ffprobe", bin.join("ffprobe")).unwrap();
    Ffmpeg::in_folder(&bin)
}

async fn find(renderer: &Renderer, choice: EncoderChoice) -> (Option<Hardware>, Vec<EncoderRefusal>) {
    Hardware::find(renderer, choice, &Encoding::standard(2)).await
}

/// The refused encoders; each must have a reason that an operator can act on.
fn refused_encoders(refused: &[EncoderRefusal]) -> Vec<Encoder> {
    for EncoderRefusal { encoder, reason } in refused {
        assert!(reason.len() > 10, "{encoder:?}: {reason}: the reason is not actionable");
    }
    let mut encoders: Vec<_> = refused.iter().map(|refused| refused.encoder).collect();
    encoders.dedup();
    encoders
}

/// The real ffmpeg on this machine's own devices: those that pass the trial work, the others have a reason.
#[tokio::test]
async fn available_encoders_work_and_missing_ones_are_reported() {
    let fixture = Fixture::new().await;
    let (found, refused) = find(&fixture.renderer, EncoderChoice::Auto).await;
    let tried: Vec<_> =
        refused_encoders(&refused).into_iter().chain(found.iter().map(|hardware| hardware.encoder)).collect();
    assert_eq!(tried, Encoder::HARDWARE[..tried.len()]);
    assert_eq!(fixture.leftovers(), Vec::<std::path::PathBuf>::new());
    let Some(hardware) = found else {
        assert_eq!(tried.len(), Encoder::HARDWARE.len(), "{refused:?}");
        return;
    };
    let (fixture, params) = lab_with(fixture, hardware).await;
    let rendering = fixture.render_one(params).await;
    assert_eq!((rendering.output.quality.frames_found, rendering.rendered), (90, 3));
}

#[tokio::test]
async fn a_missing_device_fails_the_trial() {
    let mut fixture = Fixture::new().await;
    fixture.renderer.ffmpeg = stand_in(fixture.folder.path());
    std::fs::write(fixture.folder.path().join("bin/absent"), "").unwrap();
    let (found, refused) = find(&fixture.renderer, EncoderChoice::Auto).await;
    assert!(found.is_none());
    assert_eq!(refused_encoders(&refused), Encoder::HARDWARE);
    let names_missing_device =
        |refused: &EncoderRefusal| refused.reason.contains("no device of this kind is plugged in");
    assert!(refused.iter().all(names_missing_device), "{refused:?}");
    let (found, named) = find(&fixture.renderer, EncoderChoice::H264Nvenc).await;
    assert_eq!((found.is_none(), &named[..]), (true, &refused[..1]));
    let (found, refused) = find(&fixture.renderer, EncoderChoice::Libx264).await;
    assert!(found.is_none() && refused.is_empty(), "{refused:?}");
    assert_eq!(fixture.leftovers(), Vec::<std::path::PathBuf>::new());
}

/// One output of two clips: two segments of video and one of audio.
async fn lab_with_device() -> (Fixture, Params) {
    let mut fixture = Fixture::new().await;
    fixture.renderer.ffmpeg = stand_in(fixture.folder.path());
    let (hardware, refused) = find(&fixture.renderer, EncoderChoice::H264Nvenc).await;
    lab_with(fixture, hardware.unwrap_or_else(|| panic!("the stand-in did not pass: {refused:?}"))).await
}

async fn lab_with(mut fixture: Fixture, hardware: Hardware) -> (Fixture, Params) {
    fixture.encoding = Encoding { encoder: hardware.encoder, ..Encoding::standard(2) };
    fixture.renderer.hardware = Some(hardware);
    let moving = "-f lavfi -i testsrc2=s=640x360:r=25:d=2 -f lavfi -i sine=d=2 -shortest";
    let moving = fixture.source("moving.mp4", moving).await;
    let still = fixture.source("still.mp4", "-f lavfi -i smptebars=s=320x180:r=30:d=1").await;
    let params = base(vec![group(&[&moving, &still])], options((320, 240), 30));
    (fixture, params)
}

#[tokio::test]
async fn frames_piped_to_the_encoder_match_the_plan() {
    let (mut fixture, params) = lab_with_device().await;
    let hardware = fixture.render_one(params.clone()).await;
    let quality = &hardware.output.quality;
    assert_eq!((quality.frames_planned, quality.frames_found, hardware.rendered), (90, 90, 3));
    assert_eq!(fixture.render_one(params.clone()).await.output.origin, SegmentOrigin::Cached);

    // With libx264 only the audio is reused, and both outputs look the same.
    fixture.encoding = Encoding::standard(2);
    let software = fixture.render_one(params).await;
    assert_eq!((software.rendered, software.cached), (2, 1));
    for index in [0, 20, 59, 60, 89] {
        let one = frame(&hardware.path, software.size, index).await;
        let two = frame(&software.path, software.size, index).await;
        for place in [(40, 60), (160, 120), (280, 180)] {
            let [one, two] = [one.around(place), two.around(place)];
            let off = one.iter().zip(two).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 16.0, "frame {index} at {place:?}: {one:?}, {two:?}");
        }
    }
}

#[tokio::test]
async fn a_device_failure_is_distinguished_from_bad_input() {
    let (mut fixture, params) = lab_with_device().await;
    let damaged = fixture.folder.path().join("damaged.mp4");
    let mut bytes = std::fs::read(fixture.folder.path().join("moving.mp4")).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle..middle + 40_000].fill(0x55);
    std::fs::write(&damaged, bytes).unwrap();
    fixture.learn("damaged.mp4", &damaged).await;
    let bad = fixture.try_render(base(vec![group(&["damaged.mp4"])], options((320, 240), 30))).await;
    assert_eq!(bad.err().unwrap().code.as_str(), "MEDIA_DAMAGED");

    std::fs::write(fixture.folder.path().join("bin/broken"), "").unwrap();
    let plan = fixture.plan(params);
    let pictures = plan.segments.iter().filter(|segment| segment.spec.frames().0 > 0);
    let hardware = fixture.renderer.hardware.clone().unwrap();
    for segment in pictures.cycle().take(3) {
        assert!(hardware.is_well());
        let rendering =
            fixture.renderer.segment("x", &segment.key, &segment.spec, &fixture.files(segment), |_| {}).await;
        match rendering {
            Err(SegmentError::FallBack(reason)) => assert!(reason.contains("fell off the bus"), "{reason}"),
            other => panic!("{other:?}"),
        }
    }
    assert!(!hardware.is_well(), "it is not planned with any more");
    assert_eq!(fixture.leftovers(), Vec::<std::path::PathBuf>::new());

    // A worker without the device reports it at once.
    fixture.renderer.hardware = None;
    let segment = plan.segments.iter().find(|segment| segment.spec.frames().0 > 0).unwrap();
    let rendering =
        fixture.renderer.segment("x", &segment.key, &segment.spec, &fixture.files(segment), |_| {}).await;
    assert!(
        matches!(rendering, Err(SegmentError::FallBack(reason)) if reason == "h264_nvenc is not available")
    );
}

#[tokio::test]
async fn a_device_with_wrong_output_fails_the_trial() {
    let mut fixture = Fixture::new().await;
    fixture.renderer.ffmpeg = stand_in(fixture.folder.path());
    std::fs::write(fixture.folder.path().join("bin/wrong"), "").unwrap();
    let (found, refused) = find(&fixture.renderer, EncoderChoice::H264Nvenc).await;
    assert!(
        found.is_none() && refused[0].reason.contains("its output differs from its input"),
        "{refused:?}"
    );
}
