//! Checks which URLs a request may contain. Their targets are checked when they are fetched.

use ::url::Url;

use crate::message::{self, Message};
use crate::results::ResultRef;

const MAX_CHARACTERS: usize = 2048;
const MAX_UPLOAD_ID: usize = 64;

pub(super) fn allowed_input() -> Message {
    message::allowed_url("http://…, https://…, upload://…", "result://…", MAX_CHARACTERS)
}

pub(super) fn allowed_web() -> Message {
    message::allowed_url("http://…", "https://…", MAX_CHARACTERS)
}

pub(super) fn allowed_font() -> Message {
    message::allowed_values("upload://…")
}

/// Whether the value of `font` is a file rather than a name.
pub(super) fn is_font_file(text: &str, local: bool) -> bool {
    text.contains(':') || local && text.contains(['.', '/'])
}

/// Accepts `upload` URLs, and files of this machine if `local`.
pub(super) fn check_font(text: &str, local: bool) -> Result<(), Message> {
    check_text(text)?;
    match scheme(text).as_deref() {
        Some("upload") => check_upload(text),
        Some("file") if local => check_file(text),
        None if local => check_path(text),
        _ => Err(message::font_must_be_upload()),
    }
}

/// Accepts `http`, `https`, `upload` and `result` URLs, and files of this machine if `local`.
pub(super) fn check_input(text: &str, local: bool) -> Result<(), Message> {
    check_text(text)?;
    match scheme(text).as_deref() {
        Some("http" | "https") => check_address(text),
        Some("upload") => check_upload(text),
        Some("result") if local => Err(message::results_on_servers()),
        Some("result") => check_result(text),
        Some("file") if local => check_file(text),
        None if local => check_path(text),
        _ if local => Err(not_allowed(text, message::a_url_or_file())),
        _ => Err(not_allowed(text, message::an_input_url())),
    }
}

pub(super) fn check_web(text: &str) -> Result<(), Message> {
    check_text(text)?;
    match scheme(text).as_deref() {
        Some("http" | "https") => check_address(text),
        _ => Err(not_allowed(text, message::a_web_url())),
    }
}

fn check_text(text: &str) -> Result<(), Message> {
    let length = text.chars().count();
    if length > MAX_CHARACTERS {
        return Err(message::url_too_long(length, MAX_CHARACTERS));
    }
    if text.chars().any(char::is_control) {
        return Err(message::control_characters());
    }
    if text.trim() != text {
        return Err(message::url_with_space());
    }
    Ok(())
}

/// The text before the first colon, in lower case, unless a slash comes earlier.
fn scheme(text: &str) -> Option<String> {
    let (before, _) = text.split_once(':')?;
    (!before.contains('/')).then(|| before.to_ascii_lowercase())
}

fn not_allowed(text: &str, wanted: Message) -> Message {
    match scheme(text) {
        Some(scheme) => message::must_be_not(wanted, super::report::shorten(&scheme, 30)),
        None => message::must_be(wanted),
    }
}

/// The URL parser tolerates much (`http:host`, backslashes). Such URLs are rejected, so that no later reader of the URL
/// can derive another host from it.
fn check_address(text: &str) -> Result<(), Message> {
    let (_, rest) = text.split_once(':').unwrap_or_default();
    let rest = rest.strip_prefix("//").ok_or_else(message::url_without_slashes)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if text.contains('\\') {
        return Err(message::url_with_backslash());
    }
    if authority.is_empty() {
        return Err(message::url_without_host());
    }
    if authority.contains('@') {
        return Err(message::url_with_user());
    }
    Url::parse(text).map(|_| ()).map_err(|error| message::url_invalid(error.to_string()))
}

fn check_upload(text: &str) -> Result<(), Message> {
    upload_id(text).map(drop).ok_or_else(message::upload_url_invalid)
}

/// The ID in the URL of an upload.
pub fn upload_id(text: &str) -> Option<&str> {
    let id = text.strip_prefix("upload://")?;
    let well_formed = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    (well_formed && (1..=MAX_UPLOAD_ID).contains(&id.len())).then_some(id)
}

fn check_result(text: &str) -> Result<(), Message> {
    ResultRef::of_url(text).map(drop).ok_or_else(message::result_url_invalid)
}

fn check_file(text: &str) -> Result<(), Message> {
    let path = text.get(..7).filter(|start| start.eq_ignore_ascii_case("file://")).and(text.get(7..));
    match path {
        Some(path) if !path.is_empty() => Ok(()),
        _ => Err(message::file_url_invalid()),
    }
}

fn check_path(text: &str) -> Result<(), Message> {
    match text.starts_with('-') {
        true => Err(message::like_an_option()),
        false => Ok(()),
    }
}
