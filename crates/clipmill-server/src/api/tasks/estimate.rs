//! `POST …/estimate`: price and size of a task before submission; nothing is stored.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use clipmill_core::error::TaskError;
use clipmill_core::ids::UserId;
use clipmill_core::media::{ContentHash, Facts};
use clipmill_core::message;
use clipmill_core::plan::{Estimate, Pair, Plan, Warning, assumed_plan, distinct_combinations};
use clipmill_core::request::FieldError;
use serde_json::json;

use crate::api::blocking::run_with_permit;
use crate::api::extract::body::read_json;
use crate::api::extract::query::Params;
use crate::api::tasks::submit::{PricedRequest, own_uploads, planning_permit, price};
use crate::api::templates::expand::{ExpandedRequest, read};
use crate::app::App;
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::rate_limits::Class;
use crate::view::{Answer, Envelope, EstimateView, SubmissionSchema};

/// The most files that one estimate probes.
const MAX_INPUTS: usize = 100;
/// After this time an estimate uses the declared lengths.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Price and size of a submission; nothing is stored.
#[utoipa::path(post, path = "/open-api/v1/video-process/estimate", operation_id = "estimateTask", tag = "tasks",
    security(("apiKey" = ["submit"])),
    params(("preflight" = Option<bool>, Query, description = "Also fetch and probe the files: at most 100 files, for at most 60 s. Counts as a submission for rate limits.")),
    request_body(content = SubmissionSchema, description = "A request of any kind, or one of your templates with values."),
    responses((status = 200, description = "Price and size of the task.", body = Answer<EstimateView>)))]
pub async fn estimate(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    mut params: Params,
    request: Request,
) -> ApiResult<Envelope<EstimateView>> {
    let looks = params.read("preflight", message::true_or_false(), |text| text.parse().ok()).unwrap_or(false);
    params.finish()?;
    if looks {
        caller.count(&app, Class::Submitting)?;
    }
    let body = read_json(&app, caller.user, request, app.config.limits.submit_body).await?;
    let ExpandedRequest { accepted, .. } = read(&app, caller.user, body).await?;
    let uploads = own_uploads(&app, caller.user, &accepted.request).await?;
    if looks {
        uploads.require_results(&accepted.request)?;
    }
    let facts = uploads.facts(&app).await;
    let mut priced = price(&app, caller.user, accepted, clock::seed()?, facts.clone()).await?;
    priced.warnings.extend(uploads.warnings(&facts));
    let view = if looks {
        preflighted(&app, caller.user, priced, uploads.contents, facts).await?
    } else {
        assumed(&app, caller.user, priced, facts).await?
    };
    Ok(Envelope(view))
}

/// The estimate from the known facts about uploads and from declared lengths.
async fn assumed(
    app: &App,
    user: UserId,
    mut priced: PricedRequest,
    known: Facts,
) -> ApiResult<EstimateView> {
    let max_item_seconds = u64::from(app.config.limits.output_seconds);
    let part_seconds = u64::from(app.config.worker.part_seconds);
    let combinations = distinct_combinations(&priced.request, &known);
    let permit = planning_permit(app, user, &priced.request).await?;
    let planned = run_with_permit(permit, move |is_wanted| {
        let plan = assumed_plan(&priced.request, priced.seed, known, max_item_seconds, is_wanted);
        let (estimate, most_similar) = (Estimate::in_parts(&plan, part_seconds), most_similar(&plan));
        priced.warnings.extend(planned_warnings(plan));
        (priced, estimate, most_similar)
    });
    let (priced, estimate, most_similar) = planned.await?;
    Ok(EstimateView {
        estimated_dot_count: priced.items.iter().map(|item| item.points).sum(),
        total_items: priced.items.len() as u32,
        distinct_combinations: combinations,
        unique_segments: estimate.unique_segments,
        output_seconds: milliseconds(estimate.output_seconds),
        most_similar,
        warnings: priced.warnings.into_iter().map(Into::into).collect(),
    })
}

/// The estimate from the probed files.
async fn preflighted(
    app: &App,
    user: UserId,
    mut priced: PricedRequest,
    uploads: BTreeMap<String, ContentHash>,
    known: Facts,
) -> ApiResult<EstimateView> {
    let inputs = app.media.count_inputs(&priced.request, priced.seed);
    if inputs > MAX_INPUTS {
        return Err(too_many(inputs));
    }
    let permit = app.semaphores.preflights.acquire(user).await?;
    let planning = app.media.plan(&priced.request, priced.seed, &uploads);
    let planned = tokio::time::timeout(TIMEOUT, app.render_time.charge(user, planning)).await;
    drop(permit);
    let Ok(plan) = planned else {
        priced.warnings.push(Warning { path: String::new(), message: message::looked_too_long() });
        return assumed(app, user, priced, known).await;
    };
    let failures = plan.items.iter().filter_map(|item| item.outcome.as_ref().err());
    if let Some(error) = failures.into_iter().find(|error| error.lacks_disk_space) {
        return Err(error.clone().into());
    }
    let (estimate, most_similar) = (Estimate::of(&plan), most_similar(&plan));
    let (total_items, points) = (plan.items.len() as u32, points(app, &plan));
    priced.warnings.extend(planned_warnings(plan));
    Ok(EstimateView {
        estimated_dot_count: points,
        total_items,
        distinct_combinations: distinct_combinations(&priced.request, &app.media.known(&uploads).await),
        unique_segments: estimate.unique_segments,
        output_seconds: milliseconds(estimate.output_seconds),
        most_similar,
        warnings: priced.warnings.into_iter().map(Into::into).collect(),
    })
}

fn most_similar(plan: &Plan) -> Option<Pair> {
    plan.diversity.as_ref().map(|diversity| diversity.most_similar)
}

/// The warnings of the plan and of its items, and those about items that could not be made.
fn planned_warnings(plan: Plan) -> Vec<Warning> {
    let mut warnings = plan.warnings;
    for item in plan.items {
        warnings.extend(item.warnings);
        warnings.extend(item.outcome.err().map(|error| failure(item.item_no, &error)));
    }
    warnings
}

fn points(app: &App, plan: &Plan) -> u64 {
    let prices = app.config.prices();
    let renditions = plan.items.iter().filter_map(|item| item.outcome.as_ref().ok());
    renditions.map(|rendition| prices.points(rendition.extent())).sum()
}

fn failure(item_no: u32, error: &TaskError) -> Warning {
    let (code, why) = (error.code.as_str(), &error.message);
    let message = match &error.input {
        Some(input) => message::item_impossible_for(item_no, code, why, input),
        None => message::item_impossible(item_no, code, why),
    };
    Warning { path: String::new(), message }
}

fn too_many(inputs: usize) -> ApiError {
    ApiError::invalid(vec![FieldError {
        path: "/query/preflight".to_owned(),
        message: message::too_many_inputs(inputs, MAX_INPUTS),
        got: Some(json!("true")),
        allowed: Some(message::allowed_no_preflight()),
    }])
}

fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
