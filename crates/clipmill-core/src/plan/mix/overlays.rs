//! Overlay images, videos and texts of a mix, above its clips and below its captions: the position of each in the output, and
//! the part that one segment shows.
//!
//! An overlay that is shown during all of a segment gives it a key that does not depend on the segment's position in
//! the output, so outputs with the same logo share as much as they would without it.

use std::ops::Range;

use crate::error::{ErrorCode, TaskError};
use crate::filter_graph::{Filter, Graph, during};
use crate::hashed_value::HashedValue;
use crate::media::{MediaInfo, Size, VideoInfo};
use crate::message::{self, Message};
use crate::plan::build::Builder;
use crate::plan::mix::layers::{self, Layer, shown};
use crate::plan::mix::overlay_cache::{OverlayGraphCache, OverlayGraphKey, TextViewCache};
use crate::plan::mix::stretch::Stretch;
use crate::plan::mix::text_warnings;
use crate::plan::video::clip::overlay_filters;
use crate::plan::video::extra::{ExtraInputs, is_single};
use crate::plan::{SourceRef, Warning};
use crate::request::model::{Anchor, MixOptions, Overlay, OverlayContent, OverlayPlace};
use crate::segment::VideoSpec;
use crate::subtitle::{CaptionTrack, CaptionView, TextPlace, lay_out_text};
use crate::time::{Fps, Frames};

/// The most pixels that all overlay images of one output may have in total, because each segment decodes all of them.
const MOST_PIXELS: u64 = 64_000_000;

/// All overlays of one output.
#[derive(Default)]
pub(crate) struct Overlays<'a> {
    images: Vec<OverlayImage<'a>>,
    layers: Vec<PlacedLayer<'a>>,
    texts: Vec<Text>,
    graphs: OverlayGraphCache,
}

struct Text {
    track: CaptionTrack,
    shown: Range<Frames>,
    views: TextViewCache,
}

#[derive(Clone)]
struct OverlayImage<'a> {
    /// The index among the overlays.
    index: usize,
    url: &'a str,
    info: &'a MediaInfo,
    video: &'a VideoInfo,
    /// The upper left corner.
    at: (u32, u32),
    size: Size,
    opacity: f64,
    shown: Range<Frames>,
}

#[derive(Clone)]
struct PlacedLayer<'a> {
    /// The index among the overlays.
    index: usize,
    /// The upper left corner.
    at: (u32, u32),
    shown: Range<Frames>,
    layer: Layer<'a>,
}

/// A stretch of a layer with the frames that show it; `None` when all do.
type ShownLayer<'a> = (PlacedLayer<'a>, Stretch, Option<Range<Frames>>);

/// The part of the overlays that one segment shows; times count from its first frame.
#[derive(Default)]
pub(crate) struct OverlayView<'a> {
    /// Each image with the frames that show it; `None` when all do.
    images: Vec<(OverlayImage<'a>, Option<Range<Frames>>)>,
    layers: Vec<ShownLayer<'a>>,
    texts: Vec<HashedValue<CaptionView>>,
    graphs: OverlayGraphCache,
}

impl<'a> Overlays<'a> {
    /// Places `overlays` over an output of `total` frames, and returns warnings about them. Of an overlay with several
    /// texts the first is used, which is the one dealt to this output.
    pub fn of(
        overlays: &'a [Overlay],
        options: &MixOptions,
        total: Frames,
        builder: &Builder<'a>,
    ) -> Result<(Self, Vec<Warning>), TaskError> {
        let mut result = Self { graphs: builder.overlaid_graphs.clone(), ..Self::default() };
        let mut warnings = Vec::new();
        let mut pixels = 0;
        for (index, overlay) in overlays.iter().enumerate() {
            let path = format!("/params/options/overlays/{index}");
            let mut warn = |name: &str, message: Message| {
                warnings.push(Warning { path: format!("{path}/{name}"), message });
            };
            let shown = shown(overlay, None, options.fps, total);
            if shown.start >= total {
                let length = format!("{:.2}", total.seconds(options.fps));
                warn("start", message::behind_the_end(length));
                continue;
            }
            match &overlay.shown {
                OverlayContent::Image { url, width_percent, opacity_percent } => {
                    let (info, video) = builder.overlay(url)?;
                    pixels += u64::from(video.coded.width) * u64::from(video.coded.height);
                    if pixels > MOST_PIXELS {
                        return Err(too_large(pixels).input(url));
                    }
                    if !is_single(video) || info.animation.is_some() {
                        warn("url", message::only_first_picture());
                    }
                    let opacity = opacity_percent / 100.0;
                    let size = size(video, *width_percent, options.size);
                    if let Some(size) = size.filter(|_| opacity > 0.0 && !shown.is_empty()) {
                        let at = corner(overlay, size, options.size);
                        result.images.push(OverlayImage {
                            index,
                            url,
                            info,
                            video,
                            at,
                            size,
                            opacity,
                            shown,
                        });
                    }
                }
                OverlayContent::Video(layer) => {
                    let (info, video) = layers::file_of(layer, builder)?;
                    if is_single(video) {
                        warn("url", message::layer_is_still());
                    }
                    let size = size(video, layer.width_percent, options.size);
                    let limit = layers::limit(layer, video, options.fps);
                    let shown = layers::shown(overlay, limit, options.fps, total);
                    let is_visible = layer.opacity_percent > 0.0 && !shown.is_empty();
                    if let Some(size) = size.filter(|_| is_visible) {
                        let at = corner(overlay, size, options.size);
                        let layer = Layer::new(layer, (info, video), size, options.fps);
                        result.layers.push(PlacedLayer { index, at, shown, layer });
                    }
                }
                OverlayContent::Text { texts, style, max_width_percent } => {
                    let text = texts.first().map_or("", String::as_str);
                    let place = text_place(overlay, *max_width_percent, options.size);
                    let font = builder.font_for(style)?;
                    let form = (options.size, options.fps);
                    let track = lay_out_text(text, style, place, form, shown.clone(), font);
                    if track.is_empty() {
                        warn("text", message::text_is_empty());
                    }
                    warnings.extend(text_warnings(&track, &format!("{path}/text")));
                    if !track.is_empty() {
                        let mut all = builder.text_views.borrow_mut();
                        let views = all.entry((index, text.to_owned())).or_default().clone();
                        result.texts.push(Text { track, shown, views });
                    }
                }
            }
        }
        Ok((result, warnings))
    }

    /// The number of emoji in the texts.
    pub fn emoji_count(&self) -> usize {
        self.texts.iter().map(|text| text.track.emoji_count()).sum()
    }

    /// The overlays during `frames` frames from `start`.
    pub fn view(&self, start: Frames, frames: Frames) -> OverlayView<'a> {
        let end = start + frames;
        let within = |shown: &Range<Frames>| {
            let visible = shown.start.max(start)..shown.end.min(end);
            let from_start = |frame: Frames| Frames(frame.0.saturating_sub(start.0));
            (visible.start < visible.end).then(|| from_start(visible.start)..from_start(visible.end))
        };
        let images = self.images.iter().filter_map(|image| {
            let part = within(&image.shown)?;
            Some((image.clone(), (part != (Frames(0)..frames)).then_some(part)))
        });
        let layers = self.layers.iter().flat_map(|placed| {
            let part = within(&placed.shown);
            let stretches = part.map(|part| {
                let begin = Frames((start + part.start).0 - placed.shown.start.0);
                placed.layer.stretches(begin, Frames(part.end.0 - part.start.0), part.start)
            });
            stretches.into_iter().flatten().map(move |stretch| {
                let part = stretch.shown();
                (placed.clone(), stretch, (part != (Frames(0)..frames)).then_some(part))
            })
        });
        let texts = self.texts.iter().filter_map(|text| {
            let part = within(&text.shown)?;
            let mut views = text.views.borrow_mut();
            if let Some(cached) = views.get(&(part.start, part.end)) {
                return Some(cached.clone());
            }
            let view = HashedValue::from(text.track.view(start, frames)?);
            views.insert((part.start, part.end), view.clone());
            Some(view)
        });
        OverlayView {
            images: images.collect(),
            layers: layers.collect(),
            texts: texts.collect(),
            graphs: self.graphs.clone(),
        }
    }
}

impl OverlayView<'_> {
    pub fn is_empty(&self) -> bool {
        self.images.is_empty() && self.layers.is_empty() && self.texts.is_empty()
    }

    /// The same segment with the overlays, and all files that it is then made from.
    pub fn overlaid(
        &self,
        (spec, sources): (VideoSpec, Vec<SourceRef>),
        fps: Fps,
    ) -> (VideoSpec, Vec<SourceRef>) {
        let spec = VideoSpec { texts: self.texts.clone(), ..spec };
        if self.images.is_empty() && self.layers.is_empty() {
            return (spec, sources);
        }
        let mut inputs = ExtraInputs::behind(spec.inputs.clone(), sources);
        let once = |(image, _): &(OverlayImage, _)| inputs.once(image.info, image.video, image.url);
        let files: Vec<Graph> = self.images.iter().map(once).collect();
        let input = |(placed, stretch, _): &ShownLayer| placed.layer.input(stretch, &mut inputs);
        let videos: Vec<Graph> = self.layers.iter().map(input).collect();
        let (inputs, sources) = inputs.parts();
        let images = self.images.iter().zip(&files);
        let layers = self.layers.iter().zip(&videos);
        let form = OverlayGraphKey {
            base: spec.graph.digest().to_owned(),
            images: images.map(|((image, part), file)| (image.index, part.clone(), file.file())).collect(),
            layers: layers
                .map(|((placed, stretch, part), file)| {
                    (placed.index, stretch.clone(), part.is_some(), file.file())
                })
                .collect(),
        };
        let overlay = || {
            let images = self.images.iter().zip(files).map(|((image, part), file)| {
                (image.index, image.made_of(file), over(image.at, part.as_ref(), fps))
            });
            let layers = self.layers.iter().zip(videos).map(|((placed, stretch, part), file)| {
                (placed.index, placed.layer.made_of(file, stretch), over(placed.at, part.as_ref(), fps))
            });
            let mut all: Vec<(usize, Graph, Filter)> = images.chain(layers).collect();
            all.sort_by_key(|(index, ..)| *index);
            let base = (*spec.graph).clone();
            HashedValue::from(all.into_iter().fold(base, |graph, (_, top, over)| graph.join(top, over)))
        };
        let graph = self.graphs.borrow_mut().entry(form).or_insert_with(overlay).clone();
        (VideoSpec { graph, inputs, ..spec }, sources)
    }
}

impl OverlayImage<'_> {
    /// The overlay by itself, made from the frames of its file.
    fn made_of(&self, file: Graph) -> Graph {
        let one = [Filter::new("trim").arg("end_frame", 1), Filter::new("setpts").arg("expr", 0)];
        let faded = (self.opacity < 1.0).then(|| {
            let alpha = Filter::new("lutyuv").arg("a", format!("round(val*{:.6})", self.opacity));
            [Filter::new("format").arg("pix_fmts", "yuva420p"), alpha]
        });
        file.then(one).then(overlay_filters(self.video, self.size)).then(faded.into_iter().flatten())
    }
}

/// The filter that places an overlay over a segment.
fn over((x, y): (u32, u32), part: Option<&Range<Frames>>, fps: Fps) -> Filter {
    let over = Filter::new("overlay").arg("x", x).arg("y", y).arg("eof_action", "repeat");
    match part {
        Some(part) => over.arg("enable", during(part, fps)),
        None => over,
    }
}

fn too_large(pixels: u64) -> TaskError {
    const MEGA: u64 = 1_000_000;
    let message = message::overlays_too_large(pixels.div_ceil(MEGA), MOST_PIXELS / MEGA);
    TaskError::new(ErrorCode::MaskInvalid, message)
}

/// The size at that part of the output's width, with the image's aspect ratio and no taller than the output; `None` if
/// empty.
fn size(video: &VideoInfo, width_percent: f64, canvas: Size) -> Option<Size> {
    let shape = video.display();
    let (across, down) = (f64::from(canvas.width), f64::from(canvas.height));
    let aspect = f64::from(shape.height) / f64::from(shape.width.max(1));
    let width = (across * width_percent / 100.0).min(down / aspect);
    let even = |length: f64, most: u32| ((length / 2.0).round() as u32 * 2).clamp(2, most / 2 * 2);
    (width > 0.0).then(|| Size::new(even(width, canvas.width), even(width * aspect, canvas.height)))
}

/// The upper left corner; even, to match the chroma grid.
fn corner(overlay: &Overlay, size: Size, canvas: Size) -> (u32, u32) {
    let (margin, (across, down)) = (margin(overlay, canvas), parts(overlay.place));
    let along = |part: f64, extent: u32, canvas: u32| {
        let free = f64::from(canvas.saturating_sub(extent));
        let start = match margin {
            Some(margin) => margin + (free - 2.0 * margin) * part,
            None => f64::from(canvas) * part - f64::from(extent) / 2.0,
        };
        (start.clamp(0.0, free) / 2.0).round() as u32 * 2
    };
    (along(across, size.width, canvas.width), along(down, size.height, canvas.height))
}

fn text_place(overlay: &Overlay, max_width_percent: f64, canvas: Size) -> TextPlace {
    TextPlace {
        parts: parts(overlay.place),
        margin: margin(overlay, canvas),
        max_width: max_width_percent / 100.0,
    }
}

/// The margin in pixels; `None` for an overlay that is placed by its centre.
fn margin(overlay: &Overlay, canvas: Size) -> Option<f64> {
    let margin = f64::from(canvas.short_side()) * overlay.margin_percent / 100.0;
    matches!(overlay.place, OverlayPlace::At(_)).then_some(margin)
}

/// The position as fractions of the way to the right and down, from 0 to 1.
fn parts(place: OverlayPlace) -> (f64, f64) {
    match place {
        OverlayPlace::Around { x, y } => (x / 100.0, y / 100.0),
        OverlayPlace::At(anchor) => match anchor {
            Anchor::TopLeft => (0.0, 0.0),
            Anchor::Top => (0.5, 0.0),
            Anchor::TopRight => (1.0, 0.0),
            Anchor::Left => (0.0, 0.5),
            Anchor::Middle => (0.5, 0.5),
            Anchor::Right => (1.0, 0.5),
            Anchor::BottomLeft => (0.0, 1.0),
            Anchor::Bottom => (0.5, 1.0),
            Anchor::BottomRight => (1.0, 1.0),
        },
    }
}
