//! Checks a template before it has values.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::fill::{Piece, names, pieces, strings};
use super::{Template, VariableKind};
use crate::message;
use crate::request::report::shorten;
use crate::request::{FieldError, Policy, RequestError, parse_value};
use crate::warning::Warning;

/// Warnings about a template, or all its errors. It is tested with its defaults, and with samples for variables without
/// one; an error that only appears with a sample is ignored until there are values.
pub fn check_template(template: &Template, policy: &Policy) -> Result<Vec<Warning>, Vec<FieldError>> {
    let mut errors = wrong_strings(template);
    let filled = template.fill(&template.samples());
    let filled = filled.map_err(|message| vec![error("/request".to_owned(), message, None)])?;
    let has_default = |name: &str| template.variables.iter().any(|v| v.name == name && v.default.is_some());
    let free = |path: &str| {
        let text = template.request.pointer(path).and_then(Value::as_str);
        text.is_some_and(|text| names(text).any(|name| !has_default(name)))
    };
    let mut warnings = Vec::new();
    match parse_value(&filled, policy) {
        Ok(accepted) => warnings.extend(accepted.warnings.into_iter().filter(|warning| !free(&warning.path))),
        Err(RequestError::Invalid { errors: found, .. }) => {
            errors.extend(found.into_iter().filter(|error| !free(&error.path)));
        }
        Err(RequestError::Syntax { message, .. }) => errors.push(error(String::new(), message, None)),
    }
    for error in &mut errors {
        error.path = format!("/request{}", error.path);
    }
    for warning in &mut warnings {
        warning.path = format!("/request{}", warning.path);
    }
    warnings.extend(unused(template));
    if errors.is_empty() { Ok(warnings) } else { Err(errors) }
}

fn error(path: String, message: message::Message, got: Option<&str>) -> FieldError {
    FieldError { path, message, got: got.map(|got| json!(shorten(got, 100))), allowed: None }
}

/// The maximum size in bytes of places and excerpts that are listed: a name may be as long as the body, and precede all
/// others.
const MOST_TOLD: usize = 1 << 20;

fn wrong_strings(template: &Template) -> Vec<FieldError> {
    let (mut errors, mut reported) = (Vec::new(), 0);
    let mut report = |path: &str, message, text| {
        reported += path.len() + 200;
        if reported <= MOST_TOLD {
            errors.push(error(path.to_owned(), message, Some(text)));
        }
    };
    let kind = |name: &str| template.variables.iter().find(|variable| variable.name == name).map(|v| &v.kind);
    strings(&template.request, &mut |path, text| {
        let pieces = pieces(text);
        for piece in &pieces {
            match piece {
                Piece::Variable(name) if kind(name).is_none() => {
                    report(path, message::undeclared_variable(shorten(name, 60)), text);
                }
                Piece::Open(_) => report(path, message::open_braces(), text),
                _ => {}
            }
        }
        let whole_url =
            matches!(pieces.as_slice(), [Piece::Variable(name)] if kind(name) == Some(&VariableKind::Url));
        if !whole_url && chooses_host(&pieces) {
            report(path, message::variable_in_host(), text);
        }
    });
    errors
}

/// Whether values would determine the host of a URL: only a variable of type `url` may do that, because it is checked
/// as a whole.
fn chooses_host(pieces: &[Piece]) -> bool {
    let mut prefix = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) | Piece::Open(text) => prefix.push_str(text),
            // A control character represents the variable, because no URL contains one.
            Piece::Variable(_) => prefix.push('\u{1}'),
        }
    }
    let Some((scheme, rest)) = prefix.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let is_scheme =
        scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '\u{1}'));
    is_scheme && (scheme.contains('\u{1}') || authority.contains('\u{1}'))
}

fn unused(template: &Template) -> Vec<Warning> {
    let mut used = BTreeSet::new();
    strings(&template.request, &mut |_, text| used.extend(super::fill::names(text).map(str::to_owned)));
    let unused = template.variables.iter().enumerate().filter(|(_, variable)| !used.contains(&variable.name));
    unused
        .map(|(index, variable)| Warning {
            path: format!("/variables/{index}"),
            message: message::unused_variable(&variable.name),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn template(request: Value, variables: Value) -> Template {
        Template { request, variables: serde_json::from_value(variables).unwrap() }
    }

    fn request(url: &str) -> Value {
        json!({
            "taskType": "baseVideoMix",
            "name": "{{title}}",
            "params": {
                "videoList": [{ "videos": [{ "url": url, "duration": "{{seconds}}" }] }],
                "options": { "resolutionMode": "{{fill}}" },
            },
        })
    }

    fn variables() -> Value {
        json!([
            { "name": "title", "type": "text" },
            { "name": "clip", "type": "url" },
            { "name": "seconds", "type": "number", "default": 3 },
            { "name": "fill", "type": "choice", "choices": ["crop", "stretch"] },
        ])
    }

    fn paths(template: &Template) -> Vec<String> {
        let checked = check_template(template, &Policy::default());
        checked.map(|_| vec![]).unwrap_or_else(|errors| errors.into_iter().map(|error| error.path).collect())
    }

    #[test]
    fn a_template_is_checked_with_its_defaults() {
        assert_eq!(
            check_template(&template(request("{{clip}}"), variables()), &Policy::default()),
            Ok(vec![])
        );
        let mut wrong = variables();
        wrong[2]["default"] = json!(-3);
        let url = "/request/params/videoList/0/videos/0/url";
        let seconds = "/request/params/videoList/0/videos/0/duration";
        assert_eq!(paths(&template(request("{{clip}}"), wrong)), [seconds]);
        assert_eq!(paths(&template(request("{{clop}}"), variables())), [url]);
        assert_eq!(paths(&template(request("{{clip"), variables())), [url, url]);
        assert_eq!(paths(&template(json!({ "taskType": "baseVideoMix" }), json!([]))), ["/request/params"]);
    }

    #[test]
    fn only_a_whole_url_variable_can_set_the_host() {
        let url = "/request/params/videoList/0/videos/0/url";
        for hostile in [
            "https://{{title}}/a.mp4",
            "https://a.{{title}}",
            "{{title}}://a/b",
            "https://a.example{{title}}/a",
            "https://{{clip}}",
        ] {
            let errors = paths(&template(request(hostile), variables()));
            assert!(errors.contains(&url.to_owned()), "{hostile}");
        }
        for fine in ["https://media.example/{{title}}.mp4", "https://media.example/a.mp4?sku={{title}}"] {
            let mut variables = variables();
            variables.as_array_mut().unwrap().retain(|variable| variable["name"] != "clip");
            assert_eq!(
                check_template(&template(request(fine), variables), &Policy::default()),
                Ok(vec![]),
                "{fine}"
            );
        }
    }

    #[test]
    fn the_samples_are_templates() {
        let policy = Policy { allow_local_paths: true, ..Policy::default() };
        let mut count = 0;
        for entry in std::fs::read_dir("../../samples/templates").unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            let read = crate::request::template::parse_template(&std::fs::read(&file).unwrap(), &policy);
            let read = read.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            assert_eq!(check_template(&read.template, &policy), Ok(vec![]), "{}", file.display());
            count += 1;
        }
        assert_eq!(count, 6);
    }

    #[test]
    fn the_files_of_a_template_are_listed() {
        let request = json!({
            "taskType": "baseVideoMix", "name": "a.mp4",
            "params": {
                "videoList": [{ "videos": [{ "url": "a.mp4" }, { "url": "{{clip}}" }] }],
                "options": { "picMask": { "picFiles": ["c.png"] }, "overlays": [
                    { "type": "text", "text": "d.mp4" }, { "type": "image", "url": "e/{{title}}.png" },
                ] },
            },
        });
        let template = template(request, json!([]));
        let files: Vec<&str> = template.files().into_iter().map(|(_, text)| text).collect();
        assert_eq!(files, ["a.mp4", "{{clip}}", "c.png", "e/{{title}}.png"]);
    }

    #[test]
    fn unused_variables_are_reported() {
        let checked =
            check_template(&template(request("https://a.example/a.mp4"), variables()), &Policy::default());
        let warnings: Vec<String> = checked.unwrap().into_iter().map(|warning| warning.path).collect();
        assert_eq!(warnings, ["/variables/1"]);
    }
}
