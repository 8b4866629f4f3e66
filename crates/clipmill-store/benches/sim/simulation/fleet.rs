//! Workers: they make the same calls as real workers in the same order, and sleep instead of fetching and rendering.

use std::collections::{HashMap, VecDeque};
use std::ops::RangeInclusive;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clipmill_core::poll_backoff::PollBackoff;
use clipmill_core::segment::SegmentSpec;
use clipmill_store::postgres::PgStore;
use clipmill_store::{
    Claim, ClaimLimits, Heartbeat, ItemResult, Job, JobKinds, Lease, Signal, Store, StoreResult, WorkerInfo,
};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::Fixture;
use super::books::Call;
use super::plans::{self, POINTS};

/// The defaults of the service.
const LEASE_MS: i64 = 30_000;
const HEARTBEAT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const RESCUE: Duration = Duration::from_secs(5);
const TELL: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(1);
/// The database's clock counts; what is derived from the caller's keeps its distance from this.
pub const NOW: i64 = 0;
/// Audio segments are made quickly, and so are preflights whose inputs are near.
const SOUND_MS: RangeInclusive<u64> = 100..=300;
const PREFLIGHT_MS: RangeInclusive<u64> = 300..=1_500;
const FRAMES: u64 = 150;

/// How long simulated work lasts, in milliseconds.
#[derive(Debug, Clone)]
pub struct Throughput {
    pub picture: RangeInclusive<u64>,
    pub sound: RangeInclusive<u64>,
    pub finish: RangeInclusive<u64>,
    pub preflight: RangeInclusive<u64>,
}

impl Throughput {
    pub fn real(picture: &RangeInclusive<u64>, finish: &RangeInclusive<u64>) -> Self {
        Self { picture: picture.clone(), sound: SOUND_MS, finish: finish.clone(), preflight: PREFLIGHT_MS }
    }

    pub fn none() -> Self {
        Self { picture: 0..=0, sound: 0..=0, finish: 0..=0, preflight: 0..=0 }
    }
}

pub struct Fleet {
    stop: watch::Sender<bool>,
    running: JoinSet<()>,
    stores: Vec<PgStore>,
}

/// One worker process.
struct Process {
    fixture: Arc<Fixture>,
    store: PgStore,
    name: String,
    pace: Throughput,
    stop: watch::Receiver<bool>,
    /// Claimed work that has not started; locked by the slot that claims more.
    asking: tokio::sync::Mutex<VecDeque<Claim>>,
    /// The processes on the same database.
    poll_backoff: PollBackoff,
    draws: AtomicU64,
    /// Idle slots.
    idle: AtomicU32,
    held: Mutex<HashMap<Lease, HeldLease>>,
}

/// A lease, and the progress of its work.
struct HeldLease {
    frames: Arc<AtomicU64>,
    reported: u64,
    renewed: Instant,
    lost: Arc<Notify>,
}

impl Fleet {
    pub async fn start(fixture: &Arc<Fixture>, workers: usize, pace: &Throughput) -> Self {
        let (stop, stopped) = watch::channel(false);
        let (mut running, mut stores) = (JoinSet::new(), Vec::new());
        let slots = fixture.settings.slots.max(1);
        for number in 0..workers.div_ceil(slots) {
            let store = fixture.store(fixture.settings.connections).await;
            stores.push(store.clone());
            let name = format!("sim-{number}");
            let process = Process {
                fixture: fixture.clone(),
                store,
                name,
                pace: pace.clone(),
                stop: stopped.clone(),
                asking: tokio::sync::Mutex::default(),
                poll_backoff: PollBackoff::default(),
                draws: AtomicU64::new(number as u64 * 1_000_003),
                idle: AtomicU32::default(),
                held: Mutex::default(),
            };
            let process = Arc::new(process);
            for _ in 0..slots.min(workers - number * slots) {
                running.spawn(process.clone().slot());
            }
            running.spawn(process.clone().rescue());
            running.spawn(process.clone().renew());
            running.spawn(process.tell());
        }
        Self { stop, running, stores }
    }

    /// Running work is completed.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        while let Some(ended) = self.running.join_next().await {
            ended.expect("a worker ended abnormally");
        }
        for store in self.stores {
            store.close().await;
        }
    }
}

impl Process {
    fn stopped(&self) -> bool {
        *self.stop.borrow()
    }

    async fn wait(&self, time: Duration) {
        let mut stop = self.stop.clone();
        let _ = tokio::time::timeout(time, stop.wait_for(|stop| *stop)).await;
    }

    async fn slot(self: Arc<Self>) {
        let mut news = self.store.signal(Signal::Ready);
        let mut rested = false;
        while !self.stopped() {
            self.idle.fetch_add(1, Ordering::Relaxed);
            let mut turn = self.asking.lock().await;
            if self.stopped() {
                for claim in turn.drain(..) {
                    let _ = self.store.leases().release(claim.lease, NOW).await;
                }
                return;
            }
            news.mark_unchanged();
            let began = Instant::now();
            let claimed = self.next(&mut turn).await;
            self.idle.fetch_sub(1, Ordering::Relaxed);
            if std::mem::take(&mut rested) && matches!(claimed, Ok(Some(_))) && self.poll_backoff.is_large() {
                self.store.resend_signal(Signal::Ready);
            }
            match claimed {
                Ok(Some(claim)) => {
                    drop(turn);
                    self.fixture.books.note(Call::Claim, began);
                    self.work(claim).await;
                }
                Ok(None) => {
                    self.fixture.books.note(Call::InVain, began);
                    self.rest(&mut news).await;
                    rested = true;
                }
                Err(error) => {
                    let _ =
                        self.fixture.books.time(Call::Claim, async { StoreResult::<()>::Err(error) }).await;
                    self.wait(Duration::from_secs(1)).await;
                }
            }
        }
    }

    async fn next(&self, claimed: &mut VecDeque<Claim>) -> StoreResult<Option<Claim>> {
        if claimed.is_empty() {
            let max = self.poll_backoff.claim_size(self.idle.load(Ordering::Relaxed));
            let limits = ClaimLimits::default();
            claimed.extend(self.store.queue().claim_several(&self.name, max, NOW, LEASE_MS, limits).await?);
        }
        Ok(claimed.pop_front())
    }

    async fn rest(&self, news: &mut watch::Receiver<u64>) {
        let until = Instant::now() + self.poll_backoff.wait(IDLE, self.jitter());
        let mut stop = self.stop.clone();
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(until) => return,
                _ = stop.wait_for(|stop| *stop) => return,
                Ok(()) = news.changed() => if self.poll_backoff.wakes(self.jitter()) { return },
            }
        }
    }

    fn jitter(&self) -> f64 {
        mixed(self.draws.fetch_add(1, Ordering::Relaxed))
    }

    async fn rescue(self: Arc<Self>) {
        while !self.stopped() {
            let _ = self.fixture.books.time(Call::Upkeep, self.store.leases().rescue(NOW)).await;
            self.wait(self.poll_backoff.wait(RESCUE, self.jitter())).await;
        }
    }

    async fn tell(self: Arc<Self>) {
        while !self.stopped() {
            let info = WorkerInfo {
                name: self.name.clone(),
                host: self.name.clone(),
                version: "sim".into(),
                slots: u32::try_from(self.fixture.settings.slots).unwrap_or(1),
                kinds: JobKinds::default(),
                draining: false,
                speed: None,
            };
            let seen = self.fixture.books.time(Call::Upkeep, self.store.workers().record(&info, NOW)).await;
            seen.into_iter().for_each(|workers| self.poll_backoff.set(workers));
            self.wait(TELL).await;
        }
        let _ = self.store.workers().remove(&self.name).await;
    }

    async fn work(&self, claim: Claim) {
        let (user, beyond_planning) = match &claim.job {
            Job::Preflight { user, .. } => (*user, false),
            Job::Segment { user, .. } | Job::Assemble { user, .. } => (*user, true),
        };
        self.fixture.books.claimed(user, beyond_planning);
        let lease = claim.lease;
        let (frames, closing, lost) =
            (Arc::<AtomicU64>::default(), AtomicBool::new(false), Arc::<Notify>::default());
        let held =
            HeldLease { frames: frames.clone(), reported: 0, renewed: Instant::now(), lost: lost.clone() };
        self.held.lock().unwrap().insert(lease, held);
        let mut work = pin!(self.perform(claim, &frames, &closing));
        // Work whose outcome could not be written is claimed by another when its lease ends, as with a real worker.
        let ended = tokio::select! {
            _ = &mut work => true,
            () = lost.notified() => false,
        };
        if !ended && closing.load(Ordering::Relaxed) {
            let _ = work.await;
        }
        self.held.lock().unwrap().remove(&lease);
    }

    async fn perform(&self, claim: Claim, frames: &AtomicU64, closing: &AtomicBool) -> StoreResult<()> {
        let (books, store, lease, pace) = (&self.fixture.books, &self.store, claim.lease, &self.pace);
        let jitter = draw(lease);
        match claim.job {
            Job::Preflight { request, seed, .. } => {
                sleep(within(&pace.preflight, jitter)).await;
                let preflight = plans::preflighted(&request, seed);
                closing.store(true, Ordering::Relaxed);
                books.time(Call::Planned, store.jobs().complete_preflight(lease, preflight, NOW)).await
            }
            Job::Segment { spec, .. } => {
                let sound = matches!(*spec, SegmentSpec::Audio(_));
                let time = within(if sound { &pace.sound } else { &pace.picture }, jitter);
                render(time, !sound, frames).await;
                books.worked(time);
                closing.store(true, Ordering::Relaxed);
                books.time(Call::SegmentDone, store.jobs().complete_segment(lease, NOW)).await
            }
            Job::Assemble { task_no, item, item_no, user, .. } => {
                sleep(within(&pace.finish, jitter)).await;
                books.worked(within(&pace.finish, jitter));
                let result = result(format!("{}/{item_no}-{}.mp4", task_no.as_str(), lease.fence));
                closing.store(true, Ordering::Relaxed);
                books.time(Call::Deliver, store.jobs().complete_item(lease, result, POINTS, NOW)).await?;
                books.delivered_item(item, user);
                Ok(())
            }
        }
    }

    /// Renews leases as the worker's list of leases does.
    async fn renew(self: Arc<Self>) {
        let mut interruptions = self.store.signal(Signal::Interrupted);
        // Work that is running when the fleet stops is completed.
        while !self.stopped() || !self.held.lock().unwrap().is_empty() {
            tokio::select! {
                () = sleep(self.poll_backoff.report(POLL_INTERVAL, HEARTBEAT / 2)) => {}
                Ok(()) = interruptions.changed() => {}
            }
            let (heartbeats, asked): (Vec<Heartbeat>, _) = {
                let held = self.held.lock().unwrap();
                (held.iter().map(|(lease, held)| held.beat(*lease)).collect(), Instant::now())
            };
            if heartbeats.is_empty() {
                continue;
            }
            let kept = self
                .fixture
                .books
                .time(Call::Heartbeat, self.store.leases().keep(&heartbeats, NOW, LEASE_MS))
                .await;
            let mut held = self.held.lock().unwrap();
            for (beat, good) in heartbeats.iter().zip(kept.unwrap_or_default()) {
                let Some(held) = held.get_mut(&beat.lease) else { continue };
                if !good {
                    held.lost.notify_one();
                    continue;
                }
                held.reported = beat.frames_done.unwrap_or(held.reported);
                if beat.renews {
                    held.renewed = asked;
                }
            }
            for held in held.values().filter(|held| held.renewed.elapsed() >= Duration::from_secs(20)) {
                held.lost.notify_one();
            }
        }
    }
}

impl HeldLease {
    fn beat(&self, lease: Lease) -> Heartbeat {
        let frames = self.frames.load(Ordering::Relaxed);
        let news = frames != self.reported;
        let renews = self.renewed.elapsed() >= HEARTBEAT;
        Heartbeat { lease, renews, frames_done: news.then_some(frames) }
    }
}

/// Video segments report progress, as ffmpeg does twice a second.
async fn render(time: Duration, tells: bool, frames: &AtomicU64) {
    let began = Instant::now();
    while tells && began.elapsed() < time {
        sleep((time - began.elapsed().min(time)).min(Duration::from_millis(500))).await;
        let part = began.elapsed().as_secs_f64() / time.as_secs_f64();
        frames.store((part * FRAMES as f64) as u64, Ordering::Relaxed);
    }
    if !tells {
        sleep(time).await;
    }
}

fn within(range: &RangeInclusive<u64>, jitter: f64) -> Duration {
    let (min, max) = (*range.start() as f64, *range.end() as f64);
    Duration::from_micros(((min + (max - min) * jitter) * 1_000.0) as u64)
}

/// A number from 0 to 1, a different one for each job.
fn draw(lease: Lease) -> f64 {
    mixed(lease.work.0.cast_unsigned())
}

fn mixed(number: u64) -> f64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f64 / f64::from(1 << 24)
}

fn result(key: String) -> ItemResult {
    ItemResult {
        key,
        duration_ms: 10_000,
        width: 720,
        height: 1280,
        fps: 30,
        size_bytes: 3_000_000,
        sha256: "0".repeat(64),
        video_codec: "h264".into(),
        audio_codec: Some("aac".into()),
        quality: serde_json::json!({ "framesPlanned": 300, "framesFound": 300, "loudnessLufs": -16.2,
            "truePeakDb": -1.4, "blackSeconds": 0.0, "frozenSeconds": 0.0, "avDifferenceMs": 3, "speed": 2.1 }),
        cover: None,
        pictures: None,
        warnings: Vec::new(),
        expires_at: NOW + 7 * 86_400_000,
    }
}
