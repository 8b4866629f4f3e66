-- The width of the installation: the cores that plans are made for. Another width gives other segments, so it is chosen once, by
-- the first start, and changed only by an operator.
CREATE TABLE width (
    -- There is one row.
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    cores INTEGER NOT NULL CHECK (cores > 0)
) STRICT;
