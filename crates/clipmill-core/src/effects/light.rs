//! Effects that add light: leaks, flares, flashes, rainbows.

use super::stage::{Stage, full_size};
use crate::filter_graph::{Filter, Graph};
use crate::media::Size;

/// Planar RGB from expressions in X, Y, W, H, T.
pub(super) fn rgb(red: String, green: String, blue: String) -> Filter {
    Filter::new("geq").arg("r", red).arg("g", green).arg("b", blue)
}

/// One colour over the whole frame, whose opacity is an expression in T from 0 to 1.
fn flood(graph: Graph, stage: &Stage, [luma, cb, cr]: [u32; 3], opacity: &str) -> Graph {
    let alpha = format!("{}*{}*{opacity}", 255.0 * stage.strength, stage.envelope("T"));
    let color = Filter::new("geq").arg("lum", luma).arg("cb", cb).arg("cr", cr).arg("a", alpha);
    stage.painted(graph, stage.canvas("white", Size::new(16, 16), "yuva420p").then([color]))
}

/// One burst of white in the middle of the range that swells and dies away softly.
pub(super) fn flash(graph: Graph, stage: &Stage) -> Graph {
    let (begin, duration) = (stage.begin_s(), stage.duration_s());
    let opacity = format!("0.96*pow(sin(PI*clip((T-{begin:.6})/{duration:.6},0,1)),1.5)");
    flood(graph, stage, [235, 126, 130], &opacity)
}

/// Three bursts in a second, not more, to protect people with photosensitive epilepsy.
pub(super) fn strobe(graph: Graph, stage: &Stage) -> Graph {
    let opacity = format!("0.9*pow(sin(PI*3*(T-{:.6})),2)", stage.begin_s());
    flood(graph, stage, [232, 134, 124], &opacity)
}

/// Soft orange, red and golden light that wanders in from the edges.
pub(super) fn light_leak(graph: Graph, stage: &Stage) -> Graph {
    let blob = |x: &str, y: &str, wide: f64, high: f64| {
        format!("exp(-pow((X/W-({x}))/{wide},2)-pow((Y/H-({y}))/{high},2))")
    };
    let orange = blob("0.02+0.10*sin(1.7*T)", "0.30+0.22*sin(1.1*T+1)", 0.42, 0.50);
    let red = blob("0.98+0.08*sin(1.3*T+2)", "0.75+0.20*sin(0.9*T)", 0.34, 0.42);
    let gold = blob("0.35+0.30*sin(0.8*T+4)", "0.02+0.06*sin(1.9*T)", 0.30, 0.24);
    let level = format!("{}*{}*(0.86+0.14*sin(7*T)*sin(4.3*T))", stage.strength, stage.envelope("T"));
    // The expressions for red, green and blue read what this one stores.
    let setup = format!("0*(st(0,{orange})+st(1,{red})+st(2,{gold}))");
    let channel = |o: f64, r: f64, g: f64| format!("{setup}+{level}*min(255,{o}*ld(0)+{r}*ld(1)+{g}*ld(2))");
    let colors = rgb(channel(255.0, 250.0, 255.0), channel(118.0, 36.0, 196.0), channel(24.0, 62.0, 84.0));
    stage.lit(graph, stage.canvas("black", stage.reduced(48), "gbrp").then([colors]))
}

/// A bright light that crosses the frame's upper part, with streaks, a soft halo and ghosts on its axis.
pub(super) fn lens_flare(graph: Graph, stage: &Stage) -> Graph {
    let (begin, duration) = (stage.begin_s(), stage.duration_s());
    let along = format!("clip((T-{begin:.6})/{duration:.6},0,1)");
    // Registers: 0, 1 the light's place from the centre; 2, 3 the pixel's; 4 how far it is from the light; in short sides.
    let setup = format!(
        "0*(st(0,(W*(0.12+0.68*{along})-W/2)/min(W,H))+st(1,(H*(0.24+0.08*sin(2*{along}))-H/2)/min(W,H))\
         +st(2,(X+0.5-W/2)/min(W,H))+st(3,(Y+0.5-H/2)/min(W,H))+st(4,hypot(ld(2)-ld(0),ld(3)-ld(1))))"
    );
    let level = format!("{}*{}", stage.strength, stage.envelope("T"));
    let drawn = |light: String| format!("{setup}+255*{level}*min(1,{light})");
    let sharp = Filter::new("geq").arg("r", 0).arg("g", drawn(light_source())).arg("b", 0);
    let tint = Filter::new("colorchannelmixer")
        .arg("rr", 0)
        .arg("rg", 1)
        .arg("gg", 0.93)
        .arg("bb", 0)
        .arg("bg", 0.82);
    let sharp = stage.canvas("black", stage.reduced(84), "gbrp").then([sharp, tint]);
    let soft = reflections().map(drawn);
    let small = stage.reduced(40);
    let [red, green, blue] = soft;
    let full = full_size("bicubic", stage.reduced(84));
    let soft = stage.canvas("black", small, "gbrp").then([rgb(red, green, blue), full]);
    stage.lit(graph, sharp.join(soft, Filter::new("blend").arg("all_mode", "screen")))
}

/// The light itself with its rays and its glow, in one colour.
fn light_source() -> String {
    let core = "exp(-ld(4)*ld(4)*420)+0.55*exp(-ld(4)*11)";
    let angle = "0*st(5,atan2(ld(3)-ld(1),ld(2)-ld(0)+0.0001))";
    let rays = "0.30*exp(-ld(4)*7.5)*pow(0.5+0.5*cos(7*ld(5)+1.3*sin(3*ld(5))),5)";
    format!("({angle}+{core}+{rays})")
}

/// The reflections of the light in the lens, in red, green and blue: veil and streak, a fading halo, ghosts.
fn reflections() -> [String; 3] {
    let streak = "exp(-pow((ld(3)-ld(1))*34,2))*exp(-abs(ld(2)-ld(0))*2.4)";
    // The halo is widest and brightest towards the middle of the frame.
    let towards = "(0.5-0.5*((ld(2)-ld(0))*ld(0)+(ld(3)-ld(1))*ld(1))/max(0.001,ld(4)*hypot(ld(0),ld(1))))";
    let halo = |radius: f64| format!("0.13*{towards}*exp(-pow((ld(4)-{radius})*9,2))");
    let ghost = |place: f64, radius: f64, level: f64| {
        let distance = format!("hypot(ld(2)+{place}*ld(0),ld(3)+{place}*ld(1))/{radius}");
        format!("{level}*(0.55+0.45*min(1,{distance}))/(1+exp(9*({distance}-1)))")
    };
    let veil = "exp(-ld(4)*3.2)";
    [
        format!(
            "0.34*{veil}+0.16*{streak}+{}+{}+{}+{}",
            halo(0.43),
            ghost(0.25, 0.06, 0.09),
            ghost(0.55, 0.10, 0.20),
            ghost(1.35, 0.19, 0.11)
        ),
        format!(
            "0.29*{veil}+0.30*{streak}+{}+{}+{}+{}",
            halo(0.40),
            ghost(0.25, 0.06, 0.16),
            ghost(0.55, 0.10, 0.13),
            ghost(0.9, 0.075, 0.10)
        ),
        format!(
            "0.24*{veil}+0.52*{streak}+{}+{}+{}",
            halo(0.37),
            ghost(0.9, 0.075, 0.20),
            ghost(1.35, 0.19, 0.14)
        ),
    ]
}

/// Bands of all colours that flow over the frame.
pub(super) fn rainbow(graph: Graph, stage: &Stage) -> Graph {
    let phase = "2*PI*(0.8*X/W+0.6*Y/H-0.55*T+0.06*sin(5*Y/H+2*T))";
    let level = format!("{}*{}", stage.strength, stage.envelope("T"));
    let channel = |turn: f64| format!("{level}*(22+118*pow(0.5+0.5*sin({phase}+{turn}),1.4))");
    let colors = rgb(channel(0.0), channel(4.19), channel(2.09));
    stage.lit(graph, stage.canvas("black", stage.reduced(48), "gbrp").then([colors]))
}
