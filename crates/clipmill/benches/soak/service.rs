//! The program under test, in its own folder.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub struct Service {
    pub address: String,
    pub key: String,
    program: PathBuf,
    process: Child,
    data: TempDir,
    logs: TempDir,
}

/// The state after the service has ended.
#[derive(Debug, Default)]
pub struct Left {
    pub exit: Option<i32>,
    /// Processes that still name its folder.
    pub processes: Vec<String>,
    /// What the audit printed, if it found a mistake.
    pub audit: Option<String>,
}

#[allow(clippy::disallowed_methods, reason = "the harness starts the program as a person would")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

impl Service {
    pub fn start(program: &Path, age_s: u64, every_s: u64) -> Self {
        let folder = || tempfile::Builder::new().prefix("clipmill-soak-").tempdir().unwrap();
        let (data, logs) = (folder(), folder());
        let user = ["user", "add", "soak", "--points", "100000000", "--json", "--data"];
        let output = command(program).args(user).arg(data.path()).output().expect("the program to start");
        let user: Value = serde_json::from_slice(&output.stdout).expect("a user");
        let age = format!("{age_s}s");
        let settings = [
            ("FETCH_ALLOW_NETWORKS", "127.0.0.0/8"),
            ("FETCH_ALLOW_PORTS", "*"),
            ("CALLBACKS_SCHEDULE", "0s,1s,2s,3s,5s,5s"),
            ("LIMITS_READ_RATE", "10000/s"),
            ("LIMITS_READ_BURST", "10000"),
            ("LIMITS_SUBMIT_RATE", "10000/s"),
            ("LIMITS_SUBMIT_BURST", "10000"),
            ("RETENTION_RESULTS", &age),
            ("RETENTION_TASKS", &age),
            ("RETENTION_DELIVERIES", &age),
            ("RETENTION_INPUTS", "1h"),
            ("RETENTION_ORPHANS", "1h"),
            ("RETENTION_EVERY", &format!("{every_s}s")),
            ("STORAGE_CACHE_SIZE", "64MiB"),
        ];
        let log = fs::File::create(logs.path().join("serve.log")).unwrap();
        let mut process = command(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data.path())
            .envs(settings.map(|(name, value)| (format!("CLIPMILL_{name}"), value.to_owned())))
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the service to start");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("clipmill listens on ").map(str::to_owned));
        let said = || fs::read_to_string(logs.path().join("serve.log")).unwrap_or_default();
        let address = address.unwrap_or_else(|| panic!("the service does not start:\n{}", said()));
        let key = user["apiKey"].as_str().expect("a key").to_owned();
        Self { address, key, program: program.to_owned(), process, data, logs }
    }

    pub fn folder(&self) -> &Path {
        self.data.path()
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.logs.path().join("serve.log")).unwrap_or_default()
    }

    /// Stops it properly and checks what it leaves behind.
    pub fn stop(&mut self) -> Left {
        if let Some(pid) = rustix::process::Pid::from_raw(self.process.id() as i32) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let exit = self.process.wait().ok().and_then(|status| status.code());
        let audit = command(&self.program).args(["points", "audit", "--data"]).arg(self.folder()).output();
        let audit = match audit {
            Ok(output) if output.status.success() => None,
            Ok(output) => {
                Some(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
            }
            Err(error) => Some(error.to_string()),
        };
        Left { exit, processes: processes_of(self.folder()), audit }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Command lines that name this folder.
fn processes_of(folder: &Path) -> Vec<String> {
    let name = folder.to_string_lossy().into_owned();
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(&name)).collect()
}
