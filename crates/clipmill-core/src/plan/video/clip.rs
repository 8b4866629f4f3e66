//! The filter graph of one video segment: from a source's frames to the output's.

use crate::color_space::with_alpha;
use crate::filter_graph::{Filter, Graph};
use crate::media::{MediaInfo, Size, VideoInfo};
use crate::plan::parts::{Range, is_seekable};
use crate::request::model::{Background, FillMode};
use crate::segment::Part;
use crate::time::{Fps, Frames};

use super::excerpt::Excerpt;
use super::motion::{Movement, detailed, larger};
use super::plain_background::over_color;
use super::region::{Region, even_down, even_near};
use super::rgb::rgb_filters;
use super::source_color::{Color, planar_format, planes};
use super::source_key::frames_of;

/// How times of the source are mapped to frames of the output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    pub fps: Fps,
    pub speed: f64,
    /// Frames beyond this rate are dropped first.
    pub keep_rate: Option<f64>,
    /// The used excerpt of the source; everything else counts from its beginning.
    pub excerpt: Excerpt,
    /// How many frames the source gives, and how many are wanted.
    pub natural: Frames,
    pub wanted: Frames,
    pub looped: bool,
    /// The first rendered frame: earlier ones are omitted, but times count as if they were there.
    pub begin: Frames,
    /// The motion of a still image, if it moves.
    pub movement: Option<Movement>,
}

/// How much is read before the wanted frames: at least this many frames, and at least [`LEAD_S`] seconds.
const LEAD_FRAMES: f64 = 4.0;
const LEAD_S: f64 = 0.2;
/// Read in addition if no frame may be missing: times of decoding and of display differ.
pub(crate) const SAFE_LEAD_S: f64 = 1.0;

impl Timing {
    pub fn plain(fps: Fps, natural: Frames, wanted: Frames) -> Self {
        let excerpt = Excerpt::default();
        let (speed, keep_rate, looped, begin) = (1.0, None, false, Frames(0));
        Self { fps, speed, keep_rate, excerpt, natural, wanted, looped, begin, movement: None }
    }

    /// The position of a range of the video in its source, unless it is all of it.
    pub fn part(&self, range: Range, info: &MediaInfo, video: &VideoInfo) -> Option<Part> {
        let first_frame = Frames::nearest(self.excerpt.begin_s(), self.fps);
        (range.is_part || first_frame.0 > 0).then(|| Part {
            begin: first_frame + range.begin,
            seek_us: self.safe_seek_us(video).filter(|_| is_seekable(info)),
        })
    }

    /// Where reading may begin when no frame may be missing, wherever a demuxer lands.
    fn safe_seek_us(&self, video: &VideoInfo) -> Option<i64> {
        self.seek_us_before(video, SAFE_LEAD_S)
    }

    /// Where reading of the source may begin, in microseconds after its first frame; `None` is its beginning.
    pub fn seek_us(&self, video: &VideoInfo) -> Option<i64> {
        self.seek_us_before(video, 0.0)
    }

    fn seek_us_before(&self, video: &VideoInfo, lead_s: f64) -> Option<i64> {
        let target_s = self.excerpt.begin_s() + self.entry(video).seconds(self.fps) * self.speed;
        seek_us(target_s - lead_s, video.rate.min(self.keep_rate.unwrap_or(video.rate)))
    }

    /// The frame at which the filters begin: the first one when the clip repeats, and never one that the source may not
    /// have. Frames before the wanted ones are dropped at the end.
    fn entry(&self, video: &VideoInfo) -> Frames {
        if self.looped {
            return Frames(0);
        }
        self.begin.min(Frames(self.natural.0.saturating_sub(2 + self.frames_per_source_frame(video))))
    }

    /// For how many frames of the output a frame of the source lasts, rounded up.
    fn frames_per_source_frame(&self, video: &VideoInfo) -> u64 {
        (f64::from(self.fps.get()) / (video.rate * self.speed).max(0.1)).ceil() as u64
    }

    /// Filters on the source's frames, before scaling.
    pub(crate) fn before_scale(&self, video: &VideoInfo) -> Vec<Filter> {
        let mut filters = Vec::new();
        if video.interlaced {
            filters.push(Filter::new("bwdif").arg("mode", "send_frame").arg("deint", "interlaced"));
        }
        // Timestamps are the container's own (-copyts): time 0 is that of the first frame that is used.
        let origin = (video.start_s * 1e6).round() as i64 + self.excerpt.from_us;
        filters.push(Filter::new("setpts").arg("expr", format!("PTS-({origin}/1000000)/TB")));
        if let Some(rate) = self.keep_rate.filter(|rate| *rate < video.rate) {
            let rate = (rate * 100.0).round();
            // The entry is on the grid of this rate, early enough for the filters that follow.
            let begin_s = self.entry(video).seconds(self.fps) * self.speed;
            let first = ((begin_s * rate / 100.0).floor() - 2.0).max(0.0);
            filters.extend(fps_filters_from(format!("{rate}/100"), rate as u64, first as u64));
        }
        if self.speed != 1.0 {
            filters.push(Filter::new("setpts").arg("expr", format!("PTS/{}", self.speed)));
        }
        if video.frames <= 1 {
            // The filter that sets the rate may drop a single frame.
            filters.extend(twice());
        }
        if self.rate_falls(video) {
            filters.extend(output_rate_from(self.entry(video), self.fps));
        }
        filters
    }

    /// Filters on scaled frames.
    pub(crate) fn after_scale(&self, video: &VideoInfo) -> Vec<Filter> {
        [self.rate_raised(video), self.at_output_rate(video)].concat()
    }

    /// Sets a rising rate. This comes late, so that no frame is scaled twice, but before `overlay`, which loses the duration
    /// of the last frame.
    fn rate_raised(&self, video: &VideoInfo) -> Vec<Filter> {
        if self.rate_falls(video) { Vec::new() } else { output_rate_from(self.entry(video), self.fps) }
    }

    /// Filters on frames at the output's rate.
    fn at_output_rate(&self, video: &VideoInfo) -> Vec<Filter> {
        let mut filters = Vec::new();
        let entry = self.entry(video);
        if self.looped {
            filters.push(Filter::new("trim").arg("end_frame", self.natural.0));
            filters.push(Filter::new("loop").arg("loop", -1).arg("size", self.natural.0));
        } else {
            if self.excerpt.to_us.is_some() {
                let available = self.natural.0.saturating_sub(entry.0).max(1);
                filters.push(Filter::new("trim").arg("end_frame", available));
            }
            // The last frame is held if more frames are wanted than the source has. Two frames, one of those that were kept, and
            // the length of a source frame allow for rounding and for filters that lose the length of the last frame.
            let kept_rate =
                self.keep_rate.map_or(0.0, |rate| f64::from(self.fps.get()) / (rate * self.speed));
            let spare = 2 + kept_rate.ceil() as u64 + self.frames_per_source_frame(video);
            let hold = self.wanted.0.saturating_sub(self.natural.0) + spare;
            filters.push(Filter::new("tpad").arg("stop_mode", "clone").arg("stop", hold));
        }
        let cut = Filter::new("trim").arg("end_frame", self.wanted.0.saturating_sub(entry.0));
        let early = self.begin.0 - entry.0;
        filters.push(if early > 0 { cut.arg("start_frame", early) } else { cut });
        filters.extend(numbered(self.begin, self.fps));
        filters
    }

    /// Repeats one frame; the filters before it run once.
    fn held_frame(&self) -> Vec<Filter> {
        let frames = self.wanted.0.saturating_sub(self.begin.0);
        let filters = [
            Filter::new("loop").arg("loop", -1).arg("size", 1),
            Filter::new("settb").arg("expr", format!("1/{}", self.fps.get())),
            Filter::new("setpts").arg("expr", "N"),
            fps_filter(self.fps.get().to_string()),
            Filter::new("trim").arg("end_frame", frames),
        ];
        filters.into_iter().chain(numbered(self.begin, self.fps)).collect()
    }

    fn rate_falls(&self, video: &VideoInfo) -> bool {
        video.rate * self.speed >= f64::from(self.fps.get())
    }
}

/// Repeats a single frame after a second: the filter that sets the rate needs a second frame, otherwise it drops the
/// first one if its duration was lost on the way.
pub(crate) fn twice() -> [Filter; 2] {
    [Filter::new("loop").arg("loop", 1).arg("size", 1), Filter::new("setpts").arg("expr", "N/TB")]
}

/// Selects the nearest frame for each output time, starting at 0 whatever the first frame's time is.
pub(crate) fn fps_filter(rate: String) -> Filter {
    fps_filter_at(rate, 0)
}

fn fps_filter_at(rate: String, second: u64) -> Filter {
    Filter::new("fps").arg("fps", rate).arg("start_time", second).arg("round", "near")
}

/// Starts the same selection at frame `first` of the grid, at a rate in hundredths. The filter itself starts earlier, at
/// a multiple of 100 seconds: that is a whole number on every clock, so it rounds as it does from 0 on.
fn fps_filters_from(rate: String, hundredths: u64, first: u64) -> Vec<Filter> {
    if first == 0 {
        return vec![fps_filter(rate)];
    }
    let second = first / hundredths.max(1) * 100;
    vec![fps_filter_at(rate, second), Filter::new("trim").arg("start_pts", first)]
}

/// Sets the output's rate from frame `begin` on.
pub(crate) fn output_rate_from(begin: Frames, fps: Fps) -> Vec<Filter> {
    fps_filters_from(fps.get().to_string(), u64::from(fps.get()) * 100, begin.0)
}

/// Sets times by frame number; the first frame has the number `begin`. In ffmpeg 7, `setpts` clears the frame rate and
/// the durations of frames. `tpad` and the MP4 muxer need them, so `fps` states them again; it keeps every frame.
pub(crate) fn numbered(begin: Frames, fps: Fps) -> [Filter; 2] {
    let number = if begin.0 > 0 { format!("(N+{})", begin.0) } else { "N".to_owned() };
    let fps = fps.get();
    [Filter::new("setpts").arg("expr", format!("{number}/({fps}*TB)")), Filter::new("fps").arg("fps", fps)]
}

/// Where reading may begin for frames that are wanted from `wanted_s` on; both count from the first frame.
pub(crate) fn seek_us(wanted_s: f64, rate: f64) -> Option<i64> {
    let lead = LEAD_S.max(LEAD_FRAMES / rate.max(0.1));
    (wanted_s > lead).then_some(((wanted_s - lead) * 1e6) as i64)
}

/// Gives a part's frames times of their own, starting at 0.
pub(crate) fn as_part(graph: Graph, fps: Fps) -> Graph {
    graph.then(numbered(Frames(0), fps))
}

/// How a clip fills the frame of a mix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameView {
    pub size: Size,
    pub fill: FillMode,
    pub background: Background,
    /// The name of its colour look. Bars stay black.
    pub look: Option<&'static str>,
}

/// The graph of a mix's segment: `video` as it is seen in the frame.
pub(crate) fn mix_graph(video: &VideoInfo, timing: &Timing, view: FrameView) -> Graph {
    if video.still {
        return image_graph(video, timing, view);
    }
    let FrameView { size, fill, background, look } = view;
    let look = || rgb_filters(None, look);
    let source = frames_of(video).then(timing.before_scale(video));
    let whole = Region::whole(video.upright());
    // The visible region of the source, the size it is scaled to, and the filters for the rest.
    let (region, to, shown_size) = match fill {
        FillMode::Stretch => (whole, size, size),
        FillMode::Crop => {
            let (region, to) = whole.to_cover(video, size);
            (region, to, size)
        }
        FillMode::None => {
            let fitted = fit(video.display(), size);
            (whole, fitted, fitted)
        }
    };
    let cut = (to != shown_size).then(|| middle(to, shown_size));
    let raised = timing.rate_raised(video);
    let graph = match background {
        Background::Blur if video.has_alpha() => {
            let front = [straight_alpha(), raised.clone()].concat();
            over_blur(
                source.then(scaled_with_alpha(video, region, to)).then(cut),
                front,
                raised,
                shown_size,
                size,
            )
            .then(look())
        }
        Background::Color(color) if video.has_alpha() => {
            let front = [straight_alpha(), raised.clone()].concat();
            let shown = source.then(scaled_with_alpha(video, region, to)).then(cut);
            over_color(shown, front, raised, color, size).then(look())
        }
        Background::Color(color) if shown_size != size => {
            let shown = source.then(scaled(video, region, to)).then(cut).then(look());
            over_color(shown, raised.clone(), raised, color, size)
        }
        Background::Blur if shown_size != size => over_blur(
            source.then(scaled(video, region, to)).then(cut).then(look()),
            raised.clone(),
            raised,
            shown_size,
            size,
        ),
        _ => {
            let bars = (shown_size != size).then(|| pad(size));
            source.then(scaled(video, region, to)).then(cut).then(look()).then(bars).then(raised)
        }
    };
    graph.then(timing.at_output_rate(video)).then(finish())
}

/// [`mix_graph`] for a still image, which is scaled once. Only the image itself moves; the background does not.
fn image_graph(video: &VideoInfo, timing: &Timing, view: FrameView) -> Graph {
    let FrameView { size, fill, background, look } = view;
    let look = || rgb_filters(None, look);
    let source = Graph::input(0, video.stream_index).then([Filter::new("trim").arg("end_frame", 1)]);
    let shown_size = if fill == FillMode::None { fit(video.display(), size) } else { size };
    let moves = timing.movement.is_some();
    let working_size = if moves { larger(shown_size) } else { shown_size };
    let first_size = if moves { detailed(shown_size) } else { shown_size };
    let whole = Region::whole(video.upright());
    let (region, to) =
        if fill == FillMode::Crop { whole.to_cover(video, first_size) } else { (whole, first_size) };
    let cut = || (to != first_size).then(|| middle(to, first_size));
    let enlarged = || moves.then(|| scale(working_size));
    let enlarged_with_alpha = || {
        moves.then(|| [with_alpha(scale(working_size)), Filter::new("format").arg("pix_fmts", "yuva444p")])
    };
    let (moving, held) = match timing.movement {
        Some(movement) => {
            ([timing.held_frame(), movement.filters(shown_size, timing.begin)].concat(), Vec::new())
        }
        None => (Vec::new(), timing.held_frame()),
    };
    let behind = if moving.is_empty() { Vec::new() } else { timing.held_frame() };
    let graph = match background {
        Background::Blur if video.has_alpha() => {
            let front = [moving, straight_alpha()].concat();
            over_blur(
                source
                    .then(scaled_with_alpha(video, region, to))
                    .then(cut())
                    .then(enlarged_with_alpha().into_iter().flatten()),
                front,
                behind,
                working_size,
                size,
            )
            .then(look())
        }
        Background::Blur if shown_size != size => {
            let shown = source.then(scaled(video, region, to)).then(cut()).then(look());
            let shown = shown.then(enlarged());
            over_blur(shown, moving, behind, working_size, size)
        }
        Background::Color(color) if video.has_alpha() => {
            let front = [moving, straight_alpha()].concat();
            let shown = source.then(scaled_with_alpha(video, region, to)).then(cut());
            let shown = shown.then(enlarged_with_alpha().into_iter().flatten());
            over_color(shown, front, behind, color, size).then(look())
        }
        Background::Color(color) if shown_size != size => {
            let shown = source.then(scaled(video, region, to)).then(cut()).then(look());
            over_color(shown.then(enlarged()), moving, behind, color, size)
        }
        _ => {
            let bars = (shown_size != size).then(|| pad(size));
            let shown = source.then(scaled(video, region, to)).then(cut()).then(look());
            shown.then(enlarged()).then(moving).then(bars)
        }
    };
    graph.then(held).then(finish())
}

/// A region of the source at size `to`, changed by `change`, at the output's rate. Filters that work on each frame by
/// itself go before a rising rate, which would run them twice.
pub(crate) fn timed(
    video: &VideoInfo,
    timing: &Timing,
    region: Region,
    to: Size,
    change: Vec<Filter>,
) -> Graph {
    frames_of(video)
        .then(timing.before_scale(video))
        .then(scaled(video, region, to))
        .then(change)
        .then(timing.after_scale(video))
}

/// The whole frame of the source at `size`, at the output's rate.
pub(crate) fn whole(video: &VideoInfo, timing: &Timing, size: Size) -> Graph {
    timed(video, timing, Region::whole(video.upright()), size, Vec::new())
}

/// Tags every frame with the properties that the output profile promises.
pub(crate) fn finish() -> Vec<Filter> {
    vec![Filter::new("format").arg("pix_fmts", "yuv420p"), Filter::new("setsar").arg("sar", 1), tags()]
}

pub(crate) fn tags() -> Filter {
    Filter::new("setparams")
        .arg("field_mode", "prog")
        .arg("range", "tv")
        .arg("color_primaries", "bt709")
        .arg("color_trc", "bt709")
        .arg("colorspace", "bt709")
}

/// Cuts out the middle of a frame that was scaled with a margin.
pub(crate) fn middle(of: Size, shown: Size) -> Filter {
    Filter::new("crop")
        .arg("w", shown.width)
        .arg("h", shown.height)
        .arg("x", (of.width - shown.width) / 2)
        .arg("y", (of.height - shown.height) / 2)
}

/// Scales a region of the source and converts its colours in one step. Transparent parts are black.
pub(crate) fn scaled(video: &VideoInfo, region: Region, to: Size) -> Vec<Filter> {
    let mut filters = Vec::new();
    if video.has_alpha() && Color::of(video).profile.is_some() {
        // A profile converts colours as they are without alpha.
        filters.extend(scaled_with_alpha(video, region, to));
        filters.push(Filter::new("format").arg("pix_fmts", "yuv420p"));
        return filters;
    }
    if video.has_alpha() {
        filters.extend(premultiplied(video, region));
        filters.push(Filter::new("format").arg("pix_fmts", planes(&video.pix_fmt).0));
    } else {
        filters.extend(
            planar_format(&video.pix_fmt).map(|format| Filter::new("format").arg("pix_fmts", format)),
        );
        filters.extend(cropped(video, region));
    }
    filters.extend(Color::of(video).converted(to));
    filters.push(Filter::new("format").arg("pix_fmts", "yuv420p"));
    filters
}

/// Scales overlay video to `to`, keeping its alpha.
pub(crate) fn overlay_filters(video: &VideoInfo, to: Size) -> Vec<Filter> {
    let whole = Region::whole(video.upright());
    match video.has_alpha() {
        true => [scaled_with_alpha(video, whole, to), straight_alpha()].concat(),
        false => scaled(video, whole, to),
    }
}

/// Scales overlay video to `to` with colours multiplied by alpha; [`straight_alpha`] undoes that.
pub(crate) fn premultiplied_overlay(video: &VideoInfo, to: Size) -> Vec<Filter> {
    let whole = Region::whole(video.upright());
    match video.has_alpha() {
        true => scaled_with_alpha(video, whole, to),
        false => [scaled(video, whole, to), vec![Filter::new("format").arg("pix_fmts", "yuva444p")]].concat(),
    }
}

/// Scales a PNG image with alpha for an overlay.
pub fn overlay_png_filters(to: Size) -> Vec<Filter> {
    let premultiplied = [
        Filter::new("format").arg("pix_fmts", "gbrap"),
        Filter::new("setparams").arg("range", "pc"),
        Filter::new("premultiply").arg("inplace", 1),
    ];
    let scale =
        scale(to).arg("rangein", "full").arg("matrixin", "gbr").arg("range", "limited").arg("matrix", 709);
    let scaled = [with_alpha(scale), Filter::new("format").arg("pix_fmts", "yuva444p")];
    premultiplied.into_iter().chain(scaled).chain(straight_alpha()).collect()
}

/// Scales with colours multiplied by alpha, so that the colours of transparent pixels do not bleed into visible ones.
pub(crate) fn scaled_with_alpha(video: &VideoInfo, region: Region, to: Size) -> Vec<Filter> {
    let mut filters = premultiplied(video, region);
    filters.extend(Color::of(video).converted(to).into_iter().map(with_alpha));
    filters.push(Filter::new("format").arg("pix_fmts", "yuva444p"));
    filters
}

/// A region of a source with alpha, its colours multiplied by alpha, as if over black.
fn premultiplied(video: &VideoInfo, region: Region) -> Vec<Filter> {
    let mut filters = vec![Filter::new("format").arg("pix_fmts", planes(&video.pix_fmt).1)];
    filters.extend(cropped(video, region));
    // The filter depends on the range tag, which a file may lack.
    let range = if Color::of(video).full { "pc" } else { "tv" };
    filters.push(Filter::new("setparams").arg("range", range));
    filters.push(Filter::new("premultiply").arg("inplace", 1));
    filters
}

/// Divides colours by alpha again.
pub(crate) fn straight_alpha() -> Vec<Filter> {
    vec![Filter::new("unpremultiply").arg("inplace", 1), Filter::new("format").arg("pix_fmts", "yuva420p")]
}

pub(crate) fn cropped(video: &VideoInfo, region: Region) -> Option<Filter> {
    let crop = || {
        Filter::new("crop")
            .arg("w", region.size.width)
            .arg("h", region.size.height)
            .arg("x", region.x)
            .arg("y", region.y)
    };
    (region.size != video.upright()).then(crop)
}

/// The largest even size with the aspect ratio of `picture` inside `frame`.
fn fit(picture: Size, frame: Size) -> Size {
    let (w, h) = (f64::from(picture.width), f64::from(picture.height));
    let scale = (f64::from(frame.width) / w).min(f64::from(frame.height) / h);
    Size::new(even_near(w * scale).min(frame.width), even_near(h * scale).min(frame.height))
}

fn pad(size: Size) -> Filter {
    Filter::new("pad")
        .arg("w", size.width)
        .arg("h", size.height)
        .arg("x", "(ow-iw)/4*2")
        .arg("y", "(oh-ih)/4*2")
        .arg("color", "black")
}

/// Places the video, scaled to `made` and changed by `front`, over a blurred copy of itself that covers the frame and
/// is changed by `behind`. Blurring a small copy costs little and looks the same.
fn over_blur(picture: Graph, front: Vec<Filter>, behind: Vec<Filter>, made: Size, size: Size) -> Graph {
    let part = cover(made, size);
    let [small, blur] = small_blur(size);
    let blurred = vec![
        Filter::new("format").arg("pix_fmts", "yuv420p"),
        Filter::new("crop").arg("w", part.width).arg("h", part.height),
        small,
        blur,
        Filter::new("eq").arg("brightness", "-0.06"),
        scale(size),
    ];
    let overlay = Filter::new("overlay").arg("x", "(W-w)/4*2").arg("y", "(H-h)/4*2");
    picture.fork([blurred, behind].concat(), front, overlay)
}

/// Filters for the blurred copy behind a strongly rotated video; the size stays the same, nothing is cropped.
pub(crate) fn blurred_copy(size: Size) -> Vec<Filter> {
    let [small, blur] = small_blur(size);
    vec![small, blur, scale(size)]
}

/// Filters that scale to an eighth of the size and blur that, which costs little. The blur is proportional to the shorter
/// side, so that previews look like outputs.
pub(crate) fn small_blur(size: Size) -> [Filter; 2] {
    /// For a shorter side of 720.
    const SIGMA: f64 = 4.0;
    /// That of the smallest previews; smaller outputs keep it.
    const MIN_SIGMA: f64 = 2.0;
    /// On processors with AVX-512, `gblur` of ffmpeg 5.1 fills planes of up to 16 pixels in width with wrong colours. The
    /// planes of colour have half the width.
    const MIN_WIDTH: u32 = 36;
    let eighth = |side: u32| even_near(f64::from(side) / 8.0);
    let small = scale(Size::new(eighth(size.width).max(MIN_WIDTH), eighth(size.height)));
    let sigma = SIGMA * f64::from(size.short_side()) / 720.0;
    [small, Filter::new("gblur").arg("sigma", (sigma.max(MIN_SIGMA) * 100.0).round() / 100.0)]
}

/// The largest even region of `picture` with the aspect ratio of `frame`.
fn cover(picture: Size, frame: Size) -> Size {
    let aspect = f64::from(frame.width) / f64::from(frame.height);
    let (w, h) = (f64::from(picture.width), f64::from(picture.height));
    let (w, h) = if w / h > aspect { (h * aspect, h) } else { (w, w / aspect) };
    Size::new(even_near(w), even_near(h))
}

/// Scales frames that already have the output's colours.
pub(crate) fn scale(size: Size) -> Filter {
    Filter::new("zscale").arg("w", size.width).arg("h", size.height).arg("filter", "bicubic")
}

/// The size of a videoDeduplication output: as displayed, even, at most 3840 on the long side.
pub(crate) fn kept_size(video: &VideoInfo) -> Size {
    let display = video.display();
    let scale = (3840.0 / f64::from(display.long_side())).min(1.0);
    let side = |n: u32| if scale < 1.0 { even_near(f64::from(n) * scale) } else { even_down(n).max(2) };
    Size::new(side(display.width), side(display.height))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn video(coded: Size, rotation: u32, sample_aspect: (u32, u32), rate: f64) -> VideoInfo {
        VideoInfo { rotation, sample_aspect, frames: 150, ..VideoInfo::plain(coded, 5.0, rate) }
    }

    #[test]
    fn the_rate_is_set_before_scaling_only_when_it_falls() {
        let position = |rate: f64, name: &str| {
            let timing = Timing::plain(Fps::DEFAULT, Frames(150), Frames(150));
            let source = video(Size::new(640, 360), 0, (1, 1), rate);
            let size = Size::new(1280, 720);
            let (fill, background) = (FillMode::Stretch, Background::Black);
            mix_graph(&source, &timing, FrameView { size, fill, background, look: None })
                .to_string()
                .find(name)
        };
        assert!(position(60.0, "fps=") < position(60.0, "zscale="));
        assert!(position(25.0, "fps=") > position(25.0, "zscale="));
    }

    #[test]
    fn sizes_are_even_and_within_bounds() {
        assert_eq!(fit(Size::new(1280, 720), Size::new(720, 1280)), Size::new(720, 406));
        assert_eq!(kept_size(&video(Size::new(721, 405), 0, (1, 1), 30.0)), Size::new(720, 404));
        assert_eq!(kept_size(&video(Size::new(7680, 4320), 0, (1, 1), 30.0)), Size::new(3840, 2160));
        assert_eq!(kept_size(&video(Size::new(1920, 1080), 270, (1, 1), 30.0)), Size::new(1080, 1920));
    }
}
