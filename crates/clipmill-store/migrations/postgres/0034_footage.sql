-- What each output shows of which files, as JSON, for comparing the outputs of a task. NULL where a program of the
-- release before planned it.
ALTER TABLE items ADD COLUMN footage TEXT;
