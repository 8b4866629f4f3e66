//! Signals that stop the program in an orderly way.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Ctrl-C or SIGTERM: take no new work, finish open requests and, for a while, work in progress. A second signal gives the
/// work back at once.
pub async fn stop_on_signal(mut signals: Signals, stop: CancellationToken, hurry: CancellationToken) {
    signals.next().await;
    tracing::info!("stopping; work under way may be finished");
    stop.cancel();
    signals.next().await;
    tracing::info!("stopping at once");
    hurry.cancel();
}

/// Signals that ask the program to stop. None is missed while this exists.
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    pub fn listen() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// The exit status of a program that ends by the signal: 128 and its number.
    pub async fn next(&mut self) -> u8 {
        let signal = tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.interrupt.recv() => SignalKind::interrupt(),
        };
        128u8.saturating_add(u8::try_from(signal.as_raw_value()).unwrap_or_default())
    }
}
