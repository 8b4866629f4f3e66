//! Configuration turned into the settings of the parts that do not know it.

use std::path::PathBuf;

use clipmill_media::engine::EngineSettings;
use clipmill_media::fetch::{AllowPorts, FetchPolicy};
use clipmill_media::sandbox::{Cage, Sandbox};

use crate::config::units::Ports;
use crate::config::{Config, Fetch, SandboxMode};
use crate::worker::WorkerSettings;

/// Settings of the media half, its files in these folders.
pub fn engine_settings(config: &Config, cache: PathBuf, inputs: PathBuf) -> EngineSettings {
    EngineSettings {
        cache,
        inputs,
        fetch: FetchPolicy { keep_free: config.storage.keep_free.0, ..fetch_policy(&config.fetch) },
        keep_free: config.storage.keep_free.0,
        encoder_threads: config.worker.encoder_threads,
        max_item_seconds: u64::from(config.limits.output_seconds),
        max_input_bytes: config.limits.task_inputs.0,
        sandbox: sandbox(config),
    }
}

/// How ffmpeg is confined: by the program that runs now.
pub fn sandbox(config: &Config) -> Sandbox {
    let worker = &config.worker;
    match worker.sandbox {
        SandboxMode::On => Sandbox::On(Cage::of_this_program(worker.memory.0, worker.readable.clone())),
        SandboxMode::Off => Sandbox::Off,
    }
}

pub fn worker_settings(config: &Config) -> WorkerSettings {
    WorkerSettings {
        slots: config.worker.slot_count(),
        lease: config.worker.lease.get(),
        heartbeat: config.worker.heartbeat.get(),
        rescue: config.worker.rescue.get(),
        drain: config.worker.drain.get(),
        keep_results: config.retention.results.get(),
        cache_bytes: config.storage.cache_size.0,
        prices: config.pricing.prices(),
    }
}

/// What may be reached on behalf of clients.
pub fn fetch_policy(config: &Fetch) -> FetchPolicy {
    let networks =
        config.allow_networks.iter().filter_map(|n| format!("{}/{}", n.address, n.prefix_len).parse().ok());
    let ports = match &config.allow_ports {
        Ports::Any => AllowPorts::Any,
        Ports::Only(ports) => AllowPorts::Only(ports.clone()),
    };
    FetchPolicy {
        allow_networks: networks.collect(),
        allow_ports: ports,
        max_bytes: config.max_size.0,
        ..FetchPolicy::default()
    }
}
