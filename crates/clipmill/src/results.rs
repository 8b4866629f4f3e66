//! The table of a folder's videos: which row and item each is of, and why one is missing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clipmill_core::request::table::write_table;

pub const TABLE: &str = "results.csv";
const COLUMNS: [&str; 5] = ["row", "taskNo", "item", "file", "error"];

/// A video, or why there is none.
#[derive(Debug, Clone)]
pub struct Line {
    /// As in the table that it comes from.
    pub row: u32,
    /// Empty without a service.
    pub task_no: String,
    pub item: u32,
    /// Its name in the folder.
    pub file: Option<String>,
    pub error: Option<String>,
}

impl Line {
    /// Whether the line will not change any more.
    pub fn is_settled(&self) -> bool {
        self.file.is_some()
    }
}

/// Makes the folder for the outputs, and checks before the work begins that files can be written there.
pub fn writable(folder: &Path) -> anyhow::Result<()> {
    let written = || {
        std::fs::create_dir_all(folder)?;
        let trial = folder.join(format!(".clipmill-{}", std::process::id()));
        let written = std::fs::write(&trial, "x");
        // A file that could not be written completely may still exist.
        let _ = std::fs::remove_file(&trial);
        written
    };
    written().with_context(|| format!("cannot write into {}", folder.display()))
}

pub fn write<'a>(folder: &Path, lines: impl Iterator<Item = &'a Line>) -> anyhow::Result<()> {
    let cells = lines.map(|line| {
        let (file, error) = (line.file.clone().unwrap_or_default(), line.error.clone().unwrap_or_default());
        [line.row.to_string(), line.task_no.clone(), line.item.to_string(), file, error]
    });
    let (file, unfinished) = (folder.join(TABLE), folder.join(".results.csv.part"));
    let written = || {
        std::fs::write(&unfinished, write_table(&COLUMNS, cells)?)?;
        std::fs::rename(&unfinished, &file)?;
        anyhow::Ok(())
    };
    written().with_context(|| format!("cannot write {}", file.display()))
}

/// The files of an earlier table, by task and item.
pub fn read(folder: &Path) -> anyhow::Result<HashMap<(String, String), PathBuf>> {
    let Ok(table) = std::fs::read(folder.join(TABLE)) else { return Ok(HashMap::new()) };
    let text = table.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&table);
    // A table of this name from another program is ignored.
    let records =
        csv::Reader::from_reader(text).into_deserialize::<(String, String, String, PathBuf, String)>();
    let known = records.flatten().filter(|(_, _, _, file, _)| !file.as_os_str().is_empty());
    Ok(known.map(|(_, task_no, item, file, _)| ((task_no, item), file)).collect())
}
