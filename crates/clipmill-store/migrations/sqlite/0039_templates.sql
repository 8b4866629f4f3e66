-- Requests with variables, each change a version.
CREATE TABLE templates (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    template_no TEXT NOT NULL UNIQUE,
    user_id     INTEGER NOT NULL REFERENCES users,
    name        TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    -- The newest.
    version     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX templates_of_user ON templates (user_id, updated_at, id);

CREATE TABLE template_versions (
    template_id INTEGER NOT NULL REFERENCES templates ON DELETE CASCADE,
    version     INTEGER NOT NULL,
    body        TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (template_id, version)
) STRICT;

-- Uploads that a version names: they are kept.
CREATE TABLE template_uploads (
    upload_id   TEXT NOT NULL,
    template_id INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (upload_id, template_id, version),
    FOREIGN KEY (template_id, version) REFERENCES template_versions ON DELETE CASCADE
) STRICT;
CREATE INDEX template_uploads_of_version ON template_uploads (template_id, version);

-- Which version of which template a task was made from.
ALTER TABLE tasks ADD COLUMN template_no TEXT;
ALTER TABLE tasks ADD COLUMN template_version INTEGER;
