//! The service around the renderer: HTTP API, configuration, keys and links. `api` serves HTTP and uses the store; it
//! communicates with the worker only through the store. Shared parts (configuration, the data folder, links, the
//! clock) are beside them.

pub mod account;
mod api;
pub mod app;
mod archive;
pub(crate) mod auth;
mod batch_watch;
pub mod batches;
pub mod clock;
pub mod config;
mod console;
pub(crate) mod context;
pub mod data_dir;
pub mod delivery;
pub mod descriptors;
pub mod error;
mod eta;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test's helper")]
mod example;
pub mod file_names;
pub mod http;
pub mod installation;
pub mod links;
mod localized;
pub mod mcp;
mod media_service;
pub mod metrics_listener;
pub mod observe;
mod planning_thread;
mod previews;
pub(crate) mod rate_limits;
mod readiness;
pub mod render_time;
mod result_inputs;
pub mod retention;
pub mod settings;
mod similarities;
mod task_watch;
pub mod view;
mod webhook;
pub mod worker;

pub use api::{openapi, router};
pub use app::App;
pub use config::Config;
pub use data_dir::DataDir;
pub use media_service::{EngineMedia, MediaService, SpokenAudio};
