-- Batches: a template and rows of values, each of which becomes a task.
CREATE TABLE batches (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    batch_no         TEXT NOT NULL UNIQUE,
    user_id          INTEGER NOT NULL REFERENCES users,
    client_batch_id  TEXT NOT NULL,
    request_sha256   BLOB NOT NULL,
    name             TEXT,
    callback_url     TEXT,
    template         TEXT NOT NULL,
    template_no      TEXT,
    template_version INTEGER,
    total_rows       INTEGER NOT NULL,
    total_items      INTEGER NOT NULL,
    submitted_points INTEGER NOT NULL,
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

CREATE TABLE batch_rows (
    batch_id     INTEGER NOT NULL REFERENCES batches ON DELETE CASCADE,
    row_no       INTEGER NOT NULL,
    row_values   TEXT NOT NULL,
    seed         INTEGER NOT NULL,
    -- Seed and points of each item.
    items        TEXT NOT NULL,
    total_items  INTEGER NOT NULL,
    -- waiting: its points are held for the batch, under its number and this row's; made: it is a task;
    -- refused and cancelled: it will never be one.
    state        TEXT NOT NULL CHECK (state IN ('waiting', 'made', 'refused', 'cancelled')),
    task_no      TEXT CHECK ((state = 'made') = (task_no IS NOT NULL)),
    error        TEXT,
    message_code TEXT,
    PRIMARY KEY (batch_id, row_no)
) STRICT;
CREATE INDEX batch_rows_waiting ON batch_rows (batch_id, row_no) WHERE state = 'waiting';

-- Uploads that a batch names: they are kept until it has ended.
CREATE TABLE batch_uploads (
    upload_id TEXT NOT NULL,
    batch_id  INTEGER NOT NULL REFERENCES batches ON DELETE CASCADE,
    PRIMARY KEY (upload_id, batch_id)
) STRICT;
CREATE INDEX batch_uploads_of_batch ON batch_uploads (batch_id);

ALTER TABLE tasks ADD COLUMN batch_id INTEGER REFERENCES batches;
ALTER TABLE tasks ADD COLUMN batch_row INTEGER;
CREATE INDEX tasks_of_batch ON tasks (batch_id, batch_row) WHERE batch_id IS NOT NULL;
