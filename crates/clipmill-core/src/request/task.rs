//! A whole request: reading and writing it, and its files.

use serde_json::{Value, json};

use super::inputs::{Input, InputRole, Inputs};
use super::model::{Clip, TaskRequest, TaskType};
use super::reader::{Fields, Node};
use super::schema;
use super::wire::{object, some};
use crate::message;

pub(super) fn read_request(fields: &mut Fields) -> Option<TaskRequest> {
    // All types have these fields.
    fields.shape = Some(schema::shape(TaskType::ALL[0]));
    let task_type = fields.take("taskType");
    let callback_url = fields.take("callbackUrl")?;
    let client_task_id = fields.take("clientTaskId")?;
    let name = fields.take("name")?;
    let labels = distinct(fields.take("labels").unwrap_or_default());
    let max_points = fields.take("maxPoints")?;
    fields.shape = task_type.map(schema::shape);
    let params = need_params(fields);
    let params = match task_type {
        Some(task_type) => params.object(task_type.declaration().read).flatten(),
        None => params.unread_object(),
    };
    Some(TaskRequest { params: params?, callback_url, client_task_id, name, labels, max_points })
}

/// The field `params`; if its fields are in its place, the error lists them.
fn need_params<'v, 'f, 'p>(fields: &'f mut Fields<'v, '_, 'p>) -> Node<'v, 'f, 'p> {
    let unwrapped = fields.names().filter(|name| schema::is_of_params(name)).collect::<Vec<_>>().join("`, `");
    if fields.has("params") || unwrapped.is_empty() {
        return fields.need("params");
    }
    fields.refuse("params", message::params_unwrapped(unwrapped), None);
    fields.get("params")
}

/// Each label once, at its first position.
pub(super) fn distinct(mut labels: Vec<String>) -> Vec<String> {
    let mut seen_urls = std::collections::HashSet::new();
    labels.retain(|label| seen_urls.insert(label.clone()));
    labels
}

impl TaskRequest {
    /// The body of a submission with the same meaning.
    pub fn to_wire(&self) -> Value {
        object([
            ("taskType", json!(self.params.task_type())),
            ("params", self.params.as_dyn().write()),
            ("callbackUrl", json!(self.callback_url)),
            ("clientTaskId", json!(self.client_task_id)),
            ("name", json!(self.name)),
            ("labels", some(&self.labels, |label| json!(label))),
            ("maxPoints", json!(self.max_points)),
        ])
    }

    /// Files in the order of the request: clips and the audio of scenes, then those of the options. A file that is used
    /// twice occurs twice.
    pub fn inputs(&self) -> Vec<Input<'_>> {
        let mut inputs = Inputs::default();
        self.params.as_dyn().list_inputs(&mut inputs);
        if let Some(options) = self.params.mix_options() {
            inputs.mix_options(options);
        }
        inputs.0
    }

    /// All clips in the order of the request, including repeats.
    pub fn clips(&self) -> Vec<&Clip> {
        self.params.as_dyn().clips()
    }

    /// The URLs of all files in this role, in the order of the request.
    pub fn urls_of(&self, role: InputRole) -> impl Iterator<Item = &str> {
        self.inputs().into_iter().filter(move |input| input.role == role).map(|input| input.url)
    }
}
