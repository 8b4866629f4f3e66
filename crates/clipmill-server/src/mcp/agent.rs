//! Implements the protocol's server side: its identity, the list of tools, and calls of them.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as Described,
};
use rmcp::service::{RequestContext, ServiceExt};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio_util::sync::CancellationToken;

use crate::mcp::api_client::ApiClient;
use crate::mcp::tools::{self, Tool, ToolContext};

const INSTRUCTIONS: &str = "clipmill makes finished videos of clips, images, audio and captions. Work in this order: \
    1. list_files and upload_file (where they exist), upload_captions, or list_media for upload:// URLs; public http(s) \
    links work as well, and result://TASKNO/ITEM for an output of the user's tasks, also before they have ended: the new task waits. A script for captions can be in the request itself: `text` of `subtitle`. 2. describe_task for the fields of a task type. 3. estimate_task for the price in points; it is \
    free and names every wrong field. 4. preview_task to see a frame; free. 5. submit_task with maxPoints. Only \
    submit_task and submit_batch cost points, and never more than maxPoints. 6. wait_for_task until `ended` is true, then \
    get_results for the links. An error describes what to change: change it and call again. Links to results expire; \
    get_results makes new ones.";

/// Serves one caller.
#[derive(Clone)]
pub struct Agent {
    context: ToolContext,
}

impl Agent {
    /// `ending` makes waiting tools return early with the current state.
    pub fn new(client: Arc<dyn ApiClient>, ending: CancellationToken) -> Self {
        Self { context: ToolContext { client, ending } }
    }

    fn tools(&self) -> impl Iterator<Item = &'static Tool> {
        let sends_files = self.context.client.sends_files();
        tools::all().iter().filter(move |tool| sends_files || !tool.takes_files)
    }

    fn tool(&self, name: &str) -> Option<&'static Tool> {
        self.tools().find(|tool| tool.described.name == name)
    }
}

impl ServerHandler for Agent {
    fn get_info(&self) -> ServerConfig {
        let about = Implementation::new("clipmill", env!("CARGO_PKG_VERSION")).with_title("clipmill");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools().map(|tool| tool.described.clone()).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Described> {
        self.tool(name).map(|tool| tool.described.clone())
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tool(&call.name) else {
            let names: Vec<&str> = self.tools().map(|tool| &*tool.described.name).collect();
            let message = format!("there is no tool with this name; available tools: {}", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = call.arguments.unwrap_or_default();
        // A client that disconnects or cancels the call waits for nothing.
        let outcome = context.ct.run_until_cancelled(tool.run(self.context.clone(), arguments)).await;
        let outcome = outcome.unwrap_or_else(|| Err(tools::taken_back()));
        Ok(outcome
            .map_or_else(|refusal| CallToolResult::error(vec![ContentBlock::text(refusal.0)]), Into::into)
            .into())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    #[error("the client did not initialize the protocol correctly: {0}")]
    Begin(String),
    #[error("the session ended abnormally: {0}")]
    End(#[from] tokio::task::JoinError),
}

/// Serves one client on standard input and output until it closes them.
pub async fn over_stdio(client: Arc<dyn ApiClient>) -> Result<(), StdioError> {
    let agent = Agent::new(client, CancellationToken::new());
    let wires = (tokio::io::stdin(), tokio::io::stdout());
    let running = agent.serve(wires).await.map_err(|error| StdioError::Begin(error.to_string()))?;
    running.waiting().await?;
    Ok(())
}
