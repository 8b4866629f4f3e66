//! videoDeduplication: one varied copy of each video.

use serde_json::{Map, Value, json};

use crate::editorial::{
    ClipContent, EditorialClip, EditorialItem, EditorialTimeline, EditorialTrack, Playback,
};
use crate::effects::{Effect, Stage};
use crate::error::TaskError;
use crate::filter_graph::{Filter, Graph};
use crate::footage::Footage;
use crate::media::{MediaInfo, VideoInfo};
use crate::plan::build::Builder;
use crate::plan::editorial::audio::audio_tracks;
use crate::plan::editorial::{MediaTable, frame_start_s};
use crate::plan::mix::audio::{clip_audio, plain_track};
use crate::plan::mix::pools::drawn_look;
use crate::plan::model::Planned;
use crate::plan::parts::{Range, can_be_parted, parts};
use crate::plan::vary::layers::{self, Canvas, Layers};
use crate::plan::vary::pip;
use crate::plan::vary::view::View;
use crate::plan::video::clip::{Timing, as_part, finish, kept_size};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::extra::ExtraInputs;
use crate::plan::video::extra::{is_single, is_steady};
use crate::plan::video::rgb::rgb_filters;
use crate::plan::{AudioMix, PlannedItem, Rendition, SourceRef};
use crate::pricing::Tier;
use crate::request::model::{Clip, ColourMixing, DedupOptions, DedupParams, HueMixing, Rotation, Span};
use crate::seed::{Place, Ranged, item_seed};
use crate::segment::{AudioSpec, Continuation, SegmentSpec, VideoSpec};
use crate::time::{Fps, Frames, Samples};

/// Every value that was drawn at random for one output.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DedupValues {
    pub frame_rate: Option<f64>,
    pub speed: Option<f64>,
    /// In degrees clockwise; negative is counterclockwise.
    pub angle: Option<f64>,
    pub zoom: Option<f64>,
    pub eq: Option<Eq>,
    pub look: Option<&'static str>,
    /// Files drawn for `picMask` and `videoMask`, as indexes into their lists, the lowest layer first.
    pub image_layers: Option<Layers>,
    pub video_layers: Option<Layers>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Eq {
    brightness: f64,
    contrast: f64,
    saturation: f64,
    gamma: f64,
}

impl DedupValues {
    /// Draws the values for one item. Each option has its own draw.
    pub fn new(options: &DedupOptions, seed: u64) -> Self {
        let place = Place::of(seed);
        let draw = |what: Ranged, span: Span, step: f64| place.on_grid(what, span.min, span.max, step);
        Self {
            frame_rate: options.frame_extraction.map(|span| draw(Ranged::FRAME_EXTRACTION, span, 0.01)),
            speed: options.speed.map(|span| draw(Ranged::SPEED, span, 0.1)),
            angle: options.rotation.map(|Rotation { clockwise, angle }| {
                let degrees = draw(Ranged::ROTATION, angle, 0.001);
                if clockwise { degrees } else { -degrees }
            }),
            zoom: options.zoom.map(|span| draw(Ranged::ZOOM, span, 0.001)),
            eq: options.colour_mixing.map(|ColourMixing { brightness, contrast, saturation, gamma }| Eq {
                brightness: draw(Ranged::BRIGHTNESS, brightness, 0.001),
                contrast: draw(Ranged::CONTRAST, contrast, 0.001),
                saturation: draw(Ranged::SATURATION, saturation, 0.001),
                gamma: draw(Ranged::GAMMA, gamma, 0.001),
            }),
            look: options.filter.then(|| drawn_look(place)).flatten(),
            image_layers: options.pic_mask.as_ref().map(|mask| layers::draw(mask, place, "picMask")),
            video_layers: options.video_mask.as_ref().map(|mask| layers::draw(mask, place, "videoMask")),
        }
    }

    fn overlay_urls<'o>(&self, options: &'o DedupOptions) -> Vec<&'o str> {
        let masks = [(&options.pic_mask, &self.image_layers), (&options.video_mask, &self.video_layers)];
        let files = masks.into_iter().flat_map(|(mask, layers)| match (mask, layers) {
            (Some(mask), Some(layers)) => layers.iter().filter_map(|index| mask.urls.get(*index)).collect(),
            _ => Vec::new(),
        });
        files.chain(options.pip.as_ref().and_then(|pip| pip.fill_url.as_ref())).map(String::as_str).collect()
    }

    fn recipe(&self) -> Value {
        let mut recipe = Map::new();
        let mut put =
            |name: &str, value: Option<Value>| value.map(|value| recipe.insert(name.to_owned(), value));
        put("frameRate", self.frame_rate.map(Value::from));
        put("speed", self.speed.map(Value::from));
        put("angle", self.angle.map(Value::from));
        put("scale", self.zoom.map(Value::from));
        put("look", self.look.map(Value::from));
        put("colour", self.eq.map(|eq| {
            json!({ "brightness": eq.brightness, "contrast": eq.contrast, "saturation": eq.saturation, "gamma": eq.gamma })
        }));
        put("picMask", self.image_layers.clone().map(Value::from));
        put("videoMask", self.video_layers.clone().map(Value::from));
        Value::Object(recipe)
    }
}

/// Files that the output of one item needs beside the video itself.
pub(crate) fn overlay_urls(options: &DedupOptions, seed: u64) -> Vec<&str> {
    DedupValues::new(options, seed).overlay_urls(options)
}

pub(crate) fn plan(params: &DedupParams, seed: u64, builder: &mut Builder) -> Vec<PlannedItem> {
    let mut items = Vec::with_capacity(params.total_items());
    for (item_no, (entry, clip)) in (1..).zip(params.items()) {
        if !(builder.context.is_wanted)() {
            break;
        }
        let seed = item_seed(seed, item_no);
        let values = DedupValues::new(&params.options, seed);
        let planned = plan_video(params, entry, clip, &values, builder);
        items.push(PlannedItem::new(item_no, seed, values.recipe(), planned));
    }
    items
}

fn plan_video(
    params: &DedupParams,
    entry: usize,
    clip: &Clip,
    drawn: &DedupValues,
    builder: &mut Builder,
) -> Result<Planned, TaskError> {
    let (info, video, excerpt) = builder.moving_clip(clip)?;
    builder.check_declared(|| format!("/params/videoList/{entry}"), clip, video);
    let fps = params.options.fps;
    let (size, frames) = (builder.rendered_size(kept_size(video)), length((video, excerpt), drawn, fps));
    builder.check_length(frames, fps)?;
    let mut keys = Vec::new();
    let is_divisible = is_divisible(params, drawn, (info, video), builder)?;
    for range in ranges(params, drawn, (info, video), frames, builder)? {
        let dedup_video = video_spec(params, clip, drawn, range, builder)?;
        keys.push(builder.segment_of(SegmentSpec::Video(dedup_video.spec), dedup_video.sources));
    }
    for key in &keys {
        builder.splits.add(key, is_divisible.then_some(video));
    }
    let audio = audio_mix(builder, info, (clip, excerpt), frames.samples(fps), drawn.speed.unwrap_or(1.0));
    let rendition = Rendition {
        fps,
        size,
        frames,
        tier: Tier::of(size),
        video: keys,
        audio,
        speech: vec![],
        cover: None,
    };
    let begin = Frames::nearest(excerpt.begin_s(), fps).0;
    let footage = [(info.content.clone(), begin..begin + excerpt.frames(video, 1.0, fps).0)];
    Ok(Planned { rendition, footage: Footage::of(footage), warnings: vec![] })
}

/// The parts in which the video of one output is made.
pub(crate) fn ranges(
    params: &DedupParams,
    drawn: &DedupValues,
    source: (&MediaInfo, &VideoInfo),
    frames: Frames,
    builder: &Builder,
) -> Result<impl Iterator<Item = Range> + use<>, TaskError> {
    let is_divisible = is_divisible(params, drawn, source, builder)?;
    let part_seconds = if is_divisible { builder.division.part_seconds } else { 0 };
    Ok(parts(frames, frames, params.options.fps, part_seconds))
}

/// Whether the video of one output can be made in parts.
fn is_divisible(
    params: &DedupParams,
    drawn: &DedupValues,
    (info, video): (&MediaInfo, &VideoInfo),
    builder: &Builder,
) -> Result<bool, TaskError> {
    let mut exact = can_be_parted(info, video);
    for url in drawn.overlay_urls(&params.options) {
        let (info, video) = builder.overlay(url)?;
        exact &= is_single(video) || is_steady(info, video);
    }
    Ok(exact)
}

/// The specification of one output's video, without its source.
pub(crate) struct DedupVideo {
    pub spec: VideoSpec,
    pub sources: Vec<SourceRef>,
    /// Where reading of the source may begin, in microseconds after its first frame.
    pub seek_us: Option<i64>,
}

/// The length of one output in frames.
pub(crate) fn length((video, excerpt): (&VideoInfo, Excerpt), drawn: &DedupValues, fps: Fps) -> Frames {
    excerpt.frames(video, drawn.speed.unwrap_or(1.0), fps)
}

/// A range of the video of one output.
pub(crate) fn video_spec(
    params: &DedupParams,
    clip: &Clip,
    drawn: &DedupValues,
    range: Range,
    builder: &Builder,
) -> Result<DedupVideo, TaskError> {
    let (info, video, excerpt) = builder.moving_clip(clip)?;
    let (fps, speed) = (params.options.fps, drawn.speed.unwrap_or(1.0));
    let size = builder.rendered_size(kept_size(video));
    let frames = length((video, excerpt), drawn, fps);
    builder.check_length(frames, fps)?;
    let timing = Timing { begin: range.begin, ..Timing::plain(fps, frames, range.end) };
    let timing = Timing { excerpt, speed, keep_rate: drawn.frame_rate, ..timing };
    let mut inputs = ExtraInputs::default().within(range, fps);
    let colours = colours(&params.options, drawn);
    let view = View::of(drawn.angle.unwrap_or(0.0), drawn.zoom.unwrap_or(1.0), size);
    let graph = view.graph(video, &timing, size, params.options.mirror, colours.clone());
    let source = pip::Source { info, video, url: &clip.url, colours };
    let canvas = Canvas { size, fps, frames, range };
    let graph = with_layers(graph, &params.options, drawn, &source, canvas, builder, &mut inputs)?;
    let graph = with_effect(graph, &params.options, canvas).then(finish());
    let (inputs, sources) = inputs.finish(SourceRef::of(info, &clip.url));
    let spec = VideoSpec {
        source: info.content.clone(),
        stream_index: video.stream_index,
        decoder: video.named_decoder().map(str::to_owned),
        fps,
        frames: if range.is_part { range.frames() } else { frames },
        size,
        graph: if range.is_part { as_part(graph, fps) } else { graph }.into(),
        inputs,
        captions: None,
        texts: Vec::new(),
        encoder: builder.encoder(params.options.preset, Tier::of(size), fps),
        part: timing.part(range, info, video),
    };
    Ok(DedupVideo { spec, sources, seek_us: timing.seek_us(video) })
}

/// The source's audio at the same speed; a source without audio gives an output without.
pub(crate) fn audio_mix(
    builder: &mut Builder,
    info: &MediaInfo,
    (clip, excerpt): (&Clip, Excerpt),
    samples: Samples,
    speed: f64,
) -> Option<AudioMix> {
    let spec = AudioSpec {
        tempo_permille: (speed * 1000.0).round() as u32,
        edge_fade: Samples(0),
        continued: Continuation::default(),
        ..clip_audio(info, excerpt, samples, samples, None)?
    };
    let part = builder.audio_part(Some(spec), samples, &clip.url);
    let tracks = vec![plain_track(vec![part], samples, 100)];
    Some(AudioMix { samples, tracks, loudness_lufs: None, fade_out: Samples(0), stretch: None })
}

/// The timeline of one output for editing programs: its clip at its speed. Everything else is in the details.
pub(crate) fn editorial<'a>(
    params: &DedupParams,
    clip: &'a Clip,
    drawn: &DedupValues,
    builder: &mut Builder<'a>,
) -> Result<EditorialTimeline, TaskError> {
    let (info, video, excerpt) = builder.moving_clip(clip)?;
    let (fps, speed) = (params.options.fps, drawn.speed.unwrap_or(1.0));
    let frames = length((video, excerpt), drawn, fps);
    builder.check_length(frames, fps)?;
    let mut media = MediaTable::default();
    let shown = EditorialClip {
        content: ClipContent::Media {
            index: media.index(&clip.url, info),
            start_s: frame_start_s(video, excerpt.begin_s(), (Frames(0), speed), fps),
        },
        length: frames.0,
        playback: Playback::Speed(speed),
        gain: 1.0,
        details: drawn.recipe(),
    };
    let items = vec![EditorialItem::Clip(shown)];
    let video_track = EditorialTrack { name: "Clips".to_owned(), items, details: Value::Null };
    let mix = audio_mix(builder, info, (clip, excerpt), frames.samples(fps), speed);
    let audio = mix.map(|mix| audio_tracks(&mix, &["Clips"], builder.segments(), builder.facts, &mut media));
    Ok(EditorialTimeline {
        fps,
        size: kept_size(video),
        frames,
        video: vec![video_track],
        audio: audio.unwrap_or_default(),
        captions: Vec::new(),
        media: media.into_media(),
        details: json!(params.options),
    })
}

fn colours(options: &DedupOptions, drawn: &DedupValues) -> Vec<Filter> {
    let mut colours = Vec::new();
    colours.extend(drawn.eq.map(eq_filter));
    colours.extend(options.hue_mixing.map(hue_filter));
    colours.extend(rgb_filters(options.color_balance, drawn.look));
    colours
}

/// Applies masks and picture-in-picture above and below the changed video, in their order.
fn with_layers(
    graph: Graph,
    options: &DedupOptions,
    drawn: &DedupValues,
    source: &pip::Source,
    canvas: Canvas,
    builder: &Builder,
    inputs: &mut ExtraInputs,
) -> Result<Graph, TaskError> {
    let mut graph = graph;
    if let Some(pip) = &options.pip {
        graph = pip::lay(graph, pip, source, canvas, builder, inputs)?;
    }
    let masks = [
        ("picMask", &options.pic_mask, &drawn.image_layers),
        ("videoMask", &options.video_mask, &drawn.video_layers),
    ];
    for (name, mask, layers) in masks {
        if let (Some(mask), Some(layers)) = (mask, layers) {
            graph = layers::lay(graph, (mask, layers), name, canvas, builder, inputs)?;
        }
    }
    Ok(graph)
}

/// Applies the effect, which is the last in the chain and therefore covers masks too.
fn with_effect(graph: Graph, options: &DedupOptions, canvas: Canvas) -> Graph {
    match staged(options, canvas) {
        // An effect that ends before this range or begins after it is not drawn.
        Some((effect, stage))
            if canvas.range.begin <= stage.begin + stage.frames && stage.begin <= canvas.range.end =>
        {
            effect.apply(graph, &stage)
        }
        _ => graph,
    }
}

/// The requested effect, and where in the output it is applied.
pub(crate) fn staged(options: &DedupOptions, canvas: Canvas) -> Option<(&'static Effect, Stage)> {
    let effect_options = options.effect.as_ref()?;
    let effect = Effect::find(&effect_options.name)?;
    let Canvas { size, fps, frames, range } = canvas;
    let stage = Stage::new(
        (size, fps, frames),
        effect_options.strength_percent,
        effect_options.duration_s,
        effect_options.position_percent,
    );
    Some((effect, Stage { graph_begin: range.begin, ..stage }))
}

fn eq_filter(eq: Eq) -> Filter {
    Filter::new("eq")
        .arg("brightness", eq.brightness)
        .arg("contrast", eq.contrast)
        .arg("saturation", eq.saturation)
        .arg("gamma", eq.gamma)
}

/// `s` and `b` of the request are offsets from the neutral 1 and 0.
fn hue_filter(hue: HueMixing) -> Filter {
    Filter::new("hue").arg("h", hue.hue_degrees).arg("s", 1.0 + hue.saturation).arg("b", hue.brightness)
}

/// The speed drawn for one item.
pub(crate) fn drawn_speed(options: &DedupOptions, seed: u64) -> f64 {
    DedupValues::new(options, seed).speed.unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_in_range_on_their_grid_and_do_not_depend_on_other_options() {
        let mut options = DedupOptions {
            filter: true,
            frame_extraction: Some(Span { min: 25.0, max: 30.0 }),
            speed: Some(Span { min: 0.5, max: 2.0 }),
            rotation: Some(Rotation { clockwise: false, angle: Span { min: 0.0, max: 2.0 } }),
            zoom: Some(Span { min: 1.0, max: 1.1 }),
            ..DedupOptions::default()
        };
        for seed in 0..200 {
            let drawn = DedupValues::new(&options, seed);
            let speed = drawn.speed.unwrap();
            assert!((0.5..=2.0).contains(&speed) && (speed * 10.0 - (speed * 10.0).round()).abs() < 1e-9);
            assert!((-2.0..=0.0).contains(&drawn.angle.unwrap()));
            assert!((25.0..=30.0).contains(&drawn.frame_rate.unwrap()));
        }
        let speed = DedupValues::new(&options, 5).speed;
        options.zoom = None;
        assert_eq!(DedupValues::new(&options, 5).speed, speed);
    }
}
