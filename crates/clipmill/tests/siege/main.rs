//! A hostile user beside a regular one, on one service with its embedded database or, when asked, PostgreSQL. The
//! hostile user repeats all attacks that once caused harm, in random order: bombs, hanging links, floods, endless
//! bodies, cancellations, damaged files. The regular user submits a small task every ten seconds, follows it, and
//! requests prices and previews. First the regular user is alone for a while, as the reference. `cargo test` runs it
//! for a minute and checks the guarantees for every machine. `make siege` runs ten minutes, and also checks speed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "these are tests")]

mod attacker;
mod attacks;
mod client;
#[allow(dead_code, reason = "shared with the tests of one process")]
#[path = "../service/harness.rs"]
mod harness;
mod hostile_server;
mod payloads;
#[path = "../../../clipmill-store/tests/support/postgres_server.rs"]
mod postgres_server;
mod raw_connections;
mod regular_user;
mod resources;
#[path = "../chaos/rng.rs"]
mod rng;
mod verdict;

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::attacker::Attacker;
use crate::client::Client;
use crate::harness::{Service, run};
use crate::regular_user::RegularUser;
use crate::resources::ResourceMonitor;
use crate::rng::Rng;
use crate::verdict::Verdict;

/// Concurrent attacks.
const CONCURRENT_ATTACKS: u64 = 8;
const SHORT_S: u64 = 60;
/// With fewer tasks than this, the slowest in twenty is not meaningful.
const MEASURED_S: u64 = 120;
/// The regular user alone: a quarter of the time, and at least this long.
const QUIET_S: u64 = 20;
const HOSTILE_POINTS: u64 = 1_000_000;
const REGULAR_POINTS: u64 = 10_000;

/// Default settings with three exceptions: inputs and callbacks may be on this machine, where the test's own server
/// is; ports are free; and the storage quota is small, because the test does not write two hundred gibibytes.
const SETTINGS: &[(&str, &str)] = &[
    ("CLIPMILL_WORKER_PRESET", "standard"),
    ("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8"),
    ("CLIPMILL_FETCH_ALLOW_PORTS", "*"),
    ("CLIPMILL_LIMITS_STORED_BYTES_PER_USER", "256MiB"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hostile_user_beside_a_regular_one() {
    if std::env::var("CLIPMILL_SIEGE_DATABASE").is_ok_and(|database| database == "postgres") {
        return repeat_with_postgres();
    }
    let asked: Option<u64> = std::env::var("CLIPMILL_SIEGE").ok().map(|seconds| seconds.parse().unwrap());
    let seconds = asked.unwrap_or(SHORT_S);
    let quiet_s = (seconds / 4).max(QUIET_S.min(seconds / 2));
    let (mut rng, seed) = Rng::from_env("CLIPMILL_SIEGE_SEED");
    println!("seed {seed}; CLIPMILL_SIEGE_SEED={seed} repeats the choices");

    let service = Service::start_with(0, SETTINGS).await;
    let hostile = add_user(&service, "hostile", HOSTILE_POINTS);
    let attacker = Arc::new(Attacker::new(hostile, rng.below(1 << 30)).await);
    let mut regular_user = RegularUser::new(&service, seconds).await;
    regular_user.warm_up().await;

    let resources = ResourceMonitor::watch(service.process_id());
    let before = resources.now();
    let quiet = regular_user.live(Duration::from_secs(quiet_s), |_| ()).await;
    let began = Instant::now();
    let running: Vec<_> = (0..CONCURRENT_ATTACKS)
        .map(|number| {
            tokio::spawn(attacks::attack_until_over(
                attacker.clone(),
                Rng::new(seed.wrapping_add(number * 7919 + 1)),
            ))
        })
        .collect();
    let at = resources.mark();
    let others = attacker.clone();
    let siege = regular_user
        .live(Duration::from_secs(seconds - quiet_s), move |task| {
            others.others.lock().unwrap().push(task.to_owned());
        })
        .await;
    let siege_s = began.elapsed().as_secs_f64();
    attacker.over.store(true, Ordering::SeqCst);
    let worst = resources.since(at);
    for attack in running {
        attack.await.unwrap();
    }
    println!("the siege is over after {siege_s:.0} s; its tasks are cancelled");
    attacker.cancel_all().await;
    regular_user.check_outputs().await;
    let settled = Instant::now();
    let after = resources.settle(&before).await;
    println!("everything is at rest {:.0} s later", settled.elapsed().as_secs_f64());

    let verdict = Verdict {
        measured: seconds >= MEASURED_S,
        quiet,
        siege,
        before,
        worst,
        after,
        answers: attacker.tally.answers(),
        final_state: attacker.final_state().await,
        balance: regular_user.balance().await,
        audit: audit(&service),
        log: service.log(),
        is_same_process: resources.is_same_process(),
    };
    assert!(verdict.print(), "seed {seed}: a bound is broken\n{}", verdict.logged_errors());
}

/// Runs this test in its own process, whose programs all find a new PostgreSQL server in their environment.
fn repeat_with_postgres() {
    let database = postgres_server::server().database(None);
    let with_database = |command: &mut Command| {
        command
            .env("CLIPMILL_DATABASE_URL", &database.url)
            .env_remove("CLIPMILL_SIEGE_DATABASE")
            .status()
            .unwrap()
    };
    assert!(with_database(&mut harness::clipmill(&["migrate"])).success());
    #[allow(clippy::disallowed_methods, reason = "a test starts itself")]
    let mut again = Command::new(std::env::current_exe().unwrap());
    assert!(with_database(again.args(std::env::args_os().skip(1))).success(), "see above");
}

fn add_user(service: &Service, name: &str, points: u64) -> Client {
    let folder = service.data.path().to_str().unwrap();
    let points = points.to_string();
    let (status, output, error) =
        run(&["user", "add", name, "--points", &points, "--json", "--data", folder]);
    assert_eq!(status, 0, "{error}");
    let user: Value = serde_json::from_str(&output).unwrap();
    Client::new(service.host(), user["apiKey"].as_str().unwrap())
}

fn audit(service: &Service) -> String {
    let (status, output, error) = run(&["points", "audit", "--data", service.data.path().to_str().unwrap()]);
    if status == 0 { String::new() } else { format!("{output}{error}") }
}
