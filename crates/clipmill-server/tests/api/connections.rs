//! Over real sockets: silent connections, early refusals, and the end of the service.

use std::net::SocketAddr;
use std::time::Duration;

use clipmill_server::Config;
use clipmill_server::http::peers::Peers;
use clipmill_server::http::{ConnectionOptions, HttpLimits, serve, serve_with};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::harness::{API, Service, task};

struct Running {
    address: SocketAddr,
    stop: CancellationToken,
    server: JoinHandle<()>,
}

const LIMITS: HttpLimits = HttpLimits {
    header_timeout: Duration::from_secs(60),
    stall_timeout: Duration::from_secs(60),
    max_connections: 64,
    drain_timeout: Duration::from_secs(60),
};

async fn run(service: &Service, limits: HttpLimits) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let server = tokio::spawn(serve(listener, service.router.clone(), stop.clone(), limits));
    Running { address, stop, server }
}

impl Running {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// A connection that has sent the beginning of a request and then stays silent.
    async fn half_open(&self) -> TcpStream {
        let mut stream = self.connect().await;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n").await.unwrap();
        stream
    }

    async fn healthz(&self) -> Value {
        let response = reqwest::get(format!("http://{}/healthz", self.address)).await.unwrap();
        serde_json::from_slice(&response.bytes().await.unwrap()).unwrap()
    }
}

#[tokio::test]
async fn a_response_has_one_date() {
    let service = Service::start().await;
    let running = run(&service, LIMITS).await;
    let response = reqwest::get(format!("http://{}/healthz", running.address)).await.unwrap();
    assert_eq!(response.headers().get_all("date").iter().count(), 1);
}

async fn rest(mut stream: TcpStream) -> String {
    let mut text = String::new();
    // A reset also ends the connection.
    let _ = stream.read_to_string(&mut text).await;
    text
}

#[tokio::test]
async fn silent_connections_do_not_keep_others_out() {
    let service = Service::start().await;
    let running = run(&service, LIMITS).await;
    let mut silent = Vec::new();
    for _ in 0..LIMITS.max_connections - 1 {
        silent.push(running.half_open().await);
    }
    assert_eq!(running.healthz().await["code"], 0);
}

#[tokio::test]
async fn silent_connections_are_closed_and_their_permits_released() {
    let service = Service::start().await;
    let limits = HttpLimits { header_timeout: Duration::from_millis(50), max_connections: 2, ..LIMITS };
    let running = run(&service, limits).await;
    let (unsent, half_sent) = (running.connect().await, running.half_open().await);
    assert_eq!(running.healthz().await["code"], 0, "answered although both places were taken");
    assert_eq!(rest(unsent).await, "");
    let response = rest(half_sent).await;
    assert!(response.is_empty() || response.starts_with("HTTP/1.1 408"), "{response}");
}

#[tokio::test]
async fn a_client_that_continues_to_send_receives_the_error() {
    let service = Service::start().await;
    let running = run(&service, LIMITS).await;
    let mut stream = running.connect().await;
    let length = 40 << 20;
    let head = format!(
        "POST {API}/submit HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&vec![b' '; length]).await.unwrap();
    let response = rest(stream).await;
    assert!(response.starts_with("HTTP/1.1 401") && response.contains("40100"), "{response}");
}

#[tokio::test]
async fn a_stop_lets_requests_finish_and_refuses_new_ones() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let running = run(&service, LIMITS).await;
    let body = task().to_string();
    let head = format!(
        "POST {API}/submit HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
         expect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        ann.key,
        body.len()
    );
    let mut in_progress = running.connect().await;
    in_progress.write_all(head.as_bytes()).await.unwrap();
    let mut continue_line = [0; 25];
    in_progress.read_exact(&mut continue_line).await.unwrap();
    assert_eq!(&continue_line, b"HTTP/1.1 100 Continue\r\n\r\n");

    running.stop.cancel();
    in_progress.write_all(body.as_bytes()).await.unwrap();
    let response = rest(in_progress).await;
    assert!(response.starts_with("HTTP/1.1 200") && response.contains("taskNo"), "{response}");
    running.server.await.unwrap();
    assert!(TcpStream::connect(running.address).await.is_err());
}

#[tokio::test]
async fn a_stop_does_not_wait_indefinitely() {
    let service = Service::start().await;
    let running = run(&service, HttpLimits { drain_timeout: Duration::from_millis(50), ..LIMITS }).await;
    let silent = running.half_open().await;
    assert_eq!(running.healthz().await["code"], 0);
    running.stop.cancel();
    running.server.await.unwrap();
    assert_eq!(rest(silent).await, "");
}

#[tokio::test]
async fn one_address_leaves_connections_to_others() {
    let mut config = Config::default().server;
    config.connections_per_address = 2;
    // The test's own address is not one of a trusted proxy.
    config.trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
    let service = Service::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let doors = ConnectionOptions { peers: Peers::new(&config), ..ConnectionOptions::default() };
    let stop = CancellationToken::new();
    let server = tokio::spawn(serve_with(listener, service.router.clone(), stop.clone(), LIMITS, doors));
    let running = Running { address, stop, server };
    let (first, _second) = (running.half_open().await, running.half_open().await);
    assert_eq!(rest(running.connect().await).await, "", "the third is closed at once");
    drop(first);
    let url = format!("http://{address}/healthz");
    while reqwest::get(&url).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
