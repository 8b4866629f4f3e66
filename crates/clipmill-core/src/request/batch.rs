//! Batches: a template, or a request with variables, and rows of values; each row becomes a task.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::reader::{Fields, Node};
use super::report::Report;
use super::table::{MOST_ROWS, Row};
use super::template::{Template, Values, check_values, read_variables};
use super::{Accepted, FieldError, Policy, RequestError, json as strict, parse_value};
use crate::ids::TemplateNo;
use crate::message::{self, Message};
use crate::warning::Warning;

const UPLOAD: &str = "upload://";
/// The highest price limit: the largest integer that JSON represents exactly.
const MOST_POINTS: u64 = (1 << 53) - 1;

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
    let max_points = fields.get("maxPoints").integer(0..=MOST_POINTS);
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
    let objects = fields.get("rows").array(MOST_ROWS, |row| match row.value {
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
    let of_row = |column: Option<String>, error| RowError { row: *row, column, error };
    let of_values = |error: FieldError| of_row(error.path.strip_prefix("/values/").map(str::to_owned), error);
    let checked = check_values(template, given, "/values", policy);
    let (values, warnings) =
        checked.map_err(|errors| errors.into_iter().map(of_values).collect::<Vec<_>>())?;
    let of_all = |message| {
        let error = FieldError { path: String::new(), message, got: None, allowed: None };
        vec![of_row(None, error)]
    };
    let filled = fill(template, &values, client_batch_id, *row).map_err(of_all)?;
    let of_request = |error: FieldError| of_row(template.column(&error).map(str::to_owned), error);
    match parse_value(&filled, policy) {
        Ok(mut accepted) => {
            accepted.warnings.extend(warnings);
            accepted.warnings = accepted.warnings.into_iter().map(|warning| at_row(*row, warning)).collect();
            Ok(accepted)
        }
        Err(RequestError::Invalid { errors, .. }) => Err(errors.into_iter().map(of_request).collect()),
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
        request.insert("clientTaskId".to_owned(), json!(client_task_id(client_batch_id, row)));
    }
    Ok(filled)
}

/// The `clientTaskId` of a row's task.
pub fn client_task_id(client_batch_id: &str, row: u32) -> String {
    format!("{client_batch_id}#{row}")
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
