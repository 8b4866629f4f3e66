//! Replays the ledger and compares it with everything that is derived from it.

use super::super::rows::Db;
use super::super::states::live;
use crate::common::error::StoreResult;

/// Each check selects one line of English per inconsistency.
const CHECKS: &[&str] = &[
    "SELECT 'movement ' || m.id || ' has ' || COUNT(e.id) || ' entries that sum to ' || COALESCE(SUM(e.amount), 0)
       FROM movements m LEFT JOIN entries e ON e.movement_id = m.id
      GROUP BY m.id HAVING COUNT(e.id) <> 2 OR COALESCE(SUM(e.amount), 0) <> 0
         OR MAX(ABS(e.amount)) <> MAX(m.amount)",
    "SELECT 'movement ' || m.id || ' says a change of ' || m.dot_count || ', its entries say ' || c.change
       FROM movements m
       JOIN (SELECT movement_id, COALESCE(SUM(CASE WHEN account = 'available' THEN amount END), 0) AS change
               FROM entries GROUP BY movement_id) c ON c.movement_id = m.id
      WHERE m.dot_count <> c.change",
    "SELECT 'movement ' || id || ' says a balance of ' || balance_after || ', replayed it is ' || replayed
       FROM (SELECT id, balance_after, SUM(dot_count) OVER (PARTITION BY user_id ORDER BY id) AS replayed
               FROM movements) r
      WHERE balance_after <> replayed",
    "SELECT 'entries of movement ' || e.movement_id || ' name another user'
       FROM entries e JOIN movements m ON m.id = e.movement_id
      WHERE e.user_id IS NOT NULL AND e.user_id <> m.user_id",
    "SELECT 'user ' || b.user_id || ' has ' || b.available || ' available, replayed it is ' || r.points
       FROM balances b
       JOIN (SELECT u.id, COALESCE(SUM(e.amount), 0) AS points FROM users u
               LEFT JOIN entries e ON e.user_id = u.id AND e.account = 'available' GROUP BY u.id) r
         ON r.id = b.user_id
      WHERE b.available <> r.points",
    "SELECT 'user ' || b.user_id || ' has ' || b.held || ' held, replayed it is ' || r.points
       FROM balances b
       JOIN (SELECT u.id, COALESCE(SUM(e.amount), 0) AS points FROM users u
               LEFT JOIN entries e ON e.user_id = u.id AND e.account = 'held' GROUP BY u.id) r
         ON r.id = b.user_id
      WHERE b.held <> r.points",
    "SELECT 'user ' || b.user_id || ' has ' || b.held || ' held, the open holds are ' || r.points
       FROM balances b
       JOIN (SELECT u.id, COALESCE(SUM(h.amount - h.returned), 0) AS points FROM users u
               LEFT JOIN holds h ON h.user_id = u.id AND h.state = 'open' GROUP BY u.id) r
         ON r.id = b.user_id
      WHERE b.held <> r.points",
    "SELECT 'user ' || id || ' has no balance' FROM users
      WHERE NOT EXISTS (SELECT 1 FROM balances WHERE user_id = users.id)",
    "SELECT 'item ' || h.item_no || ' of ' || h.task_no || ': holds are ' || h.held || ', settled '
            || h.settled || ', given back ' || h.released || '; the ledger says ' || COALESCE(m.held, 0)
            || ', ' || COALESCE(m.settled, 0) || ', ' || COALESCE(m.released, 0)
       FROM (SELECT task_no, item_no, SUM(amount) AS held, SUM(settled) AS settled,
                    SUM(CASE WHEN state = 'open' THEN returned ELSE amount - settled END) AS released
               FROM holds GROUP BY task_no, item_no) h
       LEFT JOIN (SELECT task_no, item_no,
                    SUM(CASE WHEN kind = 'hold' THEN amount ELSE 0 END) AS held,
                    SUM(CASE WHEN kind = 'settle' THEN amount ELSE 0 END) AS settled,
                    SUM(CASE WHEN kind = 'release' THEN amount ELSE 0 END) AS released
               FROM movements WHERE task_no IS NOT NULL GROUP BY task_no, item_no) m
         ON m.task_no = h.task_no AND m.item_no = h.item_no
      WHERE h.held <> COALESCE(m.held, 0) OR h.settled <> COALESCE(m.settled, 0)
         OR h.released <> COALESCE(m.released, 0)",
    "SELECT 'movement ' || id || ' is for an item without a hold' FROM movements
      WHERE kind IN ('hold', 'settle', 'release')
        AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.task_no = movements.task_no
                                                AND h.item_no = movements.item_no)",
    "SELECT 'item ' || i.item_no || ' of ' || t.task_no || ' was charged ' || i.charged || ', its holds settled '
            || (SELECT COALESCE(SUM(h.settled), 0) FROM holds h
                 WHERE h.task_no = t.task_no AND h.item_no = i.item_no)
       FROM items i JOIN tasks t ON t.id = i.task_id
      WHERE i.charged <> (SELECT COALESCE(SUM(h.settled), 0) FROM holds h
                           WHERE h.task_no = t.task_no AND h.item_no = i.item_no)",
    concat!("SELECT 'item ' || i.item_no || ' of ' || t.task_no || ' is in state ' || i.state || ' with '
            || (SELECT COUNT(*) FROM holds h
                 WHERE h.task_no = t.task_no AND h.item_no = i.item_no AND h.state = 'open') || ' open holds'
       FROM items i JOIN tasks t ON t.id = i.task_id
      WHERE (SELECT COUNT(*) FROM holds h
              WHERE h.task_no = t.task_no AND h.item_no = i.item_no AND h.state = 'open')
            <> CASE WHEN i.state IN ", live!(), " THEN 1 ELSE 0 END"),
    // One hold for all rows that wait (item 0), or one for each. A retried row has its own beside the first one.
    "SELECT 'batch ' || b.batch_no || ' has ' || r.waiting || ' waiting rows with ' || COALESCE(h.whole, 0)
            || ' open holds for all and ' || COALESCE(h.own, 0) || ' for one'
       FROM batches b
       JOIN (SELECT batch_id, SUM(CASE WHEN state = 'waiting' THEN 1 ELSE 0 END) AS waiting
               FROM batch_rows GROUP BY batch_id) r ON r.batch_id = b.id
       LEFT JOIN (SELECT task_no, SUM(CASE WHEN item_no = 0 THEN 1 ELSE 0 END) AS whole,
                         SUM(CASE WHEN item_no = 0 THEN 0 ELSE 1 END) AS own
                    FROM holds WHERE state = 'open' GROUP BY task_no) h ON h.task_no = b.batch_no
      WHERE COALESCE(h.own, 0) > r.waiting
         OR COALESCE(h.whole, 0) > CASE WHEN r.waiting > 0 THEN 1 ELSE 0 END
         OR (r.waiting > COALESCE(h.own, 0) AND COALESCE(h.whole, 0) = 0)",
    "SELECT 'row ' || h.item_no || ' of batch ' || b.batch_no || ' has an open hold and is ' || r.state
       FROM holds h JOIN batches b ON b.batch_no = h.task_no
       JOIN batch_rows r ON r.batch_id = b.id AND r.row_no = h.item_no
      WHERE h.state = 'open' AND r.state <> 'waiting'",
    "SELECT 'user ' || b.user_id || ' has ' || b.movements || ' movements, they are ' || COALESCE(m.movements, 0)
       FROM balances b
       LEFT JOIN (SELECT user_id, COUNT(*) AS movements FROM movements GROUP BY user_id) m
         ON m.user_id = b.user_id
      WHERE b.movements <> COALESCE(m.movements, 0)",
    "SELECT 'task ' || t.task_no || ' consumed ' || t.consumed_points || ', its items were charged '
            || COALESCE(SUM(i.charged), 0)
       FROM tasks t LEFT JOIN items i ON i.task_id = t.id
      GROUP BY t.id, t.task_no, t.consumed_points HAVING t.consumed_points <> COALESCE(SUM(i.charged), 0)",
];

pub async fn audit(db: &mut Db) -> StoreResult<Vec<String>> {
    let mut disagreements = Vec::new();
    for check in CHECKS {
        disagreements.extend(sqlx::query_scalar::<_, String>(*check).fetch_all(&mut *db).await?);
    }
    Ok(disagreements)
}
