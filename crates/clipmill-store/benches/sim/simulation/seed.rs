//! The queue that is present during all measurements. One task is created regularly: submitted, planned by the
//! service's planner, written by the store. All others are copies of its rows by SQL, with other numbers, names and
//! users, and with a consistent ledger: creating a million items regularly would take hours. The audit at the end
//! detects copies that differ from the store's own rows.

use std::fmt::Write as _;

use clipmill_core::ids::UserId;
use clipmill_store::{ClaimLimits, NewUser, Store};
use tokio::time::Instant;

use super::Fixture;
use super::fleet::NOW;
use super::plans::{self, POINTS};

/// Numbers of copied tasks are above this.
const BASE: i64 = 1_000_000;
/// Tasks copied by one statement.
const AT_ONCE: u64 = 100;

pub struct Seeded {
    pub items: u64,
    pub segments: i64,
    pub took_s: f64,
    /// The users of the queue, the largest first, with their numbers of items.
    pub users: Vec<(UserId, u64)>,
}

/// Fills the queue as the settings say.
pub async fn fill(fixture: &Fixture) -> Seeded {
    let began = Instant::now();
    eprintln!("filling the queue");
    let store = fixture.store(4).await;
    let per_task = fixture.settings.items_per_task as u64;
    assert!(per_task < 1_000, "items are numbered with three digits");
    let all: u64 = fixture.settings.shares.iter().sum();
    let tasks = |share: u64| (fixture.settings.items * share / all.max(1) / per_task).max(1);
    let mut users = Vec::new();
    for (number, share) in fixture.settings.shares.iter().enumerate() {
        let new = NewUser { name: format!("user {number}"), webhook_secret: "whsec_x".into() };
        let user = store.users().add(new, NOW).await.unwrap().id;
        let items = tasks(*share) * per_task;
        store.points().grant(user, (items + per_task) * POINTS, "to begin with", NOW).await.unwrap();
        users.push((user, items));
    }
    let template = template(fixture, &store, users[0].0).await;
    let mut next = 1;
    for (user, items) in &users {
        copies(fixture, template, *user, next, items / per_task).await;
        next += items / per_task;
    }
    finish(fixture).await;
    store.close().await;
    let segments = fixture.watch.number("SELECT COUNT(*) FROM segments").await;
    let items = users.iter().map(|(_, items)| items).sum::<u64>() + per_task;
    Seeded { items, segments, users, took_s: began.elapsed().as_secs_f64() }
}

/// A planned task of the first user, as the service writes it.
async fn template(fixture: &Fixture, store: &impl Store, user: UserId) -> i64 {
    let settings = &fixture.settings;
    let request = plans::request("queue", settings.items_per_task, settings.clips, settings.shared);
    let task = plans::task(user, 1, request.clone());
    let submitted = store.tasks().submit(task, NOW).await.unwrap();
    let clipmill_store::SubmitOutcome::Created(submitted) = submitted else { panic!("{submitted:?}") };
    let claim = store
        .queue()
        .claim("seed", NOW, 30_000, ClaimLimits::default())
        .await
        .unwrap()
        .expect("the preflight");
    store.jobs().complete_preflight(claim.lease, plans::preflighted(&request, 1), NOW).await.unwrap();
    submitted.task_id.0
}

/// Copies tasks `first..first + count` for a user.
async fn copies(fixture: &Fixture, template: i64, user: UserId, first: u64, count: u64) {
    let per_task = fixture.settings.items_per_task as i64;
    let start: i64 = sqlx::query_scalar("SELECT available FROM balances WHERE user_id = $1")
        .bind(user.0)
        .fetch_one(&fixture.watch.pool)
        .await
        .unwrap();
    for from in (first..first + count).step_by(AT_ONCE as usize) {
        let to = (from + AT_ONCE).min(first + count) - 1;
        let mut sql =
            "BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL session_replication_role = replica;"
                .to_owned();
        for copy in COPIES {
            let statement = copied(fixture, copy).await;
            write!(sql, "\n{statement};").unwrap();
        }
        let held = (to - from + 1) as i64 * per_task * POINTS as i64;
        write!(
            sql,
            "\nUPDATE balances SET available = available - {held}, held = held + {held},\n       movements = (SELECT COUNT(*) FROM movements m WHERE m.user_id = $USER) WHERE user_id = $USER;\nCOMMIT"
        )
        .unwrap();
        let values = [
            ("$USER", user.0.to_string()),
            ("$TEMPLATE", template.to_string()),
            ("$FROM", from.to_string()),
            ("$TO", to.to_string()),
            ("$FIRST", first.to_string()),
            ("$START", start.to_string()),
            ("$POINTS", POINTS.to_string()),
            ("$BASE", BASE.to_string()),
            ("$PER", per_task.to_string()),
        ];
        for (name, value) in values {
            sql = sql.replace(name, &value);
        }
        fixture.watch.run(sql).await;
        let copied = to - from + 1;
        if from == first {
            // Without statistics, the template's rows would be searched by scanning each table.
            fixture.watch.run("ANALYZE".to_owned()).await;
        }
        if to % 1_000 < copied {
            eprintln!("  {} items", to as i64 * per_task);
        }
    }
}

/// A table, the columns that differ in a copy, and the rows to copy (`t`, for each `k`).
struct Copied {
    table: &'static str,
    other: &'static [(&'static str, &'static str)],
    /// Columns that the database fills.
    left_out: &'static [&'static str],
    rows: &'static str,
}

const HASH: &str = "md5(t.hash || k) || md5(k || t.hash)";
const USED: &str =
    "(SELECT x.hash FROM item_segments x JOIN items i ON i.id = x.item_id WHERE i.task_id = $TEMPLATE)";

const COPIES: [Copied; 9] = [
    Copied {
        table: "tasks",
        other: &[("id", "$BASE + k"), ("task_no", "'VP' || lpad(k::TEXT, 26, '0')"), ("user_id", "$USER")],
        left_out: &[],
        rows: "t.id = $TEMPLATE",
    },
    Copied {
        table: "items",
        other: &[("id", "($BASE + k) * 1000 + t.item_no"), ("task_id", "$BASE + k")],
        left_out: &[],
        rows: "t.task_id = $TEMPLATE",
    },
    Copied { table: "segments", other: &[("hash", HASH)], left_out: &[], rows: "t.hash IN USED" },
    Copied {
        table: "segment_sources",
        other: &[("hash", HASH), ("user_id", "$USER")],
        left_out: &[],
        rows: "t.hash IN USED",
    },
    Copied {
        table: "item_segments",
        other: &[
            ("item_id", "($BASE + k) * 1000 + (SELECT i.item_no FROM items i WHERE i.id = t.item_id)"),
            ("hash", HASH),
        ],
        left_out: &[],
        rows: "t.item_id IN (SELECT i.id FROM items i WHERE i.task_id = $TEMPLATE)",
    },
    Copied {
        table: "work",
        other: &[
            ("task_id", "CASE WHEN t.task_id IS NOT NULL THEN $BASE + k END"),
            ("segment_hash", "md5(t.segment_hash || k) || md5(k || t.segment_hash)"),
            ("item_id", "($BASE + k) * 1000 + (SELECT i.item_no FROM items i WHERE i.id = t.item_id)"),
            ("task_order", "$BASE + k"),
            ("user_id", "$USER"),
        ],
        left_out: &["id"],
        rows: "t.task_id = $TEMPLATE OR t.segment_hash IN USED
               OR t.item_id IN (SELECT i.id FROM items i WHERE i.task_id = $TEMPLATE)",
    },
    Copied {
        table: "movements",
        other: &[
            ("id", "($BASE + k) * 1000 + t.item_no"),
            ("user_id", "$USER"),
            ("task_no", "'VP' || lpad(k::TEXT, 26, '0')"),
            ("balance_after", "$START - $POINTS * ((k - $FIRST) * $PER + t.item_no)"),
        ],
        left_out: &[],
        rows: "t.task_no = (SELECT task_no FROM tasks WHERE id = $TEMPLATE)",
    },
    Copied {
        table: "entries",
        other: &[
            (
                "movement_id",
                "($BASE + k) * 1000 + (SELECT m.item_no FROM movements m WHERE m.id = t.movement_id)",
            ),
            ("user_id", "CASE WHEN t.user_id IS NOT NULL THEN $USER END"),
        ],
        left_out: &["id"],
        rows: "t.movement_id IN (SELECT m.id FROM movements m
                WHERE m.task_no = (SELECT task_no FROM tasks WHERE id = $TEMPLATE))",
    },
    Copied {
        table: "holds",
        other: &[("user_id", "$USER"), ("task_no", "'VP' || lpad(k::TEXT, 26, '0')")],
        left_out: &["id"],
        rows: "t.task_no = (SELECT task_no FROM tasks WHERE id = $TEMPLATE)",
    },
];

/// The statement that copies a table's rows, with all its current columns.
async fn copied(fixture: &Fixture, copy: Copied) -> String {
    let columns: Vec<String> = sqlx::query_scalar(
        "SELECT column_name::TEXT FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER'
          ORDER BY ordinal_position",
    )
    .bind(copy.table)
    .fetch_all(&fixture.watch.pool)
    .await
    .unwrap();
    let columns: Vec<&String> =
        columns.iter().filter(|name| !copy.left_out.contains(&name.as_str())).collect();
    let value = |name: &&String| {
        let other = copy.other.iter().find(|(of, _)| of == name);
        other.map_or_else(|| format!("t.{name}"), |(_, value)| (*value).to_owned())
    };
    let names = columns.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
    let values = columns.iter().map(value).collect::<Vec<_>>().join(", ");
    let rows = copy.rows.replace("USED", USED);
    format!(
        "INSERT INTO {} ({names}) SELECT {values} FROM generate_series($FROM, $TO) k, {} t WHERE {rows} ORDER BY k",
        copy.table, copy.table
    )
}

/// Lets sequences continue above the copies, and updates statistics and visibility maps as autovacuum would.
async fn finish(fixture: &Fixture) {
    for table in ["tasks", "items", "movements"] {
        let sql =
            format!("SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT MAX(id) FROM {table}))");
        fixture.watch.run(sql).await;
    }
    fixture.watch.run("VACUUM ANALYZE".to_owned()).await;
    fixture.watch.run("CHECKPOINT".to_owned()).await;
}
