//! `clipmill migrate`: migrates a shared database before the processes that need it start.

use std::process::ExitCode;

use crate::cli::LocationArgs;
use crate::database;
use crate::report::print_line;
use crate::serve::load;

pub async fn run(args: LocationArgs) -> anyhow::Result<ExitCode> {
    let config = load(&args.location)?;
    if !config.database.is_shared() {
        database::open(&args.location, &config).await?.close().await;
        print_line("The database file is up to date. (`clipmill serve` migrates it automatically.)");
        return Ok(ExitCode::SUCCESS);
    }
    let (before, after) = database::migrate_shared(&config).await?;
    if before == after {
        print_line(format_args!("The schema is up to date (version {after})."));
    } else {
        print_line(format_args!("Schema migrated from version {before} to {after}."));
    }
    Ok(ExitCode::SUCCESS)
}
