//! Two clips at once: each fills one half of the frame. The first one determines the length. The second one is trimmed to
//! it, or repeats: a segment has one input for each repetition that it shows.

use std::ops::Range as FrameRange;

use crate::filter_graph::{Filter, Graph};
use crate::media::{ContentHash, MediaInfo, Size, VideoInfo};
use crate::plan::build::{Builder, LookAndSpeed};
use crate::plan::mix::audio::{PlacedAudio, clip_audio};
use crate::plan::mix::shot::{Shot, Treatment};
use crate::plan::mix::{is_held, timing};
use crate::plan::parts::{Range, is_seekable};
use crate::plan::timeline::Timeline;
use crate::plan::video::clip::{FrameView, mix_graph, numbered};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::motion::Movement;
use crate::plan::video::region::even_near;
use crate::plan::video::source_form::SourceForm;
use crate::plan::{MixTrack, SourceRef};
use crate::request::model::{FillMode, ImageMotion, MixOptions, SplitLayout};
use crate::segment::{AudioSpec, CrossFade, ExtraInput, InputOrigin};
use crate::time::{Fps, Frames, Samples};

/// The maximum number of repetitions in one segment.
const MOST_REPETITIONS: usize = 4;

/// The clip beside the one of a shot.
#[derive(Clone, Copy)]
pub(crate) struct SecondClip<'a> {
    pub layout: SplitLayout,
    pub url: &'a str,
    pub info: &'a MediaInfo,
    pub video: &'a VideoInfo,
    pub excerpt: Excerpt,
    /// How many frames the excerpt gives at the output's rate.
    pub natural: Frames,
    /// How many of its frames precede those of the shot.
    pub skipped: Frames,
    /// Whether it is so short that it repeats within its graph, from the beginning of the shot on.
    pub looped: bool,
    pub motion: ImageMotion,
    pub treatment: Treatment,
}

/// What determines the second half of a shot's video, beside the range of the shot.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct SecondForm<'a> {
    layout: SplitLayout,
    content: &'a ContentHash,
    source: SourceForm<'a>,
    excerpt: Excerpt,
    natural: Frames,
    skipped: Frames,
    looped: bool,
    /// The length of the shot, which determines where the clip repeats for the last time.
    frames: Frames,
    movement: Option<Movement>,
    look_and_speed: LookAndSpeed,
}

/// Frames of one repetition of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repetition {
    /// The frames from its beginning on. Those beyond its natural length hold its last frame.
    pub shown: Range,
    /// The first frame of the shot that shows it.
    pub at: Frames,
}

impl SplitLayout {
    /// The sizes of both halves of a frame. Their sides are even, so they differ by two pixels if half a side is odd.
    pub(crate) fn halves(self, size: Size) -> [Size; 2] {
        let of_side = |side: u32| {
            let first = even_near(f64::from(side) / 2.0);
            [first, side.saturating_sub(first)]
        };
        match self {
            Self::LeftRight => of_side(size.width).map(|width| Size { width, ..size }),
            Self::TopBottom => of_side(size.height).map(|height| Size { height, ..size }),
        }
    }

    /// The names of both halves.
    pub(crate) fn sides(self) -> [&'static str; 2] {
        match self {
            Self::LeftRight => ["left", "right"],
            Self::TopBottom => ["top", "bottom"],
        }
    }

    fn stack(self) -> Filter {
        Filter::new(match self {
            Self::LeftRight => "hstack",
            Self::TopBottom => "vstack",
        })
    }
}

impl<'a> SecondClip<'a> {
    /// Whether a clip of this length repeats within its graph.
    pub fn is_looped(video: &VideoInfo, natural: Frames, fps: Fps) -> bool {
        !video.still && natural.0 * 2 < u64::from(fps.get())
    }

    /// The same clip in a shot that begins this many frames later.
    pub fn after(self, frames: Frames) -> Self {
        Self { skipped: self.skipped + frames, ..self }
    }

    pub fn form(&self, frames: Frames) -> SecondForm<'a> {
        let Self { layout, info, video, excerpt, natural, skipped, looped, treatment, .. } = *self;
        SecondForm {
            layout,
            content: &info.content,
            source: SourceForm::of(video),
            excerpt,
            natural,
            skipped,
            looped,
            frames,
            movement: self.shot(frames).movement(),
            look_and_speed: treatment.look_and_speed(),
        }
    }

    /// Whether reading can begin at any of its frames.
    pub fn is_divisible(&self) -> bool {
        self.video.still || self.looped || is_seekable(self.info)
    }

    /// The repetitions that these frames of a shot of `frames` frames show.
    pub fn repetitions(&self, frames: Frames, shown: &FrameRange<Frames>, fps: Fps) -> Vec<Repetition> {
        let repetition = |begin: u64, end: u64, at: u64| Repetition {
            shown: Range { begin: Frames(begin), end: Frames(end), is_part: true },
            at: Frames(at),
        };
        if self.video.still || self.looped {
            return vec![repetition(shown.start.0, shown.end.0, shown.start.0)];
        }
        let (natural, skipped) = (self.natural.0.max(1), self.skipped.0);
        let last = last_begin(natural, skipped + frames.0, fps);
        let (mut at, end) = (skipped + shown.start.0, skipped + shown.end.0);
        let mut all = Vec::new();
        while at < end {
            let begin = (at / natural * natural).min(last);
            let until = if begin == last { end } else { end.min(begin + natural) };
            all.push(repetition(at - begin, until - begin, at - skipped));
            at = until;
        }
        all
    }

    /// The frames that a repetition takes from the file.
    pub fn moving(&self, repetition: &Repetition) -> Frames {
        let Range { begin, end, .. } = repetition.shown;
        let end = if self.video.still || self.looped { end } else { end.min(self.natural) };
        Frames(end.0.saturating_sub(begin.0))
    }

    /// The part of the file from a repetition's first frame on.
    pub fn excerpt_of(&self, repetition: &Repetition, fps: Fps) -> Excerpt {
        match self.video.still || self.looped {
            true => self.excerpt,
            false => self.excerpt.after(repetition.shown.begin, self.treatment.speed(), fps),
        }
    }

    /// The clip by itself.
    fn shot(&self, frames: Frames) -> Shot<'a> {
        let Self { url, info, video, excerpt, natural, looped, motion, treatment, .. } = *self;
        Shot { url, info, video, excerpt, natural, frames, looped, motion, treatment, second: None }
    }

    /// The second half during a range of the shot, on the clock of the first one.
    fn half(&self, options: &MixOptions, size: Size, frames: Frames, range: Range) -> Graph {
        let MixOptions { fps, background, .. } = *options;
        let view = FrameView { size, fill: FillMode::Crop, background, look: self.treatment.look };
        let repetitions = self.repetitions(frames, &(range.begin..range.end), fps);
        let shot = self.shot(frames);
        let graph = |(index, repetition): (usize, &Repetition)| {
            mix_graph(self.video, &timing(&shot, repetition.shown, fps), view).after_inputs(1 + index)
        };
        let mut graphs: Vec<Graph> = repetitions.iter().enumerate().map(graph).collect();
        let whole = match (graphs.pop(), graphs.is_empty()) {
            (Some(only), true) => only,
            (last, _) => {
                graphs.extend(last);
                let filter = Filter::new("concat").arg("n", graphs.len()).arg("v", 1).arg("a", 0);
                Graph::combine(graphs, filter)
            }
        };
        whole.then(numbered(range.begin, fps))
    }
}

/// The graph of both halves, without [`as_part`](crate::plan::video::clip::as_part). The first input is that of the
/// shot, the others are those of [`inputs`].
pub(crate) fn graph(options: &MixOptions, shot: &Shot, second: &SecondClip, range: Range) -> Graph {
    let MixOptions { fps, size, background, .. } = *options;
    let [first_size, second_size] = second.layout.halves(size);
    let view = FrameView { size: first_size, fill: FillMode::Crop, background, look: shot.treatment.look };
    let first = mix_graph(shot.video, &timing(shot, range, fps), view);
    let second_half = second.half(options, second_size, shot.frames, range);
    // Filters with two inputs lose the durations of frames.
    first.join(second_half, second.layout.stack()).then(numbered(range.begin, fps))
}

/// The inputs of a range of a shot beside its own file.
pub(crate) fn inputs(shot: &Shot, range: Range, fps: Fps) -> Vec<ExtraInput> {
    let Some(second) = &shot.second else { return Vec::new() };
    let own = second.shot(shot.frames);
    let repetitions = second.repetitions(shot.frames, &(range.begin..range.end), fps);
    let input = |repetition: &Repetition| {
        let input = input(&own, repetition.shown, fps);
        // A still image can only be read from its beginning.
        ExtraInput { seek_us: input.seek_us.filter(|_| !own.video.still), is_clip: true, ..input }
    };
    repetitions.iter().map(input).collect()
}

/// A range of a clip as a further input.
pub(crate) fn input(shot: &Shot, range: Range, fps: Fps) -> ExtraInput {
    let part = timing(shot, range, fps).part(range, shot.info, shot.video);
    ExtraInput {
        origin: InputOrigin { file: shot.info.content.clone() },
        stream_index: shot.video.stream_index,
        looped: false,
        rewrapped: false,
        keyframes_only: false,
        decoder: shot.video.named_decoder().map(str::to_owned),
        seek_us: part.and_then(|part| part.seek_us).filter(|_| is_seekable(shot.info)),
        animated: false,
        is_clip: false,
    }
}

/// The files of a shot, each once.
pub(crate) fn sources(shot: &Shot) -> Vec<SourceRef> {
    let mut sources = vec![SourceRef::of(shot.info, shot.url)];
    let second = shot.second.map(|second| SourceRef::of(second.info, second.url));
    sources.extend(second.filter(|second| second.content != sources[0].content));
    sources
}

/// Divides a range of a shot where one segment would show too many repetitions.
pub(crate) fn divided(shot: &Shot, range: Range, fps: Fps) -> Vec<Range> {
    let Some(second) = &shot.second else { return vec![range] };
    let repetitions = second.repetitions(shot.frames, &(range.begin..range.end), fps);
    if repetitions.len() <= MOST_REPETITIONS {
        return vec![range];
    }
    let begins: Vec<Frames> = repetitions.iter().step_by(MOST_REPETITIONS).map(|one| one.at).collect();
    let ends = begins.iter().skip(1).copied().chain([range.end]);
    begins.iter().zip(ends).map(|(begin, end)| Range { begin: *begin, end, is_part: true }).collect()
}

/// The audio of the second clips, which crossfades with that of overlapping scenes.
pub(crate) fn tracks<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    timeline: &Timeline<'a>,
) -> impl Iterator<Item = MixTrack> + use<> {
    let fps = options.fps;
    let mut placed = PlacedAudio::default();
    for scene in timeline.audible_scenes() {
        let (mut start, end) = (scene.start, scene.start + scene.length());
        for shot in scene.shots {
            let Some(second) = &shot.second else { continue };
            for repetition in second.repetitions(shot.frames, &(Frames(0)..shot.frames), fps) {
                let begin = start + repetition.at;
                let until = begin + second.moving(&repetition);
                let (from, to) = (begin.samples(fps), until.samples(fps));
                if from >= to {
                    continue;
                }
                let heard = Samples(to.0 - from.0);
                let edge = |is_edge, overlap: Frames| {
                    if is_edge { overlap.samples(fps).min(heard) } else { Samples(0) }
                };
                let fade_in = edge(begin == scene.start, scene.before);
                let fade_out = edge(until == end, scene.after);
                let crossed = (fade_in.0 + fade_out.0 > 0).then_some(CrossFade { fade_in, fade_out });
                let period = second.looped.then(|| second.natural.samples(fps));
                let excerpt = second.excerpt_of(&repetition, fps);
                let spec = clip_audio(second.info, excerpt, heard, period.unwrap_or(heard), period);
                let Some(spec) = spec else { continue };
                let spec = AudioSpec { crossed, ..second.treatment.treated(spec) };
                placed.add(builder.audio_part(Some(spec), heard, second.url), from, heard);
            }
            start = start + shot.frames;
        }
    }
    placed.at_volume(options.original_volume, timeline.frames().samples(fps))
}

/// Where a clip of `natural` frames begins for the last time within `frames` frames: the rest is hardly longer than the
/// clip, which then holds its last frame.
fn last_begin(natural: u64, frames: u64, fps: Fps) -> u64 {
    let mut begin = (frames / natural).saturating_sub(2) * natural;
    while !is_held(natural, frames.saturating_sub(begin), fps) {
        begin += natural;
    }
    begin
}
