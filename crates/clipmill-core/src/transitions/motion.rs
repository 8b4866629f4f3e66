//! Transitions by motion: frames move, turn, grow or break, with the blur of their speed.

use super::masks::{Overlap, colors, crossfade, eased, over, random_value, scaled, smooth, speed};
use crate::filter_graph::{Filter, Graph};
use crate::media::Size;

/// Names of graphs that are used several times.
const FROM: &str = "from";
const TO: &str = "to";
const CHANGED: &str = "changed";

#[derive(Debug, Clone, Copy)]
pub enum Axis {
    X,
    Y,
}

/// Where the view moves.
#[derive(Debug, Clone, Copy)]
pub enum Toward {
    Start,
    End,
}

impl Axis {
    fn length(self, size: Size) -> u32 {
        match self {
            Self::X => size.width,
            Self::Y => size.height,
        }
    }

    /// Cuts out `length` pixels from `position`.
    fn crop(self, length: impl std::fmt::Display, position: impl std::fmt::Display) -> Filter {
        let crop = Filter::new("crop").arg("exact", 1);
        match self {
            Self::X => crop.arg("w", length).arg("x", position).arg("y", 0),
            Self::Y => crop.arg("h", length).arg("y", position).arg("x", 0),
        }
    }
}

/// A blur along an axis: every pixel is the average of `2^levels` pixels around it.
struct Blur {
    axis: Axis,
    /// Its length in pixels, as an expression in the frame number `n`.
    length: String,
    longest: u32,
    levels: u32,
}

impl Blur {
    /// How much wider the input of a level is than its output; a multiple of 4, so that chroma stays in place.
    fn shrinks(&self, level: u32) -> u32 {
        self.longest.div_ceil(4 << level) * 4
    }

    /// How much wider the input is than the result.
    fn margin(&self) -> u32 {
        (1..=self.levels).map(|level| self.shrinks(level)).sum()
    }

    /// Mirrors the frame beyond its edges to make room for the blur.
    fn mirrored(&self) -> Vec<Filter> {
        let edge = self.margin() / 2;
        match self.axis {
            Axis::X => mirrored([edge; 2], [0; 2]),
            Axis::Y => mirrored([0; 2], [edge; 2]),
        }
    }

    /// Averages pairs of copies, half as far apart at each level.
    fn average(&self, wide: Graph) -> Graph {
        (1..=self.levels).fold(wide, |graph, level| {
            let room = self.shrinks(level);
            let side = if matches!(self.axis, Axis::X) { "iw" } else { "ih" };
            let half = format!("floor(min({},{})/{}+0.5)", self.longest, self.length, 2 << level);
            let copy =
                |sign| vec![self.axis.crop(format!("{side}-{room}"), format!("{}{sign}{half}", room / 2))];
            graph.fork(copy('-'), copy('+'), average())
        })
    }

    fn apply(&self, graph: Graph) -> Graph {
        self.average(graph.then(self.mirrored()))
    }
}

fn average() -> Filter {
    Filter::new("blend").arg("all_mode", "average")
}

/// Enlarges the frame by mirrored borders: left and right, top and bottom.
fn mirrored([left, right]: [u32; 2], [top, bottom]: [u32; 2]) -> Vec<Filter> {
    let pad = Filter::new("pad")
        .arg("w", format!("iw+{}", left + right))
        .arg("h", format!("ih+{}", top + bottom))
        .arg("x", left)
        .arg("y", top);
    let fill = Filter::new("fillborders")
        .arg("left", left)
        .arg("right", right)
        .arg("top", top)
        .arg("bottom", bottom)
        .arg("mode", "mirror");
    vec![pad, fill]
}

/// Up to 1 at the middle and back.
fn bell(p: &str) -> String {
    format!("pow(sin(PI*{p}),2)")
}

/// A view that pans over frames side by side.
struct Pan {
    axis: Axis,
    toward: Toward,
    power: i32,
    /// How long the shutter is open, as a share of a frame.
    shutter: f64,
}

impl Pan {
    fn over(&self, overlap: &Overlap, mut tiles: Vec<Graph>) -> Graph {
        let length = self.axis.length(overlap.size);
        let travel = length * (tiles.len() as u32 - 1);
        let p = overlap.progress("n");
        let per_frame = self.shutter * f64::from(travel) / overlap.frames.0 as f64;
        let longest = (per_frame * f64::from(self.power)).ceil().min(f64::from(length / 2)) as u32;
        let blur_length = format!("{per_frame:.3}*{}", speed(&p, self.power));
        let blur = Blur { axis: self.axis, length: blur_length, longest, levels: 5 };
        let eased = eased(&p, self.power);
        let position = match self.toward {
            Toward::End => eased,
            Toward::Start => format!("(1-{eased})"),
        };
        if matches!(self.toward, Toward::Start) {
            tiles.reverse();
        }
        let stack = if matches!(self.axis, Axis::X) { "hstack" } else { "vstack" };
        let row = Filter::new(stack).arg("inputs", tiles.len());
        // Whole pixels of chroma, too.
        let window =
            self.axis.crop(length + blur.margin(), format!("2*floor({}*{position}+0.5)", travel / 2));
        blur.average(Graph::combine(tiles, row).then(blur.mirrored()).then([window]))
    }
}

pub fn push(overlap: &Overlap, from: Graph, to: Graph, (axis, toward): (Axis, Toward)) -> Graph {
    let pan = Pan { axis, toward, power: 3, shutter: 0.5 };
    pan.over(overlap, vec![from, to])
}

/// The view is flung aside over mirror images of both clips.
pub fn whip_pan(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    let mirror = |name: &str| Graph::copy_of(name).then([Filter::new("hflip")]);
    let tiles = vec![Graph::copy_of(FROM), mirror(FROM), mirror(TO), Graph::copy_of(TO)];
    let pan = Pan { axis: Axis::X, toward: Toward::End, power: 4, shutter: 0.9 };
    from.named(FROM, to.named(TO, pan.over(overlap, tiles)))
}

pub fn blur(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    let longest = overlap.size.width / 3;
    let length = format!("{longest}*{}", bell(&overlap.progress("n")));
    let blur = Blur { axis: Axis::X, length, longest, levels: 5 };
    blur.apply(blur.apply(crossfade(overlap, from, to, 0.5)))
}

/// Replaces each pixel by another one. The maps give the distances along both axes in pixels; at 128 there is none.
fn displaced(overlap: &Overlap, graph: Graph, [x, y]: [Graph; 2]) -> Graph {
    let map = |map: Graph| map.then([overlap.full_size("neighbor"), colors()]);
    Graph::combine([graph, map(x), map(y)], Filter::new("displace").arg("edge", "mirror"))
}

/// Blocks grow and shrink, each in the average colour of its pixels.
pub fn mosaic(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    let largest = (overlap.size.short_side() / 8).clamp(2, 250);
    let rhythm = |p: &str| format!("pow(1-abs(2*{p}-1),2)");
    let map = |axis: Axis| {
        let (at, side, size) = match axis {
            Axis::X => ("X", "W", Size::new(overlap.size.width, 2)),
            Axis::Y => ("Y", "H", Size::new(2, overlap.size.height)),
        };
        // The middle of the block, counted from that of the frame.
        let plane = |largest: f64| {
            let offset = format!("({at}+0.5-{side}/2)");
            let block = format!("st(1,{largest}*{})", rhythm("ld(0)"));
            let distance = format!("128.5+floor({offset}/ld(1)+0.5)*ld(1)-{offset}");
            overlap.drawn(&format!("if(lt({block},2),128,{distance})"))
        };
        let [luma, chroma] = [1.0, 0.5].map(|scale| plane(scale * f64::from(largest)));
        let draw = Filter::new("geq").arg("lum", luma).arg("cb", &chroma).arg("cr", &chroma);
        overlap.canvas("gray", size, "yuv420p").then([draw])
    };
    let p = rhythm(&overlap.progress("n"));
    let averaged = [Axis::X, Axis::Y].into_iter().fold(crossfade(overlap, from, to, 0.4), |graph, axis| {
        let length = format!("{largest}*{p}");
        Blur { axis, length, longest: largest, levels: 4 }.apply(graph)
    });
    displaced(overlap, averaged, [map(Axis::X), map(Axis::Y)])
}

/// Bands and blocks jump sideways, and their colours run away from them, while the clip changes block by block.
pub fn glitch(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    // A new chance 15 times a second.
    let moment = format!("floor(N/{})", (f64::from(overlap.fps.get()) / 15.0).round().max(1.0));
    let band = |bands: u32, seed: u32| random_value(&format!("floor(Y*{bands}/H)"), &moment, seed);
    let block = random_value("floor(X/4)*9+floor(Y*9/H)", &moment, 1);
    let size = Size::new(12, 84);
    let changed = overlap.blocks(size, &format!("gt((ld(0)-0.5)*2.2,0.5*({block}+{})-0.5)", band(28, 2)));
    let envelope = format!("st(2,{})", bell("ld(0)"));
    let wide = format!("gt({},1-0.8*ld(2))*(2*{}-1)", band(9, 3), band(9, 4));
    let narrow = format!("gt({},1-0.6*ld(2))*({}-0.5)", band(42, 5), band(42, 6));
    let reach = (0.2 * f64::from(overlap.size.width)).min(120.0);
    let plane = |scale: f64, fringe: &str| {
        let reach = scale * reach;
        let jump = format!("{reach:.2}*{envelope}*({wide}+{narrow}{fringe})");
        overlap.drawn(&format!("128.5+clip({jump},-127,127)"))
    };
    let fringe = |sign: char| format!("{sign}0.25*gt(ld(2),0.05)*{}", band(5, 7));
    let x = Filter::new("geq")
        .arg("lum", plane(1.0, ""))
        .arg("cb", plane(0.5, &fringe('+')))
        .arg("cr", plane(0.5, &fringe('-')));
    let still = Filter::new("lutyuv").arg("y", 128).arg("u", 128).arg("v", 128);
    let map = |draw: Filter| overlap.canvas("gray", size, "yuv420p").then([draw]);
    displaced(overlap, over(from, to, changed), [map(x), map(still)])
}

/// The clip is pressed flat over the next one; its lines are averaged meanwhile.
pub fn squeeze(overlap: &Overlap, from: Graph, to: Graph, axis: Axis) -> Graph {
    let share = |p: &str| format!("max(1-({}),0.01)", eased(p, 3));
    let length = format!("1/{}", share(&overlap.progress("n")));
    let longest = 64.min(axis.length(overlap.size) / 2);
    let thin = Blur { axis, length, longest, levels: 5 };
    let p = overlap.progress("(on-1)");
    let ends = |side: &str| ['-', '+'].map(|sign| format!("{side}/2{sign}{side}/2/{}", share(&p)));
    let whole = |side: &str| ["0".to_owned(), side.to_owned()];
    let (x, y, field) = match axis {
        Axis::X => (ends("W"), whole("H"), "abs(X+0.5-W/2)/(W/2)"),
        Axis::Y => (whole("W"), ends("H"), "abs(Y+0.5-H/2)/(H/2)"),
    };
    let view = Filter::new("perspective")
        .arg("x0", &x[0])
        .arg("y0", &y[0])
        .arg("x1", &x[1])
        .arg("y1", &y[0])
        .arg("x2", &x[0])
        .arg("y2", &y[1])
        .arg("x3", &x[1])
        .arg("y3", &y[1])
        .arg("interpolation", "linear")
        .arg("eval", "frame");
    let opacity = format!("({field}-1+({})*1.015)/0.015", eased("ld(0)", 3));
    over(thin.apply(from).then([view]), to, overlap.mask(&opacity))
}

/// The blurred frames of `blurred` replace those of `sharp` while the motion is fast.
fn while_fast(overlap: &Overlap, sharp: Graph, blurred: Graph) -> Graph {
    over(sharp, blurred, overlap.level(&smooth("5*min(ld(0),1-ld(0))-0.5")))
}

/// Averages the frames with copies that `moved` changes by 1/2, 1/4, 1/8 and 1/16 of their motion in a frame.
fn motion_blur(graph: Graph, moved: impl Fn(f64) -> Filter) -> Graph {
    [0.5, 0.25, 0.125, 0.0625]
        .into_iter()
        .fold(graph, |graph, share| graph.fork(vec![], vec![moved(share)], average()))
}

/// The view flies into the first clip and out of the depth of the second one, whose surroundings are its mirror image.
pub fn zoom_through(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    let Size { width, height } = overlap.size;
    // Exactly twice the frame, so that the view at rest is the frame itself.
    let border = |n: u32| [n / 4 * 2, n - n / 4 * 2];
    let p = overlap.progress("in");
    let view = |zoom: String, size: Size| {
        Filter::new("zoompan")
            .arg("z", zoom)
            .arg("x", "iw/2-iw/zoom/2")
            .arg("y", "ih/2-ih/zoom/2")
            .arg("d", 1)
            .arg("s", format!("{}x{}", size.width, size.height))
            .arg("fps", overlap.fps.get())
    };
    let zoom = format!("2*if(lt({p},0.5),pow(2.4,8*pow({p},3)),pow(2,-8*pow(1-{p},3)))");
    let half = overlap.reduced(overlap.size.short_side() / 2);
    let changed = crossfade(overlap, from, to, 0.2).then(mirrored(border(width), border(height)));
    let small = Graph::copy_of(CHANGED).then([scaled(half, "bilinear")]);
    let blurred = motion_blur(small, |share| view(format!("1+{}*pow(1-abs(2*{p}-1),2)", 0.32 * share), half));
    let blurred = blurred.then([overlap.full_size("bicubic")]);
    changed
        .then([view(zoom, overlap.size)])
        .named(CHANGED, while_fast(overlap, Graph::copy_of(CHANGED), blurred))
}

/// The view turns round once.
pub fn spin(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    let Size { width, height } = overlap.size;
    let diagonal = f64::from(width).hypot(f64::from(height));
    // The filter that mirrors cannot repeat the mirror image.
    let border = |n: u32| (((diagonal - f64::from(n)) / 4.0).ceil() as u32 * 2 + 4).min(n);
    let (x, y) = (border(width), border(height));
    let p = overlap.progress("n");
    let turn = |angle: String| Filter::new("rotate").arg("a", format!("2*PI*{angle}"));
    let view = |size: Size| turn(format!("({})", eased(&p, 3))).arg("ow", size.width).arg("oh", size.height);
    let third = |n: u32| n.div_ceil(6) * 2;
    let small = Graph::copy_of(CHANGED)
        .then([scaled(Size::new(third(width + 2 * x), third(height + 2 * y)), "bilinear")]);
    let per_frame = 0.6 / overlap.frames.0 as f64;
    let blurred = motion_blur(small, |share| turn(format!("{:.6}*{}", per_frame * share, speed(&p, 3))));
    let blurred = blurred.then([view(Size::new(third(width), third(height))), overlap.full_size("bicubic")]);
    let sharp = Graph::copy_of(CHANGED).then([view(overlap.size)]);
    crossfade(overlap, from, to, 0.2)
        .then(mirrored([x; 2], [y; 2]))
        .named(CHANGED, while_fast(overlap, sharp, blurred))
}
