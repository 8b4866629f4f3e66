-- Who may call, and what was handed in. Moments are milliseconds since 1970.

CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE users (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    name           TEXT NOT NULL UNIQUE,
    webhook_secret TEXT NOT NULL,
    created_at     INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    INTEGER NOT NULL REFERENCES users,
    key_sha256 BLOB NOT NULL UNIQUE CHECK (length(key_sha256) = 32),
    prefix     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_of_user ON api_keys (user_id);

CREATE TABLE uploads (
    id             TEXT PRIMARY KEY,
    user_id        INTEGER NOT NULL REFERENCES users,
    content_sha256 TEXT NOT NULL,
    size_bytes     INTEGER NOT NULL CHECK (size_bytes >= 0),
    file_name      TEXT,
    created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX uploads_by_age ON uploads (created_at);
