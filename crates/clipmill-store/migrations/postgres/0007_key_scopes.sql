-- What a key may do, and when it was used last. Keys issued before keep what they could do.

ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read,submit' CHECK (scopes <> '');
-- Written now and then, not at every call.
ALTER TABLE api_keys ADD COLUMN last_used_at BIGINT;
