-- Since when a user's keys open nothing, and what they are told; NULL: they do.
ALTER TABLE users ADD COLUMN off_since INTEGER;
ALTER TABLE users ADD COLUMN off_reason TEXT;

-- What users are told whose tasks wait.
ALTER TABLE pauses ADD COLUMN reason TEXT;

-- What was delivered to each user on each day (UTC, counted from 1970) and what was paid for it. Tasks are forgotten;
-- this is not.
CREATE TABLE usage_days (
    user_id   INTEGER NOT NULL REFERENCES users,
    day       INTEGER NOT NULL,
    outputs   INTEGER NOT NULL,
    output_ms INTEGER NOT NULL,
    points    INTEGER NOT NULL,
    PRIMARY KEY (user_id, day)
) STRICT;
CREATE INDEX usage_by_day ON usage_days (day);

-- A task that goes on counts for the day on which it was submitted.
INSERT INTO usage_days (user_id, day, outputs, output_ms, points)
SELECT t.user_id, COALESCE(t.finished_at, t.created_at) / 86400000, COUNT(*),
       SUM(COALESCE(json_extract(i.result, '$.duration_ms'), 0)), SUM(i.charged)
  FROM items i JOIN tasks t ON t.id = i.task_id
 WHERE i.state = 3
 GROUP BY t.user_id, COALESCE(t.finished_at, t.created_at) / 86400000;
