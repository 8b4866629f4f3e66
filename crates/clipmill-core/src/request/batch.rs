//! Batches: a template, or a request with variables, and rows of values; each row becomes a task.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::reader::{Fields, Node};
use super::report::Report;
use super::table::{MAX_ROWS, Row};
use super::template::{Column, Template, Values, at_entry, check_values, column_of, read_variables};
use super::{Accepted, FieldError, Policy, RequestError, json as strict, parse_value};
use crate::ids::TemplateNo;
use crate::message::{self, Message};
use crate::warning::Warning;

const UPLOAD: &str = "upload://";
/// The highest price limit: the largest integer that JSON represents exactly.
const MAX_POINTS: u64 = (1 << 53) - 1;

/// A batch as a client sends it.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRequest {
    pub client_batch_id: String,
    pub name: Option<String>,
    pub callback_url: Option<String>,
    /// Whether to submit as many rows as the balance covers.
    pub partial: bool,
    /// The maximum price of all rows in total.
    pub max_points: Option<u64>,
    pub made_from: TemplateSource,
    pub rows: Rows,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TemplateSource {
    /// The version, or `None` for the newest.
    Kept {
        template: TemplateNo,
        version: Option<u32>,
    },
    Sent(Template),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Rows {
    Listed(Vec<Row>),
    /// The id of an upload that contains a table.
    Uploaded(String),
}

/// The errors of a row; `column` is set if it concerns one variable.
#[derive(Debug, Clone, PartialEq)]
pub struct RowError {
    pub row: u32,
    pub column: Option<String>,
    pub error: FieldError,
}

impl RowError {
    /// An error in a column; its message names the entry of a list.
    pub fn of(row: u32, column: Option<Column>, error: FieldError) -> Self {
        let entry = column.as_ref().and_then(|column| column.entry);
        let error = FieldError { message: at_entry(entry, error.message), ..error };
        Self { row, column: column.map(|column| column.name), error }
    }

    /// An error that [`check_values`] returns with these values at `/values`, which names the entry itself.
    pub fn of_values(row: u32, error: FieldError) -> Self {
        Self { row, column: column_of("/values", &error.path).map(str::to_owned), error }
    }
}

/// Reads a batch; reports all errors at once.
pub fn parse_batch(body: &[u8], policy: &Policy) -> Result<BatchRequest, RequestError> {
    let value: Value = strict::parse(body)?;
    let mut report = Report::new(policy);
    let batch = Node::root(&value, &mut report).object(|fields| read(fields, &value)).flatten();
    report.close(batch).map(|(batch, _)| batch)
}

fn read(fields: &mut Fields, body: &Value) -> Option<BatchRequest> {
    let client_batch_id = fields.need("clientBatchId").text(100);
    let name = fields.get("name").text(120);
    let callback_url = fields.get("callbackUrl").web_url();
    let partial = fields.get("partial").boolean().unwrap_or(false);
    let max_points = fields.get("maxPoints").integer(0..=MAX_POINTS);
    let made_from = read_made_from(fields, body);
    let rows = read_rows(fields, body);
    Some(BatchRequest {
        client_batch_id: client_batch_id?,
        name,
        callback_url,
        partial,
        max_points,
        made_from: made_from?,
        rows: rows?,
    })
}

fn read_made_from(fields: &mut Fields, body: &Value) -> Option<TemplateSource> {
    let version = fields.get("version").integer(1..=u32::MAX.into());
    let number = fields.get("template").text(60);
    let variables = read_variables(fields);
    fields.get("request").unread_object::<()>();
    match (fields.has("template"), fields.has("request")) {
        (true, true) => {
            fields.refuse("request", message::one_of_both("template"), None);
            None
        }
        (true, false) => match TemplateNo::parse(&number?) {
            Some(template) => Some(TemplateSource::Kept { template, version }),
            None => {
                fields.refuse("template", message::no_such_template(), None);
                None
            }
        },
        (false, true) => {
            let request = body.get("request").filter(|request| request.is_object())?.clone();
            Some(TemplateSource::Sent(Template { request, variables: variables? }))
        }
        (false, false) => {
            fields.refuse("template", message::is_required_or("request"), None);
            None
        }
    }
}

fn read_rows(fields: &mut Fields, body: &Value) -> Option<Rows> {
    let objects = fields.get("rows").array(MAX_ROWS, |row| match row.value {
        Some(Value::Object(_)) => Some(()),
        _ => row.refuse(message::not_an_object(), None),
    });
    let url = fields.get("csvUrl").url();
    match (fields.has("rows"), fields.has("csvUrl")) {
        (true, true) => {
            fields.refuse("csvUrl", message::one_of_both("rows"), None);
            None
        }
        (true, false) => {
            let rows = body.get("rows")?.as_array()?;
            (objects?.len() == rows.len()).then(|| Rows::Listed(numbered(rows)))
        }
        (false, true) => match url?.strip_prefix(UPLOAD) {
            Some(id) => Some(Rows::Uploaded(id.to_owned())),
            None => {
                fields.refuse("csvUrl", message::csv_is_an_upload(), None);
                None
            }
        },
        (false, false) => {
            fields.refuse("rows", message::is_required_or("csvUrl"), None);
            None
        }
    }
}

fn numbered(rows: &[Value]) -> Vec<Row> {
    let rows = rows.iter().map(|row| row.as_object().cloned().unwrap_or_default());
    (1..).zip(rows).collect()
}

impl BatchRequest {
    /// Distinguishes a repeated batch from a different one under the same ID, whatever its name and price limit; `rows`
    /// are its rows, whatever their source.
    pub fn fingerprint(&self, rows: &[Row]) -> [u8; 32] {
        let made_from = match &self.made_from {
            TemplateSource::Kept { template, version } => json!([template, version]),
            TemplateSource::Sent(template) => json!(template),
        };
        let content = json!([self.callback_url, self.partial, made_from, rows]);
        Sha256::digest(content.to_string().as_bytes()).into()
    }
}

/// The request of a row with its own `clientTaskId`, or all errors of the row.
pub fn read_row(
    template: &Template,
    client_batch_id: &str,
    (row, given): &Row,
    policy: &Policy,
) -> Result<Accepted, Vec<RowError>> {
    let of_values = |error| RowError::of_values(*row, error);
    let checked = check_values(template, given, "/values", policy);
    let (values, warnings) =
        checked.map_err(|errors| errors.into_iter().map(of_values).collect::<Vec<_>>())?;
    let of_all = |message| {
        let error = FieldError { path: String::new(), message, got: None, allowed: None };
        vec![RowError::of(*row, None, error)]
    };
    let filled = fill(template, &values, client_batch_id, *row).map_err(of_all)?;
    match parse_value(&filled, policy) {
        Ok(mut accepted) => {
            accepted.warnings.extend(warnings);
            accepted.warnings = accepted.warnings.into_iter().map(|warning| at_row(*row, warning)).collect();
            Ok(accepted)
        }
        Err(RequestError::Invalid { errors, .. }) => {
            let columns = template.columns(given, &values);
            Err(errors.into_iter().map(|error| RowError::of(*row, columns.of(&error), error)).collect())
        }
        Err(RequestError::Syntax { message, .. }) => Err(of_all(message)),
    }
}

/// The warning with the row, from 1, in front of its path.
pub fn at_row(row: u32, warning: Warning) -> Warning {
    Warning { path: format!("/rows/{}{}", row.saturating_sub(1), warning.path), ..warning }
}

fn fill(template: &Template, values: &Values, client_batch_id: &str, row: u32) -> Result<Value, Message> {
    let mut filled = template.fill(values)?;
    if let Value::Object(request) = &mut filled {
        request.insert("clientTaskId".to_owned(), json!(client_task_id(client_batch_id, row, 0)));
    }
    Ok(filled)
}

/// The `clientTaskId` of a row's task, after this number of retries.
pub fn client_task_id(client_batch_id: &str, row: u32, retries: u32) -> String {
    match retries {
        0 => format!("{client_batch_id}#{row}"),
        _ => format!("{client_batch_id}#{row}.{retries}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(change: impl FnOnce(&mut Value)) -> Result<BatchRequest, Vec<String>> {
        let mut body = json!({
            "clientBatchId": "june",
            "request": { "taskType": "baseVideoMix", "params": {
                "videoList": [{ "videos": [{ "url": "{{clip}}", "duration": "{{seconds}}" }] }],
            }},
            "variables": [
                { "name": "clip", "type": "url" },
                { "name": "seconds", "type": "number", "default": 3 },
            ],
            "rows": [{ "clip": "https://a.example/1.mp4" }, { "clip": "https://a.example/2.mp4", "seconds": "-1" }],
        });
        change(&mut body);
        parse_batch(body.to_string().as_bytes(), &Policy::default()).map_err(|error| match error {
            RequestError::Invalid { errors, .. } => errors.into_iter().map(|error| error.path).collect(),
            RequestError::Syntax { .. } => vec!["syntax".to_owned()],
        })
    }

    #[test]
    fn each_row_is_a_request_under_its_own_id() {
        let read = batch(|_| ()).unwrap();
        let (TemplateSource::Sent(template), Rows::Listed(rows)) = (&read.made_from, &read.rows) else {
            panic!()
        };
        let row = |index: usize| read_row(template, "june", &rows[index], &Policy::default());
        assert_eq!(row(0).unwrap().request.client_task_id.as_deref(), Some("june#1"));
        let wrong = row(1).unwrap_err();
        assert_eq!((wrong.len(), wrong[0].row, wrong[0].column.as_deref()), (1, 2, Some("seconds")));
        let missing = read_row(template, "june", &(7, Values::new()), &Policy::default()).unwrap_err();
        assert_eq!((missing[0].row, missing[0].column.as_deref()), (7, Some("clip")));
    }

    /// A template with the lists `photo` and `lines`, and the variables `photo9`, `logo` and `seconds`.
    fn lists() -> Template {
        let request = json!({ "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [
                { "url": "https://a.example/first.mp4" },
                { "url": "{{photo}}", "duration": "{{seconds}}", "imageMotion": "zoomIn" },
                { "$if": "{{photo9}}", "url": "{{photo9}}" },
            ]}],
            "options": { "overlays": [
                { "$if": "{{logo}}", "type": "image", "url": "{{logo}}" },
                { "$if": "{{lines}}", "type": "text", "texts": "{{lines}}" },
            ]},
        }});
        let variables = json!([
            { "name": "photo", "type": "urls", "minItems": 2, "maxItems": 5 },
            { "name": "photo9", "type": "url", "default": "" },
            { "name": "logo", "type": "url", "default": "" },
            { "name": "lines", "type": "texts", "maxLength": 5, "default": [] },
            { "name": "seconds", "type": "number", "default": 2 },
        ]);
        Template { request, variables: serde_json::from_value(variables).unwrap() }
    }

    fn read_lists(values: Value) -> Result<Accepted, Vec<RowError>> {
        read_row(&lists(), "june", &(7, values.as_object().unwrap().clone()), &Policy::default())
    }

    #[test]
    fn a_row_has_lists_in_cells_in_columns_or_in_arrays() {
        let photo = |number: u32| format!("https://a.example/{number}.jpg");
        let urls = |values: Value| -> Vec<String> {
            let accepted = read_lists(values).unwrap();
            assert_eq!(accepted.warnings, vec![]);
            accepted.request.inputs().into_iter().skip(1).map(|input| input.url.to_owned()).collect()
        };
        let expected = [photo(1), photo(2), photo(3)];
        let cell = expected.join(" | ");
        assert_eq!(urls(json!({ "photo": expected })), expected);
        assert_eq!(urls(json!({ "photo": cell })), expected);
        let columns =
            json!({ "photo2": photo(2), "photo1": photo(1), "photo3": photo(3), "photo4": "", "photo": "" });
        assert_eq!(urls(columns.clone()), expected);
        // A declared variable has the column of its name, and a bar is part of a url only with a backslash.
        let own = json!({ "photo": r"https://a.example/a\|b|https://a.example/2", "photo9": photo(9), "logo": photo(8) });
        assert_eq!(urls(own), ["https://a.example/a|b", "https://a.example/2", &photo(9), &photo(8)]);
        let same = read_lists(json!({ "photo": cell })).unwrap().request;
        assert_eq!(same.fingerprint(), read_lists(columns).unwrap().request.fingerprint());
        let text =
            serde_json::to_string(&read_lists(json!({ "photo": cell, "lines": "a|b" })).unwrap().request)
                .unwrap();
        assert!(!text.contains("$if") && text.contains(r#"["a","b"]"#), "{text}");
    }

    #[test]
    fn errors_name_row_column_and_entry() {
        let (a, b) = ("https://a.example/1.jpg", "https://a.example/2.jpg");
        let check = |values: Value, column: &str, path: &str, expected: &str| {
            let mut errors = read_lists(values.clone()).unwrap_err();
            assert_eq!(errors.len(), 1, "{values}: {errors:?}");
            let RowError { row, column: found, error } = errors.remove(0);
            assert_eq!((row, found.as_deref(), error.path.as_str()), (7, Some(column), path), "{values}");
            assert!(error.message.contains(expected), "{values}: {}", error.message);
            assert!(error.message.chinese().is_some());
        };
        let photo = |photo: Value| json!({ "photo": photo });
        check(photo(json!(5)), "photo", "/values/photo", "must be an array");
        check(photo(json!([a, "no url"])), "photo", "/values/photo/1", "entry 2: must be an http://");
        check(photo(json!([a, 5])), "photo", "/values/photo/1", "entry 2: must be a string with a URL");
        check(photo(json!([a, [b]])), "photo", "/values/photo/1", "entry 2: must be a string");
        check(photo(json!([a, null, b])), "photo", "/values/photo/1", "entry 2: must not be empty");
        check(photo(json!(format!("{a}||{b}"))), "photo", "/values/photo/1", "entry 2: must not be empty");
        check(photo(json!(format!("{a}|{b}|"))), "photo", "/values/photo/2", "entry 3: must not be empty");
        check(photo(json!(a)), "photo", "/values/photo", "has 1 entry; at least 2 are required");
        check(photo(json!(vec![a; 10_001])), "photo", "/values/photo", "10001 entries; at most 5");
        check(photo(json!("|".repeat(10_000))), "photo", "/values/photo", "10001 entries; at most 5");
        check(photo(json!([])), "photo", "/values/photo", "is required");
        check(json!({}), "photo", "/values/photo", "is required");
        check(
            json!({ "photo": [a, b], "lines": ["ok", "too long"] }),
            "lines",
            "/values/lines/1",
            "entry 2: has 8 characters",
        );
        check(json!({ "photo": [a, b], "lines": true }), "lines", "/values/lines", "must be an array");
        check(json!({ "photo": [a, b], "logo": [a] }), "logo", "/values/logo", "must be a string with a URL");
        // Columns with numbers.
        check(
            json!({ "photo": [a, b], "photo1": a }),
            "photo1",
            "/values/photo1",
            "cannot be combined with `photo`",
        );
        check(
            json!({ "photo1": a, "photo3": b }),
            "photo2",
            "/values/photo2",
            "is empty, but `photo3` has a value",
        );
        check(
            json!({ "photo2": a, "photo3": b }),
            "photo1",
            "/values/photo1",
            "is empty, but `photo2` has a value",
        );
        check(json!({ "photo1": a, "photo2": "no url" }), "photo2", "/values/photo2", "must be an http://");
        check(json!({ "photo1": a }), "photo", "/values/photo", "at least 2");
        check(json!({ "photo1": a, "photo6": a }), "photo", "/values/photo", "6 entries; at most 5");
        check(json!({ "photo": [a, b], "photo01": a }), "photo01", "/values/photo01", "did you mean `photo");
        // Errors of the request.
        let errors = read_lists(json!({ "photo": [a, b], "seconds": -1 })).unwrap_err();
        let places: Vec<_> =
            errors.iter().map(|wrong| (wrong.column.as_deref(), wrong.error.path.as_str())).collect();
        let expected = [1, 2].map(|clip| format!("/params/videoList/0/videos/{clip}/duration"));
        assert_eq!(places, expected.each_ref().map(|path| (Some("seconds"), path.as_str())));
    }

    #[test]
    fn errors_of_the_request_name_the_entry() {
        let template = lists();
        let policy = Policy::default();
        let of = |values: Value, path: &str| {
            let given = values.as_object().unwrap();
            let (checked, _) = check_values(&template, given, "/values", &policy).unwrap();
            let error =
                FieldError { path: path.to_owned(), message: message::is_empty(), got: None, allowed: None };
            let column = template.columns(given, &checked).of(&error);
            column.map(|column| (column.name, column.entry))
        };
        let (a, b) = ("https://a.example/1.jpg", "https://a.example/2.jpg");
        let clip = |number: u32, field: &str| format!("/params/videoList/0/videos/{number}/{field}");
        let array = json!({ "photo": [a, b], "photo9": a, "lines": "x|y" });
        assert_eq!(of(array.clone(), &clip(0, "url")), None);
        assert_eq!(of(array.clone(), &clip(2, "url")), Some(("photo".to_owned(), Some(1))));
        assert_eq!(of(array.clone(), &clip(2, "duration")), Some(("seconds".to_owned(), None)));
        assert_eq!(of(array.clone(), &clip(3, "url")), Some(("photo9".to_owned(), None)));
        // The logo is dropped.
        assert_eq!(of(array, "/params/options/overlays/0/texts/1"), Some(("lines".to_owned(), Some(1))));
        let columns = json!({ "photo1": a, "photo2": b });
        assert_eq!(of(columns, &clip(2, "url")), Some(("photo2".to_owned(), None)));
    }

    #[test]
    fn an_empty_list_leaves_no_clips() {
        let mut template = lists();
        template.variables[0].default = Some(json!([]));
        let row = (7, Values::new());
        let errors = read_row(&template, "june", &row, &Policy::default()).unwrap_err();
        assert_eq!((errors.len(), errors[0].column.as_deref()), (1, Some("photo")));
        assert!(errors[0].error.message.contains("is empty"), "{errors:?}");
        let videos = &mut template.request["params"]["videoList"][0]["videos"];
        videos[1]["$if"] = json!("{{photo}}");
        let accepted = read_row(&template, "june", &row, &Policy::default()).unwrap();
        assert_eq!(accepted.request.inputs().len(), 1);
        // Nothing is left.
        template.request["params"]["videoList"][0]["videos"].as_array_mut().unwrap().remove(0);
        let errors = read_row(&template, "june", &row, &Policy::default()).unwrap_err();
        let places: Vec<_> = errors.iter().map(|wrong| (wrong.row, wrong.error.path.as_str())).collect();
        assert_eq!(places, [(7, "/params/videoList/0/videos")]);
    }

    #[test]
    fn sizes_of_lists_are_limited_before_filling() {
        let mut template = lists();
        template.request["params"]["videoList"][0]["videos"][1]["note"] = json!(vec!["0"; 120_000]);
        let photos = |count: usize| json!({ "photo": vec!["https://a.example/1.jpg"; count] });
        let read = |values: Value| {
            read_row(&template, "june", &(7, values.as_object().unwrap().clone()), &Policy::default())
        };
        assert!(read(photos(4)).is_ok());
        let errors = read(photos(5)).unwrap_err();
        assert!(errors[0].error.message.contains("more than 500000 values"), "{errors:?}");
        let bytes = |values: Value| template.sizes([values.as_object().unwrap()]);
        let two = bytes(photos(2));
        let url = "https://a.example/1.jpg";
        let cell = format!("{url}|{url}");
        assert!(bytes(photos(4)) > two / 2 * 3);
        assert!(bytes(json!({ "photo": cell })) >= two);
        assert!(bytes(json!({ "photo1": url, "photo2": url })) >= two);
    }

    #[test]
    fn a_repeated_batch_has_the_same_fingerprint() {
        let print = |change: fn(&mut Value)| {
            let read = batch(change).unwrap();
            let Rows::Listed(rows) = &read.rows else { panic!() };
            read.fingerprint(rows)
        };
        let same = print(|_| ());
        assert_eq!(print(|b| b["name"] = json!("another")), same);
        assert_eq!(print(|b| b["maxPoints"] = json!(5)), same);
        assert_ne!(print(|b| b["rows"][0]["seconds"] = json!(4)), same);
        assert_ne!(print(|b| b["partial"] = json!(true)), same);
        assert_ne!(print(|b| b["request"]["taskType"] = json!("proVideoMix")), same);
    }

    #[test]
    fn a_batch_needs_a_template_and_rows() {
        let wrong = |change: fn(&mut Value)| batch(change).unwrap_err();
        assert_eq!(wrong(|b| b["clientBatchId"] = json!("")), ["/clientBatchId"]);
        assert_eq!(wrong(|b| b["rows"] = json!([])), ["/rows"]);
        assert_eq!(wrong(|b| b["rows"] = json!([1])), ["/rows/0"]);
        assert_eq!(wrong(|b| b["maxPoints"] = json!(-1)), ["/maxPoints"]);
        assert_eq!(wrong(|b| b["maxPoints"] = json!(1_u64 << 53)), ["/maxPoints"]);
        assert_eq!(wrong(|b| b["rows"] = json!(vec![json!({}); 1_001])), ["/rows"]);
        assert_eq!(wrong(|b| b["template"] = json!("TP1")), ["/request"]);
        assert_eq!(wrong(|b| b["csvUrl"] = json!("upload://a")), ["/csvUrl"]);
        assert_eq!(
            wrong(|b| {
                b["rows"] = Value::Null;
                b["csvUrl"] = json!("https://a.example/rows.csv");
            }),
            ["/csvUrl"]
        );
        assert_eq!(wrong(|b| b["request"] = Value::Null), ["/template"]);
        assert_eq!(wrong(|b| b["callbackUrl"] = json!("ftp://a")), ["/callbackUrl"]);
    }
}
