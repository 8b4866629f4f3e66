//! Queries of clients, operators and monitoring with a full queue: one at a time, without other load.

use std::future::Future;

use clipmill_core::segment::SegmentKey;
use clipmill_store::{Page, Store, StoreResult, TaskFilter};
use tokio::time::Instant;

use super::Fixture;
use super::fleet::NOW;
use super::seed::Seeded;

pub async fn ask(fixture: &Fixture, seeded: &Seeded) -> Answers {
    let store = fixture.store(4).await;
    let user = seeded.users[0].0;
    let page = Page { number: 1, size: 20 };
    let newest = store.tasks().list(user, &TaskFilter::default(), page).await;
    let newest =
        newest.map(|tasks| tasks.list.into_iter().next().map(|task| task.task_no)).unwrap_or_default();
    let mut times = Vec::new();
    timed(&mut times, "balance of a user", store.points().balance(user)).await;
    let all = TaskFilter::default();
    let listed = store.tasks().list(user, &all, page);
    timed(&mut times, "a page of tasks of the user with most", listed).await;
    if let Some(task_no) = newest {
        timed(&mut times, "status of the last task in the queue", store.tasks().find(user, &task_no)).await;
    }
    timed(&mut times, "figures for monitoring", store.metrics().snapshot(NOW)).await;
    timed(&mut times, "`clipmill queue`", store.queue().overview(NOW, 50)).await;
    let some = sqlx::query_scalar::<_, String>("SELECT hash FROM segments LIMIT 1000")
        .fetch_all(&fixture.watch.pool);
    let some: Vec<_> = some.await.unwrap().into_iter().map(|key| SegmentKey(key.into())).collect();
    let needed = store.jobs().needed_segments(&some);
    timed(&mut times, "which of a thousand segments must stay in the cache", needed).await;
    timed(&mut times, "`clipmill points audit`", store.points().audit()).await;
    store.close().await;
    times
}

type Answers = Vec<(&'static str, String)>;

async fn timed<T>(
    answers: &mut Answers,
    question: &'static str,
    asked: impl Future<Output = StoreResult<T>>,
) {
    let began = Instant::now();
    let outcome = asked.await;
    let took = format!("{:.1} ms", began.elapsed().as_secs_f64() * 1e3);
    answers
        .push((question, outcome.map_or_else(|error| format!("{error} (after {took})"), |_| took.clone())));
}
