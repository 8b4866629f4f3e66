//! Just enough of the MP4 container to join finished pieces and to check what came out, without starting a
//! process: the index of files of our own, the parameter sets of H.264, and a writer.
//!
//! Deliberately absent: fragments, several edits, files that are not of our own making.

mod avc;
mod boxes;
mod movie;
mod mux;

pub use avc::{Sps, is_plain_frame, parameter_sets};
pub use movie::{Movie, Sample, Track};
pub use mux::{Muxed, mux};
