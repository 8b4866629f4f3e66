-- Outputs that are there while somebody else has their task's row: whoever has it, or comes next, completes their items
-- and settles their points, several in one go. Nobody stands in line for that row.
CREATE TABLE completions (
    item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    task_id INTEGER NOT NULL,
    result  TEXT NOT NULL,
    -- Hashes of what is seen, as items.picture_hashes.
    hashes  TEXT,
    points  INTEGER NOT NULL
);
CREATE INDEX completions_of_task ON completions (task_id);
