//! `clipmill plan`: the plan for a request.

use std::process::ExitCode;

use clipmill_core::plan::{Diversity, Pair, Plan, PlannedItem, PlannedSegment, Rendition, TrackPart};
use clipmill_core::segment::SegmentSpec;
use clipmill_core::speech::input_name;
use serde_json::json;

use crate::cli::PlanArgs;
use crate::graphviz::{self, short};
use crate::local::{PreparedRequest, prepare};
use crate::report::{pluralize, print_json, print_line};

pub async fn run(args: PlanArgs) -> anyhow::Result<ExitCode> {
    let prepared = prepare(&args.request, &args.values, args.seed, &args.local, args.json).await?;
    if args.json {
        print_json(&json!(prepared.plan));
    } else {
        print_plain(&args, &prepared);
    }
    // A plan without any renderable item is a failure; a plan that leaves out some items is not.
    let some = prepared.plan.items.iter().any(|item| item.outcome.is_ok());
    Ok(ExitCode::from(u8::from(!some)))
}

fn print_plain(args: &PlanArgs, prepared: &PreparedRequest) {
    for warning in prepared.warnings.iter().chain(&prepared.plan.warnings) {
        eprintln!("warning: {}: {}", warning.path, warning.message);
    }
    if args.dot {
        return print_line(graphviz::dot(&prepared.plan).trim_end());
    }
    for item in &prepared.plan.items {
        print_item(item);
    }
    print_diversity(prepared.plan.diversity.as_ref());
    print_line(pluralize(prepared.plan.segments.len(), "distinct segment"));
    for segment in &prepared.plan.segments {
        print_segment(segment, &users(&prepared.plan, segment));
    }
}

fn print_item(item: &PlannedItem) {
    match &item.outcome {
        Ok(rendition) => print_rendition(item, rendition),
        Err(error) => print_line(format_args!("item {}: cannot be rendered: {error}", item.item_no)),
    }
}

fn print_rendition(item: &PlannedItem, rendition: &Rendition) {
    let seconds = rendition.frames.seconds(rendition.fps);
    print_line(format_args!(
        "item {}: {} at {} fps, {} ({seconds:.2} s), recipe {}",
        item.item_no,
        rendition.size,
        rendition.fps.get(),
        pluralize(rendition.frames.0, "frame"),
        item.recipe
    ));
    let video_keys: Vec<&str> = rendition.video.iter().map(|key| short(&key.0)).collect();
    print_line(format_args!("  video: {}", video_keys.join(" ")));
    for track in rendition.audio.iter().flat_map(|mix| &mix.tracks) {
        let parts: Vec<String> = track.parts.iter().map(part).collect();
        print_line(format_args!("  audio at {} %: {}", track.volume_percent, parts.join(" ")));
    }
}

fn part(part: &TrackPart) -> String {
    match part {
        TrackPart::Audio(key) => short(&key.0).to_owned(),
        TrackPart::Silence(samples) => format!("silence({})", samples.0),
    }
}

/// The items that a segment is part of.
fn users(plan: &Plan, segment: &PlannedSegment) -> String {
    let uses = |item: &&PlannedItem| {
        item.outcome.as_ref().is_ok_and(|rendition| rendition.segments().contains(&segment.key))
    };
    let users: Vec<String> = plan.items.iter().filter(uses).map(|item| item.item_no.to_string()).collect();
    users.join(", ")
}

fn print_segment(segment: &PlannedSegment, users: &str) {
    let (key, url) = (short(&segment.key.0), sources(segment));
    let what = match &segment.spec {
        SegmentSpec::Video(video) => {
            let captions = if video.captions.is_some() { ", captions" } else { "" };
            format!("video, {}{captions}", pluralize(video.frames.0, "frame"))
        }
        SegmentSpec::Audio(audio) => format!("audio, {}", pluralize(audio.samples.0, "sample")),
    };
    print_line(format_args!("  {url} -> {key}  {what} -> item {users}"));
}

fn sources(segment: &PlannedSegment) -> String {
    let urls: Vec<_> = segment.sources.iter().map(|source| input_name(&source.url)).collect();
    if urls.is_empty() { "-".to_owned() } else { urls.join(", ") }
}

/// Prints the outputs that share most, and the most similar ones if known.
pub fn print_diversity(diversity: Option<&Diversity>) {
    let Some(diversity) = diversity else { return };
    let describe = |pair: &Pair| {
        let [first, second] = pair.items;
        format!("items {first} and {second} share {:.2} s of footage", pair.shared_seconds)
    };
    print_line(format_args!("most similar: {}", describe(&diversity.most_similar)));
    if let Some(pair) = &diversity.most_alike {
        let similarity = pair.similarity.unwrap_or_default();
        print_line(format_args!("most alike: {}, similarity {similarity:.2} of 1", describe(pair)));
    }
}
