-- Fair claims, workers that tell of themselves, and a queue that can be stopped.

-- Claims go lane by lane: the work of one user at one priority. Lanes sort by priority, highest first, then by
-- user; the number of the user is in the lowest 40 bits.
ALTER TABLE work ADD COLUMN lane BIGINT GENERATED ALWAYS AS (user_id - priority * 1099511627776) STORED;
-- Order within a lane and stage, after the task: the earliest item first, and of its segments the longest.
ALTER TABLE work ADD COLUMN ord BIGINT NOT NULL DEFAULT 0;
UPDATE work SET ord = item_order * 4294967296 + position;

DROP INDEX work_ready;
ALTER TABLE work DROP COLUMN item_order;
ALTER TABLE work DROP COLUMN position;
CREATE INDEX work_ready ON work (lane, stage, task_order, ord, id) WHERE state = 'ready';
CREATE INDEX work_running_of_user ON work (user_id) WHERE state = 'running';
CREATE INDEX work_running_of_worker ON work (worker) WHERE state = 'running';

-- When each user was served last: of users with equally much under way, the one who waited longest comes next.
CREATE TABLE turns (
    user_id   BIGINT PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    last_turn BIGINT NOT NULL
);

-- A row here: nothing is claimed.
CREATE TABLE pauses (
    id        BIGINT PRIMARY KEY CHECK (id = 1),
    paused_at BIGINT NOT NULL
);

CREATE TABLE workers (
    name       TEXT PRIMARY KEY,
    host       TEXT NOT NULL,
    version    TEXT NOT NULL,
    slots      BIGINT NOT NULL,
    -- Bits: 1 finish, 2 preflight, 4 segment.
    kinds      BIGINT NOT NULL,
    draining   BIGINT NOT NULL DEFAULT 0,
    started_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);
CREATE INDEX workers_by_last_sight ON workers (seen_at);

CREATE INDEX work_waiting ON work (kind, created_at) WHERE state = 'waiting';
CREATE INDEX items_failed ON items (id) WHERE state IN (4, 6);

-- Rows of work change state several times and are then left alone: room for the changes in their pages, and
-- vacuums before the dead versions slow down claims.
ALTER TABLE work SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE turns SET (fillfactor = 50, autovacuum_vacuum_threshold = 200);
