//! A private PostgreSQL server of the test program: created at the first use, removed when the program ends in any way.

#![allow(clippy::disallowed_methods, reason = "tests start a database server")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]
#![allow(dead_code, reason = "not every test program uses all of it")]

use std::io::{BufRead, BufReader};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The user of the server if the tests run as root, which it refuses.
const NOBODY: u32 = 65_534;

/// Runs the server until the script's input ends, which happens when the starting process ends.
const SCRIPT: &str = r#"
    cd "$1" && PATH="$2:$PATH" && export LC_ALL=C
    initdb -D data -U clipmill -A trust -E UTF8 --no-locale --no-sync --no-instructions >log 2>&1 &&
    pg_ctl -D data -l server.log -w -t 120 -o "-k '$1' -c listen_addresses='' -c port=5432 -c fsync=off \
        -c full_page_writes=off -c synchronous_commit=off -c shared_buffers=64MB -c max_connections=400 \
        $3" start >>log 2>&1 && echo ready || { cat log server.log; echo failed; }
    cat >/dev/null
    pg_ctl -D data -m immediate stop >/dev/null 2>&1
    cd / && rm -rf "$1"
"#;

pub struct Server {
    folder: PathBuf,
    bin: PathBuf,
    databases: AtomicU32,
    _child: Child,
}

/// A database of the server, dropped after use.
pub struct Database {
    pub name: String,
    pub url: String,
}

/// The one server of this program.
pub fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start(""))
}

impl Server {
    /// Starts a server with further settings, as `-c name=value`.
    pub fn start(settings: &str) -> Self {
        let bin = binaries();
        let folder = tempfile::Builder::new().prefix("clipmill-pg-").tempdir().unwrap().keep();
        if runs_as_root() {
            chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let mut command = as_servant("sh");
        let script = ["-c", SCRIPT, "sh"].map(str::to_owned);
        let arguments = [folder.to_string_lossy().into(), bin.to_string_lossy().into(), settings.to_owned()];
        let mut child = command
            .args(script.into_iter().chain(arguments))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("setpriv (util-linux) and sh to start the database server");
        let mut log = String::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
            if line == "ready" {
                return Self { folder, bin, databases: AtomicU32::new(0), _child: child };
            }
            if line == "failed" {
                break;
            }
            log = log + &line + "\n";
        }
        // Its script ends with its input.
        drop(child.stdin.take());
        let _ = child.wait();
        panic!("the database server did not start:\n{log}");
    }

    /// An empty database, or one like `template`.
    pub fn database(&'static self, template: Option<&str>) -> Database {
        let name = format!("t{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let like = template.map(|template| format!(" TEMPLATE {template}")).unwrap_or_default();
        self.run("postgres", &format!("CREATE DATABASE {name}{like}"));
        Database { url: self.url(&name), name }
    }

    /// Its address.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// Stops the server and starts it again: `fast` is a clean stop, `immediate` is like a crash.
    pub fn restart(&self, mode: &str) {
        let done = as_servant("sh")
            .args(["-c", r#"cd "$1" && exec "$2" -D data -l server.log -w -t 120 -m "$3" restart"#, "sh"])
            .args([self.folder.as_os_str(), self.bin.join("pg_ctl").as_os_str(), mode.as_ref()])
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(done.success(), "the database server does not come back");
    }

    /// A session that statements are written to; it ends with its input.
    pub fn session(&self, database: &str) -> Child {
        Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-U", "clipmill", "-h"])
            .arg(&self.folder)
            .args(["-d", database])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    pub fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=clipmill", self.folder.display())
    }

    /// Runs statements like a database tool; returns their output, or panics.
    pub fn run(&self, database: &str, sql: &str) -> String {
        self.try_run(database, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    pub fn try_run(&self, database: &str, sql: &str) -> Result<String, String> {
        let done = Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "clipmill", "-h"])
            .arg(&self.folder)
            .args(["-d", database, "-c", sql])
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        if done.status.success() { Ok(text(done.stdout)) } else { Err(text(done.stderr)) }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        std::thread::spawn(move || server().try_run("postgres", &sql));
    }
}

/// A command for a program that runs as the server's user.
fn as_servant(program: &str) -> Command {
    if !runs_as_root() {
        return Command::new(program);
    }
    let (mut command, nobody) = (Command::new("setpriv"), NOBODY.to_string());
    command.args(["--reuid", &nobody, "--regid", &nobody, "--clear-groups", program]);
    command
}

fn runs_as_root() -> bool {
    let me = Path::new("/proc/self").metadata();
    me.is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0)
}

/// Debian keeps the server's programs out of the search path.
fn binaries() -> PathBuf {
    let mut places: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|versions| versions.flatten().map(|version| version.path().join("bin")).collect())
        .unwrap_or_default();
    places.sort();
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let folder = places
        .into_iter()
        .rev()
        .find(|place| ["initdb", "pg_ctl", "psql"].iter().all(|p| place.join(p).exists()));
    folder.expect("PostgreSQL's server programs; `scripts/install-deps.sh test` installs them")
}
