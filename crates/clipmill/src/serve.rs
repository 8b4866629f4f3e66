//! `clipmill serve`: API and worker in one process, on SQLite and a folder; or the API over a shared database.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clipmill_core::encoding::EncoderChoice;
use clipmill_media::engine::{Engine, EngineSettings};
use clipmill_server::App;
use clipmill_server::Config;
use clipmill_server::DataDir;
use clipmill_server::account::users::{self, AddError, NewAccount};
use clipmill_server::batches::Batches;
use clipmill_server::clock;
use clipmill_server::data_dir::private_file;
use clipmill_server::delivery::Delivery;
use clipmill_server::descriptors::{self, Role};
use clipmill_server::http;
use clipmill_server::http::peers::Peers;
use clipmill_server::http::tls::Tls;
use clipmill_server::installation::{self, InstallationError};
use clipmill_server::links;
use clipmill_server::metrics_listener::Recorder;
use clipmill_server::retention::{Retention, results_of};
use clipmill_server::router;
use clipmill_server::settings;
use clipmill_server::worker::{
    InputFetches, Leases, ProbeMemory, Threads, Throughput, Worker, WorkerSettings,
};
use clipmill_store::{Store, StoreError};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::cli::{ConfigLocation, ServeArgs};
use crate::database::{self, lock};
use crate::folders;
use crate::report::{print_line, wrong};
use crate::signals::{Signals, stop_on_signal};
use clipmill_server::EngineMedia;

/// The points of the trial user that the first start creates.
const TRIAL_POINTS: u64 = 10_000;

pub async fn run(args: ServeArgs) -> anyhow::Result<ExitCode> {
    let mut config = load(&args.location)?;
    config.server.listen = args.listen.unwrap_or(config.server.listen);
    ensure_descriptors(&config, Role::Service { has_worker: !args.no_worker })?;
    let data = DataDir::open(&args.location.data)
        .with_context(|| format!("cannot use {}", args.location.data.display()))?;
    let recorder = config.metrics.listen.map(|_| Recorder::install()).transpose()?;
    let blobs = settings::blobs(&config.storage, data.root(), std::env::vars());
    let data = data.with_blobs(blobs.map_err(|error| wrong(format!("{error}; {}", error.remedy())))?);
    let alone = !config.database.is_shared();
    let _lock = alone.then(|| lock(data.root())).transpose()?;
    let store = database::open(&args.location, &config).await?;
    check_installation(&*store, &data).await?;
    if alone {
        data.clear_uploads().context("unfinished uploads cannot be removed")?;
        requeue_last_run(&*store).await?;
    }
    let width = installation::width(&*store).await?;
    let settings = settings::engine_settings(&config, width, data.root().join("cache"), data.inputs());
    // Without a worker nothing is rendered, so no device is needed.
    let encoder = if args.no_worker { EncoderChoice::Libx264 } else { settings.encoder };
    let tools_optional = args.no_worker;
    let settings = EngineSettings { shared: data.bucket().cloned(), encoder, tools_optional, ..settings };
    let tls = tls(&config)?;
    let engine = Arc::new(
        Engine::open(settings)
            .await
            .context("the renderer cannot start; run `clipmill doctor` for details")?,
    );
    let listener = tokio::net::TcpListener::bind(config.server.listen).await.with_context(|| {
        format!("cannot listen on {}; check that no other service uses this address", config.server.listen)
    })?;
    let bound = listener.local_addr()?;
    add_first_user(&*store, &data).await?;

    let worker = worker(&config, &store, &engine, &data);
    let retention = retention(&config, &store, &data);
    let (disk, folders_of) = (engine.disk().clone(), engine.clone());
    let media = EngineMedia::new(engine, store.clone(), data.blobs().clone(), !args.no_worker);
    let app = App::open(store.clone(), config.clone(), data, disk.clone(), Arc::new(media), bound).await?;
    let (stop, force_stop) = (app.stopping.clone(), CancellationToken::new());
    if let (Some(recorder), Some(address)) = (recorder, config.metrics.listen) {
        let bound = recorder.serve(address, store.clone(), disk, stop.clone()).await?;
        print_line(format_args!("metrics are served on http://{bound}/metrics"));
    }
    let keeping = tokio::spawn(retention.run(stop.clone()));
    tokio::spawn(folders::keep(app.data.clone(), folders_of, stop.clone()));
    tokio::spawn(follow_links(app.clone(), stop.clone()));
    let delivering = tokio::spawn(Arc::new(Delivery::new(app.clone())).run(stop.clone(), force_stop.clone()));
    let batching = tokio::spawn(Batches::new(app.clone()).run(stop.clone()));
    let worker = Arc::new(Worker { render_time: app.render_time.clone(), ..worker });
    let working = match args.no_worker {
        // Clip previews fill the cache as well.
        true => tokio::spawn(worker.evict(stop.clone())),
        false => tokio::spawn(worker.run(stop.clone(), force_stop.clone())),
    };
    let signals = Signals::listen().context("signals cannot be received")?;
    tokio::spawn(stop_on_signal(signals, stop.clone(), force_stop));
    print_line(format_args!("clipmill listens on {}://{bound}", config.server.scheme()));
    let limits = app.http_limits;
    let doors = http::ConnectionOptions { tls, peers: Peers::new(&config.server) };
    http::serve_with(listener, router(app), stop.clone(), limits, doors).await;
    working.await.context("the worker ended abnormally")?;
    delivering.await.context("the delivery of callbacks ended abnormally")?;
    batching.await.context("the processing of batches ended abnormally")?;
    keeping.await.context("retention ended abnormally")?;
    store.close().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

pub fn load(location: &ConfigLocation) -> anyhow::Result<Config> {
    Config::load(location.config.as_deref(), std::env::vars()).map_err(|error| wrong(error.to_string()))
}

/// Refuses to start with too few descriptors: files that cannot be opened would fail tasks.
pub fn ensure_descriptors(config: &Config, role: Role) -> anyhow::Result<()> {
    descriptors::ensure(config, role).map_err(|error| wrong(error.to_string()))
}

/// Refuses to start with a database, a data folder and a bucket of different installations.
pub async fn check_installation(store: &dyn Store, data: &DataDir) -> anyhow::Result<()> {
    judge(installation::check(store, data).await)
}

/// Converts the result of comparing installations into an error of a command.
pub fn judge(compared: Result<(), InstallationError>) -> anyhow::Result<()> {
    match compared {
        Err(error @ InstallationError::Bucket(_)) => {
            tracing::warn!(%error, "nothing is deleted until the installation can be checked");
            Ok(())
        }
        Err(error) if error.is_mismatch() => Err(wrong(error.to_string())),
        compared => Ok(compared?),
    }
}

fn tls(config: &Config) -> anyhow::Result<Option<Arc<Tls>>> {
    let load = |files| Tls::load(files).map(Arc::new).map_err(|error| wrong(error.to_string()));
    config.server.tls_files().map(load).transpose()
}

/// Revokes all leases: no other process uses this database, so they are from an earlier run.
async fn requeue_last_run(store: &dyn Store) -> anyhow::Result<()> {
    let rescued = store.leases().rescue_all(clock::now_ms()).await?;
    if rescued > 0 {
        tracing::info!(rescued, "jobs of the previous run returned to the queue");
    }
    Ok(())
}

/// Creates the first user of an empty database. Its key is written to a file, because many people can read logs.
async fn add_first_user(store: &dyn Store, data: &DataDir) -> anyhow::Result<()> {
    if store.users().count().await? > 0 {
        return Ok(());
    }
    let path = data.first_key();
    let cannot = || format!("cannot write {}", path.display());
    // Before the user exists: a full disk must not lose the only copy of its key.
    let mut file = private_file(&path).with_context(cannot)?;
    let account = match users::add(store, "first", TRIAL_POINTS).await {
        // Several processes started on one database at the same time, and another one was first.
        Err(AddError::Store(StoreError::Exists(_))) => {
            std::fs::remove_file(&path).with_context(cannot)?;
            return Ok(());
        }
        made => made?,
    };
    let NewAccount { api_key, webhook_secret, .. } = account;
    write!(file, "CLIPMILL_API_KEY={api_key}\nCLIPMILL_WEBHOOK_SECRET={webhook_secret}\n")
        .with_context(cannot)?;
    print_line(format_args!(
        "Created user \"first\" with {TRIAL_POINTS} points. Its API key and webhook secret are in {}.",
        path.display()
    ));
    if std::io::stdout().is_terminal() {
        print_line(format_args!("  {api_key}"));
    }
    Ok(())
}

pub fn worker(config: &Config, store: &Arc<dyn Store>, engine: &Arc<Engine>, data: &DataDir) -> Worker {
    let settings = WorkerSettings::of(config);
    let slots = settings.slots;
    Worker {
        store: store.clone(),
        engine: engine.clone(),
        data: data.clone(),
        name: format!("{}-{}-{}", host(), std::process::id(), clock::now_ms()),
        host: host(),
        speed: Throughput::default(),
        probed: ProbeMemory::default(),
        poll_backoff: clipmill_core::poll_backoff::PollBackoff::default(),
        leases: Leases::new(settings.lease, settings.heartbeat),
        render_time: Arc::default(),
        busy: clipmill_server::worker::BusySlots::default(),
        threads: Threads::new(slots),
        mixing: Arc::new(Semaphore::new(slots)),
        beside: InputFetches::new(&settings),
        settings,
    }
}

/// The retention of this process.
pub fn retention(config: &Config, store: &Arc<dyn Store>, data: &DataDir) -> Retention {
    Retention {
        store: store.clone(),
        results: results_of(data),
        data: data.clone(),
        ages: config.retention.clone(),
        holder: format!("{}-{}", std::process::id(), clock::now_ms()),
    }
}

/// Reloads the secret that signs links after a rotation.
async fn follow_links(app: Arc<App>, stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(links::RELOAD)).await.is_some() {
        match app.store.installation().link_secret().await {
            Ok(Some(secret)) => app.links.use_secret(&secret),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "the secret that signs links could not be read"),
        }
    }
}

/// The name of this machine for others.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "localhost".to_owned() } else { name.to_owned() }
}
