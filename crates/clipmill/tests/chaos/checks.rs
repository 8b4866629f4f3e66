//! What must hold after every fault: nothing lost, nothing twice, nothing left behind.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::cluster::{Cluster, POINTS, wait_for};
use crate::harness::probe;
use crate::node::ffmpegs_in;

/// A task that was accepted, and how long its outputs must be.
#[derive(Debug, Clone)]
pub struct Expected {
    pub task_no: String,
    pub frames: u64,
}

/// What is left behind must be gone by then: a minute is promised.
const CLEAN: Duration = Duration::from_secs(60);

impl Cluster {
    /// Submits a task of these clips of two seconds.
    pub async fn submit_clips(&self, clips: &[usize], fps: u64) -> Expected {
        let task_no = self.submit(&self.task(clips, fps)).await;
        Expected { task_no, frames: clips.len() as u64 * 2 * fps }
    }

    /// All tasks succeed, each is charged once and reported by one event, and nothing is left behind.
    pub async fn check(&self, tasks: &[Expected]) {
        for task in tasks {
            let status = self.wait_for_end(&task.task_no).await;
            assert_eq!(status["status"], 3, "{status:#}\n{}", self.logs());
            for item in status["items"].as_array().unwrap() {
                self.check_output(item, task.frames).await;
            }
        }
        for task in tasks {
            wait_for("an event", || !self.client_host.events_of(&task.task_no).is_empty()).await;
        }
        self.check_books().await;
        self.check_rest().await;
        // Anything that is sent twice has arrived by now.
        for task in tasks {
            assert_eq!(
                self.client_host.events_of(&task.task_no).len(),
                1,
                "{}: one event, one id",
                task.task_no
            );
        }
    }

    /// The same for many tasks, of which only some outputs are looked at.
    pub async fn check_many(&self, tasks: &[Expected]) {
        assert_eq!(
            self.query_number("SELECT COUNT(*) FROM tasks"),
            tasks.len() as u64,
            "none lost, none made up"
        );
        assert_eq!(self.query_number("SELECT COUNT(*) FROM tasks WHERE state <> 3"), 0, "all succeed");
        let some: Vec<Expected> = tasks.iter().step_by(tasks.len().div_ceil(25).max(1)).cloned().collect();
        for task in tasks {
            wait_for("an event", || !self.client_host.events_of(&task.task_no).is_empty()).await;
        }
        self.check(&some).await;
        for task in tasks {
            assert_eq!(
                self.client_host.events_of(&task.task_no).len(),
                1,
                "{}: one event, one id",
                task.task_no
            );
        }
    }

    async fn check_output(&self, item: &Value, frames: u64) {
        let url = item["url"].as_str().unwrap_or_else(|| panic!("{item:#}"));
        let bytes = self.download(url).await.unwrap_or_else(|| panic!("{item:#}"));
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(item["sha256"], hash.as_str(), "{item:#}");
        let file = self.place.path().join("downloaded.mp4");
        std::fs::write(&file, &bytes).unwrap();
        let streams = probe(&file, "stream=codec_type,nb_read_packets");
        let picture = streams.iter().position(|line| line == "codec_type=video").unwrap();
        assert_eq!(streams[picture + 1], format!("nb_read_packets={frames}"), "{item:#}");
        assert!(streams.contains(&"codec_type=audio".to_owned()), "{streams:?}");
    }

    /// Every item is settled once, nothing is held, and the ledger agrees.
    pub async fn check_books(&self) {
        let (status, output) = self.command(&["points", "audit"]);
        assert_eq!(status, 0, "{output}");
        assert_eq!(
            self.query_number("SELECT COUNT(*) FROM holds WHERE state = 'open'"),
            0,
            "nothing is held"
        );
        let twice = "SELECT COUNT(*) FROM (SELECT 1 FROM holds WHERE state = 'settled'
                      GROUP BY task_no, item_no HAVING COUNT(*) > 1) twice";
        assert_eq!(self.query_number(twice), 0, "nothing is charged twice");
        let unsettled = "SELECT COUNT(*) FROM items i JOIN tasks t ON t.id = i.task_id WHERE i.state = 3
            AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.task_no = t.task_no AND h.item_no = i.item_no
                             AND h.state = 'settled' AND h.settled = i.charged)";
        assert_eq!(self.query_number(unsettled), 0, "every item that is done is charged");
        let charged = self.query_number("SELECT COALESCE(SUM(charged), 0)::bigint FROM items");
        let balance = self.balance().await;
        assert_eq!(balance["balance"].as_u64(), Some(POINTS - charged), "{balance}");
    }

    /// No work is left, no ffmpeg, no unfinished file, and in the bucket only what the database knows.
    pub async fn check_rest(&self) {
        let open = "SELECT COUNT(*) FROM work WHERE state IN ('ready', 'delayed', 'waiting', 'running')";
        wait_for("no work is left", || self.query_number(open) == 0).await;
        let folder = self.place.path();
        let clean = async {
            while ffmpegs_in(folder) > 0 || !self.unfinished().is_empty() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        if tokio::time::timeout(CLEAN, clean).await.is_err() {
            panic!("left behind: {} ffmpegs, {:?}", ffmpegs_in(folder), self.unfinished());
        }
        if !self.common.one_folder {
            self.check_bucket().await;
        }
    }

    /// Files that somebody began and did not end.
    fn unfinished(&self) -> Vec<String> {
        let folders = self
            .workers
            .iter()
            .chain([&self.api])
            .flat_map(|node| [node.data.join("cache/tmp"), node.data.join("inputs/partial")]);
        let mut unfinished = Vec::new();
        folders.for_each(|folder| files(&folder, &mut unfinished));
        unfinished.retain(|path| !path.ends_with(".lock"));
        unfinished
    }

    /// What was delivered is there. What killed attempts put there lies under keys of their own, whose fences are
    /// not the ones that count, and is collected when it is old.
    async fn check_bucket(&self) {
        let results = "SELECT result::json->>'key' FROM items WHERE state = 3";
        let keys: BTreeSet<String> =
            self.query(results).lines().map(|key| format!("results/{key}")).collect();
        let stored = self.stored("results").await;
        let lost: Vec<&String> = keys.difference(&stored).collect();
        assert!(lost.is_empty(), "delivered and gone: {lost:?}");
    }
}

fn files(folder: &Path, found: &mut Vec<String>) {
    // Folders vanish while they are looked at.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path.to_string_lossy().into_owned());
        }
    }
}
