//! A preview frame of a task, before submission.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::spend::Request;
use super::{Outcome, ToolContext, ToolOutput};
use crate::mcp::api_client::{Body, Call};

pub const ABOUT: &str = "One frame of a video that a request would produce, as an image; free, and rendered by the same planner. \
    Use it before submit_task to check crop, captions, titles, logos, looks. Random choices follow `params.seed`; \
    without a seed all previews use the same random values, and the submitted task may use others.";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Preview {
    request: Request,
    /// Number of the video, from 1; the first by default.
    #[schemars(range(min = 1))]
    item: Option<u32>,
    /// Time in seconds. Default: the middle of the effect or of the first caption, otherwise a third of the video.
    #[schemars(range(min = 0))]
    at_seconds: Option<f64>,
    /// Only this clip or scene, from 0; atSeconds then counts from its beginning.
    clip: Option<u32>,
    /// Width of the image in pixels, 16 to 720; 480 by default.
    #[schemars(range(min = 16, max = 720))]
    width: Option<u32>,
}

/// Large enough to judge the frame, at a third of the size of the maximum.
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
    Ok(ToolOutput::Image { jpeg: reply.body, about })
}
