//! `clipmill serve`: API and worker in one process, on SQLite and a folder.

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clipmill_media::disk::Disk;
use clipmill_media::engine::Engine;
use clipmill_server::delivery::Delivery;
use clipmill_server::observe::Recorder;
use clipmill_server::retention::{LocalResults, Retention};
use clipmill_server::tls::Tls;
use clipmill_server::worker::{Looked, Worker};
use clipmill_server::{App, Config, DataDir, accounts, clock, http, router, settings};
use clipmill_store::Store;
use clipmill_store::sqlite::SqliteStore;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::cli::{Place, ServeArgs};
use crate::prober::EngineProber;
use crate::report::{say, wrong};

/// Points of the user that the first start makes, to try things out.
const TRIAL_POINTS: u64 = 10_000;

pub async fn run(args: ServeArgs) -> anyhow::Result<ExitCode> {
    let mut config = load(&args.place)?;
    config.server.listen = args.listen.unwrap_or(config.server.listen);
    let data = DataDir::open(&args.place.data)
        .with_context(|| format!("cannot use {}", args.place.data.display()))?;
    let _lock = lock(data.root())?;
    data.clear_uploads().context("unfinished uploads cannot be removed")?;
    let recorder = config.metrics.listen.map(|_| Recorder::install()).transpose()?;
    let store = open_store(&args.place).await?;
    let rescued = store.rescue_all(clock::now_ms()).await?;
    if rescued > 0 {
        tracing::info!(rescued, "work of the last run is taken up again");
    }
    let settings = settings::engine_settings(&config, data.root().join("cache"), data.inputs());
    let tls = tls(&config)?;
    let engine = Arc::new(
        Engine::open(settings).await.context("the renderer cannot start; `clipmill doctor` tells more")?,
    );
    let listener = tokio::net::TcpListener::bind(config.server.listen).await.with_context(|| {
        format!("cannot listen on {}; is another service running there?", config.server.listen)
    })?;
    let bound = listener.local_addr()?;
    greet_first_user(&*store).await?;

    let worker = worker(&config, &store, &engine, &data);
    let retention = retention(&config, &store, &data);
    let disk = Disk::new(data.root(), config.storage.keep_free.0);
    let app =
        App::open(store.clone(), config.clone(), data, Arc::new(EngineProber::new(engine)), bound).await?;
    let (stop, hurry) = (app.stopping.clone(), CancellationToken::new());
    if let (Some(recorder), Some(address)) = (recorder, config.metrics.listen) {
        let bound = recorder.serve(address, store.clone(), disk, stop.clone()).await?;
        say(format_args!("metrics are served on http://{bound}/metrics"));
    }
    let keeping = tokio::spawn(retention.run(stop.clone()));
    let delivering = tokio::spawn(Arc::new(Delivery::new(app.clone())).run(stop.clone(), hurry.clone()));
    let working = (!args.no_worker).then(|| tokio::spawn(Arc::new(worker).run(stop.clone(), hurry.clone())));
    let signals = Signals::listen().context("signals cannot be received")?;
    tokio::spawn(stop_on_signal(signals, stop.clone(), hurry));
    say(format_args!("clipmill listens on {}://{bound}", config.server.scheme()));
    let limits = http::HttpLimits::from(&config.server).within_descriptors();
    http::serve_with(listener, router(app), stop.clone(), limits, tls).await;
    if let Some(working) = working {
        working.await.context("the worker ended abnormally")?;
    }
    delivering.await.context("the delivery of callbacks ended abnormally")?;
    keeping.await.context("retention ended abnormally")?;
    store.close().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

pub fn load(place: &Place) -> anyhow::Result<Config> {
    Config::load(place.config.as_deref(), std::env::vars()).map_err(|error| wrong(error.to_string()))
}

/// Opens the database of the data folder, making it if it is not there.
pub async fn open_store(place: &Place) -> anyhow::Result<Arc<dyn Store>> {
    let path = place.data.join("clipmill.db");
    std::fs::create_dir_all(&place.data)
        .with_context(|| format!("cannot create {}", place.data.display()))?;
    let store = SqliteStore::open(&path).await.with_context(|| format!("cannot open {}", path.display()))?;
    Ok(Arc::new(store))
}

fn tls(config: &Config) -> anyhow::Result<Option<Arc<Tls>>> {
    let load = |files| Tls::load(files).map(Arc::new).map_err(|error| wrong(error.to_string()));
    config.server.tls_files().map(load).transpose()
}

/// One process per data folder: its leases and caches belong to it alone.
fn lock(root: &Path) -> anyhow::Result<File> {
    let path = root.join("lock");
    let file = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
    if file.try_lock().is_err() {
        bail!(
            "another clipmill already serves {}; stop it, or give this one a folder of its own with --data",
            root.display()
        );
    }
    Ok(file)
}

async fn greet_first_user(store: &dyn Store) -> anyhow::Result<()> {
    if store.user_count().await? > 0 {
        return Ok(());
    }
    let account = accounts::add(store, "first", TRIAL_POINTS).await?;
    say(format_args!("made a user `first` with {TRIAL_POINTS} points; its API key, shown only now:"));
    say(format_args!("  {}", account.api_key));
    Ok(())
}

fn worker(config: &Config, store: &Arc<dyn Store>, engine: &Arc<Engine>, data: &DataDir) -> Worker {
    Worker {
        store: store.clone(),
        engine: engine.clone(),
        data: data.clone(),
        settings: settings::worker_settings(config),
        name: format!("{}-{}", std::process::id(), clock::now_ms()),
        looked: Looked::default(),
    }
}

fn retention(config: &Config, store: &Arc<dyn Store>, data: &DataDir) -> Retention {
    Retention {
        store: store.clone(),
        results: Arc::new(LocalResults::new(data.results())),
        data: data.clone(),
        ages: config.retention.clone(),
        holder: format!("{}-{}", std::process::id(), clock::now_ms()),
    }
}

/// Ctrl-C or SIGTERM: take no new work, finish open requests and, for a while, work under way. The second one
/// hands work back at once.
async fn stop_on_signal(mut signals: Signals, stop: CancellationToken, hurry: CancellationToken) {
    signals.next().await;
    tracing::info!("stopping; work under way may be finished");
    stop.cancel();
    signals.next().await;
    tracing::info!("stopping at once");
    hurry.cancel();
}

/// Signals that ask for an end. None is missed while this lives.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
