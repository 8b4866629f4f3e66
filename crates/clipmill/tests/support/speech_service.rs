//! A stand-in for a speech service with the OpenAI-compatible API, which returns a tone for each text, and transcripts.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The response to a call.
#[derive(Debug, Clone, Copy)]
pub enum Behaviour {
    /// A tone that is as long as the text takes to speak.
    Tone,
    /// A tone of so many seconds, whatever the text.
    Seconds(u32),
    /// This transcript, as JSON.
    Transcript(&'static str),
    Status(u16),
    Html,
    /// An HTML page that claims to be audio.
    FalseAudio,
    NoAudio,
    /// No response at all; the connection stays open.
    Silent,
    /// Bytes without end.
    Endless,
}

#[derive(Debug, Clone)]
pub struct Call {
    pub head: String,
    /// Null unless it is JSON.
    pub body: Value,
    pub raw: Vec<u8>,
}

pub struct SpeechService {
    pub address: SocketAddr,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl SpeechService {
    /// The last behaviour is that of all further calls.
    pub async fn start(behaviours: &[Behaviour]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let calls = Arc::new(Mutex::new(Vec::new()));
        let (received, behaviours) = (calls.clone(), behaviours.to_vec());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (received, behaviours) = (received.clone(), behaviours.clone());
                tokio::spawn(async move {
                    let _ = serve(stream, &received, &behaviours).await;
                });
            }
        });
        Self { address, calls }
    }

    pub fn base(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    calls: &Mutex<Vec<Call>>,
    behaviours: &[Behaviour],
) -> std::io::Result<()> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    let call = loop {
        let length = stream.read(&mut chunk).await?;
        if length == 0 {
            return Ok(());
        }
        bytes.extend_from_slice(&chunk[..length]);
        if let Some(call) = complete(&bytes) {
            break call;
        }
    };
    let characters = call.body["input"].as_str().unwrap_or_default().chars().count();
    let behaviour = {
        let mut calls = calls.lock().unwrap();
        calls.push(call);
        behaviours[(calls.len() - 1).min(behaviours.len() - 1)]
    };
    let page = b"<html>Sign in</html>".to_vec();
    match behaviour {
        Behaviour::Tone => reply(&mut stream, "200 OK", "audio/wav", &tone(characters as f64 / 15.0)).await,
        Behaviour::Seconds(seconds) => {
            reply(&mut stream, "200 OK", "audio/wav", &tone(f64::from(seconds))).await
        }
        Behaviour::Transcript(json) => {
            reply(&mut stream, "200 OK", "application/json", json.as_bytes()).await
        }
        Behaviour::Status(status) => {
            reply(&mut stream, &format!("{status} Sorry"), "application/json", b"{}").await
        }
        Behaviour::Html => reply(&mut stream, "200 OK", "text/html; charset=utf-8", &page).await,
        Behaviour::FalseAudio => reply(&mut stream, "200 OK", "audio/wav", &page).await,
        Behaviour::NoAudio => reply(&mut stream, "200 OK", "audio/wav", &tone(0.0)).await,
        Behaviour::Silent => std::future::pending().await,
        Behaviour::Endless => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nConnection: close\r\n\r\n";
            stream.write_all(head.as_bytes()).await?;
            loop {
                stream.write_all(&[0; 1 << 16]).await?;
            }
        }
    }
}

async fn reply(stream: &mut TcpStream, status: &str, kind: &str, body: &[u8]) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body).await
}

/// The call, if all of it has arrived.
fn complete(bytes: &[u8]) -> Option<Call> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let body = bytes.get(end + 4..end + 4 + length?)?;
    Some(Call { head, body: serde_json::from_slice(body).unwrap_or_default(), raw: body.to_vec() })
}

/// A WAV file with a tone, whose header states no length, as in a stream.
pub fn tone(seconds: f64) -> Vec<u8> {
    const RATE: u32 = 16_000;
    let mut wav = Vec::new();
    wav.extend(b"RIFF\xff\xff\xff\xffWAVEfmt ");
    wav.extend(16u32.to_le_bytes());
    wav.extend([1u16, 1].map(u16::to_le_bytes).concat());
    wav.extend([RATE, RATE * 2].map(u32::to_le_bytes).concat());
    wav.extend([2u16, 16].map(u16::to_le_bytes).concat());
    wav.extend(b"data\xff\xff\xff\xff");
    let samples = (seconds * f64::from(RATE)) as u32;
    for at in 0..samples {
        let angle = f64::from(at) * 440.0 * std::f64::consts::TAU / f64::from(RATE);
        wav.extend(((angle.sin() * 12_000.0) as i16).to_le_bytes());
    }
    wav
}
