//! Wire types, and the only conversions of records into them.

mod admin;
mod batch;
mod brand;
mod callback;
mod catalogue;
mod draft;
mod envelope;
mod feedback;
mod health;
mod invitation;
mod ledger;
mod media;
mod message;
mod naming;
mod operations;
mod schema;
mod share;
mod task;
mod template;
mod time;
mod upload;

use clipmill_core::plan::Warning;
use serde::Serialize;
use utoipa::ToSchema;

pub use admin::{
    FailureView, GrantView, NewUserView, PausedView, QueueView, RequeuedView, UserTaskView, UserView,
    WorkersView,
};
pub use batch::{
    BatchEstimateView, BatchEventSchema, BatchRowView, BatchView, FoldName, NewBatchSchema, RowFilterName,
    RowStateName, SubmittedBatchView,
};
pub use brand::{BrandRequestSchema, BrandView};
pub use callback::{
    BatchCallbackView, CallbackTestRequestSchema, CallbackTestView, CallbackView, sample_task,
};
pub use catalogue::{
    Bilingual, CaptionStyleCatalogue, CaptionStyleEntry, Catalogue, CatalogueEntry, FontCatalogue, FontEntry,
    VoiceCatalogue, VoiceEntry,
};
pub use draft::{ChangedDraftSchema, DraftOverviewView, DraftView, NewDraftSchema};
pub use envelope::{Answer, Envelope};
pub use feedback::{
    CommentRequestSchema, PickRequestSchema, ShareFeedbackView, ViewerCommentView, ViewerFeedbackView,
};
pub use health::Health;
pub use invitation::{
    InvitationCodeSchema, InvitationRequestSchema, InvitationView, NewInvitationView, RedeemedInvitationView,
};
pub use ledger::{AccountView, BalanceView, RecordType, RecordView};
pub use media::media;
pub use message::{MessageView, Params};
pub use naming::TaskNamingSchema;
pub use operations::{
    DeductionSchema, FailureCausesView, KeyRequestSchema, KeyView, KeysView, NewKeyView, PauseRequestSchema,
    SwitchOffSchema, SwitchedView, UsageView,
};
pub(crate) use schema::request_schemas;
pub use schema::{
    DiversityPairSchema, EventSchema, FileBytes, FileRequestSchema, GrantRequestSchema, ListeningSchema,
    MediaSchema, NewUserRequestSchema, PreviewClipSchema, PreviewSchema, SoundRequestSchema,
    SubmissionSchema, TaskRequestSchema, TaskTypeName,
};
pub use share::{NewShareSchema, ShareView, WideShareSchema};
pub use task::{EstimateView, ItemView, OutputView, ProgressView, SubmitView, TaskView};
pub use template::{
    NewTemplateSchema, SavedTemplateView, TemplateOverviewView, TemplateRefView, TemplateView,
};
pub use time::rfc3339;
pub use upload::{
    DirectUploadSchema, LibraryFileView, MediaKindName, PartView, PresignView, ProbeView, SentUploadSchema,
    UploadNameSchema, UploadView,
};

/// A page of a list, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageView<T> {
    pub list: Vec<T>,
    pub total: u64,
    pub page_no: u32,
    pub page_size: u32,
}

/// A page of tasks, newest first; with `batches=fold` also of batches.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageTaskView {
    pub list: Vec<TaskView>,
    /// The batches of this page, newest first, if requested. Tasks and batches fill the page in the order of
    /// `createTime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batches: Option<Vec<BatchView>>,
    /// Number of tasks, plus batches if they are listed.
    pub total: u64,
    pub page_no: u32,
    pub page_size: u32,
}

/// A warning; `path` is a JSON Pointer into the request, empty if the warning concerns the whole.
#[derive(Debug, Serialize, ToSchema)]
pub struct WarningView {
    pub path: String,
    #[serde(flatten)]
    pub message: MessageView,
}

impl From<Warning> for WarningView {
    fn from(warning: Warning) -> Self {
        Self { path: warning.path, message: (&warning.message).into() }
    }
}

fn warnings(warnings: Vec<Warning>) -> Vec<WarningView> {
    warnings.into_iter().map(Into::into).collect()
}
