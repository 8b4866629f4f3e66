-- Shares that show outputs of several tasks. Such a share has a row here for each of them, in the order of its page; its own
-- task is the one that ended last, and its own items are that task's, which is what older programs show of it.
CREATE TABLE share_tasks (
    share_id BIGINT NOT NULL REFERENCES shares ON DELETE CASCADE,
    place    BIGINT NOT NULL,
    task_id  BIGINT NOT NULL REFERENCES tasks ON DELETE CASCADE,
    -- Numbers of items as JSON; NULL: all.
    items    TEXT,
    PRIMARY KEY (share_id, place)
);
CREATE INDEX share_tasks_of_task ON share_tasks (task_id, share_id);
