//! Effects that repaint the picture: neon edges, comic, heat camera, two tones, negative.

use super::lens::blur;
use super::stage::{Stage, from_rgb, to_rgb};
use crate::filter_graph::{Filter, Graph};

/// Glowing coloured outlines on a darkened picture.
pub(super) fn neon_edges(graph: Graph, stage: &Stage) -> Graph {
    let edges = vec![
        stage.during(Filter::new("gblur").arg("sigma", 1)),
        stage.during(Filter::new("sobel").arg("scale", 1.6)),
        stage.during(vivid(2.6)),
    ];
    let dark = stage.during(Filter::new("colorlevels").arg("romax", 0.26).arg("gomax", 0.26).arg("bomax", 0.34));
    let screen = || Filter::new("blend").arg("all_mode", "screen");
    let glow = Graph::Copy.then(edges).branch(vec![Graph::Copy, Graph::Copy.then(blur(stage, 0.008))], screen());
    let neon = Graph::Copy
        .then(to_rgb())
        .branch(vec![Graph::Copy.then([dark]), glow], screen())
        .then(from_rgb());
    stage.mixed(graph, neon, stage.strength)
}

/// Saturation in RGB.
fn vivid(amount: f64) -> Filter {
    let (own, others) = ((1.0 + 2.0 * amount) / 3.0, (1.0 - amount) / 3.0);
    ["rr", "rg", "rb", "gr", "gg", "gb", "br", "bg", "bb"].into_iter().fold(
        Filter::new("colorchannelmixer"),
        |filter, pair| {
            let same = pair.chars().next() == pair.chars().nth(1);
            filter.arg(pair, format!("{:.4}", if same { own } else { others }))
        },
    )
}

/// Flat, strong colours and dark outlines.
pub(super) fn comic(graph: Graph, stage: &Stage) -> Graph {
    let flat = stage.during(
        Filter::new("lutyuv").arg("y", "16+floor((val-16)/36.5+0.5)*36.5*1.03").arg("u", "128+(val-128)*1.7").arg("v", "128+(val-128)*1.7"),
    );
    let smooth = stage.during(Filter::new("gblur").arg("sigma", format!("{:.2}", stage.short() * 0.0022)));
    let lines = [
        stage.during(Filter::new("gblur").arg("sigma", format!("{:.2}", stage.short() * 0.0014))),
        stage.during(Filter::new("sobel").arg("planes", 1)),
        stage.during(Filter::new("lutyuv").arg("y", "255-clip((val-26)*3.2,0,240)")),
    ];
    let ink = Filter::new("blend").arg("c0_mode", "multiply").arg("c1_mode", "normal").arg("c1_opacity", 1)
        .arg("c2_mode", "normal").arg("c2_opacity", 1);
    let drawn = Graph::Copy.branch(vec![Graph::Copy.then([smooth, flat]), Graph::Copy.then(lines)], ink);
    stage.mixed(graph, drawn, stage.strength)
}

/// What a heat camera shows: violet for dark, yellow for bright.
pub(super) fn thermal(graph: Graph, stage: &Stage) -> Graph {
    let colors = stage.during(Filter::new("pseudocolor").arg("preset", "plasma"));
    stage.mixed(graph, Graph::Copy.then([colors]), stage.strength)
}

/// Brightness as a way from deep violet to pale gold.
pub(super) fn duotone(graph: Graph, stage: &Stage) -> Graph {
    let gray = ["rr", "gr", "br"].into_iter().zip(["rg", "gg", "bg"]).zip(["rb", "gb", "bb"]).fold(
        Filter::new("colorchannelmixer"),
        |filter, ((red, green), blue)| filter.arg(red, 0.2126).arg(green, 0.7152).arg(blue, 0.0722),
    );
    let tones = Filter::new("curves")
        .arg("red", "0/0.16 0.45/0.78 1/1")
        .arg("green", "0/0.04 0.5/0.30 1/0.93")
        .arg("blue", "0/0.42 0.5/0.52 1/0.66");
    let painted = Graph::Copy.then(to_rgb()).then([stage.during(gray), stage.during(tones)]).then(from_rgb());
    stage.mixed(graph, painted, stage.strength)
}

pub(super) fn negative(graph: Graph, stage: &Stage) -> Graph {
    let inverted = stage.during(Filter::new("lutyuv").arg("y", "251-clip(val,16,235)").arg("u", "256-val").arg("v", "256-val"));
    stage.mixed(graph, Graph::Copy.then([inverted]), stage.strength)
}
