//! Without file descriptors nothing can be downloaded or probed, which is not an error of any file.
//!
//! The limit applies to the process, so a second process of this program has it.

use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::ContentHash;
use clipmill_media::cache::disk::Disk;
use clipmill_media::ffmpeg::policy::input_args;
use clipmill_media::ffmpeg::process::Ffmpeg;
use clipmill_media::ingest::fetch::{FetchPolicy, Fetcher, FileKind};
use clipmill_media::ingest::probe::probe;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use url::Url;

const ADDRESS: &str = "CLIPMILL_TEST_ADDRESS";
const LIMIT: u64 = 128;
/// More than a download or a probe needs.
const MAX_FREE: usize = 24;

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
}

/// Runs [`with_few_descriptors`] in a separate process, and serves its downloads.
#[test]
fn a_lack_of_descriptors_is_not_an_error_of_the_file() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/picture.png", listener.local_addr().unwrap());
    let body = std::fs::read(sample("logo.png")).unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 4096]);
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
        }
    });
    #[allow(clippy::disallowed_methods, reason = "a test starts this program again")]
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "descriptors::with_few_descriptors", "--ignored", "--nocapture"]);
    let output = child.env(ADDRESS, address).output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[tokio::test]
#[ignore = "started by a_lack_of_descriptors_is_not_an_error_of_the_file"]
async fn with_few_descriptors() {
    let Ok(address) = std::env::var(ADDRESS) else { return };
    let url = Url::parse(&address).unwrap();
    let policy = || FetchPolicy {
        allow_networks: vec!["127.0.0.1".parse().unwrap()],
        allow_ports: "*".parse().unwrap(),
        ..FetchPolicy::default()
    };
    // Each has its own connections.
    let fetchers: Vec<Fetcher> = (0..=MAX_FREE).map(|_| Fetcher::new(policy()).unwrap()).collect();
    let folder = tempfile::tempdir().unwrap();
    let (disk, into) = (Disk::new(folder.path(), 0), folder.path().join("arrived"));
    let (picture, video) = (sample("logo.png"), sample("city.mp4"));
    let examine =
        async |path: &Path| probe(&Ffmpeg::default(), path, ContentHash("x".into())).await.map(drop);
    // Files that are opened only once are open from here on.
    examine(&picture).await.unwrap();
    let hard = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: Some(LIMIT), maximum: hard }).unwrap();
    let open = || std::iter::from_fn(|| File::open("/dev/null").ok());
    let check = |found: Result<(), TaskError>, free: usize, what: &str| match found {
        Ok(()) => assert!(free > 0, "{what}: nothing can be opened"),
        Err(error) => {
            assert!(free < MAX_FREE, "{what}: {error}");
            assert_eq!(
                (error.code, error.retryable),
                (ErrorCode::Internal, true),
                "{what}, {free} free: {error}"
            );
        }
    };
    for (free, fetcher) in fetchers.iter().enumerate() {
        let mut files: Vec<File> = open().collect();
        files.truncate(files.len() - free);
        let fetched = fetcher.fetch(&url, FileKind::Media, &into, &disk).await.map(drop);
        let probed = [examine(&picture).await, examine(&video).await];
        let args = input_args(&picture);
        drop(files);
        check(fetched, free, "download");
        probed.into_iter().for_each(|probed| check(probed, free, "probe"));
        // The run with these arguments fails with this reason, instead of reading the image as another kind.
        let demuxer = args[1].to_string_lossy();
        match free {
            0 => assert!(demuxer.contains("Too many open files"), "{demuxer}"),
            _ => assert_eq!(demuxer, "png_pipe"),
        }
    }
}
