-- Hashes of what each output shows, as JSON, for comparing how alike the outputs of a task look. NULL where a program of
-- the release before made it.
ALTER TABLE items ADD COLUMN picture_hashes TEXT;
