//! A compromised decoder cannot access anything beyond its own files. ffmpeg and a shell act as attackers, started in
//! the same way as the service starts ffmpeg.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, ProcessError, Program};
use clipmill_media::ffmpeg::sandbox::{Confinement, Sandbox, SandboxSettings};
use clipmill_media::toolchain;

const LONG: Limits = Limits::wall(Duration::from_secs(120));
const MEMORY: u64 = 2 << 30;

fn ffmpeg() -> Ffmpeg {
    let helper = env!("CARGO_BIN_EXE_clipmill").into();
    Ffmpeg::confined(Sandbox::On(SandboxSettings { helper, memory_bytes: MEMORY, readable: Vec::new() }))
}

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

fn confinement() -> Confinement {
    Confinement {
        parent: std::process::id(),
        memory_bytes: MEMORY,
        cpu_seconds: 60,
        file_bytes: 1 << 20,
        niceness: 0,
        read: Vec::new(),
        write: Vec::new(),
        devices: Vec::new(),
        variables: Vec::new(),
    }
}

fn command(program: &Path) -> Command {
    #[allow(clippy::disallowed_methods, reason = "a test starts the program as the service does")]
    Command::new(program)
}

/// The helper's command line for a program.
fn caged(confinement: &Confinement, program: &str, args: &[&str]) -> Command {
    let mut command = command(Path::new(env!("CARGO_BIN_EXE_clipmill")));
    command.args(confinement.to_args()).arg(program).args(args).stdin(Stdio::null());
    command
}

/// A confined shell; only its built-in commands work, since it cannot start programs. It reads no settings: bash
/// would if it assumed a remote shell.
fn shell(confinement: &Confinement, script: &str) -> Output {
    caged(confinement, "bash", &["--norc", "-c", script]).output().expect("bash must be installed")
}

/// The folders of two tasks: the confined one's and another's.
struct Tasks {
    folder: tempfile::TempDir,
}

impl Tasks {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for task in ["ours", "theirs"] {
            std::fs::create_dir(folder.path().join(task)).unwrap();
            std::fs::write(folder.path().join(task).join("secret.txt"), "secret\n").unwrap();
            let clip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/city.mp4");
            std::fs::copy(clip, folder.path().join(task).join("clip.mp4")).unwrap();
        }
        Self { folder }
    }

    fn ours(&self, name: &str) -> PathBuf {
        self.folder.path().join("ours").join(name)
    }

    fn theirs(&self, name: &str) -> PathBuf {
        self.folder.path().join("theirs").join(name)
    }

    async fn run(&self, args: &[OsString], limits: Limits) -> Result<(), ProcessError> {
        ffmpeg().run_ffmpeg(args, Some(&self.ours("")), limits, |_| {}).await.map(|_| ())
    }
}

/// Runs a script in a confined shell, which must completely succeed or fail.
fn check_files(tasks: &Tasks, script: &str, allowed: bool) {
    let confinement =
        Confinement { read: vec![tasks.theirs("clip.mp4")], write: vec![tasks.ours("")], ..confinement() };
    let script = script
        .replace("OURS", tasks.ours("").to_str().unwrap())
        .replace("THEIRS", tasks.theirs("").to_str().unwrap())
        .replace("SERVICE", &std::process::id().to_string());
    let output = shell(&confinement, &script);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.success(), allowed, "{script}: {text}");
    assert_eq!(text.contains("denied") || text.contains("not permitted"), !allowed, "{script}: {text}");
}

#[test]
fn only_named_files_can_be_opened() {
    let tasks = Tasks::new();
    for (script, allowed) in [
        ("read -r line < OURS/secret.txt", true),
        ("echo x > OURS/new.mp4 && read -r line < OURS/new.mp4", true),
        ("read -r -n 1 byte < THEIRS/clip.mp4; true", true),
        ("read -r line < THEIRS/secret.txt", false),
        ("echo x > THEIRS/clip.mp4", false),
        ("echo x > THEIRS/new.mp4", false),
        ("read -r line < OURS/../theirs/secret.txt", false),
        ("read -r line < /etc/passwd", false),
        ("read -r line < /proc/SERVICE/environ", false),
        ("read -r line < /proc/self/environ", false),
        ("echo x > /tmp/clipmill-escape", false),
        ("exec /bin/cat OURS/secret.txt", false),
    ] {
        check_files(&tasks, script, allowed);
    }
}

#[test]
fn a_link_in_the_own_folder_cannot_be_followed() {
    let tasks = Tasks::new();
    std::os::unix::fs::symlink(tasks.theirs("secret.txt"), tasks.ours("link")).unwrap();
    check_files(&tasks, "read -r line < OURS/link", false);
}

#[test]
fn other_processes_and_new_ones_are_out_of_reach() {
    for script in ["kill -0 $PPID", "kill -9 $PPID", "/bin/true & wait $!", "ulimit -v 99999999"] {
        let output = shell(&confinement(), script);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let refused = text.contains("not permitted") || text.contains("denied");
        assert!(refused && !output.status.success(), "{script}: {:?} {text}", output.status);
    }
}

#[test]
fn only_the_pipes_are_inherited() {
    let lines = std::fs::read_dir("/proc/self/fd").unwrap().count();
    assert!(lines > 3, "the test itself has files open");
    // The shell's own descriptor of the folder that it lists would be 3 or 255.
    let script = "for i in 3 4 5 6 7 8 9; do if { true <&$i; } 2>/dev/null; then echo open $i; fi; done";
    let output = shell(&confinement(), script);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}

/// The same attacks through ffmpeg's own inputs, filters and protocols.
#[tokio::test]
async fn ffmpeg_opens_neither_files_of_others_nor_sockets() {
    let tasks = Tasks::new();
    let canary = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    canary.set_nonblocking(true).unwrap();
    let address = canary.local_addr().unwrap();
    let theirs = tasks.theirs("clip.mp4");
    let script = tasks.ours("script.txt");
    std::fs::write(&script, format!("ffconcat version 1.0\nfile 'file:{}'\n", theirs.display())).unwrap();
    for attack in [
        format!("-f lavfi -i movie={}", theirs.display()),
        format!("-f lavfi -i color=d=1,subtitles=filename={}", theirs.display()),
        format!("-f concat -safe 0 -i {}", script.display()),
        format!("-f lavfi -i movie=http\\\\\\://{address}/x.mp4"),
        format!("-i http://{address}/clip.mp4"),
        format!("-i tcp://{address}"),
        format!("-i udp://{address}"),
        format!("-i unix:{}", tasks.ours("socket").display()),
        "-f lavfi -i color=d=1 -f rawvideo tcp://ADDRESS".replace("ADDRESS", &address.to_string()),
    ] {
        let mut args = words(&attack);
        args.extend(words("-frames:v 1 -f null -"));
        let error = tasks.run(&args, LONG).await.expect_err(&attack);
        let said = error.stderr().to_owned();
        assert!(said.contains("denied") || said.contains("not permitted"), "{attack}: {error} {said}");
    }
    assert!(canary.accept().is_err(), "somebody called");
    // The whole attack succeeds without confinement, so the test is able to fail.
    let free = Ffmpeg::default();
    let args = words(&format!("-f lavfi -i movie={} -frames:v 1 -f null -", theirs.display()));
    free.run_ffmpeg(&args, None, LONG, |_| {}).await.unwrap();
}

#[tokio::test]
async fn memory_is_limited() {
    let tasks = Tasks::new();
    // `reverse` keeps every frame: 64 MiB each.
    let args = words("-f lavfi -i color=s=4096x4096:r=1:d=200 -vf format=rgba,hflip,reverse -f null -");
    let error = tasks.run(&args, LONG).await.unwrap_err();
    assert!(error.stderr().contains("Cannot allocate memory"), "{error} {}", error.stderr());
}

#[tokio::test]
async fn files_are_limited() {
    let tasks = Tasks::new();
    let output = tasks.ours("endless.raw");
    let mut args = words("-f lavfi -i testsrc2=s=640x360 -f rawvideo");
    args.push(clipmill_media::paths::file_url(&output));
    let error = tasks.run(&args, LONG.file_bytes(5_000_000)).await.unwrap_err();
    assert!(matches!(error, ProcessError::TooMuchOutput { limit: 5_000_000 }), "{error}");
    assert!(std::fs::metadata(&output).unwrap().len() <= 5_000_000);
}

#[test]
fn time_is_limited() {
    let one_second = Confinement { cpu_seconds: 1, ..confinement() };
    let status = shell(&one_second, "while :; do :; done").status;
    assert_eq!(status.signal(), Some(libc::SIGXCPU), "{status}");
}

/// Background runs get a lower priority than runs that a client waits for.
#[test]
fn the_priority_is_lowered_as_requested() {
    for niceness in [0, 5] {
        let confinement = Confinement { niceness, ..confinement() };
        let mut running = caged(&confinement, "bash", &["-c", "echo here; while :; do :; done"]);
        let mut running = running.stdout(Stdio::piped()).spawn().unwrap();
        running.stdout.take().unwrap().read_exact(&mut [0; 5]).unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", running.id())).unwrap();
        running.kill().unwrap();
        running.wait().unwrap();
        let nice = |stat: &str| {
            stat.rsplit_once(") ").unwrap().1.split(' ').nth(16).unwrap().parse::<u32>().unwrap()
        };
        let ours = nice(&std::fs::read_to_string("/proc/self/stat").unwrap());
        assert_eq!(nice(&stat), (ours + niceness).min(19));
    }
}

/// The parent here is a shell that is killed; its confined child must not outlive it.
#[test]
fn a_child_dies_with_its_parent() {
    let helper = env!("CARGO_BIN_EXE_clipmill");
    let script =
        format!("{helper} sandbox-exec $$ {MEMORY} 60 0 0 -- bash -c 'echo here; while :; do :; done'");
    let mut parent = command(Path::new("bash"));
    // A second command prevents the shell from replacing itself by the child.
    let mut parent = parent.args(["-c", &format!("{script}; true")]).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = parent.stdout.take().unwrap();
    let mut here = [0; 5];
    stdout.read_exact(&mut here).unwrap();
    assert_eq!(&here, b"here\n");
    parent.kill().unwrap();
    parent.wait().unwrap();
    // The pipe ends when its last writer, the child, is gone.
    assert_eq!(stdout.read(&mut here).unwrap(), 0);
}

#[test]
fn a_child_whose_parent_is_gone_does_not_start() {
    let orphan = Confinement { parent: 1, ..confinement() };
    let output = shell(&orphan, "echo started");
    assert_eq!(output.status.code(), Some(125));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "sandbox: the service has ended\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}

#[tokio::test]
async fn a_program_that_cannot_be_confined_does_not_run() {
    let mut nowhere = ffmpeg();
    nowhere.ffprobe = "/nonexistent/ffprobe".into();
    let error = nowhere.output(Program::Ffprobe, &words("-version"), LONG).await.unwrap_err();
    assert!(matches!(&error, ProcessError::NotConfined(why) if why.contains("ffprobe")), "{error}");
}

#[tokio::test]
async fn a_script_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let mut scripted = ffmpeg();
    scripted.ffmpeg = folder.path().join("ffmpeg");
    std::fs::write(&scripted.ffmpeg, "#!/bin/sh\nexec ffmpeg \"$@\"\n").unwrap();
    std::fs::set_permissions(&scripted.ffmpeg, PermissionsExt::from_mode(0o755)).unwrap();
    let error = toolchain::detect(&scripted).await.unwrap_err().to_string();
    assert!(error.contains("let PATH find the program itself"), "{error}");
}

/// The program and a clip in a folder of an ordinary user: `nobody` if root runs the test, otherwise the current user.
struct Nobody {
    folder: tempfile::TempDir,
    uid: u32,
    gid: u32,
}

impl Nobody {
    const ID: u32 = 65534;

    fn new() -> Self {
        let (uid, gid) = match rustix::process::getuid() {
            own if own.is_root() => (Self::ID, Self::ID),
            own => (own.as_raw(), rustix::process::getgid().as_raw()),
        };
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_clipmill"), folder.path().join("clipmill")).unwrap();
        let clip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/city.mp4");
        std::fs::copy(clip, folder.path().join("city.mp4")).unwrap();
        std::os::unix::fs::chown(folder.path(), Some(uid), Some(gid)).unwrap();
        Self { folder, uid, gid }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The output of the program with these arguments, started by this user in that folder.
    fn runs<I: AsRef<std::ffi::OsStr>>(&self, args: impl IntoIterator<Item = I>) -> Output {
        let mut line = command(&self.path("clipmill"));
        line.args(args).uid(self.uid).gid(self.gid).env("HOME", self.folder.path()).stdin(Stdio::null());
        line.current_dir(self.folder.path()).output().unwrap()
    }
}

#[test]
fn a_variable_is_set_only_for_the_program() {
    let variables = vec![("LD_OWN".into(), "a =b".into())];
    let output = shell(&Confinement { variables, ..confinement() }, "echo \"$LD_OWN\"");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a =b\n");
}

/// An ordinary user can confine as well as root.
#[test]
fn confinement_needs_no_privileges() {
    let nobody = Nobody::new();
    let confinement = Confinement { read: vec!["/etc/hostname".into()], ..confinement() };
    let mut args = confinement.to_args();
    args.extend(["bash", "-c", "read -r line < /etc/passwd"].map(OsString::from));
    let output = nobody.runs(args);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("/etc/passwd: Permission denied"), "{text}");
}

#[test]
fn an_ordinary_user_examines_and_renders() {
    let nobody = Nobody::new();
    let output = nobody.runs(["doctor", "--data", "data"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("ok    sandbox: every ffmpeg is confined"), "{text}");
    assert!(text.contains("ok    storage: ") && text.contains("ok    database: "), "{text}");

    let request = serde_json::json!({ "taskType": "baseVideoMix", "params": { "videoList": [
        { "videos": [{ "url": "city.mp4" }], "totalDuration": 0.5 }] } });
    std::fs::write(nobody.path("request.json"), request.to_string()).unwrap();
    let output = nobody.runs(["render", "request.json", "-o", "out", "--cache", "cache"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let made = std::fs::metadata(nobody.path("out").join("1.mp4")).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::uid(&made), nobody.uid);
}

/// Runs the program on a kernel without Landlock.
fn without_landlock(args: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut line = command(Path::new(env!("CARGO_BIN_EXE_clipmill")));
    line.args(args).envs(environment.iter().copied()).stdin(Stdio::null());
    let run = move || {
        let rules = [(libc::SYS_landlock_create_ruleset, Vec::new())].into();
        let (allow, absent) = (
            seccompiler::SeccompAction::Allow,
            seccompiler::SeccompAction::Errno(libc::ENOSYS.cast_unsigned()),
        );
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let filter = seccompiler::SeccompFilter::new(rules, allow, absent, arch).unwrap();
        let program: seccompiler::BpfProgram = filter.try_into().unwrap();
        // This applies to this thread and its children.
        seccompiler::apply_filter(&program).unwrap();
        line.output().unwrap()
    };
    std::thread::spawn(run).join().unwrap()
}

#[test]
fn a_kernel_that_cannot_confine_is_refused_unless_configured() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let request = folder.path().join("request.json");
    let clip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/city.mp4");
    let body = serde_json::json!({ "taskType": "baseVideoMix", "params": { "videoList": [
        { "videos": [{ "url": clip }], "totalDuration": 0.5 }] } });
    std::fs::write(&request, body.to_string()).unwrap();
    let render = ["render", request.to_str().unwrap(), "-o", data, "--cache", &format!("{data}/cache")]
        .map(str::to_owned);
    let render: Vec<&str> = render.iter().map(String::as_str).collect();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--data", data];
    for line in [&serve[..], &render[..]] {
        let output = without_landlock(line, &[]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{line:?}: {text}");
        assert!(text.contains("Landlock") && text.contains("sandbox = \"off\""), "{line:?}: {text}");
    }
    let output = without_landlock(&["doctor", "--data", data], &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("WRONG sandbox: files cannot be confined, because Landlock"), "{text}");
    assert!(text.contains("ffmpeg: not checked"), "nothing runs unconfined, not even its version: {text}");

    let off = [("CLIPMILL_WORKER_SANDBOX", "off")];
    let output = without_landlock(&render, &off);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_device_is_open_only_to_the_encoder() {
    let tasks = Tasks::new();
    let check = |devices: &[&str], script: &str, allowed| {
        let devices = devices.iter().map(PathBuf::from).collect();
        let confinement = Confinement { devices, write: vec![tasks.ours("")], ..confinement() };
        let script = script.replace("THEIRS", tasks.theirs("").to_str().unwrap());
        let output = shell(&confinement, &script);
        assert_eq!(output.status.success(), allowed, "{script}: {output:?}");
    };
    // Without confinement, every user may write to it.
    check(&[], "echo x > /dev/random", false);
    check(&["/dev/random"], "echo x > /dev/random", true);
    check(&["/dev/dri", "/dev/random"], "read -r -n 1 byte < /dev/random; true", true);
    check(&["/dev/random"], "echo x > /dev/full", false);
    check(&["/dev/random"], "read -r line < THEIRS/secret.txt", false);
    check(&["/dev/random"], "read -r line < /proc/1/environ", false);
    check(&["/dev/dri"], "read -r line < /proc/cpuinfo", true);
    check(&[], "read -r line < /proc/cpuinfo", false);
}

#[tokio::test]
async fn frames_pass_from_one_confined_process_to_another() {
    let tasks = Tasks::new();
    let output = tasks.ours("piped.mp4");
    let decode = format!(
        "-i file:{} -frames:v 20 -an -vf scale=320:180 -c:v rawvideo -pix_fmt yuv420p -f rawvideo pipe:1",
        tasks.ours("clip.mp4").display()
    );
    let encode = format!(
        "-f rawvideo -pixel_format yuv420p -video_size 320x180 -framerate 30 -i pipe:0 -c:v libx264 -f mp4 file:{}",
        output.display()
    );
    let mut seen = 0;
    let devices = [PathBuf::from("/dev/dri")];
    let (decode, encode, ours, ffmpeg) = (words(&decode), words(&encode), tasks.ours(""), ffmpeg());
    let run = ffmpeg.run_piped((&decode, &encode), &devices, &ours, LONG, |progress| seen = progress.frame);
    let finished = run.await.unwrap();
    assert_eq!((finished.progress.frame, seen), (20, 20));
}
