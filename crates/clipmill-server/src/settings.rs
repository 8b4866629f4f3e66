//! Converts the configuration into the settings of worker, API and delivery.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use clipmill_blobs::{BlobResult, Blobs};
use clipmill_core::encoding::Encoding;
use clipmill_core::message;
use clipmill_core::plan::{DivisionSettings, Warning};
use clipmill_core::request::{Policy, UnknownFields};
use clipmill_media::engine::EngineSettings;
use clipmill_media::ffmpeg::sandbox::{Sandbox, SandboxSettings};
use clipmill_media::ingest::fetch::{AllowPorts, FetchPolicy, IpNet, check_url};
use clipmill_store::{Millis, Quota};
use url::Url;

use crate::config::units::{BaseUrl, Network, Ports};
use crate::config::{Config, Fetch, OnUnknownField, SandboxMode, Storage};

/// Settings of the engine, whose files are only in these folders. Its plans are made for `width` cores.
pub fn engine_settings(config: &Config, width: u32, cache: PathBuf, inputs: PathBuf) -> EngineSettings {
    EngineSettings {
        cache,
        inputs,
        shared: None,
        fetch: fetch_policy(&config.fetch),
        synthesis: config.speech.synthesis(),
        transcription: config.speech.transcription(),
        keep_free: config.storage.keep_free.0,
        encoding: encoding(config),
        encoder: config.worker.encoder,
        max_item_seconds: u64::from(config.limits.output_seconds),
        division: DivisionSettings { width, part_seconds: u64::from(config.worker.part_seconds) },
        max_input_bytes: config.limits.task_inputs.0,
        sandbox: sandbox(config),
        tools_optional: false,
    }
}

/// The encoding settings.
pub fn encoding(config: &Config) -> Encoding {
    let worker = &config.worker;
    Encoding { preset: worker.preset, ..Encoding::standard(worker.encoder_threads) }
}

/// How ffmpeg is confined; the running program is also the sandbox helper.
pub fn sandbox(config: &Config) -> Sandbox {
    let worker = &config.worker;
    match worker.sandbox {
        SandboxMode::On => {
            Sandbox::On(SandboxSettings::of_this_program(worker.memory.0, worker.readable.clone()))
        }
        SandboxMode::Off => Sandbox::Off,
    }
}

/// The configured storage; `folder` is the data folder, `variables` are the environment's.
pub fn blobs(
    config: &Storage,
    folder: &Path,
    variables: impl Iterator<Item = (String, String)>,
) -> BlobResult<Blobs> {
    Blobs::open(&config.url, config.public_endpoint.as_ref().map(BaseUrl::as_str), folder, variables)
}

/// A user's limits, as the store checks them.
pub fn quota(config: &Config, now: Millis) -> Quota {
    Quota {
        open_tasks: config.limits.queued_tasks_per_user,
        stored_bytes: config.limits.stored_bytes_per_user.0,
        uploads_since: now.saturating_sub(config.retention.inputs.as_millis()),
        given_up_hourly: config.limits.given_up_per_hour,
    }
}

pub fn networks(networks: &[Network]) -> Vec<IpNet> {
    networks.iter().filter_map(|n| format!("{}/{}", n.address, n.prefix_len).parse().ok()).collect()
}

/// The addresses that may be reached on behalf of clients.
pub fn fetch_policy(config: &Fetch) -> FetchPolicy {
    let ports = match &config.allow_ports {
        Ports::Any => AllowPorts::Any,
        Ports::Only(ports) => AllowPorts::Only(ports.clone()),
    };
    FetchPolicy {
        allow_networks: networks(&config.allow_networks),
        allow_ports: ports,
        max_bytes: config.max_size.0,
        max_time: config.timeout.get(),
        ..FetchPolicy::default()
    }
}

/// A warning if callbacks to this URL are certain to be refused. Host names are resolved only when a callback is sent.
pub fn callback_warning(config: &Config, url: Option<&str>) -> Option<Warning> {
    let mut url = Url::parse(url?).ok()?;
    let host = url.host_str()?.to_owned();
    if host == "localhost" {
        url.set_ip_host(Ipv4Addr::LOCALHOST.into()).ok()?;
    }
    let is_refused = check_url(&url, &fetch_policy(&config.fetch)).is_err();
    let message =
        || message::callback_not_sent(url.port().map_or(host.clone(), |port| format!("{host}:{port}")));
    is_refused.then(|| Warning { path: "/callbackUrl".to_owned(), message: message() })
}

/// The limits of requests in this configuration.
pub fn request_policy(config: &Config) -> Policy {
    let unknown_fields = match config.server.unknown_fields {
        OnUnknownField::Warn => UnknownFields::Warn,
        OnUnknownField::Deny => UnknownFields::Deny,
    };
    Policy {
        unknown_fields,
        allow_local_paths: false,
        max_item_seconds: f64::from(config.limits.output_seconds),
        max_videos: config.limits.dedup_videos as usize,
        max_outputs: config.limits.output_count,
        voices: config.speech.voices(),
        transcribes: config.speech.transcription().is_some(),
    }
}
