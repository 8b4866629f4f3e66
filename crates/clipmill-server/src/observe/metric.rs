//! The table of all metrics: name, kind, labels, help.

use std::time::Duration;

use metrics::{counter, gauge, histogram};

/// The kind of a metric in Prometheus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Never decreases during the life of the process.
    Counter,
    Gauge,
    Histogram,
}

/// One metric, for its description and the documentation.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    pub name: &'static str,
    pub kind: Kind,
    /// Names of its labels.
    pub labels: &'static [&'static str],
    pub help: &'static str,
}

macro_rules! metrics {
    ($( $constant:ident = $kind:ident $name:literal [$($label:literal),*] $help:literal; )+) => {
        $( pub const $constant: &str = $name; )+

        /// All metrics, in the order of the documentation.
        pub const ALL: &[Metric] = &[ $( Metric {
            name: $name, kind: Kind::$kind, labels: &[$($label),*], help: $help,
        }, )+ ];
    };
}

metrics! {
    BUILD = Gauge "clipmill_build_info" ["version"] "Always 1; the label is the running version";
    HTTP_REQUESTS = Counter "clipmill_http_requests_total" ["route", "method", "status"] "Completed requests";
    HTTP_SECONDS = Histogram "clipmill_http_request_seconds" ["route"] "Time to the head of the response";
    HTTP_CONNECTIONS = Gauge "clipmill_http_connections" [] "Open connections to the API and to this page";
    TASKS = Gauge "clipmill_tasks" ["state"] "Tasks that have not ended";
    TASK_AGE = Gauge "clipmill_task_oldest_seconds" ["state"] "Time since the oldest task in this state was submitted; 0 when there is none";
    WORK = Gauge "clipmill_work" ["kind", "state"] "Jobs in the queue: ready, delayed until their next attempt, running";
    WORK_AGE = Gauge "clipmill_work_oldest_seconds" ["kind", "state"] "Age of the oldest such job; 0 when there is none";
    PAUSED = Gauge "clipmill_queue_paused" [] "1 while the queue is paused, 0 otherwise";
    WORKERS = Gauge "clipmill_workers_busy" [] "Worker processes that hold leases";
    SLOTS = Gauge "clipmill_worker_slots" [] "Maximum number of jobs that this process runs at the same time";
    SLOTS_BUSY = Gauge "clipmill_worker_slots_busy" [] "Slots of this process that are running a job";
    SELF_TEST = Gauge "clipmill_self_test_passed" [] "1 if this process has passed its self-test and claims work, 0 otherwise";
    ENCODER = Gauge "clipmill_encoder_info" ["encoder"] "Always 1; the label is the video encoder of this process";
    FALLBACKS = Counter "clipmill_outputs_remade_total" [] "Outputs re-encoded as a whole because an encoding device failed or packets could not be copied";
    WORK_SECONDS = Histogram "clipmill_work_seconds" ["kind", "outcome"] "Time spent on a job; outcome is done, failed, waits (for disk space), lost or handed_back";
    FAILURES = Counter "clipmill_failures_total" ["kind", "code"] "Failed attempts at jobs, by error code";
    RESCUED = Counter "clipmill_leases_rescued_total" [] "Expired leases revoked from lost workers";
    SEGMENTS = Counter "clipmill_segments_total" ["from"] "Segments requested by jobs: rendered, or reused from the cache";
    RENDERED = Counter "clipmill_rendered_milliseconds_total" [] "Length of rendered video";
    RENDER_TIME = Counter "clipmill_render_busy_milliseconds_total" [] "Time spent on rendering video";
    RENDER_SPEED = Histogram "clipmill_output_speed" [] "Seconds of output per second of rendering; cached segments count with their original rendering time";
    ITEMS = Counter "clipmill_items_delivered_total" [] "Outputs delivered";
    OUTPUT_SECONDS = Counter "clipmill_output_seconds_total" [] "Seconds of outputs delivered";
    OUTPUT_BYTES = Counter "clipmill_output_bytes_total" [] "Bytes of outputs delivered";
    POINTS = Gauge "clipmill_points" ["account"] "Points of all users: available to spend, or held for open tasks";
    POINTS_MOVED = Counter "clipmill_points_moved_total" ["type"] "Points moved in the ledger: grant, hold, settle, release, adjust";
    EVENTS = Gauge "clipmill_callbacks" ["state"] "Callbacks that are due, being sent, or given up";
    EVENT_AGE = Gauge "clipmill_callback_oldest_seconds" ["state"] "How long the oldest such callback has been overdue; 0 if there is none or none is due yet";
    DELIVERIES = Counter "clipmill_deliveries_total" ["outcome"] "Attempts at callbacks: delivered, retry, given_up";
    DELIVERY_SECONDS = Histogram "clipmill_delivery_seconds" [] "Response time of callback receivers";
    UPLOADS = Counter "clipmill_uploads_total" [] "Files uploaded";
    UPLOAD_BYTES = Counter "clipmill_upload_bytes_total" [] "Bytes of files uploaded";
    DATABASE_SECONDS = Histogram "clipmill_database_seconds" ["op"] "Duration of a database transaction (read, write), including waiting time";
    STORAGE_SECONDS = Histogram "clipmill_storage_seconds" ["op"] "Duration of an operation on result storage: open, finish, remove, list";
    DISK_FREE = Gauge "clipmill_disk_free_bytes" [] "Free space on the disk of the data folder";
    REMOVED = Counter "clipmill_removed_total" ["what"] "Rows and files that retention removed";
    REMOVED_BYTES = Counter "clipmill_removed_bytes_total" ["what"] "Bytes of files that retention removed";
    RETENTION_AGE = Gauge "clipmill_retention_age_seconds" [] "Time since a process last completed retention";
    COLLECT_ERRORS = Counter "clipmill_collect_errors_total" [] "Failed queries of the store for these metrics";
}

/// Buckets in seconds: from a quick read to a long render.
pub const SECONDS: &[f64] =
    &[0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0];
/// Buckets of how many times faster than real time.
pub const SPEEDS: &[f64] = &[0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// Describes all metrics to the recorder.
pub fn describe() {
    for metric in ALL {
        match metric.kind {
            Kind::Counter => metrics::describe_counter!(metric.name, metric.help),
            Kind::Gauge => metrics::describe_gauge!(metric.name, metric.help),
            Kind::Histogram => metrics::describe_histogram!(metric.name, metric.help),
        }
    }
    gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

/// Adds to a counter; `labels` as in [`ALL`].
pub fn count(name: &'static str, labels: &[(&'static str, &'static str)], more: u64) {
    counter!(name, labels).increment(more);
}

pub fn seconds(name: &'static str, labels: &[(&'static str, &'static str)], time: Duration) {
    histogram!(name, labels).record(time.as_secs_f64());
}

/// Increments a gauge, and decrements it when dropped.
pub struct GaugeGuard(&'static str);

impl GaugeGuard {
    pub fn new(name: &'static str) -> Self {
        gauge!(name).increment(1.0);
        Self(name)
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_rules_of_prometheus() {
        let mut names: Vec<_> = ALL.iter().map(|metric| metric.name).collect();
        for metric in ALL {
            assert!(metric.name.starts_with("clipmill_"), "{}", metric.name);
            assert_eq!(metric.name.ends_with("_total"), metric.kind == Kind::Counter, "{}", metric.name);
            for label in metric.labels {
                assert!(!["task", "user", "item"].contains(label), "{} grows with use", metric.name);
            }
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len(), "two metrics of one name");
        assert_eq!(DATABASE_SECONDS, clipmill_store::LATENCY);
    }
}
