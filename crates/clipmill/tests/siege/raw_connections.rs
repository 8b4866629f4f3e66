//! Attacks of the hostile user on bare connections, below the API. Most of them get no response.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::attacker::Attacker;
use crate::rng::Rng;

const ENOUGH: Duration = Duration::from_millis(200);

/// Opens this many connections, sends these bytes on each, waits, and disconnects.
async fn hold(attacker: &Attacker, kind: &'static str, count: usize, bytes: &[u8], long: Duration) {
    let opened = (0..count).map(|_| async {
        let mut stream = TcpStream::connect(&attacker.client.host).await.ok()?;
        stream.write_all(bytes).await.ok()?;
        Some(stream)
    });
    let streams = futures_util::future::join_all(opened).await;
    tokio::time::sleep(long).await;
    for stream in streams {
        let Some(mut stream) = stream else {
            attacker.tally.count(kind, "closed");
            continue;
        };
        let mut response = [0; 64];
        let read = tokio::time::timeout(Duration::from_millis(1), stream.read(&mut response)).await;
        let outcome = match read {
            Err(_) => "left".to_owned(),
            Ok(Err(_) | Ok(0)) => "closed".to_owned(),
            // `HTTP/1.1 408 …`
            Ok(Ok(read)) => String::from_utf8_lossy(&response[..read]).chars().skip(9).take(3).collect(),
        };
        attacker.tally.count(kind, &outcome);
    }
}

pub async fn half_bodies(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let head = attacker.client.head("POST", "/video-process/submit");
    let length = if rng.below(2) == 0 { 1 << 20 } else { 24 << 20 };
    let mut bytes =
        format!("{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n").into_bytes();
    bytes.resize(bytes.len() + (length / 2).min(1 << 20), b' ');
    hold(attacker, kind, 40, &bytes, Duration::from_millis(rng.between(100, 8_000))).await;
}

pub async fn broken_uploads(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let head = attacker.client.head("POST", "/uploads?fileName=slow.mp4");
    let length = if rng.below(2) == 0 { "Content-Length: 1000000000" } else { "Transfer-Encoding: chunked" };
    let mut bytes = format!("{head}{length}\r\n\r\nff00\r\n").into_bytes();
    bytes.resize(bytes.len() + 30_000, 7);
    hold(attacker, kind, 10, &bytes, Duration::from_millis(rng.between(100, 8_000))).await;
}

/// Endless heads, and silent connections.
pub async fn idle_connections(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let bytes: &[u8] = if rng.below(2) == 0 { b"" } else { b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: " };
    hold(attacker, kind, 150, bytes, Duration::from_millis(rng.between(1_000, 12_000))).await;
}

/// An archive and a page of tasks that are requested repeatedly, but never read.
pub async fn unread_responses(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let archive = format!("/download/{}", attacker.done);
    let path = if rng.below(2) == 0 { &archive } else { "/video-process/list?pageSize=100" };
    let bytes = format!("{}\r\n", attacker.client.head("GET", path)).repeat(20);
    hold(attacker, kind, 5, bytes.as_bytes(), Duration::from_millis(rng.between(500, 6_000))).await;
}

pub async fn no_http(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X-A: b\r\n".repeat(2_000));
    let requests: [&[u8]; 8] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /open-api/v1/uploads HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /open-api/v1/uploads HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz",
        b"GET /files/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ];
    hold(attacker, kind, 5, requests[rng.below(requests.len())], ENOUGH).await;
}
