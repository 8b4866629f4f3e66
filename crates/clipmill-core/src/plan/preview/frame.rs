//! One frame of one output, planned without the rest: the same filters on the same clock as in the finished file, but
//! started shortly before the frame instead of at the beginning of its segment.

use crate::error::TaskError;
use crate::hashed_value::HashedValue;
use crate::media::{Facts, MediaInfo, VideoInfo};
use crate::plan::build::{Builder, usable_video};
use crate::plan::division::Division;
use crate::plan::mix;
use crate::plan::mix::overlays::OverlayView;
use crate::plan::mix::pools::{Bumpers, DrawnOptions, draw_options};
use crate::plan::mix::scene_audio::SceneScript;
use crate::plan::mix::shot::Shot;
use crate::plan::mix::split_screen;
use crate::plan::mix::transition_span;
use crate::plan::parts::Range;
use crate::plan::parts::is_seekable;
use crate::plan::preview::{FrameError, FrameSpec, PlannedFrame};
use crate::plan::speech::{transcribed_urls, untranscribed};
use crate::plan::task_types::planner;
use crate::plan::timeline::{Timeline, TimelineSpan};
use crate::plan::video::clip::{Timing, finish, kept_size, whole};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::{Context, InputKind, Moment, NeededInput, SourceRef};
use crate::pricing::Tier;
use crate::request::InputRole;
use crate::request::model::{MixLength, MixOptions, Overlay, TaskRequest};
use crate::seed::item_seed;
use crate::segment::{EncoderSettings, VideoSpec};
use crate::subtitle::{CaptionTrack, CaptionView};
use crate::time::{Fps, Frames};

/// How many frames are made before the wanted one, for filters that look back.
const LEAD: u64 = 2;

/// Files that the frame depends on and that are not in `facts` yet. Call it again after each round.
pub fn frame_inputs(request: &TaskRequest, seed: u64, facts: &Facts, moment: &Moment) -> Vec<NeededInput> {
    let planner = planner(&request.params);
    let index = moment.item_no.saturating_sub(1) as usize;
    let choice = planner.choices(seed, facts).into_iter().nth(index).flatten();
    let choice = choice.as_ref();
    let mut media = planner.frame_files(seed, choice, facts, moment);
    let draw = |options| draw_options(options, item_seed(seed, moment.item_no), facts);
    let options = request.params.mix_options().map(draw);
    let unsearched = match (&options, choice) {
        (Some(dealt), Some(choice)) => planner.unsearched_files(choice, dealt, facts),
        _ => Vec::new(),
    };
    if let Some(dealt) =
        options.as_ref().filter(|dealt| !is_alone(&dealt.options, planner.is_filled(), moment))
    {
        media.extend(dealt.bumpers().into_iter().flatten());
    }
    media.extend(request.urls_of(InputRole::Overlay));
    media.extend(options.as_ref().and_then(DrawnOptions::timing_voice));
    let subtitle = options.as_ref().and_then(DrawnOptions::subtitle);
    let subtitle = subtitle.filter(|url| !facts.subtitles.contains_key(*url));
    let media = media.into_iter().filter(|url| !facts.media.contains_key(*url));
    let pauses =
        options.as_ref().and_then(|dealt| dealt.unsearched_voice(facts)).into_iter().chain(unsearched);
    let all = media.map(|url| (url, InputKind::Media)).chain(subtitle.map(|url| (url, InputKind::Subtitle)));
    let transcribed =
        options.as_ref().map(|dealt| transcribed_urls(&request.params, index, choice, dealt, facts));
    let untranscribed: Vec<String> = untranscribed(transcribed.unwrap_or_default(), facts).collect();
    let fonts = request.urls_of(InputRole::Font).filter(|url| !facts.fonts.contains_key(*url));
    let all = all.chain(pauses.map(|url| (url, InputKind::Pauses)));
    let all = all.chain(untranscribed.iter().map(|url| (url.as_str(), InputKind::Transcript)));
    let all = all.chain(fonts.map(|url| (url, InputKind::Font)));
    let mut urls = std::collections::BTreeSet::new();
    let all = all.filter(|input| urls.insert(*input));
    all.map(|(url, kind)| NeededInput { url: url.to_owned(), kind }).collect()
}

/// Plans the frame. All files that [`frame_inputs`] lists must be in `facts`.
pub fn frame<'a>(
    request: &'a TaskRequest,
    seed: u64,
    facts: &'a Facts,
    context: &'a Context<'a>,
    moment: &Moment,
) -> Result<PlannedFrame, FrameError> {
    let items = request.params.total_items() as u32;
    if moment.item_no == 0 || moment.item_no > items {
        return Err(FrameError::NoSuchItem(items));
    }
    let mut builder = Builder::new(facts, context, Division::whole(context));
    planner(&request.params).frame(seed, moment, &mut builder)
}

/// A file as it is, at the given time or early in it, for recognition.
pub fn thumbnail(
    info: &MediaInfo,
    url: &str,
    context: &Context,
    at_s: Option<f64>,
) -> Result<PlannedFrame, TaskError> {
    let facts = Facts::default();
    let builder = Builder::new(&facts, context, Division::whole(context));
    let video = match &info.video {
        Some(video) => video,
        None => usable_video(info).map_err(|error| error.input(url))?,
    };
    let (fps, size) = (Fps::DEFAULT, kept_size(video));
    let natural = Excerpt::default().frames(video, 1.0, fps);
    let wanted =
        at_s.map_or(Frames(natural.0 / 10).0.min(u64::from(fps.get())), |at| Frames::nearest(at, fps).0);
    let frame = Frames(wanted.min(natural.0 - 1));
    let spec = |begin: Frames| {
        let timing = Timing { begin, ..Timing::plain(fps, natural, natural) };
        let graph = whole(video, &timing, size).then(finish());
        let spec = VideoSpec {
            source: info.content.clone(),
            stream_index: video.stream_index,
            decoder: video.named_decoder().map(str::to_owned),
            fps,
            frames: natural,
            size,
            graph: graph.into(),
            inputs: Vec::new(),
            captions: None,
            texts: Vec::new(),
            encoder: builder.encoder(None, Tier::of(size), fps),
            part: None,
        };
        FrameSpec { video: spec, frame, seek_us: timing.seek_us(video) }
    };
    let begin = begin_of(frame, info, (video, Excerpt::default()), natural);
    Ok(PlannedFrame {
        quick: begin.map(spec),
        exact: spec(Frames(0)),
        sources: vec![SourceRef::of(info, url)],
        at_s: frame.seconds(fps),
        length_s: natural.seconds(fps),
    })
}

/// Whether this clip influences the frame: all clips do when captions run over the whole output, when clips are cut to the
/// shortest, or when an output may show a clip in place of another one.
pub(crate) fn is_seen(clip: usize, options: &MixOptions, is_filled: bool, moment: &Moment) -> bool {
    !is_alone(options, is_filled, moment) || moment.clip == Some(clip)
}

/// Whether only one clip influences the frame.
fn is_alone(options: &MixOptions, is_filled: bool, moment: &Moment) -> bool {
    let apart = options.subtitle.is_none()
        && options.transition.is_none()
        && !options.is_shortest
        && options.length == MixLength::Clips
        && !is_filled
        && options.effects.is_empty();
    moment.clip.is_some() && apart && options.overlays.iter().all(Overlay::is_constant)
}

/// The intro and the outro, if they influence the frame.
pub(crate) fn visible_bumpers<'a>(
    dealt: &DrawnOptions<'a>,
    is_filled: bool,
    moment: &Moment,
    builder: &Builder<'a>,
) -> Result<Option<Bumpers<'a>>, TaskError> {
    let is_visible = !is_alone(&dealt.options, is_filled, moment);
    is_visible.then(|| Bumpers::of(dealt, dealt.options.fps, builder)).transpose()
}

/// The timeline with the intro and the outro, if they are shown.
pub(crate) fn with_bumpers<'a>(timeline: Timeline<'a>, bumpers: Option<Bumpers<'a>>) -> Timeline<'a> {
    match bumpers {
        Some(bumpers) => bumpers.around(timeline),
        None => timeline,
    }
}

/// The frame at which the graph begins if the source is read from the middle; `None` if it is read from its beginning.
pub(crate) fn begin_of(
    frame: Frames,
    info: &MediaInfo,
    (video, excerpt): (&VideoInfo, Excerpt),
    natural: Frames,
) -> Option<Frames> {
    let begin = frame.0.min(natural.0.saturating_sub(1)).saturating_sub(LEAD);
    // A still image can only be read from its beginning.
    let is_entered = begin > 0 || excerpt.from_us > 0;
    (is_entered && !video.still && is_seekable(info)).then_some(Frames(begin))
}

pub(crate) fn of_mix(
    options: &MixOptions,
    timeline: &Timeline,
    scripts: &[SceneScript],
    moment: &Moment,
    builder: &Builder,
) -> Result<PlannedFrame, FrameError> {
    let fps = options.fps;
    let total = timeline.frames();
    builder.check_length(total, fps)?;
    let (captions, overlays, _) = mix::texts_and_images(builder, options, timeline, scripts)?;
    let (from, until) = counted_from(timeline, moment)?;
    let representative_frame = || representative_frame(captions.as_ref(), from, until);
    let frame = moment.at_s.map_or_else(representative_frame, |at| from + Frames::nearest(at, fps));
    let frame = frame.min(Frames(until.0.saturating_sub(1)));
    let encoder = builder.encoder(options.preset, Tier::of(options.size), fps);
    let view = |start, frames| {
        let captions = captions.as_ref().and_then(|track| track.view(start, frames));
        (captions, overlays.view(start, frames))
    };
    let video_spec = match timeline.at(frame).ok_or(FrameError::NoSuchClip(0))? {
        TimelineSpan::Shot { start, shot, shown } => {
            let begin = Frames(start.0 - shown.start.0);
            of_shot(options, shot, Frames(frame.0 - begin.0), view(begin, shot.frames), &encoder)
        }
        TimelineSpan::TransitionSpan { start, shown, scene_overlap, sides } => {
            let (captions, over) = view(start, shown.end);
            let graph = transition_span::graph(options, &sides, scene_overlap, &shown).into();
            let video_spec = transition_span::video_spec(options, &sides, &shown, graph, captions, &encoder);
            let (spec, sources) = over.overlaid(video_spec, fps, Frames(0));
            of_transition(spec, sources, Frames(frame.0 - start.0))
        }
    };
    let mut sources = video_spec.sources;
    sources.extend(builder.font_sources(&video_spec.exact.video));
    Ok(PlannedFrame { sources, at_s: frame.seconds(fps), length_s: total.seconds(fps), ..video_spec })
}

/// The frames that the moment counts from and ends at: those of the output, or of one scene.
pub(crate) fn counted_from(timeline: &Timeline, moment: &Moment) -> Result<(Frames, Frames), FrameError> {
    let Some(clip) = moment.clip else { return Ok((Frames(0), timeline.frames())) };
    let scene = timeline.scenes().find(|scene| scene.number == clip);
    // The output may be cut before the scene.
    let scene = scene.ok_or_else(|| FrameError::NoSuchClip(timeline.scenes().count()))?;
    Ok((scene.start, scene.end))
}

/// A frame of a shot, counted from the shot's beginning, wherever in the output the shot is.
fn of_shot(
    options: &MixOptions,
    shot: &Shot,
    frame: Frames,
    (captions, over): (Option<CaptionView>, OverlayView),
    encoder: &HashedValue<EncoderSettings>,
) -> PlannedFrame {
    let files = split_screen::sources(shot);
    // A clip beside the shot's may repeat often before and after the frame.
    let end = if shot.second.is_some() { frame + Frames(1) } else { shot.frames };
    let make_spec = |begin: Frames| {
        let range = Range::from(begin, end);
        let graph = mix::graph(options, shot, range).into();
        let spec = mix::shot_spec(options, shot, range, graph, captions.clone(), encoder);
        let seek_us = mix::timing(shot, range, options.fps).seek_us(shot.video).filter(|_| !shot.video.still);
        let (spec, sources) = over.overlaid((spec, files.clone()), options.fps, begin);
        (FrameSpec { video: spec, frame, seek_us }, sources)
    };
    let begin = match shot.video.still {
        // An image is read from its beginning, whatever frame of the shot is rendered.
        true => Some(Frames(frame.0.saturating_sub(LEAD))).filter(|begin| begin.0 > 0),
        false => begin_of(frame, shot.info, (shot.video, shot.excerpt), shot.natural),
    };
    let begin = begin.filter(|_| !shot.looped);
    let first = if shot.second.is_some() { Frames(frame.0.saturating_sub(LEAD)) } else { Frames(0) };
    let (exact, sources) = make_spec(first);
    let exact = exact.unentered();
    let exact = match shot.second {
        Some(_) => FrameSpec { video: exact.video.from_the_beginning(), ..exact },
        None => exact,
    };
    PlannedFrame { quick: begin.map(|begin| make_spec(begin).0), exact, sources, at_s: 0.0, length_s: 0.0 }
}

/// A frame of a transition span, which is short, so that everything before the frame is made.
fn of_transition(spec: VideoSpec, sources: Vec<SourceRef>, frame: Frames) -> PlannedFrame {
    let exact = FrameSpec { video: spec.from_the_beginning(), frame, seek_us: None };
    let seek_us = spec.part.and_then(|part| part.seek_us);
    let quick = spec.is_entered().then_some(FrameSpec { video: spec, frame, seek_us });
    PlannedFrame { quick, exact, sources, at_s: 0.0, length_s: 0.0 }
}

/// The middle of the first caption between two frames; without captions, a frame at a third of the way.
fn representative_frame(captions: Option<&CaptionTrack>, from: Frames, until: Frames) -> Frames {
    let caption = captions.and_then(|track| track.first_between(from, until));
    let third = Frames(from.0 + (until.0.saturating_sub(from.0)) / 3);
    caption.map_or(third, |caption| Frames((caption.start.0.max(from.0) + caption.end.0.min(until.0)) / 2))
}
