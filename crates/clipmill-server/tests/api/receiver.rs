//! A receiver of callbacks with configurable behaviour that records the requests.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The response to a request.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// A head, without the blank line, and nothing behind it.
    Head(&'static str),
    /// Nothing at all; the connection stays open.
    Silence,
    /// A valid response that never ends.
    Endless,
}

#[derive(Debug, Clone)]
pub struct Call {
    pub headers: HashMap<String, String>,
    pub body: String,
}

pub struct Receiver {
    pub address: SocketAddr,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Receiver {
    /// The last behaviour is that of all further calls.
    pub async fn start(behaviours: &[Behaviour]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let calls = Arc::new(Mutex::new(Vec::new()));
        let (seen, behaviours) = (calls.clone(), behaviours.to_vec());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, behaviours) = (seen.clone(), behaviours.clone());
                tokio::spawn(async move {
                    let _ = serve(stream, &seen, &behaviours).await;
                });
            }
        });
        Self { address, calls }
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    pub async fn wait_for(&self, calls: usize) -> Vec<Call> {
        let waiting = async {
            while self.calls().len() < calls {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(120), waiting).await;
        assert!(waited.is_ok(), "{calls} calls do not come: {:?}", self.calls());
        self.calls()
    }
}

impl Call {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Whether one of the signatures is that of this secret, recomputed here.
    pub fn is_signed_by(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let (id, timestamp) = (self.header("webhook-id"), self.header("webhook-timestamp"));
        mac.update(format!("{id}.{timestamp}.{}", self.body).as_bytes());
        let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        self.header("webhook-signature").split(' ').any(|signature| signature == expected)
    }
}

async fn serve(
    mut stream: TcpStream,
    seen: &Mutex<Vec<Call>>,
    behaviours: &[Behaviour],
) -> std::io::Result<()> {
    let call = read(&mut stream).await?;
    let nth = {
        let mut seen = seen.lock().unwrap();
        seen.push(call);
        seen.len() - 1
    };
    match behaviours.get(nth).or(behaviours.last()).unwrap() {
        Behaviour::Head(head) => {
            let response = format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            stream.write_all(response.as_bytes()).await
        }
        Behaviour::Silence => {
            let mut byte = [0];
            stream.read(&mut byte).await.map(drop)
        }
        Behaviour::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n").await?;
            loop {
                stream.write_all(&[b'x'; 4096]).await?;
            }
        }
    }
}

async fn read(stream: &mut TcpStream) -> std::io::Result<Call> {
    let (mut bytes, mut piece) = (Vec::new(), [0; 8192]);
    loop {
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let pairs = head.lines().skip(1).filter_map(|line| line.split_once(": "));
        let headers: HashMap<String, String> =
            pairs.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
        let length: usize = headers.get("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
        if body.len() >= length {
            return Ok(Call { headers, body: body.to_owned() });
        }
    }
}
