//! Configuration values with a unit, and lists: `30s`, `2GiB`, `10.0.0.0/8`.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use axum::http::Uri;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A length of time, written as a whole number and `ms`, `s`, `m`, `h` or `d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(Duration);

/// A number of bytes, written as a whole number and `B`, `KiB`, `MiB` or `GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(pub u64);

/// A range of addresses, written `10.0.0.0/8`; an address alone is a range of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    pub address: IpAddr,
    pub prefix_len: u8,
}

/// Ports that may be connected to: `*`, or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ports {
    Any,
    Only(Vec<u16>),
}

/// The scheme, host and path of the service for clients; no slash at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

/// A password or a key. It is masked wherever it is shown, and written as its mask.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    const MASK: &str = "***";

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_empty() { "" } else { Self::MASK })
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

const SPANS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("ms", 1), ("m", 60_000), ("s", 1_000)];
const SIZES: [(&str, u64); 4] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

impl Span {
    pub const fn seconds(count: u64) -> Self {
        Self(Duration::from_secs(count))
    }

    pub const fn millis(count: u64) -> Self {
        Self(Duration::from_millis(count))
    }

    pub const fn days(count: u64) -> Self {
        Self::seconds(count * 86_400)
    }

    pub fn get(self) -> Duration {
        self.0
    }

    /// The time in milliseconds.
    pub fn as_millis(self) -> i64 {
        i64::try_from(self.0.as_millis()).unwrap_or(i64::MAX)
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let millis = with_unit(text, &SPANS)
            .ok_or_else(|| format!("`{text}` is not a length of time such as 500ms, 30s, 5m, 24h or 7d"))?;
        Ok(Self::millis(millis))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX);
        // Days are used from two on, because a lifetime of one day reads better as 24h.
        let units = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];
        let smallest = ("ms", 1);
        let fits = |(unit, size): &(&str, u64)| {
            millis > 0 && millis.is_multiple_of(*size) && (*unit != "d" || millis > *size)
        };
        let (unit, size) = units.into_iter().find(fits).unwrap_or(smallest);
        write!(f, "{}{unit}", millis / size)
    }
}

impl FromStr for ByteSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        with_unit(text, &SIZES)
            .map(Self)
            .ok_or_else(|| format!("`{text}` is not a size such as 512KiB, 32MiB or 2GiB"))
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |(_, size): &(&str, u64)| self.0 > 0 && self.0.is_multiple_of(*size);
        let (unit, size) = SIZES.into_iter().find(fits).unwrap_or(("B", 1));
        write!(f, "{}{unit}", self.0 / size)
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a network such as 10.0.0.0/8 or fd00::/8");
        let (address, len) = text.split_once('/').map_or((text, None), |(a, l)| (a, Some(l)));
        let address: IpAddr = address.trim().parse().map_err(|_| wrong())?;
        let max = if address.is_ipv4() { 32 } else { 128 };
        let prefix_len = len.map_or(Ok(max), |l| l.trim().parse()).map_err(|_| wrong())?;
        if prefix_len > max { Err(wrong()) } else { Ok(Self { address, prefix_len }) }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix_len)
    }
}

impl FromStr for Ports {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "*" {
            return Ok(Self::Any);
        }
        let port = |p: &str| p.trim().parse().map_err(|_| format!("`{p}` is not a port; write * or 80,443"));
        text.split(',').map(port).collect::<Result<_, _>>().map(Self::Only)
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Only(ports) => f.write_str(&ports.iter().map(u16::to_string).collect::<Vec<_>>().join(",")),
        }
    }
}

impl BaseUrl {
    /// The URL of a service at its own address; an unspecified address means this machine.
    pub fn of_listener(scheme: &str, address: SocketAddr) -> Self {
        let ip = match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
            ip => ip,
        };
        Self(format!("{scheme}://{}", SocketAddr::new(ip, address.port())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not an address such as https://clips.example.com");
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let usable = matches!(uri.scheme_str(), Some("http" | "https")) && uri.query().is_none();
        if usable { Ok(Self(text.trim_end_matches('/').to_owned())) } else { Err(wrong()) }
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A number followed by one of `units`, multiplied by the unit; spaces between them are allowed.
fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(split)?;
    let (_, size) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()))?;
    number.parse::<u64>().ok()?.checked_mul(*size)
}

/// Implements writing and reading as text.
macro_rules! as_text {
    ($($name:ident),+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    )+};
}

as_text!(Span, ByteSize, Network, BaseUrl);

impl Serialize for Ports {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Any => serializer.serialize_str("*"),
            Self::Only(ports) => ports.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Ports {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "ports are written as \"*\" or as a list of numbers")]
        enum Written {
            Text(String),
            List(Vec<u16>),
        }
        match Written::deserialize(deserializer)? {
            Written::Text(text) => text.parse().map_err(de::Error::custom),
            Written::List(ports) => Ok(Self::Only(ports)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: FromStr<Err = String> + fmt::Display>(text: &str, shown: Result<&str, ()>) {
        let parsed = text.parse::<T>().map(|v| v.to_string()).map_err(drop);
        assert_eq!(parsed, shown.map(str::to_owned), "{text}");
    }

    #[test]
    fn spans_and_sizes_need_a_unit() {
        check::<Span>("30s", Ok("30s"));
        check::<Span>("1500 ms", Ok("1500ms"));
        check::<Span>("24h", Ok("24h"));
        check::<Span>("168h", Ok("7d"));
        check::<Span>("90", Err(()));
        check::<Span>("-1s", Err(()));
        check::<Span>("99999999999999999999d", Err(()));
        check::<ByteSize>("2GiB", Ok("2GiB"));
        check::<ByteSize>("1536KiB", Ok("1536KiB"));
        check::<ByteSize>("2 GB", Err(()));
        check::<ByteSize>("", Err(()));
    }

    #[test]
    fn networks_ports_and_addresses() {
        check::<Network>("10.0.0.0/8", Ok("10.0.0.0/8"));
        check::<Network>("::1", Ok("::1/128"));
        check::<Network>("10.0.0.0/33", Err(()));
        check::<Network>("example.com/8", Err(()));
        check::<Ports>("80, 8080", Ok("80,8080"));
        check::<Ports>("*", Ok("*"));
        check::<Ports>("http", Err(()));
        check::<BaseUrl>("https://x.example/clips/", Ok("https://x.example/clips"));
        check::<BaseUrl>("x.example", Err(()));
        check::<BaseUrl>("https://x.example/?a=b", Err(()));
    }

    #[test]
    fn a_listener_on_every_address_is_reached_on_this_machine() {
        let of = |text: &str| BaseUrl::of_listener("http", text.parse().unwrap()).to_string();
        assert_eq!(of("0.0.0.0:8080"), "http://127.0.0.1:8080");
        assert_eq!(of("[::]:80"), "http://[::1]:80");
        assert_eq!(of("10.1.2.3:80"), "http://10.1.2.3:80");
    }
}
