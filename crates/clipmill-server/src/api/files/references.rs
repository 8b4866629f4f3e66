//! Uploads that a saved object names.

use clipmill_core::ids::UserId;

use crate::api::tasks::submit::{UPLOAD_SCHEME, no_such_upload};
use crate::app::App;
use crate::clock;
use crate::error::{ApiError, ApiResult};

/// Marks uploads as used, so that retention keeps them meanwhile; an error names the places of all that the user does
/// not have.
pub(crate) async fn require_uploads(app: &App, user: UserId, uploads: Vec<(String, &str)>) -> ApiResult<()> {
    let mut errors = Vec::new();
    for (path, id) in uploads {
        if app.store.library().use_upload(user, id, clock::now_ms()).await?.is_none() {
            errors.push(no_such_upload(path, &url(id)));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(ApiError::invalid(errors)) }
}

/// The error for an upload that was deleted after [`require_uploads`].
pub(crate) fn upload_gone(uploads: Vec<(String, &str)>, gone: &str) -> ApiError {
    let places = uploads.into_iter().filter(|(_, id)| *id == gone);
    ApiError::invalid(places.map(|(path, id)| no_such_upload(path, &url(id))).collect())
}

fn url(id: &str) -> String {
    format!("{UPLOAD_SCHEME}{id}")
}
