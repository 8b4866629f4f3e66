//! Serves connections: limits their number and time, and ends them. axum's own `serve` hides hyper's builder, and
//! with it the timeout for request heads. Without that, a few hundred silent sockets would lock all other clients
//! out.

pub mod client;
pub mod peers;
pub(crate) mod permits;
pub mod tls;
pub(crate) mod usage;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::util::MapRequest;

use crate::config::Server;
use crate::context::ClientAddress;
use crate::http::peers::{PeerConnection, Peers};
use crate::http::tls::Tls;
use crate::observe::metric;

/// The limits of all connections.
#[derive(Debug, Clone, Copy)]
pub struct HttpLimits {
    /// The time for the head of a request, and for silence between two requests.
    pub header_timeout: Duration,
    /// The write timeout: the time for a client that does not read its response.
    pub stall_timeout: Duration,
    pub max_connections: usize,
    /// The time for requests in progress when the service stops.
    pub drain_timeout: Duration,
}

impl From<&Server> for HttpLimits {
    fn from(config: &Server) -> Self {
        Self {
            header_timeout: config.header_timeout.get(),
            stall_timeout: config.stall_timeout.get(),
            max_connections: config.max_connections as usize,
            drain_timeout: config.drain_timeout.get(),
        }
    }
}

/// How much of a response is buffered for a client that does not read, and the longest head of a request.
const BUFFER: usize = 64 << 10;

/// Options for accepting connections.
#[derive(Default)]
pub struct ConnectionOptions {
    /// HTTPS, if there is a certificate.
    pub tls: Option<Arc<Tls>>,
    pub peers: Peers,
}

/// Serves plain HTTP until `shutdown`; then accepts no new connections, lets requests in progress finish, and returns
/// after the drain timeout at the latest.
pub async fn serve(listener: TcpListener, router: Router, shutdown: CancellationToken, limits: HttpLimits) {
    serve_with(listener, router, shutdown, limits, ConnectionOptions::default()).await;
}

/// [`serve`] with the given options.
pub async fn serve_with(
    listener: TcpListener,
    router: Router,
    shutdown: CancellationToken,
    limits: HttpLimits,
    ConnectionOptions { tls, peers }: ConnectionOptions,
) {
    if let Some(tls) = tls.clone() {
        tokio::spawn(tls.watch(shutdown.clone()));
    }
    let connections = TaskTracker::new();
    let abort = CancellationToken::new();
    accept(
        listener,
        &connections,
        &peers,
        |stream, permits| {
            let connection = connection(stream, tls.clone(), router.clone(), shutdown.clone(), limits);
            let abort = abort.clone();
            async move {
                // The permit is released whether the connection ended or was cut.
                let _permits = permits;
                abort.run_until_cancelled(connection).await;
            }
        },
        &shutdown,
        limits.max_connections,
    )
    .await;

    connections.close();
    if tokio::time::timeout(limits.drain_timeout, connections.wait()).await.is_err() {
        tracing::warn!(open = connections.len(), "requests did not finish in time and are cut off");
        abort.cancel();
        connections.wait().await;
    }
}

/// A permit among all connections, and one among those of its address.
type ConnectionPermits = (OwnedSemaphorePermit, PeerConnection);

/// Accepts connections while permits are available; the listener is closed when this returns.
async fn accept<F>(
    listener: TcpListener,
    connections: &TaskTracker,
    peers: &Peers,
    serve: impl Fn(TcpStream, ConnectionPermits) -> F,
    shutdown: &CancellationToken,
    max_connections: usize,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let room = Arc::new(Semaphore::new(max_connections));
    let next = async || {
        let permits = room.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (stream, peer) = listener.accept().await?;
        io::Result::Ok((stream, peer.ip(), permits))
    };
    while let Some(accepted) = shutdown.run_until_cancelled(next()).await {
        match accepted {
            Ok((stream, peer, permits)) => match peers.admit(peer) {
                Some(admitted) => drop(connections.spawn(serve(stream, (permits, admitted)))),
                None => tracing::debug!(%peer, "an address has reached its limit of connections"),
            },
            Err(cause) => wait_after(cause).await,
        }
    }
}

/// Ignores a client that disconnected; waits if there are no descriptors left, because retrying at once would only
/// use up the processor.
async fn wait_after(cause: io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(cause.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!(%cause, "cannot accept connections");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn connection(
    stream: TcpStream,
    tls: Option<Arc<Tls>>,
    router: Router,
    shutdown: CancellationToken,
    limits: HttpLimits,
) {
    // This only affects speed.
    let _ = stream.set_nodelay(true);
    let _open = metric::GaugeGuard::new(metric::HTTP_CONNECTIONS);
    // A client that requests much and then stops reading would hold the connection indefinitely.
    let client = stream.peer_addr().ok().map(|peer| ClientAddress(peer.ip().to_canonical()));
    let router = MapRequest::new(router, move |mut request: Request<Incoming>| {
        client.map(|client| request.extensions_mut().insert(client));
        request
    });
    let mut stream = Box::pin(TimeoutStream::new(stream));
    stream.as_mut().set_write_timeout_pinned(Some(limits.stall_timeout));
    let Some(tls) = tls else { return requests(stream, router, shutdown, limits).await };
    // The handshake may take no longer than the head of a request.
    let shaking = tokio::time::timeout(limits.header_timeout, tls.acceptor().accept(stream));
    match shutdown.run_until_cancelled(shaking).await {
        Some(Ok(Ok(stream))) => requests(stream, router, shutdown, limits).await,
        Some(Ok(Err(cause))) => tracing::debug!(%cause, "a TLS handshake failed"),
        Some(Err(_)) => tracing::debug!("a TLS handshake took too long"),
        None => {}
    }
}

async fn requests(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: MapRequest<Router, impl FnMut(Request<Incoming>) -> Request<Incoming> + Clone + Send + 'static>,
    shutdown: CancellationToken,
    limits: HttpLimits,
) {
    let io = TokioIo::new(stream);
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.header_timeout).max_buf_size(BUFFER);
    let connection = builder.serve_connection(io, TowerToHyperService::new(router));
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(cause) = ended {
        tracing::debug!(%cause, "a connection ended early");
    }
}
