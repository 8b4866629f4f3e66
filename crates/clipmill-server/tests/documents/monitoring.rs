//! Consistency of metrics, dashboard and alerts: every metric that is drawn or alerted on exists, and every metric is
//! documented.
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

/// Words of a text that begin like clipmill's metrics.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("clipmill_")).map(str::to_owned).collect()
}

fn document() -> String {
    let mut text = "# Metrics\n\n<!-- Generated from the code; do not edit. To regenerate:\n\
        UPDATE_DOCS=1 cargo test -p clipmill-server --test documents\n-->\n\n\
        clipmill serves these metrics on `metrics.listen` at `/metrics` in Prometheus text format, and the usual \
        `process_…` metrics.\nNo metric has a label for task or user, so the number of series does not grow with \
        use. Gauges of tasks, work, callbacks\nand points are read from the database, so all processes report the \
        same values: aggregate them with `max`, not `sum`.\nWhen the queue is long, values can lag by up to 30 \
        seconds, because one process collects them for all.\n\n| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n"
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
    crate::checked_in::check("operate/metrics.md", &document());
}

#[test]
fn metrics_in_dashboard_and_alerts_exist() {
    let series_names = series();
    for file in ["grafana-dashboard.json", "alerts.yml"] {
        let named = named(&read(file));
        assert!(named.len() > 10, "{file} names too little");
        let unknown: Vec<_> = named.iter().filter(|name| !series_names.contains(*name)).collect();
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
fn promtool_accepts_the_alerts() {
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

/// The label matchers of an expression: metric, label, value.
fn matchers(expression: &str) -> Vec<(String, String, String)> {
    let mut matchers = Vec::new();
    for (before, rest) in expression.match_indices('{').map(|(at, _)| expression.split_at(at)) {
        let metric: String =
            before.chars().rev().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let metric: String = metric.chars().rev().collect();
        let inside = rest[1..].split_once('}').map_or("", |(inside, _)| inside);
        for matcher in inside.split(',').filter(|matcher| !matcher.is_empty()) {
            let (label, value) = matcher.split_once('=').unwrap_or_else(|| panic!("{expression}: {matcher}"));
            let value = value.trim_start_matches('~').trim_matches('"');
            matchers.push((metric.clone(), label.trim_end_matches('!').trim().to_owned(), value.to_owned()));
        }
    }
    matchers
}

/// Alerts by name with their fields.
fn alerts() -> Vec<(String, String)> {
    let text = read("alerts.yml");
    let each = text.split("- alert: ").skip(1);
    each.map(|alert| alert.split_once('\n').unwrap())
        .map(|(name, rest)| (name.to_owned(), rest.to_owned()))
        .collect()
}

fn expression(alert: &str) -> &str {
    alert.lines().find_map(|line| line.trim().strip_prefix("expr: ")).unwrap()
}

#[test]
fn alerts_match_labels_that_the_metrics_have() {
    let labels = |series: &str| -> Vec<&str> {
        let of = ALL.iter().filter(|metric| series.starts_with(metric.name));
        of.flat_map(|metric| metric.labels).copied().collect()
    };
    for (name, alert) in alerts() {
        for (series, label, _) in matchers(expression(&alert)) {
            let is_known = label == "job" || labels(&series).contains(&label.as_str());
            assert!(is_known, "{name}: {series} has no label {label}");
        }
        // Labels used in a text must survive the aggregation.
        for label in alert.split("$labels.").skip(1) {
            let label: String = label.chars().take_while(char::is_ascii_alphanumeric).collect();
            let expression = expression(&alert);
            let grouped = expression.split("by (").skip(1).filter_map(|rest| rest.split_once(')'));
            let mut groups = grouped.map(|(labels, _)| labels).peekable();
            let kept =
                groups.peek().is_none() && !expression.contains("max(") && !expression.contains("absent(");
            let named = groups.any(|labels| labels.split(", ").any(|one| one == label));
            assert!(kept || named, "{name} shows {label}, which {expression} takes away");
        }
    }
}

/// A job with another name would never be reported as down.
#[test]
fn alerts_are_for_the_job_that_is_scraped() {
    let prometheus = read("prometheus.yml");
    let chart =
        std::fs::read_to_string(folder().join("../helm/clipmill/templates/servicemonitor.yaml")).unwrap();
    let scraped = prometheus.split("job_name: ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    let relabeled =
        chart.split("targetLabel: job").nth(1).and_then(|rest| rest.split("replacement: ").nth(1));
    let relabeled = relabeled.and_then(|rest| rest.lines().next());
    assert_eq!(relabeled, Some(scraped), "the ServiceMonitor gives pods another job than prometheus.yml");
    let mut count = 0;
    for (name, alert) in alerts() {
        for (_, _, job) in matchers(expression(&alert)).into_iter().filter(|(_, label, _)| label == "job") {
            assert_eq!(job, scraped, "{name}");
            count += 1;
        }
    }
    assert!(count > 2, "only {count} expressions name a job");
}

/// Waiting work is not a problem while an operator has paused the queue.
#[test]
fn a_paused_queue_raises_its_own_alert_alone() {
    let alerts = alerts();
    let waits = |expression: &str| {
        expression.contains("clipmill_work{state=\"ready\"}")
            || expression.contains("clipmill_task_oldest_seconds")
    };
    let waiting: Vec<_> = alerts.iter().filter(|(_, alert)| waits(expression(alert))).collect();
    assert!(waiting.len() >= 2);
    for (name, alert) in waiting {
        assert!(expression(alert).ends_with(" unless max(clipmill_queue_paused) > 0"), "{name}");
    }
    let paused = alerts.iter().find(|(name, _)| name == "ClipmillQueuePaused").unwrap();
    assert_eq!(expression(&paused.1), "max(clipmill_queue_paused) > 0");
}

/// Both processes can run on one machine with the supplied settings.
#[test]
fn a_worker_beside_the_service_has_a_port_of_its_own() {
    let settings = std::fs::read_to_string(folder().join("../clipmill.toml")).unwrap();
    let port = |key: &str| {
        let line = settings.lines().find_map(|line| line.strip_prefix(&format!("# {key} = \"127.0.0.1:")));
        line.unwrap_or_else(|| panic!("deploy/clipmill.toml does not show {key}"))
            .trim_end_matches('"')
            .to_owned()
    };
    // `server.listen` is set, so the example of `listen` is that of metrics.
    let (service, worker) = (port("listen"), port("worker_listen"));
    assert_ne!(service, worker);
    let prometheus = read("prometheus.yml");
    for port in [service, worker] {
        assert!(
            prometheus.contains(&format!("\"127.0.0.1:{port}\"")),
            "prometheus.yml does not scrape {port}"
        );
    }
}
