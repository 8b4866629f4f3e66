//! Just enough of MP4 to join finished segments and to check the result without starting a process: the index of our
//! own files, the parameter sets of H.264, and a writer.
//!
//! Fragments, several edits, and foreign files are not supported.

mod avc;
mod boxes;
mod movie;
mod mux;

pub use avc::{Sps, is_plain_frame, parameter_sets};
pub use movie::{Movie, Sample, Track};
pub use mux::{MuxResult, mux};
