//! The recent rendering time of each user. A user above the average renders with a lower priority, so that a small
//! task does not share the cores equally with the thousand tasks of another user.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clipmill_core::ids::UserId;
use clipmill_media::ffmpeg::process::with_low_priority;
use tokio::time::Instant;

/// Earlier usage counts half as much after this time.
const HALF_LIFE: Duration = Duration::from_secs(30);
/// How far above the average a user must be: users with similar usage all have the same priority.
const MARGIN: f64 = 1.25;
/// A user with less than this is idle and forgotten, in seconds.
const IDLE: f64 = 0.1;

#[derive(Debug, Default)]
pub struct RenderTime {
    users: Mutex<HashMap<UserId, RecentUsage>>,
}

#[derive(Debug)]
struct RecentUsage {
    /// Rendering time, decayed, in seconds.
    seconds: f64,
    /// Number of current runs.
    running: u32,
    updated: Instant,
}

/// A run that is charged to its user until it is dropped.
struct Run<'a> {
    time: &'a RenderTime,
    user: UserId,
}

impl RenderTime {
    /// Runs `work` for the user; its ffmpeg processes have a lower priority if the user is above the average.
    pub async fn charge<T>(&self, user: UserId, work: impl Future<Output = T>) -> T {
        let now = Instant::now();
        self.begin(user, now);
        let _run = Run { time: self, user };
        match self.is_above_average(user, now) {
            true => with_low_priority(work).await,
            false => work.await,
        }
    }

    fn begin(&self, user: UserId, now: Instant) {
        let mut users = self.lock();
        let recent = users.entry(user).or_insert(RecentUsage { seconds: 0.0, running: 0, updated: now });
        recent.update(now);
        recent.running += 1;
    }

    fn end(&self, user: UserId, now: Instant) {
        if let Some(recent) = self.lock().get_mut(&user) {
            recent.update(now);
            recent.running -= 1;
        }
    }

    fn is_above_average(&self, user: UserId, now: Instant) -> bool {
        let mut users = self.lock();
        users.retain(|_, recent| {
            recent.update(now);
            recent.running > 0 || recent.seconds > IDLE
        });
        let total: f64 = users.values().map(|recent| recent.seconds).sum();
        let average = total / users.len().max(1) as f64;
        users.get(&user).is_some_and(|recent| recent.seconds > average * MARGIN)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, RecentUsage>> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RecentUsage {
    /// Integrates `seconds' = running - decay * seconds` up to now.
    fn update(&mut self, now: Instant) {
        let decay = std::f64::consts::LN_2 / HALF_LIFE.as_secs_f64();
        let remaining_share = (-decay * now.duration_since(self.updated).as_secs_f64()).exp();
        self.seconds =
            self.seconds * remaining_share + f64::from(self.running) / decay * (1.0 - remaining_share);
        self.updated = now;
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.time.end(self.user, Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAVY: UserId = UserId(1);
    const LIGHT: UserId = UserId(2);

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn a_user_above_the_average_has_a_low_priority() {
        let (time, start) = (RenderTime::default(), Instant::now());
        time.begin(HEAVY, start);
        assert!(!time.is_above_average(HEAVY, after(start, 20)), "alone, everybody is average");
        time.begin(LIGHT, after(start, 20));
        assert!(time.is_above_average(HEAVY, after(start, 20)), "a run that has not ended counts");
        assert!(!time.is_above_average(LIGHT, after(start, 20)));
        time.end(HEAVY, after(start, 20));
        assert!(!time.is_above_average(HEAVY, after(start, 80)), "earlier usage is forgotten");
        assert!(time.is_above_average(LIGHT, after(start, 80)));
    }

    #[test]
    fn users_who_render_alike_have_the_same_priority() {
        let (time, start) = (RenderTime::default(), Instant::now());
        time.begin(HEAVY, start);
        time.begin(LIGHT, start);
        assert!(![HEAVY, LIGHT].into_iter().any(|user| time.is_above_average(user, after(start, 100))));
        // 30 s / ln 2 * (1 - 2^(-100 s / 30 s))
        let recent = time.lock()[&HEAVY].seconds;
        assert!((recent - 38.99).abs() < 0.01, "{recent}");
    }

    #[tokio::test]
    async fn work_that_is_dropped_is_no_longer_charged() {
        let (time, start) = (RenderTime::default(), Instant::now());
        let endless = time.charge(HEAVY, std::future::pending::<()>());
        assert!(tokio::time::timeout(Duration::from_millis(1), endless).await.is_err());
        time.begin(LIGHT, after(start, 600));
        assert!(!time.is_above_average(HEAVY, after(start, 600)));
        assert_eq!(time.lock().len(), 1);
    }
}
