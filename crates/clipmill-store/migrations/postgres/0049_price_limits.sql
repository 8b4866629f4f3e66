-- The most points that a task or the tasks of a batch may cost; NULL: no limit.
ALTER TABLE tasks ADD COLUMN max_points BIGINT;
ALTER TABLE batches ADD COLUMN max_points BIGINT;
-- The price found by preflight, also of a task that was rejected for it; NULL before preflight.
ALTER TABLE tasks ADD COLUMN price BIGINT;
