//! All messages: code, names of the parameters, English and Chinese text. `{name}` is replaced by the parameter,
//! `{name|one|many}` by one of two words, depending on whether the parameter is 1.
//!
//! A released code keeps its name and its parameters, because rows of the database refer to them.

use super::{Message, Param};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub code: &'static str,
    pub params: &'static [&'static str],
    pub english: &'static str,
    pub chinese: &'static str,
}

macro_rules! catalogue {
    ($($code:ident($($param:ident),*) $english:literal, $chinese:literal;)*) => {
        pub(super) static ROWS: &[Row] = &[$(Row {
            code: stringify!($code), params: &[$(stringify!($param)),*], english: $english, chinese: $chinese,
        }),*];

        $(pub fn $code($($param: impl Into<Param>),*) -> Message {
            const ROW: &Row = &Row {
                code: stringify!($code), params: &[$(stringify!($param)),*], english: $english, chinese: $chinese,
            };
            Message::new(ROW, vec![$($param.into()),*])
        })*
    };
}

catalogue! {
    // Fields of a request.
    is_required() "is required", "为必填项";
    not_boolean() "must be true or false", "必须为 true 或 false";
    not_a_number() "must be a number", "必须为数字";
    not_whole() "must be a whole number", "必须为整数";
    between_in_steps(min, max) "must be between {min} and {max} in steps of 0.1", "必须在 {min} 到 {max} 之间，步长为 0.1";
    between(min, max) "must be between {min} and {max}", "必须在 {min} 到 {max} 之间";
    above(min, max) "must be above {min} and at most {max}", "必须大于 {min} 且不超过 {max}";
    not_a_name(names) "must be a string, one of {names}", "必须为字符串，可选值：{names}";
    not_a_url() "must be a string with a URL", "必须为包含 URL 的字符串";
    not_a_string() "must be a string", "必须为字符串";
    none_of_but(names, near) "must be one of {names}; did you mean `{near}`?", "必须为以下值之一：{names}；您是否想写 `{near}`？";
    none_of(names) "must be one of {names}", "必须为以下值之一：{names}";
    not_a_colour() "must be a colour such as \"#FFFFFF\"", "必须为颜色值，例如 \"#FFFFFF\"";
    not_an_object() "must be an object", "必须为对象";
    not_an_array() "must be an array", "必须为数组";
    no_entry() "must have at least one entry", "至少需要一项";
    is_empty() "must not be empty", "不能为空";
    too_many_entries(found, most) "has {found} entries; at most {most} {most|is|are} allowed", "共有 {found} 项，最多允许 {most} 项";
    too_many_characters(found, most) "has {found} characters; at most {most} {most|is|are} allowed", "共有 {found} 个字符，最多允许 {most} 个";
    control_characters() "must not contain control characters or line breaks", "不能包含控制字符或换行";
    control_characters_in_lines() "must not contain control characters other than line breaks and tabs", "不能包含换行和制表符以外的控制字符";
    could_not_be_read() "could not be read", "无法读取";
    more_errors(count) "{count} more {count|error is|errors are} not listed", "另有 {count} 个错误未列出";
    more_warnings(count) "{count} more {count|warning is|warnings are} not listed", "另有 {count} 条提示未列出";
    unknown_field_near(near) "unknown field; did you mean `{near}`?", "未知字段；您是否想写 `{near}`？";
    callback_not_sent(host) "no callback will be sent: `{host}` is a private address or has a port that is not allowed; use a public URL, or ask the operator to allow it", "不会发送回调：`{host}` 是私有地址或不允许的端口；请使用公网 URL，或请管理员放行";
    unknown_parameter_near(near) "unknown parameter; did you mean `{near}`?", "未知参数；您是否想写 `{near}`？";
    unknown_field_ignored() "unknown field; it has no effect", "未知字段，不起作用";
    unknown_field_refused() "unknown field; remove it", "未知字段，请删除";
    params_unwrapped(names) "is required, but the request has the fields `{names}` outside of it; move them into `params`", "为必填项，而请求将字段 `{names}` 放在其外；请移入 `params` 中";
    belongs_at_top() "has no effect here; move it to the top level of the request, next to the task type", "在此处不起作用，应放在请求的顶层，与任务类型并列";
    belongs_in(place) "has no effect here; move it to `{place}`", "在此处不起作用，应放在 `{place}` 中";
    unknown_fields(all, most) "has {all}, more than {most} of them unknown; remove the unknown fields", "共有 {all}，其中超过 {most} 个未知，请删除";
    not_above(high, max) "must not be above `{high}`, which is {max}", "不能大于 `{high}`（{max}）";
    unknown_effect_near(names) "unknown effect; did you mean {names}?", "未知特效；您是否想写 {names}？";
    unknown_effect() "unknown effect", "未知特效";
    part_is_empty(from) "must be greater than `from`, which is {from}", "必须大于 `from`（{from}）";
    from_behind_end(from, real) "`from` is {from} s, but the file ends after {real} s", "`from` 为 {from} 秒，但文件在 {real} 秒处结束";
    picture_has_no_part() "has no effect on an image: it is shown in full, for its `duration` or the length of its scene", "对图片不起作用：图片按其 `duration` 或所在场景的时长完整显示";
    only_pictures_move() "has no effect on a video; it applies only to images", "对视频不起作用，仅用于图片";
    to_behind_end(to, real) "`to` is {to} s, but the file ends after {real} s; it is used to its end", "`to` 为 {to} 秒，但文件在 {real} 秒处结束，使用到文件末尾";
    too_many_copies(found, most) "produce {found} videos with their `copies`; at most {most} {most|is|are} allowed", "连同 `copies` 共 {found} 个视频，最多允许 {most} 个";
    one_of_both(other) "cannot be combined with `{other}`; set one of them", "与 `{other}` 同时出现，只能填写其中一个";
    is_required_or(other) "is required, unless `{other}` is set", "为必填项，或改填 `{other}`";
    is_required_or_either(first, second) "is required, unless `{first}` or `{second}` is set", "为必填项，或改填 `{first}` 或 `{second}`";
    too_many_outputs(most) "exceeds the limit of this installation, which is {most}", "超过本服务允许的上限（{most}）";
    wrong_starts(found, scenes) "has {found} {found|start|starts}, but there {scenes|is|are} {scenes} {scenes|scene|scenes}: give one for each", "共有 {found} 个起始位置，但场景数为 {scenes}：每个场景须给出一个";
    few_outputs(found, wanted) "the clips have footage for only {found} of the {wanted} requested {wanted|video|videos}; request fewer videos, or add more or longer clips", "素材只够生成 {found} 个不同的成片（要求 {wanted} 个）；请减少数量，或增加素材、使用更长的素材";
    begins_assumed() "this estimate uses every clip from its beginning; start positions are chosen once all files are available", "此处按素材开头估算：全部文件获取后才会抽取起始位置";
    starts_with_clip_start() "cannot be combined with `clipStart`; set one of them", "与 `clipStart` 同时出现，只能填写其中一个";
    starts_need_combinations() "requires `combinations` with the same number of rows", "需要 `combinations`，且行数与之相同";
    too_many_clips(found, most) "have {found} clips; with `clipStart`, at most {most} clips are analyzed", "共 {found} 个素材；使用 `clipStart` 时最多 {most} 个";
    key_again(first) "is also the key of {first}; every scene needs its own", "与 {first} 的 key 重复，每个场景必须使用不同的 key";
    combination_again(first) "is the same combination as {first}", "与 {first} 的组合相同";
    wrong_indexes(found, wanted) "has {found}, but the request has {wanted}: give one index for each scene", "共有 {found}，但场景数为 {wanted}：每个场景须给出一个索引";
    one_combination() "there is only 1 distinct combination of the scenes' resources; request fewer videos or add resources", "场景资源只有 1 种不同组合；请减少数量或增加资源";
    few_combinations(distinct) "there are only {distinct} distinct combinations of the scenes' resources; request fewer videos or add resources", "场景资源只有 {distinct} 种不同组合；请减少数量或增加资源";
    scenes_too_long(seconds, longest) "last {seconds} seconds in total; the maximum length of an output is {longest} seconds", "总时长为 {seconds} 秒，单个输出最长 {longest} 秒";
    ends_before(start) "must be greater than `start`, which is {start}", "必须大于 `start`（{start}）";
    only_for(kind) "has no effect here; it applies only to overlays of type `{kind}`", "在此处不起作用，仅用于 `{kind}` 类型的叠加";
    not_of_overlays() "has a `bottom`, `place` or `highlight`, which apply only to captions; the position of an overlay is set by its own `place` and `margin`", "包含仅用于字幕的 `bottom`、`place` 或 `highlight`；叠加的位置由自身的 `place` 和 `margin` 决定";
    nothing_is_seen() "has a `width` or an `opacity` of 0, so it is invisible", "`width` 或 `opacity` 为 0，不会显示";
    texts_share_nothing() "every video shows a different text for its whole length, so the videos share no segments and take longer to render; set `start` and `end` so that only those seconds are rendered for each video", "每个成片始终显示不同文字，成片之间无法共用片段，制作时间更长；设置 `start` 和 `end` 后只需单独制作该时段";
    ducking_without_music() "has `ducking` but no `backgroundMusic`; it has no effect", "设置了 `ducking` 但没有 `backgroundMusic`，没有可压低的音乐";
    sound_without_url() "has no `url` and is skipped", "没有 `url`，已忽略";
    sound_without_length() "has a `duration` of 0, so it is inaudible and is skipped", "`duration` 为 0，听不到任何声音，已忽略";
    highlight_without_color() "has no `color`; no words are highlighted", "没有 `color`，不做逐词高亮";
    subtitle_without_url() "has no `url`, `text` or `cues`; no subtitles are shown", "没有 `url`、`text` 或 `cues`，不显示字幕";
    is_blank() "must contain text, not only white space", "必须包含文字，不能只有空白";
    only_with(other) "has no effect without `{other}`", "没有 `{other}` 时不起作用";
    word_outside_cue(start, end) "must be spoken during its cue, which is from {start} to {end} s", "必须位于其字幕的时间内（{start} 至 {end} 秒）";
    word_not_in_text() "is not in the text of its cue after the previous word; write each word as in the text, in the same order", "未在字幕文字中上一个词之后找到；请按文字中的写法和顺序填写每个词";
    mask_without_layers() "has a `layerCount` of 0; no mask is applied", "`layerCount` 为 0，不叠加蒙版";
    effect_without_value() "has no `value`; no effect is applied", "没有 `value`，不应用特效";
    effect_without_length() "has a `duration` of 0; no effect is applied", "`duration` 为 0，不应用特效";
    one_scene() "1 scene", "1 个场景";
    scenes(count) "{count} scenes", "{count} 个场景";
    one_index() "1 index", "1 个索引";
    indexes(count) "{count} indexes", "{count} 个索引";
    fields(count) "{count} fields", "{count} 个字段";
    // Templates.
    at_least(min) "must be at least {min}", "不能小于 {min}";
    at_most(max) "must be at most {max}", "不能大于 {max}";
    unknown_variable_near(near) "the template has no such variable; did you mean `{near}`?", "模板中没有该变量；您是否想写 `{near}`？";
    unknown_variable_ignored() "the template has no such variable; it has no effect", "模板中没有该变量，不起作用";
    variable_again(name) "declare `{name}` twice; declare every variable once", "重复声明了 `{name}`，每个变量只能声明一次";
    variable_name() "must consist of letters, digits, `_`, `-`, `.` and inner spaces", "只能包含字母、数字、`_`、`-`、`.` 以及其间的空格";
    undeclared_variable_near(name, near) "uses the variable `{name}`, which `variables` does not declare; did you mean `{near}`?", "使用了未在 `variables` 中声明的变量 `{name}`；您是否想写 `{near}`？";
    undeclared_variable(name) "uses the variable `{name}`, which `variables` does not declare", "使用了未在 `variables` 中声明的变量 `{name}`";
    unused_variable(name) "`{name}` is not used in the request", "请求中未使用变量 `{name}`";
    open_braces() "opens a variable with two braces but does not close it; write a backslash before literal braces", "变量的两个左花括号没有闭合；如需花括号本身，请在前面加反斜杠";
    variable_in_host() "has a variable in the host name; only a variable of type `url` that makes up the whole string can set the host", "变量位于主机名处；只有占据整个字符串的 `url` 类型变量才能指定下载地址";
    at_entry(entry, message) "entry {entry}: {message}", "第 {entry} 项：{message}";
    too_few_entries(found, least) "has {found} {found|entry|entries}; at least {least} {least|is|are} required", "共有 {found} 项，至少需要 {least} 项";
    empty_clip_list() "is empty, but a clip of the template uses it; add an entry, or give the clip a `$if` with this variable", "为空，而模板中的素材使用了该列表；请至少填写一项，或在该素材中用 `$if` 引用此变量";
    column_gap(next) "is empty, but `{next}` has a value; fill the columns without gaps", "为空，而 `{next}` 有值；请连续填写各列，中间不留空";
    list_in_text(name) "uses the list `{name}` inside a longer text; use it as the whole value", "在较长的文本中使用了列表 `{name}`；列表只能作为完整的值";
    urls_place(name) "cannot be the list `{name}`; use a list of URLs only as the URL of a clip", "不能为列表 `{name}`；URL 列表只能作为素材的 URL";
    texts_place(name) "cannot be the list `{name}`; use a list of texts only as the `texts` of an overlay", "不能为列表 `{name}`；文本列表只能作为叠加层的 `texts`";
    combinations_with_list(name) "cannot be combined with the list `{name}` in `resources`, because its indexes would differ from row to row; remove one of them", "不能与 `resources` 中的列表 `{name}` 同时使用，因为每行的索引会不同；请去掉其中一个";
    condition_form() "must be a variable in double braces, and nothing else", "必须为双花括号中的一个变量，不能有其他内容";
    condition_at_root() "cannot be in the request or its `params`, because they cannot be dropped; move it into the object that is optional", "不能位于请求顶层或 `params` 中，因为它们不能被省略；请移到可省略的对象中";
    no_such_template() "is not one of your templates", "没有该模板";
    // Operators.
    own_user() "is the user of the key that you are using; disable it with another operator's key or with `clipmill user off`", "是当前调用所用密钥的用户；请使用其他运维人员的密钥，或执行 `clipmill user off`";
    own_key() "is the key that you are using; revoke it with another key or with `clipmill key revoke`", "是当前调用所用的密钥；请使用其他密钥，或执行 `clipmill key revoke`";
    queue_paused() "the service is currently not starting new work; your task keeps its place in the queue and continues automatically", "服务暂时不开始新的处理；您的任务保留排队位置，恢复后自动继续";
    queue_paused_because(reason) "the service is currently not starting new work ({reason}); your task keeps its place in the queue and continues automatically", "服务暂时不开始新的处理（{reason}）；您的任务保留排队位置，恢复后自动继续";
    // Shares.
    is_past() "is in the past", "已是过去的时间";
    // Batches.
    not_a_table(why) "is not a readable table ({why}); save it as CSV with the column names in the first line", "不是可读取的表格（{why}）；请另存为首行为列名的 CSV";
    workbook() "is a workbook, which is not supported; save the sheet as CSV (in Excel: Save As, CSV UTF-8)", "是工作簿，此处无法读取；请将工作表另存为 CSV（Excel：另存为 > CSV UTF-8）";
    empty_table() "has no rows below the column names", "列名之下没有任何数据行";
    too_many_rows(most) "has more than {most} rows; split it into several batches", "超过 {most} 行，请拆分为多个批次";
    column_again(name) "has the column `{name}` twice", "列 `{name}` 重复";
    csv_is_an_upload() "must be an upload:// URL: upload the table first", "必须为 upload:// 链接：请先上传表格";
    batch_too_large(found, most) "produces {found} outputs; a batch may have at most {most}", "共 {found} 个成片，一个批次最多 {most} 个";
    filled_too_large(most) "produces a request of more than {most} MiB; use shorter values or use them in fewer places", "生成的请求超过 {most} MiB，请缩短变量值或减少使用次数";
    filled_too_many_values(most) "produces a request of more than {most} values; use shorter lists or use them in fewer places", "生成的请求超过 {most} 个值，请缩短列表或减少使用次数";
    batch_too_long(most) "produces more than {most} MiB of requests; send fewer rows at once", "请求总量超过 {most} MiB，请减少行数";
    held_for_batch() "held when the batch was submitted", "提交批次时预留";
    moved_to_task(task) "moved to task {task}", "转至任务 {task}";
    row_not_made() "row was not rendered", "该行未生成";
    row_without_points() "not enough points for this row", "该行点数不足";
    row_id_taken(task) "its clientTaskId is already used by task {task} with a different request", "其 clientTaskId 已用于内容不同的任务 {task}";
    row_cancelled() "the batch was cancelled before this row was started", "该行开始之前批次已取消";
    // URLs in a request.
    url_too_long(found, most) "has {found} characters; a URL may have at most {most}", "共有 {found} 个字符，URL 最多 {most} 个字符";
    url_with_space() "must not begin or end with white space", "首尾不能有空白字符";
    must_be(allowed) "must be {allowed}", "必须为：{allowed}";
    must_be_not(allowed, scheme) "must be {allowed}; `{scheme}:` is not accepted", "必须为：{allowed}；不接受 `{scheme}:`";
    an_input_url() "an http://, https:// or upload:// URL", "http://、https:// 或 upload:// 链接";
    a_web_url() "an http:// or https:// URL", "http:// 或 https:// 链接";
    a_url_or_file() "a URL (http, https, upload), or a file with ./ before its name", "URL（http、https、upload），或以 ./ 开头的文件名";
    url_without_slashes() "must have `//` after the scheme", "协议名之后必须有 `//`";
    url_with_backslash() "must not contain a backslash", "不能包含反斜杠";
    url_without_host() "must name a host", "必须包含主机名";
    url_with_user() "must not contain a user name or password", "不能包含用户名或密码";
    url_invalid(why) "is not a valid URL: {why}", "不是有效的 URL：{why}";
    upload_url_invalid() "must be an upload:// URL exactly as the upload call returned it", "必须与上传接口返回的 upload:// 链接完全一致";
    file_url_invalid() "must be written file:///folder/file", "必须写成 file:///folder/file";
    like_an_option() "looks like an option; write ./ before a file name that begins with -", "看起来像命令行选项；以 - 开头的文件名请加上 ./";
    // Bodies and JSON.
    json_ends_early(why) "the JSON text ends too early ({why})", "JSON 文本过早结束（{why}）";
    not_json(why) "{why}", "语法错误（{why}）";
    json_too_deep(most) "nested deeper than {most} levels", "嵌套超过 {most} 层";
    json_too_large(most) "more than {most} values in one body", "单个请求体超过 {most} 个值";
    json_key_again(key) "the key \"{key}\" appears twice in one object", "同一对象中键 \"{key}\" 出现两次";
    json_number() "number out of range", "数字超出范围";
    body_cut() "the connection was closed before the body was complete", "连接在传输完成前中断";
    body_late(patience) "it was not received within {patience}", "未能在 {patience} 内收到";
    body_empty() "it is empty; the body must be the file itself", "内容为空；请求体必须为文件本身";
    body_stalled(patience) "no data was received for {patience}", "{patience} 内没有收到任何数据";
    // Parameters of a query, each after `must be`.
    one_or_more() "a whole number, 1 or more", "不小于 1 的整数";
    a_whole_number(min, max) "a whole number from {min} to {max}", "{min} 到 {max} 之间的整数";
    a_sha256() "64 hexadecimal digits in lower case", "64 位小写十六进制数字";
    short_text() "at most 255 characters, without control characters", "最多 255 个字符，且不能包含控制字符";
    text_of_at_most(most) "at most {most} {most|character|characters}, without control characters", "最多 {most} 个字符，且不能包含控制字符";
    a_moment() "a timestamp such as 2026-11-30T08:00:00Z, or a date such as 2026-11-30", "时间，例如 2026-11-30T08:00:00Z，或日期，例如 2026-11-30";
    a_task_number() "a task number: VP and 26 characters", "任务编号（VP 加 26 个字符）";
    seconds_or_none() "a number of seconds, 0 or more", "不小于 0 的秒数";
    a_failure_code() "a failure code, such as MEDIA_DAMAGED", "失败代码，例如 MEDIA_DAMAGED";
    one_of(names) "one of {names}", "以下值之一：{names}";
    true_or_false() "true or false", "true 或 false";
    // Allowed values of a field, in short form.
    allowed_values(values) "{values}", "{values}";
    allowed_range(min, max) "{min}..{max}", "{min}..{max}";
    allowed_tenths(min, max) "{min}..{max} step 0.1", "{min}..{max}，步长 0.1";
    allowed_above(min) "above {min}", "大于 {min}";
    allowed_above_to(min, max) "above {min}, at most {max}", "大于 {min}，最大 {max}";
    allowed_at_most(max) "at most {max}", "最大 {max}";
    allowed_videos(max) "at most {max} {max|video|videos}", "最多 {max} 个视频";
    allowed_clips(max) "at most {max} {max|clip|clips}", "最多 {max} 个片段";
    allowed_seconds(max) "at most {max} seconds in total", "合计最多 {max} 秒";
    allowed_some_entries(max) "1..{max} entries", "1..{max} 项";
    allowed_entries(max) "at most {max} {max|entry|entries}", "最多 {max} 项";
    allowed_array(max) "an array of at most {max} {max|entry|entries}", "最多 {max} 项的数组";
    an_array() "an array", "数组";
    an_object() "an object", "对象";
    allowed_numbers(count) "{count} {count|number|numbers}", "{count} 个数字";
    allowed_rows(count) "{count} {count|row|rows}", "{count} 行";
    allowed_indexes(count) "{count} {count|index|indexes}", "{count} 个索引";
    allowed_string(max) "a string of at most {max} {max|character|characters}", "最多 {max} 个字符的字符串";
    allowed_url(schemes, last, max) "{schemes} or {last}, at most {max} characters", "{schemes} 或 {last}，最多 {max} 个字符";
    allowed_no_preflight() "false, or a smaller request", "false，或更小的请求";
    allowed_upload_id() "the uploadId of one of your uploads whose file has been sent", "您的、文件已发送的 uploadId";
    allowed_etags() "the ETags of all parts", "所有分片的 ETag";
    allowed_ended_task() "an ended task with a `callbackUrl`", "已结束且设置了 `callbackUrl` 的任务";
    allowed_ended_batch() "an ended batch with a `callbackUrl`", "已结束且设置了 `callbackUrl` 的批次";
    // Errors of calls.
    no_such_upload() "is not one of your uploads; upload the file and use the url from the response", "您没有该上传文件：请先上传文件，并使用返回的 url";
    no_direct_uploads() "this service does not support direct uploads; send the file to POST /open-api/v1/uploads", "本服务不支持直传，请将文件发送到 POST /open-api/v1/uploads";
    nothing_arrived() "no file has been received for this upload; send the file to the link first", "尚未收到该文件，请先将文件上传到所给链接";
    wrong_parts() "must be the ETags of all parts as the storage returned them, in order", "必须为存储返回的各分片 ETag，并按顺序排列";
    user_exists() "a user with this name exists; choose another name", "已有同名用户，请换一个名称";
    no_such_output() "the output does not exist", "没有这个输出";
    no_such_task() "is not one of your tasks", "没有该任务";
    too_many_shared(found, most) "have {found} videos in total; a share can contain at most {most}", "共 {found} 个视频，一次分享最多 {most} 个";
    no_such_clip() "the clip does not exist", "没有这个片段";
    no_picture_then() "there is no frame at this time; choose an earlier time", "该时刻没有画面，请选择更早的时刻";
    clip_lost() "parts of the clip were lost while it was being assembled", "拼接试播片段时有部分内容丢失";
    clip_too_slow() "these seconds could not be rendered within 60 s; play fewer seconds, or try again: finished parts are kept", "未能在 60 秒内生成这几秒内容，请缩短试播时长，或再试一次：已生成的部分会保留";
    fetched_too_late() "the files could not be downloaded within 60 s; upload them instead", "未能在 60 秒内取得文件，请改为上传文件";
    looked_too_long() "the files could not be probed within 60 s; this estimate uses the declared lengths", "未能在 60 秒内检查完文件，此为按声明时长的预估";
    too_many_inputs(found, most) "the request needs {found} files; an estimate probes at most {most}", "请求需要 {found} 个文件，预估最多检查 {most} 个";
    item_impossible(item, code, why) "item {item} could not be rendered: {code}: {why}", "第 {item} 项无法生成：{code}：{why}";
    item_impossible_for(item, code, why, input) "item {item} could not be rendered: {code}: {why} ({input})", "第 {item} 项无法生成：{code}：{why}（{input}）";
    nothing_to_send() "has no callback to send: it has not ended, or it has no `callbackUrl`", "没有可发送的回调：尚未结束，或未设置 `callbackUrl`";
    // Planning.
    transitions_shortened(short, all, shortest) "{short} of {all} {all|transition|transitions} {short|is|are} shorter than requested because {short|its|their} clips are too short; the shortest lasts {shortest} s", "{all} 个转场中有 {short} 个因素材过短而缩短，最短为 {shortest} 秒";
    declared_wrong(declared, real) "declared as {declared} s but {real} s long; the actual length is used", "声明为 {declared} 秒，实际 {real} 秒；以实际时长为准";
    output_too_long(seconds, limit) "the output would be {seconds} s long; the limit is {limit} s", "输出将长达 {seconds} 秒，上限为 {limit} 秒";
    files_too_large(total, limit) "the task's files have {total} bytes in total, the limit is {limit}; use fewer or smaller files", "任务的文件共 {total} 字节，最多接受 {limit} 字节；请减少文件或使用更小的文件";
    still_for_clip() "the file is a still image; give a video", "该文件是静态图片，请提供视频";
    sound_for_clip() "the file has audio but no video; give a video", "该文件只有声音没有画面，请提供视频";
    sound_for_overlay() "the file has audio but no video; give an image or a video", "该文件只有声音没有画面，请提供图片或视频";
    no_audio() "the file has no audio; give an audio file, or a video with audio", "该文件没有声音，请提供音频文件或带声音的视频";
    never_looked_at() "the file was never probed", "该文件从未被检查";
    never_read() "the subtitle file was never read", "该字幕文件从未被读取";
    no_resource(scene, index) "scene {scene} has no resource {index}", "场景 {scene} 没有资源 {index}";
    no_combination() "no combination remains", "没有剩余的组合";
    too_few_left(files, first) "too few combinations remain without the unusable clips: {files}; the first: {first}", "去掉无法使用的素材后，剩余组合不足：{files}；首个错误：{first}";
    also(first, input, why) "{first}; also {input}: {why}", "{first}；另外 {input}：{why}";
    another_input() "another input", "另一个文件";
    music_not_lowered() "this output has no speech, so the music is not lowered", "该视频中没有人声，音乐不会被压低";
    audio_after_scene() "starts at or after the end of its scene and is inaudible; set an earlier start or a longer scene", "在其场景结束时或结束之后才开始，因此听不到；请提前开始时间，或延长该场景";
    audio_after_video() "starts at or after the end of the video and is inaudible; set an earlier start, or shorten the audio before it", "在视频结束时或结束之后才开始，因此听不到；请提前开始时间，或缩短前面的声音";
    // Subtitles.
    no_glyph(character, number) "no installed font has the character {character} ({number})", "已安装的字体都没有字符 {character}（{number}）";
    no_font() "no usable font is installed, so captions cannot be drawn; install the package fonts-noto-cjk", "未安装可用字体，无法绘制字幕；请安装 fonts-noto-cjk 软件包";
    font_not_installed(name, family, package) "the font `{name}` ({family}) is not installed on the rendering machines; omit `style.font`, or have the package {package} installed", "制作视频的机器未安装字体 `{name}`（{family}）；请去掉 `style.font`，或安装 {package} 软件包";
    captions_not_timed(count, first) "{count} {count|caption has|captions have} word times that are out of order or outside the caption; these times are ignored, {count|at|the first at} {first}", "{count} 条字幕中词语的时间顺序有误或超出字幕时间，已忽略这些时间，首条位于 {first}";
    captions_not_highlighted(count, first) "{count} {count|caption has|captions have} too many words to highlight and {count|is|are} shown without highlighting, {count|at|the first at} {first}", "{count} 条字幕词语过多，不做逐词高亮，首条位于 {first}";
    captions_cut(count, first) "{count} {count|caption has|captions have} more lines than fit into the frame and {count|is|are} truncated, {count|at|the first at} {first}", "{count} 条字幕行数超出画面，已截断，首条位于 {first}";
    captions_left_out(count, first) "{count} {count|caption is|captions are} skipped because too many are shown at once, {count|at|the first at} {first}", "{count} 条字幕因同时显示过多而省略，首条位于 {first}";
    too_many_emoji(count, most) "{count} emoji are too many; the texts and captions of one video may have at most {most} in total", "表情符号有 {count} 个，过多；每个视频的文字和字幕合计最多 {most} 个";
    text_read_fast(needed, available) "takes about {needed} s to read but is shown in {available} s; the captions follow each other without pauses: shorten the text or make the video longer", "阅读约需 {needed} 秒，但只有 {available} 秒；字幕之间没有停顿：请缩短文字或延长视频";
    captions_behind_end(count, first) "{count} of {count} {count|caption begins|captions begin} after the end of the video and {count|is|are} not shown, {count|at|the first at} {first}", "全部 {count} 条字幕都在视频结尾之后开始，不会显示，首条位于 {first}";
    overlays_too_large(found, most) "the overlay images have {found} million pixels in total, the limit is {most} million; scale them down", "叠加图片共 {found} 百万像素，最多 {most} 百万，请缩小图片";
    text_cut() "has more lines than fit into the frame and is truncated", "行数超出画面，已截断";
    text_is_empty() "has no drawable characters and is skipped", "没有可绘制的内容，已忽略";
    behind_the_end(length) "starts after the end of the output, which is at {length} s; it is never shown", "开始时间晚于视频结尾（{length} 秒），不会显示";
    only_first_picture() "is animated; only its first frame is shown", "为动态图像，始终只显示第一帧";
    at_line(line, why) "line {line}: {why}", "第 {line} 行：{why}";
    not_utf8() "the encoding of the file cannot be detected reliably; save it as UTF-8", "无法确定文件的编码，请另存为 UTF-8";
    not_encoded(encoding) "the first bytes declare {encoding}, but the text is not valid {encoding}; save it as UTF-8", "文件开头表明其编码为 {encoding}，但内容不是有效的 {encoding}，请另存为 UTF-8";
    subtitles_empty() "the file is empty; send a subtitle file in SRT or VTT format", "文件为空，请提供 SRT 或 VTT 字幕文件";
    subtitles_without_cue() "no cue with text was found; an SRT or VTT file has lines like 00:00:01,000 --> 00:00:02,500, each followed by text", "没有找到带文字的字幕；SRT 或 VTT 文件中应有 00:00:01,000 --> 00:00:02,500 这样的行，其后为文字";
    subtitles_ass() "this is an ASS or SSA file; convert it to SRT or VTT", "这是 ASS 或 SSA 文件，请转换为 SRT 或 VTT";
    subtitles_of_format(format) "the file is in the {format} format; convert it to SRT, VTT or SBV", "文件为 {format} 格式，请转换为 SRT、VTT 或 SBV";
    subtitles_too_large(mib) "the file is larger than {mib} MiB; split or shorten it", "文件超过 {mib} MiB，请拆分或缩短";
    subtitle_bytes(found, most) "the subtitle file has {found} bytes; the limit is {most}", "字幕文件有 {found} 字节，最多读取 {most} 字节";
    too_many_cues(most) "the file has more than {most} cues; split it", "字幕超过 {most} 条，请拆分";
    cue_too_long(most) "the cue has more than {most} characters; split it into several", "单条字幕超过 {most} 个字符，请拆分";
    cue_ends_early(end, start) "the cue ends at {end}, not after its start {start}; correct the times", "字幕结束时间 {end} 不晚于开始时间 {start}，请更正";
    cue_before_start(end) "the cue ends at {end}, before the video starts; correct the times", "字幕在 {end} 结束，早于视频开始，请更正";
    cue_without_times() "expected the times of a cue, such as 00:00:01,000 --> 00:00:02,500", "此处应为字幕时间，但无法读取；请写成 00:00:01,000 --> 00:00:02,500";
    cue_skipped(why) "a cue is skipped: {why}", "已跳过一条字幕：{why}";
    cues_skipped(count, whys) "{count} cues are skipped: {whys}", "已跳过 {count} 条字幕：{whys}";
    more_cues_skipped(count) "and {count} more", "以及另外 {count} 条";
    most_cues_unusable(unusable, total, first) "{unusable} of {total} {total|cue|cues} cannot be used; the first error: {first}", "{total} 条字幕中有 {unusable} 条无法使用，首条位于此处：{first}";
    not_a_time(text) "\"{text}\" is not a time; write it as 00:00:01,500 or 00:01.500", "\"{text}\" 不是时间，请写成 00:00:01,500 或 00:01.500";
    // Downloads.
    download_failed(why) "the file could not be downloaded: {why}", "文件下载失败：{why}";
    answered_for_now(status) "the server returned {status}; try again later", "服务器返回 {status}；请稍后重试";
    answered(status) "the server returned {status}; check that the link is correct and has not expired", "服务器返回 {status}；请检查链接是否正确、是否已过期";
    sent_compressed(coding) "the server compresses the file (Content-Encoding: {coding}) although the request forbids it; turn off compression for this file", "服务器对文件进行了压缩（Content-Encoding: {coding}），尽管请求中要求不压缩；请对该文件关闭压缩";
    text_compressed(coding) "the server compresses the file in a way that is not supported (Content-Encoding: {coding}); turn off compression for this file, or use gzip", "服务器以不支持的方式压缩了文件（Content-Encoding: {coding}）；请对该文件关闭压缩，或使用 gzip";
    gzip_damaged() "the server compresses the file with gzip, and the compressed data is damaged; check the file on the server", "服务器以 gzip 压缩了文件，但压缩数据已损坏；请检查服务器上的文件";
    gzip_too_large(mib, ratio) "the server compresses the file with gzip, and the file has more than {mib} MiB or is more than {ratio} times larger than the compressed data; serve a smaller file, or turn off compression", "服务器以 gzip 压缩了文件，而文件超过 {mib} MiB，或超过压缩数据的 {ratio} 倍；请提供更小的文件，或关闭压缩";
    download_too_large(limit) "the file is larger than {limit} bytes; give a smaller one", "文件超过 {limit} 字节，请提供更小的文件";
    download_broke() "the connection was closed before the end of the file", "连接在传输完成前中断";
    download_too_slow() "the download is too slow; use a faster host", "下载速度过慢，请使用更快的服务器";
    download_too_long(seconds) "it took longer than {seconds} s", "耗时超过 {seconds} 秒";
    too_many_redirects(most) "it redirects more than {most} times; give the direct link", "重定向超过 {most} 次，请提供直接链接";
    server_silent() "the server does not respond", "服务器无响应";
    host_unknown(host) "the host name {host} cannot be resolved; check the link", "无法解析域名 {host}，请检查链接";
    host_unreachable(host) "cannot connect to {host}; check that the link is publicly reachable", "无法连接 {host}，请确认链接可从外部访问";
    host_broke(host) "the connection to {host} was lost", "与 {host} 的连接中断";
    host_silent(host) "{host} does not respond", "{host} 无响应";
    scheme_refused(scheme) "the scheme `{scheme}:` is not accepted; give an http or https link", "不支持协议 `{scheme}:`，请提供 http 或 https 链接";
    link_blocked(why) "this link is not allowed: {why}", "不允许访问该链接：{why}";
    address_private() "its address is private, local or reserved; host it at a publicly reachable URL, or upload it", "该地址为私有、本机或保留地址；请将文件放在公网可访问的位置";
    user_in_link() "it contains a user name; remove it and use a signed link instead", "链接中带有用户名，请去掉并改用签名链接";
    port_blocked(port) "port {port} is not allowed; serve the file from port 80 or 443", "不允许使用端口 {port}，请使用 80 或 443 端口";
    no_host() "it has no host name", "链接中没有主机名";
    not_a_web_address() "not a web address", "不是网址";
    path_unreadable() "the file cannot be read; check the path", "无法读取文件，请检查路径";
    no_such_file() "the file does not exist on this machine", "本机没有该文件";
    not_a_local_file() "not a local file", "不是本机文件";
    uploads_on_servers() "uploads exist on a server only; give the file's path", "上传文件只存在于服务器上，请给出文件路径";
    upload_gone() "the uploaded file no longer exists; upload it again", "上传的文件已不存在，请重新上传";
    file_changed() "the file changed while the task was running; submit the task again", "处理过程中文件发生了变化，请重新提交任务";
    upload_not_looked_up() "the upload could not be looked up", "无法查询该上传文件";
    // Files.
    left_out(input, why) "{input} was skipped: {why}", "已跳过 {input}：{why}";
    about_input(input, what) "{input}: {what}", "{input}：{what}";
    an_input() "an input", "某个文件";
    the_picture() "video", "画面";
    the_sound() "audio", "声音";
    damaged_before_key(what, before) "the {what} is damaged and was used without {before} {before|frame|frames} before its first keyframe", "{what}有损坏：首个关键帧之前缺少 {before} 帧，其余照常使用";
    damaged_missing(what, missing, total) "the {what} is damaged and was used without {missing} of {total} {total|frame|frames} that cannot be decoded", "{what}有损坏：{total} 帧中有 {missing} 帧无法解码，其余照常使用";
    damaged_both(what, before, missing, total) "the {what} is damaged and was used without {before} {before|frame|frames} before its first keyframe and {missing} of {total} {total|frame|frames} that cannot be decoded", "{what}有损坏：首个关键帧之前缺少 {before} 帧，另有 {total} 帧中的 {missing} 帧无法解码，其余照常使用";
    not_media(why) "the file is not media: {why}; check that the link leads to the file itself and not to a page about it", "该文件不是媒体文件：{why}；请确认链接指向文件本身而不是网页";
    upload_not_media(why) "the uploaded file is not media: {why}; upload the video, audio or image file itself", "上传的文件不是媒体文件：{why}；请上传视频、音频或图片文件本身";
    upload_without_media() "this upload contains no video, audio or image, so videos that use it will fail; upload the media file itself", "该上传文件中未发现视频、音频或图片，用到它的成片将失败；请上传媒体文件本身";
    nothing_found() "it contains no video, audio or image", "其中没有视频、声音或图片";
    format_unknown() "its format is unknown", "格式未知";
    only_header() "it has a header and nothing else", "只有文件头，没有内容";
    file_empty() "it is empty", "文件为空";
    looks_like(what) "it looks like {what}", "看起来是{what}";
    pdf() "a PDF document", "PDF 文档";
    zip() "a ZIP archive; upload the media inside it", "ZIP 压缩包，请上传其中的媒体文件";
    web_subtitles() "a subtitle file; give it as `subtitle.url`", "字幕文件，请放在 `subtitle.url` 中";
    subtitle_file() "a subtitle file", "字幕文件";
    json_document() "a JSON document", "JSON 文档";
    html() "an HTML page", "网页";
    xml() "an XML or HTML document", "XML 或 HTML 文档";
    plain_text() "plain text", "纯文本";
    format_not_allowed(what) "the file is {what}; accepted formats are MP4, MOV, MKV, WebM, MPEG-TS, MPEG-PS, AVI, FLV, WAV, MP3, FLAC, Ogg, AAC, AC-3, E-AC-3, AMR, CAF, AIFF, PNG, JPEG, WebP and GIF: give the media file itself", "该文件是{what}；支持 MP4、MOV、MKV、WebM、MPEG-TS、MPEG-PS、AVI、FLV、WAV、MP3、FLAC、Ogg、AAC、AC-3、E-AC-3、AMR、CAF、AIFF、PNG、JPEG、WebP 和 GIF，请提供媒体文件本身";
    unknown_kind() "of an unsupported type", "不支持的格式";
    heic() "a HEIC image (save it as JPEG)", " HEIC 图片（请另存为 JPEG）";
    animated_webp() "an animated WebP (only static WebP is supported; save it as GIF or MP4)", "动态 WebP（仅支持静态 WebP，请另存为 GIF 或 MP4）";
    hls() "an HLS playlist (.m3u8), not a media file", " HLS 播放列表（.m3u8），不是媒体文件";
    ffconcat() "an ffconcat script, not a media file", " ffconcat 脚本，不是媒体文件";
    sdp() "a session description (SDP), not a media file", "会话描述（SDP），不是媒体文件";
    playlist() "a playlist, not a media file", "播放列表，不是媒体文件";
    svg() "an SVG drawing, not a media file", " SVG 图形，不是媒体文件";
    dash() "a DASH manifest (.mpd), not a media file", " DASH 清单（.mpd），不是媒体文件";
    codec_not_allowed(codec, video, audio) "the codec {codec} is not accepted; convert the file, for example to H.264 with AAC (accepted: {video}; {audio}, pcm)", "不支持编码 {codec}；请转换文件，例如转为 H.264 和 AAC（支持：{video}；{audio}, pcm）";
    codec_of_one() "of one stream", "（其中一个流）";
    too_many_streams(most) "the file has more than {most} streams; keep one video and one audio stream", "文件的流超过 {most} 个；请只保留一个视频流和一个音频流";
    picture_too_large(width, height, side, pixels) "the video or image has {width}x{height} pixels, the limits are {side} per side and {pixels} pixels in total; scale it down", "画面为 {width}x{height} 像素，上限为边长 {side}、共 {pixels} 像素；请缩小画面";
    file_too_long(seconds, hours) "it is {seconds} seconds long, the limit is {hours} {hours|hour|hours}; shorten it", "时长为 {seconds} 秒，上限为 {hours} 小时；请剪短";
    looking_too_long() "analyzing the file takes too long; shorten it or convert it to MP4", "检查该文件耗时过长；请剪短或转换为 MP4";
    mp4_without_index() "the MP4 has no index: the file is truncated or its recording was not finished; export or upload it again", "MP4 缺少索引：文件被截断或录制未完成；请重新导出或上传";
    export_again(what) "{what}; export or upload the file again", "{what}；请重新导出或上传文件";
    broken_off(found, stated) "the file is incomplete: it contains {found} of {stated} seconds, which were used", "文件不完整：{stated} 秒中仅有 {found} 秒，已使用现有部分";
    timestamps_repaired(jumps) "the timestamps of the file jump {jumps} {jumps|time|times}; it was treated as one continuous recording", "文件的时间戳跳变 {jumps} 次，已按连续录制处理";
    cut_off(found, promised) "the file is truncated: it contains {found} of {promised} seconds", "文件被截断：仅有 {promised} 秒中的 {found} 秒";
    no_size() "the dimensions of the video or image cannot be read", "无法读取画面尺寸";
    stream_without_picture() "its video stream contains no frame", "视频流中没有画面";
    timestamps_jump(seconds) "its timestamps jump by {seconds} {seconds|second|seconds} between two frames", "时间戳在两帧之间跳跃了 {seconds} 秒";
    sound_without_form() "its audio has no channels or no sample rate", "声音没有声道或采样率";
    table_too_large(table) "the file declares more data than it contains, in {table}", "文件所声明的内容多于其实际所有（{table}）";
    not_readable_to_end() "the file cannot be read to the end", "文件无法完整读取";
    undecodable() "the file cannot be decoded; export or upload it again", "文件无法解码；请重新导出或上传";
    undecodable_for(why) "the file cannot be decoded ({why}); export or upload it again", "文件无法解码（{why}）；请重新导出或上传";
    crashed(program) "{program} crashed on this file", "{program} 在处理此文件时崩溃";
    no_reason() "no reason given", "未给出原因";
    not_read_to_end() "it cannot be read to the end", "无法读到末尾";
    sound_breaks_off() "its audio is incomplete", "声音中断";
    // Rendering.
    work_stopped(seconds) "processing was stopped after {seconds} s; try a shorter or smaller file", "处理超过 {seconds} 秒已停止，请使用更短或更小的文件";
    result_grew(limit) "the result exceeded the planned {limit} bytes", "输出超出了计划的 {limit} 字节";
    too_much_memory() "the file needs more memory than the limit for one job; use a smaller video or image", "处理该文件所需内存超出单项任务的上限，请使用更小的画面";
    renderer_ended() "the renderer was terminated from outside, possibly for lack of memory", "渲染进程被外部终止，可能内存不足";
    renderer_not_run() "the renderer could not be run", "无法运行渲染程序";
    tool_not_run() "a media tool could not be run", "无法运行媒体工具";
    encoder_failed() "the encoder failed; try again with libx264", "编码器失败，请改用 libx264 重试";
    no_encoder(encoder) "{encoder} is not available", "此处没有 {encoder}";
    encoder_failed_for(encoder, why) "{encoder} failed: {why}", "{encoder} 失败：{why}";
    rate_exceeded(encoder) "{encoder} exceeded the maximum bit rate", "{encoder} 超过了最大码率";
    packets_not_copied() "its packets cannot be copied", "无法直接复制其数据包";
    parameters_contradict() "its parameters contradict its container", "其参数与容器不一致";
    picture_costs_last() "its first frame may drop the last frames of the preceding segment", "其首帧可能影响前一段的末尾画面";
    segments_missing(count) "{count} {count|segment is|segments are} missing", "缺少 {count} 个片段";
    segments_differ(count) "{count} {count|segment was|segments were} encoded with different parameters", "{count} 个片段的编码参数不同";
    no_space(what) "the disk of {what} is full: free some space and run it again", "{what} 所在磁盘已满：请腾出空间后重新运行";
    disk_full() "the service is low on disk space; try again later", "服务磁盘空间不足，请稍后重试";
    disk_too_small(mib) "this needs {mib} MiB of disk space, more than the service has in total; make it shorter or smaller", "所需磁盘空间为 {mib} MiB，超出服务的全部可用空间；请缩短时长或减小尺寸";
    storage_unreachable() "the service cannot reach its storage; send the same request again later", "服务暂时无法访问存储，请稍后重新提交";
    our_fault() "internal error; send the same request again later", "服务内部错误，请稍后重新提交";
    ended_abnormally() "processing ended abnormally", "处理异常终止";
    source_missing() "a segment has no source", "片段缺少来源文件";
    result_without_place() "the result has no storage location", "结果没有存放位置";
    not_looked_at() "the file was not probed", "该文件未被检查";
    // Verification of a finished file.
    result_unreadable(why) "the result cannot be read: {why}", "无法读取结果：{why}";
    sets_differ() "the joined segments have different parameters", "拼接的画面参数不一致";
    index_not_first() "the index is not at the start of the file", "索引不在文件开头";
    piece_without_parameters() "a segment has no parameters", "某个片段没有参数";
    wrong_streams(found, planned) "{found} {found|stream|streams} instead of {planned}", "有 {found} 个流，应为 {planned} 个";
    no_picture() "there is no video", "没有画面";
    wrong_picture(coding, found, planned) "the video is {coding} {found} instead of {planned}", "画面为 {coding} {found}，应为 {planned}";
    wrong_frames(found, planned) "{found} {found|frame|frames} instead of the planned {planned}", "有 {found} 帧，计划为 {planned} 帧";
    wrong_clock(ticks) "the clock has {ticks} {ticks|tick|ticks}", "时钟为 {ticks} 刻";
    wrong_tick(frame, found, planned) "frame {frame} is shown at tick {found} instead of {planned}", "第 {frame} 帧在第 {found} 刻显示，应为第 {planned} 刻";
    sample_not_slices(sample) "sample {sample} contains more than slices", "样本 {sample} 不全由条带组成";
    sample_not_as_told(sample) "sample {sample} is not the frame described by the index", "样本 {sample} 与索引所述不符";
    planned_sound_missing() "the planned audio is missing", "缺少计划的声音";
    sound_ends_apart(sound, picture) "the audio ends at {sound} s, the video at {picture} s", "声音在 {sound} 秒结束，画面在 {picture} 秒结束";
    sound_undecodable(why) "the audio cannot be decoded: {why}", "声音无法解码：{why}";
    sound_length(found, planned) "{found} s of audio instead of {planned} s", "声音为 {found} 秒，应为 {planned} 秒";
    sound_unmeasured(why) "the audio cannot be measured: {why}", "声音无法测量：{why}";
    sound_missing() "the audio is missing", "缺少声音";
    sound_unmixed() "the audio could not be mixed", "声音无法混合";
    sound_samples(found, planned) "the audio has {found} {found|sample|samples} instead of {planned}", "声音有 {found} 个采样，应为 {planned} 个";
    nothing_to_join() "there is nothing to join", "没有可拼接的内容";
    not_joined() "the segments could not be joined", "片段无法拼接";
    result_undecodable(why) "the result cannot be decoded: {why}", "结果无法解码：{why}";
    frames_undecodable(found, planned) "{found} of {planned} planned {planned|frame|frames} can be decoded", "计划的 {planned} 帧中只有 {found} 帧可解码";
    result_complaints(line) "the result decodes with errors: {line}", "结果解码时有警告：{line}";
    // Callbacks.
    receiver_gone() "the receiver returned 410 and gets no more callbacks", "接收方返回 410：不再接收回调";
    receiver_redirects(status) "the receiver returned {status}; redirects are not followed", "接收方返回 {status}，不跟随重定向";
    receiver_answered(status) "the receiver returned {status}", "接收方返回 {status}";
    receiver_silent(seconds) "no response within {seconds} s", "{seconds} 秒内没有响应";
    address_blocked() "the address is not allowed: it is private, local or reserved, or its port is not allowed", "不允许回调该地址：为私有、本机或保留地址，或端口不被允许";
    host_private() "the host's addresses are private, local or reserved", "该主机的地址为私有、本机或保留地址";
    address_invalid() "the address is not a URL", "该地址不是有效的 URL";
    not_written(why) "{why}", "消息无法写出：{why}";
    not_signed() "the message cannot be signed: the secret is corrupted", "消息无法签名：密钥已损坏";
    stopped_during() "the service stopped during the attempt", "发送过程中服务停止";
    no_open_callbacks() "no callback has failed or is pending", "没有失败的回调，也没有待发送的回调";
    callback_failed() "failed", "失败";
    callback_sending() "sending", "发送中";
    callback_delivered() "delivered", "已送达";
    callback_due() "due", "待发送";
    callback_due_at(time) "due {time}", "待发送：{time}";
    one_attempt() "1 attempt", "已尝试 1 次";
    attempts(count) "{count} attempts", "已尝试 {count} 次";
    // A task as a whole.
    price_above_limit(price, most) "The price based on the actual files is {price} {price|point|points}, more than maxPoints ({most}). Submit a new task with a higher maxPoints, or with fewer or shorter outputs.", "按实际文件计算需要 {price} 点，超过 maxPoints（{most}）。请以更高的 maxPoints 重新提交新任务，或减少、缩短输出。";
    price_above_batch_limit(price, left, most) "The price based on the actual files is {price} {price|point|points}, but maxPoints of the batch ({most}) leaves {left} for this row. Submit the row in a new batch with a higher maxPoints, or with fewer or shorter outputs.", "按实际文件计算需要 {price} 点，但批次的 maxPoints（{most}）只给这一行留下 {left} 点。请在新批次中以更高的 maxPoints 提交该行，或减少、缩短输出。";
    row_above_limit(price, most) "This row would cost {price} {price|point|points}, more than maxPoints of its request ({most}).", "此行需要 {price} 点，超过其请求的 maxPoints（{most}）。";
    price_too_high(price, means) "The price based on the actual files is {price} {price|point|points}, but only {means} {means|is|are} available. Get more points, or send fewer or shorter outputs.", "按实际文件计算需要 {price} 点，但仅有 {means} 点可用。请增加点数，或减少、缩短输出。";
    items_failed(failed, total, items) "{failed} of {total} {total|item|items} failed. {items}", "{total} 项中有 {failed} 项失败。{items}";
    of_item(item, why) "item {item}: {why}", "第 {item} 项：{why}";
    all_of(reasons) "{reasons}", "{reasons}";
    cancelled_after(delivered, total) "Cancelled. Delivered outputs: {delivered} of {total}.", "已取消；{total} 个视频中已交付 {delivered} 个";
    cancelled_before() "The task was cancelled before this output was rendered.", "任务在该视频生成之前已取消。";
    not_planned() "The item was not planned; send the task again.", "该项未能规划，请重新提交任务。";
    task_unreadable() "The stored task could not be read; send it again.", "无法读取已保存的任务，请重新提交。";
    parts_disappeared() "Finished parts of the output disappeared repeatedly; send the task again.", "已完成的部分多次丢失，请重新提交任务。";
    machines_stopped() "The machines that worked on this stopped repeatedly; send the task again.", "处理该任务的机器多次中断，请重新提交任务。";
    // Notes on movements of points.
    held_at_submission() "held at submission", "提交时冻结";
    held_at_price() "held at the confirmed price", "按确认价格冻结";
    price_confirmed() "price confirmed", "价格已确认";
    output_delivered() "output delivered", "视频已交付";
    not_used() "not used by the output", "视频未用完的点数";
    output_not_made() "output not rendered", "视频未生成";
    operators_remark(text) "{text}", "{text}";
}
