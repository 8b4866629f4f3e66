//! Requests of HTTP/1.1, as the tests' own small servers read them.

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

pub struct Request {
    head: String,
    pub body: Vec<u8>,
}

impl Request {
    /// The next request of a connection. `bytes` keep what came beyond it.
    pub async fn next(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<Self> {
        loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
                let request = Self { head, body: Vec::new() };
                let length = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
                let (begin, end) = (end + 4, end + 4 + length.unwrap_or(0));
                if bytes.len() >= end {
                    let body = bytes.drain(..end).skip(begin).collect();
                    return Some(Self { body, ..request });
                }
            }
            let mut piece = [0; 8192];
            let read = stream.read(&mut piece).await.ok().filter(|read| *read > 0)?;
            bytes.extend_from_slice(&piece[..read]);
        }
    }

    pub fn is_post(&self) -> bool {
        self.head.starts_with("POST ")
    }

    pub fn path(&self) -> &str {
        self.head.split_whitespace().nth(1).unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}
