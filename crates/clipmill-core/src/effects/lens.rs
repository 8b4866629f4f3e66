//! Effects of lens, stage light and viewpoint: blurs, vignette, tiles, movement.

use super::stage::{Stage, branch, copy, full_size};
use crate::filter_graph::{Filter, Graph};
use crate::media::Size;

/// Maximum distance that `displace` supports, in pixels.
const MAX_SHIFT: f64 = 120.0;

/// A Gaussian blur of about `share` of the short side: a wide blur is computed on a smaller frame.
pub(super) fn blur(stage: &Stage, share: f64) -> Vec<Filter> {
    let sigma = share * f64::from(stage.size.short_side());
    let factor = [8.0, 4.0, 2.0].into_iter().find(|factor| sigma / factor >= 2.0).unwrap_or(1.0);
    let gauss = stage.during(Filter::new("gblur").arg("sigma", format!("{:.3}", (sigma / factor).max(0.3))));
    if factor == 1.0 {
        return vec![gauss];
    }
    let small = stage.reduced((f64::from(stage.size.short_side()) / factor).round() as u32);
    vec![full_size("bilinear", small), gauss, full_size("bicubic", stage.size)]
}

/// Black whose opacity, from 0 to 255, is an expression in X, Y, W, H, T.
fn shade(alpha: String) -> Filter {
    Filter::new("geq").arg("lum", 16).arg("cb", 128).arg("cr", 128).arg("a", alpha)
}

pub(super) fn vignette(graph: Graph, stage: &Stage) -> Graph {
    // Distance from the centre: 1 in the corners.
    let distance = "hypot(2*X/W-1,2*Y/H-1)/1.4142";
    let alpha = format!("{}*pow(clip(({distance}-0.22)/0.78,0,1),1.3)", 228.0 * stage.strength);
    let draw = vec![shade(alpha)];
    let mask = stage.still("black", stage.reduced(180), "yuva420p", draw);
    stage.painted(graph, mask.then(stage.ramps(true)))
}

/// Darkens everything but a wandering circle of light.
pub(super) fn spotlight(graph: Graph, stage: &Stage) -> Graph {
    let t = format!("(T-{:.6})", stage.begin_s());
    let distance =
        format!("hypot((X-W*(0.5+0.11*sin(1.5*{t})))/min(W,H),(Y-H*(0.47+0.10*sin(2.1*{t}+0.4)))/min(W,H))");
    let level = format!("{}*{}", 228.0 * stage.strength, stage.envelope("T"));
    let alpha = format!("{level}*(1-1/(1+exp(24*({distance}-0.40))))");
    stage.painted(graph, stage.canvas("black", stage.reduced(90), "yuva420p").then([shade(alpha)]))
}

/// Black bars slide in from above and below.
pub(super) fn cinema_bars(graph: Graph, stage: &Stage) -> Graph {
    let share = 0.16 * stage.strength * f64::from(stage.size.height);
    let bar = Size::new(stage.size.width, ((share / 2.0).ceil() as u32 * 2).max(2));
    let height = format!("{share:.3}*{}", stage.envelope("t"));
    let black = || stage.canvas("black", bar, "yuva420p");
    let graph = graph.join(black(), stage.overlay(0, format!("{height}-h")));
    graph.join(black(), stage.overlay(0, format!("H-{height}")))
}

/// Out of focus; bright spots spread into light.
pub(super) fn lens_blur(graph: Graph, stage: &Stage) -> Graph {
    let mut filters = Vec::new();
    let boost = 70.0 * stage.strength;
    let curve = format!("clip(val+{boost:.1}*pow(clip((val-16)/219,0,1),3),0,235)");
    filters.push(stage.during(Filter::new("lutyuv").arg("y", curve)));
    filters.extend(blur(stage, 0.002 + 0.026 * stage.strength));
    stage.mixed(graph, copy().then(filters), stage.strength.sqrt())
}

/// A soft bright copy shines through the frame.
pub(super) fn dream(graph: Graph, stage: &Stage) -> Graph {
    let glow = copy().then(blur(stage, 0.022));
    let blend = Filter::new("blend")
        .arg("c0_mode", "screen")
        .arg("c0_opacity", 0.62)
        .arg("c1_mode", "normal")
        .arg("c1_opacity", 0.35)
        .arg("c2_mode", "normal")
        .arg("c2_opacity", 0.35);
    let tint = stage.during(
        Filter::new("lutyuv")
            .arg("y", "min(235,val*0.94+8)")
            .arg("u", "128+(val-128)*1.12+2")
            .arg("v", "128+(val-128)*1.12+5"),
    );
    let soft = branch(copy(), [copy(), glow], blend).then([tint]);
    stage.mixed(graph, soft, stage.strength)
}

pub(super) fn pixelate(graph: Graph, stage: &Stage) -> Graph {
    let short = f64::from(stage.size.short_side());
    let block = (short * (0.004 + 0.058 * stage.strength)).max(2.0);
    let small = stage.reduced((short / block).round() as u32);
    let filters = [full_size("bilinear", small), full_size("point", stage.size)];
    stage.mixed(graph, copy().then(filters), stage.strength.sqrt())
}

/// Shows the frame four times, mirrored at the middle.
pub(super) fn mirror_tile(graph: Graph, stage: &Stage) -> Graph {
    let half = |n: u32| (n / 4 * 2).max(2);
    let quarter = Size::new(half(stage.size.width), half(stage.size.height));
    let mirrored = |graph: Graph, flip: &'static str, stack: &'static str| {
        let pair = [copy(), copy().then([Filter::new(flip)])];
        branch(graph, pair, Filter::new(stack).arg("inputs", 2))
    };
    let row = mirrored(copy().then([full_size("bicubic", quarter)]), "hflip", "hstack");
    let tiles = mirrored(row, "vflip", "vstack");
    let whole = Size::new(quarter.width * 2, quarter.height * 2);
    let tiles = if whole == stage.size { tiles } else { tiles.then([full_size("bicubic", stage.size)]) };
    stage.mixed(graph, tiles, stage.strength)
}

/// Rings of water run outwards from the middle.
pub(super) fn ripple(graph: Graph, stage: &Stage) -> Graph {
    let short = f64::from(stage.size.short_side());
    let reach = (0.6 + 0.030 * short * stage.reach()).min(MAX_SHIFT);
    let level = format!("{reach:.3}*{}", stage.soft_envelope("T"));
    // Chroma is stored at half the size, and is shifted by half as many pixels.
    let map = |axis: &str, share: f64| {
        let setup = "0*(st(0,(X-W/2)/min(W,H))+st(1,(Y-H/2)/min(W,H))+st(2,max(0.02,hypot(ld(0),ld(1)))))";
        format!("{setup}+128.5+{share}*{level}*sin(34*ld(2)-9*T)*ld({axis})/ld(2)*min(1,ld(2)*6)")
    };
    let map_frame = |axis: &str| {
        let filter =
            Filter::new("geq").arg("lum", map(axis, 1.0)).arg("cb", map(axis, 0.5)).arg("cr", map(axis, 0.5));
        let canvas = stage.lasting_canvas("gray", stage.reduced(72), "yuv420p");
        canvas.then([filter, full_size("bicubic", stage.size)])
    };
    // Shifts are whole pixels: a weaker effect is mixed in instead of being shifted less.
    let rippled = displaced(copy(), stage, map_frame("0"), map_frame("1"), "mirror");
    stage.mixed(graph, rippled, (stage.strength * 4.0).min(1.0))
}

/// Replaces every pixel by the one at the distance given by the maps `x` and `y`, where 128 means no distance; both
/// maps are made on a [`Stage::lasting_canvas`].
pub(super) fn displaced(graph: Graph, stage: &Stage, x: Graph, y: Graph, edge: &str) -> Graph {
    let filter = stage.around(Filter::new("displace").arg("edge", edge));
    Graph::combine([graph, x, y], filter)
}

/// The view zooms in and out twice a second.
pub(super) fn zoom_pulse(graph: Graph, stage: &Stage) -> Graph {
    let t = stage.time_of_frame("in-1");
    let beat = format!("pow(sin(2*PI*({t}-{:.6})),2)", stage.begin_s());
    let zoom = format!("(1+{:.5}*{}*{beat})", 0.32 * stage.reach(), stage.soft_envelope(&t));
    graph.then([viewed(stage, &zoom, "0", "0")])
}

/// Trembles like a hand-held camera. The view zooms in meanwhile, so that no edge shows.
pub(super) fn shake(graph: Graph, stage: &Stage) -> Graph {
    let t = stage.time_of_frame("in-1");
    let reach = format!("{:.5}*{}", stage.reach() * 0.045, stage.soft_envelope(&t));
    let zoom = format!("(1+2.3*{reach})");
    let across = format!("W*{reach}*(0.62*sin(46*{t})+0.38*sin(71*{t}+1))");
    let down = format!("H*{reach}*(0.62*sin(53*{t}+2)+0.38*sin(83*{t}))");
    graph.then([viewed(stage, &zoom, &across, &down)])
}

/// The frame enlarged about its centre and moved; the arguments are expressions evaluated for each frame.
fn viewed(stage: &Stage, zoom: &str, across: &str, down: &str) -> Filter {
    let mut filter = Filter::new("perspective").arg("eval", "frame").arg("sense", "source");
    for (i, (x, y)) in [("-", "-"), ("+", "-"), ("-", "+"), ("+", "+")].into_iter().enumerate() {
        filter = filter
            .arg(format!("x{i}"), format!("W/2{x}W/2/{zoom}+{across}"))
            .arg(format!("y{i}"), format!("H/2{y}H/2/{zoom}+{down}"));
    }
    stage.during(filter.arg("interpolation", "cubic"))
}
