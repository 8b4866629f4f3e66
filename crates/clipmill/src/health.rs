//! `clipmill health`: whether the process of this configuration responds, for containers without curl.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clipmill_server::Config;

use crate::cli::HealthArgs;
use crate::report::{print_line, wrong};

/// Less than the usual timeout of container engines' checks.
const TIMEOUT: Duration = Duration::from_secs(5);

pub async fn run(args: HealthArgs) -> anyhow::Result<ExitCode> {
    let config =
        Config::load(args.config.as_deref(), std::env::vars()).map_err(|error| wrong(error.to_string()))?;
    let url = address(&config, &args)?;
    // The certificate is for the name that clients use; this only checks whether the process responds.
    let client = reqwest::Client::builder()
        .timeout(TIMEOUT)
        .tls_danger_accept_invalid_certs(true)
        .no_proxy()
        .build()
        .context("cannot create an HTTP client")?;
    let status = client.get(&url).send().await.with_context(|| format!("{url} does not respond"))?.status();
    anyhow::ensure!(status.is_success(), "{url} responded with {status}");
    print_line(format_args!("{url} responded with {status}"));
    Ok(ExitCode::SUCCESS)
}

fn address(config: &Config, args: &HealthArgs) -> anyhow::Result<String> {
    if !args.worker {
        let listen = args.listen.unwrap_or(config.server.listen);
        return Ok(format!("{}://{}/readyz", config.server.scheme(), reachable(listen)));
    }
    let unset = "a worker responds only if it serves metrics: set CLIPMILL_METRICS_WORKER_LISTEN or CLIPMILL_METRICS_LISTEN";
    let listen = args.listen.or(config.metrics.of_worker()).ok_or_else(|| wrong(unset.to_owned()))?;
    Ok(format!("http://{}/metrics", reachable(listen)))
}

/// A process that listens on all addresses is reachable at the loopback address.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        other => other,
    };
    SocketAddr::new(ip, listen.port())
}
