-- How alike the outputs of a task are, as its owner reads it; known from the plan on.
ALTER TABLE tasks ADD COLUMN diversity TEXT;
