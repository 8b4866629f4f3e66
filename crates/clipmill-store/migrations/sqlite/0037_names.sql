-- What clients call their tasks, and what they are found by.
ALTER TABLE tasks ADD COLUMN name TEXT;
ALTER TABLE tasks ADD COLUMN labels TEXT NOT NULL DEFAULT '[]';

-- Lists are read newest first, all of a user's or those of one state or type.
CREATE INDEX tasks_by_time ON tasks (user_id, created_at, id);
CREATE INDEX tasks_by_state ON tasks (user_id, state, created_at, id);
CREATE INDEX tasks_by_type ON tasks (user_id, task_type, created_at, id);

-- The words of a task's name, number and clientTaskId, and its labels with # before each.
CREATE TABLE task_words (
    user_id INTEGER NOT NULL,
    word    TEXT NOT NULL,
    task_id INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    PRIMARY KEY (user_id, word, task_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_words_of_task ON task_words (task_id, word);
INSERT INTO task_words (user_id, word, task_id) SELECT user_id, lower(task_no), id FROM tasks;
INSERT INTO task_words (user_id, word, task_id)
SELECT user_id, lower(substr(client_task_id, 1, 32)), id FROM tasks WHERE client_task_id IS NOT NULL
    ON CONFLICT DO NOTHING;

-- How many tasks a user has, kept by the triggers below.
CREATE TABLE task_counts (
    user_id   INTEGER NOT NULL,
    task_type TEXT NOT NULL,
    state     INTEGER NOT NULL,
    tasks     INTEGER NOT NULL,
    PRIMARY KEY (user_id, task_type, state)
) STRICT, WITHOUT ROWID;
INSERT INTO task_counts SELECT user_id, task_type, state, COUNT(*) FROM tasks GROUP BY user_id, task_type, state;

CREATE TRIGGER tasks_counted_in AFTER INSERT ON tasks BEGIN
    INSERT INTO task_counts VALUES (NEW.user_id, NEW.task_type, NEW.state, 1)
        ON CONFLICT DO UPDATE SET tasks = tasks + 1;
END;
CREATE TRIGGER tasks_counted_on AFTER UPDATE OF state ON tasks WHEN NEW.state <> OLD.state BEGIN
    UPDATE task_counts SET tasks = tasks - 1
     WHERE user_id = OLD.user_id AND task_type = OLD.task_type AND state = OLD.state;
    INSERT INTO task_counts VALUES (NEW.user_id, NEW.task_type, NEW.state, 1)
        ON CONFLICT DO UPDATE SET tasks = tasks + 1;
END;
CREATE TRIGGER tasks_counted_out AFTER DELETE ON tasks BEGIN
    UPDATE task_counts SET tasks = tasks - 1
     WHERE user_id = OLD.user_id AND task_type = OLD.task_type AND state = OLD.state;
END;
