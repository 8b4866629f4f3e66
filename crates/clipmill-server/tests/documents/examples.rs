//! Examples of the API's description: every operation has them, and each matches its schema.

use clipmill_server::error::catalogue::CATALOGUE;
use serde_json::Value;

use crate::blocks::without_omissions;
use crate::markdown::documents;
use crate::schemas::{differences, operations};

const JSON: &str = "application/json";
/// Formats whose examples can be read.
const READABLE: [&str; 3] = [JSON, "text/csv", "text/event-stream"];

/// The examples of a media type or parameter.
fn examples(described: &Value) -> Vec<&Value> {
    let named = described["examples"].as_object().into_iter().flatten();
    described.get("example").into_iter().chain(named.map(|(_, example)| &example["value"])).collect()
}

#[track_caller]
fn check(document: &Value, place: &str, described: &Value) {
    let examples = examples(described);
    assert!(!examples.is_empty(), "{place} has no example");
    for example in examples {
        let differences = differences(document, &described["schema"], example);
        assert!(differences.is_empty(), "{place}: {}", differences.join("\n"));
    }
}

fn check_content(document: &Value, place: &str, content: &Value) -> usize {
    let kinds = content.as_object().into_iter().flatten();
    let readable = kinds.filter(|(kind, _)| READABLE.contains(&kind.as_str()));
    readable.inspect(|(kind, described)| check(document, &format!("{place}, {kind}"), described)).count()
}

#[test]
fn every_operation_has_examples_that_its_schemas_allow() {
    let document = clipmill_server::openapi();
    for (_, _, operation) in operations(&document) {
        let name = operation["operationId"].as_str().unwrap();
        let mut count = 0;
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if parameter["required"] == true {
                check(&document, &format!("{name}, {}", parameter["name"]), parameter);
                count += 1;
            }
        }
        count += check_content(&document, &format!("{name}, request"), &operation["requestBody"]["content"]);
        count +=
            check_content(&document, &format!("{name}, response"), &operation["responses"]["200"]["content"]);
        assert!(count > 0, "{name} has no example");
    }
}

#[test]
fn callbacks_have_examples_that_their_schemas_allow() {
    let document = clipmill_server::openapi();
    let webhooks = document["webhooks"].as_object().unwrap();
    assert_eq!(webhooks.keys().collect::<Vec<_>>(), ["taskEnded", "batchEnded"]);
    for (name, webhook) in webhooks {
        let operation = &webhook["post"];
        assert_eq!(operation["operationId"], name.as_str());
        for parameter in operation["parameters"].as_array().unwrap() {
            check(&document, name, parameter);
        }
        assert_eq!(check_content(&document, name, &operation["requestBody"]["content"]), 1);
    }
}

/// The text of the catalogue, whose values in braces are filled in.
fn is_filled(template: &str, text: &str) -> bool {
    let fixed = template.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let rest = fixed.into_iter().try_fold(text, |rest, part| rest.split_once(part).map(|(_, rest)| rest));
    rest.is_some()
}

#[test]
fn every_status_has_an_error_of_the_catalogue_as_example() {
    let document = clipmill_server::openapi();
    let responses = document["components"]["responses"].as_object().unwrap();
    assert!(responses.len() > 10, "{}", responses.len());
    for (name, response) in responses {
        let content = &response["content"][JSON];
        check(&document, name, content);
        let (code, text) = (&content["example"]["code"], content["example"]["msg"].as_str().unwrap());
        let mut entries = CATALOGUE.iter().filter(|entry| *code == entry.code);
        assert!(entries.any(|entry| is_filled(entry.english, text)), "{name}: {code} {text}");
        assert_eq!(*name, format!("Error{}", code.as_u64().unwrap() / 100));
    }
}

/// Only the schemas that client generators would otherwise name by numbers.
#[test]
fn bodies_refer_to_named_schemas() {
    let document = clipmill_server::openapi();
    let webhooks = document["webhooks"].as_object().unwrap().values().map(|webhook| &webhook["post"]);
    let operations = operations(&document).into_iter().map(|(_, _, operation)| operation);
    for operation in operations.chain(webhooks) {
        let bodies = [&operation["requestBody"], &operation["responses"]["200"]];
        for schema in
            bodies.iter().filter_map(|body| body["content"].get(JSON)).map(|content| &content["schema"])
        {
            let optional =
                schema["oneOf"].as_array().is_some_and(|of| of.iter().any(|one| one.get("$ref").is_some()));
            assert!(schema.get("$ref").is_some() || optional, "{}: {schema}", operation["operationId"]);
        }
    }
}

/// Requests refer to named schemas for everything inside them as well.
#[test]
fn requests_nest_no_unnamed_objects() {
    let document = clipmill_server::openapi();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let of_requests = ["VideoDeduplication", "BaseVideoMix", "ProVideoMix"];
    let mut objects = 0;
    for (name, schema) in
        schemas.iter().filter(|(name, _)| of_requests.iter().any(|kind| name.starts_with(kind)))
    {
        for (key, member) in schema["properties"].as_object().into_iter().flatten() {
            objects += usize::from(member.get("$ref").is_some());
            let ways = member["anyOf"].as_array().into_iter().flatten();
            for inner in [member, &member["items"]].into_iter().chain(ways) {
                assert!(inner["properties"].is_null(), "{name}/{key}: {inner}");
            }
        }
    }
    assert!(objects > 40, "{objects}");
    assert_eq!(
        schemas["BaseVideoMixOptions"]["properties"]["overlays"]["items"]["$ref"],
        "#/components/schemas/BaseVideoMixOptionsOverlay"
    );
}

/// The example that a document refers to: `OPERATION request`, `… response`, `… data`, `error STATUS` or `webhook
/// NAME`.
fn named<'d>(document: &'d Value, name: &str) -> Option<&'d Value> {
    let of = |content: &'d Value| {
        content[JSON].get("example").or_else(|| content[JSON]["examples"]["template"].get("value"))
    };
    let (first, second) = name.split_once(' ')?;
    match first {
        "error" => return of(&document["components"]["responses"][format!("Error{second}")]["content"]),
        "webhook" => return of(&document["webhooks"][second]["post"]["requestBody"]["content"]),
        _ => {}
    }
    let mut operations = operations(document).into_iter().map(|(_, _, operation)| operation);
    let operation = operations.find(|operation| operation["operationId"] == first)?;
    let response = &operation["responses"]["200"]["content"];
    match second {
        "request" => of(&operation["requestBody"]["content"]),
        "response" => of(response),
        "data" => of(response).map(|response| &response["data"]),
        _ => None,
    }
}

/// Whether everything shown is part of the example. Texts may be cut off by `…`.
fn is_part(shown: &Value, example: &Value) -> bool {
    match (shown, example) {
        (Value::String(shown), _) if shown == "…" => true,
        (Value::String(shown), Value::String(example)) if shown.ends_with('…') => {
            example.starts_with(shown.trim_end_matches('…'))
        }
        (Value::Object(shown), Value::Object(example)) => {
            shown.iter().all(|(name, shown)| example.get(name).is_some_and(|example| is_part(shown, example)))
        }
        (Value::Array(shown), Value::Array(example)) => {
            shown.len() <= example.len()
                && shown.iter().zip(example).all(|(shown, example)| is_part(shown, example))
        }
        _ => shown == example,
    }
}

/// Blocks of the documents behind `<!-- example: … -->` are parts of examples.
#[test]
fn documents_show_the_same_examples() {
    let description = clipmill_server::openapi();
    let mut count = 0;
    for document in documents() {
        let lines: Vec<&str> = document.text.lines().collect();
        let marked = lines.iter().filter(|line| line.starts_with("<!-- example: ")).count();
        let before = count;
        for block in document.blocks() {
            let line = block.line.checked_sub(2).map_or("", |index| lines[index]);
            let Some(name) = line.strip_prefix("<!-- example: ") else { continue };
            let name = name.trim_end_matches(" -->");
            let place = format!("{}:{}: {name}", document.path, block.line);
            let example = named(&description, name).unwrap_or_else(|| panic!("{place}: no such example"));
            let shown: Value = serde_json::from_str(&without_omissions(&block.text)).unwrap();
            assert!(is_part(&shown, example), "{place}: the example is another: {example:#}");
            count += 1;
        }
        assert_eq!(count - before, marked, "{}: a mark is not before a block", document.path);
    }
    assert!(count >= 15, "only {count} examples were found");
}
