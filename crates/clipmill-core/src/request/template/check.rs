//! Checks a template before it has values.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Value, json};

use super::conditions::{Conditions, Listed, is_condition, undeclared};
use super::fill::{TemplateToken, clip_url, is_empty, names, strings, tokens};
use super::places::{Places, empty_clips};
use super::values::sample;
use super::{Template, Values, VariableKind};
use crate::message::{self, Message};
use crate::request::model::TaskType;
use crate::request::report::shorten;
use crate::request::{FieldError, Policy, RequestError, parse_value, schema};
use crate::warning::Warning;

/// The only place of a list of texts.
const TEXTS: [&str; 4] = ["params", "options", "overlays", "texts"];

/// Warnings about a template, or all its errors. It is tested with its defaults, and with samples for variables without
/// one; an error that only appears with a sample, or when an object is dropped or a list is short, is ignored until
/// there are values.
pub fn check_template(template: &Template, policy: &Policy) -> Result<Vec<Warning>, Vec<FieldError>> {
    let conditions = Conditions::of(template);
    let mut errors = wrong_strings(template);
    errors.extend(wrong_conditions(&conditions));
    errors.extend(combinations_of_lists(template));
    let (first, others) = trials(template, &conditions);
    let first =
        first.run(template, policy).map_err(|message| vec![error("/request".to_owned(), message, None)])?;
    let others: Vec<Findings> = others.iter().filter_map(|trial| trial.run(template, policy).ok()).collect();
    let is_everywhere = |error: &FieldError| {
        others.iter().all(|other| {
            let is_absent = other.dropped && conditions.around(&error.path) == Some(false);
            is_absent || other.wrong.contains(&(error.path.clone(), error.message.to_string()))
        })
    };
    errors.extend(first.errors.into_iter().filter(is_everywhere));
    let mut warnings = first.warnings;
    for error in &mut errors {
        error.path = format!("/request{}", error.path);
    }
    for warning in &mut warnings {
        warning.path = format!("/request{}", warning.path);
    }
    warnings.extend(unused(template));
    if errors.is_empty() { Ok(warnings) } else { Err(errors) }
}

/// A URL of a result, for a template that is tested.
const SAMPLE_RESULT: &str = "result://VP00000000000000000000000000/1";

/// Values with which a template is tested.
struct Trial<'t> {
    values: Values,
    /// The variables that have their defaults. All others, declared or not, have samples.
    defaults: BTreeSet<&'t str>,
    /// Whether all objects with conditions are dropped.
    dropped: bool,
}

/// What a trial finds, at places of the template, beside the effects of samples.
struct Findings {
    errors: Vec<FieldError>,
    /// The places and texts of the errors.
    wrong: HashSet<(String, String)>,
    warnings: Vec<Warning>,
    dropped: bool,
}

/// The first trial drops nothing and has short lists. The others, if they differ, have long lists, drop everything, or have
/// results as files: their lengths are known.
fn trials<'t>(template: &'t Template, conditions: &Conditions) -> (Trial<'t>, Vec<Trial<'t>>) {
    let needs_sample = |name: &str, default: &Option<Value>| {
        default.as_ref().is_none_or(|default| conditions.names.contains(name) && is_empty(default))
    };
    let trial = |entries: usize, dropped: bool| {
        let mut trial = Trial { values: Values::new(), defaults: BTreeSet::new(), dropped };
        for variable in &template.variables {
            let name = variable.name.as_str();
            let value = match &variable.default {
                _ if dropped && conditions.names.contains(name) => Value::Null,
                Some(default) if !needs_sample(name, &variable.default) => {
                    trial.defaults.insert(name);
                    default.clone()
                }
                _ => sample(&variable.kind, entries),
            };
            trial.values.insert(variable.name.clone(), value);
        }
        trial
    };
    let has_open_list = template
        .variables
        .iter()
        .any(|variable| variable.kind.is_list() && needs_sample(&variable.name, &variable.default));
    let long = has_open_list.then(|| trial(usize::MAX, false));
    let dropped = (!conditions.is_empty()).then(|| trial(0, true));
    let open = template.variables.iter().filter(|variable| needs_sample(&variable.name, &variable.default));
    let files = open.filter(|variable| matches!(variable.kind, VariableKind::Url));
    let files: Vec<&str> = files.map(|variable| variable.name.as_str()).collect();
    let needs_lengths = template.request.get("taskType").and_then(Value::as_str)
        == Some(TaskType::VideoDeduplication.as_str());
    let of_results = (needs_lengths && !files.is_empty()).then(|| {
        let mut trial = trial(0, false);
        trial.values.extend(files.iter().map(|name| ((*name).to_owned(), json!(SAMPLE_RESULT))));
        trial
    });
    (trial(0, false), long.into_iter().chain(dropped).chain(of_results).collect())
}

impl Trial<'_> {
    fn run(&self, template: &Template, policy: &Policy) -> Result<Findings, Message> {
        let filled = template.fill(&self.values)?;
        let places = Places::of(&template.request, &self.values);
        let is_due_to_sample = |path: &str| {
            let text = template.text_at(path).map(|(text, _)| text);
            text.is_some_and(|text| names(text).any(|name| !self.defaults.contains(name)))
        };
        let empty = empty_clips(&template.request, &self.values).into_iter();
        let mut errors: Vec<_> =
            empty.map(|(path, _)| error(path, message::empty_clip_list(), None)).collect();
        let mut warnings = Vec::new();
        match parse_value(&filled, policy) {
            Ok(accepted) => warnings = accepted.warnings,
            Err(RequestError::Invalid { errors: found, .. }) => {
                errors.extend(found.into_iter().map(|error| {
                    let path = places.origin(&error.path).path;
                    FieldError { path, ..error }
                }))
            }
            Err(RequestError::Syntax { message, .. }) => errors.push(error(String::new(), message, None)),
        }
        for warning in &mut warnings {
            warning.path = places.origin(&warning.path).path;
        }
        // Each clip of a list has the same errors and warnings.
        let mut wrong = HashSet::new();
        errors.retain(|error| {
            let is_inherent = !is_due_to_sample(&error.path);
            is_inherent && wrong.insert((error.path.clone(), error.message.to_string()))
        });
        let mut remarks = HashSet::new();
        warnings.retain(|warning| {
            let is_inherent = !is_due_to_sample(&warning.path);
            is_inherent && remarks.insert((warning.path.clone(), warning.message.to_string()))
        });
        Ok(Findings { errors, wrong, warnings, dropped: self.dropped })
    }
}

fn error(path: String, message: Message, got: Option<&str>) -> FieldError {
    FieldError { path, message, got: got.map(|got| json!(shorten(got, 100))), allowed: None }
}

fn wrong_conditions(conditions: &Conditions) -> Vec<FieldError> {
    let wrong = conditions.errors.iter().map(|(path, message, near)| FieldError {
        path: path.clone(),
        message: message.clone(),
        got: None,
        allowed: near.map(message::allowed_values),
    });
    wrong.collect()
}

/// Combinations refer to resources by their index, which a list would change from row to row.
fn combinations_of_lists(template: &Template) -> Option<FieldError> {
    let params = template.request.get("params")?;
    params.get("combinations").filter(|rows| !rows.is_null() && **rows != json!([]))?;
    let scenes = params.get("scenes").and_then(Value::as_array).into_iter().flatten();
    let resources = scenes.filter_map(|scene| scene.get("resources")?.as_array()).flatten();
    let mut lists = resources.filter_map(|clip| Some(clip_url(clip.as_object()?)?.1));
    let list = lists.find(|name| template.is_list(name))?;
    Some(error("/params/combinations".to_owned(), message::combinations_with_list(list), None))
}

fn wrong_strings(template: &Template) -> Vec<FieldError> {
    let (mut errors, mut listed) = (Vec::new(), Listed::default());
    let mut report = |path: &str, message, text| {
        if listed.has_room(path) {
            errors.push(error(path.to_owned(), message, Some(text)));
        }
    };
    let kind = |name: &str| template.variable(name).map(|variable| &variable.kind);
    strings(&template.request, &mut |path, text| {
        if is_condition(path, text) {
            return;
        }
        let tokens = tokens(text);
        for token in &tokens {
            match token {
                TemplateToken::Variable(name) if kind(name).is_none() => {
                    report(path, undeclared(template, name).0, text);
                }
                TemplateToken::Variable(name) if template.is_list(name) && tokens.len() > 1 => {
                    report(path, message::list_in_text(*name), text);
                }
                TemplateToken::Open(_) => report(path, message::open_braces(), text),
                _ => {}
            }
        }
        let whole = match tokens.as_slice() {
            [TemplateToken::Variable(name)] => kind(name).map(|kind| (*name, kind)),
            _ => None,
        };
        match whole {
            Some((name, VariableKind::Urls { .. })) if !schema::names_clip(path) => {
                report(path, message::urls_place(name), text);
            }
            Some((name, VariableKind::Texts { .. })) if !is_place_of_texts(path) => {
                report(path, message::texts_place(name), text);
            }
            Some((_, kind)) if kind.is_file() => {}
            _ if chooses_host(&tokens) => report(path, message::variable_in_host(), text),
            _ => {}
        }
    });
    errors
}

fn is_place_of_texts(path: &str) -> bool {
    let is_name = |step: &&str| !step.bytes().all(|byte| byte.is_ascii_digit());
    path.split('/').filter(is_name).eq(TEXTS)
}

/// Whether values would determine the host of a URL: only a variable of type `url` may do that, because it is checked
/// as a whole.
fn chooses_host(tokens: &[TemplateToken]) -> bool {
    let mut prefix = String::new();
    for token in tokens {
        match token {
            TemplateToken::Text(text) | TemplateToken::Open(text) => prefix.push_str(text),
            // A control character represents the variable, because no URL contains one.
            TemplateToken::Variable(_) => prefix.push('\u{1}'),
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

    /// The length of other files must be declared.
    #[test]
    fn results_need_no_declared_length() {
        let request = |url: &str| json!({ "taskType": "videoDeduplication", "params": { "videoList": [{ "filename": url }] } });
        let variables = json!([{ "name": "clip", "type": "url" }]);
        assert_eq!(paths(&template(request("{{clip}}"), variables)), Vec::<String>::new());
        let needed = "/request/params/videoList/0/duration";
        assert_eq!(paths(&template(request("https://a.example/a.mp4"), json!([]))), [needed]);
        let other = json!([{ "name": "clip", "type": "url", "default": "https://a.example/a.mp4" }]);
        assert_eq!(paths(&template(request("{{clip}}"), other)), [needed]);
    }

    /// A template with a list of clips, a list of texts and optional objects.
    fn lists() -> Template {
        let request = json!({
            "taskType": "proVideoMix", "name": "{{title}}",
            "params": {
                "generateCount": 3, "audioMode": "merge",
                "scenes": [{ "sceneKey": "a", "sceneName": "a", "duration": 2, "resources": [
                    { "$if": "{{photos}}", "url": "{{photos}}", "imageMotion": "zoomIn" },
                    { "$if": "{{clip}}", "url": "{{clip}}" },
                ]}],
                "options": { "overlays": [
                    { "$if": "{{ lines }}", "type": "text", "texts": "{{lines}}" },
                    { "$if": "{{logo}}", "type": "image", "url": "{{logo}}", "width": 20 },
                    { "type": "text", "text": "{{title}}" },
                ], "backgroundMusic": { "$if": "{{music}}", "url": "{{music}}" },
                  "backgroundMusicPool": [{ "$if": "{{calm}}", "url": "https://a.example/calm.mp3" }] },
            },
        });
        template(
            request,
            json!([
                { "name": "title", "type": "text", "default": "Title" },
                { "name": "photos", "type": "urls", "maxItems": 20 },
                { "name": "clip", "type": "url", "default": "" },
                { "name": "lines", "type": "texts", "default": [] },
                { "name": "logo", "type": "url", "default": "" },
                { "name": "music", "type": "url", "default": "" },
                { "name": "calm", "type": "choice", "choices": [true, false], "default": false },
            ]),
        )
    }

    #[test]
    fn objects_that_can_be_dropped_and_lists_of_any_length_are_valid() {
        // Three outputs need three photos, either kind of music can be chosen, and everything can be dropped.
        assert_eq!(check_template(&lists(), &Policy::default()), Ok(vec![]));
        let check = |change: fn(&mut Value), expected: &[&str]| {
            let mut template = lists();
            change(&mut template.request["params"]);
            let expected: Vec<String> =
                expected.iter().map(|path| format!("/request/params{path}")).collect();
            assert_eq!(paths(&template), expected, "{}", template.request);
        };
        // Errors of objects that can be dropped are found, whatever the other values are.
        check(|p| p["options"]["overlays"][1]["width"] = json!(500), &["/options/overlays/1/width"]);
        check(|p| p["options"]["overlays"][0]["maxWidth"] = json!(5), &["/options/overlays/0/maxWidth"]);
        check(|p| p["scenes"][0]["resources"][0]["from"] = json!(-1), &["/scenes/0/resources/0/from"]);
        check(|p| p["scenes"][0]["resources"][1]["from"] = json!(-1), &["/scenes/0/resources/1/from"]);
        check(|p| p["options"]["resolution"] = json!("1:1"), &["/options/resolution"]);
        // One clip makes one output, however many rows there are.
        check(
            |p| p["scenes"][0]["resources"] = json!([{ "url": "https://a.example/a.mp4" }]),
            &["/generateCount"],
        );
        // A condition in an object with another one.
        check(|p| p["options"]["overlays"][0]["style"] = json!({ "$if": "{{calm}}", "fontSize": 12 }), &[]);
        check(
            |p| p["options"]["overlays"][0]["style"] = json!({ "$if": "{{calm}}", "fontSize": -1 }),
            &["/options/overlays/0/style/fontSize"],
        );
        check(|p| p["combinations"] = json!([[0]]), &["/combinations"]);
        check(|p| p["combinations"] = json!([]), &[]);
    }

    #[test]
    fn conditions_are_a_variable_and_nothing_else() {
        let check = |condition: Value, expected: &str| {
            let mut template = lists();
            template.request["params"]["options"]["overlays"][1]["$if"] = condition.clone();
            let errors = check_template(&template, &Policy::default()).unwrap_err();
            let places: Vec<&str> = errors.iter().map(|error| error.path.as_str()).collect();
            assert_eq!(places[0], "/request/params/options/overlays/1/$if", "{condition}");
            assert!(errors[0].message.contains(expected), "{condition}: {}", errors[0].message);
        };
        for other in [
            json!("if {{logo}}"),
            json!("{{logo}}{{music}}"),
            json!("logo"),
            json!(true),
            json!(null),
            json!(""),
            json!({ "$if": "{{logo}}" }),
            json!(["{{logo}}"]),
        ] {
            check(other, "must be a variable in double braces");
        }
        check(json!("{{logos}}"), "did you mean `logo`?");
        check(json!("{{something else}}"), "does not declare");
        let mut root = lists();
        root.request["$if"] = json!("{{logo}}");
        root.request["params"]["$if"] = json!("{{logo}}");
        assert_eq!(paths(&root), ["/request/params/$if", "/request/$if"]);
    }

    #[test]
    fn lists_have_places_of_their_own() {
        let check = |change: fn(&mut Value), expected: &[&str]| {
            let mut template = lists();
            change(&mut template.request);
            let expected: Vec<String> = expected.iter().map(|path| format!("/request{path}")).collect();
            assert_eq!(paths(&template), expected, "{}", template.request);
        };
        check(|r| r["name"] = json!("{{photos}}"), &["/name"]);
        check(|r| r["name"] = json!("Photos {{photos}}"), &["/name"]);
        check(|r| r["labels"] = json!("{{lines}}"), &["/labels"]);
        check(|r| r["remarks"] = json!(["{{lines}}"]), &["/remarks/0"]);
        check(
            |r| r["params"]["options"]["overlays"][2]["text"] = json!("{{lines}}"),
            &["/params/options/overlays/2/text"],
        );
        check(
            |r| r["params"]["scenes"][0]["resources"][0]["url"] = json!("{{lines}}"),
            &["/params/scenes/0/resources/0/url"],
        );
        check(
            |r| r["params"]["options"]["overlays"][1]["url"] = json!("{{photos}}"),
            &["/params/options/overlays/1/url"],
        );
        check(
            |r| r["params"]["scenes"][0]["resources"][0]["url"] = json!("https://a.example/{{photos}}"),
            &["/params/scenes/0/resources/0/url"],
        );
        let dedup = json!({ "taskType": "videoDeduplication", "params": { "videoList": [{ "filename": "{{photos}}", "duration": 3 }] } });
        let variables = json!([{ "name": "photos", "type": "urls" }]);
        let dedup = template(dedup, variables);
        assert_eq!(check_template(&dedup, &Policy::default()), Ok(vec![]));
    }

    #[test]
    fn an_empty_default_must_make_sense() {
        let mut template = lists();
        template.variables[1].default = Some(json!([]));
        assert_eq!(paths(&template), [""; 0]);
        template.request["params"]["scenes"][0]["resources"][0].as_object_mut().unwrap().remove("$if");
        assert_eq!(paths(&template), ["/request/params/scenes/0/resources/0/url"]);
        let mut template = lists();
        template.request["params"]["options"]["overlays"][1].as_object_mut().unwrap().remove("$if");
        assert_eq!(paths(&template), ["/request/params/options/overlays/1/url"]);
    }

    #[test]
    fn a_name_as_long_as_the_body_is_listed_once() {
        let long = "x".repeat(300_000);
        let object =
            json!([{ "$if": "{{logo}}", "url": "{{photos}}" }, { "$if": "wrong" }, { "url": "{{photos}}" }]);
        let mut template = lists();
        template.variables[1].default = Some(json!([]));
        template.request[long] = Value::Array(vec![object; 1_000]);
        let errors = check_template(&template, &Policy::default()).unwrap_err();
        assert!(errors.iter().map(|error| error.path.len()).sum::<usize>() < 4 << 20);
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
        assert_eq!(count, 8);
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
