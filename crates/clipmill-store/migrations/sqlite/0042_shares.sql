-- Pages that show chosen outputs of a task to whoever has their link, until then or until they are revoked.
CREATE TABLE shares (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id    INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    -- Numbers of items as JSON; NULL: all.
    items      TEXT,
    expires_at INTEGER,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE INDEX shares_of_task ON shares (task_id, id);
