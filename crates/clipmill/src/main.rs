//! The clipmill program. Exit status: 0 success, 1 failure, 2 invalid command line or request.

mod account;
mod backup;
mod batch;
mod batch_input;
mod callbacks;
mod cli;
mod config;
mod database;
mod doctor;
mod folders;
mod gallery;
mod gc;
mod graphviz;
mod health;
mod links;
mod local;
mod mcp;
mod migrate;
mod plan;
mod progress;
mod queue;
mod remote;
mod render;
mod report;
mod results;
mod serve;
mod signals;
mod template;
mod width;
mod worker;

use std::process::ExitCode;

use clap::Parser;
use clipmill_media::ffmpeg::sandbox;
use clipmill_media::ingest::font_check;
use clipmill_media::ingest::probe::animation;
use clipmill_server::Config;
use clipmill_server::config::LogFormat;
use clipmill_server::observe::log::{self, LogSettings};
use clipmill_server::observe::traces::{Traces, TracesError};

use cli::{Cli, Command, ConfigCommand, KeyCommand, PointsCommand, UserCommand};
use report::{UsageError, with_causes};

/// Returns memory to the system after a burst of large requests; glibc keeps the peak of each of its arenas.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == sandbox::SUBCOMMAND) {
        // This must come before everything else: no thread, log or file is open yet.
        eprintln!("{}{}", sandbox::COMPLAINT, sandbox::enter(args, &[font_check::WORK, animation::WORK]));
        return ExitCode::from(sandbox::EXIT_NOT_CONFINED);
    }
    // A separate thread returns memory while no other thread allocates. Without one (musl), the others do it.
    #[cfg(feature = "jemalloc")]
    let _ = tikv_jemalloc_ctl::background_thread::write(true);
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("clipmill: the runtime cannot start: {error}");
            return ExitCode::from(1);
        }
    };
    let entered = runtime.enter();
    let traces = match start_log(&cli) {
        Ok(traces) => traces,
        Err(error) => {
            eprintln!("clipmill: {error}");
            return ExitCode::from(1);
        }
    };
    drop(entered);
    let outcome = runtime.block_on(run(cli));
    if let Some(traces) = traces {
        traces.finish();
    }
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("clipmill: {}", with_causes(&error));
            // Errors that the caller can correct have another exit status than failed work.
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Serve(args) => serve::run(args).await,
        Command::Worker(args) => worker::run(args).await,
        Command::Migrate(args) => migrate::run(args).await,
        Command::Queue(args) => queue::run(args).await,
        Command::Render(args) => render::run(args).await,
        Command::Plan(args) => plan::run(args).await,
        Command::Doctor(args) => doctor::run(args).await,
        Command::Health(args) => health::run(args).await,
        Command::Effects(args) => gallery::effects(args).await,
        Command::Looks(args) => gallery::looks(args).await,
        Command::Transitions(args) => gallery::transitions(args).await,
        Command::Batch(args) => batch::run(args).await,
        Command::Template(command) => template::run(command).await,
        Command::Mcp(args) => mcp::run(args).await,
        Command::Config(ConfigCommand::Check(args)) => config::check(&args),
        Command::Config(ConfigCommand::Show(args)) => config::show(&args),
        Command::Gc(args) => gc::run(args).await,
        Command::Backup(args) => backup::backup(args).await,
        Command::Restore(args) => backup::restore(args).await,
        Command::User(UserCommand::Add(args)) => account::add_user(args).await,
        Command::User(UserCommand::Invite(args)) => account::invite(args).await,
        Command::User(UserCommand::List(args)) => account::list_users(args).await,
        Command::User(UserCommand::RotateSecret(args)) => callbacks::rotate_secret(args).await,
        Command::User(UserCommand::Off(args)) => account::switch_off(args).await,
        Command::User(UserCommand::On(args)) => account::switch_on(args).await,
        Command::User(UserCommand::Usage(args)) => account::usage(args).await,
        Command::RotateLinks(args) => links::rotate(args).await,
        Command::Width(args) => width::run(args).await,
        Command::Callbacks(args) => callbacks::list(args).await,
        Command::Key(KeyCommand::Issue(args)) => account::issue_key(args).await,
        Command::Key(KeyCommand::List(args)) => account::list_keys(args).await,
        Command::Key(KeyCommand::Revoke(args)) => account::revoke_key(args).await,
        Command::Points(PointsCommand::Grant(args)) => account::grant(args).await,
        Command::Points(PointsCommand::Take(args)) => account::take(args).await,
        Command::Points(PointsCommand::Show(args)) => account::show(args).await,
        Command::Points(PointsCommand::Audit(args)) => account::audit(args).await,
    }
}

/// `serve` logs and traces as configured. Errors in the configuration are reported by the command itself.
fn start_log(cli: &Cli) -> Result<Option<Traces>, TracesError> {
    let format = if cli.log_json { Some(LogFormat::Json) } else { None };
    let location = match &cli.command {
        Command::Serve(args) => &args.location,
        Command::Worker(args) => &args.location,
        _ => {
            log::start(&LogSettings { format: format.unwrap_or(LogFormat::Text), filter: "error" }, None);
            return Ok(None);
        }
    };
    let config = Config::load(location.config.as_deref(), std::env::vars()).unwrap_or_default();
    let traces = Traces::start(&config.tracing)?;
    let settings =
        LogSettings { format: format.unwrap_or(config.log.format), filter: config.log.filter.as_str() };
    log::start(&settings, traces.as_ref());
    Ok(traces)
}
