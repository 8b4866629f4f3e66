//! Waits for a batch, with one progress bar for all of it; videos are downloaded as they are finished.

use std::time::Duration;

use clipmill_server::mcp::Call;
use indicatif::{HumanDuration, ProgressBar};
use serde_json::Value;
use tokio::time::sleep;

use super::BATCHES;
use super::collect::CollectedResults;
use crate::progress::bar;
use crate::remote::{Failure, Service, failed};

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// Videos are downloaded once at least one in this many has finished since the last time, because each download
/// requests the whole list.
const SHARE: u64 = 10;

/// Returns the batch once it has ended and all its videos are downloaded.
pub async fn follow(
    service: &Service,
    number: &str,
    collected: &mut CollectedResults<'_>,
    quiet: bool,
) -> anyhow::Result<Value> {
    let (mut pause, mut taken) = (FIRST_PAUSE, 0);
    let mut progress_bar: Option<ProgressBar> = None;
    loop {
        let batch = state(service, number).await.map_err(failed)?;
        let figure = |name: &str| batch[name].as_u64().unwrap_or_default();
        let (total, completed) = (figure("totalItems"), figure("completedItems"));
        let progress_bar = progress_bar.get_or_insert_with(|| bar(total, "videos {msg}", quiet));
        progress_bar.set_position(completed + figure("failedItems"));
        progress_bar.set_message(message(&batch));
        let ended = has_ended(&batch);
        if ended || completed >= taken + (total / SHARE).max(1) {
            collected.take(service, number).await?;
            taken = completed;
        }
        if ended {
            progress_bar.finish_and_clear();
            return Ok(batch);
        }
        sleep(pause).await;
        pause = (pause * 3 / 2).min(MAX_PAUSE);
    }
}

pub async fn state(service: &Service, number: &str) -> Result<Value, Failure> {
    service.ask(Call::get(format!("{BATCHES}/{}", Call::step(number)))).await
}

/// Whether it has ended: the states from completed on, as for tasks.
fn has_ended(batch: &Value) -> bool {
    batch["status"].as_u64().is_some_and(|code| code >= 3)
}

fn message(batch: &Value) -> String {
    if batch["paused"] == true {
        return "paused".to_owned();
    }
    let remaining = batch["etaSeconds"].as_u64().map(|seconds| HumanDuration(Duration::from_secs(seconds)));
    remaining.map(|remaining| format!("{remaining} left")).unwrap_or_default()
}
