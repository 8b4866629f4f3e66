//! TLS by the service itself: responses, limits of handshakes, and replaced certificates.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clipmill_server::config::TlsFiles;
use clipmill_server::http::tls::Tls;
use clipmill_server::http::{ConnectionOptions, HttpLimits, serve_with};
use rcgen::CertifiedKey;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::harness::{API, Service, task};

const LIMITS: HttpLimits = HttpLimits {
    header_timeout: Duration::from_secs(60),
    stall_timeout: Duration::from_secs(60),
    max_connections: 64,
    drain_timeout: Duration::from_secs(60),
};

/// A folder with its own certificate for 127.0.0.1.
struct Certificate {
    folder: TempDir,
    pem: String,
}

impl Certificate {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pem = write_pair(folder.path());
        Self { folder, pem }
    }

    fn files(&self) -> TlsFiles {
        files(self.folder.path())
    }

    /// Writes another pair into the same files; returns the certificate.
    fn replace(&self) -> String {
        write_pair(self.folder.path())
    }
}

fn files(folder: &Path) -> TlsFiles {
    TlsFiles { cert: folder.join("cert.pem"), key: folder.join("key.pem") }
}

fn write_pair(folder: &Path) -> String {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["127.0.0.1".into()]).unwrap();
    // Like certificate tools: a new file replaces the old one.
    for (path, text) in [(files(folder).cert, cert.pem()), (files(folder).key, signing_key.serialize_pem())] {
        let fresh = path.with_extension("new");
        std::fs::write(&fresh, text).unwrap();
        std::fs::rename(fresh, path).unwrap();
    }
    cert.pem()
}

/// Serves HTTPS; returns the address.
async fn run(service: &Service, tls: &Arc<Tls>, limits: HttpLimits, stop: &CancellationToken) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let doors = ConnectionOptions { tls: Some(tls.clone()), ..ConnectionOptions::default() };
    tokio::spawn(serve_with(listener, service.router.clone(), stop.clone(), limits, doors));
    address
}

/// A client that trusts this certificate and no other, and keeps no connection.
fn client(pem: &str) -> reqwest::Client {
    let trusted = reqwest::Certificate::from_pem(pem.as_bytes()).unwrap();
    reqwest::Client::builder().tls_certs_only([trusted]).pool_max_idle_per_host(0).build().unwrap()
}

#[tokio::test]
async fn the_api_is_served_over_https_only() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let certificate = Certificate::new();
    let tls = Arc::new(Tls::load(certificate.files()).unwrap());
    let stop = CancellationToken::new();
    let address = run(&service, &tls, LIMITS, &stop).await;
    let client = client(&certificate.pem);
    let submitted = client
        .post(format!("https://{address}{API}/submit"))
        .header("X-API-Key", &ann.key)
        .header("content-type", "application/json")
        .body(task().to_string())
        .send()
        .await
        .unwrap();
    assert_eq!(submitted.status(), 200);
    assert!(submitted.text().await.unwrap().contains("taskNo"));
    assert!(client.get(format!("http://{address}/healthz")).send().await.is_err());

    stop.cancel();
    let refused = async {
        while TcpStream::connect(&address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), refused).await.unwrap();
}

#[tokio::test]
async fn unfinished_handshakes_are_closed_and_their_permits_released() {
    let service = Service::start().await;
    let certificate = Certificate::new();
    let tls = Arc::new(Tls::load(certificate.files()).unwrap());
    let limits = HttpLimits { header_timeout: Duration::from_millis(500), max_connections: 2, ..LIMITS };
    let stop = CancellationToken::new();
    let address = run(&service, &tls, limits, &stop).await;
    let mut silent = TcpStream::connect(&address).await.unwrap();
    let mut half = TcpStream::connect(&address).await.unwrap();
    // The beginning of a ClientHello that never continues.
    half.write_all(&[0x16, 0x03, 0x01, 0x02, 0x00, 0x01]).await.unwrap();

    let response = client(&certificate.pem).get(format!("https://{address}/healthz")).send().await.unwrap();
    assert_eq!(response.status(), 200, "answered although both places were taken");
    for stream in [&mut silent, &mut half] {
        let mut rest = Vec::new();
        // A reset also ends the connection.
        let _ = tokio::time::timeout(Duration::from_secs(120), stream.read_to_end(&mut rest)).await.unwrap();
    }
    stop.cancel();
}

#[tokio::test]
async fn a_replaced_certificate_is_loaded_unless_broken() {
    let service = Service::start().await;
    let certificate = Certificate::new();
    let tls = Arc::new(Tls::load(certificate.files()).unwrap());
    let stop = CancellationToken::new();
    let address = run(&service, &tls, LIMITS, &stop).await;
    let trusts = async |pem: &str| client(pem).get(format!("https://{address}/healthz")).send().await.is_ok();
    assert!(!tls.reload_if_changed().unwrap());
    assert!(trusts(&certificate.pem).await);

    let second = certificate.replace();
    assert!(tls.reload_if_changed().unwrap());
    assert!(trusts(&second).await);
    assert!(!trusts(&certificate.pem).await);

    // Only the certificate was replaced so far, not the key.
    let other = Certificate::new();
    std::fs::rename(other.files().cert, certificate.files().cert).unwrap();
    assert!(tls.reload_if_changed().is_err());
    assert!(!tls.reload_if_changed().unwrap(), "the same files are not tried again");
    assert!(trusts(&second).await);
    std::fs::rename(other.files().key, certificate.files().key).unwrap();
    assert!(tls.reload_if_changed().unwrap());
    assert!(trusts(&other.pem).await);
    stop.cancel();
}

#[test]
fn unusable_files_are_reported_with_their_expected_content() {
    let (right, other) = (Certificate::new(), Certificate::new());
    let TlsFiles { cert, key } = right.files();
    let text = right.folder.path().join("text");
    std::fs::write(&text, "nothing of the kind").unwrap();
    let missing = right.folder.path().join("missing");
    let check = |cert: &Path, key: &Path, expected: &str| {
        let outcome = Tls::load(TlsFiles { cert: cert.to_owned(), key: key.to_owned() });
        let message = outcome.err().unwrap().to_string();
        assert!(message.contains(expected), "{message}");
    };
    check(&missing, &key, "server.tls_cert");
    check(&missing, &key, "cannot be read: No such file");
    check(&cert, &missing, "server.tls_key");
    check(&text, &key, "-----BEGIN CERTIFICATE-----");
    check(&cert, &text, "-----BEGIN PRIVATE KEY-----");
    check(&cert, &cert, "-----BEGIN PRIVATE KEY-----");
    check(&cert, &other.files().key, "does not belong to the certificate");
}
