//! Invitations: links with which a person gets a key without copying it.

pub(crate) mod manage;
pub(crate) mod redeem;
