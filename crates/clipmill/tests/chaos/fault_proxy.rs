//! A proxy between a process and a server. Connections can be cut, blocked or slowed, and requests answered with
//! errors.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

/// What happens to connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    None,
    /// Connections end, and new ones end at once.
    Cut,
    /// Nothing comes through and no connection ends, as when a cable is pulled.
    Blocked,
    /// Every piece takes this much longer.
    Slow(Duration),
    /// Every HTTP request is answered with 500.
    Failing,
}

/// The server behind a proxy.
#[derive(Debug, Clone)]
pub enum Target {
    Tcp(String),
    Unix(PathBuf),
}

pub struct FaultProxy {
    pub port: u16,
    state: Arc<State>,
}

struct State {
    target: Target,
    fault: watch::Sender<Fault>,
    /// HTTP requests that begin with this text are kept back.
    hold: watch::Sender<Option<String>>,
    /// How many requests were kept back.
    held: watch::Sender<u32>,
}

impl FaultProxy {
    pub async fn open(target: Target) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State {
            target,
            fault: watch::Sender::new(Fault::None),
            hold: watch::Sender::new(None),
            held: watch::Sender::new(0),
        });
        let serving = state.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(client));
            }
        });
        Self { port, state }
    }

    pub fn set(&self, fault: Fault) {
        self.state.fault.send_replace(fault);
    }

    /// Keeps back HTTP requests that begin with this text.
    pub fn hold(&self, beginning: &str) {
        self.state.held.send_replace(0);
        self.state.hold.send_replace(Some(beginning.to_owned()));
    }

    pub fn is_holding(&self) -> bool {
        *self.state.held.borrow() > 0
    }

    pub fn release(&self) {
        self.state.hold.send_replace(None);
    }
}

impl State {
    async fn serve(self: Arc<Self>, client: TcpStream) {
        let mut fault = self.fault.subscribe();
        let now = *fault.borrow_and_update();
        match now {
            Fault::Cut => {}
            Fault::Failing => fail(client).await,
            _ => {
                let cut = fault.wait_for(|fault| matches!(fault, Fault::Cut | Fault::Failing));
                // Both ends are closed when this is dropped.
                tokio::select! {
                    () = self.join(client) => {}
                    _ = cut => {}
                }
            }
        }
    }

    async fn join(&self, client: TcpStream) {
        let _ = client.set_nodelay(true);
        match &self.target {
            Target::Tcp(address) => {
                let Ok(server) = TcpStream::connect(address).await else { return };
                let _ = server.set_nodelay(true);
                self.pass(client, server).await;
            }
            Target::Unix(path) => {
                let Ok(server) = UnixStream::connect(path).await else { return };
                self.pass(client, server).await;
            }
        }
    }

    async fn pass(&self, client: TcpStream, server: impl AsyncRead + AsyncWrite) {
        let (from_client, to_client) = tokio::io::split(client);
        let (from_server, to_server) = tokio::io::split(server);
        tokio::join!(self.pump(from_client, to_server, true), self.pump(from_server, to_client, false));
    }

    async fn pump(&self, mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, requests: bool) {
        let (mut fault, mut hold) = (self.fault.subscribe(), self.hold.subscribe());
        let mut piece = vec![0; 32 << 10];
        while let Ok(read @ 1..) = from.read(&mut piece).await {
            let begins = |start: &Option<String>| {
                start.as_ref().is_some_and(|start| piece[..read].starts_with(start.as_bytes()))
            };
            if requests && begins(&hold.borrow_and_update()) {
                self.held.send_modify(|held| *held += 1);
                let _ = hold.wait_for(Option::is_none).await;
            }
            let now = *fault.borrow_and_update();
            if let Fault::Slow(time) = now {
                tokio::time::sleep(time).await;
            }
            let _ = fault.wait_for(|fault| *fault != Fault::Blocked).await;
            if to.write_all(&piece[..read]).await.is_err() {
                break;
            }
        }
        let _ = to.shutdown().await;
    }
}

/// Answers one request and ends the connection.
async fn fail(mut client: TcpStream) {
    let mut head = Vec::new();
    let mut piece = [0; 4096];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        match client.read(&mut piece).await {
            Ok(read @ 1..) => head.extend_from_slice(&piece[..read]),
            _ => return,
        }
    }
    let response = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let _ = client.write_all(response.as_bytes()).await;
    let _ = client.shutdown().await;
    // The rest of the request is read: otherwise the connection could be reset and the response lost.
    let _ = tokio::time::timeout(Duration::from_secs(5), async {
        while let Ok(1..) = client.read(&mut piece).await {}
    })
    .await;
}
