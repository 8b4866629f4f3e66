//! Templates: stored requests with variables.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Outcome, ToolContext, ToolOutput};
use crate::mcp::api_client::{Body, Call};

const TEMPLATES: &str = "/open-api/v1/templates";

pub const LIST: &str = "The user's templates, most recently changed first: requests with variables, for the same video for many \
    products.";
pub const GET: &str = "A template with its request and its variables. To use it, put {\"template\": templateNo, \"values\": \
    {…}} instead of a request in estimate_task, preview_task or submit_task, or render many rows with submit_batch.";
pub const SAVE: &str = "Saves a request with variables as a template; free. {{name}} in any string of the request is \
    replaced by that variable's value; a string that consists of a single variable takes the value's type. Each variable is \
    declared: {name, type: text|number|url|color|choice|urls|texts, default?, maxLength?, minimum?, maximum?, choices?, minItems?, \
    maxItems?}. urls and texts are lists: a clip whose url is a urls variable is repeated for each entry, and texts of an overlay can \
    be a texts variable. An object with {\"$if\": \"{{name}}\"} is dropped if the value is empty, false or 0; a default may be \
    empty. Checked at once, with the defaults. With templateNo it is the next version of that template.";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct List {
    /// Part of the name.
    q: Option<String>,
    /// From 1.
    #[schemars(range(min = 1))]
    page_no: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Get {
    /// Number of the template, TP….
    template_no: String,
    /// The newest by default.
    version: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Save {
    /// Display name.
    name: String,
    /// A task as it would be submitted, with {{variables}} in its strings.
    request: serde_json::Map<String, Value>,
    /// All variables of the request.
    variables: Vec<serde_json::Map<String, Value>>,
    /// The template to change; by default a new one is created.
    template_no: Option<String>,
}

pub async fn list(context: ToolContext, List { q, page_no }: List) -> Outcome {
    let call = Call::get(TEMPLATES).with("q", q).with("pageNo", page_no).with("pageSize", Some(50));
    Ok(ToolOutput::Facts(context.ask(call).await?))
}

pub async fn get(context: ToolContext, Get { template_no, version }: Get) -> Outcome {
    let call = Call::get(format!("{TEMPLATES}/{}", Call::step(&template_no))).with("version", version);
    Ok(ToolOutput::Facts(context.ask(call).await?))
}

pub async fn save(context: ToolContext, Save { name, request, variables, template_no }: Save) -> Outcome {
    let body = Body::json(&json!({ "name": name, "request": request, "variables": variables }));
    let call = match template_no {
        None => Call::post(TEMPLATES, body),
        Some(number) => Call::put(format!("{TEMPLATES}/{}", Call::step(&number)), body),
    };
    Ok(ToolOutput::Facts(context.ask(call).await?))
}
