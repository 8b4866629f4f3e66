//! `clipmill worker`: only executes jobs of a shared queue.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clipmill_media::engine::{Engine, EngineSettings};
use clipmill_server::DataDir;
use clipmill_server::descriptors::Role;
use clipmill_server::installation;
use clipmill_server::metrics_listener::Recorder;
use clipmill_server::settings;
use clipmill_store::JobKind;
use tokio_util::sync::CancellationToken;

use crate::cli::{KindArg, WorkerArgs};
use crate::report::{pluralize, print_line, wrong};
use crate::signals::{Signals, stop_on_signal};
use crate::{database, folders, serve};

/// One listens, one writes for all slots, and one reads and renews leases. With more connections, each is used more
/// rarely, so its session data has left the processor's caches; with fewer, waiting reports are written in batches.
const CONNECTIONS: u32 = 3;

pub async fn run(args: WorkerArgs) -> anyhow::Result<ExitCode> {
    let mut config = serve::load(&args.location)?;
    if !config.database.is_shared() {
        let message = "a separate worker needs a shared database: set CLIPMILL_DATABASE_URL to \
                   postgres://…; with SQLite, `clipmill serve` includes the worker";
        return Err(wrong(message.to_owned()));
    }
    config.worker.slots = args.slots.unwrap_or(config.worker.slots);
    config.database.connections = config.database.connections.min(CONNECTIONS);
    serve::ensure_descriptors(&config, Role::Worker)?;
    let data = DataDir::open(&args.location.data)
        .with_context(|| format!("cannot use {}", args.location.data.display()))?;
    let blobs = settings::blobs(&config.storage, data.root(), std::env::vars());
    let data = data.with_blobs(blobs.map_err(|error| wrong(format!("{error}; {}", error.remedy())))?);
    let recorder = config.metrics.of_worker().map(|_| Recorder::install()).transpose()?;
    let store = database::open(&args.location, &config).await?;
    serve::check_installation(&*store, &data).await?;
    let width = installation::width(&*store).await?;
    let settings = settings::engine_settings(&config, width, data.root().join("cache"), data.inputs());
    let settings = EngineSettings { shared: data.bucket().cloned(), ..settings };
    let engine = Arc::new(
        Engine::open(settings)
            .await
            .context("the renderer cannot start; run `clipmill doctor` for details")?,
    );
    let mut worker = serve::worker(&config, &store, &engine, &data);
    if !args.kinds.is_empty() {
        worker.settings.claim.kinds = args.kinds.iter().map(|kind| JobKind::from(*kind)).collect();
    }
    let (stop, force_stop) = (CancellationToken::new(), CancellationToken::new());
    let signals = Signals::listen().context("signals cannot be received")?;
    tokio::spawn(stop_on_signal(signals, stop.clone(), force_stop.clone()));
    let kinds = worker.settings.claim.kinds.names().join(", ");
    let slots = pluralize(worker.settings.slots, "slot");
    print_line(format_args!("clipmill worker {} accepting {kinds} work ({slots})", worker.name));
    if let (Some(recorder), Some(address)) = (recorder, config.metrics.of_worker()) {
        let disk = engine.disk().clone();
        let bound = recorder.serve(address, store.clone(), disk, stop.clone()).await?;
        print_line(format_args!("metrics are served on http://{bound}/metrics"));
    }
    let keeping = tokio::spawn(serve::retention(&config, &store, &data).run(stop.clone()));
    tokio::spawn(folders::keep(data.clone(), engine.clone(), stop.clone()));
    Arc::new(worker).run(stop, force_stop).await;
    keeping.await.context("retention ended abnormally")?;
    store.close().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

impl From<KindArg> for JobKind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Preflight => Self::Preflight,
            KindArg::Segment => Self::Segment,
            KindArg::Finish => Self::Assemble,
        }
    }
}
