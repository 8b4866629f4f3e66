//! Points: the balance, the price of a task, and submitting, the one tool that spends points.
//!
//! A task is submitted only if its estimate is at most `maxPoints`. To make the estimate exact, files at web addresses are
//! probed for it, and a request without a seed is given one. A request without a `clientTaskId` is given one made from its
//! content: an agent that repeats itself gets the same task.

use std::borrow::Cow;

use clipmill_core::seed::drawn_seed;
use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{Errand, Outcome, TASKS, Told};
use crate::clock;
use crate::mcp::door::{Body, Call};
use crate::mcp::refusal::Refusal;

pub const POINTS: &str =
    "The user's points: `balance` can be spent, `held` is put aside for tasks under way.";
pub const ESTIMATE: &str = "What a request would cost in points, how many videos it makes and how long they are. Checks \
    everything, stores nothing, is free. Names every wrong field and what it may hold.";
pub const SUBMIT: &str = "Submits a task. COSTS POINTS: they are held at once and paid for videos that are delivered. \
    maxPoints is required: the estimate is made first, and nothing is submitted if the task would cost more. Give \
    `clientTaskId` in the request, a name of yours for this job: sending the same again then answers with the first task \
    and costs nothing. Without one it is made of the request's content, so the same request is never paid twice, unless \
    `again` is true.";

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
            "description": "A task as it would be submitted; describe_task tells the fields of params. Or {template, values}: a \
                            template of the user's with values of its variables.",
            "properties": {
                "taskType": { "type": "string", "enum": ["videoDeduplication", "baseVideoMix", "proVideoMix"] },
                "params": { "type": "object" },
                "template": { "type": "string", "description": "Number of a template, in place of taskType and params." },
                "values": { "type": "object", "description": "Values of the template's variables, by name." },
                "clientTaskId": { "type": "string", "maxLength": 128, "description": "Your own name of this job." },
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
    /// Fetch and look into the files too, so that the price is exact where they are web addresses; slower, at most 100
    /// files.
    look_into_files: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Submit {
    request: Request,
    /// The most that the task may cost, in points; estimate_task tells the price.
    max_points: u64,
    /// Make the same again, and pay again. Only for a request without a clientTaskId.
    again: Option<bool>,
}

pub async fn points(errand: Errand, _: Nothing) -> Outcome {
    Ok(Told::Facts(errand.ask(Call::get(format!("{TASKS}/balance"))).await?))
}

pub async fn estimate(errand: Errand, Estimate { request, look_into_files }: Estimate) -> Outcome {
    let body = Body::json(&request.value()?);
    Ok(Told::Facts(told(asked(&errand, &body, look_into_files.unwrap_or(false)).await?)))
}

pub async fn submit(errand: Errand, Submit { request, max_points, again }: Submit) -> Outcome {
    let order = Order::of(named(request.value()?, again.unwrap_or(false))?);
    let estimate = priced(&errand, &order, max_points).await?;
    // From here on a cancelled call still runs to its end, so that what was submitted is compared with maxPoints.
    let placed = tokio::spawn(place(errand, order, estimate, max_points)).await;
    placed.unwrap_or_else(|_| {
        Err(Refusal::new("the submission broke off; list_tasks tells whether there is a task"))
    })
}

/// A request in the form in which it is sent each time, and facts for the result.
struct Order {
    body: Body,
    client_task_id: Value,
    seed: Value,
    names_web_file: bool,
}

impl Order {
    fn of(request: Value) -> Self {
        Self {
            body: Body::json(&request),
            client_task_id: request["clientTaskId"].clone(),
            seed: request["params"]["seed"].clone(),
            // What a template names is not known here.
            names_web_file: request["template"].is_string() || names_web_file(&request["params"]),
        }
    }
}

/// The estimate of a request, if it may be submitted.
async fn priced(errand: &Errand, order: &Order, max_points: u64) -> Result<Value, Refusal> {
    let declared = asked(errand, &order.body, false).await?;
    within(&declared, max_points, "")?;
    if !order.names_web_file {
        return Ok(declared);
    }
    let real = asked(errand, &order.body, true).await?;
    within(&real, max_points, ", now that its files were looked into")?;
    Ok(real)
}

fn within(estimate: &Value, max_points: u64, how: &str) -> Result<(), Refusal> {
    let points = points_of(estimate);
    if points <= max_points {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "not submitted, nothing was paid: the task would cost {points} points{how}, and maxPoints is {max_points}. Make \
         fewer, shorter or smaller videos, or ask the user whether {points} points are right and raise maxPoints. Clips \
         at web addresses without a `duration` are taken for long ones: declare it, or upload them."
    )))
}

/// Submits the task; one that costs more than allowed is cancelled before any work on it begins.
async fn place(errand: Errand, order: Order, estimate: Value, max_points: u64) -> Outcome {
    let task = errand.ask(Call::post(format!("{TASKS}/submit"), order.body)).await?;
    let (task_no, points) = (task["taskNo"].as_str().unwrap_or_default(), points_of(&task));
    let duplicate = task["duplicate"].as_bool().unwrap_or(false);
    if points > max_points && !duplicate {
        return Err(stop(&errand, task_no, points, max_points).await);
    }
    let next = if duplicate {
        "This request was submitted before under the same clientTaskId: this is that task, whatever its state, and nothing \
         was paid for it now. To make it once more, choose another clientTaskId, or say `again` where you gave none."
    } else {
        "Call wait_for_task with this taskNo."
    };
    Ok(Told::Facts(json!({
        "taskNo": task_no,
        "clientTaskId": order.client_task_id,
        "seed": order.seed,
        "points": points,
        "totalItems": task["totalItems"],
        "duplicate": duplicate,
        "estimate": told(estimate),
        "warnings": task["warnings"],
        "next": next,
    })))
}

async fn stop(errand: &Errand, task_no: &str, points: u64, max_points: u64) -> Refusal {
    let cancelled = errand.ask(Call::post(format!("{TASKS}/cancel/{task_no}"), Body::None)).await;
    let outcome = match cancelled {
        Ok(_) => "it was cancelled at once and its points were given back".to_owned(),
        Err(why) => format!("it could not be cancelled ({}): try cancel_task", why.0),
    };
    Refusal::new(format!(
        "the price rose between estimate and submission: task {task_no} would cost {points} points, more than maxPoints \
         ({max_points}); {outcome}"
    ))
}

async fn asked(errand: &Errand, body: &Body, looks: bool) -> Result<Value, Refusal> {
    let call = Call::post(format!("{TASKS}/estimate"), body.clone());
    errand.ask(call.with("preflight", looks.then_some(true))).await
}

pub fn points_of(answer: &Value) -> u64 {
    // A reply without a price must not count as cheap.
    answer["estimatedDotCount"].as_u64().unwrap_or(u64::MAX)
}

/// An estimate with the names that tools use.
fn told(mut estimate: Value) -> Value {
    json!({
        "points": estimate["estimatedDotCount"].take(),
        "totalItems": estimate["totalItems"].take(),
        "outputSeconds": estimate["outputSeconds"].take(),
        "distinctCombinations": estimate["distinctCombinations"].take(),
        "warnings": estimate["warnings"].take(),
    })
}

/// The request with a `clientTaskId` and a seed, both made from its content if it has none.
fn named(mut request: Value, again: bool) -> Result<Value, Refusal> {
    let own = request.get("clientTaskId").is_some_and(|id| !id.is_null() && id != "");
    if own && again {
        return Err(Refusal::new(
            "`again` is for requests without a clientTaskId: choose another clientTaskId",
        ));
    }
    if !own {
        let mut id = format!("agent-{}", hex::encode(content(&request)));
        id.truncate("agent-".len() + NAMED_BY);
        if again {
            let drawn = clock::random::<8>().map_err(|error| Refusal::new(format!("no chance: {error}")))?;
            id = format!("{id}-{}", hex::encode(drawn));
        }
        request["clientTaskId"] = json!(id);
    }
    let [a, b, c, d, e, f, g, h, ..] = content(&request);
    let seed = drawn_seed([a, b, c, d, e, f, g, h]);
    if let Some(params) = request.get_mut("params").and_then(Value::as_object_mut) {
        let given = params.get("seed").is_some_and(|seed| !seed.is_null() && seed != "");
        if !given {
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

fn names_web_file(value: &Value) -> bool {
    match value {
        Value::String(text) => text.starts_with("http://") || text.starts_with("https://"),
        Value::Object(members) => members.values().any(names_web_file),
        Value::Array(entries) => entries.iter().any(names_web_file),
        _ => false,
    }
}
