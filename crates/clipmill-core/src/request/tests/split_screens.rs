//! Two clips at once.

use serde_json::{Value, json};

use super::*;

/// The body with a clip beside the first one.
pub fn with_second(body: &Value) -> Value {
    let clip = "/params/videoList/0/videos/0";
    let body = with(body, &format!("{clip}/layout"), json!("left-right"));
    with(&body, &format!("{clip}/second"), json!({ "url": "https://example.com/second.mp4" }))
}

/// A split screen needs its layout and the second clip.
#[test]
fn split_screens() {
    let clip = "/params/videoList/0/videos/0";
    let body = with_second(&bodies::base());
    let Params::BaseVideoMix(params) = accepted(&body).request.params else { panic!("{body:#}") };
    let split = params.groups[0].videos[0].split.as_ref().unwrap();
    assert_eq!(split.layout, model::SplitLayout::LeftRight);
    assert_eq!(split.second.url, "https://example.com/second.mp4");
    for (missing, message) in [
        ("layout", "layout: is required with `second`"),
        ("second", "second: is required with `layout`"),
        ("second/url", "second/url: is required"),
    ] {
        let expected = format!("{clip}/{message}");
        assert_eq!(errors(&without(&body, &format!("{clip}/{missing}"))), [expected]);
    }
    let both = with(&body, &format!("{clip}/layout"), Value::Null);
    assert_eq!(errors(&both), [format!("{clip}/layout: is required with `second`")]);
    for (wrong, value) in [("layout", json!("side-by-side")), ("second", json!("https://example.com/b.mp4"))]
    {
        let errors = errors(&with(&body, &format!("{clip}/{wrong}"), value));
        assert!(errors.len() == 1 && errors[0].starts_with(&format!("{clip}/{wrong}: ")), "{errors:?}");
    }
    // Only baseVideoMix has them.
    let pro = with(&bodies::pro(), "/params/scenes/0/resources/0/layout", json!("left-right"));
    assert_eq!(warnings(&pro).len(), 1, "{:?}", warnings(&pro));
}
