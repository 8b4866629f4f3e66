//! A filter graph as a tree; `Display` is the text for ffmpeg's `-filter_complex`.
//!
//! The server writes every filter and every argument; no text of a client gets in. A frame that is needed twice (over
//! its own blurred copy) is a [`Graph::Fork`], one that is needed in several places a [`Graph::Let`], so that the graph
//! stays a tree.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::media::{Size, Turn};
use crate::time::{Fps, Frames};

/// One filter with its arguments, e.g. `crop=w=10:h=20`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    name: Word,
    args: Vec<(Word, String)>,
}

/// Nearly all words are literals, which need no memory: large plans hold hundreds of thousands.
type Word = Cow<'static, str>;

impl Filter {
    pub fn new(name: impl Into<Word>) -> Self {
        Self { name: name.into(), args: Vec::new() }
    }

    /// Adds a named argument; characters with a meaning of their own in a graph are escaped.
    pub fn arg(mut self, key: impl Into<Word>, value: impl fmt::Display) -> Self {
        self.args.push((key.into(), value.to_string()));
        self
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

/// An `enable` expression for exactly these frames: half a frame before each, so that rounded times do not matter.
pub fn during(frames: &Range<Frames>, fps: Fps) -> String {
    let second = |frame: Frames| (frame.0 as f64 - 0.5) / f64::from(fps.get());
    format!("between(t,{:.5},{:.5})", second(frames.start), second(frames.end))
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.args.iter().enumerate() {
            write!(f, "{}{key}={}", if i == 0 { '=' } else { ':' }, escape(value))?;
        }
        Ok(())
    }
}

/// Escapes a value for both levels of ffmpeg's parser (filter arguments inside a graph).
fn escape(value: &str) -> String {
    let mut option_level = String::with_capacity(value.len());
    for c in value.chars() {
        if matches!(c, '\\' | '\'' | ':') {
            option_level.push('\\');
        }
        option_level.push(c);
    }
    let mut graph_level = String::with_capacity(option_level.len());
    for c in option_level.chars() {
        if matches!(c, '\\' | '\'' | '[' | ']' | ',' | ';') {
            graph_level.push('\\');
        }
        graph_level.push(c);
    }
    graph_level
}

/// The size and pixel format that all frames of an input are converted to, because both may change in mid-stream.
/// Frames that already have them pass through unchanged. Then frames are turned upright, which ffmpeg would otherwise
/// do earlier, with filters that expect one size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameForm {
    pub size: Size,
    pub pix_fmt: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
}

impl FrameForm {
    fn filters(&self) -> Vec<Filter> {
        let mut filters = vec![
            Filter::new("scale").arg("w", self.size.width).arg("h", self.size.height),
            Filter::new("format").arg("pix_fmts", &self.pix_fmt),
        ];
        let transpose = |direction| vec![Filter::new("transpose").arg("dir", direction)];
        filters.extend(match self.turn {
            None => return filters,
            Some(Turn::Clockwise) => transpose("clock"),
            Some(Turn::ClockwiseFlip) => transpose("clock_flip"),
            Some(Turn::CounterClockwise) => transpose("cclock"),
            Some(Turn::CounterClockwiseFlip) => transpose("cclock_flip"),
            Some(Turn::HalfTurn) => vec![Filter::new("hflip"), Filter::new("vflip")],
            Some(Turn::Mirror) => vec![Filter::new("hflip")],
            Some(Turn::Flip) => vec![Filter::new("vflip")],
        });
        // Otherwise encoders of ffmpeg 7 and later write the matrix into the segment.
        filters.push(Filter::new("sidedata").arg("mode", "delete").arg("type", "DISPLAYMATRIX"));
        filters
    }
}

/// Where frames come from and what happens to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Graph {
    /// A stream of an input file.
    Input {
        file: usize,
        stream: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<FrameForm>,
    },
    /// Frames that a filter makes by itself (`color`).
    Source {
        filter: Filter,
    },
    Chain {
        input: Box<Graph>,
        filters: Vec<Filter>,
    },
    /// Two inputs into one filter (`overlay`, `blend`): `base` first, `top` second.
    Join {
        base: Box<Graph>,
        top: Box<Graph>,
        filter: Filter,
    },
    /// One input used twice: `behind` and `front` are chains over its two copies, joined by `filter`.
    Fork {
        input: Box<Graph>,
        behind: Vec<Filter>,
        front: Vec<Filter>,
        filter: Filter,
    },
    /// Several frames into one filter, in order.
    Combine {
        inputs: Vec<Graph>,
        filter: Filter,
    },
    /// Makes `value` once; every [`Graph::Use`] of `name` in `body` is a copy of it. An inner `Let` of the same name
    /// hides the outer one.
    Let {
        name: String,
        value: Box<Graph>,
        body: Box<Graph>,
    },
    /// A copy of the value of the nearest [`Graph::Let`] of that name.
    Use(String),
}

impl Graph {
    pub fn input(file: usize, stream: u32) -> Self {
        Self::Input { file, stream, form: None }
    }

    /// The frames of an input file, all in one form.
    pub fn input_in(file: usize, stream: u32, form: Option<FrameForm>) -> Self {
        Self::Input { file, stream, form }
    }

    /// The number of the input file, if the graph consists only of an input.
    pub fn file(&self) -> Option<usize> {
        match self {
            Self::Input { file, .. } => Some(*file),
            _ => None,
        }
    }

    /// The input stream with this number and the form that its frames are converted to, if any.
    pub fn form_of(&self, file: usize) -> Option<(u32, &FrameForm)> {
        match self {
            Self::Input { file: read, stream, form } => {
                form.as_ref().filter(|_| *read == file).map(|form| (*stream, form))
            }
            Self::Source { .. } | Self::Use(_) => None,
            Self::Chain { input, .. } | Self::Fork { input, .. } => input.form_of(file),
            Self::Join { base, top, .. } => base.form_of(file).or_else(|| top.form_of(file)),
            Self::Combine { inputs, .. } => inputs.iter().find_map(|input| input.form_of(file)),
            Self::Let { value, body, .. } => value.form_of(file).or_else(|| body.form_of(file)),
        }
    }

    pub fn source(filter: Filter) -> Self {
        Self::Source { filter }
    }

    /// Passes `self` and `top` to `filter`.
    pub fn join(self, top: Graph, filter: Filter) -> Self {
        Self::Join { base: Box::new(self), top: Box::new(top), filter }
    }

    pub fn combine(inputs: impl IntoIterator<Item = Graph>, filter: Filter) -> Self {
        Self::Combine { inputs: inputs.into_iter().collect(), filter }
    }

    /// Names `self` within `body`, where [`Graph::copy_of`] takes copies of it.
    pub fn named(self, name: &str, body: Graph) -> Self {
        Self::Let { name: name.to_owned(), value: Box::new(self), body: Box::new(body) }
    }

    pub fn copy_of(name: &str) -> Self {
        Self::Use(name.to_owned())
    }

    /// Appends filters; a chain grows instead of nesting, an empty list changes nothing.
    pub fn then(self, more: impl IntoIterator<Item = Filter>) -> Self {
        let more: Vec<Filter> = more.into_iter().collect();
        match self {
            graph if more.is_empty() => graph,
            Self::Chain { input, mut filters } => {
                filters.extend(more);
                Self::Chain { input, filters }
            }
            input => Self::Chain { input: Box::new(input), filters: more },
        }
    }

    pub fn fork(self, behind: Vec<Filter>, front: Vec<Filter>, filter: Filter) -> Self {
        Self::Fork { input: Box::new(self), behind, front, filter }
    }

    /// The same graph over the input files that follow the first `count`.
    pub fn after_inputs(mut self, count: usize) -> Self {
        self.each_input(&mut |input| *input += count);
        self
    }

    fn each_input(&mut self, change: &mut impl FnMut(&mut usize)) {
        match self {
            Self::Input { file, .. } => change(file),
            Self::Source { .. } | Self::Use(_) => {}
            Self::Chain { input, .. } | Self::Fork { input, .. } => input.each_input(change),
            Self::Join { base, top, .. } => {
                [base, top].into_iter().for_each(|graph| graph.each_input(change))
            }
            Self::Combine { inputs, .. } => inputs.iter_mut().for_each(|graph| graph.each_input(change)),
            Self::Let { value, body, .. } => {
                [value, body].into_iter().for_each(|graph| graph.each_input(change))
            }
        }
    }

    /// How many copies of `name` occur within this graph.
    fn uses(&self, name: &str) -> usize {
        match self {
            Self::Input { .. } | Self::Source { .. } => 0,
            Self::Chain { input, .. } | Self::Fork { input, .. } => input.uses(name),
            Self::Join { base, top, .. } => base.uses(name) + top.uses(name),
            Self::Combine { inputs, .. } => inputs.iter().map(|input| input.uses(name)).sum(),
            Self::Let { name: inner, value, body } => {
                value.uses(name) + if inner == name { 0 } else { body.uses(name) }
            }
            Self::Use(used) => usize::from(used == name),
        }
    }

    /// The text of the graph with its result labelled `[label]`.
    pub fn to_text(&self, label: &str) -> String {
        let mut writer = Writer::default();
        let last = writer.write(self);
        writer.parts.push(format!("{last}null[{label}]"));
        writer.parts.join(";")
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text("out"))
    }
}

#[derive(Default)]
struct Writer {
    parts: Vec<String>,
    labels: usize,
    /// Names in scope, the innermost last, each with the labels of its unused copies.
    named: Vec<(String, Vec<String>)>,
}

impl Writer {
    /// Writes everything below `graph` and returns the label its result can be read from.
    fn write(&mut self, graph: &Graph) -> String {
        match graph {
            Graph::Input { file, stream, form } => {
                let from = format!("[{file}:{stream}]");
                form.as_ref().map_or(from.clone(), |form| self.chain(&from, &form.filters()))
            }
            Graph::Source { filter } => self.chain("", std::slice::from_ref(filter)),
            Graph::Combine { inputs, filter } => {
                let from: String = inputs.iter().map(|input| self.write(input)).collect();
                self.chain(&from, std::slice::from_ref(filter))
            }
            Graph::Let { name, value, body } => self.write_named(name, value, body),
            Graph::Use(name) => self.take_copy(name),
            Graph::Chain { input, filters } => {
                let from = self.write(input);
                self.chain(&from, filters)
            }
            Graph::Join { base, top, filter } => {
                let (base, top) = (self.write(base), self.write(top));
                self.chain(&format!("{base}{top}"), std::slice::from_ref(filter))
            }
            Graph::Fork { input, behind, front, filter } => {
                let from = self.write(input);
                let (first, second) = (self.label(), self.label());
                self.parts.push(format!("{from}split=2{first}{second}"));
                let behind = self.chain(&first, behind);
                let front = self.chain(&second, front);
                self.chain(&format!("{behind}{front}"), std::slice::from_ref(filter))
            }
        }
    }

    fn write_named(&mut self, name: &str, value: &Graph, body: &Graph) -> String {
        let copies = match body.uses(name) {
            0 => Vec::new(),
            1 => vec![self.write(value)],
            n => {
                let from = self.write(value);
                let copies: Vec<String> = (0..n).map(|_| self.label()).collect();
                self.parts.push(format!("{from}split={n}{}", copies.concat()));
                copies
            }
        };
        self.named.push((name.to_owned(), copies));
        let result = self.write(body);
        self.named.pop();
        result
    }

    /// A copy without a value is a mistake of the planner; ffmpeg then reports the unknown label.
    fn take_copy(&mut self, name: &str) -> String {
        let entry = self.named.iter_mut().rev().find(|(other, _)| other == name);
        entry.and_then(|(_, copies)| copies.pop()).unwrap_or_else(|| format!("[{name}]"))
    }

    fn chain(&mut self, from: &str, filters: &[Filter]) -> String {
        if filters.is_empty() {
            return from.to_owned();
        }
        let to = self.label();
        let text = filters.iter().map(Filter::to_string).collect::<Vec<_>>().join(",");
        self.parts.push(format!("{from}{text}{to}"));
        to
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("[n{}]", self.labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_is_written_as_split_and_join() {
        let graph = Graph::input(0, 1)
            .then([Filter::new("fps").arg("fps", 30)])
            .fork(vec![Filter::new("gblur").arg("sigma", 8)], vec![], Filter::new("overlay").arg("x", 0))
            .then([Filter::new("format").arg("pix_fmts", "yuv420p")]);
        assert_eq!(
            graph.to_text("v"),
            "[0:1]fps=fps=30[n1];[n1]split=2[n2][n3];[n2]gblur=sigma=8[n4];[n4][n3]overlay=x=0[n5];\
             [n5]format=pix_fmts=yuv420p[n6];[n6]null[v]"
        );
    }

    #[test]
    fn a_named_graph_is_computed_once_and_split_for_each_use() {
        let mask = Graph::source(Filter::new("color").arg("c", "red"));
        let over = |base: Graph| base.join(Graph::copy_of("mask"), Filter::new("overlay"));
        let twice = mask.clone().named("mask", over(over(Graph::input(0, 0))));
        assert_eq!(
            twice.to_text("v"),
            "color=c=red[n1];[n1]split=2[n2][n3];[0:0][n3]overlay[n4];[n4][n2]overlay[n5];[n5]null[v]"
        );
        let once = mask.clone().named("mask", over(Graph::input(0, 0)));
        assert_eq!(once.to_text("v"), "color=c=red[n1];[0:0][n1]overlay[n2];[n2]null[v]");
        // The value of an inner name may use the outer one of the same name.
        let inner = mask.named("mask", Graph::copy_of("mask").named("mask", over(Graph::input(0, 0))));
        assert_eq!(inner.to_text("v"), once.to_text("v"));
    }

    #[test]
    fn several_inputs_go_into_one_filter() {
        let inputs = (0..3).map(|file| Graph::input(file, 0));
        let graph = Graph::combine(inputs, Filter::new("maskedmerge"));
        assert_eq!(graph.to_text("v"), "[0:0][1:0][2:0]maskedmerge[n1];[n1]null[v]");
    }

    #[test]
    fn arguments_are_escaped_for_both_levels() {
        let filter = Filter::new("ass").arg("filename", "a:b,c'[d]");
        assert_eq!(filter.to_string(), r"ass=filename=a\\:b\,c\\\'\[d\]");
    }
}
