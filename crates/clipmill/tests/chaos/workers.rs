//! `clipmill worker` and `clipmill queue` as an operator uses them.

use std::time::Duration;

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

use crate::cluster::{Cluster, wait_for};
use crate::harness::{Service, make, run};
use crate::kills::freeze;

fn queue(cluster: &Cluster) -> Value {
    let (status, output) = cluster.command(&["queue", "--json"]);
    assert_eq!(status, 0, "{output}");
    serde_json::from_str(&output).unwrap_or_else(|_| panic!("{output}"))
}

fn worker<'q>(queue: &'q Value, name: &str) -> &'q Value {
    let mut workers = queue["workers"].as_array().unwrap().iter();
    workers.find(|worker| worker["name"] == name).unwrap_or_else(|| panic!("{name} is not in {queue:#}"))
}

/// How many jobs of this kind are in this state.
fn depth(queue: &Value, kind: &str, state: &str) -> u64 {
    let mut depths = queue["depths"].as_array().unwrap().iter();
    let depth = depths.find(|depth| depth["kind"] == kind && depth["state"] == state);
    depth.map_or(0, |depth| depth["count"].as_u64().unwrap())
}

async fn freeze_all(cluster: &Cluster, worker: usize, count: usize) {
    let mut stopped = Vec::new();
    let freeze = || {
        let processes = cluster.workers[worker].ffmpegs(&["libx264"]);
        for pid in processes {
            if !stopped.contains(&pid) && kill_process(pid, Signal::STOP).is_ok() {
                stopped.push(pid);
            }
        }
        cluster.workers[worker].ffmpegs(&["libx264"]).len() >= count
    };
    wait_for("so many ffmpegs run", freeze).await;
}

fn thaw(cluster: &Cluster, worker: usize) {
    for pid in cluster.workers[worker].ffmpegs(&["libx264"]) {
        kill_process(pid, Signal::CONT).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_execute_their_kinds_in_their_slots_and_drain() {
    let mut cluster = Cluster::open(0, &[("CLIPMILL_WORKER_DRAIN", "10m")]).await;
    cluster.add_worker(&["--kinds", "preflight"]).await.start();
    cluster.add_worker(&["--slots", "2", "--kinds", "segment,finish"]).await.start();
    let task = cluster.submit_clips(&[0, 1, 2], 30).await;
    freeze_all(&cluster, 1, 2).await;
    wait_for("the worker told that it is there", || {
        queue(&cluster)["workers"].as_array().unwrap().len() == 2
    })
    .await;
    let seen = queue(&cluster);
    let [planner, maker] = [0, 1].map(|n| worker(&seen, &cluster.workers[n].name));
    assert_eq!((&planner["kinds"], &planner["slots"]), (&json!(["preflight"]), &json!(1)), "{planner:#}");
    assert_eq!((&maker["kinds"], &maker["slots"]), (&json!(["segment", "finish"]), &json!(2)), "{maker:#}");
    assert_eq!(
        (&maker["running"], &planner["running"], &maker["alive"]),
        (&2.into(), &0.into(), &true.into())
    );
    assert_eq!(depth(&seen, "segment", "running"), 2, "one more than slots must wait: {seen:#}");
    assert!(depth(&seen, "segment", "ready") >= 1, "{seen:#}");
    let running = &seen["running"].as_array().unwrap()[0];
    assert_eq!((&running["kind"], &running["worker"]), (&json!("segment"), &json!(cluster.workers[1].name)));
    let made = "SELECT COUNT(*) FROM work WHERE kind = 'segment' AND state = 'done'";
    let before = cluster.query_number(made);

    // After the first signal, running work continues, and no more is claimed.
    cluster.workers[1].signal(Signal::TERM);
    wait_for("it stops", || cluster.workers[1].log().contains("running work may finish")).await;
    thaw(&cluster, 1);
    assert_eq!(cluster.workers[1].ended(), Some(0), "{}", cluster.workers[1].log());
    let seen = queue(&cluster);
    assert_eq!(depth(&seen, "segment", "running"), 0, "{seen:#}");
    assert_eq!(cluster.query_number(made), before + 2, "running work is completed, and the rest waits");

    // The second signal returns it at once.
    cluster.workers[1].start();
    freeze_all(&cluster, 1, 1).await;
    cluster.workers[1].signal(Signal::TERM);
    let was_logged_twice = || cluster.workers[1].log().matches("running work may finish").count() == 2;
    wait_for("it stops again", was_logged_twice).await;
    cluster.workers[1].signal(Signal::TERM);
    assert_eq!(cluster.workers[1].ended(), Some(0), "{}", cluster.workers[1].log());
    let counted = "SELECT SUM(lost_leases + attempts)::bigint FROM work";
    assert_eq!(cluster.query_number(counted), 0, "handed back, nothing is counted");
    assert_eq!(depth(&queue(&cluster), "segment", "running"), 0);
    cluster.workers[1].start();
    cluster.check(&[task]).await;
    let logs = [0, 1].map(|n| cluster.workers[n].log());
    let did =
        |log: &str| ["task planned", "segment ready", "output assembled"].map(|line| log.contains(line));
    assert_eq!([did(&logs[0]), did(&logs[1])], [[true, false, false], [false, true, true]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_queue_is_shown_paused_resumed_and_requeued() {
    let mut cluster = Cluster::open(1, &[("CLIPMILL_WORKER_POLL", "1h")]).await;
    let (status, output) = cluster.command(&["queue", "pause"]);
    assert!(status == 0 && output.contains("Queue paused."), "{output}");
    let task = cluster.submit_clips(&[0, 2], 30).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let seen = queue(&cluster);
    assert!(seen["pausedAt"].is_string(), "{seen:#}");
    assert_eq!(
        (depth(&seen, "preflight", "ready"), depth(&seen, "preflight", "running")),
        (1, 0),
        "{seen:#}"
    );
    assert_eq!(seen["users"][0]["ready"], 1, "{seen:#}");
    let (_, output) = cluster.command(&["queue"]);
    assert!(output.contains("PAUSED since") && output.contains("preflight ready"), "{output}");
    let (status, output) = cluster.command(&["queue", "resume"]);
    assert!(status == 0 && output.contains("Queue resumed."), "{output}");

    // Requeued from its holder: by its number, then all jobs of a worker.
    for whole in [false, true] {
        let holder = freeze(&cluster, &["libx264"]).await;
        let held = cluster.workers[holder].ffmpeg(&["libx264"]).unwrap();
        let seen = queue(&cluster);
        let work = seen["running"][0]["workId"].to_string();
        let name = cluster.workers[holder].name.clone();
        let words =
            if whole { vec!["queue", "requeue", "--worker", &name] } else { vec!["queue", "requeue", &work] };
        let (status, output) = cluster.command(&words);
        assert!(status == 0 && output.contains("Returned 1 job to"), "{output}");
        let gone = || cluster.workers[holder].ffmpeg(&["libx264"]) != Some(held);
        wait_for("its ffmpeg is ended", gone).await;
    }
    let (status, output) = cluster.command(&["queue", "requeue", "999999"]);
    assert!(status == 1 && output.contains("Returned 0 jobs"), "{output}");

    // Delayed work is retried at once.
    cluster.query("UPDATE work SET state = 'delayed', run_after = 9999999999999 WHERE state = 'ready'");
    let (status, output) = cluster.command(&["queue", "requeue", "--delayed"]);
    assert_eq!(status, 0, "{output}");
    cluster.check(&[task]).await;
    let counted = "SELECT SUM(lost_leases + attempts)::bigint FROM work";
    assert_eq!(cluster.query_number(counted), 0, "nothing is counted against it");
    cluster.workers[0].kill();
    let seen = queue(&cluster);
    assert_eq!((&seen["pausedAt"], seen["running"].as_array().unwrap().len()), (&Value::Null, 0), "{seen:#}");
}

#[tokio::test]
async fn the_queue_of_a_single_process_is_paused_and_resumed() {
    let service = Service::start(100).await;
    let data = service.data.path().to_str().unwrap();
    make(service.data.path(), "-f lavfi -i color=red:s=320x180:r=30:d=1 -pix_fmt yuv420p red.mp4");
    let clip = service.upload(&service.data.path().join("red.mp4")).await;
    assert_eq!(run(&["queue", "pause", "--data", data]).0, 0);
    let request = json!({ "taskType": "baseVideoMix",
        "params": { "videoList": [{ "videos": [{ "url": clip }] }], "options": { "resolution": "720:1280" } } });
    let task_no = service.accepted(&request).await;
    // Far longer than a poll interval.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(service.status(&task_no).await["status"], 0);
    let (status, output, error) = run(&["queue", "--json", "--data", data]);
    let seen: Value = serde_json::from_str(&output).unwrap_or_else(|_| panic!("{output}{error}"));
    assert_eq!((status, depth(&seen, "preflight", "ready")), (0, 1), "{seen:#}");
    assert_eq!(run(&["queue", "resume", "--data", data]).0, 0);
    assert_eq!(service.ended(&task_no).await["status"], 3);
    let (_, output, _) = run(&["queue", "--data", data]);
    assert!(output.contains("The queue is empty."), "{output}");
    let (status, _, error) = run(&["worker", "--data", data]);
    assert!(status == 2 && error.contains("CLIPMILL_DATABASE_URL"), "{error}");
}
