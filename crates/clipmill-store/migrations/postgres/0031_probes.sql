-- A row that is written to find out whether anything can be.
CREATE TABLE probes (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    filler BYTEA NOT NULL
);
-- Zeros would be packed into nothing.
ALTER TABLE probes ALTER COLUMN filler SET STORAGE EXTERNAL;
