//! Overlapping clips, measured: every transition, frames, levels, captions, unusual clips.

use std::path::{Path, PathBuf};

use clipmill_core::filter_graph::Graph;
use clipmill_core::media::Size;
use clipmill_core::request::model::*;
use clipmill_core::time::{Fps, Frames};
use clipmill_core::transitions::{Overlap, Transition};

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
    let mut fixture = Fixture::new().await;
    let source =
        |kind: &str| format!("-f lavfi -i {kind}=s=160x96:r=30 -t 0.8 -c:v libx264 -preset ultrafast -qp 1");
    let a = fixture.source("a.mp4", &source("smptehdbars")).await;
    let b = fixture.source("b.mp4", &source("rgbtestsrc")).await;
    let names: Vec<&str> = Transition::all().iter().map(|transition| transition.name).collect();
    // The second clip comes last.
    let changes = names.len() | 1;
    let order: Vec<&str> = (0..=changes).map(|i| if i % 2 == 0 { a.as_str() } else { b.as_str() }).collect();
    let params = base(vec![group(&order)], led(&names, 0.4));
    let recipe = fixture.plan(params.clone()).items[0].recipe.clone();
    let names: Vec<String> = serde_json::from_value(recipe["transitions"].clone()).unwrap();
    let rendering = fixture.render_one(params).await;
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
    let mut fixture = Fixture::new().await;
    let mut noises = Vec::new();
    for seed in 1..=3 {
        let source = format!(
            "-f lavfi -i color=gray:s=160x96:r=30 -f lavfi -i anoisesrc=color=white:amplitude=0.2:seed={seed} -t 4 -c:v libx264 -preset ultrafast -c:a pcm_s16le"
        );
        noises.push(fixture.source(&format!("noise{seed}.mkv"), &source).await);
    }
    let clips: Vec<&str> = noises.iter().map(String::as_str).collect();
    let rendering = fixture.render_one(base(vec![group(&clips)], led(&["fade"], 2.0))).await;
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
    let mut fixture = Fixture::new().await;
    let moving = "-f lavfi -i testsrc2=s=160x96:r=30:d=3";
    let mut clips =
        vec![fixture.source("plain.mp4", &format!("{moving} -c:v libx264 -preset ultrafast")).await];
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
        clips.push(fixture.source(name, &format!("{moving} {args}")).await);
    }
    clips.push(fixture.source("short.mp4", "-f lavfi -i testsrc2=s=160x96:r=30:d=0.3 -f lavfi -i sine=d=0.3 -c:v libx264 -preset ultrafast -c:a aac").await);
    clips.push(clips[0].clone());
    clips.push(clips[0].clone());
    let scenes: Vec<(f64, &str)> = clips.iter().map(|clip| (3.1, clip.as_str())).collect();
    let rendering = fixture.render_one(pro(&scenes, led(&["fade", "slideleft"], 0.5), |_| {})).await;
    let quality = &rendering.output.quality;
    assert_eq!(quality.frames_found, (93 * scenes.len() - 15 * (scenes.len() - 1)) as u64);
    assert!(quality.av_difference_ms.unwrap().abs() <= 33.4, "{quality:?}");
}

/// Frames of a length that has a middle.
const LENGTH: usize = 12;

/// Makes `LENGTH` frames of `SIZE` that `source` describes, and returns their file.
async fn footage(folder: &Path, name: &str, source: &str) -> PathBuf {
    let path = folder.join(name);
    let args = format!("-f lavfi -i {source} -frames:v {LENGTH} -pix_fmt yuv420p");
    ffmpeg(&args, &path).await;
    path
}

/// The frames of a transition as they come out of its filters: planes of luma and chroma.
async fn drawn(name: &str, [from, to]: [&Path; 2], threads: usize) -> Vec<Vec<u8>> {
    let overlap = Overlap { size: SIZE, fps: Fps::DEFAULT, frames: Frames(LENGTH as u64), before: Frames(0) };
    let graph =
        Transition::find(name).unwrap().apply(Graph::input(0, 0), Graph::input(1, 0), &overlap).to_text("v");
    let args = format!(
        "-i {} -filter_complex_threads {threads} -filter_complex {graph} -map [v] -pix_fmt yuv420p -f rawvideo",
        to.display()
    );
    planes(&raw(from, &args).await)
}

fn planes(bytes: &[u8]) -> Vec<Vec<u8>> {
    let length = (SIZE.width * SIZE.height * 3 / 2) as usize;
    assert_eq!(bytes.len() % length, 0);
    bytes.chunks_exact(length).map(<[u8]>::to_vec).collect()
}

fn mean(bytes: &[u8]) -> f64 {
    bytes.iter().map(|byte| f64::from(*byte)).sum::<f64>() / bytes.len() as f64
}

fn luma(frame: &[u8]) -> &[u8] {
    &frame[..(SIZE.width * SIZE.height) as usize]
}

fn chroma(frame: &[u8]) -> &[u8] {
    &frame[(SIZE.width * SIZE.height) as usize..]
}

#[tokio::test]
async fn frames_are_the_same_for_any_number_of_threads_and_begin_with_the_first_clip() {
    let folder = tempfile::tempdir().unwrap();
    let a = footage(folder.path(), "a.y4m", "testsrc2=s=160x96:r=30").await;
    let b = footage(folder.path(), "b.y4m", "mandelbrot=s=160x96:r=30").await;
    let first = planes(&raw(&a, "-f rawvideo").await).remove(0);
    for transition in every_nth(3, Transition::all()) {
        let name = transition.name;
        let frames = drawn(name, [&a, &b], 1).await;
        assert_eq!(frames.len(), LENGTH, "{name}");
        assert!(frames[0] == first, "{name} changes its first frame");
        assert!(drawn(name, [&a, &b], 3).await == frames, "{name} depends on the number of threads");
    }
}

/// Both clips are the same here, so only the time counts.
#[tokio::test]
async fn dips_are_symmetric_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let a = footage(folder.path(), "a.y4m", "color=0x4080C0:s=160x96:r=30").await;
    for (name, middle) in
        [("fadeblack", 16.0), ("fadewhite", 235.0), ("circlecrop", 16.0), ("rectcrop", 16.0)]
    {
        let frames = drawn(name, [&a, &a], 1).await;
        for index in 1..LENGTH {
            assert!(frames[index] == frames[LENGTH - index], "{name}, frame {index}");
        }
        assert!((mean(luma(&frames[LENGTH / 2])) - middle).abs() < 0.5, "{name}");
    }
    let gray = drawn("fadegrays", [&a, &a], 1).await;
    for index in 1..LENGTH {
        assert!(gray[index] == gray[LENGTH - index], "frame {index}");
    }
    assert!(chroma(&gray[LENGTH / 2]).iter().all(|value| *value == 128));
    assert!(luma(&gray[LENGTH / 2]) == luma(&gray[0]), "brightness stays");
}

#[tokio::test]
async fn the_blur_is_centred_and_reaches_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let half = "testsrc2=s=80x96:r=30,split[l][r];[r]hflip[m];[l][m]hstack";
    let a = footage(folder.path(), "a.y4m", half).await;
    let frames = drawn("hblur", [&a, &a], 1).await;
    let sharp = planes(&raw(&a, "-f rawvideo").await);
    let width = SIZE.width as usize;
    for (index, (frame, sharp)) in frames.iter().zip(&sharp).enumerate() {
        for line in luma(frame).chunks_exact(width) {
            assert!(line.iter().eq(line.iter().rev()), "frame {index}");
        }
        let edges = |frame: &[u8]| -> Vec<u8> {
            luma(frame).chunks_exact(width).flat_map(|line| line[width - 24..].to_vec()).collect()
        };
        let change: Vec<u8> =
            edges(frame).iter().zip(edges(sharp)).map(|(one, other)| one.abs_diff(other)).collect();
        assert!(!(4..=8).contains(&index) || mean(&change) > 8.0, "frame {index} is sharp on the right");
    }
}

/// From black to white, the mean luma is the progress.
#[tokio::test]
async fn motion_is_smooth_and_symmetric() {
    let folder = tempfile::tempdir().unwrap();
    let black = footage(folder.path(), "black.y4m", "color=black:s=160x96:r=30").await;
    let white = footage(folder.path(), "white.y4m", "color=white:s=160x96:r=30").await;
    for name in "fade slideleft slideright slideup slidedown wipeleft wiperight wipeup wipedown smoothleft \
         smoothright smoothup smoothdown vertopen vertclose horzopen horzclose radial diagtl diagbr hlslice hrslice \
         vuslice vdslice"
        .split_whitespace()
    {
        let frames = drawn(name, [&black, &white], 1).await;
        let progress: Vec<f64> = frames.iter().map(|frame| (mean(luma(frame)) - 16.0) / 219.0).collect();
        assert!(progress.windows(2).all(|pair| pair[0] <= pair[1]), "{name}: {progress:?}");
        for index in 1..LENGTH {
            let sum = progress[index] + progress[LENGTH - index];
            assert!((sum - 1.0).abs() < 0.02, "{name}, frame {index}: {progress:?}");
        }
        let step = |index: usize| progress[index] - progress[index - 1];
        let eased = step(1) < 0.6 * step(LENGTH / 2) && 1.0 - progress[LENGTH - 1] < 0.6 * step(LENGTH / 2);
        assert!(eased || name == "fade", "{name}: {progress:?}");
    }
}

#[tokio::test]
async fn pixels_away_from_the_edge_are_those_of_the_clips() {
    let folder = tempfile::tempdir().unwrap();
    let a = footage(folder.path(), "a.y4m", "testsrc2=s=160x96:r=30").await;
    let b = footage(folder.path(), "b.y4m", "rgbtestsrc=s=160x96:r=30").await;
    let [from, to] = [planes(&raw(&a, "-f rawvideo").await), planes(&raw(&b, "-f rawvideo").await)];
    // Luma and chroma of the columns from `first` on, up to `end`.
    let columns = |frame: &[u8], first: usize, end: usize| -> Vec<u8> {
        let width = SIZE.width as usize;
        let part = |plane: &[u8], width: usize, share: usize| -> Vec<u8> {
            plane.chunks_exact(width).flat_map(|line| line[first / share..end / share].to_vec()).collect()
        };
        [part(luma(frame), width, 1), part(chroma(frame), width / 2, 2)].concat()
    };
    let frames = drawn("wipeleft", [&a, &b], 1).await;
    let middle = LENGTH / 2;
    assert!(columns(&frames[middle], 0, 72) == columns(&from[middle], 0, 72));
    assert!(columns(&frames[middle], 88, 160) == columns(&to[middle], 88, 160));
    let frames = drawn("circleopen", [&a, &b], 1).await;
    assert!(columns(&frames[3], 0, 40) == columns(&from[3], 0, 40));
    assert!(columns(&frames[3], 120, 160) == columns(&from[3], 120, 160));
    let frames = drawn("vertclose", [&a, &b], 1).await;
    assert!(columns(&frames[9], 0, 64) == columns(&to[9], 0, 64));
    assert!(columns(&frames[9], 76, 84) == columns(&from[9], 76, 84));
}
