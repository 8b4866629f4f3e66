//! Ending in good order when told to.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Ctrl-C or SIGTERM: take no new work, finish open requests and, for a while, work under way. The second one
/// hands work back at once.
pub async fn stop_on_signal(mut signals: Signals, stop: CancellationToken, hurry: CancellationToken) {
    signals.next().await;
    tracing::info!("stopping; work under way may be finished");
    stop.cancel();
    signals.next().await;
    tracing::info!("stopping at once");
    hurry.cancel();
}

/// Signals that ask for an end. None is missed while this lives.
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    pub fn listen() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
