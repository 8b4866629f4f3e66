//! Usage per user and day, recorded as it happens, and causes of failures.

use clipmill_core::error::ErrorCode;
use clipmill_core::ids::UserId;

use super::super::super::accounts::quotas::stored_bytes;
use super::super::super::accounts::users::sql::name_pattern;
use super::super::dialect::json_text;
use super::super::rows::{Db, column, count, offset};
use super::super::states::failed;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};
use crate::maintenance::operations::{FailureCause, Usage, UsageSum};

const DAY_MS: i64 = 86_400_000;

/// Adds delivered outputs, their length and their price; the user's balance is already locked.
pub async fn note(
    db: &mut Db,
    user: UserId,
    outputs: usize,
    output_ms: u64,
    points: i64,
    now: Millis,
) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO usage_days (user_id, day, outputs, output_ms, points) VALUES ($1, $2, $5, $3, $4)
         ON CONFLICT (user_id, day) DO UPDATE SET outputs = usage_days.outputs + excluded.outputs,
            output_ms = usage_days.output_ms + excluded.output_ms, points = usage_days.points + excluded.points",
    )
    .bind(user.0)
    .bind(now.div_euclid(DAY_MS))
    .bind(column(output_ms, "length of an output")?)
    .bind(points)
    .bind(i64::try_from(outputs).unwrap_or(i64::MAX))
    .execute(db)
    .await?;
    Ok(())
}

/// The most expensive first.
pub async fn of_users(
    db: &mut Db,
    (first, end): (i64, i64),
    search: Option<&str>,
    uploads_since: Millis,
    page: Page,
    now: Millis,
) -> StoreResult<(Paged<Usage>, UsageSum)> {
    let like = name_pattern(search);
    let (total, points, outputs, output_ms): (i64, i64, i64, i64) = sqlx::query_as(
        "SELECT COUNT(DISTINCT u.id), CAST(COALESCE(SUM(d.points), 0) AS BIGINT),
                CAST(COALESCE(SUM(d.outputs), 0) AS BIGINT), CAST(COALESCE(SUM(d.output_ms), 0) AS BIGINT)
           FROM users u LEFT JOIN usage_days d ON d.user_id = u.id AND d.day >= $1 AND d.day < $2
          WHERE LOWER(u.name) LIKE $3 ESCAPE '!'",
    )
    .bind(first)
    .bind(end)
    .bind(&like)
    .fetch_one(&mut *db)
    .await?;
    let rows: Vec<(i64, String, i64, i64, i64)> = sqlx::query_as(
        "SELECT u.id, u.name, CAST(COALESCE(SUM(d.points), 0) AS BIGINT),
                CAST(COALESCE(SUM(d.outputs), 0) AS BIGINT), CAST(COALESCE(SUM(d.output_ms), 0) AS BIGINT)
           FROM users u LEFT JOIN usage_days d ON d.user_id = u.id AND d.day >= $1 AND d.day < $2
          WHERE LOWER(u.name) LIKE $3 ESCAPE '!'
          GROUP BY u.id, u.name ORDER BY 3 DESC, 5 DESC, u.id LIMIT $4 OFFSET $5",
    )
    .bind(first)
    .bind(end)
    .bind(&like)
    .bind(i64::from(page.size))
    .bind(offset(page))
    .fetch_all(&mut *db)
    .await?;
    let mut list = Vec::with_capacity(rows.len());
    for (id, name, points, outputs, output_ms) in rows {
        let user = UserId(id);
        let used = sum(points, outputs, output_ms)?;
        list.push(Usage {
            user,
            name,
            used,
            stored_bytes: stored_bytes(db, user, uploads_since, now).await?,
        });
    }
    Ok((Paged { list, total: count(total)? }, sum(points, outputs, output_ms)?))
}

fn sum(points: i64, outputs: i64, output_ms: i64) -> StoreResult<UsageSum> {
    Ok(UsageSum { points: count(points)?, outputs: count(outputs)?, output_ms: count(output_ms)? })
}

/// The most frequent first. Counted are tasks that have ended.
pub async fn failure_causes(db: &mut Db, from: Millis, to: Millis) -> StoreResult<Vec<FailureCause>> {
    let rows: Vec<(Option<String>, i64, i64, i64, Millis)> = sqlx::query_as(concat!(
        "SELECT e.code, COUNT(*), COUNT(DISTINCT e.task_id), COUNT(DISTINCT e.user_id), MAX(e.finished_at)
           FROM (SELECT ",
        json_text!("i.error", "code"),
        " AS code, t.id AS task_id, t.user_id, t.finished_at
                   FROM tasks t JOIN items i ON i.task_id = t.id
                  WHERE t.finished_at >= $1 AND t.finished_at < $2 AND i.error IS NOT NULL AND i.state IN ",
        failed!(),
        ") e GROUP BY e.code ORDER BY 2 DESC, 1"
    ))
    .bind(from)
    .bind(to)
    .fetch_all(db)
    .await?;
    let cause = |(name, items, tasks, users, last_at): (Option<String>, i64, i64, i64, Millis)| {
        let has_name = |code: &ErrorCode| name.as_deref() == Some(code.as_str());
        // A code of a newer program, unknown to this one.
        let code = ErrorCode::ALL.into_iter().find(has_name).unwrap_or(ErrorCode::Internal);
        Ok(FailureCause { code, items: count(items)?, tasks: count(tasks)?, users: count(users)?, last_at })
    };
    rows.into_iter().map(cause).collect()
}
