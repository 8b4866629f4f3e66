//! The tools. Each is a function from its arguments to its result; a line in [`all`] gives it its name.
//!
//! A tool's arguments are a struct, whose doc comments the agent reads and from which the schema is made.

mod batch;
mod describe;
mod follow;
mod media;
mod messages;
mod preview;
mod spend;
mod task;
mod template;

use std::sync::{Arc, LazyLock};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool as Described, ToolAnnotations};
use rmcp::schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::mcp::api_client::{ApiClient, Call, Reply};
use crate::mcp::refusal::Refusal;

const TASKS: &str = "/open-api/v1/video-process";
const UPLOADS: &str = "/open-api/v1/uploads";

pub fn all() -> &'static [Tool] {
    #[rustfmt::skip]
    static ALL: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        vec![
            Tool::new("upload_file", "Upload a local file", Changes::Adds, media::UPLOAD, media::upload).taking_files(),
            Tool::new("list_files", "List local files", Changes::Nothing, media::FILES, media::files).taking_files(),
            Tool::new("upload_captions", "Upload captions as text", Changes::Adds, media::CAPTIONS, media::captions),
            Tool::new("list_media", "List uploaded files", Changes::Nothing, media::LIST, media::list),
            Tool::new("probe_media", "Probe a file", Changes::Nothing, media::PROBE, media::probe),
            Tool::new("describe_task", "Describe a task type", Changes::Nothing, &describe::TASK, describe::task),
            Tool::new("list_catalogue", "List a catalogue", Changes::Nothing, describe::CATALOGUE, describe::catalogue),
            Tool::new("get_points", "Show the points", Changes::Nothing, spend::POINTS, spend::points),
            Tool::new("estimate_task", "Price a task", Changes::Nothing, spend::ESTIMATE, spend::estimate),
            Tool::new("preview_task", "Preview a frame of a task", Changes::Nothing, preview::ABOUT, preview::preview),
            Tool::new("submit_task", "Submit a task (costs points)", Changes::Adds, spend::SUBMIT, spend::submit),
            Tool::new("wait_for_task", "Wait for a task", Changes::Nothing, follow::ABOUT, follow::wait),
            Tool::new("get_task", "Show a task", Changes::Nothing, task::GET, task::get),
            Tool::new("get_results", "Get a task's files", Changes::Nothing, task::RESULTS, task::results),
            Tool::new("list_tasks", "List tasks", Changes::Nothing, task::LIST, task::list),
            Tool::new("cancel_task", "Cancel a task", Changes::Destroys, task::CANCEL, task::cancel),
            Tool::new("list_templates", "List templates", Changes::Nothing, template::LIST, template::list),
            Tool::new("get_template", "Show a template", Changes::Nothing, template::GET, template::get),
            Tool::new("save_template", "Save a template", Changes::Adds, template::SAVE, template::save),
            Tool::new("estimate_batch", "Price a batch", Changes::Nothing, batch::ESTIMATE, batch::estimate),
            Tool::new("submit_batch", "Submit a batch (costs points)", Changes::Adds, batch::SUBMIT, batch::submit),
            Tool::new("get_batch", "Show a batch", Changes::Nothing, batch::GET, batch::get),
            Tool::new("cancel_batch", "Cancel a batch", Changes::Destroys, batch::CANCEL, batch::cancel),
        ]
    });
    &ALL
}

/// The side effects of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changes {
    Nothing,
    Adds,
    Destroys,
}

/// The context of a tool call.
#[derive(Clone)]
pub struct ToolContext {
    pub client: Arc<dyn ApiClient>,
    /// Cancelled when the server stops.
    pub ending: CancellationToken,
}

impl ToolContext {
    /// Calls the API; returns `data` of the reply, which is an object.
    async fn ask(&self, call: Call) -> Result<Value, Refusal> {
        let reply = self.fetch(call).await?;
        let mut envelope: Option<Value> = serde_json::from_slice(&reply.body).ok();
        match envelope.as_mut().and_then(|envelope| envelope.get_mut("data")).map(Value::take) {
            Some(data @ Value::Object(_)) => Ok(data),
            _ => Err(Refusal::new("the response is not from the clipmill API: check the address")),
        }
    }

    /// Calls the API; returns a successful reply with any content.
    async fn fetch(&self, call: Call) -> Result<Reply, Refusal> {
        let reply = self.client.call(call).await?;
        if (200..300).contains(&reply.status) { Ok(reply) } else { Err(Refusal::of(&reply)) }
    }
}

/// The result of a tool.
pub enum ToolOutput {
    /// A JSON object.
    Facts(Value),
    /// Plain text, for tables.
    Text(String),
    Image {
        jpeg: Bytes,
        about: String,
    },
}

pub type Outcome = Result<ToolOutput, Refusal>;

impl From<ToolOutput> for CallToolResult {
    fn from(output: ToolOutput) -> Self {
        match output {
            // Older clients read the text, which is the same JSON.
            ToolOutput::Facts(facts) => Self::structured(facts),
            ToolOutput::Text(text) => Self::success(vec![ContentBlock::text(text)]),
            ToolOutput::Image { jpeg, about } => Self::success(vec![
                ContentBlock::image(STANDARD.encode(&jpeg), "image/jpeg"),
                ContentBlock::text(about),
            ]),
        }
    }
}

type Run = Box<dyn Fn(ToolContext, JsonObject) -> BoxFuture<'static, Outcome> + Send + Sync>;

pub struct Tool {
    pub described: Described,
    /// Whether it reads files of the agent's machine.
    pub takes_files: bool,
    run: Run,
}

impl Tool {
    fn new<A, F>(
        name: &'static str,
        title: &'static str,
        changes: Changes,
        about: &'static str,
        run: impl Fn(ToolContext, A) -> F + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = Outcome> + Send + 'static,
    {
        let hints = ToolAnnotations::with_title(title)
            .read_only(changes == Changes::Nothing)
            .destructive(changes == Changes::Destroys)
            .idempotent(changes != Changes::Adds)
            .open_world(false);
        let described = Described::new(name, about, schema::<A>()).with_title(title).with_annotations(hints);
        let run: Run =
            Box::new(move |context, arguments| match serde_json::from_value(Value::Object(arguments)) {
                Ok(arguments) => Box::pin(run(context, arguments)),
                Err(error) => Box::pin(std::future::ready(Err(misread(&error)))),
            });
        Self { described, takes_files: false, run }
    }

    fn taking_files(self) -> Self {
        Self { takes_files: true, ..self }
    }

    pub fn run(&self, context: ToolContext, arguments: JsonObject) -> BoxFuture<'static, Outcome> {
        (self.run)(context, arguments)
    }
}

fn schema<A: JsonSchema>() -> JsonObject {
    let mut schema = match schema_for!(A).to_value() {
        Value::Object(members) => members,
        _ => JsonObject::new(),
    };
    // Rust type names and the schema dialect are of no use to an agent.
    schema.retain(|name, _| name != "$schema" && name != "title");
    let members = schema.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    members.as_object_mut().into_iter().flat_map(JsonObject::values_mut).for_each(simplify);
    schema
}

/// Reduces a schema to what every client understands: one type for each member, and no widths of numbers.
fn simplify(member: &mut Value) {
    if let Some(kind) = member["type"].as_array().and_then(|kinds| kinds.first()) {
        member["type"] = kind.clone();
    }
    if let Some(values) = member.get_mut("enum").and_then(Value::as_array_mut) {
        values.retain(|value| !value.is_null());
    }
    if let Some(description) = member["description"].as_str().map(|text| text.replace('\n', " ")) {
        member["description"] = Value::String(description);
    }
    if let Some(members) = member.as_object_mut() {
        members.remove("format");
    }
}

fn misread(error: &serde_json::Error) -> Refusal {
    Refusal::new(format!("the arguments do not fit this tool: {error}"))
}

pub fn taken_back() -> Refusal {
    Refusal::new("the call was taken back before it ended; what it began may have been done")
}

#[cfg(test)]
mod tests;
