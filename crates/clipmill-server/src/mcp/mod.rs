//! Access for agents: the interface as tools of the Model Context Protocol (MCP).
//!
//! Each tool turns its arguments into calls of the public interface and reports the result in a few words. It reaches the
//! interface only by a [`ApiClient`]: inside the service that is the service's own router, on standard input and output it is
//! HTTP. So keys, scopes, rates, quotas and errors are those of the interface. Nothing is kept between two messages.

mod agent;
mod api_client;
mod in_process;
mod refusal;
mod tools;

pub use agent::{Agent, StdioError, over_stdio};
pub use api_client::{ApiClient, Body, Call, LocalFile, Reply, Unreachable};
pub use in_process::InProcessClient;
