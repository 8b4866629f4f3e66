//! Writing a request and reading it again.

use serde_json::{Value, json};

use super::{accepted, bodies, with, without};

#[track_caller]
fn check(body: &Value) {
    let request = accepted(body).request;
    let wire = request.to_wire();
    let again = accepted(&wire);
    assert_eq!(again.request, request, "{wire:#}");
    assert_eq!(again.request.fingerprint(), request.fingerprint());
    assert_eq!(again.warnings, [], "nothing in it is without meaning");
}

#[test]
fn a_request_that_is_written_and_read_again_is_the_same() {
    for body in [bodies::dedup(), bodies::base(), bodies::pro()] {
        check(&body);
        check(&with(&body, "/params/options", json!({})));
        check(&without(&without(&without(&body, "/params/seed"), "/callbackUrl"), "/clientTaskId"));
    }
}

#[test]
fn overlays_and_sound_come_back() {
    let mut body = bodies::dedup();
    for (pointer, value) in [
        ("/params/options/picMask/isMask", json!(true)),
        ("/params/options/videoMask/isMask", json!(true)),
        ("/params/options/PIP/isPIP", json!(true)),
        ("/params/options/effect/value", json!("rain")),
        ("/params/options/rotation/direction", json!("clockwise")),
    ] {
        body = with(&body, pointer, value);
    }
    check(&body);
    check(&with(&body, "/params/options/PIP/fillMode", json!(2)));
    check(&without(&body, "/params/options/PIP/fillVideoPath"));
    let loud = with(&bodies::base(), "/params/options/loudness", json!(-16.5));
    check(&with(&loud, "/params/options/ducking", json!(true)));
    check(&without(&loud, "/params/options/subtitle/style/outlineColor"));
}
