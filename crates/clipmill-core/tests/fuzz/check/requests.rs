//! Properties of every request body. The fuzz target includes this file too.

use clipmill_core::request::{Policy, RequestError, parse};

/// Paths of errors point into the body, and an accepted request is accepted again.
pub fn check_body(body: &[u8]) {
    match parse(body, &Policy::default()) {
        Ok(accepted) => {
            let again = parse(body, &Policy::default()).unwrap();
            assert_eq!(accepted.request, again.request);
        }
        Err(RequestError::Syntax { line, .. }) => assert!(line >= 1),
        Err(RequestError::Invalid { errors, .. }) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(error.path.is_empty() || error.path.starts_with('/'), "{error:?}");
                assert!(!error.message.is_empty());
            }
        }
    }
}
