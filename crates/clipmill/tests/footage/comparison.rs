//! Compares an output with what plain ffmpeg decodes from its source.

use crate::case::{Addition, Case, Kind, Render};
use crate::material::COLOURS;
use crate::observation::{Beep, Frame, Observation};

const BEEP_S: f64 = 0.022;
/// ffmpeg places the second of two recordings by the stream that it reads first, so up to two audio frames early or
/// late.
const JOINT_S: f64 = 0.07;
const COLOUR: f64 = 6.0;
/// Beeps this close to an end may be cut off.
const EDGE_S: f64 = 0.06;
const PITCH_PART: f64 = 0.08;

/// The first differences of an output; empty if it is equal.
pub fn differences(source: &Observation, output: &Observation, case: &Case) -> Vec<String> {
    let Case { kind, render, .. } = *case;
    let joint_s = if case.is_joined { JOINT_S } else { 0.0 };
    let mut differences = Vec::new();
    let mut end_s = source.end_s.min(output.end_s);
    if kind == Kind::Video {
        let frame_s = 1.0 / f64::from(render.fps);
        if render.addition == Addition::Transition {
            // The second showing of the clip begins in the last frames of the first.
            let first_s = source.end_s - Render::TRANSITION_S - frame_s;
            differences.extend(length(2.0 * source.end_s - Render::TRANSITION_S, 0.0, output, 2.0 * frame_s));
            let until = output.frames.partition_point(|frame| frame.at_s < first_s);
            differences.extend(numbers(&source.frames, &output.frames[..until], frame_s));
        } else {
            differences.extend(length(source.end_s, unevenness(source), output, frame_s + joint_s));
            differences.extend(numbers(&source.frames, &output.frames, frame_s + joint_s));
        }
        differences.extend(colours(source, output));
    } else {
        end_s = output.end_s;
    }
    differences.extend(beeps(&source.beeps, &output.beeps, end_s, BEEP_S + joint_s));
    differences
}

/// How much longer the last frame may be than assumed if frames are unequally long.
fn unevenness(source: &Observation) -> f64 {
    let steps = source.frames.windows(2).map(|pair| pair[1].at_s - pair[0].at_s);
    let last = source.frames.last().map_or(0.0, |frame| source.end_s - frame.at_s);
    let longest = steps.fold(last, f64::max);
    if longest > 1.5 * last { longest } else { 0.0 }
}

fn length(expected_s: f64, uneven_s: f64, output: &Observation, tolerance_s: f64) -> Option<String> {
    let allowed = -tolerance_s - 1e-3..=tolerance_s + uneven_s + 1e-3;
    (!allowed.contains(&(output.end_s - expected_s)))
        .then(|| format!("{:.3} s long instead of {expected_s:.3} s", output.end_s))
}

/// Each frame must be one that the source shows within one frame of its time.
fn numbers(source: &[Frame], output: &[Frame], frame_s: f64) -> Option<String> {
    let mut wrong = Vec::new();
    for (index, frame) in output.iter().enumerate() {
        let near = shown(source, frame.at_s - frame_s - 1e-3, frame.at_s + frame_s + 1e-3);
        if !near.iter().any(|source| source.number.is_none() || source.number == frame.number) {
            let expected = shown(source, frame.at_s, frame.at_s).last().and_then(|frame| frame.number);
            wrong.push(format!("frame {index} shows {} instead of {}", name(frame.number), name(expected)));
        }
    }
    let first = wrong.first()?;
    Some(if wrong.len() == 1 { first.clone() } else { format!("{first} ({} such frames)", wrong.len()) })
}

fn name(number: Option<usize>) -> String {
    number.map_or_else(|| "no number".to_owned(), |number| format!("number {number}"))
}

/// The frames that are visible at some time of a range.
fn shown(frames: &[Frame], from_s: f64, to_s: f64) -> &[Frame] {
    let end = frames.partition_point(|frame| frame.at_s <= to_s).max(1).min(frames.len());
    let begin = frames[..end].partition_point(|frame| frame.at_s <= from_s).saturating_sub(1);
    &frames[begin..end]
}

fn colours(source: &Observation, output: &Observation) -> Option<String> {
    let names = ["red", "green", "blue", "yellow"];
    let (mut compared, mut wrong) = (0, Vec::new());
    for frame in output.frames.iter().filter(|frame| frame.number.is_some()) {
        let Some(original) = source.frames.iter().find(|source| source.number == frame.number) else {
            continue;
        };
        compared += 1;
        for (i, name) in names.iter().enumerate().take(COLOURS.len()) {
            let (output, source) = (frame.colours[i], original.colours[i]);
            if (0..3).any(|channel| (output[channel] - source[channel]).abs() > COLOUR) {
                wrong.push(format!("{name} is {output:.0?} instead of {source:.0?}"));
                break;
            }
        }
    }
    // A few frames of a lossy source may differ by more.
    (wrong.len() * 10 > compared).then(|| wrong.swap_remove(wrong.len() / 2))
}

fn beeps(source: &[Beep], output: &[Beep], end_s: f64, tolerance_s: f64) -> Vec<String> {
    let inside = |beep: &&Beep| (EDGE_S..end_s - EDGE_S).contains(&beep.at_s);
    let mut differences = Vec::new();
    for (index, beep) in source.iter().enumerate().filter(|(_, beep)| inside(beep)) {
        let distance = |other: &&Beep| (other.at_s - beep.at_s).abs();
        let nearest = output.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let number = index + 1;
        match nearest.filter(|other| distance(other) < 0.4) {
            None => differences.push(format!("beep {number} at {:.3} s is missing", beep.at_s)),
            Some(other) if distance(&other) > tolerance_s => differences
                .push(format!("beep {number} at {:.3} s instead of {:.3} s", other.at_s, beep.at_s)),
            Some(other) => {
                let pitches = other.pitch_hz.zip(beep.pitch_hz);
                if let Some((is, was)) = pitches.filter(|(is, was)| (is / was - 1.0).abs() > PITCH_PART) {
                    differences.push(format!("beep {number} at {is:.0} Hz instead of {was:.0} Hz"));
                }
            }
        }
    }
    for beep in output.iter().filter(inside) {
        if !source.iter().any(|other| (other.at_s - beep.at_s).abs() < 0.4) {
            differences.push(format!("a beep at {:.3} s that the source does not have", beep.at_s));
        }
    }
    differences
}
