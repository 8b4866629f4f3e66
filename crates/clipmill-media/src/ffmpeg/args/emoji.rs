//! The part of a segment's graph that draws emoji over its texts.

use std::fmt::Write;
use std::path::PathBuf;

use clipmill_core::filter_graph::{Filter, during};
use clipmill_core::media::Size;
use clipmill_core::overlay_motion::MotionPhase;
use clipmill_core::plan::{faded_still, overlay_png_filters};
use clipmill_core::segment::VideoSpec;
use clipmill_core::subtitle::CaptionView;
use clipmill_core::time::Fps;

/// The emoji of [`emoji_of`] stacked in one PNG file, because each further input would cost ffmpeg a file, several
/// threads and memory.
pub struct EmojiStrip {
    pub file: PathBuf,
    /// The upper edge and the size of each.
    pub places: Vec<(u32, Size)>,
}

/// The emoji in the texts of a segment, each once, in the order of the strip.
pub fn emoji_of(spec: &VideoSpec) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for emoji in spec.drawn().flat_map(CaptionView::emoji) {
        if !names.contains(&emoji.text) {
            names.push(emoji.text);
        }
    }
    names
}

/// Continues a graph from `[from]` to `[to]`; `input` is the number of the strip.
pub(super) fn draw_emoji(
    spec: &VideoSpec,
    strip: &EmojiStrip,
    input: usize,
    (from, to): (&str, &str),
) -> String {
    let names = emoji_of(spec);
    // Each emoji of one size is scaled once, with the numbers of the places that show it.
    let mut scaled: Vec<(&str, Size, Vec<usize>)> = Vec::new();
    let mut overlays = String::new();
    let mut last = from.to_owned();
    for (number, emoji) in spec.drawn().flat_map(CaptionView::emoji).enumerate() {
        match scaled.iter_mut().find(|(text, size, _)| (*text, *size) == (emoji.text, emoji.size)) {
            Some((_, _, numbers)) => numbers.push(number),
            None => scaled.push((emoji.text, emoji.size, vec![number])),
        }
        let x = along(emoji.at.0, emoji.moves.iter().map(|own| (own.phase, own.distance.0)), spec.fps);
        let y = along(emoji.at.1, emoji.moves.iter().map(|own| (own.phase, own.distance.1)), spec.fps);
        let over = Filter::new("overlay").arg("x", x).arg("y", y).arg("eof_action", "repeat");
        let over = over.arg("enable", during(&emoji.seen, spec.fps));
        let mut image = format!("emoji{number}");
        if !emoji.fades.is_empty() {
            let faded = chained(faded_still(&emoji.seen, &emoji.fades, spec.fps));
            _ = write!(overlays, ";[{image}]{faded}[faded{number}]");
            image = format!("faded{number}");
        }
        _ = write!(overlays, ";[{last}][{image}]{over}[overlaid{number}]");
        last = format!("overlaid{number}");
    }
    let copies = (0..scaled.len()).map(|copy| format!("[strip{copy}]")).collect::<String>();
    let mut graph = format!(";[{input}:0]split={}{copies}", scaled.len());
    for (copy, (text, size, numbers)) in scaled.iter().enumerate() {
        let place = names.iter().position(|name| name == text).and_then(|index| strip.places.get(index));
        let (top, size_in_strip) = place.copied().unwrap_or((0, *size));
        let crop = Filter::new("crop")
            .arg("w", size_in_strip.width)
            .arg("h", size_in_strip.height)
            .arg("x", 0)
            .arg("y", top);
        let filters = chained(std::iter::once(crop).chain(overlay_png_filters(*size)));
        let outputs = numbers.iter().map(|number| format!("[emoji{number}]")).collect::<String>();
        _ = write!(graph, ";[strip{copy}]{filters},split={}{outputs}", numbers.len());
    }
    format!("{graph}{overlays};[{last}]null[{to}]")
}

fn chained(filters: impl IntoIterator<Item = Filter>) -> String {
    filters.into_iter().map(|filter| filter.to_string()).collect::<Vec<_>>().join(",")
}

/// An expression for the place of an emoji whose text slides.
fn along(rest: u32, moves: impl Iterator<Item = (MotionPhase, f64)>, fps: Fps) -> String {
    let clock = format!("round(t*{})", fps.get());
    let moves = moves.filter(|(_, distance)| *distance != 0.0);
    moves.fold(rest.to_string(), |place, (phase, distance)| {
        format!("{place}+{distance}*{}", phase.remainder_expression(&clock))
    })
}
