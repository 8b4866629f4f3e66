//! Overlay images, videos and texts of a mix, above its clips and below its captions, and effects below them: the position of
//! each in the output, and the part that one segment shows.
//!
//! An overlay that is shown during all of a segment gives it a key that does not depend on the segment's position in
//! the output, so outputs with the same logo share as much as they would without it.

use std::ops::Range;

use crate::error::{ErrorCode, TaskError};
use crate::filter_graph::Graph;
use crate::hashed_value::HashedValue;
use crate::media::{MediaInfo, Size, VideoInfo};
use crate::message::{self, Message};
use crate::overlay_motion::MotionPhase;
use crate::plan::build::Builder;
use crate::plan::mix::layer_range::LayerRange;
use crate::plan::mix::layers::{self, Layer, shown};
use crate::plan::mix::mix_effects::{EffectView, PlacedEffect, placed_effects};
use crate::plan::mix::moving_overlay::{MovingImage, stages};
use crate::plan::mix::overlay_cache::{
    ImageKey, LayerKey, OverlayGraphCache, OverlayGraphKey, TextViewCache,
};
use crate::plan::mix::text_warnings;
use crate::plan::video::extra::{ExtraInputs, is_single};
use crate::plan::{SourceRef, Warning};
use crate::request::model::{
    Anchor, MixOptions, Overlay, OverlayContent, OverlayMotion, OverlayPlace, SubtitleStyle, VideoLayer,
};
use crate::segment::VideoSpec;
use crate::subtitle::{CaptionTrack, CaptionView, TextPlace, lay_out_text};
use crate::time::{Fps, Frames};

/// The most pixels that all overlay images of one output may have in total, because each segment decodes all of them.
const MAX_PIXELS: u64 = 64_000_000;

/// All overlays and effects of one output.
#[derive(Default)]
pub(crate) struct Overlays<'a> {
    effects: Vec<PlacedEffect>,
    images: Vec<OverlayImage<'a>>,
    layers: Vec<PlacedLayer<'a>>,
    texts: Vec<Text>,
    graphs: OverlayGraphCache,
}

struct Text {
    track: CaptionTrack,
    shown: Range<Frames>,
    phases: Vec<MotionPhase>,
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
    phases: Vec<MotionPhase>,
}

/// An overlay image in a segment; times count from its first frame.
struct ImageView<'a> {
    image: OverlayImage<'a>,
    /// The frames that show it.
    seen: Range<Frames>,
    /// Whether all frames of the segment show it.
    is_whole: bool,
    /// How it enters and leaves within the segment.
    phases: Vec<MotionPhase>,
}

#[derive(Clone)]
struct PlacedLayer<'a> {
    /// The index among the overlays.
    index: usize,
    /// The upper left corner.
    at: (u32, u32),
    shown: Range<Frames>,
    phases: Vec<MotionPhase>,
    layer: Layer<'a>,
}

/// A stretch of a layer in a segment; times count from its first frame.
struct LayerView<'a> {
    placed: PlacedLayer<'a>,
    layer_range: LayerRange,
    /// Whether all frames of the segment show the stretch.
    is_whole: bool,
    /// How the layer enters and leaves during the stretch.
    phases: Vec<MotionPhase>,
}

/// The part of the overlays that one segment shows; times count from its first frame.
#[derive(Default)]
pub(crate) struct OverlayView<'a> {
    effects: EffectView,
    images: Vec<ImageView<'a>>,
    layers: Vec<LayerView<'a>>,
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
        let effects = placed_effects(options, total);
        let placed = Self { effects, graphs: builder.overlaid_graphs.clone(), ..Self::default() };
        let mut placing = Placing { placed, options, total, builder, pixels: 0, warnings: Vec::new() };
        for (index, overlay) in overlays.iter().enumerate() {
            placing.place(index, overlay)?;
        }
        Ok((placing.placed, placing.warnings))
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
        let phases = |all: &[MotionPhase]| -> Vec<MotionPhase> {
            all.iter().filter_map(|phase| phase.between(start, end)).collect()
        };
        let images = self.images.iter().filter_map(|image| {
            let seen = within(&image.shown)?;
            let is_whole = seen == (Frames(0)..frames);
            Some(ImageView { image: image.clone(), seen, is_whole, phases: phases(&image.phases) })
        });
        let layers = self.layers.iter().flat_map(|placed| {
            let part = within(&placed.shown);
            let ranges = part.map(|part| {
                let begin = Frames((start + part.start).0 - placed.shown.start.0);
                placed.layer.ranges(begin, Frames(part.end.0 - part.start.0), part.start)
            });
            let of_segment = phases(&placed.phases);
            ranges.into_iter().flatten().map(move |layer_range| {
                let seen = layer_range.shown();
                let is_part = |phase: &&MotionPhase| phase.begin < seen.end && phase.end() > seen.start;
                let phases = of_segment.iter().filter(is_part).copied().collect();
                let is_whole = seen == (Frames(0)..frames);
                LayerView { placed: placed.clone(), layer_range, is_whole, phases }
            })
        });
        let texts = self.texts.iter().filter_map(|text| {
            let part = within(&text.shown)?;
            let mut views = text.views.borrow_mut();
            let key = (part.start, part.end, phases(&text.phases));
            if let Some(cached) = views.get(&key) {
                return Some(cached.clone());
            }
            let view = HashedValue::from(text.track.view(start, frames)?);
            views.insert(key, view.clone());
            Some(view)
        });
        OverlayView {
            effects: EffectView::of(&self.effects, start, frames),
            images: images.collect(),
            layers: layers.collect(),
            texts: texts.collect(),
            graphs: self.graphs.clone(),
        }
    }
}

/// The overlays of an output while they are placed one after another.
struct Placing<'p, 'a> {
    placed: Overlays<'a>,
    options: &'p MixOptions,
    total: Frames,
    builder: &'p Builder<'a>,
    /// The pixels of all images so far.
    pixels: u64,
    warnings: Vec<Warning>,
}

/// The frames that show an overlay, and how it enters and leaves.
type Shown = (Range<Frames>, Vec<MotionPhase>);

impl<'a> Placing<'_, 'a> {
    fn place(&mut self, index: usize, overlay: &'a Overlay) -> Result<(), TaskError> {
        let fps = self.options.fps;
        let limit = match &overlay.shown {
            OverlayContent::Video(layer) => {
                let (_, video) = layers::file_of(layer, self.builder)?;
                layers::limit(layer, video, fps)
            }
            _ => None,
        };
        let shown = shown(overlay, limit, fps, self.total);
        if shown.start >= self.total {
            self.warn(index, "start", message::behind_the_end(seconds(self.total, fps)));
            return Ok(());
        }
        if shown.is_empty() {
            self.warn(index, "end", message::shown_for_no_frame());
            return Ok(());
        }
        let (phases, is_shortened) = overlay.motions.phases(&shown, fps);
        if is_shortened {
            let frames = Frames(shown.end.0.saturating_sub(shown.start.0));
            self.warn(index, shortened_field(overlay), message::motions_shortened(seconds(frames, fps)));
        }
        let when = (shown, phases);
        match &overlay.shown {
            OverlayContent::Image { url, width_percent, opacity_percent } => {
                self.image(index, overlay, when, (url, *width_percent, opacity_percent / 100.0))
            }
            OverlayContent::Video(layer) => self.layer(index, overlay, when, layer),
            OverlayContent::Text { texts, style, max_width_percent } => {
                let text = texts.first().map_or("", String::as_str);
                self.text(
                    index,
                    text,
                    style,
                    text_place(overlay, *max_width_percent, self.options.size),
                    when,
                )
            }
        }
    }

    fn image(
        &mut self,
        index: usize,
        overlay: &Overlay,
        (shown, phases): Shown,
        (url, width_percent, opacity): (&'a str, f64, f64),
    ) -> Result<(), TaskError> {
        let (info, video) = self.builder.overlay(url)?;
        self.pixels += u64::from(video.coded.width) * u64::from(video.coded.height);
        if self.pixels > MAX_PIXELS {
            return Err(too_large(self.pixels).input(url));
        }
        if !is_single(video) || info.animation.is_some() {
            self.warn(index, "url", message::only_first_picture());
        }
        let size = size(video, width_percent, self.options.size);
        if let Some(size) = size.filter(|_| opacity > 0.0) {
            let at = corner(overlay, size, self.options.size);
            let image = OverlayImage { index, url, info, video, at, size, opacity, shown, phases };
            self.placed.images.push(image);
        }
        Ok(())
    }

    fn layer(
        &mut self,
        index: usize,
        overlay: &Overlay,
        (shown, phases): Shown,
        layer: &'a VideoLayer,
    ) -> Result<(), TaskError> {
        let (info, video) = layers::file_of(layer, self.builder)?;
        if is_single(video) {
            self.warn(index, "url", message::layer_is_still());
        }
        let size = size(video, layer.width_percent, self.options.size);
        if let Some(size) = size.filter(|_| layer.opacity_percent > 0.0) {
            let at = corner(overlay, size, self.options.size);
            let layer = Layer::new(layer, (info, video), size, self.options.fps);
            self.placed.layers.push(PlacedLayer { index, at, shown, phases, layer });
        }
        Ok(())
    }

    fn text(
        &mut self,
        index: usize,
        text: &str,
        style: &SubtitleStyle,
        place: TextPlace,
        (shown, phases): Shown,
    ) -> Result<(), TaskError> {
        let font = self.builder.font_for(style)?;
        let form = (self.options.size, self.options.fps);
        let track = lay_out_text(text, style, place, form, (shown.clone(), &phases), font);
        if track.is_empty() {
            self.warn(index, "text", message::text_is_empty());
        }
        self.warnings.extend(text_warnings(&track, &format!("{}/text", path(index))));
        if !track.is_empty() {
            let mut all = self.builder.text_views.borrow_mut();
            let views = all.entry((index, text.to_owned())).or_default().clone();
            self.placed.texts.push(Text { track, shown, phases, views });
        }
        Ok(())
    }

    fn warn(&mut self, index: usize, field: &str, message: Message) {
        self.warnings.push(Warning { path: format!("{}/{field}", path(index)), message });
    }
}

/// The JSON Pointer of an overlay.
fn path(index: usize) -> String {
    format!("/params/options/overlays/{index}")
}

/// An image or a video with the graph of its file.
enum Top<'v, 'a> {
    Image(&'v ImageView<'a>, Graph),
    Layer(&'v LayerView<'a>, Graph),
}

impl Top<'_, '_> {
    /// The index among the overlays.
    fn index(&self) -> usize {
        match self {
            Self::Image(view, _) => view.image.index,
            Self::Layer(view, _) => view.placed.index,
        }
    }
}

impl OverlayView<'_> {
    pub fn is_empty(&self) -> bool {
        let has_files = !self.images.is_empty() || !self.layers.is_empty();
        !has_files && self.effects.is_empty() && self.texts.is_empty()
    }

    /// The same segment with the overlays and effects, and all files that it is then made from. The frame `first` is the
    /// first one of the segment's graph.
    pub fn overlaid(
        &self,
        (spec, sources): (VideoSpec, Vec<SourceRef>),
        fps: Fps,
        first: Frames,
    ) -> (VideoSpec, Vec<SourceRef>) {
        let spec = VideoSpec { texts: self.texts.clone(), ..spec };
        let spec = self.effects.applied(spec, first);
        if self.images.is_empty() && self.layers.is_empty() {
            return (spec, sources);
        }
        let mut inputs = ExtraInputs::behind(spec.inputs.clone(), sources);
        let once = |view: &ImageView| inputs.once(view.image.info, view.image.video, view.image.url);
        let files: Vec<Graph> = self.images.iter().map(once).collect();
        let input = |view: &LayerView| view.placed.layer.input(&view.layer_range, &mut inputs);
        let videos: Vec<Graph> = self.layers.iter().map(input).collect();
        let (inputs, sources) = inputs.parts();
        let images = self.images.iter().zip(&files);
        let layers = self.layers.iter().zip(&videos);
        let form = OverlayGraphKey {
            base: spec.graph.digest().to_owned(),
            images: images.map(|(view, file)| view.key(file.file())).collect(),
            layers: layers.map(|(view, file)| view.key(file.file())).collect(),
        };
        let overlay = || {
            let images = self.images.iter().zip(files).map(|(view, file)| Top::Image(view, file));
            let layers = self.layers.iter().zip(videos).map(|(view, file)| Top::Layer(view, file));
            let mut all: Vec<Top> = images.chain(layers).collect();
            all.sort_by_key(Top::index);
            let graph = all.into_iter().fold((*spec.graph).clone(), |graph, top| match top {
                Top::Image(view, file) => view.over(graph, &file, fps, spec.size),
                Top::Layer(view, file) => view.over(graph, file, fps, spec.size),
            });
            HashedValue::from(graph)
        };
        let graph = self.graphs.borrow_mut().entry(form).or_insert_with(overlay).clone();
        (VideoSpec { graph, inputs, ..spec }, sources)
    }
}

impl ImageView<'_> {
    /// Identifies its part of a graph that reads its file as input number `file`.
    fn key(&self, file: Option<usize>) -> ImageKey {
        let seen = (!self.is_whole).then(|| self.seen.clone());
        (self.image.index, seen, file, self.phases.clone())
    }

    /// The graph with the image, which is made from the frames of `file`, placed over it.
    fn over(&self, graph: Graph, file: &Graph, fps: Fps, canvas: Size) -> Graph {
        let OverlayImage { video, at, size, opacity, .. } = self.image;
        let moving = MovingImage { video, at, size, opacity, fps, canvas };
        if self.phases.is_empty() {
            let seen = (!self.is_whole).then_some(&self.seen);
            return graph.join(moving.at_rest(file.clone()), moving.place(seen));
        }
        let stages = stages(&self.seen, &self.phases);
        stages.iter().fold(graph, |graph, stage| moving.staged(graph, file.clone(), stage))
    }
}

impl LayerView<'_> {
    /// Identifies its part of a graph that reads its file as input number `file`.
    fn key(&self, file: Option<usize>) -> LayerKey {
        (self.placed.index, self.layer_range.clone(), self.is_whole, file, self.phases.clone())
    }

    /// The graph with the stretch, which is made from the frames of `file`, placed over it.
    fn over(&self, graph: Graph, file: Graph, fps: Fps, canvas: Size) -> Graph {
        let PlacedLayer { at, layer, .. } = &self.placed;
        let seen = self.layer_range.shown();
        let moving = MovingImage {
            video: layer.video,
            at: *at,
            size: layer.size,
            opacity: layer.opacity,
            fps,
            canvas,
        };
        let frames = layer.made_of(file, &self.layer_range);
        match self.phases.is_empty() {
            true => graph.join(frames, moving.place((!self.is_whole).then_some(&seen))),
            false => moving.streamed(graph, frames, &seen, layer.is_still(), &self.phases),
        }
    }
}

/// The field that the warning about shortened motions is about.
fn shortened_field(overlay: &Overlay) -> &'static str {
    if overlay.motions.enter == OverlayMotion::None { "leaveSeconds" } else { "enterSeconds" }
}

fn seconds(frames: Frames, fps: Fps) -> String {
    format!("{:.2}", frames.seconds(fps))
}

fn too_large(pixels: u64) -> TaskError {
    const MEGA: u64 = 1_000_000;
    let message = message::overlays_too_large(pixels.div_ceil(MEGA), MAX_PIXELS / MEGA);
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
