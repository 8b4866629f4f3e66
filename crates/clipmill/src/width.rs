//! `clipmill width`, which also works while `serve` runs on the same folder.

use std::process::ExitCode;

use serde_json::json;

use crate::account::with_store;
use crate::cli::WidthArgs;
use crate::report::{say, say_json};

/// Shows the width of the installation, or changes it.
pub async fn run(args: WidthArgs) -> anyhow::Result<ExitCode> {
    let width = with_store(&args.place, async |store| match args.cores {
        Some(cores) => {
            store.installation().set_width(cores).await?;
            Ok(Some(cores))
        }
        None => Ok(store.installation().identity().await?.width),
    })
    .await?;
    if args.json {
        say_json(&json!({ "width": width }));
        return Ok(ExitCode::SUCCESS);
    }
    match (args.cores, width) {
        (Some(cores), _) => say(format_args!(
            "The width is {cores} now. Restart all processes of this installation: until then they plan with the previous one."
        )),
        (None, Some(width)) => {
            say(format_args!("The width is {width}: tasks are planned for {width} cores."))
        }
        (None, None) => say("The width is not chosen yet. The first start chooses the cores of its machine."),
    }
    Ok(ExitCode::SUCCESS)
}
