-- What clients call their tasks, and what they are found by.
ALTER TABLE tasks ADD COLUMN name TEXT;
ALTER TABLE tasks ADD COLUMN labels TEXT NOT NULL DEFAULT '[]';

-- Lists are read newest first, all of a user's or those of one state or type.
CREATE INDEX tasks_by_time ON tasks (user_id, created_at, id);
CREATE INDEX tasks_by_state ON tasks (user_id, state, created_at, id);
CREATE INDEX tasks_by_type ON tasks (user_id, task_type, created_at, id);

-- The words of a task's name, number and clientTaskId, and its labels with # before each.
CREATE TABLE task_words (
    user_id BIGINT NOT NULL,
    word    TEXT COLLATE "C" NOT NULL,
    task_id BIGINT NOT NULL REFERENCES tasks ON DELETE CASCADE,
    PRIMARY KEY (user_id, word, task_id)
);
CREATE INDEX task_words_of_task ON task_words (task_id, word);
INSERT INTO task_words (user_id, word, task_id) SELECT user_id, lower(task_no), id FROM tasks;
INSERT INTO task_words (user_id, word, task_id)
SELECT user_id, lower(substr(client_task_id, 1, 32)), id FROM tasks WHERE client_task_id IS NOT NULL
    ON CONFLICT DO NOTHING;

-- How many tasks a user has: the sum of what the triggers below add. Whoever changes a task adds rows and waits for
-- nobody; each submission puts those of its user together.
CREATE TABLE task_counts (
    user_id   BIGINT NOT NULL,
    task_type TEXT NOT NULL,
    state     BIGINT NOT NULL,
    tasks     BIGINT NOT NULL
);
CREATE INDEX task_counts_of_user ON task_counts (user_id);
INSERT INTO task_counts SELECT user_id, task_type, state, COUNT(*) FROM tasks GROUP BY user_id, task_type, state;

CREATE FUNCTION count_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO task_counts VALUES (OLD.user_id, OLD.task_type, OLD.state, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO task_counts VALUES (NEW.user_id, NEW.task_type, NEW.state, 1);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER tasks_counted_in AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION count_tasks();
CREATE TRIGGER tasks_counted_on AFTER UPDATE OF state ON tasks
FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION count_tasks();
CREATE TRIGGER tasks_counted_out AFTER DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION count_tasks();
