//! Batches: many videos from one template and a table.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Outcome, ToolContext, ToolOutput};
use crate::mcp::api_client::{Body, Call};

const BATCHES: &str = "/open-api/v1/batches";

pub const ESTIMATE: &str = "The price of a batch: every row is checked, nothing is stored, free. Reports every wrong row and \
    column.";
pub const SUBMIT: &str = "Submits a batch: a video, or several, for each row. COSTS POINTS: the price of all rows is held at \
    once. maxPoints is required: nothing is submitted if the estimate is higher, rows whose confirmed price would exceed it are rejected, \
    and the batch never costs more. The same clientBatchId with the same content \
    returns the first batch and costs nothing.";
pub const GET: &str =
    "State of a batch: rows, videos, progress, points, and refused rows with their reasons.";
pub const CANCEL: &str = "Stops a batch: rows that have not started are dropped, its tasks are cancelled, their points are released. \
    Delivered videos remain available and are charged.";

/// A batch as it would be submitted.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars", inline)]
pub struct Batch {
    /// Your own ID for this batch.
    client_batch_id: String,
    /// Template number.
    template: Option<String>,
    /// A request with {{variables}}, instead of a template.
    request: Option<Map<String, Value>>,
    /// The variables of `request`, declared as in save_template.
    variables: Option<Vec<Map<String, Value>>>,
    /// Values of the variables, a row for each task, at most 1000.
    rows: Option<Vec<Map<String, Value>>>,
    /// Instead of rows: an upload:// URL of a CSV table whose first line names the variables.
    csv_url: Option<String>,
    /// Accept as many rows as the balance covers, instead of all or none.
    partial: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Submit {
    /// The batch, in the same form as for estimate_batch.
    batch: Batch,
    /// Maximum price of the whole batch, in points; estimate_batch returns the price.
    max_points: u64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Which {
    /// Number of the batch, BP….
    batch_no: String,
}

impl Batch {
    fn value(self) -> Value {
        let mut body = json!({
            "clientBatchId": self.client_batch_id, "template": self.template, "request": self.request,
            "variables": self.variables, "rows": self.rows, "csvUrl": self.csv_url, "partial": self.partial,
        });
        if let Value::Object(members) = &mut body {
            members.retain(|_, value| !value.is_null());
        }
        body
    }
}

pub async fn estimate(context: ToolContext, batch: Batch) -> Outcome {
    let call = Call::post(format!("{BATCHES}/estimate"), Body::json(&batch.value()));
    Ok(ToolOutput::Facts(context.ask(call).await?))
}

pub async fn submit(context: ToolContext, Submit { batch, max_points }: Submit) -> Outcome {
    let mut body = batch.value();
    body["maxPoints"] = json!(max_points);
    Ok(ToolOutput::Facts(context.ask(Call::post(BATCHES, Body::json(&body))).await?))
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
