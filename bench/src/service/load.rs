//! As many requests as a server can serve: connections that each send the next request right after the response.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

pub const CONNECTIONS: usize = 16;

/// Requests per second; any status but 200 is an error.
pub async fn requests_per_second(host: &str, path: &str, key: &str, time: Duration) -> anyhow::Result<f64> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n\r\n");
    let start = Instant::now();
    let one = |_| tokio::spawn(ask(host.to_owned(), request.clone(), start + time));
    let tasks: Vec<_> = (0..CONNECTIONS).map(one).collect();
    let mut answered = 0;
    for task in tasks {
        answered += task.await??;
    }
    Ok(answered as f64 / start.elapsed().as_secs_f64())
}

async fn ask(host: String, request: String, until: Instant) -> anyhow::Result<usize> {
    let mut stream = BufReader::new(TcpStream::connect(&host).await?);
    let (mut answered, mut line, mut body) = (0, String::new(), Vec::new());
    while Instant::now() < until {
        stream.get_mut().write_all(request.as_bytes()).await?;
        let length = read_head(&mut stream, &mut line).await?;
        body.resize(length, 0);
        stream.read_exact(&mut body).await?;
        answered += 1;
    }
    Ok(answered)
}

/// Returns the length of the body that follows.
async fn read_head(stream: &mut BufReader<TcpStream>, line: &mut String) -> anyhow::Result<usize> {
    line.clear();
    stream.read_line(line).await?;
    ensure!(line.starts_with("HTTP/1.1 200"), "answered with {line:?}");
    let mut length = None;
    loop {
        line.clear();
        stream.read_line(line).await?;
        match line.trim_end().split_once(':') {
            None => return length.context("an answer without a length"),
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = Some(value.trim().parse()?);
            }
            Some(_) => {}
        }
    }
}
