//! Masks: layers of pictures laid over the whole output, each at the same opacity.
//!
//! Still layers are put together once, at 16 bits, and then laid over each frame as one, so that ten cost
//! what one costs and no rounding adds up. Moving layers follow the output frame by frame.

use crate::chance::Chance;
use crate::error::TaskError;
use crate::filter_graph::{Filter, Graph};
use crate::media::{Size, VideoInfo};
use crate::plan::ExtraInputs;
use crate::plan::build::Builder;
use crate::plan::extra::is_single;
use crate::plan::picture::{covering, fps_filter};
use crate::request::model::Mask;
use crate::time::{Fps, Frames};

/// Which files of a mask's list were drawn, the lowest layer first.
pub(crate) type Layers = Vec<usize>;

/// The form of the output that things are laid over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Canvas {
    pub size: Size,
    pub fps: Fps,
    pub frames: Frames,
}

/// Draws a file for each layer; none comes twice before each had its turn.
pub(crate) fn draw(mask: &Mask, seed: u64, stream: &str) -> Layers {
    let mut chance = Chance::stream(seed, stream);
    let mut layers = Layers::new();
    while layers.len() < mask.layer_count as usize && !mask.urls.is_empty() {
        let mut turn: Layers = (0..mask.urls.len()).collect();
        chance.shuffle(&mut turn);
        layers.extend(turn);
    }
    layers.truncate(mask.layer_count as usize);
    layers
}

/// `graph` under the drawn layers. `name` tells this mask's parts of the graph from others'.
pub(crate) fn lay(
    graph: Graph,
    (mask, layers): (&Mask, &Layers),
    name: &str,
    canvas: Canvas,
    builder: &Builder,
    inputs: &mut ExtraInputs,
) -> Result<Graph, TaskError> {
    let opacity = mask.opacity_percent / 100.0;
    let mut stack = Vec::with_capacity(layers.len());
    for url in layers.iter().filter_map(|index| mask.urls.get(*index)) {
        let (info, video) = builder.overlay(url)?;
        stack.push(Layer { pictures: inputs.looped(info, video, url), video, opacity });
    }
    let runs = stack.chunk_by(|a, b| is_single(a.video) == is_single(b.video));
    Ok(runs.enumerate().fold(graph, |graph, (number, run)| match is_single(run[0].video) {
        true => graph.join(still(run, canvas.size), over()),
        false => moving(graph, run, &format!("{name}{number}"), canvas),
    }))
}

#[derive(Debug, Clone, PartialEq)]
struct Layer<'a> {
    pictures: Graph,
    video: &'a VideoInfo,
    opacity: f64,
}

/// The filter that lays one picture over another; the last one of the upper stays.
pub(crate) fn over() -> Filter {
    Filter::new("overlay").arg("x", 0).arg("y", 0).arg("eof_action", "repeat")
}

/// Still layers as one picture with alpha. Colours are kept multiplied by their opacity until all are in.
fn still(layers: &[Layer], size: Size) -> Graph {
    const NAME: &str = "still";
    let clear = Filter::new("color").arg("c", "black@0").arg("s", size).arg("r", 1);
    let nothing = Graph::source(clear).then([first(), sixteen_bits()]);
    let all = layers.iter().fold(nothing, |below, layer| {
        let colour =
            Graph::copy_of(NAME).then([Filter::new("format").arg("pix_fmts", "gbrp16le"), sixteen_bits()]);
        let opacity = Graph::copy_of(NAME).then([
            Filter::new("colorchannelmixer").arg("aa", layer.opacity),
            Filter::new("shuffleplanes").arg("map0", 3).arg("map1", 3).arg("map2", 3).arg("map3", 3),
        ]);
        let merged = Graph::combine([below, colour, opacity], Filter::new("maskedmerge"));
        let picture = layer.pictures.clone().then([first(), Filter::new("setpts").arg("expr", 0)]);
        picture.then(covering(layer.video, size)).then([sixteen_bits()]).named(NAME, merged)
    });
    all.then([
        Filter::new("unpremultiply").arg("inplace", 1),
        Filter::new("scale")
            .arg("out_color_matrix", "bt709")
            .arg("out_range", "tv")
            .arg("flags", "bicubic+accurate_rnd+full_chroma_int"),
        Filter::new("format").arg("pix_fmts", "yuva420p"),
    ])
}

fn first() -> Filter {
    Filter::new("trim").arg("end_frame", 1)
}

fn sixteen_bits() -> Filter {
    Filter::new("format").arg("pix_fmts", "gbrap16le")
}

/// `graph` under moving layers. A file that was drawn several times is decoded and scaled once.
fn moving(graph: Graph, layers: &[Layer], name: &str, canvas: Canvas) -> Graph {
    let layers = collapsed(layers);
    let mut distinct: Vec<&Layer> = Vec::new();
    let mut graph = graph;
    for layer in &layers {
        let known = distinct.iter().position(|other| *other == layer);
        let index = known.unwrap_or_else(|| {
            distinct.push(layer);
            distinct.len() - 1
        });
        graph = graph.join(Graph::copy_of(&format!("{name}-{index}")), over());
    }
    distinct.into_iter().enumerate().fold(graph, |graph, (index, layer)| {
        let opaque = Filter::new("format").arg("pix_fmts", "yuva420p");
        let alpha = Filter::new("lutyuv").arg("a", format!("round(val*{:.6})", layer.opacity));
        following(layer.pictures.clone(), layer.video, canvas, covering(layer.video, canvas.size))
            .then([opaque, alpha])
            .named(&format!("{name}-{index}"), graph)
    })
}

/// Where no layer has alpha, all layers of one file are one: the result is a weighted sum, in which the order
/// of the layers is a matter of their weights only.
fn collapsed<'a>(layers: &[Layer<'a>]) -> Vec<Layer<'a>> {
    if layers.iter().any(|layer| layer.video.has_alpha()) {
        return layers.to_vec();
    }
    let mut weighed: Vec<Layer> = Vec::new();
    for layer in layers {
        // Every further layer dims those below it.
        weighed.iter_mut().for_each(|below| below.opacity *= 1.0 - layer.opacity);
        match weighed.iter_mut().find(|other| other.pictures == layer.pictures) {
            Some(same) => same.opacity += layer.opacity,
            None => weighed.push(layer.clone()),
        }
    }
    let mut left = 1.0;
    for layer in weighed.iter_mut().rev() {
        let weight = layer.opacity;
        layer.opacity = if left > 0.0 { (weight / left).min(1.0) } else { 0.0 };
        left -= weight;
    }
    weighed
}

/// Pictures that go on for ever as exactly those the canvas has, changed by `change` at the lower rate.
pub(crate) fn following(pictures: Graph, video: &VideoInfo, canvas: Canvas, change: Vec<Filter>) -> Graph {
    let rate = canvas.fps.get();
    let falls = video.rate > f64::from(rate);
    let set_rate = |wanted: bool| wanted.then(|| fps_filter(rate.to_string()));
    pictures
        .then([Filter::new("setpts").arg("expr", "PTS-STARTPTS")])
        .then(set_rate(falls))
        .then(change)
        .then(set_rate(!falls))
        .then([Filter::new("trim").arg("end_frame", canvas.frames.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(files: usize, layer_count: u32) -> Mask {
        let urls = (0..files).map(|n| n.to_string()).collect();
        Mask { urls, layer_count, opacity_percent: 3.0 }
    }

    #[test]
    fn every_file_has_its_turn_and_the_seed_decides() {
        for seed in 0..50 {
            let layers = draw(&mask(3, 8), seed, "picMask");
            assert_eq!(layers.len(), 8);
            for turn in layers.chunks(3) {
                let distinct: std::collections::BTreeSet<_> = turn.iter().collect();
                assert_eq!(distinct.len(), turn.len(), "{layers:?}");
            }
            assert_eq!(layers, draw(&mask(3, 8), seed, "picMask"));
        }
        let firsts: std::collections::BTreeSet<_> =
            (0..50).map(|seed| draw(&mask(3, 1), seed, "a")).collect();
        assert_eq!(firsts.len(), 3);
        assert!(draw(&mask(3, 0), 1, "a").is_empty());
    }
}
