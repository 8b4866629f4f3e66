//! Points: the balance, the price of a task, and submitting.
//!
//! `maxPoints` is the price limit of the request. A request without a `clientTaskId` is given one made from its
//! content: an agent that repeats a request gets the same task.

use std::borrow::Cow;

use clipmill_core::request::model::TaskType;
use clipmill_core::seed::drawn_seed;
use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::messages::without_codes;
use super::{Outcome, TASKS, ToolContext, ToolOutput};
use crate::clock;
use crate::mcp::api_client::{Body, Call};
use crate::mcp::refusal::Refusal;

pub const POINTS: &str = "The user's points: `balance` is spendable, `held` is reserved for open tasks.";
pub const ESTIMATE: &str = "Price of a request in points, and number and length of its videos. Validates \
    everything, stores nothing, is free. Reports every wrong field and its allowed values.";
pub const SUBMIT: &str = "Submits a task. COSTS POINTS: they are held at once and charged for delivered videos. \
    maxPoints is required: nothing is submitted if the estimate is higher, the task is rejected if the confirmed \
    price is higher, and it never costs more. Set `clientTaskId` in the request, your own ID for the job: sending the \
    same request again then returns the existing task and costs nothing. Without one, it is derived from the request's \
    content, so the same request is never charged twice, unless `again` is true.";

/// How many characters of the content's hash a `clientTaskId` has.
const NAMED_BY: usize = 24;

/// A task as it would be submitted.
#[derive(Deserialize)]
#[serde(transparent)]
pub struct Request(Value);

impl JsonSchema for Request {
    fn schema_name() -> Cow<'static, str> {
        "Request".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "A task as it would be submitted; describe_task returns the fields of params. Or {template, values}: one of \
                the user's templates with values of its variables.",
            "properties": {
                "taskType": { "type": "string", "enum": TaskType::ALL },
                "params": { "type": "object" },
                "template": { "type": "string", "description": "Template number, instead of taskType and params." },
                "values": { "type": "object", "description": "Values of the template's variables, by name." },
                "clientTaskId": { "type": "string", "maxLength": 128, "description": "Your own ID for this job (idempotency key)." },
            },
        })
    }
}

impl Request {
    /// Accepts an object that was put into a string, as agents sometimes do.
    pub fn value(self) -> Result<Value, Refusal> {
        let value = match self.0 {
            Value::String(text) => serde_json::from_str(&text)
                .map_err(|error| Refusal::new(format!("request is not JSON: {error}")))?,
            value => value,
        };
        if value.is_object() {
            Ok(value)
        } else {
            Err(Refusal::new("request must be an object: {taskType, params}"))
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Estimate {
    request: Request,
    /// Also fetch and probe the files, so that the price is exact for web addresses; slower, at most 100 files.
    look_into_files: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Submit {
    request: Request,
    /// Maximum price of the task, in points; estimate_task returns the price. Replaces maxPoints of the request.
    max_points: u64,
    /// Render the same request again, and pay again. Only for a request without a clientTaskId.
    again: Option<bool>,
}

pub async fn points(context: ToolContext, _: Nothing) -> Outcome {
    Ok(ToolOutput::Facts(context.ask(Call::get(format!("{TASKS}/balance"))).await?))
}

pub async fn estimate(context: ToolContext, Estimate { request, look_into_files }: Estimate) -> Outcome {
    let body = Body::json(&request.value()?);
    Ok(ToolOutput::Facts(renamed(request_estimate(&context, &body, look_into_files.unwrap_or(false)).await?)))
}

pub async fn submit(context: ToolContext, Submit { request, max_points, again }: Submit) -> Outcome {
    let mut request = with_id_and_seed(request.value()?, again.unwrap_or(false))?;
    request["maxPoints"] = json!(max_points);
    let task = context.ask(Call::post(format!("{TASKS}/submit"), Body::json(&request))).await?;
    let duplicate = task["duplicate"] == true;
    let next = if duplicate {
        "This request was submitted before under the same clientTaskId: this is the existing task, in any state, under the \
         maxPoints that it had then, and nothing was paid for it now. To make it once more, choose another clientTaskId, or \
         say `again` where you gave none."
    } else {
        "Call wait_for_task with this taskNo."
    };
    Ok(ToolOutput::Facts(json!({
        "taskNo": task["taskNo"],
        "clientTaskId": request["clientTaskId"],
        "seed": request["params"]["seed"],
        "points": task["estimatedDotCount"],
        "totalItems": task["totalItems"],
        "duplicate": duplicate,
        "warnings": without_codes(task["warnings"].clone()),
        "next": next,
    })))
}

async fn request_estimate(context: &ToolContext, body: &Body, looks: bool) -> Result<Value, Refusal> {
    let call = Call::post(format!("{TASKS}/estimate"), body.clone());
    context.ask(call.with("preflight", looks.then_some(true))).await
}

/// An estimate with the names that tools use.
fn renamed(mut estimate: Value) -> Value {
    json!({
        "points": estimate["estimatedDotCount"].take(),
        "totalItems": estimate["totalItems"].take(),
        "outputSeconds": estimate["outputSeconds"].take(),
        "distinctCombinations": estimate["distinctCombinations"].take(),
        "warnings": without_codes(estimate["warnings"].take()),
    })
}

/// The request with a `clientTaskId` and a seed, both made from its content if it has none.
fn with_id_and_seed(mut request: Value, again: bool) -> Result<Value, Refusal> {
    if let Some(members) = request.as_object_mut() {
        members.shift_remove("maxPoints");
    }
    let has_id = request.get("clientTaskId").is_some_and(|id| !id.is_null() && id != "");
    if has_id && again {
        return Err(Refusal::new(
            "`again` is for requests without a clientTaskId: choose another clientTaskId",
        ));
    }
    if !has_id {
        let mut id = format!("agent-{}", hex::encode(content(&request)));
        id.truncate("agent-".len() + NAMED_BY);
        if again {
            let random_bytes =
                clock::random::<8>().map_err(|error| Refusal::new(format!("no random bytes: {error}")))?;
            id = format!("{id}-{}", hex::encode(random_bytes));
        }
        request["clientTaskId"] = json!(id);
    }
    let [a, b, c, d, e, f, g, h, ..] = content(&request);
    let seed = drawn_seed([a, b, c, d, e, f, g, h]);
    if let Some(params) = request.get_mut("params").and_then(Value::as_object_mut) {
        let has_seed = params.get("seed").is_some_and(|seed| !seed.is_null() && seed != "");
        if !has_seed {
            params.insert("seed".to_owned(), json!(seed));
        }
    }
    Ok(request)
}

/// A hash of the content that does not depend on the order of its members.
fn content(request: &Value) -> [u8; 32] {
    Sha256::digest(sorted(request).to_string()).into()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            let member = |name: &String| (name.clone(), members.get(name).map_or(Value::Null, sorted));
            Value::Object(names.into_iter().map(member).collect::<Map<_, _>>())
        }
        Value::Array(entries) => Value::Array(entries.iter().map(sorted).collect()),
        other => other.clone(),
    }
}
