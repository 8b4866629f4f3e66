//! The requirements of every storage, tested with a folder and with a bucket.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

#[path = "support/s3_server.rs"]
mod s3_server;

use std::path::Path;
use std::time::Duration;

use clipmill_blobs::{About, BlobError, Blobs, Bucket, Good, MIN_PART, key};
use futures_util::TryStreamExt;
use s3_server::{BUCKET, S3Server, SECRET, always_answering, s3_server, variables};

const HOUR: Duration = Duration::from_secs(3600);

fn now_ms() -> i64 {
    #[allow(clippy::disallowed_methods, reason = "links of a test begin now")]
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64
}

fn good() -> Good {
    Good { now_ms: now_ms(), lifetime: HOUR }
}

fn open(server: &S3Server, prefix: &str) -> Blobs {
    let url = format!("s3://{BUCKET}/{prefix}");
    Blobs::open(&url, None, Path::new("/nowhere"), server.variables().into_iter()).unwrap()
}

fn bucket(server: &S3Server, prefix: &str) -> Bucket {
    open(server, prefix).bucket().unwrap().clone()
}

fn file(folder: &Path, name: &str, content: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

async fn keys(blobs: &Blobs, below: &str) -> Vec<(String, u64)> {
    let actual: Vec<_> = blobs.list(below).try_collect().await.unwrap();
    let mut keys: Vec<_> = actual.into_iter().map(|stored| (stored.key, stored.size_bytes)).collect();
    keys.sort();
    keys
}

async fn conforms(blobs: &Blobs) {
    let folder = tempfile::tempdir().unwrap();
    let (small, large) = (b"small".to_vec(), (0..20 << 20).map(|i: u32| (i % 251) as u8).collect::<Vec<_>>());
    let (small_file, large_file) =
        (file(folder.path(), "small", &small), file(folder.path(), "large", &large));
    let back = folder.path().join("back");

    assert_eq!(blobs.head("results/VP1/1-1.mp4").await.unwrap(), None);
    assert_eq!(blobs.get("results/VP1/1-1.mp4", &back).await.unwrap(), None);
    assert!(!back.exists());
    assert_eq!(keys(blobs, key::RESULTS).await, []);

    blobs.put("results/VP1/1-1.mp4", &large_file, &About::default()).await.unwrap();
    blobs.put("results/VP1/1-2.mp4", &small_file, &About::default()).await.unwrap();
    blobs.put("results/VP2/1-1.jpg", &small_file, &About::default()).await.unwrap();
    blobs.put("resultsets/x", &small_file, &About::default()).await.unwrap();
    let expected_files =
        [("results/VP1/1-1.mp4", 20 << 20), ("results/VP1/1-2.mp4", 5), ("results/VP2/1-1.jpg", 5)];
    assert_eq!(keys(blobs, key::RESULTS).await, expected_files.map(|(key, size)| (key.to_owned(), size)));
    let metadata = blobs.head("results/VP1/1-1.mp4").await.unwrap().unwrap();
    assert_eq!((metadata.key.as_str(), metadata.size_bytes), ("results/VP1/1-1.mp4", 20 << 20));
    let day = 86_400_000;
    let modified = std::fs::metadata(&large_file).unwrap().modified().unwrap();
    let modified = modified.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    assert!((metadata.modified_at - modified).abs() < day, "{metadata:?} was made about {modified}");

    let downloaded = blobs.get("results/VP1/1-1.mp4", &back).await.unwrap().unwrap();
    assert_eq!(downloaded, metadata);
    assert!(std::fs::read(&back).unwrap() == large, "what comes back is what was put");
    // Another content under the same name replaces the first; the file read before is unchanged.
    blobs.put("results/VP1/1-1.mp4", &small_file, &About::default()).await.unwrap();
    assert!(std::fs::read(&back).unwrap() == large);
    blobs.get("results/VP1/1-1.mp4", &back).await.unwrap().unwrap();
    assert_eq!(std::fs::read(&back).unwrap(), small);
    // The caller may change its own file.
    std::fs::remove_file(&small_file).unwrap();
    blobs.get("results/VP1/1-2.mp4", &back).await.unwrap().unwrap();
    assert_eq!(std::fs::read(&back).unwrap(), small);

    blobs.delete(vec!["results/VP1/1-1.mp4".into(), "results/none".into()]).await.unwrap();
    blobs.delete(vec!["results/VP1/1-2.mp4".into(), "results/VP1/1-1.mp4".into()]).await.unwrap();
    assert_eq!(keys(blobs, key::RESULTS).await, [("results/VP2/1-1.jpg".to_owned(), 5)]);
    for bad in ["../x", "/etc/passwd", "a/../../b", ""] {
        assert!(matches!(blobs.get(bad, &back).await, Err(BlobError::Key(_))), "{bad}");
        assert!(matches!(blobs.put(bad, &large_file, &About::default()).await, Err(BlobError::Key(_))));
        assert!(matches!(blobs.delete(vec![bad.to_owned()]).await, Err(BlobError::Key(_))));
    }
    blobs.ping().await.unwrap();
    blobs.check("conformance", folder.path()).await.unwrap();
}

#[tokio::test]
async fn a_folder_conforms_and_copies_nothing() {
    use std::os::unix::fs::MetadataExt;
    let root = tempfile::tempdir().unwrap();
    let blobs = Blobs::open("file:", None, root.path(), std::iter::empty()).unwrap();
    conforms(&blobs).await;

    let source = file(root.path(), "source", b"x");
    blobs.put("results/a", &source, &About::default()).await.unwrap();
    blobs.put("results/a", &source, &About::default()).await.unwrap();
    let back = root.path().join("back");
    blobs.get("results/a", &back).await.unwrap().unwrap();
    let inode = |path: &Path| std::fs::metadata(path).unwrap().ino();
    assert_eq!([inode(&root.path().join("results/a")), inode(&back)], [inode(&source); 2]);
    let remaining = std::fs::read_dir(root.path().join("results")).unwrap().count();
    assert_eq!(remaining, 2, "the file and one folder: nothing unfinished");
}

#[tokio::test]
async fn a_bucket_conforms() {
    let server = s3_server();
    conforms(&open(&server, "conforms")).await;
    conforms(&open(&server, "two/levels")).await;
}

#[tokio::test]
async fn files_are_read_back_unchanged() {
    let (server, folder) = (s3_server(), tempfile::tempdir().unwrap());
    let blobs = open(&server, "damage");
    let about = About { sha256: Some("0".repeat(64)), ..About::default() };
    blobs.put("inputs/x", &file(folder.path(), "x", b"other bytes"), &about).await.unwrap();
    let back = folder.path().join("back");
    let error = blobs.get("inputs/x", &back).await.unwrap_err();
    assert!(matches!(error, BlobError::Damaged { .. }), "{error}");
    assert!(!back.exists());
}

#[tokio::test]
async fn a_file_is_read_piece_by_piece() {
    let (server, folder) = (s3_server(), tempfile::tempdir().unwrap());
    let bucket = bucket(&server, "pieces");
    let content: Vec<u8> = (0..10 << 20).map(|i: u32| (i % 251) as u8).collect();
    let large = file(folder.path(), "large", &content);
    bucket.put("results/a.mp4", &large, &About::default()).await.unwrap();
    let pieces: Vec<_> = bucket.read("results/a.mp4").await.unwrap().unwrap().try_collect().await.unwrap();
    assert!(pieces.len() > 1 && pieces.concat() == content, "{} pieces", pieces.len());
    assert!(bucket.read("results/b.mp4").await.unwrap().is_none());
}

#[tokio::test]
async fn links_work_without_keys_in_whole_and_in_part() {
    let (server, folder, http) = (s3_server(), tempfile::tempdir().unwrap(), reqwest::Client::new());
    let blobs = open(&server, "links");
    let about = About { disposition: Some("inline; filename=\"VP1-1.mp4\"".into()), ..About::default() };
    blobs.put("results/a.mp4", &file(folder.path(), "a", b"0123456789"), &about).await.unwrap();
    let lasting = |blobs: &Blobs, lifetime| {
        blobs.bucket().unwrap().lasting_link("results/a.mp4", lifetime, now_ms()).unwrap()
    };
    let link = lasting(&blobs, HOUR).unwrap();
    let whole = http.get(&link).send().await.unwrap();
    assert_eq!(whole.headers()["content-type"], "video/mp4");
    assert_eq!(whole.headers()["content-disposition"], "inline; filename=\"VP1-1.mp4\"");
    assert_eq!(whole.text().await.unwrap(), "0123456789");
    let part = http.get(&link).header("range", "bytes=2-4").send().await.unwrap();
    assert_eq!(
        (part.status().as_u16(), &part.headers()["content-range"]),
        (206, &"bytes 2-4/10".parse().unwrap())
    );
    assert_eq!(part.text().await.unwrap(), "234");
    let other = link.replace("a.mp4", "b.mp4");
    assert_eq!(http.get(other).send().await.unwrap().status().as_u16(), 403, "a link is for one file");
    assert_eq!(http.put(&link).body("x").send().await.unwrap().status().as_u16(), 403, "and for reading");

    let named = "attachment; filename=\"VP1-1.mp4\"; filename*=UTF-8''50%25%20%E2%80%93%20a%27b%3Bc.mp4";
    let link = blobs.bucket().unwrap().short_link("results/a.mp4", named, HOUR, now_ms()).await.unwrap();
    let named_answer = http.get(&link).send().await.unwrap();
    assert_eq!(named_answer.status().as_u16(), 200, "{link}");
    assert_eq!(named_answer.headers()["content-disposition"], named, "in place of the file's own");

    let url = format!("s3://{BUCKET}/links");
    let blobs =
        Blobs::open(&url, Some("https://files.example.com/"), Path::new(""), server.variables().into_iter());
    let blobs = blobs.unwrap();
    let link = lasting(&blobs, HOUR).unwrap();
    assert_eq!(lasting(&blobs, HOUR * 24 * 8), None, "S3 takes no link for longer than a week");
    assert!(link.starts_with("https://files.example.com/clips/links/results/a.mp4?"), "{link}");
}

#[tokio::test]
async fn credentials_that_expire_soon_cannot_sign_long_links() {
    let server = s3_server();
    let mut variables = server.variables();
    variables.push(("AWS_SESSION_TOKEN".into(), "short-lived".into()));
    let url = format!("s3://{BUCKET}/links");
    let blobs = Blobs::open(&url, None, Path::new(""), variables.into_iter()).unwrap();
    let bucket = blobs.bucket().unwrap();
    assert_eq!(bucket.lasting_link("results/a.mp4", HOUR, now_ms()).unwrap(), None);
    let named = "attachment; filename=\"VP1-1.mp4\"; filename*=UTF-8''Red%20shoes%20%E2%80%93%201.mp4";
    let short = bucket.short_link("results/a.mp4", named, HOUR, now_ms()).await.unwrap();
    assert!(short.contains("X-Amz-Security-Token=short-lived"), "{short}");
}

#[tokio::test]
async fn a_client_can_send_exactly_the_announced_file() {
    let (server, http) = (s3_server(), reqwest::Client::new());
    let bucket = bucket(&server, "direct");
    let request = bucket.sign_put("uploads/1/a", 5, good()).await.unwrap();
    for wrong in ["longer than agreed", "x"] {
        let refused = http.put(&request.url).body(wrong).send().await.unwrap();
        assert_eq!(refused.status().as_u16(), 403, "{wrong}");
    }
    assert_eq!(bucket.head("uploads/1/a").await.unwrap(), None);
    assert_eq!(http.put(&request.url).body("right").send().await.unwrap().status().as_u16(), 200);
    assert_eq!(bucket.head("uploads/1/a").await.unwrap().unwrap().size_bytes, 5);
}

#[tokio::test]
async fn a_client_can_send_parts() {
    let (server, http, folder) = (s3_server(), reqwest::Client::new(), tempfile::tempdir().unwrap());
    let bucket = bucket(&server, "parts");
    let upload = bucket.begin_parts("uploads/1/b").await.unwrap();
    let mut etags = Vec::new();
    for (number, size) in [(1, MIN_PART), (2, 10)] {
        let request = bucket.sign_part("uploads/1/b", &upload, number, size, good()).await.unwrap();
        let short = http.put(&request.url).body("x").send().await.unwrap();
        assert_eq!(short.status().as_u16(), 403, "another length");
        let response = http.put(&request.url).body(vec![number as u8; size as usize]).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        etags.push(response.headers()["etag"].to_str().unwrap().to_owned());
    }
    bucket.complete_parts("uploads/1/b", &upload, etags).await.unwrap();
    let back = folder.path().join("back");
    bucket.get("uploads/1/b", &back).await.unwrap().unwrap();
    let expected = [vec![1; MIN_PART as usize], vec![2; 10]].concat();
    assert!(std::fs::read(&back).unwrap() == expected);
}

#[tokio::test]
async fn errors_say_what_to_fix() {
    let (server, folder) = (s3_server(), tempfile::tempdir().unwrap());
    let check = async |url: &str, variables: Vec<(String, String)>| {
        let blobs = Blobs::open(url, None, Path::new(""), variables.into_iter()).unwrap();
        blobs.check("faults", folder.path()).await.unwrap_err()
    };
    let url = format!("s3://{BUCKET}/faults");
    let wrong_secret = check(&url, variables(&server.endpoint, "another")).await;
    assert!(matches!(wrong_secret, BlobError::Refused(_)), "{wrong_secret}");
    assert!(wrong_secret.remedy().contains("AWS_SECRET_ACCESS_KEY"));
    assert!(!wrong_secret.to_string().contains("another"), "{wrong_secret}");
    let response =
        "<?xml version=\"1.0\"?><Error><Code>NoSuchBucket</Code><Message>It is not there</Message></Error>";
    let without = always_answering("404 Not Found", response);
    let no_bucket = check("s3://no-such-bucket/x", variables(&without, SECRET)).await;
    assert!(matches!(no_bucket, BlobError::NoBucket(_)), "{no_bucket}");
    let unreachable = check(&url, variables("http://127.0.0.1:1", SECRET)).await;
    assert!(matches!(unreachable, BlobError::Failed(_)), "{unreachable}");
    let broken = check(&url, variables(&always_answering("500 Internal Server Error", ""), SECRET)).await;
    assert!(matches!(broken, BlobError::Failed(_)), "{broken}");
    for url in ["s3://", "s3:///x", "s3://a b", "s3://a/../b"] {
        let opened = Blobs::open(url, None, Path::new(""), std::iter::empty());
        assert!(matches!(opened, Err(BlobError::Settings(_))), "{url}");
    }
}
