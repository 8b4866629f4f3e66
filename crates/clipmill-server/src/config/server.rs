//! The HTTP listener and its bounds.

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
    /// The HTTP listener and its bounds.
    Server = "server" {
        /// Address and port the API listens on.
        listen: SocketAddr = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080));
        /// Certificate for TLS (PEM, with its chain); with `server.tls_key` the API is served by https. Files that
        /// are replaced are taken over within seconds, without a restart.
        tls_cert: Option<PathBuf> = None;
        /// Private key of `server.tls_cert` (PEM, not encrypted).
        tls_key: Option<PathBuf> = None;
        /// Where clients reach the service, e.g. `https://clips.example.com`: links begin with it. When not
        /// set, links begin with the address listened on.
        public_url: Option<BaseUrl> = None;
        /// Where users ask for points or help: an email address or a URL. The console shows it, and `GET …/balance?details=true` returns it.
        contact: String = String::new();
        /// What to do about a field nobody knows: `warn` or `deny`. Near misses of known names are always
        /// refused.
        unknown_fields: OnUnknownField = OnUnknownField::Warn;
        /// How long a signed link to a result is good. Each status call hands out a fresh one.
        link_lifetime: Span = Span::seconds(86_400);
        /// How long a connection may take to send the head of a request, or stay idle between two.
        header_timeout: Span = Span::seconds(10);
        /// How long a JSON body may take to arrive.
        body_timeout: Span = Span::seconds(30);
        /// An upload ends when no byte has come for this long, a download when none was taken.
        stall_timeout: Span = Span::seconds(30);
        /// Connections served at the same time; further ones wait. Each needs one or two file descriptors: the service
        /// raises its limit as far as the system allows, and does not start if that is too low.
        max_connections: u32 = 4_096;
        /// Connections that one address on the internet (of IPv6, one /64) may have open; further ones are closed at
        /// once, and 0 means no limit. Addresses of private networks, where proxies are, count only once
        /// `server.trusted_proxies` is set.
        connections_per_address: u32 = 512;
        /// Proxies in front of the service, as networks such as `10.0.0.0/8`: their connections are many clients' and
        /// are not counted, and those of all other addresses are.
        trusted_proxies: Vec<Network> = Vec::new();
        /// How long open requests may take to finish when the service is told to stop.
        drain_timeout: Span = Span::seconds(30);
    }
}

/// What to do about a field nobody knows.
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
            return wrong("max_connections", "at least 1, or nobody could connect");
        }
        match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => wrong("tls_key", "the key of server.tls_cert is missing"),
            (None, Some(_)) => wrong("tls_cert", "the certificate of server.tls_key is missing"),
            _ => Ok(()),
        }
    }

    /// Where the certificate lies, if the service does TLS itself.
    pub fn tls_files(&self) -> Option<TlsFiles> {
        Some(TlsFiles { cert: self.tls_cert.clone()?, key: self.tls_key.clone()? })
    }

    pub fn scheme(&self) -> &'static str {
        if self.tls_cert.is_some() { "https" } else { "http" }
    }

    /// Beginning of every link; `bound` is the address that the listener really got.
    pub fn base_url(&self, bound: SocketAddr) -> BaseUrl {
        self.public_url.clone().unwrap_or_else(|| BaseUrl::of_listener(self.scheme(), bound))
    }
}
