//! Detects the cuts and the dull footage of real files.

use clipmill_core::media::Cuts;
use clipmill_media::ingest::cuts::find;

use crate::support::*;

async fn cuts(fixture: &Fixture, url: &str) -> Cuts {
    let info = fixture.facts.media[url].as_ref().unwrap();
    find(&fixture.renderer.ffmpeg, &fixture.path(url), info.video.as_ref().unwrap()).await.unwrap()
}

fn near(found: &[(f64, f64)], expected: &[(f64, f64)], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?}");
    for (found, expected) in found.iter().zip(expected) {
        let off = (found.0 - expected.0).abs().max((found.1 - expected.1).abs());
        assert!(off <= tolerance, "{what}: {found:?} for {expected:?}");
    }
}

/// Six takes: plain, black, still, blurred, and two more.
fn takes(rate: u32) -> String {
    let source = |seconds: u32, more: &str| format!("testsrc2=s=640x360:r={rate}:d={seconds}{more}");
    let black = format!("color=black:s=640x360:r={rate}:d=2");
    let still = format!("smptebars=s=640x360:r={rate}:d=3");
    let parts = [
        source(3, ""),
        black,
        still,
        source(3, ",gblur=sigma=24"),
        source(3, ",negate"),
        source(2, ",lutyuv=y=val/3"),
    ];
    let labelled: String =
        parts.iter().enumerate().map(|(n, part)| format!("{part},format=yuv420p[v{n}];")).collect();
    format!("-filter_complex {labelled}[v0][v1][v2][v3][v4][v5]concat=n=6")
}

const TAKES: [(f64, f64); 6] = [(0.0, 3.0), (3.0, 5.0), (5.0, 8.0), (8.0, 11.0), (11.0, 14.0), (14.0, 16.0)];

#[tokio::test]
async fn cuts_and_dull_stretches_are_found_in_files_of_all_forms() {
    const FORMS: [(&str, &str, u32); 5] = [
        ("b.mp4", "-c:v libx264 -preset ultrafast -bf 3 -g 250", 30),
        ("late.mkv", "-c:v libx264 -preset ultrafast -output_ts_offset 3.7", 25),
        ("stream.ts", "-c:v libx264 -preset ultrafast -g 40", 25),
        ("m.avi", "-c:v mpeg4 -q:v 4 -bf 2", 10),
        ("deep.mp4", "-c:v libx265 -x265-params log-level=none -preset ultrafast -pix_fmt yuv420p10le", 24),
    ];
    let mut fixture = Fixture::new().await;
    for (name, form, rate) in FORMS {
        let url = fixture.source(name, &format!("{} {form}", takes(rate))).await;
        let detected = cuts(&fixture, &url).await;
        near(&detected.takes, &TAKES, 0.002, name);
        // Blur is measured once a second.
        let inside: f64 = detected.dull.iter().map(|(from, to)| to.min(11.0) - from.max(3.0)).sum();
        let all: f64 = detected.dull.iter().map(|(from, to)| to - from).sum();
        assert!(inside > 6.9 && all - inside < 1.1, "{name}: {:?}", detected.dull);
    }
}

#[tokio::test]
async fn a_long_file_is_sampled() {
    let mut fixture = Fixture::new().await;
    // Another colour every 7 s, on a clock that begins late.
    let colours = "nullsrc=s=64x64:r=5:d=900,geq=lum='40+80*mod(floor(N/35)\\,3)':cb='60+60*mod(floor(N/35)\\,3)':cr=128";
    let args = format!("-f lavfi -i {colours} -c:v libx264 -preset ultrafast -g 50 -output_ts_offset 1000");
    let url = fixture.source("long.mkv", &args).await;
    let detected = cuts(&fixture, &url).await;
    assert!((55..=90).contains(&detected.takes.len()), "{}", detected.takes.len());
    for (from, to) in &detected.takes[..detected.takes.len() - 1] {
        assert!((from / 7.0 - (from / 7.0).round()).abs() * 7.0 < 0.011, "{from} is not a cut");
        assert!(to - from <= 7.01);
    }
    assert!(detected.takes.iter().any(|take| take.0 > 850.0));
}

#[tokio::test]
async fn odd_files_have_cuts_too_or_none() {
    let mut fixture = Fixture::new().await;
    let flicker = "nullsrc=s=64x64:r=50:d=40,geq=lum='255*mod(floor(N/2)\\,2)':cb=128:cr=128";
    let url =
        fixture.source("flicker.mp4", &format!("-f lavfi -i {flicker} -c:v libx264 -preset ultrafast")).await;
    assert!(cuts(&fixture, &url).await.takes.len() > 900);
    let url = fixture.source("one.mp4", "-f lavfi -i testsrc2=s=64x64:r=25 -frames:v 1 -c:v libx264").await;
    assert_eq!(cuts(&fixture, &url).await.takes, [(0.0, 0.04)]);
    let url = fixture.source("plain.mp4", "-f lavfi -i testsrc2=s=64x64:r=25:d=4 -c:v libx264").await;
    assert_eq!(cuts(&fixture, &url).await.takes, [(0.0, 4.0)], "without a cut");
    // Footage after the damage stays unknown, which is not an error.
    let url = fixture.source("broken.avi", &format!("{} -c:v mpeg4 -q:v 4", takes(25))).await;
    let path = fixture.path(&url);
    let mut bytes = std::fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0);
    std::fs::write(&path, bytes).unwrap();
    let detected = cuts(&fixture, &url).await;
    near(&detected.takes[..3], &TAKES[..3], 0.05, "broken.avi");
}
