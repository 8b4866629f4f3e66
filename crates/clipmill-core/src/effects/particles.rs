//! Effects made of many small things: snow, rain, sparkles, discs of light, confetti, and fog.
//!
//! A tile of randomly placed shapes is drawn once, one shape per cell, and then only moved, which costs next to nothing
//! per frame. Tiles wrap around without a seam.

use super::stage::{Stage, full_size};
use crate::filter_graph::{Filter, Graph};
use crate::media::Size;

/// The offset at which tiles begin to move, in pixels: whole steps from here never end on the border of a pixel.
const BETWEEN: f64 = 0.37;

/// Short side of the frames that tiles are drawn for.
const WORK: u32 = 360;

/// A grid of square or upright cells that covers the working frame.
#[derive(Clone, Copy)]
struct Grid {
    cell: Size,
    columns: u32,
    rows: u32,
    work: Size,
    /// How often the drawn part is repeated beside and below itself in the tile.
    repeated: u32,
}

impl Grid {
    /// Cells of `width` × `height` hundredths of the short side.
    fn new(stage: &Stage, width: f64, height: f64) -> Self {
        let work = stage.reduced(WORK);
        let side =
            |hundredths: f64| ((f64::from(work.short_side()) * hundredths / 200.0).round() as u32 * 2).max(4);
        let cell = Size::new(side(width), side(height));
        Self {
            cell,
            // One column more leaves room for swaying.
            columns: work.width.div_ceil(cell.width) + 1,
            rows: work.height.div_ceil(cell.height),
            work,
            repeated: 1,
        }
    }

    /// Draws a quarter and repeats it four times: for shapes that are indistinguishable.
    fn repeated(self) -> Self {
        let even = |n: u32| n.div_ceil(2) * 2;
        Self { columns: even(self.columns), rows: even(self.rows), repeated: 2, ..self }
    }

    /// The part of the tile that is drawn.
    fn drawn(&self) -> Size {
        let Size { width, height } = self.tile();
        Size::new(width / self.repeated, height / self.repeated)
    }

    /// Repeats the drawn part over the tile.
    fn spread(&self) -> Vec<Filter> {
        let n = self.repeated;
        let more = n * n - 1;
        let spread = [
            Filter::new("loop").arg("loop", more).arg("size", 1),
            Filter::new("tile").arg("layout", format!("{n}x{n}")),
        ];
        if more == 0 { vec![] } else { spread.to_vec() }
    }

    fn tile(&self) -> Size {
        Size::new(self.columns * self.cell.width, self.rows * self.cell.height)
    }

    /// How many pixels of the working frame are a hundredth of its short side.
    fn unit(&self) -> f64 {
        f64::from(self.work.short_side()) / 100.0
    }

    /// Stores the pixel's place in its cell in registers 1 and 2 and the cell's number in 0; evaluates to 0 itself.
    fn cell_setup(&self, seed: u32) -> String {
        let Size { width, height } = self.cell;
        format!(
            "0*(st(0,floor(X/{width})*17.17+floor(Y/{height})*31.31+{seed}.7)\
             +st(1,mod(X,{width})+0.5)+st(2,mod(Y,{height})+0.5))"
        )
    }

    /// Moves the tile down and to the right, in hundredths of the short side a second; negative is up and left.
    fn moving(&self, stage: &Stage, across: f64, down: f64) -> Filter {
        // The filter adds one step for each frame and rounds towards 0. Positive steps (by a whole tile more if
        // necessary) and a start between two pixels give the same positions wherever reading begins.
        let step = |speed: f64, side: u32| {
            let step = -speed * self.unit() / f64::from(stage.fps.get()) / f64::from(side);
            (step.rem_euclid(1.0) * 1e8).round() / 1e8
        };
        // The place is counted against the direction of movement.
        let place = |step: f64, side: u32| {
            let moved = f64::from(step as f32) * stage.skipped() as f64 + BETWEEN / f64::from(side);
            format!("{:.8}", (-moved).rem_euclid(1.0))
        };
        let Size { width, height } = self.tile();
        let (across, down) = (step(across, width), step(down, height));
        Filter::new("scroll")
            .arg("horizontal", format!("{across:.8}"))
            .arg("vertical", format!("{down:.8}"))
            .arg("hpos", place(across, width))
            .arg("vpos", place(down, height))
    }

    /// The part of the tile that is shown; it sways by `sway` of the spare cell.
    fn window(&self, sway: f64) -> Filter {
        let spare = f64::from(self.tile().width - self.work.width) * sway;
        Filter::new("crop")
            .arg("w", self.work.width)
            .arg("h", self.work.height)
            .arg("x", format!("{:.2}*(0.5+0.5*sin(1.4*t))", spare))
            .arg("y", 0)
    }

    /// The part of the tile that is shown; it sways over the spare cell at the given rate and phase.
    fn swaying_window(&self, (rate, phase): (f64, f64)) -> Filter {
        let spare = self.tile().width - self.work.width;
        let x = format!("{spare}*(0.5+0.5*sin({rate}*t+{phase}))");
        Filter::new("crop").arg("w", self.work.width).arg("h", self.work.height).arg("x", x).arg("y", 0)
    }
}

/// A number from 0 to 1 that differs from cell to cell and from `index` to `index`.
fn random_value(index: u32) -> String {
    format!("mod(abs(sin(ld(0)*12.9898+{index}*78.233)*43758.5453),1)")
}

/// A tile in planar RGB, with `light` (0 to 255) of every cell in its green channel.
fn tile(stage: &Stage, grid: &Grid, seed: u32, light: &str) -> Graph {
    let draw =
        Filter::new("geq").arg("r", 0).arg("g", format!("{}+{light}", grid.cell_setup(seed))).arg("b", 0);
    stage.still("black", grid.drawn(), "gbrp", [vec![draw], grid.spread()].concat())
}

/// Turns the green channel into light of the given colour.
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
        Some(light) => stage.lit(graph, light.then([tinted(color, stage.strength)]).then(stage.ramps(false))),
        None => graph,
    }
}

/// Soft flakes from far away, small and many, to near, where a few drift past out of focus.
pub(super) fn snow(graph: Graph, stage: &Stage) -> Graph {
    let layers = [
        Flakes { cell: 4.6, size: 0.40, level: 135.0, moving: (-1.5, 15.0), sway: (0.8, 0.0), seed: 1 },
        Flakes { cell: 6.1, size: 0.56, level: 175.0, moving: (-3.0, 21.0), sway: (1.1, 2.0), seed: 2 },
        Flakes { cell: 7.9, size: 0.85, level: 205.0, moving: (-4.0, 30.0), sway: (1.3, 4.4), seed: 3 },
        Flakes { cell: 12.1, size: 1.35, level: 235.0, moving: (-6.5, 41.0), sway: (1.0, 1.2), seed: 4 },
        Flakes { cell: 22.0, size: 2.5, level: 185.0, moving: (-9.0, 58.0), sway: (0.9, 3.3), seed: 5 },
        Flakes { cell: 47.0, size: 6.4, level: 85.0, moving: (-14.0, 86.0), sway: (0.7, 5.1), seed: 6 },
    ];
    let Some(light) = added(layers.iter().map(|layer| layer.draw(stage)).collect()) else { return graph };
    let brightness = Filter::new("lut").arg("c0", format!("val*{:.4}", stage.strength));
    let alpha = light.then([Filter::new("extractplanes").arg("planes", "g"), brightness]);
    // White covers what is behind it; light would take on its colour.
    let white = stage.canvas("white", stage.reduced(WORK), "yuva420p");
    stage.painted(graph, white.join(alpha, Filter::new("alphamerge")).then(stage.ramps(true)))
}

/// Flakes at one distance. Lengths are hundredths of the short side.
struct Flakes {
    cell: f64,
    size: f64,
    level: f64,
    moving: (f64, f64),
    sway: (f64, f64),
    seed: u32,
}

impl Flakes {
    fn draw(&self, stage: &Stage) -> Graph {
        let grid = Grid::new(stage, self.cell, self.cell);
        let (across, down) = self.moving;
        let haze = if self.seed == 1 { 14 } else { 0 };
        let flakes = tile(stage, &grid, self.seed, &format!("max({haze},{})", self.flake(&grid)));
        flakes.then([grid.moving(stage, across, down), grid.swaying_window(self.sway)])
    }

    /// A soft uneven flake anywhere in its cell, between half and full size; only three cells of five have one.
    fn flake(&self, grid: &Grid) -> String {
        let (radius, side) = ((self.size * grid.unit()).max(0.8), f64::from(grid.cell.width));
        let margin = (radius * 1.7).min(side / 2.0);
        let place = |axis: u32, index: u32| {
            format!("ld({axis})-({margin:.2}+{:.2}*{})", side - 2.0 * margin, random_value(index))
        };
        // Registers: 3 the flake's radius, 4 and 5 the pixel's place from its middle, 6 its direction from there.
        let setup = format!(
            "0*(st(3,{radius:.3}*(0.45+0.55*pow({},2)))+st(4,{})+st(5,{})+st(6,atan2(ld(5),ld(4)+0.001)+6.283*{}))",
            random_value(5),
            place(1, 1),
            place(2, 2),
            random_value(6)
        );
        let uneven = format!("(1+0.05*sin(2*ld(6))+0.06*sin(5*ld(6)+6*{}))", random_value(7));
        let light = format!("{}*(0.45+0.55*{})", self.level, random_value(4));
        format!(
            "if(lt({},0.6),{setup}+{light}*exp(-pow(hypot(ld(4),ld(5))*{uneven}/ld(3),2)),0)",
            random_value(3)
        )
    }
}

pub(super) fn rain(graph: Graph, stage: &Stage) -> Graph {
    const SLANT: f64 = 0.10;
    let layer = |wide: f64, high: f64, share: f64, level: f64, speed: f64, seed: u32| {
        let grid = Grid::new(stage, wide, high);
        let Size { width, height } = grid.cell;
        let reach = f64::from(width) - SLANT * f64::from(height) - 2.0;
        let line = format!("(1+{:.2}*{}+{SLANT}*({height}-ld(2)))", reach.max(1.0), random_value(1));
        let along = format!("(ld(2)/{height}-0.35*{})/0.6", random_value(2));
        let half_width = (0.16 * grid.unit()).max(0.55);
        let streak = format!(
            "{level}*lt({},{share})*exp(-pow((ld(1)-{line})/{half_width:.2},2))*pow(sin(PI*clip({along},0,1)),0.7)",
            random_value(3)
        );
        let haze = if seed == 1 { "max(20," } else { "max(0," };
        let drops = tile(stage, &grid, seed, &format!("{haze}{streak})"));
        drops.then([grid.moving(stage, -SLANT * speed, speed), grid.window(0.0)])
    };
    let layers = vec![
        layer(3.4, 13.0, 0.75, 150.0, 260.0, 1),
        layer(5.0, 22.0, 0.75, 200.0, 380.0, 2),
        layer(8.0, 36.0, 0.65, 235.0, 520.0, 3),
    ];
    lit_by(graph, stage, layers, [0.84, 0.91, 1.0])
}

/// Light that brightens and fades in each cell at a phase of its own, `rate` times a second. Each colour's share is
/// random within the given limits.
fn twinkle(
    stage: &Stage,
    grid: &Grid,
    (rate, power): (f64, f64),
    colors: [(f64, f64); 3],
    seed: u32,
) -> Graph {
    let cells = Size::new(grid.columns, grid.rows);
    let setup = format!("0*st(0,X*17.17+Y*31.31+{seed}.7)");
    let wave = format!(
        "pow(0.5+0.5*sin(2*PI*({rate}*(0.7+0.6*{})*T+{})),{power})",
        random_value(8),
        random_value(9)
    );
    let channel = |colors: (f64, f64), index: u32| {
        let (least, most) = colors;
        format!("{setup}+255*{wave}*({least}+{:.2}*{})", most - least, random_value(index))
    };
    let [red, green, blue] = colors;
    let draw = super::light::rgb(channel(red, 11), channel(green, 12), channel(blue, 13));
    stage.canvas("black", cells, "gbrp").then([draw, full_size("point", grid.tile())])
}

fn twinkling(tile: Graph, light: Graph) -> Graph {
    tile.join(light, Filter::new("blend").arg("all_mode", "multiply"))
}

pub(super) fn sparkle(graph: Graph, stage: &Stage) -> Graph {
    let layer = |cell: f64, size: f64, share: f64, seed: u32| {
        let grid = Grid::new(stage, cell, cell).repeated();
        let (middle, spread) = (f64::from(grid.cell.width) / 2.0, 0.25 * f64::from(grid.cell.width));
        let place = |axis: u32, index: u32| {
            format!("abs(ld({axis})-{middle}-{spread}*({}-0.5))", random_value(index))
        };
        // Registers: 3 the star's size, 4 and 5 the distances from its axes.
        let setup = format!(
            "0*(st(3,{:.3}*(0.5+0.5*{}))+st(4,{})+st(5,{}))",
            size * grid.unit(),
            random_value(5),
            place(1, 1),
            place(2, 2)
        );
        let edge = format!("clip(1.15-max(abs(ld(1)-{middle}),abs(ld(2)-{middle}))/{middle},0,0.4)*2.5");
        let ray = |long: u32, wide: u32| {
            format!("exp(-ld({long})/ld(3))*exp(-pow(ld({wide})/(ld(3)*0.13+0.35),2))")
        };
        let glow = "0.55*exp(-pow(hypot(ld(4),ld(5))/(ld(3)*0.75),2))";
        let star = format!(
            "if(lt({},{share}),{setup}+255*{edge}*min(1,1.25*({}+{})+{glow}),0)",
            random_value(3),
            ray(4, 5),
            ray(5, 4)
        );
        let stars = twinkling(
            tile(stage, &grid, seed, &star).then([tinted([1.0; 3], 1.0)]),
            twinkle(stage, &grid, (1.1, 3.0), [(1.0, 1.0); 3], seed),
        );
        stars.then([grid.window(0.0)])
    };
    let layers =
        vec![shimmer(stage), layer(9.0, 1.5, 0.9, 4), layer(17.0, 2.9, 0.85, 5), layer(29.0, 5.0, 0.7, 6)];
    lit_by(graph, stage, layers, [1.0, 0.93, 0.74])
}

/// A faint glow that wanders, in the green channel like all tiles.
fn shimmer(stage: &Stage) -> Graph {
    let glow = "48*pow(0.5+0.5*sin(2.6*X/W+1.9*sin(2.3*Y/H+0.8*T)-1.1*T),1.5)*(0.35+0.65*Y/H)";
    let draw = super::light::rgb("0".into(), glow.into(), "0".into());
    stage.canvas("black", stage.reduced(32), "gbrp").then([draw, full_size("bicubic", stage.reduced(WORK))])
}

pub(super) fn bokeh(graph: Graph, stage: &Stage) -> Graph {
    let layer = |cell: f64, share: f64, speed: f64, seed: u32| {
        let grid = Grid::new(stage, cell, cell);
        let side = f64::from(grid.cell.width);
        // Registers: 4 the disc's radius, 3 the distance from its middle in radii.
        let place = |index: u32| format!("(ld(4)+2+({side}-2*ld(4)-4)*{})", random_value(index));
        let setup = format!(
            "0*(st(4,{side}*(0.20+0.24*{}))+st(3,hypot(ld(1)-{},ld(2)-{})/ld(4)))",
            random_value(5),
            place(1),
            place(2)
        );
        // A disc with a brighter rim, as a lens draws a point that is out of focus.
        let disc = "250*(0.52+0.48*pow(min(1,ld(3)),5))/(1+exp((ld(3)-0.97)*30))";
        let light = format!("if(lt({},{share}),{setup}+{disc},0)", random_value(3));
        let discs = tile(stage, &grid, seed, &light).then([tinted([1.0; 3], 1.0)]);
        let discs = twinkling(
            discs,
            twinkle(stage, &grid, (0.35, 0.8), [(0.85, 1.0), (0.34, 0.78), (0.10, 0.70)], seed),
        );
        discs.then([grid.moving(stage, 0.0, -speed), grid.window(0.0)])
    };
    let layers = vec![layer(20.0, 0.45, 5.0, 7), layer(37.0, 0.62, 8.0, 8), layer(58.0, 0.6, 8.0, 9)];
    let Some(light) = added(layers) else { return graph };
    let level = format!("{:.4}", stage.strength);
    let gain = Filter::new("colorchannelmixer").arg("rr", &level).arg("gg", &level).arg("bb", &level);
    stage.lit(graph, light.then([gain]).then(stage.ramps(false)))
}

/// Paper snippets of all colours, tumbling as they fall: small ones far away, a few large ones near and out of focus.
pub(super) fn confetti(graph: Graph, stage: &Stage) -> Graph {
    let layers = [
        Snippets { cell: 5.6, size: 1.75, focus: 1.0, moving: (3.0, 40.0), sway: (1.1, 0.0), seed: 11 },
        Snippets { cell: 8.3, size: 2.6, focus: 1.0, moving: (-5.0, 56.0), sway: (1.5, 1.9), seed: 12 },
        Snippets { cell: 12.4, size: 3.7, focus: 1.0, moving: (6.0, 78.0), sway: (1.3, 4.1), seed: 13 },
        Snippets { cell: 31.0, size: 6.2, focus: 0.2, moving: (-9.0, 124.0), sway: (0.9, 2.7), seed: 14 },
    ];
    layers.iter().fold(graph, |graph, layer| stage.painted_rgb(graph, layer.draw(stage)))
}

/// Snippets at one distance. Lengths are hundredths of the short side.
struct Snippets {
    cell: f64,
    /// Half of the longest side.
    size: f64,
    /// 1 is sharp, less is softer.
    focus: f64,
    moving: (f64, f64),
    sway: (f64, f64),
    seed: u32,
}

impl Snippets {
    /// Draws each snippet once, as the distance from its axis. Its extent on either side of the axis depends on its
    /// current rotation, a number for each cell.
    fn draw(&self, stage: &Stage) -> Graph {
        let grid = Grid::new(stage, self.cell, self.cell);
        let cells = Size::new(grid.columns, grid.rows);
        let shapes = stage.still("black", grid.tile(), "gray", vec![self.distances(&grid)]);
        let lying =
            stage.canvas("black", cells, "gray").then([self.widths(), full_size("point", grid.tile())]);
        let sharpness = (self.focus * self.size * grid.unit()).max(1.0);
        let brightness =
            Filter::new("lut").arg("c0", format!("min(255,val*{sharpness:.2})*{:.4}", stage.strength));
        let alpha = lying.join(shapes, Filter::new("blend").arg("all_mode", "subtract")).then([brightness]);
        let colors = stage.canvas("black", cells, "gbrp").then([
            self.colors(),
            full_size("point", grid.tile()),
            Filter::new("format").arg("pix_fmts", "gbrap"),
        ]);
        let (across, down) = self.moving;
        let moved = [grid.moving(stage, across, down), grid.swaying_window(self.sway)];
        colors.join(alpha, Filter::new("alphamerge")).then(moved).then(stage.ramps(true))
    }

    /// The pixel's distance from the axis of its cell's snippet; 255 at half of the longest side and beyond the ends.
    fn distances(&self, grid: &Grid) -> Filter {
        let (side, long) = (f64::from(grid.cell.width), self.size * grid.unit());
        let margin = (long * 1.05).min(side / 2.0);
        let place = |axis: u32, index: u32| {
            format!("ld({axis})-({margin:.2}+{:.2}*{})", side - 2.0 * margin, random_value(index))
        };
        // Registers: 3 the snippet's angle, 4 and 5 the pixel's place from its middle, 6 along its axis and 7 across.
        let setup =
            format!("0*(st(3,6.283*{})+st(4,{})+st(5,{}))", random_value(5), place(1, 1), place(2, 2));
        let turned =
            "0*(st(6,abs(cos(ld(3))*ld(4)+sin(ld(3))*ld(5)))+st(7,abs(sin(ld(3))*ld(4)-cos(ld(3))*ld(5))))";
        let half = format!("({long:.2}*(0.5+0.5*{}))", random_value(6));
        let ends = format!("{}*max(0,ld(6)-{half}+0.5)", 255.0 * self.focus);
        let narrowed = format!("if(lt({},0.25),sqrt(max(0.001,1-pow(ld(6)/{half},2))),1)", random_value(7));
        let shape = format!("min(255,255*ld(7)/({long:.2}*{narrowed})+{ends})");
        let drawn = format!(
            "{}+if(lt({},0.7),{setup}+{turned}+{shape},255)",
            grid.cell_setup(self.seed),
            random_value(3)
        );
        Filter::new("geq").arg("lum", drawn)
    }

    /// Stores the orientation of a snippet towards the view in register 1: −1 and 1 show a whole side, 0 the edge.
    fn lying(&self) -> String {
        let turns = format!("(0.45+0.75*{})", random_value(8));
        format!("0*(st(0,X*17.17+Y*31.31+{}.7)+st(1,cos(2*PI*({turns}*T+{}))))", self.seed, random_value(9))
    }

    fn widths(&self) -> Filter {
        let widest = format!("(0.48+0.40*{})", random_value(10));
        Filter::new("geq").arg("lum", format!("{}+255*{widest}*(0.12+0.88*abs(ld(1)))", self.lying()))
    }

    /// Gives each snippet a bright colour; sides turned to the light shine.
    fn colors(&self) -> Filter {
        let shine = "pow(max(0,ld(1)),16)";
        let channel = |colors: [u32; 7]| {
            let chosen: Vec<_> =
                (0..).zip(colors).map(|(n, value)| format!("{value}*eq(ld(2),{n})")).collect();
            let light = "(0.70+0.12*ld(1)+0.18*abs(ld(1)))";
            format!(
                "{}+0*st(2,floor(7*{}))+min(255,({})*{light}+70*{shine})",
                self.lying(),
                random_value(4),
                chosen.join("+")
            )
        };
        super::light::rgb(
            channel([255, 240, 58, 255, 66, 150, 250]),
            channel([196, 66, 190, 108, 200, 92, 246]),
            channel([60, 132, 240, 74, 130, 236, 238]),
        )
    }
}

/// Banks of fog that drift through the frame.
pub(super) fn fog(graph: Graph, stage: &Stage) -> Graph {
    let setup = "0*(st(0,3*X/min(W,H)-0.55*T)+st(1,3*Y/min(W,H)+0.12*T)\
                 +st(2,ld(0)+0.9*sin(1.3*ld(1)+0.4*T))+st(3,ld(1)+0.8*sin(1.1*ld(0)-0.3*T)))";
    let cloud = "0.56+0.22*sin(1.3*ld(2)+0.6*sin(1.4*ld(3)))+0.15*sin(2.3*ld(3)+0.9*sin(1.9*ld(2)+0.5*T))\
                 +0.06*sin(4.1*ld(2)+3.7*ld(3)+T)";
    let level = format!("{}*{}", 235.0 * stage.strength, stage.envelope("T"));
    let alpha = format!("{setup}+{level}*clip(({cloud})*(0.55+0.6*Y/H),0,1)");
    let draw = Filter::new("geq").arg("lum", 214).arg("cb", 130).arg("cr", 126).arg("a", alpha);
    stage.painted(graph, stage.canvas("black", stage.reduced(60), "yuva420p").then([draw]))
}
