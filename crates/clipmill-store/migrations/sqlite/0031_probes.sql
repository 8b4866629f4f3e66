-- A row that is written to find out whether anything can be.
CREATE TABLE probes (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    filler BLOB NOT NULL
);
