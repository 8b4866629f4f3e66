//! Masks: layers of images or videos over the whole output, each at the same opacity.
//!
//! Still layers are combined once and then overlaid on each frame as one, so that ten cost as much as one. Moving
//! layers follow the output frame by frame.

use crate::error::TaskError;
use crate::filter_graph::{Filter, Graph};
use crate::media::{Size, VideoInfo};
use crate::plan::build::Builder;
use crate::plan::parts::Range;
use crate::plan::video::backdrop::covering;
use crate::plan::video::clip::output_rate_from;
use crate::plan::video::extra::ExtraInputs;
use crate::plan::video::extra::{Pass, is_single};
use crate::request::model::Mask;
use crate::seed::Place;
use crate::time::{Fps, Frames};

/// Indexes into a mask's list of the files that were drawn, the lowest layer first.
pub(crate) type Layers = Vec<usize>;

/// The output that layers are placed over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Canvas {
    pub size: Size,
    pub fps: Fps,
    pub frames: Frames,
    /// The range of the output that is made.
    pub range: Range,
}

/// Draws a file for each layer; none repeats before all were used.
pub(crate) fn draw(mask: &Mask, place: Place, name: &str) -> Layers {
    place.deal(name, mask.urls.len(), mask.layer_count as usize)
}

/// Places the drawn layers over `graph`. `name` distinguishes this mask's names in the graph from others'.
pub(crate) fn lay(
    graph: Graph,
    (mask, layers): (&Mask, &Layers),
    name: &str,
    canvas: Canvas,
    builder: &Builder,
    inputs: &mut ExtraInputs,
) -> Result<Graph, TaskError> {
    let urls = layers.iter().filter_map(|index| mask.urls.get(*index));
    let mut stack = Vec::with_capacity(layers.len());
    for (url, opacity) in urls.zip(opacities(mask.opacity_percent / 100.0, layers.len())) {
        let (info, video) = builder.overlay(url)?;
        stack.push(Layer { frames: inputs.looped(info, video, url), video, opacity });
    }
    let runs = stack.chunk_by(|a, b| is_single(a.video) == is_single(b.video));
    Ok(runs.enumerate().fold(graph, |graph, (number, run)| match is_single(run[0].video) {
        true => graph.join(still(run, canvas.size), over()),
        false => moving(graph, run, &format!("{name}{number}"), canvas),
    }))
}

#[derive(Debug, Clone, PartialEq)]
struct Layer<'a> {
    frames: Graph,
    video: &'a VideoInfo,
    opacity: f64,
}

impl Layer<'_> {
    /// Multiplies the layer's own alpha, or full opacity, by the layer's opacity.
    fn faded(&self) -> [Filter; 2] {
        let alpha = Filter::new("format").arg("pix_fmts", "yuva420p");
        [alpha, Filter::new("lutyuv").arg("a", format!("round(val*{:.6})", self.opacity))]
    }
}

/// The opacities of layers that should each cover `opacity`. An overlay's opacity is a whole number of 255ths; each
/// layer compensates for the rounding of those below it, so that in total they cover the intended amount.
fn opacities(opacity: f64, layers: usize) -> Vec<f64> {
    let mut visible_part = 1.0;
    let targets = (1..=layers as i32).map(|number| (1.0 - opacity).powi(number));
    targets
        .map(|target: f64| {
            let layer_opacity = if visible_part > 0.0 { 1.0 - target / visible_part } else { 1.0 };
            let whole = (layer_opacity * 255.0).round().clamp(0.0, 255.0) / 255.0;
            visible_part *= 1.0 - whole;
            whole
        })
        .collect()
}

/// The filter that overlays one video on another; when the upper one ends, its last frame stays.
pub(crate) fn over() -> Filter {
    Filter::new("overlay").arg("x", 0).arg("y", 0).arg("eof_action", "repeat")
}

/// Still layers as one image with alpha.
fn still(layers: &[Layer], size: Size) -> Graph {
    let frames = layers.iter().map(|layer| {
        let one = [Filter::new("trim").arg("end_frame", 1), Filter::new("setpts").arg("expr", 0)];
        layer.frames.clone().then(one).then(covering(layer.video, size)).then(layer.faded())
    });
    // The fallback is never used, because a stack is never empty.
    frames.reduce(|below, above| below.join(above, over())).unwrap_or_else(|| Graph::input(0, 0))
}

/// Places moving layers over `graph`. A file that was drawn several times is decoded and scaled once.
fn moving(graph: Graph, layers: &[Layer], name: &str, canvas: Canvas) -> Graph {
    let layers = collapsed(layers);
    let mut distinct: Vec<&Layer> = Vec::new();
    let mut graph = graph;
    for layer in &layers {
        let existing = distinct.iter().position(|other| other.frames == layer.frames);
        let index = existing.unwrap_or_else(|| {
            distinct.push(layer);
            distinct.len() - 1
        });
        graph = graph.join(Graph::copy_of(&format!("{name}-{index}")).then(layer.faded()), over());
    }
    distinct.into_iter().enumerate().fold(graph, |graph, (index, layer)| {
        let sized = covering(layer.video, canvas.size);
        following(layer.frames.clone(), layer.video, canvas, sized)
            .then([Filter::new("format").arg("pix_fmts", "yuva420p")])
            .named(&format!("{name}-{index}"), graph)
    })
}

/// Merges all layers of one file into one if no layer has alpha: the result is a weighted sum, in which only the weights
/// depend on the order of the layers.
fn collapsed<'a>(layers: &[Layer<'a>]) -> Vec<Layer<'a>> {
    if layers.iter().any(|layer| layer.video.has_alpha()) {
        return layers.to_vec();
    }
    let mut weighed: Vec<Layer> = Vec::new();
    for layer in layers {
        // Every further layer dims those below it.
        weighed.iter_mut().for_each(|below| below.opacity *= 1.0 - layer.opacity);
        match weighed.iter_mut().find(|other| other.frames == layer.frames) {
            Some(same) => same.opacity += layer.opacity,
            None => weighed.push(layer.clone()),
        }
    }
    let mut visible_part = 1.0;
    for layer in weighed.iter_mut().rev() {
        let weight = layer.opacity;
        layer.opacity = if visible_part > 0.0 { (weight / visible_part).min(1.0) } else { 0.0 };
        visible_part -= weight;
    }
    weighed
}

/// Repeats `frames` indefinitely at the canvas's rate; `change` is applied at the lower of the two rates.
pub(crate) fn following(frames: Graph, video: &VideoInfo, canvas: Canvas, change: Vec<Filter>) -> Graph {
    let Canvas { fps, range, .. } = canvas;
    // Frames before the beginning are dropped before they are changed.
    let first = video.rate > f64::from(fps.get()) || range.begin.0 > 0;
    let set_rate = |wanted: bool| if wanted { output_rate_from(range.begin, fps) } else { Vec::new() };
    let clock = match Pass::at(video, range, fps) {
        None => "PTS-STARTPTS".to_owned(),
        Some(pass) => pass.clock(video),
    };
    frames
        .then([Filter::new("setpts").arg("expr", clock)])
        .then(set_rate(first))
        .then(change)
        .then(set_rate(!first))
        .then([Filter::new("trim").arg("end_frame", range.frames().0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(files: usize, layer_count: u32) -> Mask {
        let urls = (0..files).map(|n| n.to_string()).collect();
        Mask { urls, layer_count, opacity_percent: 3.0 }
    }

    #[test]
    fn layers_in_total_have_the_intended_opacity() {
        for opacity in [0.01, 0.03, 0.1, 0.5, 0.97, 1.0] {
            for layers in 1..=10 {
                let transparency = opacities(opacity, layers)
                    .iter()
                    .fold(1.0, |transparency, opacity| transparency * (1.0 - opacity));
                let expected = (1.0 - opacity).powi(layers as i32);
                assert!(
                    (transparency - expected).abs() <= 0.5 / 255.0 + 1e-9,
                    "{layers} × {opacity}: {transparency} {expected}"
                );
            }
        }
    }

    #[test]
    fn every_file_is_used_and_the_seed_decides() {
        for seed in 0..50 {
            let layers = draw(&mask(3, 8), Place::of(seed), "picMask");
            assert_eq!(layers.len(), 8);
            for turn in layers.chunks(3) {
                let distinct: std::collections::BTreeSet<_> = turn.iter().collect();
                assert_eq!(distinct.len(), turn.len(), "{layers:?}");
            }
            assert_eq!(layers, draw(&mask(3, 8), Place::of(seed), "picMask"));
        }
        let firsts: std::collections::BTreeSet<_> =
            (0..50).map(|seed| draw(&mask(3, 1), Place::of(seed), "a")).collect();
        assert_eq!(firsts.len(), 3);
        assert!(draw(&mask(3, 0), Place::of(1), "a").is_empty());
    }
}
