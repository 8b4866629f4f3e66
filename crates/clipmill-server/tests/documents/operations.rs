//! Generates the blocks of operations on the pages of `docs/api/` from the API description: method, path, scope,
//! parameters, an example call with its response, and errors.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use crate::links::slug;
use crate::markdown::{Document, documents};
use crate::schemas::operations;

const BEGIN: &str = "<!-- operation: ";
const END: &str = "<!-- end of operation -->";
const API: &str = "/open-api/v1";
/// Width of lines of examples.
const WIDTH: usize = 112;
/// Longer examples are shortened.
const LONG: usize = 1000;
/// Options of `curl` for a service that needs no key.
const PLAIN: &str = "curl -sS";
/// In place of a method, for messages that the service sends.
const WEBHOOK: &str = "webhook";
/// A parameter of a table, by its cells.
type Row = [String; 5];

#[test]
fn the_blocks_of_operations_are_up_to_date() {
    let description = clipmill_server::openapi();
    let operations = with_webhooks(&description);
    for page in pages() {
        for name in named(&page) {
            let (method, path, operation) = operations
                .iter()
                .find(|(_, _, operation)| operation["operationId"] == *name)
                .unwrap_or_else(|| panic!("{}: there is no operation {name}", page.path));
            let block = Call { description: &description, method, path, operation }.block();
            let file = page.path.strip_prefix("docs/").unwrap();
            crate::checked_in::check_part(file, &format!("{BEGIN}{name} -->"), END, &block);
        }
    }
}

#[test]
fn every_operation_is_on_one_page() {
    let description = clipmill_server::openapi();
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for page in pages() {
        for name in named(&page) {
            places.entry(name).or_default().push(page.path.clone());
        }
    }
    for (_, _, operation) in with_webhooks(&description) {
        let name = operation["operationId"].as_str().unwrap();
        let pages = places.remove(name).unwrap_or_default();
        assert_eq!(
            pages.len(),
            1,
            "{name} must be on one page of docs/api: {BEGIN}{name} -->; it is on {pages:?}"
        );
    }
    assert!(places.is_empty(), "there are no operations {places:?}");
}

/// The overview links each operation to its section.
#[test]
fn the_list_of_operations_is_up_to_date() {
    let description = clipmill_server::openapi();
    let mut sections = BTreeMap::new();
    for page in pages() {
        let mut heading = "";
        for (_, line) in page.prose() {
            if let Some(name) = line.strip_prefix(BEGIN) {
                let file = page.path.strip_prefix("docs/api/").unwrap();
                sections
                    .insert(name.trim_end_matches(" -->").to_owned(), format!("{file}#{}", slug(heading)));
            } else if line.starts_with("##") {
                heading = line.trim_start_matches(['#', ' ']);
            }
        }
    }
    let mut text = String::new();
    for tag in description["tags"].as_array().unwrap() {
        let (name, about) = (tag["name"].as_str().unwrap(), tag["description"].as_str().unwrap());
        write!(text, "\n**{}{}.** {about}\n\n| Call | |\n|---|---|\n", &name[..1].to_uppercase(), &name[1..])
            .unwrap();
        for (method, path, operation) in operations(&description) {
            if operation["tags"][0] == name {
                let target = &sections[operation["operationId"].as_str().unwrap()];
                let sentence = Call { description: &description, method, path, operation }.sentence();
                let sentence = sentence.trim_end_matches('.');
                writeln!(text, "| [`{} {path}`]({target}) | {sentence} |", method.to_uppercase()).unwrap();
            }
        }
    }
    crate::checked_in::check_part(
        "api/README.md",
        "<!-- operations -->",
        "<!-- end of operations -->",
        &text,
    );
}

fn pages() -> Vec<Document> {
    documents().into_iter().filter(|document| document.path.starts_with("docs/api/")).collect()
}

/// All operations, and the messages that the service sends.
fn with_webhooks(description: &Value) -> Vec<(&str, &str, &Value)> {
    let webhooks = description["webhooks"].as_object().unwrap().values();
    let webhooks = webhooks.map(|webhook| (WEBHOOK, "callbackUrl", &webhook["post"]));
    operations(description).into_iter().chain(webhooks).collect()
}

/// The operations whose blocks a page has.
fn named(page: &Document) -> Vec<String> {
    let marks = page.text.lines().filter_map(|line| line.strip_prefix(BEGIN));
    marks.map(|name| name.trim_end_matches(" -->").to_owned()).collect()
}

struct Call<'d> {
    description: &'d Value,
    method: &'d str,
    path: &'d str,
    operation: &'d Value,
}

impl Call<'_> {
    fn block(&self) -> String {
        if self.method == WEBHOOK {
            return self.message();
        }
        let method = self.method.to_uppercase();
        let scope = match self.scope() {
            Some(scope) => format!("Scope: `{scope}`"),
            None => "No key needed".to_owned(),
        };
        let mut text = format!("`{method} {}`\n\n{} {scope}.\n", self.path, self.sentence());
        let rows = self.rows();
        if !rows.is_empty() {
            text.push_str("\n| Parameter | In | Type | Required | Description |\n|---|---|---|---|---|\n");
            rows.iter().for_each(|cells| writeln!(text, "| {} |", cells.join(" | ")).unwrap());
        }
        write!(text, "\n```sh\n{}```\n", self.curl()).unwrap();
        text.push_str(&self.response());
        writeln!(text, "\nErrors: [{}](errors.md#errors-of-a-call)", self.errors()).unwrap();
        text
    }

    /// A message that the service sends.
    fn message(&self) -> String {
        let name = self.operation["operationId"].as_str().unwrap();
        let mut text = format!("`POST` to the `{}`\n\n{}\n", self.path, self.sentence());
        text.push_str("\n| Header | Description |\n|---|---|\n");
        for header in self.parameters() {
            let meaning = one_line(header["description"].as_str().unwrap());
            writeln!(text, "| `{}` | {} |", header["name"].as_str().unwrap(), meaning.trim_end_matches('.'))
                .unwrap();
        }
        let example = example(&self.operation["requestBody"]["content"]["application/json"]).unwrap();
        let json = short_json(&shortened(example, 1));
        write!(text, "\n<!-- example: webhook {name} -->\n```json\n{json}\n```\n").unwrap();
        text
    }

    fn scope(&self) -> Option<&str> {
        let ways = self.operation["security"].as_array()?;
        ways.iter().find_map(|way| way["apiKey"][0].as_str())
    }

    /// The first sentence of the summary.
    fn sentence(&self) -> String {
        let summary = one_line(self.operation["summary"].as_str().unwrap());
        let end = [". ", "? "].iter().filter_map(|end| summary.find(end)).min();
        end.map_or(summary.clone(), |end| summary[..=end].to_owned())
    }

    fn parameters(&self) -> impl Iterator<Item = &Value> {
        self.operation["parameters"].as_array().into_iter().flatten()
    }

    fn rows(&self) -> Vec<Row> {
        let row = |name: &Value, place: &str, schema: &Value, required: bool, meaning: &Value| {
            let required = if required { "yes" } else { "no" };
            let meaning = one_line(meaning.as_str().unwrap_or_default());
            let meaning = meaning.trim_end_matches('.').replace('|', "\\|");
            let name = format!("`{}`", name.as_str().unwrap());
            [name, place.to_owned(), self.kind(schema), required.to_owned(), meaning]
        };
        let mut rows: Vec<Row> = self
            .parameters()
            .map(|parameter| {
                let place = parameter["in"].as_str().unwrap();
                let required = parameter["required"] == true;
                row(&parameter["name"], place, &parameter["schema"], required, &parameter["description"])
            })
            .collect();
        let body = self.resolve(&self.operation["requestBody"]["content"]["application/json"]["schema"]);
        for (name, schema) in body["properties"].as_object().into_iter().flatten() {
            let required =
                body["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name.as_str()));
            let meaning = match schema.get("description") {
                Some(meaning) => meaning,
                None => &self.resolve(schema)["description"],
            };
            rows.push(row(&Value::from(name.as_str()), "body", schema, required, meaning));
        }
        rows
    }

    fn resolve<'v>(&'v self, schema: &'v Value) -> &'v Value {
        // Optional members are one of null and a reference.
        let choices = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
        let inner = choices.and_then(|choices| choices.iter().find(|choice| choice.get("$ref").is_some()));
        match inner.unwrap_or(schema)["$ref"].as_str() {
            Some(reference) => self.description.pointer(reference.trim_start_matches('#')).unwrap(),
            None => schema,
        }
    }

    fn kind(&self, schema: &Value) -> String {
        let schema = self.resolve(schema);
        if let Some(values) = schema["enum"].as_array() {
            let values = values.iter().map(|value| format!("`{}`", value.to_string().trim_matches('"')));
            return values.collect::<Vec<_>>().join(", ");
        }
        let name = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
            kind => kind.as_str(),
        };
        let name = match (name, schema["format"].as_str()) {
            (Some("string"), Some("date-time")) => "time",
            (name, _) => name.unwrap_or("object"),
        };
        let bound = |key: &str| schema[key].as_f64();
        let mut text = match (bound("minimum"), bound("maximum")) {
            (Some(min), Some(max)) => format!("{name}, {min} to {max}"),
            (Some(min), None) => format!("{name}, from {min}"),
            (None, Some(max)) => format!("{name}, up to {max}"),
            (None, None) => name.to_owned(),
        };
        if let Some(max) = bound("maxLength") {
            write!(text, ", up to {max} characters").unwrap();
        }
        if let Some(default) = schema.get("default") {
            write!(text, "; default `{}`", default.to_string().trim_matches('"')).unwrap();
        }
        text
    }

    fn curl(&self) -> String {
        let key = if self.scope().is_some() { " -H \"X-API-Key: $KEY\"" } else { "" };
        let method = match (self.method, self.operation.get("requestBody")) {
            ("get", _) | ("post", Some(_)) => String::new(),
            (method, _) => format!(" -X {}", method.to_uppercase()),
        };
        let events = self.media("200").contains(&"text/event-stream");
        let plain = if events { "curl -sSN" } else { PLAIN };
        let output = self.output().map(|file| format!(" -o {file}")).unwrap_or_default();
        let url = self.url();
        let body = &self.operation["requestBody"]["content"];
        if body.get("application/octet-stream").is_some() {
            return format!("{plain}{method}{key} --data-binary @city.mp4 \"{url}?fileName=city.mp4\"\n");
        }
        match example(&body["application/json"]) {
            Some(example) => {
                let json = folded(example, WIDTH - 4).replace('\'', "'\\''");
                format!(
                    "{plain}{method}{key} -H 'Content-Type: application/json' \\\n  \"{url}\"{output} -d '{json}'\n"
                )
            }
            None => format!("{plain}{method}{key}{output} \"{url}\"\n"),
        }
    }

    /// The address with the examples of its parameters.
    fn url(&self) -> String {
        let mut path = match self.path.strip_prefix(API) {
            Some(rest) => format!("$API{rest}"),
            None => format!("http://127.0.0.1:8080{}", self.path),
        };
        let mut query = Vec::new();
        for parameter in self.parameters().filter(|parameter| parameter["required"] == true) {
            let name = parameter["name"].as_str().unwrap();
            let value = parameter["example"].to_string().trim_matches('"').to_owned();
            match parameter["in"].as_str() {
                Some("path") => path = path.replace(&format!("{{{name}}}"), &value),
                Some("query") => query.push(format!("{name}={value}")),
                _ => {}
            }
        }
        if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
    }

    /// The content types of a response.
    fn media(&self, status: &str) -> Vec<&str> {
        let content = self.operation["responses"][status]["content"].as_object();
        content.into_iter().flatten().map(|(kind, _)| kind.as_str()).collect()
    }

    /// A file for responses that are files.
    fn output(&self) -> Option<&str> {
        let media = self.media("200");
        let [kind, ..] = media[..] else { return None };
        match kind {
            "application/json" | "text/event-stream" | "text/csv" => None,
            "image/jpeg" => Some("frame.jpg"),
            "image/webp" => Some("preview.webp"),
            "application/zip" => Some("results.zip"),
            "audio/wav" => Some("speech.wav"),
            "audio/mp4" => Some("audio.m4a"),
            "application/octet-stream" => Some("file"),
            _ => Some("result.mp4"),
        }
    }

    fn response(&self) -> String {
        let content = &self.operation["responses"]["200"]["content"];
        let about = one_line(self.operation["responses"]["200"]["description"].as_str().unwrap());
        if let Some(example) = example(&content["application/json"]) {
            let is_long = example.to_string().len() > LONG;
            if is_long && self.method != "get" {
                return format!("\nResponse: {about}\n");
            }
            let short = if is_long { shortened(example, 0) } else { example.clone() };
            let text = short_json(&short);
            let name = self.operation["operationId"].as_str().unwrap();
            return format!("\n<!-- example: {name} response -->\n```json\n{text}\n```\n");
        }
        for kind in ["text/event-stream", "text/csv"] {
            if let Some(Value::String(text)) = example(&content[kind]) {
                let text = text.replace(['\r', '\u{feff}'], "");
                return format!("\n```text\n{}\n```\n", text.trim_end());
            }
        }
        let kinds: Vec<_> = self.media("200").iter().map(|kind| format!("`{kind}`")).collect();
        format!("\nResponse ({}): {about}\n", kinds.join(" or "))
    }

    fn errors(&self) -> String {
        let statuses = self.operation["responses"].as_object().unwrap().keys();
        let errors: Vec<_> = statuses.filter(|status| status.as_str() >= "400").map(String::as_str).collect();
        errors.join(", ")
    }
}

/// The example of a media type; of several, the first request, or that of a template.
fn example(content: &Value) -> Option<&Value> {
    let named = content["examples"].as_object();
    let of_mix = named.and_then(|all| all.get("baseVideoMix").or_else(|| all.values().next()));
    content.get("example").or(of_mix.map(|example| &example["value"]))
}

/// JSON whose left out parts are `…`.
fn short_json(value: &Value) -> String {
    folded(value, WIDTH).replace("\"…\": \"…\"", "…").replace("\"…\"", "…")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// JSON that breaks lines only where they would be too long.
fn folded(value: &Value, width: usize) -> String {
    fold(value, 0, width)
}

fn fold(value: &Value, indent: usize, width: usize) -> String {
    let flat = flat(value);
    let margin = " ".repeat(indent + 2);
    let lines = |parts: Vec<String>, open: char, close: char| {
        format!("{open}\n{margin}{}\n{}{close}", parts.join(&format!(",\n{margin}")), " ".repeat(indent))
    };
    match value {
        _ if flat.chars().count() + indent <= width => flat,
        Value::Array(entries) => {
            let parts = entries.iter().map(|entry| fold(entry, indent + 2, width)).collect();
            lines(parts, '[', ']')
        }
        Value::Object(members) => {
            // Short members share lines.
            let mut parts: Vec<String> = Vec::new();
            for (name, member) in members {
                let name = Value::from(name.as_str());
                let part = format!("{name}: {}", fold(member, indent + 2, width));
                match parts.last_mut() {
                    Some(last)
                        if !last.contains('\n')
                            && !part.contains('\n')
                            && last.chars().count() + part.chars().count() + indent + 5 <= width =>
                    {
                        last.push_str(&format!(", {part}"));
                    }
                    _ => parts.push(part),
                }
            }
            lines(parts, '{', '}')
        }
        _ => flat,
    }
}

fn flat(value: &Value) -> String {
    match value {
        Value::Array(entries) => format!("[{}]", entries.iter().map(flat).collect::<Vec<_>>().join(", ")),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let parts: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("{}: {}", Value::from(name.as_str()), flat(value)))
                .collect();
            format!("{{ {} }}", parts.join(", "))
        }
        _ => value.to_string(),
    }
}

/// The first entry of each list, and no members of objects deep inside.
fn shortened(value: &Value, depth: usize) -> Value {
    match value {
        Value::Object(members) if depth > 4 && members.len() > 2 => serde_json::json!({ "…": "…" }),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), shortened(value, depth + 1))).collect()
        }
        Value::Array(entries) if entries.len() > 1 && entries[0].is_object() => {
            Value::Array(vec![shortened(&entries[0], depth + 1), Value::from("…")])
        }
        Value::Array(entries) => entries.iter().map(|entry| shortened(entry, depth + 1)).collect(),
        Value::String(text) if text.chars().count() > 60 => {
            Value::from(format!("{}…", text.chars().take(48).collect::<String>()))
        }
        _ => value.clone(),
    }
}

#[test]
fn examples_break_lines_only_where_they_are_long() {
    let value = serde_json::json!({ "a": 1, "list": [{ "b": "x".repeat(20) }, { "c": [] }], "d": null });
    assert_eq!(
        folded(&value, 100),
        "{ \"a\": 1, \"list\": [{ \"b\": \"xxxxxxxxxxxxxxxxxxxx\" }, { \"c\": [] }], \"d\": null }"
    );
    assert_eq!(
        folded(&value, 40),
        "{\n  \"a\": 1,\n  \"list\": [\n    { \"b\": \"xxxxxxxxxxxxxxxxxxxx\" },\n    { \"c\": [] }\n  ],\n  \"d\": null\n}"
    );
}
