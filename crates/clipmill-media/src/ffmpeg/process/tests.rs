use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// Counts runs; each lowers the priority of the next.
#[derive(Default)]
struct Counted {
    begun: AtomicU32,
    running: AtomicU32,
}

impl RunAccount for Counted {
    fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    fn end(&self) {
        self.running.fetch_sub(1, Ordering::Relaxed);
    }

    fn priority(&self) -> Priority {
        match self.begun.load(Ordering::Relaxed) {
            0 => Priority::High,
            1 => Priority::Normal,
            _ => Priority::Low,
        }
    }
}

#[tokio::test]
async fn runs_are_charged_to_the_account_of_the_work_alone() {
    let account = Arc::new(Counted::default());
    let work = async {
        assert_eq!([true, false].map(niceness), [0, 0]);
        for (script, niceness_of_next) in [("exit 0", [0, 5]), ("exit 3", [10, 15])] {
            let ended = run_shell(script, Limits::wall(LONG)).await;
            assert_eq!(ended.1.is_ok(), script == "exit 0");
            assert_eq!([true, false].map(niceness), niceness_of_next);
        }
        let endless = run_shell("sleep 100", Limits::wall(LONG));
        assert!(tokio::time::timeout(Duration::from_millis(1), endless).await.is_err());
    };
    charged_to(account.clone(), work).await;
    assert!(run_shell("exit 0", Limits::wall(LONG)).await.1.is_ok());
    assert_eq!([true, false].map(niceness), [0, 5]);
    assert_eq!((account.begun.load(Ordering::Relaxed), account.running.load(Ordering::Relaxed)), (3, 0));
}

const LONG: Duration = Duration::from_secs(100);

fn shell(script: &str) -> Invocation {
    let args = vec!["-c".into(), script.into()];
    Invocation { program: "/bin/sh".into(), args, cwd: None, variables: Vec::new() }
}

async fn run_shell(script: &str, limits: Limits) -> (Vec<u8>, Result<String, ProcessError>) {
    let mut stdout = Vec::new();
    let outcome = run(shell(script), limits, |chunk| {
        stdout.extend_from_slice(chunk);
    })
    .await;
    (stdout, outcome)
}

/// Whether a process of that group still exists, not counting zombies (dead, not yet collected by init).
fn group_lives(group: &str) -> bool {
    let stats = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    // The fields after the name in parentheses are state, parent and process group.
    stats.filter_map(|stat| stat.rsplit_once(')').map(|(_, rest)| rest.to_owned())).any(|rest| {
        let mut fields = rest.split_whitespace();
        fields.next() != Some("Z") && fields.nth(1) == Some(group)
    })
}

#[tokio::test]
async fn a_variable_reaches_the_program() {
    let shell = Ffmpeg { ffprobe: "/bin/sh".into(), ..Ffmpeg::default() };
    let args = ["-c", "echo \"$LD_OF_CLIPMILL\""].map(OsString::from);
    let limits = Limits::wall(LONG);
    let with = shell.with_variable("LD_OF_CLIPMILL", "a =b").output(Program::Ffprobe, &args, limits).await;
    assert_eq!(with.unwrap(), b"a =b\n");
    assert_eq!(shell.output(Program::Ffprobe, &args, limits).await.unwrap(), b"\n");
}

async fn wait_until_gone(group: &str) {
    for _ in 0..1000 {
        if !group_lives(group) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the process group {group} is still running");
}

#[tokio::test]
async fn both_pipes_are_drained_and_returned() {
    let script = "i=0; while [ $i -lt 3000 ]; do echo out$i; echo err$i >&2; i=$((i+1)); done";
    let (stdout, stderr) = run_shell(script, Limits::wall(LONG)).await;
    assert!(stdout.ends_with(b"out2999\n"));
    let stderr = stderr.unwrap();
    assert!(stderr.len() <= 16 << 10 && stderr.starts_with("err") && stderr.ends_with("err2999\n"));
}

#[tokio::test]
async fn a_failure_carries_status_and_last_words() {
    let (_, outcome) = run_shell("echo first >&2; echo last >&2; exit 3", Limits::wall(LONG)).await;
    let error = outcome.unwrap_err();
    assert_eq!(error.stderr(), "first\nlast\n");
    assert_eq!(error.to_string(), "it ended with exit status: 3: last");
}

#[tokio::test]
async fn a_missing_program_gives_advice() {
    let ffmpeg = Ffmpeg::in_folder(Path::new("/nonexistent"));
    let error = ffmpeg.output(Program::Ffprobe, &[], Limits::wall(LONG)).await.unwrap_err();
    assert!(matches!(error, ProcessError::Spawn { .. }));
    assert!(error.to_string().contains("/nonexistent/ffprobe"), "{error}");
}

#[tokio::test]
async fn too_much_output_ends_the_run() {
    let limits = Limits::wall(LONG).stdout_bytes(1000);
    let (_, outcome) = run_shell("while :; do echo endless; done", limits).await;
    assert!(matches!(outcome, Err(ProcessError::TooMuchOutput { limit: 1000 })));
}

#[tokio::test]
async fn the_wall_clock_ends_the_whole_group() {
    let limits = Limits::wall(Duration::from_millis(300));
    let (stdout, outcome) = run_shell("echo $$; sleep 100 & sleep 100", limits).await;
    assert!(matches!(outcome, Err(ProcessError::TimedOut { .. })));
    if !stdout.is_empty() {
        wait_until_gone(String::from_utf8(stdout).unwrap().trim()).await;
    }
}

#[tokio::test]
async fn dropping_the_future_kills_children_too() {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let mut sender = Some(sender);
    let args = shell("sleep 100 & sleep 100 & echo $$; wait");
    let running = run(args, Limits::wall(LONG), |chunk| {
        if let Some(sender) = sender.take() {
            let _ = sender.send(String::from_utf8_lossy(chunk).trim().to_owned());
        }
    });
    let group = tokio::select! {
        _ = running => panic!("it ended by itself"),
        group = receiver => group.unwrap(),
    };
    wait_until_gone(&group).await;
}

#[tokio::test]
async fn a_live_process_group_is_recognized() {
    let mut group = Group::spawn(shell("sleep 100 & sleep 100")).await.unwrap();
    let id = group.leader.id().unwrap().to_string();
    assert!(group_lives(&id));
    group.end().await;
    assert_eq!(group.leader.id(), None, "it was waited for");
    wait_until_gone(&id).await;
}

#[test]
fn secrets_stay_out_of_the_environment() {
    let all = [("PATH", "/bin"), ("AWS_SECRET_ACCESS_KEY", "x"), ("FFREPORT", "file=x")];
    let variables: Vec<_> = environment(all.map(|(k, v)| (k.into(), v.into())).into_iter()).collect();
    let names: Vec<_> =
        variables.iter().map(|(name, _): &(OsString, OsString)| name.to_str().unwrap()).collect();
    let set = ["AV_LOG_FORCE_NOCOLOR", "MALLOC_ARENA_MAX"];
    let one_thread = ["OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"];
    assert_eq!(names, [&["PATH"][..], &set, &one_thread].concat());
}

#[tokio::test]
async fn a_crash_is_blamed_on_the_machine_if_a_good_file_fails_too() {
    let limits = Limits::wall(LONG);
    let run = async |script: &str, verdict: Result<(), String>| {
        let shell = Ffmpeg { ffprobe: "/bin/sh".into(), ..Ffmpeg::default() };
        let shell = shell.with_crash_check(CrashCheck::new(move |_| {
            let verdict = verdict.clone();
            Box::pin(async move { verdict })
        }));
        let args = ["-c", script].map(OsString::from);
        shell.output(Program::Ffprobe, &args, limits).await.unwrap_err()
    };
    for script in
        ["kill -SEGV $$", "kill -ABRT $$", "exit 127", "echo 'x: Cannot allocate memory' >&2; exit 1"]
    {
        let error = run(script, Ok(())).await;
        assert!(matches!(error, ProcessError::Crashed { .. }), "{script}: {error:?}");
        let error = run(script, Err("no good".into())).await;
        assert!(
            matches!(&error, ProcessError::Machine { reason, .. } if reason == "no good"),
            "{script}: {error:?}"
        );
    }
    let missing = Ffmpeg::in_folder(Path::new("/nonexistent"));
    let missing =
        missing.with_crash_check(CrashCheck::new(|_| Box::pin(async { Err("no good".to_owned()) })));
    let error = missing.output(Program::Ffprobe, &[], limits).await.unwrap_err();
    assert!(matches!(error, ProcessError::Machine { .. }), "{error:?}");
    // Errors reported by ffprobe, and limits, concern the file, whatever the machine.
    let error = run("echo 'Invalid data' >&2; exit 1", Err("no good".into())).await;
    assert!(matches!(error, ProcessError::Failed { .. }), "{error:?}");
    let error = run("kill -XCPU $$", Err("no good".into())).await;
    assert!(matches!(error, ProcessError::TimedOut { .. }), "{error:?}");
}

#[tokio::test]
async fn progress_of_a_real_run_ends_with_all_frames() {
    let args = "-f lavfi -i testsrc2=s=64x64:r=25:d=1 -f null -".split(' ').map(OsString::from);
    let mut last = Progress::default();
    let finished = Ffmpeg::default()
        .run_ffmpeg(&args.collect::<Vec<_>>(), None, Limits::wall(LONG), |progress| last = *progress)
        .await
        .expect("ffmpeg must be installed for the tests");
    assert_eq!((finished.progress.frame, finished.progress.ended), (25, true));
    assert_eq!(last, finished.progress);
}

#[tokio::test]
async fn a_lack_of_descriptors_differs_from_a_failure() {
    let words = std::io::Error::from_raw_os_error(libc::EMFILE);
    let (_, outcome) =
        run_shell(&format!("echo 'file:/in/x: {words}' >&2; exit 1"), Limits::wall(LONG)).await;
    let error = outcome.unwrap_err();
    assert!(
        matches!(&error, ProcessError::NoDescriptors(last) if last.starts_with("file:/in/x: ")),
        "{error:?}"
    );
    assert!(!error.is_failure());
}

/// ffmpeg catches the signal of the limit and ends with a status of its own.
#[tokio::test]
async fn exhausted_processor_time_differs_from_a_failure() {
    let limited = Limits::wall(LONG).cpu(Duration::from_secs(5));
    for script in
        ["exit 255", "echo 'Received > 3 system signals, hard exiting' >&2; exit 123", "kill -XCPU $$"]
    {
        let (_, outcome) = run_shell(script, limited).await;
        let after = Duration::from_secs(5);
        assert!(
            matches!(outcome, Err(ProcessError::TimedOut { after: found }) if found == after),
            "{script}"
        );
    }
    for (script, limits) in [("exit 255", Limits::wall(LONG)), ("echo no >&2; exit 255", limited)] {
        let (_, outcome) = run_shell(script, limits).await;
        assert!(outcome.is_err_and(|error| error.is_failure()), "{script}");
    }
}
