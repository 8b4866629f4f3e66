//! Limits how many calls a key may make: one steadily refilled bucket each for reading, submitting and previewing.
//!
//! Buckets are chosen by the key's id after authentication, so that no header can choose one.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::{StateInformationMiddleware, StateSnapshot};
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::config::{Limits, Rate};

/// With more keys than this, idle ones are removed.
const FORGET_ABOVE: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Reading,
    Submitting,
    /// Previews, thumbnails and probes of files: many come at once, and none changes anything.
    Previewing,
    /// Calls without a key, which are counted by address.
    Anonymous,
}

impl Class {
    /// An estimate counts as reading, although it is a POST; so does an agent's message, whose tools are counted
    /// separately.
    pub fn of(method: &Method, uri: &Uri) -> Self {
        if ["/preview", "/preview/clip", "/thumbnail", "/probe", "/sound"]
            .iter()
            .any(|end| uri.path().ends_with(end))
        {
            return Self::Previewing;
        }
        let reads = matches!(*method, Method::GET | Method::HEAD) || uri.path().ends_with("/estimate");
        let reads = reads || uri.path() == "/mcp";
        if reads { Self::Reading } else { Self::Submitting }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Submitting => "submitting",
            Self::Previewing => "previewing",
            Self::Anonymous => "anonymous",
        }
    }
}

pub struct RateLimits {
    reading: Bucket,
    submitting: Bucket,
    previewing: Bucket,
    anonymous: Bucket,
    feedback: Bucket,
    viewing: Bucket,
    /// Addresses are counted by a hash with random keys.
    hashes: RandomState,
}

/// Calls of one address without a key: a burst, then one more after this time.
const ANONYMOUS_BURST: NonZeroU32 = NonZeroU32::new(20).unwrap();
const ANONYMOUS_INTERVAL: Duration = Duration::from_secs(5);
/// Picks and comments of one address: people go through many videos quickly, and guess nothing.
const FEEDBACK_BURST: NonZeroU32 = NonZeroU32::new(60).unwrap();
const FEEDBACK_INTERVAL: Duration = Duration::from_secs(1);
/// Reading the feedback of shares, by address: a page reads it when it opens and after each change.
const VIEWING_BURST: NonZeroU32 = NonZeroU32::new(300).unwrap();
const VIEWING_INTERVAL: Duration = Duration::from_millis(100);

/// The state of a key's limit, reported with every response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateStatus {
    class: Class,
    burst: u32,
    left: u32,
    interval: Duration,
    /// Set if the call is refused.
    pub retry_after: Option<Duration>,
}

impl RateLimits {
    pub fn new(limits: &Limits) -> Self {
        Self {
            reading: Bucket::new(limits.read_rate, limits.read_burst),
            submitting: Bucket::new(limits.submit_rate, limits.submit_burst),
            previewing: Bucket::new(limits.preview_rate, limits.preview_burst),
            anonymous: Bucket::every(ANONYMOUS_INTERVAL, ANONYMOUS_BURST),
            feedback: Bucket::every(FEEDBACK_INTERVAL, FEEDBACK_BURST),
            viewing: Bucket::every(VIEWING_INTERVAL, VIEWING_BURST),
            hashes: RandomState::new(),
        }
    }

    /// Counts a call without a key; returns how long the address must wait if it is refused.
    pub fn count_address(&self, address: IpAddr) -> Option<Duration> {
        self.anonymous.count(self.hash(address), Class::Anonymous).retry_after
    }

    /// [`RateLimits::count_address`] for picks and comments of the viewers of shares.
    pub fn count_feedback(&self, address: IpAddr) -> Option<Duration> {
        self.feedback.count(self.hash(address), Class::Anonymous).retry_after
    }

    /// [`RateLimits::count_address`] for viewers who read picks and comments.
    pub fn count_viewing(&self, address: IpAddr) -> Option<Duration> {
        self.viewing.count(self.hash(address), Class::Anonymous).retry_after
    }

    fn hash(&self, address: IpAddr) -> i64 {
        self.hashes.hash_one(address).cast_signed()
    }

    /// Counts one call of this key.
    pub fn count(&self, key_id: i64, class: Class) -> RateStatus {
        let bucket = match class {
            Class::Reading => &self.reading,
            Class::Submitting => &self.submitting,
            Class::Previewing => &self.previewing,
            Class::Anonymous => &self.anonymous,
        };
        bucket.count(key_id, class)
    }
}

type Limiter = RateLimiter<i64, DashMapStateStore<i64>, DefaultClock, StateInformationMiddleware>;

struct Bucket {
    limiter: Limiter,
    burst: u32,
    interval: Duration,
}

impl Bucket {
    fn new(rate: Rate, burst: NonZeroU32) -> Self {
        Self::every(rate.interval(), burst)
    }

    fn every(interval: Duration, burst: NonZeroU32) -> Self {
        // An interval is never zero, so there is always a quota.
        let quota = Quota::with_period(interval).unwrap_or(Quota::per_second(burst)).allow_burst(burst);
        let limiter = RateLimiter::dashmap(quota).with_middleware::<StateInformationMiddleware>();
        Self { limiter, burst: burst.get(), interval }
    }

    fn count(&self, key_id: i64, class: Class) -> RateStatus {
        let checked = self.limiter.check_key(&key_id);
        if self.limiter.len() > FORGET_ABOVE {
            self.limiter.retain_recent();
        }
        let (remaining, retry_after) = match checked {
            Ok(state) => (StateSnapshot::remaining_burst_capacity(&state), None),
            Err(not_until) => (0, Some(not_until.wait_time_from(self.limiter.clock().now()))),
        };
        RateStatus { class, burst: self.burst, left: remaining, interval: self.interval, retry_after }
    }
}

impl RateStatus {
    /// Writes the fields of the IETF draft "RateLimit header fields for HTTP": the policy (`q` calls in `w` seconds)
    /// and the caller's state (`r` calls left, all of them again in `t` seconds).
    pub fn write(&self, headers: &mut HeaderMap) {
        let name = self.class.name();
        let seconds = |calls: u32| (self.interval * calls).as_secs_f64().ceil() as u64;
        let policy = format!("\"{name}\";q={};w={}", self.burst, seconds(self.burst));
        let standing = format!("\"{name}\";r={};t={}", self.left, seconds(self.burst - self.left));
        for (header, text) in [("ratelimit-policy", policy), ("ratelimit", standing)] {
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.insert(HeaderName::from_static(header), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_then_no_more_and_each_key_and_class_counts_alone() {
        let slow = Limits {
            read_rate: "1/h".parse().unwrap(),
            read_burst: 2.try_into().unwrap(),
            ..Limits::default()
        };
        let limits = RateLimits::new(&slow);
        assert_eq!([1, 2].map(|_| limits.count(7, Class::Reading).retry_after), [None, None]);
        let refused = limits.count(7, Class::Reading);
        assert!(refused.retry_after.is_some_and(|wait| wait <= Duration::from_secs(3600)), "{refused:?}");
        assert_eq!(limits.count(8, Class::Reading).retry_after, None);
        assert_eq!(limits.count(7, Class::Submitting).retry_after, None);

        let mut headers = HeaderMap::new();
        refused.write(&mut headers);
        assert_eq!(headers["ratelimit-policy"], "\"reading\";q=2;w=7200");
        assert_eq!(headers["ratelimit"], "\"reading\";r=0;t=7200");
    }

    #[test]
    fn estimates_read_and_uploads_submit() {
        let check = |method: Method, path: &'static str, class| {
            assert_eq!(Class::of(&method, &Uri::from_static(path)), class, "{path}");
        };
        check(Method::GET, "/open-api/v1/video-process/list", Class::Reading);
        check(Method::POST, "/open-api/v1/video-process/estimate?preflight=true", Class::Reading);
        check(Method::POST, "/open-api/v1/video-process/submit", Class::Submitting);
        check(Method::POST, "/open-api/v1/uploads", Class::Submitting);
        check(Method::POST, "/mcp", Class::Reading);
    }
}
