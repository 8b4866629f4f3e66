-- Work as rows with leases, and the segments that items share.

CREATE TABLE segments (
    hash        TEXT PRIMARY KEY,
    spec        TEXT NOT NULL,
    frames      INTEGER NOT NULL,
    -- Furthest point any attempt reported.
    frames_done INTEGER NOT NULL DEFAULT 0,
    state       TEXT NOT NULL DEFAULT 'needed' CHECK (state IN ('needed', 'done')),
    done_at     INTEGER,
    CHECK (frames_done BETWEEN 0 AND frames)
) STRICT;

-- Where each user's tasks got the source from: one user's address never serves another's task.
CREATE TABLE segment_sources (
    hash    TEXT NOT NULL REFERENCES segments ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users,
    source  TEXT,
    PRIMARY KEY (hash, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE item_segments (
    item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
    hash    TEXT NOT NULL REFERENCES segments,
    -- 1 while frames of this segment are still to come in the item's progress.
    counted INTEGER NOT NULL DEFAULT 1 CHECK (counted IN (0, 1)),
    PRIMARY KEY (item_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_segments_by_hash ON item_segments (hash, counted);

CREATE TABLE work (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    kind         TEXT NOT NULL CHECK (kind IN ('preflight', 'segment', 'finish')),
    task_id      INTEGER UNIQUE REFERENCES tasks ON DELETE CASCADE,
    segment_hash TEXT UNIQUE REFERENCES segments ON DELETE CASCADE,
    item_id      INTEGER UNIQUE REFERENCES items ON DELETE CASCADE,
    -- For whom it is done now; of a shared segment, whose task's source is used.
    user_id      INTEGER NOT NULL REFERENCES users,
    -- waiting: for segments; delayed: until run_after.
    state        TEXT NOT NULL CHECK (state IN ('ready', 'delayed', 'waiting', 'running', 'done', 'failed', 'dropped')),
    -- Order of claiming: highest priority, lowest stage (finish, preflight, segment), then the oldest task,
    -- its first item and that item's first segment.
    priority     INTEGER NOT NULL DEFAULT 0,
    stage        INTEGER NOT NULL,
    task_order   INTEGER NOT NULL,
    item_order   INTEGER NOT NULL,
    position     INTEGER NOT NULL,
    run_after    INTEGER,
    -- Raised at every claim; every write under a lease names it.
    fence        INTEGER NOT NULL DEFAULT 0,
    worker       TEXT,
    claimed_at   INTEGER,
    lease_until  INTEGER,
    -- Failures reported by live workers, and leases that ran out.
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
CREATE INDEX work_ready ON work (priority DESC, stage, task_order, item_order, position, id) WHERE state = 'ready';
CREATE INDEX work_delayed ON work (run_after) WHERE state = 'delayed';
CREATE INDEX work_running ON work (lease_until) WHERE state = 'running';

-- Items that wait for a segment: those it is needed by.
CREATE VIEW waiting_items AS
SELECT x.hash, i.id AS item_id, i.item_no, i.task_id, t.user_id
  FROM item_segments x
  JOIN items i ON i.id = x.item_id
  JOIN tasks t ON t.id = i.task_id
  JOIN work w ON w.item_id = i.id
 WHERE w.state = 'waiting';
