-- Batches have an event at their end, as tasks have. Programs before this one take an event without a task for damage.
-- A column can only stop being NOT NULL in a new table; attempts go first, so that nothing is deleted with the old one.
CREATE TABLE attempts_kept AS SELECT * FROM delivery_attempts;
CREATE TABLE outbox_kept AS SELECT * FROM outbox;
DROP TABLE delivery_attempts;
DROP TABLE outbox;

CREATE TABLE outbox (
    event_id    TEXT PRIMARY KEY,
    task_id     INTEGER UNIQUE REFERENCES tasks ON DELETE CASCADE,
    batch_id    INTEGER UNIQUE REFERENCES batches ON DELETE CASCADE,
    kind        TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sending', 'delivered', 'failed')),
    due_at      INTEGER NOT NULL DEFAULT 0,
    decided_at  INTEGER NOT NULL DEFAULT 0,
    step        INTEGER NOT NULL DEFAULT 0 CHECK (step >= 0),
    fence       INTEGER NOT NULL DEFAULT 0,
    claimed_at  INTEGER,
    lease_until INTEGER CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
    CHECK ((task_id IS NULL) <> (batch_id IS NULL))
) STRICT;
INSERT INTO outbox (event_id, task_id, kind, created_at, state, due_at, decided_at, step, fence, claimed_at, lease_until)
SELECT event_id, task_id, kind, created_at, state, due_at, decided_at, step, fence, claimed_at, lease_until
  FROM outbox_kept;
DROP TABLE outbox_kept;
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_sending ON outbox (lease_until) WHERE state = 'sending';
CREATE INDEX outbox_failed ON outbox (due_at) WHERE state = 'failed';

CREATE TABLE delivery_attempts (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id     TEXT NOT NULL REFERENCES outbox ON DELETE CASCADE,
    started_at   INTEGER NOT NULL,
    -- Neither is known of an attempt whose process was lost.
    duration_ms  INTEGER,
    status       INTEGER,
    -- NULL: delivered.
    error        TEXT,
    message_code TEXT
) STRICT;
INSERT INTO delivery_attempts SELECT id, event_id, started_at, duration_ms, status, error, message_code FROM attempts_kept;
DROP TABLE attempts_kept;
CREATE INDEX delivery_attempts_of_event ON delivery_attempts (event_id, id);
CREATE INDEX delivery_attempts_by_age ON delivery_attempts (started_at);

UPDATE schema_readers SET oldest = 41;
