//! Names of tasks, and their search words.

use clipmill_core::ids::{TaskId, TaskNo, UserId};
use clipmill_core::request::TaskNaming;
use clipmill_core::search;

use super::super::rows::{Db, from_json, to_json};
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;

/// The search words of a task.
pub struct SearchableTask<'a> {
    pub user: UserId,
    pub id: TaskId,
    pub task_no: &'a str,
    pub client_task_id: Option<&'a str>,
    pub name: Option<&'a str>,
    pub labels: &'a [String],
}

/// Writes the words of a task that has none.
pub async fn insert_words(db: &mut Db, task: &SearchableTask<'_>) -> StoreResult<()> {
    let texts = [Some(task.task_no), task.name, task.client_task_id];
    let labels = task.labels.iter().map(|label| super::search::word_of_label(label));
    let words: Vec<String> = search::words(texts.into_iter().flatten()).into_iter().chain(labels).collect();
    let mut query = sqlx::QueryBuilder::new("INSERT INTO task_words (user_id, word, task_id) ");
    query.push_values(&words, |mut row, word| {
        row.push_bind(task.user.0).push_bind(word).push_bind(task.id.0);
    });
    query.build().execute(db).await?;
    Ok(())
}

from_row! {
    struct Before {
        id: i64,
        client_task_id: Option<String>,
        name: Option<String>,
        labels: String,
    }
}

/// Returns whether the user has such a task, in any state. The stored request is not changed.
pub async fn rename(db: &mut Db, user: UserId, task_no: &TaskNo, to: &TaskNaming) -> StoreResult<bool> {
    // The statement locks the row, so that concurrent renames write the words one after the other.
    let old_title: Option<Before> = sqlx::query_as(
        "UPDATE tasks SET name = name WHERE task_no = $1 AND user_id = $2 RETURNING id, client_task_id, name, labels",
    )
    .bind(task_no.as_str())
    .bind(user.0)
    .fetch_optional(&mut *db)
    .await?;
    let Some(old_title) = old_title else { return Ok(false) };
    let name = to.name.clone().or(old_title.name).filter(|name| !name.is_empty());
    let labels = to.labels.clone().map_or_else(|| from_json(&old_title.labels), Ok)?;
    sqlx::query("UPDATE tasks SET name = $2, labels = $3 WHERE id = $1")
        .bind(old_title.id)
        .bind(&name)
        .bind(to_json(&labels)?)
        .execute(&mut *db)
        .await?;
    sqlx::query("DELETE FROM task_words WHERE task_id = $1").bind(old_title.id).execute(&mut *db).await?;
    let searchable_task = SearchableTask {
        user,
        id: TaskId(old_title.id),
        task_no: task_no.as_str(),
        client_task_id: old_title.client_task_id.as_deref(),
        name: name.as_deref(),
        labels: &labels,
    };
    insert_words(db, &searchable_task).await?;
    Ok(true)
}
