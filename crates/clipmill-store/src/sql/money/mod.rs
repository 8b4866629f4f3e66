//! Points: postings, holds, and the audit of both.

pub mod audit;
pub mod holds;
pub mod ledger;
pub mod limits;
pub mod records;
