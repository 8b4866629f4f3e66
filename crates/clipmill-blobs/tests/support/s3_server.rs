//! The S3 server of the tests: real signatures, and a folder that is removed with it.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

pub const BUCKET: &str = "clips";
pub const KEY: &str = "clipmill";
pub const SECRET: &str = "a-secret-of-the-tests";
/// Where `scripts/install-s3-server.sh` puts it.
const PROGRAM: &str = "s3-server/4.48/bin/weed";
const POLL_INTERVAL: Duration = Duration::from_millis(20);
const TIMEOUT: Duration = Duration::from_secs(120);

pub struct S3Server {
    pub endpoint: String,
    process: Child,
    _folder: tempfile::TempDir,
}

static RUNNING: Mutex<Weak<S3Server>> = Mutex::new(Weak::new());

/// The server that all tests of this program share; it ends with the last test.
pub fn s3_server() -> Arc<S3Server> {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(server) = running.upgrade() {
        return server;
    }
    let server = Arc::new(S3Server::start());
    *running = Arc::downgrade(&server);
    server
}

impl S3Server {
    fn start() -> Self {
        // Another program may take a port in between.
        (0..5).find_map(|_| Self::try_start()).expect("the S3 server does not start")
    }

    fn try_start() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let [s3, master, volume, filer, admin] = ports();
        let identities = format!(
            r#"{{"identities":[{{"name":"test","credentials":[{{"accessKey":"{KEY}","secretKey":"{SECRET}"}}],
                "actions":["Admin","Read","Write","List"]}}]}}"#
        );
        let config = folder.path().join("s3.json");
        std::fs::write(&config, identities).unwrap();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        #[allow(clippy::disallowed_methods, reason = "a test starts its own server")]
        let mut process = Command::new(program())
            .arg("mini")
            .arg(format!("-dir={}", folder.path().display()))
            .arg(format!("-s3.config={}", config.display()))
            .args([
                "-ip=127.0.0.1",
                "-ip.bind=127.0.0.1",
                "-webdav=false",
                "-admin.ui=false",
                "-s3.iam=false",
            ])
            .args(["-master.telemetry=false", "-s3.port.iceberg=0", "-s3.port.lance=0"])
            .arg(format!("-bucket={BUCKET}"))
            .args([format!("-s3.port={s3}"), format!("-master.port={master}")])
            .args([format!("-volume.port={volume}"), format!("-filer.port={filer}")])
            .arg(format!("-admin.port={admin}"))
            // The server must not see the keys of the user who runs the tests.
            .env_clear()
            .env("HOME", folder.path())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let (log_file, mut waited) = (folder.path().join("log"), Duration::ZERO);
        let ready = || std::fs::read_to_string(&log_file).is_ok_and(|log| log.contains("S3 Endpoint:"));
        while !ready() {
            if process.try_wait().unwrap().is_some() {
                return None;
            }
            assert!(waited < TIMEOUT, "{}", std::fs::read_to_string(&log_file).unwrap_or_default());
            std::thread::sleep(POLL_INTERVAL);
            waited += POLL_INTERVAL;
        }
        Some(Self { endpoint: format!("http://127.0.0.1:{s3}"), process, _folder: folder })
    }

    /// The variables of a service that uses this server.
    pub fn variables(&self) -> Vec<(String, String)> {
        variables(&self.endpoint, SECRET)
    }
}

/// A server that gives the same response to everything; it lives as long as the tests.
pub fn always_answering(status: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || respond(&stream, status, body));
        }
    });
    endpoint
}

/// Sends one response and closes the connection.
pub fn respond(stream: &TcpStream, status: &str, body: &str) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    // Reading the head suffices.
    let _ = lines.find(String::is_empty);
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/xml\r\nContent-Length: {length}");
    let _ = { stream }.write_all(format!("{head}\r\nConnection: close\r\n\r\n{body}").as_bytes());
    // The rest of the request is read: otherwise the connection could be reset and the response lost.
    let _ = stream.shutdown(Shutdown::Write);
    let _ = std::io::copy(&mut { stream }, &mut std::io::sink());
}

pub fn variables(endpoint: &str, secret: &str) -> Vec<(String, String)> {
    let variables = [
        ("AWS_ENDPOINT_URL", endpoint),
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", secret),
        ("AWS_REGION", "us-east-1"),
    ];
    variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("CLIPMILL_TEST_WEED") {
        return named.into();
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let program = target.join(PROGRAM);
    assert!(program.exists(), "the S3 server of the tests is missing: run scripts/install-s3-server.sh");
    program
}

/// Free ports whose counterparts ten thousand higher are free as well, because the server also listens there.
fn ports<const N: usize>() -> [u16; N] {
    let mut listeners = Vec::new();
    let free = std::array::from_fn(|_| {
        loop {
            let first = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = first.local_addr().unwrap().port();
            let low = if port > 50_000 { port - 25_000 } else { port };
            let pair = [low, low + 10_000].map(|port| TcpListener::bind(("127.0.0.1", port)));
            let own = low == port && pair[1].is_ok();
            if own || pair.iter().all(Result::is_ok) {
                listeners.push((first, pair));
                return low;
            }
        }
    });
    drop(listeners);
    free
}
