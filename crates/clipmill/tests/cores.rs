//! Confined runs on machines with many cores, simulated by a library that is loaded before all others: it reports as
//! many processors, and claims memory and threads for each of them, like the BLAS libraries that ffmpeg is linked with.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "these are tests")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use clipmill_core::message;
use clipmill_media::cache::Cache;
use clipmill_media::ffmpeg::process::{Ffmpeg, Limits, Program};
use clipmill_media::ffmpeg::sandbox::{Sandbox, SandboxSettings};
use clipmill_media::fonts::Fonts;
use clipmill_media::self_test::SelfTest;
use clipmill_media::toolchain;

/// `OPENBLAS_NUM_THREADS` is the variable by which OpenBLAS is limited; each of its threads has a buffer of 32 MiB.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *wait_for_work(void *unused) {
    pthread_mutex_lock(&mutex);
    for (;;) pthread_cond_wait(&never, &mutex);
    return unused;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
    (void)pid;
    memset(set, 0, size);
    for (int core = 0; core < CORES && core < (int)size * 8; core++) CPU_SET_S(core, size, set);
    return 0;
}

__attribute__((constructor)) static void start(void) {
    const char *limit = getenv("OPENBLAS_NUM_THREADS");
    int threads = limit ? atoi(limit) : CORES;
    for (int thread = 1; thread < threads; thread++) {
        pthread_t started;
        void *buffer = mmap(0, 32 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (buffer == MAP_FAILED || pthread_create(&started, 0, wait_for_work, 0)) {
            static const char text[] = "blas_thread_init: pthread_create failed\n";
            if (write(2, text, sizeof text - 1)) _exit(1);
            _exit(1);
        }
    }
}
"#;

/// Programs that see `cores` cores, with the default confinement.
fn with_cores(folder: &Path, cores: u32) -> Ffmpeg {
    let (source, library) = (folder.join(format!("{cores}.c")), folder.join(format!("libcores{cores}.so")));
    std::fs::write(&source, LIBRARY).unwrap();
    let define = format!("-DCORES={cores}");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-pthread", &define, "-o"])
        .args([&library, &source])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let cage = SandboxSettings {
        helper: env!("CARGO_BIN_EXE_clipmill").into(),
        memory_bytes: 4 << 30,
        readable: vec![folder.to_owned()],
    };
    Ffmpeg::confined(Sandbox::On(cage)).with_variable("LD_PRELOAD", library)
}

#[tokio::test]
async fn a_task_is_done_with_any_number_of_cores() {
    let folder = tempfile::tempdir().unwrap();
    let fonts = Arc::new(Fonts::load(None).map_err(|_| message::no_font()));
    for cores in [1, 4, 64, 256] {
        let ffmpeg = with_cores(folder.path(), cores);
        let toolchain = toolchain::detect(&ffmpeg).await.map_err(|error| error.to_string());
        let cache = Cache::open(&folder.path().join("cache")).await.unwrap();
        let test = SelfTest::new(ffmpeg, toolchain, fonts.clone(), cache, (folder.path(), ""));
        let passed = test.run().await;
        assert!(passed.is_ok(), "{cores} cores: {passed:?}");
    }
}

#[tokio::test]
async fn the_library_is_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let line = "-v error -f lavfi -i color=s=64x64:r=25:d=0.1 -c:v libx264 -threads 0 -f h264 pipe:1";
    let args: Vec<_> = line.split(' ').map(Into::into).collect();
    let limits = Limits::wall(Duration::from_secs(60));
    let stream = with_cores(folder.path(), 24).output(Program::Ffmpeg, &args, limits).await.unwrap();
    // x264 notes how many threads it uses: half as many again as there are cores.
    let stream = String::from_utf8_lossy(&stream);
    assert!(stream.contains(" threads=36 ") || stream.contains(" lookahead_threads="), "no note of threads");
    assert!(!stream.contains(" threads=3 "), "the machine's own cores are seen");
}
