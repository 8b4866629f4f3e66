//! Tables and texts for ffmpeg: states, errors, encoders, looks, effects, graphs.

// Helpers may panic, as tests do.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod effects;
mod encoders;
mod errors;
mod graphs;
mod looks;
mod segments;
mod states;
