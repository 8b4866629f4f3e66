//! One task over several workers: every segment is rendered once, by any free worker.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cluster::{Cluster, wait_for};
use crate::harness::make;

/// Three scenes with four clips each have so many combinations.
const GROUPS: u64 = 64;
const SEGMENTS: u64 = 12;

/// Twelve silent clips of one second, that look different.
fn add_clips(cluster: &mut Cluster) -> Vec<String> {
    let add = |number: u64| {
        let (name, folder) = (format!("scene{number}.mp4"), cluster.place.path());
        let hue = number * 30;
        make(folder, &format!("-f lavfi -i testsrc2=s=320x180:r=30:d=1,hue=h={hue} -pix_fmt yuv420p {name}"));
        cluster.client_host.offer(&name, std::fs::read(folder.join(&name)).unwrap())
    };
    (0..SEGMENTS).map(add).collect()
}

/// All combinations of a clip from each of three scenes.
fn groups(clips: &[String]) -> Value {
    let combination = |n: usize| [n % 4, 4 + n / 4 % 4, 8 + n / 16];
    let group = |n| {
        let videos: Vec<Value> = combination(n).iter().map(|clip| json!({ "url": clips[*clip] })).collect();
        json!({ "videos": videos })
    };
    (0..GROUPS as usize).map(group).collect()
}

/// The value of a counter among a worker's metrics.
async fn figure(cluster: &Cluster, worker: usize, series: &str) -> u64 {
    let page = cluster.download(&cluster.workers[worker].metrics).await.unwrap();
    let page = String::from_utf8(page).unwrap();
    let line = page.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map_or(0, |value| value.parse::<f64>().unwrap() as u64)
}

fn made(cluster: &Cluster) -> BTreeSet<String> {
    let done = cluster.query("SELECT hash FROM segments WHERE state = 'done'");
    done.lines().map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_segment_of_a_task_is_made_once() {
    let mut cluster = Cluster::open(4, &[("CLIPMILL_METRICS_LISTEN", "127.0.0.1:0")]).await;
    let clips = add_clips(&mut cluster);
    let task_no = cluster.submit(&cluster.request(&groups(&clips), 30)).await;
    check_once(&cluster, &task_no).await;
    check_kills(&mut cluster, &clips).await;
}

async fn check_once(cluster: &Cluster, task_no: &str) {
    let status = cluster.wait_for_end(task_no).await;
    assert_eq!((&status["status"], &status["completedItems"]), (&3.into(), &GROUPS.into()), "{status:#}");
    // By the workers' logs.
    let rendered = cluster.rendered();
    let all: BTreeSet<&String> = rendered.iter().flatten().collect();
    let times: usize = rendered.iter().map(Vec::len).sum();
    assert_eq!((times, all.len()), (SEGMENTS as usize, SEGMENTS as usize), "{rendered:#?}");
    assert!(rendered.iter().all(|of_worker| !of_worker.is_empty()), "over all workers: {rendered:#?}");
    // By their metrics.
    let (mut segments, mut items) = (0, 0);
    for worker in 0..cluster.workers.len() {
        segments += figure(cluster, worker, "clipmill_segments_total{from=\"rendered\"}").await;
        items += figure(cluster, worker, "clipmill_items_delivered_total").await;
    }
    assert_eq!((segments, items), (SEGMENTS, GROUPS));
    // By the rows of work: each was claimed once, so no two had it at the same time.
    let claimed = "SELECT kind || ' ' || COUNT(*) || ' ' || MAX(fence) || ' ' || MAX(lost_leases + attempts)
                     FROM work GROUP BY kind ORDER BY kind";
    assert_eq!(cluster.query(claimed), "finish 64 1 0\npreflight 1 1 0\nsegment 12 1 0");
    // By the bucket.
    let stored = cluster.stored("segments").await;
    let pictures = all.iter().filter(|hash| stored.iter().any(|key| key.ends_with(&format!("{hash}.mp4"))));
    assert_eq!(pictures.count() as u64, SEGMENTS, "{stored:#?}");
    cluster.check_books().await;
}

/// Half the workers die in the middle: stored segments are not rendered again, of the others at most those in progress.
async fn check_kills(cluster: &mut Cluster, clips: &[String]) {
    let before = made(cluster);
    let groups = groups(clips);
    let task_no = cluster.submit(&cluster.request(&groups, 25)).await;
    while made(cluster).len() < before.len() + 3 {
        let status = cluster.status(&task_no).await.unwrap();
        assert!(status["status"].as_u64() < Some(3), "{}: {status}", made(cluster).len());
        tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    }
    for worker in &mut cluster.workers[..2] {
        worker.kill();
    }
    let stored: BTreeSet<String> = made(cluster);
    let names = [0, 1].map(|n| cluster.workers[n].name.clone());
    let [first, second] = &names;
    let had =
        format!("SELECT COUNT(*) FROM work WHERE worker IN ('{first}', '{second}') AND kind = 'segment'");
    let had = cluster.query_number(&had);
    // An operator who knows that they are dead need not wait until their leases end.
    for name in &names {
        cluster.command(&["queue", "requeue", "--worker", name]);
    }
    let status = cluster.wait_for_end(&task_no).await;
    assert_eq!((&status["status"], &status["completedItems"]), (&3.into(), &GROUPS.into()), "{status:#}");
    let rendered: Vec<String> = cluster.rendered().concat();
    let mut distinct = BTreeSet::new();
    let again: Vec<&String> = rendered.iter().filter(|hash| !distinct.insert(*hash)).collect();
    assert!(again.len() as u64 <= had, "{again:?} rendered again, {had} were in progress");
    assert!(again.iter().all(|hash| !stored.contains(*hash)), "{again:?} were stored");
    assert_eq!(made(cluster).len() as u64, 2 * SEGMENTS);
    for worker in &mut cluster.workers[..2] {
        worker.start();
    }
    wait_for("the event", || !cluster.client_host.events_of(&task_no).is_empty()).await;
    cluster.check_books().await;
    cluster.check_rest().await;
    assert_eq!(cluster.client_host.events_of(&task_no).len(), 1);
}
