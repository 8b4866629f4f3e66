//! A plan as a graph for Graphviz: sources feed segments, segments feed outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use clipmill_core::plan::{MixTrack, Plan, PlannedItem, PlannedSegment, Rendition, TrackPart};
use clipmill_core::segment::SegmentSpec;
use clipmill_core::speech::input_name;

use crate::report::pluralize;

/// The plan in Graphviz's language; `dot -Tsvg` draws it.
pub fn dot(plan: &Plan) -> String {
    let mut graph =
        String::from("digraph plan {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    let files = plan.segments.iter().flat_map(|segment| &segment.sources);
    let sources: BTreeSet<&str> = files.map(|file| file.url.as_str()).collect();
    for url in sources {
        line(
            &mut graph,
            format_args!("{} [shape=cylinder, label={}]", source(url), quoted(&input_name(url))),
        );
    }
    plan.segments.iter().for_each(|segment| add_segment(&mut graph, segment));
    plan.items.iter().for_each(|item| add_item(&mut graph, item));
    graph.push_str("}\n");
    graph
}

/// The beginning of a hash, which suffices to distinguish the segments of one plan.
pub fn short(key: &str) -> &str {
    key.get(..12).unwrap_or(key)
}

fn add_segment(graph: &mut String, segment: &PlannedSegment) {
    let key = short(&segment.key.0);
    let (what, style) = match &segment.spec {
        SegmentSpec::Video(video) => {
            let captions = if video.captions.is_some() { "\ncaptions" } else { "" };
            let part = video.part.map(|part| format!("\nfrom frame {}", part.begin.0)).unwrap_or_default();
            (format!("{}{part}{captions}", pluralize(video.frames.0, "frame")), "solid")
        }
        SegmentSpec::Audio(audio) => (pluralize(audio.samples.0, "sample"), "dashed"),
    };
    let label = quoted(&format!("{key}\n{what}"));
    line(graph, format_args!("{} [style={style}, label={label}]", quoted(key)));
    for file in &segment.sources {
        line(graph, format_args!("{} -> {} [style={style}]", source(&file.url), quoted(key)));
    }
}

fn add_item(graph: &mut String, item: &PlannedItem) {
    let node = format!("item{}", item.item_no);
    let label = match &item.outcome {
        Ok(rendition) => {
            let seconds = rendition.frames.seconds(rendition.fps);
            format!(
                "item {}\n{} at {} fps\n{seconds:.2} s",
                item.item_no,
                rendition.size,
                rendition.fps.get()
            )
        }
        Err(error) => format!("item {}\n{}", item.item_no, error.code),
    };
    line(graph, format_args!("{node} [shape=box3d, label={}]", quoted(&label)));
    if let Ok(rendition) = &item.outcome {
        add_video(graph, &node, rendition);
        let tracks = rendition.audio.iter().flat_map(|mix| &mix.tracks);
        tracks.enumerate().for_each(|(index, track)| add_track(graph, &node, index, track));
    }
}

/// One arrow for each distinct segment, labelled with its places.
fn add_video(graph: &mut String, item: &str, rendition: &Rendition) {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (place, key) in (1..).zip(&rendition.video) {
        places.entry(short(&key.0)).or_default().push(i32::to_string(&place));
    }
    for (key, places) in places {
        line(graph, format_args!("{} -> {item} [label={}]", quoted(key), quoted(&places.join(", "))));
    }
}

fn add_track(graph: &mut String, item: &str, index: usize, track: &MixTrack) {
    let node = format!("{item}track{index}");
    let label = quoted(&format!("audio track {}\n{} %", index + 1, track.volume_percent));
    line(graph, format_args!("{node} [style=rounded, label={label}]"));
    line(graph, format_args!("{node} -> {item} [style=dashed]"));
    let sounds: BTreeSet<&str> = track.parts.iter().filter_map(sound).collect();
    for key in sounds {
        line(graph, format_args!("{} -> {node} [style=dashed]", quoted(key)));
    }
}

fn sound(part: &TrackPart) -> Option<&str> {
    match part {
        TrackPart::Audio(key) => Some(short(&key.0)),
        TrackPart::Silence(_) => None,
    }
}

fn source(url: &str) -> String {
    quoted(&format!("source {url}"))
}

fn line(graph: &mut String, statement: std::fmt::Arguments) {
    // Writing to a String cannot fail.
    let _ = writeln!(graph, "  {statement};");
}

/// A quoted name or label, escaped so that no client's text can end it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_quotes() {
        assert_eq!(quoted(r#"a"b\"#), r#""a\"b\\""#);
        assert_eq!(quoted("a\nb"), r#""a\nb""#);
    }
}
