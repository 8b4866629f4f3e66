//! Keys and the audit from the command line, while a service runs.

use serde_json::{Value, json};

use crate::harness::{Service, run};

fn asked(service: &Service, args: &[&str]) -> Value {
    let folder = service.data.path().to_str().unwrap();
    let (status, stdout, stderr) = run(&[args, &["--json", "--data", folder]].concat());
    assert_eq!(status, 0, "{args:?}: {stderr}");
    serde_json::from_str(&stdout).unwrap()
}

#[tokio::test]
async fn keys_are_issued_listed_and_revoked() {
    let mut service = Service::start(100).await;
    let first = asked(&service, &["key", "list", "tester"]);
    assert_eq!(first.as_array().unwrap().len(), 1);
    assert_eq!(first[0]["scopes"], json!(["read", "submit"]));

    let issued = asked(&service, &["key", "issue", "tester", "--scope", "read", "--expires", "90d"]);
    let (key, id) = (issued["apiKey"].as_str().unwrap(), issued["keyId"].as_i64().unwrap());
    assert_eq!(issued["scopes"], json!(["read"]));
    assert!(issued["expireTime"].is_string());
    service.use_key(key);
    service.get("/video-process/balance").await;
    let request = json!({ "taskType": "baseVideoMix", "params": { "videoList": [
        { "videos": [{ "url": "https://example.com/a.mp4" }] }] } });
    let (status, refused) = service.submit(&request).await;
    assert_eq!((status, &refused["data"]), (403, &json!({ "scope": "submit" })));

    let users = asked(&service, &["user", "list"]);
    let tester = users.as_array().unwrap().iter().find(|user| user["name"] == "tester").unwrap();
    assert!(tester["balance"].is_u64() && tester["off"] == false, "{users}");
    assert_eq!(asked(&service, &["user", "list", "--search", "no such name"]), json!([]));

    let listed = asked(&service, &["key", "list", "tester"]);
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert!(key.starts_with(listed[0]["prefix"].as_str().unwrap()) && !listed.to_string().contains(key));
    let revoked = asked(&service, &["key", "revoke", &id.to_string()]);
    assert!(revoked["revokeTime"].is_string());
    let (status, refused) = service.submit(&request).await;
    assert_eq!((status, &refused["code"]), (401, &json!(40101)));
}

/// What a command that succeeds prints.
fn output(data: &str, args: &[&str]) -> String {
    let (status, stdout, stderr) = run(&[args, &["--data", data]].concat());
    assert_eq!(status, 0, "{args:?}: {stderr}");
    stdout
}

#[test]
fn users_are_listed_found_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let ask = |args: &[&str]| output(data, args);
    let list = |args: &[&str]| ask(&[&["user", "list"], args].concat());
    for (name, points) in [("alice", "10"), ("bob", "0"), ("Albert", "1")] {
        ask(&["user", "add", name, "--points", points]);
    }
    ask(&["user", "off", "bob", "--reason", "unpaid"]);
    let all = list(&[]);
    let mut lines: Vec<&str> = all.lines().collect();
    lines.sort_unstable();
    let expected = [
        "Albert: 1 point, 0 held, 0 tasks",
        "alice: 10 points, 0 held, 0 tasks",
        "bob: 0 points, 0 held, 0 tasks, disabled",
    ];
    assert_eq!(lines, expected);
    assert_eq!(list(&["--search", "bo"]), format!("{}\n", expected[2]));
    assert_eq!(ask(&["points", "show", "Albert"]), "Albert: 1 point available, 0 held\n");
    let limited = list(&["--search", "al", "--limit", "1"]);
    let lines: Vec<&str> = limited.lines().collect();
    assert_eq!((lines.len(), lines[1]), (2, "1 of 2 users; use --limit to print more"), "{limited}");
    let (status, _, stderr) = run(&["user", "list", "--limit", "0", "--data", data]);
    assert_eq!(status, 2, "{stderr}");
}

#[test]
fn a_secret_without_overlap_is_revoked_now() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let ask = |args: &[&str]| output(data, args);
    ask(&["user", "add", "ann"]);
    for (command, revoked) in [
        (&["user", "rotate-secret", "ann"][..], "The previous secret is revoked now."),
        (&["rotate-links"], "Links signed with the previous secret are revoked now."),
    ] {
        let with_overlap = ask(&[command, &["--overlap", "1h"]].concat());
        assert!(with_overlap.contains("valid until") && !with_overlap.contains("revoked"), "{with_overlap}");
        let without = ask(&[command, &["--overlap", "0s"]].concat());
        assert!(without.contains(revoked) && !without.contains("valid until"), "{without}");
    }
}

#[test]
fn wrong_commands_end_with_two() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    for args in [
        &["key", "issue", "nobody"][..],
        &["key", "issue", "nobody", "--scope", "all"],
        &["key", "issue", "nobody", "--expires", "tomorrow"],
        &["key", "list", "nobody"],
        &["key", "revoke", "7"],
    ] {
        let (status, stdout, stderr) = run(&[args, &["--data", data]].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        assert!(!stderr.is_empty());
    }
}

#[test]
fn only_a_new_user_creates_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let at = data.to_str().unwrap();
    for args in
        [&["user", "list"][..], &["user", "invite", "ann"], &["key", "list", "ann"], &["points", "audit"]]
    {
        let (status, _, stderr) = run(&[args, &["--data", at]].concat());
        assert_eq!(status, 2, "{args:?}: {stderr}");
        assert!(stderr.contains("there is no database") && stderr.contains("--config"), "{stderr}");
        assert!(!data.exists(), "{args:?}");
    }
    let (status, _, stderr) = run(&["user", "add", "ann", "--data", at]);
    assert!(status == 0 && stderr.contains("created the database"), "{stderr}");
    let (status, _, stderr) = run(&["user", "add", "bob", "--data", at]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let (status, link, stderr) = run(&["user", "invite", "bob", "--data", at]);
    assert!(status == 0 && link.contains("/console#invitation="), "{stderr}");
    assert!(stderr.contains("server.public_url is not set"), "{stderr}");
}

#[test]
fn the_audit_ends_with_one_and_names_the_difference() {
    const POINTS: u64 = 0x0074_cbb1;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    assert_eq!(run(&["user", "add", "ann", "--points", &POINTS.to_string(), "--data", data]).0, 0);
    assert_eq!(run(&["points", "audit", "--data", data]).0, 0);

    // A balance as SQLite writes it: a header of five bytes, then the points in three.
    let file = folder.path().join("clipmill.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let row = [5, 0, 3, 8, 9, 0x74, 0xcb, 0xb1];
    let places: Vec<usize> =
        bytes.windows(row.len()).enumerate().filter(|(_, found)| *found == row).map(|(at, _)| at).collect();
    assert_eq!(places.len(), 1, "the balance is found once; the database was closed whole");
    bytes[places[0] + 7] += 1;
    std::fs::write(&file, bytes).unwrap();

    let (status, stdout, stderr) = run(&["points", "audit", "--data", data]);
    assert_eq!(status, 1, "{stderr}");
    let named = format!("user 1 has {} available, replayed it is {POINTS}", POINTS + 1);
    assert!(stdout.contains(&named), "{stdout}");
}

/// The data folder contains keys that sign links and callbacks, and the first user's key. Other users cannot read it,
/// and no secret is printed to logs.
#[tokio::test]
async fn only_the_owner_of_the_data_folder_can_read_secrets() {
    let data = tempfile::tempdir().unwrap();
    let mode = |name: &str| {
        let metadata = std::fs::metadata(data.path().join(name)).unwrap();
        std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777
    };
    let open = |name: &str, mode: u32| {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(data.path().join(name), permissions).unwrap();
    };
    let first_lines = || {
        let mut process = crate::harness::clipmill(&["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data.path())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let lines = std::io::BufRead::lines(std::io::BufReader::new(process.stdout.take().unwrap()));
        let mut lines_read = Vec::new();
        for line in lines.map_while(Result::ok) {
            lines_read.push(line);
            if lines_read.last().is_some_and(|line| line.starts_with("clipmill listens on ")) {
                break;
            }
        }
        process.kill().unwrap();
        let log = process.wait_with_output().unwrap().stderr;
        (lines_read.join("\n"), String::from_utf8(log).unwrap())
    };
    let (told, log) = first_lines();
    let kept = std::fs::read_to_string(data.path().join("first-key")).unwrap();
    let secret = |name: &str| kept.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
    let (key, webhooks) = (secret("CLIPMILL_API_KEY="), secret("CLIPMILL_WEBHOOK_SECRET="));
    assert!(key.starts_with("cm_live_") && webhooks.starts_with("whsec_"), "{kept}");
    assert!(told.contains("first-key"), "{told}");
    assert!(
        !format!("{told}{log}").contains(&key) && !format!("{told}{log}").contains(&webhooks),
        "{told}{log}"
    );
    assert_eq!([mode("."), mode("clipmill.db"), mode("first-key")], [0o700, 0o600, 0o600]);
    let folder = data.path().to_str().unwrap();
    let (status, keys, _) = crate::harness::run(&["key", "list", "first", "--data", folder]);
    assert_eq!(status, 0);
    assert!(keys.contains("read,submit") && !keys.contains("admin"), "{keys}");

    // Permissions of an earlier version are tightened, which is logged.
    open(".", 0o755);
    open("clipmill.db", 0o644);
    let (_, log) = first_lines();
    assert_eq!([mode("."), mode("clipmill.db")], [0o700, 0o600]);
    assert!(log.contains("clipmill.db holds secrets"), "{log}");
}
