//! Logging.

use serde::{Deserialize, Serialize};

section! {
    /// Logging.
    Log = "log" {
        /// `text` for people, `json` for programs (one object per line).
        format: LogFormat = LogFormat::Text;
        /// Log level of `serve`: `error`, `warn`, `info`, `debug`, or by module, e.g.
        /// `info,clipmill_server::worker=debug`. The variable `CLIPMILL_LOG` takes precedence, for every command.
        filter: String = "info".to_owned();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}
