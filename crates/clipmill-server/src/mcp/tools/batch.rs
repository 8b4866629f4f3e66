//! Batches: many videos from one template and a table.

use std::borrow::Cow;

use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use super::{Outcome, ToolContext, ToolOutput};
use crate::mcp::api_client::{Body, Call};

const BATCHES: &str = "/open-api/v1/batches";

pub const ESTIMATE: &str = "The price of a batch: every row is checked, nothing is stored, free. Reports every wrong row and \
    column. The arguments are those of submit_batch.";
pub const SUBMIT: &str = "Submits a batch: a video, or several, for each row. COSTS POINTS: the price of all rows is held at \
    once. maxPoints is required: nothing is submitted if the estimate is higher, rows whose confirmed price would exceed it are rejected, \
    and the batch never costs more. The same clientBatchId with the same content \
    returns the first batch and costs nothing.";
pub const GET: &str =
    "State of a batch: rows, videos, progress, points, and refused rows with their reasons.";
pub const CANCEL: &str = "Stops a batch: rows that have not started are dropped, its tasks are cancelled, their points are released. \
    Delivered videos remain available and are charged.";

/// Arguments with the members of a batch beside `maxPoints`, as the API has them. Earlier versions of submit_batch had
/// the batch in the member `batch`; this is also accepted.
pub struct Flat<A>(A);

// `P` is the type of the price limit, which only a submission requires.
/// A batch as it would be submitted.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars", inline)]
pub struct Batch<P> {
    /// Your own ID for this batch.
    client_batch_id: String,
    /// Template number.
    template: Option<String>,
    /// A request with {{variables}}, instead of a template.
    request: Option<Map<String, Value>>,
    /// The variables of `request`, declared as in save_template.
    variables: Option<Vec<Map<String, Value>>>,
    /// Values of the variables, a row for each task, at most 1000. Lists are arrays.
    rows: Option<Vec<Map<String, Value>>>,
    /// Instead of rows: an upload:// URL of a CSV table whose first line names the variables.
    csv_url: Option<String>,
    /// Accept as many rows as the balance covers, instead of all or none.
    partial: Option<bool>,
    /// Maximum price of the whole batch, in points; estimate_batch returns the price.
    max_points: P,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Which {
    /// Number of the batch, BP….
    batch_no: String,
}

impl<'de, A: DeserializeOwned> Deserialize<'de> for Flat<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut members = Map::<String, Value>::deserialize(deserializer)?;
        let batch = match members.shift_remove("batch") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(batch)) => batch,
            Some(_) => return Err(D::Error::custom("`batch` must be an object")),
        };
        if let Some(name) = batch.keys().find(|name| members.contains_key(*name)) {
            return Err(D::Error::custom(format!("`{name}` is set in `batch` and beside it; keep one")));
        }
        members.extend(batch);
        serde_json::from_value(Value::Object(members)).map(Self).map_err(D::Error::custom)
    }
}

impl<A: JsonSchema> JsonSchema for Flat<A> {
    fn schema_name() -> Cow<'static, str> {
        A::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        A::json_schema(generator)
    }
}

impl<P: Serialize> Batch<P> {
    fn value(self) -> Value {
        let mut body = json!({
            "clientBatchId": self.client_batch_id, "template": self.template, "request": self.request,
            "variables": self.variables, "rows": self.rows, "csvUrl": self.csv_url, "partial": self.partial,
            "maxPoints": self.max_points,
        });
        if let Value::Object(members) = &mut body {
            members.retain(|_, value| !value.is_null());
        }
        body
    }
}

pub async fn estimate(context: ToolContext, Flat(batch): Flat<Batch<Option<u64>>>) -> Outcome {
    let call = Call::post(format!("{BATCHES}/estimate"), Body::json(&batch.value()));
    Ok(ToolOutput::Facts(context.ask(call).await?))
}

pub async fn submit(context: ToolContext, Flat(batch): Flat<Batch<u64>>) -> Outcome {
    Ok(ToolOutput::Facts(context.ask(Call::post(BATCHES, Body::json(&batch.value()))).await?))
}

pub async fn get(context: ToolContext, Which { batch_no }: Which) -> Outcome {
    let path = format!("{BATCHES}/{}", Call::step(&batch_no));
    let mut batch = context.ask(Call::get(path.clone())).await?;
    if batch["refusedRows"].as_u64().unwrap_or(0) > 0 {
        let refused_rows =
            Call::get(format!("{path}/rows")).with("state", Some("refused")).with("pageSize", Some(20));
        batch["refused"] = context.ask(refused_rows).await?["list"].take();
    }
    Ok(ToolOutput::Facts(batch))
}

pub async fn cancel(context: ToolContext, Which { batch_no }: Which) -> Outcome {
    let call = Call::post(format!("{BATCHES}/{}/cancel", Call::step(&batch_no)), Body::None);
    Ok(ToolOutput::Facts(context.ask(call).await?))
}
