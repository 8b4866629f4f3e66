//! The addresses that downloads may reach, and their limits.

use std::str::FromStr;
use std::time::Duration;

use super::network::IpNet;

/// Limits of downloads. The defaults suit a service on the public internet.
#[derive(Debug, Clone)]
pub struct FetchPolicy {
    /// Networks exempt from the check that an address is public.
    pub allow_networks: Vec<IpNet>,
    pub allow_ports: AllowPorts,
    /// Counted on the bytes received, whatever size the server announces.
    pub max_bytes: u64,
    pub max_redirects: u32,
    pub connect_timeout: Duration,
    /// A download that receives fewer bytes than this in one [`FetchPolicy::slow_window`] is aborted, whatever its
    /// size.
    pub min_window_bytes: u64,
    pub slow_window: Duration,
    /// The maximum time for one file in total.
    pub max_time: Duration,
    /// How many times an interrupted download is resumed.
    pub max_resumes: u32,
    pub resume_pause: Duration,
}

impl Default for FetchPolicy {
    fn default() -> Self {
        Self {
            allow_networks: Vec::new(),
            allow_ports: AllowPorts::default(),
            max_bytes: 2 << 30,
            max_redirects: 10,
            connect_timeout: Duration::from_secs(10),
            min_window_bytes: 30 << 10,
            slow_window: Duration::from_secs(30),
            max_time: Duration::from_secs(3600),
            max_resumes: 3,
            resume_pause: Duration::from_secs(1),
        }
    }
}

impl FetchPolicy {
    /// The bytes that each [`FetchPolicy::slow_window`] must bring, so that the announced size arrives within
    /// [`FetchPolicy::max_time`].
    pub fn window_bytes(&self, announced: Option<u64>) -> u64 {
        let part = self.slow_window.as_secs_f64() / self.max_time.as_secs_f64().max(1.0);
        self.min_window_bytes.max((announced.unwrap_or(0) as f64 * part) as u64)
    }

    /// Reads a list of networks, separated by commas or spaces; an empty text is an empty list.
    pub fn networks(text: &str) -> Result<Vec<IpNet>, String> {
        words(text).map(str::parse).collect()
    }
}

/// TCP ports that a URL may contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowPorts {
    Any,
    Only(Vec<u16>),
}

impl Default for AllowPorts {
    fn default() -> Self {
        Self::Only(vec![80, 443])
    }
}

impl AllowPorts {
    pub fn contains(&self, port: u16) -> bool {
        match self {
            Self::Any => true,
            Self::Only(ports) => ports.contains(&port),
        }
    }
}

/// A list such as `80,443,8080`, or `*` for all; an empty text is the default.
impl FromStr for AllowPorts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let port = |word: &str| {
            word.parse().map_err(|_| format!("`{word}` is not a port; write numbers, or `*` for all"))
        };
        match text.trim() {
            "" => Ok(Self::default()),
            "*" => Ok(Self::Any),
            list => Ok(Self::Only(words(list).map(port).collect::<Result<_, String>>()?)),
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_must_come_faster() {
        let policy = FetchPolicy { max_time: Duration::from_secs(600), ..FetchPolicy::default() };
        assert_eq!(policy.window_bytes(None), 30 << 10);
        assert_eq!(policy.window_bytes(Some(100_000)), 30 << 10);
        assert_eq!(policy.window_bytes(Some(1 << 30)), (1 << 30) / 20);
    }

    #[test]
    fn lists_are_read_as_an_operator_writes_them() {
        assert_eq!("80, 8080".parse(), Ok(AllowPorts::Only(vec![80, 8080])));
        assert_eq!(" * ".parse(), Ok(AllowPorts::Any));
        assert_eq!("".parse(), Ok(AllowPorts::default()));
        assert!("http".parse::<AllowPorts>().is_err());
        assert!("70000".parse::<AllowPorts>().is_err());
        assert_eq!(FetchPolicy::networks("127.0.0.0/8, ::1").map(|nets| nets.len()), Ok(2));
        assert_eq!(FetchPolicy::networks(""), Ok(vec![]));
        assert!(FetchPolicy::networks("127.0.0.0/8;::1").is_err());
    }
}
