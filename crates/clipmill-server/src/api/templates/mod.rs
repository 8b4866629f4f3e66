//! Templates: stored requests with variables, and requests made from them.

pub(crate) mod expand;
pub(crate) mod manage;
