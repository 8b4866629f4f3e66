//! `GET …/timeline/{taskNo}/{itemNo}`: an output as a project for an editing program, with its original files.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use clipmill_blobs::key;
use clipmill_core::editorial::{EditorialMedia, EditorialTimeline, MediaTarget, to_otio, to_srt};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::media::ContentHash;
use clipmill_core::message;
use clipmill_core::plan::{FrameError, as_planned};
use clipmill_core::request::model::{MixOptions, TaskRequest};
use clipmill_core::speech::{Speech, input_name, transcript_url};
use clipmill_core::task::TaskState;
use clipmill_store::{ItemRecord, TaskRecord};
use futures_util::TryStreamExt;
use serde_json::{Value, json};
use tokio_util::io::StreamReader;

use super::download::archive_response;
use super::submit::UPLOAD_SCHEME;
use crate::api::extract::query::Params;
use crate::api::tasks::request::kept_request;
use crate::app::App;
use crate::archive::{Entry, Reader};
use crate::auth::{Caller, Read};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::file_names::{self, FileName};
use crate::view::FileBytes;

/// The time limit for fetching the files of an output.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The formats of projects; the first one is the default.
const FORMATS: [&str; 1] = ["otio"];
/// The most characters of a file's own name in the archive.
const MAX_NAME_LENGTH: usize = 60;

/// Download the timeline of an output for an editing program, as a zip with the original files.
///
/// `timeline.otio` is an OpenTimelineIO file: clips with their in-points in the original files, transitions, overlays,
/// audio tracks with levels and fades, and captions as markers. The archive also contains `media/` with the files,
/// `captions.srt` if the output has captions, and a `README.txt`. The output must have been planned; it need not be
/// finished. A file at a web address that the service no longer has is downloaded again. Looks, effects and motion are
/// only in the metadata under `clipmill`.
#[utoipa::path(get, path = "/open-api/v1/video-process/timeline/{taskNo}/{itemNo}", operation_id = "getTimeline",
    tag = "tasks", security(("apiKey" = ["read"])),
    params(
        ("taskNo" = String, Path, description = "Task number from the submission's response."),
        ("itemNo" = u32, Path, minimum = 1, description = "Number of the output, from 1."),
        ("format" = Option<String>, Query, description = "Format of the timeline: `otio` (default)."),
    ),
    responses((status = 200, description = "The archive.", content_type = "application/zip", body = inline(FileBytes))))]
pub async fn timeline(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    path: Result<Path<(String, u32)>, PathRejection>,
    mut params: Params,
) -> ApiResult<Response> {
    let formats = message::allowed_values(FORMATS.join(", "));
    params.read("format", formats, |text| FORMATS.contains(&text).then_some(()));
    params.finish()?;
    let parts = path.ok().and_then(|Path((task_no, item_no))| Some((TaskNo::parse(&task_no)?, item_no)));
    let (task_no, item_no) = parts.ok_or_else(ApiError::not_found)?;
    let task = app.store.tasks().find(caller.user, &task_no).await?.ok_or_else(ApiError::not_found)?;
    let item = task.items.iter().find(|item| item.item_no == item_no).ok_or_else(ApiError::not_found)?;
    check_planned(item)?;
    let archive_permit = app.semaphores.archives.try_acquire(caller.user)?;
    let request = kept_request(&app, caller.user, &task_no).await?;
    let used = used_contents(&app, &task).await?;
    let contents = contents(&app, &task, &request, &used).await?;
    let recipes: Vec<&Value> = task.items.iter().map(|item| &item.recipe).collect();
    let request = as_planned(&request, &recipes, item_no);
    let planned = {
        let _permit = app.semaphores.looks.acquire(caller.user).await?;
        let planning = app.media.plan_editorial(&request, task.seed, item_no, &contents);
        let late = |_| ApiError::no_timeline(&message::fetched_too_late());
        tokio::time::timeout(TIMEOUT, planning).await.map_err(late)?
    };
    let timeline = planned.map_err(|error| no_timeline(error, item_no))?;
    let words = file_names::words(&app.store.tasks().title(&task_no).await?.unwrap_or_default());
    let name = FileName::of_item(words.as_deref(), &task_no, item_no, "zip");
    let files = media_files(&app, caller.user, &timeline, &used).await?;
    let title = format!("{} {item_no}", words.as_deref().unwrap_or(task_no.as_str()));
    let project = project(&timeline, &files, &title, &task, item)?;
    let now = clock::now_ms();
    let entries = entries(project, files);
    let sizes: Vec<(String, u64)> = entries.iter().map(|entry| (entry.name.clone(), entry.size)).collect();
    let (entries, opening_app) = (Arc::new(entries), app.clone());
    let open = move |index| {
        let (app, entries) = (opening_app.clone(), entries.clone());
        async move {
            let entry: &ProjectEntry = entries.get(index).ok_or_else(|| io::Error::other("no such file"))?;
            let reader = match &entry.content {
                EntryContent::Text(text) => Box::pin(io::Cursor::new(text.clone())) as Reader,
                EntryContent::Input(content) => open_input(&app, content).await?,
            };
            Ok(Entry { name: entry.name.clone(), size: entry.size, reader })
        }
    };
    archive_response(archive_permit, &name, &sizes, now, open)
}

/// Fails unless preflight planned the output.
fn check_planned(item: &ItemRecord) -> ApiResult<()> {
    match item.state {
        _ if item.frames_planned > 0 => Ok(()),
        TaskState::PendingSubmission => {
            Err(ApiError::no_timeline(&message::timeline_not_planned(item.item_no)))
        }
        _ => Err(ApiError::no_timeline(&message::timeline_of_rejected(item.item_no))),
    }
}

fn no_timeline(error: FrameError, item_no: u32) -> ApiError {
    match error {
        FrameError::NoSuchItem(_) | FrameError::NoSuchClip(_) => ApiError::not_found(),
        FrameError::Task(error) if error.code == ErrorCode::Internal => error.into(),
        FrameError::Task(TaskError { input: Some(input), message, .. }) => {
            ApiError::no_timeline(&message::timeline_lacks_input(input, message))
        }
        FrameError::Task(error) => {
            tracing::info!(%error, item_no, "a timeline could not be planned");
            ApiError::no_timeline(&error.message)
        }
    }
}

/// The contents that a URL had when the segments of a task were planned.
type UsedContents = BTreeMap<String, BTreeSet<ContentHash>>;

async fn used_contents(app: &App, task: &TaskRecord) -> ApiResult<UsedContents> {
    let mut used = UsedContents::new();
    for source in app.store.tasks().sources(task.user, task.id).await? {
        used.entry(source.url).or_default().insert(source.content);
    }
    Ok(used)
}

/// The content of the files of a task by their URLs, as far as the service has them: files as the task used them, even
/// if their addresses serve others by now.
async fn contents(
    app: &App,
    task: &TaskRecord,
    request: &TaskRequest,
    used: &UsedContents,
) -> ApiResult<BTreeMap<String, ContentHash>> {
    let mut contents = BTreeMap::new();
    for (url, used_contents) in used {
        for content in used_contents {
            if stored_bytes(app, content).await?.is_some() {
                contents.insert(url.clone(), content.clone());
            }
        }
    }
    for url in request.inputs().into_iter().map(|input| input.url) {
        if contents.contains_key(url) {
            continue;
        }
        let content = if let Some(id) = url.strip_prefix(UPLOAD_SCHEME) {
            let upload = app.store.library().upload(task.user, id).await?;
            upload.map(|upload| ContentHash(upload.content_sha256.into()))
        } else if let Some(speech) = Speech::of_url(url) {
            app.media.spoken(task.user, &speech).await
        } else {
            None
        };
        contents.extend(content.map(|content| (url.to_owned(), content)));
    }
    if request.params.mix_options().is_some_and(MixOptions::may_be_transcribed) {
        let mut transcripts = Vec::new();
        for (url, content) in &contents {
            let key = app.media.transcribed(task.user, content).await;
            transcripts.extend(key.map(|key| (transcript_url(url), key)));
        }
        contents.extend(transcripts);
    }
    Ok(contents)
}

/// The size of an input in the configured storage; `None` if it is not there.
async fn stored_bytes(app: &App, content: &ContentHash) -> ApiResult<Option<u64>> {
    match app.data.bucket() {
        Some(bucket) => {
            let stored = bucket.head(&key::input(&content.0)).await.map_err(ApiError::unavailable)?;
            Ok(stored.map(|stored| stored.size_bytes))
        }
        None => Ok(tokio::fs::metadata(app.data.input(&content.0)).await.ok().map(|file| file.len())),
    }
}

async fn open_input(app: &App, content: &ContentHash) -> io::Result<Reader> {
    match app.data.bucket() {
        Some(bucket) => {
            let chunks = bucket.read(&key::input(&content.0)).await.map_err(io::Error::other)?;
            let chunks = chunks.ok_or(io::ErrorKind::NotFound)?;
            Ok(Box::pin(StreamReader::new(chunks.map_err(io::Error::other))))
        }
        None => Ok(Box::pin(tokio::fs::File::open(app.data.input(&content.0)).await?)),
    }
}

/// A file of the timeline, and its entry in the archive if the service has it.
struct MediaFile {
    content: ContentHash,
    stored: Option<StoredMedia>,
    /// Whether its address serves another file than when the output was planned.
    is_changed: bool,
}

struct StoredMedia {
    path: String,
    size: u64,
}

async fn media_files(
    app: &App,
    user: UserId,
    timeline: &EditorialTimeline,
    used: &UsedContents,
) -> ApiResult<Vec<MediaFile>> {
    let mut paths: BTreeMap<&ContentHash, String> = BTreeMap::new();
    let mut files = Vec::with_capacity(timeline.media.len());
    for media in &timeline.media {
        let size = stored_bytes(app, &media.content).await?;
        // A file with several URLs is stored once.
        let path = match paths.get(&media.content) {
            Some(path) => path.clone(),
            None => {
                let own_name = own_name(app, user, media).await?;
                format!("media/{:02}-{}", paths.len() + 1, archived_name(&own_name, &media.format))
            }
        };
        paths.insert(&media.content, path.clone());
        let stored = size.map(|size| StoredMedia { path, size });
        let is_changed = used.get(&media.url).is_some_and(|used| !used.contains(&media.content));
        files.push(MediaFile { content: media.content.clone(), stored, is_changed });
    }
    Ok(files)
}

/// The name of a file as its user knows it.
async fn own_name(app: &App, user: UserId, media: &EditorialMedia) -> ApiResult<String> {
    if let Some(id) = media.url.strip_prefix(UPLOAD_SCHEME) {
        let file = app.store.library().find(user, id).await?;
        return Ok(file.and_then(|file| file.name).unwrap_or_default());
    }
    if Speech::of_url(&media.url).is_some() {
        return Ok("voice".to_owned());
    }
    let path = media.url.split(['?', '#']).next().unwrap_or_default();
    Ok(path.rsplit('/').next().unwrap_or_default().to_owned())
}

/// A file name that every program accepts in a URL without encoding: letters, digits, `-` and `_`, with the extension
/// of the name or of the container.
fn archived_name(own_name: &str, format: &str) -> String {
    let is_extension =
        |text: &str| (2..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (stem, extension) = match own_name.rsplit_once('.') {
        Some((stem, extension)) if is_extension(extension) => (stem, extension.to_lowercase()),
        _ => (own_name, extension_of(format).to_owned()),
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let stem: String = stem.chars().map(plain).collect();
    let words: Vec<&str> = stem.split('-').filter(|word| !word.is_empty()).collect();
    let stem: String = words.join("-").chars().take(MAX_NAME_LENGTH).collect();
    let stem = if stem.is_empty() { "file" } else { stem.as_str() };
    format!("{stem}.{extension}")
}

fn extension_of(format: &str) -> &'static str {
    const EXTENSIONS: [(&str, &str); 16] = [
        ("mp4", "mp4"),
        ("mov", "mov"),
        ("webm", "webm"),
        ("matroska", "mkv"),
        ("avi", "avi"),
        ("mpegts", "ts"),
        ("flv", "flv"),
        ("wav", "wav"),
        ("mp3", "mp3"),
        ("flac", "flac"),
        ("ogg", "ogg"),
        ("aac", "aac"),
        ("png_pipe", "png"),
        ("jpeg_pipe", "jpg"),
        ("webp_pipe", "webp"),
        ("gif", "gif"),
    ];
    let has = |name: &str| format.split(',').any(|part| part == name);
    EXTENSIONS.iter().find(|(name, _)| has(name)).map_or("bin", |(_, extension)| extension)
}

/// The texts of a project.
struct Project {
    timeline: Vec<u8>,
    captions: Option<Vec<u8>>,
    readme: Vec<u8>,
}

fn project(
    timeline: &EditorialTimeline,
    files: &[MediaFile],
    title: &str,
    task: &TaskRecord,
    item: &ItemRecord,
) -> ApiResult<Project> {
    let target = |file: &MediaFile| match &file.stored {
        Some(stored) => MediaTarget::File(stored.path.clone()),
        None => MediaTarget::Missing,
    };
    let targets: Vec<MediaTarget> = files.iter().map(target).collect();
    let details = json!({
        "taskNo": task.task_no.as_str(),
        "itemNo": item.item_no,
        "taskType": task.task_type,
        "recipe": item.recipe,
    });
    let otio = to_otio(timeline, title, &targets, &details);
    let captions = to_srt(&timeline.captions, timeline.fps);
    Ok(Project {
        timeline: serde_json::to_vec_pretty(&otio).map_err(ApiError::internal)?,
        captions: (!captions.is_empty()).then(|| captions.into_bytes()),
        readme: readme(timeline, files, title).into_bytes(),
    })
}

fn readme(timeline: &EditorialTimeline, files: &[MediaFile], title: &str) -> String {
    let mut text = format!(
        "{title}\n\nOpen timeline.otio in an editing program that imports OpenTimelineIO. Clips refer to the files in \
         media/.\nLooks, effects, image motion and the positions of overlays are in the metadata of the timeline \
         under \"clipmill\".\n"
    );
    if !timeline.captions.is_empty() {
        text.push_str("Captions are markers of the timeline, and in captions.srt.\n");
    }
    let missing = timeline.media.iter().zip(files).filter(|(_, file)| file.stored.is_none());
    let missing: BTreeSet<_> = missing.map(|(media, _)| input_name(&media.url)).collect();
    if !missing.is_empty() {
        text.push_str("\nThese files no longer exist on the service, so their clips have no media:\n");
        missing.iter().for_each(|url| text.push_str(&format!("- {url}\n")));
    }
    let changed = timeline.media.iter().zip(files).filter(|(_, file)| file.is_changed);
    let changed: BTreeSet<_> = changed.map(|(media, _)| input_name(&media.url)).collect();
    if !changed.is_empty() {
        text.push_str(
            "\nThese addresses now serve other files than those that the output was made from, so their clips may \
             differ from it:\n",
        );
        changed.iter().for_each(|url| text.push_str(&format!("- {url}\n")));
    }
    text
}

struct ProjectEntry {
    name: String,
    size: u64,
    content: EntryContent,
}

enum EntryContent {
    Text(Vec<u8>),
    Input(ContentHash),
}

impl ProjectEntry {
    fn text(name: &str, text: Vec<u8>) -> Self {
        Self { name: name.to_owned(), size: text.len() as u64, content: EntryContent::Text(text) }
    }
}

/// The files of the archive, each once.
fn entries(project: Project, files: Vec<MediaFile>) -> Vec<ProjectEntry> {
    let Project { timeline, captions, readme } = project;
    let mut entries = vec![ProjectEntry::text("timeline.otio", timeline)];
    entries.extend(captions.map(|captions| ProjectEntry::text("captions.srt", captions)));
    entries.push(ProjectEntry::text("README.txt", readme));
    let mut paths = BTreeSet::new();
    for MediaFile { content, stored, .. } in files {
        if let Some(StoredMedia { path, size }) = stored
            && paths.insert(path.clone())
        {
            entries.push(ProjectEntry { name: path, size, content: EntryContent::Input(content) });
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use clipmill_core::editorial::EditorialMediaKind;
    use clipmill_core::media::Size;
    use clipmill_core::time::{Fps, Frames};

    use super::*;

    #[test]
    fn names_in_the_archive_are_plain() {
        for (own, format, expected) in [
            ("city.mp4", "mov,mp4", "city.mp4"),
            ("My Clip (1).MOV", "mov,mp4", "My-Clip-1.mov"),
            ("../../etc/passwd", "wav", "etc-passwd.wav"),
            ("城市.mp4", "mov,mp4", "file.mp4"),
            ("", "matroska,webm", "file.webm"),
            ("..", "png_pipe", "file.png"),
            ("a%20b.v2", "mp3", "a-20b.v2"),
            ("voice", "wav", "voice.wav"),
        ] {
            assert_eq!(archived_name(own, format), expected, "{own}");
        }
        assert_eq!(archived_name(&"x".repeat(300), "gif").len(), MAX_NAME_LENGTH + 4);
    }

    #[test]
    fn files_that_changed_at_their_address_are_named() {
        let media = |url: &str| EditorialMedia {
            url: url.to_owned(),
            content: ContentHash("new".into()),
            size_bytes: 1,
            format: "wav".to_owned(),
            kind: EditorialMediaKind::Audio,
            duration_s: 1.0,
            audio_end_s: 1.0,
        };
        let timeline = EditorialTimeline {
            fps: Fps::DEFAULT,
            size: Size::new(720, 1280),
            frames: Frames(30),
            video: Vec::new(),
            audio: Vec::new(),
            captions: Vec::new(),
            media: vec![media("https://media.example/same.wav"), media("https://media.example/other.wav")],
            details: Value::Null,
        };
        let file = |is_changed| MediaFile {
            content: ContentHash("new".into()),
            stored: Some(StoredMedia { path: "media/01-a.wav".to_owned(), size: 1 }),
            is_changed,
        };
        let text = readme(&timeline, &[file(false), file(true)], "Sale");
        assert!(text.ends_with("may differ from it:\n- https://media.example/other.wav\n"), "{text}");
        assert!(!text.contains("same.wav"), "{text}");
    }
}
