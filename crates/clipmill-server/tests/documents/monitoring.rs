//! Metrics, dashboard and alerts belong together: every metric that is drawn or watched exists, and every metric that
//! exists is documented.
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clipmill_server::observe::metric::{ALL, Kind};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/monitoring")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

/// The names that a metric has in Prometheus.
fn series() -> BTreeSet<String> {
    let parts = |kind: Kind| -> &[&str] {
        if kind == Kind::Histogram { &["_bucket", "_sum", "_count"] } else { &[""] }
    };
    ALL.iter().flat_map(|f| parts(f.kind).iter().map(|part| format!("{}{part}", f.name))).collect()
}

/// Words of a text that begin like our metrics.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("clipmill_")).map(str::to_owned).collect()
}

fn document() -> String {
    let mut text = "# Metrics\n\n<!-- Made from the code; do not edit. To make it again:\n\
        UPDATE_DOCS=1 cargo test -p clipmill-server --test documents\n-->\n\n\
        Served on `metrics.listen` at `/metrics` in the text format of Prometheus, beside the usual `process_…` \
        metrics.\nNothing is labelled by task or user: the number of series does not grow with use. Gauges of \
        tasks, work, callbacks and\npoints are read from the database, so every process reports the same values: \
        take `max`, not `sum`.\nWhile much waits they are up to half a minute old, because one process counts for \
        all.\n\n| metric | kind | labels | meaning |\n|---|---|---|---|\n"
        .to_owned();
    for metric in ALL {
        let labels: Vec<_> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
        let kind = format!("{:?}", metric.kind).to_lowercase();
        writeln!(text, "| `{}` | {kind} | {} | {} |", metric.name, labels.join(", "), metric.help).unwrap();
    }
    text
}

#[test]
fn the_checked_in_list_is_up_to_date() {
    crate::checked_in::check("metrics.md", &document());
}

#[test]
fn what_is_drawn_and_watched_exists() {
    let known = series();
    for file in ["grafana-dashboard.json", "alerts.yml"] {
        let named = named(&read(file));
        assert!(named.len() > 10, "{file} names too little");
        let unknown: Vec<_> = named.iter().filter(|name| !known.contains(*name)).collect();
        assert!(unknown.is_empty(), "{file} names what does not exist: {unknown:?}");
    }
}

#[test]
fn the_dashboard_draws_every_metric_that_is_not_only_for_alerts() {
    let dashboard: serde_json::Value = serde_json::from_str(&read("grafana-dashboard.json")).unwrap();
    let mut ids = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "two panels of one id");
        let targets = panel["targets"].as_array().cloned().unwrap_or_default();
        assert!(panel["type"] == "row" || !targets.is_empty(), "{panel}");
        for target in targets {
            let text = target["expr"].as_str().unwrap();
            let count = |c: char| text.matches(c).count();
            assert!(count('(') == count(')') && count('{') == count('}'), "{text}");
        }
    }
    let both = named(&read("grafana-dashboard.json"))
        .union(&named(&read("alerts.yml")))
        .cloned()
        .collect::<BTreeSet<_>>();
    let drawn = |name: &str| both.iter().any(|word| word.starts_with(name));
    let forgotten: Vec<_> = ALL.iter().map(|metric| metric.name).filter(|name| !drawn(name)).collect();
    let only_read =
        ["clipmill_work_oldest_seconds", "clipmill_uploads_total", "clipmill_removed_bytes_total"];
    assert_eq!(forgotten, only_read);
}

#[test]
fn promtool_takes_the_alerts() {
    #[allow(clippy::disallowed_methods, reason = "a judge independent of the program under test")]
    let judge = |arguments: &[&str]| {
        std::process::Command::new("promtool").args(arguments).current_dir(folder()).output()
    };
    match judge(&["check", "rules", "alerts.yml"]) {
        Ok(verdict) => assert!(verdict.status.success(), "{}", String::from_utf8_lossy(&verdict.stderr)),
        // Where it is not installed, the names above are all that is checked.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
    }
}
