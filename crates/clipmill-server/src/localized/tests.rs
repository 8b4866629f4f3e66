use clipmill_core::message;
use clipmill_core::request::model::TaskType;
use clipmill_core::request::schema::fields;
use clipmill_core::request::{Policy, RequestError, parse};
use serde_json::{Value, json};

use super::*;

#[test]
fn messages_of_earlier_releases_are_readable_in_both_languages() {
    let old = r#"{"code":"NOT_MEDIA","message":"it is odd","input":null,"retryable":false}"#;
    let error: TaskError = serde_json::from_str(old).unwrap();
    assert_eq!(error_text_in(Language::English, &error), "it is odd");
    assert_eq!(error_text_in(Language::Chinese, &error), "该文件不是媒体文件（it is odd）");
    for language in [Language::English, Language::Chinese] {
        assert_eq!(message_text_in(language, &error.message), "it is odd");
    }
}

#[test]
fn messages_with_a_code_exist_in_both_languages() {
    let error = TaskError::new(ErrorCode::NotMedia, message::no_audio());
    assert!(error_text_in(Language::English, &error).starts_with("the file has no audio"));
    assert_eq!(error_text_in(Language::Chinese, &error), "该文件没有声音，请提供音频文件或带声音的视频");
}

/// Every message about a field, and every text that lists allowed values, has a code, and its Chinese contains no
/// English.
#[test]
fn every_error_of_a_request_has_a_chinese_message() {
    let mut message_count = 0;
    for kind in TaskType::ALL {
        for field in fields(kind) {
            for wrong in wrongs() {
                let mut body = kind.example();
                put(&mut body, field.pointer, wrong.clone());
                let Err(RequestError::Invalid { errors, .. }) =
                    parse(body.to_string().as_bytes(), &Policy::default())
                else {
                    continue;
                };
                for error in errors {
                    for message in std::iter::once(error.message).chain(error.allowed) {
                        let chinese = message.chinese().expect(&message);
                        assert!(!is_english(&chinese), "{}: {chinese}", error.path);
                        message_count += 1;
                    }
                }
            }
        }
    }
    assert!(message_count > 500, "{message_count}");
}

/// Whether the text has words that only English sentences have; clients' texts and names of options have none of them.
fn is_english(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| {
        [
            "must", "be", "has", "is", "are", "the", "field", "there", "not", "of", "at", "above", "a", "an",
            "or",
        ]
        .contains(&word)
    })
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

/// Puts a value at a pointer, creating the objects on the way.
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
