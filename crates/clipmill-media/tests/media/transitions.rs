//! Overlapping clips, measured: every transition, frames, levels, captions, unusual clips.

use clipmill_core::media::Size;
use clipmill_core::request::model::*;
use clipmill_core::transitions::Transition;

use crate::support::*;

const SIZE: Size = Size::new(160, 96);

pub fn by(names: &[&str], duration_s: f64) -> Option<Transitions> {
    let names = names.iter().map(|name| TransitionName(Transition::find(name).unwrap())).collect();
    Some(Transitions { names, duration_s })
}

fn led(names: &[&str], duration_s: f64) -> MixOptions {
    MixOptions { transition: by(names, duration_s), ..options((SIZE.width, SIZE.height), 30) }
}

#[tokio::test]
async fn every_transition_leads_from_the_first_clip_to_the_second() {
    let mut lab = Lab::new().await;
    let source =
        |kind: &str| format!("-f lavfi -i {kind}=s=160x96:r=30 -t 0.8 -c:v libx264 -preset ultrafast -qp 1");
    let a = lab.source("a.mp4", &source("smptehdbars")).await;
    let b = lab.source("b.mp4", &source("rgbtestsrc")).await;
    let names: Vec<&str> = Transition::all().iter().map(|transition| transition.name).collect();
    // The second clip comes last.
    let changes = names.len() | 1;
    let order: Vec<&str> = (0..=changes).map(|i| if i % 2 == 0 { a.as_str() } else { b.as_str() }).collect();
    let params = base(vec![group(&order)], led(&names, 0.4));
    let recipe = lab.plan(params.clone()).items[0].recipe.clone();
    let names: Vec<String> = serde_json::from_value(recipe["transitions"].clone()).unwrap();
    let rendering = lab.render_one(params).await;
    assert_eq!(rendering.output.quality.frames_found, (24 * order.len() - 12 * changes) as u64);

    let output_frames = frames(&rendering.path, SIZE).await;
    let plain = [&output_frames[0], &output_frames[output_frames.len() - 1]];
    // Clips overlap by half, so one transition follows the other.
    for (index, name) in names.iter().enumerate() {
        let next = names.get(index + 1);
        let first = 12 + index * 12;
        let (from, to) = (&output_frames[first], &output_frames[first + 12]);
        let clip = |frame: &Frame| plain.iter().map(|clip| frame.difference(clip)).fold(f64::MAX, f64::min);
        assert!(clip(from) < 5.0 && clip(to) < 5.0, "{name}, {next:?}: {} {}", clip(from), clip(to));
        assert!(from.difference(to) > 20.0, "{name}");
        assert!(output_frames[first + 6].difference(from) > 3.0, "{name} shows nothing in its middle");
    }
}

#[tokio::test]
async fn audio_keeps_its_power_in_transitions() {
    let mut lab = Lab::new().await;
    let mut noises = Vec::new();
    for seed in 1..=3 {
        let source = format!(
            "-f lavfi -i color=gray:s=160x96:r=30 -f lavfi -i anoisesrc=color=white:amplitude=0.2:seed={seed} -t 4 -c:v libx264 -preset ultrafast -c:a pcm_s16le"
        );
        noises.push(lab.source(&format!("noise{seed}.mkv"), &source).await);
    }
    let clips: Vec<&str> = noises.iter().map(String::as_str).collect();
    let rendering = lab.render_one(base(vec![group(&clips)], led(&["fade"], 2.0))).await;
    let audio = samples(&rendering.path).await;
    let usual = level_db(&audio, 0.5, 1.5);
    for window in 0..15 {
        let from = 0.3 + f64::from(window) * 0.5;
        let level = level_db(&audio, from, from + 0.5);
        assert!((level - usual).abs() <= 1.0, "{level:.2} dB at {from:.1} s, {usual:.2} dB elsewhere");
    }
}

/// Clips with few frames, with a long last one, with a late beginning, clips that are repeated or held, and the same
/// file twice.
#[tokio::test]
async fn unusual_clips_have_all_their_frames() {
    let mut lab = Lab::new().await;
    let moving = "-f lavfi -i testsrc2=s=160x96:r=30:d=3";
    let mut clips = vec![lab.source("plain.mp4", &format!("{moving} -c:v libx264 -preset ultrafast")).await];
    for (name, args) in [
        ("slow.mp4", "-vf fps=2 -c:v libx264 -preset ultrafast"),
        (
            "last.mkv",
            "-vf select=lt(n\\,20)+eq(n\\,89),setpts=PTS -fps_mode passthrough -c:v libx264 -preset ultrafast",
        ),
        ("late.ts", "-c:v libx264 -preset ultrafast -muxdelay 3"),
        ("gif.gif", "-vf fps=5"),
        ("all.avi", "-c:v mpeg4"),
    ] {
        clips.push(lab.source(name, &format!("{moving} {args}")).await);
    }
    clips.push(lab.source("short.mp4", "-f lavfi -i testsrc2=s=160x96:r=30:d=0.3 -f lavfi -i sine=d=0.3 -c:v libx264 -preset ultrafast -c:a aac").await);
    clips.push(clips[0].clone());
    clips.push(clips[0].clone());
    let scenes: Vec<(f64, &str)> = clips.iter().map(|clip| (3.1, clip.as_str())).collect();
    let rendering = lab.render_one(pro(&scenes, led(&["fade", "slideleft"], 0.5), |_| {})).await;
    let quality = &rendering.output.quality;
    assert_eq!(quality.frames_found, (93 * scenes.len() - 15 * (scenes.len() - 1)) as u64);
    assert!(quality.av_difference_ms.unwrap().abs() <= 33.4, "{quality:?}");
}
