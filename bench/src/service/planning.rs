//! Duration and memory usage of planning the largest basic mix.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Context as _;
use clipmill_bench_planning::{CASES, Largest};
use peak_alloc::PeakAlloc;

use crate::peers::median;

/// Counts allocated memory.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

#[derive(Debug, Clone, Copy)]
pub struct Planned {
    pub ms: f64,
    /// Maximum memory above that of request and facts.
    pub mib: f64,
}

pub fn measure(rounds: usize) -> anyhow::Result<Vec<(String, Planned)>> {
    let named = |(distinct, name)| {
        let planned = measure_one(&Largest::new(distinct)?, rounds.max(3) * 3)?;
        Ok((format!("planning 100 groups × 100 clips ({name})"), planned))
    };
    CASES.into_iter().map(named).collect()
}

fn measure_one(largest: &Largest, rounds: usize) -> anyhow::Result<Planned> {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let items = largest.plan().items;
    let mib = (MEMORY.peak_usage() - before) as f64 / f64::from(1 << 20);
    items.iter().find_map(|item| item.outcome.as_ref().ok()).context("nothing was planned")?;
    drop(items);
    let time = |_| {
        let start = Instant::now();
        let plan = black_box(largest.plan());
        let ms = start.elapsed().as_secs_f64() * 1e3;
        // The plan is dropped outside of the measured time, because the service keeps and stores it.
        drop(plan);
        ms
    };
    let ms: Vec<_> = (0..rounds).map(time).collect();
    Ok(Planned { ms: median(&ms), mib })
}

#[cfg(test)]
mod tests {
    use clipmill_bench_planning::AIM_MIB;

    use super::*;

    #[test]
    fn the_largest_task_is_planned_within_its_memory() {
        for (distinct, _) in CASES {
            let planned = measure_one(&Largest::new(distinct).unwrap(), 1).unwrap();
            assert!(planned.mib <= AIM_MIB, "{distinct} clips: {planned:?}");
        }
    }
}
