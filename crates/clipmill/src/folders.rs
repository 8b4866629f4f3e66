//! Re-creates folders of the data folder that are removed while the service runs.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use clipmill_media::engine::Engine;
use clipmill_server::DataDir;
use tokio_util::sync::CancellationToken;

/// Shorter than the delay before a job that failed because of a missing folder is retried.
const EVERY: Duration = Duration::from_secs(1);

/// Watches the folders until `stop`.
pub async fn keep(data: DataDir, engine: Arc<Engine>, stop: CancellationToken) {
    let mut was_well = true;
    while stop.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        let (data, engine) = (data.clone(), engine.clone());
        let restored = tokio::task::spawn_blocking(move || restore(&data, &engine)).await;
        match restored.map_err(io::Error::other).flatten() {
            Ok(()) => was_well = true,
            // Once is enough.
            Err(error) if was_well => {
                tracing::error!(%error, "folders of the data folder are missing and cannot be re-created");
                was_well = false;
            }
            Err(_) => {}
        }
    }
}

fn restore(data: &DataDir, engine: &Engine) -> io::Result<()> {
    data.restore_folders()?;
    if engine.restore_folders()? {
        tracing::warn!("folders of unfinished work were removed while the service runs; re-created them");
    }
    Ok(())
}
