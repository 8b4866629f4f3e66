//! Reports the results of requests, to people and to programs.

use std::path::Path;
use std::process::ExitCode;

use clipmill_core::plan::{Diversity, Warning};
use clipmill_media::segment::render::SegmentOrigin;
use serde_json::{Value, json};

use super::segments::Segments;
use crate::local::PreparedRequest;
use crate::plan::print_diversity;
use crate::report::{pluralize, print_json, print_line};
use crate::results;

/// A request with the results of its outputs.
pub struct RenderedRequest {
    pub prepared: PreparedRequest,
    /// In the format of the status endpoint, with `path` instead of `url`.
    pub items: Vec<Value>,
    pub segments: Segments,
    pub diversity: Option<Diversity>,
}

impl RenderedRequest {
    /// Reports on a single request.
    pub fn print_result(&self, json: bool) -> ExitCode {
        if json {
            print_json(&json!({
                "items": self.items, "segments": summary([self]), "warnings": self.warnings().collect::<Vec<_>>(),
                "diversity": self.diversity,
            }));
        } else {
            self.print("");
            print_segments([self]);
            print_diversity(self.diversity.as_ref());
        }
        ExitCode::from(u8::from(self.has_failed()))
    }

    fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.prepared.warnings.iter().chain(&self.prepared.plan.warnings)
    }

    fn has_failed(&self) -> bool {
        self.items.iter().any(|item| item["error"].is_object())
    }

    /// Prints the items; `prefix` precedes warnings and errors.
    fn print(&self, prefix: &str) {
        for warning in self.warnings() {
            eprintln!("warning: {prefix}{}: {}", warning.path, warning.message);
        }
        for item in &self.items {
            for warning in item["warnings"].as_array().into_iter().flatten() {
                let text = warning["message"].as_str().unwrap_or_default();
                eprintln!("warning: {prefix}item {}: {text}", item["itemNo"]);
            }
            match (item["path"].as_str(), &item["error"]) {
                (Some(path), _) => print_line(format_args!(
                    "{path}  {}x{}  {} fps  {:.2} s  {:.1} MB",
                    item["width"],
                    item["height"],
                    item["fps"],
                    item["duration"].as_f64().unwrap_or_default(),
                    item["sizeBytes"].as_f64().unwrap_or_default() / 1e6
                )),
                (None, error) => {
                    let text = |field: &str| error[field].as_str().unwrap_or_default();
                    let (code, input, message) = (text("code"), text("input"), text("message"));
                    eprintln!("{prefix}item {} failed: {code} {input} {message}", item["itemNo"]);
                }
            }
        }
    }
}

/// Reports on all rows of a table.
pub fn print_row_results(rows: &[RenderedRequest], out: &Path, json: bool) -> ExitCode {
    if json {
        print_json(&rows_json(rows));
    } else {
        rows.iter().for_each(|row| row.print(&format!("row {}: ", row.prepared.row)));
        print_segments(rows);
        let items = || rows.iter().flat_map(|row| &row.items);
        let video_count = items().filter(|item| item["path"].is_string()).count();
        eprintln!(
            "{video_count} of {}; all in {}",
            pluralize(items().count(), "video"),
            out.join(results::TABLE).display()
        );
    }
    ExitCode::from(u8::from(rows.iter().any(RenderedRequest::has_failed)))
}

fn rows_json(rows: &[RenderedRequest]) -> Value {
    let of_row = |row: u32, mut row_json: Value| {
        row_json["row"] = json!(row);
        row_json
    };
    let items =
        rows.iter().flat_map(|row| row.items.iter().map(|item| of_row(row.prepared.row, item.clone())));
    let warnings =
        rows.iter().flat_map(|row| row.warnings().map(|warning| of_row(row.prepared.row, json!(warning))));
    json!({
        "items": items.collect::<Vec<_>>(), "segments": summary(rows), "warnings": warnings.collect::<Vec<_>>(),
    })
}

fn count<'a>(rendered: impl IntoIterator<Item = &'a RenderedRequest>, made: SegmentOrigin) -> usize {
    rendered.into_iter().map(|rendered| rendered.segments.count(made)).sum()
}

fn summary<'a>(rendered: impl IntoIterator<Item = &'a RenderedRequest> + Clone) -> Value {
    json!({ "rendered": count(rendered.clone(), SegmentOrigin::Rendered), "cached": count(rendered, SegmentOrigin::Cached) })
}

fn print_segments<'a>(rendered: impl IntoIterator<Item = &'a RenderedRequest> + Clone) {
    let (rendered_count, cached) =
        (count(rendered.clone(), SegmentOrigin::Rendered), count(rendered, SegmentOrigin::Cached));
    eprintln!("segments: {rendered_count} rendered, {cached} from the cache");
}
