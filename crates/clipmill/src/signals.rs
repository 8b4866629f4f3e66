//! Signals that stop the program in an orderly way.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Ctrl-C or SIGTERM: accept no new work, finish open requests and, within the grace period, running work. A second
/// signal returns the work at once.
pub async fn stop_on_signal(mut signals: Signals, stop: CancellationToken, force_stop: CancellationToken) {
    signals.next().await;
    tracing::info!("stopping; running work may finish");
    stop.cancel();
    signals.next().await;
    tracing::info!("stopping immediately");
    force_stop.cancel();
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

    /// The exit status of a program that ends by the signal: 128 plus its number.
    pub async fn next(&mut self) -> u8 {
        let signal = tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.interrupt.recv() => SignalKind::interrupt(),
        };
        128u8.saturating_add(u8::try_from(signal.as_raw_value()).unwrap_or_default())
    }
}
