//! One thread that starts all processes and lives as long as the service.
//!
//! A child gets its parent-death signal when the *thread* that started it ends, and an async runtime ends its idle
//! threads.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

static THREAD: Mutex<Option<Sender<Job>>> = Mutex::new(None);

/// Runs `start` on that thread, inside the caller's runtime. If the caller is gone by then, the result is dropped.
pub async fn on_lasting_thread<T: Send + 'static>(
    start: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (sender, receiver) = oneshot::channel();
    let runtime = tokio::runtime::Handle::current();
    hand_over(Box::new(move || {
        let _inside = runtime.enter();
        let _ = sender.send(start());
    }))?;
    receiver.await.unwrap_or_else(|_| Err(io::Error::other("the thread that starts processes failed")))
}

fn hand_over(job: Job) -> io::Result<()> {
    let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
    let job = match thread.as_ref() {
        Some(jobs) => match jobs.send(job) {
            Ok(()) => return Ok(()),
            Err(unsent) => unsent.0,
        },
        None => job,
    };
    let (jobs, received) = channel::<Job>();
    std::thread::Builder::new().name("spawner".to_owned()).spawn(move || {
        for job in received {
            job();
        }
    })?;
    let thread_ended = |_| io::Error::other("the thread that starts processes is gone");
    jobs.send(job).map_err(thread_ended)?;
    *thread = Some(jobs);
    Ok(())
}
