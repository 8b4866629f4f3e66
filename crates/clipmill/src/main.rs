//! The clipmill program. Exit status: 0 done, 1 the work failed, 2 the command line or the request is wrong.

mod account;
mod callbacks;
mod cli;
mod database;
mod doctor;
mod dot;
mod gallery;
mod local;
mod migrate;
mod plan;
mod prober;
mod queue;
mod render;
mod report;
mod serve;
mod stopping;
mod worker;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use clipmill_media::sandbox;

use cli::{Cli, Command, KeyCommand, PointsCommand, UserCommand};
use report::Wrong;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == sandbox::SUBCOMMAND) {
        // Before anything else: no thread, no log, no file is open yet.
        eprintln!("{}{}", sandbox::COMPLAINT, sandbox::enter(args));
        return ExitCode::from(sandbox::EXIT_NOT_CONFINED);
    }
    let cli = Cli::parse();
    start_log(&cli);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("clipmill: the runtime cannot start: {error}");
            return ExitCode::from(1);
        }
    };
    match runtime.block_on(run(cli)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("clipmill: {error:#}");
            // What the caller can mend by calling differently is told apart from work that failed.
            ExitCode::from(if error.is::<Wrong>() { 2 } else { 1 })
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
        Command::Effects(args) => gallery::effects(args).await,
        Command::Looks(args) => gallery::looks(args).await,
        Command::User(UserCommand::Add(args)) => account::add_user(args).await,
        Command::User(UserCommand::RotateSecret(args)) => callbacks::rotate_secret(args).await,
        Command::Callbacks(args) => callbacks::list(args).await,
        Command::Key(KeyCommand::Issue(args)) => account::issue_key(args).await,
        Command::Key(KeyCommand::List(args)) => account::list_keys(args).await,
        Command::Key(KeyCommand::Revoke(args)) => account::revoke_key(args).await,
        Command::Points(PointsCommand::Grant(args)) => account::grant(args).await,
        Command::Points(PointsCommand::Show(args)) => account::show(args).await,
        Command::Points(PointsCommand::Audit(args)) => account::audit(args).await,
    }
}

/// Logs go to stderr; stdout is for results.
fn start_log(cli: &Cli) {
    use tracing_subscriber::EnvFilter;
    let default =
        if matches!(cli.command, Command::Serve(_) | Command::Worker(_)) { "info" } else { "error" };
    let filter = EnvFilter::try_from_env("CLIPMILL_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let builder = builder.with_ansi(std::io::stderr().is_terminal());
    if cli.log_json { builder.json().init() } else { builder.init() }
}
