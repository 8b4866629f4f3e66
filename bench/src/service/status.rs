//! The status of a one-item task under load, compared with the yardstick under the same load.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context;

use super::Figure;
use super::load::{CONNECTIONS, requests_per_second};
use super::yardstick::LISTENS;
use crate::clipmill::Clipmill;
use crate::peers::{base_mix, median};

const TIME: Duration = Duration::from_secs(2);

pub async fn measure(program: &Path, samples: &Path, folder: &Path, rounds: usize) -> anyhow::Result<Figure> {
    let service = Clipmill::start(program, folder)?;
    let url = service.upload(&samples.join("city.mp4")).await?;
    let mut request = base_mix(&[vec![url]]);
    request["params"]["videoList"][0]["totalDuration"] = 1.into();
    let done = service.make(&request).await?;
    let task_no = done.status["taskNo"].as_str().context("no task number")?;
    let task_id = done.status["taskId"].as_i64().context("no task id")?;
    let yardstick = Yardstick::start(service.data.path())?;
    let host = service.address.trim_start_matches("http://");
    let status = format!("/open-api/v1/video-process/status/{task_no}");
    let pulse = format!("/pulse/{task_id}");
    let (mut clipmill_rates, mut yardstick_rates) = (vec![], vec![]);
    for _ in 0..rounds {
        yardstick_rates.push(requests_per_second(&yardstick.host, &pulse, &service.key, TIME).await?);
        clipmill_rates.push(requests_per_second(host, &status, &service.key, TIME).await?);
    }
    let (clipmill_rate, yardstick_rate) = (median(&clipmill_rates), median(&yardstick_rates));
    Ok(Figure {
        what: format!("status of a one-item task, {CONNECTIONS} connections, against one axum route"),
        found: format!(
            "{clipmill_rate:.0}/s, the route {yardstick_rate:.0}/s: {:.2}",
            clipmill_rate / yardstick_rate
        ),
        aim: "≥ 0.5".into(),
    })
}

struct Yardstick {
    process: Child,
    host: String,
}

impl Yardstick {
    fn start(data: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("yardstick").arg(data).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let stdout = process.stdout.take().context("no output")?;
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let host = lines.find_map(|line| line.strip_prefix(LISTENS).map(str::to_owned));
        Ok(Self { process, host: host.context("the yardstick does not start")? })
    }
}

impl Drop for Yardstick {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
