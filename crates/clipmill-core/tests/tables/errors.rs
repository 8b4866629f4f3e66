//! The catalogue of error codes of a task.

use std::collections::BTreeSet;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message::Message;
use clipmill_core::subtitle::SubtitleError;

#[test]
fn every_code_is_serialized_as_its_name_and_has_its_own_text() {
    let mut words = BTreeSet::new();
    for code in ErrorCode::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        assert_eq!(code.to_string(), code.as_str());
        let (meaning, remedy) = code.explanation();
        assert!(!meaning.is_empty() && !remedy.is_empty(), "{code}: {meaning}; {remedy}");
        assert!(words.insert(meaning), "{code} means the same as another: {meaning}");
    }
}

#[test]
fn only_temporary_errors_are_retryable() {
    let worth: Vec<_> = ErrorCode::ALL.into_iter().filter(|code| code.retryable()).collect();
    let expected = [
        ErrorCode::DownloadFailed,
        ErrorCode::SpeechFailed,
        ErrorCode::RenderFailed,
        ErrorCode::RenderTimeout,
        ErrorCode::Internal,
    ];
    assert_eq!(worth, expected);
}

#[test]
fn an_error_has_a_code_an_input_and_retryability() {
    let error = TaskError::new(ErrorCode::DownloadFailed, Message::without_code("404"))
        .input("https://example.com/a.mp4");
    assert_eq!(error.to_string(), "DOWNLOAD_FAILED: 404");
    assert_eq!((error.input.as_deref(), error.retryable), (Some("https://example.com/a.mp4"), true));
    assert!(!error.retryable(false).retryable);
    let error = TaskError::new(ErrorCode::NotMedia, Message::without_code("text"));
    assert_eq!((error.input.as_deref(), error.retryable), (None, false));
    assert!(error.retryable(true).retryable);
}

#[test]
fn an_error_in_subtitles_has_a_line_if_known() {
    let text = |line| SubtitleError { line, message: Message::without_code("no time") }.to_string();
    assert_eq!((text(0), text(12)), ("no time".to_owned(), "line 12: no time".to_owned()));
}
