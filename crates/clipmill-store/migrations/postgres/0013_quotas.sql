-- What is counted against the quotas of a user.

-- Of a result: whose it is, how large, and until when it is kept.
ALTER TABLE items ADD COLUMN stored_user BIGINT REFERENCES users;
ALTER TABLE items ADD COLUMN stored_bytes BIGINT;
ALTER TABLE items ADD COLUMN stored_until BIGINT;
UPDATE items SET stored_user  = (SELECT user_id FROM tasks WHERE tasks.id = items.task_id),
                 stored_bytes = CAST(CAST(result AS JSON) ->> 'size_bytes' AS BIGINT),
                 stored_until = CAST(CAST(result AS JSON) ->> 'expires_at' AS BIGINT)
 WHERE result IS NOT NULL;

CREATE INDEX items_stored ON items (stored_user, stored_until, stored_bytes) WHERE stored_user IS NOT NULL;
CREATE INDEX uploads_of_user ON uploads (user_id, created_at, content_sha256, size_bytes);
CREATE INDEX tasks_open_of_user ON tasks (user_id) WHERE state IN (0, 1, 2);
