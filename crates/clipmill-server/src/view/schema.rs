//! Types that only describe: they replace free JSON, or types of other crates, in the API description.
#![expect(dead_code, reason = "never made; their schema is what counts")]

use std::borrow::Cow;

use clipmill_core::effects::Effect;
use clipmill_core::error::ErrorCode;
use clipmill_core::plan::Pair;
use clipmill_core::request::model::TaskType;
use clipmill_core::request::schema::json_schema;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder, SchemaFormat, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Kind of task.
pub struct TaskTypeName;

impl PartialSchema for TaskTypeName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Kind of task."))
            .enum_values(Some(TaskType::ALL.map(TaskType::as_str)))
            .into()
    }
}

impl ToSchema for TaskTypeName {}

/// State in words.
#[derive(ToSchema)]
pub enum StateName {
    #[schema(rename = "pending submission")]
    PendingSubmission,
    #[schema(rename = "queued")]
    Queued,
    #[schema(rename = "executing")]
    Executing,
    #[schema(rename = "completed")]
    Completed,
    #[schema(rename = "failed")]
    Failed,
    #[schema(rename = "cancelled")]
    Cancelled,
    #[schema(rename = "rejected")]
    Rejected,
}

/// Kind of a failure inside a task.
pub struct ErrorCodeName;

impl PartialSchema for ErrorCodeName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Kind of a failure inside a task."))
            .enum_values(Some(ErrorCode::ALL.map(ErrorCode::as_str)))
            .into()
    }
}

impl ToSchema for ErrorCodeName {}

/// Result of verifying a finished file.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct QualitySchema {
    frames_planned: u64,
    frames_found: u64,
    /// End of the audio minus end of the video; null without audio.
    av_difference_ms: Option<f64>,
    /// Integrated loudness (EBU R128); null for silence or without audio.
    loudness_lufs: Option<f64>,
    /// dBTP, of the decoded file.
    true_peak_dbtp: Option<f64>,
    /// End of the longer of audio and video minus the planned length.
    duration_error_ms: f64,
    /// Total length of black frames.
    black_seconds: f64,
    /// Total length of frozen sections.
    frozen_seconds: f64,
    /// Seconds of output per second of rendering.
    speed: Option<f64>,
}

/// Footage that outputs of a task share, and their similarity.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct DiversitySchema {
    /// All pairs in the order of their items if there are at most 20; otherwise the 20 pairs that share most, in
    /// descending order.
    pairs: Vec<DiversityPairSchema>,
    /// Number of all pairs; `diversity/{taskNo}` lists them. Omitted if `pairs` is certain to be complete.
    total_pairs: Option<u64>,
    /// The pair that shares the most footage.
    most_similar: DiversityPairSchema,
    /// Pair with the highest similarity; null until the task has ended, and in lists.
    most_alike: Option<DiversityPairSchema>,
}

/// Two outputs of a task.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiversityPairSchema {
    /// Numbers of the two items.
    #[schema(value_type = Vec<u32>, min_items = 2, max_items = 2)]
    items: [u32; 2],
    /// Seconds of source footage shown in both.
    shared_seconds: f64,
    /// Visual similarity, 0 to 1; null until the task has ended, in lists, and if unknown.
    similarity: Option<f64>,
}

impl From<Pair> for DiversityPairSchema {
    fn from(Pair { items, shared_seconds, similarity }: Pair) -> Self {
        Self { items, shared_seconds, similarity }
    }
}

/// The bytes of a file.
pub struct FileBytes;

impl PartialSchema for FileBytes {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
            .into()
    }
}

impl ToSchema for FileBytes {}

/// Values in the text of a message, by name: texts, messages, or lists of these.
pub struct MessageParams;

impl PartialSchema for MessageParams {
    fn schema() -> RefOr<Schema> {
        let entry = || {
            let text = ObjectBuilder::new().schema_type(Type::String);
            OneOfBuilder::new().item(text).item(Ref::from_schema_name("MessageView"))
        };
        let value = entry().item(ArrayBuilder::new().items(entry()));
        ObjectBuilder::new()
            .description(Some(
                "Values in the text of a message, by name: texts, messages, or lists of these.",
            ))
            .additional_properties(Some(AdditionalProperties::RefOr(value.into())))
            .into()
    }
}

impl ToSchema for MessageParams {}

/// Named objects whose members depend on the request.
macro_rules! open_objects {
    ($($name:ident: $about:literal),*) => {
        $(
            pub struct $name;

            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    let open = Some(AdditionalProperties::FreeForm(true));
                    ObjectBuilder::new().description(Some($about)).additional_properties(open).into()
                }
            }

            impl ToSchema for $name {}
        )*
    };
}

open_objects! {
    Recipe: "Every value that was drawn at random for an output. The members depend on the task type and its options.",
    RequestWithVariables: "A request of any task type, with variables such as `{{name}}` in its strings.",
    VariableValues: "Values of variables, by the variables' names: texts, numbers, true or false, arrays for lists. \
        A text for a list is split at `|`, and `photo1`, `photo2` … are the entries of a list `photo`."
}

/// One server-sent event of a task.
#[derive(ToSchema)]
pub struct EventSchema {
    event: EventName,
    /// Identifies all events up to this one; a client that reconnects sends it as `Last-Event-ID`.
    id: String,
    /// JSON: a task without its items, its progress, or one item.
    data: String,
}

/// Content of an event.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum EventName {
    State,
    Progress,
    Item,
}

/// Streams found in an uploaded file.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct MediaSchema {
    format: String,
    video: Option<MediaVideoSchema>,
    audio: Option<MediaAudioSchema>,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct MediaVideoSchema {
    codec: String,
    /// Pixels, after rotation.
    width: u32,
    height: u32,
    /// Seconds.
    duration: f64,
    frames: u64,
    frame_rate: f64,
    /// Degrees clockwise.
    rotation: u32,
    /// Whether it is an image.
    still: bool,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct MediaAudioSchema {
    codec: String,
    channels: u32,
    sample_rate: u32,
    /// Seconds.
    duration: f64,
}

/// The body of a submission: a request of any kind, distinguished by `taskType`. Its schema is among `request_schemas`.
pub struct TaskRequestSchema;

impl PartialSchema for TaskRequestSchema {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::default())
    }
}

impl ToSchema for TaskRequestSchema {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(TASK_REQUEST)
    }
}

/// The body of a submission: a request, or a template with values. Its schema is among `request_schemas`.
pub struct SubmissionSchema;

impl PartialSchema for SubmissionSchema {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::default())
    }
}

impl ToSchema for SubmissionSchema {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed(SUBMISSION)
    }
}

/// A request, and the frame of its outputs to preview.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct PreviewSchema {
    /// The request as it would be submitted. Errors use the same paths.
    request: SubmissionSchema,
    /// Number of the output.
    #[schema(minimum = 1, default = 1)]
    item_no: Option<u32>,
    /// Clip or scene of the output, from 0; `atSeconds` then counts from its beginning instead of the output's. Other
    /// clips are not fetched unless they affect the frame.
    #[schema(minimum = 0)]
    clip: Option<u32>,
    /// A time beyond the end selects the last frame. Default: the middle of the effect or of the first caption,
    /// otherwise a third of the output.
    #[schema(minimum = 0)]
    at_seconds: Option<f64>,
    /// Maximum width of the frame, in pixels.
    #[schema(minimum = 16, maximum = 720, default = 720)]
    width: Option<u32>,
}

/// A request, and the seconds of its outputs to preview.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct PreviewClipSchema {
    /// The request as it would be submitted. Errors use the same paths.
    request: SubmissionSchema,
    /// Number of the output.
    #[schema(minimum = 1, default = 1)]
    item_no: Option<u32>,
    /// Clip or scene of the output, from 0; `atSeconds` then counts from its beginning instead of the output's.
    #[schema(minimum = 0)]
    clip: Option<u32>,
    /// Start of the clip; at the latest one second before the end of the output.
    #[schema(minimum = 0, default = 0)]
    at_seconds: Option<f64>,
    /// Length of the clip; shorter if the output ends before.
    #[schema(minimum = 0.1, maximum = 180, default = 4)]
    seconds: Option<f64>,
}

/// A file, and the seconds of its audio to return.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SoundRequestSchema {
    /// One of your uploads or a web address.
    #[schema(max_length = 2048)]
    url: String,
    #[schema(minimum = 0, default = 0)]
    at_seconds: Option<f64>,
    /// Length of the excerpt; shorter if the audio ends before.
    #[schema(minimum = 0.1, maximum = 60, default = 30)]
    seconds: Option<f64>,
}

/// A text to listen to.
#[derive(ToSchema)]
pub struct ListeningSchema {
    #[schema(min_length = 1, max_length = 500)]
    text: String,
    /// A name in the list of voices; the default voice if omitted.
    #[schema(max_length = 100)]
    voice: Option<String>,
    #[schema(minimum = 0.5, maximum = 2, default = 1)]
    speed: Option<f64>,
}

/// A file and a time in it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct FileRequestSchema {
    /// One of your uploads or a web address.
    #[schema(max_length = 2048)]
    url: String,
    /// By default, a time near the beginning of the file.
    #[schema(minimum = 0)]
    at_seconds: Option<f64>,
    /// Maximum width of the frame, in pixels.
    #[schema(minimum = 16, maximum = 720, default = 720)]
    width: Option<u32>,
}

/// A user to create.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct NewUserRequestSchema {
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Initial points.
    #[schema(minimum = 0, default = 0)]
    points: Option<u64>,
}

/// Points for a user.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct GrantRequestSchema {
    #[schema(minimum = 1)]
    user_id: i64,
    #[schema(minimum = 1)]
    points: u64,
    /// Shown in the user's records.
    #[schema(max_length = 200)]
    remark: Option<String>,
}

const TASK_REQUEST: &str = "TaskRequest";
const SUBMISSION: &str = "Submission";
const TEMPLATE_USE: &str = "TemplateUse";

/// The member `template` distinguishes the two.
fn submission_schemas() -> [(&'static str, Value); 2] {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let submission = json!({
        "oneOf": [reference(TASK_REQUEST), reference(TEMPLATE_USE)],
        "description": "A request, or one of your templates with values.",
    });
    let text = |max: u32, meaning: &str| json!({ "type": ["string", "null"], "maxLength": max, "description": meaning });
    let template_use = json!({
        "type": "object",
        "required": ["template"],
        "properties": {
            "template": { "type": "string", "pattern": "^TP[0-9A-HJKMNP-TV-Z]{26}$", "description": "Number of the template." },
            "version": { "type": ["integer", "null"], "minimum": 1, "maximum": u32::MAX, "description": "The newest when absent." },
            "values": {
                "oneOf": [reference("VariableValues"), { "type": "null" }],
                "description": "Values of its variables, by name.",
            },
            "clientTaskId": text(128, "As in a request; overrides the template's."),
            "callbackUrl": text(2048, "As in a request; overrides the template's."),
            "name": text(120, "As in a request; overrides the template's."),
            "labels": {
                "type": ["array", "null"], "maxItems": 10, "items": { "type": "string", "minLength": 1, "maxLength": 60 },
                "description": "As in a request; overrides the template's.",
            },
            "maxPoints": {
                "type": ["integer", "null"], "minimum": 0, "maximum": 9_007_199_254_740_991_u64,
                "description": "As in a request; overrides the template's.",
            },
        },
        "description": "One of your templates with values, instead of a request.",
    });
    [(SUBMISSION, submission), (TEMPLATE_USE, template_use)]
}

/// Names and schemas of requests, generated from the table that also drives validation.
pub(crate) fn request_schemas() -> Vec<(String, Value)> {
    let reference = |kind| format!("#/components/schemas/{}", name_of(kind));
    let mapping = TaskType::ALL.map(|kind| (kind.as_str().to_owned(), json!(reference(kind))));
    let any = json!({
        "oneOf": TaskType::ALL.map(|kind| json!({ "$ref": reference(kind) })),
        "discriminator": { "propertyName": "taskType", "mapping": serde_json::Map::from_iter(mapping) },
        "description": "A request of any kind, distinguished by `taskType`.",
    });
    let effects: Vec<&str> = Effect::all().iter().map(|effect| effect.name).collect();
    let each = TaskType::ALL.map(|kind| {
        let mut schema = json_schema(kind, &effects);
        if let Some(members) = schema.as_object_mut() {
            members.insert("examples".to_owned(), json!([kind.example()]));
        }
        (name_of(kind), schema)
    });
    let general = [(TASK_REQUEST, any)].into_iter().chain(submission_schemas());
    general.map(|(name, schema)| (name.to_owned(), schema)).chain(each).collect()
}

fn name_of(kind: TaskType) -> String {
    let (first, rest) = kind.as_str().split_at(1);
    format!("{}{rest}Request", first.to_uppercase())
}
