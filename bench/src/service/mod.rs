//! The cost of the service itself, apart from rendering: planning, responses, claims, idling.

mod claim;
mod load;
mod multiply;
pub mod planning;
mod previews;
mod queue;
mod status;
pub mod yardstick;

use std::fmt::Write;
use std::path::Path;

use crate::clipmill::Clipmill;

/// A measured value beside its target.
pub struct Figure {
    pub what: String,
    pub found: String,
    pub aim: String,
}

/// Rows that wait in the two queues whose claims are compared.
const FEW: usize = 1_000;

pub struct How {
    pub rounds: usize,
    /// Rows of the long queue.
    pub rows: usize,
}

pub async fn measure(
    program: &Path,
    samples: &Path,
    folder: &Path,
    how: &How,
) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    eprintln!("planning");
    for (what, plans) in planning::measure(how.rounds)? {
        let measured = format!("{:.1} ms, {:.1} MiB", plans.ms, plans.mib);
        figures.push(Figure { what, found: measured, aim: "≤ 50 ms, ≤ 64 MiB".into() });
    }
    eprintln!("idling");
    let idle = Clipmill::start(program, folder)?;
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let measured = format!("{:.1} MiB", idle.memory_mib()?);
    drop(idle);
    figures.push(Figure {
        what: "resident memory of the idle service".into(),
        found: measured,
        aim: "≤ 60 MiB".into(),
    });
    eprintln!("answering");
    figures.push(status::measure(program, samples, folder, how.rounds).await?);
    eprintln!("previewing");
    figures.extend(previews::measure(program, samples, folder, how.rounds).await?);
    eprintln!("claiming");
    figures.push(claim::measure(folder, FEW, how.rows).await?);
    Ok(figures)
}

pub fn table(figures: &[Figure]) -> String {
    let mut text = String::from("| Measurement | Result | Target |\n|---|---|---|\n");
    for Figure { what, found, aim } in figures {
        let _ = writeln!(text, "| {what} | {found} | {aim} |");
    }
    text
}
