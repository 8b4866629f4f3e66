//! Effects made of many small things: snow, rain, sparkles, discs of light, confetti, and fog.
//!
//! A tile of randomly placed shapes is drawn once, one shape to a cell, and then only moved: that costs next
//! to nothing for each frame. Tiles wrap around without a seam.

use super::stage::{Stage, full_size};
use crate::filter_graph::{Filter, Graph};
use crate::media::Size;

/// Short side of the pictures that tiles are drawn for.
const WORK: u32 = 360;

/// A grid of square or upright cells that covers the working picture.
#[derive(Clone, Copy)]
struct Grid {
    cell: Size,
    columns: u32,
    rows: u32,
    work: Size,
}

impl Grid {
    /// Cells of `width` × `height` hundredths of the short side.
    fn new(stage: &Stage, width: f64, height: f64) -> Self {
        let work = stage.reduced(WORK);
        let side = |hundredths: f64| ((f64::from(work.short_side()) * hundredths / 200.0).round() as u32 * 2).max(4);
        let cell = Size::new(side(width), side(height));
        Self {
            cell,
            // One column more leaves room for swaying.
            columns: work.width.div_ceil(cell.width) + 1,
            rows: work.height.div_ceil(cell.height),
            work,
        }
    }

    fn tile(&self) -> Size {
        Size::new(self.columns * self.cell.width, self.rows * self.cell.height)
    }

    /// Pixels of the working picture in a hundredth of its short side.
    fn unit(&self) -> f64 {
        f64::from(self.work.short_side()) / 100.0
    }

    /// Stores the pixel's place in its cell in registers 1 and 2 and the cell's number in 0; is itself 0.
    fn cell_setup(&self, seed: u32) -> String {
        let Size { width, height } = self.cell;
        format!(
            "0*(st(0,floor(X/{width})*17.17+floor(Y/{height})*31.31+{seed}.7)\
             +st(1,mod(X,{width})+0.5)+st(2,mod(Y,{height})+0.5))"
        )
    }

    /// Down and to the right, in hundredths of the short side a second; negative is up and left.
    fn moving(&self, stage: &Stage, across: f64, down: f64) -> Filter {
        let per_frame = |speed: f64, side: u32| -speed * self.unit() / f64::from(stage.fps.get()) / f64::from(side);
        let tile = self.tile();
        Filter::new("scroll")
            .arg("horizontal", format!("{:.8}", per_frame(across, tile.width)))
            .arg("vertical", format!("{:.8}", per_frame(down, tile.height)))
    }

    /// The part of the tile that is shown, swaying by `sway` of the spare cell.
    fn window(&self, sway: f64) -> Filter {
        let spare = f64::from(self.tile().width - self.work.width) * sway;
        Filter::new("crop")
            .arg("w", self.work.width)
            .arg("h", self.work.height)
            .arg("x", format!("{:.2}*(0.5+0.5*sin(1.4*t))", spare))
            .arg("y", 0)
    }
}

/// A number from 0 to 1 that differs from cell to cell and from `index` to `index`.
fn chance(index: u32) -> String {
    format!("mod(abs(sin(ld(0)*12.9898+{index}*78.233)*43758.5453),1)")
}

/// A tile in planar RGB whose green is `light` (0 to 255) in every cell.
fn tile(stage: &Stage, grid: &Grid, seed: u32, light: &str) -> Graph {
    let draw = Filter::new("geq").arg("r", 0).arg("g", format!("{}+{light}", grid.cell_setup(seed))).arg("b", 0);
    stage.still("black", grid.tile(), "gbrp", vec![draw])
}

/// Green becomes light of a colour.
fn tinted([red, green, blue]: [f64; 3], level: f64) -> Filter {
    Filter::new("colorchannelmixer")
        .arg("rr", 0)
        .arg("rg", format!("{:.4}", red * level))
        .arg("gg", format!("{:.4}", green * level))
        .arg("bb", 0)
        .arg("bg", format!("{:.4}", blue * level))
}

fn added(layers: Vec<Graph>) -> Option<Graph> {
    layers.into_iter().reduce(|sum, layer| sum.join(layer, Filter::new("blend").arg("all_mode", "addition")))
}

fn lit_by(graph: Graph, stage: &Stage, layers: Vec<Graph>, color: [f64; 3]) -> Graph {
    match added(layers) {
        Some(light) => {
            stage.lit(graph, light.then([tinted(color, stage.strength)]).then(stage.ramps(false)))
        }
        None => graph,
    }
}

/// A soft dot of `radius` hundredths somewhere in its cell, in a `share` of all cells.
fn dot(grid: &Grid, radius: f64, share: f64, level: f64) -> String {
    let (radius, Size { width, height }) = ((radius * grid.unit()).max(0.7), grid.cell);
    let place = |side: u32, index: u32| {
        let margin = (radius * 1.7).min(f64::from(side) / 2.0);
        format!("({margin:.2}+{:.2}*{})", f64::from(side) - 2.0 * margin, chance(index))
    };
    let distance = format!("hypot(ld(1)-{},ld(2)-{})", place(width, 1), place(height, 2));
    format!("{level}*lt({},{share})*(0.6+0.4*{})*exp(-pow({distance}/{radius:.2},4))", chance(3), chance(4))
}

pub(super) fn snow(graph: Graph, stage: &Stage) -> Graph {
    let layer = |cell: f64, radius: f64, share: f64, level: f64, speed: (f64, f64), seed: u32| {
        let grid = Grid::new(stage, cell, cell);
        let haze = if seed == 1 { "max(26," } else { "max(0," };
        let flakes = tile(stage, &grid, seed, &format!("{haze}{})", dot(&grid, radius, share, level)));
        flakes.then([grid.moving(stage, speed.0, speed.1), grid.window(1.0)])
    };
    let layers = vec![
        layer(4.2, 0.42, 0.75, 170.0, (-3.0, 26.0), 1),
        layer(8.0, 0.85, 0.70, 225.0, (-5.0, 44.0), 2),
        layer(21.0, 2.0, 0.55, 235.0, (-9.0, 78.0), 3),
    ];
    lit_by(graph, stage, layers, [0.97, 0.99, 1.0])
}

pub(super) fn rain(graph: Graph, stage: &Stage) -> Graph {
    const SLANT: f64 = 0.10;
    let layer = |wide: f64, high: f64, share: f64, level: f64, speed: f64, seed: u32| {
        let grid = Grid::new(stage, wide, high);
        let Size { width, height } = grid.cell;
        let reach = f64::from(width) - SLANT * f64::from(height) - 2.0;
        let line = format!("(1+{:.2}*{}+{SLANT}*({height}-ld(2)))", reach.max(1.0), chance(1));
        let along = format!("(ld(2)/{height}-0.35*{})/0.6", chance(2));
        let half_width = (0.16 * grid.unit()).max(0.55);
        let streak = format!(
            "{level}*lt({},{share})*exp(-pow((ld(1)-{line})/{half_width:.2},2))*between({along},0,1)*pow(sin(PI*clip({along},0,1)),0.7)",
            chance(3)
        );
        let haze = if seed == 1 { "max(20," } else { "max(0," };
        let drops = tile(stage, &grid, seed, &format!("{haze}{streak})"));
        drops.then([grid.moving(stage, -SLANT * speed, speed), grid.window(0.0)])
    };
    let layers = vec![
        layer(3.4, 13.0, 0.65, 120.0, 260.0, 1),
        layer(5.0, 22.0, 0.60, 165.0, 380.0, 2),
        layer(8.0, 36.0, 0.50, 205.0, 520.0, 3),
    ];
    lit_by(graph, stage, layers, [0.84, 0.91, 1.0])
}

/// Brightness that breathes in each cell at a phase of its own.
fn twinkle(stage: &Stage, grid: &Grid, rate: f64, power: f64, seed: u32) -> Graph {
    let cells = Size::new(grid.columns, grid.rows);
    let setup = format!("0*st(0,X*17.17+Y*31.31+{seed}.7)");
    let wave = format!("{setup}+255*pow(0.5+0.5*sin(2*PI*({rate}*(0.7+0.6*{})*T+{})),{power})", chance(8), chance(9));
    let draw = Filter::new("geq").arg("r", &wave).arg("g", &wave).arg("b", &wave);
    stage.canvas("black", cells, "gbrp").then([draw, full_size("point", grid.tile())])
}

fn twinkling(tile: Graph, light: Graph) -> Graph {
    tile.join(light, Filter::new("blend").arg("all_mode", "multiply"))
}

pub(super) fn sparkle(graph: Graph, stage: &Stage) -> Graph {
    let layer = |cell: f64, size: f64, share: f64, seed: u32| {
        let grid = Grid::new(stage, cell, cell);
        let (Size { width, .. }, size) = (grid.cell, format!("({:.3}*(0.5+0.5*{}))", size * grid.unit(), chance(5)));
        let middle = f64::from(width) / 2.0;
        let place = |index: u32| format!("({middle}+{:.2}*({}-0.5))", 0.25 * f64::from(width), chance(index));
        let (across, down) = (format!("abs(ld(1)-{})", place(1)), format!("abs(ld(2)-{})", place(2)));
        let edge = format!("clip(1.15-max(abs(ld(1)-{middle}),abs(ld(2)-{middle}))/{middle},0,0.4)*2.5");
        let ray = |long: &str, wide: &str| format!("exp(-{long}/{size})*exp(-pow({wide}/({size}*0.13+0.35),2))");
        let glow = format!("0.55*exp(-pow(hypot({across},{down})/({size}*0.75),2))");
        let star = format!(
            "255*lt({},{share})*{edge}*min(1,1.25*{}+1.25*{}+{glow})",
            chance(3), ray(&across, &down), ray(&down, &across)
        );
        let stars = twinkling(tile(stage, &grid, seed, &star), twinkle(stage, &grid, 1.1, 3.0, seed));
        stars.then([grid.window(0.0)])
    };
    let layers = vec![layer(11.0, 1.5, 0.85, 4), layer(19.0, 2.8, 0.8, 5), layer(31.0, 4.6, 0.65, 6)];
    lit_by(graph, stage, layers, [1.0, 0.93, 0.74])
}

pub(super) fn bokeh(graph: Graph, stage: &Stage) -> Graph {
    let layer = |cell: f64, share: f64, speed: f64, seed: u32| {
        let grid = Grid::new(stage, cell, cell);
        let side = f64::from(grid.cell.width);
        let radius = format!("({side}*(0.20+0.24*{}))", chance(5));
        let place = |index: u32| format!("({radius}+2+({side}-2*{radius}-4)*{})", chance(index));
        let setup = format!("{}+0*st(3,hypot(ld(1)-{},ld(2)-{})/{radius})", grid.cell_setup(seed), place(1), place(2));
        // A disc with a brighter rim, as a lens draws a point that is out of focus.
        let disc = format!("lt({},{share})*(0.50+0.50*pow(min(1,ld(3)),5))/(1+exp((ld(3)-0.97)*30))", chance(3));
        let channel = |least: f64, index: u32| format!("{setup}+210*{disc}*({least}+{:.2}*{})", 1.0 - least, chance(index));
        let draw = Filter::new("geq").arg("r", channel(0.8, 11)).arg("g", channel(0.30, 12)).arg("b", channel(0.12, 13));
        let discs = stage.still("black", grid.tile(), "gbrp", vec![draw]);
        let discs = twinkling(discs, twinkle(stage, &grid, 0.35, 0.8, seed));
        discs.then([grid.moving(stage, 0.0, -speed), grid.window(0.0)])
    };
    let layers = vec![layer(20.0, 0.42, 5.0, 7), layer(37.0, 0.55, 8.0, 8), layer(58.0, 0.5, 8.0, 9)];
    let Some(light) = added(layers) else { return graph };
    let level = format!("{:.4}", stage.strength);
    let gain = Filter::new("colorchannelmixer").arg("rr", &level).arg("gg", &level).arg("bb", &level);
    stage.lit(graph, light.then([gain]).then(stage.ramps(false)))
}

/// Paper snippets of all colours.
pub(super) fn confetti(graph: Graph, stage: &Stage) -> Graph {
    let layers = [(7.5, 1.15, (4.0, 62.0), 11), (11.0, 1.6, (-6.0, 88.0), 12), (17.0, 2.3, (8.0, 124.0), 13)];
    layers.into_iter().fold(graph, |graph, (cell, size, speed, seed)| {
        stage.painted(graph, snippets(stage, cell, size, speed, seed))
    })
}

fn snippets(stage: &Stage, cell: f64, size: f64, (across, down): (f64, f64), seed: u32) -> Graph {
    let grid = Grid::new(stage, cell, cell);
    let (side, long) = (f64::from(grid.cell.width), size * grid.unit());
    let place = |index: u32| format!("({:.2}+{:.2}*{})", 1.5 * long, side - 3.0 * long, chance(index));
    let turned = |first: &str, sign: &str, second: &str| {
        format!("abs({first}(6.283*{})*(ld(1)-{}){sign}{second}(6.283*{0})*(ld(2)-{}))", chance(5), place(1), place(2))
    };
    let half = format!("({long:.2}*(0.35+0.5*{}))", chance(6));
    let inside = format!(
        "clip({long:.2}-{}+0.5,0,1)*clip({half}-{}+0.5,0,1)",
        turned("cos", "+", "sin"), turned("sin", "-", "cos")
    );
    let setup = grid.cell_setup(seed);
    let alpha = format!("{setup}+{}*lt({},0.6)*{inside}", 255.0 * stage.strength, chance(3));
    let channel = |turn: f64| format!("{setup}+clip(140+135*cos(6.283*{}+{turn}),0,255)", chance(4));
    let draw = Filter::new("geq").arg("r", channel(0.0)).arg("g", channel(2.1)).arg("b", channel(4.2)).arg("a", alpha);
    let moved = [grid.moving(stage, across, down), grid.window(1.0)];
    stage.still("black", grid.tile(), "gbrap", vec![draw]).then(moved).then(stage.ramps(true))
}

/// Banks of fog that drift through the picture.
pub(super) fn fog(graph: Graph, stage: &Stage) -> Graph {
    let setup = "0*(st(0,3*X/min(W,H)-0.55*T)+st(1,3*Y/min(W,H)+0.12*T)\
                 +st(2,ld(0)+0.9*sin(1.3*ld(1)+0.4*T))+st(3,ld(1)+0.8*sin(1.1*ld(0)-0.3*T)))";
    let cloud = "0.52+0.26*sin(1.7*ld(2)+0.9*sin(1.9*ld(3)))+0.16*sin(3.3*ld(3)+1.4*sin(2.7*ld(2)+0.5*T))\
                 +0.09*sin(6.1*ld(2)+4.7*ld(3)+T)";
    let level = format!("{}*{}", 235.0 * stage.strength, stage.envelope("T"));
    let alpha = format!("{setup}+{level}*clip(({cloud})*(0.55+0.6*Y/H),0,1)");
    let draw = Filter::new("geq").arg("lum", 214).arg("cb", 130).arg("cr", 126).arg("a", alpha);
    stage.painted(graph, stage.canvas("black", stage.reduced(60), "yuva420p").then([draw]))
}
