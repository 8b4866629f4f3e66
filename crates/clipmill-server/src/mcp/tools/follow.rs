//! Waits for a task with increasing poll intervals, so that an agent that waits in a loop causes little load.

use std::time::Duration;

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use super::task::{brief, has_ended, items, status};
use super::{Outcome, ToolContext, ToolOutput};

pub const ABOUT: &str = "Waits until a task has ended, for 50 seconds at most, and returns state, progress and the first \
    videos with their links. Call it again while `ended` is false. Waiting costs nothing.";

const MAX_FOLLOW_SECONDS: u32 = 50;
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// The most items in the result; get_results returns all.
const MAX_ITEMS: usize = 10;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Wait {
    /// Number of the task: VP and 26 characters.
    task_no: String,
    /// Maximum seconds to wait; 50 by default.
    #[schemars(range(min = 0, max = 50))]
    seconds: Option<u32>,
}

pub async fn wait(context: ToolContext, Wait { task_no, seconds }: Wait) -> Outcome {
    let end = Instant::now()
        + Duration::from_secs(seconds.unwrap_or(MAX_FOLLOW_SECONDS).min(MAX_FOLLOW_SECONDS).into());
    let mut pause = FIRST_PAUSE;
    loop {
        let task = status(&context, &task_no).await?;
        if has_ended(&task) || context.ending.is_cancelled() || Instant::now() >= end {
            return Ok(ToolOutput::Facts(waited(task)));
        }
        let next = end.min(Instant::now() + pause);
        context.ending.run_until_cancelled(sleep_until(next)).await;
        pause = (pause * 3 / 2).min(MAX_PAUSE);
    }
}

fn waited(mut task: Value) -> Value {
    let summary = items(&mut task, 1, MAX_ITEMS);
    let next = match (has_ended(&task), task["statusName"].as_str()) {
        (false, _) => "The task is still running: call wait_for_task again.",
        (true, Some("completed")) => "The task has ended. get_results returns all videos with new links.",
        (true, _) => {
            "The task has ended without a video; see errorMsg and the items' errors for the reasons."
        }
    };
    let mut brief = brief(task);
    brief["items"] = summary;
    brief["next"] = json!(next);
    brief
}
