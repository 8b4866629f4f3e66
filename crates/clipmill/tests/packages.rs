//! The supplied files (`deploy/`, `clients/`) match the program: settings, ports, versions, stop timeouts.
//! `make packages` lints and installs it.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clipmill_server::Config;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Words that begin with `CLIPMILL_`.
fn variables(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
    words.filter(|word| word.starts_with("CLIPMILL_") && word.len() > 9).map(str::to_owned).collect()
}

/// The text after each `marker`, up to the end of the word or line.
fn after<'a>(text: &'a str, marker: &str) -> Vec<&'a str> {
    let ends = |c: char| c.is_whitespace() || c == '"' || c == '\'' || c == ']';
    text.split(marker).skip(1).map(|rest| rest.split(ends).next().unwrap()).collect()
}

fn seconds(text: &str) -> u64 {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    digits.parse().unwrap_or_else(|_| panic!("`{text}` is not a number of seconds"))
}

#[test]
fn every_variable_is_a_setting() {
    let mut keys: BTreeSet<String> = Config::keys()
        .iter()
        .map(|key| format!("CLIPMILL_{}_{}", key.section, key.name).to_uppercase())
        .collect();
    // Of the command line; the last two are of the compose file itself.
    let others = ["CLIPMILL_DATA", "CLIPMILL_CONFIG", "CLIPMILL_PUBLIC_URL", "CLIPMILL_FILES_URL"];
    keys.extend(others.map(str::to_owned));
    let files = [
        "deploy/docker/Dockerfile",
        "deploy/compose/compose.yaml",
        "deploy/helm/clipmill/templates/configmap.yaml",
        "deploy/helm/clipmill/templates/migrate.yaml",
        "deploy/systemd/clipmill.service",
        "deploy/systemd/clipmill-worker.service",
        "docs/operate/install.md",
    ];
    let mut count = 0;
    for file in files {
        for variable in variables(&text(file)) {
            let key = variable.strip_suffix("_FILE").unwrap_or(&variable);
            assert!(keys.contains(key), "{file}: {variable} is not a setting");
            count += 1;
        }
    }
    assert!(count > 15, "only {count} variables were found");
}

#[test]
fn the_supplied_configuration_is_valid_including_its_examples() {
    let file = root().join("deploy/clipmill.toml");
    let none = std::iter::empty::<(String, String)>;
    let shipped = Config::load_with_origins(Some(&file), none()).unwrap();
    assert!(!shipped.origins.is_empty());
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "postgres://clipmill:secret@db/clipmill").unwrap();
    let is_example = |line: &str| line.starts_with('[') || line.contains(" = ");
    let examples: Vec<String> = text("deploy/clipmill.toml")
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| is_example(rest)).unwrap_or(line))
        .map(|line| line.replace("/etc/clipmill/database-url", &secret.path().display().to_string()))
        .collect();
    let whole = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(whole.path(), examples.join("\n")).unwrap();
    let with = Config::load_with_origins(Some(whole.path()), none()).unwrap();
    assert!(with.origins.len() >= shipped.origins.len() + 3, "{:?}", with.origins);
    assert!(with.config.database.is_shared() && with.config.metrics.listen.is_some());
}

#[test]
fn the_images_own_settings_are_valid_and_its_ports_open() {
    let dockerfile = text("deploy/docker/Dockerfile");
    let pairs = dockerfile.lines().flat_map(str::split_whitespace).filter_map(|word| word.split_once('='));
    let settings: BTreeMap<String, String> = pairs
        .filter(|(name, _)| name.starts_with("CLIPMILL_"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let config = Config::load(None, settings.into_iter()).unwrap();
    let (api, metrics) = (config.server.listen, config.metrics.listen.unwrap());
    assert!(api.ip().is_unspecified() && metrics.ip().is_unspecified(), "nobody could reach a container");
    assert!(dockerfile.contains(&format!("EXPOSE {} {}\n", api.port(), metrics.port())));

    for file in ["api.yaml", "worker.yaml"] {
        let ports = text(&format!("deploy/helm/clipmill/templates/{file}"));
        assert!(ports.contains(&format!("containerPort: {}", metrics.port())), "{file}");
    }
    let chart = text("deploy/helm/clipmill/templates/api.yaml");
    assert!(chart.contains(&format!("containerPort: {}", api.port())));
    let settings = text("deploy/helm/clipmill/templates/configmap.yaml");
    assert!(settings.contains(&format!("CLIPMILL_SERVER_LISTEN: {api}")));
    assert!(settings.contains(&format!("CLIPMILL_METRICS_LISTEN: {metrics}")));
    let compose = text("deploy/compose/compose.yaml");
    assert!(compose.contains(&format!("CLIPMILL_SERVER_LISTEN: {api}")));
    assert!(compose.contains(&format!("CLIPMILL_METRICS_LISTEN: {metrics}")));
    assert!(compose.contains(&format!("127.0.0.1:{0}:{0}", api.port())));
}

#[test]
fn everything_has_the_programs_version() {
    let cases = [
        ("deploy/docker/Dockerfile", "ARG VERSION="),
        ("deploy/docker/Dockerfile", "-t clipmill:"),
        ("deploy/compose/compose.yaml", "image: clipmill:"),
        ("deploy/helm/clipmill/Chart.yaml", "\nversion: "),
        ("deploy/helm/clipmill/Chart.yaml", "\nappVersion: \""),
        ("clients/python/src/clipmill/_version.py", "__version__ = \""),
        ("clients/typescript/src/version.ts", "VERSION = \""),
        ("clients/typescript/package.json", "\"version\": \""),
        ("docs/guides/clients.md", "/clipmill-"),
        ("docs/operate/install.md", "clipmill:"),
        ("docs/operate/install.md", "clipmill_"),
    ];
    for (file, marker) in cases {
        let text = text(file);
        let versions: Vec<_> = after(&text, marker)
            .into_iter()
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        assert!(!versions.is_empty(), "{file}: nothing follows `{marker}`");
        for rest in versions {
            let continues_number = |c: char| c.is_ascii_digit();
            let wrong = rest.strip_prefix(VERSION).is_none_or(|rest| rest.starts_with(continues_number));
            assert!(!wrong, "{file}: {marker}{rest} is not version {VERSION}");
        }
    }
}

#[test]
fn service_managers_wait_longer_than_the_drain_timeout() {
    let config = Config::default();
    let drain = config.worker.drain.get().max(config.server.drain_timeout.get()).as_secs();
    let check = |file: &str, marker: &str| {
        let text = text(file);
        let value = after(&text, marker);
        assert!(!value.is_empty(), "{file}: nothing says `{marker}`");
        for grace in value {
            assert!(seconds(grace) >= drain + 10, "{file}: {marker}{grace} for a drain of {drain} s");
        }
    };
    check("deploy/systemd/clipmill.service", "TimeoutStopSec=");
    check("deploy/systemd/clipmill-worker.service", "TimeoutStopSec=");
    check("deploy/compose/compose.yaml", "stop_grace_period: ");
    check("deploy/docker/Dockerfile", "--time ");
    check("docs/operate/running.md", "TimeoutStopSec=");
    // The chart sets the drain itself, and pods get more.
    assert_eq!(after(&text("deploy/helm/clipmill/values.yaml"), "drainSeconds: "), [drain.to_string()]);
    for file in ["api.yaml", "worker.yaml"] {
        let text = text(&format!("deploy/helm/clipmill/templates/{file}"));
        let [more] = after(&text, "add .Values.drainSeconds ")[..] else { panic!("{file}") };
        assert!(seconds(more) >= 10, "{file}");
    }
}

#[test]
fn nothing_runs_as_root_or_writes_to_its_own_image() {
    let dockerfile = text("deploy/docker/Dockerfile");
    let user = after(&dockerfile, "\nUSER ")[0];
    let (uid, _) = user.split_once(':').unwrap();
    assert!(uid.parse::<u32>().is_ok_and(|uid| uid >= 1000), "`{user}`: Kubernetes believes only numbers");
    assert!(dockerfile.contains("STOPSIGNAL SIGTERM") && dockerfile.contains("HEALTHCHECK"));
    let compose = text("deploy/compose/compose.yaml");
    for line in ["read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", &format!("user: \"{user}\"")]
    {
        assert!(compose.contains(line), "the compose file has no `{line}`");
    }
    let chart = text("deploy/helm/clipmill/templates/_helpers.tpl");
    assert!(chart.contains(&format!("runAsUser: {uid}")) && chart.contains("readOnlyRootFilesystem: true"));
    for unit in ["clipmill", "clipmill-worker"] {
        let unit = text(&format!("deploy/systemd/{unit}.service"));
        for line in
            ["User=clipmill", "NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=\n"]
        {
            assert!(unit.contains(line), "the unit has no `{line}`");
        }
        // Without these, the service could not confine ffmpeg and would not start.
        for call in ["seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"] {
            assert!(unit.contains(call), "the unit forbids {call}");
        }
    }
}
