use std::io::Write;

use super::*;
use crate::config::units::{Ports, Span};

fn load(file: &str, env: &[(&str, &str)]) -> Result<Config, String> {
    let mut written = tempfile::NamedTempFile::new().unwrap();
    written.write_all(file.as_bytes()).unwrap();
    let env = env.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    Config::load(Some(written.path()), env).map_err(|e| e.to_string())
}

fn refused(file: &str, env: &[(&str, &str)]) -> String {
    load(file, env).unwrap_err()
}

#[test]
fn defaults_file_and_environment_in_that_order() {
    let config = load("", &[]).unwrap();
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.worker.lease, Span::seconds(30));
    assert!(config.worker.slot_count() >= 1);

    let file = "[worker]\nslots = 3\nlease = \"1m\"\n[fetch]\nallow_ports = [80, 8080]";
    let config = load(file, &[("CLIPMILL_WORKER_SLOTS", "5"), ("PATH", "/bin")]).unwrap();
    assert_eq!(config.worker.slots, 5);
    assert_eq!(config.worker.lease, Span::seconds(60));
    assert_eq!(config.fetch.allow_ports, Ports::Only(vec![80, 8080]));
}

#[test]
fn every_kind_of_value_can_come_from_the_environment() {
    let env = [
        ("CLIPMILL_FETCH_ALLOW_NETWORKS", "10.0.0.0/8, 127.0.0.1"),
        ("CLIPMILL_FETCH_ALLOW_PORTS", "*"),
        ("CLIPMILL_DATABASE_URL", "sqlite:/var/lib/clipmill/db"),
        ("CLIPMILL_STORAGE_URL", "s3://bucket/prefix"),
        ("CLIPMILL_SERVER_PUBLIC_URL", "https://clips.example.com/"),
        ("CLIPMILL_SERVER_LISTEN", "[::1]:0"),
        ("CLIPMILL_SERVER_UNKNOWN_FIELDS", "deny"),
        ("CLIPMILL_METRICS_LISTEN", "127.0.0.1:9100"),
        ("CLIPMILL_PRICING_HD", "3"),
        ("CLIPMILL_RETENTION_RESULTS", ""),
    ];
    let config = load("", &env).unwrap();
    assert_eq!(config.fetch.allow_networks.len(), 2);
    assert_eq!(config.fetch.allow_ports, Ports::Any);
    assert_eq!(config.server.public_url.as_ref().unwrap().as_str(), "https://clips.example.com");
    assert_eq!(config.server.unknown_fields, OnUnknownField::Deny);
    assert_eq!(config.metrics.listen.unwrap().port(), 9100);
    assert_eq!(
        config.metrics.of_worker(),
        config.metrics.listen,
        "as before there was metrics.worker_listen"
    );
    assert_eq!(config.pricing.prices().hd, 3);
    assert_eq!(config.retention.results, Span::days(7));

    let beside = "[metrics]\nlisten = \"127.0.0.1:9464\"\nworker_listen = \"127.0.0.1:9465\"";
    let beside = load(beside, &[]).unwrap().metrics;
    assert_ne!(beside.of_worker(), beside.listen, "both cannot listen on one port");

    let one_port = load("", &[("CLIPMILL_FETCH_ALLOW_PORTS", "8080")]).unwrap();
    assert_eq!(one_port.fetch.allow_ports, Ports::Only(vec![8080]));
}

#[test]
fn a_misspelt_key_is_refused_with_a_suggestion() {
    let check = |file: &str, env: &[(&str, &str)], expected: &str| assert_eq!(refused(file, env), expected);
    check("[server]\nlisten_ = 1", &[], "unknown key server.listen_; did you mean server.listen?");
    check("[sever]\nlisten = 1", &[], "unknown key sever; did you mean server?");
    check("[server]\nquux = 1", &[], "unknown key server.quux");
    check(
        "",
        &[("CLIPMILL_WORKER_SLOT", "1")],
        "unknown key CLIPMILL_WORKER_SLOT; did you mean CLIPMILL_WORKER_SLOTS?",
    );
    // Kubernetes sets this for a service named clipmill-server.
    load("", &[("CLIPMILL_SERVER_PORT", "tcp://10.0.0.1:80"), ("CLIPMILL_SERVER_SERVICE_HOST", "x")])
        .unwrap();
}

#[test]
fn a_wrong_value_is_reported_with_its_key_and_the_fix() {
    let check = |file: &str, env: &[(&str, &str)], parts: &[&str]| {
        let message = refused(file, env);
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    };
    check("[worker]\nlease = 30", &[], &["worker.lease", "string"]);
    check("[worker]\nlease = \"soon\"", &[], &["worker.lease: `soon` is not a length of time"]);
    check("[worker]\nlease = \"10s\"", &[], &["worker.heartbeat", "half of worker.lease"]);
    check("worker = 3", &[], &["worker", "[worker]"]);
    check(
        "",
        &[("CLIPMILL_FETCH_ALLOW_NETWORKS", "10.0.0.0/8,home")],
        &["_NETWORKS: `home` is not a network"],
    );
    check("", &[("CLIPMILL_SERVER_LISTEN", "8080")], &["CLIPMILL_SERVER_LISTEN", "socket address"]);
    check("", &[("CLIPMILL_DATABASE_URL", "mysql://u:secret@h")], &["database.url", "sqlite:, postgres:"]);
    check("[database]\nwrites_at_once = 0", &[], &["database.writes_at_once", "at least 1"]);
    check("[server]\ntls_cert = \"a.pem\"", &[], &["server.tls_key", "is missing"]);
    check("[server]\ntls_key = \"a.pem\"", &[], &["server.tls_cert", "is missing"]);
    check("[server\n", &[], &["not valid TOML", "line 1"]);
    assert!(!refused("", &[("CLIPMILL_DATABASE_URL", "mysql://u:secret@h")]).contains("secret"));
}

#[test]
fn all_errors_are_reported_at_once() {
    let file = "[sever]\nx = 1\n[worker]\nslots = \"many\"\nlease = \"10s\"\n[callbacks]\njitter = 200";
    let message = refused(file, &[("CLIPMILL_SERVER_LISTEN", "8080"), ("CLIPMILL_WORKER_SLOT", "1")]);
    let lines: Vec<_> = message.lines().collect();
    let expected =
        ["sever", "CLIPMILL_WORKER_SLOT;", "CLIPMILL_SERVER_LISTEN", "worker.slots", "callbacks.jitter"];
    // An error that only follows from another (a default heartbeat that does not fit) is not reported.
    assert_eq!(lines.len(), expected.len(), "{message}");
    for part in expected {
        assert!(lines.iter().any(|line| line.contains(part.trim_end_matches(';'))), "{part}: {message}");
    }
}

#[test]
fn a_share_is_a_part_of_a_hundred() {
    for (percent, fits) in [("0", false), ("1", true), ("100", true), ("101", false)] {
        let loaded = load(&format!("[limits]\nshare_per_user = {percent}"), &[]);
        assert_eq!(loaded.is_ok(), fits, "{percent}");
    }
}

#[test]
fn secrets_come_from_files() {
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "postgres://u:geheim@db/clips\n").unwrap();
    let path = secret.path().to_str().unwrap();
    let env = [("CLIPMILL_DATABASE_URL_FILE", path)];
    assert_eq!(load("", &env).unwrap().database.url, "postgres://u:geheim@db/clips");
    let file = format!("[database]\nurl_file = \"{path}\"");
    assert_eq!(load(&file, &[]).unwrap().database.url, "postgres://u:geheim@db/clips");
    // The environment still takes precedence over the file.
    assert_eq!(load(&file, &[("CLIPMILL_DATABASE_URL", "sqlite:")]).unwrap().database.url, "sqlite:");

    let both = [("CLIPMILL_DATABASE_URL", "sqlite:"), ("CLIPMILL_DATABASE_URL_FILE", path)];
    assert!(refused("", &both).contains("keep one of the two"));
    assert!(refused("", &[("CLIPMILL_DATABASE_URL_FILE", "/nowhere/x")]).contains("cannot read /nowhere/x"));
    let wrong = refused("", &[("CLIPMILL_WORKER_SLOTS_FILE", path)]);
    assert!(wrong.contains("CLIPMILL_WORKER_SLOTS_FILE") && !wrong.contains("geheim"), "{wrong}");
    let near = refused("", &[("CLIPMILL_DATABASE_URLS", path)]);
    assert!(near.contains("did you mean CLIPMILL_DATABASE_URL?"), "{near}");
}

#[test]
fn values_in_effect_are_shown_with_their_origin() {
    let mut written = tempfile::NamedTempFile::new().unwrap();
    written.write_all(b"[worker]\nslots = 3\n[tracing]\notlp_headers = [\"key=geheim\"]").unwrap();
    let env = [
        ("CLIPMILL_SERVER_LISTEN", "127.0.0.1:1"),
        ("CLIPMILL_DATABASE_URL", "postgres://u:geheim@db/x?sslpassword=geheim"),
    ];
    let env = env.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let shown = Config::load_with_origins(Some(written.path()), env).unwrap().show();
    let check = |start: &str, end: &str| {
        assert!(shown.lines().any(|line| line.starts_with(start) && line.ends_with(end)), "{start}: {shown}");
    };
    check("slots = 3 ", "# configuration file");
    check("listen = \"127.0.0.1:1\"", "# CLIPMILL_SERVER_LISTEN");
    check("lease = \"30s\"", "# default");
    check("# public_url is not set", "# default");
    check("url = \"postgres://u:***@db/x?***\"", "# CLIPMILL_DATABASE_URL");
    assert!(!shown.contains("geheim"), "{shown}");
    assert_eq!(load(&Loaded::default().show(), &[]).unwrap().server, Config::default().server);
}

#[test]
fn keys_for_the_collector_of_traces_are_not_shown() {
    let check = |endpoint: &str, expected: &str| {
        let env = [("CLIPMILL_TRACING_OTLP_ENDPOINT".to_owned(), endpoint.to_owned())];
        let shown = Config::load_with_origins(None, env.into_iter()).unwrap().show();
        assert!(shown.contains(&format!("\notlp_endpoint = \"{expected}\" ")), "{shown}");
        assert!(!shown.contains("geheim"), "{shown}");
    };
    check("http://127.0.0.1:4318", "http://127.0.0.1:4318");
    check("https://c.example.com/v1/traces", "https://c.example.com/v1/traces");
    check("https://u:geheim@c.example.com/x", "https://***@c.example.com/x");
    check("https://geheim@c.example.com/x", "https://***@c.example.com/x");
    check("https://:geheim@c.example.com/x", "https://***@c.example.com/x");
    check("https://c.example.com/x?geheim", "https://c.example.com/x?***");
    check("https://c.example.com/x?api-key=geheim#geheim", "https://c.example.com/x?***#***");
}

#[test]
fn wrong_settings_of_traces_are_refused() {
    let check = |line: &str, expected: &str| {
        let message = refused(&format!("[tracing]\n{line}"), &[]);
        assert_eq!(message, format!("tracing.{expected}"));
        assert!(!message.contains("geheim"), "{message}");
    };
    check("service_name = \"\"", "service_name: must not be empty");
    check("service_name = \" \"", "service_name: must not be empty");
    check("otlp_headers = [\"a=b\", \"geheim\"]", "otlp_headers: entry 2: must be name=value");
    let name = "otlp_headers: entry 1: the name is not valid in an HTTP header";
    check("otlp_headers = [\"=geheim\"]", name);
    check("otlp_headers = [\"api key=geheim\"]", name);
    check("otlp_headers = [\"Bearer geheim==\"]", name);
    let value = "otlp_headers: entry 1: the value is not valid in an HTTP header";
    check("otlp_headers = [\"key=gehe\\nim\"]", value);
    let twice = "otlp_headers: entry 2: a header of this name is already set";
    check("otlp_headers = [\"Key=a\", \"key=geheim\"]", twice);

    let config = load("[tracing]\notlp_headers = [\" X-Key = a=b \", \"empty=\"]", &[]).unwrap();
    let headers = config.tracing.headers().unwrap();
    assert_eq!(headers.len(), 2);
    assert_eq!((headers["x-key"].as_str(), headers["empty"].as_str()), ("a=b", ""));
}

#[test]
fn keys_describe_themselves() {
    let keys = Config::keys();
    let lease = keys.iter().find(|key| key.path() == "worker.lease").unwrap();
    assert_eq!(lease.variable(), "CLIPMILL_WORKER_LEASE");
    assert_eq!(lease.default, "\"30s\"");
    assert!(keys.iter().all(|key| key.description.ends_with('.')), "descriptions are sentences");
    let shown = toml::to_string(&Config::default()).unwrap();
    assert_eq!(load(&shown, &[]).unwrap().server, Config::default().server, "what is shown can be read back");
}

#[test]
fn a_speech_service_needs_what_reaches_it() {
    let of = |lines: &str| load(&format!("[speech]\n{lines}"), &[]);
    for (lines, expected) in [
        ("synthesize = \"http\"", "speech.synthesize_url: required for `http`"),
        ("synthesize = \"http\"\nsynthesize_url = \"https://a.example/v1\"", "speech.voices: at least one"),
        (
            "synthesize_url = \"https://me@a.example/v1\"",
            "speech.synthesize_url: must not contain a user name; use synthesize_key",
        ),
        ("synthesize_key = \"a\\nb\"", "speech.synthesize_key: not valid in an HTTP header"),
        ("synthesize = \"command\"", "speech.synthesize_command: required for `command`"),
        ("voices = [\"\"]", "speech.voices: names of 1 to 100 characters"),
        ("characters_per_call = 0", "speech.characters_per_call: at least 1"),
        ("timeout = \"0s\"", "speech.timeout: above 0"),
        ("transcribe = \"http\"", "speech.transcribe_url: required for `http`"),
        ("transcribe = \"command\"", "speech.transcribe_command: required for `command`"),
        (
            "transcribe_url = \"https://me@a.example/v1\"",
            "speech.transcribe_url: must not contain a user name; use transcribe_key",
        ),
        ("transcribe_key = \"a\\nb\"", "speech.transcribe_key: not valid in an HTTP header"),
        ("transcribe_per_call = \"11m\"", "speech.transcribe_per_call: from 1s to 10m"),
        ("transcribe_longest = \"0s\"", "speech.transcribe_longest: from 1s to 4h"),
        ("transcribe_timeout = \"0s\"", "speech.transcribe_timeout: above 0"),
    ] {
        assert_eq!(of(lines).unwrap_err(), expected, "{lines}");
    }
    let http = of(
        "synthesize = \"http\"\nsynthesize_url = \"http://10.0.0.1:9000/v1\"\nvoices = [\"anna\", \"ben\"]",
    );
    let settings = http.unwrap().speech.synthesis().unwrap();
    assert_eq!(
        (settings.service.name.as_str(), settings.default_voice.as_deref()),
        ("10.0.0.1", Some("anna"))
    );
    let command = of(
        "synthesize = \"command\"\nsynthesize_command = [\"/opt/say\", \"-v\", \"{voice}\"]\nvoices = [\"x\"]\nname = \"Narrator\"",
    );
    assert_eq!(command.unwrap().speech.service().as_deref(), Some("Narrator"));
    assert!(of("synthesize = \"off\"").unwrap().speech.synthesis().is_none());
    let speech =
        of("transcribe = \"command\"\ntranscribe_command = [\"/opt/hear\", \"{file}\"]").unwrap().speech;
    assert_eq!(speech.transcription().unwrap().service.name, "hear");
    assert!(of("").unwrap().speech.transcription().is_none());
}

#[test]
fn a_speech_key_is_never_shown() {
    let mut secret = tempfile::NamedTempFile::new().unwrap();
    secret.write_all(b"sk-very-secret\n").unwrap();
    let env = [("CLIPMILL_SPEECH_SYNTHESIZE_KEY_FILE", secret.path().to_str().unwrap())];
    let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let loaded = Config::load_with_origins(None, env).unwrap();
    assert_eq!(loaded.config.speech.synthesize_key.reveal(), "sk-very-secret");
    let settings = format!("{:?} {:?}", loaded.config, loaded.config.speech.synthesis());
    let shown = loaded.show() + &settings;
    assert!(!shown.contains("very-secret"), "{shown}");
    assert!(shown.contains("synthesize_key = \"***\""), "{shown}");
}
