use serde_json::json;

use super::*;

#[test]
fn the_normal_form_survives_being_stored() {
    for body in [bodies::dedup(), bodies::base(), bodies::pro()] {
        let request = accepted(&body).request;
        let stored = serde_json::to_string(&request).unwrap();
        let again: TaskRequest = serde_json::from_str(&stored).unwrap();
        assert_eq!(again, request);
        assert_eq!(again.fingerprint(), request.fingerprint());
    }
}

#[test]
fn awkward_fractions_survive_being_stored() {
    let values = [1.0 / 3.0, 0.1 + 0.2, 2.0f64.sqrt() * 1000.0, 86_399.999_999_7, 1e-6, 599.999_999_999];
    for value in values {
        let request = accepted(&with(&bodies::dedup(), "/params/videoList/0/duration", json!(value))).request;
        let again: TaskRequest = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        assert_eq!(again.fingerprint(), request.fingerprint(), "{value}");
    }
}

#[test]
fn equivalent_requests_have_the_same_fingerprint() {
    let print = |text: &str| match parse(text.as_bytes(), &Policy::default()) {
        Ok(accepted) => accepted.request.fingerprint(),
        Err(error) => panic!("{error}\n{text}"),
    };
    let brief = print(
        r#"{"taskType":"baseVideoMix","params":{"videoList":[{"videos":[{"url":"https://x.example/a"}]}]}}"#,
    );
    let wordy = print(
        r#"{ "clientTaskId": "", "callbackUrl": null, "maxPoints": 7,
             "params": {"options": {"fps": 30.0, "resolutionMode": "none", "resolution": "720:1280",
                                    "originalVolume": 1e2, "background": "black", "ducking": false,
                                    "backgroundMusic": null, "subtitle": {}, "somethingElse": 1},
                        "isShortest": false, "seed": null,
                        "videoList": [{"videos": [{"duration": null, "url": "https:\/\/x.example/a"}],
                                       "totalDuration": ""}]},
             "taskType": "baseVideoMix" }"#,
    );
    assert_eq!(brief, wordy);
    let dedup = |options: &str| {
        print(&format!(
            r#"{{"taskType":"videoDeduplication","params":{{"options":{options},
                "videoList":[{{"filename":"https://x.example/a","duration":3}}]}}}}"#
        ))
    };
    assert_eq!(dedup("null"), dedup(r#"{"speed": {"isSpeed": false, "start": 1.7}, "fps": 30}"#));
    assert_eq!(
        dedup(r#"{"speed": {"isSpeed": true, "start": 0.7}}"#),
        dedup(r#"{"speed": {"start": 0.7000000000000001, "end": 1.50, "isSpeed": true}}"#)
    );
    assert_eq!(
        dedup(r#"{"colourMixing": {"isMixing": true, "brightnessMin": 0}}"#),
        dedup(r#"{"colourMixing": {"isMixing": true, "brightnessMin": -0.0}}"#)
    );
}

#[test]
fn every_change_of_the_task_changes_the_fingerprint() {
    let body = bodies::pro();
    let changes = [
        ("/callbackUrl", json!("https://example.com/other")),
        ("/callbackUrl", json!(null)),
        ("/params/seed", json!(8)),
        ("/params/seed", json!(null)),
        ("/params/audioMode", json!("merge")),
        ("/params/generateCount", json!(2)),
        ("/params/combinations/0/0", json!(1)),
        ("/params/scenes/0/sceneName", json!("other")),
        ("/params/scenes/0/duration", json!(3.000001)),
        ("/params/scenes/1/resources/0/url", json!("https://example.com/x.mp4")),
        ("/params/scenes/0/audioResources/0/url", json!("https://example.com/x.mp3")),
        ("/params/options/isShortest", json!(false)),
        ("/params/options/subtitle/style/outlineColor", json!(null)),
    ];
    let print = accepted(&body).request.fingerprint();
    for (pointer, value) in changes {
        let changed = accepted(&with(&body, pointer, value)).request;
        assert_ne!(changed.fingerprint(), print, "{pointer}");
    }
}

#[test]
fn audio_options_that_are_off_do_not_change_the_normal_form() {
    let form = |options: &str| {
        let body = format!(
            r#"{{"taskType":"baseVideoMix","params":{{"videoList":[{{"videos":[{{"url":"https://x.example/a"}}]}}],
                "options":{options}}}}}"#
        );
        let accepted = parse(body.as_bytes(), &Policy::default()).unwrap_or_else(|error| panic!("{error}"));
        serde_json::to_string(&accepted.request).unwrap_or_default()
    };
    let off = form(r#"{"ducking": false, "loudness": null, "fadeOut": 0}"#);
    assert!(!off.contains("ducking") && !off.contains("loudness") && !off.contains("fade_out"), "{off}");
    let on = form(r#"{"ducking": true, "loudness": -16, "fadeOut": 1.5}"#);
    assert!(on.contains(r#""ducking":true,"loudness_lufs":-16.0,"fade_out_s":1.5"#), "{on}");
}
