//! A rate of calls, as it is written in a configuration: `20/s`, `90/m`, `500/h`.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number of calls in a second, minute or hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    calls: NonZeroU32,
    unit: char,
}

impl Rate {
    pub const fn per_second(calls: NonZeroU32) -> Self {
        Self { calls, unit: 's' }
    }

    /// Time after which one more call is allowed.
    pub fn interval(self) -> Duration {
        let unit = match self.unit {
            'h' => 3600,
            'm' => 60,
            _ => 1,
        };
        Duration::from_secs(unit) / self.calls.get()
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a rate such as 20/s, 90/m or 500/h");
        let (calls, unit) = text.split_once('/').ok_or_else(wrong)?;
        let calls = calls.trim().parse().map_err(|_| wrong())?;
        let unit = match unit.trim() {
            "s" => 's',
            "m" => 'm',
            "h" => 'h',
            _ => return Err(wrong()),
        };
        Ok(Self { calls, unit })
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.calls, self.unit)
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_number_and_a_unit_of_time() {
        let check = |text: &str, interval_ms: Option<u64>| {
            let rate = text.parse::<Rate>().ok();
            assert_eq!(rate.map(Rate::interval), interval_ms.map(Duration::from_millis), "{text}");
        };
        check("20/s", Some(50));
        check(" 30 / m", Some(2000));
        check("1/h", Some(3_600_000));
        check("0/s", None);
        check("20", None);
        check("-1/s", None);
        check("5/d", None);
    }
}
