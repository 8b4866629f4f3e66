//! Transitions by masks: the opacity of the second clip, or of a colour over both, for each pixel and frame.
//!
//! Opacities are computed by `geq` on a small frame. Its expressions find the progress, from 0 to 1, in `ld(0)`.

use crate::filter_graph::{Filter, Graph};
use crate::media::Size;
use crate::time::{Fps, Frames};

/// Pixels on the short side of a mask. Larger frames scale it up, which makes its edges as smooth as they should be.
const MASK_SIDE: u32 = 180;

/// Where two clips overlap.
#[derive(Debug, Clone, Copy)]
pub struct Overlap {
    pub size: Size,
    pub fps: Fps,
    /// The length of the transition.
    pub frames: Frames,
    /// Further frames of the first clip, which come before, and as many of the second one, which come after.
    pub before: Frames,
}

impl Overlap {
    pub fn total(&self) -> Frames {
        Frames(2 * self.before.0 + self.frames.0)
    }

    /// The progress from 0 to 1 at the frame with this number, as an expression.
    pub fn progress(&self, number: &str) -> String {
        match self.before.0 {
            0 => format!("clip({number}/{},0,1)", self.frames.0),
            before => format!("clip(({number}-{before})/{},0,1)", self.frames.0),
        }
    }

    /// The frame's shape with at most `short` pixels on the short side.
    pub fn reduced(&self, short: u32) -> Size {
        let scale = (f64::from(short) / f64::from(self.size.short_side())).min(1.0);
        let side = |n: u32| ((f64::from(n) * scale / 2.0).round() as u32 * 2).max(2);
        Size::new(side(self.size.width), side(self.size.height))
    }

    /// Frames of one colour for the whole time.
    pub fn canvas(&self, color: &str, size: Size, format: &str) -> Graph {
        let fps = f64::from(self.fps.get());
        let color = Filter::new("color")
            .arg("c", color)
            .arg("s", format!("{}x{}", size.width, size.height))
            .arg("r", self.fps.get())
            .arg("d", format!("{:.6}", (self.total().0 as f64 + 0.5) / fps));
        // ffmpeg 7 and later scale grey in full range only.
        let stated = if format == "gray" { Filter::new("setparams").arg("range", "pc") } else { colors() };
        Graph::source(color).then([Filter::new("format").arg("pix_fmts", format), stated])
    }

    /// Scales frames to the full size.
    pub fn full_size(&self, flags: &str) -> Filter {
        scaled(self.size, flags)
    }

    /// The expression `value` in the state of the progress.
    pub fn drawn(&self, value: &str) -> String {
        format!("st(0,{});{value}", self.progress("N"))
    }

    /// The mask with this opacity for each pixel of `canvas`.
    fn mask_on(&self, canvas: Graph, opacity: &str, flags: &str) -> Graph {
        let value = self.drawn(&format!("255*clip({opacity},0,1)+0.5"));
        let draw = Filter::new("geq").arg("lum", value).arg("interpolation", "nearest");
        canvas.then([draw, self.full_size(flags), colors()])
    }

    pub fn mask(&self, opacity: &str) -> Graph {
        self.mask_on(self.canvas("black", self.reduced(MASK_SIDE), "gray"), opacity, "bilinear")
    }

    /// A mask of blocks, `size` of them.
    pub fn blocks(&self, size: Size, opacity: &str) -> Graph {
        self.mask_on(self.canvas("black", size, "gray"), opacity, "neighbor")
    }

    /// A mask that has the same opacity everywhere.
    pub fn level(&self, opacity: &str) -> Graph {
        self.blocks(Size::new(2, 2), opacity)
    }
}

/// States the colours of frames: ffmpeg 7 and later convert inputs of one filter to each other's.
pub fn colors() -> Filter {
    Filter::new("setparams").arg("range", "tv").arg("colorspace", "bt709")
}

/// Scales frames, with the same result on all processors.
pub fn scaled(size: Size, flags: &str) -> Filter {
    let flags = format!("{flags}+accurate_rnd+bitexact");
    Filter::new("scale").arg("w", size.width).arg("h", size.height).arg("flags", flags)
}

/// Overlays `top`. Pixels at opacity 0 and 1 are identical to those of `base` and `top`.
pub fn over(base: Graph, top: Graph, mask: Graph) -> Graph {
    let top = top.then([Filter::new("format").arg("pix_fmts", "yuva420p")]);
    let top = top.join(mask, Filter::new("alphamerge"));
    base.join(top, Filter::new("overlay").arg("format", "yuv420"))
}

/// Accelerates up to the middle, then slows down: the power of the progress `p` on both sides.
pub fn eased(p: &str, power: i32) -> String {
    let factor = 2_i32.pow(power.unsigned_abs() - 1);
    format!("if(lt({p},0.5),{factor}*pow({p},{power}),1-{factor}*pow(1-{p},{power}))")
}

/// How fast [`eased`] is.
pub fn speed(p: &str, power: i32) -> String {
    let factor = 2_i32.pow(power.unsigned_abs() - 1) * power;
    format!("{factor}*pow(min({p},1-{p}),{})", power - 1)
}

/// A smooth step from 0 to 1.
pub fn smooth(value: &str) -> String {
    format!("st(9,clip({value},0,1))*ld(9)*(3-2*ld(9))")
}

/// A number from 0 to 1 that depends on two numbers only. All of it is computed with whole numbers, so that it is the
/// same on all machines.
pub fn random_value(a: &str, b: &str, seed: u32) -> String {
    let mixed = format!("mod(({a})*7919+({b})*104729+{},99991)", seed * 15_485 + 4711);
    let squared = format!("mod(st(8,{mixed})*ld(8)+ld(8),99989)");
    format!("mod(st(8,{squared})*ld(8)+7*ld(8),9973)/9973")
}

/// The clips fade into each other within `width` of the progress, around the middle.
pub fn crossfade(overlap: &Overlap, from: Graph, to: Graph, width: f64) -> Graph {
    over(from, to, overlap.level(&smooth(&format!("(ld(0)-0.5)/{width}+0.5"))))
}

pub fn fade(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    over(from, to, overlap.level("ld(0)"))
}

/// The second clip appears where `field` (0 to 1) is less than the eased progress, with an edge of the width `soft`.
pub fn wipe(overlap: &Overlap, from: Graph, to: Graph, (field, soft): (&str, f64)) -> Graph {
    let opacity = format!("({}*{}-({field}))/{soft}", eased("ld(0)", 2), 1.0 + soft);
    over(from, to, overlap.mask(&opacity))
}

/// One slice after the other is wiped, in the direction of `field`.
pub fn slices(overlap: &Overlap, from: Graph, to: Graph, field: &str) -> Graph {
    let field = format!("0.5*floor(6*({field}))/5+0.5*mod(6*({field}),1)");
    wipe(overlap, from, to, (&field, 0.02))
}

/// A hand sweeps round from 12 o'clock. The edge where it starts is soft, too.
pub fn clock(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    let turned = "st(1,mod(atan2(X+0.5-W/2,H/2-Y-0.5)/(2*PI)+1,1))";
    let hand = format!("({}*1.03-{turned})/0.03", eased("ld(0)", 2));
    over(from, to, overlap.mask(&format!("max({hand},min(1,6*ld(0))*(ld(1)-0.985)/0.015)")))
}

/// The clip crumbles: small grains in large clouds.
pub fn dissolve(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    let mask_size = overlap.reduced(MASK_SIDE);
    let noise = |short: u32, seed: u32| {
        let value = format!("255*{}", random_value("X", "Y", seed));
        let scale = scaled(mask_size, "bicubic");
        let draw = [Filter::new("geq").arg("lum", value), scale];
        overlap.canvas("black", overlap.reduced(short), "gray").then(draw)
    };
    let clouds = noise(8, 1).join(noise(60, 2), Filter::new("blend").arg("all_mode", "average"));
    let field = "clip((lum(X,Y)/255-0.5)*1.5+0.5,0,1)";
    let opacity = format!("({}*1.15-{field})/0.15", eased("ld(0)", 2));
    over(from, to, overlap.mask_on(clouds, &opacity, "bilinear"))
}

/// A colour covers the first clip with this mask and then uncovers the second one.
fn covered(overlap: &Overlap, from: Graph, to: Graph, (color, mask): (&str, Graph)) -> Graph {
    let changed = over(from, to, overlap.level("gte(ld(0),0.5)"));
    over(changed, overlap.canvas(color, overlap.size, "yuv420p"), mask)
}

/// From 0 up to 1 at the middle, a little before it, and back.
const THERE_AND_BACK: &str = "2.2*min(ld(0),1-ld(0))";

pub fn dip(overlap: &Overlap, from: Graph, to: Graph, color: &str) -> Graph {
    covered(overlap, from, to, (color, overlap.level(&smooth(THERE_AND_BACK))))
}

/// Black closes in from where `field` is 1 to where it is 0, and opens again.
pub fn iris(overlap: &Overlap, from: Graph, to: Graph, field: &str) -> Graph {
    let mask = overlap.mask(&format!("({}*1.02-1+{field})/0.02", smooth(THERE_AND_BACK)));
    covered(overlap, from, to, ("black", mask))
}

/// Colours fade to grey before the clips change, and return afterwards.
pub fn through_gray(overlap: &Overlap, from: Graph, to: Graph) -> Graph {
    let p = overlap.progress("n");
    let color = format!("1-{}", smooth(&format!("2.6*min({p},1-{p})")));
    crossfade(overlap, from, to, 0.5).then([Filter::new("hue").arg("s", color)])
}
