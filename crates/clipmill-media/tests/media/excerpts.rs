//! `from` and `to` on real files: an excerpt has the frames that the file has there, with its audio in sync.

use clipmill_core::request::model::*;

use crate::parts::shown;
use crate::support::*;
use crate::sync::{flash_and_beep, flashes};

fn mixed(clip: Clip, fps: u32) -> Params {
    base(vec![Group { videos: vec![clip], total_duration_s: None }], options((160, 90), fps))
}

#[tokio::test]
async fn an_excerpt_has_the_frames_of_the_file_from_any_start() {
    const FORMS: [(&str, &str); 6] = [
        ("b.mp4", "-c:v libx264 -preset ultrafast -bf 3 -g 250"),
        ("late.mkv", "-c:v libx264 -preset ultrafast -g 250 -output_ts_offset 3.7"),
        ("stream.ts", "-c:v libx264 -preset ultrafast -g 40"),
        ("v.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
        ("m.avi", "-c:v mpeg4 -bf 2"),
        ("slow.mp4", "-c:v libx264 -preset ultrafast -r 10"),
    ];
    let mut fixture = Fixture::new().await;
    for (name, form) in FORMS {
        let source = format!("-f lavfi -i testsrc2=s=160x90:r=30:d=6 {form} -pix_fmt yuv420p");
        let url = fixture.source(name, &source).await;
        for fps in [30, 50] {
            let whole = shown(&fixture, &mixed(clip(&url), fps)).await.concat();
            for (from, to) in [(0.2, 1.0), (2.0, 3.5), (4.4, 6.0)] {
                let part = Clip { from_s: Some(from), to_s: Some(to), ..clip(&url) };
                let actual = shown(&fixture, &mixed(part, fps)).await.concat();
                let at = |seconds: f64| (seconds * f64::from(fps)).round() as usize;
                assert_eq!(actual, whole[at(from)..at(to)], "{name} at {fps}, {from} to {to}");
            }
        }
    }
}

#[tokio::test]
async fn the_audio_of_an_excerpt_stays_in_sync() {
    let mut fixture = Fixture::new().await;
    // The flash comes after 3 s.
    let url = flash_and_beep(&mut fixture, "flash.mp4", "30", 6.0, true).await;
    let part = Clip { from_s: Some(1.7), to_s: Some(4.1), ..clip(&url) };
    let varied = |clip: Clip| {
        let speed = Some(Span { min: 1.5, max: 1.5 });
        let options = DedupOptions { speed, ..DedupOptions::default() };
        Params::VideoDeduplication(DedupParams { videos: vec![clip], options, seed: Some(1) })
    };
    for (params, seconds, at) in [(mixed(part.clone(), 30), 2.4, 1.3), (varied(part), 1.6, 1.3 / 1.5)] {
        let rendering = fixture.render_one(params).await;
        assert_eq!(rendering.output.quality.frames_found, (seconds * 30.0_f64).round() as u64);
        let (flashes, beeps) = (flashes(&rendering.path, 30.0).await, onsets(&rendering.path).await);
        let ([flash], [beep]) = (flashes.as_slice(), beeps.as_slice()) else {
            panic!("{flashes:?} {beeps:?}")
        };
        assert!((flash - at).abs() <= 0.5 / 30.0 + 0.001, "{flash} for {at}");
        assert!((beep - flash).abs() <= 0.5 / 30.0 + 0.005, "{beep} to {flash}");
    }
}

#[tokio::test]
async fn after_an_excerpt_its_last_frame_is_held_in_silence() {
    let mut fixture = Fixture::new().await;
    // The flash comes right after the excerpt, while the scene continues.
    let url = flash_and_beep(&mut fixture, "flash.mp4", "30", 4.0, true).await;
    let params = pro(&[(2.2, &url)], options((160, 90), 30), |params| {
        params.scenes[0].resources[0].to_s = Some(1.95);
    });
    let rendering = fixture.render_one(params).await;
    assert_eq!(rendering.output.quality.frames_found, 66);
    assert!(flashes(&rendering.path, 30.0).await.is_empty());
    assert!(onsets(&rendering.path).await.is_empty());
}
