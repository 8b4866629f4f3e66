//! A service whose limit of open files does not suffice for its configuration does not start.

use std::process::{Command, Output};

/// Runs `clipmill serve` with a limit of open files. It ends by itself, or is refused a folder below a file.
fn serve(limit: u64, data: &str, variables: &[(&str, &str)]) -> Output {
    let script = format!("ulimit -n {limit}; exec \"$0\" serve --listen 127.0.0.1:0 --data {data}");
    #[allow(clippy::disallowed_methods, reason = "a test starts the program as a person would")]
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_clipmill")]).envs(variables.iter().copied());
    command.output().unwrap()
}

#[test]
fn too_low_a_limit_is_refused_with_the_number_that_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let variables = [
        ("CLIPMILL_SERVER_MAX_CONNECTIONS", "100"),
        ("CLIPMILL_WORKER_SLOTS", "2"),
        ("CLIPMILL_LIMITS_PREVIEWS", "1"),
        ("CLIPMILL_LIMITS_LOOKS", "8"),
    ];
    // The base, the database, connections with files, probes and previews, slots.
    let needed = 256 + 10 + 150 + (8 + 4) * 8 + 2 * 16;
    let data = folder.path().join("data");
    let refused = serve(needed - 1, data.to_str().unwrap(), &variables);
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success());
    assert!(text.contains(&format!("at most {} files can be open", needed - 1)), "{text}");
    assert!(text.contains(&format!("needs {needed}")) && text.contains("server.max_connections"), "{text}");
    assert!(!data.join("clipmill.db").exists(), "nothing was begun");

    // With one more, it starts, and fails where its folder cannot be made.
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let started = serve(needed, file.join("data").to_str().unwrap(), &variables);
    let text = String::from_utf8_lossy(&started.stderr);
    assert!(text.contains("cannot use") && !text.contains("files can be open"), "{text}");
}
