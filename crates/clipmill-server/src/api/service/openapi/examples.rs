//! Examples of path parameters, requests and responses. They are kept in the files of `examples/`, by operation.

use serde_json::{Map, Value, json};

use clipmill_core::request::model::TaskType;

const OPERATIONS: [&str; 14] = [
    include_str!("examples/tasks.json"),
    include_str!("examples/files.json"),
    include_str!("examples/previews.json"),
    include_str!("examples/catalogues.json"),
    include_str!("examples/templates.json"),
    include_str!("examples/drafts.json"),
    include_str!("examples/brand.json"),
    include_str!("examples/batches.json"),
    include_str!("examples/callbacks.json"),
    include_str!("examples/shares.json"),
    include_str!("examples/invitations.json"),
    include_str!("examples/points.json"),
    include_str!("examples/admin.json"),
    include_str!("examples/health.json"),
];
/// Values of path parameters, unless an operation has its own.
const PARAMETERS: &str = include_str!("examples/parameters.json");
/// An error for each HTTP status.
const ERRORS: &str = include_str!("examples/errors.json");

/// By `operationId`: `parameters`, `request`, and `data` of the response or the whole `response`.
pub fn operations() -> Map<String, Value> {
    OPERATIONS.into_iter().flat_map(read).collect()
}

/// Adds the examples to all operations and errors of the document.
pub fn add(document: &mut Value) {
    let (operations, parameters) = (operations(), read(PARAMETERS));
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for operation in
        paths.filter_map(|(_, methods)| methods.as_object_mut()).flatten().map(|(_, operation)| operation)
    {
        let name = operation["operationId"].as_str().unwrap_or_default();
        let examples = operations.get(name).unwrap_or(&Value::Null).clone();
        add_parameters(operation, &examples["parameters"], &parameters);
        add_request(operation, &examples["request"]);
        add_response(operation, &examples);
    }
    for (status, error) in read(ERRORS) {
        document["components"]["responses"][format!("Error{status}")]["content"]["application/json"]["example"] =
            error;
    }
}

/// Optional parameters have none: `/docs` would send the example of each filter with every call.
fn add_parameters(operation: &mut Value, own: &Value, common: &Map<String, Value>) {
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        if parameter["required"] == true
            && let Some(example) = own.get(name).or_else(|| common.get(name))
        {
            parameter["example"] = example.clone();
        }
    }
}

fn add_request(operation: &mut Value, example: &Value) {
    let Some(body) = operation.pointer_mut("/requestBody/content/application~1json") else { return };
    if body["schema"]["$ref"] == "#/components/schemas/Submission" {
        let of_kind = |kind: TaskType| (kind.as_str().to_owned(), json!({ "value": kind.example() }));
        let template = ("template".to_owned(), json!({ "value": example }));
        body["examples"] = Value::Object(TaskType::ALL.into_iter().map(of_kind).chain([template]).collect());
    } else if !example.is_null() {
        body["example"] = example.clone();
    }
}

fn add_response(operation: &mut Value, examples: &Value) {
    let content = operation.pointer_mut("/responses/200/content").and_then(Value::as_object_mut);
    let Some((_, content)) = content.and_then(|kinds| kinds.iter_mut().next()) else { return };
    if let Some(data) = examples.get("data") {
        content["example"] = json!({ "code": 0, "msg": "success", "data": data });
    } else if let Some(response) = examples.get("response") {
        content["example"] = response.clone();
    }
}

/// The files are part of the program; a test reads all of them.
fn read(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_every_entry_belongs_to_an_operation() {
        for text in OPERATIONS.into_iter().chain([PARAMETERS, ERRORS]) {
            assert!(!read(text).is_empty(), "{text}");
        }
        let document = crate::api::openapi();
        let paths = document["paths"].as_object().unwrap().values();
        let methods = paths.flat_map(|methods| methods.as_object().unwrap().values());
        let operation_ids: Vec<&str> =
            methods.map(|operation| operation["operationId"].as_str().unwrap()).collect();
        for name in operations().keys() {
            assert!(operation_ids.contains(&name.as_str()), "{name}");
        }
    }
}
