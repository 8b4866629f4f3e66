//! The recent time of each user's runs of ffmpeg and ffprobe. Runs of a user above the average have a low priority, and
//! those of a user below it, or with a small task, a high one, so that a small task does not share the cores equally
//! with the thousand tasks of another user.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clipmill_core::ids::UserId;
use clipmill_media::ffmpeg::process::{Priority, RunAccount, charged_to};
use tokio::time::Instant;

/// Earlier usage counts half as much after this time.
const HALF_LIFE: Duration = Duration::from_secs(10);
/// How far from the average a user must be: users with similar usage all have the same priority.
const MARGIN: f64 = 1.25;
/// A user with less than this never has a low priority, in seconds: a small task and some previews.
const LIGHT: f64 = 10.0;
/// A user with less than this is idle and forgotten, in seconds.
const IDLE: f64 = 0.1;

#[derive(Debug, Default)]
pub struct RenderTime {
    users: Mutex<HashMap<UserId, RecentUsage>>,
}

#[derive(Debug)]
struct RecentUsage {
    /// Time of runs, decayed, in seconds.
    seconds: f64,
    /// Number of current runs.
    running: u32,
    updated: Instant,
}

struct UserAccount {
    time: Arc<RenderTime>,
    user: UserId,
}

impl RenderTime {
    /// The same work; the runs that it starts, but not those of tasks that it spawns, are charged to the user.
    pub async fn charge<T>(self: &Arc<Self>, user: UserId, work: impl Future<Output = T>) -> T {
        charged_to(Arc::new(UserAccount { time: self.clone(), user }), work).await
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

    fn priority(&self, user: UserId, now: Instant) -> Priority {
        let mut users = self.lock();
        users.retain(|_, recent| {
            recent.update(now);
            recent.running > 0 || recent.seconds > IDLE
        });
        let own = users.get(&user).map(|recent| recent.seconds);
        let count = users.len() + usize::from(own.is_none());
        let average = users.values().map(|recent| recent.seconds).sum::<f64>() / count as f64;
        match own.unwrap_or_default() {
            seconds if seconds < LIGHT || seconds * MARGIN < average => Priority::High,
            seconds if seconds > average * MARGIN => Priority::Low,
            _ => Priority::Normal,
        }
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

impl RunAccount for UserAccount {
    fn begin(&self) {
        self.time.begin(self.user, Instant::now());
    }

    fn end(&self) {
        self.time.end(self.user, Instant::now());
    }

    fn priority(&self) -> Priority {
        self.time.priority(self.user, Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};

    use super::*;

    const HEAVY: UserId = UserId(1);
    const OTHER: UserId = UserId(2);

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn a_user_above_the_average_has_a_low_priority_and_one_below_it_a_high_one() {
        let (time, start) = (RenderTime::default(), Instant::now());
        let priorities = |seconds| [HEAVY, OTHER].map(|user| time.priority(user, after(start, seconds)));
        time.begin(HEAVY, start);
        assert_eq!(priorities(5), [Priority::High, Priority::High], "little was rendered");
        assert_eq!(priorities(100), [Priority::Normal, Priority::High], "alone, everybody is average");
        time.begin(OTHER, after(start, 100));
        assert_eq!(priorities(105), [Priority::Low, Priority::High], "a run that has not ended counts");
        time.end(HEAVY, after(start, 105));
        assert_eq!(priorities(150), [Priority::High, Priority::Low], "earlier usage is forgotten");
    }

    #[test]
    fn users_who_render_alike_have_the_same_priority() {
        let (time, start) = (RenderTime::default(), Instant::now());
        time.begin(HEAVY, start);
        time.begin(OTHER, start);
        for user in [HEAVY, OTHER] {
            assert_eq!(time.priority(user, after(start, 100)), Priority::Normal);
        }
        // 10 s / ln 2 * (1 - 2^(-100 s / 10 s))
        let recent = time.lock()[&HEAVY].seconds;
        assert!((recent - 14.41).abs() < 0.01, "{recent}");
    }

    #[tokio::test]
    async fn only_runs_are_charged_to_the_user_of_the_work() {
        let time = Arc::new(RenderTime::default());
        time.charge(HEAVY, async {}).await;
        assert!(time.lock().is_empty());
        let mut ffmpeg = Ffmpeg::default();
        ffmpeg.ffprobe = "sleep".into();
        let args = ["100".into()];
        let endless = ffmpeg.output(Program::Ffprobe, &args, Limits::wall(Duration::from_secs(100)));
        let dropped = tokio::time::timeout(Duration::from_millis(50), time.charge(HEAVY, endless)).await;
        assert!(dropped.is_err());
        let users = time.lock();
        assert!(users[&HEAVY].running == 0 && users[&HEAVY].seconds > 0.0, "{users:?}");
    }
}
