//! The length of outputs and of showings of clips.

use serde_json::{Value, json};

use super::model::{ClipShowing, MixLength, MixOptions, Params};
use super::{accepted, bodies, errors, warnings, with, without};

fn body(options: Value) -> Value {
    with(&with(&bodies::base(), "/params/isShortest", json!(false)), "/params/options", options)
}

fn voiced(options: Value) -> Value {
    let Value::Object(mut all) = json!({ "audio": { "url": "https://a.example/v.mp3" } }) else {
        unreachable!()
    };
    let Value::Object(options) = options else { unreachable!() };
    all.extend(options);
    body(all.into())
}

fn read(body: &Value) -> MixOptions {
    let request = accepted(body).request;
    assert_eq!(accepted(&request.to_wire()).request, request);
    request.params.mix_options().unwrap().clone()
}

#[test]
fn lengths_are_read() {
    let options = read(&voiced(json!({ "length": "voice", "tail": 1.5, "clipSeconds": 3 })));
    assert_eq!(
        (options.length, options.tail_s, options.clip_seconds),
        (MixLength::Voice, Some(1.5), Some(3.0))
    );
    let options = read(&body(json!({ "length": "clips" })));
    assert_eq!((options.length, options.tail_s, options.clip_seconds), (MixLength::Clips, None, None));
    // The default does not change the fingerprint.
    let fingerprint = |options| accepted(&body(options)).request.fingerprint();
    assert_eq!(fingerprint(json!({})), fingerprint(json!({ "length": "clips" })));
    assert_ne!(fingerprint(json!({})), fingerprint(json!({ "clipSeconds": 2 })));
}

#[test]
fn lengths_need_a_voice() {
    let needed = "/params/options/length: needs a voice: set `audio` or `voicePool`";
    assert_eq!(errors(&body(json!({ "length": "voice" }))), [needed]);
    let pool = json!([{ "audio": { "url": "https://a.example/v.mp3" } }]);
    assert_eq!(read(&body(json!({ "length": "voice", "voicePool": pool }))).length, MixLength::Voice);
    let tail = warnings(&body(json!({ "tail": 1 })));
    assert_eq!(tail, ["/params/options/tail: has no effect without `length: \"voice\"`"]);
    let shortest = with(&voiced(json!({ "length": "voice" })), "/params/isShortest", json!(true));
    let error = "/params/isShortest: cannot be combined with `options.length: \"voice\"`; set one of them";
    assert_eq!(errors(&shortest), [error]);
}

#[test]
fn showings_are_longer_than_transitions() {
    let with_transition = |seconds: f64| {
        body(json!({ "clipSeconds": seconds, "transition": { "names": ["fade"], "duration": 1 } }))
    };
    let error = "/params/options/clipSeconds: must be at least twice as long as a transition (2 s)";
    assert_eq!(errors(&with_transition(1.9)), [error]);
    assert_eq!(read(&with_transition(2.0)).clip_seconds, Some(2.0));
    for seconds in [0.4, 31.0] {
        assert_eq!(errors(&body(json!({ "clipSeconds": seconds }))).len(), 1);
    }
}

#[test]
fn scenes_of_a_pro_mix_follow_a_voice() {
    let pro = |options: Value| {
        let audio = json!({ "url": "https://a.example/v.mp3" });
        let Value::Object(mut all) = json!({ "audio": audio, "length": "voice" }) else { unreachable!() };
        let Value::Object(options) = options else { unreachable!() };
        all.extend(options);
        with(&bodies::pro(), "/params/options", all.into())
    };
    let options = read(&pro(json!({ "tail": 0, "clipSeconds": 2 })));
    assert_eq!(
        (options.length, options.tail_s, options.clip_seconds),
        (MixLength::Voice, Some(0.0), Some(2.0))
    );
    let shortest = errors(&pro(json!({ "isShortest": true })));
    let error = "/params/options/isShortest: cannot be combined with `length: \"voice\"`; set one of them";
    assert_eq!(shortest, [error]);
    let needed = "/params/options/length: needs a voice: set `audio` or `voicePool`";
    assert_eq!(errors(&pro(json!({ "audio": null }))), [needed]);
}

#[test]
fn scenes_last_as_long_as_their_audio() {
    let body = with(&bodies::pro(), "/params/scenes/0/length", json!("voice"));
    let body = with(&body, "/params/options", json!({}));
    let request = accepted(&body).request;
    assert_eq!(accepted(&request.to_wire()).request, request);
    let default = with(&body, "/params/scenes/0/length", json!("duration"));
    let absent = without(&body, "/params/scenes/0/length");
    let fingerprint = |body| accepted(body).request.fingerprint();
    assert_eq!(fingerprint(&default), fingerprint(&absent));
    assert_ne!(fingerprint(&body), fingerprint(&absent));
    let silent = with(&body, "/params/scenes/0/audioResources", json!([{ "duration": 3 }]));
    assert_eq!(errors(&silent), ["/params/scenes/0/length: needs audio of the scene: set `audioResources`"]);
    let shortest = with(&body, "/params/options", json!({ "isShortest": true }));
    let error =
        "/params/options/isShortest: cannot be combined with `scenes[].length: \"voice\"`; set one of them";
    assert_eq!(errors(&shortest), [error]);
}

#[test]
fn the_clips_of_scenes_are_given() {
    let body =
        without(&with(&bodies::pro(), "/params/generateCount", json!(2)), "/params/options/isShortest");
    let fill = |fill: Value| with(&body, "/params/fill", fill);
    let one = |resource: u32, start: f64, seconds: f64| json!({ "resource": resource, "start": start, "seconds": seconds });
    let good = fill(json!([[[one(2, 0.0, 1.5), one(0, 3.25, 1.5)], [one(1, 0.0, 4.0)]]]));
    let request = accepted(&good).request;
    let Params::ProVideoMix(params) = &request.params else { unreachable!() };
    let showing = ClipShowing { resource: 0, start_s: 3.25, length_s: 1.5 };
    assert_eq!((params.fill[0][0][1], params.fill[0][1].len()), (showing, 1));
    assert_eq!(accepted(&request.to_wire()).request, request);
    assert_eq!(accepted(&fill(json!([]))).request, accepted(&body).request);
    let check = |fill_value: Value, expected: &str| assert_eq!(errors(&fill(fill_value)), [expected]);
    let row = || json!([[one(2, 0.0, 1.5)], [one(1, 0.0, 4.0)]]);
    check(json!([row(), row()]), "/params/fill: requires `combinations` with the same number of rows");
    check(
        json!([[[one(2, 0.0, 1.5)]]]),
        "/params/fill/0: has the clips of 1 scene, but there are 2 scenes: give a list for each",
    );
    let first = "/params/fill/0/0/0/resource: must be 2 as in `combinations`: the first clip of a scene is that of its combination";
    check(json!([[[one(1, 0.0, 1.5)], [one(1, 0.0, 4.0)]]]), first);
    let range = "/params/fill/0/1/1/resource: must be between 0 and 1";
    check(json!([[[one(2, 0.0, 1.5)], [one(1, 0.0, 4.0), one(2, 0.0, 4.0)]]]), range);
    check(json!([[[], [one(1, 0.0, 4.0)]]]), "/params/fill/0/0: must have at least one entry");
    check(
        json!([[[one(2, 0.0, 0.0)], [one(1, 0.0, 4.0)]]]),
        "/params/fill/0/0/0/seconds: must be above 0 and at most 3600",
    );
    check(
        json!([[[{ "resource": 2, "seconds": 1 }], [one(1, 0.0, 4.0)]]]),
        "/params/fill/0/0/0/start: is required",
    );
    let drawn = with(&good, "/params/options/clipStart", json!("random"));
    assert_eq!(errors(&drawn), ["/params/fill: cannot be combined with `clipStart`; set one of them"]);
    let shortest = with(&good, "/params/options/isShortest", json!(true));
    let error = "/params/fill: cannot be combined with `options.isShortest`; set one of them";
    assert_eq!(errors(&shortest), [error]);
}
