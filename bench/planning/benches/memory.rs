//! Memory usage of planning: `cargo bench --bench memory`. Fails if it is too high. Separate from the time benchmark,
//! because counting allocations takes time.

use std::process::ExitCode;

use anyhow::Context as _;
use clipmill_bench_planning::{AIM_MIB, CASES, Largest, many};
use clipmill_core::combination::draw;
use peak_alloc::PeakAlloc;

/// The memory limit for drawing many outputs.
const MANY_AIM_MIB: f64 = 128.0;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> anyhow::Result<ExitCode> {
    let mut within = true;
    for (distinct, name) in CASES {
        let largest = Largest::new(distinct)?;
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let plan = largest.plan();
        let max = MEMORY.peak_usage() - before;
        plan.items.iter().find_map(|item| item.outcome.as_ref().ok()).context("nothing was planned")?;
        let mib = max as f64 / f64::from(1 << 20);
        println!("planning 100 groups × 100 clips/{name}: {mib:.1} MiB at most, aim {AIM_MIB} MiB");
        within &= mib <= AIM_MIB;
    }
    let (name, scenes, wanted) = many();
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let rows = draw(&scenes, &[], wanted, 1, &[]);
    let mib = (MEMORY.peak_usage() - before) as f64 / f64::from(1 << 20);
    println!("drawing {} of {name}: {mib:.1} MiB at most, aim {MANY_AIM_MIB} MiB", rows.len());
    within &= mib <= MANY_AIM_MIB;
    Ok(if within { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
