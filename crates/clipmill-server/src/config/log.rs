//! What is logged, and how.

use serde::{Deserialize, Serialize};

section! {
    /// What is logged, and how.
    Log = "log" {
        /// `text` for people, `json` for programs: one object a line.
        format: LogFormat = LogFormat::Text;
        /// What `serve` logs: `error`, `warn`, `info`, `debug`, or by module, e.g.
        /// `info,clipmill_server::worker=debug`. The variable `CLIPMILL_LOG` wins, for every command.
        filter: String = "info".to_owned();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}
