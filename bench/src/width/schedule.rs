//! List scheduling of recorded work on other numbers of cores.

use super::recording::{ProcessRun, Recording, Task};

/// The cores that an encode with 1 to 4 threads keeps busy.
pub const CORES: [f64; 4] = [1.0, 1.7, 2.4, 3.0];

/// The machine that a job was recorded on.
pub struct RecordedOn {
    pub cores: f64,
    /// How much more processor time the same work takes if all cores are busy instead of one, for instance because they are
    /// threads of one core, or share its caches.
    pub slowdown: f64,
}

impl RecordedOn {
    /// By what work takes longer while this share of all cores is busy.
    fn slower(&self, busy: f64) -> f64 {
        let alone = 1.0 / self.cores;
        if alone >= 1.0 {
            1.0
        } else {
            1.0 + (self.slowdown - 1.0) * ((busy - alone) / (1.0 - alone)).max(0.0)
        }
    }
}

/// A job on a machine with some cores.
pub struct Schedule {
    pub seconds: f64,
    /// When the probes, the segments with the mixes, and the outputs end.
    stages: [f64; 3],
    /// Seconds of cores that work.
    busy_s: f64,
}

/// Schedules a job that was recorded on another machine. Tasks begin in the order of the recording, as soon as a slot and their
/// threads are free; running processes share the cores evenly.
pub fn simulate(recording: &Recording, width: u32, recorded_on: &RecordedOn) -> Schedule {
    let machine = Machine { width: f64::from(width), recorded_on };
    let (probes, probing) = machine.run(&ready(&recording.probes, 0.0));
    let (audio, _) = machine.run(&ready(&recording.audio, 0.0));
    let segments = [ready(&recording.audio, 0.0), ready(&recording.video, 0.0)].concat();
    let (rendering, rendered) = machine.run(&[segments, ready(&recording.mixes, audio)].concat());
    let (assembly, assembled) = machine.run(&ready(&recording.outputs, 0.0));
    let probed = recording.start_s + probes;
    let rendered_at = probed + recording.plan_s + rendering;
    let stages = [probed, rendered_at, rendered_at + assembly];
    let serial = recording.start_s + recording.plan_s + recording.end_s;
    Schedule { seconds: stages[2] + recording.end_s, stages, busy_s: serial + probing + rendered + assembled }
}

fn ready(tasks: &[Task], at: f64) -> Vec<(f64, &Task)> {
    tasks.iter().map(|task| (at, task)).collect()
}

impl Schedule {
    /// The critical path and the idle time.
    pub fn describe(&self, recording: &Recording, width: u32) -> String {
        let [probed, rendered, assembled] = self.stages;
        let idle = 100.0 * (1.0 - self.busy_s / (self.seconds * f64::from(width)));
        let lines = [
            format!("- {:.2} s start of the program", recording.start_s),
            format!("- {:.2} s probes ({})", probed - recording.start_s, recording.probes.len()),
            format!("- {:.2} s planning", recording.plan_s),
            format!(
                "- {:.2} s segments and mixes ({} video, {} audio, {} mixes); the longest: {}",
                rendered - probed - recording.plan_s,
                recording.video.len(),
                recording.audio.len(),
                recording.mixes.len(),
                longest(&recording.video)
            ),
            format!(
                "- {:.2} s assembly ({}); the longest: {}",
                assembled - rendered,
                recording.outputs.len(),
                longest(&recording.outputs)
            ),
            format!("- {:.2} s end of the program", recording.end_s),
            format!("- {idle:.0} % of the cores' time is idle"),
        ];
        lines.join("\n")
    }
}

/// The pieces of the longest task, as recorded.
fn longest(tasks: &[Task]) -> String {
    let length = |task: &&Task| task.runs.iter().map(|run| run.seconds).sum::<f64>();
    let longest = tasks.iter().max_by(|a, b| length(a).total_cmp(&length(b)));
    let run = |run: &ProcessRun| match run.threads {
        1 => format!("{} {:.2}", run.what, run.seconds),
        threads => format!("{} {:.2} ({threads} threads)", run.what, run.seconds),
    };
    longest.map_or("none".to_owned(), |task| task.runs.iter().map(run).collect::<Vec<_>>().join(", "))
}

struct Machine<'a> {
    width: f64,
    recorded_on: &'a RecordedOn,
}

/// A task that runs: the current piece, and its remaining seconds of cores.
struct Running<'a> {
    task: &'a Task,
    run: usize,
    left: f64,
}

impl Machine<'_> {
    /// The cores that a piece keeps busy if they are idle.
    fn cores(&self, run: &ProcessRun) -> f64 {
        CORES[(run.threads.max(1) as usize).min(CORES.len()) - 1].min(self.width)
    }

    /// Seconds of cores that a piece needs, by its time on the recording machine.
    fn work(&self, run: &ProcessRun) -> f64 {
        let cores = CORES[(run.threads.max(1) as usize).min(CORES.len()) - 1];
        run.seconds * cores.min(self.recorded_on.cores)
    }

    fn begin<'a>(&self, task: &'a Task, run: usize) -> Option<Running<'a>> {
        task.runs.get(run).map(|next| Running { task, run, left: self.work(next) })
    }

    /// Seconds until all tasks have ended, and seconds of cores that work. Each task can begin at its time.
    fn run(&self, tasks: &[(f64, &Task)]) -> (f64, f64) {
        let mut waiting: Vec<(f64, &Task)> = tasks.to_vec();
        waiting.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut waiting = waiting.into_iter().peekable();
        let (mut running, mut now, mut busy): (Vec<Running>, f64, f64) = (Vec::new(), 0.0, 0.0);
        let threads = |task: &Task| f64::from(task.runs.iter().map(|run| run.threads).max().unwrap_or(1));
        loop {
            while let Some((at, task)) = waiting.peek().copied() {
                let used: f64 = running.iter().map(|running| threads(running.task)).sum();
                let fits = running.is_empty() || used + threads(task) <= self.width + 1.0;
                if at > now || !fits {
                    break;
                }
                running.extend(self.begin(task, 0));
                waiting.next();
            }
            let next_ready = waiting.peek().map(|(at, _)| *at).filter(|at| *at > now);
            if running.is_empty() {
                match next_ready {
                    Some(at) => now = at,
                    None => return (now, busy),
                }
                continue;
            }
            let wanted: f64 = running.iter().map(|one| self.cores(&one.task.runs[one.run])).sum();
            let share = (self.width / wanted).min(1.0);
            let slower = self.recorded_on.slower(wanted * share / self.width);
            let speed = |one: &Running| self.cores(&one.task.runs[one.run]) * share / slower;
            let first_end = running.iter().map(|one| one.left / speed(one)).fold(f64::MAX, f64::min);
            let step = next_ready.map_or(first_end, |at| first_end.min(at - now));
            now += step;
            busy += step * wanted * share;
            running = running
                .into_iter()
                .filter_map(|one| {
                    let left = one.left - step * speed(&one);
                    if left > 1e-9 {
                        Some(Running { left, ..one })
                    } else {
                        self.begin(one.task, one.run + 1)
                    }
                })
                .collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(video: &[(f64, u32)]) -> Recording {
        let task = |(seconds, threads): &(f64, u32)| Task {
            runs: vec![ProcessRun { what: "ffmpeg".to_owned(), seconds: *seconds, threads: *threads }],
        };
        Recording { video: video.iter().map(task).collect(), ..Recording::default() }
    }

    fn seconds(video: &[(f64, u32)], width: u32, slowdown: f64) -> f64 {
        simulate(&recording(video), width, &RecordedOn { cores: 2.0, slowdown }).seconds
    }

    fn near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-6, "{actual} instead of {expected}");
    }

    #[test]
    fn processes_share_the_cores_evenly() {
        near(seconds(&[(4.0, 1)], 2, 1.0), 4.0);
        near(seconds(&[(4.0, 1), (4.0, 1)], 2, 1.0), 4.0);
        // The third begins with the others, and all take half as long again.
        near(seconds(&[(4.0, 1), (4.0, 1), (4.0, 1)], 2, 1.0), 6.0);
        near(seconds(&[(4.0, 1), (4.0, 1), (4.0, 1)], 4, 1.0), 4.0);
        // Recorded with both cores, alone on one.
        near(seconds(&[(4.0, 2)], 1, 1.0), 4.0 * 1.7);
    }

    #[test]
    fn busy_cores_are_slower() {
        near(seconds(&[(4.0, 1)], 2, 1.2), 4.0);
        near(seconds(&[(4.0, 1), (4.0, 1)], 2, 1.2), 4.8);
        near(seconds(&[(4.0, 1), (2.0, 1)], 2, 1.2), 2.4 + 2.0);
        near(seconds(&[(4.0, 1), (4.0, 1)], 8, 1.2), 4.0);
    }
}
