-- What a job found when it ended last, as JSON, for all who ask; NULL: nothing to tell.
ALTER TABLE jobs ADD COLUMN told TEXT;
