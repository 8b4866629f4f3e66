//! Access for agents: the API as tools of the Model Context Protocol (MCP). Each tool converts its arguments into
//! calls of the public API and summarizes the result. It uses the API only through an [`ApiClient`]: inside the
//! service, that is the service's own router; on standard input and output, it is HTTP. So keys, scopes, rates,
//! quotas and errors are those of the API. No state is kept between two messages.

mod agent;
mod api_client;
mod in_process;
mod refusal;
mod tools;

pub use agent::{Agent, StdioError, over_stdio};
pub use api_client::{ApiClient, Body, Call, LocalFile, Reply, Unreachable};
pub use in_process::InProcessClient;
