//! Templates.

use clipmill_core::plan::Warning;
use clipmill_store::{TemplateOverview, TemplateRecord, TemplateRef};
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::schema::RequestWithVariables;
use super::{WarningView, rfc3339, warnings};

/// Source of a task.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateRefView {
    pub template_no: String,
    pub version: u32,
}

impl From<TemplateRef> for TemplateRefView {
    fn from(template: TemplateRef) -> Self {
        Self { template_no: template.template_no.to_string(), version: template.version }
    }
}

/// Template as listed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateOverviewView {
    /// `TP` and 26 characters.
    pub template_no: String,
    pub name: String,
    /// Starts at 1 and increases with each change.
    pub version: u32,
    #[schema(format = DateTime)]
    pub create_time: String,
    #[schema(format = DateTime)]
    pub update_time: String,
}

impl From<TemplateOverview> for TemplateOverviewView {
    fn from(about: TemplateOverview) -> Self {
        Self {
            template_no: about.template_no.to_string(),
            name: about.name,
            version: about.version,
            create_time: rfc3339(about.created_at),
            update_time: rfc3339(about.updated_at),
        }
    }
}

/// A saved template.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedTemplateView {
    #[serde(flatten)]
    pub about: TemplateOverviewView,
    pub warnings: Vec<WarningView>,
}

impl SavedTemplateView {
    pub fn new(about: TemplateOverview, remarks: Vec<Warning>) -> Self {
        Self { about: about.into(), warnings: warnings(remarks) }
    }
}

/// A template.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateView {
    #[serde(flatten)]
    pub about: TemplateOverviewView,
    /// The request with its variables.
    #[schema(value_type = RequestWithVariables)]
    pub request: Value,
    #[schema(value_type = Vec<VariableSchema>)]
    pub variables: Value,
}

impl From<TemplateRecord> for TemplateView {
    fn from(record: TemplateRecord) -> Self {
        let variables =
            record.template.variables.iter().map(|variable| serde_json::json!(variable)).collect();
        Self { about: record.about.into(), request: record.template.request, variables }
    }
}

/// A template to save.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct NewTemplateSchema {
    #[schema(min_length = 1, max_length = 120)]
    name: String,
    /// A request of any kind. `{{name}}` in a string is replaced by that variable's value; a string that is nothing but
    /// a variable takes the value's type; `\{{` produces literal braces. A clip whose URL is a variable of type `urls`
    /// becomes one clip for each entry. An object with `"$if": "{{name}}"` is dropped if the value is empty, false or 0.
    #[schema(value_type = RequestWithVariables)]
    request: Value,
    /// Declarations of all variables in its strings.
    #[schema(max_items = 200)]
    variables: Option<Vec<VariableSchema>>,
    /// When you replace a template: the version that you last read. A newer version is not overwritten.
    #[schema(minimum = 1)]
    version: Option<u32>,
}

/// A variable of a template.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct VariableSchema {
    /// Letters and digits of any script, `_`, `-`, `.`, and spaces between other characters.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    r#type: VariableTypeName,
    /// Used if no value is given; without a default, a value is required. It may be empty.
    #[schema(value_type = Option<VariableDefault>)]
    default: Option<Value>,
    /// Label of the variable in forms.
    #[schema(max_length = 120)]
    label: Option<String>,
    /// For a text, and for each entry of a list of texts.
    #[schema(minimum = 1, maximum = 50_000)]
    max_length: Option<u32>,
    /// For a list: the minimum number of entries of a value that is not empty.
    #[schema(minimum = 1, maximum = 1000)]
    min_items: Option<u32>,
    /// For a list: the maximum number of entries, 100 if absent.
    #[schema(minimum = 1, maximum = 1000)]
    max_items: Option<u32>,
    /// For a number.
    minimum: Option<f64>,
    /// For a number.
    maximum: Option<f64>,
    /// For a choice.
    #[schema(value_type = Option<Vec<VariableValue>>, min_items = 1, max_items = 200)]
    choices: Option<Vec<Value>>,
}

/// Value of a variable.
struct VariableValue;

impl PartialSchema for VariableValue {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::String, Type::Number, Type::Boolean]))
            .description(Some("Value of a variable: a text, a number, true or false."))
            .into()
    }
}

impl ToSchema for VariableValue {}

/// Default of a variable.
struct VariableDefault;

impl PartialSchema for VariableDefault {
    fn schema() -> RefOr<Schema> {
        let list = OneOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(SchemaType::from_iter([
                Type::String,
                Type::Number,
                Type::Boolean,
            ])))
            .item(ArrayBuilder::new().items(ObjectBuilder::new().schema_type(Type::String)));
        list.description(Some("Default of a variable: a value, or an array of texts for a list.")).into()
    }
}

impl ToSchema for VariableDefault {}

/// Kind of a variable.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub enum VariableTypeName {
    Text,
    Number,
    Url,
    Color,
    Choice,
    Urls,
    Texts,
}
