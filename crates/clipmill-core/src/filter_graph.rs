//! A filter graph as a tree; `Display` is the text for ffmpeg's `-filter_complex`.
//!
//! The server writes every filter and every argument; nothing of a client's text gets in. A picture that
//! is needed twice (over its own blurred copy) is a [`Graph::Fork`], so that the whole stays a tree.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One filter with its arguments, e.g. `crop=w=10:h=20`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    name: String,
    args: Vec<(String, String)>,
}

impl Filter {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), args: Vec::new() }
    }

    /// Adds a named argument; characters with a meaning of their own in a graph are escaped.
    pub fn arg(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.args.push((key.to_owned(), value.to_string()));
        self
    }

    pub fn name(&self) -> &str {
        &self.name
    }
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

/// Where frames come from and what happens to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Graph {
    /// A stream of an input file.
    Input {
        file: usize,
        stream: u32,
    },
    Chain {
        input: Box<Graph>,
        filters: Vec<Filter>,
    },
    /// Pictures that a filter makes by itself (`color`).
    Source {
        filter: Filter,
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
    /// One input used several times: each branch is a graph over its own [`Graph::Copy`], and `filter`
    /// joins their results in order.
    Branches {
        input: Box<Graph>,
        branches: Vec<Graph>,
        filter: Filter,
    },
    /// Several pictures into one filter, in order.
    Combine {
        inputs: Vec<Graph>,
        filter: Filter,
    },
    /// In a branch, the copy of the nearest [`Graph::Branches`]' input; used exactly once in it.
    Copy,
}

impl Graph {
    pub fn input(file: usize, stream: u32) -> Self {
        Self::Input { file, stream }
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

    pub fn source(filter: Filter) -> Self {
        Self::Source { filter }
    }

    /// This graph and `top` as the two inputs of `filter`.
    pub fn join(self, top: Self, filter: Filter) -> Self {
        Self::Join { base: Box::new(self), top: Box::new(top), filter }
    }

    /// Copies of this graph's result, one for each branch, joined by `filter`.
    pub fn branch(self, branches: Vec<Self>, filter: Filter) -> Self {
        Self::Branches { input: Box::new(self), branches, filter }
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
    /// Labels of the copies that the branches being written read, the innermost last.
    copies: Vec<String>,
}

impl Writer {
    /// Writes everything below `graph` and returns the label its result can be read from.
    fn write(&mut self, graph: &Graph) -> String {
        match graph {
            Graph::Input { file, stream } => format!("[{file}:{stream}]"),
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
            Graph::Source { filter } => self.chain("", std::slice::from_ref(filter)),
            Graph::Combine { inputs, filter } => {
                let inputs: Vec<String> = inputs.iter().map(|input| self.write(input)).collect();
                self.chain(&inputs.concat(), std::slice::from_ref(filter))
            }
            Graph::Branches { input, branches, filter } => self.branches(input, branches, filter),
            Graph::Copy => self.copies.last().cloned().unwrap_or_default(),
        }
    }

    fn branches(&mut self, input: &Graph, branches: &[Graph], filter: &Filter) -> String {
        let from = self.write(input);
        let copies: Vec<String> = branches.iter().map(|_| self.label()).collect();
        self.parts.push(format!("{from}split={}{}", copies.len(), copies.concat()));
        let mut ends = String::new();
        for (branch, copy) in branches.iter().zip(copies) {
            self.copies.push(copy);
            ends.push_str(&self.write(branch));
            self.copies.pop();
        }
        self.chain(&ends, std::slice::from_ref(filter))
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
    fn branches_read_their_own_copy_and_may_nest() {
        let lit = Graph::Copy
            .branch(vec![Graph::Copy, Graph::Copy.then([Filter::new("sobel")])], Filter::new("blend"))
            .join(Graph::source(Filter::new("color")), Filter::new("overlay"));
        let graph = Graph::input(0, 0).branch(vec![Graph::Copy, lit], Filter::new("hstack"));
        assert_eq!(
            graph.to_text("v"),
            "[0:0]split=2[n1][n2];[n2]split=2[n3][n4];[n4]sobel[n5];[n3][n5]blend[n6];color[n7];\
             [n6][n7]overlay[n8];[n1][n8]hstack[n9];[n9]null[v]"
        );
    }

    #[test]
    fn arguments_are_escaped_for_both_levels() {
        let filter = Filter::new("ass").arg("filename", "a:b,c'[d]");
        assert_eq!(filter.to_string(), r"ass=filename=a\\:b\,c\\\'\[d\]");
    }
}
