-- Invitations: a code, stored as its hash, is exchanged for a key once.
CREATE TABLE invitations (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id     INTEGER NOT NULL REFERENCES users,
    code_sha256 BLOB NOT NULL UNIQUE CHECK (length(code_sha256) = 32),
    -- Of the key.
    scopes      TEXT NOT NULL CHECK (scopes <> ''),
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    revoked_at  INTEGER,
    used_at     INTEGER,
    -- The key that was issued for it.
    key_id      INTEGER REFERENCES api_keys
) STRICT;
CREATE INDEX invitations_of_user ON invitations (user_id);
