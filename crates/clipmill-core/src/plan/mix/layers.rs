//! Video layers of a mix: overlays that move. A segment decodes only the stretch that it shows, so that its key carries
//! that stretch, and keys and scales it itself: an intermediate file with alpha takes longer to decode than that.

use std::ops::Range;

use crate::error::{ErrorCode, TaskError};
use crate::filter_graph::{Filter, Graph};
use crate::media::{MediaInfo, Size, VideoInfo};
use crate::message;
use crate::plan::build::Builder;
use crate::plan::mix::audio::{PlacedAudio, clip_audio};
use crate::plan::mix::layer_range::LayerRange;
use crate::plan::parts::Range as PartRange;
use crate::plan::video::chroma_key::keyed;
use crate::plan::video::clip::{Timing, numbered, overlay_filters};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::extra::{ExtraInputs, is_single};
use crate::plan::{MixTrack, Warning};
use crate::request::model::{ColorKey, MixOptions, Overlay, VideoLayer};
use crate::segment::AudioSpec;
use crate::time::{Fps, Frames, SAMPLE_RATE, Samples};

/// The longest side of a layer's file, in pixels.
const MAX_SIDE: u32 = 3840;

/// Audio of layers shorter than this is repeated inside one segment.
const SHORT_LOOP: Samples = Samples(2 * SAMPLE_RATE);

/// A video that is shown over an output.
#[derive(Clone)]
pub(crate) struct Layer<'a> {
    pub url: &'a str,
    pub info: &'a MediaInfo,
    pub video: &'a VideoInfo,
    pub size: Size,
    pub opacity: f64,
    pub key: Option<&'a ColorKey>,
    fps: Fps,
    /// The frames of the output from its start on that its file gives.
    natural: Frames,
    looped: bool,
}

/// The file of a layer, and what is shown of it.
pub(crate) fn file_of<'a>(
    layer: &VideoLayer,
    builder: &Builder<'a>,
) -> Result<(&'a MediaInfo, &'a VideoInfo), TaskError> {
    let (info, video) = builder.overlay(&layer.url)?;
    let video = info.animation.as_deref().unwrap_or(video);
    if video.coded.long_side() > MAX_SIDE {
        let Size { width, height } = video.coded;
        let message = message::layer_too_large(width, height, MAX_SIDE);
        return Err(TaskError::new(ErrorCode::MaskInvalid, message).input(&layer.url));
    }
    Ok((info, video))
}

/// The frames of the output that show the overlay, whose file gives `natural` frames.
pub(crate) fn shown(overlay: &Overlay, natural: Option<Frames>, fps: Fps, total: Frames) -> Range<Frames> {
    let start = Frames::nearest(overlay.start_s, fps);
    let end = overlay.end_s.map_or(total, |end| Frames::nearest(end, fps).min(total));
    let end = natural.map_or(end, |natural| end.min(start + natural));
    start..end.max(start)
}

/// How many frames of the output the file gives.
pub(crate) fn natural(video: &VideoInfo, fps: Fps) -> Frames {
    Excerpt::default().frames(video, 1.0, fps)
}

/// How many frames of the output show a layer that starts at `start`, at most; `None` if nothing but the overlay's end
/// limits them.
pub(crate) fn limit(layer: &VideoLayer, video: &VideoInfo, fps: Fps) -> Option<Frames> {
    (!layer.looped && !is_single(video)).then(|| natural(video, fps))
}

impl<'a> Layer<'a> {
    pub fn new(
        layer: &'a VideoLayer,
        (info, video): (&'a MediaInfo, &'a VideoInfo),
        size: Size,
        fps: Fps,
    ) -> Self {
        Self {
            url: &layer.url,
            info,
            video,
            size,
            opacity: layer.opacity_percent / 100.0,
            key: layer.key.as_ref(),
            fps,
            natural: natural(video, fps),
            looped: layer.looped,
        }
    }

    /// The stretches that `frames` frames of a segment from `at` on show, from frame `begin` of the layer on. Two
    /// repetitions are two stretches when the first one can be read from its middle.
    pub fn ranges(&self, begin: Frames, frames: Frames, at: Frames) -> Vec<LayerRange> {
        if is_single(self.video) {
            return vec![LayerRange { begin: Frames(0), end: frames, at }];
        }
        let period = self.natural.0.max(1);
        let begin = begin.0 % period;
        let whole = LayerRange { begin: Frames(begin), end: Frames(begin + frames.0), at };
        let has_two = whole.end.0 > period && whole.end.0 <= 2 * period;
        if !(self.looped && has_two && self.seek_us(&whole).is_some()) {
            return vec![whole];
        }
        let first = LayerRange { end: Frames(period), ..whole };
        let rest = Frames(begin + frames.0 - period);
        let second = LayerRange { begin: Frames(0), end: rest, at: at + first.frames() };
        vec![first, second]
    }

    /// Where reading of its file may begin for this stretch.
    fn seek_us(&self, layer_range: &LayerRange) -> Option<i64> {
        let range = PartRange { begin: layer_range.begin, end: layer_range.end, is_part: true };
        self.timing(layer_range).part(range, self.info, self.video)?.seek_us
    }

    fn timing(&self, layer_range: &LayerRange) -> Timing {
        // A repeated file is one that is as many times as long.
        let passes =
            if self.repeats(layer_range) { layer_range.end.0.div_ceil(self.natural.0.max(1)) } else { 1 };
        let natural = Frames(self.natural.0.max(1) * passes);
        Timing { begin: layer_range.begin, ..Timing::plain(self.fps, natural, layer_range.end) }
    }

    fn repeats(&self, layer_range: &LayerRange) -> bool {
        self.looped && layer_range.end > self.natural
    }

    /// Whether its file is one frame.
    pub fn is_still(&self) -> bool {
        is_single(self.video)
    }

    /// The input of a stretch.
    pub fn input(&self, layer_range: &LayerRange, inputs: &mut ExtraInputs) -> Graph {
        match self.repeats(layer_range) && !is_single(self.video) {
            true => inputs.looped(self.info, self.video, self.url),
            false => {
                let seek_us = (!is_single(self.video)).then(|| self.seek_us(layer_range)).flatten();
                inputs.from(seek_us, self.info, self.video, self.url)
            }
        }
    }

    /// The layer by itself during a stretch, at the times of the segment, made from the frames of its input.
    pub fn made_of(&self, file: Graph, layer_range: &LayerRange) -> Graph {
        if is_single(self.video) {
            let one = [Filter::new("trim").arg("end_frame", 1), Filter::new("setpts").arg("expr", 0)];
            return self.changed(file.then(one));
        }
        let timing = self.timing(layer_range);
        let repeated = self.repeats(layer_range).then(|| self.repetitions());
        let frames = file.then(repeated).then(timing.before_scale(self.video));
        self.changed(frames).then(timing.after_scale(self.video)).then(numbered(layer_range.at, self.fps))
    }

    /// Places each repetition of the file exactly where the previous one ends in frames of the output, whatever length
    /// ffmpeg finds.
    fn repetitions(&self) -> Filter {
        let Self { video, natural, fps, .. } = self;
        let frames = video.frames;
        let origin = (video.start_s * 1e6).round() as i64;
        // Variable 0 is the time of the first frame of the repetition.
        let expression = format!(
            "if(mod(N,{frames}),0,st(0,PTS));PTS-ld(0)+({origin}/1000000+floor(N/{frames})*{}/{})/TB",
            natural.0,
            fps.get()
        );
        Filter::new("setpts").arg("expr", expression)
    }

    /// Scales and keys frames, and makes them as transparent as they are shown.
    fn changed(&self, frames: Graph) -> Graph {
        if let Some(key) = self.key {
            return keyed(frames, self.video, self.size, key, self.opacity);
        }
        let faded = (self.opacity < 1.0).then(|| {
            let alpha = Filter::new("lutyuv").arg("a", format!("round(val*{:.6})", self.opacity));
            [Filter::new("format").arg("pix_fmts", "yuva420p"), alpha]
        });
        frames.then(overlay_filters(self.video, self.size)).then(faded.into_iter().flatten())
    }
}

/// The audio of layers that is heard.
pub(crate) fn tracks(
    builder: &mut Builder,
    options: &MixOptions,
    total: Frames,
    warnings: &mut Vec<Warning>,
) -> Result<impl Iterator<Item = MixTrack> + use<>, TaskError> {
    let fps = options.fps;
    let mut placed = PlacedAudio::default();
    for (index, overlay) in options.overlays.iter().enumerate() {
        let Some(layer) = overlay.video().filter(|layer| layer.volume_percent > 0) else { continue };
        let (info, video) = file_of(layer, builder)?;
        let shown = shown(overlay, limit(layer, video, fps), fps, total);
        if info.audio.is_none() {
            let path = format!("/params/options/overlays/{index}/volume");
            warnings.push(Warning { path, message: message::layer_is_silent() });
            continue;
        }
        let natural = natural(video, fps).samples(fps);
        let mut from = shown.start.samples(fps);
        let end = shown.end.samples(fps);
        while from < end {
            let rest = Samples(end.0 - from.0);
            let (heard, period) = match layer.looped && rest > natural {
                true if natural < SHORT_LOOP => (rest, Some(natural)),
                true => (natural, None),
                false => (rest, None),
            };
            let spec = clip_audio(info, Excerpt::default(), heard, natural, period);
            let spec = spec.map(|spec| AudioSpec { volume_percent: layer.volume_percent, ..spec });
            placed.add(builder.audio_part(spec, heard, &layer.url), from, heard);
            from = Samples(from.0 + heard.0);
        }
    }
    Ok(placed.tracks())
}
