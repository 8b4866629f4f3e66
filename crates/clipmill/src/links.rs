//! `clipmill rotate-links`, which also works while `serve` runs on the same folder.

use std::process::ExitCode;

use clipmill_server::clock;
use clipmill_server::links::{KNOWN_BEFORE, RELOAD};
use clipmill_server::view;
use serde_json::json;

use crate::account::with_store;
use crate::cli::RotateLinksArgs;
use crate::report::{print_json, print_line};
use crate::serve::load;

pub async fn rotate(args: RotateLinksArgs) -> anyhow::Result<ExitCode> {
    let overlap = args.overlap.unwrap_or(load(&args.location)?.server.link_lifetime).as_millis();
    let now = clock::now_ms();
    // The previous secret signs links until all processes have loaded the new one; these links are valid as long as
    // all others.
    let known_before = i64::try_from(KNOWN_BEFORE.as_millis()).unwrap_or(i64::MAX);
    let since = if overlap == 0 { now } else { now.saturating_add(known_before) };
    let until = since.saturating_add(overlap);
    let fresh = clock::random()?;
    with_store(&args.location, async |store| {
        Ok(store.installation().rotate_link_secret(fresh, since, until, now).await?)
    })
    .await?;
    let (since, until) = (view::rfc3339(since), view::rfc3339(until));
    if args.json {
        print_json(&json!({ "newestFrom": since, "earlierUntil": until }));
    } else {
        print_line(format_args!("New links are signed with a new secret from {since}."));
        if overlap == 0 {
            print_line("Links signed with the previous secret are revoked now.");
            print_line(format_args!("Running processes load the new secret within {} s.", RELOAD.as_secs()));
        } else {
            print_line(format_args!(
                "Links signed with the previous secret remain valid until they expire, at most until {until}."
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}
