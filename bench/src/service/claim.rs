//! The cost of claiming work from a short and from a long queue.

use std::path::Path;
use std::time::Instant;

use anyhow::ensure;
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::{ClaimLimits, Job, Store};

use super::Measurement;
use super::queue::{self, claim};
use crate::peers::median;

const CLAIMS: usize = 300;
/// Tasks of a queue that the store plans itself; the others are copies.
const PLANNED: usize = 1;

pub async fn measure(folder: &Path, few: usize, many: usize) -> anyhow::Result<Measurement> {
    let short = filled(&folder.join("short.db"), few).await?;
    let long = filled(&folder.join("long.db"), many).await?;
    let (mut short_ms, mut long_ms) = (vec![], vec![]);
    // Both queues are measured in turn, so that other load on the machine and its disk slows both.
    for _ in 0..CLAIMS {
        short_ms.push(claim_ms(&short).await?);
        long_ms.push(claim_ms(&long).await?);
    }
    short.close().await;
    long.close().await;
    let (short, long) = (median(&short_ms), median(&long_ms));
    Ok(Measurement {
        name: format!("claiming work with {many} rows in the queue, against {few}"),
        result: format!("{long:.2} ms, {short:.2} ms: {:.2}", long / short),
        target: "≤ 1.5".into(),
    })
}

async fn filled(path: &Path, rows: usize) -> anyhow::Result<SqliteStore> {
    let start = Instant::now();
    queue::fill(path, rows, PLANNED).await?;
    eprintln!("  {rows} rows, written in {:.0} s", start.elapsed().as_secs_f64());
    Ok(SqliteStore::open(path).await?)
}

async fn claim_ms(store: &SqliteStore) -> anyhow::Result<f64> {
    let start = Instant::now();
    let claim = claim(store, ClaimLimits::default()).await?;
    let took = start.elapsed();
    ensure!(matches!(claim.job, Job::Segment { .. }), "no segment was claimed: {:?}", claim.job);
    Ok(took.as_secs_f64() * 1e3)
}
