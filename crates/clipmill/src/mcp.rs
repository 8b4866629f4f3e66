//! `clipmill mcp`: the tools of `POST /mcp` on standard input and output, for a service reached by HTTP, and one more tool
//! that uploads files of this machine.

use std::process::ExitCode;
use std::sync::Arc;

use clipmill_server::mcp::over_stdio;

use crate::cli::McpArgs;
use crate::remote::http_client::HttpClient;

pub async fn run(args: McpArgs) -> anyhow::Result<ExitCode> {
    // Standard output is for the client: only messages may be written there.
    over_stdio(Arc::new(HttpClient::new(&args.service, args.files.as_deref())?)).await?;
    Ok(ExitCode::SUCCESS)
}
