//! `clipmill config check` and `show`.

use std::process::ExitCode;

use clipmill_server::Config;
use clipmill_server::config::Loaded;

use crate::cli::ConfigArgs;
use crate::report::{print_line, wrong};

/// Exit status 2 and all errors, one per line.
pub fn check(args: &ConfigArgs) -> anyhow::Result<ExitCode> {
    let loaded = load(args)?;
    let set = loaded.origins.len();
    print_line(format_args!("valid; {set} of {} keys set", Config::keys().len()));
    Ok(ExitCode::SUCCESS)
}

pub fn show(args: &ConfigArgs) -> anyhow::Result<ExitCode> {
    print_line(load(args)?.show().trim_end());
    Ok(ExitCode::SUCCESS)
}

fn load(args: &ConfigArgs) -> anyhow::Result<Loaded> {
    let loaded = Config::load_with_origins(args.config.as_deref(), std::env::vars());
    loaded.map_err(|error| wrong(error.to_string()))
}
