//! Messages in the language of the current request.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message::Message;
use clipmill_core::task::TaskState;
use clipmill_store::RowState;

use crate::context::{Language, current_language};

/// The message in the request's language if it has a code; otherwise the English text of an earlier release.
pub fn message_text(message: &Message) -> String {
    message_text_in(current_language(), message)
}

/// A failure's message. A message without a code is English, so in Chinese the meaning of the failure's code precedes
/// it.
pub fn error_text(error: &TaskError) -> String {
    error_text_in(current_language(), error)
}

fn message_text_in(language: Language, message: &Message) -> String {
    let chinese = (language == Language::Chinese).then(|| message.chinese()).flatten();
    chinese.unwrap_or_else(|| message.to_string())
}

fn error_text_in(language: Language, error: &TaskError) -> String {
    match (language, error.message.chinese()) {
        (Language::Chinese, None) => format!("{}（{}）", meaning(error.code), error.message),
        _ => message_text_in(language, &error.message),
    }
}

/// The state of a task or an output.
pub fn state(state: TaskState) -> &'static str {
    match current_language() {
        Language::English => state.name(),
        Language::Chinese => match state {
            TaskState::PendingSubmission => "准备中",
            TaskState::Queued => "排队中",
            TaskState::Executing => "制作中",
            TaskState::Completed => "已完成",
            TaskState::Failed => "失败",
            TaskState::Cancelled => "已取消",
            TaskState::Rejected => "已拒绝",
        },
    }
}

/// The state of a row of a batch.
pub fn row_state(state: RowState) -> &'static str {
    match current_language() {
        Language::English => state.as_str(),
        Language::Chinese => match state {
            RowState::Waiting => "等待",
            RowState::Made => "已开始",
            RowState::Refused => "未生成",
            RowState::Cancelled => "已取消",
        },
    }
}

/// The headers of the result columns, after the columns of the table.
pub fn row_headers() -> [&'static str; 5] {
    match current_language() {
        Language::English => ["Row", "Task", "State", "Links", "Error"],
        Language::Chinese => ["行号", "任务", "状态", "链接", "错误"],
    }
}

/// The meaning of a code, for messages of earlier releases.
fn meaning(code: ErrorCode) -> &'static str {
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
        ErrorCode::ClipTooShort => "素材长度不足",
        ErrorCode::SubtitleInvalid => "字幕文件无法读取",
        ErrorCode::FontInvalid => "字体文件无法使用",
        ErrorCode::MaskInvalid => "蒙版文件无法使用",
        ErrorCode::SpeechFailed => "语音合成失败",
        ErrorCode::RenderFailed => "生成的视频未通过检查",
        ErrorCode::RenderTimeout => "处理超时",
        ErrorCode::Cancelled => "作品已取消",
        ErrorCode::Internal => "服务内部错误，请稍后重新提交",
    }
}

#[cfg(test)]
mod tests;
