//! The cover of an output that a client sets: where its image comes from, and the text on it. It is made after the
//! output, so that another cover changes no segment.

use crate::error::TaskError;
use crate::filter_graph::{Filter, Graph};
use crate::hashed_value::HashedValue;
use crate::media::{ContentHash, Size};
use crate::message;
use crate::plan::build::Builder;
use crate::plan::mix::shot::{ClipAdjustments, Shot};
use crate::plan::mix::{graph, shot_spec, text_warnings};
use crate::plan::model::{CoverPlan, CoverSource};
use crate::plan::parts::Range;
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::extra::is_single;
use crate::plan::{PlannedItem, Rendition, SourceRef, Warning};
use crate::request::model::{Background, Cover, CoverTitle, FillMode, ImageMotion, MixOptions, TaskRequest};
use crate::segment::{EncoderSettings, VideoSpec};
use crate::subtitle::{TextPlace, lay_out_text};
use crate::time::{Fps, Frames};

/// The source of a cover that is made from the output: its video, or its automatic cover.
const OF_OUTPUT: &str = "output";
/// Reading of an output begins this long before the wanted frame.
const LEAD_US: i64 = 500_000;
/// Lines of a title take at most this part of the width.
const MAX_WIDTH: f64 = 0.9;

/// Adds the requested cover to each output. An output whose cover cannot be planned fails.
pub(crate) fn add_covers(request: &TaskRequest, items: &mut [PlannedItem], builder: &Builder) {
    let Some(cover) = request.params.cover() else { return };
    for item in items {
        let Ok(rendition) = &mut item.outcome else { continue };
        let Rendition { size, fps, frames, tier, .. } = *rendition;
        let encoder = builder.encoder(None, tier, fps);
        match plan_cover(cover, (size, fps, frames), &encoder, builder) {
            Ok((planned, warnings)) => {
                rendition.cover = planned.map(Box::new);
                item.warnings.extend(warnings);
            }
            Err(error) => {
                *item = PlannedItem::new(item.item_no, item.seed, item.recipe.take(), Err(error));
            }
        }
    }
}

/// Plans the cover of an output of this form.
fn plan_cover<'a>(
    cover: &Cover,
    (size, fps, frames): (Size, Fps, Frames),
    encoder: &HashedValue<EncoderSettings>,
    builder: &Builder<'a>,
) -> Result<(Option<CoverPlan>, Vec<Warning>), TaskError> {
    let mut warnings = Vec::new();
    let of_output = |graph: Graph| VideoSpec {
        source: ContentHash(OF_OUTPUT.into()),
        stream_index: 0,
        decoder: None,
        fps,
        frames,
        size,
        graph: graph.into(),
        inputs: Vec::new(),
        captions: None,
        texts: Vec::new(),
        encoder: encoder.clone(),
        part: None,
    };
    let mut plan = if let Some(at_s) = cover.at_s {
        let wanted = Frames::shown_at(at_s, fps);
        let last = Frames(frames.0.saturating_sub(1));
        if wanted >= frames {
            let length = format!("{:.2}", frames.seconds(fps));
            warnings.push(warning("at", message::cover_behind_end(length)));
        }
        let frame = wanted.min(last);
        let video = of_output(Graph::input(0, 0).then([yuv()]));
        let begin_us = (frame.seconds(fps) * 1e6).round() as i64 - LEAD_US;
        let seek_us = (begin_us > 0).then_some(begin_us);
        CoverPlan { source: CoverSource::Output, video, frame, seek_us, sources: Vec::new() }
    } else if let Some(url) = &cover.url {
        let (info, _) = builder.overlay(url)?;
        if info.video.as_ref().is_some_and(|video| !is_single(video)) || info.animation.is_some() {
            warnings.push(warning("url", message::only_first_picture()));
        }
        let (video, sources) = image(url, (size, fps), encoder, builder)?;
        CoverPlan { source: CoverSource::Image, video, frame: Frames(0), seek_us: None, sources }
    } else {
        // The automatic cover is a JPEG.
        let colours = Filter::new("zscale")
            .arg("matrixin", "470bg")
            .arg("rangein", "full")
            .arg("matrix", 709)
            .arg("range", "limited");
        let video = of_output(Graph::input(0, 0).then([colours, yuv()]));
        CoverPlan {
            source: CoverSource::Automatic,
            video,
            frame: Frames(0),
            seek_us: None,
            sources: Vec::new(),
        }
    };
    if let Some(title) = &cover.title {
        add_title(&mut plan, title, frames, builder, &mut warnings)?;
    }
    let changes = plan.source != CoverSource::Automatic || !plan.video.texts.is_empty();
    Ok((changes.then_some(plan), warnings))
}

fn yuv() -> Filter {
    Filter::new("format").arg("pix_fmts", "yuv420p")
}

fn warning(name: &str, message: message::Message) -> Warning {
    Warning { path: format!("/params/options/cover/{name}"), message }
}

/// The image of a file, which covers the frame.
fn image<'a>(
    url: &str,
    (size, fps): (Size, Fps),
    encoder: &HashedValue<EncoderSettings>,
    builder: &Builder<'a>,
) -> Result<(VideoSpec, Vec<SourceRef>), TaskError> {
    let (info, video) = builder.overlay(url)?;
    let one = Frames(1);
    let shot = Shot {
        url,
        info,
        video,
        excerpt: Excerpt::default(),
        natural: one,
        frames: one,
        looped: false,
        motion: ImageMotion::None,
        adjustments: ClipAdjustments::NONE,
        second: None,
    };
    let form = MixOptions {
        size,
        fps,
        fill: FillMode::Crop,
        background: Background::Black,
        ..MixOptions::default()
    };
    let range = Range::whole(one);
    let graph = graph(&form, &shot, range).into();
    let spec = shot_spec(&form, &shot, range, graph, None, encoder);
    Ok((spec, vec![SourceRef::of(info, url)]))
}

/// Adds a text in the middle, on all frames.
fn add_title(
    plan: &mut CoverPlan,
    title: &CoverTitle,
    frames: Frames,
    builder: &Builder,
    warnings: &mut Vec<Warning>,
) -> Result<(), TaskError> {
    let style = title.style();
    let place = TextPlace { parts: (0.5, 0.5), margin: None, max_width: MAX_WIDTH };
    let (form, shown) = ((plan.video.size, plan.video.fps), Frames(0)..frames);
    let track = lay_out_text(&title.text, &style, place, form, (shown, &[]), builder.font_for(&style)?);
    if track.is_empty() {
        warnings.push(warning("title/text", message::text_is_empty()));
    }
    warnings.extend(text_warnings(&track, "/params/options/cover/title/text"));
    if let Some(view) = track.view(Frames(0), frames) {
        plan.video.texts = vec![HashedValue::from(view)];
        plan.sources.extend(builder.font_sources(&plan.video));
    }
    Ok(())
}
