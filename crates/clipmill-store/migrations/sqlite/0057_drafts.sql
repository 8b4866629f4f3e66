-- Drafts: requests that are being written, as the program that writes them stores them.
CREATE TABLE drafts (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    draft_no   TEXT NOT NULL UNIQUE,
    user_id    INTEGER NOT NULL REFERENCES users,
    name       TEXT NOT NULL,
    task_type  TEXT,
    -- Increases with every change.
    updated_at INTEGER NOT NULL,
    -- Of the body.
    size_bytes INTEGER NOT NULL,
    -- JSON.
    body       TEXT NOT NULL
) STRICT;
CREATE INDEX drafts_of_user ON drafts (user_id, updated_at, id);
-- Quotas are checked while others wait to write, so sizes are read without the bodies.
CREATE INDEX drafts_sizes ON drafts (user_id, size_bytes);

-- Uploads that a draft names: they are kept.
CREATE TABLE draft_uploads (
    upload_id TEXT NOT NULL,
    draft_id  INTEGER NOT NULL REFERENCES drafts ON DELETE CASCADE,
    PRIMARY KEY (upload_id, draft_id)
) STRICT;
CREATE INDEX draft_uploads_of_draft ON draft_uploads (draft_id);
