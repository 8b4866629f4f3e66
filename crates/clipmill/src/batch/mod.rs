//! `clipmill batch`: a video for each row of a table, rendered by a running service.

mod collect;
mod follow;
mod submission;

use std::process::ExitCode;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::batch_input::{BatchInput, Names, is_about_naming};
use crate::cli::BatchArgs;
use crate::remote::{Failure, Service, failed, upload};
use crate::report::{pluralize, print_json, print_line, wrong};
use crate::results::Cells;
use crate::signals::Signals;
use collect::CollectedResults;
use submission::Submission;

const BATCHES: &str = "/open-api/v1/batches";
/// Error of the API: other content under this ID.
const CONFLICT: u64 = 40900;

pub async fn run(args: BatchArgs) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::listen()?;
    let submitted = OnceLock::new();
    let status = tokio::select! {
        done = batch(&args, &submitted) => return done,
        status = signals.next() => status,
    };
    eprintln!("clipmill: stopped; {}", advice(submitted.get().map(String::as_str)));
    Ok(ExitCode::from(status))
}

/// What to do after waiting was stopped.
fn advice(submitted: Option<&str>) -> String {
    match submitted {
        None => {
            "nothing was submitted. Run the same command to start again; uploaded files are not sent twice."
                .to_owned()
        }
        Some(number) => format!(
            "batch {number} continues at the service. Run the same command to continue waiting and to download its videos; \
             nothing is charged twice. To cancel it: POST {BATCHES}/{number}/cancel"
        ),
    }
}

async fn batch(args: &BatchArgs, submitted: &OnceLock<String>) -> anyhow::Result<ExitCode> {
    let service = Service::new(&args.service)?;
    let mut order = Submission::read(args, &service).await?;
    let names = Names::of(&order.sheet, &args.naming)?;
    if let Some(out) = &args.out {
        crate::results::writable(out)?;
    }
    let cells = Cells::of(&order.sheet.rows);
    order.name_itself(args).await?;
    upload::send(&service, &mut order.sheet, args.json).await?;
    let body = order.body(args);
    let estimate = service.post(format!("{BATCHES}/estimate"), &body).await;
    let mut estimate = estimate.map_err(|failure| refused(failure, &order.sheet, args.json))?;
    if let Some(warnings) = estimate.get_mut("warnings").and_then(Value::as_array_mut) {
        let path = |warning: &Value| warning["path"].as_str().unwrap_or_default().to_owned();
        warnings.retain(|warning| !is_about_naming(&path(warning), &order.sheet.template, &args.naming));
    }
    print_price(&estimate);
    affordable(&estimate, args.max_points)?;
    if args.dry_run {
        if args.json {
            print_json(&estimate);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let number = submit(&service, &body, &order, args.json).await?;
    let _ = submitted.set(number.clone());
    let Some(out) = args.out.as_deref().filter(|_| !args.no_wait) else {
        return waits_for_nothing(&service, &number, args.json).await;
    };
    let mut collected = CollectedResults::open(out, &names, &cells, order.numbers())?;
    let batch = follow::follow(&service, &number, &mut collected, args.json).await?;
    let good = collected.finish()?;
    if args.json {
        print_json(&json!({ "batch": batch, "items": collected.to_json() }));
    } else {
        collected.print();
    }
    Ok(ExitCode::from(u8::from(!good || batch["statusName"] != "completed")))
}

fn print_price(estimate: &Value) {
    let number = |name: &str, noun| pluralize(estimate[name].as_u64().unwrap_or_default(), noun);
    eprintln!(
        "{}, {}, {}",
        number("totalRows", "row"),
        number("totalItems", "video"),
        number("estimatedDotCount", "point")
    );
    for warning in estimate["warnings"].as_array().into_iter().flatten() {
        let text = |name: &str| warning[name].as_str().unwrap_or_default();
        eprintln!("warning: {}: {}", text("path"), text("message"));
    }
}

fn affordable(estimate: &Value, max: Option<u64>) -> anyhow::Result<()> {
    let points = estimate["estimatedDotCount"].as_u64().unwrap_or(u64::MAX);
    match max {
        Some(max) if points > max => Err(wrong(format!(
            "not submitted: the batch would cost {}, and --max-points is {max}",
            pluralize(points, "point")
        ))),
        _ => Ok(()),
    }
}

/// The number of the batch: a new one, or that of the batch that was submitted before.
async fn submit(service: &Service, body: &Value, order: &Submission, json: bool) -> anyhow::Result<String> {
    let number = |data: &Value| data["batchNo"].as_str().map(str::to_owned);
    let (response, is_duplicate) = match service.post(BATCHES, body).await {
        Ok(data) => (number(&data), data["duplicate"] == true),
        // An ID that is derived from the content cannot belong to other content: only the files' URLs have changed.
        Err(Failure::Refused { envelope, .. }) if envelope["code"] == CONFLICT && order.id_is_made => {
            (number(&envelope["data"]), true)
        }
        Err(failure) if failure.code() == CONFLICT => {
            let text =
                format!("{failure}; use another --id, or send the same content as before under {}", order.id);
            return Err(wrong(text));
        }
        Err(failure) => return Err(refused(failure, &order.sheet, json)),
    };
    let number = response.ok_or_else(|| anyhow::anyhow!("the service returned no batch number"))?;
    if is_duplicate {
        eprintln!("batch {number} ({}) was submitted before; nothing is charged again", order.id);
    } else {
        eprintln!("batch {number} ({}) submitted", order.id);
    }
    Ok(number)
}

async fn waits_for_nothing(service: &Service, number: &str, json: bool) -> anyhow::Result<ExitCode> {
    if json {
        print_json(&json!({ "batch": follow::state(service, number).await.map_err(failed)? }));
    } else {
        print_line(number);
    }
    Ok(ExitCode::SUCCESS)
}

/// The service's errors about rows, with the rows' numbers in the table.
fn refused(failure: Failure, sheet: &BatchInput, json: bool) -> anyhow::Error {
    let Failure::Refused { status, mut envelope } = failure else { return failed(failure) };
    for error in envelope["data"]["errors"].as_array_mut().into_iter().flatten() {
        let row = error["row"].as_u64().and_then(|row| usize::try_from(row).ok()?.checked_sub(1));
        if let Some((number, _)) = row.and_then(|row| sheet.rows.get(row)) {
            error["row"] = json!(number);
        }
    }
    if json {
        print_json(&envelope);
    }
    failed(Failure::Refused { status, envelope })
}
