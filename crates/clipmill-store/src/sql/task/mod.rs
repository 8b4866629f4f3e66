//! A task from its submission to the callback that tells of its end.

pub mod batch_reading;
pub mod batches;
mod batching;
pub mod cancel;
pub mod deliveries;
pub mod ending;
mod found;
pub mod list;
pub mod preflight;
pub mod submit;
pub mod tasks;
