//! The documents of the repository, and the parts of Markdown that tests read.

use std::path::{Path, PathBuf};

/// A document by its path from the root of the repository.
pub struct Document {
    pub path: String,
    pub text: String,
}

/// A fenced block.
pub struct Block {
    /// The first word after the fence.
    pub language: String,
    /// The other words, such as `run`.
    pub attributes: Vec<String>,
    pub text: String,
    /// Where the fence opens, from 1.
    pub line: usize,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All documentation for people: at the root, and in folders with documents.
pub fn documents() -> Vec<Document> {
    let mut paths = Vec::new();
    for folder in [
        "",
        "docs",
        "docs/api",
        "docs/contributing",
        "docs/explain",
        "docs/guides",
        "docs/operate",
        "docs/start",
        "samples",
        "clients/n8n",
        "clients/python",
        "clients/typescript",
        "deploy",
        "bench",
        "fuzz",
        "console",
        "crates/clipmill",
        "crates/clipmill-blobs",
        "crates/clipmill-core",
        "crates/clipmill-media",
        "crates/clipmill-server",
        "crates/clipmill-store",
    ] {
        let Ok(entries) = std::fs::read_dir(root().join(folder)) else { continue };
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        for name in names.filter(|name| name.ends_with(".md")) {
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let text = std::fs::read_to_string(root().join(&path)).unwrap();
            paths.push(Document { path, text });
        }
    }
    paths.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(paths.len() > 20, "only {} documents were found", paths.len());
    paths
}

impl Document {
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (index, line) in self.text.lines().enumerate() {
            match (line.trim_start().strip_prefix("```"), open.take()) {
                (Some(_), Some(block)) => blocks.push(block),
                (Some(words), None) => {
                    let mut words = words.split_whitespace().map(str::to_owned);
                    let language = words.next().unwrap_or_default();
                    let attributes = words.collect();
                    open = Some(Block { language, attributes, text: String::new(), line: index + 1 });
                }
                (None, Some(mut block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                    open = Some(block);
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a block has no end", self.path);
        blocks
    }

    /// The lines outside of blocks with their numbers.
    pub fn prose(&self) -> Vec<(usize, &str)> {
        let mut inside = false;
        let outside = |(index, line): (usize, &'_ str)| {
            let is_fence = line.trim_start().starts_with("```");
            inside ^= is_fence;
            (!inside && !is_fence).then_some(index + 1)
        };
        let numbers: Vec<_> = self.text.lines().enumerate().filter_map(outside).collect();
        let lines: Vec<&str> = self.text.lines().collect();
        numbers.into_iter().map(|number| (number, lines[number - 1])).collect()
    }
}
