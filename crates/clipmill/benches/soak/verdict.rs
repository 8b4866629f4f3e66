//! Growth and leftovers, compared with their limits.

use std::collections::BTreeMap;
use std::time::Duration;

use super::load::Outcome;
use super::rows::is_kept;
use super::sample::Sample;
use super::service::Left;
use super::web::Hooks;

/// Maximum growth of memory over the last two thirds, by linear regression: absolute, or as a share of its mean.
const MEMORY_MIB: f64 = 10.0;
const MEMORY_SHARE: f64 = 0.1;
/// Maximum growth of other counts: absolute, or as a share of the mean.
const COUNT: f64 = 8.0;
const COUNT_SHARE: f64 = 0.15;
/// Descriptors and threads of the idle service afterwards, beyond those of the idle service before: connections to
/// the database stay open, and threads for blocking calls stay as long as each is used now and then.
const IDLE_DESCRIPTORS: usize = 16;
const IDLE_THREADS: usize = 40;

pub struct Verdict {
    pub samples: Vec<Sample>,
    /// The service after everything has ended and retention is complete.
    pub after: Sample,
    pub outcomes: Vec<Outcome>,
    pub hooks: BTreeMap<String, Hooks>,
    pub left: Left,
    pub log: String,
    pub loaded: Duration,
    /// The least number of tasks that should have ended.
    pub tasks: usize,
}

/// A line of the table: name, value, limit, and whether the limit is kept.
struct Line {
    what: String,
    found: String,
    bound: String,
    kept: bool,
}

impl Verdict {
    /// Prints it; `true` when every bound is kept.
    pub fn tell(&self) -> bool {
        self.tell_outcomes();
        let mut lines = vec![self.memory()];
        lines.extend(self.growth());
        lines.extend(self.idle());
        lines.extend(self.promises());
        println!("\n| what | found | bound | |\n|---|---|---|---|");
        for Line { what, found, bound, kept } in &lines {
            println!("| {what} | {found} | {bound} | {} |", if *kept { "kept" } else { "**broken**" });
        }
        lines.iter().all(|line| line.kept)
    }

    fn tell_outcomes(&self) {
        let mut kinds: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for outcome in &self.outcomes {
            *kinds.entry((outcome.what, &outcome.status)).or_default() += 1;
        }
        println!(
            "\n{} tasks in {:.0} s:\n\n| tasks | ended | number |\n|---|---|--:|",
            self.outcomes.len(),
            self.loaded.as_secs_f64()
        );
        for ((what, status), count) in kinds {
            println!("| {what} | {status} | {count} |");
        }
        for outcome in self.outcomes.iter().filter(|outcome| outcome.wrong.is_some()).take(5) {
            println!(
                "\n{} ({}): {}",
                outcome.task_no,
                outcome.what,
                outcome.wrong.as_deref().unwrap_or_default()
            );
        }
        let errors: Vec<_> = self.log.lines().filter(|line| line.contains("ERROR")).collect();
        if let Some(last) = errors.last() {
            println!("\n{} errors in the log, the last: {last}", errors.len());
        }
    }

    /// The last two thirds of the time under load.
    fn late(&self) -> &[Sample] {
        &self.samples[self.samples.len() / 3..]
    }

    fn memory(&self) -> Line {
        let (growth, mean) = growth(self.late(), |sample| sample.memory_mib);
        let bound = MEMORY_MIB.max(mean * MEMORY_SHARE);
        let max = self.samples.iter().map(|sample| sample.memory_mib).fold(0.0, f64::max);
        let idle = self.samples.first().map_or(0.0, |sample| sample.memory_mib);
        Line {
            what: "resident memory, growth over the last two thirds".into(),
            found: format!(
                "{growth:+.1} MiB (mean {mean:.0}, most {max:.0}, idle {idle:.0} before and {:.0} after)",
                self.after.memory_mib
            ),
            bound: format!("{bound:.0} MiB"),
            kept: growth <= bound,
        }
    }

    /// Values that vary under load: their level must not rise.
    fn growth(&self) -> Vec<Line> {
        type Figure = (&'static str, f64, fn(&Sample) -> f64);
        // What is kept for a while is as much as came in that while, and a machine is not equally fast all the time.
        let figures: [Figure; 5] = [
            ("descriptors", COUNT, |s| s.descriptors as f64),
            ("threads", COUNT, |s| s.threads as f64),
            ("files of running work", COUNT, |s| s.scratch as f64),
            ("files of results for each recently ended task", 0.0, |s| s.results as f64 / s.recent()),
            ("rows that are not kept indefinitely, for each of these", 0.0, |s| {
                s.unkept_rows() as f64 / s.recent()
            }),
        ];
        // Before retention has its first catch, everything grows.
        let settled = self.late().iter().filter(|s| s.at_s > (super::AGE_S + 3 * super::EVERY_S) as f64);
        let settled: Vec<Sample> = settled.cloned().collect();
        let line = |(name, min, figure): Figure| {
            let (growth, mean) = growth(&settled, figure);
            let bound = f64::max(min, mean * COUNT_SHARE);
            let what = format!("{name}, growth over the last two thirds");
            Line {
                what,
                found: format!("{growth:+.1} (mean {mean:.1})"),
                bound: format!("{bound:.1}"),
                kept: growth <= bound,
            }
        };
        figures.map(line).into()
    }

    /// The idle service afterwards.
    fn idle(&self) -> Vec<Line> {
        let (before, after) = (self.samples.first().cloned().unwrap_or_default(), &self.after);
        let counted = |what: &str, found: usize, bound: usize| Line {
            what: format!("{what}, afterwards"),
            found: found.to_string(),
            bound: bound.to_string(),
            kept: found <= bound,
        };
        let rows: Vec<String> = after
            .rows
            .iter()
            .filter(|(table, count)| !is_kept(table) && **count > 0)
            .map(|(table, count)| format!("{count} {table}"))
            .collect();
        vec![
            counted("descriptors", after.descriptors, before.descriptors + IDLE_DESCRIPTORS),
            counted("threads", after.threads, before.threads + IDLE_THREADS),
            counted("child processes", after.children, before.children),
            counted("files of running work", after.scratch, before.scratch),
            counted("files of results", after.results, 0),
            Line {
                what: "rows that are not kept indefinitely, afterwards".into(),
                found: if rows.is_empty() { "0".into() } else { rows.join(", ") },
                bound: "0".into(),
                kept: rows.is_empty(),
            },
        ]
    }

    fn promises(&self) -> Vec<Line> {
        let none = |what: &str, found: Vec<String>| Line {
            what: what.into(),
            found: match found.first() {
                None => "0".into(),
                Some(first) => {
                    format!("{}, e.g. {}", found.len(), first.chars().take(200).collect::<String>())
                }
            },
            bound: "0".into(),
            kept: found.is_empty(),
        };
        let wrong =
            self.outcomes.iter().filter_map(|o| Some(format!("{}: {}", o.task_no, o.wrong.as_ref()?)));
        vec![
            Line {
                what: "tasks that have ended".into(),
                found: self.outcomes.len().to_string(),
                bound: format!("at least {}", self.tasks),
                kept: self.outcomes.len() >= self.tasks,
            },
            none("tasks that ended otherwise than they should", wrong.collect()),
            none("tasks without exactly one callback id, or none answered", self.callbacks()),
            none("disagreements of the ledger", self.left.audit.clone().into_iter().collect()),
            none("processes left behind", self.left.processes.clone()),
            Line {
                what: "exit status".into(),
                found: format!("{:?}", self.left.exit),
                bound: "Some(0)".into(),
                kept: self.left.exit == Some(0),
            },
        ]
    }

    fn callbacks(&self) -> Vec<String> {
        let ended =
            self.outcomes.iter().filter(|outcome| !outcome.task_no.is_empty() && outcome.status != "lost");
        let wrong = |outcome: &Outcome| {
            let hooks = self.hooks.get(&outcome.task_no).cloned().unwrap_or_default();
            let good = hooks.ids.len() == 1 && hooks.types.len() == 1 && hooks.answered == 1;
            (!good).then(|| format!("{} ({}): {hooks:?}", outcome.task_no, outcome.status))
        };
        ended.filter_map(wrong).collect()
    }
}

/// How much the straight line through a figure rises over the samples, and the figure's mean.
fn growth(samples: &[Sample], figure: impl Fn(&Sample) -> f64) -> (f64, f64) {
    let count = samples.len() as f64;
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return (0.0, 0.0) };
    if samples.len() < 3 {
        return (0.0, figure(last));
    }
    let mean_time = samples.iter().map(|sample| sample.at_s).sum::<f64>() / count;
    let mean = samples.iter().map(&figure).sum::<f64>() / count;
    let together: f64 = samples.iter().map(|s| (s.at_s - mean_time) * (figure(s) - mean)).sum();
    let spread: f64 = samples.iter().map(|s| (s.at_s - mean_time).powi(2)).sum();
    (together / spread.max(f64::EPSILON) * (last.at_s - first.at_s), mean)
}
