-- What is counted against the quotas of a user.

-- Of a result: whose it is, how large, and until when it is kept.
ALTER TABLE items ADD COLUMN stored_user INTEGER REFERENCES users;
ALTER TABLE items ADD COLUMN stored_bytes INTEGER;
ALTER TABLE items ADD COLUMN stored_until INTEGER;
UPDATE items SET stored_user  = (SELECT user_id FROM tasks WHERE tasks.id = items.task_id),
                 stored_bytes = json_extract(result, '$.size_bytes'),
                 stored_until = json_extract(result, '$.expires_at')
 WHERE result IS NOT NULL;

CREATE INDEX items_stored ON items (stored_user, stored_until, stored_bytes) WHERE stored_user IS NOT NULL;
CREATE INDEX uploads_of_user ON uploads (user_id, created_at, content_sha256, size_bytes);
CREATE INDEX tasks_open_of_user ON tasks (user_id) WHERE state IN (0, 1, 2);
