//! Generated from the table of a request's fields: the tables of `docs/api/` and the texts of the console.

use std::collections::BTreeSet;

use clipmill_core::request::InputRole;
use clipmill_core::request::model::TaskType;
use clipmill_core::request::schema::{Field, Kind, fields};
use clipmill_core::request::{Policy, parse};
use serde_json::{Map, Value, json};

use crate::links::{anchors, slug};
use crate::markdown::{Document, documents};

/// A table of `docs/api/`: its name there, the task type, the place whose fields it lists, and the fields below that
/// place that it leaves out.
type Table = (&'static str, TaskType, &'static str, &'static [&'static str]);

/// The tables of fields that several task types have.
const SHARED_TABLES: [Table; 6] = [
    ("common", TaskType::BaseVideoMix, "", &["/params/videoList", "/params/isShortest", "/params/options"]),
    (
        "mix options",
        TaskType::ProVideoMix,
        "/params/options",
        &["/params/options/audio/", MUSIC, SUBTITLE, OVERLAYS, SOUNDS, COVER_STYLE],
    ),
    ("overlay", TaskType::BaseVideoMix, "/params/options/overlays/0", &[OVERLAY_STYLE]),
    ("sound", TaskType::BaseVideoMix, "/params/options/sounds/0", &[]),
    ("track", TaskType::BaseVideoMix, "/params/options/backgroundMusic", &[]),
    ("subtitle", TaskType::BaseVideoMix, "/params/options/subtitle", &[]),
];
const MUSIC: &str = "/params/options/backgroundMusic/";
const SUBTITLE: &str = "/params/options/subtitle/";
const OVERLAYS: &str = "/params/options/overlays/";
const SOUNDS: &str = "/params/options/sounds/";
const OVERLAY_STYLE: &str = "/params/options/overlays/0/style/";
const COVER_STYLE: &str = "/params/options/cover/title/style/";

/// All tables: also one of each task type, without the options of mixes.
fn tables() -> Vec<Table> {
    let own_table = |kind: TaskType| -> Table {
        let request = parse(kind.example().to_string().as_bytes(), &Policy::default()).unwrap().request;
        let is_mix = request.params.mix_options().is_some();
        (kind.as_str(), kind, "/params", if is_mix { &["/params/options/"] } else { &[COVER_STYLE] })
    };
    SHARED_TABLES.into_iter().chain(TaskType::ALL.map(own_table)).collect()
}

#[test]
fn the_tables_of_the_reference_are_up_to_date() {
    let pages: Vec<Document> =
        documents().into_iter().filter(|document| is_reference(&document.path)).collect();
    for (name, kind, place, without) in tables() {
        let begin = format!("<!-- fields: {name} -->");
        let mut pages_with = pages.iter().filter(|page| page.text.contains(&begin));
        let page = pages_with.next().unwrap_or_else(|| panic!("docs/api has no {begin}"));
        assert!(pages_with.next().is_none(), "{begin} is on several pages");
        let table = table(kind, place, without);
        let table = link_headings(&table, &page.path, &pages);
        let name = page.path.strip_prefix("docs/").unwrap();
        crate::checked_in::check_part(name, &begin, "<!-- end of fields -->", &table);
    }
}

fn is_reference(path: &str) -> bool {
    path.starts_with("docs/api/") || path.starts_with("docs/explain/")
}

/// The table with its links, which name only a heading (`#cover`), leading to the page that has the heading.
fn link_headings(table: &str, from: &str, pages: &[Document]) -> String {
    let mut parts = table.split("](#");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (heading, rest) = part.split_once(')').unwrap();
        let mut pages_with = pages.iter().filter(|page| anchors(page).contains(heading));
        let page = pages_with.next().unwrap_or_else(|| panic!("docs/api has no heading #{heading}"));
        assert!(pages_with.next().is_none(), "#{heading} is a heading of several pages");
        let name = page.path.strip_prefix("docs/api/").map(str::to_owned);
        let name = name.unwrap_or_else(|| page.path.replacen("docs", "..", 1));
        let title = page.text.lines().next().unwrap().trim_start_matches("# ");
        let target = match (page.path == from, slug(title) == heading) {
            (true, _) => format!("#{heading}"),
            (false, true) => name,
            (false, false) => format!("{name}#{heading}"),
        };
        text.push_str(&format!("]({target}){rest}"));
    }
    text
}

#[test]
fn the_list_of_task_types_is_up_to_date() {
    let rows: BTreeSet<String> = TaskType::ALL
        .into_iter()
        .map(|kind| format!("| [`{}`]({}.md) | {} |\n", kind.as_str(), kebab(kind.as_str()), kind.about()))
        .collect();
    let rows: String = rows.into_iter().collect();
    let table = format!("| `taskType` | Result |\n|---|---|\n{rows}");
    let (begin, end) = ("<!-- task types -->", "<!-- end of task types -->");
    crate::checked_in::check_part("api/requests.md", begin, end, &table);
}

/// `baseVideoMix` → `base-video-mix`
fn kebab(name: &str) -> String {
    name.chars().fold(String::new(), |mut text, c| {
        if c.is_uppercase() {
            text.push('-');
        }
        text.extend(c.to_lowercase());
        text
    })
}

/// Every field is in a table.
#[test]
fn no_field_is_left_out_of_the_reference() {
    let tables = tables();
    for kind in TaskType::ALL {
        for field in fields(kind).iter().filter(|field| is_documented(field)) {
            let is_listed = tables.iter().any(|(_, of, place, without)| {
                let same = fields(*of).iter().any(|other| other == field);
                same && listed(field, place, without)
            });
            // The voice-over has the fields of the music.
            let twin = field.pointer.starts_with("/params/options/audio/");
            // Texts have the style of captions.
            let styles = [OVERLAY_STYLE, COVER_STYLE];
            let twin = twin || styles.iter().any(|style| field.pointer.starts_with(style));
            assert!(is_listed || twin, "{}", field.pointer);
        }
    }
}

/// Entries of lists are described with their list.
fn is_documented(field: &Field) -> bool {
    !field.pointer.ends_with("/0")
}

fn listed(field: &Field, place: &str, without: &[&str]) -> bool {
    let below = field.pointer.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'));
    below && !without.iter().any(|left_out| field.pointer.starts_with(left_out))
}

fn table(kind: TaskType, place: &str, without: &[&str]) -> String {
    let rows = fields(kind);
    let rows = rows.iter().filter(|field| is_documented(field) && listed(field, place, without));
    let lines: String = rows.map(|field| line(field, place)).collect();
    let head = "| field | type | required | allowed | default | meaning |\n|---|---|---|---|---|---|\n";
    format!("{head}{lines}")
}

fn line(field: &Field, place: &str) -> String {
    let name = field.pointer[place.len() + 1..].replace("/0", "[]").replace('/', ".");
    let required = if field.required { "yes" } else { "no" };
    let default = field.default.map(|default| format!("`{}`", default.trim_matches('"')));
    let default = default.as_deref().or(field.otherwise).unwrap_or_default();
    let meaning = field.details.unwrap_or(field.meaning).trim_end_matches('.');
    let allowed = allowed(field);
    format!("| `{name}` | {} | {required} | {allowed} | {default} | {meaning} |\n", kind_name(field.kind))
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "boolean",
        Kind::Number(..) | Kind::Tenths(..) | Kind::Positive(_) => "number",
        Kind::Integer(..) | Kind::Fps => "integer",
        Kind::Choice(_) | Kind::ChoiceOrColor(_) | Kind::Font(_) | Kind::Text(_) | Kind::Lines(_) => "string",
        Kind::Place(_) => "string or object",
        Kind::Url(_) | Kind::WebUrl => "URL",
        Kind::Color => "colour",
        Kind::Array(..) => "array",
        Kind::Object => "object",
    }
}

fn allowed(field: &Field) -> String {
    let unit = field.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    match field.kind {
        Kind::Number(min, max) => format!("{} to {}{unit}", number(min), number(max)),
        Kind::Tenths(min, max) => format!("{} to {}{unit} in steps of 0.1", number(min), number(max)),
        Kind::Positive(max) => format!("above 0, at most {}{unit}", number(max)),
        Kind::Integer(min, max) => format!("{} to {}{unit}", number(min as f64), number(max as f64)),
        Kind::Fps => "25, 30, 50, 60".to_owned(),
        Kind::Choice(names) if !names.is_empty() => format!("`{}`", names.join("`, `")),
        Kind::Choice(_) => TaskType::ALL.map(|kind| format!("`{}`", kind.as_str())).join(", "),
        Kind::Font(names) => format!("`{}`, or `upload://…`", names.join("`, `")),
        Kind::ChoiceOrColor(names) => format!("`{}`, or a colour", names.join("`, `")),
        Kind::Place(names) => format!("`{}`, or `{{x, y}}`", names.join("`, `")),
        Kind::Text(max) => format!("at most {} characters", number(max as f64)),
        Kind::Lines(max) => {
            format!("at most {} characters, line breaks among them", number(max as f64))
        }
        Kind::Array(0, max) => format!("at most {} entries", number(max as f64)),
        Kind::Array(min, max) => format!("{min} to {} entries", number(max as f64)),
        Kind::Bool | Kind::Url(_) | Kind::WebUrl | Kind::Color | Kind::Object => String::new(),
    }
}

/// With commas between thousands, and a true minus sign.
fn number(value: f64) -> String {
    let whole = format!("{}", value.abs().trunc());
    let grouped: Vec<_> =
        whole.as_bytes().rchunks(3).rev().map(|part| std::str::from_utf8(part).unwrap()).collect();
    let fraction = format!("{}", value.abs());
    let fraction = fraction.split_once('.').map(|(_, digits)| format!(".{digits}")).unwrap_or_default();
    format!("{}{}{fraction}", if value < 0.0 { "−" } else { "" }, grouped.join(","))
}

/// The console's texts for fields, by JSON pointer, in addition to the API description.
#[test]
fn the_console_has_texts_for_every_field() {
    let mut all = Map::new();
    let rows: Vec<_> = TaskType::ALL.into_iter().flat_map(fields).collect();
    for field in &rows {
        let words = words(field, &rows);
        if let Some(before) = all.insert(field.pointer.to_owned(), words.clone()) {
            assert_eq!(before, words, "{} is called otherwise elsewhere", field.pointer);
        }
    }
    all.retain(|_, words| words.as_object().is_some_and(|words| !words.is_empty()));
    let sections: Map<_, _> =
        TaskType::ALL.map(|kind| (kind.as_str().to_owned(), sections(kind))).into_iter().collect();
    let text = serde_json::to_string_pretty(&json!({ "fields": all, "sections": sections })).unwrap() + "\n";
    crate::checked_in::check("../console/src/i18n/fields.json", &text);
}

fn words(field: &Field, all: &[Field]) -> Value {
    let mut words = Map::new();
    let mut put = |name: &str, value: Option<Value>| value.map(|value| words.insert(name.to_owned(), value));
    put("label", field.label.map(|label| json!(label)));
    put("hint", field.hint.map(|hint| json!(hint)));
    put("words", (!field.words.is_empty()).then(|| choices(field)));
    put("switch", switch_of(field, all).map(Value::from));
    put("upTo", field.up_to.map(Value::from));
    put("needs", field.needs.map(Value::from));
    match field.kind {
        Kind::Url(role) => put("file", Some(format!("{role:?}").into())),
        Kind::Font(_) => put("file", Some(format!("{:?}", InputRole::Font).into())),
        _ => None,
    };
    Value::Object(words)
}

/// The member that switches an option on.
fn switch_of(field: &Field, all: &[Field]) -> Option<&'static str> {
    let member = |other: &Field| {
        let name = other.pointer.strip_prefix(field.pointer)?.strip_prefix('/')?;
        (!name.contains('/')).then_some(name)
    };
    // A boolean member of an object inside an option is an ordinary field.
    let name = field.pointer.strip_prefix("/params/options/");
    let option = field.kind == Kind::Object && name.is_some_and(|name| !name.contains('/'));
    all.iter().filter(|other| option && other.kind == Kind::Bool).find_map(member)
}

/// The names of the values to choose from, by the value.
fn choices(field: &Field) -> Value {
    let values: Vec<String> = match field.kind {
        Kind::Choice(names) | Kind::ChoiceOrColor(names) | Kind::Font(names) | Kind::Place(names) => {
            names.iter().map(|name| (*name).to_owned()).collect()
        }
        Kind::Integer(min, max) => (min..=max).map(|value| value.to_string()).collect(),
        _ => Vec::new(),
    };
    assert_eq!(values.len(), field.words.len(), "{}: a name for each value", field.pointer);
    Value::Object(values.into_iter().zip(field.words.iter().map(|words| json!(words))).collect())
}

/// The fields of each section of the console's options, in their order.
fn sections(kind: TaskType) -> Value {
    let mut sections = Map::new();
    for field in fields(kind) {
        let Some(section) = field.section else { continue };
        let own = sections.entry(section).or_insert_with(|| json!([]));
        own.as_array_mut().unwrap().push(field.pointer.into());
    }
    Value::Object(sections)
}

/// Everything the console shows has a label in both languages: options and their fields, except switches and upper
/// bounds, which share the label of their option.
#[test]
fn every_control_has_a_label() {
    for kind in TaskType::ALL {
        let all = fields(kind);
        for field in &all {
            let Some(rest) = field.pointer.strip_prefix("/params/options/") else { continue };
            let name = rest.rsplit('/').next().unwrap();
            let bound = all.iter().any(|other| {
                other.up_to == Some(name)
                    && other.pointer.rsplit_once('/').unwrap().0 == field.pointer.rsplit_once('/').unwrap().0
            });
            let switch = field.kind == Kind::Bool && rest.contains('/');
            let unnamed =
                matches!(name, "0" | "fileName" | "preset" | "style" | "subtitle" | "effect" | "highlight");
            // Voices are paired with their captions, for which there is no control.
            let apart = rest.starts_with("voicePool");
            assert!(
                field.label.is_some() || bound || switch || unnamed || apart,
                "{} has no label",
                field.pointer
            );
            if rest == name && name != "preset" && !apart {
                assert!(field.section.is_some(), "{} is in no section", field.pointer);
            }
        }
    }
}
