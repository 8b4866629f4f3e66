//! Which addresses a request may name. Where they lead is checked when they are fetched.

use ::url::Url;

const MAX_CHARACTERS: usize = 2048;
const MAX_UPLOAD_ID: usize = 64;

pub(super) const ALLOWED: &str = "http://…, https://… or upload://…, at most 2048 characters";
pub(super) const ALLOWED_WEB: &str = "http://… or https://…, at most 2048 characters";

/// Accepts `http`, `https` and `upload` addresses, and files of this machine if `local`.
pub(super) fn check_input(text: &str, local: bool) -> Result<(), String> {
    check_text(text)?;
    match scheme(text).as_deref() {
        Some("http" | "https") => check_address(text),
        Some("upload") => check_upload(text),
        Some("file") if local => check_file(text),
        None if local => check_path(text),
        _ if local => {
            Err(not_allowed(text, "a URL (http, https, upload), or a file with ./ before its name"))
        }
        _ => Err(not_allowed(text, "an http://, https:// or upload:// URL")),
    }
}

pub(super) fn check_web(text: &str) -> Result<(), String> {
    check_text(text)?;
    match scheme(text).as_deref() {
        Some("http" | "https") => check_address(text),
        _ => Err(not_allowed(text, "an http:// or https:// URL")),
    }
}

fn check_text(text: &str) -> Result<(), String> {
    let length = text.chars().count();
    if length > MAX_CHARACTERS {
        return Err(format!("has {length} characters; a URL may have at most {MAX_CHARACTERS}"));
    }
    if text.chars().any(char::is_control) {
        return Err("must not contain control characters or line breaks".into());
    }
    if text.trim() != text {
        return Err("must not begin or end with white space".into());
    }
    Ok(())
}

/// What stands before the first colon, unless a slash comes earlier, in lower case.
fn scheme(text: &str) -> Option<String> {
    let (before, _) = text.split_once(':')?;
    (!before.contains('/')).then(|| before.to_ascii_lowercase())
}

fn not_allowed(text: &str, wanted: &str) -> String {
    match scheme(text) {
        Some(scheme) => {
            format!("must be {wanted}; `{}:` is not accepted", super::report::shorten(&scheme, 30))
        }
        None => format!("must be {wanted}"),
    }
}

/// The parser forgives much (`http:host`, backslashes); what it would have to forgive is refused, so
/// that nobody who reads the address later can take another host from it.
fn check_address(text: &str) -> Result<(), String> {
    let (_, rest) = text.split_once(':').unwrap_or_default();
    let rest = rest.strip_prefix("//").ok_or("must have `//` after the scheme")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if text.contains('\\') {
        return Err("must not contain a backslash".into());
    }
    if authority.is_empty() {
        return Err("must name a host".into());
    }
    if authority.contains('@') {
        return Err("must not contain a user name or password".into());
    }
    Url::parse(text).map(|_| ()).map_err(|error| format!("is not a valid URL: {error}"))
}

fn check_upload(text: &str) -> Result<(), String> {
    let id = text.strip_prefix("upload://").unwrap_or_default();
    let well_formed = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if id.is_empty() || id.len() > MAX_UPLOAD_ID || !well_formed {
        return Err("must be an upload:// URL exactly as the upload answered it".into());
    }
    Ok(())
}

fn check_file(text: &str) -> Result<(), String> {
    let path = text.get(..7).filter(|start| start.eq_ignore_ascii_case("file://")).and(text.get(7..));
    match path {
        Some(path) if !path.is_empty() => Ok(()),
        _ => Err("must be written file:///folder/file".into()),
    }
}

fn check_path(text: &str) -> Result<(), String> {
    match text.starts_with('-') {
        true => Err("looks like an option; write ./ before a file name that begins with -".into()),
        false => Ok(()),
    }
}
