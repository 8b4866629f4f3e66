use clipmill_core::request::model::TaskType;
use clipmill_core::request::schema::fields;
use clipmill_core::request::{Policy, RequestError, parse};
use serde_json::{Value, json};

use super::*;
use crate::view::example;

#[test]
fn shapes_are_filled_with_what_stood_in_their_places() {
    let check = |english: &str, chinese: &str| assert_eq!(translate(english).as_deref(), Some(chinese));
    check("must be between 0.5 and 2.0 in steps of 0.1", "必须在 0.5 到 2.0 之间，步长为 0.1");
    check(
        "the file could not be downloaded: the server answered 404 Not Found; check that the link is right and has not expired",
        "文件下载失败：服务器返回 404 Not Found；请检查链接是否正确、是否已过期",
    );
    check(
        "3 of the captions are left out because too many are shown at once, the first at 00:00:01.500",
        "3 条字幕因同时显示过多而省略，首条位于 00:00:01.500",
    );
    check(
        "2 of 3 items failed. item 1: https://x/a.mp4: the file is a still image; give a video; item 3: is required",
        "3 项中有 2 项失败。第 1 项：https://x/a.mp4：该文件是静态图片，请提供视频；第 3 项：为必填项",
    );
    check("the receiver answered 301; redirects are not followed", "接收方返回 301，不跟随重定向");
    check("no answer within 0.3 s", "0.3 秒内没有响应");
    assert_eq!(translate("words that nobody wrote"), None);
    assert_eq!(translate(""), None);
}

/// A shape that a shorter one before it hides would never be used.
#[test]
fn every_shape_can_be_reached() {
    for (index, (shape, chinese)) in PHRASES.iter().enumerate() {
        let places = shape.matches("{}").count();
        for place in 0..places {
            assert!(chinese.contains(&format!("{{{place}}}")), "{shape}");
        }
        assert!(!chinese.contains(&format!("{{{places}}}")), "{shape}");
        let hidden = PHRASES[..index]
            .iter()
            .find(|(earlier, _)| capture(earlier, &shape.replace("{}", "7")).is_some());
        assert_eq!(hidden, None, "hides {shape}");
    }
}

/// Every message about a field, whatever is wrong with it, has a Chinese shape.
#[test]
fn whatever_is_wrong_with_a_request_can_be_told_in_chinese() {
    let mut told = 0;
    for kind in TaskType::ALL {
        for field in fields(kind) {
            for wrong in wrongs() {
                let mut body = example(kind);
                put(&mut body, field.pointer, wrong.clone());
                let Err(RequestError::Invalid { errors, .. }) =
                    parse(body.to_string().as_bytes(), &Policy::default())
                else {
                    continue;
                };
                for error in errors {
                    assert!(translate(&error.message).is_some(), "{}: {}", error.path, error.message);
                    told += 1;
                }
            }
        }
    }
    assert!(told > 500, "{told}");
}

fn wrongs() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(0.123_45),
        json!(1e300),
        json!("word"),
        json!("http:/x"),
        json!("ftp://x"),
        json!("http://u@h/"),
        json!("http://"),
        json!("http://[/"),
        json!("http://a\\b"),
        json!("upload://a/b"),
        json!(" http://a"),
        json!("line\nbreak"),
        json!("x".repeat(3000)),
        json!([]),
        json!([null]),
        json!([[]]),
        json!([[0, 1], [0, 1], [7]]),
        json!({}),
        json!({ "fsp": 1, "isShortest": true, "seed": 1 }),
        json!({ "min": 1, "isSpeed": true, "start": 2, "end": 1 }),
        json!(vec![json!({}); 101]),
    ]
}

/// Puts a value where a pointer leads, making the objects on the way.
fn put(body: &mut Value, pointer: &str, value: Value) {
    let mut place = body;
    for step in pointer.split('/').skip(1) {
        place = match step.parse::<usize>() {
            Ok(index) => {
                if !place.is_array() {
                    *place = json!([Value::Null]);
                }
                place.get_mut(index).unwrap()
            }
            Err(_) => {
                if !place.is_object() {
                    *place = json!({});
                }
                &mut place[step]
            }
        };
    }
    *place = value;
}
