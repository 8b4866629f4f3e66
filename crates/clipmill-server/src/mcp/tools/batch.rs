//! Batches: many videos from one template and a table. As with tasks, a batch is submitted only if its estimate is at most
//! `maxPoints`.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::spend::points_of;
use super::{Errand, Outcome, Told};
use crate::mcp::door::{Body, Call};
use crate::mcp::refusal::Refusal;

const BATCHES: &str = "/open-api/v1/batches";

pub const ESTIMATE: &str = "What a batch would cost: every row is checked, nothing is stored, free. Names every wrong row and \
    column.";
pub const SUBMIT: &str = "Submits a batch: a video, or several, for each row. COSTS POINTS: the price of all rows is held at \
    once. maxPoints is required: the estimate is made first, and nothing is submitted if the batch would cost more. The same \
    clientBatchId with the same content answers with the first batch and costs nothing.";
pub const GET: &str = "How a batch stands: rows, videos, progress, points; and its rows that were refused, with the reason of each.";
pub const CANCEL: &str = "Stops a batch: rows that are not begun never are, its tasks are cancelled, their points go back. \
    Videos that are delivered stay and are paid.";

/// A batch as it would be submitted.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars", inline)]
pub struct Batch {
    /// Your own name of this batch.
    client_batch_id: String,
    /// Number of a template of the user's.
    template: Option<String>,
    /// Or a request with {{variables}}, in place of a template.
    request: Option<Map<String, Value>>,
    /// The variables of `request`, declared as in save_template.
    variables: Option<Vec<Map<String, Value>>>,
    /// Values of the variables, a row for each task, at most 1000.
    rows: Option<Vec<Map<String, Value>>>,
    /// Or an upload:// url of a CSV table whose first line names the variables.
    csv_url: Option<String>,
    /// Take as many rows as there are points for, instead of all or none.
    partial: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub struct Submit {
    /// The batch, as estimate_batch takes it.
    batch: Batch,
    /// The most that all rows together may cost, in points; estimate_batch tells the price.
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
    fn body(self) -> Body {
        let mut body = json!({
            "clientBatchId": self.client_batch_id, "template": self.template, "request": self.request,
            "variables": self.variables, "rows": self.rows, "csvUrl": self.csv_url, "partial": self.partial,
        });
        if let Value::Object(members) = &mut body {
            members.retain(|_, value| !value.is_null());
        }
        Body::json(&body)
    }
}

pub async fn estimate(errand: Errand, batch: Batch) -> Outcome {
    Ok(Told::Facts(priced(&errand, &batch.body()).await?))
}

pub async fn submit(errand: Errand, Submit { batch, max_points }: Submit) -> Outcome {
    let body = batch.body();
    let estimate = priced(&errand, &body).await?;
    let points = points_of(&estimate);
    if points > max_points {
        return Err(Refusal::new(format!(
            "not submitted, nothing was paid: the batch would cost {points} points, and maxPoints is {max_points}. Send \
             fewer rows, or ask the user whether {points} points are right and raise maxPoints."
        )));
    }
    // From here on a cancelled call still runs to its end, so that what was submitted is compared with maxPoints.
    let placed = tokio::spawn(place(errand, body, max_points)).await;
    placed.unwrap_or_else(|_| Err(Refusal::new("the submission broke off; send the same batch again")))
}

async fn place(errand: Errand, body: Body, max_points: u64) -> Outcome {
    let batch = errand.ask(Call::post(BATCHES, body)).await?;
    let (held, number) = (points_of(&batch), batch["batchNo"].as_str().unwrap_or_default());
    if held > max_points && batch["duplicate"] != true {
        let stopped = errand.ask(Call::post(format!("{BATCHES}/{number}/cancel"), Body::None)).await;
        let outcome = match stopped {
            Ok(_) => "it was cancelled at once and its points go back".to_owned(),
            Err(why) => format!("it could not be cancelled ({}): try cancel_batch", why.0),
        };
        return Err(Refusal::new(format!(
            "the price rose between estimate and submission: batch {number} would cost {held} points, more than maxPoints \
             ({max_points}); {outcome}"
        )));
    }
    Ok(Told::Facts(batch))
}

pub async fn get(errand: Errand, Which { batch_no }: Which) -> Outcome {
    let path = format!("{BATCHES}/{}", Call::step(&batch_no));
    let mut batch = errand.ask(Call::get(path.clone())).await?;
    if batch["refusedRows"].as_u64().unwrap_or(0) > 0 {
        let refused =
            Call::get(format!("{path}/rows")).with("state", Some("refused")).with("pageSize", Some(20));
        batch["refused"] = errand.ask(refused).await?["list"].take();
    }
    Ok(Told::Facts(batch))
}

pub async fn cancel(errand: Errand, Which { batch_no }: Which) -> Outcome {
    let call = Call::post(format!("{BATCHES}/{}/cancel", Call::step(&batch_no)), Body::None);
    Ok(Told::Facts(errand.ask(call).await?))
}

async fn priced(errand: &Errand, body: &Body) -> Result<Value, Refusal> {
    errand.ask(Call::post(format!("{BATCHES}/estimate"), body.clone())).await
}
