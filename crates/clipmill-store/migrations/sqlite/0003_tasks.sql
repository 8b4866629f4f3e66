-- Tasks and their items. States are the integers of the API: 0 pending submission, 1 queued, 2 executing,
-- 3 completed, 4 failed, 5 cancelled, 6 rejected.

CREATE TABLE tasks (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    task_no            TEXT NOT NULL UNIQUE,
    user_id            INTEGER NOT NULL REFERENCES users,
    task_type          TEXT NOT NULL,
    client_task_id     TEXT,
    request            TEXT NOT NULL,
    request_sha256     BLOB NOT NULL CHECK (length(request_sha256) = 32),
    callback_url       TEXT,
    seed               INTEGER NOT NULL,
    state              INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 6),
    total_items        INTEGER NOT NULL,
    completed_items    INTEGER NOT NULL DEFAULT 0,
    failed_items       INTEGER NOT NULL DEFAULT 0,
    submitted_points   INTEGER NOT NULL,
    estimated_points   INTEGER NOT NULL,
    consumed_points    INTEGER NOT NULL DEFAULT 0,
    frames_done        INTEGER NOT NULL DEFAULT 0,
    frames_planned     INTEGER NOT NULL DEFAULT 0,
    submit_warnings    TEXT NOT NULL,
    preflight_warnings TEXT NOT NULL DEFAULT '[]',
    error_message      TEXT,
    created_at         INTEGER NOT NULL,
    started_at         INTEGER,
    finished_at        INTEGER,
    UNIQUE (user_id, client_task_id),
    CHECK (completed_items >= 0 AND failed_items >= 0 AND completed_items + failed_items <= total_items),
    CHECK (frames_done BETWEEN 0 AND frames_planned),
    CHECK ((state IN (3, 4, 5, 6)) = (finished_at IS NOT NULL))
) STRICT;
CREATE INDEX tasks_of_user ON tasks (user_id, id);
CREATE INDEX tasks_not_started ON tasks (id) WHERE state IN (0, 1);

CREATE TRIGGER tasks_legal_transition BEFORE UPDATE OF state ON tasks
WHEN NEW.state <> OLD.state
 AND NOT (OLD.state = 0 AND NEW.state IN (1, 5, 6)
       OR OLD.state = 1 AND NEW.state IN (2, 5)
       OR OLD.state = 2 AND NEW.state IN (3, 4, 5))
BEGIN SELECT RAISE(ABORT, 'a task cannot move between these states'); END;

CREATE TABLE items (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id        INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    item_no        INTEGER NOT NULL,
    seed           INTEGER NOT NULL,
    state          INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 6),
    recipe         TEXT NOT NULL DEFAULT 'null',
    warnings       TEXT NOT NULL DEFAULT '[]',
    rendition      TEXT,
    error          TEXT,
    charged        INTEGER NOT NULL DEFAULT 0,
    result         TEXT,
    -- Share of finishing in the progress sums.
    finish_weight  INTEGER NOT NULL DEFAULT 0,
    frames_done    INTEGER NOT NULL DEFAULT 0,
    frames_planned INTEGER NOT NULL DEFAULT 0,
    UNIQUE (task_id, item_no),
    CHECK (frames_done BETWEEN 0 AND frames_planned),
    CHECK ((state = 3) = (result IS NOT NULL))
) STRICT;

CREATE TRIGGER items_legal_transition BEFORE UPDATE OF state ON items
WHEN NEW.state < OLD.state OR OLD.state IN (3, 4, 5, 6) AND NEW.state <> OLD.state
BEGIN SELECT RAISE(ABORT, 'an item cannot move between these states'); END;

-- Events to be delivered, written with the state they tell of. One final state, one event.
CREATE TABLE outbox (
    event_id   TEXT PRIMARY KEY,
    task_id    INTEGER NOT NULL UNIQUE REFERENCES tasks ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('task.completed', 'task.failed', 'task.cancelled', 'task.rejected')),
    created_at INTEGER NOT NULL
) STRICT;
