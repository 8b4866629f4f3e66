//! The results of the search as a table in Markdown.

use std::fmt::Write;

use super::{Measured, Outcome, Point};

/// One line for each setting: means over all footage relative to the first one's, and the worst of each.
pub fn table(outcome: &Outcome) -> String {
    let mut text = String::from(
        "| x264 setting | cpu | size | SSIM | SSIMULACRA2 | worst size | worst SSIM | worst SSIMULACRA2 |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let Some(expert) = outcome.measured.first() else { return text };
    for one in &outcome.measured {
        let against = Against::new(one, expert);
        let _ = writeln!(
            text,
            "| {} | {:.2} | {:+.1} % | {:+.4} | {:+.2} | {:+.1} % | {:+.4} | {:+.2} |",
            one.candidate.name(),
            against.cpu,
            against.size.mean,
            against.ssim.mean,
            against.ssimulacra2.mean,
            against.size.worst,
            against.ssim.worst,
            against.ssimulacra2.worst,
        );
    }
    text
}

/// One line for each kind of footage: cost and quality of a setting there, relative to the expert's.
pub fn by_footage(outcome: &Outcome, one: &Measured) -> String {
    let mut text = format!(
        "{}\n\n| footage | cpu | size | SSIM | SSIMULACRA2 |\n|---|--:|--:|--:|--:|\n",
        one.candidate.name()
    );
    let Some(expert) = outcome.measured.first() else { return text };
    for ((name, here), there) in outcome.footage.iter().zip(&one.points).zip(&expert.points) {
        let _ = writeln!(
            text,
            "| {name} | {:.2} | {:+.1} % | {:+.4} | {:+.2} |",
            here.cpu_s / there.cpu_s,
            (here.bytes / there.bytes - 1.0) * 100.0,
            here.ssim - there.ssim,
            here.ssimulacra2 - there.ssimulacra2,
        );
    }
    text
}

struct Spread {
    mean: f64,
    worst: f64,
}

struct Against {
    /// Processor time relative to the reference, over all footage in total.
    cpu: f64,
    /// Additional bytes in percent; the worst is the largest.
    size: Spread,
    ssim: Spread,
    ssimulacra2: Spread,
}

impl Against {
    fn new(one: &Measured, other: &Measured) -> Self {
        let sum = |of: &Measured| of.points.iter().map(|point| point.cpu_s).sum::<f64>();
        let spread = |difference: fn(&Point, &Point) -> f64, worst: fn(f64, f64) -> f64| {
            let all: Vec<_> = one.points.iter().zip(&other.points).map(|(a, b)| difference(a, b)).collect();
            let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
            Spread { mean, worst: all.into_iter().reduce(worst).unwrap_or(mean) }
        };
        Self {
            cpu: sum(one) / sum(other),
            size: spread(|a, b| (a.bytes / b.bytes - 1.0) * 100.0, f64::max),
            ssim: spread(|a, b| a.ssim - b.ssim, f64::min),
            ssimulacra2: spread(|a, b| a.ssimulacra2 - b.ssimulacra2, f64::min),
        }
    }
}
