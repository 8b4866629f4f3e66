//! Messages in Chinese.
//!
//! Messages are written in English where they arise, and stored so; what a client is told in Chinese is
//! found by the shape of the English text. So a task that failed yesterday can be read in either language
//! today. A message without a Chinese shape stays English, behind what its code means.

mod phrases;

use clipmill_core::error::{ErrorCode, TaskError};

use crate::http::context::{Language, current_language};
use phrases::PHRASES;

/// The text in the language of the request being answered.
pub fn said(english: String) -> String {
    match current_language() {
        Language::English => english,
        Language::Chinese => translate(&english).unwrap_or(english),
    }
}

/// A failure's message in the language of the request being answered.
pub fn explained(error: &TaskError) -> String {
    match current_language() {
        Language::English => error.message.clone(),
        Language::Chinese => translate(&error.message)
            .unwrap_or_else(|| format!("{}（{}）", meaning(error.code), error.message)),
    }
}

/// The text in Chinese, if every part of it has a Chinese shape.
fn translate(english: &str) -> Option<String> {
    if let Some(whole) = PHRASES.iter().find_map(|(shape, chinese)| fill(chinese, &capture(shape, english)?))
    {
        return Some(whole);
    }
    let parts: Option<Vec<String>> = match english.split_once("; ") {
        Some((first, rest)) => [first, rest].into_iter().map(translate).collect(),
        None => None,
    };
    parts.map(|parts| parts.join("；"))
}

/// What stands in the places `{}` of the shape, if the text has it.
fn capture<'t>(shape: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut literals = shape.split("{}");
    let mut rest = text.strip_prefix(literals.next()?)?;
    let mut captured = Vec::new();
    let mut literals = literals.peekable();
    while let Some(literal) = literals.next() {
        let end = match literals.peek() {
            // The last place reaches up to the shape's end.
            None => rest.len().checked_sub(literal.len()).filter(|&end| rest.get(end..) == Some(literal))?,
            Some(_) => rest.find(literal)?,
        };
        captured.push(rest.get(..end)?);
        rest = rest.get(end + literal.len()..)?;
    }
    rest.is_empty().then_some(captured)
}

/// Puts the captured texts into their places, `{0}`, `{1}` …, themselves in Chinese where they have a shape.
fn fill(chinese: &str, captured: &[&str]) -> Option<String> {
    let filled = captured.iter().enumerate().fold(chinese.to_owned(), |text, (index, value)| {
        let value = translate(value).unwrap_or_else(|| loosely(value));
        text.replace(&format!("{{{index}}}"), &value)
    });
    Some(filled)
}

/// A captured text of which a part has a Chinese shape: one of several items, behind a `; `, or behind a
/// name and a colon.
fn loosely(value: &str) -> String {
    if let Some(items) = value.strip_prefix("item ") {
        return items.split("; item ").map(one_item).collect::<Vec<_>>().join("；");
    }
    let named = |part: &str| {
        let (name, rest) = part.split_once(": ")?;
        Some(format!("{name}：{}", translate(rest)?))
    };
    if let Some(whole) = named(value) {
        return whole;
    }
    let parts: Vec<_> =
        value.split("; ").map(|part| (part, translate(part).or_else(|| named(part)))).collect();
    if parts.iter().all(|(_, chinese)| chinese.is_none()) {
        return value.to_owned();
    }
    let parts = parts.into_iter().map(|(text, chinese)| chinese.unwrap_or_else(|| text.to_owned()));
    parts.collect::<Vec<_>>().join("；")
}

/// `3: what was wrong`, of a list of items.
fn one_item(text: &str) -> String {
    match text.split_once(": ") {
        Some((number, why)) => format!("第 {number} 项：{}", translate(why).unwrap_or_else(|| loosely(why))),
        None => text.to_owned(),
    }
}

/// What a code means, for messages that have no shape of their own.
pub fn meaning(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::UrlBlocked => "不允许访问该链接",
        ErrorCode::UrlScheme => "不支持该链接的协议",
        ErrorCode::DownloadFailed => "文件下载失败",
        ErrorCode::NotMedia => "该文件不是媒体文件",
        ErrorCode::FormatNotAllowed => "不支持该文件格式",
        ErrorCode::CodecNotAllowed => "不支持该编码格式",
        ErrorCode::MediaTooLarge => "文件过大或过长",
        ErrorCode::MediaDamaged => "文件已损坏",
        ErrorCode::NoVideoStream => "文件中没有视频画面",
        ErrorCode::SubtitleInvalid => "字幕文件无法读取",
        ErrorCode::MaskInvalid => "蒙版文件无法使用",
        ErrorCode::RenderFailed => "生成的视频未通过检查",
        ErrorCode::RenderTimeout => "处理超时",
        ErrorCode::Cancelled => "任务已取消",
        ErrorCode::Internal => "服务内部错误，请稍后重新提交",
    }
}

#[cfg(test)]
mod tests;
