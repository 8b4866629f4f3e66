use serde_json::json;

use super::*;

#[test]
fn a_misspelt_name_is_an_error_with_a_suggestion() {
    let check = |body: Value, place: &str, name: &str, near: &str| {
        let path = format!("{place}/{name}");
        let actual = refused(&with(&body, &path, json!(true)));
        let message = format!("unknown field; did you mean `{near}`?");
        let [error] = actual.as_slice() else { panic!("{path}: {actual:?}") };
        assert_eq!((error.path.as_str(), error.message.english()), (path.as_str(), message.as_str()));
        assert_eq!((error.got.clone(), error.allowed.as_deref()), (Some(json!(true)), Some(near)));
    };
    let options = "/params/options";
    check(bodies::dedup(), options, "isMiror", "isMirror");
    check(bodies::dedup(), options, "isMriror", "isMirror");
    check(bodies::dedup(), options, "ismirror", "isMirror");
    check(bodies::dedup(), options, "IS_MIRROR", "isMirror");
    check(bodies::dedup(), options, "colorMixing", "colourMixing");
    check(bodies::dedup(), options, "colourBalance", "colorBalance");
    check(bodies::dedup(), options, "pip", "PIP");
    check(bodies::dedup(), "/params/options/speed", "isSpede", "isSpeed");
    check(bodies::dedup(), "/params/videoList/0", "fileName", "filename");
    check(bodies::dedup(), "", "callBackURL", "callbackUrl");
    check(bodies::dedup(), "", "clientTaskID", "clientTaskId");
    check(bodies::base(), "/params", "isShorted", "isShortest");
    check(bodies::base(), "/params/options/subtitle/style", "fontColour", "fontColor");
    check(bodies::base(), "/params/options/audio", "fadein", "fadeIn");
    check(bodies::pro(), "/params", "generatecounts", "generateCount");
    check(bodies::pro(), "/params/scenes/1/resources/0", "uri", "url");
}

#[test]
fn a_foreign_name_is_a_warning_or_by_policy_an_error() {
    let mut body = with(&bodies::base(), "/params/options/watermark", json!({"deep": [1]}));
    body["params"]["a~b/c"] = json!(null);
    let actual = warnings(&body);
    assert_eq!(
        actual,
        [
            "/params/options/watermark: unknown field; it has no effect",
            "/params/a~0b~1c: unknown field; it has no effect"
        ]
    );
    let deny = Policy { unknown_fields: UnknownFields::Deny, ..Policy::default() };
    let Err(RequestError::Invalid { errors, .. }) = parse(body.to_string().as_bytes(), &deny) else {
        panic!()
    };
    let paths: Vec<_> = errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!(paths, ["/params/options/watermark", "/params/a~0b~1c"]);
}

/// Fields that only the other of two similar objects has.
#[test]
fn fields_of_similar_objects_are_unknown() {
    for (object, field) in [("audio", "from"), ("backgroundMusic", "start")] {
        let track = json!({ "url": "https://a.example/a.mp3", field: 1 });
        let body = with(&bodies::base(), &format!("/params/options/{object}"), track);
        let place = format!("/params/options/{object}/{field}: unknown field");
        let warnings = warnings(&body);
        assert!(warnings.iter().any(|warning| warning.starts_with(&place)), "{warnings:?}");
    }
}

#[test]
fn a_switch_at_the_other_task_types_place_is_an_error() {
    assert_eq!(
        errors(&with(&bodies::base(), "/params/options/isShortest", json!(true))),
        ["/params/options/isShortest: has no effect here; move it to `params`"]
    );
    assert_eq!(
        errors(&with(&bodies::pro(), "/params/isShortest", json!(true))),
        ["/params/isShortest: has no effect here; move it to `params.options`"]
    );
    assert_eq!(
        errors(&with(&bodies::dedup(), "/params/options/seed", json!(1))),
        ["/params/options/seed: has no effect here; move it to `params`"]
    );
}

#[test]
fn a_field_of_another_level_is_an_error() {
    let top = "move it to the top level of the request, next to the task type";
    let (params, options) = ("move it to `params`", "move it to `params.options`");
    let levels = [("", top), ("/params", params), ("/params/options", options)];
    for (body, kind) in [bodies::dedup(), bodies::base(), bodies::pro()].iter().zip(TaskType::ALL) {
        let names = |level: &str| -> Vec<&str> {
            let own = schema::fields(kind).into_iter().filter_map(|field| field.pointer.strip_prefix(level));
            own.filter_map(|rest| rest.strip_prefix('/')).filter(|name| !name.contains('/')).collect()
        };
        for (from, place) in levels {
            for (to, _) in levels.iter().filter(|(to, _)| *to != from) {
                for name in names(from).iter().filter(|name| !names(to).contains(name)) {
                    let path = format!("{to}/{name}");
                    let expected = format!("{path}: has no effect here; {place}");
                    assert_eq!(errors(&with(body, &path, json!(1))), [expected]);
                    let ignored = format!("{path}: unknown field; it has no effect");
                    assert!(warnings(&with(body, &path, json!(null))).contains(&ignored), "{path}");
                }
            }
        }
    }
}

#[test]
fn fields_of_params_without_params_are_named() {
    let mut body = bodies::pro();
    let params = body["params"].take();
    body.as_object_mut().unwrap().extend(params.as_object().unwrap().clone());
    let actual = errors(&body);
    let expected = "/params: is required, but the request has the fields `scenes`, `audioMode`, `generateCount`, `combinations`, \
                    `seed`, `options` outside of it; move them into `params`";
    assert_eq!(actual[0], expected);
    assert!(actual[1..].iter().all(|error| error.ends_with("move it to `params`")), "{actual:?}");
    body.as_object_mut().unwrap().shift_remove("taskType");
    assert!(errors(&body).contains(&expected.to_owned()));
    assert_eq!(errors(&json!({"taskType": "proVideoMix", "remark": 1})), ["/params: is required"]);
}

#[test]
fn an_unknown_task_type_gets_suggestions() {
    let all = "videoDeduplication, baseVideoMix, proVideoMix";
    let check = |name: Value, message: String| {
        assert_eq!(errors(&with(&bodies::base(), "/taskType", name)), [format!("/taskType: {message}")]);
    };
    check(json!("BaseVideoMix"), format!("must be one of {all}; did you mean `baseVideoMix`?"));
    check(json!("proVideosMix"), format!("must be one of {all}; did you mean `proVideoMix`?"));
    check(json!("transcode"), format!("must be one of {all}"));
    check(json!(3), format!("must be a string, one of {all}"));
    let body = json!({"taskType": "x", "params": 5, "callbackUrl": "ftp://x"});
    let paths: Vec<_> = refused(&body).into_iter().map(|error| error.path).collect();
    assert_eq!(paths, ["/taskType", "/callbackUrl", "/params"]);
}

#[test]
fn a_flood_of_unknown_fields_gets_a_short_error() {
    let mut body = bodies::base();
    for n in 0..5000 {
        body["params"][format!("unknown number {n}")] = json!(n);
    }
    let actual = errors(&body);
    assert_eq!(actual.len(), 1);
    assert!(actual[0].starts_with("/params: has 5004 fields, more than 100 of them unknown"), "{actual:?}");
    let mut body = with(&bodies::dedup(), "/params/options/effect", json!(null));
    let video = json!({"filename": "https://example.com/a.mp4", "duration": 1, "remark": 1, "another": 2});
    body["params"]["videoList"] = json!(vec![video; 1000]);
    let actual = warnings(&body);
    assert_eq!(actual.len(), 1001);
    assert_eq!(actual[1000], ": 1000 more warnings are not listed");
}

#[test]
fn task_types_are_found_by_name() {
    for kind in TaskType::ALL {
        assert_eq!(TaskType::parse(kind.as_str()), Some(kind));
    }
    assert_eq!(TaskType::parse("videomix"), None);
}

#[test]
fn examples_are_accepted_without_a_warning() {
    let policy = Policy { unknown_fields: UnknownFields::Deny, ..Policy::default() };
    for kind in TaskType::ALL {
        let accepted = parse(kind.example().to_string().as_bytes(), &policy).unwrap();
        assert_eq!(accepted.request.params.task_type(), kind);
        assert_eq!(accepted.warnings, []);
    }
}
