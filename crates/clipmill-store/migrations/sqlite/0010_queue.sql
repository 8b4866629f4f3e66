-- Fair claims, workers that tell of themselves, and a queue that can be stopped.

-- Claims go lane by lane: the work of one user at one priority. Lanes sort by priority, highest first, then by
-- user; the number of the user is in the lowest 40 bits.
ALTER TABLE work ADD COLUMN lane INTEGER GENERATED ALWAYS AS (user_id - priority * 1099511627776) VIRTUAL;
-- Order within a lane and stage, after the task: the earliest item first, and of its segments the longest.
ALTER TABLE work ADD COLUMN ord INTEGER NOT NULL DEFAULT 0;
UPDATE work SET ord = item_order * 4294967296 + position;

DROP INDEX work_ready;
ALTER TABLE work DROP COLUMN item_order;
ALTER TABLE work DROP COLUMN position;
CREATE INDEX work_ready ON work (lane, stage, task_order, ord, id) WHERE state = 'ready';
CREATE INDEX work_running_of_user ON work (user_id) WHERE state = 'running';
CREATE INDEX work_running_of_worker ON work (worker) WHERE state = 'running';

-- When each user was served last: of users with equally much under way, the one who waited longest comes next.
CREATE TABLE turns (
    user_id   INTEGER PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    last_turn INTEGER NOT NULL
) STRICT;

-- A row here: nothing is claimed.
CREATE TABLE pauses (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    paused_at INTEGER NOT NULL
) STRICT;

CREATE TABLE workers (
    name       TEXT PRIMARY KEY,
    host       TEXT NOT NULL,
    version    TEXT NOT NULL,
    slots      INTEGER NOT NULL,
    -- Bits: 1 finish, 2 preflight, 4 segment.
    kinds      INTEGER NOT NULL,
    draining   INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX workers_by_last_sight ON workers (seen_at);

CREATE INDEX work_waiting ON work (kind, created_at) WHERE state = 'waiting';
CREATE INDEX items_failed ON items (id) WHERE state IN (4, 6);
