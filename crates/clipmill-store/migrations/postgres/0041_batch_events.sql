-- Batches have an event at their end, as tasks have. Programs before this one take an event without a task for damage.
ALTER TABLE outbox ALTER COLUMN task_id DROP NOT NULL;
ALTER TABLE outbox ADD COLUMN batch_id BIGINT UNIQUE REFERENCES batches ON DELETE CASCADE;
ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check;
ALTER TABLE outbox ADD CHECK ((task_id IS NULL) <> (batch_id IS NULL));
UPDATE schema_readers SET oldest = 41;
