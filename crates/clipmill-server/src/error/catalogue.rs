//! All errors of the HTTP API: code, HTTP status and text. `docs/api/errors.md` is generated from it.

use axum::http::StatusCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    Syntax,
    Unreadable,
    Invalid,
    KeyMissing,
    KeyInAuthorization,
    KeyInQuotes,
    KeyEnded,
    NotEnoughPoints,
    AbovePriceLimit,
    Scope,
    UserOff,
    LinkRefused,
    Origin,
    NotFound,
    InvitationRefused,
    RequestDropped,
    Method,
    ClientTaskIdConflict,
    TaskEnded,
    StorageFull,
    TooLarge,
    ContentType,
    Form,
    NoFiles,
    InUse,
    ClientBatchIdConflict,
    BatchEnded,
    RowNotFailed,
    TooManyOpenBatches,
    TemplateChanged,
    TooManyTemplates,
    DraftChanged,
    TooManyDrafts,
    TooManyShares,
    TooManyComments,
    NoTimeline,
    NoImage,
    TooManyRequests,
    TooManyFromAddress,
    TooManyOpenTasks,
    GaveUpTooMuch,
    TooManyEventStreams,
    ListenedTooMuch,
    Busy,
    Internal,
    Unavailable,
    SpeechFailed,
}

/// One row of the catalogue. `{detail}`, `{id}` (the request's) and the values in the response's `data` are filled in.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub kind: ErrorKind,
    /// The first three digits are the HTTP status.
    pub code: u16,
    pub english: &'static str,
    pub chinese: &'static str,
}

impl Entry {
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code / 100).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl ErrorKind {
    pub fn entry(self) -> &'static Entry {
        CATALOGUE.iter().find(|entry| entry.kind == self).unwrap_or(&INTERNAL)
    }
}

pub const CATALOGUE: [Entry; 47] = [
    Entry {
        kind: ErrorKind::Syntax,
        code: 40000,
        english: "the body is not an acceptable JSON document: {detail}",
        chinese: "请求体不是可接受的 JSON：{detail}",
    },
    Entry {
        kind: ErrorKind::Unreadable,
        code: 40000,
        english: "the body could not be read: {detail}",
        chinese: "无法读取请求体：{detail}",
    },
    Entry {
        kind: ErrorKind::Invalid,
        code: 40001,
        english: "invalid request: {detail}; all in data.errors",
        chinese: "请求无效：{detail}；全部见 data.errors",
    },
    Entry {
        kind: ErrorKind::KeyMissing,
        code: 40100,
        english: "no valid API key: send yours in the header X-API-Key",
        chinese: "缺少有效的 API 密钥，请在请求头 X-API-Key 中提供",
    },
    Entry {
        kind: ErrorKind::KeyInAuthorization,
        code: 40100,
        english: "no valid API key: the header Authorization is not read; send the key in the header X-API-Key, without \
                  `Bearer`",
        chinese: "缺少有效的 API 密钥：不读取请求头 Authorization；请在请求头 X-API-Key 中提供密钥，且不要加 `Bearer`",
    },
    Entry {
        kind: ErrorKind::KeyInQuotes,
        code: 40100,
        english: "no valid API key: the value of the header X-API-Key is in quotation marks; send it without them",
        chinese: "缺少有效的 API 密钥：请求头 X-API-Key 的值带有引号，请去掉引号",
    },
    Entry {
        kind: ErrorKind::KeyEnded,
        code: 40101,
        english: "this API key was revoked or has expired: use another one",
        chinese: "该 API 密钥已被吊销或已过期，请更换密钥",
    },
    Entry {
        kind: ErrorKind::NotEnoughPoints,
        code: 40200,
        english: "not enough points: {needed} needed, {available} available",
        chinese: "点数不足：需要 {needed} 点，可用 {available} 点",
    },
    Entry {
        kind: ErrorKind::AbovePriceLimit,
        code: 40201,
        english: "the estimated price ({price}) is higher than maxPoints ({maxPoints}): raise maxPoints, or send fewer \
                  or shorter outputs",
        chinese: "预计需要 {price} 点，超过 maxPoints（{maxPoints}）；请提高 maxPoints，或减少、缩短输出",
    },
    Entry {
        kind: ErrorKind::Scope,
        code: 40300,
        english: "this API key may not be used for this: it needs the scope {scope}",
        chinese: "该 API 密钥无权执行此操作，需要权限范围 {scope}",
    },
    Entry {
        kind: ErrorKind::UserOff,
        code: 40301,
        english: "the operator has disabled this account: {reason}; contact the operator",
        chinese: "该账户已被管理员停用：{reason}；请联系管理员",
    },
    Entry {
        kind: ErrorKind::LinkRefused,
        code: 40300,
        english: "this link is not valid or has expired: query the task's status for a new one",
        chinese: "链接无效或已过期，请重新查询作品状态以获取新链接",
    },
    Entry {
        kind: ErrorKind::Origin,
        code: 40300,
        english: "pages of other hosts may not call this: the header Origin does not name this service",
        chinese: "不允许其他站点的页面调用：Origin 请求头与本服务不符",
    },
    Entry {
        kind: ErrorKind::NotFound,
        code: 40400,
        english: "not found: check the address and the task number",
        chinese: "未找到，请检查地址和作品编号",
    },
    Entry {
        kind: ErrorKind::InvitationRefused,
        code: 40401,
        english: "this invitation is not valid: it was used or revoked, or has expired; ask the operator for a new one",
        chinese: "邀请无效：已使用、已吊销或已过期；请向管理员索取新的邀请",
    },
    Entry {
        kind: ErrorKind::Method,
        code: 40500,
        english: "method not allowed; see the header Allow for supported methods",
        chinese: "该地址不支持此请求方法，支持的方法见响应头 Allow",
    },
    Entry {
        kind: ErrorKind::ClientTaskIdConflict,
        code: 40900,
        english: "this clientTaskId was used before with a different body, for task {taskNo}",
        chinese: "该 clientTaskId 已用于内容不同的作品 {taskNo}",
    },
    Entry {
        kind: ErrorKind::TaskEnded,
        code: 40901,
        english: "task {taskNo} has ended ({statusName}) and can no longer be cancelled",
        chinese: "作品 {taskNo} 已结束（{statusName}），无法再取消",
    },
    Entry {
        kind: ErrorKind::StorageFull,
        code: 40902,
        english: "your storage is full: {storedBytes} of {limit} bytes are used; wait until older results and \
                  uploads expire, delete uploads and drafts, or ask the operator for more storage",
        chinese: "存储空间不足：已占用 {storedBytes} 字节，上限 {limit} 字节；请等待较早的结果和上传文件到期，删除不需要的上传文件和草稿，或联系管理员扩容",
    },
    Entry {
        kind: ErrorKind::NoFiles,
        code: 40903,
        english: "task {taskNo} has no files to download: none is finished yet, or all have expired",
        chinese: "作品 {taskNo} 没有可下载的文件：尚未完成，或文件均已过期",
    },
    Entry {
        kind: ErrorKind::InUse,
        code: 40904,
        english: "{neededBy} still needs this file: wait until it has ended, or cancel or delete it or remove the file from it first",
        chinese: "{neededBy} 仍需要该文件：请在其结束后再删除，或先取消、删除它，或从中移除该文件",
    },
    Entry {
        kind: ErrorKind::TemplateChanged,
        code: 40905,
        english: "the template was changed meanwhile; its newest version is {version}: read it and submit your \
                  change again",
        chinese: "模板已被修改，最新版本为 {version}：请查看后重新提交",
    },
    Entry {
        kind: ErrorKind::TooManyTemplates,
        code: 40906,
        english: "you have reached the limit for templates ({limit}): delete some",
        chinese: "模板数量已达上限（{limit}），请先删除一些",
    },
    Entry {
        kind: ErrorKind::TooManyShares,
        code: 40908,
        english: "the task has reached the limit for shares ({limit}): revoke some",
        chinese: "该作品的分享数量已达上限（{limit}），请先吊销一些",
    },
    Entry {
        kind: ErrorKind::NoTimeline,
        code: 40909,
        english: "no timeline could be built: {detail}",
        chinese: "无法生成时间线：{detail}",
    },
    Entry {
        kind: ErrorKind::DraftChanged,
        code: 40910,
        english: "the draft was changed meanwhile; its updateTime is now {updateTime}: read it and save your change \
                  again",
        chinese: "草稿已被修改，现在的 updateTime 为 {updateTime}：请重新读取后再保存",
    },
    Entry {
        kind: ErrorKind::TooManyDrafts,
        code: 40911,
        english: "you have reached the limit for drafts ({limit}): delete some",
        chinese: "草稿数量已达上限（{limit}），请先删除一些",
    },
    Entry {
        kind: ErrorKind::TooManyComments,
        code: 40912,
        english: "the share has reached the limit for comments ({limit}): ask its owner to delete some",
        chinese: "该分享的留言数量已达上限（{limit}），请联系分享者删除一些",
    },
    Entry {
        kind: ErrorKind::ClientBatchIdConflict,
        code: 40900,
        english: "this clientBatchId was used before with different content, for batch {batchNo}",
        chinese: "该 clientBatchId 已用于内容不同的批次 {batchNo}",
    },
    Entry {
        kind: ErrorKind::BatchEnded,
        code: 40907,
        english: "batch {batchNo} has ended ({statusName}) and can no longer be changed",
        chinese: "批次 {batchNo} 已结束（{statusName}），无法再更改",
    },
    Entry {
        kind: ErrorKind::RowNotFailed,
        code: 40913,
        english: "row {row} of batch {batchNo} has not failed, is being retried, or its task was deleted",
        chinese: "批次 {batchNo} 的第 {row} 行未失败、正在重试，或其作品已删除",
    },
    Entry {
        kind: ErrorKind::TooManyOpenBatches,
        code: 42904,
        english: "you have reached the limit for open batches ({openBatches} open, at most {limit}): wait until some \
                  end, or cancel some",
        chinese: "您有 {openBatches} 个批次尚未结束，最多允许 {limit} 个；请等待部分批次结束，或取消部分批次",
    },
    Entry {
        kind: ErrorKind::RequestDropped,
        code: 41000,
        english: "the request of task {taskNo} has been deleted: the task delivered nothing and ended more than 7 days \
                  ago",
        chinese: "作品 {taskNo} 的请求已不再保留：该作品未交付任何成片，且结束已超过 7 天",
    },
    Entry {
        kind: ErrorKind::TooLarge,
        code: 41300,
        english: "the body is too large: at most {detail}",
        chinese: "请求体过大，上限为 {detail}",
    },
    Entry {
        kind: ErrorKind::ContentType,
        code: 41500,
        english: "send the body as Content-Type: application/json, without Content-Encoding",
        chinese: "请以 Content-Type: application/json 发送请求体，且不要使用 Content-Encoding",
    },
    Entry {
        kind: ErrorKind::Form,
        code: 41500,
        english: "forms (multipart/form-data) are not accepted: send the file itself as the body, such as \
                  curl --data-binary @file",
        chinese: "不接受表单（multipart/form-data）：请将文件本身作为请求体发送，例如 curl --data-binary @file",
    },
    Entry {
        kind: ErrorKind::NoImage,
        code: 42200,
        english: "no image could be rendered: {detail}",
        chinese: "无法生成画面：{detail}",
    },
    Entry {
        kind: ErrorKind::TooManyRequests,
        code: 42900,
        english: "too many requests with this key: wait {seconds} s (see the header Retry-After)",
        chinese: "该密钥请求过于频繁，请等待 {seconds} 秒后重试（见响应头 Retry-After）",
    },
    Entry {
        kind: ErrorKind::TooManyFromAddress,
        code: 42907,
        english: "too many requests from this address: wait {seconds} s (see the header Retry-After)",
        chinese: "该地址请求过于频繁，请等待 {seconds} 秒后重试（见响应头 Retry-After）",
    },
    Entry {
        kind: ErrorKind::TooManyOpenTasks,
        code: 42901,
        english: "you have reached the limit for open tasks ({openTasks} open, at most {limit}): wait until some end, \
                  or cancel some",
        chinese: "您有 {openTasks} 个作品尚未结束，最多允许 {limit} 个；请等待部分作品结束，或取消部分作品",
    },
    Entry {
        kind: ErrorKind::GaveUpTooMuch,
        code: 42905,
        english: "you have reached the limit for outputs that are cancelled or rejected within an hour ({givenUp}, at \
                  most {limit}): wait (see the header Retry-After)",
        chinese: "一小时内您有 {givenUp} 个成片被取消或拒绝，最多允许 {limit} 个；请等待（见响应头 Retry-After）",
    },
    Entry {
        kind: ErrorKind::TooManyEventStreams,
        code: 42902,
        english: "you have reached the limit for open event streams ({openStreams} open, at most {limit}): close some, \
                  or use callbacks or the task's status",
        chinese: "您已打开 {openStreams} 个事件流，最多允许 {limit} 个；请关闭部分事件流，或改用回调或查询作品状态",
    },
    Entry {
        kind: ErrorKind::ListenedTooMuch,
        code: 42906,
        english: "you have reached the daily limit for texts to listen to (characters today: {spokenCharacters}, at most \
                  {limit}): wait until tomorrow (see the header Retry-After)",
        chinese: "今日试听的字符数已达上限（已用 {spokenCharacters}，上限 {limit}），请明天再试（见响应头 Retry-After）",
    },
    Entry {
        kind: ErrorKind::Busy,
        code: 42903,
        english: "too many calls of this kind are running or waiting: send the same request again in {seconds} s \
                  (see the header Retry-After)",
        chinese: "此类请求正在处理或等待的数量已达上限，请在 {seconds} 秒后发送相同的请求（见响应头 Retry-After）",
    },
    INTERNAL,
    Entry {
        kind: ErrorKind::Unavailable,
        code: 50300,
        english: "the service cannot do this right now: try again later (request {id})",
        chinese: "服务暂时不可用，请稍后重试（请求编号 {id}）",
    },
    Entry {
        kind: ErrorKind::SpeechFailed,
        code: 50301,
        english: "the text was not spoken, and nothing was charged: {detail}",
        chinese: "未能朗读该文本，未扣点数：{detail}",
    },
];

const INTERNAL: Entry = Entry {
    kind: ErrorKind::Internal,
    code: 50000,
    english: "internal error: try again; if it persists, report the request ID {id}",
    chinese: "服务内部错误，请重试；如仍失败，请提供请求编号 {id}",
};

#[cfg(test)]
mod tests {
    use super::*;

    /// A text has one form for all numbers, so no plural follows a number.
    #[test]
    fn texts_fit_one_as_well_as_several() {
        for entry in CATALOGUE {
            for plural in ["points", "templates", "drafts", "shares", "tasks", "batches", "of your"] {
                let text = entry.english;
                assert!(!text.contains(&format!("}} {plural}")), "{}: `1 {plural}`", entry.code);
            }
        }
    }

    #[test]
    fn every_code_begins_with_its_status_and_every_text_takes_the_same_values() {
        for entry in CATALOGUE {
            assert!(entry.status().is_client_error() || entry.status().is_server_error());
            assert_eq!(entry.kind.entry().code, entry.code);
            for placeholder in [
                "{detail}",
                "{id}",
                "{needed}",
                "{available}",
                "{price}",
                "{maxPoints}",
                "{taskNo}",
                "{scope}",
                "{reason}",
                "{statusName}",
                "{seconds}",
                "{storedBytes}",
                "{openTasks}",
                "{givenUp}",
                "{openStreams}",
                "{spokenCharacters}",
                "{limit}",
                "{neededBy}",
                "{batchNo}",
                "{openBatches}",
                "{version}",
                "{updateTime}",
            ] {
                let contains_placeholder =
                    [entry.english, entry.chinese].map(|text| text.contains(placeholder));
                assert_eq!(contains_placeholder[0], contains_placeholder[1], "{} {placeholder}", entry.code);
            }
        }
    }
}
