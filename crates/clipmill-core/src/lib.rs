//! The pure heart of clipmill: requests, planning, pricing, subtitles, states, arithmetic of points.
//!
//! This crate does not open files, start processes, read the clock or draw random numbers. Facts, seeds and times are
//! arguments, so the same arguments always give the same plan.

mod catalogue_enum;
mod color_balance;
mod color_space;
pub mod combination;
pub mod editorial;
pub mod effects;
pub mod encoding;
pub mod error;
pub mod filter_graph;
pub mod fonts;
pub mod footage;
pub mod hashed_value;
pub mod ids;
mod key;
pub mod looks;
pub mod media;
pub mod message;
mod named_enum;
pub mod overlay_motion;
pub mod plan;
pub mod poll_backoff;
pub mod pricing;
pub mod random;
pub mod request;
pub mod results;
pub mod search;
pub mod seed;
pub mod segment;
pub mod similarity;
pub mod size;
pub mod speech;
pub mod subtitle;
pub mod task;
pub mod throughput;
pub mod time;
pub mod transitions;
mod volume;
pub mod warning;
