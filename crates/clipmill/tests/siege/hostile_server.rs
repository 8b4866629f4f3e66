//! Servers behind the hostile user's links and callbacks: they hang, drip, lie and never end.

use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Longer than any wait here.
const INDEFINITELY: Duration = Duration::from_secs(600);

pub struct HostileServer {
    port: u16,
}

impl HostileServer {
    pub async fn open() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream));
            }
        });
        Self { port }
    }

    /// `way` is one of those that [`serve`] knows, `number` makes the address a new one.
    pub fn url(&self, way: &str, number: usize) -> String {
        format!("http://127.0.0.1:{}/{way}/{number}.mp4", self.port)
    }
}

async fn serve(mut stream: TcpStream) -> Option<()> {
    let mut head = vec![0; 4096];
    let read = stream.read(&mut head).await.ok()?;
    let text = String::from_utf8_lossy(&head[..read]).into_owned();
    let way = text.split(' ').nth(1)?.split('/').nth(1)?;
    let response_head = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 1200000\r\n\r\n";
    match way {
        "stall" => {
            stream.write_all(response_head).await.ok()?;
            stream.write_all(&[0; 2_000]).await.ok()?;
            wait(&mut stream).await;
        }
        // Just above the tolerated minimum rate.
        "slow" => {
            stream.write_all(response_head).await.ok()?;
            pour(&mut stream, 1_127, Duration::from_secs(1)).await;
        }
        "drip" => {
            stream.write_all(response_head).await.ok()?;
            pour(&mut stream, 1, Duration::from_secs(1)).await;
        }
        "endless" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").await.ok()?;
            pour(&mut stream, 64 << 10, Duration::from_millis(250)).await;
        }
        "away" => {
            let response_head =
                b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(response_head).await.ok()?;
        }
        "short" => {
            stream.write_all(response_head).await.ok()?;
            stream.write_all(b"only this").await.ok()?;
        }
        "refuse" => {
            stream.write_all(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n").await.ok()?;
        }
        "hang" => wait(&mut stream).await,
        _ => stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").await.ok()?,
    }
    stream.shutdown().await.ok()
}

/// Until the other side disconnects.
async fn wait(stream: &mut TcpStream) {
    let mut rest = [0; 512];
    let gone = async { while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {} };
    let _ = tokio::time::timeout(INDEFINITELY, gone).await;
}

async fn pour(stream: &mut TcpStream, bytes: usize, every: Duration) {
    let piece = vec![0; bytes];
    while stream.write_all(&piece).await.is_ok() {
        tokio::time::sleep(every).await;
    }
}
