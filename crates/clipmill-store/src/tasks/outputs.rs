//! Delivered outputs of all of a user's tasks, those of the newest task first; fast even with a million of them. They
//! are located through their tasks, which count delivered outputs: no index of items is needed, and every task filter
//! also works for outputs.

use std::collections::HashMap;

use clipmill_core::ids::UserId;
use sqlx::QueryBuilder;

use super::super::rows::{Database, Db, count, count32, from_json, offset, task_no};
use super::read::task_type;
use super::search::{Search, push_list};
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;
use crate::common::page::{Page, Paged};
use crate::tasks::{Output, OutputRecord, TaskFilter, TaskRecord};

/// The most outputs listed: to list older ones, use filters.
const MAX_OUTPUTS: u64 = 10_000;
/// Tasks that are read first; they usually contain the whole page.
const FEW_TASKS: i64 = 400;

/// Outputs before the page, and outputs per page.
type PageRange = (u64, u64);

pub async fn page(
    db: &mut Db,
    user: UserId,
    filter: &TaskFilter,
    page: Page,
) -> StoreResult<Paged<OutputRecord>> {
    let search = Search::new(user, filter).prepare(db).await?;
    let tasks = tasks_with_outputs(db, &search).await?;
    let total = tasks.iter().map(|(_, outputs)| outputs).sum::<u64>().min(MAX_OUTPUTS);
    let outputs_before = count(offset(page))?.min(total);
    let reach = (outputs_before, u64::from(page.size).min(total - outputs_before));
    let (ids, skipped) = covering(&tasks, reach);
    if ids.is_empty() {
        return Ok(Paged { list: Vec::new(), total });
    }
    let list = read(db, &ids).await?;
    let page_length = usize::try_from(reach.1).unwrap_or(usize::MAX);
    let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
    Ok(Paged { list: list.into_iter().skip(skipped).take(page_length).collect(), total })
}

/// Adds the first output with an existing file to each task that has one.
pub async fn add_first(db: &mut Db, tasks: &mut [TaskRecord]) -> StoreResult<()> {
    let ids: Vec<i64> = tasks.iter().filter(|task| task.completed_items > 0).map(|task| task.id.0).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let mut query = QueryBuilder::<Database>::new(
        "SELECT i.task_id, i.item_no, i.seed, i.result FROM items i WHERE i.id IN (
             SELECT (SELECT f.id FROM items f WHERE f.task_id = t.id AND f.stored_until IS NOT NULL
                      ORDER BY f.item_no LIMIT 1)
               FROM tasks t WHERE t.id IN (",
    );
    push_list(&mut query, &ids);
    query.push("))");
    let rows: Vec<OutputRow> = query.build_query_as().fetch_all(db).await?;
    let mut first = HashMap::with_capacity(rows.len());
    for row in rows {
        first.insert(row.task_id, output(row)?);
    }
    for task in tasks {
        task.first_output = first.remove(&task.id.0);
    }
    Ok(())
}

/// The newest tasks that have outputs, and how many; as many tasks as have what can be listed.
async fn tasks_with_outputs(db: &mut Db, search: &Search<'_>) -> StoreResult<Vec<(i64, u64)>> {
    let mut tasks = Vec::new();
    for max in [FEW_TASKS, MAX_OUTPUTS.cast_signed()] {
        let mut query = QueryBuilder::new("SELECT t.id, t.completed_items FROM tasks t");
        search.push_where(&mut query);
        query.push(" AND t.completed_items > 0 ORDER BY t.created_at DESC, t.id DESC LIMIT ").push_bind(max);
        let rows: Vec<(i64, i64)> = query.build_query_as().fetch_all(&mut *db).await?;
        tasks.clear();
        for (task, outputs) in rows {
            tasks.push((task, count(outputs)?));
        }
        let output_count: u64 = tasks.iter().map(|(_, outputs)| outputs).sum();
        if output_count >= MAX_OUTPUTS || tasks.len() as u64 >= MAX_OUTPUTS || (tasks.len() as i64) < max {
            break;
        }
    }
    Ok(tasks)
}

/// The tasks that contain the range, and how many outputs of the first one precede it.
fn covering(tasks: &[(i64, u64)], (before, wanted): PageRange) -> (Vec<i64>, u64) {
    let (mut ids, mut skipped, mut output_count) = (Vec::new(), 0, 0);
    for (task, outputs) in tasks {
        if output_count >= before + wanted {
            break;
        }
        if output_count + outputs > before {
            if ids.is_empty() {
                skipped = before - output_count;
            }
            ids.push(*task);
        }
        output_count += outputs;
    }
    (ids, skipped)
}

/// All outputs of these tasks, in the order of the tasks.
async fn read(db: &mut Db, ids: &[i64]) -> StoreResult<Vec<OutputRecord>> {
    let mut query = QueryBuilder::<Database>::new(
        "SELECT t.id, t.task_no, t.task_type, t.client_task_id, t.name, t.labels FROM tasks t WHERE t.id IN (",
    );
    push_list(&mut query, ids);
    query.push(")");
    let rows: Vec<NameRow> = query.build_query_as().fetch_all(&mut *db).await?;
    let tasks: HashMap<i64, NameRow> = rows.into_iter().map(|task| (task.id, task)).collect();
    let mut query = QueryBuilder::<Database>::new(
        "SELECT i.task_id, i.item_no, i.seed, i.result FROM items i
          WHERE i.result IS NOT NULL AND i.task_id IN (",
    );
    push_list(&mut query, ids);
    query.push(") ORDER BY i.task_id, i.item_no");
    let rows: Vec<OutputRow> = query.build_query_as().fetch_all(db).await?;
    let mut outputs: HashMap<i64, Vec<Output>> = HashMap::with_capacity(ids.len());
    for row in rows {
        outputs.entry(row.task_id).or_default().push(output(row)?);
    }
    let mut list = Vec::new();
    for id in ids {
        let Some(task) = tasks.get(id) else { continue };
        for output in outputs.remove(id).unwrap_or_default() {
            list.push(record(task, output)?);
        }
    }
    Ok(list)
}

from_row! {
    struct NameRow {
        id: i64,
        task_no: String,
        task_type: String,
        client_task_id: Option<String>,
        name: Option<String>,
        labels: String,
    }
}

from_row! {
    struct OutputRow {
        task_id: i64,
        item_no: i64,
        seed: i64,
        result: String,
    }
}

fn output(row: OutputRow) -> StoreResult<Output> {
    Ok(Output {
        item_no: count32(row.item_no)?,
        seed: row.seed.cast_unsigned(),
        result: from_json(&row.result)?,
    })
}

fn record(task: &NameRow, output: Output) -> StoreResult<OutputRecord> {
    Ok(OutputRecord {
        task_no: task_no(&task.task_no)?,
        task_type: task_type(&task.task_type)?,
        client_task_id: task.client_task_id.clone(),
        name: task.name.clone(),
        labels: from_json(&task.labels)?,
        output,
    })
}
