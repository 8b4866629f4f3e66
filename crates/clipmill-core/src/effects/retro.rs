//! Effects of old and broken equipment: grain, tape, film, glitches.

use super::lens::displaced;
use super::stage::{Stage, copy, full_size};
use crate::color_space::{from_rgb, to_rgb};
use crate::filter_graph::{Filter, Graph};
use crate::media::Size;

/// Grain of about 1/540 of the short side over `picture`, a graph of frames in the output's colours.
fn grained(stage: &Stage, picture: Graph, amount: u32, seed: u32) -> Graph {
    let noise = Filter::new("noise").arg("c0s", amount).arg("c0f", "t").arg("c0_seed", seed);
    let mut filters = vec![noise];
    let small = stage.reduced(540);
    if small != stage.size {
        filters.push(full_size("bicubic", stage.size));
    }
    let blend = Filter::new("blend")
        .arg("c0_mode", "grainmerge")
        .arg("c1_mode", "normal")
        .arg("c1_opacity", 1)
        .arg("c2_mode", "normal")
        .arg("c2_opacity", 1)
        .arg("eof_action", "pass");
    let grain = stage.canvas("0x808080", small, "yuv420p").then([level_gray()]).then(filters);
    picture.join(grain, blend)
}

fn level_gray() -> Filter {
    Filter::new("lutyuv").arg("y", 128).arg("u", 128).arg("v", 128)
}

pub(super) fn film_grain(graph: Graph, stage: &Stage) -> Graph {
    stage.mixed(graph, grained(stage, copy(), 60, 4711), stage.strength)
}

/// Colours drift apart to the left and to the right, in a slow rhythm.
pub(super) fn rgb_split(graph: Graph, stage: &Stage) -> Graph {
    let shift = (f64::from(stage.size.width) * 0.058).clamp(1.0, 250.0).round();
    let far = (shift * 1.6).min(254.0).round();
    let phase = format!("lt(mod(t-{:.6},0.5),0.12)", stage.begin_s() - 1e-4);
    let wide = Filter::new("rgbashift").arg("rh", -far).arg("bh", far).arg("gv", (far / 3.0).round());
    let plain = Filter::new("rgbashift").arg("rh", -shift).arg("bh", shift).arg("gv", (shift / 4.0).round());
    let shifts = [
        plain.arg("edge", "smear").arg("enable", format!("not({phase})")),
        wide.arg("edge", "smear").arg("enable", phase),
    ];
    let split = copy().then(to_rgb()).then(shifts).then(from_rgb());
    stage.mixed(graph, split, stage.strength)
}

/// Blocks of lines jump sideways and their colours run away from them.
pub(super) fn glitch(graph: Graph, stage: &Stage) -> Graph {
    let reach = (0.16 * f64::from(stage.size.width)).min(120.0) * stage.strength;
    let slot = "floor(T*12)";
    let random_value =
        |index: &str| format!("mod(abs(sin((floor(Y/H*{index})+{slot}*7.31)*12.9898)*43758.5453),1)");
    let jump = format!("gt({},0.55)*(2*{}-1)", random_value("21+0*1"), random_value("21+0.37"));
    let level = format!("{reach:.3}*{}", stage.soft_envelope("T"));
    let fringe = format!("(0.16+0.30*{})", random_value("9.5"));
    let map = Filter::new("geq")
        .arg("lum", format!("128.5+{level}*{jump}"))
        .arg("cb", format!("128.5+0.5*{level}*({jump}+{fringe})"))
        .arg("cr", format!("128.5+0.5*{level}*({jump}-{fringe})"));
    let x =
        stage.lasting_canvas("gray", Size::new(4, 84), "yuv420p").then([map, full_size("point", stage.size)]);
    let y = stage
        .lasting_canvas("gray", Size::new(16, 16), "yuv420p")
        .then([level_gray(), full_size("point", stage.size)]);
    displaced(graph, stage, x, y, "wrap")
}

/// Worn tape: colours smear, lines tremble, a band of noise wanders upwards.
pub(super) fn vhs(graph: Graph, stage: &Stage) -> Graph {
    let width = f64::from(stage.size.width);
    let smear = ((width * 0.006).round()).max(1.0);
    let color = stage.during(Filter::new("chromashift").arg("cbh", smear).arg("crh", -smear));
    let soft = stage.during(
        Filter::new("gblur")
            .arg("sigma", format!("{:.2}", width * 0.009))
            .arg("sigmaV", 0.4)
            .arg("planes", 6),
    );
    let worn = stage.during(
        Filter::new("lutyuv")
            .arg("y", "clip(val*0.88+24,16,235)")
            .arg("u", "128+(val-128)*1.25+3")
            .arg("v", "128+(val-128)*1.3-2"),
    );
    let tape = copy().then([color, soft, worn]);
    let (x, y) = tape_lines(stage);
    let trembling = displaced(tape, stage, x, y, "smear");
    let lined = scan_lines(stage, grained(stage, trembling, 34, 99));
    stage.mixed(graph, lined, stage.strength)
}

/// Displacement maps of the lines: across by line, and none upwards.
fn tape_lines(stage: &Stage) -> (Graph, Graph) {
    let width = f64::from(stage.size.width);
    let band = "exp(-pow((Y/H-1.15+mod(0.42*T,1.3))*16,2))";
    let tremble = "(mod(abs(sin((Y+floor(T*25)*91)*12.9898)*43758.5453),1)-0.5)";
    let pull = |share: f64| {
        format!(
            "128.5+{share}*clip({:.3}*{tremble}+{:.3}*{band}*({tremble}+0.7),-120,120)",
            width * 0.006,
            width * 0.055
        )
    };
    let map = Filter::new("geq").arg("lum", pull(1.0)).arg("cb", pull(0.5)).arg("cr", pull(0.5));
    let lines = Size::new(4, (stage.reduced(360).height).max(4));
    let x = stage.lasting_canvas("gray", lines, "yuv420p").then([map, full_size("point", stage.size)]);
    let y = stage
        .lasting_canvas("gray", Size::new(16, 16), "yuv420p")
        .then([level_gray(), full_size("point", stage.size)]);
    (x, y)
}

/// Darkens every other line of a screen of about 240 lines.
fn scan_lines(stage: &Stage, picture: Graph) -> Graph {
    let pitch = (f64::from(stage.size.height) / 240.0).round().max(2.0);
    let dark = Filter::new("geq")
        .arg("lum", format!("255-70*lt(mod(Y,{}),{pitch})", pitch * 2.0))
        .arg("cb", 128)
        .arg("cr", 128);
    let lines = stage.still(
        "white",
        Size::new(4, stage.size.height),
        "yuv420p",
        vec![dark, full_size("point", stage.size)],
    );
    let blend = Filter::new("blend")
        .arg("c0_mode", "multiply")
        .arg("c1_mode", "normal")
        .arg("c1_opacity", 1)
        .arg("c2_mode", "normal")
        .arg("c2_opacity", 1)
        .arg("eof_action", "pass");
    picture.join(lines, blend)
}

/// Brown and flickering, with dust and scratches that change twelve times a second.
pub(super) fn old_film(graph: Graph, stage: &Stage) -> Graph {
    let flicker = "1+0.07*sin(31*t)*sin(17.3*t)+0.05*sin(53*t)";
    let brown = stage.during(
        Filter::new("lutyuv")
            .arg("y", "clip((val-16)*1.06+14,16,235)")
            .arg("u", "128-13+(val-128)*0.08")
            .arg("v", "128+11+(val-128)*0.08"),
    );
    let bright = stage.during(Filter::new("eq").arg("contrast", flicker).arg("eval", "frame"));
    let worn = grained(stage, copy().then([brown, bright]), 26, 1925);
    let blend = |mode: &str| {
        Filter::new("blend")
            .arg("c0_mode", mode)
            .arg("c1_mode", "normal")
            .arg("c1_opacity", 1)
            .arg("c2_mode", "normal")
            .arg("c2_opacity", 1)
            .arg("eof_action", "pass")
    };
    let dusty = worn.join(dust(stage), blend("multiply")).join(scratches(stage), blend("screen"));
    stage.mixed(graph, dusty, stage.strength)
}

/// A number from 0 to 1 that changes twelve times a second.
fn jump(index: u32) -> String {
    format!("mod(abs(sin((floor(t*12)+{index})*12.9898)*43758.5453),1)")
}

/// White with dark specks and hairs; each jump shows another part of it.
fn dust(stage: &Stage) -> Graph {
    let work = stage.reduced(540);
    let unit = f64::from(work.short_side()) / 100.0;
    let cell = (unit * 9.0).max(6.0).round();
    let random_value = |index: u32| format!("mod(abs(sin(ld(0)*12.9898+{index}*78.233)*43758.5453),1)");
    let place = |axis: u32, index: u32| format!("(ld({axis})-{cell}*(0.25+0.5*{}))", random_value(index));
    let setup = format!(
        "0*(st(0,floor(X/{cell})*17.17+floor(Y/{cell})*31.31)+st(1,mod(X,{cell}))+st(2,mod(Y,{cell})))"
    );
    let size = format!("({:.2}*(0.15+pow({},4)))", unit * 0.9, random_value(5));
    let bend = format!("(1+{}*3)", random_value(4));
    let speck = format!(
        "lt({},0.16)*exp(-pow(hypot({}*{bend},{})/{size},4))",
        random_value(3),
        place(1, 1),
        place(2, 2)
    );
    let draw =
        Filter::new("geq").arg("lum", format!("{setup}+255-235*{speck}")).arg("cb", 128).arg("cr", 128);
    let window = Filter::new("crop")
        .arg("w", work.width)
        .arg("h", work.height)
        .arg("x", format!("{}*{}", work.width, jump(1)))
        .arg("y", format!("{}*{}", work.height, jump(5)));
    // The sheet repeats the drawn part four times, so that every part of it has content.
    let spread =
        [Filter::new("loop").arg("loop", 3).arg("size", 1), Filter::new("tile").arg("layout", "2x2")];
    let sheet = [vec![draw], spread.to_vec()].concat();
    stage.still("white", work, "yuv420p", sheet).then([window, full_size("bilinear", stage.size)])
}

/// Thin bright lines from top to bottom.
fn scratches(stage: &Stage) -> Graph {
    let width = stage.reduced(540).width;
    let sheet = Size::new(width * 3, 16);
    let random_value = "mod(abs(sin(X*12.9898)*43758.5453),1)";
    let draw = Filter::new("geq")
        .arg("lum", format!("150*gt({random_value},{:.5})", 1.0 - 2.2 / f64::from(width)))
        .arg("cb", 128)
        .arg("cr", 128);
    let window = Filter::new("crop")
        .arg("w", width)
        .arg("h", 16)
        .arg("x", format!("{}*{}", width * 2, jump(9)))
        .arg("y", 0);
    stage.still("black", sheet, "yuv420p", vec![draw]).then([window, full_size("bilinear", stage.size)])
}
