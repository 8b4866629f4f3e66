//! The videos of a batch in a folder, and a table of them.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::Context;
use clipmill_server::mcp::Call;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use super::BATCHES;
use crate::batch_input::Names;
use crate::remote::downloads::Folder;
use crate::remote::{Service, failed};
use crate::report::{pluralize, print_line, with_causes};
use crate::results::{self, Cells, Line};

const AT_ONCE: usize = 4;

pub struct CollectedResults<'a> {
    out: &'a Path,
    names: &'a Names,
    cells: &'a Cells,
    /// Row numbers in the table, by position in the batch.
    numbers: Vec<u32>,
    /// Names of files of an earlier run, by task and item.
    earlier: HashMap<(String, String), String>,
    folder: Folder,
    lines: BTreeMap<(u32, u32), Line>,
}

/// A line of the service's table.
struct Output {
    row: u32,
    task_no: String,
    item: u32,
    url: String,
    error: String,
}

impl<'a> CollectedResults<'a> {
    pub fn open(
        out: &'a Path,
        names: &'a Names,
        cells: &'a Cells,
        numbers: Vec<u32>,
    ) -> anyhow::Result<Self> {
        let earlier = results::read(out)?;
        let folder = Folder::open(out, earlier.values().cloned());
        Ok(Self { out, names, cells, numbers, earlier, folder, lines: BTreeMap::new() })
    }

    /// Downloads the videos that are finished by now.
    pub async fn take(&mut self, service: &Service, number: &str) -> anyhow::Result<()> {
        let call = Call::get(format!("{BATCHES}/{}/results.csv", Call::step(number)));
        let table = service.fetch(call).await.map_err(failed)?;
        let outputs = self.outputs(&table.body).context("the service's table of results cannot be read")?;
        let mut several: HashMap<u32, u32> = HashMap::new();
        outputs.iter().for_each(|output| *several.entry(output.row).or_default() += 1);
        let (folder, names) = (&self.folder, self.names);
        let is_known =
            |output: &Output| self.lines.get(&(output.row, output.item)).is_some_and(Line::is_settled);
        let new: Vec<Output> = outputs.into_iter().filter(|output| !is_known(output)).collect();
        let jobs = new.into_iter().map(|output| {
            let item = (several.get(&output.row) != Some(&1)).then_some(output.item);
            let file = names.file(output.row, item);
            let existing_file = self.earlier.get(&(output.task_no.clone(), output.item.to_string()));
            let existing_file =
                existing_file.filter(|existing_file| !names.are_chosen || **existing_file == file);
            let existing_file = existing_file.filter(|existing_file| folder.has(existing_file)).cloned();
            line(service, output, folder, Name { file, is_chosen: names.are_chosen, earlier: existing_file })
        });
        let lines: Vec<Line> = stream::iter(jobs).buffer_unordered(AT_ONCE).collect().await;
        self.lines.extend(lines.into_iter().map(|line| ((line.row, line.item), line)));
        results::write(self.out, self.cells, self.lines.values())
    }

    /// Prints the outcome; returns whether every video was downloaded.
    pub fn finish(&self) -> anyhow::Result<bool> {
        results::write(self.out, self.cells, self.lines.values())?;
        Ok(self.lines.values().all(|line| line.file.is_some()))
    }

    pub fn to_json(&self) -> Value {
        let item = |line: &Line| {
            json!({
                "row": line.row, "taskNo": line.task_no, "item": line.item,
                "path": line.file.as_ref().map(|file| self.out.join(file)), "error": line.error,
            })
        };
        self.lines.values().map(item).collect()
    }

    pub fn print(&self) {
        for line in self.lines.values() {
            match (&line.file, &line.error) {
                (Some(file), _) => print_line(self.out.join(file).display()),
                (None, error) => {
                    eprintln!("row {}: {}", line.row, error.as_deref().unwrap_or("no video was rendered"));
                }
            }
        }
        let video_count = self.lines.values().filter(|line| line.file.is_some()).count();
        let table = self.out.join(results::TABLE);
        eprintln!("{video_count} of {}; all in {}", pluralize(self.lines.len(), "video"), table.display());
    }

    fn outputs(&self, table: &[u8]) -> anyhow::Result<Vec<Output>> {
        let text = table.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(table);
        let mut outputs = Vec::new();
        for record in csv::Reader::from_reader(text).deserialize() {
            let (row, task_no, item, url, error): (usize, String, Option<u32>, String, String) = record?;
            let row = row.checked_sub(1).and_then(|row| self.numbers.get(row)).copied();
            let row = row.context("a row that was not sent")?;
            outputs.push(Output { row, task_no, item: item.unwrap_or(1), url, error });
        }
        Ok(outputs)
    }
}

/// The file name of an output.
struct Name {
    /// Unless the service has a better one.
    file: String,
    is_chosen: bool,
    /// The name of the file that an earlier run downloaded.
    earlier: Option<String>,
}

async fn line(service: &Service, output: Output, folder: &Folder, name: Name) -> Line {
    let Output { row, task_no, item, url, error } = output;
    let line = Line { row, task_no, item, file: None, error: (!error.is_empty()).then_some(error) };
    if line.error.is_some() {
        return line;
    }
    if name.earlier.is_some() {
        return Line { file: name.earlier, ..line };
    }
    if url.is_empty() {
        return line;
    }
    match download(service, &url, folder, &name, &line).await {
        Ok(file) => Line { file: Some(file), ..line },
        Err(error) => {
            let error =
                format!("the video was rendered but could not be downloaded: {}", with_causes(&error));
            Line { error: Some(error), ..line }
        }
    }
}

/// Downloads a video; returns the name of its file.
async fn download(
    service: &Service,
    url: &str,
    folder: &Folder,
    name: &Name,
    line: &Line,
) -> anyhow::Result<String> {
    let unfinished = folder.unfinished(&name.file);
    let sent_name = service.take(url, &unfinished).await?;
    if name.is_chosen {
        return folder.replace(&unfinished, &name.file);
    }
    // Without a task name, the service names a file by numbers; the row numbers of the table are more useful.
    let numbered = format!("{}-{}.mp4", line.task_no, line.item);
    let sent_name = sent_name.filter(|sent_name| sent_name.ends_with(".mp4") && *sent_name != numbered);
    // As in the service's archive, files sort by row, and rows with equal cells get different names.
    let file_name = sent_name.map(|sent_name| format!("{:04}-{sent_name}", line.row));
    folder.add(&unfinished, file_name.as_ref().unwrap_or(&name.file))
}
