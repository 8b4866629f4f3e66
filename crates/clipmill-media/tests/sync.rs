//! Sound and picture stay together, and joined pictures are the segments' own.

// Helpers fail as tests do.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod support;

use support::*;

const FLASH_S: f64 = 0.1;

/// Two seconds of black with one white flash and a beep that begin at the same instant.
async fn flash_and_beep(lab: &mut Lab, name: &str, rate: &str, with_sound: bool) -> String {
    let (num, den) = rate.split_once('/').map_or((rate, "1"), |pair| pair);
    let rate_hz = num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap();
    let first = rate_hz.round();
    let (at, last) = (first / rate_hz, first + (rate_hz * FLASH_S).round());
    let picture = format!(
        "color=black:s=320x180:r={rate}:d=2,drawbox=c=white:t=fill:enable=between(n\\,{first}\\,{})",
        last - 1.0
    );
    let beep =
        format!("aevalsrc=if(between(t\\,{at}\\,{})\\,0.5*sin(2*PI*1000*t)\\,0):s=44100:d=2", at + FLASH_S);
    let sound = if with_sound { format!("-f lavfi -i {beep} -c:a aac") } else { String::new() };
    lab.source(name, &format!("-f lavfi -i {picture} {sound} -c:v libx264 -preset ultrafast")).await
}

/// Times at which the picture between its black bars turns white.
async fn flashes(path: &std::path::Path, fps: f64) -> Vec<f64> {
    let lumas = lumas(path).await;
    let rises = lumas.windows(2).enumerate().filter(|(_, pair)| pair[0] < 40 && pair[1] >= 40);
    rises.map(|(i, _)| (i + 1) as f64 / fps).collect()
}

async fn check(fps: u32) {
    let mut lab = Lab::new().await;
    let rates = ["25", "30000/1001", "30", "50", "60"];
    let mut clips = Vec::new();
    for (i, rate) in rates.iter().enumerate() {
        clips.push(flash_and_beep(&mut lab, &format!("clip{i}.mp4"), rate, i != 3).await);
    }
    let order: Vec<&str> = (0..20).map(|i| clips[i % clips.len()].as_str()).collect();
    let rendered = lab.render(base(vec![group(&order)], options((360, 640), fps))).await;
    let path = &rendered[0].path;

    let (flashes, beeps) = (flashes(path, f64::from(fps)).await, onsets(path).await);
    assert_eq!(flashes.len(), 20, "{flashes:?}");
    assert_eq!(beeps.len(), 16, "the silent clip stands four times: {beeps:?}");
    let audible = flashes.iter().enumerate().filter(|(i, _)| i % 5 != 3).map(|(_, time)| time);
    let bound = 0.5 / f64::from(fps) + 0.005;
    for (flash, beep) in audible.zip(&beeps) {
        assert!((flash - beep).abs() <= bound, "flash at {flash:.4}, beep at {beep:.4}");
    }
}

#[tokio::test]
async fn a_flash_and_its_beep_stay_together_over_twenty_clips() {
    check(30).await;
}

#[tokio::test]
async fn also_at_twenty_five_frames_a_second() {
    check(25).await;
}

#[tokio::test]
async fn joined_pictures_are_the_segments_own_and_are_made_once() {
    let mut lab = Lab::new().await;
    let a = lab
        .source("a.mp4", "-f lavfi -i testsrc2=s=640x360:r=25:d=2 -f lavfi -i sine=d=2 -c:v libx264 -c:a aac")
        .await;
    let b =
        lab.source("b.mkv", "-f lavfi -i testsrc=s=361x241:r=30:d=1.5 -c:v libx264 -pix_fmt yuv444p").await;
    let params = base(vec![group(&[&a, &b, &a])], options((360, 640), 30));
    let plan = lab.plan(params.clone());
    let rendition = plan.items[0].outcome.as_ref().unwrap();
    assert_eq!(rendition.frames.0, 60 + 45 + 60);

    let first = lab.render(params.clone()).await;
    assert_eq!((first[0].rendered, first[0].cached), (3, 0), "two pictures and one sound");
    let mut expected = Vec::new();
    for hash in &rendition.pictures {
        expected.extend(frame_hashes(&lab.renderer.cache.picture(hash)).await);
    }
    assert_eq!(frame_hashes(&first[0].path).await, expected);
    assert_eq!(first[0].output.quality.frames_found, 165);

    let again = lab.render(params).await;
    assert_eq!((again[0].rendered, again[0].cached), (0, 3), "nothing is made twice");
    assert_eq!(again[0].output.sha256, first[0].output.sha256);
}
