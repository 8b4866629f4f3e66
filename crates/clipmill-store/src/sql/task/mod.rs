//! Tasks, from submission to the callback after their end.

pub mod batch_reading;
pub mod batches;
mod batching;
pub mod bodies;
pub mod cancel;
pub mod deliveries;
pub mod ending;
pub mod folded;
mod found;
pub mod list;
pub mod naming;
pub mod outputs;
pub mod preflight;
pub mod submit;
pub mod tasks;
