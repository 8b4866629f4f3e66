-- Tasks that no batch made: lists show a batch in place of its tasks.
CREATE INDEX tasks_single ON tasks (user_id, created_at, id) WHERE batch_id IS NULL;
