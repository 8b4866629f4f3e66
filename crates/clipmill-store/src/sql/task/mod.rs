//! Tasks, from submission to the callback after their end.

pub mod batch_queries;
mod batch_store;
pub mod batch_writes;
pub mod bodies;
pub mod cancel;
pub mod deliveries;
pub mod grouped_list;
pub mod list;
pub mod naming;
pub mod outputs;
pub mod preflight;
mod search;
pub mod submit;
pub mod task_end;
pub mod tasks;
