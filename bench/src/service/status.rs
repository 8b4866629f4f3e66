//! The status of a one-item task under load, compared with the baseline under the same load.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context;

use super::Measurement;
use super::baseline::LISTENS;
use super::load::{CONNECTIONS, requests_per_second};
use crate::clipmill::Clipmill;
use crate::peers::{base_mix, median};

const TIME: Duration = Duration::from_secs(2);

pub async fn measure(
    program: &Path,
    samples: &Path,
    folder: &Path,
    rounds: usize,
) -> anyhow::Result<Measurement> {
    let service = Clipmill::start(program, folder)?;
    let url = service.upload(&samples.join("city.mp4")).await?;
    let mut request = base_mix(&[vec![url]]);
    request["params"]["videoList"][0]["totalDuration"] = 1.into();
    let done = service.make(&request).await?;
    let task_no = done.status["taskNo"].as_str().context("no task number")?;
    let task_id = done.status["taskId"].as_i64().context("no task id")?;
    let baseline = Baseline::start(service.data.path())?;
    let host = service.address.trim_start_matches("http://");
    let status = format!("/open-api/v1/video-process/status/{task_no}");
    let pulse = format!("/pulse/{task_id}");
    let (mut clipmill_rates, mut baseline_rates) = (vec![], vec![]);
    for _ in 0..rounds {
        baseline_rates.push(requests_per_second(&baseline.host, &pulse, &service.key, TIME).await?);
        clipmill_rates.push(requests_per_second(host, &status, &service.key, TIME).await?);
    }
    let (clipmill_rate, baseline_rate) = (median(&clipmill_rates), median(&baseline_rates));
    Ok(Measurement {
        name: format!("status of a one-item task, {CONNECTIONS} connections, against one axum route"),
        result: format!(
            "{clipmill_rate:.0}/s, the route {baseline_rate:.0}/s: {:.2}",
            clipmill_rate / baseline_rate
        ),
        target: "≥ 0.5".into(),
    })
}

struct Baseline {
    process: Child,
    host: String,
}

impl Baseline {
    fn start(data: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("baseline").arg(data).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let stdout = process.stdout.take().context("no output")?;
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let host = lines.find_map(|line| line.strip_prefix(LISTENS).map(str::to_owned));
        Ok(Self { process, host: host.context("the baseline does not start")? })
    }
}

impl Drop for Baseline {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
