//! The only place that reads the clock and draws random bytes.
//!
//! Everything else takes times and seeds as arguments, so that it can be tested and repeated.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use clipmill_core::seed::drawn_seed;

/// Milliseconds since 1970, UTC.
#[allow(clippy::disallowed_methods, reason = "this is the one place that may ask")]
pub fn now_ms() -> i64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX)
}

/// The current time, for comparison with file times.
#[allow(clippy::disallowed_methods, reason = "this is the one place that may ask")]
pub fn now() -> SystemTime {
    SystemTime::now()
}

/// Random bytes from the operating system, fit for keys and secrets.
#[allow(clippy::disallowed_methods, reason = "this is the one place that may ask")]
pub fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
    Ok(bytes)
}

/// A seed for a task whose request has none.
pub fn seed() -> io::Result<u64> {
    Ok(drawn_seed(random()?))
}

/// A random fraction, at least 0 and below 1.
pub fn fraction() -> io::Result<f64> {
    Ok(f64::from(u32::from_be_bytes(random()?)) / (f64::from(u32::MAX) + 1.0))
}
