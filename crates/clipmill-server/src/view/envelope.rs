//! `{code, msg, data}` around every successful answer.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::context::{self, Language};

/// A successful answer.
pub struct Envelope<T>(pub T);

#[derive(Serialize)]
struct Wire<T> {
    code: u16,
    msg: &'static str,
    data: T,
}

impl<T: Serialize> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        let msg = match context::current_language() {
            Language::English => "success",
            Language::Chinese => "成功",
        };
        Json(Wire { code: 0, msg, data: self.0 }).into_response()
    }
}
