-- How often a row was retried: its earlier tasks no longer belong to the batch.
ALTER TABLE batch_rows ADD COLUMN retries BIGINT NOT NULL DEFAULT 0 CHECK (retries >= 0);
-- What these tasks were charged.
ALTER TABLE batch_rows ADD COLUMN replaced_points BIGINT NOT NULL DEFAULT 0 CHECK (replaced_points >= 0);
