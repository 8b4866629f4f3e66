//! The table of a folder's videos: row and item of each, and reasons for missing ones.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context;
use clipmill_core::request::table::{Row, cells_of, columns_of, without_guard, write_table};

pub const TABLE: &str = "results.csv";
/// Columns after those of the source table.
const COLUMNS: [&str; 5] = ["row", "taskNo", "item", "file", "error"];

/// The cells of the source table.
pub struct Cells {
    columns: Vec<String>,
    rows: HashMap<u32, Vec<String>>,
}

impl Cells {
    pub fn of(rows: &[Row]) -> Self {
        let columns = columns_of(rows.iter().map(|(_, values)| values));
        let rows = rows.iter().map(|(row, values)| (*row, cells_of(values, &columns))).collect();
        Self { columns, rows }
    }

    fn of_row(&self, row: u32) -> Vec<String> {
        self.rows.get(&row).cloned().unwrap_or_else(|| vec![String::new(); self.columns.len()])
    }
}

/// A video, or the reason why it is missing.
#[derive(Debug, Clone)]
pub struct Line {
    /// Row number in the source table.
    pub row: u32,
    /// Empty without a service.
    pub task_no: String,
    pub item: u32,
    /// File name in the folder.
    pub file: Option<String>,
    pub error: Option<String>,
}

impl Line {
    /// Whether the line will not change any more.
    pub fn is_settled(&self) -> bool {
        self.file.is_some()
    }
}

/// Creates the folder for the outputs, and checks before the work starts that it is writable.
pub fn writable(folder: &Path) -> anyhow::Result<()> {
    let write_trial = || {
        std::fs::create_dir_all(folder)?;
        let trial = folder.join(format!(".clipmill-{}", std::process::id()));
        let write_trial = std::fs::write(&trial, "x");
        // A file that could not be written completely may still exist.
        let _ = std::fs::remove_file(&trial);
        write_trial
    };
    write_trial().with_context(|| format!("cannot write into {}", folder.display()))
}

pub fn write<'a>(folder: &Path, cells: &Cells, lines: impl Iterator<Item = &'a Line>) -> anyhow::Result<()> {
    let header = cells.columns.iter().map(String::as_str).chain(COLUMNS);
    let lines = lines.map(|line| {
        let (file, error) = (line.file.clone().unwrap_or_default(), line.error.clone().unwrap_or_default());
        let mut line_cells = cells.of_row(line.row);
        line_cells.extend([line.row.to_string(), line.task_no.clone(), line.item.to_string(), file, error]);
        line_cells
    });
    let (file, unfinished) = (folder.join(TABLE), folder.join(".results.csv.part"));
    let written = || {
        std::fs::write(&unfinished, write_table(header, lines)?)?;
        std::fs::rename(&unfinished, &file)?;
        anyhow::Ok(())
    };
    written().with_context(|| format!("cannot write {}", file.display()))
}

/// The names of files in an earlier table, by task and item.
pub fn read(folder: &Path) -> anyhow::Result<HashMap<(String, String), String>> {
    let Ok(table) = std::fs::read(folder.join(TABLE)) else { return Ok(HashMap::new()) };
    let text = table.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&table);
    let mut reader = csv::Reader::from_reader(text);
    // A table of this name from another program is ignored.
    let is_ours =
        |header: &csv::StringRecord| header.iter().rev().take(COLUMNS.len()).eq(COLUMNS.into_iter().rev());
    if !reader.headers().is_ok_and(is_ours) {
        return Ok(HashMap::new());
    }
    let file = |record: csv::StringRecord| {
        let mut last = record.iter().rev().skip(1);
        let (file, item, task_no) = (last.next()?, last.next()?, last.next()?);
        let file = without_guard(file);
        (!file.is_empty()).then(|| ((task_no.to_owned(), item.to_owned()), file.to_owned()))
    };
    Ok(reader.into_records().flatten().filter_map(file).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let row = |row: u32, values: serde_json::Value| (row, values.as_object().unwrap().clone());
        let cells =
            Cells::of(&[row(1, json!({ "title": "=1+1", "file": "a" })), row(3, json!({ "title": "b" }))]);
        let line = |row: u32, file: Option<&str>| Line {
            row,
            task_no: format!("VP{row}"),
            item: 1,
            file: file.map(str::to_owned),
            error: None,
        };
        write(folder.path(), &cells, [line(1, Some("=1+1 – 1.mp4")), line(3, None)].iter()).unwrap();
        let text = std::fs::read_to_string(folder.path().join(TABLE)).unwrap();
        let expected = "\u{FEFF}title,file,row,taskNo,item,file,error\n\
                        '=1+1,a,1,VP1,1,'=1+1 – 1.mp4,\nb,,3,VP3,1,,\n";
        assert_eq!(text, expected);
        let names = read(folder.path()).unwrap();
        assert_eq!(names, HashMap::from([(("VP1".to_owned(), "1".to_owned()), "=1+1 – 1.mp4".to_owned())]));
        // Tables of earlier versions and of another program.
        std::fs::write(folder.path().join(TABLE), "row,taskNo,item,file,error\n1,VP1,1,0001.mp4,\n").unwrap();
        assert_eq!(read(folder.path()).unwrap().into_values().collect::<Vec<_>>(), ["0001.mp4"]);
        std::fs::write(folder.path().join(TABLE), "a,b,c,d,e\n1,VP1,1,0001.mp4,\n").unwrap();
        assert!(read(folder.path()).unwrap().is_empty());
    }
}
