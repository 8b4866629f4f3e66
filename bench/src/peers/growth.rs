//! The growth of time with the number of outputs.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use plotters::prelude::*;
use serde::{Deserialize, Serialize};

use super::Comparison;
use super::clips::Clips;
use super::measurements::median;

/// Clips for each of three scenes, which have more combinations than the largest number of outputs.
pub const PER_SCENE: usize = 7;
const OUTPUTS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// Seconds of clipmill for each number of outputs, and of one command for one output, round after round.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Growth {
    seconds: [Vec<f64>; OUTPUTS.len()],
    one_s: Vec<f64>,
}

/// Each number of outputs with its rows of clips.
pub fn steps(clips: &Clips) -> Vec<(usize, Vec<Vec<PathBuf>>)> {
    let mut rows = clips.rows(PER_SCENE);
    // Outputs of few clips first: a client who requests few outputs has few clips.
    rows.sort_by_key(|row| {
        let place = |(scene, clip): (&Vec<PathBuf>, &PathBuf)| scene.iter().position(|other| other == clip);
        clips.scenes.iter().zip(row).filter_map(place).max()
    });
    OUTPUTS.map(|outputs| (outputs, rows.iter().take(outputs).cloned().collect())).to_vec()
}

impl Growth {
    pub fn add(&mut self, measured: &[f64], one_s: f64) {
        for (all, seconds) in self.seconds.iter_mut().zip(measured) {
            all.push(*seconds);
        }
        self.one_s.push(one_s);
    }

    /// Outputs, seconds of clipmill, and seconds of as many commands.
    fn points(&self) -> Vec<(f64, f64, f64)> {
        let one_s = median(&self.one_s);
        let point = |(outputs, seconds): (usize, &Vec<f64>)| {
            (outputs as f64, median(seconds), outputs as f64 * one_s)
        };
        OUTPUTS.into_iter().zip(&self.seconds).map(point).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.one_s.is_empty()
    }

    pub fn table(&self) -> String {
        let mut text = String::from(
            "Time by number of outputs: 3 scenes with music, and as many clips as that number of combinations needs.\n\n\
             | Outputs | clipmill, s | The same number of ffmpeg commands, s | Ratio |\n|--:|--:|--:|--:|\n",
        );
        for (outputs, clipmill, commands) in self.points() {
            let _ =
                writeln!(text, "| {outputs} | {clipmill:.1} | {commands:.0} | {:.3} |", clipmill / commands);
        }
        text
    }
}

/// Draws both as lines over the number of outputs, both axes logarithmic.
pub fn plot(comparison: &Comparison, path: &Path) -> anyhow::Result<()> {
    let growth = &comparison.results.growth;
    if growth.is_empty() {
        return Ok(());
    }
    draw(&growth.points(), path).map_err(|error| anyhow!("the plot cannot be drawn: {error}"))
}

fn draw(points: &[(f64, f64, f64)], path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let max = points.iter().map(|point| point.2).fold(1.0, f64::max) * 1.5;
    let min = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min) / 1.5;
    let last = points.last().context("nothing was measured")?.0;
    let area = SVGBackend::new(path, (860, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("seconds until all outputs are done", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(60)
        .build_cartesian_2d((1.0..last * 1.2).log_scale(), (min..max).log_scale())?;
    let mesh = &mut chart.configure_mesh();
    mesh.x_desc("outputs").x_label_formatter(&|x| format!("{x}")).y_label_formatter(&|y| format!("{y}"));
    mesh.label_style(("sans-serif", 13)).draw()?;
    let clipmill = points.iter().map(|point| (point.0, point.1));
    let commands = points.iter().map(|point| (point.0, point.2));
    for (line, color, name) in [
        (clipmill.collect::<Vec<_>>(), RGBColor(38, 110, 180), "clipmill"),
        (commands.collect::<Vec<_>>(), RGBColor(200, 70, 40), "one ffmpeg command each"),
    ] {
        chart.draw_series(line.iter().map(|point| Circle::new(*point, 3, color.filled())))?;
        let series = chart.draw_series(LineSeries::new(line, color.stroke_width(2)))?;
        series
            .label(name)
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().position(SeriesLabelPosition::UpperLeft).draw()?;
    area.present()?;
    Ok(())
}
