//! Two clips at once: each fills one half of the frame. The first one determines the length. The second one is trimmed to
//! it, or repeats: a segment has one input for each repetition that it shows.

use crate::filter_graph::{Filter, Graph};
use crate::media::Size;
use crate::plan::build::Builder;
use crate::plan::mix::audio::{PlacedAudio, clip_audio};
use crate::plan::mix::shot::{Repetition, SecondClip, Shot};
use crate::plan::mix::timing;
use crate::plan::parts::{Range, is_seekable};
use crate::plan::timeline::Timeline;
use crate::plan::video::clip::{FrameView, mix_graph, numbered};
use crate::plan::video::region::even_near;
use crate::plan::{MixTrack, SourceRef};
use crate::request::model::{FillMode, MixOptions, SplitLayout};
use crate::segment::{AudioSpec, CrossFade, ExtraInput, InputOrigin};
use crate::time::{Fps, Frames, Samples};

/// The maximum number of repetitions in one segment.
const MAX_REPETITIONS: usize = 4;

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

/// The second half during a range of the shot, on the clock of the first one.
fn half(second: &SecondClip, options: &MixOptions, size: Size, frames: Frames, range: Range) -> Graph {
    let MixOptions { fps, background, .. } = *options;
    let view = FrameView { size, fill: FillMode::Crop, background, look: second.adjustments.look };
    let repetitions = second.repetitions(frames, &(range.begin..range.end), fps);
    let shot = second.shot(frames);
    let graph = |(index, repetition): (usize, &Repetition)| {
        mix_graph(second.video, &timing(&shot, repetition.shown, fps), view).after_inputs(1 + index)
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

/// The graph of both halves, without [`as_part`](crate::plan::video::clip::as_part). The first input is that of the
/// shot, the others are those of [`inputs`].
pub(crate) fn graph(options: &MixOptions, shot: &Shot, second: &SecondClip, range: Range) -> Graph {
    let MixOptions { fps, size, background, .. } = *options;
    let [first_size, second_size] = second.layout.halves(size);
    let view = FrameView { size: first_size, fill: FillMode::Crop, background, look: shot.adjustments.look };
    let first = mix_graph(shot.video, &timing(shot, range, fps), view);
    let second_half = half(second, options, second_size, shot.frames, range);
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
    if repetitions.len() <= MAX_REPETITIONS {
        return vec![range];
    }
    let begins: Vec<Frames> = repetitions.iter().step_by(MAX_REPETITIONS).map(|one| one.at).collect();
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
                let spec = AudioSpec { crossed, ..second.adjustments.treated(spec) };
                placed.add(builder.audio_part(Some(spec), heard, second.url), from, heard);
            }
            start = start + shot.frames;
        }
    }
    placed.at_volume(options.original_volume, timeline.frames().samples(fps))
}
