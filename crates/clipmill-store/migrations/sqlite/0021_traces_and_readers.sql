-- The W3C trace context a task was submitted under: work and callbacks go on in the same trace.
ALTER TABLE tasks ADD COLUMN traceparent TEXT;

-- The oldest schema that a program must know to work on this database. A migration that programs before it
-- would misread raises the number; one that only adds leaves it, so that old workers go on beside new ones.
CREATE TABLE schema_readers (
    oldest INTEGER NOT NULL
) STRICT;
INSERT INTO schema_readers (oldest) VALUES (21);
