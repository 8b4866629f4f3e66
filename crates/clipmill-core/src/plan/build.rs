//! Shared by all planners: looks up facts, collects distinct segments and warnings.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::encoding::{Encoder, Encoding, Preset};
use crate::error::{ErrorCode, TaskError};
use crate::filter_graph::Graph;
use crate::fonts::FontRef;
use crate::hashed_value::HashedValue;
use crate::media::{ContentHash, Facts, MediaInfo, Size, VideoInfo};
use crate::message::{self, Message, Param};
use crate::plan::division::{Division, Splits};
use crate::plan::mix::overlay_cache::{AlignmentCache, OverlayGraphCache, SplitTextCache, TextViewCache};
use crate::plan::mix::second_clip_key::SecondClipKey;
use crate::plan::parts::Range;
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::motion::Movement;
use crate::plan::video::region::even_near;
use crate::plan::video::source_key::SourceKey;
use crate::plan::{Context, Plan, PlannedItem, PlannedSegment, SourceRef, Warning};
use crate::pricing::Tier;
use crate::request::model::{Clip, SubtitleStyle};
use crate::segment::{Continuation, EncoderSettings, SegmentHasher, SegmentKey, SegmentSpec, VideoSpec};
use crate::subtitle::{CaptionView, FontFile, FontMetrics, not_installed};
use crate::time::{Fps, Frames, Samples};

/// The short side of quick outputs, in pixels.
const QUICK_SIDE: u32 = 360;

/// The tolerance for declared durations, as a part of the actual one, before a warning is issued.
const DECLARED_TOLERANCE: f64 = 0.1;

/// Identifies plain shots: file, stream, used excerpt, its frames, frames shown, whether it repeats, whether its
/// packets are copied, how it moves, its look and speed, the clip beside it.
pub(crate) type PlainShot<'a> = (
    &'a ContentHash,
    u32,
    Excerpt,
    Frames,
    Range,
    bool,
    bool,
    Option<Movement>,
    LookAndSpeed,
    Option<Box<SecondClipKey<'a>>>,
);

/// A look, and a speed in thousandths.
pub(crate) type LookAndSpeed = (Option<&'static str>, u32);

/// Identifies graphs: the form of the source, used excerpt, its frames, frames shown, whether it repeats, how it moves,
/// its look and speed, the clip beside it.
pub(crate) type ShotGraphKey<'a> = (
    SourceKey<'a>,
    Excerpt,
    Frames,
    Range,
    bool,
    Option<Movement>,
    LookAndSpeed,
    Option<Box<SecondClipKey<'a>>>,
);

/// Identifies graphs of transitions: the two shots, the transition and its length, the frames shown of it.
pub(crate) type TransitionGraphKey<'a> =
    ([ShotGraphKey<'a>; 2], &'static str, Frames, std::ops::Range<Frames>);

/// Identifies the audio of clips: file, stream, used excerpt, where neighbours continue it, length, and the period
/// after which it repeats, volume and speed.
pub(crate) type ClipAudio<'a> =
    (&'a ContentHash, u32, Excerpt, Continuation, Samples, Option<Samples>, (u32, u32));

pub(crate) struct Builder<'a> {
    pub facts: &'a Facts,
    pub context: &'a Context<'a>,
    pub division: Division,
    /// Whether outputs are small and made quickly, because a caller waits for them.
    pub quick: bool,
    pub splits: Splits,
    /// Segments of shots without captions. Everything else that determines them is the same for all outputs of a task.
    pub plain_shots: FxHashMap<PlainShot<'a>, SegmentKey>,
    /// Audio of clips.
    pub clip_audio: FxHashMap<ClipAudio<'a>, SegmentKey>,
    /// Graphs of shots.
    pub graphs: FxHashMap<ShotGraphKey<'a>, HashedValue<Graph>>,
    /// Graphs of transitions.
    pub transition_graphs: FxHashMap<TransitionGraphKey<'a>, HashedValue<Graph>>,
    /// Views of overlaid texts, by the overlay's index and the text.
    pub text_views: RefCell<FxHashMap<(usize, String), TextViewCache>>,
    pub overlaid_graphs: OverlayGraphCache,
    pub split_texts: SplitTextCache,
    pub alignments: AlignmentCache,
    segments: Vec<PlannedSegment>,
    namer: SegmentHasher,
    /// Hashes of `segments`.
    known: FxHashSet<[u8; 32]>,
    warned: BTreeSet<String>,
    warnings: Vec<Warning>,
}

impl<'a> Builder<'a> {
    pub fn new(facts: &'a Facts, context: &'a Context<'a>, division: Division) -> Self {
        Self {
            facts,
            context,
            division,
            quick: false,
            splits: Splits::default(),
            plain_shots: FxHashMap::default(),
            clip_audio: FxHashMap::default(),
            graphs: FxHashMap::default(),
            transition_graphs: FxHashMap::default(),
            text_views: RefCell::default(),
            overlaid_graphs: OverlayGraphCache::default(),
            split_texts: SplitTextCache::default(),
            alignments: AlignmentCache::default(),
            segments: vec![],
            namer: SegmentHasher::new(context.toolchain),
            known: FxHashSet::default(),
            warned: BTreeSet::new(),
            warnings: vec![],
        }
    }

    /// Reserves memory for the video and audio of this many shots: growing step by step would copy everything.
    pub fn expect(&mut self, shots: usize) {
        self.segments.reserve(2 * shots);
        self.known.reserve(2 * shots);
        self.plain_shots.reserve(shots);
        self.clip_audio.reserve(shots);
    }

    pub fn media(&self, url: &str) -> Result<&'a MediaInfo, TaskError> {
        probed_media(self.facts, url)
    }

    /// The file of a clip and its used excerpt: the whole of an image, whatever the request says.
    pub fn clip(&self, clip: &Clip) -> Result<(&'a MediaInfo, &'a VideoInfo, Excerpt), TaskError> {
        let info = self.media(&clip.url)?;
        let (video, excerpt) = usable_clip(clip, info)?;
        Ok((info, video, excerpt))
    }

    /// [`Builder::clip`] for a clip that must be a moving video.
    pub fn moving_clip(&self, clip: &Clip) -> Result<(&'a MediaInfo, &'a VideoInfo, Excerpt), TaskError> {
        let video = self.clip(clip)?;
        must_move(video.1).map_err(|error| error.input(&clip.url))?;
        Ok(video)
    }

    /// The probed file of a still or moving overlay, or of a background.
    pub fn overlay(&self, url: &str) -> Result<(&'a MediaInfo, &'a VideoInfo), TaskError> {
        let info = self.media(url).map_err(mask_invalid)?;
        let video = usable_overlay(info).map_err(|error| error.input(url))?;
        Ok((info, video))
    }

    /// The font for text of this style.
    pub fn font_for(&self, style: &SubtitleStyle) -> Result<&'a dyn FontMetrics, TaskError> {
        if let Some(url) = style.font.as_ref().and_then(FontRef::file) {
            return match self.facts.fonts.get(url) {
                Some(Ok(font)) => Ok(&*font.0),
                Some(Err(error)) => Err(error.clone()),
                None => Err(TaskError::new(ErrorCode::Internal, message::never_looked_at()).input(url)),
            };
        }
        let internal = |message: Message| TaskError::new(ErrorCode::Internal, message);
        let font = *self.context.font.as_ref().map_err(|message| internal(message.clone()))?;
        not_installed(style, font).map_or(Ok(font), |lacking| Err(internal(lacking)))
    }

    /// Registers a segment that is made from at most the one file at `url`, and returns its key.
    pub fn segment(&mut self, spec: SegmentSpec, url: &str) -> SegmentKey {
        let source = spec.source().map(|content| {
            let current = self.media(url).ok().filter(|info| info.content == *content);
            let condition = current.and_then(|info| info.condition.clone());
            SourceRef { content: content.clone(), url: url.to_owned(), condition }
        });
        self.segment_of(spec, source.into_iter().collect())
    }

    /// Registers a segment with the files it is made from and returns its key; equal segments are kept once.
    /// `sources` need not list font files.
    pub fn segment_of(&mut self, spec: SegmentSpec, mut sources: Vec<SourceRef>) -> SegmentKey {
        let digest = self.namer.digest(&spec);
        let key = SegmentKey(hex::encode(digest).into());
        if self.known.insert(digest) {
            if let SegmentSpec::Video(video) = &spec {
                sources.extend(self.font_sources(video));
            }
            self.segments.push(PlannedSegment { key: key.clone(), spec, sources });
        }
        key
    }

    /// The client's font files that draw the segment's texts.
    pub fn font_sources(&self, spec: &VideoSpec) -> Vec<SourceRef> {
        let mut sources: Vec<SourceRef> = Vec::new();
        for (content, _) in spec.drawn().flat_map(CaptionView::font_files) {
            let is_this =
                |font: &Result<FontFile, _>| font.as_ref().is_ok_and(|font| font.0.file() == Some(content));
            let of_file = self.facts.fonts.iter().find(|(_, font)| is_this(font));
            if let Some((url, _)) = of_file.filter(|_| sources.iter().all(|own| own.content != *content)) {
                sources.push(SourceRef { content: content.clone(), url: url.clone(), condition: None });
            }
        }
        sources
    }

    /// Warns, once for each place, when the clip's declared length differs from the actual one by more than a tenth,
    /// when its `to` is after the file's end, and when a field applies only to videos or only to images. `path` is the
    /// clip's.
    pub fn check_declared(&mut self, path: impl Fn() -> String, clip: &Clip, video: &VideoInfo) {
        if video.still {
            return self.check_image_fields(path, clip);
        }
        let real_s = video.duration_s;
        let off = |declared: &f64| (declared - real_s).abs() > real_s * DECLARED_TOLERANCE;
        if let Some(declared) = clip.duration_s.filter(off) {
            let message = message::declared_wrong(declared, format!("{real_s:.2}"));
            self.warn_once(format!("{}/duration", path()), message);
        }
        // Lengths are rounded when clients write them down.
        if let Some(to) = clip.to_s.filter(|to| *to > real_s + 0.05) {
            self.warn_once(format!("{}/to", path()), message::to_behind_end(to, format!("{real_s:.2}")));
        }
        if clip.image_motion.is_some_and(|motion| !motion.is_none()) {
            self.warn_once(format!("{}/imageMotion", path()), message::only_pictures_move());
        }
    }

    fn check_image_fields(&mut self, path: impl Fn() -> String, clip: &Clip) {
        for (name, given) in [("from", clip.from_s), ("to", clip.to_s)] {
            if given.is_some() {
                self.warn_once(format!("{}/{name}", path()), message::picture_has_no_part());
            }
        }
        if clip.speed_permille.is_some() {
            self.warn_once(format!("{}/speed", path()), message::picture_has_no_speed());
        }
    }

    pub(crate) fn warn_once(&mut self, path: String, message: Message) {
        if self.warned.insert(path.clone()) {
            self.warnings.push(Warning { path, message });
        }
    }

    /// Rejects an output longer than the configured limit.
    pub fn check_length(&self, frames: Frames, fps: Fps) -> Result<(), TaskError> {
        let limit = self.context.max_item_seconds;
        if frames.started_seconds(fps) <= limit {
            return Ok(());
        }
        let message = message::output_too_long(format!("{:.0}", frames.seconds(fps)), limit);
        Err(TaskError::new(ErrorCode::MediaTooLarge, message))
    }

    /// The fixed encoder settings of an output.
    pub fn encoder(&self, preset: Option<Preset>, tier: Tier, fps: Fps) -> HashedValue<EncoderSettings> {
        let encoding = Encoding { threads: self.division.threads, ..self.context.encoding };
        if self.quick {
            return Encoding { encoder: Encoder::Libx264, ..encoding }
                .settings(Some(Preset::Draft), tier, fps)
                .into();
        }
        encoding.settings(preset, tier, fps).into()
    }

    /// The rendered size of an output of this size.
    pub fn rendered_size(&self, size: Size) -> Size {
        let scale = f64::from(QUICK_SIDE) / f64::from(size.short_side());
        let side = |side: u32| even_near(f64::from(side) * scale);
        if self.quick && scale < 1.0 { Size::new(side(size.width), side(size.height)) } else { size }
    }

    /// The segments that were registered, in their order.
    pub fn segments(&self) -> &[PlannedSegment] {
        &self.segments
    }

    /// The plan, and what splitting its video costs.
    pub fn finish(self, items: Vec<PlannedItem>) -> (Plan, Splits) {
        let Self { segments, warnings, splits, .. } = self;
        (Plan { segments, items, diversity: None, warnings }, splits)
    }
}

/// What is known about a file, or the reason why it cannot be used.
pub(crate) fn probed_media<'f>(facts: &'f Facts, url: &str) -> Result<&'f MediaInfo, TaskError> {
    match facts.media.get(url) {
        Some(Ok(info)) => Ok(info),
        Some(Err(error)) => Err(error.clone()),
        None => Err(TaskError::new(ErrorCode::Internal, message::never_looked_at()).input(url)),
    }
}

/// All values, or one error that lists every faulty input: the first error, with the others added.
pub(crate) fn all<T>(results: impl IntoIterator<Item = Result<T, TaskError>>) -> Result<Vec<T>, TaskError> {
    let (mut good, mut errors) = (Vec::new(), Vec::<TaskError>::new());
    for one in results {
        match one {
            Ok(one) => good.push(one),
            Err(error) if errors.iter().any(|known| known.input == error.input) => {}
            Err(error) => errors.push(error),
        }
    }
    let mut errors = errors.into_iter();
    let Some(mut first) = errors.next() else { return Ok(good) };
    for other in errors {
        let input = other.input.map_or_else(|| message::another_input().into(), Param::from);
        first.message = message::also(first.message, input, other.message);
        first.retryable &= other.retryable;
    }
    Err(first)
}

/// The video of a clip's file and its used excerpt, or the reason why there is none.
pub(crate) fn usable_clip<'i>(
    clip: &Clip,
    info: &'i MediaInfo,
) -> Result<(&'i VideoInfo, Excerpt), TaskError> {
    let usable = || {
        let video = usable_video(info)?;
        let excerpt = if video.still { Excerpt::default() } else { Excerpt::of(clip, video.duration_s)? };
        Ok((video, excerpt))
    };
    usable().map_err(|error: TaskError| error.input(&clip.url))
}

/// The video of a file, still or moving, or the reason why there is none.
pub(crate) fn usable_video(info: &MediaInfo) -> Result<&VideoInfo, TaskError> {
    info.video.as_ref().ok_or_else(|| no_video(message::sound_for_clip()))
}

/// The video of a file for an overlay, or the reason why there is none.
pub(crate) fn usable_overlay(info: &MediaInfo) -> Result<&VideoInfo, TaskError> {
    let nothing = || TaskError::new(ErrorCode::MaskInvalid, message::sound_for_overlay());
    info.video.as_ref().ok_or_else(nothing)
}

/// Fails if the file is a still image where only a video is allowed.
pub(crate) fn must_move(video: &VideoInfo) -> Result<(), TaskError> {
    if video.still { Err(no_video(message::still_for_clip())) } else { Ok(()) }
}

/// Turns an error about the file itself into the code for masks and fills; download errors are not changed.
fn mask_invalid(error: TaskError) -> TaskError {
    use ErrorCode::*;
    match error.code {
        NotMedia | FormatNotAllowed | CodecNotAllowed | MediaTooLarge | MediaDamaged | NoVideoStream => {
            TaskError { code: MaskInvalid, retryable: MaskInvalid.retryable(), ..error }
        }
        _ => error,
    }
}

fn no_video(message: Message) -> TaskError {
    TaskError::new(ErrorCode::NoVideoStream, message)
}
