-- Brands: files, colours and a caption style that a user uses again and again.
CREATE TABLE brands (
    user_id    BIGINT PRIMARY KEY REFERENCES users,
    updated_at BIGINT NOT NULL,
    -- JSON.
    body       TEXT NOT NULL
);

-- Uploads that a brand names: they are kept.
CREATE TABLE brand_uploads (
    upload_id TEXT NOT NULL,
    user_id   BIGINT NOT NULL REFERENCES brands ON DELETE CASCADE,
    PRIMARY KEY (upload_id, user_id)
);
CREATE INDEX brand_uploads_of_user ON brand_uploads (user_id);
