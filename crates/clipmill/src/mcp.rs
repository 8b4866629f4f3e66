//! `clipmill mcp`: the tools of `POST /mcp` on standard input and output, before a service reached by HTTP, and one more:
//! files of this machine can be uploaded.

use std::process::ExitCode;
use std::sync::Arc;

use clipmill_server::mcp::over_stdio;

use crate::cli::McpArgs;
use crate::remote::door::Outside;

pub async fn run(args: McpArgs) -> anyhow::Result<ExitCode> {
    // Standard output is the client's: only messages may stand there.
    over_stdio(Arc::new(Outside::new(&args.service, args.files.as_deref())?)).await?;
    Ok(ExitCode::SUCCESS)
}
