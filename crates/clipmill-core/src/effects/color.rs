//! Effects that repaint the frame: neon edges, comic, heat camera, two tones.

use super::light::rgb;
use super::stage::{Stage, branch, copy, full_size};
use crate::color_space::{from_rgb, to_rgb};
use crate::filter_graph::{Filter, Graph};

/// Glowing coloured outlines on a darkened frame.
pub(super) fn neon_edges(graph: Graph, stage: &Stage) -> Graph {
    let screen = || Filter::new("blend").arg("all_mode", "screen");
    let dark = stage.during(Filter::new("colorchannelmixer").arg("rr", 0.26).arg("gg", 0.26).arg("bb", 0.34));
    let both = [copy().then([dark]), outlines(stage)];
    let neon = branch(copy().then(to_rgb()), both, screen()).then(from_rgb());
    stage.mixed(graph, neon, stage.strength)
}

/// Glowing outlines of a planar RGB frame on black. They are soft, so large frames are reduced before.
fn outlines(stage: &Stage) -> Graph {
    let small = stage.reduced(480);
    let short = f64::from(small.short_side());
    let gauss =
        |sigma: f64| stage.during(Filter::new("gblur").arg("sigma", format!("{:.2}", sigma.max(0.5))));
    let edges = [
        full_size("bilinear", small),
        gauss(short * 0.0014),
        stage.during(Filter::new("sobel").arg("scale", 1.25)),
        stage.during(gray()),
    ];
    let phase = "2*PI*(0.55*X/W+0.45*Y/H-0.25*T)";
    let paint = rgb(format!("140+115*sin({phase})"), format!("105+100*sin({phase}+3.6)"), "255".to_owned());
    let paint = stage.canvas("black", stage.reduced(32), "gbrp").then([paint, full_size("bilinear", small)]);
    let multiply = Filter::new("blend").arg("all_mode", "multiply").arg("eof_action", "pass");
    let painted = copy().then(edges).join(paint, multiply);
    let screen = Filter::new("blend").arg("all_mode", "screen");
    let glowing = branch(painted, [copy(), copy().then([gauss(short * 0.008)])], screen);
    glowing.then([full_size("bicubic", stage.size)])
}

/// Brightness alone, in all three channels.
fn gray() -> Filter {
    ["r", "g", "b"].into_iter().fold(Filter::new("colorchannelmixer"), |filter, to| {
        let weights = [("r", 0.2126), ("g", 0.7152), ("b", 0.0722)];
        weights.into_iter().fold(filter, |filter, (from, weight)| filter.arg(format!("{to}{from}"), weight))
    })
}

/// Flat, strong colours and dark outlines.
pub(super) fn comic(graph: Graph, stage: &Stage) -> Graph {
    let flat = stage.during(
        Filter::new("lutyuv")
            .arg("y", "min(235,24+floor((val-16)/36.5+0.5)*36.5)")
            .arg("u", "128+(val-128)*1.55")
            .arg("v", "128+(val-128)*1.55"),
    );
    let smooth = stage.during(Filter::new("gblur").arg("sigma", format!("{:.2}", stage.short() * 0.0022)));
    let lines = [
        stage.during(Filter::new("gblur").arg("sigma", format!("{:.2}", stage.short() * 0.0014))),
        stage.during(Filter::new("sobel").arg("planes", 1)),
        stage.during(Filter::new("lutyuv").arg("y", "255-clip((val-60)*2.2,0,225)")),
    ];
    let ink = Filter::new("blend")
        .arg("c0_mode", "multiply")
        .arg("c1_mode", "normal")
        .arg("c1_opacity", 1)
        .arg("c2_mode", "normal")
        .arg("c2_opacity", 1);
    let drawn = branch(copy(), [copy().then([smooth, flat]), copy().then(lines)], ink);
    stage.mixed(graph, drawn, stage.strength)
}

/// What a heat camera shows: black and violet for dark, orange and yellow for bright.
pub(super) fn thermal(graph: Graph, stage: &Stage) -> Graph {
    let colors = stage.during(Filter::new("pseudocolor").arg("preset", "inferno"));
    stage.mixed(graph, copy().then([colors]), stage.strength)
}

/// Maps brightness to a gradient from deep violet to pale gold.
pub(super) fn duotone(graph: Graph, stage: &Stage) -> Graph {
    let tones = Filter::new("curves")
        .arg("red", "0/0.07 0.5/0.82 1/1")
        .arg("green", "0/0.06 0.5/0.38 1/0.95")
        .arg("blue", "0/0.34 0.5/0.46 1/0.74");
    let painted = copy().then(to_rgb()).then([stage.during(gray()), stage.during(tones)]).then(from_rgb());
    stage.mixed(graph, painted, stage.strength)
}
