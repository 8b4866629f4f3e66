//! `{code, msg, data}` around every successful response.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::context::{self, Language};

/// Wraps a successful response.
pub struct Envelope<T>(pub T);

/// Envelope of every successful response.
#[derive(Serialize, ToSchema)]
pub struct Answer<T: ToSchema> {
    /// 0: success.
    code: u16,
    /// In English, or in Chinese when `Accept-Language` asks for it.
    msg: &'static str,
    data: T,
}

impl<T: Serialize + ToSchema> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        let msg = match context::current_language() {
            Language::English => "success",
            Language::Chinese => "成功",
        };
        Json(Answer { code: 0, msg, data: self.0 }).into_response()
    }
}
