//! Points: postings, holds, and that they add up.

pub mod audit;
pub mod holds;
pub mod ledger;
pub mod records;
