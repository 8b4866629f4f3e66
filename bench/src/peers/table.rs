//! The comparison as tables in Markdown.

use std::fmt::Write;

use super::measurements::{CLIPMILL, Case, EXPERT};
use super::{Comparison, OutputQuality};

pub fn table(comparison: &Comparison) -> String {
    let rounds = match comparison.rounds {
        1 => "One round.".to_owned(),
        rounds => format!("Medians of {rounds} rounds."),
    };
    let mut text = format!(
        "{rounds} Times are elapsed seconds. Ratios are relative to the first line of each case; lower is better.\n\n\
         | Output | Made by | Median, s | Range, s | Ratio | Target |\n|---|---|--:|--:|--:|--:|\n"
    );
    for case in Case::ALL {
        let sides = comparison.results.measurements.sides(case);
        let Some(base) = sides.first() else { continue };
        for line in &sides {
            let (min, max) = spread(&line.seconds);
            let aim = case.target().filter(|_| line.side == CLIPMILL);
            let aim = aim.map_or(String::new(), |aim| format!("≤ {aim}"));
            let side = if line.side == EXPERT { expert(case) } else { line.side.clone() };
            let _ = writeln!(
                text,
                "| {} | {side} | {} | {}–{} | {} | {aim} |",
                case.title(),
                seconds(line.median()),
                seconds(min),
                seconds(max),
                ratio(line.against(base)),
            );
        }
    }
    let _ = write!(text, "\n{}", qualities(&comparison.results.qualities));
    if !comparison.results.growth.is_empty() {
        let _ = write!(text, "\n{}", comparison.results.growth.table());
    }
    text
}

fn expert(case: Case) -> String {
    match case {
        Case::SixtyFour | Case::Again | Case::Replaced => "64 ffmpeg commands (8 of them × 8)".to_owned(),
        Case::Eight => "8 ffmpeg commands".to_owned(),
        Case::TenVaried => "10 ffmpeg commands (2 of them × 5)".to_owned(),
        _ => "one ffmpeg command".to_owned(),
    }
}

fn qualities(qualities: &[OutputQuality]) -> String {
    let mut text = String::from(
        "Quality compared with the lossless source, and size of the video track:\n\n\
         | Output | Made by | Video size | SSIM | SSIMULACRA2 |\n|---|---|--:|--:|--:|\n",
    );
    for quality in qualities {
        let base = qualities.iter().find(|other| other.case == quality.case && other.side == EXPERT);
        let kib = quality.bytes as f64 / 1024.0;
        let size = match base {
            Some(base) if quality.side != EXPERT => {
                format!("{kib:.0} KiB ({:+.1} %)", (quality.bytes as f64 / base.bytes as f64 - 1.0) * 100.0)
            }
            _ => format!("{kib:.0} KiB"),
        };
        let (ssim, other) =
            (compared(quality, base, 4, |w| w.ssim), compared(quality, base, 2, |w| w.ssimulacra2));
        let side = if quality.side == EXPERT { "one ffmpeg command" } else { &quality.side };
        let _ = writeln!(text, "| {} | {side} | {size} | {ssim} | {other} |", quality.case.title());
    }
    text
}

fn compared(
    quality: &OutputQuality,
    base: Option<&OutputQuality>,
    digits: usize,
    value: fn(&OutputQuality) -> Option<f64>,
) -> String {
    match (value(quality), base.and_then(value)) {
        (Some(own), Some(base)) if quality.side != EXPERT => {
            format!("{own:.digits$} ({:+.digits$})", own - base)
        }
        (Some(own), _) => format!("{own:.digits$}"),
        (None, _) => "–".to_owned(),
    }
}

fn seconds(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}

fn ratio(value: f64) -> String {
    if value < 0.1 { format!("{value:.4}") } else { format!("{value:.2}") }
}

fn spread(values: &[f64]) -> (f64, f64) {
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    (min, values.iter().copied().fold(0.0, f64::max))
}
