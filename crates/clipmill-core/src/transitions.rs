//! Named transitions: the single table behind `transition`, the API's catalogue and the command line.

mod masks;
mod motion;

pub use masks::Overlap;
use motion::{Axis, Toward};

use crate::filter_graph::{Filter, Graph};

/// A transition from one clip to the next. Its name never changes.
#[derive(Debug)]
pub struct Transition {
    pub name: &'static str,
    pub title_en: &'static str,
    pub title_zh: &'static str,
    pub description_en: &'static str,
    pub description_zh: &'static str,
    drawing: Drawing,
}

impl PartialEq for Transition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Transition {}

/// How a transition is drawn. Texts are the order in which pixels change: an expression of `X`, `Y`, `W` and `H` from
/// 0 to 1.
#[derive(Debug)]
enum Drawing {
    Fade,
    /// Through a colour.
    Dip(&'static str),
    ThroughGray,
    Dissolve,
    Mosaic,
    Blur,
    Push(Axis, Toward),
    ZoomThrough,
    WhipPan,
    Spin,
    Glitch,
    /// The width of the edge is a share of the way.
    Wipe(&'static str, f64),
    Iris(&'static str),
    Clock,
    Slices(&'static str),
    Squeeze(Axis),
}

use Drawing::*;

const RIGHT: &str = "(X+0.5)/W";
const LEFT: &str = "1-(X+0.5)/W";
const DOWN: &str = "(Y+0.5)/H";
const UP: &str = "1-(Y+0.5)/H";
const TO_BOTTOM_RIGHT: &str = "((X+0.5)/W+(Y+0.5)/H)/2";
const TO_TOP_LEFT: &str = "1-((X+0.5)/W+(Y+0.5)/H)/2";
const CIRCLE: &str = "hypot(X+0.5-W/2,Y+0.5-H/2)/hypot(W/2,H/2)";
const AROUND: &str = "1-hypot(X+0.5-W/2,Y+0.5-H/2)/hypot(W/2,H/2)";
const FRAME: &str = "max(abs(2*(X+0.5)/W-1),abs(2*(Y+0.5)/H-1))";
const ASIDE: &str = "abs(2*(X+0.5)/W-1)";
const FROM_SIDES: &str = "1-abs(2*(X+0.5)/W-1)";
const APART: &str = "abs(2*(Y+0.5)/H-1)";
const FROM_TOP_AND_BOTTOM: &str = "1-abs(2*(Y+0.5)/H-1)";

const SHARP: f64 = 0.012;
const NARROW: f64 = 0.02;
const SOFT: f64 = 0.12;
const WIDE: f64 = 0.5;

macro_rules! transitions {
    ($($name:literal $title_en:literal $title_zh:literal $description_en:literal $description_zh:literal => $drawing:expr;)+) => {
        &[$(Transition {
            name: $name,
            title_en: $title_en,
            title_zh: $title_zh,
            description_en: $description_en,
            description_zh: $description_zh,
            drawing: $drawing,
        }),+]
    };
}

#[rustfmt::skip]
const TRANSITIONS: &[Transition] = transitions! {
    "fade" "Fade" "淡化" "One clip fades into the other" "两个画面柔和交替" => Fade;
    "fadeblack" "Through black" "黑场过渡" "Out into black, and in again" "先暗至全黑再亮起" => Dip("black");
    "fadewhite" "Through white" "白场过渡" "Out into white, and in again" "先亮至全白再显现" => Dip("white");
    "fadegrays" "Through grey" "灰阶过渡" "Colours fade, the clip changes, colours return" "色彩褪去，画面更替，色彩恢复" => ThroughGray;
    "dissolve" "Dissolve" "溶解" "The clip crumbles grain by grain" "画面逐粒溶解" => Dissolve;
    "pixelize" "Pixels" "像素化" "Blocks grow, the clip changes, blocks shrink" "方块变大，画面更替，方块变小" => Mosaic;
    "hblur" "Blur" "横向模糊" "A sideways blur in which the clip changes" "在横向模糊中更替画面" => Blur;
    "slideleft" "Push left" "左推" "The next clip pushes in from the right" "下一画面从右侧推入" => Push(Axis::X, Toward::End);
    "slideright" "Push right" "右推" "The next clip pushes in from the left" "下一画面从左侧推入" => Push(Axis::X, Toward::Start);
    "slideup" "Push up" "上推" "The next clip pushes in from below" "下一画面从下方推入" => Push(Axis::Y, Toward::End);
    "slidedown" "Push down" "下推" "The next clip pushes in from above" "下一画面从上方推入" => Push(Axis::Y, Toward::Start);
    "zoomthrough" "Zoom through" "穿越缩放" "The view flies through the clip into the next one" "镜头穿过画面飞入下一画面" => ZoomThrough;
    "whippan" "Whip pan" "甩镜头" "The camera swings over to the next clip" "镜头快速甩向下一画面" => WhipPan;
    "spin" "Spin" "旋转" "The view turns round once while the clip changes" "画面旋转一周并更替" => Spin;
    "glitch" "Glitch" "故障" "Blocks jump and lose their colours until the next clip is left" "画面条块错位、色彩分离后更替" => Glitch;
    "wipeleft" "Wipe left" "左擦除" "A sharp edge runs to the left" "清晰边缘向左擦除" => Wipe(LEFT, SHARP);
    "wiperight" "Wipe right" "右擦除" "A sharp edge runs to the right" "清晰边缘向右擦除" => Wipe(RIGHT, SHARP);
    "wipeup" "Wipe up" "上擦除" "A sharp edge runs upwards" "清晰边缘向上擦除" => Wipe(UP, SHARP);
    "wipedown" "Wipe down" "下擦除" "A sharp edge runs downwards" "清晰边缘向下擦除" => Wipe(DOWN, SHARP);
    "smoothleft" "Soft wipe left" "柔和左擦" "A soft edge runs to the left" "柔和边缘向左擦除" => Wipe(LEFT, WIDE);
    "smoothright" "Soft wipe right" "柔和右擦" "A soft edge runs to the right" "柔和边缘向右擦除" => Wipe(RIGHT, WIDE);
    "smoothup" "Soft wipe up" "柔和上擦" "A soft edge runs upwards" "柔和边缘向上擦除" => Wipe(UP, WIDE);
    "smoothdown" "Soft wipe down" "柔和下擦" "A soft edge runs downwards" "柔和边缘向下擦除" => Wipe(DOWN, WIDE);
    "circleopen" "Circle opens" "圆形展开" "The next clip grows in a circle" "下一画面在圆中展开" => Wipe(CIRCLE, NARROW);
    "circleclose" "Circle closes" "圆形收合" "The clip closes in a circle" "画面在圆中收合" => Wipe(AROUND, NARROW);
    "circlecrop" "Spotlight" "聚光圆" "A circle closes over black, and opens again" "圆形收合至黑场再展开" => Iris(CIRCLE);
    "rectcrop" "Frame" "方框" "A frame closes over black, and opens again" "方框收合至黑场再展开" => Iris(FRAME);
    "vertopen" "Doors open" "左右开门" "The clip parts to both sides" "画面向两侧打开" => Wipe(ASIDE, NARROW);
    "vertclose" "Doors close" "左右关门" "The next clip closes in from both sides" "下一画面从两侧合拢" => Wipe(FROM_SIDES, NARROW);
    "horzopen" "Curtain opens" "上下开幕" "The clip parts up and down" "画面向上下打开" => Wipe(APART, NARROW);
    "horzclose" "Curtain closes" "上下闭幕" "The next clip closes in from above and below" "下一画面从上下合拢" => Wipe(FROM_TOP_AND_BOTTOM, NARROW);
    "radial" "Clock" "时钟" "A hand sweeps round like a clock's" "如时钟指针旋转擦除" => Clock;
    "diagtl" "Diagonal to top left" "对角至左上" "A soft edge runs to the top left corner" "柔和边缘移向左上角" => Wipe(TO_TOP_LEFT, SOFT);
    "diagbr" "Diagonal to bottom right" "对角至右下" "A soft edge runs to the bottom right corner" "柔和边缘移向右下角" => Wipe(TO_BOTTOM_RIGHT, SOFT);
    "hlslice" "Slices left" "左切片" "Slices change one after another from the right" "切片自右向左依次更替" => Slices(LEFT);
    "hrslice" "Slices right" "右切片" "Slices change one after another from the left" "切片自左向右依次更替" => Slices(RIGHT);
    "vuslice" "Slices up" "上切片" "Slices change one after another from below" "切片自下而上依次更替" => Slices(UP);
    "vdslice" "Slices down" "下切片" "Slices change one after another from above" "切片自上而下依次更替" => Slices(DOWN);
    "squeezeh" "Flatten" "上下压缩" "The clip is pressed flat over the next one" "画面被压成一线露出下一画面" => Squeeze(Axis::Y);
    "squeezev" "Narrow" "左右压缩" "The clip is pressed narrow over the next one" "画面被压窄露出下一画面" => Squeeze(Axis::X);
};

/// Requests may name these, but no catalogue lists them: others do the same more beautifully.
const UNLISTED: [&str; 3] = ["rectcrop", "squeezeh", "squeezev"];

/// All names in the catalogue's order.
pub const NAMES: [&str; TRANSITIONS.len()] = {
    let mut names = [""; TRANSITIONS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = TRANSITIONS[index].name;
        index += 1;
    }
    names
};

impl Transition {
    pub fn all() -> &'static [Self] {
        TRANSITIONS
    }

    /// The transitions to choose from.
    pub fn listed() -> impl Iterator<Item = &'static Self> {
        TRANSITIONS.iter().filter(|transition| !UNLISTED.contains(&transition.name))
    }

    pub fn find(name: &str) -> Option<&'static Self> {
        TRANSITIONS.iter().find(|transition| transition.name == name)
    }

    /// Frames that lead from `from` to `to`, which overlap. The first one shows only `from`, and the one after the last
    /// would show only `to`. Unaffected pixels stay identical to the bit.
    pub fn apply(&self, from: Graph, to: Graph, overlap: &Overlap) -> Graph {
        let before = overlap.before.0;
        let held = |mode, length| {
            let filter = Filter::new("tpad").arg(mode, "clone").arg(length, before);
            (before > 0).then_some(filter).into_iter().chain([masks::colors()])
        };
        let from = from.then(held("stop_mode", "stop"));
        let to = to.then(held("start_mode", "start"));
        let drawn = match self.drawing {
            Fade => masks::fade(overlap, from, to),
            Dip(color) => masks::dip(overlap, from, to, color),
            ThroughGray => masks::through_gray(overlap, from, to),
            Dissolve => masks::dissolve(overlap, from, to),
            Mosaic => motion::mosaic(overlap, from, to),
            Blur => motion::blur(overlap, from, to),
            Push(axis, toward) => motion::push(overlap, from, to, (axis, toward)),
            ZoomThrough => motion::zoom_through(overlap, from, to),
            WhipPan => motion::whip_pan(overlap, from, to),
            Spin => motion::spin(overlap, from, to),
            Glitch => motion::glitch(overlap, from, to),
            Wipe(field, soft) => masks::wipe(overlap, from, to, (field, soft)),
            Iris(field) => masks::iris(overlap, from, to, field),
            Clock => masks::clock(overlap, from, to),
            Slices(field) => masks::slices(overlap, from, to, field),
            Squeeze(axis) => motion::squeeze(overlap, from, to, axis),
        };
        drawn.then([Filter::new("trim").arg("end_frame", overlap.total().0)])
    }
}

#[cfg(test)]
mod tests;
