//! The fields of requests, from the API description, and the catalogues.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::LazyLock;

use clipmill_core::request::model::TaskType;
use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Outcome, TASKS, ToolContext, ToolOutput};
use crate::mcp::api_client::Call;
use crate::mcp::refusal::Refusal;

pub static TASK: LazyLock<String> = LazyLock::new(|| {
    let kinds = by_name().map(|kind| format!("{} {}", kind.as_str(), kind.summary()));
    format!(
        "The fields of a task type, one per line: name, type, allowed values, default, meaning, and an example \
        request. {}.",
        kinds.join("; ")
    )
});
pub const CATALOGUE: &str = "Names to choose from: effects (for videoDeduplication), looks (colour looks that it \
    draws from), transitions (between clips of mixes), fonts (of captions and titles), captionStyles \
    (`subtitle.style.preset`, whose fields a style can override) or voices (that speak `audio.text`).";

/// Options with more fields than this are described only when asked for by `part`.
const MAX_INLINE_FIELDS: usize = 3;
/// The most values of a field that are listed unless it is asked for by `part`.
const MAX_LISTED: usize = 10;
const OPTIONS: &str = "params.options.";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Describe {
    task_type: TaskTypeName,
    /// Only this field and all fields below it: its path, such as `params.options.subtitle`, a unique ending of its
    /// path, such as `options.subtitle`, or the path of an error, such as `/params/options/subtitle`.
    part: Option<String>,
}

/// The name of a task type.
#[derive(Deserialize)]
#[serde(transparent)]
struct TaskTypeName(TaskType);

impl JsonSchema for TaskTypeName {
    fn schema_name() -> Cow<'static, str> {
        "TaskTypeName".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": by_name() })
    }
}

/// The task types in the order of their names.
fn by_name() -> [TaskType; TaskType::ALL.len()] {
    let mut kinds = TaskType::ALL;
    kinds.sort_unstable_by_key(|kind| kind.as_str());
    kinds
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Listed {
    which: Catalogue,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(crate = "rmcp::schemars", inline)]
enum Catalogue {
    Effects,
    Looks,
    Transitions,
    Fonts,
    CaptionStyles,
    Voices,
}

impl Catalogue {
    /// The last step of its path.
    fn path(self) -> &'static str {
        match self {
            Self::Effects => "effects",
            Self::Looks => "looks",
            Self::Transitions => "transitions",
            Self::Fonts => "fonts",
            Self::CaptionStyles => "caption-styles",
            Self::Voices => "voices",
        }
    }
}

pub async fn task(
    context: ToolContext,
    Describe { task_type: TaskTypeName(kind), part }: Describe,
) -> Outcome {
    let reply = context.fetch(Call::get("/openapi.json")).await?;
    let description: Value = serde_json::from_slice(&reply.body)
        .map_err(|error| Refusal::new(format!("the API description cannot be read: {error}")))?;
    let schemas = &description["components"]["schemas"];
    let reference = &schemas["TaskRequest"]["discriminator"]["mapping"][kind.as_str()];
    let schema = &without_references(&json!({ "$ref": reference }), schemas);
    let text = match part.as_deref().map(dotted).filter(|part| !part.is_empty()) {
        Some(part) => lines(schema, Some(&full_path(schema, &part)?)),
        None => format!("{}\nExample:\n{}", lines(schema, None), example(schema)),
    };
    Ok(ToolOutput::Text(text))
}

/// The path of the only field whose path is `part` or ends with it.
fn full_path(schema: &Value, part: &str) -> Result<String, Refusal> {
    let mut paths = Vec::new();
    collect_paths(&mut paths, schema, "");
    if paths.iter().any(|path| dotted(path) == part) {
        return Ok(part.to_owned());
    }
    let ending = format!(".{part}");
    paths.retain(|path| dotted(path).ends_with(&ending));
    match paths.as_slice() {
        [] => Err(Refusal::new("unknown part: use a field name returned by describe_task without `part`")),
        [path] => Ok(dotted(path)),
        _ => Err(Refusal::new(format!("`{part}` is ambiguous: set `part` to one of {}", paths.join(", ")))),
    }
}

fn collect_paths(paths: &mut Vec<String>, schema: &Value, above: &str) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let (path, inside) = path_and_members(above, name, field);
        paths.push(path.clone());
        collect_paths(paths, inside, &format!("{path}."));
    }
}

/// The path of a field, and the schema with the fields below it.
fn path_and_members<'a>(above: &str, name: &str, field: &'a Value) -> (String, &'a Value) {
    if field["type"] == "array" {
        (format!("{above}{name}[]"), &field["items"])
    } else {
        (format!("{above}{name}"), field)
    }
}

/// The schema with the schemas that it refers to in their places.
fn without_references(schema: &Value, schemas: &Value) -> Value {
    let name = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
    match (name, schema) {
        (Some(name), _) => without_references(&schemas[name], schemas),
        (None, Value::Object(members)) => {
            members.iter().map(|(key, value)| (key.clone(), without_references(value, schemas))).collect()
        }
        (None, Value::Array(entries)) => {
            entries.iter().map(|entry| without_references(entry, schemas)).collect()
        }
        (None, plain) => plain.clone(),
    }
}

/// A path in dots, also from a JSON Pointer of an error: `/params/videoList/0/videos` is `params.videoList.videos`.
fn dotted(part: &str) -> String {
    let names = part.split(['.', '/']).map(|name| name.trim_end_matches("[]"));
    let names = names.filter(|name| !name.is_empty() && !name.bytes().all(|byte| byte.is_ascii_digit()));
    names.collect::<Vec<_>>().join(".")
}

pub async fn catalogue(context: ToolContext, Listed { which }: Listed) -> Outcome {
    let page = context.ask(Call::get(format!("{TASKS}/{}", which.path()))).await?;
    let entries = page["list"].as_array().into_iter().flatten();
    Ok(ToolOutput::Text(entries.map(entry).collect()))
}

/// The example without its `clientTaskId`, which two agents would otherwise both use.
fn example(schema: &Value) -> Value {
    let mut example = schema["examples"][0].clone();
    if let Some(members) = example.as_object_mut() {
        members.shift_remove("clientTaskId");
    }
    example
}

fn entry(entry: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (name, title) = (text(&entry["name"]), text(&entry["title"]["en"]));
    match (entry["description"]["en"].as_str(), &entry["scripts"]) {
        (Some(meaning), _) => format!("{name}: {title}. {meaning}\n"),
        (None, Value::Null) if title.is_empty() => format!("{name}\n"),
        (None, Value::Null) => format!("{name}: {title}\n"),
        (None, scripts) => format!("{name}: {title}; scripts {}\n", listed(scripts)),
    }
}

/// One line for each field; one line for a whole large option, unless it is the requested `part`.
fn lines(schema: &Value, part: Option<&str>) -> String {
    let mut text = String::new();
    describe(&mut text, schema, "", part);
    text
}

fn describe(text: &mut String, schema: &Value, above: &str, part: Option<&str>) {
    let Some(members) = schema["properties"].as_object() else { return };
    for (name, field) in members {
        let (path, inside) = path_and_members(above, name, field);
        let below = count(inside);
        let hidden = part.is_none() && path.starts_with(OPTIONS) && below > MAX_INLINE_FIELDS;
        if part.is_none_or(|part| is_within(&path, part)) {
            let required = schema["required"]
                .as_array()
                .is_some_and(|names| names.contains(&Value::from(name.as_str())));
            let field = if part.is_none() { &abridged(field) } else { field };
            line(text, &path, field, required);
            if hidden {
                let _ = write!(text, " Members: {}; see `part`.", names(inside));
            }
            text.push('\n');
        }
        if !hidden {
            describe(text, inside, &format!("{path}."), part);
        }
    }
}

/// The field with a few of its values if it has many.
fn abridged(field: &Value) -> Value {
    let mut field = field.clone();
    if let Some(values) =
        field.get_mut("enum").and_then(Value::as_array_mut).filter(|all| all.len() > MAX_LISTED)
    {
        let more = values.len() - MAX_LISTED / 2;
        values.truncate(MAX_LISTED / 2);
        values.push(format!("{more} more").into());
    }
    field
}

fn is_within(path: &str, part: &str) -> bool {
    let plain = |path: &str| path.replace("[]", "");
    let (path, part) = (plain(path), plain(part));
    path.strip_prefix(&part).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn count(schema: &Value) -> usize {
    let members = schema["properties"].as_object().into_iter().flat_map(Map::values);
    members.map(|field| 1 + count(field) + count(&field["items"])).sum()
}

fn names(schema: &Value) -> String {
    let members = schema["properties"].as_object().into_iter().flat_map(Map::keys);
    members.map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn line(text: &mut String, path: &str, field: &Value, required: bool) {
    let _ = write!(text, "{path}: {}", field["type"].as_str().unwrap_or("string or object"));
    if let Some(kind) = field["items"]["type"].as_str() {
        let _ = write!(text, " of {kind}");
    }
    if required {
        text.push_str(", required");
    }
    if let Some(allowed) = allowed(field) {
        let _ = write!(text, ", {allowed}");
    }
    if let Some(default) = field.get("default").filter(|default| !default.is_object()) {
        let _ = write!(text, ", default {default}");
    }
    if let Some(meaning) = field["description"].as_str() {
        let _ = write!(text, ". {}", meaning);
    }
}

fn allowed(field: &Value) -> Option<String> {
    if field["enum"].is_array() {
        return Some(listed(&field["enum"]));
    }
    if let Some(ways) = field["anyOf"].as_array() {
        let ways = ways.iter().map(|way| allowed(way).unwrap_or_else(|| format!("{{{}}}", names(way))));
        return Some(ways.collect::<Vec<_>>().join(" or "));
    }
    let min = field.get("minimum").map(|min| format!("from {min}"));
    let above = field.get("exclusiveMinimum").map(|min| format!("above {min}"));
    let max = field.get("maximum").map(|max| format!("to {max}"));
    let step = field.get("x-step").map(|step| format!("in steps of {step}"));
    let entries = field.get("maxItems").map(|max| format!("at most {max} entries"));
    let length = field.get("maxLength").map(|max| format!("at most {max} characters"));
    let bounds: Vec<String> = [min, above, max, step, entries, length].into_iter().flatten().collect();
    (!bounds.is_empty()).then(|| bounds.join(" "))
}

fn listed(values: &Value) -> String {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let values = values.as_array().into_iter().flatten().map(plain);
    values.collect::<Vec<_>>().join("|")
}
