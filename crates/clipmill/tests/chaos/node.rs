//! One process of the service, with ways of its own to the database and to the bucket.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::fault_proxy::{FaultProxy, Target};
use crate::harness::clipmill;
use crate::s3_server::{self, SECRET};

pub struct Node {
    /// How the process calls itself: a worker's name, or an address.
    pub name: String,
    pub data: PathBuf,
    pub database: FaultProxy,
    pub bucket: FaultProxy,
    /// Address of its metrics, where it serves them.
    pub metrics: String,
    log: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    process: Option<Child>,
}

/// What all nodes of a cluster have in common.
pub struct Common {
    pub socket: PathBuf,
    pub database: String,
    /// If files are stored in a folder, all nodes share it.
    pub one_folder: bool,
    /// Host and port.
    pub s3: String,
    pub variables: Vec<(String, String)>,
}

impl Node {
    /// A process that is not started yet. `arguments` are the command and its arguments.
    pub async fn new(common: &Common, data: PathBuf, log: &Path, arguments: &[&str]) -> Self {
        let database = FaultProxy::open(Target::Unix(common.socket.clone())).await;
        let bucket = FaultProxy::open(Target::Tcp(common.s3.clone())).await;
        let url =
            format!("postgres://clipmill@127.0.0.1:{}/{}?sslmode=disable", database.port, common.database);
        let mut environment = s3_server::variables(&format!("http://127.0.0.1:{}", bucket.port), SECRET);
        environment.push(("CLIPMILL_DATABASE_URL".to_owned(), url));
        environment.extend(common.variables.iter().cloned());
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        let log = log.to_owned();
        let (name, metrics) = (String::new(), String::new());
        Self { name, data, database, bucket, metrics, log, arguments, environment, process: None }
    }

    /// Sets an environment variable, which counts from the next start on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    pub fn start(&mut self) {
        assert!(self.process.is_none(), "it runs");
        std::fs::create_dir_all(&self.data).unwrap();
        let log = File::options().create(true).append(true).open(&self.log).unwrap();
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let mut process = clipmill(&arguments)
            .args(["--data".as_ref(), self.data.as_os_str()])
            .envs(self.environment.iter().cloned())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let name = lines.find_map(|line| {
            let listens = line.strip_prefix("clipmill listens on ").map(str::to_owned);
            let works = line.strip_prefix("clipmill worker ").and_then(|rest| rest.split(' ').next());
            listens.or(works.map(str::to_owned))
        });
        self.name = name.unwrap_or_else(|| panic!("it does not start:\n{}", self.log()));
        if self.environment.iter().any(|(name, _)| name == "CLIPMILL_METRICS_LISTEN") && !self.is_api() {
            let served =
                lines.find_map(|line| line.strip_prefix("metrics are served on ").map(str::to_owned));
            self.metrics = served.expect("an address");
        }
        // Whatever else it says is of no interest, but must have somewhere to go.
        std::thread::spawn(move || lines.for_each(drop));
        self.process = Some(process);
    }

    fn is_api(&self) -> bool {
        self.arguments.first().is_some_and(|word| word == "serve")
    }

    pub fn runs(&self) -> bool {
        self.process.is_some()
    }

    /// `kill -9`: without any shutdown.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Waits for the end that it was asked for; returns the exit status.
    pub fn ended(&mut self) -> Option<i32> {
        self.process.take().unwrap().wait().unwrap().code()
    }

    pub fn has_ended(&mut self) -> bool {
        self.process.as_mut().is_none_or(|process| process.try_wait().unwrap().is_some())
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.process.as_ref().expect("a process that runs").id() as i32).unwrap()
    }

    /// Its ffmpeg whose arguments contain all of these.
    pub fn ffmpeg(&self, with: &[&str]) -> Option<Pid> {
        self.ffmpegs(with).first().copied()
    }

    pub fn ffmpegs(&self, with: &[&str]) -> Vec<Pid> {
        let Some(process) = &self.process else { return Vec::new() };
        let matching = children(process.id()).filter(|(_, line)| with.iter().all(|word| line.contains(word)));
        matching.map(|(pid, _)| pid).collect()
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Processes called ffmpeg, with their command lines.
fn ffmpegs() -> impl Iterator<Item = (u32, String)> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes.filter_map(|process| {
        let pid = process.file_name().to_str()?.parse().ok()?;
        let line = std::fs::read(process.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        // A worker tests itself before it works.
        (line.starts_with("ffmpeg") && !line.contains("/self-test-")).then_some((pid, line))
    })
}

fn children(parent: u32) -> impl Iterator<Item = (Pid, String)> {
    ffmpegs().filter_map(move |(pid, line)| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let of: u32 = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
        (of == parent).then_some((Pid::from_raw(pid as i32)?, line))
    })
}

/// How many ffmpegs work in this folder.
pub fn ffmpegs_in(folder: &Path) -> usize {
    ffmpegs().filter(|(_, line)| line.contains(folder.to_str().unwrap())).count()
}
