//! The API description: `/openapi.json`, and `/docs` to read and try it without other hosts. Endpoints and responses
//! are described next to their code. This module adds the shared parts: requests, errors, headers, the key, examples,
//! and the callbacks.

mod examples;
mod nested;
mod webhooks;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;
use serde_json::{Map, Value, json};
use utoipa::PartialSchema;
use utoipa::openapi::{InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::api::service::console;
use crate::app::App;
use crate::console::ConsoleFile;
use crate::error::catalogue::CATALOGUE;
use crate::view::{FoldName, RowFilterName, request_schemas};

/// The version of the API, not of the program.
const VERSION: &str = "1.0.0";
const DOCUMENT: &str = "/openapi.json";
const ABOUT: &str = "Asynchronous video processing: submit a task as JSON, poll its status or receive a callback, \
    download the finished files. Every JSON response is `{code, msg, data}`; `code` 0 is success, errors have the \
    matching HTTP status and a five-digit code. Optional fields may be `null` or empty, which is the same as omitting them.";

/// The document without endpoints.
pub fn frame() -> OpenApi {
    let license = LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build();
    let info =
        InfoBuilder::new().title("clipmill").version(VERSION).description(Some(ABOUT)).license(Some(license));
    OpenApiBuilder::new().info(info).build()
}

/// The whole document: with requests, errors, headers and the key.
pub fn complete(api: OpenApi) -> Value {
    let mut document = serde_json::to_value(api).unwrap_or_default();
    rename_schemas(&mut document);
    name_inlined(&mut document);
    document["servers"] = json!([{ "url": "/" }]);
    document["tags"] = json!([
        { "name": "tasks", "description": "Submit tasks, follow their progress, cancel them." },
        { "name": "files", "description": "Upload files, download results." },
        { "name": "previews", "description": "Preview outputs, and probe files." },
        { "name": "catalogues", "description": "Catalogues of values to choose from." },
        { "name": "templates", "description": "Saved requests with variables." },
        { "name": "drafts", "description": "Requests that are not finished yet." },
        { "name": "brand", "description": "Files, colours and a caption style that you use again and again." },
        { "name": "batches", "description": "Many videos from one template and a table." },
        { "name": "callbacks", "description": "Notifications of ended tasks." },
        { "name": "shares", "description": "Pages that show finished videos without a key, and the feedback of their viewers." },
        { "name": "invitations", "description": "Links with which a person gets a key." },
        { "name": "points", "description": "Points: balance, records and usage." },
        { "name": "admin", "description": "For operators: keys with the scope `admin`." },
        { "name": "health", "description": "For operators of the service." },
    ]);
    document["security"] = json!([{ "apiKey": [] }]);
    document["components"]["securitySchemes"] = json!({ "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "An operation names the scope that the key must have: `read`, `submit` or `admin`.",
    } });
    let mut described = Map::new();
    let of_webhooks = webhooks::schemas().map(|(name, schema)| (name.to_owned(), schema));
    for (name, mut schema) in request_schemas().into_iter().chain(of_webhooks) {
        if let Some(kind) = name.strip_suffix("Request") {
            nested::name_nested(&mut schema, kind, &mut described);
        }
        described.insert(name, schema);
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.extend(described);
    }
    // Only parameters name these, and parameters add nothing to the components.
    document["components"]["schemas"]["RowFilterName"] = json!(RowFilterName::schema());
    document["components"]["schemas"]["FoldName"] = json!(FoldName::schema());
    document["components"]["schemas"]["ErrorAnswer"] = error_schema();
    document["components"]["schemas"]["ErrorData"] = error_data_schema();
    document["components"]["schemas"]["FieldError"] = field_error_schema();
    document["components"]["responses"] = Value::Object(error_responses());
    document["components"]["headers"] = headers();
    for (path, operations) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in operations.as_object_mut().into_iter().flatten() {
            finish_operation(path, operation);
        }
    }
    examples::add(&mut document);
    document["webhooks"] = webhooks::webhooks(&examples::operations());
    document
}

/// The document and a page that shows it.
pub fn pages(document: Value) -> Router<Arc<App>> {
    // Compressed once, when it is first asked for: it is ten times as small then.
    let file = Arc::new(LazyLock::new(move || ConsoleFile::text("application/json", document.to_string())));
    let handler = async move |headers: HeaderMap| console::respond(&file, &headers);
    let page = SwaggerUi::new("/docs").config(Config::from(DOCUMENT).validator_url("none"));
    Router::new().route(DOCUMENT, get(handler)).merge(page)
}

/// Gives schemas the names a client would choose: `Answer_PageView_TaskView` becomes `AnswerPageTask`.
fn rename_schemas(document: &mut Value) {
    if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        *schemas = std::mem::take(schemas).into_iter().map(|(name, schema)| (plain(&name), schema)).collect();
    }
    rename_references(document);
}

fn plain(name: &str) -> String {
    let bare = |part: &str| {
        let part = part.strip_suffix("View").or_else(|| part.strip_suffix("Schema")).unwrap_or(part);
        part.to_owned()
    };
    name.split('_').map(bare).collect()
}

/// Replaces inlined copies of named schemas by references, and names the pages of lists: generic types inline their
/// arguments, for which generators of clients would make up names.
fn name_inlined(document: &mut Value) {
    let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) else {
        return;
    };
    let pages: Vec<(String, Value)> = schemas
        .iter()
        .filter_map(|(name, schema)| Some((name.strip_prefix("Answer")?, &schema["properties"]["data"])))
        .filter(|(name, data)| is_compound(data) && !schemas.contains_key(*name))
        .map(|(name, data)| (name.to_owned(), data.clone()))
        .collect();
    schemas.extend(pages);
    let named: HashMap<String, String> = schemas
        .iter()
        .filter(|(name, schema)| !name.starts_with("Answer") && is_compound(schema))
        .map(|(name, schema)| (schema.to_string(), name.clone()))
        .collect();
    // A schema is equal to itself, so only its inner parts are compared.
    for schema in schemas.values_mut() {
        refer_within(schema, &named);
    }
    if let Some(paths) = document.get_mut("paths") {
        refer_within(paths, &named);
    }
}

fn is_compound(schema: &Value) -> bool {
    schema["properties"].is_object() || schema["allOf"].is_array()
}

fn refer_within(value: &mut Value, named: &HashMap<String, String>) {
    let inner: Box<dyn Iterator<Item = &mut Value>> = match value {
        Value::Object(members) => Box::new(members.values_mut()),
        Value::Array(entries) => Box::new(entries.iter_mut()),
        _ => return,
    };
    for value in inner {
        let name = is_compound(value).then(|| named.get(&value.to_string())).flatten();
        match name {
            Some(name) => *value = json!({ "$ref": format!("#/components/schemas/{name}") }),
            None => refer_within(value, named),
        }
    }
}

fn rename_references(value: &mut Value) {
    const SCHEMAS: &str = "#/components/schemas/";
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some(name) = reference.strip_prefix(SCHEMAS)
            {
                *reference = format!("{SCHEMAS}{}", plain(name));
            }
            members.values_mut().for_each(rename_references);
        }
        Value::Array(entries) => entries.iter_mut().for_each(rename_references),
        _ => {}
    }
}

/// Adds the errors that an operation can return, and the headers of its responses.
fn finish_operation(path: &str, operation: &mut Value) {
    let keyed = operation["security"] != json!([{}]);
    let body = operation.get("requestBody").is_some();
    let query = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    let query = query.filter(|parameter| parameter["in"] == "query").count() > 0;
    let mut errors = vec![500];
    if keyed {
        errors.extend([401, 403, 429]);
    }
    if keyed && (body || query) {
        errors.push(400);
    }
    if body {
        errors.extend([413, 415]);
    }
    if ["/preview", "/thumbnail", "/probe"].iter().any(|end| path.ends_with(end)) {
        errors.extend([400, 422]);
    }
    if ["{id}", "{templateNo}", "{draftNo}", "{batchNo}", "{userId}", "{keyId}", "{invitationId}"]
        .iter()
        .any(|number| path.contains(number))
    {
        errors.push(404);
    }
    if body && path.ends_with("/batches") {
        errors.extend([402, 409]);
    }
    let conflicting = [
        "/uploads/{id}",
        "/share",
        "/share/{taskNo}",
        "/templates",
        "/templates/{templateNo}",
        "/drafts",
        "/drafts/{draftNo}",
    ];
    let batch = ["/download", "/pause", "/resume", "/cancel"].iter().any(|end| path.ends_with(end));
    if conflicting.iter().any(|end| path.ends_with(end)) || (path.contains("{batchNo}") && batch) {
        errors.push(409);
    }
    if path.ends_with("/submit") || path.ends_with("/retry") {
        errors.extend([402, 409]);
    }
    if path.contains("/download/") || path.contains("/timeline/") {
        errors.push(409);
    }
    if path.contains("/request/") || path.contains("/timeline/") {
        errors.push(410);
    }
    if path.ends_with("/redeliver") || path.ends_with("/{keyId}") {
        errors.push(400);
    }
    if path.starts_with("/s/") {
        errors.push(404);
        if body {
            errors.extend([400, 429]);
        }
        if body && path.ends_with("/comments") {
            errors.push(409);
        }
    }
    if path.ends_with("/redeem") {
        errors.extend([400, 404, 429]);
    }
    if path.ends_with("/admin/invitations") && body {
        errors.push(404);
    }
    if path.ends_with("/admin/grants") || path.ends_with("/admin/deductions") {
        errors.push(404);
    }
    if path.ends_with("/admin/deductions") || path.ends_with("/speech") {
        errors.push(402);
    }
    if path.contains("/cancel/") || path.ends_with("/uploads") {
        errors.push(409);
    }
    if path.contains("{taskNo}") || path.ends_with("/{file}") {
        errors.push(404);
    }
    if path.starts_with("/files/") {
        errors.push(403);
    }
    if path != "/healthz" {
        errors.push(503);
    }
    errors.sort_unstable();
    errors.dedup();
    for status in errors {
        operation["responses"][status.to_string()] =
            json!({ "$ref": format!("#/components/responses/Error{status}") });
    }
    operation["responses"]["200"]["headers"] = answer_headers(keyed);
}

fn answer_headers(keyed: bool) -> Value {
    let names: &[&str] =
        if keyed { &["x-request-id", "RateLimit", "RateLimit-Policy"] } else { &["x-request-id"] };
    let reference =
        |name: &&str| (name.to_string(), json!({ "$ref": format!("#/components/headers/{name}") }));
    Value::Object(names.iter().map(reference).collect())
}

fn headers() -> Value {
    let header = |about: &str, kind: &str| json!({ "description": about, "schema": { "type": kind } });
    json!({
        "x-request-id": header("ID of the request: the one you sent, or a generated one.", "string"),
        "RateLimit": header("Remaining calls (`r`), and seconds until all calls are available again (`t`).", "string"),
        "RateLimit-Policy": header("Maximum burst of calls (`q`), and seconds to refill it (`w`).", "string"),
        "Retry-After": header("Seconds to wait.", "integer"),
    })
}

/// One response for each status of the catalogue that an operation can have: 405 is for methods that are not described.
fn error_responses() -> Map<String, Value> {
    let mut responses = Map::new();
    let mut statuses: Vec<u16> = CATALOGUE.iter().map(|entry| entry.code / 100).collect();
    statuses.sort_unstable();
    statuses.dedup();
    statuses.retain(|status| *status != 405);
    for status in statuses {
        let lines = CATALOGUE.iter().filter(|entry| entry.code / 100 == status);
        let lines: Vec<String> = lines.map(|entry| format!("`{}`: {}", entry.code, entry.english)).collect();
        let mut response = json!({
            "description": lines.join("\n\n"),
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ErrorAnswer" } } },
            "headers": answer_headers(false),
        });
        if matches!(status, 429 | 503) {
            response["headers"]["Retry-After"] = json!({ "$ref": "#/components/headers/Retry-After" });
        }
        responses.insert(format!("Error{status}"), response);
    }
    responses
}

fn error_schema() -> Value {
    let mut codes: Vec<u16> = CATALOGUE.iter().map(|entry| entry.code).collect();
    codes.sort_unstable();
    codes.dedup();
    json!({
        "type": "object",
        "description": "An error.",
        "required": ["code", "msg", "data"],
        "properties": {
            "code": { "type": "integer", "enum": codes, "description": "The first three digits are the HTTP status." },
            "msg": { "type": "string", "description": "Cause of the failure, and how to fix it." },
            "data": {
                "oneOf": [{ "$ref": "#/components/schemas/ErrorData" }, { "type": "null" }],
                "description": "Depends on `code`; null if the error has no data.",
            },
        },
    })
}

/// `data` of an error: its members, with the codes that have them.
fn error_data_schema() -> Value {
    let member = |kind: &str, about: &str| json!({ "type": kind, "description": about });
    let members = json!({
        "errors": {
            "type": "array", "items": { "$ref": "#/components/schemas/FieldError" },
            "description": "40001: every field that cannot be accepted.",
        },
        "total": member("integer", "40001 of a batch: number of all errors, `errors` may list only the first ones."),
        "cause": {
            "$ref": "#/components/schemas/Message",
            "description": "40000, 40909, 42200, 50301: the cause that `msg` contains.",
        },
        "needed": member("integer", "40200: points that are needed."),
        "available": member("integer", "40200: points that can be spent."),
        "price": member("integer", "40201: the estimate."),
        "maxPoints": member("integer", "40201: the limit of the request."),
        "row": member("integer", "40201: the row of a batch whose limit is exceeded; 40913: the row that has not failed."),
        "scope": member("string", "40300: the scope that the key lacks."),
        "reason": member("string", "40301: why the user is disabled."),
        "taskNo": member("string", "40900, 40901, 40903, 41000: the task; 40903 of a batch: its number."),
        "batchNo": member("string", "40900, 40907, 40913: the batch."),
        "status": member("integer", "40901, 40907: state of the task or batch."),
        "statusName": member("string", "40901, 40907: the state in words."),
        "storedBytes": member("integer", "40902: bytes that are stored."),
        "neededBy": member("string", "40904: number of the task, template or batch that needs the file."),
        "updateTime": member("string", "40910: `updateTime` of the stored draft."),
        "version": member("integer", "40905: newest version of the template."),
        "seconds": member("integer", "42900, 42903, 42906, 42907: seconds to wait."),
        "openTasks": member("integer", "42901: tasks that have not ended."),
        "openStreams": member("integer", "42902: streams that are open."),
        "openBatches": member("integer", "42904: batches that have not ended."),
        "givenUp": member("integer", "42905: outputs that were cancelled or rejected within an hour."),
        "spokenCharacters": member("integer", "42906: characters of texts that you listened to today."),
        "limit": member("integer", "40902, 40906, 40908, 40911, 42901, 42902, 42904, 42905, 42906: the limit."),
    });
    json!({ "type": "object", "description": "Details of an error, by its code.", "properties": members })
}

fn field_error_schema() -> Value {
    json!({
        "type": "object",
        "description": "One field that cannot be accepted.",
        "required": ["path", "message", "code", "params", "got", "allowed"],
        "properties": {
            "path": { "type": "string", "description": "JSON Pointer into the body; `/query/…` for a parameter." },
            "message": { "type": "string" },
            "code": {
                "type": ["string", "null"],
                "description": "Stable code of the message, listed in docs/api/messages.md; null for messages of early versions.",
            },
            "params": {
                "oneOf": [{ "$ref": "#/components/schemas/MessageParams" }, { "type": "null" }],
                "description": "Values in the text by name; null without a code.",
            },
            "got": { "description": "Value that was sent, shortened when long." },
            "allowed": { "type": ["string", "null"], "description": "Summary of the allowed values." },
            "row": { "type": "integer", "minimum": 1, "description": "For an error in the table of a batch: the row, from 1." },
            "column": {
                "type": ["string", "null"],
                "description": "For an error in the table of a batch: the column; null if the error does not concern a column.",
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use utoipa::ToSchema;

    use super::*;
    use crate::view::{
        Answer, BalanceView, CallbackTestView, CallbackView, EstimateView, PageTaskView, PageView,
        RecordView, SubmitView, TaskView,
    };

    /// Two types with the same name would silently overwrite each other's description.
    #[test]
    fn no_two_schemas_share_a_name() {
        let mut all = Vec::new();
        Answer::<TaskView>::schemas(&mut all);
        Answer::<SubmitView>::schemas(&mut all);
        Answer::<EstimateView>::schemas(&mut all);
        Answer::<BalanceView>::schemas(&mut all);
        Answer::<CallbackView>::schemas(&mut all);
        Answer::<CallbackTestView>::schemas(&mut all);
        Answer::<PageTaskView>::schemas(&mut all);
        PageView::<RecordView>::schemas(&mut all);
        let mut schemas_by_name = std::collections::BTreeMap::new();
        for (name, schema) in all {
            let schema = serde_json::to_value(schema).unwrap_or_default();
            let before = schemas_by_name.insert(plain(&name), (name.clone(), schema.clone()));
            assert!(before.is_none_or(|before| before == (name.clone(), schema)), "{name}");
        }
        assert!(schemas_by_name.len() > 10, "{schemas_by_name:?}");
    }

    /// Client generators name inlined schemas by numbers.
    #[test]
    fn answers_refer_to_named_schemas() {
        let document = complete(crate::api::described().into_openapi());
        let schemas = document["components"]["schemas"].as_object().unwrap();
        for (name, schema) in schemas.iter().filter(|(name, _)| name.starts_with("Answer")) {
            let data = &schema["properties"]["data"];
            assert!(data["properties"].is_null() && data["items"]["properties"].is_null(), "{name}: {data}");
        }
        assert_eq!(schemas["AnswerPageTask"]["properties"]["data"]["$ref"], "#/components/schemas/PageTask");
        assert_eq!(schemas["PageTask"]["properties"]["list"]["items"]["$ref"], "#/components/schemas/Task");
    }

    /// Two different names must not become equal once `View` and `Schema` are removed.
    #[test]
    fn no_schema_takes_the_place_of_another() {
        let document = serde_json::to_value(crate::api::described().into_openapi()).unwrap();
        let mut names = std::collections::BTreeSet::new();
        for name in document["components"]["schemas"].as_object().unwrap().keys() {
            assert!(names.insert(plain(name)), "{name}");
        }
        assert!(names.len() > 50, "{names:?}");
    }
}
