//! All errors of the HTTP API: code, HTTP status and text. `docs/api/errors.md` is generated from it.

use axum::http::StatusCode;

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
        &CATALOGUE[self as usize]
    }
}

macro_rules! errors {
    ($($kind:ident $code:literal $english:literal, $chinese:literal;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorKind {
            $($kind,)*
        }

        /// All errors, in the order of [`ErrorKind`].
        pub static CATALOGUE: [Entry; [$(ErrorKind::$kind),*].len()] =
            [$(Entry { kind: ErrorKind::$kind, code: $code, english: $english, chinese: $chinese }),*];
    };
}

#[rustfmt::skip]
errors! {
    Syntax 40000 "the body is not an acceptable JSON document: {detail}", "请求体不是可接受的 JSON：{detail}";
    Unreadable 40000 "the body could not be read: {detail}", "无法读取请求体：{detail}";
    Invalid 40001 "invalid request: {detail}; all in data.errors", "请求无效：{detail}；全部见 data.errors";
    KeyMissing 40100 "no valid API key: send yours in the header X-API-Key", "缺少有效的 API 密钥，请在请求头 X-API-Key 中提供";
    KeyInAuthorization 40100 "no valid API key: the header Authorization is not read; send the key in the header X-API-Key, without `Bearer`", "缺少有效的 API 密钥：不读取请求头 Authorization；请在请求头 X-API-Key 中提供密钥，且不要加 `Bearer`";
    KeyInQuotes 40100 "no valid API key: the value of the header X-API-Key is in quotation marks; send it without them", "缺少有效的 API 密钥：请求头 X-API-Key 的值带有引号，请去掉引号";
    KeyEnded 40101 "this API key was revoked or has expired: use another one", "该 API 密钥已被吊销或已过期，请更换密钥";
    NotEnoughPoints 40200 "not enough points: {needed} needed, {available} available", "点数不足：需要 {needed} 点，可用 {available} 点";
    AbovePriceLimit 40201 "the estimated price ({price}) is higher than maxPoints ({maxPoints}): raise maxPoints, or send fewer or shorter outputs", "预计需要 {price} 点，超过 maxPoints（{maxPoints}）；请提高 maxPoints，或减少、缩短输出";
    Scope 40300 "this API key may not be used for this: it needs the scope {scope}", "该 API 密钥无权执行此操作，需要权限范围 {scope}";
    UserOff 40301 "the operator has disabled this account: {reason}; contact the operator", "该账户已被管理员停用：{reason}；请联系管理员";
    LinkRefused 40300 "this link is not valid or has expired: query the task's status for a new one", "链接无效或已过期，请重新查询作品状态以获取新链接";
    Origin 40300 "pages of other hosts may not call this: the header Origin does not name this service", "不允许其他站点的页面调用：Origin 请求头与本服务不符";
    NotFound 40400 "not found: check the address and the task number", "未找到，请检查地址和作品编号";
    InvitationRefused 40401 "this invitation is not valid: it was used or revoked, or has expired; ask the operator for a new one", "邀请无效：已使用、已吊销或已过期；请向管理员索取新的邀请";
    Method 40500 "method not allowed; see the header Allow for supported methods", "该地址不支持此请求方法，支持的方法见响应头 Allow";
    ClientTaskIdConflict 40900 "this clientTaskId was used before with a different body, for task {taskNo}", "该 clientTaskId 已用于内容不同的作品 {taskNo}";
    TaskEnded 40901 "task {taskNo} has ended ({statusName}) and can no longer be cancelled", "作品 {taskNo} 已结束（{statusName}），无法再取消";
    StorageFull 40902 "your storage is full: {storedBytes} of {limit} bytes are used; wait until older results and uploads expire, delete uploads and drafts, or ask the operator for more storage", "存储空间不足：已占用 {storedBytes} 字节，上限 {limit} 字节；请等待较早的结果和上传文件到期，删除不需要的上传文件和草稿，或联系管理员扩容";
    NoFiles 40903 "task {taskNo} has no files to download: none is finished yet, or all have expired", "作品 {taskNo} 没有可下载的文件：尚未完成，或文件均已过期";
    InUse 40904 "{neededBy} still needs this file: wait until it has ended, or cancel or delete it or remove the file from it first", "{neededBy} 仍需要该文件：请在其结束后再删除，或先取消、删除它，或从中移除该文件";
    TemplateChanged 40905 "the template was changed meanwhile; its newest version is {version}: read it and submit your change again", "模板已被修改，最新版本为 {version}：请查看后重新提交";
    TooManyTemplates 40906 "you have reached the limit for templates ({limit}): delete some", "模板数量已达上限（{limit}），请先删除一些";
    TooManyShares 40908 "the task has reached the limit for shares ({limit}): revoke some", "该作品的分享数量已达上限（{limit}），请先吊销一些";
    NoTimeline 40909 "no timeline could be built: {detail}", "无法生成时间线：{detail}";
    DraftChanged 40910 "the draft was changed meanwhile; its updateTime is now {updateTime}: read it and save your change again", "草稿已被修改，现在的 updateTime 为 {updateTime}：请重新读取后再保存";
    TooManyDrafts 40911 "you have reached the limit for drafts ({limit}): delete some", "草稿数量已达上限（{limit}），请先删除一些";
    TooManyComments 40912 "the share has reached the limit for comments ({limit}): ask its owner to delete some", "该分享的留言数量已达上限（{limit}），请联系分享者删除一些";
    ClientBatchIdConflict 40900 "this clientBatchId was used before with different content, for batch {batchNo}", "该 clientBatchId 已用于内容不同的批次 {batchNo}";
    BatchEnded 40907 "batch {batchNo} has ended ({statusName}) and can no longer be changed", "批次 {batchNo} 已结束（{statusName}），无法再更改";
    RowNotFailed 40913 "row {row} of batch {batchNo} has not failed, is being retried, or its task was deleted", "批次 {batchNo} 的第 {row} 行未失败、正在重试，或其作品已删除";
    TooManyOpenBatches 42904 "you have reached the limit for open batches ({openBatches} open, at most {limit}): wait until some end, or cancel some", "您有 {openBatches} 个批次尚未结束，最多允许 {limit} 个；请等待部分批次结束，或取消部分批次";
    RequestDropped 41000 "the request of task {taskNo} has been deleted: the task delivered nothing and ended more than 7 days ago", "作品 {taskNo} 的请求已不再保留：该作品未交付任何成片，且结束已超过 7 天";
    TooLarge 41300 "the body is too large: at most {detail}", "请求体过大，上限为 {detail}";
    ContentType 41500 "send the body as Content-Type: application/json, without Content-Encoding", "请以 Content-Type: application/json 发送请求体，且不要使用 Content-Encoding";
    Form 41500 "forms (multipart/form-data) are not accepted: send the file itself as the body, such as curl --data-binary @file", "不接受表单（multipart/form-data）：请将文件本身作为请求体发送，例如 curl --data-binary @file";
    NoImage 42200 "no image could be rendered: {detail}", "无法生成画面：{detail}";
    TooManyRequests 42900 "too many requests with this key: wait {seconds} s (see the header Retry-After)", "该密钥请求过于频繁，请等待 {seconds} 秒后重试（见响应头 Retry-After）";
    TooManyFromAddress 42907 "too many requests from this address: wait {seconds} s (see the header Retry-After)", "该地址请求过于频繁，请等待 {seconds} 秒后重试（见响应头 Retry-After）";
    TooManyOpenTasks 42901 "you have reached the limit for open tasks ({openTasks} open, at most {limit}): wait until some end, or cancel some", "您有 {openTasks} 个作品尚未结束，最多允许 {limit} 个；请等待部分作品结束，或取消部分作品";
    TooManyCancelled 42905 "you have reached the limit for outputs that are cancelled or rejected within an hour ({givenUp}, at most {limit}): wait (see the header Retry-After)", "一小时内您有 {givenUp} 个成片被取消或拒绝，最多允许 {limit} 个；请等待（见响应头 Retry-After）";
    TooManyEventStreams 42902 "you have reached the limit for open event streams ({openStreams} open, at most {limit}): close some, or use callbacks or the task's status", "您已打开 {openStreams} 个事件流，最多允许 {limit} 个；请关闭部分事件流，或改用回调或查询作品状态";
    ListenedTooMuch 42906 "you have reached the daily limit for texts to listen to (characters today: {spokenCharacters}, at most {limit}): wait until tomorrow (see the header Retry-After)", "今日试听的字符数已达上限（已用 {spokenCharacters}，上限 {limit}），请明天再试（见响应头 Retry-After）";
    Busy 42903 "too many calls of this kind are running or waiting: send the same request again in {seconds} s (see the header Retry-After)", "此类请求正在处理或等待的数量已达上限，请在 {seconds} 秒后发送相同的请求（见响应头 Retry-After）";
    Unavailable 50300 "the service cannot do this right now: try again later (request {id})", "服务暂时不可用，请稍后重试（请求编号 {id}）";
    SpeechFailed 50301 "the text was not spoken, and nothing was charged: {detail}", "未能朗读该文本，未扣点数：{detail}";
    Internal 50000 "internal error: try again; if it persists, report the request ID {id}", "服务内部错误，请重试；如仍失败，请提供请求编号 {id}";
}

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
