-- The schema. Timestamps are milliseconds since 1970.

-- The oldest schema that a program must know to use this database. A migration that older programs would misread raises it;
-- one that only adds leaves it, so that older workers can run beside newer ones.
CREATE TABLE schema_readers (
    oldest INTEGER NOT NULL
) STRICT;
INSERT INTO schema_readers (oldest) VALUES (48);

CREATE TABLE secrets (
    name          TEXT PRIMARY KEY,
    value         BLOB NOT NULL,
    -- The previous value, and until when it is valid; until `since` it is the value that signs.
    earlier       BLOB,
    earlier_until INTEGER,
    since         INTEGER
) STRICT;

-- One row, which is written to find out whether the database accepts writes.
CREATE TABLE probes (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    filler BLOB NOT NULL
);

-- Jobs that one process at a time does.
CREATE TABLE jobs (
    name        TEXT PRIMARY KEY,
    -- Raised at every claim; every write of the job names it.
    fence       INTEGER NOT NULL,
    holder      TEXT NOT NULL,
    lease_until INTEGER,
    ended_at    INTEGER,
    -- The result of the last run, as JSON, for all processes; NULL: none.
    told        TEXT,
    -- When the job last read the clock, and until when it distrusts the clock after a jump.
    seen_at     INTEGER,
    steady_from INTEGER
) STRICT;

-- Users, their keys and their files.

CREATE TABLE users (
    id                   INTEGER PRIMARY KEY AUTOINCREMENT,
    name                 TEXT NOT NULL UNIQUE,
    webhook_secret       TEXT NOT NULL,
    -- The previous secret: it signs, too, until then.
    earlier_secret       TEXT,
    earlier_secret_until INTEGER CHECK ((earlier_secret IS NULL) = (earlier_secret_until IS NULL)),
    -- Since when the user is switched off, and the reason given to them; NULL: the user is on.
    off_since            INTEGER,
    off_reason           TEXT,
    created_at           INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id      INTEGER NOT NULL REFERENCES users,
    key_sha256   BLOB NOT NULL UNIQUE CHECK (length(key_sha256) = 32),
    prefix       TEXT NOT NULL,
    scopes       TEXT NOT NULL DEFAULT 'read,submit' CHECK (scopes <> ''),
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    -- Written from time to time, not at every call.
    last_used_at INTEGER
) STRICT;
CREATE INDEX api_keys_of_user ON api_keys (user_id);

CREATE TABLE uploads (
    id             TEXT PRIMARY KEY,
    user_id        INTEGER NOT NULL REFERENCES users,
    content_sha256 TEXT NOT NULL,
    size_bytes     INTEGER NOT NULL CHECK (size_bytes >= 0),
    file_name      TEXT,
    -- In lower case, for searches.
    folded_name    TEXT,
    kind           TEXT CHECK (kind IN ('video', 'picture', 'audio')),
    created_at     INTEGER NOT NULL,
    -- When a task last named the upload; NULL: never.
    used_at        INTEGER,
    -- The result of probing the file, as JSON.
    media          TEXT
) STRICT;
CREATE INDEX uploads_by_age ON uploads (created_at);
CREATE INDEX uploads_of_user ON uploads (user_id, created_at, content_sha256, size_bytes);
CREATE INDEX uploads_by_content ON uploads (content_sha256);

-- Outputs delivered to each user on each day (UTC, days since 1970) and the points charged for them. Tasks are deleted in
-- time; these rows stay.
CREATE TABLE usage_days (
    user_id   INTEGER NOT NULL REFERENCES users,
    day       INTEGER NOT NULL,
    outputs   INTEGER NOT NULL,
    output_ms INTEGER NOT NULL,
    points    INTEGER NOT NULL,
    PRIMARY KEY (user_id, day)
) STRICT;
CREATE INDEX usage_by_day ON usage_days (day);

-- The ledger. Movements and their double entries are only added; balances are derived from them and checked. The ledger
-- outlives the tasks that it names, so it has their numbers and no references to their rows.

CREATE TABLE balances (
    user_id   INTEGER PRIMARY KEY REFERENCES users,
    available INTEGER NOT NULL CHECK (available >= 0),
    held      INTEGER NOT NULL CHECK (held >= 0),
    -- The number of the user's movements, which counts against their storage.
    movements INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE movements (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id       INTEGER NOT NULL REFERENCES users,
    kind          TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'settle', 'release', 'adjust')),
    amount        INTEGER NOT NULL CHECK (amount > 0),
    dot_count     INTEGER NOT NULL,
    balance_after INTEGER NOT NULL CHECK (balance_after >= 0),
    -- The number of a task or batch.
    task_no       TEXT,
    item_no       INTEGER,
    -- In English.
    remark        TEXT NOT NULL,
    -- The remark as a code with its parameters, in JSON; NULL: it has no code.
    message_code  TEXT,
    created_at    INTEGER NOT NULL,
    CHECK (CASE kind WHEN 'hold' THEN dot_count = -amount
                     WHEN 'settle' THEN dot_count = 0
                     WHEN 'adjust' THEN dot_count IN (amount, -amount)
                     ELSE dot_count = amount END)
) STRICT;
CREATE INDEX movements_of_user ON movements (user_id, id);
CREATE INDEX movements_of_item ON movements (task_no, item_no);

CREATE TABLE entries (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    movement_id INTEGER NOT NULL REFERENCES movements,
    account     TEXT NOT NULL CHECK (account IN ('available', 'held', 'issued', 'revenue')),
    user_id     INTEGER REFERENCES users,
    amount      INTEGER NOT NULL CHECK (amount <> 0),
    CHECK ((account IN ('available', 'held')) = (user_id IS NOT NULL))
) STRICT;
CREATE INDEX entries_of_movement ON entries (movement_id);
CREATE INDEX entries_of_user ON entries (user_id, account, amount);

CREATE TABLE holds (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id     INTEGER NOT NULL REFERENCES users,
    -- The number of a task or batch.
    task_no     TEXT NOT NULL,
    item_no     INTEGER NOT NULL,
    amount      INTEGER NOT NULL CHECK (amount >= 0),
    settled     INTEGER NOT NULL DEFAULT 0,
    -- Given back while the hold is open: that of a batch, row by row.
    returned    INTEGER NOT NULL DEFAULT 0 CHECK (returned BETWEEN 0 AND amount),
    state       TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'settled', 'released')),
    opened_at   INTEGER NOT NULL,
    resolved_at INTEGER,
    CHECK (settled BETWEEN 0 AND amount),
    CHECK (settled = 0 OR state = 'settled'),
    CHECK ((state = 'open') = (resolved_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX holds_one_open_an_item ON holds (task_no, item_no) WHERE state = 'open';
CREATE INDEX holds_of_item ON holds (task_no, item_no);
CREATE INDEX holds_open_of_user ON holds (user_id) WHERE state = 'open';

CREATE TRIGGER movements_refuse_update BEFORE UPDATE ON movements
BEGIN SELECT RAISE(ABORT, 'ledger movements are never changed'); END;
CREATE TRIGGER movements_refuse_delete BEFORE DELETE ON movements
BEGIN SELECT RAISE(ABORT, 'ledger movements are never deleted'); END;
CREATE TRIGGER entries_refuse_update BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER entries_refuse_delete BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
CREATE TRIGGER holds_resolve_once BEFORE UPDATE ON holds
WHEN OLD.state <> 'open' OR NEW.amount <> OLD.amount OR NEW.user_id <> OLD.user_id
BEGIN SELECT RAISE(ABORT, 'a hold resolves once and keeps its amount'); END;
CREATE TRIGGER holds_keep_their_item BEFORE UPDATE ON holds
WHEN NEW.task_no <> OLD.task_no OR NEW.item_no <> OLD.item_no OR NEW.opened_at <> OLD.opened_at
BEGIN SELECT RAISE(ABORT, 'a hold belongs to one item'); END;
CREATE TRIGGER holds_refuse_delete BEFORE DELETE ON holds
BEGIN SELECT RAISE(ABORT, 'holds are never deleted'); END;

-- A movement is committed with entries that sum to zero, or not at all.
CREATE TABLE unbalanced_movements (
    movement_id INTEGER PRIMARY KEY REFERENCES movements,
    -- No movement has this id: a row that is still here at the commit violates the reference and rolls everything back.
    must_go     INTEGER NOT NULL DEFAULT 0 REFERENCES movements DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TRIGGER movements_begin_unbalanced AFTER INSERT ON movements
BEGIN INSERT INTO unbalanced_movements (movement_id) VALUES (NEW.id); END;
CREATE TRIGGER entries_join_unbalanced_movements BEFORE INSERT ON entries
WHEN NOT EXISTS (SELECT 1 FROM unbalanced_movements WHERE movement_id = NEW.movement_id)
BEGIN SELECT RAISE(ABORT, 'the movement takes no further entries'); END;
CREATE TRIGGER entries_balance_their_movement AFTER INSERT ON entries
WHEN (SELECT SUM(amount) FROM entries WHERE movement_id = NEW.movement_id) = 0
BEGIN DELETE FROM unbalanced_movements WHERE movement_id = NEW.movement_id; END;

-- REPLACE deletes without running the triggers against deletion. Of several triggers SQLite fires the newest
-- first, so these come after the others.
CREATE TRIGGER movements_refuse_replacement BEFORE INSERT ON movements
WHEN EXISTS (SELECT 1 FROM movements WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'ledger movements are never replaced'); END;
CREATE TRIGGER entries_refuse_replacement BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'ledger entries are never replaced'); END;

-- Templates: requests with variables. Each change is a version.

CREATE TABLE templates (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    template_no TEXT NOT NULL UNIQUE,
    user_id     INTEGER NOT NULL REFERENCES users,
    name        TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    -- The newest.
    version     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX templates_of_user ON templates (user_id, updated_at, id);

CREATE TABLE template_versions (
    template_id INTEGER NOT NULL REFERENCES templates ON DELETE CASCADE,
    version     INTEGER NOT NULL,
    size_bytes  INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    body        TEXT NOT NULL,
    PRIMARY KEY (template_id, version)
) STRICT;
-- Quotas are checked while others wait to write, so sizes are read without the bodies.
CREATE INDEX template_versions_sizes ON template_versions (template_id, size_bytes);

-- Uploads that a version names: they are kept.
CREATE TABLE template_uploads (
    upload_id   TEXT NOT NULL,
    template_id INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (upload_id, template_id, version),
    FOREIGN KEY (template_id, version) REFERENCES template_versions ON DELETE CASCADE
) STRICT;
CREATE INDEX template_uploads_of_version ON template_uploads (template_id, version);

-- Requests and templates, apart from the rows that change: SQLite rewrites a row with everything in it, and reads through a
-- large column to reach those after it.
CREATE TABLE bodies (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users,
    -- Of the JSON. Bodies from before schema 48 have the id of their task or batch here.
    sha256     BLOB NOT NULL,
    -- Of the content.
    size_bytes INTEGER NOT NULL,
    -- JSON, compressed with gzip; bodies from before schema 48 are not compressed.
    content    BLOB NOT NULL,
    UNIQUE (user_id, sha256)
) STRICT;
CREATE INDEX bodies_of_user ON bodies (user_id, size_bytes);

-- Batches: a template and rows of values, each of which becomes a task.

CREATE TABLE batches (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    batch_no         TEXT NOT NULL UNIQUE,
    user_id          INTEGER NOT NULL REFERENCES users,
    client_batch_id  TEXT NOT NULL,
    request_sha256   BLOB NOT NULL,
    name             TEXT,
    callback_url     TEXT,
    template_no      TEXT,
    template_version INTEGER,
    -- The template.
    body_id          INTEGER REFERENCES bodies,
    -- Of the rows' values.
    size_bytes       INTEGER NOT NULL DEFAULT 0,
    total_rows       INTEGER NOT NULL,
    total_items      INTEGER NOT NULL,
    submitted_points INTEGER NOT NULL,
    -- The most points that its tasks may cost; NULL: no limit.
    max_points       INTEGER,
    warnings         TEXT NOT NULL,
    -- As of tasks: 2 executing, 3 completed, 4 failed, 5 cancelled.
    state            INTEGER NOT NULL DEFAULT 2 CHECK (state IN (2, 3, 4, 5)),
    paused_at        INTEGER,
    cancelled_at     INTEGER,
    created_at       INTEGER NOT NULL,
    finished_at      INTEGER,
    UNIQUE (user_id, client_batch_id),
    CHECK ((state = 2) = (finished_at IS NULL))
) STRICT;
CREATE INDEX batches_of_user ON batches (user_id, created_at, id);
CREATE INDEX batches_open ON batches (id) WHERE finished_at IS NULL;
CREATE INDEX batches_ended ON batches (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX batches_of_body ON batches (body_id);
CREATE INDEX batches_sizes ON batches (user_id, size_bytes);
CREATE INDEX batches_given_up ON batches (user_id, cancelled_at) WHERE cancelled_at IS NOT NULL;

CREATE TABLE batch_rows (
    batch_id     INTEGER NOT NULL REFERENCES batches ON DELETE CASCADE,
    row_no       INTEGER NOT NULL,
    row_values   TEXT NOT NULL,
    seed         INTEGER NOT NULL,
    -- Seed and points of each item.
    items        TEXT NOT NULL,
    total_items  INTEGER NOT NULL,
    -- waiting: its points are held for the batch; made: it is a task; refused and cancelled: it will never be one.
    state        TEXT NOT NULL CHECK (state IN ('waiting', 'made', 'refused', 'cancelled')),
    task_no      TEXT CHECK ((state = 'made') = (task_no IS NOT NULL)),
    error        TEXT,
    message_code TEXT,
    PRIMARY KEY (batch_id, row_no)
) STRICT;
CREATE INDEX batch_rows_waiting ON batch_rows (batch_id, row_no) WHERE state = 'waiting';
-- For quotas, without the values.
CREATE INDEX batch_rows_cancelled ON batch_rows (batch_id) WHERE state = 'cancelled';
CREATE INDEX batch_rows_tasks ON batch_rows (batch_id, task_no) WHERE task_no IS NOT NULL;

-- Uploads that a batch names: they are kept until it has ended.
CREATE TABLE batch_uploads (
    upload_id TEXT NOT NULL,
    batch_id  INTEGER NOT NULL REFERENCES batches ON DELETE CASCADE,
    PRIMARY KEY (upload_id, batch_id)
) STRICT;
CREATE INDEX batch_uploads_of_batch ON batch_uploads (batch_id);

-- Tasks and their items. States are the integers of the API: 0 pending submission, 1 queued, 2 executing, 3 completed,
-- 4 failed, 5 cancelled, 6 rejected.

CREATE TABLE tasks (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    task_no            TEXT NOT NULL UNIQUE,
    user_id            INTEGER NOT NULL REFERENCES users,
    task_type          TEXT NOT NULL,
    client_task_id     TEXT,
    name               TEXT,
    labels             TEXT NOT NULL DEFAULT '[]',
    request_sha256     BLOB NOT NULL CHECK (length(request_sha256) = 32),
    -- The request; NULL: deleted, since the task ended long ago and delivered nothing.
    body_id            INTEGER REFERENCES bodies,
    callback_url       TEXT,
    -- The W3C trace context of the submission: work and callbacks continue that trace.
    traceparent        TEXT,
    seed               INTEGER NOT NULL,
    -- The version of a template that the task was made from.
    template_no        TEXT,
    template_version   INTEGER,
    batch_id           INTEGER REFERENCES batches,
    batch_row          INTEGER,
    state              INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 6),
    total_items        INTEGER NOT NULL,
    completed_items    INTEGER NOT NULL DEFAULT 0,
    failed_items       INTEGER NOT NULL DEFAULT 0,
    submitted_points   INTEGER NOT NULL,
    estimated_points   INTEGER NOT NULL,
    consumed_points    INTEGER NOT NULL DEFAULT 0,
    -- The most points that the task may cost; NULL: no limit.
    max_points         INTEGER,
    -- The price found by preflight, also of a task that was rejected for it; NULL: before preflight.
    price              INTEGER,
    frames_done        INTEGER NOT NULL DEFAULT 0,
    frames_planned     INTEGER NOT NULL DEFAULT 0,
    created_at         INTEGER NOT NULL,
    started_at         INTEGER,
    finished_at        INTEGER,
    submit_warnings    TEXT NOT NULL,
    preflight_warnings TEXT NOT NULL DEFAULT '[]',
    -- How similar the outputs are, as in the API; NULL: not planned yet.
    diversity          TEXT,
    -- In English, and as a code with its parameters, in JSON.
    error_message      TEXT,
    message_code       TEXT,
    UNIQUE (user_id, client_task_id),
    CHECK (completed_items >= 0 AND failed_items >= 0 AND completed_items + failed_items <= total_items),
    CHECK (frames_done BETWEEN 0 AND frames_planned),
    CHECK ((state IN (3, 4, 5, 6)) = (finished_at IS NOT NULL))
) STRICT;
CREATE INDEX tasks_of_user ON tasks (user_id, id);
CREATE INDEX tasks_not_started ON tasks (id) WHERE state IN (0, 1);
CREATE INDEX tasks_open_of_user ON tasks (user_id) WHERE state IN (0, 1, 2);
CREATE INDEX tasks_ended ON tasks (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX tasks_open ON tasks (state, created_at) WHERE state IN (0, 1, 2);
-- Lists are newest first: all tasks of a user, or those of one state or type.
CREATE INDEX tasks_by_time ON tasks (user_id, created_at, id);
CREATE INDEX tasks_by_state ON tasks (user_id, state, created_at, id);
CREATE INDEX tasks_by_type ON tasks (user_id, task_type, created_at, id);
CREATE INDEX tasks_of_batch ON tasks (batch_id, batch_row) WHERE batch_id IS NOT NULL;
CREATE INDEX tasks_of_body ON tasks (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX tasks_undelivered ON tasks (finished_at) WHERE body_id IS NOT NULL AND completed_items = 0;
CREATE INDEX tasks_given_up ON tasks (user_id, finished_at) WHERE state IN (5, 6) AND completed_items = 0;
-- Tasks that no batch made, for lists with one entry for a batch in place of its tasks.
CREATE INDEX tasks_single ON tasks (user_id, created_at, id) WHERE batch_id IS NULL;

CREATE TRIGGER tasks_legal_transition BEFORE UPDATE OF state ON tasks
WHEN NEW.state <> OLD.state
 AND NOT (OLD.state = 0 AND NEW.state IN (1, 5, 6)
       OR OLD.state = 1 AND NEW.state IN (2, 5)
       OR OLD.state = 2 AND NEW.state IN (3, 4, 5))
BEGIN SELECT RAISE(ABORT, 'a task cannot move between these states'); END;

-- The words of a task's name, number and clientTaskId, and its labels with # before each.
CREATE TABLE task_words (
    user_id INTEGER NOT NULL,
    word    TEXT NOT NULL,
    task_id INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    PRIMARY KEY (user_id, word, task_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_words_of_task ON task_words (task_id, word);

-- How many tasks a user has, kept by the triggers below.
CREATE TABLE task_counts (
    user_id   INTEGER NOT NULL,
    task_type TEXT NOT NULL,
    state     INTEGER NOT NULL,
    tasks     INTEGER NOT NULL,
    PRIMARY KEY (user_id, task_type, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tasks_counted_in AFTER INSERT ON tasks BEGIN
    INSERT INTO task_counts VALUES (NEW.user_id, NEW.task_type, NEW.state, 1)
        ON CONFLICT DO UPDATE SET tasks = tasks + 1;
END;
CREATE TRIGGER tasks_counted_on AFTER UPDATE OF state ON tasks WHEN NEW.state <> OLD.state BEGIN
    UPDATE task_counts SET tasks = tasks - 1
     WHERE user_id = OLD.user_id AND task_type = OLD.task_type AND state = OLD.state;
    INSERT INTO task_counts VALUES (NEW.user_id, NEW.task_type, NEW.state, 1)
        ON CONFLICT DO UPDATE SET tasks = tasks + 1;
END;
CREATE TRIGGER tasks_counted_out AFTER DELETE ON tasks BEGIN
    UPDATE task_counts SET tasks = tasks - 1
     WHERE user_id = OLD.user_id AND task_type = OLD.task_type AND state = OLD.state;
END;

-- Uploads that an open task needs: they are kept.
CREATE TABLE task_uploads (
    upload_id TEXT NOT NULL,
    task_id   INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    PRIMARY KEY (upload_id, task_id)
) STRICT;
CREATE INDEX task_uploads_of_task ON task_uploads (task_id);

-- Rendered frames that are not yet in the sums of their tasks (`tasks.frames_done`). A worker that renders a segment adds a
-- row without waiting for others; the unit that next locks the task's row adds them up and deletes them.
CREATE TABLE task_progress (
    task_id INTEGER NOT NULL,
    frames  INTEGER NOT NULL
);
CREATE INDEX task_progress_by_task ON task_progress (task_id);

CREATE TABLE items (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id        INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    item_no        INTEGER NOT NULL,
    seed           INTEGER NOT NULL,
    state          INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 6),
    charged        INTEGER NOT NULL DEFAULT 0,
    -- The share of assembling in the progress sums.
    finish_weight  INTEGER NOT NULL DEFAULT 0,
    frames_done    INTEGER NOT NULL DEFAULT 0,
    frames_planned INTEGER NOT NULL DEFAULT 0,
    -- 1 for the item of a task that ended first. A client that has n results gets the rest.
    ended_order    INTEGER,
    -- Of a result: its owner, its size, and until when it is kept; stored_until is NULL once its files are deleted.
    stored_user    INTEGER REFERENCES users,
    stored_bytes   INTEGER,
    stored_until   INTEGER,
    -- Large columns are last.
    recipe         TEXT NOT NULL DEFAULT 'null',
    warnings       TEXT NOT NULL DEFAULT '[]',
    rendition      TEXT,
    error          TEXT,
    result         TEXT,
    -- The parts of files that the output shows, as JSON, for comparing the outputs of a task; NULL: not known.
    footage        TEXT,
    -- Hashes of the output's frames, as JSON, for comparing the outputs of a task; NULL: not known.
    picture_hashes TEXT,
    UNIQUE (task_id, item_no),
    CHECK (frames_done BETWEEN 0 AND frames_planned),
    CHECK ((state = 3) = (result IS NOT NULL))
) STRICT;
CREATE INDEX items_by_end ON items (task_id, ended_order) WHERE ended_order IS NOT NULL;
CREATE INDEX items_failed ON items (id) WHERE state IN (4, 6);
CREATE INDEX items_stored ON items (stored_user, stored_until, stored_bytes) WHERE stored_user IS NOT NULL;
CREATE INDEX items_with_files ON items (stored_until) WHERE stored_until IS NOT NULL;

CREATE TRIGGER items_legal_transition BEFORE UPDATE OF state ON items
WHEN NEW.state < OLD.state OR OLD.state IN (3, 4, 5, 6) AND NEW.state <> OLD.state
BEGIN SELECT RAISE(ABORT, 'an item cannot move between these states'); END;

-- Finished outputs whose task's row is locked by another unit. The unit that locks it next completes their items and
-- settles their points, several at once, so that no worker waits for that row.
CREATE TABLE completions (
    item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    task_id INTEGER NOT NULL,
    result  TEXT NOT NULL,
    -- As items.picture_hashes.
    hashes  TEXT,
    points  INTEGER NOT NULL
);
CREATE INDEX completions_of_task ON completions (task_id);

-- Segments, which items share, and work: rows with leases.

CREATE TABLE segments (
    hash        TEXT PRIMARY KEY,
    spec        TEXT NOT NULL,
    frames      INTEGER NOT NULL,
    -- The furthest point that any attempt reported.
    frames_done INTEGER NOT NULL DEFAULT 0,
    state       TEXT NOT NULL DEFAULT 'needed' CHECK (state IN ('needed', 'done')),
    done_at     INTEGER,
    CHECK (frames_done BETWEEN 0 AND frames)
) STRICT;

-- The source of a segment as each user's tasks gave it: one user's URL is never used for another user's task.
CREATE TABLE segment_sources (
    hash    TEXT NOT NULL REFERENCES segments ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users,
    source  TEXT,
    PRIMARY KEY (hash, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE item_segments (
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    hash    TEXT NOT NULL REFERENCES segments,
    -- 1 while the item's progress still lacks frames of this segment.
    counted INTEGER NOT NULL DEFAULT 1 CHECK (counted IN (0, 1)),
    PRIMARY KEY (item_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_segments_by_hash ON item_segments (hash, counted);

CREATE TABLE work (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    -- finish: assembling an output.
    kind         TEXT NOT NULL CHECK (kind IN ('preflight', 'segment', 'finish')),
    task_id      INTEGER UNIQUE REFERENCES tasks ON DELETE CASCADE,
    segment_hash TEXT UNIQUE REFERENCES segments ON DELETE CASCADE,
    item_id      INTEGER UNIQUE REFERENCES items ON DELETE CASCADE,
    -- The user that it is done for now; of a shared segment, the one whose source is used.
    user_id      INTEGER NOT NULL REFERENCES users,
    -- waiting: for segments; delayed: until run_after.
    state        TEXT NOT NULL CHECK (state IN ('ready', 'delayed', 'waiting', 'running', 'done', 'failed', 'dropped')),
    priority     INTEGER NOT NULL DEFAULT 0,
    -- The partition that it is claimed from: the work of one user at one priority. Partitions sort by priority, highest
    -- first, then by user, whose id is in the lowest 40 bits.
    lane         INTEGER GENERATED ALWAYS AS (user_id - priority * 1099511627776) VIRTUAL,
    -- The order within a partition: the lowest stage (finish, preflight, segment), the oldest task, its first item, and the
    -- longest segment of that item. `ord` has the last two.
    stage        INTEGER NOT NULL,
    task_order   INTEGER NOT NULL,
    ord          INTEGER NOT NULL DEFAULT 0,
    run_after    INTEGER,
    -- Raised at every claim; every write under a lease names it.
    fence        INTEGER NOT NULL DEFAULT 0,
    worker       TEXT,
    claimed_at   INTEGER,
    lease_until  INTEGER,
    -- How many times longer than usual its leases are, because a worker was too slow to renew one.
    lease_times  INTEGER NOT NULL DEFAULT 1,
    -- The lease that expired last, until its holder reports that it is alive.
    lost_fence   INTEGER,
    -- Failures that workers reported, and leases that expired.
    attempts     INTEGER NOT NULL DEFAULT 0,
    lost_leases  INTEGER NOT NULL DEFAULT 0,
    created_at   INTEGER NOT NULL,
    CHECK (CASE kind WHEN 'preflight' THEN task_id IS NOT NULL
                     WHEN 'segment' THEN segment_hash IS NOT NULL
                     ELSE item_id IS NOT NULL END),
    CHECK ((task_id IS NOT NULL) + (segment_hash IS NOT NULL) + (item_id IS NOT NULL) = 1),
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CHECK ((state = 'delayed') = (run_after IS NOT NULL))
) STRICT;
CREATE INDEX work_delayed ON work (run_after) WHERE state = 'delayed';
CREATE INDEX work_running ON work (lease_until) WHERE state = 'running';
CREATE INDEX work_ready ON work (lane, stage, task_order, ord, id) WHERE state = 'ready';
CREATE INDEX work_running_of_user ON work (user_id) WHERE state = 'running';
CREATE INDEX work_running_of_worker ON work (worker) WHERE state = 'running';
CREATE INDEX work_waiting ON work (kind, created_at) WHERE state = 'waiting';

-- Items that wait for a segment.
CREATE VIEW waiting_items AS
SELECT x.hash, i.id AS item_id, i.item_no, i.task_id, t.user_id
  FROM item_segments x
  JOIN items i ON i.id = x.item_id
  JOIN tasks t ON t.id = i.task_id
  JOIN work w ON w.item_id = i.id
 WHERE w.state = 'waiting';

-- The last claim of each user: of users with equally much running work, the one that has waited longest comes next.
CREATE TABLE turns (
    user_id   INTEGER PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    last_turn INTEGER NOT NULL
) STRICT;

-- While there is a row, no work is claimed.
CREATE TABLE pauses (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    paused_at INTEGER NOT NULL,
    -- For users whose tasks wait.
    reason    TEXT
) STRICT;

CREATE TABLE workers (
    name       TEXT PRIMARY KEY,
    host       TEXT NOT NULL,
    version    TEXT NOT NULL,
    slots      INTEGER NOT NULL,
    -- Bits: 1 finish, 2 preflight, 4 segment.
    kinds      INTEGER NOT NULL,
    draining   INTEGER NOT NULL DEFAULT 0,
    -- Measured: frames that one slot renders in 1,000 seconds.
    speed      INTEGER,
    started_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX workers_by_last_sight ON workers (seen_at);

-- Events and their delivery, which is work with leases. An event is written with the state that it reports: one final state
-- of a task or batch, one event.

CREATE TABLE outbox (
    event_id    TEXT PRIMARY KEY,
    task_id     INTEGER UNIQUE REFERENCES tasks ON DELETE CASCADE,
    batch_id    INTEGER UNIQUE REFERENCES batches ON DELETE CASCADE,
    kind        TEXT NOT NULL,
    -- due: to be sent at due_at; sending: under a lease; delivered and failed are final, unless a client asks to send it again.
    state       TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sending', 'delivered', 'failed')),
    due_at      INTEGER NOT NULL DEFAULT 0,
    -- When due_at was decided. If the clock is before it, the clock was set back and due_at has no meaning.
    decided_at  INTEGER NOT NULL DEFAULT 0,
    -- The place in the schedule of attempts; delivery_attempts has all attempts ever made.
    step        INTEGER NOT NULL DEFAULT 0 CHECK (step >= 0),
    -- Raised at every claim; every report of an attempt names it.
    fence       INTEGER NOT NULL DEFAULT 0,
    claimed_at  INTEGER,
    lease_until INTEGER CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
    created_at  INTEGER NOT NULL,
    CHECK ((task_id IS NULL) <> (batch_id IS NULL))
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_sending ON outbox (lease_until) WHERE state = 'sending';
CREATE INDEX outbox_failed ON outbox (due_at) WHERE state = 'failed';

CREATE TABLE delivery_attempts (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id     TEXT NOT NULL REFERENCES outbox ON DELETE CASCADE,
    started_at   INTEGER NOT NULL,
    -- NULL, both, for an attempt whose process was lost.
    duration_ms  INTEGER,
    status       INTEGER,
    -- NULL: delivered.
    error        TEXT,
    message_code TEXT
) STRICT;
CREATE INDEX delivery_attempts_of_event ON delivery_attempts (event_id, id);
CREATE INDEX delivery_attempts_by_age ON delivery_attempts (started_at);

-- Shares: pages that show chosen outputs to everyone who has the link, until they expire or are revoked.

CREATE TABLE shares (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id    INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    -- Numbers of items as JSON; NULL: all.
    items      TEXT,
    expires_at INTEGER,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE INDEX shares_of_task ON shares (task_id, id);

-- The tasks of a share that shows several, in the order of its page. shares.task_id is the one that ended last.
CREATE TABLE share_tasks (
    share_id INTEGER NOT NULL REFERENCES shares ON DELETE CASCADE,
    place    INTEGER NOT NULL,
    task_id  INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    -- Numbers of items as JSON; NULL: all.
    items    TEXT,
    PRIMARY KEY (share_id, place)
) STRICT;
CREATE INDEX share_tasks_of_task ON share_tasks (task_id, share_id);
