-- How often a row was retried: its earlier tasks no longer belong to the batch.
ALTER TABLE batch_rows ADD COLUMN retries BIGINT NOT NULL DEFAULT 0 CHECK (retries >= 0);
