//! Results in storage that no task knows: uploaded by workers that died or lost their lease before delivery.

use clipmill_blobs::{BlobError, Stored, key};
use clipmill_core::ids::TaskNo;
use clipmill_store::{Millis, Store, StoreError};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};

use crate::data_dir::DataDir;
use crate::links::Linked;

/// Questions to the database side by side.
const PARALLEL: usize = 8;

#[derive(Debug, thiserror::Error)]
pub enum OrphanError {
    #[error(transparent)]
    Storage(#[from] BlobError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Results and covers put there before `before` that belong to no delivered item. Leave a day at least: what is
/// younger may belong to a delivery that is under way. Their keys can be given to `Blobs::delete`.
pub fn orphans<'a>(
    data: &'a DataDir,
    store: &'a dyn Store,
    before: Millis,
) -> impl Stream<Item = Result<Stored, OrphanError>> + 'a {
    let stored = data.blobs().list(key::RESULTS).err_into::<OrphanError>();
    let judged = stored.map(move |found| async move {
        let found = found?;
        let orphaned = found.modified_at < before && !is_known(store, &found.key).await?;
        Ok(orphaned.then_some(found))
    });
    judged
        .buffered(PARALLEL)
        .flat_map(|judged: Result<Option<Stored>, OrphanError>| stream::iter(judged.transpose()))
}

async fn is_known(store: &dyn Store, name: &str) -> Result<bool, StoreError> {
    let key = name.strip_prefix(key::RESULTS).unwrap_or(name).trim_start_matches('/');
    // What is none of ours is left alone.
    let Some((task_no, item_no)) = parse(key) else { return Ok(true) };
    let result = store.item_result(&task_no, item_no).await?;
    Ok(result.is_some_and(|result| Linked::ALL.into_iter().any(|what| what.key(&result) == Some(key))))
}

/// `{taskNo}/{itemNo}-{fence}.mp4`
fn parse(key: &str) -> Option<(TaskNo, u32)> {
    let (task_no, file) = key.split_once('/')?;
    let (item_no, fence) = file.rsplit_once('.')?.0.split_once('-')?;
    fence.parse::<i64>().ok()?;
    Some((TaskNo::parse(task_no)?, item_no.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_results_are_read() {
        let task = TaskNo::new(1, [1; 10]);
        assert_eq!(parse(&format!("{task}/12-3.mp4")), Some((task.clone(), 12)));
        assert_eq!(parse(&format!("{task}/12-3.jpg")), Some((task.clone(), 12)));
        for other in [
            "x/1-1.mp4",
            "notes.txt",
            &format!("{task}/1.mp4"),
            &format!("{task}/a-1.mp4"),
            &format!("{task}/1-1"),
        ] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
