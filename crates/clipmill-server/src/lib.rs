//! The service around the renderer: HTTP interface, configuration, keys and links.
//!
//! `api` speaks HTTP and knows the store; whoever does the work meets it there and nowhere else. What both
//! need (configuration, the data folder, links, the clock) lies beside them.

pub mod accounts;
mod api;
pub mod app;
mod archive;
mod auth;
mod chinese;
pub mod clock;
pub mod config;
mod console;
mod context;
pub mod data_dir;
pub mod delivery;
pub mod error;
pub mod http;
mod key_uses;
pub mod keys;
pub mod links;
pub mod observe;
mod outlook;
pub mod peers;
mod previews;
mod rate_limits;
mod readiness;
pub mod retention;
pub mod settings;
mod stills;
mod tally;
mod task_watch;
pub mod tls;
mod turns;
pub mod view;
mod webhook;
pub mod worker;

pub use api::{openapi, router};
pub use app::{App, Prober};
pub use config::Config;
pub use data_dir::DataDir;
