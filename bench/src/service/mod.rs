//! The cost of the service itself, apart from rendering: planning, responses, claims, idling.

pub mod baseline;
mod claim;
mod load;
mod multiply;
pub mod planning;
mod previews;
mod queue;
mod status;

use std::fmt::Write;
use std::path::Path;

use crate::clipmill::Clipmill;

/// A measured value beside its target.
pub struct Measurement {
    pub name: String,
    pub result: String,
    pub target: String,
}

/// Rows that wait in the two queues whose claims are compared.
const FEW: usize = 1_000;

pub struct Options {
    pub rounds: usize,
    /// Rows of the long queue.
    pub rows: usize,
}

pub async fn measure(
    program: &Path,
    samples: &Path,
    folder: &Path,
    options: &Options,
) -> anyhow::Result<Vec<Measurement>> {
    let mut measurements = Vec::new();
    eprintln!("planning");
    for (name, plans) in planning::measure(options.rounds)? {
        let measured = format!("{:.1} ms, {:.1} MiB", plans.ms, plans.mib);
        measurements.push(Measurement { name, result: measured, target: "≤ 50 ms, ≤ 64 MiB".into() });
    }
    eprintln!("idle memory");
    let idle = Clipmill::start(program, folder)?;
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let measured = format!("{:.1} MiB", idle.memory_mib()?);
    drop(idle);
    measurements.push(Measurement {
        name: "resident memory of the idle service".into(),
        result: measured,
        target: "≤ 60 MiB".into(),
    });
    eprintln!("status requests");
    measurements.push(status::measure(program, samples, folder, options.rounds).await?);
    eprintln!("previews");
    measurements.extend(previews::measure(program, samples, folder, options.rounds).await?);
    eprintln!("claims");
    measurements.push(claim::measure(folder, FEW, options.rows).await?);
    Ok(measurements)
}

pub fn table(measurements: &[Measurement]) -> String {
    let mut text = String::from("| Measurement | Result | Target |\n|---|---|---|\n");
    for Measurement { name, result, target } in measurements {
        let _ = writeln!(text, "| {name} | {result} | {target} |");
    }
    text
}
