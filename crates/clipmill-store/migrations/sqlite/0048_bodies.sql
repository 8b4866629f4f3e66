-- Requests and templates apart from the rows that change: SQLite writes a row anew with all that it holds, and reads through
-- a large column to reach those after it.
CREATE TABLE bodies (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users,
    -- Of the JSON. What was stored before this step has its task's or batch's id here instead.
    sha256     BLOB NOT NULL,
    -- Of the content.
    size_bytes INTEGER NOT NULL,
    -- JSON, compressed with gzip; what was stored before this step is plain.
    content    BLOB NOT NULL,
    UNIQUE (user_id, sha256)
) STRICT;
CREATE INDEX bodies_of_user ON bodies (user_id, size_bytes);

INSERT INTO bodies (user_id, sha256, content, size_bytes)
SELECT user_id, CAST('task ' || id AS BLOB), CAST(request AS BLOB), length(CAST(request AS BLOB)) FROM tasks;
INSERT INTO bodies (user_id, sha256, content, size_bytes)
SELECT user_id, CAST('batch ' || id AS BLOB), CAST(template AS BLOB), length(CAST(template AS BLOB)) FROM batches;

-- Which open tasks need an upload, as of batches and templates.
CREATE TABLE task_uploads (
    upload_id TEXT NOT NULL,
    task_id   INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    PRIMARY KEY (upload_id, task_id)
) STRICT;
CREATE INDEX task_uploads_of_task ON task_uploads (task_id);
INSERT INTO task_uploads (upload_id, task_id)
SELECT u.id, t.id FROM tasks t JOIN uploads u ON u.user_id = t.user_id
 WHERE t.state IN (0, 1, 2) AND t.request LIKE '%upload://' || u.id || '%';

-- NULL: dropped, since the task ended long ago and delivered nothing.
ALTER TABLE tasks ADD COLUMN body_id INTEGER REFERENCES bodies;
UPDATE tasks SET body_id = (SELECT b.id FROM bodies b
                             WHERE b.user_id = tasks.user_id AND b.sha256 = CAST('task ' || tasks.id AS BLOB));
ALTER TABLE tasks DROP COLUMN request;
CREATE INDEX tasks_of_body ON tasks (body_id) WHERE body_id IS NOT NULL;
CREATE INDEX tasks_undelivered ON tasks (finished_at) WHERE body_id IS NOT NULL AND completed_items = 0;
CREATE INDEX tasks_given_up ON tasks (user_id, finished_at) WHERE state IN (5, 6) AND completed_items = 0;

-- Of the rows' values.
ALTER TABLE batches ADD COLUMN size_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batches ADD COLUMN body_id INTEGER REFERENCES bodies;
UPDATE batches SET size_bytes = (SELECT COALESCE(SUM(length(row_values) + length(items)), 0) FROM batch_rows r
                                  WHERE r.batch_id = batches.id),
                   body_id = (SELECT b.id FROM bodies b
                               WHERE b.user_id = batches.user_id AND b.sha256 = CAST('batch ' || batches.id AS BLOB));
ALTER TABLE batches DROP COLUMN template;
CREATE INDEX batches_of_body ON batches (body_id);
CREATE INDEX batches_sizes ON batches (user_id, size_bytes);
CREATE INDEX batches_given_up ON batches (user_id, cancelled_at) WHERE cancelled_at IS NOT NULL;

-- What was given back of a hold that is still open: that of a batch, row by row.
ALTER TABLE holds ADD COLUMN returned INTEGER NOT NULL DEFAULT 0 CHECK (returned BETWEEN 0 AND amount);

-- How many movements there are, to count them against the storage of their user.
ALTER TABLE balances ADD COLUMN movements INTEGER NOT NULL DEFAULT 0;
UPDATE balances SET movements = (SELECT COUNT(*) FROM movements m WHERE m.user_id = balances.user_id);

UPDATE schema_readers SET oldest = 48;
