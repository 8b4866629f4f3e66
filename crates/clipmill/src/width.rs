//! `clipmill width`, which also works while `serve` runs on the same folder.

use std::process::ExitCode;

use serde_json::json;

use crate::account::with_store;
use crate::cli::WidthArgs;
use crate::report::{print_json, print_line};

/// Shows the width of the installation, or changes it.
pub async fn run(args: WidthArgs) -> anyhow::Result<ExitCode> {
    let width = with_store(&args.location, async |store| match args.cores {
        Some(cores) => {
            store.installation().set_width(cores).await?;
            Ok(Some(cores))
        }
        None => Ok(store.installation().identity().await?.width),
    })
    .await?;
    if args.json {
        print_json(&json!({ "width": width }));
        return Ok(ExitCode::SUCCESS);
    }
    match (args.cores, width) {
        (Some(cores), _) => print_line(format_args!(
            "The width is {cores} now. Restart all processes of this installation: until then they plan with the previous one."
        )),
        (None, Some(width)) => {
            print_line(format_args!("The width is {width}: tasks are planned for {width} cores."))
        }
        (None, None) => {
            print_line("The width is not chosen yet. The first start chooses the cores of its machine.")
        }
    }
    Ok(ExitCode::SUCCESS)
}
