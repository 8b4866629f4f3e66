//! `clipmill queue`: shows waiting and running work and the workers; also works while the service runs.

use std::process::ExitCode;

use clipmill_core::ids::JobId;
use clipmill_server::clock;
use clipmill_server::view;
use clipmill_store::{QueueOverview, Requeue, RunningJob, WorkerRecord};
use serde_json::{Value, json};

use crate::account::with_store;
use crate::cli::{LocationArgs, PauseArgs, QueueArgs, QueueCommand, RequeueArgs};
use crate::report::{pluralize, print_json, print_line, wrong};

pub async fn run(args: QueueArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        None => show(&args).await,
        Some(QueueCommand::Pause(PauseArgs { location, reason })) => {
            let paused = with_store(location, async |store| {
                Ok(store.queue().pause(reason.as_deref(), clock::now_ms()).await?)
            });
            print_line(match (paused.await?, reason) {
                (true, _) => "Queue paused. Running work continues; no new work will start.",
                (false, None) => "The queue was already paused.",
                (false, Some(_)) => "The queue was already paused. Users now see the new reason.",
            });
            Ok(ExitCode::SUCCESS)
        }
        Some(QueueCommand::Resume(LocationArgs { location })) => {
            let resumed = with_store(location, async |store| Ok(store.queue().resume().await?)).await?;
            print_line(if resumed { "Queue resumed." } else { "The queue was not paused." });
            Ok(ExitCode::SUCCESS)
        }
        Some(QueueCommand::Requeue(what)) => requeue(what).await,
    }
}

async fn requeue(args: &RequeueArgs) -> anyhow::Result<ExitCode> {
    let what = match (args.work, &args.worker, args.delayed) {
        (Some(id), _, _) => Requeue::Job(JobId(id)),
        (None, Some(name), _) => Requeue::Worker(name.clone()),
        (None, None, true) => Requeue::Delayed,
        (None, None, false) => {
            return Err(wrong("select jobs: the number of a job, --worker NAME or --delayed".to_owned()));
        }
    };
    let count = with_store(&args.location, async |store| Ok(store.queue().requeue(&what).await?)).await?;
    print_line(format_args!("Returned {} to the queue.", pluralize(count, "job")));
    Ok(if count == 0 && what != Requeue::Delayed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn show(args: &QueueArgs) -> anyhow::Result<ExitCode> {
    let now = clock::now_ms();
    let overview = with_store(&args.location, async |store| {
        Ok((store.queue().overview(now, args.limit).await?, store.workers().list(now).await?))
    });
    let (queue, workers) = overview.await?;
    if args.json {
        print_json(&as_json(&queue, &workers));
    } else {
        print(&queue, &workers);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(queue: &QueueOverview, workers: &[WorkerRecord]) {
    if let Some(pause) = &queue.pause {
        let reason = pause.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
        let since = view::rfc3339(pause.since);
        print_line(format_args!("PAUSED since {since}{reason}. Run `clipmill queue resume` to resume."));
    }
    if queue.depths.is_empty() {
        print_line("The queue is empty.");
    }
    for depth in &queue.depths {
        let (kind, state, oldest) = (depth.kind.as_str(), depth.state.as_str(), seconds(depth.oldest_ms));
        print_line(format_args!("{kind:<10}{state:<9}{:>9}   oldest {oldest} s", depth.count));
    }
    for user in &queue.users {
        print_line(format_args!("user {}: {} ready, {} running", user.user_name, user.ready, user.running));
    }
    queue.running.iter().for_each(|work| print_line(running_line(work)));
    for worker in workers {
        let info = &worker.info;
        let state = match (worker.alive, info.draining) {
            (false, _) => format!("NO REPORT since {}", view::rfc3339(worker.seen_at)),
            (true, true) => "exits when its work is done".to_owned(),
            (true, false) => info.kinds.names().join(", "),
        };
        print_line(format_args!(
            "worker {} {}: {} running in {}, {state}",
            info.name,
            info.version,
            worker.running,
            pluralize(info.slots, "slot")
        ));
    }
}

fn running_line(work: &RunningJob) -> String {
    let task = work.task_no.as_ref().map_or_else(String::new, |task_no| format!(" of {task_no}"));
    let item = work.item_no.map_or_else(String::new, |item_no| format!("/{item_no}"));
    format!(
        "work {} {}{task}{item} for {}, {} s on {}, lease for {} s more, failed {}, lost {}",
        work.work,
        work.kind.as_str(),
        work.user_name,
        seconds(work.running_ms),
        work.worker,
        work.lease_left_ms.div_euclid(1_000),
        work.attempts,
        work.lost_leases
    )
}

fn seconds(ms: u64) -> u64 {
    ms / 1_000
}

fn as_json(queue: &QueueOverview, workers: &[WorkerRecord]) -> Value {
    json!({
        "pausedAt": queue.pause.as_ref().map(|pause| view::rfc3339(pause.since)),
        "pauseReason": queue.pause.as_ref().and_then(|pause| pause.reason.as_deref()),
        "depths": queue.depths.iter().map(|depth| json!({
            "kind": depth.kind.as_str(), "state": depth.state.as_str(), "count": depth.count,
            "oldestSeconds": seconds(depth.oldest_ms),
        })).collect::<Vec<_>>(),
        "users": queue.users.iter().map(|user| json!({
            "name": user.user_name, "ready": user.ready, "running": user.running,
        })).collect::<Vec<_>>(),
        "running": queue.running.iter().map(running_json).collect::<Vec<_>>(),
        "workers": workers.iter().map(worker_json).collect::<Vec<_>>(),
    })
}

fn running_json(work: &RunningJob) -> Value {
    json!({
        "workId": work.work, "kind": work.kind.as_str(), "user": work.user_name,
        "taskNo": work.task_no.as_ref().map(ToString::to_string), "itemNo": work.item_no, "worker": work.worker,
        "runningSeconds": seconds(work.running_ms), "leaseLeftMs": work.lease_left_ms,
        "failures": work.attempts, "lostLeases": work.lost_leases,
    })
}

fn worker_json(worker: &WorkerRecord) -> Value {
    let info = &worker.info;
    json!({
        "name": info.name, "host": info.host, "version": info.version, "slots": info.slots,
        "kinds": info.kinds.names(), "draining": info.draining, "alive": worker.alive, "running": worker.running,
        "startTime": view::rfc3339(worker.started_at), "seenTime": view::rfc3339(worker.seen_at),
    })
}
