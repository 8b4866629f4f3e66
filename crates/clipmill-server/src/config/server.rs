//! The HTTP listener and its limits.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::units::{BaseUrl, Network, Span};

/// PEM files; the certificate's file also contains its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    pub cert: PathBuf,
    pub key: PathBuf,
}

section! {
    /// The HTTP listener and its limits.
    Server = "server" {
        /// Address and port the API listens on.
        listen: SocketAddr = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080));
        /// Certificate for TLS (PEM, with its chain); together with `server.tls_key`, the API is served over HTTPS.
        /// Replaced files are loaded within seconds, without a restart.
        tls_cert: Option<PathBuf> = None;
        /// Private key of `server.tls_cert` (PEM, not encrypted).
        tls_key: Option<PathBuf> = None;
        /// Public address of the service, e.g. `https://clips.example.com`; links begin with it. By default, links
        /// begin with the listen address.
        public_url: Option<BaseUrl> = None;
        /// Contact for points or help: an email address or a URL. The console shows it, and `GET
        /// …/balance?details=true` returns it.
        contact: String = String::new();
        /// How to treat unknown fields: `warn` or `deny`. Names that closely resemble a known field are always refused.
        unknown_fields: OnUnknownField = OnUnknownField::Warn;
        /// How long a signed link to a result is valid. Each status call returns a new one.
        link_lifetime: Span = Span::seconds(86_400);
        /// Time limit for receiving the head of a request, and for idle time between two requests.
        header_timeout: Span = Span::seconds(10);
        /// Time limit for receiving a JSON body.
        body_timeout: Span = Span::seconds(30);
        /// Idle timeout for uploads and downloads.
        stall_timeout: Span = Span::seconds(30);
        /// Maximum concurrent connections; further ones wait. Each needs one or two file descriptors: the service
        /// raises its limit as far as the system allows, and does not start if that is too low.
        max_connections: u32 = 4_096;
        /// Maximum open connections per internet address (for IPv6, per /64); further ones are closed at once. 0
        /// means no limit. Addresses of private networks, where proxies usually are, are only counted if
        /// `server.trusted_proxies` is set.
        connections_per_address: u32 = 512;
        /// Proxies in front of the service, as networks such as `10.0.0.0/8`. Their connections belong to many
        /// clients and are not counted; those of all other addresses are.
        trusted_proxies: Vec<Network> = Vec::new();
        /// Grace period for open requests during shutdown.
        drain_timeout: Span = Span::seconds(30);
    }
}

/// How to treat unknown fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnUnknownField {
    Warn,
    Deny,
}

impl Server {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let wrong = |name: &str, message: &str| {
            Err(ConfigError::Value { name: format!("server.{name}"), message: message.to_owned() })
        };
        if self.max_connections == 0 {
            return wrong("max_connections", "at least 1, otherwise no client could connect");
        }
        match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => wrong("tls_key", "the key of server.tls_cert is missing"),
            (None, Some(_)) => wrong("tls_cert", "the certificate of server.tls_key is missing"),
            _ => Ok(()),
        }
    }

    /// The path of the certificate, if the service does TLS itself.
    pub fn tls_files(&self) -> Option<TlsFiles> {
        Some(TlsFiles { cert: self.tls_cert.clone()?, key: self.tls_key.clone()? })
    }

    pub fn scheme(&self) -> &'static str {
        if self.tls_cert.is_some() { "https" } else { "http" }
    }

    /// Beginning of every link; `bound` is the actual address of the listener.
    pub fn base_url(&self, bound: SocketAddr) -> BaseUrl {
        self.public_url.clone().unwrap_or_else(|| BaseUrl::of_listener(self.scheme(), bound))
    }
}
