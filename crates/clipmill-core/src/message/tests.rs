use std::collections::BTreeSet;

use super::catalogue::ROWS;
use super::*;
use crate::error::{ErrorCode, TaskError};
use crate::plan::Warning;

/// The places in a text, without braces.
fn places(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0)
}

/// The names of the parameters in a text.
fn names(text: &str) -> BTreeSet<&str> {
    places(text).map(|place| place.split('|').next().unwrap()).collect()
}

#[test]
fn every_code_has_both_languages_with_the_same_parameters() {
    let mut codes = BTreeSet::new();
    for row in ROWS {
        assert!(codes.insert(row.code), "{} occurs twice", row.code);
        let params: BTreeSet<&str> = row.params.iter().copied().collect();
        assert_eq!((names(row.english), names(row.chinese)), (params.clone(), params), "{}", row.code);
        let is_complete = |place: &str| matches!(place.split('|').count(), 1 | 3);
        assert!(places(row.english).all(is_complete), "{}", row.code);
        assert!(places(row.chinese).all(|place| !place.contains('|')), "{} has no plural", row.code);
        assert!(!row.english.is_empty() && row.english.is_ascii(), "{}", row.code);
        let only_places = row.english.starts_with('{') && row.english.matches(' ').count() == 0;
        assert!(only_places || !row.chinese.is_ascii(), "{} has no Chinese", row.code);
    }
    assert!(codes.len() > 250, "{}", codes.len());
}

/// A message of the row, with a different value in each place.
fn sample(row: &'static Row) -> Message {
    let values =
        [Param::from("{0}"), is_required().into(), vec![at_line(3u32, is_empty()), one_scene()].into()];
    Message::new(row, values.into_iter().cycle().take(row.params.len()).collect())
}

#[test]
fn stored_messages_are_read_unchanged() {
    for row in ROWS {
        let message = sample(row);
        let code = message.stored_code().unwrap();
        assert_eq!(Message::of_stored(message.english().to_owned(), Some(&code)), message);
        assert!(!code.contains("\"code\""), "{code} would match searches for error codes");
        let error = TaskError::new(ErrorCode::NotMedia, message.clone()).input("https://x/a");
        let text = serde_json::to_string(&error).unwrap();
        assert_eq!(serde_json::from_str::<TaskError>(&text).unwrap(), error);
        let warning = Warning { path: "/a".into(), message };
        let text = serde_json::to_string(&warning).unwrap();
        assert_eq!(serde_json::from_str::<Warning>(&text).unwrap(), warning);
    }
}

#[test]
fn the_previous_release_can_read_the_english_text() {
    let error = TaskError::new(ErrorCode::NotMedia, not_media(file_empty()));
    let written = serde_json::to_value(&error).unwrap();
    let english = "the file is not media: it is empty; \
                   check that the link leads to the file itself and not to a page about it";
    assert_eq!((written["code"].as_str(), written["message"].as_str()), (Some("NOT_MEDIA"), Some(english)));
    assert_eq!(written["said"], serde_json::json!({ "say": "not_media", "with": [{ "say": "file_empty" }] }));
}

#[test]
fn an_upload_that_is_not_media_gets_its_own_text() {
    let of = |url| TaskError::new(ErrorCode::NotMedia, not_media(file_empty())).input(url).message;
    assert_eq!(of("https://x/a"), not_media(file_empty()));
    let expected =
        "the uploaded file is not media: it is empty; upload the video, audio or image file itself";
    assert_eq!(of("upload://a"), expected);
    let other = TaskError::new(ErrorCode::NotMedia, no_audio()).input("upload://a");
    assert_eq!(other.message, no_audio());
}

#[test]
fn messages_of_other_releases_are_read_as_their_english_text() {
    let check = |text: &str| {
        let error: TaskError = serde_json::from_str(text).unwrap();
        assert_eq!((error.message.english(), error.message.chinese()), ("it is odd", None), "{text}");
        assert_eq!(error.message, Message::without_code("it is odd"));
        assert_eq!((error.code, error.retryable), (ErrorCode::NotMedia, false));
    };
    check(r#"{"code":"NOT_MEDIA","message":"it is odd","input":null,"retryable":false}"#);
    for said in [r#"{"say":"of_next_year"}"#, r#"{"say":"at_line","with":["3"]}"#, "7", "null"] {
        let text = r#"{"code":"NOT_MEDIA","message":"it is odd","input":null,"retryable":false,"said":SAID}"#;
        check(&text.replace("SAID", said));
    }
    assert_eq!(Message::of_stored("it is odd".into(), Some("{")).chinese(), None);
    let old = Message::without_code("it is odd");
    assert_eq!((old.code(), old.stored_code(), old.params().count()), (None, None, 0));
    let message = about_input("https://x/a", &old);
    assert_eq!(
        (message.english(), message.chinese().unwrap().as_str()),
        ("https://x/a: it is odd", "https://x/a：it is odd")
    );
}

#[test]
fn one_thing_is_singular() {
    let check = |message: Message, expected: &str| assert_eq!(message.english(), expected);
    check(allowed_rows(1usize), "1 row");
    check(allowed_rows(0usize), "0 rows");
    check(allowed_rows(11usize), "11 rows");
    check(more_errors(1usize), "1 more error is not listed");
    check(more_errors(2usize), "2 more errors are not listed");
    check(wrong_starts(1usize, 2usize), "has 1 start, but there are 2 scenes: give one for each");
    check(wrong_starts(2usize, 1usize), "has 2 starts, but there is 1 scene: give one for each");
    check(
        captions_behind_end(1usize, "00:10"),
        "1 of 1 caption begins after the end of the video and is not shown, at 00:10",
    );
    check(
        captions_behind_end(2usize, "00:10"),
        "2 of 2 captions begin after the end of the video and are not shown, the first at 00:10",
    );
    check(items_failed(1i64, 1i64, vec![is_required()]), "1 of 1 item failed. is required");
    check(segments_missing(1usize), "1 segment is missing");
    assert_eq!(allowed_rows(1usize).chinese().as_deref(), Some("1 行"));
}

#[test]
fn messages_are_filled_with_texts_messages_and_lists() {
    let check = |message: Message, english: &str, chinese: &str| {
        assert_eq!((message.english(), message.chinese().as_deref()), (english, Some(chinese)));
    };
    check(between(0.5, 2u64), "must be between 0.5 and 2", "必须在 0.5 到 2 之间");
    check(
        key_again("{first}"),
        "is also the key of {first}; every scene needs its own",
        "与 {first} 的 key 重复，每个场景必须使用不同的 key",
    );
    let items =
        vec![of_item(1u32, about_input("https://x/a.mp4", still_for_clip())), of_item(3u32, is_required())];
    check(
        items_failed(2i64, 3i64, items),
        "2 of 3 items failed. item 1: https://x/a.mp4: the file is a still image; give a video; item 3: is required",
        "3 项中有 2 项失败。第 1 项：https://x/a.mp4：该文件是静态图片，请提供视频；第 3 项：为必填项",
    );
    check(
        download_failed(answered("404 Not Found")),
        "the file could not be downloaded: the server returned 404 Not Found; check that the link is correct and has not expired",
        "文件下载失败：服务器返回 404 Not Found；请检查链接是否正确、是否已过期",
    );
}

#[test]
fn parameters_have_names_and_contents() {
    let message = items_failed(1i64, 2i64, vec![of_item(2u32, not_media(file_empty()))]);
    assert_eq!(message.code(), Some("items_failed"));
    let mut params = message.params();
    assert_eq!(params.next(), Some(("failed", ParamValue::Text("1".to_owned()))));
    assert_eq!(params.next(), Some(("total", ParamValue::Text("2".to_owned()))));
    let items = ParamValue::List(vec![ParamValue::Message(of_item(2u32, not_media(file_empty())))]);
    assert_eq!((params.next(), params.next()), (Some(("items", items)), None));
}

#[test]
fn a_message_mentions_the_values_of_its_parameters() {
    let message = items_failed(1i64, 1i64, vec![about_input("https://x/a.mp4", is_required())]);
    assert!(message.mentions("https://x/a.mp4"));
    // Part of the text, or of a longer value.
    assert!(!message.mentions("is required") && !message.mentions("https://x/a"));
    assert!(Message::without_code("https://x/a is required").mentions("https://x/a"));
}
