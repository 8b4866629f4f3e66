//! Brands of users.

pub(crate) mod manage;
