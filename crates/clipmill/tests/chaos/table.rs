//! The table of faults, carried out row by row.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::Instant;

use crate::cluster::Cluster;
use crate::rng::Rng;
use crate::{clocks, kills, outages, random_kills, stops};

/// Short leases, so that no test waits for half a minute. They are still longer than the seconds for which a busy
/// machine may delay the database: leases lost to that count like those of dead machines.
const QUICK: &[(&str, &str)] = &[
    ("CLIPMILL_WORKER_LEASE", "8s"),
    ("CLIPMILL_WORKER_HEARTBEAT", "1s"),
    ("CLIPMILL_WORKER_RESCUE", "500ms"),
    ("CLIPMILL_WORKER_DRAIN", "1s"),
];
/// The long form starts nothing new after this time.
const LONG: Duration = Duration::from_secs(12 * 60);

type Done<'c> = Pin<Box<dyn Future<Output = ()> + 'c>>;

struct Row {
    fault: &'static str,
    passes: &'static str,
    /// Also in the short form.
    short: bool,
    run: for<'c> fn(&'c mut Cluster, &'c mut Rng) -> Done<'c>,
}

macro_rules! rows {
    ($($short:literal $fault:literal $passes:literal $act:path;)+) => {
        &[$(Row { fault: $fault, passes: $passes, short: $short, run: |cluster, rng| Box::pin($act(cluster, rng)) },)+]
    };
}

/// With leases of a few seconds.
const ROWS: &[Row] = rows! {
    true "kill -9 while a clip is fetched" "done by another, charged once, one event, nothing left" kills::fetching;
    true "kill -9 while ffmpeg renders" "the same; its ffmpeg ends with it" kills::rendering;
    false "kill -9 while the sound is mixed" "the same" kills::joining;
    false "kill -9 while a segment is stored" "the same" kills::storing;
    false "kill -9 while an output is stored" "the same; one visible result" kills::publishing;
    true "kill -9 after the upload, before the commit" "the same; one visible result" kills::settling;
    true "kill -9 of the API amid submissions" "each accepted once" kills::api;
    false "kill -9 of all processes at once" "all is done after their start" kills::all;
    true "SIGSTOP for twice the lease, then SIGCONT" "the stale attempt changes 0 rows" stops::zombie;
    false "one worker cut off from the database while it delivers" "it continues; its late reports change 0 rows" stops::partition;
    true "SIGTERM while work does not end" "nothing new taken, handed back, exit status 0" stops::drain;
    false "an ffmpeg is killed (out of memory)" "tried again, done" stops::ffmpeg_killed;
    false "every ffmpeg is killed" "a clear error, the hold released" stops::ffmpeg_always_killed;
    true "database unreachable for twice the lease" "workers end their ffmpeg, continue without a restart" outages::database_away;
    false "connections to the database cut" "all continue without a restart" outages::database_cut;
    false "database restarted" "all continue without a restart" outages::database_restarts;
    false "single connections ended by the database" "nobody notices" outages::connections_ended;
    false "database and bucket slow" "all is done" outages::all_is_slow;
    false "bucket away for a while" "all is done" outages::bucket_away;
    true "bucket answers 500" "a clear error, the hold released" outages::bucket_failing;
    false "clocks of workers an hour ahead and behind" "nothing reclaimed early or late" clocks::wrong;
    false "the clock jumps by an hour (embedded)" "nothing made twice" clocks::jump;
    false "disk full" "work waits, nothing fails; continues when there is space" outages::disk_full;
};

/// With default leases of half a minute; in the long form only.
const SLOW_ROWS: &[Row] = rows! {
    false "200 times kill -9 over 4 workers and 500 tasks" "nothing lost or twice, work resumed within 45 s" random_kills::two_hundred_kills;
    false "SIGSTOP for a minute, then SIGCONT" "the stale attempt changes 0 rows" stops::zombie;
    false "database unreachable for 60 s" "workers end their ffmpeg within 20 s, continue without a restart" outages::database_away;
};

/// The processes that rows share.
struct Stage {
    workers: usize,
    settings: &'static [(&'static str, &'static str)],
    cluster: Option<Cluster>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_table_of_faults() {
    let long = std::env::var("CLIPMILL_CHAOS").is_ok_and(|form| form == "long");
    let (mut rng, seed) = Rng::from_env("CLIPMILL_CHAOS_SEED");
    println!("seed {seed}; CLIPMILL_CHAOS_SEED={seed} repeats the choices");
    let (began, mut failed, mut carried_out) = (Instant::now(), Vec::new(), 0);
    for (rows, workers, settings) in [(SLOW_ROWS, 4, &[][..]), (ROWS, 3, QUICK)] {
        let mut stage = Stage { workers, settings, cluster: None };
        for row in rows.iter().filter(|row| chosen(row, long)) {
            if long && began.elapsed() > LONG {
                println!("{:<58} left out: no time is left", row.fault);
                failed.push(row.fault);
                continue;
            }
            carried_out += 1;
            if !stage.run_row(row, &mut rng).await {
                failed.push(row.fault);
            }
        }
    }
    println!("{} of {carried_out} rows failed, after {:.0} s", failed.len(), began.elapsed().as_secs_f64());
    assert!(carried_out > 0, "CLIPMILL_CHAOS_ROWS names no row");
    assert!(failed.is_empty(), "seed {seed}: {failed:?}");
}

impl Stage {
    /// A row that fails leaves its cluster in an unknown state: the next row gets a new one.
    async fn run_row(&mut self, row: &Row, rng: &mut Rng) -> bool {
        let mut cluster = match self.cluster.take() {
            Some(cluster) => cluster,
            None => Cluster::open(self.workers, self.settings).await,
        };
        let began = Instant::now();
        let done = AssertUnwindSafe((row.run)(&mut cluster, rng)).catch_unwind().await.is_ok();
        let outcome = if done { "passed" } else { "FAILED" };
        println!("{:<58} {outcome} {:>5.1} s   {}", row.fault, began.elapsed().as_secs_f64(), row.passes);
        self.cluster = done.then_some(cluster);
        done
    }
}

/// `CLIPMILL_CHAOS_ROWS` selects rows by parts of their faults, separated by commas.
fn chosen(row: &Row, long: bool) -> bool {
    match std::env::var("CLIPMILL_CHAOS_ROWS") {
        Ok(parts) => parts.split(',').any(|part| row.fault.contains(part)),
        Err(_) => long || row.short,
    }
}
