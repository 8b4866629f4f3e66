//! Commands that people copy and run: shell blocks marked `run` in documents, and the last lines of the demo.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::ending::Place;
use crate::harness::{FAST, clipmill, run};
use crate::markdown::{Document, documents, root};
use crate::skipped::skipped;

const KEY: &str = ". data/first-key; KEY=$CLIPMILL_API_KEY\n";

/// Documents whose blocks run in one shell, the commands that precede them, and a file that must exist at the end.
const DOCUMENTS: [(&[&str], &str, &str); 11] = [
    (&["docs/start/install.md"], "", ""),
    (&["docs/start/first-video.md"], "", "result.mp4"),
    (&["docs/guides/music-and-captions.md"], "", "result.mp4"),
    (&["docs/guides/variations.md"], "", "copies.zip"),
    (&["docs/guides/voice-overs.md"], "", "out/results.csv"),
    (&["docs/guides/different-videos.md"], "", "videos.zip"),
    (&["docs/guides/agents.md"], "", ""),
    (&["docs/api/README.md", "docs/api/tasks.md"], KEY, "result.mp4"),
    (&["docs/guides/batches.md"], "", "june.zip"),
    (&["docs/guides/webhooks.md"], "clipmill user add alice --data /var/lib/clipmill\n", ""),
    (
        &[
            "docs/operate/users.md",
            "docs/operate/running.md",
            "docs/operate/data.md",
            "docs/operate/backup.md",
        ],
        "",
        "backup/clipmill-2026-11-21/manifest.json",
    ),
];

/// A service that ends with the test.
struct Running {
    process: Child,
    address: String,
}

impl Running {
    fn of(mut command: Command) -> Self {
        let command = command.env(FAST.0, FAST.1);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("clipmill listens on ").map(str::to_owned));
        // The program must not write into a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { process, address: address.unwrap() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[test]
fn blocks_of_documents_that_are_marked_run() {
    if ["curl", "jq"].iter().any(|tool| !is_installed(tool)) {
        return skipped("shell blocks of the documents", "curl or jq is missing");
    }
    let documents = documents();
    for (paths, before, result) in DOCUMENTS {
        let blocks: Vec<_> = paths.iter().map(|path| runnable(&documents, path).concat()).collect();
        assert!(blocks.iter().all(|blocks| !blocks.is_empty()), "one of {paths:?} has nothing to run");
        run_blocks(&paths.join(", "), &format!("{before}{}", blocks.concat()), result);
    }
    let listed = |path: &String| DOCUMENTS.iter().any(|(listed, ..)| listed.contains(&path.as_str()));
    for document in &documents {
        assert!(
            listed(&document.path) || runnable(&documents, &document.path).is_empty(),
            "{} is not in the list",
            document.path
        );
    }
}

/// The script must end by itself and print the error once.
#[test]
fn the_first_script_ends_with_the_error_of_the_service() {
    if ["curl", "jq"].iter().any(|tool| !is_installed(tool)) {
        return skipped("the first script with a wrong key", "curl or jq is missing");
    }
    let blocks = runnable(&documents(), "docs/start/first-video.md");
    // The last block is for the command line without a service.
    let script = blocks[..blocks.len() - 1].concat();
    for (right, wrong, expected) in [
        ("KEY=$CLIPMILL_API_KEY", "KEY=cm_live_x", "no valid API key"),
        (
            "\"resolution\": \"720:1280\"",
            "\"resolution\": \"1:1\"",
            "/params/options/resolution: must be one of",
        ),
    ] {
        assert!(script.contains(right), "{right}");
        let folder = tempfile::tempdir().unwrap();
        let script =
            format!("timeout 60 bash -eo pipefail <<'SCRIPT'\n{}SCRIPT\n", script.replace(right, wrong));
        let output = run_script(folder.path(), &script);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && output.status.code() != Some(124),
            "{wrong}: {:?}\n{err}",
            output.status
        );
        assert_eq!(err.matches(expected).count(), 1, "{wrong}: {err}");
        assert!(!folder.path().join("result.mp4").exists());
    }
}

/// The blocks of a document that are marked `run`.
fn runnable(documents: &[Document], path: &str) -> Vec<String> {
    let document = documents.iter().find(|document| document.path == path).unwrap();
    let blocks = document.blocks().into_iter();
    let marked = blocks.filter(|block| block.attributes.iter().any(|word| word == "run"));
    marked.map(|block| block.text).collect()
}

fn is_installed(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

fn run_blocks(document: &str, script: &str, result: &str) {
    let folder = tempfile::tempdir().unwrap();
    let output = run_script(folder.path(), script);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{document}:\n{script}\n{out}\n{err}");
    let size = std::fs::metadata(folder.path().join(result)).map_or(0, |file| file.len());
    assert!(size > 0, "{document}: {result} was not made\n{out}\n{err}");
}

/// Runs the script in a folder with the samples, beside a service on `data` at the documented address.
fn run_script(folder: &Path, script: &str) -> Output {
    std::os::unix::fs::symlink(root().canonicalize().unwrap().join("samples"), folder.join("samples"))
        .unwrap();
    std::fs::create_dir(folder.join("backup")).unwrap();
    let data = folder.join("data");
    let service =
        Running::of(clipmill(&["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()]));
    let script = script
        .replace("http://127.0.0.1:8080", &service.address)
        .replace("/var/lib/clipmill", data.to_str().unwrap())
        .replace("/backup", folder.join("backup").to_str().unwrap());
    let program = Path::new(env!("CARGO_BIN_EXE_clipmill"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    #[allow(clippy::disallowed_methods, reason = "a test types what a reader would")]
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .env("PATH", path)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env(FAST.0, FAST.1)
        .current_dir(folder)
        .output()
        .unwrap();
    output
}

/// The command is run as it is printed, from another folder and without the program in PATH.
#[tokio::test]
async fn the_demo_prints_a_command_that_starts_its_service_again() {
    let folder = tempfile::Builder::new().prefix("the demo's data ").tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let (status, _, error) = run(&["user", "add", "demo", "--data", data]);
    assert_eq!(status, 0, "{error}");
    let first = Running::of(clipmill(&["serve", "--listen", "127.0.0.1:0", "--data", data]));
    let address = first.address.clone();
    drop(first);
    let program = Path::new(env!("CARGO_BIN_EXE_clipmill"));
    let text = Place { program, data: folder.path(), address: &address }.stopped("cm_live_x");
    let printed = text.lines().find(|line| line.contains(" serve ")).unwrap();
    #[allow(clippy::disallowed_methods, reason = "a test types what a reader would")]
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec {}", printed.trim())]).env("PATH", "/usr/bin:/bin").current_dir("/");
    let again = Running::of(shell);
    let console = text.split_whitespace().find(|word| word.ends_with("/console")).unwrap();
    assert_eq!(console, format!("{}/console", again.address));
    let response = reqwest::Client::builder().no_proxy().build().unwrap().get(console).send().await.unwrap();
    assert!(response.status().is_success(), "{console}: {}", response.status());
}
