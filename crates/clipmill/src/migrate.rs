//! `clipmill migrate`: brings a shared database up to date, before the processes that need it start.

use std::process::ExitCode;

use crate::cli::PlaceArgs;
use crate::database;
use crate::report::say;
use crate::serve::load;

pub async fn run(args: PlaceArgs) -> anyhow::Result<ExitCode> {
    let config = load(&args.place)?;
    if !config.database.is_shared() {
        database::open(&args.place, &config).await?.close().await;
        say("the database file is up to date; `clipmill serve` does this by itself");
        return Ok(ExitCode::SUCCESS);
    }
    let (before, after) = database::migrate_shared(&config).await?;
    if before == after {
        say(format_args!("the schema is up to date: {after}"));
    } else {
        say(format_args!("the schema is up to date: {after}, it was {before}"));
    }
    Ok(ExitCode::SUCCESS)
}
