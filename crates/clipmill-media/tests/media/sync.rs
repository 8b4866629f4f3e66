//! Audio and video stay in sync, and joined frames are the segments' own.

use clipmill_core::request::model::MixOptions;

use crate::support::*;
use crate::transitions::by;

const FLASH_S: f64 = 0.1;

/// `seconds` of black with one white flash and a beep that begin at the same instant, in the middle.
pub async fn flash_and_beep(
    fixture: &mut Fixture,
    name: &str,
    rate: &str,
    seconds: f64,
    with_sound: bool,
) -> String {
    let (num, den) = rate.split_once('/').map_or((rate, "1"), |pair| pair);
    let rate_hz = num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap();
    let first = (rate_hz * seconds / 2.0).round();
    let (at, last) = (first / rate_hz, first + (rate_hz * FLASH_S).round());
    let video_args = format!(
        "color=black:s=160x90:r={rate}:d={seconds},drawbox=c=white:t=fill:enable=between(n\\,{first}\\,{})",
        last - 1.0
    );
    let beep = format!(
        "aevalsrc=if(between(t\\,{at}\\,{})\\,0.5*sin(2*PI*1000*t)\\,0):s=44100:d={seconds}",
        at + FLASH_S
    );
    let audio_args = if with_sound { format!("-f lavfi -i {beep} -c:a aac") } else { String::new() };
    fixture
        .source(name, &format!("-f lavfi -i {video_args} {audio_args} -c:v libx264 -preset ultrafast"))
        .await
}

/// Times at which the video between its black bars turns white.
pub async fn flashes(path: &std::path::Path, fps: f64) -> Vec<f64> {
    let lumas = lumas(path).await;
    let rises = lumas.windows(2).enumerate().filter(|(_, pair)| pair[0] < 40 && pair[1] >= 40);
    rises.map(|(i, _)| (i + 1) as f64 / fps).collect()
}

/// Joins `count` clips of mixed rates, one rate without audio, and compares each beep with its flash. Returns their
/// average distance, which is at most half a frame if all flashes are between two output frames.
async fn check(count: usize, seconds: f64, options: MixOptions) -> f64 {
    let fps = options.fps.get();
    const RATES: [&str; 6] = ["24000/1001", "25", "30000/1001", "30", "50", "60"];
    const SILENT: usize = 4;
    let mut fixture = Fixture::new().await;
    let mut clips = Vec::new();
    for (i, rate) in RATES.iter().enumerate() {
        clips.push(flash_and_beep(&mut fixture, &format!("clip{i}.mp4"), rate, seconds, i != SILENT).await);
    }
    let order: Vec<&str> = (0..count).map(|i| clips[i % clips.len()].as_str()).collect();
    let rendering = fixture.render_one(base(vec![group(&order)], options)).await;

    let frame_s = 1.0 / f64::from(fps);
    let quality = &rendering.output.quality;
    assert_eq!(quality.frames_found, quality.frames_planned);
    assert!(quality.av_difference_ms.unwrap().abs() <= frame_s * 1000.0, "{quality:?}");
    let (flashes, beeps) = (flashes(&rendering.path, f64::from(fps)).await, onsets(&rendering.path).await);
    assert_eq!(flashes.len(), count, "{flashes:?}");
    let audible = flashes.iter().enumerate().filter(|(i, _)| i % RATES.len() != SILENT);
    let audible: Vec<f64> = audible.map(|(_, time)| *time).collect();
    assert_eq!(beeps.len(), audible.len(), "{beeps:?}");
    let apart: Vec<f64> = audible.iter().zip(&beeps).map(|(flash, beep)| beep - flash).collect();
    for (flash, apart) in audible.iter().zip(&apart) {
        assert!(
            apart.abs() <= 0.5 * frame_s + 0.005,
            "the beep to the flash at {flash:.4} is {apart:.4} off"
        );
    }
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    // Whole cycles of the rates, so that only time differs between the halves.
    let half = apart.len() / (RATES.len() - 1) / 2 * (RATES.len() - 1);
    let (early, late) = (mean(&apart[..half]), mean(&apart[half..2 * half]));
    assert!((early - late).abs() <= 0.002, "from {early:.4} s in the first half to {late:.4} s");
    mean(&apart)
}

#[tokio::test]
async fn a_flash_and_its_beep_stay_together_over_a_hundred_clips() {
    let apart = check(100, 1.0, options((160, 90), 30)).await;
    assert!(apart.abs() <= 0.005, "{apart:.4} s on average");
}

#[tokio::test]
async fn flash_and_beep_stay_together_at_other_rates_and_odd_lengths() {
    check(20, 1.37, options((160, 90), 25)).await;
    check(12, 1.01, options((160, 90), 60)).await;
}

#[tokio::test]
async fn flash_and_beep_stay_together_across_forty_transitions() {
    let options = MixOptions { transition: by(&["fade"], 0.3), ..options((160, 90), 30) };
    let apart = check(40, 1.0, options).await;
    assert!(apart.abs() <= 0.005, "{apart:.4} s on average");
}

#[tokio::test]
async fn joined_frames_are_those_of_the_segments_rendered_once() {
    let mut fixture = Fixture::new().await;
    let a = fixture
        .source("a.mp4", "-f lavfi -i testsrc2=s=640x360:r=25:d=2 -f lavfi -i sine=d=2 -c:v libx264 -c:a aac")
        .await;
    let b = fixture
        .source("b.mkv", "-f lavfi -i testsrc=s=361x241:r=30:d=1.5 -c:v libx264 -pix_fmt yuv444p")
        .await;
    let params = base(vec![group(&[&a, &b, &a])], options((360, 640), 30));
    let plan = fixture.plan(params.clone());
    let rendition = plan.items[0].outcome.as_ref().unwrap();
    assert_eq!(rendition.frames.0, 60 + 45 + 60);

    let first = fixture.render(params.clone()).await;
    assert_eq!((first[0].rendered, first[0].cached), (3, 0), "two pictures and one sound");
    let mut expected = Vec::new();
    for hash in &rendition.video {
        expected.extend(frame_hashes(&fixture.renderer.cache.video(hash)).await);
    }
    assert_eq!(frame_hashes(&first[0].path).await, expected);
    assert_eq!(first[0].output.quality.frames_found, 165);

    let again = fixture.render(params).await;
    assert_eq!((again[0].rendered, again[0].cached), (0, 3), "nothing is made twice");
    assert_eq!(again[0].output.sha256, first[0].output.sha256);
}
