//! The effects of the siege on the regular user and the service, compared with their limits.

use crate::attacker::FinalState;
use crate::client::ResponseCounts;
use crate::regular_user::{Balance, Life};
use crate::resources::{MORE_DESCRIPTORS, Reading};

/// Against the regular user's quiet run, at the 95th percentile.
const CALLS: f64 = 3.0;
const TASKS: f64 = 2.0;
/// Maximum resident memory of the service itself, on any machine.
const REST_MIB: f64 = 256.0;
const WORST_MIB: f64 = 1_536.0;
/// Maximum growth of its memory over the last two thirds of the siege, absolute or as a share of its mean.
const GROWTH_MIB: f64 = 40.0;
const GROWTH_SHARE: f64 = 0.15;
/// Readings of twenty seconds: longer than a request lasts and than freed memory takes to go back.
const WHILE: usize = 40;

pub struct Verdict {
    /// Long enough for the limits on speed and growth.
    pub measured: bool,
    pub quiet: Life,
    pub siege: Life,
    pub before: Reading,
    /// All readings of the siege.
    pub worst: Vec<Reading>,
    pub after: Reading,
    pub answers: ResponseCounts,
    pub final_state: FinalState,
    pub balance: Balance,
    pub audit: String,
    pub log: String,
    pub is_same_process: bool,
}

/// One kind of call or all.
type Times = fn(&Life) -> Vec<f64>;

/// Name, value, limit, and whether the limit is kept.
struct Line(&'static str, String, String, bool);

impl Verdict {
    /// Prints it; `true` when every bound is kept.
    pub fn print(&self) -> bool {
        self.print_times();
        self.print_service();
        self.print_outcomes();
        let mut lines = self.guarantees();
        if self.measured {
            lines.extend(self.speed());
        }
        println!("\n| what | found | bound | |\n|---|---|---|---|");
        for Line(what, found, bound, kept) in &lines {
            println!("| {what} | {found} | {bound} | {} |", if *kept { "kept" } else { "**broken**" });
        }
        if !self.measured {
            println!("\nToo short for bounds about speed: `make siege`.");
        }
        lines.iter().all(|line| line.3)
    }

    /// Errors of the service's log.
    pub fn logged_errors(&self) -> String {
        let errors: Vec<&str> = self.log.lines().filter(|line| is_error(line)).collect();
        errors.iter().rev().take(10).map(|line| line.chars().take(400).collect::<String>() + "\n").collect()
    }

    fn print_times(&self) {
        println!(
            "\n| regular user, ms | quiet: number | p50 | p95 | p99 | siege: number | p50 | p95 | p99 | p95, times |"
        );
        println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        let rows: [(&str, Times); 9] = [
            ("status", |life| life.status.clone()),
            ("estimate", |life| life.estimate.clone()),
            ("preview", |life| life.preview.clone()),
            ("these calls together", Life::calls),
            ("upload, submit", |life| life.orders.clone()),
            ("tasks", |life| life.tasks.clone()),
            ("tasks: preflight", |life| life.steps.iter().map(|[queued, ..]| *queued).collect()),
            ("tasks: in the queue", |life| {
                life.steps.iter().map(|[queued, begun, _]| begun - queued).collect()
            }),
            ("tasks: execution", |life| {
                life.steps.iter().map(|[_, begun, delivered]| delivered - begun).collect()
            }),
        ];
        for (what, times) in rows {
            let [quiet, siege] = [times(&self.quiet), times(&self.siege)];
            let row = |times: &[f64]| {
                let [p50, p95, p99] = [50, 95, 99].map(|percent| percentile(times, percent));
                format!("{} | {p50:.1} | {p95:.1} | {p99:.1}", times.len())
            };
            println!("| {what} | {} | {} | {:.2} |", row(&quiet), row(&siege), factor(&quiet, &siege));
        }
    }

    fn print_service(&self) {
        println!("\n| service | own MiB | children | their MiB | descriptors |\n|---|--:|--:|--:|--:|");
        let row = |what: &str, at: &Reading| {
            println!(
                "| {what} | {:.0} | {} | {:.0} | {} |",
                at.own_mib, at.children, at.children_mib, at.descriptors
            );
        };
        row("before", &self.before);
        if let Some(last) = self.worst.last() {
            row("after a third of the siege", &self.worst[self.worst.len() / 3]);
            row("after two thirds", &self.worst[self.worst.len() * 2 / 3]);
            row("at its end", last);
            let mut peak = *last;
            for at in &self.worst {
                peak.own_mib = peak.own_mib.max(at.own_mib);
                peak.children_mib = peak.children_mib.max(at.children_mib);
                peak.children = peak.children.max(at.children);
                peak.descriptors = peak.descriptors.max(at.descriptors);
            }
            row("most, each", &peak);
        }
        row("at rest", &self.after);
    }

    fn print_outcomes(&self) {
        println!("\n| hostile | answers: status/last digits of the code |\n|---|---|");
        for (kind, outcomes) in &self.answers {
            let outcomes: Vec<String> =
                outcomes.iter().map(|(outcome, count)| format!("{count} × {outcome}")).collect();
            println!("| {kind} | {} |", outcomes.join(", "));
        }
        let FinalState { states, spent, .. } = &self.final_state;
        println!("\nhostile tasks by state: {states:?}; {spent} points spent");
        println!(
            "{} calls of the regular user had to be retried",
            self.quiet.rate_limited + self.siege.rate_limited
        );
        let errors = self.log.lines().filter(|line| is_error(line)).count();
        println!("{errors} errors in the log of the service");
    }

    fn guarantees(&self) -> Vec<Line> {
        let none = |what, found: Vec<String>| {
            let summary = match found.first() {
                None => "0".to_owned(),
                Some(first) => format!("{}: {}", found.len(), first.chars().take(300).collect::<String>()),
            };
            Line(what, summary, "0".to_owned(), found.is_empty())
        };
        let outcomes =
            self.answers.iter().flat_map(|(kind, outcomes)| outcomes.keys().map(move |o| (kind, o)));
        // 503 is the response when the disk is full or the database is busy.
        let faults = outcomes.filter(|(_, outcome)| outcome.starts_with('5') && !outcome.starts_with("503"));
        let wrong = [&self.quiet.wrong[..], &self.siege.wrong].concat();
        let panics = self.log.lines().filter(|line| line.contains("panicked")).map(str::to_owned);
        let Balance { held, spent, charged, .. } = &self.balance;
        let (rest, worst) = (self.after.own_mib, self.worst.iter().map(|at| at.own_mib).fold(0.0, f64::max));
        vec![
            none("calls and tasks of the regular user that failed", wrong),
            none("their tasks that were not charged once", self.balance.wrong.clone()),
            equal("their points spent, as charged", *spent, *charged),
            equal("their points held", *held, 0),
            equal(
                "tasks of the hostile user without an end",
                self.final_state.states.range(..3).map(|(_, count)| *count as u64).sum(),
                0,
            ),
            equal("points of the hostile user held", self.final_state.held, 0),
            equal(
                "their points spent, as charged to tasks",
                self.final_state.spent,
                self.final_state.consumed,
            ),
            none("disagreements of the ledger", self.audit.lines().map(str::to_owned).collect()),
            none(
                "answers with 5xx to the hostile user",
                faults.map(|(kind, o)| format!("{kind}: {o}")).collect(),
            ),
            none("panics", panics.collect()),
            Line(
                "the process is the same",
                self.is_same_process.to_string(),
                "true".to_owned(),
                self.is_same_process,
            ),
            max("memory at rest, MiB", rest, REST_MIB),
            max("memory at most, MiB", worst, WORST_MIB),
            max(
                "descriptors at rest",
                self.after.descriptors as f64,
                (self.before.descriptors + MORE_DESCRIPTORS) as f64,
            ),
            equal("children at rest", self.after.children as u64, 0),
        ]
    }

    fn speed(&self) -> Vec<Line> {
        let calls = factor(&self.quiet.calls(), &self.siege.calls());
        let (growth, mean) = growth(&kept(&self.worst[self.worst.len() / 3..]));
        vec![
            equal(
                "calls of the regular user that had to be retried",
                self.quiet.rate_limited + self.siege.rate_limited,
                0,
            ),
            times("p95 of calls against the quiet run", calls, CALLS),
            times("p95 of tasks against the quiet run", factor(&self.quiet.tasks, &self.siege.tasks), TASKS),
            max(
                "growth of memory over the last two thirds, MiB",
                growth,
                GROWTH_MIB.max(mean * GROWTH_SHARE),
            ),
        ]
    }
}

fn is_error(line: &str) -> bool {
    line.contains("ERROR") || line.contains("panicked")
}

fn equal(what: &'static str, found: u64, bound: u64) -> Line {
    Line(what, found.to_string(), bound.to_string(), found == bound)
}

fn max(what: &'static str, found: f64, bound: f64) -> Line {
    Line(what, format!("{found:.0}"), format!("at most {bound:.0}"), found <= bound)
}

fn times(what: &'static str, found: f64, bound: f64) -> Line {
    Line(what, format!("{found:.2} times"), format!("at most {bound} times"), found <= bound)
}

fn percentile(times: &[f64], percent: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let at = (times.len() * percent).div_ceil(100).max(1) - 1;
    times.get(at).copied().unwrap_or(f64::NAN)
}

fn factor(quiet: &[f64], siege: &[f64]) -> f64 {
    percentile(siege, 95) / percentile(quiet, 95)
}

/// The memory that the service keeps: the minimum in each window. Requests in progress use the rest.
fn kept(readings: &[Reading]) -> Vec<Reading> {
    let min = |readings: &[Reading]| readings.iter().copied().min_by(|a, b| a.own_mib.total_cmp(&b.own_mib));
    readings.chunks(WHILE).filter_map(min).collect()
}

/// How much the straight line through the service's own memory rises, and its mean.
fn growth(readings: &[Reading]) -> (f64, f64) {
    let (Some(first), Some(last)) = (readings.first(), readings.last()) else { return (0.0, 0.0) };
    let count = readings.len() as f64;
    let mean_at = readings.iter().map(|at| at.at_s).sum::<f64>() / count;
    let mean = readings.iter().map(|at| at.own_mib).sum::<f64>() / count;
    let together: f64 = readings.iter().map(|at| (at.at_s - mean_at) * (at.own_mib - mean)).sum();
    let spread: f64 = readings.iter().map(|at| (at.at_s - mean_at).powi(2)).sum();
    (together / spread.max(f64::EPSILON) * (last.at_s - first.at_s), mean)
}
