//! Where, when and how strongly an effect is applied, and how it is combined with the frame.
//!
//! Every effect fades in and out on a ramp and leaves the frames outside its range unchanged. All times are absolute
//! times of the output, regardless of which part of the output a graph makes.

use crate::color_space::with_alpha;
use crate::filter_graph::{Filter, Graph};
use crate::media::Size;
use crate::time::{Fps, Frames};

/// Longest ramp in and out, in seconds; an effect shorter than four ramps has ramps of a quarter of its length.
const MAX_RAMP_S: f64 = 0.15;

/// One use of an effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    pub size: Size,
    pub fps: Fps,
    /// The first frame that is changed, counted in the output.
    pub begin: Frames,
    /// Frames that are changed, at least 1.
    pub frames: Frames,
    /// Above 0, at most 1.
    pub strength: f64,
    /// The frame of the output that comes first in the graph.
    pub graph_begin: Frames,
}

impl Stage {
    /// An effect of `duration_s` seconds from `position_percent` of an output of `length` frames; it begins earlier if
    /// it would outlast the output.
    pub fn new(
        (size, fps, length): (Size, Fps, Frames),
        strength_percent: f64,
        duration_s: f64,
        position_percent: f64,
    ) -> Self {
        let frames = Frames(Frames::nearest(duration_s, fps).0.clamp(1, length.0.max(1)));
        let event_frame = (length.0 as f64 * position_percent / 100.0).round() as u64;
        let begin = Frames(event_frame.min(length.0.saturating_sub(frames.0)));
        let strength = (strength_percent / 100.0).clamp(0.01, 1.0);
        Self { size, fps, begin, frames, strength, graph_begin: Frames(0) }
    }

    /// The second at which the first changed frame is shown.
    pub fn begin_s(&self) -> f64 {
        self.begin.seconds(self.fps)
    }

    pub fn duration_s(&self) -> f64 {
        self.frames.seconds(self.fps)
    }

    fn frame_s(&self) -> f64 {
        1.0 / f64::from(self.fps.get())
    }

    /// The times at which the ramps are 0: one frame before the range and one after, so that even one frame is changed.
    fn span(&self) -> (f64, f64) {
        let begin = self.begin_s() - self.frame_s();
        (begin, self.begin_s() + self.duration_s())
    }

    fn ramp_s(&self) -> f64 {
        let (begin, end) = self.span();
        MAX_RAMP_S.min((end - begin) / 4.0)
    }

    /// The strength, from 0 up to 1 and back, as an expression in the time `t` (`t` or `T`, as the filter calls it).
    pub fn envelope(&self, t: &str) -> String {
        let (begin, end) = self.span();
        let ramp = self.ramp_s();
        format!("clip(min({t}-({begin:.6}),{end:.6}-{t})/{ramp:.6},0,1)")
    }

    /// The envelope with a soft start, for movement, where even a small change is visible.
    pub fn soft_envelope(&self, t: &str) -> String {
        format!("pow({},2)", self.envelope(t))
    }

    /// The strength for movement: weak movement is more easily seen than weak light.
    pub fn reach(&self) -> f64 {
        self.strength.powf(1.25)
    }

    /// Output time for filters that know only their frame count (`count`).
    pub fn time_of_frame(&self, count: &str) -> String {
        format!("({count}+{})/{}", self.graph_begin.0, self.fps.get())
    }

    /// Enables the filter inside the range only; it costs nothing outside.
    pub fn during(&self, filter: Filter) -> Filter {
        let half = self.frame_s() / 2.0;
        let (begin, end) = (self.begin_s() - half, self.begin_s() + self.duration_s() - half);
        filter.arg("enable", format!("between(t,{begin:.6},{end:.6})"))
    }

    /// [`Stage::during`] for a filter that waits for a second input and so does not know at once which frame it has:
    /// one frame more on both sides.
    pub fn around(&self, filter: Filter) -> Filter {
        let begin = self.begin_s() - 1.5 * self.frame_s();
        let end = self.begin_s() + self.duration_s() + 0.5 * self.frame_s();
        filter.arg("enable", format!("between(t,{begin:.6},{end:.6})"))
    }

    /// Frames of one colour for the range and one frame more, at which every ramp has come to 0.
    pub fn canvas(&self, color: &str, size: Size, format: &str) -> Graph {
        let skipped = self.skipped();
        let frame_number = format!("N+{}", self.begin.0 + skipped);
        self.numbered(color, size, format, self.frames.0 - skipped + 1, &frame_number)
    }

    /// [`Stage::canvas`] for a filter that needs a second input at all times: one more frame precedes the range, from
    /// the first frame on.
    pub fn lasting_canvas(&self, color: &str, size: Size, format: &str) -> Graph {
        if self.begin <= self.graph_begin {
            return self.canvas(color, size, format);
        }
        let frame_number = format!("if(N,N+{}-1,{})", self.begin.0, self.graph_begin.0);
        self.numbered(color, size, format, self.frames.0 + 2, &frame_number)
    }

    /// `frames` frames of one colour, each shown from the output's frame that `shown` computes.
    fn numbered(&self, color: &str, size: Size, format: &str, frames: u64, shown: &str) -> Graph {
        let filter = color_source(color, size, self.fps).arg("d", format!("{:.6}", self.seconds_of(frames)));
        let times = Filter::new("setpts").arg("expr", format!("({shown})/({}*TB)", self.fps.get()));
        Graph::source(filter).then(drawn_in(format)).then([times])
    }

    /// One frame made by `draw` and shown for the range.
    pub fn still(&self, color: &str, size: Size, format: &str, draw: Vec<Filter>) -> Graph {
        let filter = color_source(color, size, self.fps).arg("d", format!("{:.6}", self.seconds_of(1)));
        let (fps, skipped) = (self.fps.get(), self.skipped());
        let begin = self.begin.0 + skipped;
        Graph::source(filter).then(drawn_in(format)).then(draw).then([
            Filter::new("loop").arg("loop", -1).arg("size", 1),
            Filter::new("trim").arg("end_frame", self.frames.0 - skipped + 1),
            Filter::new("setpts").arg("expr", format!("(N+{begin})/({fps}*TB)")),
        ])
    }

    /// Frames of the range before the graph's first one, which need not be drawn.
    pub fn skipped(&self) -> u64 {
        self.graph_begin.0.saturating_sub(self.begin.0).min(self.frames.0)
    }

    /// A little less than this many frames last, so that rounding gives no extra frame.
    fn seconds_of(&self, frames: u64) -> f64 {
        (frames as f64 - 0.5) * self.frame_s()
    }

    /// Fades frames in and out; with `alpha` by their opacity, otherwise to black.
    pub fn ramps(&self, alpha: bool) -> Vec<Filter> {
        let (begin, end) = self.span();
        let (fps, ramp, alpha) = (self.fps.get(), self.ramp_s(), u8::from(alpha));
        // `fade` accepts no time below 0: while it works, all times are one frame later.
        let fade = |kind: &str, start: f64| {
            Filter::new("fade")
                .arg("type", kind)
                .arg("start_time", format!("{:.6}", start + self.frame_s()))
                .arg("duration", format!("{ramp:.6}"))
                .arg("alpha", alpha)
        };
        // `fade` also counts in whole ticks, and a frame is too long a tick for short ramps.
        vec![
            Filter::new("settb").arg("expr", "1/1000000"),
            Filter::new("setpts").arg("expr", format!("PTS+1/({fps}*TB)")),
            fade("in", begin),
            fade("out", end - ramp),
            Filter::new("setpts").arg("expr", format!("PTS-1/({fps}*TB)")),
            Filter::new("settb").arg("expr", format!("1/{fps}")),
        ]
    }

    /// Crossfades to a changed frame: `changed` is a graph over `copy`, and `opacity` its opacity between the ramps.
    pub fn mixed(&self, graph: Graph, changed: Graph, opacity: f64) -> Graph {
        let mut filters = vec![Filter::new("format").arg("pix_fmts", "yuva420p")];
        if opacity < 1.0 {
            filters.push(self.during(Filter::new("lutyuv").arg("a", format!("{:.0}", 255.0 * opacity))));
        }
        filters.extend(self.ramps(true));
        branch(graph, [copy(), changed.then(filters)], self.overlay(0, 0))
    }

    /// Overlays frames that have an alpha channel, any size and ramps of their own.
    pub fn painted(&self, graph: Graph, layer: Graph) -> Graph {
        let scale = with_alpha(full_size("bicubic", self.size));
        let layer = layer.then([scale, Filter::new("format").arg("pix_fmts", "yuva420p")]);
        graph.join(layer, self.overlay(0, 0))
    }

    /// [`Stage::painted`] for frames in planar RGB with an alpha channel.
    pub fn painted_rgb(&self, graph: Graph, layer: Graph) -> Graph {
        let colors = with_alpha(full_size("bicubic", self.size))
            .arg("matrixin", "gbr")
            .arg("rangein", "full")
            .arg("matrix", 709)
            .arg("range", "limited");
        let layer = layer.then([colors, Filter::new("format").arg("pix_fmts", "yuva420p")]);
        graph.join(layer, self.overlay(0, 0))
    }

    pub fn overlay(&self, x: impl std::fmt::Display, y: impl std::fmt::Display) -> Filter {
        Filter::new("overlay").arg("x", x).arg("y", y).arg("format", "yuv420").arg("eof_action", "pass")
    }

    /// Adds light: frames in planar RGB, black where there is none, of any size and with ramps of their own.
    pub fn lit(&self, graph: Graph, light: Graph) -> Graph {
        let light = light.then([
            full_size("bicubic", self.size)
                .arg("matrixin", "gbr")
                .arg("rangein", "full")
                .arg("matrix", 709)
                .arg("range", "full"),
            Filter::new("format").arg("pix_fmts", "yuv420p"),
            // Limited range puts the neutral values, which change nothing, at luma 0 and chroma 128.
            Filter::new("setparams").arg("range", "tv"),
        ]);
        let blend = Filter::new("blend")
            .arg("c0_mode", "screen")
            .arg("c1_mode", "grainmerge")
            .arg("c2_mode", "grainmerge")
            .arg("eof_action", "pass");
        let limit = Filter::new("limiter").arg("min", 0).arg("max", 235).arg("planes", 1);
        graph.join(light, blend).then([self.during(limit)])
    }

    /// Pixels on the short side.
    pub fn short(&self) -> f64 {
        f64::from(self.size.short_side())
    }

    /// A size of about `short` pixels on the short side with the frame's shape; never larger than it.
    pub fn reduced(&self, short: u32) -> Size {
        let scale = (f64::from(short) / f64::from(self.size.short_side())).min(1.0);
        let side = |n: u32| ((f64::from(n) * scale / 2.0).round() as u32 * 2).max(2);
        Size::new(side(self.size.width), side(self.size.height))
    }
}

/// A copy of the input of the nearest [`branch`].
pub(super) fn copy() -> Graph {
    Graph::copy_of("copy")
}

/// Passes the results of `branches`, graphs over [`copy`], to `filter` as its inputs.
pub(super) fn branch<const N: usize>(graph: Graph, branches: [Graph; N], filter: Filter) -> Graph {
    graph.named("copy", Graph::combine(branches, filter))
}

/// States the format of a source's frames, and the colours of YUV: ffmpeg 7 and later convert inputs of one filter to each
/// other's colours, which fails or shifts colours if those of an input are unknown.
fn drawn_in(format: &str) -> impl Iterator<Item = Filter> {
    let colours = || Filter::new("setparams").arg("range", "tv").arg("colorspace", "bt709");
    let format_filter = Filter::new("format").arg("pix_fmts", format);
    [format_filter].into_iter().chain(format.starts_with("yuv").then(colours))
}

fn color_source(color: &str, size: Size, fps: Fps) -> Filter {
    Filter::new("color")
        .arg("c", color)
        .arg("s", format!("{}x{}", size.width, size.height))
        .arg("r", fps.get())
}

pub(super) fn full_size(filter: &str, size: Size) -> Filter {
    Filter::new("zscale").arg("w", size.width).arg("h", size.height).arg("filter", filter)
}
