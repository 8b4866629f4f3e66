//! Simulated runs without a clock: compares the estimates during a run with the actual times.

use std::collections::VecDeque;

use super::*;

/// The time to check a rendered frame, during which no progress is visible.
const CHECK_MS: u64 = 4;
/// The time to assemble half a second of output.
const FINISH_MS: u64 = 16;

/// A task: segments with their frames and the cost of one, and outputs with their frames and segments.
struct Run {
    segments: Vec<(u64, u64)>,
    outputs: Vec<(u64, Vec<usize>)>,
}

/// A job in progress in a slot.
#[derive(Clone, Copy)]
struct Busy {
    since: u64,
    until: u64,
    /// Frames that are reported during rendering, the cost of each, and the work that counts when the job ends.
    frames: u64,
    make_ms: u64,
    weight: u64,
    segment: Option<usize>,
}

impl Busy {
    /// The frames reported by now; progress is reported once a second.
    fn seen(&self, now: u64) -> u64 {
        ((now - self.since) / 1000 * 1000 / self.make_ms.max(1)).min(self.frames)
    }
}

/// A report at a time: percent done, and the estimated end.
struct ProgressReport {
    at: u64,
    percent: u64,
    end: u64,
}

impl Run {
    /// A task whose outputs all use all segments.
    fn of(segments: Vec<(u64, u64)>, outputs: usize, frames: u64) -> Self {
        let all: Vec<usize> = (0..segments.len()).collect();
        Self { outputs: vec![(frames, all); outputs], segments }
    }

    /// A task whose outputs each have segments of their own.
    fn apart(segments: Vec<(u64, u64)>) -> Self {
        let outputs = segments.iter().enumerate().map(|(i, (frames, _))| (*frames, vec![i])).collect();
        Self { segments, outputs }
    }

    /// Simulates the run. Assembly goes first, as soon as its segments are ready; segments go in their order.
    fn play(&self, slots: usize, expected: impl Fn(u64) -> Option<u64>) -> (u64, Vec<ProgressReport>) {
        let planned: u64 = self.segments.iter().map(|(frames, _)| frames).sum::<u64>()
            + self.outputs.iter().map(|(frames, _)| assemble_weight(Frames(*frames))).sum::<u64>();
        let (mut waiting, mut ready): (VecDeque<usize>, _) =
            ((0..self.segments.len()).collect(), VecDeque::new());
        let mut missing: Vec<usize> = self.outputs.iter().map(|(_, segments)| segments.len()).collect();
        ready.extend((0..missing.len()).filter(|output| missing[*output] == 0));
        let (mut busy, mut done, mut reports): (Vec<Busy>, u64, Vec<ProgressReport>) = (vec![], 0, vec![]);
        for now in (0..).step_by(100) {
            for ended in busy.extract_if(.., |work| work.until <= now) {
                done += ended.weight;
                for (output, (_, segments)) in self.outputs.iter().enumerate() {
                    if ended.segment.is_some_and(|segment| segments.contains(&segment)) {
                        missing[output] -= 1;
                        ready.extend((missing[output] == 0).then_some(output));
                    }
                }
            }
            while busy.len() < slots {
                let next = ready.pop_front().map(|output| self.finish(output, now));
                let Some(work) = next.or_else(|| waiting.pop_front().map(|s| self.make(s, now))) else {
                    break;
                };
                busy.push(work);
            }
            if busy.is_empty() {
                return (now, reports);
            }
            let seen = done + busy.iter().map(|work| work.seen(now)).sum::<u64>();
            if let Some(left) = left_ms(now, seen, planned, expected(planned - seen)) {
                reports.push(ProgressReport { at: now, percent: seen * 100 / planned, end: now + left });
            }
        }
        unreachable!()
    }

    fn make(&self, segment: usize, since: u64) -> Busy {
        let (frames, make_ms) = self.segments[segment];
        let until = since + frames * (make_ms + CHECK_MS);
        Busy { since, until, frames, make_ms, weight: frames, segment: Some(segment) }
    }

    fn finish(&self, output: usize, since: u64) -> Busy {
        let frames = self.outputs[output].0;
        let until = since + frames * FINISH_MS / 15;
        Busy { since, until, frames: 0, make_ms: 1, weight: assemble_weight(Frames(frames)), segment: None }
    }
}

/// Pseudo-random numbers from 0 to `most`, always the same.
fn mixed(count: u64, most: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(move |n| (n * 2_654_435_761 % 4_294_967_296) * most / 4_294_967_296)
}

/// Checks all guarantees for a long run, whatever estimate the queue gave before it began.
fn check(what: &str, slots: usize, run: &Run) {
    for factor in [0.0, 0.3, 1.0, 3.0] {
        // The estimate assumes that a frame costs this many times 30 ms in all slots together.
        let expected =
            |left: u64| (factor > 0.0).then(|| (left as f64 * 30.0 * factor) as u64 / slots as u64);
        let (total, reports) = run.play(slots, expected);
        let late: Vec<&ProgressReport> = reports.iter().filter(|report| report.at * 10 >= total).collect();
        assert!(late.len() > 20, "{what}: not a long run");
        let off = |report: &&ProgressReport| report.end.abs_diff(total) as f64 / total as f64;
        let worst = late.iter().map(off).fold(0.0, f64::max);
        assert!(worst <= 0.25, "{what}, factor {factor}: {:.0} % off", worst * 100.0);
        let mut least = u64::MAX;
        // Progress comes in steps of a second or of a check, which are coarse before there were ten of them. In the shortest
        // run these are its first fifth.
        for report in late.iter().filter(|report| report.at >= 10_000 || report.at * 5 >= total) {
            let left = report.end - report.at;
            assert!(
                left <= least.saturating_add(total / 8),
                "{what}, factor {factor}: {left} ms left after {least} ms"
            );
            least = least.min(left);
        }
        assert!(reports.iter().all(|report| report.percent < 100), "{what}: 100 % before the end");
        assert!(reports.windows(2).all(|two| two[0].percent <= two[1].percent), "{what}: progress fell");
    }
}

#[test]
fn after_a_tenth_of_a_long_task_the_estimate_is_within_a_quarter() {
    let even = |count, frames| vec![(frames, 26); count];
    check("64 outputs of 12 clips", 2, &Run::of(even(12, 150), 64, 450));
    check("1,000 outputs of 100 clips on more cores", 8, &Run::of(even(100, 150), 1000, 450));
    let lengths = (1..=100).map(|n| (20 * n, 26)).collect();
    check("100 outputs of clips of all lengths", 4, &Run::of(lengths, 100, 900));
    check("one long video", 1, &Run::of(even(1, 18_000), 1, 18_000));
    check("100 videos one after the other", 2, &Run::apart(even(100, 300)));
    // All segments of this task were in the cache, and cached segments are not planned.
    check("sound and joining only", 2, &Run::of(vec![], 400, 450));
}

#[test]
fn sources_of_different_cost_are_accounted_for() {
    // Small and large frames, with and without effects, cost from 10 to 50 ms.
    let uneven = |count| mixed(count, 40).map(|more| (150, 10 + more)).collect::<Vec<_>>();
    for slots in [1, 2, 8] {
        check("80 clips that cost differently", slots, &Run::of(uneven(80), 20, 900));
        check("200 videos that cost differently", slots, &Run::apart(uneven(200)));
    }
    let lengths = mixed(100, 300).zip(mixed(100, 30)).map(|(frames, more)| (30 + frames, 15 + more));
    check("clips of all lengths and costs", 2, &Run::of(lengths.collect(), 50, 900));
}

/// Simulates a queue of users' tasks, each of jobs that take one step of time: the next job goes to the user with the
/// least in progress, then to the one served longest ago. Returns when each task ends.
fn served(users: &[Vec<u64>], slots: u64) -> Vec<Vec<u64>> {
    let mut remaining: Vec<Vec<u64>> = users.to_vec();
    let mut ends: Vec<Vec<u64>> = users.iter().map(|tasks| vec![0; tasks.len()]).collect();
    let mut turns = vec![0u64; users.len()];
    let mut turn = 0;
    for now in 1.. {
        let mut running = vec![0u64; users.len()];
        for _ in 0..slots {
            let open = (0..users.len()).filter(|user| remaining[*user].iter().any(|pieces| *pieces > 0));
            let Some(user) = open.min_by_key(|user| (running[*user], turns[*user])) else { return ends };
            let task = remaining[user].iter().position(|pieces| *pieces > 0).unwrap_or_default();
            remaining[user][task] -= 1;
            ends[user][task] = now;
            turn += 1;
            (running[user], turns[user]) = (running[user] + 1, turn);
        }
    }
    ends
}

#[test]
fn estimates_of_queued_tasks_are_within_a_quarter() {
    for (users, slots) in [
        (vec![vec![400]], 2),
        (vec![vec![100, 200, 400]], 4),
        (vec![vec![1000, 500, 200], vec![800], vec![90, 60]], 4),
        (vec![vec![10_000], vec![50], vec![70, 70]], 3),
        (vec![vec![200]; 12], 8),
    ] {
        let ends = served(&users, slots);
        for (user, tasks) in users.iter().enumerate() {
            let mut own = 0;
            for (task, pieces) in tasks.iter().enumerate() {
                own += pieces;
                let others =
                    (0..users.len()).filter(|other| *other != user).map(|other| users[other].iter().sum());
                // A job takes a second.
                let estimate = wait_ms(own, others, 1000 * slots).unwrap() as f64;
                let real = ends[user][task] as f64 * 1000.0;
                let off = (estimate - real).abs() / real;
                assert!(
                    off <= 0.25,
                    "{users:?}: task {task} of user {user}: {estimate} instead of {real} ms"
                );
            }
        }
    }
}

#[test]
fn the_speed_of_recent_work_is_measured() {
    let mut speed = Speed::default();
    assert_eq!(speed.in_1000_s(), None);
    speed.note(0, 50);
    assert_eq!(speed.in_1000_s(), None, "nothing was done yet");
    speed.note(100, 3_950);
    assert_eq!(speed.in_1000_s(), Some(25_000));
    // An hour at a tenth of the speed: the earlier speed is forgotten.
    for _ in 0..900 {
        speed.note(10, 4_000);
    }
    assert!(speed.in_1000_s().unwrap().abs_diff(2_500) < 50, "{speed:?}");
}

#[test]
fn unknown_throughput_gives_no_estimate_and_numbers_do_not_overflow() {
    assert_eq!(left_ms(1000, 0, 10, None), None);
    assert_eq!(left_ms(1000, 0, 10, Some(7)), Some(7));
    assert_eq!(left_ms(1000, 10, 40, None), Some(3000));
    assert_eq!(left_ms(1000, 10, 40, Some(1)), Some(3000), "its own pace says all");
    assert_eq!(left_ms(1000, 10, 400, Some(1000)), Some(20_000), "half of both");
    assert_eq!(left_ms(1000, 50, 40, None), Some(0));
    assert_eq!(left_ms(u64::MAX, 1, u64::MAX, None), None);
    assert_eq!(left_ms(u64::MAX, u64::MAX, u64::MAX, Some(u64::MAX)), Some(0));
    assert_eq!(wait_ms(u64::MAX, [u64::MAX; 3], 0), None);
    assert_eq!(wait_ms(0, [10], 1), Some(0));
}
