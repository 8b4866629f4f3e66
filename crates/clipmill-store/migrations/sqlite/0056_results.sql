-- Results as inputs. `task_uploads` and `batch_uploads` have a row for each result that is used, too: `TASKNO/ITEM` in place
-- of the ID of an upload, which has no slash.

-- How many tasks the longest chain of results that ends with the task has; 1: it uses none.
ALTER TABLE tasks ADD COLUMN chain_length INTEGER NOT NULL DEFAULT 1;
-- The length and size of the output before it exists, as JSON: estimated, or planned; NULL: not known.
ALTER TABLE items ADD COLUMN expected TEXT;
