//! Reads bodies that contain a template with values instead of a request.

use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_core::plan::Warning;
use clipmill_core::request::template::{Template, TemplateUse, check_values, parse_use};
use clipmill_core::request::{self, Accepted, FieldError, Policy, RequestError};
use clipmill_store::TemplateRef;
use serde_json::{Value, json};

use crate::api::blocking::run_blocking;
use crate::api::extract::body::JsonBody;
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;

/// A valid request, and the template it was made from.
pub(crate) struct ExpandedRequest {
    pub accepted: Accepted,
    pub template: Option<TemplateRef>,
}

/// Reads a request, or a template with values. Large bodies are parsed outside the threads that serve connections.
pub(crate) async fn read(app: &App, user: UserId, body: JsonBody) -> ApiResult<ExpandedRequest> {
    let policy = request_policy(&app.config);
    let parsed = run_blocking(move || {
        let value = request::parse_json(&body.bytes)?;
        let used = parse_use(&value, &policy)?;
        let accepted = if used.is_none() { Some(request::parse_value(&value, &policy)?) } else { None };
        Ok::<_, RequestError>((used, accepted))
    });
    match parsed.await?? {
        (Some(used), _) => read_use(app, user, used).await,
        (None, Some(accepted)) => Ok(ExpandedRequest { accepted, template: None }),
        (None, None) => Err(ApiError::internal("a body was neither a request nor a template")),
    }
}

async fn read_use(app: &App, user: UserId, used: TemplateUse) -> ApiResult<ExpandedRequest> {
    let (template, stored) = find(app, user, &used).await?;
    let policy = request_policy(&app.config);
    let read = run_blocking(move || {
        let (filled, warnings) = complete(&stored, &used, &policy).map_err(ApiError::invalid)?;
        let mut accepted = request::parse_value(&filled, &policy)?;
        accepted.warnings.extend(warnings);
        ApiResult::Ok(accepted)
    });
    Ok(ExpandedRequest { accepted: read.await??, template: Some(template) })
}

/// The body, with its member `request` replaced by the request that a template makes.
pub(crate) async fn expand_within(app: &App, user: UserId, body: JsonBody) -> ApiResult<Value> {
    let policy = request_policy(&app.config);
    let parsed = run_blocking(move || {
        let value = request::parse_json(&body.bytes)?;
        let used = value.get("request").map(|request| parse_use(request, &policy)).transpose()?.flatten();
        Ok::<_, RequestError>((value, used))
    });
    let (mut value, used) = parsed.await??;
    if let Some(used) = used {
        let (_, stored) = find(app, user, &used).await?;
        let policy = request_policy(&app.config);
        let completed = run_blocking(move || complete(&stored, &used, &policy)).await?;
        (value["request"], _) = completed.map_err(ApiError::invalid)?;
    }
    Ok(value)
}

/// The template that is used; an error if the caller has none with that number.
pub(crate) async fn find(app: &App, user: UserId, used: &TemplateUse) -> ApiResult<(TemplateRef, Template)> {
    let template = app.store.templates().find(user, &used.template, used.version).await?;
    let record = template.ok_or_else(|| {
        let path = if used.version.is_some() { "/version" } else { "/template" };
        ApiError::invalid(vec![FieldError {
            path: path.to_owned(),
            message: message::no_such_template(),
            got: Some(used.version.map_or_else(|| json!(used.template.as_str()), |version| json!(version))),
            allowed: None,
        }])
    })?;
    let about = record.about;
    Ok((TemplateRef { template_no: about.template_no, version: about.version }, record.template))
}

/// The request made from the template, with the fields that override it.
fn complete(
    template: &Template,
    used: &TemplateUse,
    policy: &Policy,
) -> Result<(Value, Vec<Warning>), Vec<FieldError>> {
    let (values, warnings) = check_values(template, &used.values, "/values", policy)?;
    let mut filled = template.fill(&values).map_err(|message| {
        vec![FieldError { path: "/values".to_owned(), message, got: None, allowed: None }]
    })?;
    if let Value::Object(request) = &mut filled {
        request.extend(used.overrides.clone());
    }
    Ok((filled, warnings))
}
