//! A preview frame of a task, before anything is paid.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::spend::Request;
use super::{Outcome, ToolContext, ToolOutput};
use crate::mcp::api_client::{Body, Call};

pub const ABOUT: &str = "One frame of a video that a request would give, as a picture; free, and made by the same planner. \
    Look at it before submit_task: crop, captions, titles, logos, looks. What chance draws is as `params.seed` says; \
    without a seed each preview draws the same, and the submitted task may draw otherwise.";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Preview {
    request: Request,
    /// Which video of the task, from 1; the first unless said.
    #[schemars(range(min = 1))]
    item: Option<u32>,
    /// Second of the video; unless said, the middle of its effect or first caption, else a third of the way.
    #[schemars(range(min = 0))]
    at_seconds: Option<f64>,
    /// Only this clip or scene, from 0; atSeconds counts from its beginning then.
    clip: Option<u32>,
    /// Width of the picture in pixels, 16 to 720; 480 unless said.
    #[schemars(range(min = 16, max = 720))]
    width: Option<u32>,
}

/// Enough to judge by, at a third of the size of the largest.
const WIDTH: u32 = 480;

pub async fn preview(
    context: ToolContext,
    Preview { request, item, at_seconds, clip, width }: Preview,
) -> Outcome {
    let mut body = Map::from_iter([("request".to_owned(), request.value()?)]);
    let members = [
        ("itemNo", item.map(Value::from)),
        ("atSeconds", at_seconds.map(Value::from)),
        ("clip", clip.map(Value::from)),
        ("width", Some(json!(width.unwrap_or(WIDTH)))),
    ];
    body.extend(members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    let reply = context.fetch(Call::post("/open-api/v1/preview", Body::json(&Value::Object(body)))).await?;
    let at = reply.header("x-at-seconds").unwrap_or("?");
    let length = reply.header("x-length-seconds").unwrap_or("?");
    let about = format!("The frame at {at} s of a video of {length} s.");
    Ok(ToolOutput::Picture { jpeg: reply.body, about })
}
