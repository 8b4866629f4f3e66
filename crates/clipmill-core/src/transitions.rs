//! Named transitions: the single table behind `transition`, the API's catalogue and the command line.

use crate::filter_graph::{Filter, Graph};
use crate::time::{Fps, Frames};

/// A transition from one clip to the next. Its name is that of ffmpeg's `xfade`, and never changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Transition {
    pub name: &'static str,
    pub title_en: &'static str,
    pub title_zh: &'static str,
    pub description_en: &'static str,
    pub description_zh: &'static str,
}

macro_rules! transitions {
    ($($name:literal $title_en:literal $title_zh:literal $description_en:literal $description_zh:literal;)+) => {
        &[$(Transition {
            name: $name,
            title_en: $title_en,
            title_zh: $title_zh,
            description_en: $description_en,
            description_zh: $description_zh,
        }),+]
    };
}

#[rustfmt::skip]
const TRANSITIONS: &[Transition] = transitions! {
    "fade" "Fade" "淡化" "One clip fades into the other" "两个画面柔和交替";
    "fadeblack" "Through black" "黑场过渡" "Out into black, and in again" "先暗至全黑再亮起";
    "fadewhite" "Through white" "白场过渡" "Out into white, and in again" "先亮至全白再显现";
    "fadegrays" "Through grey" "灰阶过渡" "Colours fade, the clip changes, colours return" "色彩褪去，画面更替，色彩恢复";
    "dissolve" "Dissolve" "溶解" "The clip crumbles grain by grain" "画面逐粒溶解";
    "pixelize" "Pixels" "像素化" "Blocks grow, the clip changes, blocks shrink" "方块变大，画面更替，方块变小";
    "hblur" "Blur" "横向模糊" "A sideways blur in which the clip changes" "在横向模糊中更替画面";
    "slideleft" "Push left" "左推" "The next clip pushes in from the right" "下一画面从右侧推入";
    "slideright" "Push right" "右推" "The next clip pushes in from the left" "下一画面从左侧推入";
    "slideup" "Push up" "上推" "The next clip pushes in from below" "下一画面从下方推入";
    "slidedown" "Push down" "下推" "The next clip pushes in from above" "下一画面从上方推入";
    "wipeleft" "Wipe left" "左擦除" "A sharp edge runs to the left" "清晰边缘向左擦除";
    "wiperight" "Wipe right" "右擦除" "A sharp edge runs to the right" "清晰边缘向右擦除";
    "wipeup" "Wipe up" "上擦除" "A sharp edge runs upwards" "清晰边缘向上擦除";
    "wipedown" "Wipe down" "下擦除" "A sharp edge runs downwards" "清晰边缘向下擦除";
    "smoothleft" "Soft wipe left" "柔和左擦" "A soft edge runs to the left" "柔和边缘向左擦除";
    "smoothright" "Soft wipe right" "柔和右擦" "A soft edge runs to the right" "柔和边缘向右擦除";
    "smoothup" "Soft wipe up" "柔和上擦" "A soft edge runs upwards" "柔和边缘向上擦除";
    "smoothdown" "Soft wipe down" "柔和下擦" "A soft edge runs downwards" "柔和边缘向下擦除";
    "circleopen" "Circle opens" "圆形展开" "The next clip grows in a circle" "下一画面在圆中展开";
    "circleclose" "Circle closes" "圆形收合" "The clip closes in a circle" "画面在圆中收合";
    "circlecrop" "Spotlight" "聚光圆" "A circle closes over black, and opens again" "圆形收合至黑场再展开";
    "rectcrop" "Frame" "方框" "A frame closes over black, and opens again" "方框收合至黑场再展开";
    "vertopen" "Doors open" "左右开门" "The clip parts to both sides" "画面向两侧打开";
    "vertclose" "Doors close" "左右关门" "The next clip closes in from both sides" "下一画面从两侧合拢";
    "horzopen" "Curtain opens" "上下开幕" "The clip parts up and down" "画面向上下打开";
    "horzclose" "Curtain closes" "上下闭幕" "The next clip closes in from above and below" "下一画面从上下合拢";
    "radial" "Clock" "时钟" "A hand sweeps round like a clock's" "如时钟指针旋转擦除";
    "diagtl" "Diagonal to top left" "对角至左上" "A soft edge runs to the top left corner" "柔和边缘移向左上角";
    "diagbr" "Diagonal to bottom right" "对角至右下" "A soft edge runs to the bottom right corner" "柔和边缘移向右下角";
    "hlslice" "Slices left" "左切片" "Slices change one after another from the right" "切片自右向左依次更替";
    "hrslice" "Slices right" "右切片" "Slices change one after another from the left" "切片自左向右依次更替";
    "vuslice" "Slices up" "上切片" "Slices change one after another from below" "切片自下而上依次更替";
    "vdslice" "Slices down" "下切片" "Slices change one after another from above" "切片自上而下依次更替";
    "squeezeh" "Flatten" "上下压缩" "The clip is pressed flat over the next one" "画面被压成一线露出下一画面";
    "squeezev" "Narrow" "左右压缩" "The clip is pressed narrow over the next one" "画面被压窄露出下一画面";
};

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

    pub fn find(name: &str) -> Option<&'static Self> {
        TRANSITIONS.iter().find(|transition| transition.name == name)
    }

    /// `frames` frames that lead from `from` to `to`, each of which has as many: the first one shows only `from`, and
    /// the one after the last would show only `to`. The filter needs chroma at full size: it is doubled and halved
    /// again, so that unaffected pixels stay identical to the bit.
    pub fn apply(&self, from: Graph, to: Graph, frames: Frames, fps: Fps) -> Graph {
        self.apply_after(Frames(0), from, to, frames, fps)
    }

    /// The same when `from` has `first` more frames, which come before, and `to` as many more, which come after.
    pub fn apply_after(&self, first: Frames, from: Graph, to: Graph, frames: Frames, fps: Fps) -> Graph {
        // The filter misplaces its last frame if it sees an input's end before that frame, so both inputs have a frame more.
        let longer = || Filter::new("tpad").arg("stop_mode", "clone").arg("stop", 1);
        let full = |graph: Graph| graph.then([longer()]).then(nearest("yuv444p"));
        let seconds = |frames: Frames| format!("{:.6}", frames.seconds(fps));
        let offset = if first.0 == 0 { "0".to_owned() } else { seconds(first) };
        let xfade = Filter::new("xfade")
            .arg("transition", self.name)
            .arg("duration", seconds(frames))
            .arg("offset", offset);
        let all = Filter::new("trim").arg("end_frame", 2 * first.0 + frames.0);
        full(from).join(full(to), xfade).then([all]).then(nearest("yuv420p"))
    }
}

fn nearest(format: &'static str) -> [Filter; 2] {
    [Filter::new("scale").arg("flags", "neighbor"), Filter::new("format").arg("pix_fmts", format)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_can_be_found() {
        let names: std::collections::BTreeSet<&str> =
            Transition::all().iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), Transition::all().len());
        assert!(names.len() >= 20);
        assert!(
            names
                .iter()
                .all(|name| Transition::find(name).is_some_and(|transition| transition.name == *name))
        );
        assert_eq!(Transition::find("fadeout"), None);
    }
}
