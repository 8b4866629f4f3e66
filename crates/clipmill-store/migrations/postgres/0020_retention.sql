-- What is kept how long: jobs that one process does at a time, and when things may go.

-- Raised at every claim, the fence is named by every write of the job.
CREATE TABLE jobs (
    name        TEXT PRIMARY KEY,
    fence       BIGINT NOT NULL,
    holder      TEXT NOT NULL,
    lease_until BIGINT,
    ended_at    BIGINT
);

-- items.stored_until is NULL from now on also where the files are gone.
CREATE INDEX items_with_files ON items (stored_until) WHERE stored_until IS NOT NULL;

-- When a task named the upload last; NULL: none has.
ALTER TABLE uploads ADD COLUMN used_at BIGINT;
CREATE INDEX uploads_by_content ON uploads (content_sha256);

CREATE INDEX tasks_ended ON tasks (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX tasks_open ON tasks (state, created_at) WHERE state IN (0, 1, 2);
CREATE INDEX delivery_attempts_by_age ON delivery_attempts (started_at);
CREATE INDEX outbox_failed ON outbox (due_at) WHERE state = 'failed';
