//! The last lines of the demo: the console's address, and how to restart the service.

use std::path::Path;

/// The program and the folder of a service, and where it listens (`http://HOST:PORT`).
pub struct Place<'a> {
    pub program: &'a Path,
    pub data: &'a Path,
    pub address: &'a str,
}

impl Place<'_> {
    /// For a service that keeps running.
    pub fn running(&self, key: &str) -> String {
        format!("  {}/console   API key: {key}\nThe service runs until you press Ctrl-C.", self.address)
    }

    /// For a service that has stopped: a command that starts it again, on the same address.
    pub fn stopped(&self, key: &str) -> String {
        let (program, data) = (quoted(self.program), quoted(self.data));
        let host = self.address.rsplit('/').next().unwrap_or(self.address);
        format!(
            "The service has stopped. Start it again to open the console:\n  \
             {program} serve --listen {host} --data {data}\n  {}/console   API key: {key}",
            self.address
        )
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+".contains(c));
    if is_plain { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
