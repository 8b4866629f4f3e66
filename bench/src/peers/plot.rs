//! The comparison as a chart: clipmill's time relative to the expert's, on a logarithmic scale.

use std::path::Path;

use anyhow::anyhow;
use plotters::prelude::*;

use super::Comparison;
use super::measurements::Case;

const SIZE: (u32, u32) = (860, 420);
const CLIPMILL_COLOR: RGBColor = RGBColor(38, 110, 180);
const AIM: RGBColor = RGBColor(200, 70, 40);
const MIN_RATIO: f64 = 0.0005;

pub fn plot(comparison: &Comparison, path: &Path) -> anyhow::Result<()> {
    draw(comparison, path).map_err(|error| anyhow!("the plot cannot be drawn: {error}"))
}

fn draw(comparison: &Comparison, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let bars: Vec<_> = Case::ALL
        .into_iter()
        .filter_map(|case| Some((case, comparison.results.measurements.ratio(case)?)))
        .collect();
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("time of clipmill relative to the ffmpeg commands (= 1)", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(140)
        .build_cartesian_2d((MIN_RATIO..2.0).log_scale(), 0.0..bars.len() as f64)?;
    let label = |y: &f64| {
        let index = bars.len().checked_sub(1 + y.floor() as usize);
        let middle = (y.fract() - 0.5).abs() < 0.01;
        index
            .and_then(|i| bars.get(i))
            .filter(|_| middle)
            .map_or(String::new(), |(case, _)| case.short().into())
    };
    let mesh = &mut chart.configure_mesh();
    mesh.disable_y_mesh().y_labels(2 * bars.len() + 1).y_label_formatter(&label);
    mesh.x_label_formatter(&|x| format!("{x}")).label_style(("sans-serif", 13)).draw()?;
    for (place, (case, ratio)) in bars.iter().rev().enumerate() {
        let y = place as f64;
        let bar = [(MIN_RATIO, y + 0.2), (ratio.max(MIN_RATIO), y + 0.8)];
        chart.draw_series([Rectangle::new(bar, CLIPMILL_COLOR.filled())])?;
        let text = if *ratio < 0.1 { format!("{ratio:.4}") } else { format!("{ratio:.2}") };
        chart.draw_series([Text::new(text, (ratio.max(MIN_RATIO) * 1.06, y + 0.66), ("sans-serif", 13))])?;
        if let Some(aim) = case.target() {
            let line = vec![(aim, y + 0.1), (aim, y + 0.9)];
            chart.draw_series([PathElement::new(line, AIM.stroke_width(2))])?;
        }
    }
    area.present()?;
    Ok(())
}
