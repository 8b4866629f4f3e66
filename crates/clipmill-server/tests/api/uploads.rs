//! Uploading files and using them in tasks.

use axum::body::Body;
use axum::http::{Request, header};
use futures_util::StreamExt;
use serde_json::{Value, json};

use clipmill_media::cache::disk::Disk;

use crate::harness::{API, Service, User, keyed, task};

const UPLOADS: &str = "/open-api/v1/uploads";
/// SHA-256 of `MEDIA of some kind`.
const SHA256: &str = "3e2f124f253eb79fab9d1de773c4bf51197e80bcc96f43ecf556bfa054ea2af8";

fn leftovers(service: &Service) -> usize {
    std::fs::read_dir(service.data.uploads()).unwrap().count()
}

#[tokio::test]
async fn a_file_is_kept_by_its_content() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let first =
        service.upload(&ann, &format!("{UPLOADS}?fileName=a%20clip.mp4"), "MEDIA of some kind").await.data();
    assert_eq!(first["sizeBytes"], 18);
    assert_eq!(first["sha256"], SHA256);
    assert_eq!(first["media"]["video"]["duration"], 10.0);
    let kept = std::fs::read(service.data.input(SHA256)).unwrap();
    assert_eq!(kept, b"MEDIA of some kind");

    // A render may be reading the file: it is not moved, and counts as used.
    let path = service.data.input(SHA256);
    let about = || std::fs::metadata(&path).unwrap();
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    std::fs::File::open(&path).unwrap().set_modified(long_ago).unwrap();
    let number = std::os::unix::fs::MetadataExt::ino(&about());
    let again = service.upload(&ann, UPLOADS, "MEDIA of some kind").await.data();
    assert_eq!(std::os::unix::fs::MetadataExt::ino(&about()), number);
    assert!(about().modified().unwrap() > long_ago);
    assert_ne!(again["url"], first["url"], "each upload has its own, unguessable url");
    assert_eq!(again["sha256"], first["sha256"]);
    let subtitle = service.upload(&ann, UPLOADS, "1\n00:00:01,000 --> 00:00:02,000\nhello").await.data();
    assert_eq!(subtitle["media"], Value::Null);
    assert_eq!(leftovers(&service), 0);
}

#[tokio::test]
async fn empty_too_large_and_cut_uploads_leave_nothing_behind() {
    let service = Service::with(|config| {
        config.limits.upload = "1KiB".parse().unwrap();
        config.server.stall_timeout = "10ms".parse().unwrap();
    })
    .await;
    let ann = service.user("ann", 100).await;
    service.upload(&ann, UPLOADS, vec![1; 1024]).await.data();
    service.upload(&ann, UPLOADS, "").await.error(40000);
    service.upload(&ann, UPLOADS, vec![1; 1025]).await.error(41300);
    let announced = keyed(&ann, "POST", UPLOADS).header(header::CONTENT_LENGTH, "99999999999");
    service.call(announced.body(Body::from("x")).unwrap()).await.error(41300);

    let start = || futures_util::stream::iter([Ok::<_, std::io::Error>(vec![1; 600])]);
    let unannounced = start().chain(start());
    service.upload(&ann, UPLOADS, Body::from_stream(unannounced)).await.error(41300);
    let stalled = start().chain(futures_util::stream::pending());
    service.upload(&ann, UPLOADS, Body::from_stream(stalled)).await.error(40000);
    let broken = start().chain(futures_util::stream::iter([Err(std::io::Error::other("reset"))]));
    service.upload(&ann, UPLOADS, Body::from_stream(broken)).await.error(40000);

    let name = format!("{UPLOADS}?fileName=a%0D%0Ab");
    let data = service.upload(&ann, &name, "x").await.error(40001);
    assert_eq!(data["errors"][0]["path"], "/query/fileName");
    assert_eq!(leftovers(&service), 0);
    assert_eq!(std::fs::read_dir(service.data.inputs()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_form_is_refused() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    for kind in ["multipart/form-data; boundary=x", "Multipart/Form-Data"] {
        let form = keyed(&ann, "POST", UPLOADS).header(header::CONTENT_TYPE, kind);
        let response = service.call(form.body(Body::from("--x\r\nMEDIA\r\n--x--")).unwrap()).await;
        assert!(response.json()["msg"].as_str().unwrap().contains("curl --data-binary @file"));
        response.error(41500);
    }
    for kind in ["application/x-www-form-urlencoded", "video/mp4"] {
        let file = keyed(&ann, "POST", UPLOADS).header(header::CONTENT_TYPE, kind);
        service.call(file.body(Body::from("MEDIA")).unwrap()).await.data();
    }
    assert_eq!(leftovers(&service), 0);
}

#[tokio::test]
async fn an_upload_without_media_is_a_warning_where_media_is_needed() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let media = service.upload(&ann, UPLOADS, "MEDIA").await.data()["url"].clone();
    let text =
        service.upload(&ann, UPLOADS, "1\n00:00:01,000 --> 00:00:02,000\nhello").await.data()["url"].clone();
    let body = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": media }, { "url": text }] }],
        "options": { "subtitle": { "url": text, "style": { "font": text } }, "audio": { "url": text } },
    } });
    let message = "this upload contains no video, audio or image, so videos that use it will fail; upload the media file itself";
    let expected = ["/params/videoList/0/videos/1/url", "/params/options/audio/url"].map(
        |path| json!({ "path": path, "message": message, "code": "upload_without_media", "params": {} }),
    );
    for path in ["estimate", "submit"] {
        let response = service.post(&ann, &format!("{API}/{path}"), body.to_string()).await.data();
        let about =
            response["warnings"].as_array().unwrap().iter().filter(|warning| warning["message"] == message);
        assert_eq!(about.cloned().collect::<Vec<_>>(), expected, "{path}");
    }
}

#[tokio::test]
async fn a_font_is_an_upload_of_the_user() {
    let service = Service::start().await;
    let [ann, bob] = [service.user("ann", 100).await, service.user("bob", 100).await];
    let font = service.upload(&ann, UPLOADS, "FONT").await.data()["url"].clone();
    let body = |font: &Value| {
        json!({ "taskType": "baseVideoMix", "params": {
            "videoList": [{ "videos": [{ "url": "https://media.example/a.mp4" }] }],
            "options": { "overlays": [{ "type": "text", "text": "A", "style": { "font": font } }] },
        } })
        .to_string()
    };
    let submit = format!("{API}/submit");
    service.post(&ann, &submit, body(&font)).await.data();
    for (user, font) in
        [(&bob, &font), (&ann, &json!("https://media.example/a.ttf")), (&ann, &json!("upload://x"))]
    {
        let data = service.post(user, &submit, body(font)).await.error(40001);
        assert_eq!(data["errors"][0]["path"], "/params/options/overlays/0/style/font", "{data}");
    }
    let path = format!("{UPLOADS}/{}", font.as_str().unwrap().trim_start_matches("upload://"));
    let kept = service.call(keyed(&ann, "DELETE", &path).body(Body::empty()).unwrap()).await;
    assert_eq!(kept.status, 409, "the task needs it");
}

#[tokio::test]
async fn without_a_bucket_direct_uploads_are_refused_with_advice() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    for (path, body) in [
        ("presign", json!({ "sizeBytes": 5 })),
        ("confirm", json!({ "uploadId": "0123456789abcdef0123456789abcdef" })),
    ] {
        let data = service.post(&ann, &format!("{UPLOADS}/{path}"), body.to_string()).await.error(40001);
        assert!(data["errors"][0]["message"].as_str().unwrap().contains("/open-api/v1/uploads"), "{data}");
    }
    let wrong = service.post(&ann, &format!("{UPLOADS}/presign"), r#"{"sizeBytes":0}"#).await.error(40001);
    assert_eq!(wrong["errors"][0]["path"], "/sizeBytes");
}

#[tokio::test]
async fn an_upload_can_be_used_only_by_its_owner() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let url = service.upload(&ann, UPLOADS, "MEDIA").await.data()["url"].clone();
    let mut body = task();
    body["params"]["videoList"][0]["filename"] = url.clone();
    service.submit(&ann, &body).await.data();

    let data = service.submit(&bob, &body).await.error(40001);
    assert_eq!(data["errors"][0]["path"], "/params/videoList/0/filename");
    assert_eq!(data["errors"][0]["got"], url);
    let mix = json!({
        "taskType": "proVideoMix",
        "params": {
            "scenes": [{
                "sceneKey": "a", "sceneName": "a", "duration": 5,
                "resources": [{ "url": "https://media.example/a.mp4" }, { "url": url }],
                "audioResources": [{ "url": url }],
            }],
            "audioMode": "merge", "generateCount": 1,
            "options": { "backgroundMusic": { "url": url }, "audio": { "url": url }, "subtitle": { "url": url } },
        },
    });
    let data = service.submit(&bob, &mix).await.error(40001);
    let paths: Vec<_> =
        data["errors"].as_array().unwrap().iter().map(|e| e["path"].as_str().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "/params/scenes/0/resources/1/url",
            "/params/scenes/0/audioResources/0/url",
            "/params/options/backgroundMusic/url",
            "/params/options/audio/url",
            "/params/options/subtitle/url",
        ]
    );
    service.submit(&ann, &mix).await.data();
}

const MIB: u64 = 1 << 20;

/// Bytes of the files in a folder.
fn used(folder: &std::path::Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).filter(|file| file.is_file()).map(|file| file.len()).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_of_unknown_length_respect_the_space_to_keep_free() {
    const ROOM: u64 = 40 * MIB;
    const FLOOR: u64 = 16 * MIB;
    // A disk that holds nothing but uploads.
    let small = |data: &clipmill_server::DataDir, keep_free| {
        let folders = [data.uploads(), data.inputs()];
        Disk::measured(keep_free, None, move || {
            let used: u64 = folders.iter().map(|folder| used(folder)).sum();
            assert!(used <= ROOM, "{used} bytes are on the disk");
            Ok((ROOM + FLOOR).saturating_sub(used))
        })
    };
    let service = Service::on_disk(|config| config.storage.keep_free = "16MiB".parse().unwrap(), small).await;
    let ann = service.user("ann", 100).await;
    let uploads = (0..50_u8).map(|number| {
        // The uploads differ, come in chunks, and have no length.
        let pieces =
            (0..48_u8).map(move |piece| Ok::<_, std::io::Error>(vec![number ^ piece; MIB as usize / 16]));
        let body = Body::from_stream(futures_util::stream::iter(pieces));
        service.upload(&ann, UPLOADS, body)
    });
    let answers = futures_util::future::join_all(uploads).await;
    let (kept, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|response| response.status == 200);
    assert!(!kept.is_empty() && !refused.is_empty(), "{} kept", kept.len());
    refused.into_iter().for_each(|response| _ = response.error(50300));
    assert_eq!(service.app.disk.promised_bytes(), 0);
    assert_eq!(leftovers(&service), 0);
}

#[tokio::test]
async fn uploads_are_listed_renamed_and_deleted_only_by_their_owner() {
    let service = Service::start().await;
    let (ann, bob) = (service.user("ann", 100).await, service.user("bob", 100).await);
    let send = async |user: &User, name: &str, bytes: &'static [u8]| {
        let response =
            service.upload(user, &format!("/open-api/v1/uploads?fileName={name}"), bytes).await.data();
        response["url"].as_str().unwrap().strip_prefix("upload://").unwrap().to_owned()
    };
    let first = send(&ann, "Clip.mp4", b"MEDIA one").await;
    let text = send(&ann, "notes.srt", b"no media").await;
    let again = send(&ann, "Clip%20again.mp4", b"MEDIA one").await;
    let list = async |user: &User, query: &str| {
        let data = service.get(user, &format!("/open-api/v1/uploads?{query}")).await.data();
        let urls =
            data["list"].as_array().unwrap().iter().map(|file| file["url"].as_str().unwrap().to_owned());
        (urls.collect::<Vec<_>>(), data["total"].as_u64().unwrap())
    };
    let url = |id: &str| format!("upload://{id}");
    assert_eq!(list(&ann, "").await, (vec![url(&again), url(&text)], 2));
    assert_eq!(list(&ann, "q=CLIP").await, (vec![url(&again)], 1));
    assert_eq!(list(&ann, "pageSize=1&pageNo=2").await, (vec![url(&text)], 2));
    assert_eq!(list(&bob, "").await, (vec![], 0));
    assert_eq!(service.get(&ann, "/open-api/v1/uploads?sha256=ABC").await.code(), 40001);
    assert_eq!(service.get(&ann, "/open-api/v1/uploads?kind=film").await.code(), 40001);

    let path = |id: &str| format!("/open-api/v1/uploads/{id}");
    let content = service.get(&ann, &path(&first)).await.data()["sha256"].clone();
    let of_content = format!("sha256={}", content.as_str().unwrap());
    assert_eq!(list(&ann, &of_content).await, (vec![url(&again)], 1));
    assert_eq!(list(&bob, &of_content).await, (vec![], 0));
    let file = service.get(&ann, &path(&text)).await.data();
    assert_eq!(
        (&file["name"], &file["kind"], &file["sizeBytes"]),
        (&json!("notes.srt"), &json!(null), &json!(8))
    );
    let renamed = service.send("PATCH", &ann, &path(&first), &json!({ "name": "Neu.mp4" })).await.data();
    assert_eq!(renamed["name"], "Neu.mp4");
    assert_eq!(service.get(&ann, &path(&again)).await.data()["name"], "Neu.mp4");
    for (body, wrong) in [(json!({}), 40001), (json!({ "name": "" }), 40001), (json!({ "name": 5 }), 40001)] {
        assert_eq!(service.send("PATCH", &ann, &path(&first), &body).await.code(), wrong);
    }
    for (method, body) in
        [("GET", json!(null)), ("PATCH", json!({ "name": "mine" })), ("DELETE", json!(null))]
    {
        assert_eq!(service.send(method, &bob, &path(&first), &body).await.code(), 40400, "{method}");
    }

    let mut task = task();
    task["params"]["videoList"][0]["filename"] = json!(url(&first));
    // PostgreSQL would refuse to search for such an ID.
    for unknown in ["a%00b", "%00"] {
        assert_eq!(
            service.get(&ann, &format!("/open-api/v1/uploads/{unknown}")).await.code(),
            40400,
            "{unknown}"
        );
    }
    let task_no = service.submit(&ann, &task).await.data()["taskNo"].as_str().unwrap().to_owned();
    let refused = service.send("DELETE", &ann, &path(&again), &json!(null)).await;
    assert_eq!((refused.code(), &refused.json()["data"]["neededBy"]), (40904, &json!(task_no)));
    service.post(&ann, &format!("{API}/cancel/{task_no}"), "").await.data();
    assert_eq!(service.send("DELETE", &ann, &path(&again), &json!(null)).await.code(), 0);
    assert_eq!(service.get(&ann, &path(&first)).await.code(), 40400);
    assert_eq!(service.submit(&ann, &task).await.code(), 40001);
}

#[tokio::test]
async fn a_library_entry_leads_to_its_file_by_a_link() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let entry = async |name: &str, bytes: &'static [u8]| {
        let response =
            service.upload(&ann, &format!("/open-api/v1/uploads?fileName={name}"), bytes).await.data();
        let id = response["url"].as_str().unwrap().strip_prefix("upload://").unwrap().to_owned();
        service.get(&ann, &format!("/open-api/v1/uploads/{id}")).await.data()
    };
    let look = async |link: &str, range: Option<&str>| {
        let asked = Request::builder().uri(link.strip_prefix("http://127.0.0.1:8080").unwrap());
        let asked = range.into_iter().fold(asked, |asked, range| asked.header("range", range));
        service.call(asked.body(Body::empty()).unwrap()).await
    };
    let page = entry("page.html", b"<script>alert(1)</script>").await;
    let link = page["fileUrl"].as_str().unwrap();
    let whole = look(link, None).await;
    assert_eq!((whole.status.as_u16(), &whole.body[..]), (200, &b"<script>alert(1)</script>"[..]));
    // A file that a browser would run as a page is sent as a download, not as its own type.
    assert_eq!(whole.header("content-type"), "application/octet-stream");
    assert!(whole.header("content-disposition").starts_with("attachment"));
    assert!(whole.header("content-disposition").ends_with("filename*=UTF-8''page.html"));
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    let part = look(link, Some("bytes=1-6")).await;
    assert_eq!((part.status.as_u16(), &part.body[..]), (206, &b"script"[..]));

    let other = entry("notes.srt", b"no media").await;
    let id = |entry: &Value| entry["url"].as_str().unwrap().strip_prefix("upload://").unwrap().to_owned();
    for wrong in [
        link.replace(&id(&page), &id(&other)),
        link.replace("signature=", "signature=A"),
        link.replace("expires=", "expires=9"),
        link.replace("/uploads/", "/uploads/0"),
        link.split('?').next().unwrap().to_owned(),
    ] {
        assert_eq!(look(&wrong, None).await.code(), 40300, "{wrong}");
    }
    service.send("DELETE", &ann, &format!("/open-api/v1/uploads/{}", id(&page)), &json!(null)).await;
    assert_eq!(look(link, None).await.code(), 40400);
}
