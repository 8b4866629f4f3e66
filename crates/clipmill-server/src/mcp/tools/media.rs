//! Files for tasks: upload, list, probe.

use std::path::PathBuf;

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Outcome, ToolContext, ToolOutput, UPLOADS};
use crate::mcp::api_client::{Body, Call};
use crate::mcp::refusal::Refusal;

pub const UPLOAD: &str = "Uploads a file from this computer: video, image, audio, or captions (SRT, VTT). Returns an \
    upload:// URL that you can use in place of any URL in requests, and the file's streams. Free; stored for some days.";
pub const FILES: &str = "Files and folders of one folder on this computer, with sizes; hidden ones are left out. Use the \
    paths with upload_file.";
pub const CAPTIONS: &str = "Uploads captions that you wrote: SRT, WebVTT or SBV text. Returns an upload:// URL for \
    the `url` of `subtitle`. Free; stored for some days. For one request, `text` (a script, which is timed for you) or \
    `cues` of `subtitle` in the request itself is simpler.";
pub const LIST: &str =
    "Files that the user uploaded before, newest first, with their upload:// urls, names and lengths.";
pub const PROBE: &str = "Probes a file: container, codecs, width and height, length, audio. Accepts an upload:// URL, a result:// URL or a \
    public http(s) link. Free.";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Upload {
    /// Path of the file on this computer: absolute, or relative to the folder of `--files` (without it, to the folder
    /// that the server was started in). list_files returns such paths.
    path: PathBuf,
    /// Display name; by default the file's own name.
    file_name: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Files {
    /// The folder: absolute, or relative to the folder of `--files`. By default that folder itself.
    folder: Option<PathBuf>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Captions {
    /// All of the captions, with their times.
    text: String,
    /// File name with the ending of the format, such as `captions.srt`.
    file_name: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct List {
    /// Part of the file's name.
    q: Option<String>,
    /// Only files of this kind: video, picture or audio.
    kind: Option<String>,
    /// From 1.
    #[schemars(range(min = 1))]
    page_no: Option<u32>,
    /// 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    page_size: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Probe {
    /// An upload:// or result:// URL of the user, or a public http(s) link.
    url: String,
}

pub async fn upload(context: ToolContext, Upload { path, file_name }: Upload) -> Outcome {
    let own = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = file_name.or(own).ok_or_else(|| Refusal::new("path is not a file"))?;
    let call = Call::post(UPLOADS, Body::File(path)).with("fileName", Some(name));
    Ok(ToolOutput::Facts(context.ask(call).await?))
}

/// The most entries of a folder that are listed.
const MAX_FILES: usize = 500;

pub async fn files(context: ToolContext, Files { folder }: Files) -> Outcome {
    let mut files = context.client.list_files(&folder.unwrap_or_default()).await?;
    let total = files.len();
    files.truncate(MAX_FILES);
    Ok(ToolOutput::Facts(json!({ "files": files, "total": total })))
}

pub async fn captions(context: ToolContext, Captions { text, file_name }: Captions) -> Outcome {
    if text.trim().is_empty() {
        return Err(Refusal::new("text is empty: send all of the captions"));
    }
    let name = file_name.unwrap_or_else(|| "captions.srt".to_owned());
    let call = Call::post(UPLOADS, Body::Bytes(text.into())).with("fileName", Some(name));
    Ok(ToolOutput::Facts(context.ask(call).await?))
}

pub async fn list(context: ToolContext, List { q, kind, page_no, page_size }: List) -> Outcome {
    let call = Call::get(UPLOADS)
        .with("q", q)
        .with("kind", kind)
        .with("pageNo", page_no)
        .with("pageSize", page_size);
    Ok(ToolOutput::Facts(context.ask(call).await?))
}

pub async fn probe(context: ToolContext, Probe { url }: Probe) -> Outcome {
    let call = Call::post("/open-api/v1/probe", Body::json(&json!({ "url": url })));
    Ok(ToolOutput::Facts(context.ask(call).await?))
}
