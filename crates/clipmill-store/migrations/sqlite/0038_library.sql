-- Uploads as their owner's library: what was found in each, and its name in lower case, to be searched.
ALTER TABLE uploads ADD COLUMN media TEXT;
ALTER TABLE uploads ADD COLUMN kind TEXT CHECK (kind IN ('video', 'picture', 'audio'));
ALTER TABLE uploads ADD COLUMN folded_name TEXT;
UPDATE uploads SET folded_name = lower(file_name);
