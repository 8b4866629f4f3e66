-- Frames of segments that got on and are not yet in their tasks' sums (`tasks.frames_done`). Whoever makes a segment
-- adds a row and waits for nobody; whoever has the task's row adds them up and takes them away.
CREATE TABLE task_progress (
    task_id INTEGER NOT NULL,
    frames  INTEGER NOT NULL
);
CREATE INDEX task_progress_by_task ON task_progress (task_id);
