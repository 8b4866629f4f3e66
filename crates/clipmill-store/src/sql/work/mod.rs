//! The queue: what waits for a worker, who has it, and what becomes of it.

pub mod assemble;
pub mod claim;
pub mod completions;
pub mod failing;
pub mod fallback;
pub mod lease;
pub mod progress;
pub mod queue;
pub mod rescue;
pub mod segments;
pub mod stage;
